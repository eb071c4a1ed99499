"""Texts and bytes that enter a hash or are encrypted, and files that are written, byte for byte as in ``golden.txt``.

Names that are not ASCII show how each of them is escaped. A difference means that other versions find other dice, a
wrong fingerprint or no entry: the file changes only together with the version of a format.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
import shared_table
from machines import TABLE

from fourtwenty.journal.record import Record, fingerprint, write_record
from fourtwenty.journal.settings import Settings
from fourtwenty.journal.shared_keys import SharedKeys
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import FairDice, match_context
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import Machine, match_digest
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import Body, LocalMachine, SeatRequest
from fourtwenty.rooms.room import Room

GOLDEN = Path(__file__).with_name("golden.txt")
NAMES = ("Zoë", "李小龍", 'Ann "🎲" O\\Neill', "Ünal\u200d")
SEATS = (*map(Seat, NAMES), Seat("Random", "Random"))


def played(match: Match) -> Match:
    """Play a match to its end by random actions that follow from a seed."""
    luck = Random(420)
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(BOTS["Random"].policy(luck.random)(match.state))
    return match


def record(game: str) -> str:
    match = Match(Lineup(SEATS[:3], game=game), FairDice(sha256(b"golden").digest(), given=True), identifier="f" * 32)
    match.set_coach("odds")
    return write_record(Record.from_match(played(match)))


def entries() -> list[bytes]:
    """Return entries of a machine in a room, signed and sealed."""
    keys, machine = RoomKeys.from_code("K7QF-3XMP"), MachineKey(bytes(range(32)))
    station = LocalMachine(Room(TABLE), machine.public, bytes(32), chain_length=20)
    bodies: list[Body] = [
        station.sit(SeatRequest(SEATS, "421", 3, 60)) | {"place": "Zoë’s 📱", "host": machine.public.hex()},
        {"é": [1, -2, None, True, {}]},
    ]
    return [encrypt_entry(keys, machine, body) for body in bodies]


def opened(data: bytes) -> str:
    """Return the digest and the text of a sealed entry."""
    entry = decrypt_entry(RoomKeys.from_code("K7QF-3XMP"), data)
    assert entry
    return f"{entry.digest.hex()} {json.dumps(entry.body)}"


def written(folder: Path) -> dict[str, str]:
    """Return every text by its name in the golden file."""
    players = [(seat.name, "bot" if seat.bot else "human") for seat in SEATS]
    machines = [Machine(bytes([number]) * 32, bytes([9]) * 32, (number,)) for number in range(len(SEATS))]
    lineup = Lineup(SEATS, starting_seat=1, game="ten-rounds", coach="full", first_to=3)
    lineup.save(folder / "lineup")
    Settings(theme="Größe", pace="quick", others={"keys": {"roll": "é"}, "newer": [1.5, None]}).save(
        folder / "settings"
    )
    table = shared_table.shared_table(3, 2, seed=0, steps=400)
    match = table.play()
    return {
        "context of a match": match_context("0" * 32, "420", players).decode("ascii"),
        "digest of a match, lot": match_digest(TABLE, machines, "420", players, None).hex(),
        "digest of a match, first": match_digest(TABLE, machines, "ten-rounds", players, 4).hex(),
        "sealed entries": "\n".join(sha256(data).hexdigest() for data in entries()),
        "opened entries": "\n".join(map(opened, entries())),
        "record of fair dice, 420": record("420"),
        "fingerprints of fair dice, 421 and ten-rounds": " ".join(
            fingerprint(record(g)) for g in ("421", "ten-rounds")
        ),
        "fingerprint of a record of shared dice": fingerprint(write_record(Record.from_match(match))),
        "shared dice in the history": SharedKeys.of(table.dice, len(match.events)).to_json().decode("ascii"),
        "record of shared dice": write_record(Record.from_match(match)),
        "line-up in the history": json.dumps(lineup.to_json(), ensure_ascii=False),
        **{f"file of the {name}": (folder / name).read_text("utf-8") for name in ("lineup", "settings")},
    }


def test_what_is_hashed_sealed_and_written_is_as_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table, "NAMES", (*NAMES[:2], "Ünal\u200d"))
    found = "".join(f"== {name}\n{text.rstrip(chr(10))}\n" for name, text in written(tmp_path).items())
    assert found.encode() == GOLDEN.read_bytes()
