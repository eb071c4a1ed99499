"""The one thing worth telling of a round that is over, by its events alone: the page has it with its first picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from fourtwenty.games.english import name_and_verb, times
from fourtwenty.games.game import Leave, Roll, hand_after
from fourtwenty.games.replay import Step, replay
from fourtwenty.games.story import hand_of, rolls_of
from fourtwenty.play.match import Match

RARE_THROW = 12
"""A throw is told that comes once in so many, or more seldom."""
MANY_MISSES = 2
LARGE_SHARE = 1 / 3
"""The share of all tokens from which it is told that somebody has lost them all."""


def round_story(match: Match) -> str:
    """Return the first that is true: a rare throw, misses by one, a long round, tokens lost. Empty for none."""
    steps = tuple(replay(match.start, match.events))
    last = [step for step in steps if step.before.round == match.state.round]
    return next(_stories(match, steps, last), "") if last else ""


def _stories(match: Match, steps: Sequence[Step], last: Sequence[Step]) -> Iterator[str]:
    chance = one_in(match, last[-1])
    if chance >= RARE_THROW:
        yield f"A throw like that comes once in {chance}."
    misses = Counter(step.event.seat for step in rolls_of([last]) if match.game.is_near_miss(hand_of(step)))
    for seat, count in misses.most_common(1):
        if count >= MANY_MISSES:
            yield f"{name_and_verb(match.names[seat], 'was', 'were')} one away {times(count)}."
    lengths = Counter(step.before.round for step in steps if not isinstance(step.event.action, Leave))
    longest = lengths.pop(match.state.round)
    if lengths and longest > max(lengths.values()):
        yield f"The longest round yet: {longest} rolls."
    for seat in match.out_now:
        most = max((step.before for step in steps), key=lambda state: state.meter(seat, ()).value)
        meter = most.meter(seat, ())
        if meter.of_tally and meter.value >= LARGE_SHARE * meter.full:
            yield f"{name_and_verb(match.names[seat], 'once had', 'once had')} {most.standing(seat).tally}."


def one_in(match: Match, step: Step) -> int:
    """Return one in how many throws of these dice makes the best hand; 0 where this one has not."""
    action, won = step.event.action, match.game.is_winning
    if not isinstance(action, Roll) or not won(hand_of(step)):
        return 0
    throws = [*product(range(1, 7), repeat=len(action.dice))]
    return len(throws) // sum(won(hand_after(step.before, action, faces)) for faces in throws)
