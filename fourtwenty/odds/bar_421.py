"""The odds of 421: what each choice does to the tokens of everybody at the table.

With two players a value is the exact chance of a seat not to pay in the end, over the whole match. With more it looks
one round ahead: the share of the 21 tokens that a seat will not hold, which is that chance if the rounds to come are
fair. What of this is exact, and what is approximate, is in docs/solution.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate, pairwise
from typing import cast

from fourtwenty.games.bar_421 import TOKENS, Bar421, rank
from fourtwenty.games.game import Action, Faces, State
from fourtwenty.odds import Choice, Goal, Outlook
from fourtwenty.odds.roll_off import rolled_off
from fourtwenty.odds.stopping import FIRST, HANDS, THROWN, Plan, Row, differs, dot, number, option_of, options, turn

LABELS: tuple[str, ...] = ("best", "worst")
"""What the chances of a choice are chances of: to end as the strongest of the round, and as the weakest."""

NAMES = {
    "421": "421",
    "111": "Triple 1",
    "two": "Two alike",
    "barr": "Barracks",
    "seq": "Sequence",
    "other": "Other",
    "nen": "Nenette",
}

CLASSES: tuple[str, ...] = tuple(NAMES)
"""What a throw may make of the hand, the strongest first, in short."""

AMOUNT = "tokens"
"""What ``Choice.amount`` counts."""

LAMP = "Here they mostly do: strong and weak are measured by them."
"""How often other hands matter to the best choice, in a sentence."""

RANKS = tuple(map(rank, HANDS))

WEAKEST_FIRST = tuple(sorted(range(len(HANDS)), key=RANKS.__getitem__))

STRENGTH = tuple(map(WEAKEST_FIRST.index, range(len(HANDS))))
"""By hand, how many hands are weaker."""

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
"""By tokens from 0, the chance not to pay of the one who starts a discharge round of two players.

The fixed point of ``improve_safe`` in docs/reference_solver.py. The entry for 0 tokens is never used: such a seat has
left.
"""

SEEN = 1
"""How many seats still to come are taken to see the hands on the table; where more are, all play as if alone."""

COLUMNS = 4
"""What a ``Row`` tells by seat: the values, the chances to be strongest, to be weakest, the tokens after the round."""

# -- two players, to the end of the match ------------------------------------------------------------------------


@cache
def _pair(pot: int, weakest: int, other: int) -> float:
    """The chance of the round's weakest, who starts the next, not to pay; both by their tokens."""
    if weakest == TOKENS:
        return 0.0
    if not pot:
        return SAFE[weakest]
    safe = 0.0
    for worth, chance in _worths().items():
        moved = min(worth, pot)
        again = _pair(pot - moved, weakest + moved, other)
        safe += chance / 2 * (again + 1 - _pair(pot - moved, other + moved, weakest))
    return safe


@cache
def _worths() -> dict[int, float]:
    """The chance of each worth of the stronger of two hands of one roll."""
    found: dict[int, float] = {}
    for mine, chance in enumerate(FIRST):
        for theirs, other in enumerate(FIRST):
            worth = max(RANKS[mine], RANKS[theirs]).tokens
            found[worth] = found.get(worth, 0.0) + chance * other
    return found


# -- a round, from the hands it ends with ------------------------------------------------------------------------


def _settled(
    table: Bar421,
    hands: Mapping[int, int],
    strongest: Mapping[int, float] | None = None,
    weakest: Mapping[int, float] | None = None,
) -> Row:
    """What a round comes to with the hands of all, by seat; those tied are told apart by lot, or by these chances."""
    row = [0.0] * (COLUMNS * table.seats)
    most = max(STRENGTH[hand] for hand in hands.values())
    best = strongest or _evenly([seat for seat, hand in hands.items() if STRENGTH[hand] == most])
    worth = next(RANKS[hand].tokens for hand in hands.values() if STRENGTH[hand] == most)
    for giver, chance in best.items():
        others = [seat for seat in hands if table.charging or seat != giver]
        least = min(STRENGTH[hands[seat]] for seat in others)
        worst = weakest or _evenly([seat for seat in others if STRENGTH[hands[seat]] == least])
        row[table.seats + giver] += chance
        for taker, share in worst.items():
            row[2 * table.seats + taker] += chance * share
            values, tokens = _paid(table, giver, taker, worth)
            for seat in range(table.seats):
                row[seat] += chance * share * values[seat]
                row[3 * table.seats + seat] += chance * share * tokens[seat]
    return tuple(row)


