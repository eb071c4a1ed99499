"""The review of one round: every choice beside the best one, roll by roll, and the account of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.games.game import hand_after
from fourtwenty.games.words import name_and_verb, sentence_case
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import event_line
from fourtwenty.play.percent import cost, percent, signed
from fourtwenty.play.puzzle import kept_dice, leading
from fourtwenty.review.analysis import Moment, Round, ghost
from fourtwenty.review.highlights import Highlight
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.screens.review_screen import ReviewScreen, of_mistakes
from fourtwenty.tui.widgets.ranking import ranking
from fourtwenty.tui.widgets.river import River
from fourtwenty.tui.widgets.seats import Row, Seats, mark, tint

STEP = Binding.Group("Step", compact=True)
ROUND = Binding.Group("Round", compact=True)
LEAST_ROWS = 8
"""The height of the position in cells, where there is room."""
MOST_CHOICES = 11
"""The most choices that are listed, where there is room for a list."""
RIVER_ROWS = 6
"""The height, in cells, that is left to the river."""


class RoundReview(ReviewScreen):
    """Shows the river of a round, the position at its cursor, and the accounts of all seats."""

    CSS_PATH = "round_review.tcss"

    HELP = """\
## The review of a round

The chart shows everyone's chance, roll by roll; `^` is the cursor, and `!` marks a choice that cost much. Below it: the
choice at the cursor beside the best one, the roll, and what luck and choices added up to.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Step", id="review.previous", group=STEP, tooltip="The roll before"),
        Binding("right", "step(1)", "Step", id="review.next", group=STEP, tooltip="The next roll"),
        Binding("home", "step(-1000000)", "First", id="review.first", show=False, tooltip="The start of the round"),
        Binding("end", "step(1000000)", "Last", id="review.last", show=False, tooltip="The last roll of the round"),
        ScreenAction(
            "p,pageup",
            "round(-1)",
            "Round",
            id="review.round-before",
            group=ROUND,
            tooltip="The round before",
            refusal=lambda review: review.no_round(-1),
        ),
        ScreenAction(
            "n,pagedown",
            "round(1)",
            "Round",
            id="review.round",
            group=ROUND,
            tooltip="The next round",
            refusal=lambda review: review.no_round(1),
        ),
        of_mistakes("m", "mistake", "Mistake", id="review.mistake", tooltip="Your next mistake, the costliest first"),
        ScreenAction(
            "g",
            "ghost",
            "Ghost",
            id="review.ghost",
            tooltip="Best play with the same dice",
            refusal=lambda review: (
                None if review.match.seed is not None else "The ghost needs dice rolled by the computer."
            ),
        ),
        of_mistakes("e", "exercise", "Exercise", id="review.exercise", tooltip="Try your mistakes again"),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="review.rules", show=False),
        Binding("up", "look(-1)", "Accounts up", id="review.accounts-up", show=False),
        Binding("down", "look(1)", "Accounts down", id="review.accounts-down", show=False),
        Binding("y", "copy", "Copy", id="review.copy", show=False, tooltip="Copy the position"),
        Binding("escape,q", "back", "Back", key_display="esc", id="review.back", tooltip="Back to the whole match"),
    ]

    ACCOUNTS = "Why"

    def __init__(
        self,
        match: Match,
        rounds: Sequence[Round],
        mistakes: Mapping[int, Sequence[Highlight]],
        learner: int,
        round_index: int,
        step: int,
    ) -> None:
        """Show a step of a round of a match; the rest is as for ``ReviewScreen``."""
        super().__init__(match, rounds, mistakes, learner)
        self.round_index = round_index
        """The index in ``rounds`` of the round that is shown."""
        self.first_step = step
        """The step that is shown first."""

    def below_river(self) -> Iterator[Widget]:
        with Horizontal(id="position"):
            yield Static("", id="moment", markup=False)
            yield Static("", id="choices", markup=False)
            seats = Seats(id="seats")
            seats.coloured = not self.match.lineup.monocolor
            yield seats

    def on_mount(self) -> None:
        self.show_round(self.round_index, self.first_step)

    def fit(self) -> None:
        """Give the seats the rows that they need, as far as the river can spare them."""
        seats, accounts = self.query_one(Seats), self.query_one("#accounts")
        wanted = max(LEAST_ROWS, len(seats.rows) * seats.lines_a_seat)
        room = self.size.height - 2 - accounts.outer_size.height - RIVER_ROWS
        self.query_one("#position").styles.height = max(LEAST_ROWS - 1, min(wanted, room))

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
        self.river.steps = tuple(self.steps_of(shown))
        self.show_accounts(self._accounts)
        self.show_step(cursor)
        self.call_after_refresh(self.fit)
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
        acting = self.acting_seat  # it may be the one that has left
        playing = [seat for seat in range(state.seats) if state.standing(seat).playing or seat == acting]
        for seat in playing:
            standing = state.standing(seat)
            rows.append(
                Row(
                    colour=self.match.colour(seat),
                    name=names[seat],
                    detail=standing.detail,
                    note=standing.note,
                    share=shares[seat],
                    bar_label=percent(shares[seat], shown.estimated),
                )
            )
        seats.rows = tuple(rows)
        seats.pointed = playing.index(self.acting_seat)
        where = f"roll {self.river.cursor} of {len(shown.moments)}" if moment else "before the first roll"
        rounds = f"Round {shown.start.round} of {len(self.rounds)}"
        self.show_caption(f"{rounds} · {where}")
        self.query_one("#moment", Static).update(self._moment_text(moment) if moment else self._opening_text())
        choices = Content("")
        if moment and not moment.forced:
            choices = ranking(
                shown.odds,
                moment.before,
                leading(moment.choices, moment.choice, MOST_CHOICES),
                moment.choice,
                wide=False,
            )
        self.query_one("#choices", Static).update(choices)

    def _opening_text(self) -> Content:
        mistakes = len(self.rounds[self.round_index].mistakes)
        sentence = {
            0: "Every choice this round was the best.",
            1: "One choice this round wasn't the best.",
        }.get(mistakes, f"{mistakes} choices this round weren't the best.")
        starts = name_and_verb(self.match.names[self.acting_seat], "starts", "start")
        return Content(f"New round. {starts}.\n\n{sentence}")

    def _moment_text(self, moment: Moment) -> Content:
        """Return the choice of a moment, the best choice, the roll and its luck."""
        seat = moment.event.seat
        hand = " ".join(map(str, moment.before.hand(seat)))
        colour = self.match.colour(seat)
        shade = "" if self.match.lineup.monocolor else f"$seat-{tint(colour)}"
        title = f"{self.match.names[seat]}, {f'with {hand}' if hand else 'first roll'}"
        lines = [Content.assemble((f"{mark(colour)} ", shade), (title, "bold"))]
        if moment.leaves:
            lines.append(Content(event_line(self.match, moment.before, moment.event)))
            return Content("\n").join(lines)
        if moment.forced:
            lines.append(Content.styled("forced: only one legal choice", "$quiet"))
        else:
            estimated = moment.estimated
            lines.append(Content(f"kept   {kept_dice(moment.choice)}  {percent(moment.choice.value, estimated)}"))
            if moment.mistake:
                lines.append(
                    Content(f"best   {kept_dice(moment.choices[0])}  {percent(moment.choices[0].value, estimated)}")
                )
                lines.append(Content.styled(f"       costs {cost(moment.loss, estimated)}", "$warning bold"))
            else:
                lines.append(Content.styled("       the best choice", "$quiet"))
        lines.append(Content(sentence_case(moment.before.tell(moment.event.action, moment.event.faces))))
        lines.append(Content(f"luck   {signed(moment.luck, moment.estimated)}"))
        if moment.hinted:
            lines.append(Content.styled("after a hint", "$quiet"))
        return Content("\n").join(lines)

    @property
    def _accounts(self) -> list[Content]:
        shown = self.rounds[self.round_index]
        names = self.match.names
        lines = []
        for seat, name in enumerate(names):
            if not shown.start.standing(seat).playing:
                continue
            ledger = shown.ledger(seat)
            start, result = percent(ledger.start, shown.estimated), percent(ledger.result, shown.estimated)
            lines.append(Content(f"{name}: from {start} to {result}."))
            lines.append(Content.styled(f"  {ledger.words(name)}", "$quiet"))
        return lines

    # -- actions ------------------------------------------------------------------------------------------------

    def no_round(self, step: int) -> str | None:
        """Return why there is no round a number of rounds after or before; None when there is one."""
        if 0 <= self.round_index + step < len(self.rounds):
            return None
        return "There is only one round." if len(self.rounds) == 1 else "There is no round beyond this one."

    def action_step(self, step: int) -> None:
        self.show_step(self.river.cursor + step)

    def action_round(self, step: int) -> None:
        self.show_round(self.round_index + step)

    def action_mistake(self) -> None:
        """Move to the next mistake of the player, the costliest first, and from the last one to the first."""
        walk = self.mistakes[self.learner]
        places = [(found.round_index, found.step) for found in walk]
        here = self.round_index, self.river.cursor
        index, cursor = places[(places.index(here) + 1) % len(places)] if here in places else places[0]
        if index == self.round_index:
            self.show_step(cursor)
        else:
            self.show_round(index, cursor)

    def action_ghost(self) -> None:
        from fourtwenty.tui.dialogs.ghost import GhostDialog

        shown = self.rounds[self.round_index]
        seat = self.acting_seat
        played = ghost(self.match, shown, seat)
        if played and self.is_active:
            own = [
                moment
                for moment in shown.moments
                if moment.event.seat == seat and moment.before.starting_seat is not None and not moment.leaves
            ]
            choices = [moment.choice for moment in own]
            hands = [hand_after(moment.before, moment.event.action, moment.event.faces) for moment in own]
            value = shown.chances()[-1][seat]
            goal = shown.odds.goal(shown.start).name
            self.app.push_screen(
                GhostDialog(self.match.names[seat], choices, hands, value, played, goal, shown.estimated)
            )

    def copied(self) -> tuple[str, str]:
        shown = self.moment.after if self.moment else self.rounds[self.round_index].start
        return "The position", shown.position()

    @on(River.Clicked)
    def turn_to(self, event: River.Clicked) -> None:
        self.show_step(event.step)
