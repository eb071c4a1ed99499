"""The odds of 420: the result of each choice, and the value of every hand beside the others.

A seat's future does not depend on the dice of others, and hands with the same future form one class. So a seat is a
curve: the probability to make 20 in each of its next turns. A round is a race of curves. docs/solution.md says which
results are proved and how precise they are; docs/reference_solver.py is the slow program that confirmed them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import prod
from typing import cast

from fourtwenty.games.four_twenty import DICE, GOAL, FourTwenty
from fourtwenty.games.game import Action, Faces, Roll, State
from fourtwenty.odds import Choice, Ending, Goal, Outlook

LABELS: tuple[str, ...] = ("20", "over")
"""The outcomes of a choice: exactly 20, and more."""

CLASSES: tuple[str, ...] = ()
"""The classes of hands: 420 has no names for them."""

AMOUNT = ""
"""The unit of ``Choice.amount``: 420 has none."""

LAMP = "They hardly ever do: play your own dice."
"""A sentence that says how often other hands change the best choice."""

NEGLIGIBLE = 1e-17
"""A race is summed until the probability that nobody has made 20 yet is below this."""

HORIZON = 170
"""The number of turns in a curve. The probability that neither of two seats makes 20 in them is below 1e-18."""

Kept = Faces
"""Kept dice as a multiset: ascending. Nothing else matters of a roll."""

SortedHand = Faces
"""A hand as a multiset: its faces, ascending; empty before the first roll."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The outcomes of a throw of the dice that are not kept."""

    twenty: float
    """The probability of exactly 20."""
    over: float
    """The probability of 21 or more."""
    classes: tuple[tuple[int, float], ...]
    """Each possible class of hands and its probability; 20 is not among them."""


@dataclass(frozen=True, slots=True)
class TurnCurve:
    """The turns until a seat makes 20, with the best play of a seat alone."""

    now: tuple[float, ...]
    """``[turn]``: the probability that the first 20 comes on the seat's turn of that number from now; 0 at index 0."""
    later: tuple[float, ...]
    """``[turn]``: the probability that no 20 has come by then; 1 at index 0."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The solution for a seat alone. ``[class]`` in a shape is the number of a class of hands."""

    classes: dict[SortedHand, int]
    """``[hand]``: the class of every hand that is not 20. Hands of one class have the same future."""
    allowed: tuple[tuple[Kept, ...], ...]
    """``[class]``: the sets of dice that the rules allow to keep."""
    throws: dict[Kept, Throw]
    """``[kept]``: the outcomes of a throw of the other dice."""
    best: tuple[Kept, ...]
    """``[class]``: the dice to keep in best play, which needs the fewest rolls to 20 on average."""
    rolls: tuple[float, ...]
    """``[class]``: that number of rolls."""
    curves: dict[Kept, TurnCurve]
    """``[kept]``: the curve of a seat that keeps these dice now and plays best later."""
    hurried: tuple[Kept, ...]
    """``[class]``: the dice to keep for 20 on the next roll. Few classes differ from ``best``."""


@cache
def solve() -> Solution:
    """Return the solution for a seat alone, computed from the rules. The first call takes about 30 ms."""
    hands = [(), *combinations_with_replacement(range(1, 7), len(DICE))]
    legal = {hand: _legal_keeps(hand) for hand in hands if sum(hand) != GOAL}
    thrown = {kept: _thrown(kept) for kept in set().union(*legal.values())}
    classes = _refine(legal, thrown)
    member = {classes[hand]: hand for hand in reversed(legal)}
    allowed = tuple(legal[member[hand_class]] for hand_class in range(len(member)))
    throws = {kept: _throw(outcomes, classes) for kept, outcomes in thrown.items()}
    best, rolls = _fewest_rolls(allowed, throws)
    hurried = tuple(
        max(options, key=lambda kept: (throws[kept].twenty, kept == calm))
        for options, calm in zip(allowed, best, strict=True)
    )
    return Solution(classes, allowed, throws, best, rolls, _curves(throws, best), hurried)


