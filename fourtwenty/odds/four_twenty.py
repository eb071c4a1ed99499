"""The odds of 420, solved: what each choice of dice leads to, and what every hand is worth beside the others.

A hand's future depends on nobody else's dice, and hands with the same future are one class, so a seat is a curve: the
chance to make 20 in each of its next turns. The round is a race of such curves. What of this is proved, what computed
and to which precision is in docs/solution.md; the slow programme that it was compared with is in
docs/reference_solver.py.
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
from fourtwenty.odds import Choice, Goal, Outlook

LABELS: tuple[str, ...] = ("20", "over")
"""What the chances of a choice are chances of."""

CLASSES: tuple[str, ...] = ()
"""What a throw may make of the hand: nothing that has a name."""

AMOUNT = ""
"""What ``Choice.amount`` counts: nothing."""

LAMP = "They hardly ever do: play your own dice."
"""How often other hands matter to the best choice, in a sentence."""

SURELY = 1e-17
"""A race is over when the chance that nobody has made 20 yet is below this."""

HORIZON = 170
"""Turns that a curve looks ahead; two seats have both made no 20 by then with a chance below 1e-18."""

Stay = Faces
"""Dice that stay, ascending: all that matters of a roll."""

Hand = Faces
"""A hand as a multiset: its faces ascending; empty before the first roll."""


@dataclass(frozen=True, slots=True)
class Throw:
    """What throwing the dice that do not stay may come to."""

    twenty: float
    """The chance of exactly 20."""
    over: float
    """The chance of 21 or more."""
    classes: tuple[tuple[int, float], ...]
    """Each class of hands it may lead to, 20 apart, with its chance."""


@dataclass(frozen=True, slots=True)
class Curve:
    """What best play makes of a hand when nothing is known of the others, turn by turn."""

    now: tuple[float, ...]
    """The chance that the first 20 comes at the seat's so-many-th turn from now; at 0, none."""
    later: tuple[float, ...]
    """The chance that no 20 has come by then: 1 at 0."""


@dataclass(frozen=True, slots=True)
class Solution:
    """One seat alone."""

    classes: dict[Hand, int]
    """The class of every hand that is not 20; hands of one class have the same future."""
    stays: tuple[tuple[Stay, ...], ...]
    """By class, what the rules let stay."""
    throws: dict[Stay, Throw]
    best: tuple[Stay, ...]
    """By class, what stays in best play: the fewest rolls to 20 on average."""
    rolls: tuple[float, ...]
    """By class, how many rolls that is."""
    curves: dict[Stay, Curve]
    """What follows when these dice stay now, and best play later."""
    hurried: tuple[Stay, ...]
    """By class, what stays for the best chance of 20 at once; the same as ``best`` but for very few hands."""


@cache
def solve() -> Solution:
    """Solve the game for a seat alone, from the rules; takes some hundredths of a second, once."""
    hands = [(), *combinations_with_replacement(range(1, 7), len(DICE))]
    legal = {hand: _legal_stays(hand) for hand in hands if sum(hand) != GOAL}
    thrown = {stay: _thrown(stay) for stay in set().union(*legal.values())}
    classes = _refine(legal, thrown)
    count_of_classes = len(set(classes.values()))
    first = {classes[hand]: hand for hand in reversed(legal)}
    stays = tuple(legal[first[number]] for number in range(count_of_classes))
    throws = {stay: _throw(outcomes, classes) for stay, outcomes in thrown.items()}
    best, rolls = _fewest_rolls(stays, throws)
    hurried = tuple(
        max(options, key=lambda stay: (throws[stay].twenty, stay == calm))
        for options, calm in zip(stays, best, strict=True)
    )
    return Solution(classes, stays, throws, best, rolls, _curves(throws, best), hurried)


def _legal_stays(hand: Hand) -> tuple[Stay, ...]:
    """What the rules let stay of a hand, most dice first."""
    stays = {_staying(hand, roll) for roll in FourTwenty.at([hand, ()]).actions}
    return tuple(sorted(stays, key=lambda stay: (-len(stay), stay)))


def _thrown(stay: Stay) -> Counter[Hand]:
    """Every hand the other dice may make, with its number of cases."""
    throws = product(range(1, 7), repeat=len(DICE) - len(stay))
    return Counter(tuple(sorted(stay + faces)) for faces in throws)


