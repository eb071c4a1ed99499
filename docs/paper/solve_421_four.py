"""Solves 421 of four players to the end of the match, from the solved table of three.

``python docs/paper/solve_421_four.py`` writes the tables of four seats. It takes half an hour of one core and needs
numpy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
import solve_421
from numpy.typing import NDArray
from shipped_tables import KeptRows, write_rows
from solve_421 import INDIFFERENT, WORTHS, Floats

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import bar_421_match
from fourtwenty.odds.bar_421_match import Tokens, splits_of
from fourtwenty.odds.bar_421_round import BY_STRENGTH, MOVES, ROLLED
from fourtwenty.odds.stopping import HANDS, KEEPS, THROWN

Whole = NDArray[np.int64]
OfThree = Callable[[Tokens], Sequence[float]]
"""The values of three seats that hold these tokens, in turn order."""

SEATS = 4
PAIRS = list(permutations(range(SEATS), 2))
"""Every pair of a giver and a taker."""
ENDS = [(giver, taker, worth) for giver, taker in PAIRS for worth in WORTHS]
"""Every end of a round: who gives, who takes, and what the strongest hand is worth."""

# Hands are numbered by strength here. An array has a row for each hand and a column for each turn to be solved.

_THROW = np.zeros((len(KEEPS), len(HANDS)))
for _keep, _chances in enumerate(THROWN.values()):
    for _hand, _chance in _chances.items():
        _THROW[_keep, BY_STRENGTH.index(_hand)] = _chance
_OPEN = [
    sorted({KEEPS.index(kept) for size in range(ROLLS) for kept in combinations(HANDS[hand], size)}, reverse=True)
    for hand in BY_STRENGTH
]
"""``[hand]``: the keeps that are possible with it, most dice first."""
_AT_ONCE = 2048
"""The turns that are solved together: their numbers stay in the cache of the processor."""


def best_turns(payoffs: Floats) -> Floats:
    """Return ``ends[hand][turn]``, the chances to end with each hand in best turns, from ``payoffs[hand][turn]``.

    A seat stands where no throw gains ``INDIFFERENT``, and keeps the most dice of throws that are so close.
    """
    ended = np.empty(payoffs.shape)
    for begin in range(0, payoffs.shape[1], _AT_ONCE):
        columns = slice(begin, begin + _AT_ONCE)
        ended[:, columns] = _best_turns(np.ascontiguousarray(payoffs[:, columns]))
    return ended


def _best_turns(payoffs: Floats) -> Floats:
    values, choices = payoffs, []
    for _ in range(ROLLS - 1):
        thrown = _THROW @ values
        best = np.empty(payoffs.shape)
        for most, (keep, *others) in zip(best, _OPEN, strict=True):
            most[:] = thrown[keep]
            for other in others:
                np.maximum(most, thrown[other], out=most)
        stands = best <= payoffs + INDIFFERENT
        choices.append((thrown, best - INDIFFERENT, stands))
        values = np.where(stands, payoffs, best)
    held = np.repeat(np.array(ROLLED)[:, None], payoffs.shape[1], axis=1)
    ended = np.zeros(payoffs.shape)
    part, enough = np.empty(payoffs.shape[1]), np.empty(payoffs.shape[1], dtype=bool)
    for thrown, bar, stands in reversed(choices):
        stood = held * stands
        ended += stood
        held -= stood
        kept = np.zeros(thrown.shape)
        for left, level, (*keeps, last) in zip(held, bar, _OPEN, strict=True):
            for keep in keeps:
                np.greater_equal(thrown[keep], level, out=enough)
                np.multiply(left, enough, out=part)
                kept[keep] += part
                left -= part
            kept[last] += left
        held = _THROW.T @ kept
    ended += held
    return ended


# -- a round ---------------------------------------------------------------------------------------------------------


def _tables() -> tuple[Whole, Whole]:
    """Return ``table[first hand, second hand, third hand]`` and ``hands[seat][table]``, three hands of each table.

    Tables with the same number are the same to the last seat: the strongest and the weakest hand, and their seats.
    """
    hands = np.indices((len(HANDS),) * 3).reshape(3, -1)
    most, least = hands.max(0), hands.min(0)
    key = most * len(HANDS) + least
    for extreme in (most, least):
        for hand in hands:
            key = 2 * key + (hand == extreme)
    _, examples, numbers = np.unique(key, return_index=True, return_inverse=True)
    return numbers.reshape((len(HANDS),) * 3), hands[:, examples]


def _ends_of_rounds(hands: Whole) -> tuple[Floats, Whole]:
    """Return ``mixes[mix][end]``, and ``mix[last hand][table]`` for ``hands[seat][table]``.

    A mix is a distribution over ``ENDS``: seats that tie are equally likely.
    """
    last = np.arange(len(HANDS))[:, None]
    strengths = [np.broadcast_to(hand, (len(HANDS), hands.shape[1])) for hand in (*hands, last)]
    most, least = np.maximum.reduce(strengths), np.minimum.reduce(strengths)
    givers = sum((strength == most) << seat for seat, strength in enumerate(strengths))
    takers = sum((strength == least) << seat for seat, strength in enumerate(strengths))
    worth = np.array([WORTHS.index(moves) for moves in MOVES])[most]
    found, mix = np.unique((givers * 16 + takers) * len(WORTHS) + worth, return_inverse=True)
    mixes = np.zeros((len(found), len(ENDS)))
    for row, code in zip(mixes, found, strict=True):
        masks, number = divmod(int(code), len(WORTHS))
        pairs = [(giver, taker) for giver, taker in PAIRS if masks >> 4 + giver & 1 and masks >> taker & 1]
        for giver, taker in pairs:
            row[ENDS.index((giver, taker, WORTHS[number]))] = 1 / len(pairs)
    return mixes, mix.reshape(len(HANDS), -1)


_TABLES, _EXAMPLES = _tables()
_MIXES, _MIX = _ends_of_rounds(_EXAMPLES)
_BEFORE_THIRD = np.ascontiguousarray(_TABLES.transpose(2, 0, 1).reshape(len(HANDS), -1))
"""``[third hand][first hand, second hand]``: the table."""


@dataclass(frozen=True)
class Round:
    """A round in which everybody replies best; ``payoffs[end][seat]`` is what it is played for."""

    payoffs: Floats

    @cached_property
    def last(self) -> Floats:
        """``[hand][table]``: the chances of the last seat's hands."""
        return best_turns((_MIXES @ self.payoffs[:, 3])[_MIX])

    @cached_property
    def third(self) -> Floats:
        """``[hand][first hand, second hand]``: the chances of the third seat's hands."""
        return best_turns(self.before_last(self.payoffs[:, 2])[_BEFORE_THIRD])

    @cached_property
    def second(self) -> Floats:
        """``[hand][first hand]``: the chances of the second seat's hands."""
        return best_turns(self.before_third(self.payoffs[:, 1]).T)

    @cached_property
    def first(self) -> Floats:
        """``[hand]``: the chances of the starting seat's hands."""
        return best_turns(self.before_second(self.payoffs[:, 0])[:, None])[:, 0]

    def before_last(self, column: Floats) -> Floats:
        """Return ``[table]``: the expectation of ``column[end]`` when the last seat begins."""
        found: Floats = np.einsum("ht,ht->t", self.last, (_MIXES @ column)[_MIX])
        return found

    def before_third(self, column: Floats) -> Floats:
        """Return ``[first hand, second hand]``: the expectation of ``column[end]`` when the third seat begins."""
        found: Floats = np.einsum("ht,ht->t", self.third, self.before_last(column)[_BEFORE_THIRD])
        return found.reshape(len(HANDS), len(HANDS))

    def before_second(self, column: Floats) -> Floats:
        """Return ``[first hand]``: the expectation of ``column[end]`` when the second seat begins."""
        found: Floats = np.einsum("ht,th->t", self.second, self.before_third(column))
        return found

    @cached_property
    def ends(self) -> Floats:
        """``[end]``: the chances of ``ENDS``."""
        pairs = self.first[:, None] * self.second.T
        joint = pairs.reshape(-1) * self.third
        tables = np.bincount(_BEFORE_THIRD.ravel(), joint.ravel(), self.last.shape[1])
        mixes = np.bincount(_MIX.ravel(), (self.last * tables).ravel(), len(_MIXES))
        found: Floats = mixes @ _MIXES
        return found


