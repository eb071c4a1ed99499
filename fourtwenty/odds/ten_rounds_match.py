"""Solves the match of Four Twenty-One for two seats or three: the probability to win it, and the best turns.

For three seats, a shipped table has the values before every round and the starting seat's turns. The last seat plays
for the point, which is never a disadvantage (docs/paper/solution.md, "The match of three").
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

from fourtwenty.games.ten_rounds import BONUS, ROUNDS
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.stopping import FIRST, HANDS, Plan, RoundRow, Turn, TurnPolicy, dot, stands, turn
from fourtwenty.odds.tables import read_table
from fourtwenty.odds.ten_rounds_point import CAPS, STRENGTH, TOP, point_plan

MATCH_SEATS = 3
"""The most seats of a round that play for the match."""

AT_ONCE = FIRST[TOP]
"""The probability of 4-2-1 on a first roll."""

FIRST_WITHOUT_TOP = tuple(chance * (hand != TOP) / (1 - AT_ONCE) for hand, chance in enumerate(FIRST))
"""``[hand]``: the probability of each hand on a first roll that is not ``TOP``."""

MATCH_TABLE = "ten_rounds_match.table"
"""The file of the match of three, which ``docs/paper/match_table.py`` writes.

Its parts are ``[position][turn]``, the values, then ``[position]``, the number of the policy of the starting seat, then
the policies, ``[number][56 * (rolls_left - 1) + hand]``, a keep or ``STANDS``; the first two are in the order of
``positions``.
"""

TIE_BREAK = 1e-9
"""The point's value, as a share of the stake: it decides between choices that are equal for the match."""

NO_STAKE = 1e-12
"""A smaller stake is rounding: such a seat plays for the point."""

Points = tuple[int, ...]
"""``[turn]``: points of a round's seats."""

Three = Mapping[tuple[int, Points], tuple[float, ...]]
"""``[rounds_left, behind]``: three seats' probabilities to win the match, in turn order."""

# -- before a round, and after it --------------------------------------------------------------------------------


def behind(points: Sequence[int], rounds_left: int) -> Points:
    """Return ``[turn]``: the points behind the leader; equal for all seats that cannot catch up.

    ``rounds_left`` includes this round; each extra round counts as a last one.
    """
    most = max(points)
    return tuple([min(most - each, _out(rounds_left)) for each in points])


def _out(rounds_left: int) -> int:
    """Return the least deficit that cannot be made up in so many rounds."""
    return rounds_left * (1 + BONUS) + 1


def match_values(points: Sequence[int], rounds_left: int, three: Three | None = None) -> tuple[float, ...]:
    """Return ``[turn]``: the probability to win the match, before a round; arguments as for ``behind``.

    ``three`` has the values of three seats, by default from the shipped table.
    """
    gaps = behind(points, rounds_left)
    if gaps.count(_out(rounds_left)) == len(gaps) - 1:
        return tuple([float(not gap) for gap in gaps])
    if len(gaps) == 2:
        value = match_value(gaps[1] - gaps[0], rounds_left)
        return value, 1 - value
    return (_table().values if three is None else three)[rounds_left, gaps]


def match_values_after(points: Sequence[int], rounds_left: int, three: Three | None = None) -> tuple[float, ...]:
    """Return ``[turn]``: the probability to win the match after a round; ``rounds_left`` is without it.

    The start passes to the next seat in play, after the last round to the next of the leaders.
    """
    following: Sequence[int] = (*range(1, len(points)), 0)
    if not rounds_left:
        most = max(points)
        following = [turn for turn in following if points[turn] == most]
    values = dict(
        zip(following, match_values([points[turn] for turn in following], rounds_left or 1, three), strict=True)
    )
    return tuple([values.get(turn, 0.0) for turn in range(len(points))])


def normalized(values: Sequence[float]) -> list[float]:
    """Return probabilities with the sum 1, by the greatest: a certain win is exactly 1."""
    greatest = values.index(max(values))
    others = [0.0 if seat == greatest else value for seat, value in enumerate(values)]
    others[greatest] = 1 - sum(others)
    return others


# -- two seats ---------------------------------------------------------------------------------------------------


@cache
def match_value(lead: int, rounds_left: int) -> float:
    """Return the probability to win for the starting seat of two, before its first roll.

    ``lead`` is in points; ``rounds_left`` is as for ``behind``.
    """
    if abs(lead) > rounds_left * (1 + BONUS):
        return float(lead > 0)
    value = dot(FIRST_WITHOUT_TOP, starting_turn(False, lead, rounds_left).values[-1])
    # With 4-2-1 at once standing is best: no hand is better, and the other seat has one roll.
    return (1 - AT_ONCE) * value + AT_ONCE * _starting_payoff(1, True, lead, rounds_left)[TOP]


