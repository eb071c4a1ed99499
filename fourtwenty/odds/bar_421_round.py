"""Solves a round of 421: the policy of the seat to act, and all seats' chances. Hands are strengths, 0 (weakest) to 55.

Seats are in turn order from the starting seat.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, pairwise, product
from typing import NamedTuple

from fourtwenty.games.bar_421 import TOKENS, rank
from fourtwenty.games.game import Faces
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.bar_421_first import first_rows, has_rows
from fourtwenty.odds.bar_421_match import EXACT_SEATS, Tokens, token_values
from fourtwenty.odds.many_turns import ALL_CASES, ends_of_turns
from fourtwenty.odds.roll_off_odds import tie_chances
from fourtwenty.odds.stopping import FIRST, HAND_INDEX, HANDS, Plan, RoundRow, dot, turn

COLUMNS = 4
"""``[column][turn]``, flattened: values, chances to be strongest, to be weakest, tokens after."""

BY_STRENGTH = tuple(sorted(range(len(HANDS)), key=lambda hand: rank(HANDS[hand])))
"""``[strength]``: the index in ``HANDS``."""

STRENGTH = tuple(map(BY_STRENGTH.index, range(len(HANDS))))
"""``[hand]``: the number of weaker hands; no two hands are equal."""

STRENGTH_OF: dict[Faces, int] = {
    faces: STRENGTH[HAND_INDEX[tuple(sorted(faces))]] for faces in product(range(1, 7), repeat=3)
}

MOVES = tuple(rank(HANDS[hand]).tokens for hand in BY_STRENGTH)
"""``[strength]``: the tokens of a hand."""

ROLLED = tuple(FIRST[hand] for hand in BY_STRENGTH)
"""``[strength]``: the probability of each hand in one roll of three dice."""

BETWEEN = -1
"""Any hand between the weakest and the strongest on the table."""


class RoundTable(NamedTuple):
    """All that matters in a round of the discharge before a turn, or after all turns."""

    tokens: Tokens
    hands: tuple[int, ...]
    """``[turn]``: the strengths of the hands after their turns, or ``BETWEEN``."""

    @classmethod
    def of(cls, tokens: Tokens, hands: Sequence[int]) -> RoundTable:
        """Return the table with hands of these strengths."""
        known = [hand for hand in hands if hand != BETWEEN]
        extremes = (max(known, default=BETWEEN), min(known, default=BETWEEN))
        return cls(tokens, tuple(hand if hand in extremes else BETWEEN for hand in hands))


@lru_cache(maxsize=1 << 11)
def plan(table: RoundTable) -> Plan:
    """Return the plan of the seat that begins its turn."""
    return plan_of(_rows(table), len(table.hands))


def plan_of(rows: Sequence[RoundRow], turn: int) -> Plan:
    """Return the plan of the seat of this turn; ``rows[strength]`` are the rows by its final hand."""
    columns = [array("d", [column[strength] for strength in STRENGTH]) for column in zip(*rows, strict=True)]
    return Plan([columns[turn]] * ROLLS, [[column] * ROLLS for column in columns])


def _rows(table: RoundTable) -> Sequence[RoundRow]:
    """Return ``[strength]``: the expected rows by the final hand of the seat to act."""
    tokens, hands = table
    to_come = len(tokens) - len(hands) - 1
    if to_come > 1 and sum(tokens) == TOKENS and has_rows(len(tokens)):
        return _rows_before_two(tokens, *hands) if hands else first_rows(tokens)
    known = [hand for hand in hands if hand != BETWEEN]
    most, least = max(known, default=-1), min(known, default=-1)
    rows: list[RoundRow] = []
    between: RoundRow | None = None
    for strength in range(len(HANDS)):
        if least < strength < most:
            between = between or _expected_row(RoundTable.of(tokens, (*hands, BETWEEN)), to_come)
            rows.append(between)
        else:
            rows.append(_expected_row(RoundTable.of(tokens, (*hands, strength)), to_come))
    return rows


# -- rows of hands on the table ----------------------------------------------------------------------------------


def _expected_row(table: RoundTable, to_come: int) -> RoundRow:
    """Return the expected row after another turn, with some seats still to come."""
    if not to_come:
        return settled(*table)
    if to_come == 1:
        return _row_before_last(table)
    return _row_before_several(table)


@lru_cache(maxsize=1 << 12)
def moved_row(tokens: Tokens, giver: int, taker: int, moved: int) -> RoundRow:
    """Return the row of a discharge round after ``giver`` gives some tokens to ``taker``."""
    seats = len(tokens)
    after = list(tokens)
    after[giver] -= moved
    after[taker] += moved
    step = 1 if after[giver] else -1
    order = [(taker + step * turn) % seats for turn in range(seats)]
    values = dict(zip(order, token_values(tuple(after[turn] for turn in order)), strict=True))
    row = [0.0] * (COLUMNS * seats)
    row[:seats] = (values[turn] for turn in range(seats))
    row[seats + giver] = row[2 * seats + taker] = 1.0
    row[3 * seats :] = after
    return tuple(row)


def given_row(tokens: Tokens, giver: int, taker: int, strength: int) -> RoundRow:
    """Return the row of a discharge round that ``giver`` wins with a hand of this strength."""
    return moved_row(tokens, giver, taker, min(MOVES[strength], tokens[giver]))


def settled(
    tokens: Tokens,
    hands: Sequence[int],
    givers: dict[int, float] | None = None,
    takers: dict[int, float] | None = None,
) -> RoundRow:
    """Return the row of a discharge round that ends with ``hands[turn]``.

    ``givers[turn]`` and ``takers[turn]`` are the seats' probabilities from a roll-off; without them, ties are even.
    """
    known = {turn: hand for turn, hand in enumerate(hands) if hand != BETWEEN}
    most = max(known.values())
    rows = []
    for giver, chance in (givers or _tied(known, most)).items():
        others = {turn: hand for turn, hand in known.items() if turn != giver}
        for taker, share in (takers or _tied(others, min(others.values()))).items():
            rows.append((chance * share, given_row(tokens, giver, taker, most)))
    return _mean(rows)


def _tied(hands: dict[int, int], level: int) -> dict[int, float]:
    turns = [turn for turn, hand in hands.items() if hand == level]
    return dict.fromkeys(turns, 1 / len(turns))


def _mean(rows: Sequence[tuple[float, RoundRow]]) -> RoundRow:
    if len(rows) == 1:
        return rows[0][1]
    chances = [chance for chance, _ in rows]
    return tuple(dot(chances, column) for column in zip(*(row for _, row in rows), strict=True))


# -- best replies of the last two seats ----------------------------------------------------------------------------


@cache
def _effects(most: int, least: int) -> tuple[list[int], list[int]]:
    """Return the token numbers of hands above the table, and ``effect[hand]`` of a last hand.

    It can be below the weakest, as weak, between, or as strong as the strongest; above, its worth decides.
    """
    above = sorted(set(MOVES[most + 1 :]))
    not_above = [0] * least + ([1] if most == least else [1, *[2] * (most - least - 1), 3])
    number = {moves: not_above[-1] + 1 + index for index, moves in enumerate(above)}
    by_strength = [*not_above, *[number[moves] for moves in MOVES[most + 1 :]]]
    effects = [by_strength[strength] for strength in STRENGTH]
    return above, effects


def _rows_of_effects(table: RoundTable) -> tuple[list[RoundRow], list[int]]:
    """Return ``rows[effect]`` of a round with one seat to come, and ``effect[hand]``."""
    tokens, hands = table
    last, most = len(hands), max(hands)
    least = min([hand for hand in hands if hand != BETWEEN])
    top = tuple([turn for turn, hand in enumerate(hands) if hand == most])
    low = tuple([turn for turn, hand in enumerate(hands) if hand == least])
    above, effects = _effects(most, least)
    ends = [(top, (*low, last)), (top, low), ((*top, last), low)] if most > least else [((*top, last), (*low, last))]
    rows = [_average(tokens, givers, takers, MOVES[most]) for givers, takers in ((top, (last,)), *ends)]
    rows += [_average(tokens, (last,), low, moves) for moves in above]
    return rows, effects


def _row_before_last(table: RoundTable) -> RoundRow:
    """Return the expected row with one seat to come, which replies best."""
    rows, effects = _rows_of_effects(table)
    payoffs = [row[len(table.hands)] for row in rows]
    chances = [0.0] * len(rows)
    for effect, chance in zip(effects, turn([[payoffs[effect] for effect in effects]] * ROLLS).ends(), strict=True):
        chances[effect] += chance
    return tuple(dot(chances, column) for column in zip(*rows, strict=True))


def _rows_before_two(tokens: Tokens, first: int) -> list[RoundRow]:
    """Return ``[strength]``: the rows by the hand of the second of four, with best replies of the next two.

    ``first`` is the strength of the starting seat's hand.
    """
    numbers: dict[tuple[int, ...], int] = {}  # the tables before the last seat
    after: list[list[int]] = [[] for _ in HANDS]  # [second hand][third hand]: the number of the table
    for second, third in product(range(len(HANDS)), repeat=2):
        extremes = max(first, second, third), min(first, second, third)
        hands = tuple([hand if hand in extremes else BETWEEN for hand in (first, second, third)])
        if hands not in numbers:
            numbers[hands] = len(numbers)
        after[second].append(numbers[hands])
    tables = [_rows_of_effects(RoundTable(tokens, hands)) for hands in numbers]
    payoffs = [[rows[effect][3] for effect in effects] for rows, effects in tables]
    ends = ends_of_turns(list(zip(*payoffs, strict=True)))

    kinds: dict[RoundRow, int] = {}  # the ways in which the round may end
    chances, values = [], []
    for (rows, effects), cases in zip(tables, zip(*ends, strict=True), strict=True):
        by_effect = [0] * len(rows)
        for effect, case in zip(effects, cases, strict=True):
            by_effect[effect] += case
        for row in rows:
            if row not in kinds:
                kinds[row] = len(kinds)
        chances.append([(kinds[row], each / ALL_CASES) for row, each in zip(rows, by_effect, strict=True)])
        values.append(dot(by_effect, [row[2] for row in rows]) / ALL_CASES)
    thirds_ends = ends_of_turns([[values[thirds[strength]] for thirds in after] for strength in STRENGTH])
    columns = list(zip(*kinds, strict=True))
    found = []
    for second, thirds in enumerate(after):
        weights = [0.0] * len(kinds)
        for strength, ended in zip(STRENGTH, thirds_ends, strict=True):
            for kind, chance in chances[thirds[strength]]:
                weights[kind] += ended[second] * chance
        found.append(tuple([dot(weights, column) / ALL_CASES for column in columns]))
    return found


# -- several seats to come: an estimate ----------------------------------------------------------------------------


@cache
def _beaten_replies(most: int, least: int) -> list[float]:
    """Return ``beaten[strength]``: the probability that it beats a last seat's reply to a table's extremes.

    The reply gives or takes as many tokens as the strongest hand is worth.
    """
    payoffs = []
    for strength in STRENGTH:
        wins = (strength > most) + (strength == most) / 2
        loses = (strength < least) + (strength == least) / 2
        payoffs.append(wins * MOVES[strength] - loses * MOVES[most])
    ends = turn([payoffs] * ROLLS).ends()
    return [0.0, *accumulate(ends[hand] for hand in BY_STRENGTH)]


def _row_before_several(table: RoundTable) -> RoundRow:
    """Return the expected row with several seats to come, each playing as if it were the last.

    An approximation: a tie with one of them is half a win (docs/paper/solution.md, "421").
    """
    tokens, hands = table
    come = tuple(range(len(hands), len(tokens)))
    most, least = max(hands), min(hand for hand in hands if hand != BETWEEN)
    top = tuple(turn for turn, hand in enumerate(hands) if hand == most)
    low = tuple(turn for turn, hand in enumerate(hands) if hand == least)
    beaten = _beaten_replies(most, least)
    beaten_by_top = (beaten[most] + beaten[most + 1]) / 2
    beaten_by_low = (beaten[least] + beaten[least + 1]) / 2
    strengths = range(most + 1, len(HANDS)) or (most,)
    levels = [beaten_by_top, *beaten[strengths[0] + 1 :]]
    chances: dict[tuple[Tokens, Tokens, int], float] = {}

    def add(givers: Tokens, worth_of: int, all_below: float, none_low: float) -> None:
        for takers, chance in ((low, none_low), (come, all_below - none_low)):
            if chance > 0:
                key = givers, takers, MOVES[worth_of]
                chances[key] = chances.get(key, 0.0) + chance

    everybody = [level ** len(come) for level in levels]
    nobody_low = [max(0.0, level - beaten_by_low) ** len(come) for level in levels]
    add(top, most, everybody[0], nobody_low[0])
    for strength, (below, to), (few, many) in zip(strengths, pairwise(everybody), pairwise(nobody_low), strict=True):
        add(come, strength, to - below, many - few)
    return _mean([(chance, _average(tokens, *key)) for key, chance in chances.items()])


@lru_cache(maxsize=1 << 12)
def _average(tokens: Tokens, givers: Iterable[int], takers: Iterable[int], moves: int) -> RoundRow:
    """Return the mean row over all pairs of givers and takers."""
    rows = [
        moved_row(tokens, giver, taker, min(moves, tokens[giver]))
        for giver, taker in product(givers, takers)
        if giver != taker
    ]
    return tuple(sum(column) / len(rows) for column in zip(*rows, strict=True))


# -- the charge ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 8)
def charge_row(tokens: Tokens, pot: int, hands: tuple[int, ...]) -> RoundRow:
    """Return the exact expected row of a charge round after the first seats' ``hands``."""
    come = tuple(range(len(hands), len(tokens)))
    ends: dict[int, list[float]] = {}
    for low, moves, chance in _charge_takers(hands, len(come)):
        takers = low or come
        chances = ends.setdefault(min(moves, pot), [0.0] * len(tokens))
        for taker in takers:
            chances[taker] += chance / len(takers)
    return _charge_row(tokens, pot, ends, _charge_strongest(hands, len(come)))


