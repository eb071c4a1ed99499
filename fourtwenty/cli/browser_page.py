"""Describes the page of a browser for the front ends in it, and reads the request that starts them. Without Textual."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from msgspec import MsgspecError, Struct, json

from fourtwenty.games.game import Roll, State
from fourtwenty.journal.record import Player, Record
from fourtwenty.odds import tables
from fourtwenty.play.flow import retry_while_locked
from fourtwenty.play.match import SaveError

if TYPE_CHECKING:
    from fourtwenty.journal.history import History
    from fourtwenty.play.match import Journal, Match

STORAGE_SECONDS = 5.0
"""Seconds that a browser's storage may take before a question to the players."""

NO_TABLE = "421 of four goes on by estimates: its exact table needs a network, once."


class BrowserPage(Protocol):
    """The page of a front end: a terminal, lines of text, or elements that draw views."""

    def show(self, shown: str) -> None:
        """Show a text: what a terminal paints, a line, or a view."""

    def save(self, name: str, text: str) -> None:
        """Save a text as a file of this name."""

    def sit(self, identifier: str) -> None:
        """Remember the running match for when the page is reloaded; empty text for none."""

    def persist(self) -> None:
        """Ask the browser not to delete stored data, after a finished game."""

    def take_over(self) -> None:
        """Forget the first page's game, which is saved here now."""

    def open(self, address: str, elsewhere: bool) -> None:
        """Open an address, ``elsewhere`` in another tab."""

    def table(self, name: str) -> Buffer | None:
        """Return the contents of a missing table of the odds; None without a network."""


class Buffer(Protocol):
    def to_bytes(self) -> bytes:
        """Return the bytes of the page."""


def fetch_table(page: BrowserPage, say: Callable[[str], object], name: str) -> bool:
    """Fetch a table of the odds into its file and return True; say that odds are estimated if it does not come."""
    contents = page.table(name)
    if contents is None:
        say(NO_TABLE)
        return False
    tables.table_file(name).write_bytes(contents.to_bytes())
    return True


class Handover(Struct, frozen=True):
    """The game of the first page, in its own format (first_page.js)."""

    id: str
    seed: str
    bot: str
    """The character of all bots."""
    players: tuple[Player, ...]
    rolls: tuple[tuple[int, ...], ...]

    def match(self) -> Match:
        """Return the match so far. Raises ValueError if it breaks the rules."""
        from fourtwenty.play.bots import bot_named
        from fourtwenty.play.dice import FairDice, parse_seed
        from fourtwenty.play.lineup import Lineup, Seat
        from fourtwenty.play.match import Match

        bot = bot_named(self.bot).name
        seats = tuple(Seat(each.name, bot if each.kind == "bot" else None) for each in self.players)
        match = Match(Lineup(seats), FairDice(parse_seed(self.seed)), identifier=self.id)
        for dice in self.rolls:
            if match.state.to_act is None:
                match.next_round()
            match.act(Roll(dice))
        return match

    async def saved_match(self, journal: Journal) -> Match:
        """Return the match so far, saved. Raises ValueError with a sentence if it cannot go on."""
        try:
            match = self.match()
            await retry_while_locked(lambda: match.save_to(journal), asyncio.sleep, STORAGE_SECONDS)
        except (ValueError, SaveError) as why:
            raise ValueError(f"The game of the first page can't go on here: {why}.") from why
        return match


class LaunchRequest(Struct, frozen=True):
    """The reason why a page was started; the first field set of link, game and table counts."""

    link: str = ""
    """The text behind the # of its address."""
    seen: bool = False
    """Whether the link was open when the page was left: then the match begun from it goes on."""
    game: Handover | None = None
    light: bool = False
    """Whether the browser is in light mode: the first visit then chooses the light theme."""
    table: str = ""
    """The identifier of the match that was running when the page was left."""

    @property
    def running(self) -> str:
        """The identifier of the match that goes on if the history has it; empty for none."""
        if self.link:
            return self.table if self.seen else ""
        return self.game.id if self.game else self.table


def read_launch_request(text: str) -> LaunchRequest:
    """Read the launch request; an empty one if it is unreadable."""
    try:
        return json.decode(text, type=LaunchRequest)
    except (MsgspecError, ValueError):
        return LaunchRequest()


def find_running(history: History, request: LaunchRequest) -> int | None:
    """Return the id of the match that goes on; None if there is none, or the history cannot be read."""
    with suppress(SaveError):
        return history.find(request.running) if request.running and history.is_begun() else None
    return None


def verified_match(record: Record) -> tuple[Match, str]:
    """Return the match of a record, and the sentence with the facts that follow from it.

    Raises ValueError with a sentence for a record that is invalid, or not of a finished match.
    """
    from fourtwenty.cli.commands import verified_facts
    from fourtwenty.journal.links import match_from
    from fourtwenty.journal.record import verify_record

    try:
        state = verify_record(record)
    except ValueError as why:
        raise ValueError(f"This link doesn't hold a valid game: {why}") from why
    if not state.outcome:
        raise ValueError("This game isn't over yet. A link can only show finished games.")
    return match_from(record), f"{verified_facts(record, state)}."


def match_from_position(state: State) -> Match:
    """Return a new match: a person sits where the next choice is made, and best play elsewhere.

    Raises ValueError with a sentence for a position between two rounds.
    """
    from fourtwenty.play.lineup import Lineup, seats_for_position
    from fourtwenty.play.match import Match

    if state.to_act is None:
        raise ValueError("The round is over in this position.")
    return Match.fresh(Lineup(seats_for_position(state), game=state.key), None, state)
