"""The odds of Four Twenty-One: the effect of each choice on the point of the round and, with two players, on the match.

With two players a value is the exact probability to win the match. With more, it is the exact probability to get the
point of the round. docs/solution.md describes the methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import cast

from fourtwenty.games.game import Action, Faces, State
from fourtwenty.games.ten_rounds import BONUS, ROUNDS, TenRounds, rank
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import Choice, Ending, Goal, Outlook
from fourtwenty.odds.roll_off import roll_off_odds
from fourtwenty.odds.stopping import (
    FIRST,
    HANDS,
    THROWN,
    Plan,
    RoundRow,
    Turn,
    dot,
    hand_index,
    kept_of,
    options,
    others_change_best,
    turn,
)

LABELS: tuple[str, ...] = ("best",)
"""The outcome of a choice: to get the point of the round."""

NAMES = {"421": "4-2-1", "triple": "Triple", "double": "Double", "other": "Unmatched"}
"""``[short name]``: the full names of the classes of hands, strongest first."""

CLASSES: tuple[str, ...] = tuple(NAMES)
"""The short names of the classes of hands, strongest first."""

AMOUNT = "score"
"""The unit of ``Choice.amount``: the points of this round."""

LAMP = "Here they do, once a hand lies on the table to be beaten."
"""A sentence that says how often other hands change the best choice."""

RANKS = tuple(map(rank, HANDS))
"""``[hand]``: its rank."""

STRENGTH = tuple(sorted(RANKS).index(each) for each in RANKS)
"""``[hand]``: the number of weaker hands. No two hands have the same strength."""

TOP = hand_index((4, 2, 1))
"""The hand that gets a bonus on a first roll."""

AT_ONCE = FIRST[TOP]
"""The probability of that hand on a first roll."""

TIE_BREAK = 1e-9
"""The value of the point to a seat whose match it cannot change: choices that are equal for the match aim at it."""


# -- the point of the round --------------------------------------------------------------------------------------


@cache
def point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return the probability to get the point: of one holder of the best hand so far, then of each seat to come.

    ``holders`` seats hold the best hand, and ``to_come`` seats have up to ``rolls`` rolls each. The sum is 1 when the
    first entry is counted once for each holder.
    """
    if not to_come:
        return (1 / holders,)
    ends = reply(hand, holders, to_come, rolls).ends()
    chances = [0.0] * (to_come + 1)
    weaker = 0.0
    for end, chance in enumerate(ends):
        if STRENGTH[end] < STRENGTH[hand]:
            weaker += chance
            continue
        mine, *others = point(end, holders + 1 if end == hand else 1, to_come - 1, rolls)
        chances[0] += chance * mine * (end == hand)
        chances[1] += chance * mine
        for index, other in enumerate(others, 2):
            chances[index] += chance * other
    holding, *others = point(hand, holders, to_come - 1, rolls)
    chances[0] += weaker * holding
    for index, other in enumerate(others, 2):
        chances[index] += weaker * other
    return tuple(chances)


@cache
def reply(hand: int, holders: int, to_come: int, rolls: int) -> Turn:
    """Return the optimal turn of the first seat to come, for the point. The arguments are those of ``point``."""
    payoff = [
        0.0 if strength < STRENGTH[hand] else point(end, holders + 1 if end == hand else 1, to_come - 1, rolls)[0]
        for end, strength in enumerate(STRENGTH)
    ]
    return turn([payoff] * rolls)


# -- the match of two --------------------------------------------------------------------------------------------


CAPS = range(ROLLS, 0, -1)
"""``[rolls_left]``: the most rolls of the other seats when the starting seat stands with that number of rolls left."""


@cache
def match_value(lead: int, rounds_left: int) -> float:
    """Return the probability that the starting seat of a round wins a match of two, before its first roll.

    ``lead`` is its lead in points. ``rounds_left`` includes this round; each extra round counts as a last one.
    """
    if abs(lead) > rounds_left * (1 + BONUS):
        return float(lead > 0)
    value = 0.0
    for at_once in False, True:
        values = starting_turn(at_once, lead, rounds_left).values[-1]
        value += sum(chance * values[hand] for hand, chance in enumerate(FIRST) if (hand == TOP) is at_once)
    return value


def starting_turn(at_once: bool, lead: int, rounds_left: int) -> Turn:
    """Return the optimal turn of the starting seat of two, with a bonus for 4-2-1 at once or without."""
    return turn([_starting_payoff(rolls, at_once, lead, rounds_left) for rolls in CAPS])