def starting_turn(at_once: bool, lead: int, rounds_left: int) -> Turn:
    """Return the optimal turn of the starting seat of two, with or without a bonus for 4-2-1 at once."""
    return turn([_starting_payoff(rolls, at_once, lead, rounds_left) for rolls in CAPS])


@cache
def _starting_payoff(rolls: int, at_once: bool, lead: int, rounds_left: int) -> list[float]:
    """Return ``[hand]``: the probability that the starting seat wins by standing after ``rolls`` rolls.

    ``at_once`` is whether it has the bonus; ``lead`` is without it.
    """
    lead += BONUS * at_once
    win, lose, lose_more = (
        match_values_after((lead + points, 0), rounds_left - 1)[0] for points in (1, -1, -1 - BONUS)
    )
    # Where the other has the bonus, a point leaves 1 - BONUS: -1, as when it is lost.
    level = (1 - AT_ONCE) * win + AT_ONCE * lose
    usual, bonus = (1 - AT_ONCE) * (win - lose), AT_ONCE * (lose - lose_more)
    return [level - usual * without - bonus * with_it for without, with_it in zip(*beaten(rolls), strict=True)]


@cache
def beaten(rolls: int, holders: int = 1) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return ``chances[hand]`` of the last seat for the point, without a bonus and with one.

    ``holders`` seats have the hand, and the last seat has up to ``rolls`` rolls.
    """
    replies = [point_plan(hand, holders, 0, rolls).turn.values[-1] for hand in range(len(HANDS))]
    return tuple(dot(FIRST_WITHOUT_TOP, each) for each in replies), tuple(each[TOP] for each in replies)


# -- a round, solved ---------------------------------------------------------------------------------------------
# A RoundRow is [column][turn], flattened: the probabilities to win the match and to get the point.

Columns = Sequence[Sequence[float]]
"""``[column][winner of the point, bonus of each seat to come]``, each flattened: a ``RoundRow`` by result."""


class MatchPosition(NamedTuple):
    """All that matters for a turn before the last one, without the own hand."""

    gaps: Points
    """``behind`` before the round."""
    rounds_left: int
    bonus: tuple[bool, ...]
    """``[turn]``: whether the seat has this round's bonus, up to the seat to act."""
    lying: int | None = None
    """The starting seat's hand, before another turn."""
    cap: int = ROLLS
    """The most rolls of the seat to act."""


@lru_cache(maxsize=1 << 11)
def match_plan(position: MatchPosition) -> Plan:
    """Return the plan of the seat to act for the match, with the point as tie-break."""
    return solve_plan(position)


def solve_plan(position: MatchPosition, three: Three | None = None) -> Plan:
    """Return ``match_plan``; ``three`` as for ``match_values``."""
    gaps, rounds_left, bonus, lying, cap = position
    caps = CAPS if lying is None else [cap] * cap
    if len(gaps) - len(bonus) == 1:
        columns = _columns(gaps, rounds_left, bonus, three)
        rows = {rolls: _rows_before_last(columns, lying, rolls, _rows_ahead(columns, rolls)) for rolls in set(caps)}
    else:
        rows = {rolls: rows_before_two(gaps, rounds_left, bonus, rolls, three) for rolls in caps}
    standing = [rows[rolls] for rolls in caps]
    by_cap = [[array("d", column) for column in zip(*each, strict=True)] for each in standing]  # 8 kB, tuples take 32
    return Plan(_wanted(standing, len(bonus) - 1), list(zip(*by_cap, strict=True)))


def _columns(gaps: Points, rounds_left: int, bonus: tuple[bool, ...], three: Three | None) -> Columns:
    seats = len(gaps)
    rows = []
    for winner, more in product(range(seats), product((False, True), repeat=seats - len(bonus))):
        gets = [float(turn == winner) for turn in range(seats)]
        points = [
            int(get) + BONUS * at_once - gap for get, at_once, gap in zip(gets, (*bonus, *more), gaps, strict=True)
        ]
        rows.append((*match_values_after(points, rounds_left - 1, three), *gets))
    return list(zip(*rows, strict=True))


def rows_before_two(
    gaps: Points, rounds_left: int, bonus: tuple[bool, ...], rolls: int, three: Three | None
) -> list[RoundRow]:
    """Return ``[hand]``: the row when the starting seat of three stands after ``rolls`` rolls."""
    without, with_it = (_columns(gaps, rounds_left, (*bonus, more), three) for more in (False, True))
    ahead = _rows_ahead(without, rolls)
    rows = []
    for hand in range(len(HANDS)):
        standing = _rows_before_last(without, hand, rolls, ahead)
        ended = stands(turn(_wanted([standing], 1) * rolls).best, FIRST_WITHOUT_TOP)
        ends = list(map(sum, zip(*ended, strict=True)))
        at_once = _row_before_last(with_it, TOP, (0, 1) if hand == TOP else (1,), rolls)
        rows.append(mean_with_top(at_once, [dot(ends, column) for column in zip(*standing, strict=True)]))
    return rows


