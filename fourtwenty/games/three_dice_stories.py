"""The stories of a match of 421, and of Four Twenty-One."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.english import in_words, join_words, name_and_verb, pluralize
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
from fourtwenty.games.ten_rounds import ROUNDS, TenRounds
from fourtwenty.games.three_rolls import ThreeDice, is_421


def _first_rolls(rounds: Rounds) -> Iterator[Step]:
    """Yield the first roll of each turn: unlike the hand at its end, it does not depend on how people play."""
    for step in rolls_of(rounds):
        state = step.before
        if isinstance(state, ThreeDice) and not state.roll_off and not state.rolls:
            yield step


_at_once = partial(counted, of=_first_rolls, counts=is_421, did="rolled 4 2 1 at the first roll")
_triples = partial(
    counted, of=_first_rolls, counts=lambda hand: len({*hand}) == 1, did="rolled three alike at the first roll"
)
_same_roll = partial(in_a_row, of=_first_rolls, value=sorted_hand, did="began a turn with the same dice")


def _without_a_face(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield how many dice in a row each seat rolled at first without one of the six faces, at most."""
    for seat, own in by_seat(_first_rolls(rounds)).items():
        since = [0] * 7
        longest = (0, 0, own[0])
        for step in own:
            for thrown in step.event.faces:
                since = [0 if face == thrown else count + 1 for face, count in enumerate(since)]
                count, face = max((since[face], face) for face in range(1, 7))
                if count > longest[0]:
                    longest = count, face, step
        count, face, last = longest
        yield Story(count, f"{names[seat]} had no {face} in {count} dice of first rolls", seat, hand_of(last))


