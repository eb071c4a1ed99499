"""The highlights of a match under review, and its summary."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import product

from msgspec import Struct

from fourtwenty.games.english import join_faces, name_and_verb, possessive, sentence_case, times
from fourtwenty.games.game import Faces, Roll, hand_after
from fourtwenty.play.format import NOTICEABLE, cost, percent
from fourtwenty.play.match import Match
from fourtwenty.play.practice import Puzzle, kept_dice
from fourtwenty.review.analysis import ReviewedEvent, Round

MAX_PUZZLES = 10
"""The most mistakes of a match in one player's puzzles."""


TELLING_MISSES = 2
"""The misses by one that explain a last place better than one moment does."""


class Highlight(Struct, frozen=True):
    """A moment of a match."""

    round_index: int
    step: int
    """The number of its event in the round, from 1."""
    moment: ReviewedEvent

    @property
    def seat(self) -> int:
        return self.moment.event.seat


def _moments(rounds: Sequence[Round]) -> Iterator[Highlight]:
    for index, each in enumerate(rounds):
        for step, moment in enumerate(each.moments, 1):
            yield Highlight(index, step, moment)


def learners(match: Match) -> tuple[int, ...]:
    """Return the seats with mistakes to learn from: people, or all seats if only bots play."""
    seats = match.lineup.seats
    return tuple(seat for seat, player in enumerate(seats) if not player.bot) or tuple(range(len(seats)))


def costliest(rounds: Sequence[Round], seats: Collection[int], most: int = MAX_PUZZLES) -> tuple[Highlight, ...]:
    mistakes = [each for each in _moments(rounds) if each.moment.mistake and each.seat in seats]
    return tuple(sorted(mistakes, key=lambda each: -each.moment.loss)[:most])


def luckiest(rounds: Sequence[Round]) -> Highlight | None:
    """Return the luckiest roll; None where no roll was lucky."""
    found = max(_moments(rounds), key=lambda each: each.moment.luck, default=None)
    return found if found and found.moment.luck > 0 else None


def hand_of(found: Highlight) -> Faces:
    moment = found.moment
    return hand_after(moment.before, moment.event.action, moment.event.faces)


def one_in(rounds: Sequence[Round], lucky: Highlight) -> int:
    """Return one in how many throws of these dice is as good for the seat."""
    moment, odds = lucky.moment, rounds[lucky.round_index].odds
    throws = list(product(range(1, 7), repeat=len(moment.event.faces)))
    alike = {faces: moment.before.apply(moment.event.action, faces) for faces in {tuple(sorted(t)) for t in throws}}
    worth = {faces: odds.values(after)[lucky.seat] for faces, after in alike.items()}
    least = moment.values_after[lucky.seat] - NOTICEABLE
    return round(len(throws) / sum(worth[tuple(sorted(faces))] >= least for faces in throws))


def match_summary(match: Match, rounds: Sequence[Round]) -> tuple[str, ...]:
    """Return a finished match in two sentences at most."""
    outcome = match.state.outcome
    last = outcome.places[-1] if outcome else ()
    theirs = [each for each in _moments(rounds) if each.seat in last]
    worst = max(theirs, key=_harm, default=None)
    misses = sum(
        isinstance(each.moment.event.action, Roll) and match.game.is_near_miss(hand_of(each)) for each in theirs
    )
    told = []
    if misses >= TELLING_MISSES and len(last) == 1:
        told.append(f"{name_and_verb(match.names[last[0]], 'was', 'were')} one away {times(misses)}.")
    elif worst and _harm(worst) >= NOTICEABLE:
        told.append(_told(match, rounds, worst))
    lucky = luckiest(rounds)
    chance = one_in(rounds, lucky) if lucky else 1
    if lucky and chance > 1:
        name = sentence_case(possessive(match.names[lucky.seat]))
        told.append(f"{name} {join_faces(hand_of(lucky))} came at a chance of 1 in {chance:,}.")
    return tuple(told)


def _harm(found: Highlight) -> float:
    return max(found.moment.loss, -found.moment.luck)


def _told(match: Match, rounds: Sequence[Round], found: Highlight) -> str:
    moment, seat = found.moment, found.seat
    if moment.loss >= -moment.luck:
        best = kept_dice(moment.choices[0])
        better = "to stand" if best == "stand" else f"to keep {best}"
        return f"{match.names[seat]} {past_tense(moment)}; best was {better}: that cost {cost(moment.loss)}."
    chance = rounds[found.round_index].odds.objective(moment.before).label
    before, after = (percent(values[seat], digits=0) for values in (moment.expected, moment.values_after))
    whose_hand = f"{sentence_case(possessive(match.names[seat]))} {join_faces(hand_of(found))}"
    return f"{whose_hand} cut the {chance} from {before} to {after}."


def past_tense(moment: ReviewedEvent) -> str:
    """Return a choice in the past tense: "stood", "kept 6 5"."""
    kept = kept_dice(moment.choice)
    return "stood" if kept == "stand" else f"kept {kept}"


def puzzle_of(match: Match, moment: ReviewedEvent) -> Puzzle:
    return Puzzle(moment.before, match.names, moment.choices, moment.choice)
