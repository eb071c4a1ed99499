"""The pages of docs about records: the ten lines find every face right, and a wrong one; the positions can be read."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from shared_table import shared_table

from fourtwenty.games import GAMES
from fourtwenty.journal.record import Record, write_record
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

DOCS = Path(__file__).parents[2] / "docs"
SEED = bytes(range(32))
TEN_LINES, FOR_SEVERAL_MACHINES = re.findall(
    r"```python\n(.*?)```", (DOCS / "fair-dice.md").read_text(encoding="utf-8"), re.DOTALL
)


def exported(game: str) -> Any:
    match = Match.fresh(Lineup((Seat("Zoë"), Seat("Bob"), Seat("Cleo", "Random")), game=game), FairDice(SEED))
    chance = Random(1)
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(chance.choice(match.state.actions))
    return json.loads(write_record(Record.from_match(match)))


def checked(folder: Path, record: Any, lines: str = TEN_LINES) -> tuple[str, str]:
    """Return the output and the errors of these lines of the page, run by a Python without this package."""
    (folder / "match.json").write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, "-I", "-S", "-c", lines]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
    return done.stdout, done.stderr


def test_ten_lines_need_nothing_but_themselves() -> None:
    assert len([line for line in TEN_LINES.splitlines() if line]) == 10
    assert TEN_LINES.startswith("import hashlib, hmac, json\n")
    assert TEN_LINES.count("import") == 1


@pytest.mark.parametrize("game", GAMES)
def test_ten_lines_find_every_face_right_and_a_wrong_one(tmp_path: Path, game: str) -> None:
    record = exported(game)
    assert checked(tmp_path, record) == ("Every face follows from the seed.\n", "")
    number = max(number for number, action in enumerate(record["actions"]) if "faces" in action)
    record["actions"][number]["faces"][0] = 7 - record["actions"][number]["faces"][0]
    assert checked(tmp_path, record)[1].endswith("AssertionError\n")


def test_ten_lines_find_another_seed(tmp_path: Path) -> None:
    record = exported("420")
    record["dice"]["seed"] = "0" * 64
    assert checked(tmp_path, record)[1].endswith("this is not the seed of the beginning\n")


@pytest.mark.parametrize("what", ["id", "game", "players"])
def test_ten_lines_find_another_match_around_the_same_dice(tmp_path: Path, what: str) -> None:
    record = exported("420")
    other = {"id": "0" * 32, "game": "421", "players": record["players"][::-1]}
    assert "AssertionError" in checked(tmp_path, {**record, what: other[what]})[1]


def test_the_lot_is_as_the_page_says(tmp_path: Path) -> None:
    record = exported("420")
    lot = '(hmac.digest(key, b"first 3 0", "sha256"), "big") % 3'
    assert "the text `first n 0`, modulo *n*" in (DOCS / "fair-dice.md").read_text(encoding="utf-8")
    (tmp_path / "match.json").write_text(json.dumps(record), encoding="utf-8")
    code = f"{TEN_LINES}print(int.from_bytes{lot})"
    drawn = subprocess.run([sys.executable, "-I", "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert drawn.stdout.splitlines()[-1] == str(record["first"])


@cache
def shared(game: str) -> str:
    """The record of a match by three machines, in which a throw was given up."""
    table = shared_table(seats=4, machines=3, game=game, seed=7)
    table.play(events=5)
    table.give_up()
    return write_record(Record.from_match(table.play()))


@pytest.mark.parametrize("game", GAMES)
def test_the_lines_for_several_machines_find_every_face_right_and_a_wrong_one(tmp_path: Path, game: str) -> None:
    record = json.loads(shared(game))
    assert record["dice"]["void"]
    right = "Every face follows from the keys of all machines.\n"
    assert checked(tmp_path, record, FOR_SEVERAL_MACHINES) == (right, "")
    number = max(number for number, action in enumerate(record["actions"]) if "faces" in action)
    record["actions"][number]["faces"][0] = 7 - record["actions"][number]["faces"][0]
    assert checked(tmp_path, record, FOR_SEVERAL_MACHINES)[1].endswith("AssertionError\n")


@pytest.mark.parametrize("part", ["key", "tip", "public", "seats", "contributors", "void", "lot", "players", "first"])
def test_the_lines_for_several_machines_find_other_dice_around_the_same_faces(tmp_path: Path, part: str) -> None:
    record = json.loads(shared("420"))
    dice = record["dice"]
    first = dice["machines"][0]
    match part:
        case "key" | "tip" | "public":
            first[part] = first[part][::-1]
        case "seats":
            first[part] = [0]
        case "contributors":
            dice[part] = [[1, [0, 1]]]
        case "void":
            dice[part] = []
        case "lot":
            dice[part] = False
        case "first":
            record[part] = (record[part] + 1) % 4
        case _:
            record[part].reverse()
    assert "AssertionError" in checked(tmp_path, record, FOR_SEVERAL_MACHINES)[1]


def test_twenty_lines_for_several_machines_need_nothing_but_themselves() -> None:
    assert FOR_SEVERAL_MACHINES.startswith("import hashlib, hmac, itertools, json\n")
    assert FOR_SEVERAL_MACHINES.count("import") == 1
    assert len([line for line in FOR_SEVERAL_MACHINES.splitlines() if line]) == 20


def test_the_positions_of_the_page_are_read() -> None:
    page = (DOCS / "records.md").read_text(encoding="utf-8")
    keys = {game.name: key for key, game in GAMES.items()}
    for name, text in re.findall(r"^\| (.*?) \| `(.*roll.*)` \|$", page, re.MULTILINE):
        assert GAMES[keys.pop(name)].parse(text).to_text() == text
    assert not keys
    for text in re.findall(r"`([^`]* pot 21 [^`]*|[^`]*=-:8 [^`]*)`", page):
        assert GAMES["421"].parse(text).to_text() == text