# -- the match -------------------------------------------------------------------------------------------------------


def after(split: Tokens, end: tuple[int, int, int]) -> dict[int, int]:
    """Return the tokens by old seat, in the next turn order; without the giver if it leaves."""
    giver, taker, worth = end
    tokens = list(split)
    moved = min(worth, tokens[giver])
    tokens[giver] -= moved
    tokens[taker] += moved
    step = 1 if tokens[giver] else -1
    order = [(taker + step * turn) % SEATS for turn in range(SEATS)]
    return {seat: tokens[seat] for seat in order if tokens[seat]}


class Match:
    """The splits of the tokens over four seats, and what follows each of them."""

    def __init__(self, total: int, of_three: OfThree) -> None:
        """``of_three`` has the values once a seat has left."""
        self.splits = splits_of(total, SEATS)
        number = {split: index for index, split in enumerate(self.splits)}
        shape = (len(self.splits), len(ENDS))
        self.following = np.full(shape, -1)
        """``[split][end]``: the next split; -1 where the giver leaves."""
        self.turns = np.zeros((*shape, SEATS), dtype=np.int64)
        """``[split][end][seat]``: the seat's turn in the next split."""
        self.paid = np.ones((*shape, SEATS))
        """``[split][end][seat]``: the values where the giver leaves."""
        for index, split in enumerate(self.splits):
            for column, end in enumerate(ENDS):
                order = after(split, end)
                tokens = tuple(order.values())
                if len(order) == SEATS:
                    self.following[index, column] = number[tokens]
                    for turn, seat in enumerate(order):
                        self.turns[index, column, seat] = turn
                else:
                    for seat, value in zip(order, of_three(tokens), strict=True):
                        self.paid[index, column, seat] = value

    def payoffs(self, index: int, worth: Floats) -> Floats:
        """Return ``[end][seat]``: the values after each end of a round from a split, from ``worth[split][turn]``."""
        goes_on = self.following[index] >= 0
        found: Floats = np.where(
            goes_on[:, None], worth[self.following[index][:, None], self.turns[index]], self.paid[index]
        )
        return found

    def evaluate(self, ends: Floats) -> Floats:
        """Return ``worth[split][turn]`` of play whose rounds end as ``ends[split][end]``."""
        unknowns = len(self.splits) * SEATS
        matrix, right = np.eye(unknowns), np.zeros(unknowns)
        for index, chances in enumerate(ends):
            goes_on = self.following[index] >= 0
            for seat in range(SEATS):
                row = index * SEATS + seat
                columns = self.following[index, goes_on] * SEATS + self.turns[index, goes_on, seat]
                np.subtract.at(matrix[row], columns, chances[goes_on])
                right[row] = chances[~goes_on] @ self.paid[index, ~goes_on, seat]
        solved: Floats = np.linalg.solve(matrix, right).astype(np.float64)
        return solved.reshape(-1, SEATS)


