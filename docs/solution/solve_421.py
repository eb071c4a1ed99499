"""Solves 421 of two and three players and a model of five and more, and writes the data of the program.

``python docs/solution/solve_421.py`` writes the data of two and three. It takes two minutes and needs numpy. The model
starts from the table of four: solve_421_four.py writes both.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray
from reference_solver import improve_safe

from fourtwenty.games.bar_421 import TOKENS, rank
from fourtwenty.games.game import Faces
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import bar_421_match
from fourtwenty.odds.bar_421_first import KeptRows, write_rows
from fourtwenty.odds.bar_421_match import (
    EXACT_SEATS,
    MOST_SEATS,
    SOLVED,
    Tokens,
    charges,
    crowd_splits,
    safe_of_two,
    splits_of,
    tokens_of_strongest,
)
from fourtwenty.odds.bar_421_round import BY_STRENGTH, STRENGTH
from fourtwenty.odds.stopping import FIRST, HANDS, KEEPS, THROWN
from fourtwenty.odds.tables import write_table

Floats = NDArray[np.float64]

RANKS = tuple(map(rank, HANDS))
SEATS = 3
MOST = TOKENS
"""The most seats of a discharge: each holds a token."""
WORTHS = tuple(sorted({rank.tokens for rank in RANKS}))
"""The numbers of tokens that a hand can be worth."""


SPLITS = splits_of(TOKENS, SEATS)
NUMBER = {split: number for total in range(SEATS, TOKENS + 1) for number, split in enumerate(splits_of(total, SEATS))}
"""The index of a split among those of its total."""
MOVES = [(giver, taker, worth) for giver, taker in permutations(range(SEATS), 2) for worth in WORTHS]
"""Every end of a round: who gives, who takes, and what the strongest hand is worth."""
INDIFFERENT = 1e-11
"""A gain below this is rounding: such a seat stands."""

_THROW = np.zeros((len(KEEPS), len(HANDS)))
for _keep, _chances in enumerate(THROWN.values()):
    for _hand, _chance in _chances.items():
        _THROW[_keep, _hand] = _chance
_OPEN = [sorted({KEEPS.index(kept) for size in range(3) for kept in combinations(hand, size)}) for hand in HANDS]
_OPEN_PADDED = np.array([keeps + keeps[:1] * (7 - len(keeps)) for keeps in _OPEN])
_FIRST = np.array(FIRST)


def _ends_of_rounds() -> tuple[Floats, NDArray[np.int64]]:
    """Return ``mixes[end][move]``, and ``end[first hand, second hand, third hand]``.

    An end is a distribution over ``MOVES``; ties make it a mixture.
    """
    numbers: dict[tuple[tuple[int, float], ...], int] = {}
    ends = np.empty((len(HANDS),) * SEATS, dtype=np.int64)
    for hands in np.ndindex(*ends.shape):
        strengths = [STRENGTH[hand] for hand in hands]
        givers = [seat for seat in range(SEATS) if strengths[seat] == max(strengths)]
        worth = RANKS[hands[givers[0]]].tokens
        mix = []
        for giver in givers:
            others = [seat for seat in range(SEATS) if seat != giver]
            low = min(strengths[seat] for seat in others)
            takers = [seat for seat in others if strengths[seat] == low]
            mix += [(MOVES.index((giver, taker, worth)), 1 / len(givers) / len(takers)) for taker in takers]
        ends[hands] = numbers.setdefault(tuple(mix), len(numbers))
    mixes = np.zeros((len(numbers), len(MOVES)))
    for mix_found, number in numbers.items():
        for move, chance in mix_found:
            mixes[number, move] = chance
    return mixes, ends


_MIXES, _ENDS = _ends_of_rounds()


def after(split: Tokens, move: tuple[int, int, int]) -> tuple[Tokens | None, list[float], tuple[int, ...]]:
    """Return the next split, None where the giver leaves; then its values; and the tokens by old seat."""
    giver, taker, worth = move
    tokens = list(split)
    moved = min(worth, tokens[giver])
    tokens[giver] -= moved
    tokens[taker] += moved
    if tokens[giver]:
        return (*tokens[taker:], *tokens[:taker]), [], tuple(tokens)
    values = [1.0] * SEATS
    values[taker] = safe_of_two(sum(split))[tokens[taker]]
    values[SEATS - giver - taker] = 1 - values[taker]
    return None, values, tuple(tokens)


def _payoffs(split: Tokens, worth: Floats) -> Floats:
    """Return ``[move][seat]``: the values after each move, from ``worth[split][seat]`` in turn order."""
    rows = []
    for move in MOVES:
        following, values, _ = after(split, move)
        rows.append(values if following is None else np.roll(worth[NUMBER[following]], move[1]))
    return np.array(rows)


def best_turns(payoffs: Floats) -> tuple[Floats, Floats]:
    """Return ``ends[turn][hand]``, the chances to end with each hand, and ``value[turn]`` of best turns.

    ``payoffs[turn][hand]`` is what the seat that turns is paid.
    """
    values, policies = payoffs, []
    for _ in range(ROLLS - 1):
        thrown = values @ _THROW.T
        choices = thrown[:, _OPEN_PADDED]
        keeps = np.take_along_axis(_OPEN_PADDED[None], choices.argmax(2)[:, :, None], 2)[:, :, 0]
        best = choices.max(2)
        stands = best <= payoffs + INDIFFERENT
        policies.append(np.where(stands, len(KEEPS), keeps))
        values = np.where(stands, payoffs, best)
    turns = len(payoffs)
    held: Floats = np.broadcast_to(_FIRST, payoffs.shape)
    ended = np.zeros(payoffs.shape)
    offsets = np.arange(turns)[:, None] * (len(KEEPS) + 1)
    for policy in reversed(policies):
        ended += np.where(policy == len(KEEPS), held, 0)
        cells = turns * (len(KEEPS) + 1)
        kept = np.bincount((policy + offsets).ravel(), held.ravel(), cells).reshape(turns, -1)
        held = (kept[:, :-1] @ _THROW).astype(np.float64)
    return ended + held, values @ _FIRST


@dataclass(frozen=True)
class Round:
    """A round in which everybody replies best."""

    moves: Floats
    """``[move]``: the chances of its ends."""
    by_hand: Floats
    """``[first hand][move]``: the same when the starting seat ends with each hand."""


def best_round(payoffs: Floats) -> Round:
    """Return a round in which each of three seats replies best to those before it; ``payoffs[move][seat]``."""
    paid = _MIXES @ payoffs
    hands = len(HANDS)
    third, _ = best_turns(paid[_ENDS, 2].reshape(hands * hands, hands))
    third = third.reshape(hands, hands, hands)
    second, _ = best_turns((third * paid[_ENDS, 1]).sum(2))
    joint = second[:, :, None] * third
    counts = np.stack([np.bincount(_ENDS[hand].ravel(), joint[hand].ravel(), len(_MIXES)) for hand in range(hands)])
    by_hand = counts @ _MIXES
    first, _ = best_turns((by_hand @ payoffs[:, 0])[None])
    return Round(first[0] @ by_hand, by_hand)


def evaluate(
    rounds: Sequence[Round], paid: Callable[[Tokens, tuple[int, int, int]], list[float]], splits: Sequence[Tokens]
) -> Floats:
    """Return ``worth[split][seat]``: what the policies of ``rounds`` bring in the end.

    ``paid`` is the payment by seat at a move after which one of the three has left.
    """
    unknowns = len(splits) * SEATS
    matrix, right = np.eye(unknowns), np.zeros(unknowns)
    for number, (split, played) in enumerate(zip(splits, rounds, strict=True)):
        for move, chance in zip(MOVES, played.moves, strict=True):
            following, _, _ = after(split, move)
            for seat in range(SEATS):
                row = number * SEATS + seat
                if following is None:
                    right[row] += chance * paid(split, move)[seat]
                else:
                    matrix[row, NUMBER[following] * SEATS + (seat - move[1]) % SEATS] -= chance
    solved: Floats = np.linalg.solve(matrix, right).astype(np.float64)
    return solved.reshape(-1, SEATS)


def step(worth: Floats, splits: Sequence[Tokens]) -> tuple[list[Round], Floats]:
    """Return the rounds of best replies for ``worth[split][seat]``, and what they are worth."""
    payoffs = [_payoffs(split, worth) for split in splits]
    rounds = [best_round(each) for each in payoffs]
    return rounds, np.array([played.moves @ each for played, each in zip(rounds, payoffs, strict=True)])


def solve_three(worth: Floats, total: int = TOKENS, precision: float = 1e-12) -> tuple[list[Round], Floats, float]:
    """Return the rounds, ``worth[split][seat]`` and the last step of policy iteration from a starting point.

    ``total`` is the number of tokens in play.
    """
    splits = splits_of(total, SEATS)
    for count in range(100):
        rounds, improved = step(worth, splits)
        change = float(abs(improved - worth).max())
        print(f"step {count}: {change:.1e}", file=sys.stderr, flush=True)
        if change < precision:
            break
        worth = evaluate(rounds, lambda split, move: after(split, move)[1], splits)
    return rounds, worth, change


def longest(precision: float = 1e-9) -> float:
    """Return the most rounds on average until one of three seats leaves, whatever the three agree to play."""
    rounds: Floats = np.ones(len(SPLITS))
    while True:
        played = []
        for split in SPLITS:
            lasting = [
                0.0 if (following := after(split, move)[0]) is None else rounds[NUMBER[following]] for move in MOVES
            ]
            played.append(best_round(np.repeat(1 + np.array(lasting)[:, None], SEATS, axis=1)))
        matrix = np.eye(len(SPLITS))
        for number, (split, each) in enumerate(zip(SPLITS, played, strict=True)):
            for move, chance in zip(MOVES, each.moves, strict=True):
                following = after(split, move)[0]
                if following is not None:
                    matrix[number, NUMBER[following]] -= chance
        longer: Floats = np.linalg.solve(matrix, np.ones(len(SPLITS))).astype(np.float64)
        if abs(longer - rounds).max() < precision:
            return float(longer.max())
        rounds = longer


def gain_of_standing(worth: Floats, split: Tokens, first: Faces, hand: Faces, kept: Faces) -> float:
    """Return what the second of three gains if it stands, with one roll left, instead of keeping some of its dice.

    The starting seat has the hand ``first``, and ``worth[split][seat]`` are the values after the round.
    """
    paid, ends = _MIXES @ _payoffs(split, worth), _ENDS[HANDS.index(first)]
    third, _ = best_turns(paid[ends, 2])
    second = (third * paid[ends, 1]).sum(1)
    return float(second[HANDS.index(hand)] - _THROW[KEEPS.index(kept)] @ second)


def shares(total: int = TOKENS) -> Floats:
    """Return the share of the tokens in play that each seat does not hold: a starting point."""
    return 1 - np.array(splits_of(total, SEATS)) / total


# -- the data ------------------------------------------------------------------------------------------------------


def rows_of_first(split: Tokens, played: Round, worth: Floats) -> KeptRows:
    """Return ``[strength][column, turn]``: what the program ships of the starting seat's rows, two turns a column."""
    indicators = []
    for giver, taker, _ in MOVES:
        indicators.append([float(giver == seat) for seat in range(2)] + [float(taker == seat) for seat in range(2)])
    tokens = [after(split, move)[2][:2] for move in MOVES]
    columns = np.hstack([_payoffs(split, worth)[:, :2], np.array(indicators), np.array(tokens)])
    rows: list[list[float]] = (played.by_hand @ columns)[list(BY_STRENGTH)].tolist()
    return rows


