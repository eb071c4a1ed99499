"""The sections of docs/paper/solution.md about 420. solution.py runs them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from math import ceil, log10
from random import Random

import full_programme as programme
import numpy as np
import reference_ladder
import reference_round
import reference_solver
import small_game
from full_programme import Array, Bounds, Mask, Profile
from small_game import Equilibria, SmallGame

from fourtwenty.games.four_twenty import GOAL, FourTwenty, parse_hand
from fourtwenty.games.game import Faces
from fourtwenty.odds import four_twenty_solver
from fourtwenty.odds.four_twenty_solver import Kept, TurnCurve, initial_values, solve

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
    different = {(throw.twenty, throw.classes) for throw in solution.throws.values()}
    least = min(round(1296 * throw.twenty) for throw in solution.throws.values())
    print(
        f"{len(solution.throws)} sets may be kept, with {len(different)} different chances of 20 and of each class;",
        end=" ",
    )
    print(f"20 in {least} of 1,296 cases at least.")
    print(f"rolls: off by at most {four_twenty_solver.PRECISION * 1296 / 35:.0e}")


GROWTH = (0.884, 0.889)
"""A chance to have missed 20 is so much of that of one roll less, at least and at most: from the eighth roll on."""


def by_hand() -> None:
    """Print the chances to have missed 20 by the two lines: all that it takes to solve two players by adding."""
    solution = solve()
    same: dict[Kept, Kept] = {(4, 5, 6): (3, 6, 6), (5, 5, 5): (3, 6, 6)}  # the next roll has the same chances
    moves: dict[Kept, Counter[Kept]] = {}
    for kept in solution.throws.keys() - same.keys():
        moves[kept] = Counter()
        for hand, cases in four_twenty_solver._thrown(kept).items():
            if sum(hand) != GOAL:
                best = solution.best[solution.classes[hand]]
                moves[kept][same.get(best, best)] += cases
    keeps = sorted(moves.keys() - {(5, 6, 6), (6, 6, 6)}, key=lambda kept: -solution.curves[kept].later[20])

    def missed(kept: Kept, before: dict[Kept, float]) -> float:
        every: int = 6 ** (4 - len(kept))
        return sum(cases * before[best] for best, cases in moves[kept].items()) / every

    for kept in (*keeps, (5, 6, 6), (6, 6, 6)):
        counts = ", ".join(f"{moves[kept][best]} {dice(best)}" for best in keeps if moves[kept][best])
        print(f"{dice(kept):4} of {6 ** (4 - len(kept)):4}: {counts}")
    rows, ahead = [dict.fromkeys(keeps, 1.0)], [0.0]
    print("missed" + "".join(f"{dice(kept):>8}" for kept in keeps) + "   665 less 66")
    for rolls in range(1, 9):
        ahead.append(missed((5, 6, 6), rows[-1]) - missed((6, 6), rows[-1]))
        rows.append({kept: missed(kept, rows[-1]) for kept in keeps})
        print(f"{rolls:6}" + "".join(f"{rows[-1][kept]:8.5f}" for kept in keeps) + f"{ahead[-1]:+14.5f}")
    grown = [rows[8][kept] / rows[7][kept] for kept in keeps]
    print(f"the last row is {min(grown):.4f} to {max(grown):.4f} times the one before it")
    ends = dict.fromkeys(keeps[:1], (1.0, 1.0))
    for kept in reversed(keeps[1:]):
        every = 6 ** (4 - len(kept))
        ends[kept] = tuple(
            sum(cases * ends[best][end] for best, cases in moves[kept].items() if best != kept)
            / (every * growth - moves[kept][kept])
            for end, growth in enumerate(reversed(GROWTH))
        )
    for end, name in enumerate(("least", "most")):
        print(f"{name:6}" + "".join(f"{ends[kept][end]:8.4f}" for kept in keeps))
    worth = [
        sum((rows[rolls - 1][kept] - rows[rolls][kept]) * ahead[rolls] for rolls in range(2, 9))
        / ((rows[0][kept] - rows[1][kept]) * -ahead[1])
        for kept in keeps
    ]
    print("times " + "".join(f"{each:8.2f}" for each in worth))


def lamp() -> None:
    """Print the numbers of players at which other hands matter to a hand, by the fast odds."""
    for hand in solve().classes:
        tables = [
            str(players)
            for players in range(2, 41)
            if four_twenty_solver.others_matter(FourTwenty.from_hands([hand, *[()] * (players - 1)]))
        ]
        if tables:
            print(f"{dice(hand)}: of 2 to 40 players, at {' '.join(tables)}")


def start() -> None:
    """Print the odds of every seat before the first roll."""
    for name, chances in (("win the round", "round"), ("buy the drinks", "drinks")):
        print(f"Chance to {name}, in %, by seat from Player 1")
        for players in STARTS:
            known = players <= four_twenty_solver.MAX_CHECKED_SEATS
            row = (
                f"{100 * chance:5.{2 if known else 1}f}" for chance in getattr(initial_values(players), chances)[:12]
            )
            print(f"{'' if known else 'about':6}{players:3}  {' '.join(row)}{' ...' * (players > 12)}")


def note() -> None:
    """Print the odds for the author's two claims about 6-5-5-1."""
    for other in ("6541", "4332"):
        position = FourTwenty.from_hands([parse_hand("6551"), parse_hand(other)])
        print(f"6551 beside {other}")
        for choice in four_twenty_solver.choices(position):
            twenty, over = choice.chances
            print(
                f"  {dice(choice.kept):4} kept:  20 {100 * twenty:5.2f}%   over {100 * over:5.2f}%"
                f"   round {100 * choice.value:6.3f}%"
            )