def _rows_ahead(columns: Columns, rolls: int) -> list[RoundRow]:
    """Return ``[hand]``: the row when the seat before the last stands and is ahead."""
    return [_row_before_last(columns, hand, (len(columns) // 2 - 2,), rolls) for hand in range(len(HANDS))]


def _rows_before_last(columns: Columns, lying: int | None, rolls: int, ahead: list[RoundRow]) -> list[RoundRow]:
    """Return ``[hand]``: the row when the seat before the last stands; ``ahead`` comes from ``_rows_ahead``.

    The starting seat of three has the hand ``lying``.
    """
    if lying is None:
        return ahead
    held = STRENGTH[lying]
    weaker, level = (_row_before_last(columns, lying, holders, rolls) for holders in ((0,), (0, 1)))
    return [
        row if strength > held else level if strength == held else weaker
        for row, strength in zip(ahead, STRENGTH, strict=True)
    ]


def _row_before_last(columns: Columns, hand: int, holders: tuple[int, ...], rolls: int) -> RoundRow:
    """Return the row before the last turn, when the seats of ``holders`` have the best hand so far."""
    course = _course(hand, holders, len(columns) // 2, rolls)
    return tuple([dot(course, column) for column in columns])


@cache
def _course(hand: int, holders: tuple[int, ...], seats: int, rolls: int) -> list[float]:
    """Return ``[winner of the point, bonus of the last seat]``, flattened: the probability of each result."""
    chances = [(1 - AT_ONCE, beaten(rolls, len(holders))[0][hand]), (AT_ONCE, beaten(rolls, len(holders))[1][hand])]
    held = [chance * (1 - gets) / len(holders) for chance, gets in chances]
    course = [share * (turn in holders) for turn in range(seats - 1) for share in held]
    return [*course, *(chance * gets for chance, gets in chances)]


def mean_with_top(at_once: Sequence[float], otherwise: Sequence[float]) -> RoundRow:
    """Return the expectation of a row with 4-2-1 at once and a row without."""
    return tuple([AT_ONCE * top + (1 - AT_ONCE) * other for top, other in zip(at_once, otherwise, strict=True)])


def _wanted(standing: Sequence[Sequence[RoundRow]], turn: int) -> list[list[float]]:
    """Return ``[rolls_left][hand]``: a seat's payoff from ``standing[rolls_left][hand]``, the rows of standing.

    It is the share of the match's stake, and a little for the point; without a stake, the point.
    """
    values = [[row[turn] for row in rows] for rows in standing]
    points = [[row[len(row) // 2 + turn] for row in rows] for rows in standing]
    least = min(map(min, values))
    stake = max(map(max, values)) - least
    if stake < NO_STAKE:
        return points
    return [
        [(value - least) / stake + TIE_BREAK * point for value, point in zip(*each, strict=True)]
        for each in zip(values, points, strict=True)
    ]


# -- three seats: a table ----------------------------------------------------------------------------------------

STANDS = 0xFF
"""The table's mark for standing."""


def positions() -> Iterator[tuple[int, Points]]:
    """Yield ``(rounds_left, behind)`` of three seats where two may win, in the table's order, later rounds first."""
    for rounds_left in range(1, ROUNDS + 1):
        most = min(_out(rounds_left), (ROUNDS - rounds_left) * (1 + BONUS))
        for gaps in product(range(most + 1), repeat=3):
            if not min(gaps) and gaps.count(_out(rounds_left)) < 2:
                yield rounds_left, gaps


class MatchTable(NamedTuple):
    """The contents of the shipped table."""

    values: Three
    policies: Mapping[tuple[int, Points], bytes]
    """``[rounds_left, behind]``: the starting seat's policy without 4-2-1 at once."""


@cache
def _table() -> MatchTable:
    worth, numbers, keeps = (part.numbers() for part in read_table(MATCH_TABLE))
    seats, size, packed = MATCH_SEATS, len(HANDS) * (ROLLS - 1), keeps.tobytes()
    values, policies = {}, {}
    for index, (position, number) in enumerate(zip(positions(), numbers, strict=True)):
        values[position] = tuple(worth[seats * index : seats * (index + 1)])
        policies[position] = packed[size * number : size * (number + 1)]
    return MatchTable(values, policies)


@lru_cache(maxsize=1 << 9)
def match_policy(position: MatchPosition) -> TurnPolicy:
    """Return the policy of ``match_plan``, faster for the starting seat of three."""
    shipped = None
    if position.bonus == (False,):
        shipped = _table().policies.get((position.rounds_left, position.gaps))
    return _read_policy(shipped) if shipped else match_plan(position).turn.best


def _read_policy(keeps: bytes) -> TurnPolicy:
    policy: list[list[int | None]] = [[None] * len(HANDS)]
    for begin in range(0, len(keeps), len(HANDS)):
        policy.append([None if keep == STANDS else keep for keep in keeps[begin : begin + len(HANDS)]])
    return policy
