"""420 as an environment of PettingZoo, in which agents act one after the other: an example for docs/library.md."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv

from fourtwenty.games.four_twenty import DICE, POSSIBLE_ROLLS, FourTwenty
from fourtwenty.games.game import InvalidAction


class FourTwentyEnvironment(AECEnv[str, dict[str, Any], Any]):
    """A match of 420. Action i is ``POSSIBLE_ROLLS[i]``; whoever buys the drinks loses 1, which the others share.

    An observation has the hands in the order of the table from the observer on, with 0 for dice not rolled yet
    and -1 for a seat that is out, and the legal actions.
    """

    metadata = {"name": "fourtwenty_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, seats: int = 2) -> None:
        """Set a table for so many agents, two or more."""
        super().__init__()
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._chance = Random()
        faces, rolls = seats * len(DICE), len(POSSIBLE_ROLLS)
        self._observations = {
            agent: Dict({"observation": Box(-1, 6, (faces,), np.int8), "action_mask": Box(0, 1, (rolls,), np.int8)})
            for agent in self.possible_agents
        }
        self._actions = {agent: Discrete(rolls) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's observations, the same object each time."""
        return self._observations[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions, the same object each time: a seed of its own decides its samples."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a match; a seed decides who starts, and all dice."""
        self._chance = self._chance if seed is None else Random(seed)
        self.agents = [*self.possible_agents]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0.0), dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.table = FourTwenty.start(len(self.agents), self._chance.randrange(len(self.agents)))
        self.agent_selection = self.agents[self.table.starting_seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the table as an agent sees it; nobody but the agent to act has a legal action."""
        seat, table = self.possible_agents.index(agent), self.table
        blank = {each: (0 if each in table.remaining else -1,) * len(DICE) for each in range(table.seats)}
        hands = [table.hand(each) or blank[each] for each in (*range(seat, table.seats), *range(seat))]
        legal = [table.to_act == seat and roll in table.actions for roll in POSSIBLE_ROLLS]
        return {"observation": np.array(hands, np.int8).ravel(), "action_mask": np.array(legal, np.int8)}

    def step(self, action: Any) -> None:
        """Roll for the agent to act. Raises InvalidAction or IllegalAction with a sentence."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action not in self.action_space(self.agent_selection):
            raise InvalidAction(f"An action is a number from 0 to {len(POSSIBLE_ROLLS) - 1}, not {action!r}.")
        roll = POSSIBLE_ROLLS[action]
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.table = self.table.apply(roll, tuple(self._chance.randint(1, 6) for _ in roll.dice))
        if self.table.outcome:
            *winners, (last,) = self.table.outcome.places
            self.rewards = dict.fromkeys(self.agents, 1 / len(winners)) | {self.possible_agents[last]: -1.0}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.table.to_act is None:
            self.table = self.table.next_round()
        self.agent_selection = self.possible_agents[self.table.to_act or 0]
        self._accumulate_rewards()
