"""The sync barrier after each connection: whom a machine waits for before it says something new, and for how long."""

from __future__ import annotations

import pytest
from machines import Clock

from fourtwenty.rooms.wire.presence import Presence
from fourtwenty.rooms.wire.sync_barrier import SyncBarrier

SEATED = (b"ann", b"ben", b"cleo")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def presence(clock: Clock) -> Presence:
    return Presence(b"ann", clock)


@pytest.fixture
def meeting(presence: Presence) -> SyncBarrier:
    """A barrier of Ann, who has read the log now."""
    meeting = SyncBarrier(presence)
    meeting.begin()
    assert not meeting.update(SEATED, 5)
    return meeting


def test_it_is_over_when_all_with_seats_have_laid_what_they_have(meeting: SyncBarrier) -> None:
    meeting.record(b"ben", 5, True)
    assert not meeting.update(SEATED, 5)
    meeting.record(b"cleo", 4, False)
    assert not meeting.update(SEATED, 5)
    meeting.record(b"cleo", 6, True)
    assert not meeting.update(SEATED, 5), "this machine has not read so far"
    assert meeting.update(SEATED, 6)
    assert meeting.over
    assert not meeting.update(SEATED, 6), "it is over once"
    meeting.begin()
    assert not meeting.update(SEATED, 6), "each connection has its own"


def test_at_an_empty_table_it_is_over_at_once(presence: Presence) -> None:
    assert SyncBarrier(presence).update((), 0)
    assert SyncBarrier(presence).update((b"ann",), 1)


@pytest.mark.parametrize(("lays", "seconds"), [(False, 3), (True, 20)])
def test_who_is_not_heard_is_waited_for_a_moment_and_who_lays_for_long(
    meeting: SyncBarrier, clock: Clock, lays: bool, seconds: float
) -> None:
    """An answer takes far less than 3 seconds; who uploads entries is here, until it is away after 20."""
    if lays:
        meeting.record(b"cleo", 5, False)
    clock.now = seconds - 0.1
    assert not meeting.update(SEATED, 5)
    assert [*meeting.awaited] == [b"ben", b"cleo"]
    clock.now = seconds
    assert meeting.update(SEATED, 5)
    assert [*meeting.awaited] == []


def test_who_has_no_seat_makes_nobody_wait(meeting: SyncBarrier) -> None:
    """Else somebody with the code makes everybody who comes back wait."""
    for name in (*SEATED[1:], b"eve"):
        meeting.record(name, 5, name != b"eve")
    assert meeting.update(SEATED, 5)


def test_a_short_meeting_is_not_worth_a_word(meeting: SyncBarrier, clock: Clock) -> None:
    meeting.record(b"ben", 5, True)
    assert [*meeting.awaited] == []
    clock.now = 0.5  # a wait that people notice
    assert not meeting.update(SEATED, 5)
    assert [*meeting.awaited] == [b"cleo"]
    meeting.begin()
    assert [*meeting.awaited] == []


def test_who_is_away_is_not_waited_for(meeting: SyncBarrier, presence: Presence) -> None:
    presence.record_heartbeat(b"ben", {"at": "gone"})
    assert not meeting.update(SEATED, 5)
    meeting.record(b"cleo", 5, True)
    assert meeting.update(SEATED, 5)


def test_who_was_here_is_waited_for_however_long_the_connection_was_lost(
    meeting: SyncBarrier, presence: Presence, clock: Clock
) -> None:
    for name in SEATED[1:]:
        presence.record_heartbeat(name, {"at": "here"})
    meeting.connection_lost()
    clock.now += 600
    assert not presence.away(b"ben"), "nothing could be heard"
    meeting.begin()
    assert not presence.shown_up(b"ben")
    meeting.record(b"cleo", 5, True)
    assert not meeting.update(SEATED, 5)