def charges_of(seats: int, worth: Floats) -> list[float]:
    """Return the value of the starting seat in each of ``bar_421_match.charges``, folded over all throws.

    ``worth[split][turn]`` are the values of so many seats in the discharge; the program has those of fewer.
    """
    solved = dict(zip(splits_of(TOKENS, seats), worth.tolist(), strict=True))

    @cache
    def circle(tokens: Tokens, pot: int) -> tuple[float, ...]:
        mean = [0.0] * seats
        for moves, chance in tokens_of_strongest(seats).items():
            moved = min(moves, pot)
            for taker in range(seats):
                after_move = (tokens[taker] + moved, *tokens[taker + 1 :], *tokens[:taker])
                for turn, each in enumerate(value(after_move, pot - moved), taker - seats):
                    mean[turn] += chance / seats * each
        return tuple(mean)

    def value(tokens: Tokens, pot: int) -> tuple[float, ...]:
        """The values by turn. Whoever starts a round of the charge, they are those of the seats in a circle."""
        if not pot:
            return solved[tokens] if all(tokens) else bar_421_match.worth(tokens)
        turn = max(range(seats), key=lambda turn: (*tokens[turn:], *tokens[:turn]))
        found = circle((*tokens[turn:], *tokens[:turn]), pot)
        return *found[seats - turn :], *found[: seats - turn]

    return [value(tuple(one_more - 1 for one_more in held), pot)[0] for *held, pot in charges(seats)]


