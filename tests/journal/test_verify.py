"""The command that verifies records, and records that somebody has meddled with: never a wrong "OK"."""

from __future__ import annotations

import copy
import io
import json
import os
import subprocess
import sys
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from long_tests import soak, try_out
from msgspec.structs import replace
from processes import program

from fourtwenty.__main__ import main
from fourtwenty.games import GAMES
from fourtwenty.games.game import IllegalAction, InvalidAction, Roll, Stand
from fourtwenty.journal.record import Record, RecordError, fingerprint, read_record, verify_record, write_record
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

SEATS = (Seat("Ann"), Seat("Bob"), Seat("Cleo", "Random"))


@cache
def played(game: str, number: int = 0) -> str:
    """The text of a whole match with fair dice, of random actions."""
    chance = Random(number)
    dice = FairDice(chance.randbytes(32))
    match = Match(Lineup(SEATS, game=game), dice, identifier=f"{number:032x}")
    while not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(chance.choice(match.state.actions))
    return write_record(Record.from_match(match))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records") / "match.json"


def verified(file: Path, text: str | bytes, *options: str) -> tuple[int, str, str]:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(["verify", str(file), *options])
        except SystemExit as end:
            status = int(end.code or 0)
    return status, out.getvalue(), err.getvalue()


def played_so(record: Any) -> bool:
    """Whether fair dice of the record's seed, thrown for its actions, make the match that it tells of."""
    dice = FairDice(bytes.fromhex(record["dice"]["seed"]))
    seats = tuple(Seat(player["name"], None if player["kind"] == "human" else "Random") for player in record["players"])
    lineup = Lineup(seats, game=record["game"], starting_seat=record["first"])
    start = GAMES[record["game"]].parse(record["position"]) if "position" in record else None
    match = Match(lineup, dice, start, identifier=record["id"])
    for told in record["actions"]:
        if match.state.to_act is None and not match.state.outcome:
            match.next_round()
        try:
            event = match.act(Roll(tuple(told["roll"])) if "roll" in told else Stand())
        except (IllegalAction, InvalidAction):
            return False
        if (event.seat, list(event.faces)) != (told["seat"], told.get("faces", [])):
            return False
    return bool(dice.commitment == record["dice"]["commitment"] and came_so(match, record["result"]))


def came_so(match: Match, result: Any) -> bool:
    outcome = match.state.outcome
    if not outcome or not result:
        return not outcome and result is None
    shared = [tuple(item) if isinstance(item, list) else (item,) for item in result["places"]]
    return shared == list(outcome.places)


# -- meddled with ----------------------------------------------------------------------------------------------------


def parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a document: what holds it, and the key."""
    for key in range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ():
        yield value, key
        yield from parts(value[key])


def meddle(record: Any, chance: Random) -> None:
    """Change one thing anywhere in a document."""
    within, key = chance.choice([*parts(record)])
    change = chance.randrange(6)
    if change == 0:
        del within[key]
    elif change == 1 and isinstance(within, list):
        within.insert(key, copy.deepcopy(chance.choice(within)))
    elif change == 2 and isinstance(within, list):
        chance.shuffle(within)
    elif change == 3:
        other, elsewhere = chance.choice([*parts(record)])
        within[key] = copy.deepcopy(other[elsewhere])
    elif type(within[key]) is int:
        within[key] += chance.choice((-1, 1))
    else:
        within[key] = chance.choice((None, True, 0, 1, 2, 1.5, "", "Dora", "a" * 64, [], [1], {}, {"kind": "typed"}))


def right(chance: Random) -> Any:
    """A right record: of dice that are fair, or typed, or whose seed is withheld yet."""
    record = json.loads(played(chance.choice(sorted(GAMES)), chance.randrange(5)))
    kind = chance.random()
    if kind < 0.1:
        record["dice"] = {"kind": "typed"}
    elif kind < 0.2:
        record["dice"]["seed"] = record["result"] = None
        del record["actions"][chance.randrange(len(record["actions"])) :]
    return record


@soak(short=80, whole=4_000)
def test_a_document_meddled_with_is_never_ok_unless_it_could_have_been_played_so(file: Path, trials: int) -> None:
    def trial(chance: Random) -> None:
        record = right(chance)
        for _ in range(chance.randint(1, 2)):
            meddle(record, chance)
        check(record, *verified(file, json.dumps(record)))

    try_out(trials, trial)


@soak(short=80, whole=4_000)
def test_a_text_meddled_with_is_never_ok_unless_it_could_have_been_played_so(file: Path, trials: int) -> None:
    def trial(chance: Random) -> None:
        text = json.dumps(right(chance), indent=chance.choice((None, 1)))
        for _ in range(chance.randint(1, 3)):
            start = chance.randrange(len(text) + 1)
            end = start + chance.choice((0, 1, 1, 1, 5, 80, len(text)))
            text = text[:start] + chance.choice(["", *'0123456a"[]{},: ', "null", text[start : end + 1]]) + text[end:]
        status, out, err = verified(file, text)
        check(json.loads(text) if status == 0 else None, status, out, err)

    try_out(trials, trial)


def check(record: Any, status: int, out: str, err: str) -> None:
    if status:
        assert status in (1, 2)
        assert out == ""
        assert err.startswith("fourtwenty verify: ")
        assert err.count("\n") == 1
        return
    assert (out.count("\n"), err) == (1, "")
    if record["dice"]["kind"] == "typed":
        assert "the faces are as people typed them" in out
    elif record["dice"]["seed"] is None:
        assert out.startswith("OK so far: ")
        assert "no face can be checked" in out
        assert record["result"] is None
    else:
        assert played_so(record)


@pytest.mark.parametrize("game", GAMES)
def test_one_face_changed_anywhere_is_found(game: str) -> None:
    record = read_record(played(game))
    verify_record(record)
    for number, event in enumerate(record.events):
        for place, face in enumerate(event.faces):
            faces = (*event.faces[:place], face % 6 + 1, *event.faces[place + 1 :])
            changed = replace(record.actions[number], faces=faces)
            actions = (*record.actions[:number], changed, *record.actions[number + 1 :])
            with pytest.raises(
                RecordError, match=f"^action {number + 1}, {record.names[event.seat]}: The seed throws "
            ):
                verify_record(replace(record, actions=actions))


# -- the command -----------------------------------------------------------------------------------------------------


def test_what_is_right_is_said_in_a_line(file: Path) -> None:
    status, out, err = verified(file, played("420"))
    assert (status, err) == (0, "")
    print_ = fingerprint(played("420"))
    begin, end = "OK: 420, Ann, Bob, Cleo; 27 rolls; ", f"; Cleo buys the drinks; fingerprint {print_}.\n"
    assert out == f"{begin}the draw and every face follow from the seed{end}"
    assert "; every face follows from the seed; " in verified(file, played("421"))[1]
    reformatted = json.dumps(json.loads(played("420")), indent=4)
    assert verified(file, reformatted)[1] == out, "the fingerprint is that of the record as it is written"


def test_a_seed_that_was_given_is_said_to_be(file: Path) -> None:
    record = json.loads(played("421", 1))
    assert "given" not in verified(file, json.dumps(record))[1]
    record["dice"]["given"] = True
    assert "; the seed was given by a player, not drawn; " in verified(file, json.dumps(record))[1]


def test_strictly_a_record_whose_faces_nobody_can_check_is_wrong(file: Path) -> None:
    record = json.loads(played("420", 1))
    assert verified(file, json.dumps(record), "--strict")[0] == 0
    withheld = copy.deepcopy(record)
    withheld["dice"]["seed"] = withheld["result"] = None
    del withheld["actions"][3:]
    typed = {**record, "dice": {"kind": "typed"}}
    for unchecked, why in ((withheld, "its seed is withheld"), (typed, "its faces were typed")):
        assert verified(file, json.dumps(unchecked))[0] == 0
        status, out, err = verified(file, json.dumps(unchecked), "--strict")
        assert (status, out) == (1, "")
        assert err == f"fourtwenty verify: {why}, so nobody can check {'them' if 'typed' in why else 'its faces'}\n"


def test_a_start_that_was_set_is_said_to_be(file: Path) -> None:
    chance = Random(1)
    for first in range(3):
        match = Match(Lineup(SEATS, starting_seat=first), FairDice(bytes(32)), identifier="0" * 32)
        while not match.state.outcome:
            match.next_round() if match.state.to_act is None else match.act(chance.choice(match.state.actions))
        out = verified(file, write_record(Record.from_match(match)))[1]
        assert (f"; {SEATS[first].name} was set to start; every face follows" in out) != (
            "; the draw and every face" in out
        )


@pytest.mark.parametrize(("actions", "rolls"), [(0, "0 rolls"), (1, "1 roll"), (3, "3 rolls")])
def test_a_match_that_goes_on_is_said_to(file: Path, actions: int, rolls: str) -> None:
    record = json.loads(played("420"))
    record["dice"]["seed"] = record["result"] = None
    del record["actions"][actions:]
    status, out, _ = verified(file, json.dumps(record))
    assert status == 0
    assert out.startswith(f"OK so far: 420, Ann, Bob, Cleo; {rolls}; no face can be checked before the seed is shown")
    assert " to roll; fingerprint " in out


def test_the_good_part_can_be_shown(file: Path) -> None:
    record = json.loads(played("420"))
    record["actions"][2]["faces"][0] = 7 - record["actions"][2]["faces"][0]
    status, out, err = verified(file, json.dumps(record), "--until-error")
    assert (status, out) == (1, "Ann rolled 4 2 4 2: 12.\nBob rolled 6 3 6 2: 17.\n")
    assert err.startswith("fourtwenty verify: action 3, Cleo: The seed throws ")
    assert verified(file, played("420"), "--until-error")[1].count("\n") == 28


def test_a_record_comes_through_standard_input_too() -> None:
    command = [sys.executable, "-m", "fourtwenty", "verify", "-"]
    done = subprocess.run(command, input=BOM_UTF8 + played("421").encode(), capture_output=True, timeout=60)
    assert done.returncode == 0
    assert done.stdout.startswith(b"OK: 421, Ann, Bob, Cleo; ")


@pytest.mark.terminal
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("named", [True, False], ids=["a pipe with a name", "standard input"])
def test_a_pipe_that_nobody_writes_to_is_waited_for_and_named(tmp_path: Path, named: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "fourtwenty", "verify", pipe if named else "-"]
    with program(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as verify:
        assert verify.stdin
        assert verify.stdout
        assert verify.stderr
        told = verify.stderr.readline().decode()
        source = str(pipe) if named else "standard input"
        assert told == f"fourtwenty verify: waiting for the end of {source}; ctrl+c stops it\n"
        with pipe.open("wb") if named else verify.stdin as writing:
            writing.write(played("420").encode())
        assert verify.stdout.read().startswith(b"OK: 420, Ann, Bob, Cleo; ")
        assert verify.stderr.read() == b""
        assert verify.wait() == 0


@pytest.mark.parametrize(
    ("mark", "encoding"), [(BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16-le"), (BOM_UTF16_BE, "utf-16-be")]
)
def test_a_record_as_windows_writes_it_is_the_same_record(file: Path, mark: bytes, encoding: str) -> None:
    right = verified(file, played("421"))
    assert right[0] == 0
    assert verified(file, mark + played("421").replace("\n", "\r\n").encode(encoding)) == right


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff", "this is no record: it is not text in UTF-8 or UTF-16"),
        (b"\xff\xfe{", "this is no record: it is not text in UTF-8 or UTF-16"),
        (b"\xff\xfe", "this is no record: it is no JSON in line 1, column 1"),
        (b"\xef\xbb\xbf{}", "this is no record: its format is not 'fourtwenty-record'"),
        (b"[" * 3_000_000, "this is no record: its brackets are nested too deeply"),
        (b" " * 10_000_000, "this is no record: it has more than 4,000,000 bytes"),
        (bytes(3_000_000), "this is no record: it is no JSON in line 1, column 1"),
    ],
    ids=["latin-1", "half a letter", "a mark alone", "bom", "nested", "10 MB", "zeros"],
)
def test_junk_is_refused_in_a_line(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "junk").write_bytes(content)
    assert refused(tmp_path / "junk") == f"fourtwenty verify: {reason}\n"


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    why = "Permission denied" if sys.platform == "win32" else "Is a directory"
    assert refused(tmp_path) == f"fourtwenty verify: {tmp_path} cannot be read: {why}\n"
    missing = tmp_path / "none.json"
    assert refused(missing) == f"fourtwenty verify: {missing} cannot be read: No such file or directory\n"


def refused(path: Path) -> str:
    err = io.StringIO()
    with redirect_stderr(err), pytest.raises(SystemExit) as end:
        main(["verify", str(path)])
    assert end.value.code == 2
    return err.getvalue()
