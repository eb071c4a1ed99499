"""The dialog that sets up the position a match starts from, with dice or as a line of text. The rules check it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from msgspec.structs import replace
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget
from textual.widgets import Input

from fourtwenty.games.game import Faces, Game, Setting, State
from fourtwenty.games.words import sentence_case, whose
from fourtwenty.tui.dialogs.dialog import Field, FieldDialog
from fourtwenty.tui.widgets.command_row import Command
from fourtwenty.tui.widgets.seats import fit

FACE = Binding.Group("Face", compact=True)
COUNT = Binding.Group("Tokens or points")
NAME_WIDTH = 13
SPACED_SEATS = 4
"""The greatest number of seats whose lines have a gap between them."""


def read_position(game: Game, text: str, seats: int) -> State:
    """Return the state of a position from which a match with this number of seats can start.

    Raises ValueError with a sentence for the player.
    """
    start = game.position(text)
    if start.seats != seats:
        raise ValueError(f"The position has {start.seats} players, the table has {seats}.")
    if start.to_act is None:
        raise ValueError("The round is over there.")
    return start


class Layout(Widget):
    """A line of dice for each seat, with a pointer at one die. Its dialog changes it."""

    COMPONENT_CLASSES = {"layout--die", "layout--pointed"}  # noqa: RUF012
    DEFAULT_CSS = "Layout { height: auto; }"

    dice: reactive[tuple[Faces, ...]] = reactive((), layout=True)
    """``[seat][die]``: faces, 0 for a die that is not thrown yet."""
    pointed: reactive[tuple[int, int]] = reactive((0, 0))
    """The seat and the die at the pointer, both from 0."""
    notes: reactive[tuple[str, ...]] = reactive(())
    """``[seat]``: the text after the dice."""

    class Clicked(Message):
        """A die was clicked, or, with None for the die, a name."""

        def __init__(self, seat: int, die: int | None) -> None:
            super().__init__()
            self.seat = seat
            self.die = die

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.seat_names = names

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return self._step * (len(self.dice) - 1) + 1

    @property
    def _step(self) -> int:
        return 2 if len(self.seat_names) <= SPACED_SEATS else 1

    def watch_pointed(self) -> None:
        if self.is_mounted and isinstance(self.parent, Widget):
            self.parent.scroll_to_region(Region(0, self._step * self.pointed[0], 1, 1), animate=False)

    def render(self) -> Content:
        return Content("\n" * self._step).join(map(self._line, range(len(self.dice))))

    def _line(self, seat: int) -> Content:
        here = self.pointed[0] == seat
        name = Content(f"{'▶' if here else ' '} {fit(self.seat_names[seat], NAME_WIDTH)} ")
        parts = [name.stylize(Style.from_meta({"at": (seat, None)}))]
        for die, face in enumerate(self.dice[seat]):
            pointed = self.pointed == (seat, die)
            style = self.get_visual_style("layout--pointed" if pointed else "layout--die")
            shown = Content(f"[{face or '·'}]" if pointed else f" {face or '·'} ").stylize(style)
            parts += [shown.stylize(Style.from_meta({"at": (seat, die)})), Content(" ")]
        parts.append(Content(f" {self.notes[seat]}" if seat < len(self.notes) else ""))
        return Content("").join(parts)

    def on_click(self, event: Click) -> None:
        at = event.style.meta.get("at")
        if at:
            self.post_message(self.Clicked(*at))


class PositionDialog(FieldDialog[State]):
    """Dismissed with the state to start from, or None if it is cancelled."""

    AUTO_FOCUS = ""
    HELP = """\
The arrows choose a die; the digits set its face, and **0** takes it off the table. A click on a die turns it to its
next face.

