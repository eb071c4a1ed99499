"""Computes the price of simple rules at 421 of two, against best play, over the whole match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds.bar_421_match import safe_of_two, tokens_of_strongest
from fourtwenty.odds.bar_421_round import MOVES, STRENGTH
from fourtwenty.odds.stopping import FIRST, HANDS, THROWN, Kept, hand_index, turn

Rule = Callable[[int, int, int | None], Kept | None]
"""Returns the dice to keep, None to stand, from a hand, the rolls left and the hand to beat, None if one starts.

Hands are indices into ``HANDS``.
"""
Ends = Sequence[float]
"""``[hand]``: the chances to end a turn with each hand."""


def first_in(cards: Iterable[Kept], hand: int) -> Kept:
    """Return the first of these sets of dice that a hand contains."""
    return next(kept for kept in cards if all(HANDS[hand].count(face) >= kept.count(face) for face in kept))


@dataclass(frozen=True)
class Card:
    """A rule on a card: when to stand, and the dice to keep when one rolls."""

    keeps: tuple[Kept, ...]
    """Keep the first of these that you have, and roll the rest. Three dice stand."""
    stands: tuple[int, int]
    """The starting seat stands on hands of at least this strength with one roll left, with two."""
    second: tuple[int, int] = (0, 0)
    """The second seat stands on hands of at least this strength that are stronger than the other."""
    replies: tuple[Kept, ...] = ()
    """``keeps`` of the second seat, where they are others."""

    def __call__(self, hand: int, rolls_left: int, other: int | None) -> Kept | None:
        """Follow the rule."""
        least = (self.stands if other is None else self.second)[rolls_left - 1]
        if STRENGTH[hand] >= least and (other is None or STRENGTH[hand] > STRENGTH[other]):
            return None
        kept = first_in(self.keeps if other is None else self.replies or self.keeps, hand)
        return None if len(kept) == 3 else kept


def ends(rule: Rule, other: int | None) -> Ends:
    """Return the chances to end with each hand when a turn follows a rule."""
    held: Sequence[float] = FIRST
    ended = [0.0] * len(HANDS)
    for rolls_left in range(ROLLS - 1, 0, -1):
        thrown = [0.0] * len(HANDS)
        for hand, chance in enumerate(held):
            if not chance:
                continue
            kept = rule(hand, rolls_left, other)
            if kept is None:
                ended[hand] += chance
            else:
                for reached, share in THROWN[kept].items():
                    thrown[reached] += chance * share
        held = thrown
    return [before + now for before, now in zip(ended, held, strict=True)]


def _won(winner: int, loser: int, hand: int) -> tuple[int, int]:
    """Return the tokens of the winner and the loser after a round won with a hand."""
    moved = min(MOVES[STRENGTH[hand]], winner)
    return winner - moved, loser + moved


@cache
def best_replies(mine: int) -> tuple[Ends, tuple[Ends, ...]]:
    """Return best play: the ends of the starting seat with these tokens, and of the reply to each hand."""
    theirs, at_start = TOKENS - mine, safe_of_two(TOKENS)
    lost, replies, first = [], [], []
    for hand in range(len(HANDS)):
        payoffs = []
        for reply in range(len(HANDS)):
            gives = at_start[_won(mine, theirs, hand)[1]] if mine > MOVES[STRENGTH[hand]] else 0.0
            kept, taken = _won(theirs, mine, reply)
            takes = 1 - at_start[taken] if kept else 1.0
            wins = STRENGTH[reply] > STRENGTH[hand]
            payoffs.append(takes if wins else gives if reply != hand else (takes + gives) / 2)
        reply_turn = turn([payoffs] * ROLLS)
        replies.append(reply_turn.ends())
        lost.append(reply_turn.value)
    first = turn([[1 - each for each in lost]] * ROLLS).ends()
    return first, tuple(replies)


Results = dict[tuple[bool, int], float]
"""``[whether the starting seat wins, tokens]``: probabilities of a round's result, tokens before any limit."""


def _results(hand: int, reply: Ends) -> Results:
    """Return the results of a round from the hand of the starting seat and the ends of the reply."""
    found: Results = {}
    for other, chance in enumerate(reply):
        ahead = STRENGTH[hand] - STRENGTH[other]
        for wins, share in ((True, (ahead > 0) + (ahead == 0) / 2), (False, (ahead < 0) + (ahead == 0) / 2)):
            key = wins, MOVES[STRENGTH[hand if wins else other]]
            found[key] = found.get(key, 0.0) + chance * share
    return found


