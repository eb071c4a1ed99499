"""Machines at one table in memory, for tests of the fold: no keys, no broker, and a schedule that may be hostile."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from random import Random

from fourtwenty.games.game import Action, Roll
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import Body, LocalMachine, OpenedKey, SeatRequest
from fourtwenty.rooms.room import MIN_KEYS, InvalidEntryError, LogEntry, Room, RoomMatch

TABLE = sha256(b"the table of the tests").digest()


def entry(author: bytes, body: Body) -> LogEntry:
    """Return an entry as it is once it is decrypted."""
    text = json.dumps(body, sort_keys=True)
    return LogEntry(author, json.loads(text), sha256(author + text.encode()).digest())


def at_head(room: Room, body: Body) -> Body:
    """Return what is said at the head of the log of a room."""
    number, head = room.head
    return body | {"number": number, "head": head}


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestMachine:
    """An honest machine: it folds the log as far as it has come, and says what it owes."""

    __test__ = False

    def __init__(self, name: str, players: Sequence[Seat], game: str, seed: int = 0) -> None:
        secret = sha256(f"{seed} {name}".encode()).digest()
        self.name = name
        self.seed = seed
        self.players = tuple(players)
        self.game = game
        self.public = sha256(b"public" + secret).digest()
        self.room = Room(TABLE)
        self.local = LocalMachine(self.room, self.public, secret, chain_length=MIN_KEYS)
        self.come = 0
        """The number of entries of the log that have reached it."""
        self.file: list[LogEntry] = []
        """The entries that count here, in their order."""
        self.forced = 0
        """The number of them that a power cut leaves: all up to its last key."""
        self.opened_keys: dict[bytes, OpenedKey] = {}
        """What it keeps of its keys, by anchor."""
        self.back = True
        """Whether it has read the log since the broker or this machine was killed."""
        self.diverged = False
        """Whether the log is a different one than this machine has seen; it says no more, and people are told."""

    def read(self, log: Sequence[LogEntry], most: int | None = None) -> None:
        """Fold the entries that have come since."""
        until = len(log) if most is None else min(len(log), self.come + most)
        for each in log[self.come : until]:
            self._fold(each)
        self.come = until

    def _fold(self, each: LogEntry) -> None:
        with suppress(InvalidEntryError):
            self.room.feed(each)
            self.file.append(each)

    def restarted(self, entries: int) -> TestMachine:
        """Return this machine after it was killed, with so many entries in its file, and what it has kept of its keys.

        It has not read the log.
        """
        again = TestMachine(self.name, self.players, self.game, self.seed)
        for each in self.file[:entries]:
            again._fold(each)
        again.forced = min(self.forced, entries)
        for key in self.opened_keys.values():
            again._save_key(key)
        again.back = False
        return again

    def come_back(self, log: list[LogEntry]) -> None:
        """Read the whole log, and upload what it has lost: as ``wire.log_copy.LogCopy``."""
        self.back = True
        self.diverged = not self.room.shares_log_with(told(log).heads)
        if self.diverged:
            return
        log += [each for each in self.file if each not in log]
        replayed = told(log)
        for each in log:
            if each.digest in replayed.counted:
                self._fold(each)
        self.come, self.diverged = len(log), replayed.heads != self.room.heads

    def _save_key(self, key: OpenedKey) -> None:
        self.opened_keys[key.anchor] = key
        self.forced = len(self.file)
        self.local.mark_opened(key)

    def signed(self, body: Body) -> LogEntry:
        """Return an entry of this machine with the head of its log."""
        return entry(self.public, at_head(self.room, body))

    @property
    def match(self) -> RoomMatch:
        assert self.room.match
        return self.room.match

    def _say(self, log: list[LogEntry], *bodies: Body) -> None:
        log += [self.signed(body) for body in bodies]

    def sit(self, log: list[LogEntry]) -> None:
        """Read the log, and sit down; as the methods below, without reading what is said here."""
        self.read(log)
        self._say(log, self.local.sit(SeatRequest(self.players, self.game)))

    def start(self, log: list[LogEntry], without: Sequence[bytes] = ()) -> None:
        self.read(log)
        self._say(log, self.local.start(without))

    def roll_all(self, log: list[LogEntry]) -> None:
        self.read(log)
        self._say(log, self.local.act(self.match, Roll((1, 2, 3, 4))))

    def vote(self, log: list[LogEntry], *without: int) -> None:
        """Read the log, and agree to carry on without these machines."""
        self.read(log)
        self._say(log, self.local.carry_on_without(self.match, without))

    def leave(self, log: list[LogEntry]) -> None:
        self.read(log)
        self._say(log, self.local.leave(self.match))

    def open_keys(self, log: list[LogEntry]) -> None:
        self.read(log)
        self._say(log, *self.local.owed())

    def wishes(self, luck: Random) -> Iterator[Body]:
        """Yield what this machine says now: seats, the start, the moves of its people, what it owes."""
        room, match = self.room, self.room.match
        if match is None:
            if self.public not in room.participants:
                yield self.local.sit(SeatRequest(self.players, self.game))
            return
        for body in self.local.owed():
            if key := self.local.key_to_save(body):
                self._save_key(key)
            yield body
        seat = match.to_act
        if not match.over and seat is not None and self.is_mine(match, seat):
            yield self.local.act(match, self.choose(match, luck))

    def is_mine(self, match: RoomMatch, seat: int) -> bool:
        """Whether a person here answers for a seat."""
        return match.machine_of[seat] == self.local.index and match.lineup.seats[seat].bot is None

    def choose(self, match: RoomMatch, luck: Random) -> Action:
        """Return a legal action: the one with the fewest dice, or any."""
        assert match.state
        actions = match.state.actions
        return luck.choice(actions) if luck.random() < 0.3 else min(actions, key=_dice)


def _dice(action: Action) -> int:
    return len(action.dice) if isinstance(action, Roll) else 0


def told(log: Sequence[LogEntry]) -> Room:
    """Return the room as somebody sees it who reads this log first."""
    room = Room(TABLE)
    for each in log:
        with suppress(InvalidEntryError):
            room.feed(each)
    return room


def seated(machines: Sequence[TestMachine]) -> list[LogEntry]:
    """Let the machines sit down in their order and start a match; return the log."""
    log: list[LogEntry] = []
    for machine in machines:
        machine.sit(log)
    machines[0].start(log)
    all_read(machines, log)
    return log


def all_read(machines: Sequence[TestMachine], log: Sequence[LogEntry]) -> None:
    for machine in machines:
        machine.read(log)


def play_on(machines: Sequence[TestMachine], log: list[LogEntry], luck: Random, most: int = 100_000) -> None:
    """Let all machines say all that they owe and wish, in turn, until nobody has anything to say."""
    for _ in range(most):
        said = 0
        for machine in machines:
            machine.read(log)
            for body in machine.wishes(luck):
                log.append(machine.signed(body))
                said += 1
            machine.read(log)
        if not said:
            return
    raise AssertionError("the match does not end")


def people(*names: str) -> list[TestMachine]:
    """Return a machine with one person for each name, for a game of 420."""
    return [TestMachine(name, [Seat(name)], "420") for name in names]
