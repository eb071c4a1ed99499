"""Links to the page: what is written into one comes out of it, and nothing else does."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64encode
from contextlib import suppress
from datetime import date
from email.message import Message
from importlib import metadata

import pytest
from hypothesis import given, strategies as st
from letters import LETTERS
from msgspec import msgpack
from msgspec.structs import astuple, replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Leave, State
from fourtwenty.journal import links
from fourtwenty.journal.links import PuzzleLink, ShortRecord, homepage, link, match_from, read_link
from fourtwenty.journal.record import Record, write_record
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

HOME = "https://example.org/420/"
POSITIONS = (
    "*6551 >4332 x1 roll 2",
    "- *6551 >- roll 1",
    "*6551 L1 >4332 roll 2",
    "*665:3 421:6 >-:0 pot 12 round 3 roll 1",
    "*>665=-:8 665=-:13 round 9 roll 1",
    "-=5:0 >-=-:0 pot 21 round 1 roll 1",
    "*665:0130 >421+2:1001 roll 2 of 3",
)


def packed(text: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return urlsafe_b64encode(packer.compress(text) + packer.flush()).decode().rstrip("=")


def played(*names: str, game: str = "420") -> Match:
    lineup = Lineup(tuple(Seat(name, "Bold") for name in names), game=game)
    match = Match(lineup, FairDice(bytes(32)), identifier="ab" * 16)
    match.play_out()
    return match


def fragment_of(target: State | PuzzleLink | Record) -> str:
    home, _, fragment = link(target, HOME).partition("#")
    assert home == HOME
    assert re.fullmatch(r"[A-Za-z0-9\-_.~%=]+", fragment), fragment
    return fragment


@pytest.mark.parametrize("text", POSITIONS)
def test_a_position_comes_back(text: str) -> None:
    target = read_link(fragment_of(*states(text)))
    assert not isinstance(target, (PuzzleLink, Record))
    assert target.to_text() == text


def states(text: str) -> list[State]:
    """Return the states of a position: those of the one game whose notation it is."""
    found = []
    for game in GAMES.values():
        with suppress(ValueError):
            found.append(game.parse(text))
    assert len(found) == 1, "the notations differ"
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("day", [None, date(2026, 11, 22)])
def test_a_question_comes_back(game: str, day: date | None) -> None:
    assert read_link(fragment_of(PuzzleLink(game, day))) == PuzzleLink(game, day)


def test_a_question_is_of_420_where_nothing_else_is_said() -> None:
    assert link(PuzzleLink(), HOME) == f"{HOME}#daily"
    assert link(PuzzleLink(day=date(2026, 11, 22)), HOME) == f"{HOME}#daily=2026-11-22"


@pytest.mark.parametrize("game", GAMES)
def test_a_record_comes_back_as_its_match(game: str) -> None:
    record = Record.from_match(played("Ann", "Ben", "Cleo", "Dora", game=game))
    found = read_link(fragment_of(record))
    assert isinstance(found, Record)
    assert write_record(found) == write_record(record)
    assert write_record(Record.from_match(match_from(found))) == write_record(record)


def test_a_game_of_four_with_long_names_fits() -> None:
    record = Record.from_match(played("Theodora ☃", "Maximilian Maria", "Bold", "Cleo"))
    assert len(fragment_of(record)) <= 3000, "half of what fits into a link"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_fair_dice_is_a_short_link(game: str) -> None:
    """The faces follow from the seed, so the proof is in the link; the bar is that of chats."""
    match = played("Ann", "Ben", "Cleo", "Dora", game=game)
    match.coaching = [(0, "full"), (3, "off")]
    record = Record.from_match(match)
    assert fragment_of(record).startswith("m=")
    assert len(link(record, HOME)) < 300
    assert read_link(fragment_of(record)) == record


def test_a_short_link_says_nothing_that_its_seed_does_not() -> None:
    record = Record.from_match(played("Ann", "Ben"))
    short = ShortRecord.of(record)
    assert short
    for wrong in (
        ("chess", *astuple(short)[1:]),
        replace(short, seed=b"short"),
        replace(short, first=7),
        replace(short, identifier=b""),
        replace(short, choices=bytes([*short.choices, 15])),
        replace(short, choices=b"\x80"),
        replace(short, choices=b"\x00"),
        replace(short, players=(("\x1b[31m", "human"), ("Ben", "human"))),
        replace(short, players=(("Ann", "human"),)),
        replace(short, coach=((900, "off"),)),
    ):
        with pytest.raises(ValueError, match="leads nowhere"):
            read_link(f"m={packed(msgpack.encode(wrong))}")
    other = read_link(f"m={packed(msgpack.encode(replace(short, seed=bytes([1] * 32), choices=b'')))}")
    assert isinstance(other, Record)
    assert other.result is None


def left_by_the_last(seats: int) -> Record:
    lineup = Lineup(tuple(Seat(f"Player {number}") for number in range(seats)))
    match = Match(lineup, FairDice(bytes(32)), identifier="ab" * 16)
    match.record(Event(seats - 1, Leave(), ()))
    match.play_out(lambda: match.state.actions[0])
    return Record.from_match(match)


def test_a_game_that_somebody_left_is_the_longer_link() -> None:
    record = left_by_the_last(3)
    assert fragment_of(record).startswith("r=")
    assert read_link(fragment_of(record)) == record


def test_a_longer_game_says_to_export_it() -> None:
    record = left_by_the_last(60)
    with pytest.raises(ValueError, match="too long for a link: export it"):
        link(record, HOME)


def test_where_the_homepage_is_not_known_there_is_no_link(monkeypatch: pytest.MonkeyPatch) -> None:
    assert link(PuzzleLink(), None) == ""
    monkeypatch.setattr(links, "page", HOME)
    assert homepage() == HOME


WRONG = (
    "p=",
    "p=%FF",
    "p=%2A6551",
    "r=",
    "r=!!!",
    "m=",
    "m=!!!",
    "m=" + packed(b"{}"),
    "m=" + packed(b"\xdd\xff\xff\xff\xff"),
    "r=" + packed(b"{}"),
    "r=" + packed(b"[" * 50_000),
    "r=" + packed(b'{"format": "fourtwenty-record"}')[:-3],
    "daily=2026-02-30",
    "daily=2026-11-22.chess",
    "daily.chess",
    "nonsense",
    "",
)


@pytest.mark.parametrize("fragment", WRONG)
def test_nonsense_is_a_sentence(fragment: str) -> None:
    with pytest.raises(ValueError, match=r"^This link .*\.$"):
        read_link(fragment)


def test_a_record_is_not_unpacked_beyond_its_limit() -> None:
    """64 KiB, which is ten times what fits into a link that people can send: a bomb unpacks to a thousand times."""
    whole = json.loads(write_record(Record.from_match(played("Ann", "Ben"))))
    padded = json.dumps(whole).encode()
    assert isinstance(read_link("r=" + packed(padded + b" " * (65_536 - len(padded)))), Record)
    with pytest.raises(ValueError, match="This link"):
        read_link("r=" + packed(padded + b" " * (65_536 - len(padded) + 1)))


@given(st.text(LETTERS, max_size=200))
def test_any_text_is_read_or_refused_by_a_sentence(text: str) -> None:
    for fragment in (text, f"p={text}", f"m={text}", f"r={text}", f"daily={text}", f"daily.{text}"):
        with suppress(ValueError):
            read_link(fragment)


def test_a_link_of_the_package_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    package = Message()
    package["Project-URL"] = "Source, https://example.org/source"
    package["Project-URL"] = f"Homepage, {HOME}"
    monkeypatch.setattr(metadata, "metadata", lambda _: package)
    found = links.project_url.__wrapped__
    assert [found(name) for name in ("Homepage", "Source", "Home")] == [HOME, "https://example.org/source", None]
