"""Signs of life of other machines, with a clock of the test and no network."""

from __future__ import annotations

from machines import Clock

from fourtwenty.rooms.wire.presence import REACTIONS, Presence


def test_a_machine_is_away_when_it_is_silent_or_says_so_and_back_when_it_is_heard() -> None:
    clock = Clock()
    presence = Presence(b"ann", clock)
    assert presence.away(b"ben"), "nobody has heard it"
    presence.record(b"ben", now=True)
    clock.now = 20  # two heartbeats are missed, one in 8 seconds, and a slow network has 4
    assert not presence.away(b"ben")
    clock.now += 1
    assert presence.away(b"ben")
    assert presence.record_heartbeat(b"ben", {"at": "gone"})
    assert (presence.silence(b"ben"), presence.away(b"ben")) == (0, True)
    presence.record(b"ben", now=True)
    assert presence.away(b"ben"), "its program goes on, and its person is gone"
    presence.record_heartbeat(b"ben", {"at": "here"})
    assert not presence.away(b"ben")
    clock.now += 100
    assert not presence.away(b"ann"), "this machine is here"


def test_a_table_is_closed_only_where_the_connection_is_lost_behind_the_word_of_its_host() -> None:
    presence = Presence(b"ben", Clock())
    presence.record_heartbeat(b"ann", {"at": "gone", "closes": True})
    assert presence.closed_by is None, "anybody can say so"
    presence.connection_lost()
    assert presence.closed_by == b"ann"
    presence.connection_restored()
    presence.connection_lost()
    assert presence.closed_by is None, "this time it is a fault"
    for said in ({"at": "here", "closes": True}, {"at": "gone", "closes": 1}, {"at": "gone"}):
        presence.record_heartbeat(b"ann", said)
        assert presence.closed_by is None


def test_spectators_are_those_who_say_so_and_are_here() -> None:
    clock = Clock()
    presence = Presence(b"ann", clock)
    for author, name, watching in ((b"b", "Ben", True), (b"c", "\x1b[2J", True), (b"d", "Dan", False), (b"e", 7, True)):
        presence.record_heartbeat(author, {"at": "here", "name": name, "watching": watching})
    assert [presence.name(each) for each in presence.spectators({b"e"})] == ["Ben", "A guest"]
    clock.now = 21
    assert presence.spectators(()) == ()


def test_a_machine_reacts_once_in_a_while() -> None:
    clock = Clock()
    presence = Presence(b"ann", clock)
    presence.record(b"ben", now=True)
    for wrong in (-1, len(REACTIONS), True, "1", None):
        assert presence.reaction(b"ben", wrong) is None
    assert presence.reaction(b"ben", 0) == REACTIONS[0]
    assert presence.reaction(b"ben", 1) is None
    clock.now = 2  # reactions can be read, and a key that is held down fills no screen
    assert presence.reaction(b"ben", 1) == REACTIONS[1]
