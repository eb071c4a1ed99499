"""Reads and writes links to the game's page (docs/tab.md): a position, a day's puzzle or a finished game.

Chats cut or embolden links at ``*`` and ``>``: only letters, digits, ``-_.~%`` and one ``=`` are behind the ``#``.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from contextlib import suppress
from datetime import date
from functools import cache
from typing import Self
from urllib.parse import quote, unquote

from msgspec import MsgspecError, Struct, msgpack, to_builtins

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll, Stand, State
from fourtwenty.journal.record import Record, read_record
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Kind, Lineup, Seat
from fourtwenty.play.match import Match

MAX_FRAGMENT_LENGTH = 6_000
"""The most characters of a link behind the ``#``."""

MAX_INFLATED_BYTES = 65_536
"""The most bytes of a record in a link, at which inflating stops before any parsing."""

NO_LINK = "This link leads nowhere: perhaps a part of it is missing."

page: str | None = None
"""None where the game does not run in a page."""


class PuzzleLink(Struct, frozen=True):
    """A link to a day's puzzle."""

    game: str = "420"
    day: date | None = None
    """None for today."""


Target = State | PuzzleLink | Record


def homepage() -> str | None:
    """Return the address of the game's page, from this page or build; None where unknown."""
    return page or project_url("Homepage")


@cache
def project_url(name: str) -> str | None:
    """Return the installed package's link of a name; None where unknown."""
    from importlib.metadata import PackageNotFoundError, metadata

    with suppress(PackageNotFoundError):
        for url in metadata("fourtwenty").get_all("Project-URL") or ():
            if url.startswith(f"{name}, "):
                return str(url).partition(", ")[2]
    return None


def link(target: Target, home: str | None) -> str:
    """Return a link; empty without a homepage. Raises ValueError with a sentence for a game too long for it.

    >>> link(GAMES["420"].parse("*6551 >4332 roll 2"), "https://example.org/")
    'https://example.org/#p=%2A6551%20%3E4332%20roll%202'
    """
    return f"{home.partition('#')[0]}#{_fragment(target)}" if home else ""


class ShortRecord(Struct, frozen=True, array_like=True):
    """A finished match with fair dice, whose faces and result follow from the seed and the choices."""

    game: str
    identifier: bytes
    seed: bytes
    given: bool
    first: int | None
    players: tuple[tuple[str, Kind], ...]
    choices: bytes
    """A byte for each action: bit 0 for die 1 and so on; 0 for a stand."""
    coach: tuple[tuple[int, str], ...]
    """The fields of each ``CoachChange``."""

    def __post_init__(self) -> None:
        if self.game not in GAMES:
            raise ValueError(f"{self.game} isn't a game")

    @classmethod
    def of(cls, record: Record) -> Self | None:
        """Return the short form of a record; None where it cannot say all."""
        if not record.fair or not record.fair.seed:
            return None
        short = cls(
            record.game,
            bytes.fromhex(record.identifier),
            bytes(record.fair.seed),
            record.fair.given,
            record.first,
            tuple((player.name, player.kind) for player in record.players),
            bytes(sum(1 << die - 1 for die in action.roll or ()) for action in record.actions),
            tuple((change.action, change.level) for change in record.coach or ()),
        )
        try:
            return short if short.record() == record else None
        except ValueError:  # somebody left, or a position was set up
            return None

    def record(self) -> Record:
        """Return the record: the match played again. Raises ValueError for an impossible one."""
        seats = tuple(Seat(name, "Steady" if kind == "bot" else None) for name, kind in self.players)
        lineup = Lineup(seats, starting_seat=self.first, game=self.game)
        match = Match(lineup, FairDice(self.seed, self.given), identifier=self.identifier.hex())
        for choice in self.choices:
            if match.state.to_act is None:
                match.next_round()
            dice = tuple(die for die in range(1, choice.bit_length() + 1) if choice >> die - 1 & 1)
            match.act(Roll(dice) if dice else Stand())
        match.coaching = [(action - 1, level) for action, level in self.coach]
        return Record.from_match(match)


def _fragment(target: Target) -> str:
    if isinstance(target, PuzzleLink):
        game = f".{target.game}" if target.game != PuzzleLink().game else ""
        return f"daily={target.day.isoformat()}{game}" if target.day else f"daily{game}"
    if isinstance(target, Record):
        if short := ShortRecord.of(target):
            name, packed = "m", msgpack.encode(short)
        else:
            text = json.dumps(to_builtins(target, enc_hook=bytes.hex), ensure_ascii=False, separators=(",", ":"))
            name, packed = "r", text.encode()
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
        fragment = f"{name}={urlsafe_b64encode(packer.compress(packed) + packer.flush()).decode().rstrip('=')}"
        if len(fragment) > MAX_FRAGMENT_LENGTH or len(packed) > MAX_INFLATED_BYTES:
            raise ValueError("This game is too long for a link: export it instead.")
        return fragment
    return f"p={quote(target.to_text(), safe='')}"


def read_link(fragment: str) -> Target:
    """Return what a link opens, from its text after the ``#``. Raises ValueError with a sentence."""
    name, _, value = fragment.partition("=")
    kind, _, game = name.partition(".")
    if len(fragment) <= MAX_FRAGMENT_LENGTH:
        if name == "p":
            return _position(value)
        if name in ("m", "r"):
            return _record(value, short=name == "m")
        if kind == "daily":
            return _puzzle_link(value or f".{game}")
    raise ValueError(NO_LINK)


def _position(text: str) -> State:
    for game in GAMES.values():
        with suppress(ValueError):  # also for invalid UTF-8
            return game.parse(unquote(text, errors="strict"))
    raise ValueError("This link holds no position.")


def _puzzle_link(text: str) -> PuzzleLink:
    day, _, game = text.partition(".")
    game = game or PuzzleLink().game
    with suppress(ValueError):
        if game in GAMES:
            return PuzzleLink(game, date.fromisoformat(day) if day else None)
    raise ValueError(NO_LINK)


def _record(text: str, short: bool) -> Record:
    try:
        unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
        packed = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacked = unpacker.decompress(packed, MAX_INFLATED_BYTES)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError(NO_LINK)
        return msgpack.decode(unpacked, type=ShortRecord).record() if short else read_record(unpacked.decode())
    except (ValueError, MsgspecError, RecursionError, zlib.error) as error:
        raise ValueError(NO_LINK) from error


def match_from(record: Record) -> Match:
    """Return the unsaved match of a verified record, without the bots' names."""
    seats = tuple(Seat(each.name, "Steady" if each.kind == "bot" else None) for each in record.players)
    first = None if record.drawn else record.first
    lineup = Lineup(seats, starting_seat=first, game=record.game, typed=record.typed)
    dice = record.dice or ManualDice(b"")
    if isinstance(dice, FairDice):
        dice = FairDice(dice.seed, dice.given)
    match = Match(lineup, dice, record.start, identifier=record.identifier)
    for event in record.events:
        if match.state.to_act is None and not match.state.outcome:
            match.next_round()
        match.record(event)
    match.coaching = [(change.action - 1, change.level) for change in record.coach or ()]
    return match
