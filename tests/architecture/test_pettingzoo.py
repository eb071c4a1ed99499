"""The environment of docs/examples/pettingzoo_420.py, judged by PettingZoo's own test."""

from __future__ import annotations

import gc
import re
import warnings
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest

from fourtwenty.games.four_twenty import POSSIBLE_ROLLS
from fourtwenty.games.game import IllegalAction, InvalidAction, Roll

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "pettingzoo_420.py"


@pytest.fixture
def environment() -> Any:
    pytest.importorskip("pettingzoo", reason="PettingZoo is not here: pip install pettingzoo")
    return import_module(EXAMPLE.stem).FourTwentyEnvironment


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_pettingzoo_finds_no_fault(environment: Any, seats: int) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about observations with a mask, except in games that the test names
        api_test(environment(seats), num_cycles=500)
        seed_test(lambda: environment(seats), num_cycles=50)


def test_the_rewards_are_those_of_the_rules(environment: Any) -> None:
    match, luck = environment(3), Random(20)
    match.reset(seed=420)
    rewards = {}
    for agent in match.agent_iter():
        observation, rewards[agent], over, _, _ = match.last()
        legal = [number for number, allowed in enumerate(observation["action_mask"]) if allowed]
        match.step(None if over else luck.choice(legal))
    assert sorted(rewards.values()) == [-1.0, 0.5, 0.5]
    assert rewards[f"seat_{match.table.outcome.places[-1][0]}"] == -1.0


def test_an_observer_sees_the_hands_from_its_own_on_and_who_is_out(environment: Any) -> None:
    match = environment(3)
    match.reset(seed=420)
    match.table = match.table.read("x1 *6551 >- roll 1")
    assert match.observe("seat_2")["observation"].tolist() == [0] * 4 + [-1] * 4 + [6, 5, 5, 1]
    assert [*match.observe("seat_2")["action_mask"]].index(1) == POSSIBLE_ROLLS.index(Roll((1, 2, 3, 4)))
    assert not match.observe("seat_1")["action_mask"].any()


def test_an_illegal_action_is_explained(environment: Any) -> None:
    match = environment()
    match.reset(seed=1)
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        match.step(POSSIBLE_ROLLS.index(Roll((1,))))


@pytest.mark.parametrize("action", [-1, len(POSSIBLE_ROLLS), 0.0, "0", None])
def test_what_is_no_action_is_refused_and_rolls_nothing(environment: Any, action: object) -> None:
    match = environment()
    match.reset(seed=1)
    before = match.table
    with pytest.raises(InvalidAction, match=r"^An action is a number from 0 to 14, not .*\.$"):
        match.step(action)
    assert match.table == before


def test_a_dropped_environment_is_freed(environment: Any) -> None:
    match = environment()
    match.reset(seed=1)
    for agent in match.agents:
        assert match.observation_space(agent) is match.observation_space(agent)
        assert match.action_space(agent) is match.action_space(agent)
    dropped = ref(match)
    del match
    gc.collect()
    assert dropped() is None


def test_the_loop_of_the_page_plays_the_same_match_again(environment: Any) -> None:
    page = (EXAMPLE.parents[1] / "library.md").read_text(encoding="utf-8")
    (loop,) = re.findall(rf"^(from .* import {environment.__name__}\n.*?)^```$", page, re.DOTALL | re.MULTILINE)
    ends = []
    for _ in range(2):
        names: dict[str, Any] = {}
        exec(loop, names)
        ends.append(names["table"].table)
    assert ends[0].outcome.places == ends[1].outcome.places
    assert ends[0] == ends[1], "the last hands too"


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 80