def fraction() -> None:
    """Print the exact probability that Player 1 of two wins."""
    chance = reference_solver.exact_start()
    print(f"{chance.numerator}\n/ {chance.denominator}\n= {float(chance):.16f}")


@cache
def bounds_of(players: int, drinks: bool = False) -> Bounds:
    """Return the bounds of players who play to win the round, or not to buy the drinks."""
    if not drinks:
        return programme.bounds(programme.Stakes.of_the_round(players))
    fewer = bounds_of(players - 1, players > 3)
    return programme.bounds(programme.Stakes.of_the_drinks(1 - fewer.middle[0][:, 0], fewer.gap))


def table_of(found: Bounds) -> bytes:
    """Return the table of best play where one choice is left in every position."""
    choices = [
        [np.array(allowed)[left.argmax(axis=0)] for allowed, left in zip(programme.ALLOWED, each, strict=True)]
        for each in found.left
    ]
    return programme.table_of(choices, found.low.shape[1])


def certificate(players: int, drinks: bool) -> str:
    """Return the SHA-256 of the table of best play."""
    return programme.sha256(table_of(bounds_of(players, drinks)))


def full(players: int, drinks: bool = False) -> None:
    """Print the full dynamic programme for up to five players, and a comparison of the fast odds with it."""
    found = bounds_of(players, drinks)
    worth, phases = found.middle, len(found.left)
    lead = min(
        programme.smallest_lead(programme.after(worth[(phase + 1) % phases], 0, found.stakes.least[phase]))
        for phase in range(phases)
    )
    goal = "not to buy the drinks" if drinks else "to win the round"
    begin = worth[0, :, 0]
    print(f"{players} players who play {goal}: {phases * programme.CLASSES**players:,} positions")
    print("  a cleared table, in %:", " ".join(f"{100 * (1 - each if drinks else each):.8f}" for each in begin))
    print(f"  bounds of all values: less than {up(100 * found.gap)} points apart, after {found.steps} steps")
    print(f"  choices left: {'some with more than one' if any(found.open()) else 'one in every position'};", end=" ")
    print(f"a dropped one is behind by {100 * found.margin:.1e} points at least")
    print(f"  smallest lead of a best choice over the next: {100 * lead:.1g} points")
    table = table_of(found)
    print(f"  SHA-256 of the table of best play: {programme.sha256(table)}")
    two_lines = simple_rules()[TWO_LINES]
    simply = {hand: two_lines(hand) for hand in solve().classes}
    usual = [dice(best) for best in solve().best]
    others = np.frombuffer(table, np.uint8).reshape(phases, programme.CLASSES, -1).swapaxes(0, 1)
    keeps = [Counter(dice(programme.KEEPS[kept]) for kept in of_class.ravel()) for of_class in others]
    for number, counts in enumerate(keeps):
        if set(counts) != {usual[number]}:
            ways = ", ".join(f"{kept} in {times:,}" for kept, times in sorted(counts.items()))
            print(f"  {hands_of(number)}: best to keep {ways}")
    if all(set(keeps[number]) == {dice(simply[hand])} for hand, number in solve().classes.items()):
        print("  with every hand, whatever the other hands are, the two lines say what is best")
    if drinks:
        compare_drinks(players, worth)
    else:
        compare(players, worth[0], sample=None)