def charged_row(tokens: Tokens, pot: int, hands: tuple[int, ...], takers: dict[int, float]) -> RoundRow:
    """Return the row of a charge round after all rolls; ``takers[turn]`` are the chances to take."""
    chances = [takers.get(turn, 0.0) for turn in range(len(tokens))]
    return _charge_row(tokens, pot, {min(MOVES[max(hands)], pot): chances}, _charge_strongest(hands, 0))


def _charge_row(tokens: Tokens, pot: int, ends: dict[int, list[float]], strongest: Sequence[float]) -> RoundRow:
    """Return the row of a charge round; ``ends[tokens taken][turn]`` are the chances of its ends."""
    worths = [_worth_taken(tokens, pot - moved, takers, moved) for moved, takers in ends.items()]
    taken = [[moved * chance for chance in takers] for moved, takers in ends.items()]
    values, weakest, after = (map(sum, zip(*rows, strict=True)) for rows in (worths, ends.values(), [tokens, *taken]))
    return (*values, *strongest, *weakest, *after)


def _worth_taken(tokens: Tokens, pot: int, takers: Sequence[float], moved: int) -> list[float]:
    """Return ``[turn]``: the chance to end so and not to pay; ``takers[turn]`` are the chances to take some tokens.

    They are ``moved``, and leave ``pot``. Seats with equal tokens have equal values, so one taker represents them.
    """
    in_play = [seat for seat, held in enumerate(tokens) if held or pot]
    alike: dict[object, list[int]] = {}
    for taker, chance in enumerate(takers):
        if chance:
            crowd = len(in_play) + (not tokens[taker] and not pot) > EXACT_SEATS
            alike.setdefault(tokens[taker] if crowd else (taker,), []).append(taker)
    mean = [sum(takers)] * len(tokens)  # as if all were safe
    for taking in alike.values():
        first, *others = taking
        order = [first, *(seat for seat in in_play if seat > first), *(seat for seat in in_play if seat < first)]
        worths = token_values((tokens[first] + moved, *(tokens[other] for other in order[1:])), pot)
        safe = dict(zip(order, worths, strict=True))
        if others:
            safe[first] = safe.get(others[0], 1.0)  # when another takes
        chance = sum(takers[taker] for taker in taking)
        for other, value in safe.items():
            mean[other] += chance * (value - 1)
        for taker in taking:
            mean[taker] += takers[taker] * (worths[0] - safe.get(taker, 1.0))
    return mean


