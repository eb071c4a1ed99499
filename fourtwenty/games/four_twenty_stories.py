"""The stories of a match of 420."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial

from fourtwenty.games.english import all_of, dice_in_words, in_words, join_words, mid_sentence, sentence_case
from fourtwenty.games.four_twenty import DICE, GAME, GOAL, MIN_KEPT_TOTAL, FourTwenty
from fourtwenty.games.game import Faces, Roll
from fourtwenty.games.replay import Step
from fourtwenty.games.story import (
    FindStories,
    Names,
    Rounds,
    Story,
    by_seat,
    counted,
    few_rolls,
    hand_of,
    in_a_row,
    often,
    rolls_of,
    runs,
    same_face,
    sorted_hand,
)


def _thrown(step: Step) -> int:
    """Return the number of dice that a step throws."""
    return len(step.event.faces)


def _rolls_all(step: Step) -> bool:
    return _thrown(step) == len(DICE)


def _decided(rounds: Rounds) -> list[Step]:
    """Return the step that ended each round."""
    return [played[-1] for played in rounds]


def _at_first_roll(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    numbers = [number for number, end in enumerate(_decided(rounds)) if not end.before.hand(end.event.seat)]
    if numbers:
        last, count = rounds[numbers[-1]][-1], len(numbers)
        ended = f"{_which_rounds(numbers, len(rounds))} ended at the first roll"
        yield Story(count, ended, last.event.seat, hand_of(last))


def _which_rounds(indexes: Sequence[int], rounds: int) -> str:
    """Return some rounds of a match, by index, at the beginning of a sentence."""
    count = len(indexes)
    if count == rounds:
        return sentence_case(all_of(count, "round", "rounds"))
    if count == rounds - 1 > 1:
        return "All rounds but one"
    return f"Round{'s' * (count > 1)} {join_words(str(index + 1) for index in indexes)}"


def _at_the_very_first(names: Names, rounds: Rounds) -> Iterator[Story]:
    first = rounds[0][0]
    if len(rounds[0]) == 1:
        made = f"{names[first.event.seat]} made {GOAL} with the very first roll"
        yield Story(1, made, first.event.seat, hand_of(first))


def _single_misses(played: Sequence[Step]) -> dict[int, list[Step]]:
    """Return the rolls of a single die in a round that missed, by seat."""
    return by_seat(step for step in played if _thrown(step) == 1 and sum(hand_of(step)) != GOAL)


def _single_dice(names: Names, rounds: Rounds) -> Iterator[Story]:
    for number, played in enumerate(rounds, 1):
        where = f" in round {number}" if len(rounds) > 1 else ""
        for seat, misses in _single_misses(played).items():
            missed = f"{names[seat]} missed {often(len(misses))} with a single die{where}"
            yield Story(len(misses), missed, seat, hand_of(misses[-1]))


def _overtaken(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield that all four dice beat a seat with one die to roll in the last round; it may have missed before."""
    end, state = rounds[-1][-1], rounds[-1][-1].after
    assert isinstance(state, FourTwenty)
    (loser,) = (seat for seat in state.order if seat != end.event.seat)
    hand = state.hands[loser]
    if _rolls_all(end) and sum(hand) < GOAL and sum(hand) - min(hand, default=0) >= MIN_KEPT_TOTAL[1]:
        level = 1 + len(_single_misses(rounds[-1]).get(loser, ()))
        rolled = f"{names[end.event.seat]} rolled all four dice and made {GOAL}"
        yield Story(level, f"{rolled}; {mid_sentence(names[loser])} needed one", end.event.seat, hand_of(end))


