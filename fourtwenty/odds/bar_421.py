"""The odds of 421: the effect of each choice on the tokens of every seat.

With two players a value is the exact probability not to pay, over the whole match. With more, the odds look one round
ahead: a value is the share of the 21 tokens that a seat will not hold, which is that probability if the later rounds
are fair. docs/solution.md says which results are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import cast

from fourtwenty.games.bar_421 import TOKENS, Bar421, rank
from fourtwenty.games.game import Action, Faces, State
from fourtwenty.odds import Choice, Ending, Goal, Outlook
from fourtwenty.odds.roll_off import roll_off_odds
from fourtwenty.odds.stopping import (
    FIRST,
    HANDS,
    THROWN,
    Plan,
    RoundRow,
    dot,
    hand_index,
    kept_of,
    options,
    others_change_best,
    turn,
)

LABELS: tuple[str, ...] = ("best", "worst")
"""The outcomes of a choice: to be the strongest of the round, and to be the weakest."""

NAMES = {
    "421": "421",
    "111": "Triple 1",
    "two": "Two alike",
    "barr": "Barracks",
    "seq": "Sequence",
    "other": "Other",
    "nen": "Nenette",
}
"""``[short name]``: the full names of the classes of hands, strongest first."""

CLASSES: tuple[str, ...] = tuple(NAMES)
"""The short names of the classes of hands, strongest first."""

AMOUNT = "tokens"
"""The unit of ``Choice.amount``."""

LAMP = "Here they mostly do: strong and weak are measured by them."
"""A sentence that says how often other hands change the best choice."""

RANKS = tuple(map(rank, HANDS))
"""``[hand]``: its rank."""

WEAKEST_FIRST = tuple(sorted(range(len(HANDS)), key=RANKS.__getitem__))
"""``[strength]``: the hand of that strength."""

STRENGTH = tuple(map(WEAKEST_FIRST.index, range(len(HANDS))))
"""``[hand]``: the number of weaker hands. No two hands have the same strength."""

SAFE = (
    0.0,
    0.7805745970536049,
    0.7599230206090964,
    0.7404779376103299,
    0.720801832696313,
    0.6867951185901587,
    0.6464992373311703,
    0.5999646155557348,
    0.5736036772394839,
    0.5472199995168003,
    0.5189094039315637,
    0.443323234734991,
    0.4150834177606751,
    0.3889772892411915,
    0.3637839377887819,
    0.3149848754911285,
    0.27236193703101835,
    0.23606417019965342,
    0.2159232437684944,
    0.1955873303758891,
    0.17972177281775775,
)
"""``[tokens]``: the probability that the starting seat of a discharge round of two players does not pay.

