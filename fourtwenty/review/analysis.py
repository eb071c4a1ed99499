"""A match measured against best play: what every choice lost, what every roll was worth, what the same dice could do.

All values are what the game's odds count, from 0 to 1, as the chance to win a round; in words they are points, a
hundred to the whole. No screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from fourtwenty.games.game import Event, Faces, IllegalAction, Roll, State, laid
from fourtwenty.odds import Choice, Odds, choice_of, odds_of
from fourtwenty.play.dice import FairDice
from fourtwenty.play.match import Match

MISTAKE = 0.0005
"""From this loss on a choice counts as a mistake: what rounds to a tenth of a point."""

CLASSES = ((0.05, "flawless"), (0.4, "sharp"), (1.0, "sound"), (2.0, "merry"), (100.0, "tipsy"))
"""Names for points lost per unforced decision, each with its upper end."""


def named(skill: float) -> str:
    """Return the class of so many points lost per decision.

    >>> named(0.32)
    'sharp'
    """
    return next(name for most, name in CLASSES if skill <= most)


def signed(share: float) -> str:
    """Return a share of a round in points, with its sign.

    >>> signed(0.0825), signed(0)
    ('+8.2', '0.0')
    """
    text = f"{100 * share:+.1f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0" else text


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened, and what the odds say of it."""

    number: int
    """Of the event in its match, from 0."""
    before: State
    event: Event
    state: State
    """The position after it."""
    choices: tuple[Choice, ...]
    """What could be done, the best first."""
    chosen: Choice
    values: tuple[float, ...]
    """By seat, the chance before it, everybody playing best."""
    meant: tuple[float, ...]
    """By seat, the chance when the choice stood and no die had landed."""
    after: tuple[float, ...]
    """By seat, the chance when the dice had landed."""
    hinted: bool
    """Whether the coach was asked first."""

    @property
    def forced(self) -> bool:
        """Whether there was nothing to choose."""
        return len(self.choices) == 1

    @property
    def loss(self) -> float:
        """What the choice lost the one who made it."""
        return self.values[self.event.seat] - self.meant[self.event.seat]

    @property
    def luck(self) -> float:
        """What the dice gave the one who rolled."""
        return self.after[self.event.seat] - self.meant[self.event.seat]

    @property
    def mistake(self) -> bool:
        """Whether another choice was better."""
        return not self.forced and self.loss >= MISTAKE


@dataclass(frozen=True, slots=True)
class Ledger:
    """Why a seat won or lost: result = start + luck + others - errors."""

    start: float
    result: float
    luck: float
    """What its own dice gave."""
    others: float
    """What the luck and the errors of the others gave."""
    errors: float
    """What its own choices lost."""
    decisions: int
    """How many of its choices were not forced."""
    hints: int
    """Before how many of them the coach was asked."""

    @property
    def residual(self) -> float:
        """What the account leaves unexplained; rounding apart, nothing."""
        return self.result - (self.start + self.luck + self.others - self.errors)

    @property
    def skill(self) -> float | None:
        """Points lost per unforced decision; None without any."""
        return 100 * self.errors / self.decisions if self.decisions else None

    def __add__(self, other: Ledger) -> Ledger:
        """Add the account of another round."""
        return Ledger(
            self.start + other.start,
            self.result + other.result,
            self.luck + other.luck,
            self.others + other.others,
            self.errors + other.errors,
            self.decisions + other.decisions,
            self.hints + other.hints,
        )

    def words(self, name: str) -> str:
        """Tell the account in one sentence."""
        you = name.casefold() == "you"
        whose = "your" if you else f"{name}'s"
        cost = f"{whose} choices cost {100 * self.errors:.1f}" if self.decisions else "there was nothing to choose"
        others = "they" if you else "the others"
        return f"{name} rolled {signed(self.luck)} points, {others} {signed(self.others)}; {cost}."

    def skill_words(self) -> str:
        """Tell the skill figure and its class."""
        if self.skill is None:
            return "no decisions"
        hints = f", {self.hints} with a hint" if self.hints else ""
        return f"{self.skill:.2f} lost per decision, {named(self.skill)} ({self.decisions}{hints})"


