"""Machines that go away, every subset of them and at every moment: no table is left that nobody can continue.

What counts is in test_room.py; here everybody is honest, and whoever is here wants to go on (docs/inside/rooms.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from itertools import chain, combinations
from pathlib import Path
from random import Random

import pytest
from chance import seeded
from long_tests import mostly_long
from machines import Clock, TestMachine, all_read, play_on, seated
from memory_client import KEYS, act
from memory_log import MemoryBroker, MemoryLog

from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import SeatRequest, record_text
from fourtwenty.rooms.room import LogEntry, RoomMatch
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.presence import AWAY_SECONDS

NAMES = ("Ann", "Ben", "Cleo", "Dan")
GAMES = ("420", "421", "ten-rounds")


def subsets(count: int) -> list[frozenset[int]]:
    """All subsets of so many machines but the whole and the empty one."""
    sizes = (combinations(range(count), size) for size in range(1, count))
    return [frozenset(each) for each in chain.from_iterable(sizes)]


def match_in(machine: TestMachine | Client) -> RoomMatch:
    assert machine.room.match
    return machine.room.match


# -- the fold ----------------------------------------------------------------------------------------------------------


class Deserted:
    """A table after so many entries of a match of its machines, some of which have gone away."""

    def __init__(self, count: int, game: str, log: Sequence[LogEntry], gone: frozenset[int]) -> None:
        self.machines = [TestMachine(name, [Seat(name)], game) for name in NAMES[:count]]
        self.log = [*log]
        self.gone = {*gone}
        all_read(self.machines, self.log)

    @property
    def here(self) -> list[TestMachine]:
        return [machine for number, machine in enumerate(self.machines) if number not in self.gone]

    def left(self, match: RoomMatch) -> frozenset[int]:
        """The machines that have gone and still take part."""
        gone = (match.machine_index(self.machines[number].public) for number in self.gone)
        return frozenset(machine for machine in gone if machine in match.remaining)

    def vote(self) -> bool:
        """Let the next machine that has not done so agree to carry on without those that have gone; False if none."""
        for machine in self.here:
            machine.read(self.log)
            match, mine = match_in(machine), machine.local.index
            others = self.left(match)
            if mine in match.voters(others) - match.votes.get(others, set()) and not others.isdisjoint(
                match.awaited_machines
            ):
                self.log.append(machine.signed(machine.local.carry_on_without(match, others)))
                machine.room.feed(self.log[-1])
                for other in self.here:
                    other.read(self.log)
                return True
        return False

    def start(self) -> bool:
        """Let those who are here sit down, and the first of them start; False where one player is alone."""
        for machine in self.here:
            machine.read(self.log)
            self.log.extend(machine.signed(body) for body in machine.wishes(Random(0)))
        if len(self.here) < 2:
            return False
        all_read(self.here, self.log)
        participant = [*self.here[0].room.participants]
        starter = min(self.here, key=lambda machine: participant.index(machine.public))
        self.log.append(starter.signed(starter.local.start([self.machines[number].public for number in self.gone])))
        return True

    def finish(self, luck: Random, votes: int = -1, later: frozenset[int] = frozenset()) -> RoomMatch | None:
        """Play to the end of the match; after so many votes these go away, too. None where no match can be played.

        Fails when the table stands still although somebody is here who has a seat, or had one and has not left.
        """
        if self.here[0].room.match is None and not self.start():
            return None
        while True:
            play_on(self.here, self.log, luck)
            match = match_in(self.here[0])
            if match.over:
                return self.agreed(match)
            votes -= 1
            if not self.vote():
                has_left = match.state.departed if match.state else ()
                assert all(
                    (mine := machine.local.index) is None or match.machine_of.index(mine) in has_left
                    for machine in self.here
                ), f"nobody can go on at {match.cursor_of([])} without {self.left(match)}"
                return None
            if votes == 0:
                self.gone |= later

    def agreed(self, match: RoomMatch) -> RoomMatch:
        """Return the match once all machines have the same of it, and those who have gone as well."""
        all_read(self.machines, self.log)
        assert len({machine.room.head for machine in self.machines}) == 1
        if not match.abandoned:
            assert len({record_text(match_in(machine)) for machine in self.machines}) == 1
            verify_record(read_record(record_text(match)))
        for machine in self.here:  # the table is free again
            machine.room.feed(machine.signed(machine.local.sit(SeatRequest(machine.players, machine.game))))
        return match


def whole_match(count: int, game: str, seed: int) -> list[LogEntry]:
    """The log of a match of so many machines from the first seat to the end, with nobody away."""
    machines = [TestMachine(name, [Seat(name)], game) for name in NAMES[:count]]
    log = seated(machines)
    play_on(machines, log, Random(seed))
    return log


def desertions(
    count: int, game: str, luck: Random, share: float
) -> Iterator[tuple[int, frozenset[int], frozenset[int]]]:
    """Yield a share of all moments of a match: its number of entries, who goes away, and who does so in the vote."""
    entries = len(whole_match(count, game, 0))
    for moment in range(1, entries + 1):
        for gone in subsets(count):
            for later in (frozenset[int](), *subsets(count)):
                if not gone & later and len(gone | later) < count and luck.random() < share:
                    yield moment, gone, later


def test_who_is_back_before_the_others_have_agreed_keeps_the_seat() -> None:
    log, luck, answers = whole_match(4, "420", 0), Random(2), 0
    for moment in range(9, len(log), 7):  # the lot is drawn
        back = moment % 4
        table = Deserted(4, "420", log[:moment], frozenset({back, (back + 1 + moment % 3) % 4}))
        play_on(table.here, table.log, luck)
        if table.vote() and match_in(table.here[0]).votes:
            table.gone.discard(back)
            match = table.finish(luck)
            assert match
            assert match.state
            assert back not in match.state.departed
            answers += sum(entry.body["at"] == "here" for entry in table.log)
    assert answers


def desert(count: int, game: str, share: float) -> int:
    """Let machines go away at a share of all moments; return at how many."""
    log, luck, tried = whole_match(count, game, 0), Random(1), 0
    for moment, gone, later in desertions(count, game, luck, share):
        Deserted(count, game, log[:moment], gone).finish(luck, luck.randint(1, 2), later)
        tried += 1
    return tried


@mostly_long(
    ("count", "game", "share"),
    [(3, "420", 0.03), (4, "421", 0.003), (3, "ten-rounds", 0.02)],
    [(3, "420", 0.03)],
    *("fourtwenty/rooms/", "fourtwenty/play/", "fourtwenty/games/"),
)
def test_whoever_goes_away_and_whenever_the_others_go_on(count: int, game: str, share: float) -> None:
    assert desert(count, game, share) > 20


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("count", [2, 3, 4])
def test_whoever_goes_away_at_every_moment(count: int, game: str) -> None:
    assert desert(count, game, 1 if count < 4 else 0.1) > 20


# -- machines over a broker in memory ----------------------------------------------------------------------------------

MAX_WAIT_SECONDS = 60
"""The patience of the tables here, in seconds."""


class AwayTables:
    """Machines of one person each, who act at once and, when they are offered it, carry on without others."""

    def __init__(self, folder: Path, game: str = "420") -> None:
        self.folder = folder
        self.game = game
        self.broker = MemoryBroker()
        self.clock = Clock()
        self.clients: dict[str, Client] = {}
        """Those who are here, by name."""
        self.asleep: set[str] = set()
        """The names of those whose people do nothing, while their machine goes on."""

    async def open(self, *names: str) -> None:
        for name in names:
            with seeded(name):
                file = RoomFile(KEYS.room, KEYS.code, "memory", self.folder / name)
            self.clients[name] = Client(
                KEYS, MemoryLog(self.broker, KEYS.room), file, SeatRequest(name=name), self.clock
            )
            await self.clients[name].open()

    async def sit(self, *names: str) -> None:
        for name in names:
            bot = "Steady" if name.startswith("Steady") else None
            self.clients[name].sit(SeatRequest((Seat(name, bot),), self.game, patience=MAX_WAIT_SECONDS))
            await self.settle()

    async def vanish(self, *names: str) -> None:
        """Let machines end as by ``kill -9``: nothing more is said."""
        for name in names:
            client = self.clients.pop(name)
            for task in (*client.sync.tasks,):
                task.cancel()
            await client.log.close()
            client.file.close()

    async def close(self) -> None:
        await self.vanish(*self.clients)

    async def settle(self) -> None:
        for _ in range(12):
            await asyncio.sleep(0)

    async def wait(self, seconds: float) -> None:
        """Let time pass, in which all who are here are heard."""
        self.clock.now += seconds
        for client in self.clients.values():
            await client.send_heartbeat()
        await self.settle()
        for client in self.clients.values():
            client._advance()
        await self.settle()

    def act(self) -> None:
        """Let everybody do what the screen offers them."""
        for name, client in self.clients.items():
            match = client.room.match
            if name in self.asleep or not client.copy.synced:
                continue
            if match is None and client.view.may_start and len(client.room.participants) > 1:
                client.start()
            if match is None or match.over:
                continue
            act(client)
            left = client.view.may_be_left
            if left and client.local.index not in match.votes.get(frozenset(left), set()):
                client.carry_on_without(left)

    async def play(self, moment: int | None = None) -> RoomMatch:
        """Play until the broker has so many entries, or to the end. Fails when nobody can go on."""
        for _ in range(60):
            kept = -1
            while kept != len(self.broker.entries[KEYS.room]):
                kept = len(self.broker.entries[KEYS.room])
                if moment is not None and kept >= moment:
                    return next(match_in(client) for client in self.clients.values())
                self.act()
                await self.settle()
            matches = [client.room.match for client in self.clients.values()]
            if all(match and match.over for match in matches):
                return next(match for match in matches if match)
            await self.wait(MAX_WAIT_SECONDS / 4)
        raise AssertionError("nobody can go on")


@pytest.fixture
async def bar(tmp_path: Path) -> AsyncIterator[AwayTables]:
    bar = AwayTables(tmp_path)
    yield bar
    await bar.close()


async def vanished(folder: Path, moment: int, gone: frozenset[int], game: str = "420") -> RoomMatch:
    """Let these machines of three vanish together once a match has so many entries; return the match at its end."""
    bar, names = AwayTables(folder, game), NAMES[:3]
    await bar.open(*names)
    await bar.sit(*names)
    try:
        if moment > 3:
            await bar.play(moment)
        if moment <= 3 and len(gone) == 2:
            await bar.open("Dan")  # or one person would be alone
            await bar.sit("Dan")
        await bar.vanish(*(names[number] for number in gone))
        match = await bar.play()
        stories = {record_text(match_in(client)) for client in bar.clients.values() if not match_in(client).abandoned}
        assert len(stories) <= 1
        for name in [*bar.clients]:
            await bar.sit(name)  # the table is free again
            assert bar.clients[name].machine.public in bar.clients[name].room.participants
        return match
    finally:
        await bar.close()


@mostly_long(
    *("gone", subsets(3), [frozenset({0}), frozenset({0, 1})]),
    *("fourtwenty/rooms/", "fourtwenty/play/", "fourtwenty/games/"),
    ids=str,
)
async def test_machines_that_vanish_together_are_left(tmp_path: Path, gone: frozenset[int]) -> None:
    luck = Random(str(sorted(gone)))
    for moment in (3, 4, 5, 6, luck.randint(7, 20), luck.randint(21, 90)):
        await vanished(tmp_path / str(moment), moment, gone)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_machines_that_vanish_together_are_left_at_many_moments(tmp_path: Path, game: str) -> None:
    for gone in subsets(3):
        for moment in range(3, 90, 3):
            await vanished(tmp_path / f"{moment} {sorted(gone)}", moment, gone, game)


async def playing(bar: AwayTables, *names: str) -> tuple[RoomMatch, str, list[str]]:
    """Let machines of these names play a part of a match; return it, who is to act, and the others."""
    await bar.open(*names)
    await bar.sit(*names)
    await bar.play(30)
    match = match_in(bar.clients[names[0]])
    while match.to_act is None:
        bar.act()
        await asyncio.sleep(0)
    await bar.settle()
    turn = names[match.machine_of[match.to_act]]
    return match, turn, [name for name in names if name != turn]


async def test_the_vote_on_a_machine_that_is_here_is_void_at_once(bar: AwayTables) -> None:
    match, turn, (hostile, victim, other) = await playing(bar, *NAMES)
    named = {NAMES.index(name) for name in (turn, victim)}
    bar.asleep = {*NAMES}
    for voter in (hostile, other):
        bar.clients[voter].carry_on_without(named)
        await bar.settle()
    assert {*match.remaining} >= named
    assert match.votes == {}
    await bar.vanish(victim)
    for voter in (hostile, other):
        bar.clients[voter].carry_on_without(named)
        await bar.settle()
    assert named.isdisjoint(match.remaining), "nobody answers for either"


async def test_whoever_says_nothing_for_as_long_again_agrees(bar: AwayTables) -> None:
    _, turn, (ann, sleeper, _) = await playing(bar, *NAMES)
    await bar.vanish(turn)
    bar.asleep = {sleeper}
    for _ in range(4):
        await bar.wait(MAX_WAIT_SECONDS / 4)
    bar.act()
    await bar.settle()
    assert NAMES.index(turn) in match_in(bar.clients[ann]).remaining
    await bar.wait(MAX_WAIT_SECONDS - 1)
    assert NAMES.index(turn) in match_in(bar.clients[ann]).remaining
    await bar.wait(1)
    assert NAMES.index(turn) not in match_in(bar.clients[ann]).remaining


async def test_bots_agree_once_somebody_asks(bar: AwayTables) -> None:
    bar.asleep = {"Steady"}  # nobody presses a key there
    await bar.open("Ben", "Steady", "Cleo")
    await bar.sit("Ben", "Steady", "Cleo")
    assert (await bar.play(12)).remaining == (0, 1, 2)
    await bar.vanish("Cleo")
    match = await bar.play()
    assert match.state
    assert match.state.departed == (2,)
    assert bar.clock.now < 2 * MAX_WAIT_SECONDS, "nobody has waited for people"


async def test_the_terms_of_the_table_last_when_the_one_who_has_set_them_goes_away(bar: AwayTables) -> None:
    await bar.open("Ann", "Ben")
    ann, ben = (bar.clients[name] for name in ("Ann", "Ben"))
    ann.sit(SeatRequest((Seat("Ann"),), "421", 3, 600))
    await bar.settle()
    ben.sit(SeatRequest((Seat("Ben"),), "420"))
    await bar.settle()
    await bar.vanish("Ann")
    await bar.wait(AWAY_SECONDS + 1)
    assert ben.view.starter
    assert (ben.view.starter.game, ben.view.starter.first_to, ben.view.starter.patience) == ("421", 3, 600)
    ben.sit(SeatRequest((Seat("Ben"),), "420"))
    await bar.settle()
    assert ben.view.starter.game == "420", "Ben starts, and may change them"


async def test_everybody_may_start_once_the_dealer_has_not_done_so_for_the_patience_of_the_table(
    bar: AwayTables,
) -> None:
    await bar.open(*NAMES[:3])
    await bar.sit(*NAMES[:3])
    cleo = bar.clients["Cleo"]
    await bar.wait(MAX_WAIT_SECONDS - 1)
    assert not cleo.view.may_start
    await bar.wait(1)
    assert cleo.view.may_start
    cleo.start()
    await bar.settle()
    assert [participant.name for participant in match_in(cleo).participants] == ["Ann", "Ben", "Cleo"]


async def test_machines_of_another_version_share_no_table_and_people_are_told(bar: AwayTables) -> None:
    told: list[str] = []
    await bar.open("Ann", "Ben")
    await bar.sit("Ann")
    ann, ben = (bar.clients[name] for name in ("Ann", "Ben"))
    ann.notices.notify = told.append
    ben._send(ben.local.sit(SeatRequest((Seat("Ben"),), "420")) | {"version": 99})
    await bar.settle()
    assert len(ann.room.participants) == len(ben.room.participants) == 1
    assert told == ["A machine here has another version of the program, and can't sit down: all need the same."]
