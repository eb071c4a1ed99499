"""Matches of people with bad habits, played by a seed and kept in a history."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from fourtwenty.games.game import Action, Faces, State
from fourtwenty.journal.history import History
from fourtwenty.odds import solver_for
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

BAD_HABITS: dict[Faces, Faces] = {(1, 5, 6, 6): (5, 6, 6), (1, 4, 5, 6): (5, 6), (3, 4, 6, 6): (4, 6, 6)}
"""The dice that a player of 420 with three bad habits keeps, by its hand, both ascending."""
IN_WORDS = {
    "keeps 6 6 5 where 6 6 is better",
    "keeps 6 5 where 6 5 4 is better",
    "keeps 6 6 4 where 6 6 3 is better",
}
"""These habits as the statistics name them."""


def habitual(state: State, habits: Mapping[Faces, Faces]) -> Action:
    """Return what a player with habits does: otherwise what is best."""
    choices = solver_for(state).choices(state)
    assert state.to_act is not None
    kept = habits.get(tuple(sorted(state.hand(state.to_act))))
    return next((each.action for each in choices if tuple(sorted(each.kept)) == kept), choices[0].action)


def save_matches(history: History, matches: int, game: str = "420", slips: float = 0.0, seed: int = 420) -> None:
    """Keep matches of You, with the bad habits, and Ben, who plays well; the share ``slips`` of all choices is random.

    Each match is written at once, after its end.
    """
    chance = Random(seed)
    lineup = Lineup((Seat("You"), Seat("Ben")), game=game)
    for _ in range(matches):
        match = Match(lineup, FairDice(chance.randbytes(32)))
        while not match.state.outcome:
            if match.state.to_act is None:
                match.next_round()
                continue
            habits = BAD_HABITS if match.state.to_act == 0 else {}
            slip = chance.random() < slips
            match.act(chance.choice(match.state.actions) if slip else habitual(match.state, habits))
        history.journal().begin(match)