def _evenly(seats: Sequence[int]) -> dict[int, float]:
    return dict.fromkeys(seats, 1 / len(seats))


@lru_cache(maxsize=1 << 12)
def _paid(table: Bar421, giver: int, taker: int, worth: int) -> tuple[Sequence[float], Sequence[int]]:
    """Values and tokens by seat when they have changed hands."""
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
    """The share of all tokens that a seat does not hold, the pot shared among those who play."""
    return [
        1 - (held + pot / len(table.order)) / TOKENS if seat in table.order else 1.0 for seat, held in enumerate(tokens)
    ]


def _ended(table: Bar421, hands: Mapping[int, int], to_come: Sequence[int], seen: int) -> Row:
    """What a round comes to with these hands on the table; as many as are ``seen`` answer them with best play."""
    if not to_come:
        return _settled(table, hands)
    if len(to_come) > seen:
        return _crowded(table, hands, to_come)
    seat, *others = to_come
    rows = _rows(table, hands, seat, others, seen)
    return _over(turn([[row[seat] for row in rows]] * table.rolls_allowed).ends(), zip(*rows, strict=True))


def _rows(table: Bar421, hands: Mapping[int, int], seat: int, to_come: Sequence[int], seen: int) -> list[Row]:
    """By the hand that a seat ends with, what the round comes to."""
    most, least = (extreme((STRENGTH[hand] for hand in hands.values()), default=-1) for extreme in (max, min))
    rows: dict[object, Row] = {}
    found = []
    for hand, strength in enumerate(STRENGTH):
        kind: object = hand
        if least < strength < most:
            kind = "between"
        elif hands and not to_come:
            kind = RANKS[hand].tokens * (strength > most), strength == most, strength == least
        if kind not in rows:
            rows[kind] = _ended(table, {**hands, seat: hand}, to_come, seen)
        found.append(rows[kind])
    return found


def _crowded(table: Bar421, hands: Mapping[int, int], others: Sequence[int]) -> Row:
    """What a round comes to when several seats are still to play, each as if it were the last.

    A tie with one of them counts as half a win.
    """
    count = len(others)
    rows = _rows(table, hands, others[0], (), seen=0)
    chances = turn([[row[others[0]] for row in rows]] * table.rolls_allowed).ends()
    below = [0.0, *accumulate(chances[hand] for hand in WEAKEST_FIRST)]
    most, least = (extreme(STRENGTH[hand] for hand in hands.values()) for extreme in (max, min))
    top = [seat for seat, hand in hands.items() if STRENGTH[hand] == most]
    low = [seat for seat, hand in hands.items() if STRENGTH[hand] == least]

    def moved(strength: int, givers: Sequence[int]) -> float:
        """How many tokens move on average when the strongest, with a hand of that strength, is one of these."""
        worth = RANKS[WEAKEST_FIRST[strength]].tokens
        return sum(min(worth, table.pot or table.tokens[giver]) for giver in givers) / len(givers)

    beaten_by_top = (below[most] + below[most + 1]) / 2
    beaten_by_low = (below[least] + below[least + 1]) / 2
    others_win = [beaten_by_top, *below[most + 1 :]]
    others_move = [moved(strength, others) for strength in range(most, len(HANDS))]

    def given(worse: float) -> tuple[float, float]:
        """What the top and what the others give while none of the others is worse than so many hands."""
        shares = [max(0.0, better - worse) ** count for better in others_win]
        slices = (more - less for less, more in pairwise(shares))
        return shares[0] * moved(most, top), dot(slices, others_move)

    top_gives, others_give = given(0.0)
    low_takes = sum(given(beaten_by_low))
    others_take = top_gives + others_give - low_takes
    if table.charging:
        top_gives = others_give = 0.0

    best, worst = beaten_by_top**count, (1 - beaten_by_low) ** count
    row = [0.0] * (COLUMNS * table.seats)
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


def _over(chances: Sequence[float], columns: Iterable[Sequence[float]]) -> Row:
    return tuple(dot(chances, column) for column in columns)


# -- a turn ------------------------------------------------------------------------------------------------------