def up(value: float) -> str:
    """Return the next power of ten, 1e-12 at least: the digits of rounding errors differ between machines."""
    return f"{10.0 ** ceil(log10(max(value, 1e-12))):.0e}"


def hands_of(number: int) -> str:
    """Return the hands of a class as text."""
    return " ".join(dice(hand) for hand, member in solve().classes.items() if member == number)


def threat() -> None:
    """Print a Nash equilibrium of four players that is not subgame-perfect, and how many like it there are."""
    mine, third, fourth = (solve().classes[tuple(sorted(parse_hand(hand)))] for hand in ("6651", "6631", "6411"))
    worth = bounds_of(4).middle[0].reshape(4, *[programme.GROUPS] * 4)

    def kept(kept: int, seat: int, *others: int) -> float:
        after = programme.TO_GROUP[kept] @ worth[(seat - 1) % 4][others]
        return float(after + programme.TWENTY[kept] * (seat == 0))

    def of(*others: int) -> tuple[list[tuple[float, int]], float]:
        """Return (own chance, dice kept) of every choice, best first; the chance of the first when threatened."""
        ranked = sorted(((kept(choice, 0, *others), choice) for choice in programme.ALLOWED[mine]), reverse=True)
        best = ranked[0][1]
        # the next seat answers once by what is worst for the one to act, which is then the last in turn
        threatened = programme.TWENTY[best] + sum(
            chance * min(kept(reply, 3, *others[1:], reached) for reply in programme.ALLOWED[mine])
            for reached, chance in enumerate(programme.TO_GROUP[best])
        )
        return ranked, float(threatened)

    group = programme.GROUP
    (best, second, *_), threatened = of(group[mine], group[third], group[fourth])
    print("6651 beside 6651, 6631 and 6411, in turn order; chance to win the round, in %")
    for chance, choice in (best, second):
        print(f"  {dice(programme.KEEPS[choice]):4} kept: {100 * chance:.5f}")
    kept_best = dice(programme.KEEPS[best[1]])
    print(f"  {kept_best:4} kept: {100 * threatened:.5f}, when the next seat answers by the worst for you")
    pairs = [(one, other) for one in range(programme.CLASSES) for other in range(programme.CLASSES)]
    found = [of(group[mine], group[one], group[other]) for one, other in pairs]
    works = sum(threatened < ranked[1][0] for ranked, threatened in found)
    print(f"such a threat works beside {works} of the {len(pairs)} pairs of classes of the two other hands")


SIX = 6

SIX_PRECISION = 1e-13
"""Steps are taken until none changes a value of six players by more."""


@dataclass(frozen=True)
class SixPlayers:
    """Bounds for six players, and the equilibria between them."""

    found: Bounds
    pair: int
    """The class of hands that has two choices left."""
    orders: list[tuple[int, tuple[int, ...]]]
    """``[order]``: the phase in A, and the groups of the other four, in turn order.

    In A the seat before the one to act holds a hand of the class too, in B the seat after it.
    """
    game: SmallGame
    """Its open positions are A and B of the first order, of the second, and so on."""
    ways: Equilibria
    """First those in which fewer A hurry."""

    def play(self, equilibrium: int) -> Profile:
        """Return where the seat to act hurries, of all positions of the first phase."""
        mine = programme.GROUP[self.pair]
        everywhere = {**self.game.settled[0], mine: self.game.settled[0][mine].copy()}
        others = [place % programme.GROUPS ** (SIX - 1) for _, place in self.game.places]
        everywhere[mine][others] = self.ways.hurries[equilibrium]
        return everywhere


