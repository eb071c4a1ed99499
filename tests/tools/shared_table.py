"""A match with dice by several machines, all in memory: for the tests of shared dice, of their records and of rooms."""

from __future__ import annotations

from hashlib import sha256
from random import Random

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Roll
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Journal, Match
from fourtwenty.play.shared_dice import START_DRAW, Machine, SharedDice, contributors, match_digest
from fourtwenty.rooms.local_machine import Chain

TABLE = sha256(b"a table").digest()[:24]
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hugo", "Ida", "Jo", "Kim", "Lou")


class SharedTable(Struct):
    """A match, its dice, and what no machine would tell another: all chains, and the chance of the bots."""

    match: Match
    dice: SharedDice
    chains: list[Chain]
    chance: Random

    def roll(self, action: Action) -> Event:
        """Let the seat to act do this; before a roll, all machines open, that of the seat last."""
        seat = self.match.state.to_act
        assert seat is not None
        if isinstance(action, Roll):
            open_all(self.dice, self.chains, seat, contributors(self.dice.machines, self.match.state))
        return self.match.act(action)

    def give_up(self) -> None:
        """Begin the step of the seat to act, of which no machine but the first opens its key, and make it void."""
        seat = self.match.state.to_act
        assert seat is not None
        opening, *others = contributors(self.dice.machines, self.match.state)
        step = self.dice.begin(seat, (opening, *others))
        if others:
            self.dice.open(opening, self.chains[opening].key(step))
        self.dice.void()

    def play(self, events: int = 100_000) -> Match:
        """Let the bots, and people as any bot, play to the end, or until so much has happened."""
        while len(self.match.events) < events and not self.match.state.outcome:
            state = self.match.state
            if state.to_act is None:
                self.match.next_round()
                continue
            bot = self.match.lineup.seats[state.to_act].bot or "Random"
            self.roll(BOTS[bot].policy(self.chance.random)(state))
        return self.match


def shared_table(
    seats: int = 3,
    machines: int = 2,
    game: str = "420",
    starting_seat: int | None = None,
    seed: int = 4,
    journal: Journal | None = None,
    steps: int = 2000,
) -> SharedTable:
    """Set up a table for so many seats, given to the machines in turn, and draw the start if there is one.

    The last seat is a bot, and the chains have keys for so many steps. Everything follows from the seed.
    """
    chance = Random(seed)
    seated = tuple(Seat(name, "Random" if name == NAMES[seats - 1] else None) for name in NAMES[:seats])
    chains = [Chain(TABLE, chance.randbytes(32), steps) for _ in range(machines)]
    known = [
        Machine(chance.randbytes(32), chain.anchor, tuple(range(machine, seats, machines)))
        for machine, chain in enumerate(chains)
    ]
    lineup = Lineup(seated, game=game, starting_seat=starting_seat)
    players = [(seat.name, "bot" if seat.bot else "human") for seat in seated]
    dice = SharedDice(TABLE, known, match_digest(TABLE, known, game, players, starting_seat))
    if GAMES[game].draws_start and starting_seat is None:
        open_all(dice, chains, START_DRAW, range(machines))
    match = Match(lineup, dice, journal=journal, identifier=dice.match.hex()[:32])
    return SharedTable(match, dice, chains, chance)


def open_all(dice: SharedDice, chains: list[Chain], seat: int, contributing: range | tuple[int, ...]) -> None:
    """Begin a step and let all contributors open their keys, the machine of the seat last."""
    step = dice.begin(seat, tuple(contributing))
    for machine in sorted(contributing, key=lambda machine: seat in dice.machines[machine].seats):
        dice.open(machine, chains[machine].key(step))
