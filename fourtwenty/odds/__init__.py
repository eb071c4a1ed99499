"""Finds the solver of a game, one module each.

Exact values (docs/paper/solution.md has the proofs and the errors):

- 420, to win the round: up to four seats, within 0.05 points; up to eight unless somebody holds a hand that may hurry.
- 421, not to pay: two seats, three and four with all 21 tokens in play. With three or more, in one equilibrium.
- Four Twenty-One: to win the match for two seats and three; to get the point of the round for four to twelve, whatever
  the score.

Other values are estimates: ``Solver.is_estimated``, "about" on the screens.
"""

from __future__ import annotations

from functools import cache

from fourtwenty.games.game import State, describe
from fourtwenty.odds.solver import Solver

SOLUTIONS = {"420": 2, "421": 4, "ten-rounds": 4}
"""The version of each game's solution, by key. Raise it with every change of values, of best choices, or of the texts
that are stored of a mistake: all finished matches are then measured again."""


def solver_for(state: State) -> Solver:
    """Return the solver of the state's game, imported when first used. Raises KeyError without one."""
    return _described_solver(state.key)


@cache
def _described_solver(game: str) -> Solver:
    solver = _solver(game)
    describe(solver, Solver)
    return solver


def _solver(game: str) -> Solver:
    match game:
        case "420":
            from fourtwenty.odds import four_twenty_solver

            return four_twenty_solver
        case "421":
            from fourtwenty.odds import bar_421_solver

            return bar_421_solver
        case "ten-rounds":
            from fourtwenty.odds import ten_rounds_solver

            return ten_rounds_solver
    raise KeyError(game)