def _legal_keeps(hand: SortedHand) -> tuple[Kept, ...]:
    """Return the sets of dice of a hand that the rules allow to keep, most dice first."""
    allowed = {_kept(hand, roll) for roll in FourTwenty.at([hand, ()]).actions}
    return tuple(sorted(allowed, key=lambda kept: (-len(kept), kept)))


def _thrown(kept: Kept) -> Counter[SortedHand]:
    """Return ``cases[hand]``: the number of throws of the other dice that make each hand."""
    throws = product(range(1, 7), repeat=len(DICE) - len(kept))
    return Counter(tuple(sorted(kept + faces)) for faces in throws)


def _refine(
    legal: dict[SortedHand, tuple[Kept, ...]], thrown: dict[Kept, Counter[SortedHand]]
) -> dict[SortedHand, int]:
    """Return ``classes[hand]``: the fewest classes whose hands have choices of equal chances (partition refinement).

    All probabilities are counted in whole cases of 1,296.
    """
    classes = dict.fromkeys(legal, 0)
    while True:
        futures: dict[Kept, frozenset[tuple[int, float]]] = {}
        for kept, outcomes in thrown.items():
            cases: Counter[int] = Counter()
            for hand, count in outcomes.items():
                cases[classes.get(hand, -1)] += count * 6 ** len(kept)
            futures[kept] = frozenset(cases.items())
        class_of: dict[object, int] = {}
        split = {
            hand: class_of.setdefault(frozenset(futures[kept] for kept in allowed), len(class_of))
            for hand, allowed in legal.items()
        }
        if len(class_of) == len(set(classes.values())):
            return split
        classes = split


def _throw(outcomes: Counter[SortedHand], classes: dict[SortedHand, int]) -> Throw:
    total = outcomes.total()
    cases: Counter[int] = Counter()
    for hand, count in outcomes.items():
        if hand in classes:
            cases[classes[hand]] += count
    return Throw(
        twenty=sum(count for hand, count in outcomes.items() if sum(hand) == GOAL) / total,
        over=sum(count for hand, count in outcomes.items() if sum(hand) > GOAL) / total,
        classes=tuple((hand_class, count / total) for hand_class, count in sorted(cases.items())),
    )


def _fewest_rolls(
    allowed: tuple[tuple[Kept, ...], ...], throws: dict[Kept, Throw]
) -> tuple[tuple[Kept, ...], tuple[float, ...]]:
    """Return (dice to keep for the fewest rolls to 20, that number of rolls), both ``[class]``, by value iteration."""
    rolls: tuple[float, ...] = (0.0,) * len(allowed)
    while True:
        needed = {
            kept: 1 + sum(chance * rolls[hand_class] for hand_class, chance in throw.classes)
            for kept, throw in throws.items()
        }
        fewer = tuple(min(needed[kept] for kept in options) for options in allowed)
        if max(abs(new - old) for new, old in zip(fewer, rolls, strict=True)) < 1e-13:
            return tuple(min(options, key=needed.__getitem__) for options in allowed), fewer
        rolls = fewer


def _curves(throws: dict[Kept, Throw], best: tuple[Kept, ...]) -> dict[Kept, TurnCurve]:
    now = {kept: [0.0, throw.twenty] for kept, throw in throws.items()}
    later = {kept: [1.0, 1 - throw.twenty] for kept, throw in throws.items()}
    for turn in range(2, HORIZON):
        for chances in now, later:
            before = [chances[kept][turn - 1] for kept in best]
            for kept, throw in throws.items():
                chances[kept].append(sum(chance * before[hand_class] for hand_class, chance in throw.classes))
    return {kept: TurnCurve(tuple(now[kept]), tuple(later[kept])) for kept in throws}


# -- the round: a race of curves ---------------------------------------------------------------------------------