# -- five seats and more: a model ----------------------------------------------------------------------------------


def replies() -> list[Floats]:
    """Return ``chances[seats to come after it][most][least][strength]`` of a seat's last hand.

    In a round that moves as many tokens as the strongest hand is worth, without limits, every seat replies best to
    the strongest and the weakest hand on the table. A tie with a seat to come is half a win.
    """
    hands = len(HANDS)
    moves = np.array([RANKS[hand].tokens for hand in BY_STRENGTH], dtype=float)
    most, least, mine = np.meshgrid(*[np.arange(hands)] * 3, indexing="ij")
    gains = np.broadcast_to(moves[:, None], (hands, hands)).copy()
    losses = gains.copy()
    found: list[Floats] = []
    for _ in range(MOST - 1):
        payoffs = np.where(mine > most, gains[mine, least], 0) - np.where(mine < least, losses[most, mine], 0)
        payoffs += (mine == most) * gains[most, least] / 2 - (mine == least) * losses[most, least] / 2
        ends, _ = best_turns(payoffs.reshape(-1, hands)[:, STRENGTH])
        chances = ends[:, list(BY_STRENGTH)].reshape(hands, hands, hands)
        found.append(chances)
        holds = (mine < most) + (mine == most) / 2
        keeps = (mine > least) + (mine == least) / 2
        gains = (chances * holds * gains[most, np.minimum(least, mine)]).sum(2)
        losses = (chances * keeps * losses[np.maximum(most, mine), least]).sum(2)
    return found


