"""The signs of life of the other machines at a table: who is here, who is away, who watches. No network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from fourtwenty.play.lineup import check_name

AWAY_SECONDS = 20.0
"""Silence after which a machine is away: two missed heartbeats, and time for a slow network."""
REACTIONS = ("Cheers!", "Well rolled!", "Ouch!", "So close!", "Your turn!", "One moment!", "Lucky!", "Good game!")
"""The eight reactions; there is no other chat."""
REACTION_PAUSE_SECONDS = 2.0
"""Least pause between two reactions of a machine; others are not shown."""
MAX_PRESENT = 1000
"""Number of machines from which on those that are only heard by heartbeats are not remembered."""
MAX_SPECTATOR_NAME_LENGTH = 60
"""Greatest length of the name of a spectator; a longer one is not shown."""


class Reaction(Struct, frozen=True):
    """A reaction of somebody at the table."""

    author: bytes
    name: str
    text: str


class SignOfLife(Struct):
    """The last signs of life of another machine."""

    name: str = ""
    """The name that it has while it only watches; empty for none that fits into a line."""
    watching: bool = False
    heard: float = 0.0
    """When it was heard last, by the clock."""
    shown_up: bool = False
    """Whether it has been heard since the last connection, by a heartbeat or an entry as it came: others may be old."""
    gone: bool = False
    """Whether it has said that nobody is at its screen."""
    reacted: float = -REACTION_PAUSE_SECONDS


class Presence:
    """The other machines at the table, and their signs of life."""

    def __init__(self, own: bytes, clock: Callable[[], float]) -> None:
        self.own = own
        self.clock = clock
        self.others: dict[bytes, SignOfLife] = {}
        """The other machines that have been heard, by public key."""
        self._deaf_since: float | None = None
        """When the connection was lost, as long as it is."""

    def connection_lost(self) -> None:
        """Count nobody as silent from now on: nothing can be heard."""
        if self._deaf_since is None:
            self._deaf_since = self.clock()

    def connection_restored(self) -> None:
        """Count silence on; nobody has shown up yet if the connection is new."""
        if self._deaf_since is None:
            return
        for sign in self.others.values():
            sign.heard += self.clock() - self._deaf_since
            sign.shown_up = False
        self._deaf_since = None

    def record(self, author: bytes, now: bool) -> SignOfLife:
        """Take an entry of a machine as a sign of life; ``now`` is whether it is not read, but comes now.

        An entry that is read counts only for a machine that has not been heard before.
        """
        if now or author not in self.others:
            self.others.setdefault(author, SignOfLife()).heard = self.clock()
        sign = self.others[author]
        sign.shown_up |= now
        return sign

    def record_heartbeat(self, author: bytes, body: Mapping[str, Any]) -> bool:
        """Take what a machine says about itself; return False where so many are here that it is not remembered."""
        if author not in self.others and len(self.others) >= MAX_PRESENT:
            return False
        sign, name = self.record(author, now=True), body.get("name")
        fits = isinstance(name, str) and len(name) <= MAX_SPECTATOR_NAME_LENGTH and not check_name(name, ())
        sign.name = str(name) if fits else ""
        sign.watching, sign.gone = body.get("watching") is True, body.get("at") == "gone"
        return True

    def reaction(self, author: bytes, number: object) -> str | None:
        """Return the text of a reaction; None for one that there is not, or that comes too soon after the last."""
        sign, now = self.others[author], self.clock()
        if type(number) is not int or not 0 <= number < len(REACTIONS) or now - sign.reacted < REACTION_PAUSE_SECONDS:
            return None
        sign.reacted = now
        return REACTIONS[number]

    def silence(self, author: bytes) -> float:
        """Return the seconds since a machine was heard, infinite for one that never was; 0 for this one."""
        if author == self.own:
            return 0.0
        sign = self.others.get(author)
        now = self.clock() if self._deaf_since is None else self._deaf_since
        return now - sign.heard if sign else float("inf")

    def away(self, author: bytes) -> bool:
        """Whether a machine is away: it has left its screen, or missed two heartbeats."""
        sign = self.others.get(author)
        return self.silence(author) > AWAY_SECONDS or (sign is not None and sign.gone)

    def shown_up(self, author: bytes) -> bool:
        """Whether a machine has been heard since this one is here: entries that are read may be old."""
        return author == self.own or (author in self.others and self.others[author].shown_up)

    def name(self, author: bytes) -> str:
        """Return the name of a machine that has none by a seat."""
        sign = self.others.get(author)
        return (sign.name if sign else "") or "A guest"

    def spectators(self, seated: Collection[bytes]) -> tuple[str, ...]:
        """Return the names of those who watch and are here, but for the machines that have seats."""
        return tuple(
            self.name(author)
            for author, sign in self.others.items()
            if author not in seated and sign.watching and not self.away(author)
        )