def _race(curves: Sequence[TurnCurve]) -> tuple[float, ...]:
    """Return the probability of each curve to be the first with a 20, in turn order."""
    wins = [0.0] * len(curves)
    for turn in range(1, HORIZON):
        open_after = [1.0]
        for curve in reversed(curves):
            open_after.append(open_after[-1] * curve.later[turn - 1])
        if open_after.pop() < NEGLIGIBLE:
            break
        open_before = 1.0
        for index, curve in enumerate(curves):
            wins[index] += open_before * curve.now[turn] * open_after.pop()
            open_before *= curve.later[turn]
    return tuple(wins)


def _openings(curves: Sequence[TurnCurve], index: int) -> list[float]:
    """Return ``openings[turn]``: the probability that nobody else has made 20 before that turn of ``curves[index]``."""
    openings = [0.0]
    for turn in range(1, HORIZON):
        before = prod(curve.later[turn] for curve in curves[:index])
        after = prod(curve.later[turn - 1] for curve in curves[index + 1 :])
        openings.append(before * after)
        if openings[-1] < NEGLIGIBLE:
            break
    return openings


def _win(curve: TurnCurve, openings: Sequence[float]) -> float:
    return sum(now * opening for now, opening in zip(curve.now, openings, strict=False))


@lru_cache(maxsize=1 << 16)
def _stakes(classes: tuple[int, ...]) -> tuple[dict[Kept, float], tuple[Kept, ...]]:
    """Return (win probability by dice that the seat to act keeps, dice that each seat keeps at its next turn).

    ``classes`` are those of all hands in turn order, the seat to act first. That seat, and every seat that could hurry,
    keeps what is best beside the curves of the others; the rest keep what is best for a seat alone.
    """
    solution = solve()
    plays = [solution.best[hand_class] for hand_class in classes]
    curves = [solution.curves[kept] for kept in plays]
    for index in reversed(range(len(classes))):
        hand_class = classes[index]
        if index and solution.hurried[hand_class] == solution.best[hand_class]:
            continue
        openings = _openings(curves, index)
        wins = {kept: _win(solution.curves[kept], openings) for kept in solution.allowed[hand_class]}
        plays[index] = max(wins, key=lambda kept: (wins[kept], kept == solution.best[hand_class]))
        curves[index] = solution.curves[plays[index]]
    return wins, tuple(plays)


@lru_cache(maxsize=1 << 16)
def _wins(plays: tuple[Kept, ...]) -> tuple[float, ...]:
    """Return the win probability of each seat in turn order, when they keep these dice at their next turns."""
    return _race([solve().curves[kept] for kept in plays])


@dataclass(frozen=True, slots=True)
class Evening:
    """The odds before the first roll of a round; ``[seat]`` counts from Player 1."""

    round: tuple[float, ...]
    """``[seat]``: the probability to win the round."""
    drinks: tuple[float, ...]
    """``[seat]``: the probability to buy the drinks at the end of the match."""


@cache
def evening(players: int) -> Evening:
    """Return the odds before the first roll of a round with this number of players, one or more."""
    if players == 1:
        return Evening((0.0,), (1.0,))
    for fewer in range(1, players):  # the recursion of hundreds of players would be too deep
        evening(fewer)
    wins = _wins((solve().best[0],) * players)
    return Evening(wins, _drinks(wins))


def _drinks(wins: Sequence[float]) -> tuple[float, ...]:
    """Return ``[seat]`` of the probability to buy the drinks from that to win this round, both counted from Player 1.

    The winner drops out, and the next seat to the left of Player 1 starts the next round (docs/rulings.md, 420, "next
    round").
    """
    drinks = evening(len(wins) - 1).drinks
    winning = (*wins[1:], wins[0])
    sooner = list(accumulate(winning, initial=0.0))
    paying = [
        (drinks[seat - 1] * sooner[seat] if seat else 0.0)
        + (drinks[seat] * (sooner[-1] - sooner[seat + 1]) if seat < len(drinks) else 0.0)
        for seat in range(len(winning))
    ]
    return (paying[-1], *paying[:-1])


