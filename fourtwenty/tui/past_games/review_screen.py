"""The review of a match: its moments and rounds, the chances roll by roll, and every choice beside the best one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, reduce
from operator import add
from typing import ClassVar

from msgspec import Struct
from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from fourtwenty.games.english import join_faces, name_and_verb, pluralize, sentence_case
from fourtwenty.play.format import cost, percent, signed
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import coaching_line, event_line
from fourtwenty.play.practice import kept_dice, leading
from fourtwenty.review.analysis import MIN_DECISIONS, SKILL_LEGEND, ReviewedEvent, rounds_of
from fourtwenty.review.highlights import Highlight, costliest, learners, luckiest, past_tense, puzzle_of
from fourtwenty.tui.past_games.chance_chart import SIGNS, ChanceChart, ChanceStep
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES_UNSEEN, ScreenAction, back
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.ranking import ranking
from fourtwenty.tui.widgets.row_list import Column, RowList
from fourtwenty.tui.widgets.seats import Row, mark, tint

MAX_COSTLY = 3
ABOUT_LINES = 4
MAX_CHOICES = 11
"""The most choices that are listed if there is room."""

ROLL = Binding.Group("Roll", compact=True)

LISTS_CHOICES = (100, 30)
"""The terminal size, in cells, from which the choices are listed beside the roll."""

JUMP_COLUMNS = (Column(14), Column(), Column(17, align_right=True))


class Jump(Struct, frozen=True):
    """A row of the list, and the step of the chart that it leads to."""

    cells: tuple[str, str, str]
    step: int


def nothing_to_choose(review: Review) -> str | None:
    """Return a sentence if there is no choice at the cursor, else None."""
    moment = review.moment
    return "There was nothing to choose here." if moment is None or moment.forced else None


class Review(BaseScreen[None]):
    """Moments and rounds above the chances; below them the roll at the cursor, and the accounts."""

    CSS_PATH = "review_screen.tcss"
    jump_list = cursor_list = getters.query_one("#jumps", RowList)
    chances = getters.query_one(ChanceChart)

    HELP = """\
