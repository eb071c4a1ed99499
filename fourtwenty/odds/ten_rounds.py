"""The odds of Four Twenty-One: what each choice does to the round's point and, with two players, to the match.

With two players a value is the exact chance to win the match; with more, the exact chance to win the round's point.
What of this is computed how is in docs/solution.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import cast

from fourtwenty.games.game import Action, Faces, State
from fourtwenty.games.ten_rounds import BONUS, ROUNDS, TenRounds, rank
from fourtwenty.games.three_rolls import ROLLS
from fourtwenty.odds import Choice, Goal, Outlook
from fourtwenty.odds.roll_off import rolled_off
from fourtwenty.odds.stopping import (
    FIRST,
    HANDS,
    THROWN,
    Plan,
    Row,
    Turn,
    differs,
    dot,
    number,
    option_of,
    options,
    turn,
)

LABELS: tuple[str, ...] = ("best",)
"""What the chances of a choice are chances of."""

NAMES = {"421": "4-2-1", "triple": "Triple", "double": "Double", "other": "Unmatched"}

CLASSES: tuple[str, ...] = tuple(NAMES)
"""What a throw may make of the hand, the strongest first, in short."""

AMOUNT = "score"
"""What ``Choice.amount`` counts."""

LAMP = "Here they do, once a hand lies on the table to be beaten."
"""How often other hands matter to the best choice, in a sentence."""

RANKS = tuple(map(rank, HANDS))

STRENGTH = tuple(sorted(RANKS).index(each) for each in RANKS)
"""By hand, how many hands are weaker."""

TOP = number((4, 2, 1))
"""The hand that gets a bonus on a first roll."""

AT_ONCE = FIRST[TOP]
"""The chance of it."""


LEAST = 1e-9
"""What the round's point is worth to a seat whose match it cannot change."""


# -- the round's point -------------------------------------------------------------------------------------------