# -- the computation -------------------------------------------------------------------------------------------------


def solve_four(match: Match, worth: Floats, precision: float = 1e-12) -> tuple[Floats, Floats, float]:
    """Return ``worth[split][turn]``, ``ends[split][end]`` and the last step of policy iteration from a start."""
    for number in range(40):
        payoffs = [match.payoffs(index, worth) for index in range(len(match.splits))]
        ends = np.array([Round(each).ends for each in payoffs])
        improved = np.array([chances @ each for chances, each in zip(ends, payoffs, strict=True)])
        change = float(abs(improved - worth).max())
        print(f"step {number}: {change:.1e}", file=sys.stderr, flush=True)
        if change < precision:
            break
        worth = match.evaluate(ends)
    return worth, ends, change


def shares(match: Match) -> Floats:
    """Return the share of the tokens in play that each seat does not hold: a starting point."""
    splits = np.array(match.splits)
    found: Floats = 1 - splits / splits.sum(1, keepdims=True)
    return found


def longest(match: Match, ends: Floats, gain: float = 0.01) -> float:
    """Return a bound on the rounds on average until a seat leaves, whatever the four agree to play.

    ``ends[split][end]`` are the ends of some play, to start from. Policy iteration stops where a round of other play
    gains less than ``gain`` rounds: the rounds found, divided by 1 - ``gain``, are then more than any play reaches.
    """
    number = 0
    while True:
        matrix = np.eye(len(match.splits))
        for index, chances in enumerate(ends):
            goes_on = match.following[index] >= 0
            np.subtract.at(matrix[index], match.following[index, goes_on], chances[goes_on])
        rounds = np.linalg.solve(matrix, np.ones(len(match.splits)))
        lasting = 1 + np.where(match.following >= 0, rounds[match.following], 0)
        ends = np.zeros(ends.shape)
        for index, column in enumerate(lasting):
            ends[index] = Round(np.repeat(column[:, None], SEATS, axis=1)).ends
            gained = float(((ends * lasting).sum(1) - rounds).max())
        print(f"step {number}: {rounds.max():.1f} rounds, {gained:.2g} more", file=sys.stderr, flush=True)
        if gained < gain:
            return float(rounds.max()) / (1 - gain)
        number += 1


def model(match: Match) -> Floats:
    """Return the values that the formula of five seats and more gives to four: a starting point."""
    return np.array([bar_421_match.estimate(split) for split in match.splits])


# -- the data ----------------------------------------------------------------------------------------------------------


def rows_of_first(split: Tokens, played: Round) -> KeptRows:
    """Return ``[strength][column, turn]``: what the program ships of the starting seat's rows, three turns a column."""
    columns = [*played.payoffs.T[:-1]]
    for role in range(2):
        columns += [np.array([float(end[role] == seat) for end in ENDS]) for seat in range(SEATS - 1)]
    tokens = [after(split, end) for end in ENDS]
    columns += [np.array([float(held.get(seat, 0)) for held in tokens]) for seat in range(SEATS - 1)]
    rows: list[list[float]] = np.array([played.before_second(column) for column in columns]).T.tolist()
    return rows


def write_four(match: Match, worth: Floats) -> None:
    """Write the data of four seats."""
    solve_421.write_solved(SEATS, worth)
    rows = []
    for index, split in enumerate(match.splits):
        rows.append(rows_of_first(split, Round(match.payoffs(index, worth))))
    write_rows(SEATS, rows)


if __name__ == "__main__":
    match_of_21 = Match(TOKENS, bar_421_match.token_values)
    values, _, last_step = solve_four(match_of_21, shares(match_of_21))
    write_four(match_of_21, values)
    print(f"the values are written; the last step of policy iteration was {last_step:.0e}")
