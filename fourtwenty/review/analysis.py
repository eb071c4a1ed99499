"""Measures a match against best play: losses and luck, from 0 to 1 as ``Solver.values``; as text in percent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import inf
from operator import add

from msgspec import Struct
from msgspec.structs import astuple, replace

from fourtwenty.games.english import pluralize, possessive, sentence_case
from fourtwenty.games.game import Event, Leave, State
from fourtwenty.games.replay import replay, rounds_of_steps
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import Choice, Solver, choice_for
from fourtwenty.play.format import cost, noticeable, signed
from fourtwenty.play.match import Match

SKILL_CLASSES = ((0.05, "flawless"), (0.4, "sharp"), (1.0, "sound"), (2.0, "merry"), (inf, "tipsy"))
"""Upper limit, in points lost per unforced decision, and name of a class."""

SKILL_LEGEND = " · ".join(f"{name} to {most:g}" for most, name in SKILL_CLASSES).replace("to inf", "above")

MIN_DECISIONS = 50
"""The decisions from which skill has a name.

Of 300 simulated histories at most 2 ever had one beyond the neighbours of the true one; from 20 decisions on, 30
(tests/review/test_false_alarms.py).
"""


def skill_class(skill: float, decisions: int) -> str:
    """Return the class of a skill figure, in points lost per unforced decision; empty for few decisions.

    >>> skill_class(0.32, 50), skill_class(0.32, 49)
    ('sharp', '')
    """
    return next(name for most, name in SKILL_CLASSES if skill <= most) if decisions >= MIN_DECISIONS else ""


def skill_figure(lost: float, decisions: int) -> float | None:
    """Return the points lost per unforced decision, from all value lost; None without decisions."""
    return 100 * lost / decisions if decisions else None


def skill_points(skill: float, estimated: bool = False) -> str:
    """Return a skill figure with its unit.

    >>> skill_points(0.321), skill_points(0.321, estimated=True)
    ('0.32 points', 'about 0.3 points')
    """
    return f"about {cost(skill / 100)}" if estimated else cost(skill / 100, digits=2)


def skill_cell(lost: float, decisions: int) -> str:
    """Return the skill figure and its class for a column of points: "0.32 sharp"."""
    return skill_words(lost, decisions).replace(" points,", "").removesuffix(" points")


def skill_words(lost: float, decisions: int, estimated: bool = False) -> str:
    """Return the skill figure and its class in words.

    >>> skill_words(0.16, 50)
    '0.32 points, sharp'
    """
    skill = skill_figure(lost, decisions)
    if skill is None:
        return "no decisions"
    return ", ".join(filter(None, (skill_points(skill, estimated), skill_class(skill, decisions))))


class ReviewedEvent(Struct, frozen=True):
    """One event of a match with its odds. Values are by seat, with best play from then on."""

    before: State
    event: Event
    after: State
    choices: tuple[Choice, ...]
    """All legal choices, best first; for a leave, which is no decision, only itself."""
    choice: Choice
    values: tuple[float, ...]
    """Values by seat before the event."""
    expected: tuple[float, ...]
    """Expected values by seat after the choice, before the roll."""
    values_after: tuple[float, ...]
    hinted: bool
    """Whether the coach was asked before the choice."""
    estimated: bool

    @property
    def leaves(self) -> bool:
        return isinstance(self.event.action, Leave)

    @property
    def forced(self) -> bool:
        return len(self.choices) == 1

    @property
    def loss(self) -> float:
        """The value lost by the choice; 0 for the best one."""
        return self.values[self.event.seat] - self.expected[self.event.seat]

    @property
    def luck(self) -> float:
        """The value gained by the roll; negative for bad luck, 0 for a leave."""
        return 0.0 if self.leaves else self.values_after[self.event.seat] - self.expected[self.event.seat]

    @property
    def mistake(self) -> bool:
        return not self.forced and noticeable(self.loss, self.estimated)


class Ledger(Struct, frozen=True):
    """A seat's value over some rounds: result = start + luck + others - errors."""

    start: float
    result: float
    luck: float
    others: float
    """Value gained by the other seats' luck and errors, and by every leave."""
    errors: float
    decisions: int
    """Number of its unforced choices."""
    hints: int
    """Number of them after a question to the coach."""
    estimated: bool = False

    @property
    def skill(self) -> float | None:
        return skill_figure(self.errors, self.decisions)

    def __add__(self, other: Ledger) -> Ledger:
        sums = Ledger(*map(add, astuple(self), astuple(other)))
        return replace(sums, estimated=self.estimated or other.estimated)

    def words(self, name: str) -> str:
        lost = f"choices cost {cost(self.errors, self.estimated)}" if self.decisions else "nothing to choose"
        luck, others = signed(self.luck, self.estimated), signed(self.others, self.estimated)
        return f"{sentence_case(possessive(name))} luck {luck}, the others {others}; {lost}."

    def skill_words(self) -> str:
        if self.skill is None:
            return "no decisions"
        hints = f", {self.hints} with a hint" if self.hints else ""
        decisions = pluralize(self.decisions, "decision", "decisions")
        lost = skill_points(self.skill, self.estimated)
        name = skill_class(self.skill, self.decisions)
        return f"{lost} lost per decision{f': {name}' if name else ''} ({decisions}{hints})"