The fixed point of ``improve_safe`` in docs/reference_solver.py. The entry for 0 tokens is never used: such a seat has
left.
"""

EXACT_REPLIES = 1
"""The most seats to come whose play is a best reply to the hands on the table. More seats play as if each were last."""

ROW_COLUMNS = 4
"""A ``RoundRow`` is ``[column][seat]``, flattened: values, chances to be strongest, to be weakest, tokens after."""

# -- two players, to the end of the match ------------------------------------------------------------------------


@cache
def _pair(pot: int, weakest: int, other: int) -> float:
    """Return the probability that the weakest seat of the last round, which starts the next, does not pay.

    ``weakest`` and ``other`` are the tokens of the two seats.
    """
    if weakest == TOKENS:
        return 0.0
    if not pot:
        return SAFE[weakest]
    safe = 0.0
    for tokens, chance in _tokens_of_stronger().items():
        moved = min(tokens, pot)
        again = _pair(pot - moved, weakest + moved, other)
        safe += chance / 2 * (again + 1 - _pair(pot - moved, other + moved, weakest))
    return safe


@cache
def _tokens_of_stronger() -> dict[int, float]:
    """Return ``chances[tokens]``: the tokens that the stronger of two hands of one roll moves."""
    chances: dict[int, float] = {}
    for mine, chance in enumerate(FIRST):
        for theirs, other in enumerate(FIRST):
            tokens = max(RANKS[mine], RANKS[theirs]).tokens
            chances[tokens] = chances.get(tokens, 0.0) + chance * other
    return chances


# -- a round, from the hands it ends with ------------------------------------------------------------------------


def _settled(
    table: Bar421,
    hands: Mapping[int, int],
    strongest: Mapping[int, float] | None = None,
    weakest: Mapping[int, float] | None = None,
) -> RoundRow:
    """Return the row of a round that ends with ``hands[seat]``.

    ``strongest[seat]`` and ``weakest[seat]`` are the probabilities that a roll-off gives to the seats in it. Without
    them, tied seats are equally likely.
    """
    row = [0.0] * (ROW_COLUMNS * table.seats)
    worth = RANKS[max(hands.values(), key=STRENGTH.__getitem__)].tokens
    for giver, chance in (strongest or _tied(hands, max)).items():
        losers = weakest or _tied({seat: hand for seat, hand in hands.items() if table.charging or seat != giver}, min)
        row[table.seats + giver] += chance
        for taker, share in losers.items():
            row[2 * table.seats + taker] += chance * share
            values, tokens = _paid(table, giver, taker, worth)
            for seat in range(table.seats):
                row[seat] += chance * share * values[seat]
                row[3 * table.seats + seat] += chance * share * tokens[seat]
    return tuple(row)


def _tied(hands: Mapping[int, int], extreme: Callable[[Iterable[int]], int]) -> dict[int, float]:
    """Return equal probabilities for the seats with the best hand (``extreme`` is max) or the worst (min)."""
    level = extreme(STRENGTH[hand] for hand in hands.values())
    seats = [seat for seat, hand in hands.items() if STRENGTH[hand] == level]
    return dict.fromkeys(seats, 1 / len(seats))


@lru_cache(maxsize=1 << 12)
def _paid(table: Bar421, giver: int, taker: int, worth: int) -> tuple[Sequence[float], Sequence[int]]:
    """Return the values and the tokens by seat after tokens have moved from ``giver``, or the pot, to ``taker``."""
    tokens = list(table.tokens)
    moved = min(worth, table.pot or tokens[giver])
    tokens[taker] += moved
    pot = table.pot - moved if table.charging else 0
    if not table.charging:
        tokens[giver] -= moved
    if len(table.order) > 2:
        return _fair(table, tokens, pot), tokens
    values = [1.0] * table.seats
    (other,) = (seat for seat in table.order if seat != taker)
    values[taker] = _pair(pot, tokens[taker], tokens[other])
    values[other] = 1 - values[taker]
    return values, tokens


def _fair(table: Bar421, tokens: Sequence[float], pot: float) -> list[float]:
    """Return ``[seat]``: the share of all tokens that the seat does not hold, once the pot is split equally."""
    return [
        1 - (held + pot / len(table.order)) / TOKENS if seat in table.order else 1.0 for seat, held in enumerate(tokens)
    ]


def _ended(table: Bar421, hands: Mapping[int, int], to_come: Sequence[int], exact_replies: int) -> RoundRow:
    """Return the expected row with ``hands[seat]`` on the table and the seats ``to_come`` still to play."""
    if not to_come:
        return _settled(table, hands)
    if len(to_come) > exact_replies:
        return _crowded(table, hands, to_come)
    seat, *others = to_come
    rows = _rows(table, hands, seat, others, exact_replies)
    return _mean(turn([[row[seat] for row in rows]] * table.rolls_allowed).ends(), zip(*rows, strict=True))


def _rows(
    table: Bar421, hands: Mapping[int, int], seat: int, to_come: Sequence[int], exact_replies: int
) -> list[RoundRow]:
    """Return ``[hand][column]``: the expected rows when a seat ends its turn with each hand.

    Hands with the same effect on the round share one row: those between the best and the worst hand on the table, and
    for the last seat those that move the same number of tokens.
    """
    most, least = (extreme((STRENGTH[hand] for hand in hands.values()), default=-1) for extreme in (max, min))
    row_of: dict[object, RoundRow] = {}
    rows = []
    for hand, strength in enumerate(STRENGTH):
        effect: object = hand
        if least < strength < most:
            effect = "between"
        elif hands and not to_come:
            effect = RANKS[hand].tokens * (strength > most), strength == most, strength == least
        if effect not in row_of:
            row_of[effect] = _ended(table, {**hands, seat: hand}, to_come, exact_replies)
        rows.append(row_of[effect])
    return rows


def _crowded(table: Bar421, hands: Mapping[int, int], others: Sequence[int]) -> RoundRow:
    """Return the expected row when several seats are still to play, each as if it were the last.

    An approximation: a tie with one of them counts as half a win (docs/solution.md, "421").
    """
    count = len(others)
    rows = _rows(table, hands, others[0], (), exact_replies=0)
    chances = turn([[row[others[0]] for row in rows]] * table.rolls_allowed).ends()
    below = [0.0, *accumulate(chances[hand] for hand in WEAKEST_FIRST)]
    most, least = (extreme(STRENGTH[hand] for hand in hands.values()) for extreme in (max, min))
    top = [seat for seat, hand in hands.items() if STRENGTH[hand] == most]
    low = [seat for seat, hand in hands.items() if STRENGTH[hand] == least]

    def moved(strength: int, givers: Sequence[int]) -> float:
        """Return the expected tokens moved when one of ``givers`` is strongest with a hand of that strength."""
        worth = RANKS[WEAKEST_FIRST[strength]].tokens
        return sum(min(worth, table.pot or table.tokens[giver]) for giver in givers) / len(givers)

    beaten_by_top = (below[most] + below[most + 1]) / 2
    beaten_by_low = (below[least] + below[least + 1]) / 2
    others_win = [beaten_by_top, *below[most + 1 :]]
    others_move = [moved(strength, others) for strength in range(most, len(HANDS))]

    def given(worse: float) -> tuple[float, float]:
        """Return the expected tokens that ``top`` and ``others`` give, over outcomes without a low hand of ``others``.

        ``worse`` is the probability that one of their hands is low.
        """
        shares = [max(0.0, better - worse) ** count for better in others_win]
        slices = (more - less for less, more in pairwise(shares))
        return shares[0] * moved(most, top), dot(slices, others_move)

    top_gives, others_give = given(0.0)
    low_takes = sum(given(beaten_by_low))
    others_take = top_gives + others_give - low_takes
    if table.charging:
        top_gives = others_give = 0.0

    best, worst = beaten_by_top**count, (1 - beaten_by_low) ** count
    row = [0.0] * (ROW_COLUMNS * table.seats)
    held = list(map(float, table.tokens))
    for seats, strongest, weakest, change in (
        (top, best, 0.0, -top_gives),
        (low, 0.0, worst, low_takes),
        (others, 1 - best, 1 - worst, others_take - others_give),
    ):
        for seat in seats:
            row[table.seats + seat] += strongest / len(seats)
            row[2 * table.seats + seat] += weakest / len(seats)
            held[seat] += change / len(seats)
    row[: table.seats] = _fair(table, held, TOKENS - sum(held))
    row[3 * table.seats :] = held
    return tuple(row)


def _mean(chances: Sequence[float], columns: Iterable[Sequence[float]]) -> RoundRow:
    return tuple(dot(chances, column) for column in columns)


# -- a turn ------------------------------------------------------------------------------------------------------


def columns(table: Bar421, exact_replies: int = EXACT_REPLIES) -> tuple[tuple[float, ...], ...]:
    """Return ``[column][hand]``: the expected rows when the seat to act ends its turn with each hand.

    They do not depend on the hand it holds or on the rolls it has made.
    """
    hands = {seat: hand_index(table.hands[seat]) for seat in table.order[: table.turns]}
    seat, *to_come = table.order[table.turns :]
    return tuple(zip(*_rows(table, hands, seat, to_come, exact_replies), strict=True))


def _plan(table: Bar421) -> Plan:
    hands = tuple(() if seat == table.to_act else hand for seat, hand in enumerate(table.hands))
    return _cached_plan(replace(table, round=1, hands=hands, rolls=0))


@lru_cache(maxsize=1 << 12)
def _cached_plan(table: Bar421) -> Plan:
    """Return the plan of the seat to act. It depends neither on its hand and rolls nor on the number of the round."""
    assert table.to_act is not None
    found = columns(table)
    rolls = table.rolls_allowed
    return Plan([found[table.to_act]] * rolls, ([column] * rolls for column in found))


def _row(table: Bar421) -> RoundRow:
    """Return the expected row of the round from any state."""
    if table.starting_seat is None:
        assert table.roll_off
        starts = roll_off_odds(table.roll_off, sum)
        rows = [_row(replace(table, roll_off=None, starting_seat=seat)) for seat in starts]
        return _mean(tuple(starts.values()), zip(*rows, strict=True))
    if table.roll_off or table.to_act is None:
        return _row_after_turns(table)
    if not table.rolls:
        return _plan(table).before()
    return _plan(table).holding(table.hands[table.to_act], table.rolls_allowed - table.rolls)


def _row_after_turns(table: Bar421) -> RoundRow:
    """Return the expected row once all turns have ended, in a roll-off or after it."""
    hands = {seat: hand_index(table.hands[seat]) for seat in table.order}
    strongest = None if table.strongest is None else {table.strongest: 1.0}
    if not table.roll_off:
        assert table.weakest is not None
        return _settled(table, hands, strongest, {table.weakest: 1.0})
    if table.strongest is None and not table.charging:
        return _settled(table, hands, roll_off_odds(table.roll_off, rank))
    return _settled(table, hands, strongest, roll_off_odds(table.roll_off, rank, lowest=True))


# -- the protocol Odds -------------------------------------------------------------------------------------------


def goal(state: State) -> Goal:  # noqa: ARG001
    """Return the goal: not to pay."""
    return Goal("safe", "chance to be safe")


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability not to pay, from 0 to 1, with best play; 1 for seats that have left."""
    return _row(cast(Bar421, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return ``values`` once the seat to act has chosen ``action``: the expectation over its throw."""
    table = cast(Bar421, state)
    if len(table.actions) == 1:
        return values(table)
    assert table.to_act is not None
    kept = kept_of(table.hands[table.to_act], action)
    return _plan(table).choosing(kept, table.rolls_allowed - table.rolls)[: table.seats]


def best(state: State) -> Action:
    """Return the action of the first of ``choices``."""
    return choices(state)[0].action


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, best first; empty when the round is over."""
    table = cast(Bar421, state)
    seat = table.to_act
    if seat is None:
        return ()
    seats = table.seats
    if len(table.actions) == 1:
        row = _row(table)
        made = _classes(()) if table.starting_seat is not None else ()
        chances = (row[seats + seat], row[2 * seats + seat])
        return (Choice(table.actions[0], (), chances, row[seat], made, row[3 * seats + seat]),)
    found = []
    for option in options(table.hands[seat]):
        row = _plan(table).choosing(option.kept_sorted, table.rolls_allowed - table.rolls)
        value, best, worst, tokens = row[seat::seats]
        found.append(Choice(option.action, option.kept, (best, worst), value, _classes(option.kept_sorted), tokens))
    return tuple(sorted(found, key=lambda choice: -choice.value))


@cache
def _classes(kept: Faces) -> tuple[float, ...]:
    """Return ``[class]``: the probability of each class of hands when these dice are kept."""
    thrown = {hand_index(kept): 1.0} if len(kept) == len(HANDS[0]) else THROWN[kept]
    return tuple(sum(chance for hand, chance in thrown.items() if RANKS[hand].name == name) for name in NAMES.values())


def outlook(state: State) -> Outlook:
    """Return the expected tokens of every seat after the round."""
    return Outlook("tokens", _row(cast(Bar421, state))[3 * state.seats :], share=False)


def approximate(state: State) -> bool:
    """Return whether the values are estimates: from three seats up."""
    return len(cast(Bar421, state).order) > 2


def ending(state: State) -> Ending:
    """Return the probabilities to be safe first, and to pick up the tab; both are known for two seats only."""
    safe = values(state)
    return Ending(safe, safe[::-1]) if len(safe) == 2 else Ending(None, None)


def others_matter(state: State) -> bool:
    """Return whether the best choice depends on the other hands on the table.

    It does when it differs between the weakest and the strongest hands of all others.
    """
    return others_change_best(cast(Bar421, state), STRENGTH, choices)
