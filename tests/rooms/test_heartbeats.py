"""Heartbeats as they are made and heard, with the keys of a room and no network."""

from __future__ import annotations

from machines import Clock, at_head
from memory_client import KEYS

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import MachineKey, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import Body, LocalMachine, SeatRequest
from fourtwenty.rooms.room import MIN_KEYS, Room
from fourtwenty.rooms.wire.heartbeats import HeartbeatEffect, Heartbeats
from fourtwenty.rooms.wire.presence import REACTIONS, Presence, Reaction
from fourtwenty.rooms.wire.sync_barrier import SyncBarrier

HERE = {"at": "here"}


class Side:
    """A machine at a room that the test fills."""

    def __init__(self, number: int) -> None:
        self.clock = Clock()
        self.machine = MachineKey(bytes([number]) * 32)
        self.room = Room(KEYS.table)
        self.presence = Presence(self.machine.public, self.clock)
        self.heartbeats = Heartbeats(KEYS, self.machine, self.room, self.presence, SyncBarrier(self.presence))

    def sit(self, name: str, *others: Side) -> None:
        """Sit down by this name, as these machines see it, too."""
        body = LocalMachine(self.room, self.machine.public, self.machine.public, MIN_KEYS).sit(
            SeatRequest((Seat(name),), "420")
        )
        entry = decrypt_entry(KEYS, encrypt_entry(KEYS, self.machine, at_head(self.room, body)))
        assert entry
        for side in (self, *others):
            side.room.feed(entry)

    def heartbeat(self, **fields: object) -> bytes:
        return self.heartbeats.encode(HERE | fields, "", False, True)


def head_at(side: Side, number: int) -> Body:
    """Return the fields of a heartbeat with the head after so many entries."""
    return {"number": number, "head": side.room.heads[number]}


def test_a_beat_of_the_same_story_says_how_far_a_machine_is() -> None:
    ann, ben = Side(1), Side(2)
    ann.sit("Ann", ben)
    assert ben.heartbeats.receive(ann.heartbeat()) == HeartbeatEffect()
    assert not ben.presence.away(ann.machine.public)
    ann.sit("Anna")
    assert ben.heartbeats.receive(ann.heartbeat(asks=True)) == HeartbeatEffect(asks=True, behind=True)
    heartbeat = ann.heartbeat()
    assert ben.heartbeats.receive(heartbeat)
    assert ben.heartbeats.receive(heartbeat) is None, "it is repeated"
    assert ann.heartbeats.receive(heartbeat) is None, "it is its own"
    assert ben.heartbeats.receive(b"no heartbeat") is None


def test_two_stories_are_seen_at_the_number_of_either_machine() -> None:
    ann, ben = Side(1), Side(2)
    ann.sit("Ann", ben)
    ann.sit("Anna")
    ben.sit("Ben")
    ben.sit("Benno")
    assert ben.heartbeats.receive(ann.heartbeat()) == HeartbeatEffect(differs=("Ann", head_at(ben, 2)))
    assert ann.heartbeats.receive(ben.heartbeat()) == HeartbeatEffect(), (
        "Ann has not seen that Ben sits, and is not so far"
    )
    assert ben.heartbeats.receive(ann.heartbeats.encode(head_at(ann, 1), "", False, True)) == HeartbeatEffect(), (
        "up to there they agree"
    )


def test_two_machines_of_which_one_only_is_astray_have_two_stories() -> None:
    ann, ben = Side(1), Side(2)
    ann.sit("Ann", ben)
    differs = HeartbeatEffect(differs=("Ann", head_at(ben, 1)))
    assert ben.heartbeats.receive(ann.heartbeat(diverged=True), False) == differs
    assert ben.heartbeats.receive(ann.heartbeat(diverged=False), True) == differs
    assert ben.heartbeats.receive(ann.heartbeat(diverged=True), True) == HeartbeatEffect()
    assert ben.heartbeats.receive(ann.heartbeat(), True) == HeartbeatEffect(), "an older program does not say"
    assert ben.heartbeats.receive(ann.heartbeat(diverged=True)) == HeartbeatEffect(), "Ben does not know yet"
    reads = ann.heartbeats.encode(HERE | {"diverged": True}, "", False, False)
    assert ben.heartbeats.receive(reads, False) == HeartbeatEffect(), "Ann does not know yet"


def test_who_never_sat_here_is_not_believed() -> None:
    ann, eve = Side(1), Side(3)
    ann.sit("Ann")
    eve.sit("Eve")
    eve.sit("Eva")
    assert ann.heartbeats.receive(eve.heartbeat()) == HeartbeatEffect()


def test_who_asks_too_often_is_not_answered() -> None:
    ann, eve = Side(1), Side(3)
    """Twenty in two seconds are a full table that comes back; more are a flood."""
    asked = [ann.heartbeats.receive(eve.heartbeat(asks=True)) for _ in range(21)]
    assert asked == [HeartbeatEffect(asks=True)] * 20 + [HeartbeatEffect()]
    ann.clock.now = 10
    assert ann.heartbeats.receive(eve.heartbeat(asks=True)) == HeartbeatEffect(asks=True)


def test_a_reaction_has_the_name_of_its_seat() -> None:
    ann, ben = Side(1), Side(2)
    ben.sit("Ben", ann)
    heard = ann.heartbeats.receive(ben.heartbeat(at="react", reaction=0))
    assert heard
    assert heard.reaction == Reaction(ben.machine.public, "Ben", REACTIONS[0])


def test_a_reaction_of_nobody_at_the_table_says_so() -> None:
    ann, eve = Side(1), Side(3)
    ann.sit("Ann")
    heard = ann.heartbeats.receive(eve.heartbeat(at="react", reaction=0, name="Ann"))
    assert heard
    assert heard.reaction == Reaction(eve.machine.public, "Ann (watching)", REACTIONS[0])
