"""A browser's page and its storage, without a browser."""

from __future__ import annotations

from typing import Any

from fourtwenty.games.game import Roll
from fourtwenty.play.match import Match


class FakeStorage:
    """A storage that confirms at once, later, or never."""

    def __init__(self) -> None:
        self.answer: str | None = None
        self.tries = 0

    def save(self) -> None:
        self.tries += 1

    def refusal(self) -> str | None:
        return self.answer


class FakePage:
    """A page that notes what it is told."""

    def __init__(self) -> None:
        self.painted = ""
        self.saved: dict[str, str] = {}
        self.table_of = ""
        """The match that is played."""
        self.opened = ""
        """The address that the page was left for."""
        self.taken_over = self.persists = False

    def sit(self, identifier: str) -> None:
        self.table_of = identifier

    def persist(self) -> None:
        self.persists = True

    def take_over(self) -> None:
        self.taken_over = True

    def table(self, name: str) -> None:
        """There is no network."""

    def open(self, address: str, elsewhere: bool) -> None:
        assert not elsewhere
        self.opened = address

    def show(self, shown: str) -> None:
        self.painted += shown

    def save(self, name: str, text: str) -> None:
        self.saved[name] = text


def handed_over(match: Match) -> dict[str, Any]:
    """Return a match of people and Merry as the first page hands it over."""
    assert match.dice.seed
    players = [{"name": name, "kind": kind} for name, kind in match.lineup.players]
    rolls = [event.action.dice for event in match.events if isinstance(event.action, Roll)]
    return {"id": match.identifier, "seed": match.dice.seed.hex(), "bot": "Merry", "players": players, "rolls": rolls}