class Round:
    def __init__(self, start: State, first_event: int, events: Sequence[Event], hints: Iterable[int] = ()) -> None:
        self.start = start
        self.first_event = first_event
        self.events = tuple(events)
        self.hints = frozenset(hints)

    @cached_property
    def odds(self) -> Solver:
        return solver_for(self.start)

    @cached_property
    def estimated(self) -> bool:
        return self.odds.is_estimated(self.start)

    @cached_property
    def moments(self) -> tuple[ReviewedEvent, ...]:
        return tuple(self._judge())

    def _judge(self) -> Iterator[ReviewedEvent]:
        values = self.odds.values(self.start)
        for index, (before, event, after) in enumerate(replay(self.start, self.events), self.first_event):
            values_after = self.odds.values(after)
            if isinstance(event.action, Leave):
                choices: tuple[Choice, ...] = (Choice(event.action, (), (), values[event.seat]),)
                choice, expected = choices[0], values
            else:
                choices = self.odds.choices(before)
                choice = choice_for(choices, before, event.action)
                expected = self.odds.values_after(before, event.action)
            yield ReviewedEvent(
                before,
                event,
                after,
                choices,
                choice,
                values,
                expected,
                values_after,
                index in self.hints,
                self.estimated,
            )
            values = values_after

    @property
    def mistakes(self) -> tuple[ReviewedEvent, ...]:
        return tuple(moment for moment in self.moments if moment.mistake)

    def chances(self) -> tuple[tuple[float, ...], ...]:
        """Return ``[event][seat]``: the values before the first event and after each event."""
        return (self.odds.values(self.start), *(moment.values_after for moment in self.moments))

    def ledger(self, seat: int) -> Ledger:
        moments = self.moments
        own = [moment for moment in moments if moment.event.seat == seat and not moment.leaves]
        others = [moment for moment in moments if moment.event.seat != seat or moment.leaves]
        chances = self.chances()
        return Ledger(
            start=chances[0][seat],
            result=chances[-1][seat],
            luck=sum(moment.luck for moment in own),
            others=sum(moment.values_after[seat] - moment.values[seat] for moment in others),
            errors=sum(moment.loss for moment in own),
            decisions=sum(not moment.forced for moment in own),
            hints=sum(moment.hinted and not moment.forced for moment in own),
            estimated=self.estimated,
        )


def rounds_of(match: Match) -> tuple[Round, ...]:
    """Return the rounds of a match with at least one event."""
    rounds, first = [], 0
    for steps in rounds_of_steps(match.start, match.events):
        rounds.append(Round(steps[0].before, first, [step.event for step in steps], match.hints))
        first += len(steps)
    return tuple(rounds)
