"""The sections of docs/solution.md about 420. solution.py runs them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

import reference_ladder
import reference_solver

from fourtwenty.games.four_twenty import GOAL, FourTwenty, parse_hand
from fourtwenty.games.game import Faces
from fourtwenty.odds import four_twenty
from fourtwenty.odds.four_twenty import Kept, TurnCurve, evening, solve

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

STARTS = (2, 3, 4, 5, 6, 7, 8, 12)

LADDER_TURNS = 1200
"""The turns in a curve of the ladder. The probability that none of them makes 20 is below 1e-14, even of four dice."""


def dice(faces: Faces) -> str:
    """Return dice as text, highest first."""
    return "".join(map(str, sorted(faces, reverse=True))) or "-"


def classes() -> None:
    """Print the dice that each class of hands may keep, and its average number of rolls to 20."""
    solution = solve()
    members: dict[int, list[Faces]] = defaultdict(list)
    for hand, hand_class in solution.classes.items():
        members[hand_class].append(hand)
    print("hands  such as  may keep                      keeps  at once   over   rolls")
    for hand_class in sorted(members, key=solution.rolls.__getitem__):
        best = solution.best[hand_class]
        options = " ".join(map(dice, solution.allowed[hand_class]))
        throw = solution.throws[best]
        print(
            f"{len(members[hand_class]):5}  {dice(members[hand_class][-1]):7}  {options:29} {dice(best):5}"
            f"  {100 * throw.twenty:5.2f}%{100 * throw.over:6.1f}%  {solution.rolls[hand_class]:6.3f}"
        )
    print(f"{len(solution.classes)} hands, that of no dice included, in {len(members)} classes; 5 more hands are 20.")
    print(f"rolls: off by at most {four_twenty.PRECISION * 1296 / 35:.0e}")


def horizons() -> None:
    """Print the hands with a better choice than the usual one for 20 within a given number of rolls.

    Numbers of rolls are tried one by one until the rest follow (docs/solution.md, "One seat").
    """
    solution = solve()

    def after_a_roll(missed: Sequence[float]) -> dict[Kept, float]:
        return {
            kept: sum(chance * missed[hand_class] for hand_class, chance in throw.classes)
            for kept, throw in solution.throws.items()
        }

    lasting = [1.0] * len(solution.allowed)
    for _ in range(300):  # the second eigenvalue is 0.75 of the leading one: 0.75^300 is 3e-38
        misses = after_a_roll(lasting)
        lasting = [misses[best] / misses[()] for best in solution.best]
    misses = after_a_roll(lasting)
    lead = min(
        misses[kept] / misses[best] - 1
        for allowed, best in zip(solution.allowed, solution.best, strict=True)
        for kept in allowed
        if kept != best
    )
    missed, rolls, spread = [1.0] * len(lasting), 0, 1.0
    while spread >= lead:
        rolls += 1
        misses = after_a_roll(missed)
        missed = [min(map(misses.__getitem__, allowed)) for allowed in solution.allowed]
        for hand_class, best in enumerate(solution.best):
            if misses[best] > missed[hand_class] + 1e-15:
                hands = " ".join(dice(hand) for hand, member in solution.classes.items() if member == hand_class)
                better = min(solution.allowed[hand_class], key=misses.__getitem__)
                found = ", ".join(f"{dice(kept)} {100 - 100 * misses[kept]:.2f}%" for kept in (better, best))
                print(f"within {rolls} roll{'s' * (rolls > 1)}, {hands}: {found}")
        ratios = [mine / theirs for mine, theirs in zip(missed, lasting, strict=True)]
        spread = max(ratios) / min(ratios) - 1
    print("within any other number of rolls the usual choice is one of the likeliest, with every hand:")
    print(f"after {rolls} the misses are an eigenvector within {100 * spread:.2g}%,", end=" ")
    print(f"and any other choice misses {100 * lead:.2g}% more")


def lamp() -> None:
    """Print the numbers of players at which other hands matter to a hand, by the fast odds."""
    for hand in solve().classes:
        tables = [
            str(players)
            for players in range(2, 41)
            if four_twenty.others_matter(FourTwenty.at([hand, *[()] * (players - 1)]))
        ]
        if tables:
            print(f"{dice(hand)}: of 2 to 40 players, at {' '.join(tables)}")


def start() -> None:
    """Print the odds of every seat before the first roll."""
    for name, chances in (("win the round", "round"), ("buy the drinks", "drinks")):
        print(f"Chance to {name}, in %, by seat from Player 1")
        for players in STARTS:
            known = players <= four_twenty.CHECKED_TABLE
            row = (f"{100 * chance:5.{2 if known else 1}f}" for chance in getattr(evening(players), chances)[:12])
            print(f"{'' if known else 'about':6}{players:3}  {' '.join(row)}{' ...' * (players > 12)}")


def note() -> None:
    """Print the odds for the author's two claims about 6-5-5-1."""
    for other in ("6541", "4332"):
        position = FourTwenty.at([parse_hand("6551"), parse_hand(other)])
        print(f"6551 beside {other}")
        for choice in four_twenty.choices(position):
            twenty, over = choice.chances
            print(
                f"  {dice(choice.kept):4} kept:  20 {100 * twenty:5.2f}%   over {100 * over:5.2f}%"
                f"   round {100 * choice.value:6.3f}%"
            )