class Round:
    """One round of a match under review."""

    def __init__(self, start: State, first_event: int, events: Sequence[Event], hints: Iterable[int] = ()) -> None:
        """Take the cleared table, the number of the round's first event, its events, and before which a hint came."""
        self.start = start
        self.first_event = first_event
        self.events = tuple(events)
        self.hints = frozenset(hints)

    @cached_property
    def odds(self) -> Odds:
        """The mathematics of the game."""
        return odds_of(self.start)

    @cached_property
    def moments(self) -> tuple[Moment, ...]:
        """Everything that happened in it, judged."""
        return tuple(self._judge())

    def _judge(self) -> Iterator[Moment]:
        before, values = self.start, self.odds.values(self.start)
        for number, event in enumerate(self.events, self.first_event):
            choices = self.odds.choices(before)
            state = before.apply(event.action, event.faces)
            after = self.odds.values(state)
            yield Moment(
                number,
                before,
                event,
                state,
                choices,
                choice_of(choices, before, event.action),
                values,
                self.odds.values_after(before, event.action),
                after,
                number in self.hints,
            )
            before, values = state, after

    @property
    def mistakes(self) -> tuple[Moment, ...]:
        """The moments where another choice was better."""
        return tuple(moment for moment in self.moments if moment.mistake)

    def chances(self) -> tuple[tuple[float, ...], ...]:
        """Return the chances of all seats before the first event and after each."""
        return (self.odds.values(self.start), *(moment.after for moment in self.moments))

    def ledger(self, seat: int) -> Ledger:
        """Return the account of a seat."""
        moments = self.moments
        own = [moment for moment in moments if moment.event.seat == seat]
        others = [moment for moment in moments if moment.event.seat != seat]
        chances = self.chances()
        return Ledger(
            start=chances[0][seat],
            result=chances[-1][seat],
            luck=sum(moment.luck for moment in own),
            others=sum(moment.after[seat] - moment.values[seat] for moment in others),
            errors=sum(moment.loss for moment in own),
            decisions=sum(not moment.forced for moment in own),
            hints=sum(moment.hinted and not moment.forced for moment in own),
        )


def rounds_of(match: Match) -> tuple[Round, ...]:
    """Split a match into its rounds."""
    state = match.start
    if match.events and state.to_act is None:
        state = state.next_round()
    rounds = []
    start, first = state, 0
    for number, event in enumerate(match.events):
        state = state.apply(event.action, event.faces)
        if state.to_act is None or number == len(match.events) - 1:
            rounds.append(Round(start, first, match.events[first : number + 1], match.hints))
            first = number + 1
            if first < len(match.events):
                start = state = state.next_round()
    return tuple(rounds)


@dataclass(frozen=True, slots=True)
class Ghost:
    """What best play makes of a seat's own dice in a round, the others doing what they did."""

    hands: tuple[Faces, ...]
    """Its hand after each of its choices."""
    value: float
    """What the odds give it in the end, from 0 to 1."""


def ghost(match: Match, round_: Round, seat: int) -> Ghost | None:
    """Play a round again with the same dice, one seat playing best. None when the dice are not of a seed."""
    if not isinstance(match.dice, FairDice):
        return None
    throws = sum(event.seat == seat and isinstance(event.action, Roll) for event in match.events[: round_.first_event])
    state = round_.start
    hands = []
    for event in round_.events:
        if state.to_act != event.seat:
            break
        action, faces = event.action, event.faces
        if event.seat == seat:
            choices = round_.odds.choices(state)
            if state.check(action) or choice_of(choices, state, action) is not choices[0]:
                action = choices[0].action
            throws += isinstance(action, Roll)
            faces = match.dice.throw(seat, throws, action.dice) if isinstance(action, Roll) else ()
        try:
            after = state.apply(action, faces)
        except IllegalAction:  # what another did is not possible beside best play
            break
        if event.seat == seat:
            hands.append(laid(state, action, faces))
        state = after
    return Ghost(tuple(hands), round_.odds.values(state)[seat])
