"""The review of a match: win probabilities, every choice beside the best one, skill and luck. It changes nothing."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from fourtwenty.games.game import Roll, hand_after
from fourtwenty.games.words import sentence_case
from fourtwenty.odds import Choice
from fourtwenty.play.match import Match
from fourtwenty.play.percent import cost, percent, signed
from fourtwenty.review.analysis import Moment, ghost, rounds_of
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.river import River, RiverStep
from fourtwenty.tui.widgets.seats import Row, Seats, mark, tint

STEP = Binding.Group("Step", compact=True)


class Review(HouseScreen[None]):
    """Shows the river of a round, the position at its cursor, and the accounts of all seats."""

    CSS_PATH = "match_review.tcss"

    HELP = """\
## The review

The river shows everybody's chance to win the round, roll by roll.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Step", id="review.previous", group=STEP, tooltip="The roll before"),
        Binding("right", "step(1)", "Step", id="review.next", group=STEP, tooltip="The next roll"),
        Binding("home", "step(-1000000)", "First", id="review.first", show=False, tooltip="The start of the round"),
        Binding("end", "step(1000000)", "Last", id="review.last", show=False, tooltip="The last roll of the round"),
        Binding("m", "mistake", "Mistake", id="review.mistake", tooltip="The next choice that lost something"),
        Binding("n,pagedown", "round(1)", "Round", id="review.round", tooltip="The next round"),
        Binding("p,pageup", "round(-1)", "Round before", id="review.round-before", show=False),
        Binding("g", "ghost", "Ghost", id="review.ghost", tooltip="What best play makes of the same dice"),
        Binding("e", "exercise", "Exercise", id="review.exercise", tooltip="Try the mistakes again"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="review.rules", show=False),
        Binding("up", "look(-1)", "Accounts up", id="review.accounts-up", show=False),
        Binding("down", "look(1)", "Accounts down", id="review.accounts-down", show=False),
        Binding("escape,q", "back", "Back", key_display="esc", id="review.back", tooltip="Back to the results"),
    ]

    def __init__(self, match: Match) -> None:
        """Review a match of which at least one roll has been played."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.rounds = rounds_of(match)
        self.round_index = len(self.rounds) - 1
        """The index in ``rounds`` of the round that is shown."""

    def compose(self) -> ComposeResult:
        """Lay out the river over the position and the accounts."""
        lineup = self.match.lineup
        yield Static("", id="caption", markup=False)
        colours = tuple(lineup.colour(seat, self.match.starting_seat) for seat in range(len(lineup.seats)))
        yield River(colours, not lineup.monocolor)
        with Horizontal(id="position"):
            yield Static("", id="moment", markup=False)
            seats = Seats(id="seats")
            seats.coloured = not lineup.monocolor
            yield seats
        with VerticalScroll(id="accounts", can_focus=False):
            yield Static("", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the round played last."""
        self.query_one("#accounts").border_title = "Why"
        self.show_round(self.round_index)

    @property
    def river(self) -> River:
        """The chart of the round, which has the cursor."""
        return self.query_one(River)

    @property
    def moment(self) -> Moment | None:
        """The event at the cursor; None at the start of the round."""
        return self.rounds[self.round_index].moments[self.river.cursor - 1] if self.river.cursor else None

    @property
    def acting_seat(self) -> int:
        """The seat of the event at the cursor; at the start of the round, the seat of the first event."""
        first = self.rounds[self.round_index].moments[0]
        return (self.moment or first).event.seat

    # -- display ------------------------------------------------------------------------------------------------

    def show_round(self, index: int, cursor: int = 0) -> None:
        """Show a round, with the cursor on one of its steps."""
        self.round_index = index
        shown = self.rounds[index]
        playing = [shown.start.standing(seat).playing for seat in range(shown.start.seats)]
        start, *others = (tuple(map(mul, shares, playing)) for shares in shown.chances())
        steps = [RiverStep(start)]
        for moment, shares in zip(shown.moments, others, strict=True):
            steps.append(RiverStep(shares, moment.event.seat, moment.mistake))
        self.river.steps = tuple(steps)
        self.query_one("#accounts > Static", Static).update(self._accounts_text())
        self.show_step(cursor)
        self.refresh_bindings()

    def show_step(self, cursor: int) -> None:
        """Move the cursor to a step, and show the position after it."""
        shown = self.rounds[self.round_index]
        self.river.cursor = max(0, min(len(shown.moments), cursor))
        moment = self.moment
        state = moment.after if moment else shown.start
        shares = shown.chances()[self.river.cursor]
        names = self.match.names
        seats = self.query_one(Seats)
        rows = []
        playing = [seat for seat in range(state.seats) if state.standing(seat).playing]
        for seat in playing:
            standing = state.standing(seat)
            rows.append(
                Row(
                    colour=self.match.lineup.colour(seat, self.match.starting_seat),
                    name=names[seat],
                    detail=standing.detail,
                    note=standing.note,
                    share=shares[seat],
                    bar_label=percent(shares[seat], shown.about),
                )
            )
        seats.rows = tuple(rows)
        seats.pointed = playing.index(self.acting_seat)
        where = f"roll {self.river.cursor} of {len(shown.moments)}" if moment else "before the first roll"
        rounds = f"Round {shown.start.round} of {len(self.rounds)}"
        self.query_one("#caption", Static).update(f"Review   {rounds} · {where}")
        self.query_one("#moment", Static).update(self._moment_text(moment) if moment else self._opening_text())

    def _opening_text(self) -> Content:
        mistakes = len(self.rounds[self.round_index].mistakes)
        sentence = (
            "No mistakes in this round." if not mistakes else f"{mistakes} of the choices in this round lost something."
        )
        return Content(f"The table is cleared.\n{self.match.names[self.acting_seat]} begins.\n\n{sentence}")

    def _moment_text(self, moment: Moment) -> Content:
        """Return the choice of a moment, the best choice, the roll and its luck."""
        seat = moment.event.seat
        hand = " ".join(map(str, moment.before.hand(seat)))
        colour = self.match.lineup.colour(seat, self.match.starting_seat)
        shade = "" if self.match.lineup.monocolor else f"$seat-{tint(colour)}"
        title = f"{self.match.names[seat]}, {f'with {hand}' if hand else 'first roll'}"
        lines = [Content.assemble((f"{mark(colour)} ", shade), (title, "bold"))]
        if moment.forced:
            lines.append(Content.styled("forced: only one legal choice", "$quiet"))
        else:
            about = moment.about
            lines.append(Content(f"kept   {_kept(moment.choice)}  {percent(moment.choice.value, about)}"))
            if moment.mistake:
                lines.append(Content(f"best   {_kept(moment.choices[0])}  {percent(moment.choices[0].value, about)}"))
                lines.append(Content.styled(f"       costs {cost(moment.loss, about)}", "$warning bold"))
            else:
                lines.append(Content.styled("       the best choice", "$quiet"))
        lines.append(Content(sentence_case(moment.before.tell(moment.event.action, moment.event.faces))))
        lines.append(Content(f"luck   {signed(moment.luck, moment.about)}"))
        if moment.hinted:
            lines.append(Content.styled("after a hint", "$quiet"))
        return Content("\n").join(lines)

    def _accounts_text(self) -> Content:
        """Return the skill and luck of each seat in the round, and the skill in the whole match."""
        shown = self.rounds[self.round_index]
        names = self.match.names
        lines = []
        for seat, name in enumerate(names):
            if not shown.start.standing(seat).playing:
                continue
            ledger = shown.ledger(seat)
            start, result = percent(ledger.start, shown.about), percent(ledger.result, shown.about)
            lines.append(Content(f"{name}: from {start} to {result}."))
            lines.append(Content.styled(f"  {ledger.words(name)}", "$quiet"))
        lines.append(Content("Choices in the whole match:"))
        for seat, name in enumerate(names):
            whole = reduce(add, (each.ledger(seat) for each in self.rounds))
            lines.append(Content.styled(f"  {name}: {whole.skill_words()}", "$quiet"))
        return Content("\n").join(lines)

    # -- actions ------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Dim the actions that have nothing to show."""
        if action == "round" and isinstance(parameters[0], int):
            return 0 <= self.round_index + parameters[0] < len(self.rounds) or None
        if action in ("mistake", "exercise"):
            return any(each.mistakes for each in self.rounds) or None
        if action == "ghost":
            return self.match.seed is not None or None
        return True

    def action_step(self, step: int) -> None:
        """Move the cursor by a number of steps, but not out of the round."""
        self.show_step(self.river.cursor + step)

    def action_round(self, step: int) -> None:
        """Show the round a number of rounds after or before."""
        self.show_round(self.round_index + step)

    def action_mistake(self) -> None:
        """Move to the next mistake of the match, from the last one to the first."""
        found = [
            (index, cursor)
            for index, each in enumerate(self.rounds)
            for cursor, moment in enumerate(each.moments, 1)
            if moment.mistake
        ]
        here = self.round_index, self.river.cursor
        index, cursor = next((mistake for mistake in found if mistake > here), found[0])
        if index == self.round_index:
            self.show_step(cursor)
        else:
            self.show_round(index, cursor)

    def action_ghost(self) -> None:
        """Open the ghost dialog: best play with the dice of the seat at the cursor."""
        from fourtwenty.tui.dialogs.ghost import GhostDialog

        shown = self.rounds[self.round_index]
        seat = self.acting_seat
        played = ghost(self.match, shown, seat)
        if played and self.is_active:
            own = [
                hand_after(moment.before, moment.event.action, moment.event.faces)
                for moment in shown.moments
                if moment.event.seat == seat
            ]
            value = shown.chances()[-1][seat]
            goal = shown.odds.goal(shown.start).name
            self.app.push_screen(GhostDialog(self.match.names[seat], own, value, played, goal, shown.about))

    def action_exercise(self) -> None:
        """Open the exercises of all mistakes of the match."""
        from fourtwenty.tui.screens.exercise import Exercise

        mistakes = [moment for each in self.rounds for moment in each.mistakes]
        if self.is_active:
            self.app.push_screen(Exercise(self.match, mistakes))

    def action_look(self, step: int) -> None:
        """Scroll the accounts."""
        self.query_one("#accounts").scroll_relative(y=step, animate=False)

    def action_back(self) -> None:
        """Go back to the screen before."""
        if self.is_active:
            self.dismiss()

    @on(River.Clicked)
    def turn_to(self, event: River.Clicked) -> None:
        """Move the cursor to the step that was clicked."""
        self.show_step(event.step)


def _kept(choice: Choice) -> str:
    """Return the dice that a choice keeps, as text."""
    if not isinstance(choice.action, Roll):
        return "stand"
    if not choice.kept:
        return "nothing"
    return " ".join(map(str, choice.kept))
