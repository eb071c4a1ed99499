"""The odds of Four Twenty-One: the effect of each choice on the point of the round and, with two players, on the match.

With two players a value is the probability to win the match; with more, to get the point of the round, whatever the
score. docs/solution.md describes the methods and says how exact they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

from msgspec.structs import replace

from fourtwenty.games.game import Action, Faces, State
from fourtwenty.games.notation import digits
from fourtwenty.games.ten_rounds import BONUS, ROUNDS, TenRounds, rank
from fourtwenty.games.three_rolls import ROLL_ALL
from fourtwenty.odds.interface import Choice, Ending, Goal, Outlook
from fourtwenty.odds.roll_off import roll_off_odds
from fourtwenty.odds.stopping import (
    FIRST,
    HANDS,
    THROWN,
    Option,
    Plan,
    RoundRow,
    Turn,
    dot,
    hand_index,
    kept_of,
    options,
    others_change_best,
    own_hand,
    turn,
    turn_words,
)
from fourtwenty.odds.ten_rounds_point import CAPS, RANKS, STRENGTH, TOP, point_plan

LABELS: tuple[str, ...] = ("best",)
"""The outcome of a choice: to get the point of the round."""

NAMES = {"421": "4-2-1", "triple": "Triple", "double": "Double", "other": "Unmatched"}
"""``[short name]``: the full names of the classes of hands, strongest first."""

CLASSES: tuple[str, ...] = tuple(NAMES)
AMOUNT = "score"
"""The unit of ``Choice.amount``: the points of this round."""

LAMP = "They do here, once there is a hand on the table to beat."

AT_ONCE = FIRST[TOP]
"""The probability of that hand on a first roll."""

FIRST_WITHOUT_TOP = tuple(chance * (hand != TOP) / (1 - AT_ONCE) for hand, chance in enumerate(FIRST))
"""``[hand]``: the probability of each hand on a first roll that is not ``TOP``."""

TIE_BREAK = 1e-9
"""The value of the point to a seat whose match it cannot change: choices that are equal for the match aim at it."""

# -- the match of two --------------------------------------------------------------------------------------------


@cache
def match_value(lead: int, rounds_left: int) -> float:
    """Return the probability that the starting seat of a round wins a match of two, before its first roll.

    ``lead`` is its lead in points. ``rounds_left`` includes this round; each extra round counts as a last one.
    """
    if abs(lead) > rounds_left * (1 + BONUS):
        return float(lead > 0)
    value = dot(FIRST_WITHOUT_TOP, starting_turn(False, lead, rounds_left).values[-1])
    # With 4-2-1 at once nothing is better than to stand: no hand is better, and the other seat has one roll only.
    return (1 - AT_ONCE) * value + AT_ONCE * _starting_payoff(1, True, lead, rounds_left)[TOP]


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
    # Where the other has the bonus, a point leaves 1 - BONUS: -1, as when it is lost.
    level = (1 - AT_ONCE) * win + AT_ONCE * lose
    usual, bonus = (1 - AT_ONCE) * (win - lose), AT_ONCE * (lose - lose_more)
    return [level - usual * without - bonus * with_it for without, with_it in zip(*_beaten(rolls), strict=True)]


@cache
def _beaten(rolls: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return ``chances[hand]`` that the other seat of two gets the point: without a bonus, and with one."""
    replies = [point_plan(hand, 1, 0, rolls).turn.values[-1] for hand in range(len(HANDS))]
    return tuple(dot(FIRST_WITHOUT_TOP, each) for each in replies), tuple(each[TOP] for each in replies)


@lru_cache(maxsize=1 << 9)
def _starting_plan(at_once: bool, lead: int, rounds_left: int) -> Plan:
    """Return the plan of the starting seat of two. A ``RoundRow`` is its chance of the match and of the point.

    The arguments are those of ``starting_turn``. Choices that are equal for the match aim at the point.
    """
    wins = [_starting_payoff(rolls, at_once, lead, rounds_left) for rolls in CAPS]
    gets = [_kept(rolls) for rolls in CAPS]
    wanted = [[win + TIE_BREAK * get for win, get in zip(*each, strict=True)] for each in zip(wins, gets, strict=True)]
    return Plan(wanted, (wins, gets))


@cache
def _kept(rolls: int) -> list[float]:
    """Return ``chances[hand]`` that the starting seat of two gets the point once it stands after ``rolls`` rolls."""
    return [1 - (1 - AT_ONCE) * without - AT_ONCE * with_it for without, with_it in zip(*_beaten(rolls), strict=True)]


def _after_round(lead: int, rounds_left: int) -> float:
    """Return the probability that the starting seat of the last round wins. The other seat starts the next round."""
    if rounds_left:
        return 1 - match_value(-lead, rounds_left)
    return float(lead > 0) if lead else 1 - match_value(0, 1)