A player without dice has not rolled yet. **f** and **t** choose who started the round and whose turn it is. The line
of text under the dice is the same position: **l** edits it, **y** copies it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "Play from here", id="position.accept", tooltip="Start a game from this position"),
        *(
            Binding(str(face), f"face({face})", f"Face {face}", id=f"position.face-{face}", group=FACE, tooltip="Face")
            for face in range(1, 7)
        ),
        Binding("0,delete,backspace,space", "face(0)", "Not rolled", id="position.clear", tooltip="Not rolled yet"),
        Binding("f", "start", "Started", id="position.starts", tooltip="This player started the round"),
        Binding("t", "turn", "Turn", id="position.turn", tooltip="It is this player's turn"),
        Binding("r", "roll", "Roll", id="position.roll", tooltip="The number of the next roll of the turn"),
        Binding("plus,equals_sign", "count(1)", "One more", id="position.more", group=COUNT, tooltip="One more"),
        Binding("minus", "count(-1)", "One less", id="position.less", group=COUNT, tooltip="One less"),
        Binding("y", "copy", "Copy", id="position.copy", tooltip="Copy the position as a line of text"),
        Binding("l", "line", "Line of text", id="position.line", tooltip="Type the position as a line of text"),
        Binding("left", "point(0, -1)", "Die before", id="position.left", show=False),
        Binding("right", "point(0, 1)", "Next die", id="position.right", show=False),
        Binding("up", "point(-1, 0)", "Player above", id="position.up", show=False),
        Binding("down", "point(1, 0)", "Player below", id="position.down", show=False),
        Binding("escape,q", "back", "Cancel", id="position.cancel", tooltip="Back without a change"),
    ]
    heading = "Set up a position"

    def __init__(self, game: Game, state: State, names: Sequence[str]) -> None:
        """Ask for a position of a game, beginning with a cleared table at which these players sit."""
        super().__init__()
        self.game = game
        self.names = names
        self.state = state
        self.setting = Setting(
            tuple(state.hand(seat) for seat in range(state.seats)), (0,) * state.seats, state.starting_seat or 0
        )
        self.dice = [[0] * game.hand_size for _ in range(state.seats)]
        """``[seat][die]``: faces, 0 for a die that is not thrown yet."""

    def contents(self) -> Iterator[Widget]:
        with VerticalScroll(can_focus=False):
            yield Layout(self.names)
        yield Field(self.state.position(), id="position")
        yield self.refusal()

    @property
    def shown_commands(self) -> Sequence[Command]:
        """All but those for the pointer."""
        counts = [Command("position.roll"), Command("position.more"), Command("position.less")]
        return (
            Command("position.accept"),
            *(Command(f"position.face-{face}") for face in range(1, 7)),
            Command("position.starts"),
            Command("position.turn"),
            *(counts if self.game.counts else ()),
            Command("position.clear"),
            Command("position.line"),
            Command("position.copy"),
            Command("position.cancel"),
        )

    def on_mount(self) -> None:
        self.show_dice()

    @property
    def layout_shown(self) -> Layout:
        return self.query_one(Layout)

    # -- display -----------------------------------------------------------------------------------------------

    def show_dice(self) -> None:
        """Show the dice, and write the position that they are into the line of text."""
        try:
            self._take(self.game.set_up(self.setting))
        except ValueError as error:
            self.say(str(error))
        self._draw()

    def _take(self, state: State) -> None:
        """Take a state from the dice: its line of text follows."""
        self.state = state
        with self.prevent(Input.Changed):
            self.line.value = state.position()
        over = "The round is over there." if state.to_act is None else f"{state.caption()}"
        self.say(over)

    def _draw(self) -> None:
        shown = self.layout_shown
        shown.dice = tuple(tuple(dice) for dice in self.dice)
        shown.notes = tuple(map(self._note, range(len(self.names))))

    def _note(self, seat: int) -> str:
        count = f"{self.setting.counts[seat]} {self.game.counts}" if self.game.counts else ""
        starts = self.game.starting_title if seat == self.setting.starting_seat else ""
        turn = "to roll" if seat == self.state.to_act else ""
        return ", ".join(filter(None, (count, starts, turn)))

    @on(Input.Changed)
    def read_line(self, event: Input.Changed) -> None:
        """Show the dice of the line of text, or why there are none."""
        if not self.line.has_focus:
            return
        try:
            state = read_position(self.game, event.value, len(self.names))
        except ValueError as error:
            self.say(str(error))
            return
        self.state = state
        self.say(state.caption())
        hands = tuple(state.hand(seat) for seat in range(state.seats))
        self.dice = [[*hand] or [0] * self.game.hand_size for hand in hands]
        self.setting = replace(self.setting, hands=hands, starting_seat=state.starting_seat or 0, to_act=state.to_act)
        self._draw()

    # -- actions -----------------------------------------------------------------------------------------------

    def action_point(self, seats: int, dice: int) -> None:
        seat, die = self.layout_shown.pointed
        self.layout_shown.pointed = (seat + seats) % len(self.names), (die + dice) % self.game.hand_size

    def action_face(self, face: int) -> None:
        """Set the face of the die at the pointer, and go to the next die of the hand."""
        seat, die = self.layout_shown.pointed
        self._set(seat, die, face)
        if face and die + 1 < self.game.hand_size:
            self.action_point(0, 1)
        elif face:
            self.layout_shown.pointed = min(seat + 1, len(self.names) - 1), 0

    def _set(self, seat: int, die: int, face: int) -> None:
        """Set one die. A hand counts once all its dice have faces."""
        self.dice[seat][die] = face
        hands = tuple(tuple(dice) if all(dice) else () for dice in self.dice)
        self.setting = replace(self.setting, hands=hands)
        self.show_dice()
        if any(self.dice[seat]) and not all(self.dice[seat]):
            missing = self.dice[seat].count(0)
            self.say(f"{sentence_case(whose(self.names[seat]))} hand: {missing} to set.")

    @on(Layout.Clicked)
    def click(self, event: Layout.Clicked) -> None:
        self.set_focus(None)
        self.layout_shown.pointed = event.seat, event.die or 0
        if event.die is not None:
            self._set(event.seat, event.die, self.dice[event.seat][event.die] % 6 + 1)

    def action_start(self) -> None:
        self._change(starting_seat=self.layout_shown.pointed[0])

    def action_turn(self) -> None:
        self._change(to_act=self.layout_shown.pointed[0])

    def action_roll(self) -> None:
        self._change(roll=5 - self.setting.roll)

    def action_count(self, step: int) -> None:
        seat = self.layout_shown.pointed[0]
        counts = [*self.setting.counts]
        counts[seat] = max(0, counts[seat] + step)
        self._change(counts=tuple(counts))

    def _change(self, **changes: object) -> None:
        self.setting = replace(self.setting, **changes)
        self.show_dice()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return action not in ("count", "roll") or bool(self.game.counts)

    def action_line(self) -> None:
        self.set_focus(self.line)

    def copied(self) -> tuple[str, str] | None:
        return "The position", self.line.value

    def read(self) -> State:
        if not self.line.has_focus:
            # It raises a sentence about the dice; the line still has the last ones that were allowed.
            self.game.set_up(self.setting)
        return read_position(self.game, self.line.value, len(self.names))

    def action_back(self) -> None:
        """Move the focus from the line of text to the dice; from there, end with None."""
        if self.line.has_focus:
            self.set_focus(None)
        else:
            self.end()
