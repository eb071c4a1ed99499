"""The meeting after each connection: whom a machine waits for before it says something new, and for how long."""

from __future__ import annotations

import pytest
from machines import Clock

from fourtwenty.rooms.wire.meeting import MEET_SECONDS, SHORT_SECONDS, Meeting
from fourtwenty.rooms.wire.presence import AWAY_SECONDS, Presence

SEATED = (b"ann", b"ben", b"cleo")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def presence(clock: Clock) -> Presence:
    return Presence(b"ann", clock)


@pytest.fixture
def meeting(presence: Presence) -> Meeting:
    """A meeting of Ann, who has read the log now."""
    meeting = Meeting(presence)
    meeting.begin()
    assert not meeting.look(SEATED, 5, lost=False)
    return meeting


def test_it_is_over_when_all_with_seats_have_laid_what_they_have(meeting: Meeting) -> None:
    meeting.hear(b"ben", 5, True)
    assert not meeting.look(SEATED, 5, lost=True)
    meeting.hear(b"cleo", 4, False)
    assert not meeting.look(SEATED, 5, lost=True)
    meeting.hear(b"cleo", 6, True)
    assert not meeting.look(SEATED, 5, lost=False), "this machine has not read so far"
    assert meeting.look(SEATED, 6, lost=False)
    assert meeting.over
    assert not meeting.look(SEATED, 6, lost=True), "it is over once"
    meeting.begin()
    assert not meeting.look(SEATED, 6, lost=True), "each connection has its own"


def test_at_an_empty_table_it_is_over_at_once(presence: Presence) -> None:
    assert Meeting(presence).look((), 0, lost=False)
    assert Meeting(presence).look((b"ann",), 1, lost=False)


def test_who_has_just_started_waits_for_those_that_it_may_not_know_of(meeting: Meeting, clock: Clock) -> None:
    for name in SEATED[1:]:
        meeting.hear(name, 5, True)
    assert not meeting.look(SEATED, 5, lost=True)
    clock.now = MEET_SECONDS
    assert meeting.look(SEATED, 5, lost=True)
    meeting.begin()
    for name in SEATED[1:]:
        meeting.hear(name, 5, True)
    assert meeting.look(SEATED, 5, lost=True), "it has met them before"


@pytest.mark.parametrize(("lost", "seconds"), [(False, MEET_SECONDS), (True, AWAY_SECONDS)])
def test_who_is_not_heard_is_waited_for_longer_where_something_is_lost(
    meeting: Meeting, clock: Clock, lost: bool, seconds: float
) -> None:
    clock.now = seconds - 0.1
    assert not meeting.look(SEATED, 5, lost)
    assert [*meeting.missing] == [b"ben", b"cleo"]
    clock.now = seconds
    assert meeting.look(SEATED, 5, lost)
    assert [*meeting.missing] == []


def test_who_has_no_seat_says_in_vain_for_long_that_it_is_still_laying(meeting: Meeting, clock: Clock) -> None:
    """Else somebody with the code makes everybody who comes back wait for 20 s."""
    meeting.hear(b"ben", 5, True)
    meeting.hear(b"cleo", 5, True)
    meeting.begin()
    meeting._presence.hear(b"eve", now=True)
    for number, name in enumerate((*SEATED[1:], b"eve"), 1):
        meeting.hear(name, 5, number < len(SEATED))
    assert not meeting.look(SEATED, 5, lost=True)
    clock.now = MEET_SECONDS
    meeting.hear(b"cleo", 5, False)
    assert not meeting.look(SEATED, 5, lost=True)
    clock.now += SHORT_SECONDS
    meeting.hear(b"cleo", 5, True)
    assert meeting.look(SEATED, 5, lost=True)


def test_a_short_meeting_is_not_worth_a_word(meeting: Meeting, clock: Clock) -> None:
    meeting.hear(b"ben", 5, True)
    assert [*meeting.missing] == []
    clock.now = SHORT_SECONDS
    assert not meeting.look(SEATED, 5, lost=False)
    assert [*meeting.missing] == [b"cleo"]
    meeting.begin()
    assert [*meeting.missing] == []


def test_who_is_away_is_not_waited_for_but_who_lays_is(meeting: Meeting, presence: Presence, clock: Clock) -> None:
    presence.hear_beat(b"ben", {"at": "gone"})
    meeting.hear(b"cleo", 2, False)
    clock.now = MEET_SECONDS + 1
    assert not meeting.look(SEATED, 5, lost=False)
    meeting.hear(b"cleo", 3, True)
    assert meeting.look(SEATED, 5, lost=False)


def test_who_was_here_without_a_seat_is_waited_for_a_moment(presence: Presence) -> None:
    presence.hear_beat(b"dan", {"at": "here"})
    presence.hear(b"eve", now=False)  # by an entry, which may be old
    meeting = Meeting(presence)
    meeting.begin()
    assert not meeting.look((b"ann",), 1, lost=False)
    meeting.hear(b"dan", 0, True)
    assert meeting.look((b"ann",), 1, lost=False)


def test_who_was_here_is_waited_for_however_long_the_connection_was_lost(
    meeting: Meeting, presence: Presence, clock: Clock
) -> None:
    for name in (*SEATED[1:], b"dan"):
        presence.hear_beat(name, {"at": "here"})
        meeting.hear(name, 0, True)
    meeting.look(SEATED, 5, lost=False)
    meeting.lose()
    clock.now += 600
    assert not presence.away(b"dan"), "nothing could be heard"
    meeting.begin()
    meeting.begin()  # something is lost
    for name in SEATED[1:]:
        meeting.hear(name, 5, True)
    assert not meeting.look(SEATED, 5, lost=True), "Dan may have what is lost"
    assert not presence.shown_up(b"dan")
    clock.now += AWAY_SECONDS + 1
    assert meeting.look(SEATED, 5, lost=True)
    assert presence.away(b"dan")