def columns(table: Bar421, seen: int = SEEN) -> tuple[tuple[float, ...], ...]:
    """Return by column of a ``Row`` what the round comes to, by the hand that the seat to act ends with.

    The hand it holds and the rolls it has made do not matter to that.
    """
    hands = {seat: number(table.hands[seat]) for seat in table.order[: table.turns]}
    seat, *to_come = table.order[table.turns :]
    return tuple(zip(*_rows(table, hands, seat, to_come, seen), strict=True))


def _plan(table: Bar421) -> Plan:
    hands = tuple(() if seat == table.to_act else hand for seat, hand in enumerate(table.hands))
    return _planned(replace(table, round=1, hands=hands, rolls=0))


@lru_cache(maxsize=1 << 12)
def _planned(table: Bar421) -> Plan:
    """The plan of the seat to act, which neither its hand nor its rolls so far matter to."""
    assert table.to_act is not None
    found = columns(table)
    rolls = table.rolls_allowed
    return Plan([found[table.to_act]] * rolls, ([column] * rolls for column in found))


def _row(table: Bar421) -> Row:
    """What the round comes to from any position."""
    if table.starting_seat is None:
        assert table.roll_off
        starts = rolled_off(table.roll_off, sum)
        rows = [_row(replace(table, roll_off=None, starting_seat=seat)) for seat in starts]
        return _over(tuple(starts.values()), zip(*rows, strict=True))
    if table.roll_off or table.to_act is None:
        hands = {seat: number(table.hands[seat]) for seat in table.order}
        strongest = None if table.strongest is None else {table.strongest: 1.0}
        if not table.roll_off:
            assert table.weakest is not None
            return _settled(table, hands, strongest, {table.weakest: 1.0})
        if table.strongest is None and not table.charging:
            return _settled(table, hands, rolled_off(table.roll_off, rank))
        return _settled(table, hands, strongest, rolled_off(table.roll_off, rank, lowest=True))
    if not table.rolls:
        return _plan(table).before()
    return _plan(table).holding(table.hands[table.to_act], table.rolls_allowed - table.rolls)


# -- what the table asks -----------------------------------------------------------------------------------------


def goal(state: State) -> Goal:  # noqa: ARG001
    """Return what ``values`` are chances of."""
    return Goal("safe", "chance to be safe")


def values(state: State) -> tuple[float, ...]:
    """Return by seat the chance not to pay in the end, from 0 to 1, in best play; 1 for seats that have left."""
    return _row(cast(Bar421, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return the same after an action of the seat to act, before its dice have landed."""
    table = cast(Bar421, state)
    if len(table.actions) == 1:
        return values(table)
    assert table.to_act is not None
    stay = option_of(table.hands[table.to_act], action).stay
    return _plan(table).choosing(stay, table.rolls_allowed - table.rolls)[: table.seats]


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, the best first; none when the round is over."""
    table = cast(Bar421, state)
    seat = table.to_act
    if seat is None:
        return ()
    seats = table.seats
    if len(table.actions) == 1:
        row = _row(table)
        made = _classes(()) if table.starting_seat is not None else ()
        told = row[seats + seat], row[2 * seats + seat]
        return (Choice(table.actions[0], (), told, row[seat], made, row[3 * seats + seat]),)
    offered = []
    for option in options(table.hands[seat]):
        row = _plan(table).choosing(option.stay, table.rolls_allowed - table.rolls)
        value, *chances, tokens = row[seat::seats]
        offered.append(Choice(option.action, option.kept, tuple(chances), value, _classes(option.stay), tokens))
    return tuple(sorted(offered, key=lambda choice: -choice.value))


@cache
def _classes(stay: Faces) -> tuple[float, ...]:
    """The chance of each class of hands when these dice stay."""
    thrown = {number(stay): 1.0} if len(stay) == len(HANDS[0]) else THROWN[stay]
    return tuple(sum(chance for hand, chance in thrown.items() if RANKS[hand].name == name) for name in NAMES.values())


def second(state: State) -> Outlook:
    """Return how many tokens each seat holds after the round, on average."""
    return Outlook("tokens", _row(cast(Bar421, state))[3 * state.seats :], share=False)


def ending(state: State) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Return by seat the chances to be safe, and to pick up the tab, of two."""
    safe = values(state)
    return (safe, safe[::-1]) if len(safe) == 2 else None


def others_matter(state: State) -> bool:
    """Say whether the best choice now would be another one beside other hands.

    They do when it differs between others who all have the weakest hand and others who all have the strongest.
    """
    return differs(cast(Bar421, state), STRENGTH, choices)
