#!/usr/bin/env bash
# Expected: random_sim_test, which plays a new game at random to test it, plays other games each time.
# Instead: it plays the same ones in every call and every process: its generator has a seed of its own, which no
#   argument changes. A hundred runs in CI test what one does; more need more games in one call.
# Seen: open_spiel 2.0.2, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: who writes the games as games of OpenSpiel; tests/benchmarks/playouts.py plays at random by itself.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install open_spiel==2.0.2

python - <<'PROGRAM'
import subprocess
import sys

PLAYS = """
import random, numpy, pyspiel
random.seed({seed}), numpy.random.seed({seed})
for _ in range(2):
    print("CALL", flush=True)
    pyspiel.random_sim_test(pyspiel.load_game("pig"), 3, False, True)
"""
calls = []
for seed in (1, 2):
    command = [sys.executable, "-c", PLAYS.format(seed=seed)]
    calls += subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("CALL\n")[1:]
moves = [[line for line in call.splitlines() if "chose action" in line or "sampled outcome" in line] for call in calls]
same = moves == moves[:1] * 4
print("two calls in each of two processes, lines of moves:", *map(len, moves), "- all the same:", same)
assert len(moves[0]) > 50 and same
PROGRAM