@cache
def _starting_payoff(rolls: int, at_once: bool, lead: int, rounds_left: int) -> list[float]:
    """Return ``win[hand]``: the probability that the starting seat wins the match once it stands after ``rolls`` rolls.

    ``at_once`` is whether it has the bonus; ``lead`` is without the bonus.
    """
    lead += BONUS * at_once
    win, lose, lose_more = (_after_round(lead + points, rounds_left - 1) for points in (1, -1, -1 - BONUS))
    level = (1 - AT_ONCE) * win + AT_ONCE * lose  # 1 - BONUS: a point beside a bonus is a loss
    usual, bonus = (1 - AT_ONCE) * (win - lose), AT_ONCE * (lose - lose_more)
    return [level - usual * without - bonus * with_it for without, with_it in zip(*_beaten(rolls), strict=True)]


@cache
def _beaten(rolls: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return ``chances[hand]`` that the other seat of two gets the point: without a bonus, and with one."""
    replies = [reply(hand, 1, 1, rolls) for hand in range(len(HANDS))]
    bonus = tuple(replying.values[-1][TOP] for replying in replies)
    without = tuple((each.value - AT_ONCE * top) / (1 - AT_ONCE) for each, top in zip(replies, bonus, strict=True))
    return without, bonus


def _after_round(lead: int, rounds_left: int) -> float:
    """Return the probability that the starting seat of the last round wins. The other seat starts the next round."""
    if rounds_left:
        return 1 - match_value(-lead, rounds_left)
    return float(lead > 0) if lead else 1 - match_value(0, 1)


# -- a round, from any state -------------------------------------------------------------------------------------


def _settled(table: TenRounds, chances: Sequence[float]) -> RoundRow:
    """Return the row for ``chances[seat]`` to get the point, once every seat has rolled.

    A ``RoundRow`` is ``[column][seat]``, flattened: values, then chances to get the point.
    """
    if table.seats > 2:
        return (*chances, *chances)
    assert table.starting_seat is not None
    mine, other = table.starting_seat, 1 - table.starting_seat
    bonus = BONUS * ((mine in table.bonus) - (other in table.bonus))
    lead, rounds_left = table.points[mine] - table.points[other] + bonus, _rounds_left(table) - 1
    value = chances[mine] * _after_round(lead + 1, rounds_left) + chances[other] * _after_round(lead - 1, rounds_left)
    return (*_by_seat(mine, value), *chances)


def _by_seat(seat: int, value: float) -> tuple[float, float]:
    """Return ``[seat]`` of two seats, one of which has this value."""
    return (value, 1 - value) if seat == 0 else (1 - value, value)


def _rounds_left(table: TenRounds) -> int:
    return max(1, ROUNDS + 1 - table.round)


def _columns(table: TenRounds) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Return ``[rolls_left][column][hand]``: the expected rows when the seat to act ends its turn with each hand."""
    hands = {seat: hand_index(table.hands[seat]) for seat in table.order[: table.turns]}
    seat, *to_come = table.order[table.turns :]
    caps = [table.cap] * table.cap if hands else CAPS
    return tuple(
        tuple(zip(*(_ended(table, {**hands, seat: hand}, to_come, rolls) for hand in range(len(HANDS))), strict=True))
        for rolls in caps
    )


def _ended(table: TenRounds, hands: dict[int, int], to_come: Sequence[int], rolls: int) -> RoundRow:
    """Return the expected row with ``hands[seat]`` on the table and up to ``rolls`` rolls for each seat to come."""
    best = max(hands.values(), key=STRENGTH.__getitem__)
    holders = [seat for seat, hand in hands.items() if hand == best]
    mine, *others = point(best, len(holders), len(to_come), rolls)
    chances = [0.0] * table.seats
    for seat in holders:
        chances[seat] = mine
    for seat, chance in zip(to_come, others, strict=True):
        chances[seat] = chance
    if table.seats > 2 or not to_come:
        return _settled(table, chances)
    (seat,), (other,) = hands, to_come
    lead = table.points[seat] - table.points[other]
    value = _starting_payoff(rolls, seat in table.bonus, lead, _rounds_left(table))[hands[seat]]
    return (*_by_seat(seat, value), *chances)


def _plan(table: TenRounds) -> Plan:
    hands = tuple(() if seat == table.to_act else hand for seat, hand in enumerate(table.hands))
    return _cached_plan(replace(table, hands=hands, rolls=0))


@lru_cache(maxsize=1 << 12)
def _cached_plan(table: TenRounds) -> Plan:
    """Return the plan of the seat to act, for the value and then for the point. Its hand and rolls do not matter."""
    seat = table.to_act
    assert seat is not None
    columns = _columns(table)
    wanted = [
        [value + TIE_BREAK * best for value, best in zip(each[seat], each[table.seats + seat], strict=True)]
        for each in columns
    ]
    return Plan(wanted, zip(*columns, strict=True))


def _row(table: TenRounds) -> RoundRow:
    """Return the expected row of the round from any state."""
    if table.roll_off:
        return _row_in_roll_off(table)
    if table.to_act is None:
        return _settled(table, [float(seat == table.best) for seat in range(table.seats)])
    if table.rolls:
        return _plan(table).holding(table.hands[table.to_act], table.cap - table.rolls)
    at_once = _row(table.apply(table.actions[0], HANDS[TOP]))
    others = _plan(table).before([chance * (hand != TOP) for hand, chance in enumerate(FIRST)])
    return tuple(AT_ONCE * top + other for top, other in zip(at_once, others, strict=True))


def _row_in_roll_off(table: TenRounds) -> RoundRow:
    assert table.roll_off
    if table.starting_seat is not None:
        chances = roll_off_odds(table.roll_off, rank)
        return _settled(table, [chances.get(seat, 0.0) for seat in range(table.seats)])
    chances = roll_off_odds(table.roll_off, sum)
    rows = [_row(replace(table, roll_off=None, starting_seat=seat)) for seat in chances]
    return tuple(dot(chances.values(), column) for column in zip(*rows, strict=True))


# -- the protocol Odds -------------------------------------------------------------------------------------------


def goal(state: State) -> Goal:
    """Return the goal: to win the match of two, or the point of the round."""
    return Goal("point", "chance of the point") if state.seats > 2 else Goal("match", "chance of the match")


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to win the match of two, or the point, from 0 to 1, with best play."""
    return _row(cast(TenRounds, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return ``values`` once the seat to act has chosen ``action``: the expectation over its throw."""
    table = cast(TenRounds, state)
    if len(table.actions) == 1:
        return values(table)
    assert table.to_act is not None
    kept = kept_of(table.hands[table.to_act], action)
    return _plan(table).choosing(kept, table.cap - table.rolls)[: table.seats]


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, best first; empty when the round is over."""
    table = cast(TenRounds, state)
    seat = table.to_act
    if seat is None:
        return ()
    if len(table.actions) == 1:
        row = _row(table)
        value, best = row[seat], row[table.seats + seat]
        made = _classes(()) if table.starting_seat is not None else ()
        return (Choice(table.actions[0], (), (best,), value, made, best + _bonus(table, seat)),)
    found = []
    for option in options(table.hands[seat]):
        value, best = _plan(table).choosing(option.kept_sorted, table.cap - table.rolls)[seat :: table.seats]
        amount = best + _bonus(table, seat)
        found.append(Choice(option.action, option.kept, (best,), value, _classes(option.kept_sorted), amount))
    return tuple(sorted(found, key=lambda choice: (-round(choice.value, 12), -choice.chances[0])))


@cache
def _classes(kept: Faces) -> tuple[float, ...]:
    """Return ``[class]``: the probability of each class of hands when these dice are kept."""
    thrown = {hand_index(kept): 1.0} if len(kept) == len(HANDS[0]) else THROWN[kept]
    made = [(RANKS[hand].name.split()[0], chance) for hand, chance in thrown.items()]
    return tuple(sum(chance for name, chance in made if name == each) for each in NAMES.values())


def _bonus(table: TenRounds, seat: int) -> float:
    """Return the expected points of a seat for 4-2-1 at once in this round."""
    return BONUS * (float(seat in table.bonus) if table.hands[seat] else AT_ONCE)


def outlook(state: State) -> Outlook:
    """Return the expected points of every seat after the round."""
    table = cast(TenRounds, state)
    chances = _row(table)[table.seats :]
    playing = range(table.seats) if table.starting_seat is None else table.order
    gained = [chances[seat] + (_bonus(table, seat) if seat in playing else 0.0) for seat in range(table.seats)]
    return Outlook("score", tuple(map(sum, zip(table.points, gained, strict=True))), share=False)


def approximate(state: State) -> bool:  # noqa: ARG001
    """Return whether the values are estimates: never. From three seats up they are of the point alone."""
    return False


def ending(state: State) -> Ending:
    """Return the probabilities to win, and to come last; both are known for two seats only."""
    wins = values(state)
    return Ending(wins, wins[::-1]) if len(wins) == 2 else Ending(None, None)


def others_matter(state: State) -> bool:
    """Return whether the best choice depends on the other hands on the table.

    It does when it differs between the weakest and the strongest hands of all others.
    """
    return others_change_best(cast(TenRounds, state), STRENGTH, choices)
