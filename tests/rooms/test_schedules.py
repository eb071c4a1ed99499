"""Any schedule of machines that go, come back, leave and vote: one match for all, and nobody waits in vain."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from random import Random

from long_tests import soak, try_out
from machines import TABLE, TestMachine, entry, people, play_on, seated
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Roll
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.play.shared_dice import START_DRAW
from fourtwenty.rooms.local_machine import Body, record_text
from fourtwenty.rooms.room import InvalidEntryError, LogEntry, Room

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")


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
        self.log: list[LogEntry] = seated(self.here)
        self.flying: list[LogEntry] = []
        self.foreseen: dict[tuple[str, int], Event] = {}
        """The rolls that a machine has known before all others, by its name and step."""
        self.shown: dict[bytes, tuple[int, str]] = {}
        """The deepest key that each machine has ever sent, and the action that it was for."""
        self.broker_dies = luck.choice((0.0, 0.05))
        """The chance that the broker is killed, and loses the end of its log."""

    def machine(self, name: str) -> TestMachine:
        return TestMachine(name, [Seat(name, self.bots[NAMES.index(name)])], self.game, self.seed)

    def step(self) -> None:
        self.part_from_who_is_told()
        if not self.here:
            return
        luck, machine = self.luck, self.luck.choice(self.here)
        if not machine.back:
            machine.come_back(self.log)
            return
        machine.read(self.log, luck.randrange(5))
        if machine.room.match and (foreseen := machine.local.predicted(machine.room.match)):
            self.foreseen[machine.name, len(machine.room.match.dice.steps)] = foreseen
        for body in machine.wishes(luck):
            self.check_key(machine, body)
            if luck.random() < 0.5:
                self.flying.append(machine.signed(body))
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
        if luck.random() < 0.02:
            self.kill(machine)
        elif len(self.here) > 1 and luck.random() < 0.003:
            self.here.remove(machine)
        if luck.random() < self.broker_dies:
            self.kill_broker()

    def kill(self, machine: TestMachine) -> None:
        """Kill a machine, or cut its power; or let it come back with nothing but its secret and what it has opened."""
        kept = len(machine.file)
        again = machine.restarted(self.luck.choice((kept, self.luck.randint(machine.forced, kept), 0)))
        self.here[self.here.index(machine)] = self.all[self.all.index(machine)] = again

    def kill_broker(self) -> None:
        """Kill the broker, which loses the last second of its log, with what is on its way and with some machines."""
        del self.log[max(len(self.all) + 1, len(self.log) - self.luck.randint(0, 6)) :]
        self.flying.clear()
        for machine in self.all:
            machine.back = False
        for machine in self.luck.sample(self.here, self.luck.choice((0, 1, len(self.here)))):
            self.kill(machine)

    def check_key(self, machine: TestMachine, body: Body) -> None:
        """No machine ever sends a key for another action than the one that it, or a later one, was opened for."""
        if body["at"] == "open":
            step, act = self.shown.get(machine.public, (0, ""))
            assert body["step"] > step or (body["step"], body["act"]) == (step, act), "a key for another action"
            self.shown[machine.public] = body["step"], body["act"]

    def part_from_who_is_told(self) -> None:
        """Take away the machines that cannot go on with the log: people there are told, and they say no more."""
        self.here = [machine for machine in self.here if not machine.diverged and not machine.local.refuses]

    def rudeness(self, machine: TestMachine) -> Iterator[Body]:
        match, mine = machine.room.match, machine.local.index
        if match is None or match.over or mine not in match.remaining:
            return
        others = [each for each in match.remaining if each != mine]
        if self.luck.random() < 0.1:
            yield machine.local.leave(match)
        elif others:
            yield machine.local.carry_on_without(match, self.luck.sample(others, self.luck.randint(1, len(others))))

    def finish(self) -> None:
        """Let those who are here play to the end; they carry on without all who are not."""
        for _ in range(100):
            for machine in self.here:
                if not machine.back:
                    machine.come_back(self.log)
            self.part_from_who_is_told()
            play_on(self.here, self.log, self.luck)
            self.part_from_who_is_told()
            if not self.here or self.here[0].match.over:
                return
            match = self.here[0].match
            gone = frozenset(
                each
                for each in match.remaining
                if match.participants[each].author not in {one.public for one in self.here}
            )
            assert gone.issuperset(match.awaited_machines), (
                f"{match.awaited_machines} are waited for, and have nothing to say"
            )
            voters = [machine for machine in self.here if machine.local.index in match.voters(gone)]
            if not voters:
                has_left = match.state.departed if match.state else ()
                assert all(match.machine_of.index(machine.local.index or 0) in has_left for machine in self.here), (
                    "somebody is here who can do nothing"
                )
                return
            for machine in voters:
                machine.read(self.log)
                if not machine.match.over and machine.local.index not in machine.match.votes.get(gone, ()):
                    self.log.append(machine.signed(machine.local.carry_on_without(machine.match, gone)))
        raise AssertionError("the match does not end")


def forged(luck: Random, insider: TestMachine, victim: TestMachine, log: list[LogEntry]) -> LogEntry:
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


def without_void(log: list[LogEntry], luck: Random) -> list[LogEntry]:
    """Return a log from which a broker has thrown away some of what did not count where it stood."""
    room, left = Room(TABLE), []
    for each in log:
        try:
            room.feed(each)
        except InvalidEntryError:
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
    for machine in schedule.all:
        if not machine.back:
            machine.come_back(schedule.log)
    machines = [*(machine for machine in schedule.all if not machine.diverged), late, cleared]
    for machine in machines[:-1]:
        machine.read(schedule.log)
    cleared.read(without_void(schedule.log, luck))
    assert len({machine.room.head for machine in machines}) == 1
    assert len({frozenset(machine.room.counted) for machine in machines}) == 1
    match = late.match
    assert len({(machine.match.over, machine.match.called_off_by) for machine in machines}) == 1
    rolls = [event for event in match.events if isinstance(event.action, Roll)]
    steps = [number for number, step in enumerate(match.dice.steps, 1) if step.seat != START_DRAW and not step.void]
    names = [machine.name for machine in machines[:-2]]
    for (step, event), name in product(zip(steps, rolls, strict=False), names):  # the last may be waiting for a key
        assert schedule.foreseen.get((name, step), event) == event
    if match.over and not match.abandoned:
        assert len({record_text(machine.match) for machine in machines}) == 1
        verify_record(read_record(record_text(match)))


def between_act_and_key() -> tuple[TestMachine, TestMachine, list[LogEntry]]:
    """Let a broker be killed that has taken a roll of Ann, and Ben's key for it, and has lost both.

    Ann has lost her file as well, and rolls again. Returns both, and the log.
    """
    ann, ben = people("Ann", "Ben")
    log = seated([ann, ben])
    luck = Random(0)
    while ann.match.to_act != 0:
        for machine in (ann, ben):
            machine.read(log)
            log += [machine.signed(body) for body in machine.wishes(luck)]
            machine.read(log)
        ann.read(log)
    before = len(log)
    log.append(ann.signed(ann.local.act(ann.match, Roll((1, 2, 3, 4)))))
    ben.read(log)
    assert [body["at"] for body in ben.wishes(luck)] == ["open"]
    del log[before:]
    ann = ann.restarted(len(ann.file))
    ann.come_back(log)
    log.append(ann.signed(ann.local.act(ann.match, Roll((1, 2, 3, 4))) | {"again": 1}))
    ann.read(log)
    return ann, ben, log


def test_a_machine_opens_a_key_for_no_other_action_whatever_the_log_says() -> None:
    """Else who has seen Ben's key could throw again with it; Ben has lost all but his secret and what he has opened."""
    ann, ben, log = between_act_and_key()
    ben = ben.restarted(0)
    ben.come_back(log)
    assert not ben.diverged
    assert ben.local.refuses
    assert not [*ben.wishes(Random(0))]
    assert ann.local.index is not None
    log.append(ann.signed(ann.local.carry_on_without(ann.match, [1])))
    ann.read(log)
    assert ann.match.over, "it does not stand for ever"


def test_whose_file_has_the_action_that_a_key_was_opened_for_says_that_the_log_is_another_one() -> None:
    _, ben, log = between_act_and_key()
    ben = ben.restarted(ben.forced)
    ben.come_back(log)
    assert ben.diverged
    assert ben.match.pending, "for the action that its key was opened for"


def test_a_key_that_was_lost_is_opened_again_for_its_action() -> None:
    ann, _ = machines = people("Ann", "Ben")
    seated(machines)
    opened = [*ann.wishes(Random(0))]
    assert [body["at"] for body in opened] == ["open"]
    assert [*ann.restarted(ann.forced).wishes(Random(0))] == opened


@soak(15, 1000)
def test_all_have_one_match_and_nobody_waits_in_vain(trials: int) -> None:
    try_out(trials, one_match)
