"""Carrying on without others, by match and heartbeats: who may be left, and when this machine agrees. No network."""

from __future__ import annotations

import pytest
from machines import Clock, TestMachine, people, seated

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.local_machine import DEFAULT_PATIENCE as MAX_WAIT_SECONDS, SeatRequest
from fourtwenty.rooms.room import LogEntry, RoomMatch
from fourtwenty.rooms.wire.presence import Presence
from fourtwenty.rooms.wire.view import RoomView
from fourtwenty.rooms.wire.votes import Votes


class Watch:
    """A table of machines before its draw, whose keys are all missing, as the first of them sees it."""

    def __init__(self, *machines: TestMachine) -> None:
        self.machines = machines
        self.log: list[LogEntry] = seated(machines)
        self.clock = Clock()
        self.presence = Presence(machines[0].public, self.clock)
        self.votes = Votes(machines[0].local, self.presence)
        self.record(*machines)
        self.votes.update()

    @property
    def play(self) -> RoomMatch:
        assert self.machines[0].room.match
        return self.machines[0].room.match

    def record(self, *machines: TestMachine) -> None:
        for machine in machines:
            self.presence.record(machine.public, now=True)

    def send(self, machine: TestMachine, body: dict[str, object]) -> None:
        self.log.append(machine.signed(body))
        for each in self.machines:
            each.read(self.log)
        self.votes.update()


@pytest.fixture
def watch() -> Watch:
    return Watch(*people("Ann", "Ben", "Cleo"))


def test_who_must_act_is_known_from_the_match_and_who_is_silent_from_the_beats(watch: Watch) -> None:
    ann, ben, cleo = watch.machines
    assert [*watch.play.awaited_machines] == [0, 1]
    watch.send(ann, next(ann.local.owed()))
    assert [*watch.play.awaited_machines] == [1]
    watch.clock.now = MAX_WAIT_SECONDS - 1
    watch.record(ben)
    assert [*watch.votes.may_be_left] == []
    watch.clock.now = MAX_WAIT_SECONDS
    assert [*watch.votes.may_be_left] == [1, 2], "Ben does nothing, Cleo is silent"
    watch.record(cleo)
    assert [*watch.votes.may_be_left] == [1]
    watch.send(ann, ann.local.carry_on_without(watch.play, [1]))
    assert [*watch.votes.may_be_left] == [], "Ann has agreed, and Cleo is asked"
    watch.send(ben, next(ben.local.owed()))
    assert [*watch.play.awaited_machines] == [2]
    assert [*watch.votes.may_be_left] == [], "the table has just gone on"


def test_nobody_is_left_while_the_match_waits_for_this_machine_only(watch: Watch) -> None:
    ben = watch.machines[1]
    watch.send(ben, next(ben.local.owed()))
    watch.clock.now = 2 * MAX_WAIT_SECONDS
    assert [*watch.play.awaited_machines] == [0]
    assert [*watch.votes.may_be_left] == []


@pytest.mark.parametrize(("bot", "times"), [(None, 2), ("Steady", 1)])
def test_a_machine_agrees_to_what_others_ask_when_its_people_say_nothing(bot: str | None, times: int) -> None:
    watch = Watch(TestMachine("Ann", [Seat("Ann", bot)], "420"), *people("Ben", "Cleo", "Dan"))
    ann, ben, cleo, dan = watch.machines
    for machine in (ann, ben):
        watch.send(machine, next(machine.local.owed()))
    watch.send(ben, ben.local.carry_on_without(watch.play, [2]))
    watch.clock.now = times * MAX_WAIT_SECONDS - 1
    watch.record(ben, cleo, dan)
    assert [*watch.votes.owed()] == []
    watch.clock.now += 1
    assert [body["machines"] for body in watch.votes.owed()] == [[2]]


def test_the_view_of_a_room_says_the_same_to_screens_and_lines(watch: Watch) -> None:
    _, ben, cleo = watch.machines
    view = RoomView.from_room(watch.votes, True, synced=True)
    assert (view.named(range(3)), view.playing) == ("Ann, Ben and Cleo", True)
    assert (view.absent, view.missed) == ((), ())
    watch.clock.now = 30
    watch.record(cleo)
    view = RoomView.from_room(watch.votes, True, synced=True)
    assert view.absent == (1,)
    assert [each.name for each in view.missed] == ["Ben"]
    watch.send(cleo, cleo.local.leave(watch.play))
    for machine in (cleo, ben):
        watch.send(machine, machine.local.sit(SeatRequest(machine.players, "421")))
    view = RoomView.from_room(watch.votes, True, synced=True)
    assert [each.name for each in view.participants] == ["Cleo", "Ben"]
    assert [each.name for each in view.here] == ["Cleo"], "Ben is away"
    watch.record(ben)
    view = RoomView.from_room(watch.votes, True, synced=True)
    assert view.starter
    assert view.starter.name == "Ben", "Cleo has called the match off"
    assert (view.mine, view.starts_next, view.may_start) == (None, False, False)
