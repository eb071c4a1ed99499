"""Values that hold a secret do not show it, wherever they are printed: in a traceback, a log or a report of a crash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from machines import TABLE
from rich.pretty import pretty_repr

from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import KEY_BYTES
from fourtwenty.rooms.encryption import MachineKey, RoomKeys
from fourtwenty.rooms.local_machine import Chain, LocalMachine
from fourtwenty.rooms.room import Room
from fourtwenty.rooms.room_file import RoomFile

SECRET = bytes(range(200, 200 + KEY_BYTES))
KEYS = RoomKeys.from_code("K7QF-3XMP")
HOLDERS: dict[str, tuple[Callable[[], object], tuple[bytes | str, ...]]] = {
    "FairDice": (
        lambda: FairDice(SECRET).with_context(b"a match"),
        (SECRET, FairDice(SECRET).with_context(b"a match").bot_seed),
    ),
    "ManualDice": (lambda: ManualDice(SECRET), (SECRET,)),
    "Match": (lambda: Match(Lineup(starting_seat=0), FairDice(SECRET)), (SECRET,)),
    "Chain": (lambda: Chain(TABLE, SECRET, 20), (SECRET, Chain(TABLE, SECRET, 20).key(19))),
    "RoomKeys": (lambda: KEYS, (KEYS.code, KEYS.table, KEYS.entry_key, KEYS.login, KEYS.nonce_key)),
    "MachineKey": (lambda: MachineKey(SECRET), (SECRET,)),
    "LocalMachine": (lambda: LocalMachine(Room(TABLE), MachineKey(SECRET).public, SECRET, chain_length=20), (SECRET,)),
}
"""Each with everything that it must not show."""


def shown(value: object) -> str:
    """Return every form in which a value is printed; Textual's report of a crash is by Rich."""
    return "\n".join((repr(value), str(value), f"{value}", pretty_repr(value), pretty_repr({"local": [value]})))


def spelled(secret: bytes | str) -> set[str]:
    """Return the ways in which a secret may be printed."""
    return {secret} if isinstance(secret, str) else {secret.hex(), repr(secret)[2:-1]}


@pytest.mark.parametrize("name", HOLDERS)
def test_a_secret_is_not_shown(name: str) -> None:
    make, secrets = HOLDERS[name]
    text = shown(make())
    assert name in text
    for secret in secrets:
        assert not [spelling for spelling in spelled(secret) if spelling in text]


def test_the_file_of_a_room_does_not_show_its_secret(tmp_path: Path) -> None:
    file = RoomFile(KEYS.room, KEYS.code, "192.168.1.23", tmp_path)
    try:
        assert file.secret.hex() not in shown(file)
        assert repr(file.secret)[2:-1] not in shown(file)
    finally:
        file.close()
