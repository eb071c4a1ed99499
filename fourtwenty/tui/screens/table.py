"""The table: the hand to play, every other seat, and what was rolled; it hands the players' actions to the match.

What is legal, what it means and what it came to are said by the match; nothing here knows which game is played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key, Paste
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.game import (
    NUMBERS,
    Action,
    Event,
    Faces,
    InvalidAction,
    Roll,
    Stand,
    State,
    dice_in_words,
    laid,
    spaced,
)
from fourtwenty.play.dice import parse_faces, type_face
from fourtwenty.play.match import Busy, Match, NotKept, PlayedElsewhere
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.framework import SolidBackground as Plain
from fourtwenty.tui.widgets.coach import LAMP_OFF, LAMP_ON, Coach, percent, points
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar as Keys
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import Row, Seats, mark, tint
from fourtwenty.tui.widgets.typed_faces import TypedFaces

if TYPE_CHECKING:
    from fourtwenty.journal.history import History
    from fourtwenty.odds import Choice, Odds

THINK_SECONDS = 0.7
"""How long a bot's choice is shown before it rolls."""
LOOK_SECONDS = 1.1
"""How long a roll is shown before the table turns to the next hand."""
QUIET_TRIES, QUIET_SECONDS = 10, 0.02
"""How often, and how far apart, to try while another program is writing, before the players are told that they wait."""
LOG_LINES = 60
SELECT = Binding.Group("Select", compact=True)
TYPE = Binding.Group("Face", compact=True)


class Felt(Plain, Vertical):
    """The cloth that the hand lies on."""