@cache
def six_players(drinks: bool = False) -> SixPlayers:
    """Return the bounds and the equilibria of six players, from nothing."""
    found = bounds_of(SIX, drinks)
    opened = [(phase, others) for phase, _, others, _ in found.open()]
    (pair,) = {number for _, number, _, _ in found.open()}
    mine, phases = programme.GROUP[pair], len(found.left)
    orders = [(phase, others[:-1]) for phase, others in opened if others[-1] == mine]
    pairs = [each for phase, four in orders for each in ((phase, (*four, mine)), ((phase - 1) % phases, (mine, *four)))]
    assert sorted(pairs) == sorted(opened), "every A has its B, one turn before"
    groups = (programme.GROUPS,) * SIX
    places = [(phase, int(np.ravel_multi_index((mine, *others), groups))) for phase, others in pairs]
    game = small_game.small_game(found, places)
    may = np.ones((1, len(places), 2), bool)
    if drinks:  # too many: those with A waiting in all orders of all phases but one, and what is put together of them
        parts = []
        for phase in dict(orders):
            where = np.repeat([each == phase for each, _ in orders], 2)
            waits = np.where(where[:, None], True, [[True, False], [False, True]] * len(orders))
            parts.append((where, small_game.equilibria(game, waits[None]).hurries))
        (where, one), (_, other) = parts
        both = np.array([np.where(where, *pair) for pair in product(one, other)])
        may = np.stack([~both, both], axis=2)
    ways = small_game.equilibria(game, may)
    by_number = np.argsort(ways.hurries[:, 0::2].sum(axis=1), kind="stable")
    ordered = replace(ways, hurries=ways.hurries[by_number], worth=ways.worth[:, by_number])
    return SixPlayers(found, pair, orders, game, ordered)


def six(drinks: bool = False) -> None:
    """Print the bounds for six players, the equilibria between them, and the errors of the fast odds."""
    six = six_players(drinks)
    found, game, phases, count = six.found, six.game, len(six.found.left), len(six.orders)
    goal = "not to buy the drinks" if drinks else "to win the round"
    print(f"{SIX} players who play {goal}: {phases * programme.GROUPS**SIX:,} positions by groups")
    print(f"  bounds of all values: at most {100 * found.gap:.2g} points apart, after {found.steps} steps;", end=" ")
    print(f"a dropped choice is behind by {100 * found.margin:.1e} points at least")
    keeps = [dice(programme.KEEPS[ways[six.pair]]) for ways in (programme.BEST, programme.HURRIED)]
    shown = [dice(solve().best[member]) for member in programme.MEMBER]
    print(f"  choices left: one in every position but {2 * count}; there", end=" ")
    print(f"{keeps[0]} and {keeps[1]}, of {hands_of(six.pair)}")
    (four,) = {tuple(sorted(four, key=lambda group: -solve().rolls[programme.MEMBER[group]])) for _, four in six.orders}
    for at, (name, where) in enumerate((("A", "before"), ("B", "after"))):
        print(f"    {name}: {count} positions. The seat {where} you holds such a hand too;", end=" ")
        print(f"the other four keep {', '.join(shown[group] for group in four)} in any order", end="")
        for phase, often in Counter(phase for phase, _ in game.places[at::2]).items() if drinks else ():
            print(f"; {phase} turns after Player 1 in {often}", end="")
        print()
    print(f"  by how many points {keeps[1]} is better, whatever is played in the other positions")
    ways = list(product((0, 1), repeat=2))
    may = np.ones((4 * count, 2 * count, 2), bool)
    for row, (order, choices) in enumerate(product(range(count), ways)):
        for place, choice in enumerate(choices, 2 * order):
            may[row, place, 1 - choice] = False
    least, most, _ = small_game.leads(game, may)
    for number, choices in enumerate(ways):
        rows = np.arange(number, len(may), 4)
        spans = [
            f"in {name} {100 * least[rows, rows // 4 * 2 + at].min():+.6f}"
            f" to {100 * most[rows, rows // 4 * 2 + at].max():+.6f}"
            for at, name in enumerate("AB")
        ]
        print(
            "    " + "   ".join([f"{name} {keeps[each]:3}" for name, each in zip("AB", choices, strict=True)] + spans)
        )
    doubt = float(np.ptp(six.ways.worth, axis=0).max())
    print(f"  {len(six.ways.hurries)} of the 2^{2 * count} ways to play there are equilibria", end="")
    print(", or more; in these" if drinks else "; in all of them", end=" ")
    print("each B does the opposite of its A" if (six.ways.hurries[:, 0::2] ^ six.ways.hurries[:, 1::2]).all() else "-")
    print(f"    the other choice loses {100 * six.ways.loses:.1e} points at least", end="")
    print("" if drinks else f"; in the rest it gains {100 * six.ways.gains:.1e} or more somewhere")
    print(f"    no value is off by more than {up(100 * doubt)} points")
    if not drinks:
        together = sorted(Counter(six.ways.hurries[:, 0::2].sum(axis=1).tolist()).items())
        print(f"    by how many A keep {keeps[1]}:", ", ".join(f"{number} in {often}" for number, often in together))
        never = [four for order, (_, four) in enumerate(six.orders) if not six.ways.hurries[:, 2 * order].any()]
        where = "; ".join(" ".join(shown[group] for group in four) for four in never)
        print(f"    always {keeps[0]} in A where the four in turn order keep {where}")
    cleared = report_spread(game, six.ways.worth.mean(axis=0))
    if drinks:
        print("  a cleared table, in %:", " ".join(f"{100 - 100 * each:.6f}" for each in cleared[0]))
        return
    for name, worth in six_tables().items():
        change = float(np.abs(programme.step(worth, SIX) - worth).max())
        lead = programme.smallest_lead(programme.after(worth, 0, found.stakes.least[0]))
        print(f"  the {name} of them; a cleared table, in %:")
        print("   ", " ".join(f"{100 * each:.9f}" for each in worth[:, 0]))
        print(f"    a step of best replies changes no value by {up(change)}, so they are off by less than", end=" ")
        print(f"{up(100 * (change + programme.OUTWARD) / programme.MIN_TWENTY)} points")
        gain = max(1e-13, programme.most_gain(worth, SIX))  # how much less, is rounding
        print(f"    no legal choice brings {up(100 * gain)} points more;", end=" ")
        print(f"the best leads the next by {100 * lead:.1e} at least")
        table = programme.table_of(programme.choices_of(programme.best_replies(worth, SIX), SIX), SIX)
        print(f"    SHA-256 of its table: {programme.sha256(table)}")
    compare(SIX, six_tables()["first"], sample=DRAWN)


