"""Exact odds of the games, one module a game. No dice are thrown here."""

from __future__ import annotations

from fourtwenty.games.game import State
from fourtwenty.odds.interface import Odds

SOLUTIONS = {"420": 2, "421": 4, "ten-rounds": 4}
"""The version of the solution of each game, by its key. Raise it with every change of values, of best choices, or of
the texts that are kept of a mistake: all finished matches are then measured again. Under version 1 none were kept.
"""


def odds_of(state: State) -> Odds:
    """Return the odds of the state's game. A module is imported when its game is asked for first.

    Raises KeyError for a game without odds.
    """
    match state.key:
        case "420":
            from fourtwenty.odds import four_twenty

            return four_twenty
        case "421":
            from fourtwenty.odds import bar_421

            return bar_421
        case "ten-rounds":
            from fourtwenty.odds import ten_rounds

            return ten_rounds
    raise KeyError(state.key)