@cache
def _best_results(tokens: int) -> tuple[Results, ...]:
    """Return ``[hand]``: the results when best play replies to a starting seat with these tokens."""
    return tuple(_results(hand, reply) for hand, reply in enumerate(best_replies(tokens)[1]))


def _transitions(tokens: int, starts: bool, first: Ends, results: Sequence[Results]) -> list[tuple[float, bool, int]]:
    """Return the ends of a round: the chance, whether the follower of the rule starts the next, and its tokens."""
    chances: dict[tuple[bool, int], float] = {}
    for here, found in zip(first, results, strict=True):
        for (starter_wins, moves), chance in found.items():
            wins = starter_wins == starts
            key = not wins, tokens - min(moves, tokens) if wins else tokens + min(moves, TOKENS - tokens)
            chances[key] = chances.get(key, 0.0) + here * chance
    return [(chance, *key) for key, chance in chances.items()]


def safe_with(rule: Rule) -> float:
    """Return the probability that the follower of a rule does not pay, from the first roll of a match of two."""
    first = ends(rule, None)
    results = [_results(hand, ends(rule, hand)) for hand in range(len(HANDS))]
    return safe(lambda tokens: first, lambda tokens: results)  # noqa: ARG005


def safe_with_best_play() -> float:
    """Return the probability that best play does not pay against itself, a half: a check of this module."""
    return safe(lambda tokens: best_replies(tokens)[0], lambda tokens: _best_results(TOKENS - tokens))


def safe(first: Callable[[int], Ends], results: Callable[[int], Sequence[Results]]) -> float:
    """Return the probability not to pay of a player of two whose turns are given by its tokens.

    ``first(tokens)`` are the ends of its turn when it starts, ``results(tokens)`` the results of its replies.
    """
    rounds = {}
    for tokens in range(1, TOKENS):
        rounds[True, tokens] = _transitions(tokens, True, first(tokens), _best_results(tokens))
        rounds[False, tokens] = _transitions(tokens, False, best_replies(TOKENS - tokens)[0], results(tokens))
    worth = {(starts, tokens): 1 - tokens / TOKENS for starts in (True, False) for tokens in range(TOKENS + 1)}
    moved = 1.0
    while moved > 1e-12:
        moved = 0.0
        for key, transitions in rounds.items():
            better = sum(chance * worth[starts, tokens] for chance, starts, tokens in transitions)
            moved = max(moved, abs(better - worth[key]))
            worth[key] = better

    @cache
    def charge(mine: int, theirs: int, starts: bool) -> float:
        pot = TOKENS - mine - theirs
        if not pot:
            return worth[starts, mine]
        taken = ((chance / 2, min(tokens, pot)) for tokens, chance in tokens_of_strongest(2).items())
        return sum(
            chance * (charge(mine + moves, theirs, True) + charge(mine, theirs + moves, False))
            for chance, moves in taken
        )

    return charge(0, 0, True)


def strength_of(*faces: int) -> int:
    """Return the strength of a hand."""
    return STRENGTH[hand_index(faces)]


_STANDS = strength_of(5, 2, 2)
_TWO_OF_421: tuple[Kept, ...] = ((2, 4), (1, 4), (1, 2))
_ONE_OF_421: tuple[Kept, ...] = ((4,), (2,), (1,))

LADDER: dict[str, Rule] = {
    "Never roll again.": lambda *_: None,
    "One line.": Card((*_TWO_OF_421, ()), (strength_of(6, 6, 4),) * 2),
    "Three lines.": Card(((1, 1), *_TWO_OF_421, *_ONE_OF_421, ()), (_STANDS, _STANDS), (0, _STANDS)),
    "The card.": Card(
        ((1, 1), (2, 4), (1, 4), (1, 2), (5, 6), (4,), (2,), (1,), ()),
        (strength_of(4, 3, 3), _STANDS),
        (0, _STANDS),
        ((5, 5), (3, 3), (1, 1), (2, 4), (1, 4), (4, 4), (1, 2), (5, 6), (4,), (2,), (1,), ()),
    ),
}
"""Rules from short to long; docs/paper/solution.md has their words."""