def _ties(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield how often in a row the seats of a roll-off tied."""
    for played in rounds:
        ties = 0
        for before, event, after in played:
            lap, following = (state.roll_off if isinstance(state, ThreeDice) else None for state in (before, after))
            if not lap or not following:
                ties = 0
            elif not following.faces:
                ties += 1
                tied = join_words(names[seat] for seat in following.seats)
                yield Story(ties, f"{tied} rolled off and tied {often(ties)} in a row", event.seat, event.faces)


def _many_rounds(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    end = rounds[-1][-1]
    yield Story(len(rounds), f"The game took {len(rounds)} rounds", end.event.seat, hand_of(end))


# -- 421 -------------------------------------------------------------------------------------------------------------


def _bar_421_ends(rounds: Rounds) -> list[Bar421]:
    """Return the state at the end of each round."""
    return [played[-1].after for played in rounds if isinstance(played[-1].after, Bar421)]


def _charge(names: Names, rounds: Rounds) -> Iterator[Story]:
    for state in _bar_421_ends(rounds):
        if state.charging and state.moved == state.pot:
            for seat, held in enumerate(state.tokens):
                taken = held + state.moved * (seat == state.weakest)
                took = f"took {taken} of the {TOKENS} tokens in the charge"
                lost = f"took all {TOKENS} tokens in the charge and lost at once"
                yield Story(taken, f"{names[seat]} {lost if taken == TOKENS else took}", seat, state.hands[seat])


def _charge_rounds(names: Names, rounds: Rounds, sign: int, only: str = "") -> Iterator[Story]:  # noqa: ARG001
    """Yield how many rounds the charge took; many are rare for a ``sign`` of 1, few for -1."""
    charge = [state for state in _bar_421_ends(rounds) if state.charging]
    last = charge[-1]
    strongest = max(last.order, key=lambda seat: last.rank(last.hands[seat]))
    took = f"The charge took {only}{in_words(len(charge))} rounds"
    yield Story(sign * len(charge), took, strongest, last.hands[strongest])


def _nearly_safe(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield in how many rounds of the discharge the loser had one token only."""
    ends = _bar_421_ends(rounds)
    outcome = ends[-1].outcome
    assert outcome
    (loser,) = outcome.places[-1]
    near = [state for state in ends if not state.charging and state.tokens[loser] == 1]
    if near:
        once = name_and_verb(names[loser], "was down to one token", "were down to one token")
        had = once if len(near) == 1 else f"{names[loser]} had one token in {in_words(len(near))} rounds"
        yield Story(len(near), f"{had} and lost", loser, near[-1].hands[loser])


def _escape(names: Names, rounds: Rounds) -> Iterator[Story]:
    ends = _bar_421_ends(rounds)
    outcome = ends[-1].outcome
    assert outcome
    for number, state in enumerate(ends, 1):
        for seat, held in enumerate(state.tokens):
            if held and seat not in outcome.places[-1]:
                had = f"{names[seat]} had {pluralize(held, 'token', 'tokens')} in round {number} and got rid of all"
                yield Story(held, had, seat, state.hands[seat])


def _last_gift(names: Names, rounds: Rounds) -> Iterator[Story]:
    for state in _bar_421_ends(rounds):
        giver = state.strongest
        if giver is not None and state.moved == state.tokens[giver]:
            gave = f"{names[giver]} gave away {pluralize(state.moved, 'token', 'tokens')} at once and was safe"
            yield Story(state.moved, gave, giver, state.hands[giver])


def _running(names: Names, rounds: Rounds, what: str, seat_of: Callable[[Bar421], int | None]) -> Iterator[Story]:
    """Yield how many rounds in a row the same seat had something."""
    ends = _bar_421_ends(rounds)
    for seat, count, last in runs([seat_of(state) for state in ends]):
        had = f"{names[seat]} had {what} in {in_words(count)} rounds running"
        yield Story(count, had, seat, ends[last].hands[seat])


def bar_421_part(rounds: Rounds, seat: int) -> str:
    """Return what came of a seat in a few words: "safe in round 12", "all 21 tokens"."""
    ends = _bar_421_ends(rounds)
    outcome = ends[-1].outcome
    if outcome and seat in outcome.places[-1]:
        return f"all {TOKENS} tokens"
    last = max((state for state in ends if seat in state.order), key=lambda state: state.round)
    return "safe after the charge" if last.charging else f"safe in round {last.round}"


BAR_421_STORIES: Mapping[str, FindStories] = {
    "escape": _escape,
    "charge": _charge,
    "nearly safe": _nearly_safe,
    "short charge": partial(_charge_rounds, sign=-1, only="only "),
    "long charge": partial(_charge_rounds, sign=1),
    "last gift": _last_gift,
    "at once": _at_once,
    "weakest": partial(_running, what="the weakest hand", seat_of=lambda state: state.weakest),
    "strongest": partial(_running, what="the strongest hand", seat_of=lambda state: state.strongest),
    "triples": _triples,
    "same roll": _same_roll,
    "ties": _ties,
    "many rounds": _many_rounds,
    "few rolls": few_rolls,
    "same face": same_face,
    "without a face": _without_a_face,
}
"""The stories of 421 by name; of equally rare ones, the first is told first."""


# -- Four Twenty-One ---------------------------------------------------------------------------------------------------


def _ten_rounds_ends(rounds: Rounds) -> list[TenRounds]:
    """Return the state at the end of each round."""
    return [played[-1].after for played in rounds if isinstance(played[-1].after, TenRounds)]


def _winner(ends: Sequence[TenRounds]) -> int:
    outcome = ends[-1].outcome
    assert outcome
    return outcome.places[0][0]


def _behind(names: Names, rounds: Rounds) -> Iterator[Story]:
    ends = _ten_rounds_ends(rounds)
    winner = _winner(ends)
    for number, state in enumerate(ends, 1):
        behind = max(state.points_now) - state.points_now[winner]
        if behind:
            was = f"{name_and_verb(names[winner], 'was', 'were')} {pluralize(behind, 'point', 'points')} behind"
            yield Story(behind, f"{was} after round {number} and won", winner, ends[-1].hands[winner])


def _led(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield that a seat led alone up to the last round and did not win."""
    ends = _ten_rounds_ends(rounds)
    winner = _winner(ends)
    leaders = [_leader(state) for state in ends[:-1]]
    for seat, count, last in runs(leaders):
        if last == len(leaders) - 1 and seat != winner:
            led = f"{names[seat]} led from round {last - count + 2} on and lost in round {len(ends)}"
            yield Story(count, led, winner, ends[-1].hands[winner])


def _leader(state: TenRounds) -> int | None:
    """Return the seat with most points; None for several."""
    leaders = [seat for seat, points in enumerate(state.points_now) if points == max(state.points_now)]
    return leaders[0] if len(leaders) == 1 else None


def _in_a_row(names: Names, rounds: Rounds) -> Iterator[Story]:
    ends = _ten_rounds_ends(rounds)
    for seat, count, last in runs([state.best for state in ends]):
        took = f"{names[seat]} took {in_words(count)} rounds in a row"
        yield Story(count, took, seat, ends[last].hands[seat])


def _pointless(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield that a seat has no point, where all others together have the most rounds."""
    end = _ten_rounds_ends(rounds)[-1]
    for seat, points in enumerate(end.points_now):
        if not points:
            yield Story(1, f"{names[seat]} got no point in {in_words(ROUNDS)} rounds", seat, end.hands[seat])


def _many_points(names: Names, rounds: Rounds) -> Iterator[Story]:
    ends = _ten_rounds_ends(rounds)
    winner = _winner(ends)
    points = ends[-1].points_now[winner]
    yield Story(points, f"{names[winner]} won with {points} points", winner, ends[-1].hands[winner])


def _level(names: Names, rounds: Rounds) -> Iterator[Story]:
    """Yield how many seats shared the lead after the tenth round."""
    end = _ten_rounds_ends(rounds)[ROUNDS - 1]
    seats = [seat for seat, points in enumerate(end.points_now) if points == max(end.points_now)]
    if len(seats) > 1:
        level = f"{join_words(names[seat] for seat in seats)} were level after {in_words(ROUNDS)} rounds"
        yield Story(len(seats), level, seats[0], end.hands[seats[0]])


def _changes(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    """Yield how often the lead passed from one seat to another."""
    ends = _ten_rounds_ends(rounds)
    leaders = [seat for seat in map(_leader, ends) if seat is not None]
    changes = sum(before != after for before, after in pairwise(leaders))
    if changes:
        yield Story(changes, f"The lead changed {often(changes)}", leaders[-1], ends[-1].hands[leaders[-1]])


def _extra_rounds(names: Names, rounds: Rounds) -> Iterator[Story]:  # noqa: ARG001
    ends, extra = _ten_rounds_ends(rounds), len(rounds) - ROUNDS
    if extra > 0:
        took = f"The game took {pluralize(extra, 'extra round', 'extra rounds')}"
        yield Story(extra, took, _winner(ends), ends[-1].hands[_winner(ends)])


def ten_rounds_part(rounds: Rounds, seat: int) -> str:
    """Return what came of a seat in a few words: "6 points"."""
    return pluralize(_ten_rounds_ends(rounds)[-1].points_now[seat], "point", "points")


TEN_ROUNDS_STORIES: Mapping[str, FindStories] = {
    "behind": _behind,
    "led and lost": _led,
    "in a row": _in_a_row,
    "at once": _at_once,
    "pointless": _pointless,
    "many points": _many_points,
    "changes": _changes,
    "level": _level,
    "extra rounds": _extra_rounds,
    "triples": _triples,
    "same roll": _same_roll,
    "ties": _ties,
    "same face": same_face,
    "without a face": _without_a_face,
}
"""The stories of Four Twenty-One by name; of equally rare ones, the first is told first."""
