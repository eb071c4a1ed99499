#!/usr/bin/env bash
# Expected: parallel_seed_test(make, num_cycles=500) compares two environments of one seed over 500 steps.
# Instead: over one. It asks any(terminations), which are a dictionary, and so whether there are agents at all.
# Seen: pettingzoo 1.27.0, gymnasium 1.4.0, numpy 2.3.5, CPython 3.13.0; 29 November 2026.
# Upstream: mended on main (Farama-Foundation/PettingZoo#1437), in no version.
# Here: tests/architecture/test_pettingzoo.py takes seed_test, which has no such line.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install pettingzoo==1.27.0 gymnasium==1.4.0 numpy==2.3.5

python - <<'PROGRAM'
from gymnasium.spaces import Discrete
from pettingzoo import ParallelEnv
from pettingzoo.test import parallel_seed_test


class Counts(ParallelEnv):
    """An environment of one agent that plays on for ever, and counts the steps."""

    metadata = {"name": "counts"}
    possible_agents = ["ann"]
    steps = 0

    def __init__(self) -> None:
        self.spaces = Discrete(6), Discrete(2)

    def observation_space(self, agent: str) -> Discrete:
        return self.spaces[0]

    def action_space(self, agent: str) -> Discrete:
        return self.spaces[1]

    def reset(self, seed: int | None = None, options: object = None):
        self.agents = self.possible_agents[:]
        return {"ann": 0}, {"ann": {}}

    def step(self, actions: dict[str, int]):
        Counts.steps += 1
        return {"ann": 0}, {"ann": 0.0}, {"ann": False}, {"ann": False}, {"ann": {}}


parallel_seed_test(Counts, num_cycles=500)
print("steps of each of the two environments:", Counts.steps // 2)
assert Counts.steps == 2
PROGRAM