def _refine(legal: dict[Hand, tuple[Stay, ...]], thrown: dict[Stay, Counter[Hand]]) -> dict[Hand, int]:
    """Split the hands into classes until any two of one class have the same choices of the same chances."""
    classes = dict.fromkeys(legal, 0)
    while True:
        futures: dict[Stay, frozenset[tuple[int, float]]] = {}
        for stay, outcomes in thrown.items():
            cases: Counter[int] = Counter()
            for hand, number in outcomes.items():
                cases[classes.get(hand, -1)] += number * 6 ** len(stay)  # of the same 1,296 cases for every stay
            futures[stay] = frozenset(cases.items())
        numbers: dict[object, int] = {}
        split = {
            hand: numbers.setdefault(frozenset(futures[stay] for stay in stays), len(numbers))
            for hand, stays in legal.items()
        }
        if len(numbers) == len(set(classes.values())):
            return split
        classes = split


def _throw(outcomes: Counter[Hand], classes: dict[Hand, int]) -> Throw:
    cases = outcomes.total()
    chances: Counter[int] = Counter()
    for hand, number in outcomes.items():
        if hand in classes:
            chances[classes[hand]] += number
    return Throw(
        twenty=sum(number for hand, number in outcomes.items() if sum(hand) == GOAL) / cases,
        over=sum(number for hand, number in outcomes.items() if sum(hand) > GOAL) / cases,
        classes=tuple((number, chance / cases) for number, chance in sorted(chances.items())),
    )


def _fewest_rolls(
    stays: tuple[tuple[Stay, ...], ...], throws: dict[Stay, Throw]
) -> tuple[tuple[Stay, ...], tuple[float, ...]]:
    """By class, what stays for the fewest rolls on average, and how many those are: value iteration."""
    rolls: tuple[float, ...] = (0.0,) * len(stays)
    while True:
        needed = {
            stay: 1 + sum(chance * rolls[number] for number, chance in throw.classes) for stay, throw in throws.items()
        }
        fewer = tuple(min(needed[stay] for stay in options) for options in stays)
        if max(abs(new - old) for new, old in zip(fewer, rolls, strict=True)) < 1e-13:
            return tuple(min(options, key=needed.__getitem__) for options in stays), fewer
        rolls = fewer


def _curves(throws: dict[Stay, Throw], best: tuple[Stay, ...]) -> dict[Stay, Curve]:
    now = {stay: [0.0, throw.twenty] for stay, throw in throws.items()}
    later = {stay: [1.0, 1 - throw.twenty] for stay, throw in throws.items()}
    for turn in range(2, HORIZON):
        for chances in now, later:
            before = [chances[stay][turn - 1] for stay in best]
            for stay, throw in throws.items():
                chances[stay].append(sum(chance * before[number] for number, chance in throw.classes))
    return {stay: Curve(tuple(now[stay]), tuple(later[stay])) for stay in throws}


# -- the round: a race of curves ---------------------------------------------------------------------------------


def _race(curves: Sequence[Curve]) -> tuple[float, ...]:
    """The chance of each to make 20 before the others; they take turns in this order."""
    wins = [0.0] * len(curves)
    for turn in range(1, HORIZON):
        open_after = [1.0]
        for curve in reversed(curves):
            open_after.append(open_after[-1] * curve.later[turn - 1])
        if open_after.pop() < SURELY:
            break
        open_before = 1.0
        for place, curve in enumerate(curves):
            wins[place] += open_before * curve.now[turn] * open_after.pop()
            open_before *= curve.later[turn]
    return tuple(wins)


def _openings(curves: Sequence[Curve], place: int) -> list[float]:
    """The chance that nobody else has made 20 before the so-many-th turn of the one at a place; at 0, nothing."""
    openings = [0.0]
    for turn in range(1, HORIZON):
        before = prod(curve.later[turn] for curve in curves[:place])
        after = prod(curve.later[turn - 1] for curve in curves[place + 1 :])
        openings.append(before * after)
        if openings[-1] < SURELY:
            break
    return openings


def _win(curve: Curve, openings: Sequence[float]) -> float:
    return sum(now * opening for now, opening in zip(curve.now, openings, strict=False))


@lru_cache(maxsize=1 << 16)
def _stakes(classes: tuple[int, ...]) -> tuple[dict[Stay, float], tuple[Stay, ...]]:
    """What each stay of the first in turn is worth to it, and what stays at everybody's next turn in best play.

    Where hurrying may pay, a seat does what is best beside the curves of the others.
    """
    solution = solve()
    stays = [solution.best[number] for number in classes]
    curves = [solution.curves[stay] for stay in stays]
    for place in reversed(range(len(classes))):
        number = classes[place]
        if place and solution.hurried[number] == solution.best[number]:
            continue
        openings = _openings(curves, place)
        wins = {stay: _win(solution.curves[stay], openings) for stay in solution.stays[number]}
        stays[place] = max(wins, key=lambda stay: (wins[stay], stay == solution.best[number]))
        curves[place] = solution.curves[stays[place]]
    return wins, tuple(stays)