def report_spread(game: SmallGame, worth: Array) -> Array:
    """Print by how much the equilibria differ, whose payoffs are ``worth[equilibrium, open, seat]``, and how rarely.

    Return the payoffs of a cleared table, ``[equilibrium, seat]``.
    """
    seats = worth.shape[-1]
    begin = np.zeros(programme.GROUPS**seats)
    begin[0] = 1
    pays, comes = small_game.follow(game, begin, 0)
    back = sum(np.roll(worth, turns, axis=-1).transpose(0, 2, 1) @ comes[:, turns] for turns in range(seats))
    cleared: Array = pays.mean(axis=0) + back
    apart = [100 * float(np.ptp(each, axis=0).max()) for each in (worth, cleared)]
    print(f"    they differ by at most {apart[0]:.3f} points, at a cleared table by {apart[1]:.1e};", end=" ")
    print(f"a round comes to one of the {len(comes)} once in {1 / comes.sum():,.0f}")
    return cleared


@cache
def six_tables() -> dict[str, Array]:
    """Return ``[name][seat][position]``: the win probabilities by groups in the equilibria with the fewest and most A.

    The first comes from best replies alone, the last from play as in the small game.
    """
    first, _ = programme.equilibrium(SIX, SIX_PRECISION)
    last, _ = programme.worth_of(first, SIX, SIX_PRECISION, six_players().play(-1))
    return {"first": first, "last": last}


