"""Solves 421 of two and three players, and writes the tables of the program: ``python docs/paper/solve_421.py``.

It takes two minutes and needs numpy.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray
from reference_solver import improve_safe
from shipped_tables import KeptRows, write_rows, write_table

from fourtwenty.games.bar_421 import TOKENS, rank
from fourtwenty.games.game import Faces
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import bar_421_match
from fourtwenty.odds.bar_421_match import (
    PAIRS,
    SOLVED,
    Tokens,
    charges,
    safe_of_two,
    splits_of,
    tokens_of_strongest,
)
from fourtwenty.odds.bar_421_round import BY_STRENGTH, STRENGTH
from fourtwenty.odds.stopping import FIRST, HANDS, KEEPS, THROWN

Floats = NDArray[np.float64]

RANKS = tuple(map(rank, HANDS))
SEATS = 3
WORTHS = tuple(sorted({rank.tokens for rank in RANKS}))
"""The numbers of tokens that a hand can be worth."""


SPLITS = splits_of(TOKENS, SEATS)
NUMBER = {split: number for total in range(SEATS, TOKENS + 1) for number, split in enumerate(splits_of(total, SEATS))}
"""The index of a split among the splits of its total."""
MOVES = [(giver, taker, worth) for giver, taker in permutations(range(SEATS), 2) for worth in WORTHS]
"""Every end of a round: who gives, who takes, and what the strongest hand is worth."""
INDIFFERENT = 1e-11
"""A gain below this counts as rounding: the seat stands."""

_THROW = np.zeros((len(KEEPS), len(HANDS)))
for _keep, _chances in enumerate(THROWN.values()):
    for _hand, _chance in _chances.items():
        _THROW[_keep, _hand] = _chance
_OPEN = [sorted({KEEPS.index(kept) for size in range(3) for kept in combinations(hand, size)}) for hand in HANDS]
_OPEN_PADDED = np.array([keeps + keeps[:1] * (7 - len(keeps)) for keeps in _OPEN])
_FIRST = np.array(FIRST)


@cache
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
    mixes, ends = _ends_of_rounds()
    paid = mixes @ payoffs
    hands = len(HANDS)
    third, _ = best_turns(paid[ends, 2].reshape(hands * hands, hands))
    third = third.reshape(hands, hands, hands)
    second, _ = best_turns((third * paid[ends, 1]).sum(2))
    joint = second[:, :, None] * third
    counts = np.stack([np.bincount(ends[hand].ravel(), joint[hand].ravel(), len(mixes)) for hand in range(hands)])
    by_hand = counts @ mixes
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
    mixes, ends = _ends_of_rounds()
    paid, after_first = mixes @ _payoffs(split, worth), ends[HANDS.index(first)]
    third, _ = best_turns(paid[after_first, 2])
    second = (third * paid[after_first, 1]).sum(1)
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

    ``worth[split][turn]`` are the values of so many seats in the discharge; the program has the values of fewer.
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
        """The values by turn: of the seats in a circle, whichever starts the round of the charge."""
        if not pot:
            return solved[tokens] if all(tokens) else bar_421_match.token_values(tokens)
        turn = max(range(seats), key=lambda turn: (*tokens[turn:], *tokens[:turn]))
        found = circle((*tokens[turn:], *tokens[:turn]), pot)
        return *found[seats - turn :], *found[: seats - turn]

    return [value(tuple(one_more - 1 for one_more in held), pot)[0] for *held, pot in charges(seats)]


def write_two() -> None:
    """Write the data of two seats, for every number of tokens in play. 60 steps leave only last bits unsettled."""
    parts = []
    for total in range(2, TOKENS + 1):
        safe: tuple[float, ...] = (0.0, *(1 - held / total for held in range(1, total)))
        for _ in range(60):
            safe = improve_safe(safe)
        parts.append(array("d", safe[1:]))
    write_table(PAIRS, parts)


def write_solved(seats: int, worth: Floats) -> None:
    """Write the values of three or four seats in the discharge, and in the charge, which follow from them."""
    write_table(SOLVED[seats], [array("d", worth.ravel()), array("d", charges_of(seats, worth))])


def write_three(rounds: Sequence[Round], worth: Floats) -> None:
    """Write the data of three seats."""
    write_solved(SEATS, worth)
    write_rows(SEATS, [rows_of_first(split, played, worth) for split, played in zip(SPLITS, rounds, strict=True)])


if __name__ == "__main__":
    write_two()
    safe_of_two.cache_clear()
    bar_421_match.token_values.cache_clear()
    played_best, values, last_step = solve_three(shares())
    write_three(played_best, values)
    print(f"the values are written; the last step of policy iteration was {last_step:.0e}")