# -- the protocol Odds -------------------------------------------------------------------------------------------


def best(state: State) -> Action:
    """Return the action of the first of ``choices``."""
    return choices(state)[0].action


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, best first; empty when the round is over."""
    table = cast(FourTwenty, state)
    return () if table.to_act is None else _choices(table.hands[table.to_act], _classes(table))


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to win the round, from 0 to 1, with best play of every seat."""
    table = cast(FourTwenty, state)
    if table.winner is not None:
        return tuple(float(seat == table.winner) for seat in range(table.seats))
    _, plays = _stakes(_classes(table))
    return _by_seat(table, _wins(plays))


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return ``values`` once the seat to act has chosen a roll: the expectation over its throw."""
    table = cast(FourTwenty, state)
    assert table.to_act is not None
    assert isinstance(action, Roll)
    _, (_, *others) = _stakes(_classes(table))
    return _by_seat(table, _wins((_kept(table.hands[table.to_act], action), *others)))


def goal(state: State) -> Goal:  # noqa: ARG001
    """Return the goal: to win the round."""
    return Goal("round", "chance of the round")


def outlook(state: State) -> Outlook | None:
    """Return the probability of every seat to buy the drinks; None for two seats, where the loser of the round does."""
    return Outlook("drinks", drinks(state), share=True) if state.seats > 2 else None


def approximate(state: State) -> bool:
    """Return whether the values are estimates: from four seats up, later hurried turns are left out."""
    return len(cast(FourTwenty, state).order) > 3


def ending(state: State) -> Ending:
    """Return the probabilities to win the round, for a state of the first round, and to buy the drinks."""
    return Ending(values(state), drinks(state))


def drinks(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to buy the drinks, from 0 to 1; 0 for seats that are out."""
    table = cast(FourTwenty, state)
    wins = values(table)
    paying = dict(zip(table.order, _drinks([wins[seat] for seat in table.order]), strict=True))
    return tuple(paying.get(seat, 0.0) for seat in range(table.seats))


def others_matter(state: State) -> bool:
    """Return whether the best choice depends on the other hands on the table.

    It does when it differs between the weakest and the strongest hands of all others.
    """
    table = cast(FourTwenty, state)
    if table.to_act is None:
        return False
    solution = solve()
    mine, *others = _classes(table)
    weakest, strongest = (solution.rolls.index(most(solution.rolls)) for most in (max, min))
    return len({_stakes((mine, *[other] * len(others)))[1][0] for other in (weakest, strongest)}) > 1


@lru_cache(maxsize=1 << 14)
def _choices(hand: Faces, classes: tuple[int, ...]) -> tuple[Choice, ...]:
    wins, (best, *_) = _stakes(classes)
    found: dict[Kept, Choice] = {}
    for roll in FourTwenty.at([hand, ()]).actions:
        kept = _kept(hand, roll)
        if kept not in found:
            throw = solve().throws[kept]
            by_position = tuple(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice)
            found[kept] = Choice(roll, by_position, (throw.twenty, throw.over), wins[kept])
    return tuple(found[kept] for kept in sorted(found, key=lambda kept: (kept != best, -wins[kept])))


def _turns(table: FourTwenty) -> tuple[int, ...]:
    """Return the seats of the round in turn order, the seat to act first."""
    index = table.rolls % len(table.order)
    return table.order[index:] + table.order[:index]


def _classes(table: FourTwenty) -> tuple[int, ...]:
    """Return the classes of the hands in turn order."""
    classes = solve().classes
    return tuple(classes[tuple(sorted(table.hands[seat]))] for seat in _turns(table))


def _by_seat(table: FourTwenty, in_turn: Iterable[float]) -> tuple[float, ...]:
    shares = dict(zip(_turns(table), in_turn, strict=True))
    return tuple(shares.get(seat, 0.0) for seat in range(table.seats))


def _kept(hand: Faces, roll: Roll) -> Kept:
    return tuple(sorted(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice))
