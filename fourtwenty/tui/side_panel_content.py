"""The column beside the hand: the ranking of the choices, the chances roll by roll, and the guide. No widget."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from textwrap import wrap

from msgspec.structs import replace

from fourtwenty.cells import cell_len
from fourtwenty.games.game import Guide, State
from fourtwenty.play.advice import Advice, Advisor, Share
from fourtwenty.play.format import cost, percent
from fourtwenty.play.match import Match
from fourtwenty.tui.table_layout import RIVER_COLUMNS
from fourtwenty.tui.widgets.seats import fit
from fourtwenty.tui.widgets.side_panel import Section

ABOUT_COLUMNS = 41
"""The columns of the sentences about a ranking."""

NOTHING = Section("", ())


class SidePanelContent:
    """The coach of a match, and the sections of the column beside the hand."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.coach: Advisor | None = None
        """Computes the chances; None if no odds are shown."""
        self._choices = NOTHING
        """The ranking of choices for the seat to act; empty without a coach or a hint."""
        self.asked: Advisor | None = None
        """Ranks the choices for a hint, until the next request."""
        self._river: list[list[float | None]] = []
        """The chances of every seat, ``[roll][seat]``, since the round began or the coach came; None for a seat out."""
        self._charted_round = 0
        self.follow()

    def follow(self) -> None:
        lineup = self.match.lineup_now
        self.coach = Advisor(self.match.state) if lineup.coach != "off" else None
        self.forget_choices()
        if not self.coach:
            self._river.clear()

    def chart(self, shares: Sequence[Share | None]) -> None:
        """Add the chances of every seat to the chart, unless unchanged."""
        chances = [share.value if share else None for share in shares]
        if chances not in self._river[-1:]:
            self._river.append(chances)

    def begin_round(self, state: State) -> None:
        """Begin a round's chart with the chances before it."""
        if state.round != self._charted_round:
            self._charted_round = state.round
            del self._river[:-1]

    def forget_choices(self) -> None:
        self._choices, self.asked = NOTHING, None

    def mark_choice(self, selection: Collection[int]) -> None:
        """Mark a selection in the ranking of choices."""
        state, coach = self.match.state, self.coach or self.asked
        if not coach or state.to_act is None:
            self._choices = NOTHING
            return
        if not self._choices.lines:
            from fourtwenty.tui.widgets.ranking import ranking_lines

            choices = coach.odds.choices(state)
            if len(choices) < 2:
                return
            head, *lines = ranking_lines(coach.odds, state, choices, wide=False)
            self._choices = Section(head, tuple(lines), cursor=-1, cut=True)
        self._choices = replace(self._choices, cursor=coach.rank(state, selection))

    @property
    def _about_choices(self) -> Section:
        """The words of a hint about the ranking; empty without a hint."""
        if not self.asked:
            return NOTHING
        from fourtwenty.tui.widgets.ranking import others_sentence

        state, odds = self.match.state, self.asked.odds
        said = " ".join(filter(None, (others_sentence(odds, state), odds.objective(state).note)))
        return Section("", tuple(wrap(said, ABOUT_COLUMNS)), cut=True)

    @property
    def asked_choices(self) -> list[str]:
        """The ranking that a hint asks for and what is said about it, in lines; empty without."""
        shown = (self._choices, self._about_choices) if self.asked else ()
        return [line for section in shown if section.lines for line in (section.heading, *section.lines) if line]

    def sections(self, columns: int) -> Iterator[Section]:
        """Yield the sections for a number of columns, the most important first."""
        yield self._choices
        yield self._about_choices
        if columns >= RIVER_COLUMNS:
            yield self._chances_so_far()

    def _chances_so_far(self) -> Section:
        """Return a line for every seat that still plays: its chances roll by roll, and the last of them."""
        if not self._river:
            return NOTHING
        latest = self._river[-1]
        estimated = self.coach is not None and self.coach.odds.is_estimated(self.match.state)
        playing = [seat for seat, chance in enumerate(latest) if chance is not None]
        names = self.match.names
        width = min(12, max((cell_len(names[seat]) for seat in playing), default=0))
        values = [percent(latest[seat] or 0, estimated) for seat in playing]
        widest = max(map(len, values), default=0)
        lines = tuple(
            f"{fit(names[seat], width)} {value.rjust(widest)}" for seat, value in zip(playing, values, strict=True)
        )
        charts = tuple(tuple(chances[seat] for chances in self._river) for seat in playing)
        return Section("Chances, roll by roll", lines, tuple(playing), cut=True, charts=charts)


def guide_section(guide: Guide) -> Section:
    label = max(len(label) for label, _ in guide.rows)
    return Section(guide.heading, tuple(f"{name.ljust(label)}   {value}" for name, value in guide.rows))


def advice_in_words(coach: Advisor, state: State, selection: Collection[int]) -> tuple[Mapping[str, str], str, str]:
    """Return the advice on a selection for ``Coach.show``: chances, goal and verdict."""
    advice = coach.advice(state, selection)
    if advice is None:
        return {}, "", ""
    verdicts = {"costs": f"costs {cost(advice.loss, advice.estimated)}", "forced": "the only choice"}
    verdict = verdicts.get(advice.verdict, advice.verdict)
    goal = f"{coach.odds.objective(state).label.removeprefix('chance to ')}: {percent(advice.value, advice.estimated)}"
    return {} if advice.forced else _chances(advice), goal, verdict


def _chances(advice: Advice) -> dict[str, str]:
    chances = {label: percent(chance, advice.estimated) for label, chance in advice.chances}
    if advice.amount:
        label, amount = advice.amount
        chances[label] = f"about {amount:.0f}" if advice.estimated else f"{amount:.1f}"
    return chances