def by_equations(game: SmallGame, ways: Iterable[tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return which ways to choose in the open positions are equilibria, by linear equations for each."""
    seats = game.pays.shape[-1]
    every = np.arange(len(game.places))
    sums = np.zeros((len(every), 2, seats, len(every), seats))
    for seat, turns in product(range(seats), repeat=2):
        sums[:, :, seat, :, seat - turns] += game.comes[..., turns]
    pays, unknowns = game.pays.mean(axis=0), seats * len(every)
    found = set()
    for way in ways:
        system = np.eye(unknowns) - sums[every, way].reshape(unknowns, unknowns)
        worth = np.linalg.solve(system, pays[every, way].ravel())
        brings = sums[:, :, 0].reshape(len(every), 2, unknowns) @ worth + pays[..., 0]
        if (brings.argmax(axis=1) == way).all():
            found.add(way)
    return found


def second_six() -> float:
    """Return how far the equilibria of six players are from the results of linear equations and of play.

    The equations are solved for all ways in which each B does the opposite of its A. Ten of the equilibria are played
    in all positions, from the values of the first until nothing changes. It returns infinity where other choices are
    best, or if reference_round.py makes other choices in the first or in the last.
    """
    six, off = six_players(), 0.0
    ways = product((0, 1), repeat=len(six.orders))
    found = by_equations(six.game, (tuple(choice for way in each for choice in (way, 1 - way)) for each in ways))
    if found != set(map(tuple, six.ways.hurries.astype(int).tolist())):
        return float("inf")
    places = [place for _, place in six.game.places]
    for equilibrium in range(0, len(six.ways.hurries), 8):
        play = six.play(equilibrium)
        worth, _ = programme.worth_of(six_tables()["first"], SIX, 1e-12, play)
        replies = programme.best_replies(worth, SIX)
        if any((replies[group] != play[group]).any() for group in play) or programme.most_gain(worth, SIX) > 1e-11:
            return float("inf")
        off = max(off, float(np.abs(worth[:, places].T - six.ways.worth.mean(axis=0)[equilibrium]).max()))
    for worth in six_tables().values():
        by_class = worth.reshape(SIX, *[programme.GROUPS] * SIX)[np.ix_(range(SIX), *[programme.GROUP] * SIX)]
        given = np.moveaxis(by_class, 0, -1)
        earlier, _, choices = reference_round.turn(given, np.eye(SIX), SIX - 1)
        table = programme.table_of(programme.choices_of(programme.best_replies(worth, SIX), SIX), SIX)
        if choices.astype(np.uint8).tobytes() != table:
            return float("inf")
        # the last seat has acted: counted from it, the position is one of the same table
        off = max(off, float(np.abs(np.roll(np.moveaxis(earlier, SIX - 1, 0), 1, axis=-1) - given).max()))
    return off


DRAWN = 3000
"""The number of positions drawn by lot where there are too many."""

SAME = 1e-11
"""Values that differ by less are the same: the bounds are as far apart."""


@cache
def fast_odds(players: int, sample: int | None) -> tuple[Array, Mask, list[int]]:
    """Return (the fast odds ``[seat][position]`` by groups, where nobody may hurry, the other positions looked at).

    The others are all that there are, or as many as ``sample`` drawn by lot.
    """
    habit = four_twenty_solver._habit(players)
    groups = [programme.GROUP[number] for number in habit.hurries]
    table = np.arange(programme.GROUPS**players)
    hurried = np.zeros(len(table), bool)
    for seat in range(players):
        hurried |= np.isin(table // programme.GROUPS**seat % programme.GROUPS, groups)
    places: list[int] = table[hurried].tolist()
    places = Random(420).sample(places, sample) if sample and places else places
    wins = programme.patient_race(players, habit.curves, habit.keeps)
    for place in places:
        hands = hands_at(place, players)
        wins[:, place] = four_twenty_solver._wins.__wrapped__(hands, four_twenty_solver._best(hands))
    return wins, ~hurried, places


def hands_at(place: int, players: int) -> tuple[int, ...]:
    """Return the classes of the hands of a position by groups."""
    groups = np.unravel_index(place, (programme.GROUPS,) * players)
    return tuple(programme.MEMBER[int(group)] for group in groups)


def compare(players: int, worth: Array, sample: int | None) -> None:
    """Print the errors of the fast odds against ``worth[seat][position]`` by groups."""
    wins, calm, places = fast_odds(players, sample)
    off = np.zeros(len(calm))
    for mine, theirs in zip(wins, worth, strict=True):
        np.maximum(off, np.abs(mine - theirs), out=off)
    report_calm(off[calm])
    if not places:
        return
    losses = []
    for place in places:
        hands = hands_at(place, players)
        if hands[0] in four_twenty_solver._habit(players).hurries:
            kept = programme.KEEPS.index(four_twenty_solver._best(hands))
            after = place % programme.GROUPS ** (players - 1) * programme.GROUPS
            reached = worth[-1, after : after + programme.GROUPS]
            losses.append(worth[0, place] - programme.TWENTY[kept] - programme.TO_GROUP[kept] @ reached)
    report_drawn(off[places], losses, "" if sample is None else " drawn by lot")


def report_calm(off: Array) -> None:
    """Print the errors ``off`` of the fast odds in the positions where nobody may hurry."""
    print(f"  the fast odds, nobody may hurry: {len(off):,} positions,", end=" ")
    if off.max() < SAME:
        print(f"the same values, within {100 * SAME:.0e} points")
    else:
        print(f"values off by at most {100 * off.max():.2g} points, on average {100 * off.mean():.1g}")


def report_drawn(errors: Array, losses: list[float], drawn: str) -> None:
    """Print the errors of the fast odds in positions where somebody may hurry, and the losses by their choices."""
    wrong = sum(loss > 1e-9 for loss in losses)
    print(f"  the fast odds, somebody may hurry: {len(errors):,} positions{drawn}")
    print(f"    values off by at most {100 * errors.max():.2g} points, on average {100 * errors.mean():.1g},", end=" ")
    print(f"by more than 0.05 in {(errors > 5e-4).sum():,}")
    print(f"    choice wrong in {wrong:,} of {len(losses):,}", end="")
    print(f", where it loses at most {100 * max(losses):.1g} points" if wrong else "")


def compare_drinks(players: int, worth: Array) -> None:
    """Print the errors of the fast odds of the drinks against ``worth[phase][seat][position]``, not to buy them."""
    sample = None if players <= four_twenty_solver.MAX_EXACT_SEATS else DRAWN
    wins, calm, places = fast_odds(players, sample)
    looked_at = calm.copy()
    looked_at[places] = True
    pays = np.array(
        [four_twenty_solver._drinks(row) for row in np.eye(players).tolist()]
    )  # [winner][seat], both from Player 1
    off = max(
        float(
            np.abs(1 - worth[phase] - np.roll(np.roll(wins, phase, axis=0).T @ pays, -phase, axis=1).T)[
                :, looked_at
            ].max()
        )
        for phase in range(players)
    )
    where = f"{len(places):,} of the positions where somebody may hurry drawn by lot" if sample else "all positions"
    print(f"  the program's chances to buy the drinks, {where}:")
    print(
        f"    off by at most {100 * off:.2g} points" if off >= SAME else f"    the same, within {100 * SAME:.0e} points"
    )


TWO_LINES = "  but of 6661, 6651 and 6652 only 66"
"""The name of the rule that is best play of two and of three."""


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
        TWO_LINES: lambda hand: (
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
    best = four_twenty_solver._curves(solution.throws, solution.best, LADDER_TURNS)[()]
    figures = {}
    for name, rule in simple_rules().items():
        mine = curve_of(rule)
        prices = [
            initial_values(players).round[seat]
            - four_twenty_solver._race([mine if other == seat else best for other in range(players)])[seat]
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
        outcomes = four_twenty_solver._thrown(kept)
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
    "start": ("at once", start),
    "note": ("at once", note),
    "lamp": ("at once", lamp),
    "fraction": ("seconds", fraction),
    "by-hand": ("at once", by_hand),
    "ladder-420": ("at once", ladder),
    "two": ("at once", lambda: full(2)),
    "three": ("at once", lambda: full(3)),
    "three-drinks": ("at once", lambda: full(3, drinks=True)),
    "threat": ("seconds", threat),
    "four": ("a quarter of a minute", lambda: full(4)),
    "four-drinks": ("a quarter of a minute", lambda: full(4, drinks=True)),
    "five": ("three minutes", lambda: full(5)),
    "five-drinks": ("half a minute", lambda: full(5, drinks=True)),
    "six": ("seven minutes and 1 GB", six),
    "six-drinks": ("ten minutes and 2 GB", lambda: six(drinks=True)),
}
"""``[section]``: its duration in words, and the function that prints it."""


def second_round(players: int, drinks: bool = False) -> Callable[[], float]:
    """Return a function that compares a round with reference_round.py, which shares no code with it.

    It returns the largest difference of the values at a cleared table; infinity if the tables of best play differ.
    """

    def differ() -> float:

        found, second = bounds_of(players, drinks), reference_round.best_play(players, drinks)
        if certificate(players, drinks) != second.sha256(len(found.left)):
            return float("inf")
        return float(np.abs(found.middle[0][:, 0] - second.begin).max())

    return differ


SECOND: dict[str, Callable[[], float]] = {
    "ladder-420": second_ladder,
    "two": second_round(2),
    "three": second_round(3),
    "three-drinks": second_round(3, drinks=True),
    "four": second_round(4),
    "four-drinks": second_round(4, drinks=True),
    "five": second_round(5),
    "five-drinks": second_round(5, drinks=True),
    "six": second_six,
}
"""``[section]``: the largest difference between its figures and a second computation's."""
