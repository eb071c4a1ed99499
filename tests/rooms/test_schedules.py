"""Any schedule of machines that go, come back, leave and vote: one match for all, and nobody waits in vain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from random import Random

from campaign import campaign, try_out
from machines import TABLE, TestMachine, entry, play_on, seated
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Roll
from fourtwenty.journal.record import read, verify
from fourtwenty.play.lineup import Seat
from fourtwenty.play.shared_dice import LOT
from fourtwenty.rooms.entries import Entry
from fourtwenty.rooms.room import NotCounted, Play, Room
from fourtwenty.rooms.station import Body, record_text

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


def play_of(machine: TestMachine) -> Play:
    assert machine.room.play
    return machine.room.play


class Schedule:
    """Machines at a match, whose entries are late, in any order, lost and doubled."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        self.game = luck.choice([*GAMES])
        self.seed = luck.randrange(2**32)
        self.bots = [luck.choice([None, "Steady"]) for _ in NAMES]
        self.here = [self.machine(name) for name in NAMES[: luck.randint(2, 5)]]
        self.all = [*self.here]
        self.rude = luck.choice((0.0, 0.0, 0.03))
        """The chance that somebody leaves, or would carry on without others who may be here."""
        self.hostile = luck.choice((0.0, 0.2))
        self.insider = TestMachine("Mallory", [Seat("Mallory")], self.game, self.seed)
        """Somebody with the code, who forges entries now and then."""
        self.log: list[Entry] = seated(self.here)
        self.flying: list[Entry] = []
        self.foreseen: dict[int, Event] = {}
        """The rolls that a machine has known before all others, by step."""

    def machine(self, name: str) -> TestMachine:
        return TestMachine(name, [Seat(name, self.bots[NAMES.index(name)])], self.game, self.seed)

    def step(self) -> None:
        luck, machine = self.luck, self.luck.choice(self.here)
        machine.read(self.log, luck.randrange(5))
        if machine.room.play and (foreseen := machine.station.foreseen(machine.room.play)):
            self.foreseen[len(machine.room.play.dice.steps)] = foreseen
        self.flying += [machine.signed(body) for body in machine.wishes(luck) if luck.random() < 0.5]
        if luck.random() < self.rude:
            self.flying += [machine.signed(body) for body in self.rudeness(machine)]
        if luck.random() < self.hostile:
            self.flying.append(forged(luck, self.insider, machine, self.log))
        luck.shuffle(self.flying)
        if self.flying and luck.random() < 0.8:
            self.log.append(self.flying.pop())
        if self.flying and luck.random() < 0.1:
            self.flying.pop()
        if luck.random() < 0.05:
            self.log.append(luck.choice(self.log))
        if luck.random() < 0.02:  # killed, and back with nothing but its secret
            again = self.machine(machine.name)
            self.here[self.here.index(machine)] = self.all[self.all.index(machine)] = again
        elif len(self.here) > 1 and luck.random() < 0.003:
            self.here.remove(machine)

    def rudeness(self, machine: TestMachine) -> Iterator[Body]:
        play, mine = machine.room.play, machine.station.machine
        if play is None or play.over or mine not in play.remaining:
            return
        others = [each for each in play.remaining if each != mine]
        if self.luck.random() < 0.1:
            yield machine.station.leave(play)
        elif others:
            yield machine.station.carry_on_without(play, self.luck.sample(others, self.luck.randint(1, len(others))))

    def finish(self) -> None:
        """Let those who are here play to the end; they carry on without all who are not."""
        for _ in range(100):
            play_on(self.here, self.log, self.luck)
            play = play_of(self.here[0])
            if play.over:
                return
            gone = frozenset(
                each for each in play.remaining if play.sittings[each].author not in {one.public for one in self.here}
            )
            assert gone.issuperset(play.owing), f"{play.owing} are waited for, and have nothing to say"
            voters = [machine for machine in self.here if machine.station.machine in play.voters(gone)]
            if not voters:
                has_left = play.state.left if play.state else ()
                assert all(play.machine_of.index(machine.station.machine or 0) in has_left for machine in self.here), (
                    "somebody is here who can do nothing"
                )
                return
            for machine in voters:
                machine.read(self.log)
                if not play_of(machine).over and machine.station.machine not in play_of(machine).agreed.get(gone, ()):
                    self.log.append(machine.signed(machine.station.carry_on_without(play_of(machine), gone)))
        raise AssertionError("the match does not end")


def forged(luck: Random, insider: TestMachine, victim: TestMachine, log: list[Entry]) -> Entry:
    """Return what somebody with the code may send: entries of nobody, of another moment, or with another key."""
    insider.read(log)
    old = luck.choice(log)
    body = dict(old.body)
    if luck.random() < 0.5:
        body |= {"key": sha256(luck.randbytes(4)).hexdigest()}
    if luck.random() < 0.5:
        number, head = victim.room.head
        body |= {"number": number, "head": head}
    author = insider.public if luck.random() < 0.7 else luck.randbytes(32)
    return replace(entry(author, body), author=author)


def without_void(log: list[Entry], luck: Random) -> list[Entry]:
    """Return a log from which a broker has thrown away some of what did not count where it stood."""
    room, left = Room(TABLE), []
    for each in log:
        try:
            room.feed(each)
        except NotCounted:
            if luck.random() < 0.8:
                continue
        left.append(each)
    return left


def one_match(luck: Random) -> None:
    schedule = Schedule(luck)
    for _ in range(luck.choice((30, 100, 300))):
        schedule.step()
    schedule.finish()
    late, cleared = schedule.machine(NAMES[0]), schedule.machine(NAMES[1])
    machines = [*schedule.all, late, cleared]
    for machine in machines[:-1]:
        machine.read(schedule.log)
    cleared.read(without_void(schedule.log, luck))
    assert len({machine.room.head for machine in machines}) == 1
    assert len({frozenset(machine.room.counted) for machine in machines}) == 1
    play = play_of(late)
    assert len({(play_of(machine).over, play_of(machine).called_off_by) for machine in machines}) == 1
    rolls = [event for event in play.events if isinstance(event.action, Roll)]
    steps = [number for number, step in enumerate(play.dice.steps, 1) if step.seat != LOT and not step.void]
    for step, event in zip(steps, rolls, strict=False):  # the last step may be waiting for a key
        assert schedule.foreseen.get(step, event) == event
    if play.over and not play.abandoned:
        assert len({record_text(play_of(machine)) for machine in machines}) == 1
        verify(read(record_text(play)))


@campaign(40, 1000)
def test_all_have_one_match_and_nobody_waits_in_vain(trials: int) -> None:
    try_out(trials, one_match)