# -- a round, from any state -------------------------------------------------------------------------------------


def _settled(table: TenRounds, chances: Sequence[float]) -> RoundRow:
    """Return the row for ``chances[seat]`` to get the point, once every bonus is settled that matters.

    Here a ``RoundRow`` is ``[column][seat]``, flattened: values, then chances to get the point.
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
    """Return the win probabilities of two seats by seat, given that of one."""
    return (value, 1 - value) if seat == 0 else (1 - value, value)


def _rounds_left(table: TenRounds) -> int:
    return max(1, ROUNDS + 1 - table.round)


def _starts_match_of_two(table: TenRounds) -> bool:
    """Return whether the seat to act is the starting seat of two: then the score matters to its choice."""
    return table.seats == 2 and not table.turns


def _lead(table: TenRounds) -> tuple[int, int]:
    """Return the lead of the starting seat of two before this round, and the rounds left."""
    assert table.starting_seat is not None
    return table.points[table.starting_seat] - table.points[1 - table.starting_seat], _rounds_left(table)


def _best_so_far(table: TenRounds) -> tuple[int | None, tuple[int, ...]]:
    """Return the best hand of the turns that have ended, and the seats that hold it."""
    hands = [(hand_index(table.hands[seat]), seat) for seat in table.order[: table.turns]]
    if not hands:
        return None, ()
    best = max((hand for hand, _ in hands), key=STRENGTH.__getitem__)
    return best, tuple(seat for hand, seat in hands if hand == best)


def _plan(table: TenRounds) -> Plan:
    """Return the plan of the seat to act, remembered by what matters to it."""
    if _starts_match_of_two(table):
        return _starting_plan(table.starting_seat in table.bonus, *_lead(table))
    best, holders = _best_so_far(table)
    return point_plan(best, len(holders), len(table.order) - table.turns - 1, table.cap)


def _by_seats(table: TenRounds, row: RoundRow) -> RoundRow:
    """Return the row by seats of a row of ``_plan``."""
    seat = table.to_act
    assert seat is not None
    if _starts_match_of_two(table):
        value, best = row
        return (*_by_seat(seat, value), *_by_seat(seat, best))
    holding, mine, *others = row
    chances = dict.fromkeys(range(table.seats), 0.0) | dict.fromkeys(_best_so_far(table)[1], holding)
    chances |= {seat: mine} | dict(zip(table.order[table.turns + 1 :], others, strict=True))
    return _settled(table, list(chances.values()))


def _row(table: TenRounds) -> RoundRow:
    """Return the expected row of the round from any state."""
    if table.alone:
        return (*(float(seat in table.order) for seat in range(table.seats)), *(0.0,) * table.seats)
    if table.roll_off:
        return _row_in_roll_off(table)
    if table.to_act is None:
        return _settled(table, [float(seat == table.best) for seat in range(table.seats)])
    if table.rolls:
        return _by_seats(table, _plan(table).holding(table.hands[table.to_act], table.cap - table.rolls))
    if table.seats > 2:
        return _by_seats(table, _plan(table).before())
    at_once = _row(table.apply(ROLL_ALL, HANDS[TOP]))
    others = _by_seats(table, _plan(table).before(FIRST_WITHOUT_TOP))
    return tuple(AT_ONCE * top + (1 - AT_ONCE) * other for top, other in zip(at_once, others, strict=True))


def _row_in_roll_off(table: TenRounds) -> RoundRow:
    assert table.roll_off
    if table.starting_seat is not None:
        chances = roll_off_odds(table.roll_off, rank)
        return _settled(table, [chances.get(seat, 0.0) for seat in range(table.seats)])
    # Whoever starts, it is the same round, begun elsewhere in the circle of seats.
    order = table.order
    row = _row(replace(table, roll_off=None, starting_seat=order[0]))
    chances = roll_off_odds(table.roll_off, sum)
    starting = [chances.get(seat, 0.0) for seat in order]
    mean = [0.0] * len(row)
    for column in range(0, len(row), table.seats):
        backwards = [row[column + seat] for seat in reversed(order)] * 2
        for begin, seat in enumerate(reversed(order)):
            mean[column + seat] = dot(starting, backwards[begin : begin + len(order)])
    return tuple(mean)


# -- the protocol Odds -------------------------------------------------------------------------------------------


def goal(state: State) -> Goal:
    """Return the goal: to win the match of two; with more players to get the point of the round."""
    if state.seats > 2:
        return Goal(
            "point", "chance to win the point", "From three players up, advice is for the point, whatever the score."
        )
    return Goal("match", "chance to win the game")


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to win the match of two, or the point, from 0 to 1, with best play."""
    return _row(cast(TenRounds, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    table = cast(TenRounds, state)
    if len(table.actions) == 1:
        return values(table)
    assert table.to_act is not None
    kept = kept_of(table.hands[table.to_act], action)
    return _by_seats(table, _plan(table).choosing(kept, table.cap - table.rolls))[: table.seats]


def best(state: State) -> Action:
    table = cast(TenRounds, state)
    seat = table.to_act
    if seat is None or len(table.actions) == 1:
        return table.actions[0]
    hand, rolls_left = table.hands[seat], table.cap - table.rolls
    if _starts_match_of_two(table):
        return _best_in_match(hand, rolls_left, seat in table.bonus, *_lead(table))
    held, holders = _best_so_far(table)
    return _best_for_point(hand, rolls_left, held, len(holders), len(table.order) - table.turns - 1, table.cap)


@lru_cache(maxsize=1 << 15)
def _best_in_match(hand: Faces, rolls_left: int, bonus: bool, lead: int, rounds_left: int) -> Action:
    return _choices_in_match(hand, rolls_left, bonus, lead, rounds_left)[0].action


@lru_cache(maxsize=1 << 15)
def _best_for_point(hand: Faces, rolls_left: int, held: int | None, holders: int, to_come: int, cap: int) -> Action:
    return _choices_for_point(hand, rolls_left, False, 0.0, 1.0, held, holders, to_come, cap)[0].action


def choices(state: State) -> tuple[Choice, ...]:
    table = cast(TenRounds, state)
    seat = table.to_act
    if seat is None:
        return ()
    if len(table.actions) == 1:
        row = _row(table)
        value, chance = row[seat], row[table.seats + seat]
        made = _classes(()) if table.starting_seat is not None else ()
        return (Choice(table.actions[0], (), (chance,), value, made, chance + _bonus(table, seat)),)
    hand, rolls_left, bonus = table.hands[seat], table.cap - table.rolls, seat in table.bonus
    if _starts_match_of_two(table):
        return _choices_in_match(hand, rolls_left, bonus, *_lead(table))
    lose, win = 0.0, 1.0
    if table.seats == 2:
        lose, win = (_settled(table, _by_seat(seat, chance))[seat] for chance in (0.0, 1.0))
    best, holders = _best_so_far(table)
    to_come = len(table.order) - table.turns - 1
    return _choices_for_point(hand, rolls_left, bonus, lose, win, best, len(holders), to_come, table.cap)


@lru_cache(maxsize=1 << 10)
def _choices_in_match(hand: Faces, rolls_left: int, bonus: bool, lead: int, rounds_left: int) -> tuple[Choice, ...]:
    """Return the choices of the starting seat of two."""
    plan = _starting_plan(bonus, lead, rounds_left)
    found = []
    for option in options(hand):
        value, best = plan.choosing(option.kept_sorted, rolls_left)
        found.append(_choice(option, value, best, bonus))
    # Equal for the match: the likelier for the point first, then the one that keeps more dice, as they are listed.
    return tuple(sorted(found, key=lambda choice: (-round(choice.value, 12), -choice.chances[0])))


@lru_cache(maxsize=1 << 10)
def _choices_for_point(
    hand: Faces,
    rolls_left: int,
    bonus: bool,
    lose: float,
    win: float,
    best: int | None,
    holders: int,
    to_come: int,
    cap: int,
) -> tuple[Choice, ...]:
    """Return the choices of a seat that plays for the point; ``lose`` and ``win`` are its values without and with it.

    The other arguments are those of ``point_plan``.
    """
    policy = point_plan(best, holders, to_come, cap).turn
    found = []
    for option in options(hand):
        chance = policy.choosing(option.kept_sorted, rolls_left)
        found.append(_choice(option, lose + (win - lose) * chance, chance, bonus))
    return tuple(sorted(found, key=lambda choice: -round(choice.chances[0], 12)))


def _choice(option: Option, value: float, best: float, bonus: bool) -> Choice:
    return Choice(option.action, option.kept, (best,), value, _classes(option.kept_sorted), best + BONUS * bonus)


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
    playing = () if table.alone else table.order
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
    return others_change_best(cast(TenRounds, state), STRENGTH, choices)


def alike(state: State) -> str:
    """Return what the choice is computed from: the own hand, its rolls left, and the match of two or the best hand."""
    table = cast(TenRounds, state)
    seat = table.to_act
    assert seat is not None
    mine = own_hand(table, table.cap - table.rolls)
    if _starts_match_of_two(table):
        lead, rounds_left = _lead(table)
        return f"match {lead} {rounds_left} {int(seat in table.bonus)}:{mine}"
    best, holders = _best_so_far(table)
    hand = "-" if best is None else digits(HANDS[best])
    return f"point {hand} {len(holders)} {len(table.order) - table.turns - 1} {table.cap}:{mine}"


def situation(state: State) -> str:
    table = cast(TenRounds, state)
    return turn_words(table, table.cap - table.rolls)
