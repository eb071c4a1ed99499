"""The environment of docs/pettingzoo_420.py, judged by PettingZoo's own test."""

from __future__ import annotations

import warnings
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not here: pip install pettingzoo")

import pettingzoo_420
from pettingzoo.test import api_test, seed_test
from pettingzoo_420 import FourTwentyEnvironment

from fourtwenty.games.four_twenty import POSSIBLE_ROLLS
from fourtwenty.games.game import IllegalAction, Roll


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_pettingzoo_finds_no_fault(seats: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about observations with a mask, except in games that the test names
        api_test(FourTwentyEnvironment(seats), num_cycles=500)
        seed_test(lambda: FourTwentyEnvironment(seats), num_cycles=50)


def test_the_rewards_are_those_of_the_rules() -> None:
    match, luck = FourTwentyEnvironment(3), Random(20)
    match.reset(seed=420)
    rewards = {}
    for agent in match.agent_iter():
        observation, reward, over, _, _ = match.last()
        rewards[agent] = reward
        assert observation is not None
        legal = [number for number, allowed in enumerate(observation["action_mask"]) if allowed]
        match.step(None if over else luck.choice(legal))
    assert sorted(rewards.values()) == [-1.0, 0.5, 0.5]
    assert match.table.outcome
    assert rewards[f"seat_{match.table.outcome.places[-1][0]}"] == -1.0


def test_an_illegal_action_is_explained() -> None:
    table = FourTwentyEnvironment()
    table.reset(seed=1)
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        table.step(POSSIBLE_ROLLS.index(Roll((1,))))


def test_the_example_is_short() -> None:
    assert len(Path(pettingzoo_420.__file__).read_text(encoding="utf-8").splitlines()) <= 80