@cache
def point(hand: int, holders: int, to_come: int, rolls: int) -> tuple[float, ...]:
    """Return the chance to get the point: of each that holds the best hand so far, then of those to come in turn.

    That many hold it, and each of those to come has at most so many rolls. It sums to 1 with the first counted once
    for each holder.
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
        for place, other in enumerate(others, 2):
            chances[place] += chance * other
    holding, *others = point(hand, holders, to_come - 1, rolls)
    chances[0] += weaker * holding
    for place, other in enumerate(others, 2):
        chances[place] += weaker * other
    return tuple(chances)


@cache
def reply(hand: int, holders: int, to_come: int, rolls: int) -> Turn:
    """Return best play of the first of those to come against the best hand so far, each with so many rolls."""
    worth = [
        0.0 if strength < STRENGTH[hand] else point(end, holders + 1 if end == hand else 1, to_come - 1, rolls)[0]
        for end, strength in enumerate(STRENGTH)
    ]
    return turn([worth] * rolls)


# -- the match of two --------------------------------------------------------------------------------------------


CAPS = range(ROLLS, 0, -1)
"""By rolls left, from 0: as many as the first player took when it stands, the others may take."""


@cache
def leading(lead: int, left: int) -> float:
    """Return the chance to win a match of two for the one who starts a round, with that lead in points.

    So many rounds are left, this one included; after the tenth comes one at a time, while they are level.
    """
    if abs(lead) > left * (1 + BONUS):
        return float(lead > 0)
    value = 0.0
    for at_once in False, True:
        ends = first_turn(at_once, lead, left).values[-1]
        value += sum(chance * ends[hand] for hand, chance in enumerate(FIRST) if (hand == TOP) is at_once)
    return value


def first_turn(at_once: bool, lead: int, left: int) -> Turn:
    """Return best play of the one who starts a round, after 4-2-1 at once or without."""
    return turn([_first_ends(rolls, at_once, lead, left) for rolls in CAPS])


@cache
def _first_ends(rolls: int, at_once: bool, lead: int, left: int) -> list[float]:
    """By hand, the same when the first player has ended its turn after so many rolls, with a bonus or without."""
    lead += BONUS * at_once
    win, lose, lose_more = (_next(lead + points, left - 1) for points in (1, -1, -1 - BONUS))
    level = (1 - AT_ONCE) * win + AT_ONCE * lose  # a point less two for the other's bonus
    usual, bonus = (1 - AT_ONCE) * (win - lose), AT_ONCE * (lose - lose_more)
    return [level - usual * without - bonus * at_once for without, at_once in zip(*_beaten(rolls), strict=True)]


@cache
def _beaten(rolls: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """By hand, the chance that one other gets the point from it: without a bonus, and with one."""
    replies = [reply(hand, 1, 1, rolls) for hand in range(len(HANDS))]
    bonus = tuple(replying.values[-1][TOP] for replying in replies)
    without = tuple((each.value - AT_ONCE * top) / (1 - AT_ONCE) for each, top in zip(replies, bonus, strict=True))
    return without, bonus


def _next(lead: int, left: int) -> float:
    """The chance of the one who started the last round, between two rounds; the other one starts the next."""
    if left:
        return 1 - leading(-lead, left)
    return float(lead > 0) if lead else 1 - leading(0, 1)


# -- what the table asks -----------------------------------------------------------------------------------------


def _told(table: TenRounds, chances: Sequence[float]) -> Row:
    """The values that go with the chances to get the point, by seat, when both seats of a match of two have rolled."""
    if table.seats > 2:
        return (*chances, *chances)
    assert table.starting_seat is not None
    first, other = table.starting_seat, 1 - table.starting_seat
    bonus = BONUS * ((first in table.bonus) - (other in table.bonus))
    lead, left = table.points[first] - table.points[other] + bonus, _left(table) - 1
    value = chances[first] * _next(lead + 1, left) + chances[other] * _next(lead - 1, left)
    return (*((value, 1 - value) if first == 0 else (1 - value, value)), *chances)


def _left(table: TenRounds) -> int:
    return max(1, ROUNDS + 1 - table.round)


def _columns(table: TenRounds) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """By rolls left, from 0, and by column of a ``Row``: what the round comes to, by the hand the turn ends with."""
    hands = {seat: number(table.hands[seat]) for seat in table.order[: table.turns]}
    seat, *to_come = table.order[table.turns :]
    caps = [table.cap] * table.cap if hands else CAPS
    return tuple(
        tuple(zip(*(_ended(table, {**hands, seat: hand}, to_come, rolls) for hand in range(len(HANDS))), strict=True))
        for rolls in caps
    )


def _ended(table: TenRounds, hands: dict[int, int], to_come: Sequence[int], rolls: int) -> Row:
    """What the round comes to with these hands on the table, by seat, and so many rolls for those to come."""
    lead = max(hands.values(), key=STRENGTH.__getitem__)
    holders = [seat for seat, hand in hands.items() if hand == lead]
    mine, *others = point(lead, len(holders), len(to_come), rolls)
    chances = [0.0] * table.seats
    for seat in holders:
        chances[seat] = mine
    for seat, chance in zip(to_come, others, strict=True):
        chances[seat] = chance
    if table.seats > 2 or not to_come:
        return _told(table, chances)
    (first,), (other,) = hands, to_come
    ahead = table.points[first] - table.points[other]
    value = _first_ends(rolls, first in table.bonus, ahead, _left(table))[hands[first]]
    return (*((value, 1 - value) if first == 0 else (1 - value, value)), *chances)


def _plan(table: TenRounds) -> Plan:
    hands = tuple(() if seat == table.to_act else hand for seat, hand in enumerate(table.hands))
    return _planned(replace(table, hands=hands, rolls=0))


@lru_cache(maxsize=1 << 12)
def _planned(table: TenRounds) -> Plan:
    """The plan of the seat to act, for the value and then for the point; its hand and its rolls do not matter to it."""
    seat = table.to_act
    assert seat is not None
    columns = _columns(table)
    wanted = [
        [value + LEAST * best for value, best in zip(each[seat], each[table.seats + seat], strict=True)]
        for each in columns
    ]
    return Plan(wanted, zip(*columns, strict=True))


def _row(table: TenRounds) -> Row:
    """What the round comes to from any position."""
    if table.roll_off:
        chances = rolled_off(table.roll_off, sum if table.starting_seat is None else rank)
        if table.starting_seat is not None:
            return _told(table, [chances.get(seat, 0.0) for seat in range(table.seats)])
        rows = [_row(replace(table, roll_off=None, starting_seat=seat)) for seat in chances]
        return tuple(dot(chances.values(), column) for column in zip(*rows, strict=True))
    if table.to_act is None:
        return _told(table, [float(seat == table.best) for seat in range(table.seats)])
    if table.rolls:
        return _plan(table).holding(table.hands[table.to_act], table.cap - table.rolls)
    at_once = _row(table.apply(table.actions[0], HANDS[TOP]))
    others = _plan(table).before([chance * (hand != TOP) for hand, chance in enumerate(FIRST)])
    return tuple(AT_ONCE * top + other for top, other in zip(at_once, others, strict=True))


def goal(state: State) -> Goal:
    """Return what ``values`` are chances of."""
    return Goal("point", "chance of the point") if state.seats > 2 else Goal("match", "chance of the match")


def values(state: State) -> tuple[float, ...]:
    """Return by seat the chance of the match, of two, or of the round's point, from 0 to 1, in best play."""
    return _row(cast(TenRounds, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    """Return the same after an action of the seat to act, before its dice have landed."""
    table = cast(TenRounds, state)
    if len(table.actions) == 1:
        return values(table)
    assert table.to_act is not None
    stay = option_of(table.hands[table.to_act], action).stay
    return _plan(table).choosing(stay, table.cap - table.rolls)[: table.seats]


def choices(state: State) -> tuple[Choice, ...]:
    """Return every choice of the seat to act, the best first; none when the round is over."""
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
        value, best = _plan(table).choosing(option.stay, table.cap - table.rolls)[seat :: table.seats]
        amount = best + _bonus(table, seat)
        found.append(Choice(option.action, option.kept, (best,), value, _classes(option.stay), amount))
    return tuple(sorted(found, key=lambda choice: (-round(choice.value, 12), -choice.chances[0])))


@cache
def _classes(stay: Faces) -> tuple[float, ...]:
    """The chance of each class of hands when these dice stay."""
    thrown = {number(stay): 1.0} if len(stay) == len(HANDS[0]) else THROWN[stay]
    made = [(RANKS[hand].name.split()[0], chance) for hand, chance in thrown.items()]
    return tuple(sum(chance for name, chance in made if name == each) for each in NAMES.values())


def _bonus(table: TenRounds, seat: int) -> float:
    """The points a seat gets for 4-2-1 at once in this round, on average."""
    return BONUS * (float(seat in table.bonus) if table.hands[seat] else AT_ONCE)


def second(state: State) -> Outlook:
    """Return how many points each seat has after the round, on average."""
    table = cast(TenRounds, state)
    chances = _row(table)[table.seats :]
    playing = range(table.seats) if table.starting_seat is None else table.order
    gained = [chances[seat] + (_bonus(table, seat) if seat in playing else 0.0) for seat in range(table.seats)]
    return Outlook("score", tuple(map(sum, zip(table.points, gained, strict=True))), share=False)


def ending(state: State) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Return by seat the chances to win, and to come last, of two."""
    wins = values(state)
    return (wins, wins[::-1]) if len(wins) == 2 else None


def others_matter(state: State) -> bool:
    """Say whether the best choice now would be another one beside other hands.

    They do when it differs between others who all have the weakest hand and others who all have the strongest.
    """
    return differs(cast(TenRounds, state), STRENGTH, choices)
