"""The names that the fold of a room takes and refuses: alike on all machines, whatever Unicode their Python knows."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from hashlib import sha256

import pytest
from machines import TABLE, TestMachine, at_head, entry

from fourtwenty.play.bots import BOTS
from fourtwenty.play.format import name_key
from fourtwenty.play.lineup import Seat, free_name
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.names import check_seat, is_assigned
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.room import InvalidEntryError, Room
from fourtwenty.rooms.wire.presence import Presence

TAKEN = ""
YOU = 'Everybody here is "you" to themselves: use the name that the others know you by.'
GUEST = "Everybody here is a guest: use the name that the others know you by."
STEADY = "Steady is the name of a bot: use another name."
EMPTY = "Enter a name."
LINE = "A name is one line of text."

EVENING = (
    ("Ann", None, TAKEN),
    ("ANN", None, "ANN is already at the table."),
    ("Ａｎｎ", None, "Ａｎｎ is already at the table."),
    (" Ann\u3000", None, "Ann is already at the table."),
    ("An\u200bn", None, "An\u200bn is already at the table."),
    ("Ann\ufe0f", "Bold", "Ann\ufe0f is already at the table."),
    ("A\u034fnn", None, "A\u034fnn is already at the table."),
    ("Ann\ufff9", None, "Ann\ufff9 is already at the table."),
    ("Anna", None, TAKEN),
    ("Straße", None, TAKEN),
    ("STRASSE", None, "STRASSE is already at the table."),
    ("Zoe\u0308", None, TAKEN),
    ("Zoë", None, "Zoë is already at the table."),
    ("Σίσυφος", None, TAKEN),
    ("ΣΊΣΥΦΟΣ", None, "ΣΊΣΥΦΟΣ is already at the table."),
    ("\u13a0", None, TAKEN),
    ("\uab70", None, "\uab70 is already at the table."),
    ("漢字", None, TAKEN),
    ("👨\u200d👩\u200d👧", None, TAKEN),
    ("👨👩👧", None, "👨👩👧 is already at the table."),
    ("You", None, YOU),
    ("yOU ", None, YOU),
    ("Ｙｏｕ", None, YOU),
    ("Yo\u200du", None, YOU),
    ("You", "Bold", YOU),
    ("Young", None, TAKEN),
    ("Guest", None, GUEST),
    ("ＧＵＥＳＴ", None, GUEST),
    ("guest", "Steady", GUEST),
    ("Steady", None, STEADY),
    ("stea\u2060dy", None, STEADY),
    ("Steady 2", None, STEADY),
    ("ＳＴＥＡＤＹ ２", None, STEADY),
    ("Steady (bot)", None, STEADY),
    ("Steady", "Tipsy", STEADY),
    ("Steady 3", "Tipsy", STEADY),
    ("Steady", "Steady", TAKEN),
    ("Steady", "Steady", "Steady is already at the table."),
    ("Steady 2", "Steady", TAKEN),
    ("Steady Eddie", None, TAKEN),
    ("Cleo", "Perfect", TAKEN),
    ("\U0001fae8", None, "Not every machine knows the character U+1FAE8 yet: leave it out of the name."),
    ("A\u0378", None, "Not every machine knows the character U+0378 yet: leave it out of the name."),
    ("\ua7dc", None, "Not every machine knows the character U+A7DC yet: leave it out of the name."),
    ("A\U00013439", None, "Not every machine knows the character U+13439 yet: leave it out of the name."),
    ("\U0010ffff", None, "Not every machine knows the character U+10FFFF yet: leave it out of the name."),
    ("\U0001fae0", None, TAKEN),
    ("", None, EMPTY),
    ("\u2800\u3164", None, EMPTY),
    ("\u0600", None, EMPTY),
    ("\u1680", None, EMPTY),
    ("A\nB", None, LINE),
    ("\u202eA", None, LINE),
    ("\ud800", None, LINE),
    ("W" * 300, None, TAKEN),
    ("W" * 301, None, "A name has 300 characters at most."),
)
"""Players who sit down one after another, each at a machine of their own: the name, the bot, and the refusal."""
KEYS = "a57e552616cf8f7939f52d31f74ce2a0a45ba4b93c32ac05b3b00b07214cbdef"
"""The digest of the keys of all characters of Unicode 14.0, on every supported Python."""


@cache
def assigned() -> tuple[int, ...]:
    """The code points that the fold takes for those of Unicode 14.0."""
    return tuple(code for code in range(sys.maxunicode + 1) if is_assigned(chr(code)))


def test_every_python_folds_the_same_names() -> None:
    room, refusals = Room(TABLE), []
    for number, (name, bot, _) in enumerate(EVENING):
        machine = TestMachine(str(number), [Seat(name, bot)], "420")
        body = at_head(room, machine.local.sit(SeatRequest(machine.players)))
        try:
            room.feed(entry(machine.public, body))
        except InvalidEntryError as refusal:
            refusals.append(str(refusal))
        else:
            refusals.append(TAKEN)
    assert refusals == [refusal for _, _, refusal in EVENING]


def test_every_character_of_unicode_14_has_the_same_key_on_every_python() -> None:
    digest = sha256()
    for code in assigned():
        if not 0xD800 <= code < 0xE000:  # half characters, which UTF-8 has not
            digest.update(name_key.__wrapped__(f"a{chr(code)}z").encode() + b"\n")
    assert digest.hexdigest() == KEYS


def test_the_table_has_the_characters_of_unicode_14() -> None:
    known = {code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) != "Cn"}
    assert known.issuperset(assigned())
    assert len(assigned()) == 284_278
    assert len(known) == len(assigned()) or unicodedata.unidata_version != "14.0.0"


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_has_its_name_as_the_program_numbers_it_and_no_person_has(bot: str) -> None:
    seats: list[Seat] = []
    for _ in range(3):
        seat = Seat(free_name(bot, seats), bot)
        assert check_seat(seat, seats) is None
        assert check_seat(Seat(seat.name), ()) == f"{bot} is the name of a bot: use another name."
        seats.append(seat)


@pytest.mark.parametrize("name", ["You", "guest", "Steady", "\U0001fae8"])
def test_a_spectator_has_no_name_that_no_player_may_have(name: str) -> None:
    presence = Presence(b"ann", lambda: 0.0)
    presence.record_heartbeat(b"ben", {"at": "here", "name": name, "watching": True})
    assert [presence.name(each) for each in presence.spectators(())] == ["A guest"]


@pytest.mark.parametrize(("user", "name"), [("dora", "Dora"), ("guest", "Host"), ("you", "Host"), ("merry", "Host")])
def test_nobody_is_offered_a_name_that_the_table_refuses(user: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: user)
    assert own_name() == name
