"""Tracks signs of life of a table's other machines: present, away or watching. No network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.names import check_seat

AWAY_SECONDS = 20.0
"""Seconds of silence after which a machine is away: two missed heartbeats, and time for a slow network."""
REACTIONS = ("Cheers!", "Well rolled!", "Ouch!", "So close!", "Your turn!", "One moment!", "Lucky!", "Good game!")
REACTION_PAUSE_SECONDS = 2.0
"""Least seconds between two reactions of a machine; others are not shown."""
MAX_PRESENT = 1000
"""Number of machines above which those without seats are not remembered."""
MAX_SPECTATOR_NAME_LENGTH = 60


class Reaction(Struct, frozen=True):
    """A reaction of somebody at the table."""

    author: bytes
    name: str
    text: str


class SignOfLife(Struct):
    """The last signs of life of another machine."""

    name: str = ""
    """Its name while it only watches; empty for none that fits into a line."""
    watching: bool = False
    heard: float = 0.0
    """The clock's time of the last sign."""
    shown_up: bool = False
    """Whether a heartbeat or live entry has come since the last connection: other entries may be old."""
    gone: bool = False
    """Whether it has said that nobody is at its screen."""
    closes: bool = False
    """Whether it has also said that it closes the table, which ends with its program."""
    reacted: float = -REACTION_PAUSE_SECONDS


class Presence:
    """The other machines at the table, and their signs of life."""

    def __init__(self, own: bytes, clock: Callable[[], float]) -> None:
        self.own = own
        self.clock = clock
        self.others: dict[bytes, SignOfLife] = {}
        """The other known machines, by public key."""
        self._deaf_since: float | None = None
        """The time when the connection was lost; None while connected."""

    def connection_lost(self) -> None:
        """Stop counting silence: nothing can be received."""
        if self._deaf_since is None:
            self._deaf_since = self.clock()

    def connection_restored(self) -> None:
        """Count silence on; after a new connection, nobody has shown up yet."""
        if self._deaf_since is None:
            return
        for sign in self.others.values():
            sign.heard += self.clock() - self._deaf_since
            sign.shown_up = sign.closes = False
        self._deaf_since = None

    def record(self, author: bytes, now: bool) -> SignOfLife:
        """Record an entry as its machine's sign of life; ``now``: it is live.

        Other entries count only for a machine without an earlier sign.
        """
        if now or author not in self.others:
            self.others.setdefault(author, SignOfLife()).heard = self.clock()
        sign = self.others[author]
        sign.shown_up |= now
        return sign

    def record_heartbeat(self, author: bytes, body: Mapping[str, Any]) -> bool:
        """Record a machine's heartbeat; return False if there are too many machines to remember it."""
        if author not in self.others and len(self.others) >= MAX_PRESENT:
            return False
        sign, name = self.record(author, now=True), body.get("name")
        fits = isinstance(name, str) and len(name) <= MAX_SPECTATOR_NAME_LENGTH and not check_seat(Seat(name), ())
        sign.name = str(name) if fits else ""
        sign.watching, sign.gone = body.get("watching") is True, body.get("at") == "gone"
        sign.closes = sign.gone and body.get("closes") is True
        return True

    def reaction(self, author: bytes, number: object) -> str | None:
        """Return the text of a reaction; None if it does not exist, or comes too soon after the last."""
        sign, now = self.others[author], self.clock()
        if type(number) is not int or not 0 <= number < len(REACTIONS) or now - sign.reacted < REACTION_PAUSE_SECONDS:
            return None
        sign.reacted = now
        return REACTIONS[number]

    def silence(self, author: bytes) -> float:
        """Return the seconds since a machine's last sign, infinite without one; 0 for this machine."""
        if author == self.own:
            return 0.0
        sign = self.others.get(author)
        now = self.clock() if self._deaf_since is None else self._deaf_since
        return now - sign.heard if sign else float("inf")

    def away(self, author: bytes) -> bool:
        """Whether a machine is away: it has left its screen, or missed two heartbeats."""
        sign = self.others.get(author)
        return self.silence(author) > AWAY_SECONDS or (sign is not None and sign.gone)

    @property
    def closed_by(self) -> bytes | None:
        """The machine that has closed the table; None while connected: a member can say anything."""
        closing = (author for author, sign in self.others.items() if sign.closes)
        return None if self._deaf_since is None else next(closing, None)

    def shown_up(self, author: bytes) -> bool:
        """Whether a machine has given a live sign since this one is here: other entries may be old."""
        return author == self.own or (author in self.others and self.others[author].shown_up)

    def name(self, author: bytes) -> str:
        """Return the name of a machine that has none by a seat."""
        sign = self.others.get(author)
        return (sign.name if sign else "") or "A guest"

    def spectators(self, seated: Collection[bytes]) -> tuple[bytes, ...]:
        """Return the present spectators by public key, except machines with seats."""
        return tuple(
            author
            for author, sign in self.others.items()
            if author not in seated and sign.watching and not self.away(author)
        )