def _same_start(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield how many seats began a round with the same dice."""
    for number, played in enumerate(rounds, 1):
        first = [step for step in played if not step.before.hand(step.event.seat)]
        for dice, count in Counter(map(sorted_hand, first)).items():
            seats = [step.event.seat for step in first if sorted_hand(step) == dice]
            which = f" round {number}" if len(rounds) > 1 else ""
            began = f"{join_words(names[seat] for seat in seats)} began{which} with the same dice"
            yield Story(count, began, seats[-1], dice)


def _starters_win(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    """Yield how many rounds in a row were won by the seat that began them."""
    ends = _decided(rounds)
    for _, count, last in runs([end.event.seat == end.before.starting_seat or None for end in ends]):
        all_rounds = "every round" if count == len(rounds) else f"{in_words(count)} rounds in a row"
        won = f"The player to begin won {all_rounds}"
        yield Story(count, won, ends[last].event.seat, hand_of(ends[last]))


def _long_round(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    for number, played in enumerate(rounds, 1):
        which = f"Round {number}" if len(rounds) > 1 else "The game"
        yield Story(len(played), f"{which} took {len(played)} rolls", played[-1].event.seat, hand_of(played[-1]))


def _same_twenty(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    ends = [sorted_hand(end) for end in _decided(rounds)]
    for dice, count in Counter(ends).items():
        numbers = [number for number, end in enumerate(ends) if end == dice]
        if count > 1:
            ended = f"{_which_rounds(numbers, len(rounds))} ended with the same dice"
            yield Story(count, ended, rounds[numbers[-1]][-1].event.seat, dice)


def _four_alike(names: Names, rounds: Rounds) -> Iterator[Story]:
    alike = (step for step in rolls_of(rounds) if _rolls_all(step) and len({*step.event.faces}) == 1)
    for seat, own in by_seat(alike).items():
        more = f" {often(len(own))}" if len(own) > 1 else ""
        yield Story(len(own), f"{names[seat]} rolled four of a kind{more}", seat, hand_of(own[-1]))


def _gamble(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield that a seat chose a roll of more dice at a worse chance, and made 20."""
    for end in _decided(rounds):
        seat, hand = end.event.seat, end.before.hand(end.event.seat)
        chances = {roll: _chance(hand, roll) for roll in end.before.actions if isinstance(roll, Roll)}
        taken, best = (round(1 / chance) for chance in (_chance_taken(end), max(chances.values())))
        if taken > best:
            rolled = f"rolled {dice_in_words(_thrown(end))} at 1 in {taken}, with 1 in {best} on offer"
            yield Story(taken, f"{names[seat]} {rolled}, and made {GOAL}", seat, hand_of(end), one_in=taken)


def _chance_taken(end: Step) -> float:
    assert isinstance(end.event.action, Roll)
    return _chance(end.before.hand(end.event.seat), end.event.action)


def _chance(hand: Faces, roll: Roll) -> float:
    """Return the probability that a roll makes 20."""
    kept = sum(face for die, face in enumerate(hand, 1) if die not in roll.dice)
    return _chance_of_sum(len(roll.dice), GOAL - kept)


@cache
def _chance_of_sum(dice: int, total: int) -> float:
    return sum(_chance_of_sum(dice - 1, total - face) for face in range(1, 7)) / 6 if dice else float(not total)


def part_played(rounds: Rounds, seat: int) -> str:
    """Return what came of a seat in a few words: "out on roll 8", "one away twice"."""
    for end in _decided(rounds):
        if end.event.seat == seat and isinstance(end.after, FourTwenty) and end.after.winner == seat:
            return f"out on roll {end.after.roll}"
    misses = sum(step.event.seat == seat and GAME.is_near_miss(hand_of(step)) for step in rolls_of(rounds))
    return f"one away {often(misses)}" if misses else "never one away"


STORIES: Mapping[str, FindStories] = {
    "at first roll": _at_first_roll,
    "overtaken": _overtaken,
    "very first": _at_the_very_first,
    "gamble": _gamble,
    "one away": partial(counted, of=rolls_of, counts=GAME.is_near_miss, did="was one away", you_did="were one away"),
    "one away in a row": partial(
        in_a_row,
        of=rolls_of,
        value=lambda step: GAME.is_near_miss(hand_of(step)) or None,
        did="was one away",
        you_did="were one away",
    ),
    "single dice": _single_dice,
    "same twenty": _same_twenty,
    "four alike": _four_alike,
    "same start": _same_start,
    "starters win": _starters_win,
    "same roll": partial(
        in_a_row,
        of=rolls_of,
        value=lambda step: sorted_hand(step) if _rolls_all(step) else None,
        did="rolled the same four dice",
    ),
    "same total": partial(in_a_row, of=rolls_of, value=lambda step: sum(hand_of(step)), did="made {}"),
    "long round": _long_round,
    "few rolls": few_rolls,
    "over": partial(counted, of=rolls_of, counts=lambda hand: sum(hand) > GOAL, did=f"went over {GOAL}"),
    "same face": same_face,
}
"""The stories of the game by name; of equally rare ones, the first is told first."""
