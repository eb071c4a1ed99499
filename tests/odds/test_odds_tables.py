"""The shipped tables of the odds: damage is noticed when they are read, and is one sentence wherever that happens."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from array import array
from binascii import crc32
from pathlib import Path
from random import Random
from typing import Any
from zlib import decompress

import pytest
from long_tests import mostly_long
from shipped_tables import write_table
from table_pilot import TablePilot, playing
from waiting import MAX_WAIT_SECONDS, until

import fourtwenty
from fourtwenty.games.game import State
from fourtwenty.odds import tables, ten_rounds_solver
from fourtwenty.odds.tables import DamagedTableError, read_table
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.tui.app import FourTwentyApp

PACKAGE = Path(fourtwenty.__file__).parent
NAMES = sorted(path.name for path in (PACKAGE / "odds").iterdir() if path.suffix not in (".py", ""))
TWELVE, FOUR, THREE = (",".join(["bot:Perfect"] * seats) for seats in (12, 4, 3))
SIMULATE = ["simulate", "--matches", "3", "--seed", "2a"]
READ_BY = {
    "bar_421_pairs.table": [*SIMULATE, "--game", "421", "--players", "bot:Perfect,bot:Perfect"],
    "bar_421_rounds.table": [*SIMULATE, "--game", "421", "--players", TWELVE, "--jobs", "2"],
    "bar_421_rounds_of_four.table": [*SIMULATE, "--seed", "c", "--game", "421", "--players", FOUR],
    "bar_421_threes.table": [*SIMULATE, "--game", "421", "--players", TWELVE],
    "ten_rounds_match.table": [*SIMULATE, "--game", "ten-rounds", "--players", THREE],
    "ten_rounds_point.table": [*SIMULATE, "--game", "ten-rounds", "--players", FOUR, "--jobs", "2"],
}
"""A command that reads a table. That of four in the charge, who choose nothing there, is read by reviews."""


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of tables that this process reads, a copy that may be damaged."""
    for name in NAMES:
        shutil.copy(PACKAGE / "odds" / name, tmp_path)
    monkeypatch.setattr(tables, "table_file", tmp_path.joinpath)
    return tmp_path


def test_all_tables_are_known_here() -> None:
    assert sorted([*READ_BY, "bar_421_fours.table"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_two_flipped_bytes_are_noticed(name: str, copied: Path) -> None:
    whole, chance = (copied / name).read_bytes(), Random(name)
    assert read_table(name)
    for _ in range(50):
        damaged = bytearray(whole)
        for place in chance.sample(range(len(whole)), 2):
            damaged[place] ^= chance.randrange(1, 256)
        (copied / name).write_bytes(damaged)
        with pytest.raises(DamagedTableError, match=f"{name} is damaged: install fourtwenty again"):
            read_table(name)


@pytest.mark.parametrize("length", [0, 3, 4, 100, -1])
def test_a_truncated_table_is_noticed(length: int, copied: Path) -> None:
    path = copied / "ten_rounds_point.table"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DamagedTableError, match="is damaged"):
        read_table(path.name)


def test_a_missing_table_is_noticed(copied: Path) -> None:
    (copied / "ten_rounds_point.table").unlink()
    with pytest.raises(
        DamagedTableError, match=r"ten_rounds_point\.table cannot be read \(No such file or directory\): install"
    ):
        read_table("ten_rounds_point.table")


@pytest.mark.usefixtures("copied")
def test_a_written_table_is_read_again() -> None:
    chance = Random(1)
    parts: list[array[Any]] = [
        array("d", [chance.random() for _ in range(100)]),
        array("f", [0.5, 0.25]),
        array("I", [0, 1, 2**32 - 1]),
        array("H", [1, 2**16 - 1]),
        array("B", range(256)),
        array("d"),
    ]
    write_table("new.table", parts)
    assert [part.numbers() for part in read_table("new.table")] == parts
    assert [part.code for part in read_table("new.table")] == ["d", "f", "I", "H", "B", "d"]


def test_the_format_of_a_table(copied: Path) -> None:
    """Of two numbers all first bytes come first, little-endian; the CRC-32 is that of the module binascii."""
    write_table("new.table", [array("H", [0x0102, 0x0304])])
    stored = (copied / "new.table").read_bytes()
    assert stored[:5] == b"H" + (len(stored) - 9).to_bytes(4, "little")
    assert decompress(stored[5:-4]) == b"\x02\x04\x01\x03"
    assert stored[-4:] == crc32(stored[:-4]).to_bytes(4, "little")


@mostly_long("name", READ_BY, [next(iter(READ_BY))], "fourtwenty/odds/", "fourtwenty/cli/", "fourtwenty/__main__.py")
def test_on_the_command_line_a_damaged_table_is_one_line(name: str, tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "fourtwenty", ignore=shutil.ignore_patterns("__pycache__", "tui", "web"))
    path = tmp_path / "fourtwenty" / "odds" / name
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    path.write_bytes(damaged)
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "FOURTWENTY_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "fourtwenty", *READ_BY[name]],
        capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, cwd=tmp_path, env=environment,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"fourtwenty: {path} is damaged: install fourtwenty again\n"


def damaged(_: State) -> None:
    raise DamagedTableError("ten_rounds_point.table is damaged: install fourtwenty again")


async def test_under_the_coach_a_damaged_table_ends_the_app_with_that_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lineup = Lineup(parse_players("Ann,Ben,Cas"), starting_seat=0, game="ten-rounds", coach="full")
    async with playing(lineup, [(6, 4, 2)]) as pilot:
        await pilot.turn()
        monkeypatch.setattr(ten_rounds_solver, "choices", damaged)
        await pilot.press("a", "r")
        await ended(pilot)


async def test_with_a_bot_a_damaged_table_ends_the_app_with_that_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ten_rounds_solver, "best", damaged)
    lineup = Lineup(parse_players("Ann,bot:Perfect,Ben"), starting_seat=0, game="ten-rounds")
    async with playing(lineup, [(6, 4, 2), (5,), (6, 5, 2)]) as pilot:
        for keys in (["a", "r"], ["1", "r"], ["s"]):
            await pilot.turn()
            await pilot.press(*keys)
        await ended(pilot)


async def ended(pilot: TablePilot) -> None:
    """Wait until the app has ended with the sentence about damage."""
    app = pilot.app
    assert isinstance(app, FourTwentyApp)
    await until(lambda: bool(app.damage))
    assert app.damage == "ten_rounds_point.table is damaged: install fourtwenty again"
