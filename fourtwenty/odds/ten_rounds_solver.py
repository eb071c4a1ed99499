"""Solves Four Twenty-One: up to three seats for the match, with more for the point of the round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import cast

from msgspec.structs import replace

from fourtwenty.games.game import Action, Faces, Stand, State
from fourtwenty.games.notation import digits
from fourtwenty.games.ten_rounds import BONUS, ROUNDS, TenRounds, rank
from fourtwenty.games.three_rolls import ROLL_ALL
from fourtwenty.odds.roll_off_odds import roll_off_odds
from fourtwenty.odds.solver import Choice, Objective, PlacementOdds, SecondaryValues, seat_to_act
from fourtwenty.odds.stopping import (
    HANDS,
    KEEPS,
    Kept,
    Option,
    Plan,
    RoundRow,
    TurnPolicy,
    class_chances,
    dot,
    hand_index,
    kept_of,
    options,
    others_change_best,
    own_hand,
    turn_words,
)
from fourtwenty.odds.ten_rounds_match import (
    AT_ONCE,
    FIRST_WITHOUT_TOP,
    MATCH_SEATS,
    MatchPosition,
    behind,
    match_plan,
    match_policy,
    match_values_after,
    mean_with_top,
    normalized,
)
from fourtwenty.odds.ten_rounds_point import STRENGTH, TABLE_SEATS, TOP, as_twelve, point_plan, spread

LABELS: tuple[str, ...] = ("best",)
"""The outcome of a choice: to get the point of the round."""

NAMES = {"421": "4-2-1", "triple": "Triple", "double": "Double", "other": "Unmatched"}
"""``[short name]``: full names of the classes of hands, strongest first."""

CLASSES: tuple[str, ...] = tuple(NAMES)
AMOUNT_UNIT = "score"
"""The unit of ``Choice.amount``."""

# -- a round, from any state -------------------------------------------------------------------------------------


def _settled(table: TenRounds, chances: Sequence[float]) -> RoundRow:
    """Return the row for ``chances[seat]`` to get the point, with all bonuses that matter.

    Here a ``RoundRow`` is ``[column][seat]``, flattened: values, then chances to get the point.
    """
    order = table.order
    if len(order) > MATCH_SEATS:
        return (*chances, *chances)
    points = [table.points[seat] + BONUS * (seat in table.bonus) for seat in order]
    values = [0.0] * table.seats
    for winner, seat in enumerate(order):
        points[winner] += 1
        for other, value in zip(order, match_values_after(points, _rounds_left(table) - 1), strict=True):
            values[other] += chances[seat] * value
        points[winner] -= 1
    return (*normalized(values), *chances)


def _rounds_left(table: TenRounds) -> int:
    return max(1, ROUNDS + 1 - table.round)


def _plays_for_match(table: TenRounds) -> bool:
    """Return whether the score matters to the choice: not for a round's last seat."""
    return len(table.order) <= MATCH_SEATS and table.turns < len(table.order) - 1


def _match_position(table: TenRounds) -> MatchPosition:
    """Return what matters to a seat that plays for the match, besides its hand."""
    order, rounds_left = table.order, _rounds_left(table)
    return MatchPosition(
        behind([table.points[seat] for seat in order], rounds_left),
        rounds_left,
        tuple([seat in table.bonus for seat in order[: table.turns + 1]]),
        hand_index(table.hands[order[0]]) if table.turns else None,
        table.cap,
    )


def _best_so_far(table: TenRounds) -> tuple[int | None, tuple[int, ...]]:
    """Return the best hand after the turns so far, and its seats."""
    hands = [(hand_index(table.hands[seat]), seat) for seat in table.order[: table.turns]]
    if not hands:
        return None, ()
    best = max((hand for hand, _ in hands), key=STRENGTH.__getitem__)
    return best, tuple(seat for hand, seat in hands if hand == best)


def _for_point(table: TenRounds) -> tuple[int | None, int, int, int]:
    """Return what matters to a seat that plays for the point besides its hand: ``point_plan``'s arguments."""
    best, holders = _best_so_far(table)
    return best, *as_twelve(len(holders), len(table.order) - table.turns - 1), table.cap