def ends_of_crowd(seats: int, chances: Sequence[Floats]) -> Floats:
    """Return ``chances[who][worth]`` of a round: the starting seat gives, it takes, or neither, of some seats."""
    hands = len(HANDS)
    first, _ = best_turns(_first_payoff(seats, chances)[None])
    most, least = np.indices((hands, hands))
    held = {(True, True): np.diag(first[0, list(BY_STRENGTH)])}
    for to_come in reversed(range(seats - 1)):
        following: dict[tuple[bool, bool], Floats] = {}
        for (top, low), here in held.items():
            for hand in range(hands):
                come = here * chances[to_come][:, :, hand]
                above, below = (hand > most) + (hand == most) / 2, (hand < least) + (hand == least) / 2
                single = top and low
                parts = [((False, low), come * above, np.maximum(most, hand), least)]
                parts.append(((top, False), come * (1 - above if single else below), most, np.minimum(least, hand)))
                if not single:
                    parts.append(((top, low), come * (1 - above - below), most, least))
                for owners, part, new_most, new_least in parts:
                    into = following.setdefault(owners, np.zeros((hands, hands)))
                    np.add.at(into, (new_most, new_least), part)
        held = following
    found = np.zeros((3, len(WORTHS)))
    for (top, low), here in held.items():
        by_most = here.sum(1)
        for strength, chance in enumerate(by_most):
            found[0 if top else 1 if low else 2, WORTHS.index(RANKS[BY_STRENGTH[strength]].tokens)] += chance
    shares: Floats = found / found.sum()
    return shares


