"""The review of a whole match: its river, the choices that cost most, the luckiest roll, and every round to open.

A round is reviewed on a screen of its own. Nothing is changed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from fourtwenty.games.words import counted, sentence_case, spaced
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import coaching_line
from fourtwenty.play.percent import cost, signed
from fourtwenty.play.puzzle import kept_dice
from fourtwenty.review.analysis import SKILL_LEGEND, rounds_of
from fourtwenty.review.highlights import Highlight, costliest, learners, luckiest
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.screens.review_screen import ReviewScreen, of_mistakes
from fourtwenty.tui.widgets.river import SCALE, River, RiverStep
from fourtwenty.tui.widgets.row_list import Column, RowList
from fourtwenty.tui.widgets.seats import mark

MOST_COSTLY = 3
"""The costliest choices that are listed."""

JUMP_COLUMNS = (
    Column(8, quiet=True),
    Column(13),
    Column(None),
    Column(11, right=True),
)


class Jump(Struct, frozen=True):
    """A row of the list, and the step that it opens."""

    cells: tuple[str, str, str, str]
    round_index: int
    step: int


class Review(ReviewScreen):
    """Shows a whole match, and opens its rounds."""

    CSS_PATH = "match_review.tcss"

    HELP = """\
## The review

The chart shows everyone's chance, roll by roll, over the whole match; `!` marks choices that cost something. The list
has the costliest choices, the luckiest roll and every round: Enter opens one. **Mistake** walks through your mistakes,
the costliest first, and **Exercise** lets you try them again.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "point(-1)", "Up", id="match-review.up", show=False),
        Binding("down", "point(1)", "Down", id="match-review.down", show=False),
        Binding("pageup", "page(-1)", "Page up", id="match-review.page-up", show=False),
        Binding("pagedown", "page(1)", "Page down", id="match-review.page-down", show=False),
        Binding("home", "point(-1000000)", "Top", id="match-review.top", show=False),
        Binding("end", "point(1000000)", "Bottom", id="match-review.bottom", show=False),
        Binding(
            "enter", "open", "Open", key_display="enter", id="match-review.open", tooltip="Look at it roll by roll"
        ),
        Binding("shift+up", "look(-1)", "Skill up", id="match-review.skill-up", show=False),
        Binding("shift+down", "look(1)", "Skill down", id="match-review.skill-down", show=False),
        ScreenAction(
            "n", "round", "Rounds", id="match-review.round", tooltip="The first round, roll by roll", spare=True
        ),
        of_mistakes("m", "mistake", "Mistake", id="match-review.mistake", tooltip="Your costliest mistake"),
        of_mistakes("e", "exercise", "Exercise", id="match-review.exercise", tooltip="Try your mistakes again"),
        ScreenAction(
            "o",
            "whose",
            "Other player",
            id="match-review.whose",
            tooltip="The mistakes of another player",
            there=lambda review: len(review.mistakes) > 1,
            spare=True,
        ),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="match-review.rules", show=False),
        Binding("y", "copy", "Copy", id="match-review.copy", show=False, tooltip="Copy the game's record"),
        Binding("escape,q", "back", "Back", key_display="esc", id="match-review.back", tooltip="Back to the results"),
    ]

    ACCOUNTS = "Skill and luck"

    def __init__(self, match: Match) -> None:
        """Review a match of which at least one roll has been played."""
        rounds = rounds_of(match)
        found = {seat: costliest(rounds, [seat]) for seat in learners(match)}
        mistakes = {seat: costly for seat, costly in found.items() if costly}
        super().__init__(match, rounds, mistakes, next(iter(mistakes), learners(match)[0]))
        self.jumps = self._jumps()
        self._shown: list[tuple[int, int]] = []
        """The round index and the step of each step of the river."""

    # -- what is listed ----------------------------------------------------------------------------------------------

    def _jumps(self) -> tuple[Jump, ...]:
        """Return the rows: the costliest choices, of people first; the luckiest roll; the rounds."""
        people = learners(self.match)
        bots = [seat for seat in range(len(self.match.names)) if seat not in people]
        costly = costliest(self.rounds, people) + costliest(self.rounds, bots)
        lucky = luckiest(self.rounds)
        return (
            *map(self._costly, costly[:MOST_COSTLY]),
            *([self._lucky(lucky)] if lucky else []),
            *map(self._round, range(len(self.rounds))),
        )

    def _costly(self, found: Highlight) -> Jump:
        moment = found.moment
        hand, kept, best = spaced(moment.before.hand(found.seat)), *map(kept_dice, (moment.choice, moment.choices[0]))
        text = f"{hand}: {_did(kept)}, best {best}"
        loss = cost(moment.loss, moment.estimated)
        figure = loss if moment.estimated else f"costs {loss}"
        return Jump(("Costly", self._marked(found.seat), text, figure), found.round_index, found.step)

    def _lucky(self, found: Highlight) -> Jump:
        moment = found.moment
        text = sentence_case(moment.before.tell(moment.event.action, moment.event.faces))
        figure = signed(moment.luck, moment.estimated)
        return Jump(("Lucky", self._marked(found.seat), text, figure), found.round_index, found.step)

    def _round(self, index: int) -> Jump:
        shown = self.rounds[index]
        end = shown.moments[-1].after
        report = None if end.to_act is not None else end.report(self.match.names)
        mistakes = len(shown.mistakes)
        count = counted(mistakes, "mistake", "mistakes") if mistakes else "no mistakes"
        text = f"{report.headline}, {count}" if report else f"unfinished, {count}"
        rolls = counted(len(shown.moments), "roll", "rolls")
        return Jump((f"Round {shown.start.round}", "", text, rolls), index, 0)

    def _marked(self, seat: int) -> str:
        return f"{mark(self.match.colour(seat))} {self.match.names[seat]}"

    # -- display -----------------------------------------------------------------------------------------------------

    def below_river(self) -> Iterator[Widget]:
        yield RowList(JUMP_COLUMNS, lambda row: self.jumps[row].cells, id="jumps")

    def on_mount(self) -> None:
        rounds = counted(len(self.rounds), "round", "rounds")
        self.show_caption(f"{self.game.name} · {rounds} · {', '.join(self.match.names)}")
        self.query_one("#jumps").border_title = "Moments and rounds"
        self.row_list.show(len(self.jumps))
        self.show_skill()

    def fit(self) -> None:
        """Share the height among river, list and skill, and fit the river to its width."""
        free = self.size.height - 2 - 4  # without the caption, the key bar, and borders and margins
        skill = min(len(self.match.names) + 1 + bool(self.match.coaching), max(2, free // 4))
        self.query_one("#accounts").styles.height = skill + 1
        self.row_list.styles.height = 1 + min(len(self.jumps), (free - skill) // 2)
        self.call_after_refresh(self.show_river)

    @property
    def row_list(self) -> RowList:
        return self.query_one("#jumps", RowList)

    def show_river(self) -> None:
        """Show the chances over all rounds, in as many steps as there are cells."""
        steps: list[RiverStep] = []
        origins: list[tuple[int, int]] = []
        for index, each in enumerate(self.rounds):
            for step, shown in enumerate(self.steps_of(each)):
                steps.append(shown)
                origins.append((index, step))
        room = max(1, self.river.size.width - SCALE)
        ends = [(cell + 1) * len(steps) // min(room, len(steps)) for cell in range(min(room, len(steps)))]
        self._shown = [origins[end - 1] for end in ends]
        self.river.steps = tuple(_last(steps[start:end]) for start, end in zip([0, *ends], ends, strict=False))
        self.follow()

    @on(RowList.Pointed)
    def follow(self) -> None:
        if self._shown:
            jump = self.jumps[self.row_list.pointed]
            origin = (jump.round_index, jump.step)
            self.river.cursor = next(at for at, shown in enumerate(self._shown) if shown >= origin)

    def show_skill(self) -> None:
        lines = []
        several = len(self.mistakes) > 1
        for seat in range(len(self.match.names)):
            whole = reduce(add, (each.ledger(seat) for each in self.rounds))
            pointer = "▶ " if several and seat == self.learner else "  " if several else ""
            luck = f"; luck {signed(whole.luck, whole.estimated)}"
            lines.append(Content(f"{pointer}{self._marked(seat)}: {whole.skill_words()}{luck}"))
        lines.append(Content.styled(SKILL_LEGEND, "$quiet"))
        if coached := coaching_line(self.match):
            lines.append(Content.styled(f"{coached}.", "$quiet"))
        self.show_accounts(lines)

    # -- actions -----------------------------------------------------------------------------------------------------

    def action_point(self, step: int) -> None:
        self.row_list.point(step)

    def action_page(self, step: int) -> None:
        self.row_list.point(step * self.row_list.page)

    @on(RowList.DoubleClicked)
    def action_open(self) -> None:
        jump = self.jumps[self.row_list.pointed]
        self.open_round(jump.round_index, jump.step)

    def action_round(self) -> None:
        self.open_round(0, 0)

    def action_mistake(self) -> None:
        found = self.mistakes[self.learner][0]
        self.open_round(found.round_index, found.step)

    def open_round(self, round_index: int, step: int) -> None:
        from fourtwenty.tui.screens.round_review import RoundReview

        if self.is_active:
            self.app.push_screen(RoundReview(self.match, self.rounds, self.mistakes, self.learner, round_index, step))

    def action_whose(self) -> None:
        seats = list(self.mistakes)
        self.learner = seats[(seats.index(self.learner) + 1) % len(seats)]
        self.show_skill()

    def copied(self) -> tuple[str, str]:
        from fourtwenty.journal.record import Record, write

        return "The record of this game", write(Record.of(self.match))

    @on(River.Clicked)
    def turn_to(self, event: River.Clicked) -> None:
        self.open_round(*self._shown[event.step])


def _did(kept: str) -> str:
    return "stood" if kept == "stand" else f"kept {kept}"


def _last(steps: Sequence[RiverStep]) -> RiverStep:
    """Return the last of the steps that share a cell, flagged if any of them is."""
    return replace(steps[-1], flagged=any(step.flagged for step in steps))