def fraction() -> None:
    """Print the exact probability that Player 1 of two wins."""
    chance = reference_solver.exact_start()
    print(f"{chance.numerator}\n/ {chance.denominator}\n= {float(chance):.16f}")


def full(players: int, drinks: bool = False) -> None:
    """Print the full dynamic programme for up to five players, and a comparison of the fast odds with it."""
    import full_programme as programme
    import numpy as np

    prizes = (
        reference_solver.for_the_drinks(evening(players - 1).drinks)
        if drinks
        else reference_solver.for_the_round(players)
    )
    found = programme.bounds(prizes)
    worth = (found.low + found.high) / 2
    lead, keeps = 1.0, defaultdict[int, Counter[str]](Counter)
    for phase, each in enumerate(prizes):
        stakes = programme.after(worth[(phase + 1) % len(prizes)], each)[0]
        for number, allowed in enumerate(programme.ALLOWED):
            ranked = np.sort(stakes[allowed], axis=0)
            lead = min(lead, float((ranked[-1] - ranked[-2]).min())) if len(allowed) > 1 else lead
            for choice, times in Counter(stakes[allowed].argmax(axis=0).tolist()).items():
                keeps[number][dice(programme.KEEPS[allowed[choice]])] += times
    goal = "not to buy the drinks" if drinks else "to win the round"
    begin = worth[0, :, 0]
    print(f"{players} players who play {goal}: {len(prizes) * programme.CLASSES**players:,} positions")
    print("  a cleared table, in %:", " ".join(f"{100 * (1 - each if drinks else each):.9f}" for each in begin))
    print(f"  bounds of all values: at most {100 * found.gap:.0e} points apart")
    print(f"  choices left in every position: {'one' if found.unique else 'some with more than one'}")
    print(f"  smallest lead of a best choice over the next: {100 * lead:.1g} points")
    usual = {number: dice(best) for number, best in enumerate(solve().best)}
    for number, counts in keeps.items():
        if set(counts) != {usual[number]}:
            hands = " ".join(dice(hand) for hand, member in solve().classes.items() if member == number)
            ways = ", ".join(f"{kept} in {times:,}" for kept, times in sorted(counts.items()))
            print(f"  {hands}: best to keep {ways}")
    if all(set(counts) == {usual[number]} for number, counts in keeps.items()):
        print("  every hand has one best choice, whatever the other hands are: that of a seat alone")
    if not drinks:
        of_groups = worth[0].reshape(players, *[programme.CLASSES] * players)
        for _ in range(players):
            of_groups = np.moveaxis(of_groups.take(programme.MEMBER, axis=1), 1, -1)
        compare(players, of_groups.reshape(players, -1), sample=None)