def _first_payoff(seats: int, chances: Sequence[Floats]) -> Floats:
    """Return ``[hand]``: the tokens that the starting seat gives on average, less those that it takes."""
    hands = len(HANDS)
    moves = np.array([RANKS[hand].tokens for hand in BY_STRENGTH], dtype=float)
    most, least, mine = np.meshgrid(*[np.arange(hands)] * 3, indexing="ij")
    gains = np.broadcast_to(moves[:, None], (hands, hands)).copy()
    losses = gains.copy()
    for to_come in range(seats - 2):
        holds = (mine < most) + (mine == most) / 2
        keeps = (mine > least) + (mine == least) / 2
        gains = (chances[to_come] * holds * gains[most, np.minimum(least, mine)]).sum(2)
        losses = (chances[to_come] * keeps * losses[np.maximum(most, mine), least]).sum(2)
    own, other = np.indices((hands, hands))
    second = chances[seats - 2][own, own, other]
    wins = np.where(other < own, gains[own, np.minimum(own, other)], 0)
    loses = np.where(other > own, losses[np.maximum(own, other), own], 0)
    payoff: Floats = (second * (wins - loses)).sum(1)[list(STRENGTH)]
    return payoff


CrowdWorth = dict[tuple[int, tuple[int, ...]], tuple[float, dict[int, float]]]
"""``[tokens of the starting seat, tokens of the others in ascending order]``: its value, and theirs by tokens."""


def crowd_of_few(seats: int) -> CrowdWorth:
    """Return the program's values of a few seats, on average over the orders of those that do not start."""
    found: CrowdWorth = {}
    for start, others in crowd_splits(seats):
        orders = list(permutations(others))
        values = [bar_421_match.worth((start, *order)) for order in orders]
        by_tokens = {
            held: fmean(
                safe
                for order, (_, *rest) in zip(orders, values, strict=True)
                for other, safe in zip(order, rest, strict=True)
                if other == held
            )
            for held in sorted(set(others))
        }
        found[start, others] = fmean(value[0] for value in values), by_tokens
    return found


def solve_crowd(seats: int, ends: Floats, fewer: CrowdWorth) -> CrowdWorth:
    """Return the values of some seats in rounds that end as ``ends`` says, whatever the tokens are.

    Who gives and who takes is drawn: the starting seat with its chances, all others with equal ones.
    """
    splits = list(crowd_splits(seats))
    number: dict[tuple[int, tuple[int, ...], int | None], int] = {}
    for start, others in splits:
        for held in (None, *sorted(set(others))):
            number[start, others, held] = len(number)
    matrix, right = np.eye(len(number)), np.zeros(len(number))
    for start, others in splits:
        tokens = (start, *others)
        pairs = [(giver, taker) for giver, taker in permutations(range(seats), 2)]
        for who, tagged in [(None, 0), *((held, 1 + others.index(held)) for held in sorted(set(others)))]:
            row = number[start, others, who]
            for giver, taker in pairs:
                kind = 0 if giver == 0 else 1 if taker == 0 else 2
                ways = (seats - 1) * (1 if kind < 2 else seats - 2)
                for index, moves in enumerate(WORTHS):
                    chance = ends[kind, index] / ways
                    moved = min(moves, tokens[giver])
                    after_move = list(tokens)
                    after_move[giver] -= moved
                    after_move[taker] += moved
                    if tagged == giver and not after_move[giver]:
                        right[row] += chance
                        continue
                    rest = tuple(sorted(held for seat, held in enumerate(after_move) if seat != taker and held))
                    if after_move[giver]:
                        column = number[after_move[taker], rest, None if tagged == taker else after_move[tagged]]
                        matrix[row, column] -= chance
                    else:
                        first, values = fewer[after_move[taker], rest]
                        right[row] += chance * (first if tagged == taker else values[after_move[tagged]])
    solved = np.linalg.solve(matrix, right)
    return {
        (start, others): (
            float(solved[number[start, others, None]]),
            {held: float(solved[number[start, others, held]]) for held in sorted(set(others))},
        )
        for start, others in splits
    }


