"""The mistakes of people in a match as the history keeps them, and the kind of each in words."""

from __future__ import annotations

from collections.abc import Sequence

from fourtwenty.games.game import Stand
from fourtwenty.games.words import spaced
from fourtwenty.journal.entries import KeptMistake
from fourtwenty.odds.interface import Choice
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import Round


def mistakes_of(match: Match, rounds: Sequence[Round]) -> list[KeptMistake]:
    """Return the mistakes of the people in a match, in their order; ``rounds`` are all of its rounds."""
    found = []
    for each in rounds:
        for number, moment in enumerate(each.moments, each.first_event):
            seat = moment.event.seat
            if moment.mistake and not match.lineup.seats[seat].bot:
                state, odds = moment.before, each.odds
                words = kind_of(moment.choice, moment.choices[0])
                found.append(
                    KeptMistake(
                        seat, number, state.position(), odds.alike(state), words, odds.situation(state), moment.loss
                    )
                )
    return found


def kind_of(made: Choice, best: Choice) -> str:
    """Return a mistake in words: "keeps 6 6 5 where 6 6 is better", "rolls all rather than stand on 4 2 1"."""
    made_dice, best_dice = _kept(made), _kept(best)
    if isinstance(made.action, Stand):
        did = f"stands on {made_dice}"
    else:
        did = f"keeps {made_dice}" if made_dice else "rolls all"
    if isinstance(best.action, Stand):
        return f"{did} rather than stand on {best_dice}"
    return f"{did} where {best_dice} is better" if best_dice else f"{did} rather than roll all"


def _kept(choice: Choice) -> str:
    return spaced(sorted(choice.kept, reverse=True))