def grouped(players: int, precision: float) -> None:
    """Print the programme for six or seven players, and a comparison of the fast odds with it."""
    import full_programme as programme

    worth, change = programme.equilibrium(players, precision)
    print(f"{players} players who play to win the round: {programme.GROUPS**players:,} positions by groups")
    print("  a cleared table, in %:", " ".join(f"{100 * each:.6f}" for each in worth[:, 0]))
    print(
        f"  off by at most {100 * change / programme.LEAST_TWENTY:.0e} points; another choice brings at most", end=" "
    )
    print(f"{100 * max(0.0, programme.most_gain(worth, players)):.0e} more")
    compare(players, worth, sample=3000)


def compare(players: int, worth: NDArray[float64], sample: int | None) -> None:
    """Print the errors of the fast odds against ``worth[seat][position]`` by groups."""
    import full_programme as programme
    import numpy as np

    habit = four_twenty._habit(players)
    groups = [programme.GROUP[number] for number in habit.hurries]
    table = np.arange(programme.GROUPS**players)
    hurried = np.zeros(len(table), bool)
    for seat in range(players):
        hurried |= np.isin(table // programme.GROUPS**seat % programme.GROUPS, groups)
    calm = ~hurried
    race = programme.patient_race(players, habit.curves, habit.keeps)
    off = np.zeros(len(table))
    for mine, theirs in zip(race, worth, strict=True):
        np.maximum(off, np.abs(mine - theirs), out=off)
    print(f"  the fast odds, nobody may hurry: {calm.sum():,} positions")
    print(f"    values off by at most {100 * off[calm].max():.2g} points, on average {100 * off[calm].mean():.1g}")
    places = table[hurried].tolist()
    if not places:
        return
    if sample:
        places = Random(420).sample(places, sample)
    errors, losses = [], []
    for place in places:
        position = np.unravel_index(place, (programme.GROUPS,) * players)
        hands = tuple(programme.MEMBER[int(group)] for group in position)
        best = four_twenty._best(hands)
        wins = four_twenty._wins.__wrapped__(hands, best)
        errors.append(max(abs(one - other) for one, other in zip(wins, worth[:, place], strict=True)))
        if hands[0] in habit.hurries:
            kept = programme.KEEPS.index(best)
            after = np.ravel_multi_index((*position[1:], 0), (programme.GROUPS,) * players)
            reached = worth[-1, after : after + programme.GROUPS]
            losses.append(worth[0, place] - programme.TWENTY[kept] - programme.TO_GROUP[kept] @ reached)
    wrong = sum(loss > 1e-9 for loss in losses)
    far = sum(error > 5e-4 for error in errors)
    print(f"  the fast odds, somebody may hurry: {len(places):,} positions{' drawn by lot' if sample else ''}")
    print(f"    values off by at most {100 * max(errors):.2g} points, on average {100 * np.mean(errors):.1g},", end=" ")
    print(f"by more than 0.05 in {far:,}")
    print(f"    choice wrong in {wrong:,} of {len(losses):,}, where it loses at most {100 * max(losses):.1g} points")


def simple_rules() -> dict[str, Callable[[Faces], Kept]]:
    """Return the rules of the ladder by their words: each says which dice of a hand to keep."""
    solution = solve()

    def most(hand: Faces, order: Callable[[Kept], object]) -> Kept:
        return max(solution.allowed[solution.classes[hand]], key=lambda kept: (len(kept), order(kept)))

    def up_to(count: int) -> Callable[[Faces], Kept]:
        def keep(hand: Faces) -> Kept:
            kept = (kept for kept in solution.allowed[solution.classes[hand]] if len(kept) <= count)
            return max(kept, key=lambda kept: (len(kept), sum(kept)))

        return keep

    def of(*faces: int) -> Callable[[Faces], Kept]:
        def keep(hand: Faces) -> Kept:
            allowed = solution.allowed[solution.classes[hand]]
            return max((kept for kept in allowed if set(kept) <= set(faces)), key=lambda kept: (len(kept), sum(kept)))

        return keep

    return {
        "keep as many dice as you may, the lowest": lambda hand: most(hand, lambda kept: -sum(kept)),
        "  but of 6661, 6651 and 6652 only 66": lambda hand: (
            (6, 6) if hand in ((1, 6, 6, 6), (1, 5, 6, 6), (2, 5, 6, 6)) else most(hand, lambda kept: -sum(kept))
        ),
        "keep as many dice as you may, the highest": lambda hand: most(hand, sum),
        "keep 6s, 5s and 4s, as many as you may": of(6, 5, 4),
        "keep 6s and 5s, as many as you may": of(6, 5),
        "keep 6s, as many as you may": of(6),
        "keep two dice at most, the highest": up_to(2),
        "keep one die at most, the highest": up_to(1),
        "roll all four": up_to(0),
    }


def ladder_figures() -> dict[str, tuple[float, ...]]:
    """Return, by rule: its average number of rolls to 20, then its price for each seat of two and each of three.

    A price is the chance to win the round that a seat gives away beside seats that play best.
    """
    solution = solve()
    best = four_twenty._curves(solution.throws, solution.best, LADDER_TURNS)[()]
    figures = {}
    for name, rule in simple_rules().items():
        mine = curve_of(rule)
        prices = [
            evening(players).round[seat]
            - four_twenty._race([mine if other == seat else best for other in range(players)])[seat]
            for players in (2, 3)
            for seat in range(players)
        ]
        figures[name] = (sum(mine.later), *prices)
    return figures


def ladder() -> None:
    """Print what simple rules cost beside seats that play best, averaged over the seats of the table."""
    print(f"{'':43}rolls   of two: average  Player 1  Player 2   of three: average")
    for name, (rolls, *prices) in ladder_figures().items():
        costs = [100 * price + 1e-9 for price in prices]  # so that no rounding error is shown as -0.00
        print(
            f"{name:42}{rolls:6.3f}{sum(costs[:2]) / 2:18.2f}{costs[0]:10.2f}{costs[1]:10.2f}{sum(costs[2:]) / 3:20.2f}"
        )


def second_ladder() -> float:
    """Return the largest difference between the ladder and reference_ladder.py, which shares no code with it."""
    figures, second = ladder_figures(), reference_ladder.ladder()
    assert figures.keys() == second.keys()
    return max(abs(one - other) for rule in figures for one, other in zip(figures[rule], second[rule], strict=True))


def curve_of(rule: Callable[[Faces], Kept]) -> TurnCurve:
    """Return the curve of a seat that has not rolled and follows a rule for every hand."""
    keeps = {hand: rule(hand) for hand in solve().classes}
    moves: dict[Kept, dict[Kept, float]] = {}
    twenty: dict[Kept, float] = {}
    for kept in set(keeps.values()):
        outcomes = four_twenty._thrown(kept)
        moves[kept] = defaultdict(float)
        for hand, cases in outcomes.items():
            if sum(hand) != GOAL:
                moves[kept][keeps[hand]] += cases / outcomes.total()
        twenty[kept] = 1 - sum(moves[kept].values())
    chances: dict[Kept, float] = {keeps[()]: 1.0}
    now, later = [0.0], [1.0]
    for _ in range(LADDER_TURNS - 1):
        now.append(sum(chance * twenty[kept] for kept, chance in chances.items()))
        reached: dict[Kept, float] = defaultdict(float)
        for kept, chance in chances.items():
            for following, probability in moves[kept].items():
                reached[following] += chance * probability
        chances = reached
        later.append(sum(chances.values()))
    return TurnCurve(tuple(now), tuple(later))


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "classes": ("at once", classes),
    "horizons": ("at once", horizons),
    "start": ("at once", start),
    "note": ("at once", note),
    "lamp": ("at once", lamp),
    "fraction": ("seconds", fraction),
    "ladder-420": ("at once", ladder),
    "two": ("seconds", lambda: full(2)),
    "three": ("seconds", lambda: full(3)),
    "three-drinks": ("seconds", lambda: full(3, drinks=True)),
    "four": ("a minute", lambda: full(4)),
    "four-drinks": ("a minute", lambda: full(4, drinks=True)),
    "five": ("ten minutes", lambda: full(5)),
    "six": ("two minutes", lambda: grouped(6, 1e-12)),
    "seven": ("ten minutes and 8 GB", lambda: grouped(7, 1e-9)),
}
"""``[section]``: its duration in words, and the function that prints it."""

SECOND: dict[str, Callable[[], float]] = {"ladder-420": second_ladder}
"""``[section]``: the largest difference between its figures and those of a second computation."""
