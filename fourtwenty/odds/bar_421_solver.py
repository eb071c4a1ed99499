"""Solves 421: the probability of every seat not to pay (docs/paper/solution.md, "421")."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import cast

from fourtwenty.games.bar_421 import TOKENS, Bar421, rank
from fourtwenty.games.game import Action, Faces, State
from fourtwenty.odds.bar_421_first import has_rows
from fourtwenty.odds.bar_421_round import (
    BETWEEN,
    STRENGTH_OF,
    RoundTable,
    charge_row,
    charged_row,
    plan,
    settled,
)
from fourtwenty.odds.roll_off_odds import roll_off_odds
from fourtwenty.odds.solver import Choice, Objective, PlacementOdds, SecondaryValues, seat_to_act
from fourtwenty.odds.stopping import (
    HANDS,
    RoundRow,
    class_chances,
    hand_index,
    kept_of,
    options,
    own_hand,
    turn_words,
)

LABELS: tuple[str, ...] = ("best", "worst")
"""The outcomes of a choice in this round."""

NAMES = {
    "421": "421",
    "111": "Triple 1",
    "two": "Two alike",
    "barr": "Barracks",
    "seq": "Sequence",
    "other": "Other",
    "nen": "Nenette",
}
"""``[short name]``: full names of the classes of hands, strongest first."""

CLASSES: tuple[str, ...] = tuple(NAMES)
AMOUNT_UNIT = "tokens"
FIGURES = "best, worst: the chance of that hand in this round; tokens: what is left after it, on average."
"""The meaning of a choice's other figures."""

DIGITS = 10
"""Values equal to so many digits are equal: then more kept dice come first."""

# -- from seats to turns -----------------------------------------------------------------------------------------


def _in_turn(table: Bar421) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the playing seats' tokens, and the strengths of their hands, in turn order."""
    order = table.order
    ended = order[: table.turns]
    return tuple([table.tokens[seat] for seat in order]), tuple([STRENGTH_OF[table.hands[seat]] for seat in ended])


def _row(table: Bar421) -> RoundRow:
    """Return ``[column][turn]``, flattened: the round's expected row from any state."""
    tokens, hands = _in_turn(table)
    if table.starting_seat is None:
        return charge_row(tokens, table.pot, ())
    if table.alone:
        return (1.0, 0.0, 0.0, *tokens)
    if table.roll_off or table.to_act is None:
        return _row_after_turns(table, tokens, hands)
    if table.charging:
        return charge_row(tokens, table.pot, hands)
    found = plan(RoundTable.of(tokens, hands))
    if not table.rolls:
        return found.before()
    hand = table.hands[table.order[table.turns]]
    return found.holding(HANDS[hand_index(hand)], table.rolls_allowed - table.rolls)


def _row_after_turns(table: Bar421, tokens: tuple[int, ...], hands: tuple[int, ...]) -> RoundRow:
    if table.roll_off:
        rolling = roll_off_odds(table.roll_off, rank, lowest=table.charging or table.strongest is not None)
    else:
        assert table.weakest is not None
        rolling = {table.weakest: 1.0}
    turns = {seat: turn for turn, seat in enumerate(table.order)}
    chances = {turns[seat]: chance for seat, chance in rolling.items()}
    if table.charging:
        return charged_row(tokens, table.pot, hands, chances)
    if table.strongest is None:
        return settled(tokens, hands, givers=chances)
    return settled(tokens, hands, givers={turns[table.strongest]: 1.0}, takers=chances)


def _by_seat(table: Bar421, row: RoundRow, column: int, safe: float) -> tuple[float, ...]:
    """Return ``[seat]`` of a column; safe seats have ``safe``, seats that have left 0."""
    order = table.order
    values = [0.0 if seat in table.departed else safe for seat in range(table.seats)]
    for seat, value in zip(order, row[column * len(order) : (column + 1) * len(order)], strict=True):
        values[seat] = value
    return tuple(values)


# -- the protocol Solver -----------------------------------------------------------------------------------------