The list has the costliest choices, the luckiest roll and every round. The chart shows everyone's chance, roll by roll:
`^` is the roll that is told below it, beside the best choice, and `!` marks choices that cost something. **Try it**
asks you to choose again.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *CURSOR_BINDINGS,
        Binding(
            "enter",
            "moment",
            "Moment",
            key_display="enter",
            id="review.moment",
            tooltip="Open the selected moment, then the next",
        ),
        Binding("left", "step(-1)", "Roll", id="review.previous", group=ROLL, tooltip="The roll before"),
        Binding("right", "step(1)", "Roll", id="review.next", group=ROLL, tooltip="The next roll"),
        ScreenAction("m", "again", "Try it", id="review.again", tooltip="Choose again", refusal=nothing_to_choose),
        Binding("shift+up", "scroll_accounts(-1)", "Accounts up", id="review.accounts-up", show=False),
        Binding("shift+down", "scroll_accounts(1)", "Accounts down", id="review.accounts-down", show=False),
        RULES_UNSEEN,
        Binding("y", "copy", "Copy", id="review.copy", show=False, tooltip="Copy the game's record"),
        back(),
    ]

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.game = match.game
        self.rounds = rounds_of(match)
        self.steps = tuple(
            (index, roll) for index, each in enumerate(self.rounds) for roll in range(len(each.moments) + 1)
        )
        """``[step of the chart]``: the index of its round, and the number of its roll, 0 at the start."""
        self.jumps = self._jumps()

    def compose(self) -> ComposeResult:
        rounds = pluralize(len(self.rounds), "round", "rounds")
        title = f"Review   {self.game.name} · {rounds} · {', '.join(self.match.names)}"
        moments = (moment for each in self.rounds for moment in each.moments)
        hands = max(len(moment.after.standing(moment.event.seat).detail) for moment in moments)
        yield Caption(title)
        with Vertical(id="sheet"):
            yield RowList(JUMP_COLUMNS, lambda row: self.jumps[row].cells, id="jumps")
            yield ChanceChart(hands, not self.match.lineup.monocolor)
            with Horizontal(id="roll"):
                yield Static("", id="about", markup=False)
                yield Static("", id="choices", markup=False)
            with VerticalScroll(id="accounts", can_focus=False):
                yield Static("", markup=False)
        yield Sentence()
        yield KeyBar()

    def on_mount(self) -> None:
        self.jump_list.border_title = "Moments and rounds"
        self.query_one("#accounts").border_title = "Skill and luck"
        self.chances.steps = tuple(self._steps())
        self.jump_list.show(len(self.jumps))
        self.follow()

    @property
    def lists_choices(self) -> bool:
        return self.size.width >= LISTS_CHOICES[0] and self.size.height >= LISTS_CHOICES[1]

    @property
    def step(self) -> tuple[int, int]:
        """The index of the round at the cursor, and the number of its roll, 0 at the start."""
        return self.steps[self.chances.cursor]

    @property
    def moment(self) -> ReviewedEvent | None:
        """The event at the cursor; None at the start of a round."""
        round_index, roll = self.step
        return self.rounds[round_index].moments[roll - 1] if roll else None

    # -- what is listed ----------------------------------------------------------------------------------------------

    def _jumps(self) -> tuple[Jump, ...]:
        """Return the rows: the costliest choices, of people first; the luckiest roll; the rounds."""
        people = learners(self.match)
        bots = [seat for seat in range(len(self.match.names)) if seat not in people]
        costly = costliest(self.rounds, people) + costliest(self.rounds, bots)
        lucky = luckiest(self.rounds)
        return (
            *map(self._costly, costly[:MAX_COSTLY]),
            *([self._lucky(lucky)] if lucky else []),
            *map(self._round, range(len(self.rounds))),
        )

    def _costly(self, found: Highlight) -> Jump:
        moment = found.moment
        text = (
            f"{join_faces(moment.before.hand(found.seat))}: {past_tense(moment)}, best {kept_dice(moment.choices[0])}"
        )
        loss = cost(moment.loss, moment.estimated)
        figure = loss if moment.estimated else f"costs {loss}"
        return Jump((self._marked(found.seat), text, figure), self.steps.index((found.round_index, found.step)))

    def _lucky(self, found: Highlight) -> Jump:
        moment = found.moment
        text = sentence_case(moment.before.describe_roll(moment.event.action, moment.event.faces))
        before, after = (percent(values[found.seat], digits=0) for values in (moment.expected, moment.values_after))
        cells = (self._marked(found.seat), text, f"{before} → {after}")
        return Jump(cells, self.steps.index((found.round_index, found.step)))

    def _round(self, index: int) -> Jump:
        shown = self.rounds[index]
        end = shown.moments[-1].after
        report = None if end.to_act is not None else end.report(self.match.names)
        mistakes = len(shown.mistakes)
        count = pluralize(mistakes, "mistake", "mistakes") if mistakes else "no mistakes"
        text = f"{report.headline}, {count}" if report else f"unfinished, {count}"
        rolls = pluralize(len(shown.moments), "roll", "rolls")
        return Jump((f"Round {shown.start.round}", text, rolls), self.steps.index((index, 0)))

    def _marked(self, seat: int) -> str:
        return f"{mark(seat)} {self.match.names[seat]}"

    def _steps(self) -> Iterator[ChanceStep]:
        for each in self.rounds:
            playing = [each.start.standing(seat).playing for seat in range(each.start.seats)]
            for step, shares in enumerate(each.chances()):
                chances = tuple(share if plays else None for share, plays in zip(shares, playing, strict=True))
                yield ChanceStep(chances, opens=not step, flagged=step > 0 and each.moments[step - 1].mistake)

    # -- display -----------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Share the height among list, chart and roll; the accounts get the rest."""
        free = self.size.height - 3 - 4  # without the caption, the sentence, the key bar and the borders
        chart = min(len(self.match.names) + 1, free // 3)
        about = MAX_CHOICES + 1 if self.lists_choices else ABOUT_LINES
        rows = min(len(self.jumps), max(3, (free - chart - about) * 2 // 3))
        for part, lines in (("#jumps", rows), ("#chances", chart), ("#roll", about)):
            self.query_one(part).styles.height = 1 + lines
        self.query_one("#choices").display = self.lists_choices
        self.show_roll()

    @on(RowList.CursorMoved)
    @on(RowList.DoubleClicked)
    def follow(self) -> None:
        self.go_to(self.jumps[self.jump_list.cursor].step)

    def go_to(self, step: int) -> None:
        """Move the cursor to a step of the chart, at most to its ends, and show the roll."""
        self.chances.cursor = max(0, min(len(self.steps) - 1, step))
        self.show_roll()
        self.show_accounts()
        self.show_actions()

    def show_roll(self) -> None:
        (round_index, roll), moment = self.step, self.moment
        shown = self.rounds[round_index]
        acting = (moment or shown.moments[0]).event.seat
        state = moment.after if moment else shown.start
        shares = shown.chances()[roll]
        self.chances.acting = acting
        self.chances.rows = tuple(
            Row(
                colour=seat,
                name=name,
                detail=standing.detail or standing.note,
                playing=standing.playing,
                bar_label=percent(shares[seat], shown.estimated),
            )
            for seat, name in enumerate(self.match.names)
            for standing in (state.standing(seat),)
        )
        self.chances.border_title = f"{sentence_case(shown.odds.objective(shown.start).label)} · {SIGNS}"
        where = f"roll {roll} of {len(shown.moments)}" if moment else "before the first roll"
        self.query_one("#roll").border_title = f"Round {shown.start.round} of {len(self.rounds)} · {where}"
        starts = name_and_verb(self.match.names[acting], "starts.", "start.")
        about = self._moment_text(moment) if moment else Content(starts)
        self.query_one("#about", Static).update(about)
        choices = Content("")
        if moment and not moment.forced and self.lists_choices:
            few = leading(moment.choices, moment.choice, MAX_CHOICES)
            choices = ranking(shown.odds, moment.before, few, moment.choice, wide=False)
        self.query_one("#choices", Static).update(choices)

    def _moment_text(self, moment: ReviewedEvent) -> Content:
        seat, estimated = moment.event.seat, moment.estimated
        hand = join_faces(moment.before.hand(seat))
        shade = "" if self.match.lineup.monocolor else f"$seat-{tint(seat)}"
        title = f"{self.match.names[seat]}, {f'with {hand}' if hand else 'first roll'}"
        hinted = ", after a hint" if moment.hinted else ""
        lines = [Content.assemble((f"{mark(seat)} ", shade), (title, "bold"), (hinted, "$quiet"))]
        if moment.leaves:
            return Content("\n").join([*lines, Content(event_line(self.match, moment.before, moment.event))])
        best = moment.choices[0]
        made = f"kept   {kept_dice(moment.choice)}  {percent(moment.choice.value, estimated)}"
        if moment.forced:
            lines.append(Content.styled("forced: only one legal choice", "$quiet"))
        elif moment.mistake:
            lines.append(Content.assemble(made, "  ", (f"costs {cost(moment.loss, estimated)}", "$warning bold")))
            lines.append(Content(f"best   {kept_dice(best)}  {percent(best.value, estimated)}"))
        else:
            lines.append(Content.assemble(made, ("  the best choice", "$quiet")))
        rolled = sentence_case(moment.before.describe_roll(moment.event.action, moment.event.faces))
        lines.append(Content.assemble(rolled, (f"  luck {signed(moment.luck, estimated)}", "$quiet")))
        return Content("\n").join(lines)

    @cached_property
    def _skill(self) -> tuple[Content, ...]:
        accounts = [reduce(add, (each.ledger(seat) for each in self.rounds)) for seat in range(len(self.match.names))]
        lines = [
            Content(f"{self._marked(seat)}: {each.skill_words()}; luck {signed(each.luck, each.estimated)}")
            for seat, each in enumerate(accounts)
        ]
        if any(each.decisions >= MIN_DECISIONS for each in accounts):
            lines.append(Content.styled(SKILL_LEGEND, "$quiet"))
        if coached := coaching_line(self.match):
            lines.append(Content.styled(f"{coached}.", "$quiet"))
        return tuple(lines)

    def show_accounts(self) -> None:
        shown = self.rounds[self.step[0]]
        lines = [*self._skill, Content.styled(f"Round {shown.start.round}", "bold")]
        for seat, name in enumerate(self.match.names):
            if shown.start.standing(seat).playing:
                ledger = shown.ledger(seat)
                start, result = percent(ledger.start, shown.estimated), percent(ledger.result, shown.estimated)
                lines.append(Content(f"{name}: from {start} to {result}."))
                lines.append(Content.styled(f"  {ledger.words(name)}", "$quiet"))
        self.query_one("#accounts > Static", Static).update(Content("\n").join(lines))

    # -- actions -----------------------------------------------------------------------------------------------------

    def action_moment(self) -> None:
        """Open the selected moment, then the next, and after the last the first."""
        jumps = self.jump_list
        if self.jumps[jumps.cursor].step == self.chances.cursor:
            jumps.cursor = (jumps.cursor + 1) % len(self.jumps)
        else:
            self.follow()

    def action_step(self, step: int) -> None:
        self.go_to(self.chances.cursor + step)

    @on(ChanceChart.Clicked)
    def turn_to(self, event: ChanceChart.Clicked) -> None:
        self.go_to(event.step)

    def action_again(self) -> None:
        from fourtwenty.journal.practice_sources import Source
        from fourtwenty.tui.past_games.practice_screen import Practice

        if self.moment:
            self.open_over(Practice(Source(self.game.key), puzzle_of(self.match, self.moment)))

    def action_scroll_accounts(self, step: int) -> None:
        self.query_one("#accounts").scroll_relative(y=step, animate=False)

    def text_to_copy(self) -> str:
        from fourtwenty.journal.record import Record, write_record

        return write_record(Record.from_match(self.match))
