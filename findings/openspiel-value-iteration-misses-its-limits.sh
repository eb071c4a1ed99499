#!/usr/bin/env bash
# Expected: value_iteration(game, depth_limit, threshold) gives values that are wrong by less than the threshold, of
#   a tree that is cut at the depth.
# Instead: threshold bounds the last step of a value, not its error: Pig, solved to 0.01, is wrong by 0.04, and the
#   rarer the end of a game, the more. Any depth that cuts a branch raises KeyError.
# Seen: open_spiel 2.0.2, cvxpy 1.9.3 (which it imports, and does not ask for), CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: whoever checks fourtwenty/odds, whose solvers are exact, by another solver.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install open_spiel==2.0.2 cvxpy==1.9.3

python - <<'PROGRAM'
import pyspiel
from open_spiel.python.algorithms.value_iteration import value_iteration

pig = pyspiel.load_game("pig(players=2,winscore=6,diceoutcomes=2)")
exact, solved = (value_iteration(pig, -1, threshold, cyclic_game=True) for threshold in (1e-12, 0.01))
error = max(abs(solved[state] - exact[state]) for state in exact)
print(f"Pig with threshold 0.01: the largest error is {error:.4f}")
raised = []
for depth in (1, 4, 9):
    try:
        raised.append(f"{len(value_iteration(pyspiel.load_game('tic_tac_toe'), depth, 0.01))} values")
    except KeyError:
        raised.append("KeyError")
print("tic-tac-toe to the depths 1, 4 and 9:", *raised)
assert error > 0.03
assert raised == ["KeyError", "KeyError", "5478 values"]
PROGRAM