_BEATEN = [0.0, *accumulate(ROLLED)]
"""``[strength]``: the probability that one roll of three dice is weaker."""


@lru_cache(maxsize=1 << 12)
def _charge_takers(hands: tuple[int, ...], come: int) -> list[tuple[tuple[int, ...], int, float]]:
    """Return the takers (all equally likely; empty for seats to come), the best hand's tokens, and the probability."""
    most, least = max(hands, default=0), min(hands, default=len(HANDS))
    low = tuple(turn for turn, hand in enumerate(hands) if hand == least)
    chances: dict[tuple[tuple[int, ...], int], float] = {}
    before = before_low = 0.0
    for strength in range(most, len(HANDS)):
        everybody, none_lower = _BEATEN[strength + 1] ** come, 0.0
        if low:
            none_lower = _shared(len(low), come, ROLLED[least], _BEATEN[strength + 1] - _BEATEN[least + 1])
        for takers, chance in ((low, none_lower - before_low), ((), everybody - none_lower - before + before_low)):
            key = takers, MOVES[strength]
            chances[key] = chances.get(key, 0.0) + chance
        before, before_low = everybody, none_lower
    return [(*key, chance) for key, chance in chances.items() if (key[0] or come) and chance]


def _shared(holders: int, come: int, tying: float, behind: float) -> float:
    """Return the probability of one holder, when ties with seats to come are rolled off."""
    ties = tie_chances(come, tying, behind)
    return sum(chance * holders / (holders + tied) for tied, chance in enumerate(ties))


def _charge_strongest(hands: tuple[int, ...], come: int) -> list[float]:
    """Return ``[turn]``: the probability to be strongest; ties are shared."""
    if not hands:
        return [1 / come] * come
    most = max(hands)
    top = [turn for turn, hand in enumerate(hands) if hand == most]
    holders = _shared(len(top), come, ROLLED[most], _BEATEN[most])
    chances = [holders / len(top) if turn in top else 0.0 for turn in range(len(hands))]
    return [*chances, *[(1 - holders) / come for _ in range(come)]]