class Table(HouseScreen[None]):
    """One match at one laptop; it turns to the hand that is to play."""

    HELP = """\
## The table

Select the dice **to roll** with `1` to `4` or a click; the others stay. Then roll with `r`, **enter** or the button.

Bots play by themselves; any key skips ahead to the next person.

With real dice, roll those you selected on the bar, type what they show, and press **enter**; for a bot too. `u` takes
the last roll's faces back, to be typed again, until the next roll is typed.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(die),
                f"pick({die})",
                f"Die {die}",
                id=f"table.die-{die}",
                group=SELECT,
                tooltip="Roll this die or let it stay",
            )
            for die in (1, 2, 3, 4)
        ),
        *(
            Binding(
                str(face),
                f"face({face})",
                f"Face {face}",
                id=f"table.face-{face}",
                group=TYPE,
                tooltip="The next rolled die shows this face",
            )
            for face in range(1, 7)
        ),
        Binding(
            "backspace",
            "correct",
            "Correct",
            key_display="bksp",
            id="table.correct",
            tooltip="Type the last face again",
        ),
        Binding("a", "all", "All", id="table.all", tooltip="Select every die"),
        Binding("escape", "none", "None", key_display="esc", id="table.none", tooltip="Let every die stay"),
        Binding("enter,r", "roll", "Roll", key_display="enter", id="table.roll", tooltip="Roll the selected dice"),
        Binding("s", "stand", "Stand", id="table.stand", tooltip="Keep the hand and end the turn"),
        Binding("enter", "start", "Start", key_display="enter", id="table.start", tooltip="Let the dice be settled"),
        Binding("w", "word", "Add a word", id="table.word", tooltip="Add a word that every roll follows from too"),
        Binding("enter", "done", "Done", key_display="enter", id="table.done", tooltip="These are the faces"),
        Binding("escape", "back", "Back", key_display="esc", id="table.back", tooltip="Select other dice"),
        Binding("u", "take_back", "Take back", id="table.take-back", tooltip="Type the faces of the last roll again"),
        Binding("h", "hint", "Hint", id="table.hint", tooltip="Every choice with its chances, the best first"),
        Binding("y", "copy", "Copy seal", id="table.copy", show=False, tooltip="Copy the seal of the dice"),
        Binding("up", "look(-1)", "Seats up", show=False),
        Binding("down", "look(1)", "Seats down", show=False),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="table.rules", tooltip="The rules"),
        Binding("q", "leave", "Leave", id="table.leave", tooltip="Leave the match"),
    ]

    opening = True
    picked: var[frozenset[int]] = var(frozenset(), init=False)
    """Places of the dice selected to be rolled."""

    class Asked(Message):
        """It is a person's turn, or faces are to be typed."""

    class Opened(Message):
        """The table is laid out."""

        def __init__(self, table: Table) -> None:
            super().__init__()
            self.table = table

    def __init__(self, match: Match, pace: float = 1.0) -> None:
        """Seat a match. The pace is how long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.pace = pace
        self.odds: Odds | None = None
        """The mathematics of the game, when anybody asks."""
        if match.lineup.coach != "off" or match.lineup.warning:
            from fourtwenty.odds import odds_of

            self.odds = odds_of(match.state)
        self.hand = Hand(match.game.dice)
        self.typed_faces = TypedFaces(match.game.dice)
        self._told: list[str] = []
        self._round_told = 0
        """Number of the round whose heading was told last."""
        self._decision: asyncio.Future[Action | None] | None = None
        """Awaited while a person is to act, and None when they do something else; None while the table plays."""
        self._asked: Roll | None = None
        """The roll of real dice whose faces are asked for."""
        self._faces: Faces = ()
        """Those typed so far."""
        self._answer: asyncio.Future[Faces | None] | None = None
        """Awaited while faces are asked for, and None when they do something else."""
        self._settling: asyncio.Future[None] | None = None
        """Awaited while players may add words to the dice."""
        self._words = [""] * len(match.names)
        """The words so far, by seat."""
        self._leaving = False
        """Whether they are asked if they are sure to leave, until their answer has arrived."""
        self._left = False
        """Whether the players leave the match unfinished."""
        self._taking_back = False
        """Whether the last roll is to be taken back."""
        self._skip = asyncio.Event()
        """Set from the moment somebody skips ahead until a person is to act."""
        self._resumed = asyncio.Event()
        """Set when the table comes to the top again."""

    @property
    def coached(self) -> bool:
        """Whether the odds are shown."""
        return self.odds is not None and self.match.lineup.coach != "off"

    # -- what it looks like ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the hand, the seats and the log."""
        yield Static("", id="caption", markup=False)
        with Felt(id="play"):
            yield Static("", id="turn", markup=False)
            yield self.hand
            yield Static("", id="line", markup=False)
            if self.match.typed:
                yield self.typed_faces
            if self.coached:
                yield Coach()
            with Horizontal(id="actions"):
                if self.match.words is None:
                    yield MouseButton("Start", id="start", variant="primary")
                    yield MouseButton("Add a word", id="word")
                    yield MouseButton("Copy seal", id="copy")
                yield MouseButton("Roll", id="roll", variant="primary")
                yield MouseButton("All", id="all")
                yield MouseButton("None", id="none")
                yield MouseButton("Stand", id="stand")
                if self.match.typed:
                    yield MouseButton("Done", id="done", variant="primary")
                    yield MouseButton("Correct", id="correct")
                    yield MouseButton("Back", id="back")
            with VerticalScroll(id="log", can_focus=False):
                yield Static("", markup=False)
        yield Seats(id="seats")
        yield Keys(spare=("all", "none", "correct", "done", "back"))  # they have their buttons

    def on_mount(self) -> None:
        """Prepare what stays the same for the whole match, and tell what has happened in it already."""
        self.post_message(self.Opened(self))
        seats = self.query_one(Seats)
        coached = self.odds.goal(self.match.state).chance if self.odds and self.coached else ""
        seats.border_title = f"Seats: {coached}" if coached else "Seats"
        self.query_one("#log").border_title = "Rolls"
        seats.coloured = not self.match.lineup.monocolor
        self._tell_so_far()
        self.show_standings()
        if self.match.words is None:
            self.hand.show(())
            seats.pointed = -1
        elif self.match.state.to_act is not None:
            self.show_hand_of(self.match.state.to_act)

    def show_hand_of(self, seat: int) -> None:
        """Turn the table to a seat: its name, its colour, its dice."""
        lineup = self.match.lineup
        colour = lineup.colour(seat, self.match.starting_seat)
        self.hand.colour = None if lineup.monocolor else tint(colour)
        self.hand.show(self.match.state.hand(seat))
        self.query_one(Seats).pointed = seat

    def show_turn(self, words: str, seat: int, aside: str = "") -> None:
        """Say over the hand whose it is and what goes on, with a quiet word beside it."""
        lineup = self.match.lineup
        side = lineup.side(seat, self.match.starting_seat)
        named = f" ({side})" if side else ""
        colour = lineup.colour(seat, self.match.starting_seat)
        shade = "" if lineup.monocolor else f"$seat-{tint(colour)}"
        turn = Content.assemble(
            (f"{mark(colour)} ", shade), f"{words}{named}", (f"   {aside}" if aside else "", "$quiet not bold")
        )
        self.query_one("#turn", Static).update(turn, layout=False)

    def show_line(self, words: str, refused: bool = False) -> None:
        """Say under the hand what the selection means."""
        line = self.query_one("#line", Static)
        line.set_class(refused, "-refused")
        line.update(Content.styled(words, "$warning bold reverse") if refused else Content(words), layout=False)

    def show_standings(self) -> None:
        """Show how every seat stands, and where the match does."""
        match, state = self.match, self.match.state
        shares = self._shares(state)
        self.query_one(Seats).rows = tuple(self._row(state, seat, *shares[seat]) for seat in range(state.seats))
        caption = f"{match.game.name}   {state.caption() if match.words is not None else 'Before the first roll'}"
        more = [] if self._starting_seat is None else [self._first(self._starting_seat)]
        if self.coached:
            more.append(f"Coach: {match.lineup.coach}")
        for part in more:
            if cell_len(f" {caption}   {part} ") <= self.app.size.width:
                caption += f"   {part}"
        self.query_one("#caption", Static).update(caption, layout=False)

    def show_choices(self) -> None:
        """Offer what the seat to act may do, and dim the rest; between turns, all of it."""
        forced = self._forced_dice
        self.query_one("#roll", MouseButton).label = f"Roll all {NUMBERS[len(forced)]}" if len(forced) > 1 else "Roll"
        for button in self.query(MouseButton):
            allowed = self.check_action(button.id or "", ())
            button.display = allowed is not False and (button.id != "copy" or self._settling is not None)
            button.set_class(not allowed, "-dimmed")
        self.refresh_bindings()

    def tell(self, *lines: str) -> None:
        """Add lines to the log."""
        self._told = [*self._told, *lines][-LOG_LINES:]
        self.query_one("#log > Static", Static).update("\n".join(self._told))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _tell_so_far(self) -> None:
        """Say what they play with, and what happened before the match was left."""
        match = self.match
        number, lines = 0, []
        if match.commitment:
            half = len(match.commitment) // 2
            lines += ["The dice are sealed as", f"  {match.commitment[:half]}", f"  {match.commitment[half:]}"]
        if match.doubt:
            lines.append(match.doubt)
        lines += self._words_told(match.words or ())
        if match.typed:
            lines.append("Real dice: roll them, then type what they show.")
        if self.odds and match.lineup.coach == "full":
            lines.append(f"{LAMP_OFF} turns {LAMP_ON} where other hands matter to the best choice. {self.odds.LAMP}")
        for before, event in match.story():
            if before.round != number:
                number = before.round
                lines.append(self._heading(before))
            lines.append(f"{match.names[event.seat]}: {before.tell(event.action, event.faces)}")
        self._round_told = number
        self.tell(*lines)
        if match.words is not None:
            self._tell_round()

    def _words_told(self, words: Sequence[str]) -> list[str]:
        """The words that players have added, a line each."""
        return [f"{name} adds: {word}" for name, word in zip(self.match.names, words, strict=False) if word]

    def _tell_round(self) -> None:
        """Say which round is played, once."""
        if self.match.state.round != self._round_told:
            self._round_told = self.match.state.round
            self.tell(self._heading(self.match.state))

    def _heading(self, state: State) -> str:
        """Say which round begins, and who began it."""
        first = f" {self._first(state.starting_seat)}." if state.starting_seat is not None else ""
        return f"Round {state.round}.{first}"

    def _first(self, seat: int) -> str:
        """Say who began the round."""
        return f"{self.game.starting_title[0].upper()}{self.game.starting_title[1:]}: {self.match.names[seat]}"

    @property
    def _starting_seat(self) -> int | None:
        """The seat that began the round; None while nobody can know."""
        return None if self.match.words is None else self.match.state.starting_seat

    def _shares(self, state: State) -> list[tuple[float | None, str]]:
        """By seat, the chance that its bar shows and what is said beside it."""
        if not self.coached or not self.odds or self.match.words is None:
            return [(None, "")] * state.seats
        wins = self.odds.values(state)
        said = [percent(chance) for chance in wins]
        second = self.odds.second(state)
        if second:
            form = ".0%" if second.share else ".1f"
            said = [f"{win:.0%}  {second.name} {more:{form}}" for win, more in zip(wins, second.numbers, strict=True)]
        return [(wins[seat], said[seat]) if state.standing(seat).playing else (None, "") for seat in range(state.seats)]

    def show_odds(self, picked: frozenset[int]) -> None:
        """Say what the odds make of a selection, as far as the match is coached."""
        coach = self.query(Coach).first()
        state = self.match.state
        if not self.odds or state.to_act is None:
            coach.show({})
            return
        full = self.match.lineup.coach == "full"
        lamp = self.odds.others_matter(state) if full else None
        chosen = self._choice_of(picked)
        if chosen is None:
            coach.show({}, "", "h shows every choice" if full else "", lamp)
            return
        loss = self._loss(chosen)
        only = len(self.odds.choices(state)) == 1
        verdict = "forced" if only else f"loses {points(round(loss, 1))}" if loss >= 0.05 else "best"
        chances = {
            **dict(zip(self.odds.LABELS, map(percent, chosen.chances), strict=True)),
            **({} if chosen.amount is None else {self.odds.AMOUNT: f"{chosen.amount:.1f}"}),
        }
        goal = f"{self.odds.goal(state).name}: {percent(chosen.value)}"
        coach.show(chances, goal, verdict if full else "", lamp)

    def _choice_of(self, picked: frozenset[int]) -> Choice | None:
        """What the odds call the roll of these dice, or standing without any; None when it is not legal."""
        from fourtwenty.odds import choice_of

        state = self.match.state
        action = Roll(tuple(picked)) if picked else Stand()
        if not self.odds or state.check(action):
            return None
        return choice_of(self.odds.choices(state), state, action)

    def _loss(self, choice: Choice) -> float:
        """What a choice loses against the best, in points."""
        assert self.odds
        return 100 * (self.odds.choices(self.match.state)[0].value - choice.value)

    def _row(self, state: State, seat: int, chance: float | None, said: str) -> Row:
        standing = state.standing(seat)
        return Row(
            colour=self.match.lineup.colour(seat, self.match.starting_seat),
            name=self.match.names[seat],
            tag=self.game.starting_title if seat == self._starting_seat else "",
            detail=standing.detail,
            note=standing.note,
            playing=standing.playing,
            tally=standing.tally,
            share=chance,
            said=said,
        )

    # -- how it goes on ----------------------------------------------------------------------------------------

    async def play_round(self) -> bool:
        """Play until the round is over, and return True, or until the players leave, and return False.

        Nothing goes on while another screen covers the table.
        """
        match = self.match
        await self._uncovered()
        self._skip.clear()
        if match.words is None and not await self._settle():
            return False
        if not self.opening:  # the first picture has them
            self.show_standings()
        self.opening = False
        self._tell_round()
        picked: frozenset[int] = frozenset()
        while (seat := match.state.to_act) is not None and not self._left:
            self.show_hand_of(seat)
            action = self._given or await (
                self._bot_decides(seat) if match.bot_to_act else self._person_decides(seat, picked)
            )
            faces: Faces | None = ()
            if isinstance(action, Roll) and match.typed:
                picked = frozenset(action.dice)
                faces = await self._faces_of(seat, action)
            if self._taking_back:
                await self.take_back()
            elif action and faces is not None and not self._left:
                await self._carry_out(seat, action, faces)
                picked = frozenset()
        await self._uncovered()
        return not self._left

    async def _settle(self) -> bool:
        """Let the players add words, then draw the lot; return whether they play."""
        self.opening = False
        if not all(seat.bot for seat in self.match.lineup.seats):
            self._settling = asyncio.get_running_loop().create_future()
            self.query_one("#turn", Static).update("Before the first roll", layout=False)
            self.show_line("Enter starts. w adds a word: the dice then follow from it too.")
            self.show_choices()
            self.post_message(self.Asked())
            try:
                await self._settling
            finally:
                self._settling = None
        if self._left or not await self.once_kept(partial(self.match.add_words, self._words)):
            return False
        self.tell(*self._words_told(self._words))
        self.show_standings()
        return True

    async def keep(self, history: History) -> bool:
        """Keep the match in a history from now on, unless it is; return whether the players play."""
        return self.match.journal is not None or await self.once_kept(partial(self.match.keep, history.journal()))

    async def once_kept(self, attempt: Callable[[], object]) -> bool:
        """Try something until it is kept, or the players agree to play on unkept; return False when they leave.

        Tries are short and far enough apart for the screen to live on: SQLite's own waiting would freeze it.
        Raises PlayedElsewhere.
        """
        elsewhere: list[PlayedElsewhere] = []

        def keep() -> str:
            """Try once; return the reason when it cannot be kept."""
            try:
                attempt()
            except NotKept as why:
                return str(why)
            except PlayedElsewhere as why:
                elsewhere.append(why)
            return ""

        for _ in range(QUIET_TRIES):
            try:
                attempt()
            except Busy:
                await asyncio.sleep(QUIET_SECONDS)
            except NotKept:
                break
            else:
                return True
        reason = keep()
        if reason:
            from fourtwenty.tui.dialogs.unkept import Unkept

            answer = await self.app.push_screen_wait(Unkept(reason, keep))
            self._left = self._left or answer == "leave"
            if answer == "play":
                self.match.play_on_unkept()
                keep()
        if elsewhere:
            raise elsewhere[0]
        return not self._left

    @property
    def _given(self) -> Roll | None:
        """The roll of real dice that leaves nothing to decide."""
        forced = self._forced_dice
        if not self.match.typed or self.match.bot_to_act or not forced:
            return self.match.taken_back
        return Roll(tuple(forced))

    async def _person_decides(self, seat: int, picked: frozenset[int]) -> Action | None:
        self._skip.clear()
        self._decision = asyncio.get_running_loop().create_future()
        self.show_turn(self._your_turn(seat), seat)
        self._select(self._forced_dice or picked)
        self.show_choices()
        self.post_message(self.Asked())
        try:
            return await self._decision
        finally:
            self._decision = None

    def _your_turn(self, seat: int) -> str:
        name = self.match.names[seat]
        return "Your turn" if name.casefold() == "you" else f"{name}, your turn"

    async def _bot_decides(self, seat: int) -> Action:
        action = self.match.bot_action()
        rolls_real_dice = self.match.typed and isinstance(action, Roll)
        if not self._skip.is_set() and not rolls_real_dice:
            self.show_turn(f"{self.match.names[seat]} plays", seat, aside="any key skips ahead")
            self.show_choices()
            self._select(frozenset(action.dice) if isinstance(action, Roll) else frozenset())
            await self._pause(THINK_SECONDS)
        return action

    async def _faces_of(self, seat: int, roll: Roll) -> Faces | None:
        """Ask for the faces of a roll of real dice; None when they do something else."""
        self._skip.clear()
        name = self.match.names[seat]
        if self.match.taken_back:
            self.show_turn(f"{name}: once more", seat)
        elif self.match.bot_to_act:
            self.show_turn(f"{name} rolls {self.match.named(roll)}", seat)
        else:
            self.show_turn(self._your_turn(seat), seat)
        self._select(frozenset(roll.dice))
        self._asked = roll
        self._answer = asyncio.get_running_loop().create_future()
        self._enter(())
        self.show_choices()
        self.post_message(self.Asked())
        try:
            return await self._answer
        finally:
            self._asked = self._answer = None
            self.typed_faces.asked = 0

    async def _carry_out(self, seat: int, action: Action, faces: Faces) -> None:
        """Let an action happen; faces come with it when people have thrown the dice."""
        match = self.match
        before = match.state
        typed = partial(match.record, Event(seat, action, faces))
        if not await self.once_kept(typed if faces else partial(match.act, action)):
            return
        event = match.events[-1]
        told = before.tell(event.action, event.faces)
        thrown = event.action.dice if isinstance(event.action, Roll) else ()
        self.show_turn(f"{match.names[seat]}: {_what(event.action)}", seat)
        if not self._skip.is_set():
            self.show_line("")
            if self.coached:
                self.query(Coach).first().show({})
            self.show_choices()
            if thrown and match.lineup.animation and not faces:
                await self.hand.throw(dict(zip(thrown, event.faces, strict=True)))
        self.hand.show(laid(before, event.action, event.faces), fresh=thrown)
        self.tell(f"{match.names[seat]}: {told}")
        self.show_standings()
        self.show_line(told[0].upper() + told[1:])
        if not match.typed or (match.lineup.seats[seat].bot and not thrown):
            await self._pause(LOOK_SECONDS)  # real dice have been seen on the bar, and people type on

    async def take_back(self) -> None:
        """Undo the last roll of real dice, whose faces are then typed again. Raises PlayedElsewhere."""
        self._taking_back = False
        taken_back: list[Event] = []
        if not await self.once_kept(lambda: taken_back.append(self.match.take_back())):
            return
        (event,) = taken_back
        self.tell(f"{self.match.names[event.seat]}: {spaced(event.faces)} is taken back.")
        self.show_standings()

    async def _pause(self, seconds: float) -> None:
        """Let the players look, unless they skip ahead; wait on while another screen covers the table."""
        await asyncio.sleep(0)  # many bots in a row, skipped, still leave the screen time to paint
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skip.wait(), seconds * self.pace)
        await self._uncovered()

    async def _uncovered(self) -> None:
        """Wait until no other screen covers the table."""
        while not self.is_active:
            self._resumed.clear()
            await self._resumed.wait()

    def on_screen_resume(self) -> None:
        """Go on."""
        self._resumed.set()

    # -- what the players do -----------------------------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Whether a person is to act, or to type faces."""
        asked = any(awaited and not awaited.done() for awaited in (self._decision, self._answer, self._settling))
        return asked and not self._leaving

    @property
    def _forced_dice(self) -> frozenset[int]:
        """The dice of the only legal action; none when there is a choice."""
        actions = self.match.state.actions
        only = actions[0] if len(actions) == 1 else None
        return frozenset(only.dice) if isinstance(only, Roll) else frozenset()

    def _select(self, dice: frozenset[int]) -> None:
        """Select dice and say what that means, even when the same were selected before."""
        self.set_reactive(Table.picked, dice)
        self.watch_picked(dice)

    def watch_picked(self, picked: frozenset[int]) -> None:
        """Show the selection, and what it means."""
        self.hand.pick(picked)
        self.show_line(self.match.state.preview(picked))
        if self.coached:
            self.show_odds(picked)
        roll = self.query_one("#roll")
        refused = self.check_action("roll", ()) is None
        if roll.has_class("-dimmed") != refused:
            roll.set_class(refused, "-dimmed")
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this game does not have; dim what cannot be done now."""
        match = self.match
        if action == "pick" and isinstance(parameters[0], int) and parameters[0] > match.game.dice:
            return False
        if action == "stand" and not any(isinstance(legal, Stand) for legal in match.state.actions):
            return False
        if action in ("start", "word"):
            return self._settling is not None
        if action == "copy":
            return match.commitment is not None
        if action in ("pick", "all", "none", "roll", "stand", "hint") and (self._asked or self._settling):
            return False
        if action in ("face", "correct", "done", "back") and not self._asked:
            return False
        if action == "take_back":
            return match.can_take_back and self.waiting
        if action in ("pick", "all", "none", "roll", "stand", "hint", "face", "correct", "done") and not self.waiting:
            return None
        if action == "hint":
            return match.lineup.coach == "full" or None
        if action in ("pick", "all", "none"):
            return not self._forced_dice or None
        if action == "roll":
            return self._refusal(self.picked) is None or None
        if action == "correct":
            return bool(self._faces) or None
        if action == "done":
            return self._missing is None or None
        if action == "back":
            return (self._given is None and not match.bot_to_act) or None
        return True

    def _refusal(self, picked: frozenset[int]) -> str | None:
        """Why these dice may not be rolled."""
        try:
            return self.match.state.check(Roll(tuple(picked)))
        except InvalidAction as error:
            return str(error)

    async def on_key(self, event: Key) -> None:
        """Do what a key means now, before the next one; skip ahead while the table plays; explain what is in vain."""
        if not self.is_active:  # pressed before the screen that is now on top was there
            return
        active = self.active_bindings.get(event.key)
        if active and active.enabled:
            if await self.app.run_action(active.binding.action, active.node):
                event.stop()
            await asyncio.sleep(0)  # the table goes on, so that the next key finds what is asked then
        elif not self.waiting:
            event.stop()
            self.skip()
        elif active:
            event.stop()
            self.explain(active.binding.action)
        elif self._asked and event.is_printable:
            event.stop()
            self._type(event.character or "")

    def on_paste(self, event: Paste) -> None:
        """Take pasted faces for typed ones."""
        event.stop()
        if self._asked and self.waiting:
            self._type(event.text)

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Do by mouse what the key of the same name does."""
        await self.do(event.button.id or "")

    @on(TypedFaces.Clicked)
    async def click_face(self, event: TypedFaces.Clicked) -> None:
        """Type a face by mouse."""
        await self.do("face", event.face)

    @on(Hand.Clicked)
    async def click_die(self, event: Hand.Clicked) -> None:
        """Toggle a die by mouse."""
        await self.do("pick", event.place)

    async def do(self, action: str, *parameters: int) -> None:
        """Do what was clicked, or explain why it cannot be done."""
        if not self.waiting:
            self.skip()
        elif self.check_action(action, parameters) is not True:
            self.explain(action)
        else:
            await self.run_action(f"{action}({','.join(map(str, parameters))})")

    def on_click(self, event: Click) -> None:  # noqa: ARG002
        """Skip ahead by a click anywhere."""
        if not self.waiting:
            self.skip()

    def skip(self) -> None:
        """Let dice that tumble land; when none do, go on to the next person."""
        if self.hand.tumbling:
            self.run_worker(self.hand.land())
        else:
            self._skip.set()

    def explain(self, action: str = "") -> None:
        """Say why what was tried is not possible."""
        state = self.match.state
        if action == "hint":
            self._refuse("Hints come with the full coach: c in the lobby.")
        elif self._asked and action != "back":
            self._refuse(self._missing or self.match.question(self._asked))
        elif self._asked and self.match.taken_back:
            self._refuse("These dice were rolled; only their faces are typed again.")
        elif self._asked and self.match.bot_to_act:
            self._refuse("The bot has chosen; type what its dice show.")
        else:
            self._refuse(state.preview(self.picked) if self._forced_dice else self._refusal(self.picked) or "")

    def _refuse(self, why: str) -> None:
        self.show_line(why, refused=True)
        self.app.bell()

    def action_pick(self, die: int) -> None:
        """Select a die, or let it stay."""
        self.picked ^= {die}

    def action_all(self) -> None:
        """Select every die."""
        self.picked = frozenset(range(1, self.match.game.dice + 1))

    def action_none(self) -> None:
        """Let every die stay."""
        self.picked = frozenset()

    def action_roll(self) -> None:
        """Roll the selected dice."""
        self._consider(Roll(tuple(self.picked)))

    def action_stand(self) -> None:
        """Keep the hand."""
        self._consider(Stand())

    def action_hint(self) -> None:
        """Show every choice; the review will know."""
        from fourtwenty.tui.dialogs.hint import Hint

        if self.odds and self.is_active:
            self.match.hint()
            self.app.push_screen(Hint(self.odds, self.match.state))

    def _consider(self, action: Action) -> None:
        """Take the action, unless it loses so much that they want to be asked first."""
        from fourtwenty.odds import choice_of

        least = self.match.lineup.warning
        if not self.odds or not least:
            self._decide(action)
            return
        state = self.match.state
        loss = self._loss(choice_of(self.odds.choices(state), state, action))
        if loss < least:
            self._decide(action)
        elif self.is_active:
            from fourtwenty.tui.dialogs.hint import Warn

            def answered(answer: str | None) -> None:
                if answer == "play":
                    self._decide(action)
                elif answer == "show":
                    self.action_hint()

            self.app.push_screen(Warn(loss), answered)

    def _decide(self, action: Action) -> None:
        if self._decision and self.waiting:
            self._decision.set_result(action)

    # -- before the first roll -------------------------------------------------------------------------------------

    def action_start(self) -> None:
        """Let the dice be settled: no more words."""
        if self._settling and self.waiting:
            self.opening = True  # keys wait until somebody is asked for a roll
            self._settling.set_result(None)

    def action_word(self) -> None:
        """Ask the people in turn for a word each."""
        self._ask_for_word(seat for seat, sitting in enumerate(self.match.lineup.seats) if not sitting.bot)

    def _ask_for_word(self, people: Iterator[int]) -> None:
        from fourtwenty.tui.dialogs.word import WordDialog

        seat = next(people, None)
        if seat is None or not self._settling:
            self._show_words()
            return

        def answered(word: str | None) -> None:
            if word is not None:
                self._words[seat] = word
                self._ask_for_word(people)

        self.app.push_screen(WordDialog(self.match.names[seat], self._words[seat]), answered)

    def _show_words(self) -> None:
        added = ", ".join(self._words_told(self._words))
        self.show_line(f"{added}. Enter starts." if added else "Enter starts. w adds a word.")

    def action_copy(self) -> None:
        """Copy the seal."""
        if self.match.commitment:
            self.app.copy_to_clipboard(self.match.commitment)
            self.notify("The seal is on the clipboard.")

    # -- the faces of real dice --------------------------------------------------------------------------------

    @property
    def _missing(self) -> str | None:
        """Why the faces typed so far are not all; None when they are."""
        assert self._asked
        try:
            parse_faces(spaced(self._faces), len(self._asked.dice))
        except ValueError as missing:
            return f"{missing}"
        return None

    def _type(self, text: str) -> None:
        """Add typed faces, as far as they are some."""
        assert self._asked
        for character in text:
            try:
                self._enter(type_face(self._faces, character, len(self._asked.dice)))
            except ValueError as why:
                self._refuse(f"{why}")
                break

    def _enter(self, faces: Faces) -> None:
        """Show faces as those typed so far, on the dice that were rolled."""
        assert self._asked
        self._faces = faces
        self.typed_faces.asked, self.typed_faces.faces = len(self._asked.dice), faces
        state = self.match.state
        hand = dict(enumerate(() if state.to_act is None else state.hand(state.to_act), 1))
        hand |= dict.fromkeys(self._asked.dice, 0) | dict(zip(self._asked.dice, faces, strict=False))
        shown = tuple(hand.get(die, 0) for die in range(1, self.game.dice + 1))
        self.hand.show(shown, picked=frozenset(self._asked.dice))
        self.show_line(self.match.question(self._asked))
        self.show_choices()

    def action_face(self, face: int) -> None:
        """Type a face."""
        self._type(f"{face}")

    def action_correct(self) -> None:
        """Take away the face typed last."""
        self._enter(self._faces[:-1])

    def action_done(self) -> None:
        """Let the roll happen with these faces."""
        if self._answer and self.waiting:
            self._answer.set_result(self._faces)

    def action_back(self) -> None:
        """Select other dice."""
        self._do_something_else()

    def action_take_back(self) -> None:
        """Let the faces of the last roll be typed again."""
        self._taking_back = True
        self._do_something_else()

    def _do_something_else(self) -> None:
        """Let nobody decide or type any more."""
        for awaited in (self._decision, self._answer):
            if awaited and not awaited.done():
                awaited.set_result(None)

    # -- what anybody may do at any time -----------------------------------------------------------------------

    def action_look(self, step: int) -> None:
        """Scroll the seats."""
        self.query_one(Seats).scroll_relative(y=step, animate=False)

    def action_leave(self) -> None:
        """Leave the match; once they are sure, when something would be lost."""
        from fourtwenty.tui.dialogs.confirm import LeaveMatch

        if self.match.kept or not self.match.events:
            self._leave_if(True)
        elif self.is_active:
            self._leaving = True
            self.app.push_screen(LeaveMatch(), self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        self._leaving = False
        if sure:
            self._left = True
            self._skip.set()
            self._do_something_else()
            self.action_start()


def _what(action: Action) -> str:
    return dice_in_words(len(action.dice)) if isinstance(action, Roll) else "stands"