@lru_cache(maxsize=1 << 16)
def _wins(stays: tuple[Stay, ...]) -> tuple[float, ...]:
    """The chance of each in turn to win the round when these dice stay at their next turns."""
    return _race([solve().curves[stay] for stay in stays])


@dataclass(frozen=True, slots=True)
class Evening:
    """What a round of some players is worth before anybody has rolled, by seat from Player 1."""

    round: tuple[float, ...]
    """The chance to win the round."""
    drinks: tuple[float, ...]
    """The chance to buy the drinks in the end."""


@cache
def evening(players: int) -> Evening:
    """Return what the seats of a cleared table are worth, by their number: one or more."""
    if players == 1:
        return Evening((0.0,), (1.0,))
    for fewer in range(1, players):  # so that the recursion stays flat
        evening(fewer)
    wins = _wins((solve().best[0],) * players)
    return Evening(wins, _drinks(wins))


def _drinks(wins: Sequence[float]) -> tuple[float, ...]:
    """The chance to buy the drinks from that to win this round, both by seat from Player 1.

    The winner drops out, and the others play on from the seat to the left of Player 1 (rules.md, "next round").
    """
    drinks = evening(len(wins) - 1).drinks
    winning = (*wins[1:], wins[0])
    sooner = list(accumulate(winning, initial=0.0))
    paying = [
        (drinks[place - 1] * sooner[place] if place else 0.0)
        + (drinks[place] * (sooner[-1] - sooner[place + 1]) if place < len(drinks) else 0.0)
        for place in range(len(winning))
    ]
    return (paying[-1], *paying[:-1])


# -- what the table asks -----------------------------------------------------------------------------------------


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, the best first; none when the round is over."""
    table = cast(FourTwenty, state)
    return () if table.to_act is None else _choices(table.hands[table.to_act], _classes(table))


def values(state: State) -> tuple[float, ...]:
    """Return by seat the chance to win the round, from 0 to 1, when everybody plays best from here on."""
    table = cast(FourTwenty, state)
    if table.winner is not None:
        return tuple(float(seat == table.winner) for seat in range(table.seats))
    _, stays = _stakes(_classes(table))
    return _by_seat(table, _wins(stays))


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return the same after a roll of the seat to act, before its dice have landed."""
    table = cast(FourTwenty, state)
    assert table.to_act is not None
    assert isinstance(action, Roll)
    _, (_, *others) = _stakes(_classes(table))
    return _by_seat(table, _wins((_staying(table.hands[table.to_act], action), *others)))


def goal(state: State) -> Goal:  # noqa: ARG001
    """Return what ``values`` are chances of."""
    return Goal("round", "chance of the round")


def second(state: State) -> Outlook | None:
    """Return who buys the drinks, where that is not simply the loser of the round."""
    return Outlook("drinks", drinks(state), share=True) if state.seats > 2 else None


def ending(state: State) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return by seat the chances to drop out first, from the first round on, and to buy the drinks."""
    return values(state), drinks(state)


def drinks(state: State) -> tuple[float, ...]:
    """Return by seat the chance to buy the drinks, from 0 to 1; 0 for seats that are out."""
    table = cast(FourTwenty, state)
    wins = values(table)
    paying = dict(zip(table.order, _drinks([wins[seat] for seat in table.order]), strict=True))
    return tuple(paying.get(seat, 0.0) for seat in range(table.seats))


def others_matter(state: State) -> bool:
    """Say whether the best choice now would be another one beside other hands.

    They do when it differs between others who all have the weakest hand and others who all have the strongest.
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
    found: dict[Stay, Choice] = {}
    for roll in FourTwenty.at([hand, ()]).actions:
        stay = _staying(hand, roll)
        if stay not in found:
            throw = solve().throws[stay]
            kept = tuple(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice)
            found[stay] = Choice(roll, kept, (throw.twenty, throw.over), wins[stay])
    return tuple(found[stay] for stay in sorted(found, key=lambda stay: (stay != best, -wins[stay])))


def _turns(table: FourTwenty) -> tuple[int, ...]:
    """The seats of the round in turn, the one to act first."""
    gone = table.rolls % len(table.order)
    return table.order[gone:] + table.order[:gone]


def _classes(table: FourTwenty) -> tuple[int, ...]:
    """The classes of the hands in turn."""
    classes = solve().classes
    return tuple(classes[tuple(sorted(table.hands[seat]))] for seat in _turns(table))


def _by_seat(table: FourTwenty, in_turn: Iterable[float]) -> tuple[float, ...]:
    shares = dict(zip(_turns(table), in_turn, strict=True))
    return tuple(shares.get(seat, 0.0) for seat in range(table.seats))


def _staying(hand: Faces, roll: Roll) -> Stay:
    return tuple(sorted(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice))
