"""Makes and reads heartbeats: that a machine is here, and how far it is. No network."""

from __future__ import annotations

import secrets
from collections import deque

from msgspec import Struct

from fourtwenty.rooms.encryption import MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import Body
from fourtwenty.rooms.room import InvalidEntryError, Room, read_head
from fourtwenty.rooms.wire.connection_guard import RateLimit
from fourtwenty.rooms.wire.presence import Presence, Reaction
from fourtwenty.rooms.wire.sync_barrier import SyncBarrier

MAX_ANSWERS, FLOOD_SECONDS = 20, 2.0
"""The requests for a heartbeat that are answered at once, and the seconds in which so many more are."""


class HeartbeatEffect(Struct):
    """The consequences of another machine's heartbeat."""

    asks: bool = False
    """Whether this machine is to send one at once."""
    behind: bool = False
    """Whether its author has entries that this machine lacks."""
    differs: tuple[str, Body] | None = None
    """The name of an author with a different log, and the fields of the heartbeat that shows it there."""
    reaction: Reaction | None = None
    page: tuple[bytes, Body] | None = None
    """The author and the fields of a page's heartbeat."""


class Heartbeats:
    """Makes this machine's heartbeats, and receives the others'."""

    def __init__(
        self, keys: RoomKeys, machine: MachineKey, room: Room, presence: Presence, barrier: SyncBarrier
    ) -> None:
        self._keys = keys
        self._machine = machine
        self._room = room
        self._presence = presence
        self._barrier = barrier
        self._received: deque[bytes] = deque(maxlen=1000)
        self._answers = RateLimit(MAX_ANSWERS, MAX_ANSWERS / FLOOD_SECONDS, presence.clock)

    def encode(self, body: Body, name: str, watching: bool, all_there: bool) -> bytes:
        """Return a heartbeat with this machine's head, or the body's; ``all_there``: all its entries are in the log.

        A test fails without each field: test_two_stories_are_seen_at_the_number_of_either_machine without the head,
        test_nobody_says_anything_new_while_another_machine_uploads_for_long without ``all_there``,
        test_a_key_that_was_lost_on_its_way_is_found_behind_those_that_came without "counted", and
        test_who_alone_has_counted_a_key_that_was_lost_is_told_of_another_story without "diverged", which the body has.
        """
        number, head = self._room.head
        here = {
            "number": number,
            "head": head,
            "uploaded": all_there,
            "counted": len(self._room.counted),
            "name": name,
            "watching": watching,
            "once": secrets.token_hex(8),
        }
        return encrypt_entry(self._keys, self._machine, here | body)

    def receive(self, data: bytes, diverged: bool | None = None) -> HeartbeatEffect | None:
        """Receive a heartbeat; return its effect, None for other or repeated bytes. ``diverged``: None if unknown."""
        entry = decrypt_entry(self._keys, data)
        if entry is None or entry.author == self._machine.public or entry.digest in self._received:
            return None
        self._received.append(entry.digest)
        author, body, name = entry.author, entry.body, self._room.name(entry.author)
        heard = HeartbeatEffect(asks=body.get("asks") is True and self._answers.available >= 1)
        self._answers.spend(heard.asks)
        if not self._presence.record_heartbeat(author, body):
            return heard
        if is_page := body.get("page") is True:
            heard.page = author, body
        if body.get("at") == "react" and (text := self._presence.reaction(author, body.get("reaction"))):
            heard.reaction = Reaction(author, name or f"{self._presence.name(author)} (watching)", text)
        try:
            number, head = read_head(body)
        except InvalidEntryError:
            return heard
        all_there = body.get("uploaded") is True
        self._barrier.record(author, number if name else 0, all_there)
        if name:  # no other name is believed
            counted, heads = body.get("counted"), self._room.heads
            heard.behind = type(counted) is int and counted > len(self._room.counted)
            # A page has seen no log: it follows its host's views.
            parts = all_there and not is_page and diverged is not None and body.get("diverged") is (not diverged)
            if parts or (number < len(heads) and heads[number] != head):
                both = min(number, len(heads) - 1)
                heard.differs = name, {"number": both, "head": heads[both]}
        return heard