def _plan(table: TenRounds) -> Plan:
    if _plays_for_match(table):
        return match_plan(_match_position(table))
    return point_plan(*_for_point(table))


def _by_seats(table: TenRounds, row: RoundRow) -> RoundRow:
    seat = table.to_act
    assert seat is not None
    if _plays_for_match(table):
        values, gets = [0.0] * table.seats, [0.0] * table.seats
        for turn, playing in enumerate(table.order):
            values[playing], gets[playing] = row[turn], row[len(table.order) + turn]
        return (*normalized(values), *gets)
    holders, to_come = _best_so_far(table)[1], table.order[table.turns + 1 :]
    holding, mine, *others = spread(row, len(holders), len(to_come))
    chances = dict.fromkeys(range(table.seats), 0.0) | dict.fromkeys(holders, holding)
    chances |= {seat: mine} | dict(zip(to_come, others, strict=True))
    return _settled(table, list(chances.values()))


def _row(table: TenRounds) -> RoundRow:
    if table.alone:
        return (*(float(seat in table.order) for seat in range(table.seats)), *(0.0,) * table.seats)
    if table.roll_off:
        return _row_in_roll_off(table)
    if table.to_act is None:
        return _settled(table, [float(seat == table.best) for seat in range(table.seats)])
    if table.rolls:
        return _by_seats(table, _plan(table).holding(table.hands[table.to_act], table.cap - table.rolls))
    if len(table.order) > MATCH_SEATS:
        return _by_seats(table, _plan(table).before())
    at_once = table.apply(ROLL_ALL, HANDS[TOP])
    # Then standing is best: no hand is better.
    top = _row(at_once.apply(Stand(), ()) if at_once.rolls else at_once)
    others = _by_seats(table, _plan(table).before(FIRST_WITHOUT_TOP))
    row = mean_with_top(top, others)
    return (*normalized(row[: table.seats]), *row[table.seats :])


def _row_in_roll_off(table: TenRounds) -> RoundRow:
    assert table.roll_off
    if table.starting_seat is not None:
        chances = roll_off_odds(table.roll_off, rank)
        return _settled(table, [chances.get(seat, 0.0) for seat in range(table.seats)])
    # Any seat starts the same round, elsewhere in the circle of seats.
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


# -- the protocol Solver -----------------------------------------------------------------------------------------


