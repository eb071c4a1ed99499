"""The costs of a user's rule in a simulation: per decision, and the positions where it loses most, as text and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from fourtwenty.odds.interface import Choice
from fourtwenty.play.practice import kept_dice
from fourtwenty.play.simulation import Judged
from fourtwenty.play.text import cost, noticeable
from fourtwenty.review.analysis import skill_class, skill_figure

MOST_POSITIONS = 10
"""The number of positions that are printed."""

SAME_DIGITS = 9
"""Losses that agree to so many digits are equal: those of one choice of a hand are of one position."""


class RuleCosts:
    """The costs of the rule at one seat, over all matches of a simulation."""

    def __init__(self, name: str) -> None:
        """Take the name of the seat."""
        self.name = name
        self.decisions = 0
        self.lost = 0.0
        """The win probability lost in all."""
        self.estimated = False
        """Whether any of the losses is an estimate."""
        self._mistakes: dict[object, tuple[Judged, int]] = {}
        """The first choice of its kind, and how often it was made: positions that differ by nothing here are one."""

    def add(self, judged: Judged) -> None:
        """Add a choice."""
        state, choice = judged.state, judged.choice
        assert state.to_act is not None
        self.decisions += 1
        self.lost += judged.loss
        self.estimated = self.estimated or judged.estimated
        if noticeable(judged.loss, judged.estimated):
            hand, kept = sorted(state.hand(state.to_act)), sorted(choice.kept)
            kind = (*hand, type(choice.action), *kept, round(judged.loss, SAME_DIGITS))
            first, times = self._mistakes.get(kind, (judged, 0))
            self._mistakes[kind] = (first, times + 1)

    @property
    def skill(self) -> str:
        """The loss per decision in words: "0.32% sharp"."""
        lost = skill_figure(self.lost, self.decisions)
        if lost is None:
            return "no decisions"
        return f"{f'about {lost:.1f}%' if self.estimated else f'{lost:.2f}%'} {skill_class(lost)}"

    @property
    def costliest(self) -> Sequence[tuple[Judged, int]]:
        """The mistakes that cost most in all, each with the number of times it was made."""
        found = self._mistakes.values()
        return sorted(found, key=lambda each: -round(each[0].loss * each[1], SAME_DIGITS))[:MOST_POSITIONS]

    def lines(self) -> list[str]:
        """Return the lines about the positions; none for a rule that makes no mistakes."""
        found = self.costliest
        if not found:
            return []
        read = f"fourtwenty play {found[0][0].state.key} --position reads them"
        rows = [("position", "times", "each", "kept", "best")]
        rows += [
            (
                judged.state.position(),
                f"{times:,}",
                cost(judged.loss, judged.estimated),
                _kept(judged.choice),
                _kept(judged.best),
            )
            for judged, times in found
        ]
        wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return [f"The positions that cost {self.name} most; {read}:", ""] + [
            f"{text:{wide[0]}}   {times:>{wide[1]}}   {each:>{wide[2]}}   {kept:{wide[3]}}   {best}"
            for text, times, each, kept, best in rows
        ]

    def json(self) -> dict[str, object]:
        """Return the costs as a JSON object; losses are win probability from 0 to 1."""
        return {
            "decisions": self.decisions,
            "lost": self.lost,
            "costliest": [
                {
                    "position": judged.state.position(),
                    "times": times,
                    "loss": judged.loss,
                    "keep": list(judged.choice.kept),
                    "best": list(judged.best.kept),
                }
                for judged, times in self.costliest
            ],
        }


def _kept(choice: Choice) -> str:
    return kept_dice(replace(choice, kept=tuple(sorted(choice.kept, reverse=True))))