def charges_of_crowd(seats: int, crowds: dict[int, CrowdWorth]) -> list[float]:
    """Return ``[tokens]``: the chance to pay of a seat with these tokens after a whole charge of some seats."""
    reached: dict[tuple[int, ...], float] = {(0,) * seats: 1.0}
    weight, pays = np.zeros(TOKENS + 1), np.zeros(TOKENS + 1)
    while reached:
        following: dict[tuple[int, ...], float] = {}
        for tokens, chance in reached.items():
            pot = TOKENS - sum(tokens)
            for moves, part in tokens_of_strongest(seats).items():
                for taker, many in Counter(tokens).items():
                    now = chance * part * many / seats
                    others = list(tokens)
                    others.remove(taker)
                    held = taker + min(moves, pot)
                    after_move = tuple(sorted((*others, held)))
                    if sum(after_move) < TOKENS:
                        following[after_move] = following.get(after_move, 0.0) + now
                        continue
                    rest = tuple(sorted(filter(None, others)))
                    first, values = crowds[1 + len(rest)][held, rest]
                    weight[held] += now
                    pays[held] += now * (1 - first)
                    for other in others:
                        weight[other] += now
                        pays[other] += now * (1 - values[other]) if other else 0.0
        reached = following
    return [float(each) for each in pays / np.where(weight, weight, 1)]


def solve_crowds() -> tuple[dict[int, CrowdWorth], list[list[float]]]:
    """Return the values of the discharge by number of seats, and those of the charge of as many as are estimated."""
    chances = replies()
    crowds: dict[int, CrowdWorth] = {1: {(TOKENS, ()): (0.0, {})}}
    crowds |= {seats: crowd_of_few(seats) for seats in range(2, EXACT_SEATS + 1)}
    for seats in range(EXACT_SEATS + 1, MOST + 1):
        crowds[seats] = solve_crowd(seats, ends_of_crowd(seats, chances), crowds[seats - 1])
        print(f"{seats} seats", file=sys.stderr, flush=True)
    return crowds, [charges_of_crowd(seats, crowds) for seats in range(EXACT_SEATS + 1, MOST_SEATS + 1)]


def write(name: str, code: str, numbers: Iterable[float]) -> None:
    """Write a table of the program, little-endian."""
    write_table(name, np.array(list(numbers), dtype="<f8" if code == "d" else "<f4").tobytes())


def write_two() -> None:
    """Write the data of two seats, for every number of tokens in play. 60 steps leave only last bits unsettled."""
    numbers: list[float] = []
    for total in range(2, TOKENS + 1):
        safe: tuple[float, ...] = (0.0, *(1 - held / total for held in range(1, total)))
        for _ in range(60):
            safe = improve_safe(safe)
        numbers += safe[1:]
    write("bar_421_pairs.bin", "d", numbers)


def write_solved(seats: int, worth: Floats) -> None:
    """Write the values of three or four seats: those of the discharge, and of the charge that follow from them."""
    write(SOLVED[seats], "d", [*worth.ravel(), *charges_of(seats, worth)])


def write_three(rounds: Sequence[Round], worth: Floats) -> None:
    """Write the data of three seats."""
    write_solved(SEATS, worth)
    write_rows(SEATS, [rows_of_first(split, played, worth) for split, played in zip(SPLITS, rounds, strict=True)])


def write_crowds() -> None:
    """Write the data of five seats and more, from those of fewer that the program has."""
    crowds, charges = solve_crowds()
    numbers: list[float] = []
    for seats in range(EXACT_SEATS + 1, MOST + 1):
        for split in crowd_splits(seats):
            first, values = crowds[seats][split]
            numbers += (first, *values.values())
    write("bar_421_crowds.bin", "f", numbers)
    write("bar_421_charges.bin", "f", [each for row in charges for each in row])


if __name__ == "__main__":
    write_two()
    safe_of_two.cache_clear()
    bar_421_match.worth.cache_clear()
    played_best, values, last_step = solve_three(shares())
    write_three(played_best, values)
    print(f"the values are written; the last step of policy iteration was {last_step:.0e}")