def objective(state: State) -> Objective:
    """Return the goal: up to three players the match, with more the point of the round."""
    if len(cast(TenRounds, state).order) > MATCH_SEATS:
        return Objective(
            "point", "chance to win the point", "From four players up, advice is for the point, whatever the score."
        )
    return Objective("match", "chance to win the game")


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability of the ``objective``, 0 to 1, with best play."""
    return _row(cast(TenRounds, state))[: state.seats]


def values_after(state: State, action: Action) -> tuple[float, ...]:
    table = cast(TenRounds, state)
    seat = seat_to_act(table)
    if len(table.actions) == 1:
        return values(table)
    kept = kept_of(table.hands[seat], action)
    return _by_seats(table, _plan(table).choosing(kept, table.cap - table.rolls))[: table.seats]


def best(state: State) -> Action:
    table = cast(TenRounds, state)
    seat = seat_to_act(table)
    if len(table.actions) == 1:
        return table.actions[0]
    hand, rolls_left = table.hands[seat], table.cap - table.rolls
    if _plays_for_match(table):
        return _best_in_match(hand, rolls_left, _match_position(table))
    return _best_for_point(hand, rolls_left, *_for_point(table))


@lru_cache(maxsize=1 << 15)
def _best_in_match(hand: Faces, rolls_left: int, position: MatchPosition) -> Action:
    if position.bonus[-1] and hand_index(hand) == TOP:
        return Stand()  # no hand is better
    kept = _kept(match_policy(position), hand, rolls_left)
    return next(option.action for option in options(hand) if option.kept_sorted == kept)


def _kept(policy: TurnPolicy, hand: Faces, rolls_left: int) -> Kept:
    keep = policy[rolls_left][hand_index(hand)]
    return HANDS[hand_index(hand)] if keep is None else KEEPS[keep]


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
    if _plays_for_match(table):
        return _choices_in_match(hand, rolls_left, _match_position(table))
    lose, win = 0.0, 1.0
    if len(table.order) <= MATCH_SEATS:
        holders = _best_so_far(table)[1]
        lost = [(other in holders) / len(holders) for other in range(table.seats)]
        won = [float(other == seat) for other in range(table.seats)]
        lose, win = _settled(table, lost)[seat], _settled(table, won)[seat]
    return _choices_for_point(hand, rolls_left, bonus, lose, win, *_for_point(table))


@lru_cache(maxsize=1 << 10)
def _choices_in_match(hand: Faces, rolls_left: int, position: MatchPosition) -> tuple[Choice, ...]:
    plan, turn = match_plan(position), len(position.bonus) - 1
    best = _kept(plan.turn.best, hand, rolls_left)
    found = []
    for option in options(hand):
        row = plan.choosing(option.kept_sorted, rolls_left)
        value, chance = normalized(row[: len(position.gaps)])[turn], row[len(position.gaps) + turn]
        found.append((option.kept_sorted != best, _choice(option, value, chance, position.bonus[turn])))
    # Equal for the match: the likelier for the point first, then the one with more kept dice, as listed.
    found.sort(key=lambda each: (each[0], -round(each[1].value, 12), -each[1].chances[0]))
    return tuple([choice for _, choice in found])


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
    """Return the choices for the point; ``lose`` and ``win`` are the values without and with it.

    The other arguments are as for ``point_plan``.
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
    return class_chances(kept, NAMES.values(), lambda hand: rank(hand).name.split()[0])


def _bonus(table: TenRounds, seat: int) -> float:
    """Return a seat's expected points for 4-2-1 at once."""
    return BONUS * (float(seat in table.bonus) if table.hands[seat] else AT_ONCE)


def secondary_values(state: State) -> SecondaryValues:
    """Return every seat's expected points after the round."""
    table = cast(TenRounds, state)
    chances = _row(table)[table.seats :]
    playing = () if table.alone else table.order
    gained = [chances[seat] + (_bonus(table, seat) if seat in playing else 0.0) for seat in range(table.seats)]
    return SecondaryValues("score", tuple(map(sum, zip(table.points, gained, strict=True))), are_probabilities=False)


def is_estimated(state: State) -> bool:
    """Return whether values are estimates, beyond twelve seats. From four seats up they value the point alone."""
    return len(cast(TenRounds, state).order) > TABLE_SEATS


def placement_odds(state: State) -> PlacementOdds:
    """Return the probabilities to win (up to three seats) and to come last (two seats)."""
    wins = values(state)
    if len(wins) > MATCH_SEATS:
        return PlacementOdds(None, None)
    return PlacementOdds(wins, wins[::-1] if len(wins) == 2 else None)


def others_matter(state: State) -> bool:
    return others_change_best(cast(TenRounds, state), STRENGTH, choices)


def choice_key(state: State) -> str:
    """Return the choice's inputs: the own hand, its rolls left, and the match or the best hand."""
    table = cast(TenRounds, state)
    mine = own_hand(table, table.cap - table.rolls)
    if _plays_for_match(table):
        gaps, rounds_left, bonus, lying, cap = _match_position(table)
        leads = " ".join(str(gap - gaps[0]) for gap in gaps[1:])
        beat = "" if lying is None else f" {digits(HANDS[lying])} {cap}"
        return f"match {leads} {rounds_left} {''.join(str(int(each)) for each in bonus)}{beat}:{mine}"
    best, holders, to_come, cap = _for_point(table)
    hand = "-" if best is None else digits(HANDS[best])
    return f"point {hand} {holders} {to_come} {cap}:{mine}"


def situation(state: State) -> str:
    table = cast(TenRounds, state)
    seat_to_act(table)
    return turn_words(table, table.cap - table.rolls)
