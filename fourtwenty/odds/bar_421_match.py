"""Values tokens in 421: the probability not to pay, before a round.

Tokens are in turn order from the seat that starts the round. docs/paper/solve_421.py and solve_421_four.py compute
the tables; other values are estimated from the values of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from operator import sub

from fourtwenty.games.bar_421 import TOKENS, rank
from fourtwenty.odds.stopping import FIRST, HANDS
from fourtwenty.odds.tables import read_table

Tokens = tuple[int, ...]
"""``[turn]``: the tokens of a round's seats, the starting seat first."""


def splits_of(total: int, seats: int) -> list[Tokens]:
    """Return every split of some tokens over some seats, in turn order.

    >>> splits_of(4, 3)
    [(1, 1, 2), (1, 2, 1), (2, 1, 1)]
    """
    return [tuple(map(sub, (*cuts, total), (0, *cuts))) for cuts in combinations(range(1, total), seats - 1)]


@cache
def splits(seats: int) -> list[Tokens]:
    """Return every split of all tokens over some seats."""
    return splits_of(TOKENS, seats)


@cache
def charges(seats: int) -> list[Tokens]:
    """Return every split over some seats and the pot, each number one more than the tokens."""
    return splits_of(TOKENS + seats, seats + 1)


EXACT_SEATS = 4
"""The most seats with exact values, if all tokens are in play."""

SOLVED = {3: "bar_421_threes.table", 4: "bar_421_fours.table"}
"""``[seats]``: the files of their values, discharge and charge."""

PAIRS = "bar_421_pairs.table"
"""The file of the values of two, a part for each number of tokens in play, from two up."""


@lru_cache(maxsize=1 << 14)
def token_values(tokens: Tokens, pot: int = 0) -> tuple[float, ...]:
    """Return ``[turn]``: the probability not to pay, before a round that begins with these tokens.

    Seats without tokens are safe once the pot is empty. Values are exact for two seats, or up to four with 21 tokens.

    >>> [f"{safe:.3f}" for safe in token_values((20, 0, 1))]
    ['0.180', '1.000', '0.820']
    """
    if pot:
        return _worth_in_charge(tokens, pot)
    values = iter(_worth_in_discharge(tuple(filter(None, tokens))))
    return tuple(next(values) if held else 1.0 for held in tokens)


def _worth_in_discharge(tokens: Tokens) -> Sequence[float]:
    """Return ``[turn]``: the probability not to pay; every seat has tokens. A seat with all of them pays."""
    match tokens:
        case (_,):
            return (0.0,)
        case (mine, theirs):
            safe = safe_of_two(mine + theirs)[mine]
            return safe, 1 - safe
    if len(tokens) <= EXACT_SEATS and sum(tokens) == TOKENS:
        return _solved(len(tokens))[tokens]
    return estimate(tokens)


@cache
def safe_of_two(total: int) -> tuple[float, ...]:
    """Return ``[tokens]``: the probability that the starting seat of a discharge of two does not pay.

    ``total`` is the tokens in play. The fixed point of ``improve_safe`` in docs/paper/reference_solver.py.
    """
    return 0.0, *read_table(PAIRS)[total - 2].numbers()


@cache
def _solved(seats: int) -> dict[Tokens, tuple[float, ...]]:
    """Return ``worth[tokens]`` of the discharge of three or four seats."""
    numbers = read_table(SOLVED[seats])[0].numbers()
    return {split: tuple(numbers[seats * index : seats * (index + 1)]) for index, split in enumerate(splits(seats))}


@cache
def _solved_charge(seats: int) -> dict[Tokens, float]:
    """Return the starting seat's value in each of ``charges`` of three or four seats."""
    return dict(zip(charges(seats), read_table(SOLVED[seats])[1].numbers(), strict=True))


def _worth_in_charge(tokens: Tokens, pot: int) -> tuple[float, ...]:
    seats = len(tokens)
    if seats == 2:
        return _folded_charge(tokens, pot)
    if seats > EXACT_SEATS or sum(tokens) + pot < TOKENS:
        return estimate(tokens, pot)
    # Nobody has a choice, so the starting seat does not matter.
    held = [each + 1 for each in tokens]
    solved = _solved_charge(seats)
    return tuple([solved[*held[turn:], *held[:turn], pot] for turn in range(seats)])


@cache
def _folded_charge(tokens: Tokens, pot: int) -> tuple[float, ...]:
    """Return ``[turn]``: the values in the charge of two, folded over all its throws."""
    seats = len(tokens)
    values = [0.0] * seats
    for held, chance in tokens_of_strongest(seats).items():
        moved = min(held, pot)
        for taker in range(seats):
            after = [*tokens[taker:], *tokens[:taker]]
            after[0] += moved
            for turn, value in enumerate(token_values(tuple(after), pot - moved), taker):
                values[turn % seats] += chance / seats * value
    return tuple(values)


@cache
def tokens_of_strongest(hands: int) -> dict[int, float]:
    """Return ``[tokens]``: the probability that the strongest of some hands of one roll is worth so many."""
    chances: dict[int, float] = {}
    beaten = 0.0
    for hand in sorted(range(len(HANDS)), key=lambda hand: rank(HANDS[hand])):
        tokens, level = rank(HANDS[hand]).tokens, beaten + FIRST[hand]
        chances[tokens] = chances.get(tokens, 0.0) + level**hands - beaten**hands
        beaten = level
    return chances


# -- estimates -----------------------------------------------------------------------------------------------------


def estimate(tokens: Tokens, pot: int = 0) -> tuple[float, ...]:
    """Return ``[turn]``: values as if a seat paid in proportion to what it pays against one seat with all other tokens.

    Either of the two starts. docs/paper/solution.md, "421", has the errors.

    >>> [f"{safe:.3f}" for safe in estimate((1, 19, 1))]
    ['0.831', '0.338', '0.831']
    """
    pays = [_pays(len(tokens), held, pot, sum(tokens) + pot) for held in tokens]
    total = sum(pays)
    return tuple([1 - each / total for each in pays])


@cache
def _pays(seats: int, held: int, pot: int, in_play: int) -> float:
    """Return the probability that a seat pays against one seat with all other tokens, folded over a charge."""
    if not pot:
        if held in (0, in_play):
            return float(held == in_play)
        safe = safe_of_two(in_play)
        return (1 - safe[held] + safe[in_play - held]) / 2
    pays = 0.0
    for tokens, chance in tokens_of_strongest(seats).items():
        moved = min(tokens, pot)
        mine, others = (_pays(seats, each, pot - moved, in_play) for each in (held + moved, held))
        pays += chance * (mine + (seats - 1) * others) / seats
    return pays