def objective(state: State) -> Objective:
    """Return the goal: not to pay, or once a seat has left and pays, not to get all tokens."""
    return Objective("safe", "chance to lose all tokens" if state.departed else "chance to stay safe", FIGURES)


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability, 0 to 1, of the ``objective`` with best play; 1 for safe seats."""
    table = cast(Bar421, state)
    return _by_seat(table, _row(table), 0, safe=1.0)


def values_after(state: State, action: Action) -> tuple[float, ...]:
    table = cast(Bar421, state)
    seat = seat_to_act(table)
    if len(table.actions) == 1:
        return values(table)
    kept = kept_of(table.hands[seat], action)
    row = plan(RoundTable.of(*_in_turn(table))).choosing(kept, table.rolls_allowed - table.rolls)
    return _by_seat(table, row, 0, safe=1.0)


def best(state: State) -> Action:
    table = cast(Bar421, state)
    hand = table.hands[seat_to_act(table)]
    if table.roll_off or not table.rolls:
        return table.actions[0]
    return _best(RoundTable.of(*_in_turn(table)), hand, table.rolls_allowed - table.rolls)


@lru_cache(maxsize=1 << 15)
def _best(table: RoundTable, hand: Faces, rolls_left: int) -> Action:
    turn = plan(table).turn
    return max(options(hand), key=lambda option: round(turn.choosing(option.kept_sorted, rolls_left), DIGITS)).action


def choices(state: State) -> tuple[Choice, ...]:
    table = cast(Bar421, state)
    if table.rolls and not table.roll_off:
        hand = table.hands[table.order[table.turns]]
        return _choices(RoundTable.of(*_in_turn(table)), hand, table.rolls_allowed - table.rolls)
    seat = table.to_act
    if seat is None:
        return ()
    row = _row(table)
    value, best, worst, tokens = row[table.order.index(seat) :: len(table.order)]
    made = _classes(()) if table.starting_seat is not None else ()
    return (Choice(table.actions[0], (), (best, worst), value, made, tokens),)


@lru_cache(maxsize=1 << 14)
def _choices(table: RoundTable, hand: Faces, rolls_left: int) -> tuple[Choice, ...]:
    found = []
    turn, seats = len(table.hands), len(table.tokens)
    for option in options(hand):
        value, best, worst, tokens = plan(table).choosing(option.kept_sorted, rolls_left)[turn::seats]
        classes = _classes(option.kept_sorted)
        found.append(Choice(option.action, option.kept, (best, worst), value, classes, tokens))
    return tuple(sorted(found, key=lambda choice: -round(choice.value, DIGITS)))


@cache
def _classes(kept: Faces) -> tuple[float, ...]:
    return class_chances(kept, NAMES.values(), lambda hand: rank(hand).name)


def secondary_values(state: State) -> SecondaryValues:
    """Return the expected tokens of every seat after the round."""
    table = cast(Bar421, state)
    return SecondaryValues("tokens", _by_seat(table, _row(table), 3, safe=0.0), are_probabilities=False)


def is_estimated(state: State) -> bool:
    """Return whether values are estimates: from five seats, and of three and four once tokens left play."""
    table = cast(Bar421, state)
    seats = len(table.order)
    return not has_rows(seats) if table.in_play == TOKENS else seats > 2


def placement_odds(state: State) -> PlacementOdds:
    """Return the probabilities to be safe first, and to pick up the tab, equal before the first roll.

    Nobody has a choice in the charge, and seats form a circle. The first seat that has left picks it up.
    """
    if state.departed:
        return PlacementOdds(None, tuple(float(seat == state.departed[0]) for seat in range(state.seats)))
    equal = (1 / state.seats,) * state.seats
    return PlacementOdds(equal, equal)


def others_matter(state: State) -> bool:
    table = cast(Bar421, state)
    if len(table.actions) == 1 or not table.turns or table.to_act is None:
        return False
    tokens, hands = _in_turn(table)
    hand = table.hands[table.to_act]
    kept = set()
    for extreme in (0, len(HANDS) - 1):
        # Two such hands are enough: more only roll off among themselves.
        lying = (*(extreme,) * min(2, len(hands)), *(BETWEEN,) * (len(hands) - 2))
        kept.add(kept_of(hand, _best(RoundTable(tokens, lying), hand, table.rolls_allowed - table.rolls)))
    return len(kept) > 1


def choice_key(state: State) -> str:
    """Return the choice's inputs: tokens and hands in turn order, the own hand and its rolls left."""
    table = cast(Bar421, state)
    seat_to_act(table)
    tokens, hands = RoundTable.of(*_in_turn(table))
    lying = (str(hand) if hand != BETWEEN else "-" for hand in hands)
    rolls_left = table.rolls_allowed - table.rolls
    return f"{' '.join(map(str, tokens))}:{' '.join(lying)}:{own_hand(table, rolls_left)}"


def situation(state: State) -> str:
    table = cast(Bar421, state)
    seat_to_act(table)
    return turn_words(table, table.rolls_allowed - table.rolls)
