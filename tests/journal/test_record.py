"""A match as text: written and read alike, read strictly, verified to the last face."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from letters import LETTERS
from long_tests import PRODUCT
from msgspec import UNSET
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, RecordError, fingerprint, read_record, verify_record, write_record
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat, check_name
from fourtwenty.play.match import Match

SEED = bytes(range(32))
IDENTIFIER = "1123456789abcdef" * 2
THREE = (Seat("Ann"), Seat("Bob"), Seat("Cleo", "Random"))


def played(match: Match, chance: Random, events: int = 10_000) -> Match:
    """Let everybody do anything legal, until the match is over or so much has happened."""
    while len(match.events) < events and not match.state.outcome:
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(chance.choice(match.state.actions))
    return match


def whole(game: str = "420", first: int | None = None, seed: bytes = SEED) -> Record:
    """The record of a whole match of three."""
    lineup = Lineup(THREE, game=game, starting_seat=first)
    return Record.from_match(played(Match(lineup, FairDice(seed), identifier=IDENTIFIER), Random(4)))


@pytest.mark.parametrize("name", ["Ann\ufe0f", "A\u034fnn", "\u034f"])
def test_a_match_whose_players_look_alike_is_resumed_and_its_record_verified(name: str, history: History) -> None:
    """No new seat gets such a name beside Ann, but matches and records with it were made."""
    lineup = Lineup((Seat("Ann"), Seat(name)))
    assert lineup.check()
    played(Match(lineup, FairDice(SEED), identifier=IDENTIFIER, journal=history.journal()), Random(4), 3)
    resumed = played(history.resume(1), Random(4))
    assert resumed.names == ("Ann", name)
    record = read_record(write_record(Record.from_match(resumed)))
    verify_record(record)
    assert set(history.people()) == {"Ann", name}


@settings(deadline=None, max_examples=60)
@given(
    game=st.sampled_from(sorted(GAMES)),
    names=st.lists(st.text(LETTERS, max_size=12), min_size=2, max_size=5),
    first=st.integers(0, 4) | st.none(),
    chance=st.integers(0, 2**32).map(Random),
    events=st.integers(0, 150),
    seed=st.binary(min_size=32, max_size=32),
    set_up=st.booleans(),
)
def test_a_record_is_read_as_it_was_written_and_verified(
    game: str, names: list[str], first: int | None, chance: Random, events: int, seed: bytes, set_up: bool
) -> None:
    seats: list[Seat] = []
    for name in [*names, "Ann", "Bob"]:
        if check_name(name, seats) is None:
            seats.append(Seat(name, chance.choice([None, "Steady"])))
    lineup = Lineup(tuple(seats), game=game, starting_seat=None if first is None else first % len(seats))
    match = played(Match(lineup, FairDice(seed), identifier=IDENTIFIER), chance, events)
    if set_up and not match.state.outcome:
        match = played(Match(lineup, FairDice(seed), match.state, identifier=IDENTIFIER), chance, events)
    record = Record.from_match(match)
    text = write_record(record)
    assert read_record(text) == record
    assert write_record(read_record(text)) == text
    assert verify_record(record) == match.state
    assert (seed.hex() in text) == (match.state.outcome is not None), "the seed is secret until the end"


def test_a_record_says_from_when_on_the_odds_were_on_the_table() -> None:
    match = Match(Lineup(THREE, starting_seat=0), FairDice(SEED), identifier=IDENTIFIER)
    match = played(match, Random(4), events=4)
    match.set_coach("odds")
    match.set_coach("full")
    match = played(match, Random(5), events=6)
    match.set_coach("off")
    record = Record.from_match(match)
    assert json.loads(write_record(record))["coach"] == [{"from": 5, "level": "full"}, {"from": 7, "level": "off"}]
    assert read_record(write_record(record)) == record
    for changes, reason in (
        ([{"from": 1, "level": "loud"}], r"coach\[1\]: the coach is one of off, odds, full"),
        ([{"from": 0, "level": "odds"}], r"coach\[1\]\.from: expected `int` >= 1"),
        ([{"from": 5, "level": "odds"}, {"from": 5, "level": "full"}], "coach: it changes at actions of the match"),
        ([{"from": 8, "level": "odds"}], "coach: it changes at actions of the match"),
    ):
        with pytest.raises(ValueError, match=reason):
            read_record(json.dumps({**json.loads(write_record(record)), "coach": changes}))
    assert "coach" not in json.loads(write_record(replace(record, coach=UNSET)))


def test_a_record_is_the_one_of_the_design() -> None:
    match = Match(Lineup(THREE[:2], starting_seat=1), FairDice(bytes(32), given=True), identifier=IDENTIFIER)
    played(match, Random(1))
    record = json.loads(write_record(Record.from_match(match)))
    assert list(record) == ["format", "version", "id", "game", "players", "first", "dice", "actions", "result"]
    assert (record["version"], record["id"]) == (1, IDENTIFIER)
    assert record["players"] == [{"name": "Ann", "kind": "human"}, {"name": "Bob", "kind": "human"}]
    assert (record["first"], record["actions"][0]["seat"]) == (1, 1)
    assert record["dice"] == {
        "kind": "fair", "commitment": FairDice(bytes(32)).commitment, "seed": "00" * 32, "given": True
    }  # fmt: skip
    assert record["actions"][0] == {"seat": 1, "roll": [1, 2, 3, 4], "faces": [*match.events[0].faces]}
    assert match.state.outcome
    assert record["result"] == {"places": [seat for (seat,) in match.state.outcome.places]}


@cache
def shared() -> Record:
    """The record of a match whose second place two seats share."""
    records = (whole("ten-rounds", seed=bytes([number] * 32)) for number in range(100))
    return next(record for record in records if record.places and len(record.places) == 2)


def test_seats_that_share_a_place_are_a_list_of_their_own() -> None:
    (first,), (second, third) = shared().places or ()
    assert json.loads(write_record(shared()))["result"] == {"places": [first, [second, third]]}
    assert read_record(write_record(shared())) == shared()
    assert verify_record(shared()).outcome


def test_other_players_another_match_throw_other_dice() -> None:
    record = whole()
    others = [
        replace(record, identifier="f" * 32),
        replace(record, players=(record.players[0], replace(record.players[1], name="Bobby"), record.players[2])),
        replace(record, players=(record.players[0], replace(record.players[1], kind="bot"), record.players[2])),
    ]
    for other in others:
        with pytest.raises(RecordError, match="The seed throws"):
            verify_record(other)


def test_the_fingerprint_of_a_record_is_the_sha_256_of_its_text() -> None:
    record = whole()
    assert fingerprint(write_record(record)) == sha256(write_record(record).encode()).hexdigest()
    assert fingerprint(write_record(record)) != fingerprint(write_record(replace(record, identifier="f" * 32)))


def test_a_match_of_a_simulation_has_no_record() -> None:
    with pytest.raises(ValueError, match="a match without an identifier has no record"):
        Record.from_match(Match(Lineup(THREE)))


def test_an_action_has_a_line_of_its_own() -> None:
    record = whole("421")
    lines = write_record(record).splitlines()
    actions = [json.loads(line.strip(" ,")) for line in lines if '"seat"' in line]
    assert len(actions) == len(record.events)
    assert {"seat": actions[-1]["seat"], "stand": True} in actions


def test_of_typed_dice_only_the_faces_are_known() -> None:
    match = Match(Lineup(THREE[:2], starting_seat=0), ScriptedDice([(6, 5, 5, 4)]), identifier=IDENTIFIER)
    match.act(Roll((1, 2, 3, 4)))
    text = write_record(Record.from_match(match))
    assert json.loads(text)["dice"] == {"kind": "typed"}
    assert verify_record(read_record(text)).outcome


def test_a_match_that_goes_on_keeps_its_seed_to_itself() -> None:
    match = played(Match(Lineup(THREE), FairDice(SEED), identifier=IDENTIFIER), Random(4), 3)
    record = json.loads(write_record(Record.from_match(match)))
    assert (record["dice"]["seed"], record["result"]) == (None, None)
    assert record["dice"]["commitment"] == match.dice.commitment


def test_a_position_that_was_set_up_is_part_of_the_record() -> None:
    start = GAMES["420"].parse("*6551 >4332 x1 roll 2")
    match = played(Match(Lineup(THREE), FairDice(SEED), start, identifier=IDENTIFIER), Random(4))
    record = json.loads(write_record(Record.from_match(match)))
    assert (record["first"], record["position"]) == (0, "*6551 >4332 x1 roll 2")
    assert verify_record(read_record(json.dumps(record))) == match.state


def test_who_starts_is_drawn_by_the_lot_of_the_seed_or_set() -> None:
    drawn = whole().start.starting_seat
    assert drawn is not None
    assert whole().drawn
    assert whole(first=drawn).drawn, "nobody can tell, and nobody gains"
    assert not whole(first=(drawn + 1) % 3).drawn
    assert not whole("421").drawn


# -- what is no record ------------------------------------------------------------------------------------------------


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.pop(key)


def put(value: object, *path: str | int) -> Callable[[dict[str, Any]], None]:
    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return change


NO_ACTION = "actions[2]: expected a roll with its faces, stand: true, or leave: true"
NO_DIGEST = "expected 64 lowercase hexadecimal digits"
NO_PLACES = "result.places: expected all seats, each once"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        *((without(key), f"missing required field `{key}`") for key in ("id", "game", "players", "first", "result")),
        (put(1, "colour"), "Object contains unknown field `colour`"),
        (put("chess-record", "format"), "its format is not 'fourtwenty-record'"),
        (without("format"), "its format is not 'fourtwenty-record'"),
        (without("version"), "it has version null, and this program reads version 1"),
        (put(True, "version"), "it has version true, and this program reads version 1"),
        (put(0, "version"), "it has version 0, and this program reads version 1"),
        (put(2, "version"), "it has version 2, and this program reads version 1"),
        (put("0" * 31, "id"), "id: expected 32 lowercase hexadecimal digits"),
        (put("A" * 32, "id"), "id: expected 32 lowercase hexadecimal digits"),
        (put(7, "id"), "id: expected `str`, got `int`"),
        (put(1, "dice", "given"), "dice.given: expected `bool`, got `int`"),
        (put("chess", "game"), "game: expected one of 420, 421, ten-rounds"),
        (put([], "game"), "game: expected `str`, got `array`"),
        (put(None, "first"), "first: expected a seat from 0 to 2"),
        (put(3, "first"), "first: expected a seat from 0 to 2"),
        (put(-1, "first"), "first: expected a seat from 0 to 2"),
        (put(False, "first"), "first: expected `int | null`, got `bool`"),
        (put("0", "first"), "first: expected `int | null`, got `str`"),
        (put({}, "players"), "players: expected `array`, got `object`"),
        (put([{"name": "Ann", "kind": "human"}], "players"), "players: expected `array` of length >= 2"),
        (put("Ann", "players", 0), "players[1]: expected `object`, got `str`"),
        (put(7, "players", 0, "name"), "players[1].name: expected `str`, got `int`"),
        (put("dog", "players", 0, "kind"), "players[1].kind: invalid enum value 'dog'"),
        (put([], "players", 0, "kind"), "players[1].kind: expected `str`, got `array`"),
        (put("Random", "players", 0, "bot"), "players[1]: object contains unknown field `bot`"),
        (put("", "players", 0, "name"), "players[1]: enter a name."),
        (put("A\nnn", "players", 0, "name"), "players[1]: a name is one line of text."),
        (put("\ud800", "players", 0, "name"), "players[1]: a name is one line of text."),
        (put("BOB ", "players", 0, "name"), "two players have the same name"),
        (put("*>- - roll 1", "position"), "position: its seats or starting seat differ from the record's"),
        (put("*>- - - roll 1", "position"), "its seats or starting seat differ"),
        (put("roll", "position"), "A position is written as"),
        (put(1, "position"), "position: expected `str`, got `int`"),
        (put("fair", "dice"), "dice: expected `object`, got `str`"),
        (
            put({"kind": "loaded", "commitment": "", "seed": "", "given": False}, "dice"),
            "dice.kind: invalid value 'loaded'",
        ),
        (put({"kind": "typed", "seed": None}, "dice"), "dice: object contains unknown field `seed`"),
        (
            put({"kind": "fair", "commitment": None, "seed": None, "given": False}, "dice"),
            f"dice.commitment: {NO_DIGEST}",
        ),
        (put("A" * 64, "dice", "seed"), f"dice.seed: {NO_DIGEST}"),
        (put("٠" * 64, "dice", "seed"), f"dice.seed: {NO_DIGEST}"),
        (put("a" * 63, "dice", "seed"), f"dice.seed: {NO_DIGEST}"),
        (put(None, "actions"), "actions: expected `array`, got `null`"),
        (put(None, "actions", 1), "actions[2]: expected `object`, got `null`"),
        (put({"seat": 0}, "actions", 1), NO_ACTION),
        (put({"seat": 0, "stand": False}, "actions", 1), NO_ACTION),
        (put({"seat": 0, "stand": 1}, "actions", 1), "actions[2].stand: expected `bool`, got `int`"),
        (put({"seat": 0, "stand": True, "roll": [1]}, "actions", 1), NO_ACTION),
        (put(3, "actions", 1, "seat"), "actions[2].seat: expected a seat from 0 to 2"),
        (put([], "actions", 1, "roll"), NO_ACTION),
        (put([1, 1, 2, 3], "actions", 1, "roll"), "actions[2]: a roll names its dice in order, each once"),
        (put([2, 1, 3, 4], "actions", 1, "roll"), "actions[2]: a roll names its dice in order, each once"),
        (put(5, "actions", 1, "roll", 3), "actions[2].roll: expected dice from 1 to 4"),
        (put([6], "actions", 1, "faces"), "actions[2]: a roll has a face for each of its dice"),
        (put(7, "actions", 1, "faces", 0), "actions[2].faces[1]: expected `int` <= 6"),
        (put(0, "actions", 1, "faces", 0), "actions[2].faces[1]: expected `int` >= 1"),
        (put(10**400, "actions", 1, "faces", 0), "is no number of a record"),
        (put(6.0, "actions", 1, "faces", 0), "6.0 is no number of a record"),
        (put(float("nan"), "actions", 1, "faces", 0), "NaN is no number of a record"),
        (put([], "result"), "result: expected `object | null`, got `array`"),
        (put([0, 1], "result", "places"), NO_PLACES),
        (put([0, 1, 2, 0], "result", "places"), NO_PLACES),
        (put([0, [1, 0]], "result", "places"), NO_PLACES),
        (put([0, [2, 1]], "result", "places"), "seats that share a place are in the order of the table"),
        (put([0, [1], 2], "result", "places"), "result.places[2]: expected `array` of length >= 2"),
        (put([0, [[1, 2]]], "result", "places"), "result.places[2]: expected `array` of length >= 2"),
        (put([0, "12"], "result", "places"), "result.places[2]: expected `int | array`, got `str`"),
        (put([0, 1, 1], "result", "places"), NO_PLACES),
        (put([0, 1, 3], "result", "places"), NO_PLACES),
        (put("Ann", "result", "winner"), "result: object contains unknown field `winner`"),
    ],
)
def test_what_is_no_record_is_refused_in_a_line(change: Callable[[dict[str, Any]], None], reason: str) -> None:
    record = json.loads(write_record(whole()))
    change(record)
    with pytest.raises(ValueError, match=f"^this is no record: .*{re.escape(reason)}") as refused:
        read_record(json.dumps(record))
    assert not isinstance(refused.value, RecordError)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it is no JSON in line 1, column 1"),
        ("\ufeff" + write_record(whole()), "it is no JSON in line 1, column 1"),
        (write_record(whole())[:-9], "it is no JSON in line"),
        (write_record(whole()) * 2, "it is no JSON in line"),
        ("null", "its format is not"),
        ("[" * 500_000, "its brackets are nested too deeply"),
        ('{"a":' * 500_000, "its brackets are nested too deeply"),
        ('{"format": 1, "format": 1}', "a field is there twice"),
        (write_record(whole()).replace('"first": 1', '"first": 1, "first": 1'), "a field is there twice"),
        (
            write_record(whole()).replace('"first": 1', f'"first": 1{"0" * 5000}'),
            "1000000000000000000000000000000000000000 is",
        ),
    ],
    ids=["nothing", "bom", "cut", "twice", "null", "lists", "objects", "keys", "inner-keys", "huge"],
)
def test_what_is_no_json_of_ours_is_refused_in_a_line(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=f"^this is no record: {reason}") as refused:
        read_record(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (put("0" * 64, "dice", "seed"), "the commitment is not the SHA-256 of the seed"),
        (put("0" * 64, "dice", "commitment"), "the commitment is not the SHA-256 of the seed"),
        (put(None, "dice", "seed"), "the match is over, and its seed is withheld"),
        (put(2, "actions", 0, "faces", 0), "action 1, Bob: The seed throws 1 6 3 5, the record 2 6 3 5."),
        (put(0, "actions", 0, "seat"), "action 1, Ann: It is the turn of Bob."),
        (put(0, "first"), "action 1, Bob: It is the turn of Ann."),
        (put({"seat": 1, "stand": True}, "actions", 0), "action 1, Bob: You can't pass in 420"),
        (put({"seat": 1, "roll": [1], "faces": [5]}, "actions", 0), "action 1, Bob: The first roll takes all four"),
        (lambda record: record["actions"].pop(), "the match is not over, and the result says it is"),
        (lambda record: record["actions"].append(record["actions"][0]), ": The match is over."),
        (put([2, 1, 0], "result", "places"), "the result is not right: the places are "),
        (put(None, "result"), "the result is not right: the places are "),
    ],
)
def test_the_first_wrong_thing_is_named(change: Callable[[dict[str, Any]], None], wrong: str) -> None:
    record = json.loads(write_record(whole()))
    change(record)
    with pytest.raises(RecordError, match=re.escape(wrong)):
        verify_record(read_record(json.dumps(record)))


# -- the command that writes one ---------------------------------------------------------------------------------------


def export(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "fourtwenty", "export", *arguments]
    return subprocess.run(command, capture_output=True, timeout=60, env={**os.environ, "PYTHONIOENCODING": "ascii"})


@pytest.mark.long(*PRODUCT)
def test_a_match_of_the_history_is_exported(history: History) -> None:
    assert export("1").stderr == b"fourtwenty export: there is no game 1\n"
    seats = (Seat("Zoë"), *THREE)
    match = Match(Lineup(seats), FairDice(SEED), journal=history.journal(), identifier=IDENTIFIER)
    played(match, Random(1))
    exported = export("1")
    assert (exported.returncode, exported.stderr) == (0, b"")
    assert read_record(exported.stdout.decode()) == Record.from_match(match)
    assert export("2").stderr == b"fourtwenty export: there is no game 2\n"
    assert export("one").returncode == 2


@pytest.mark.long(*PRODUCT)
def test_a_record_is_written_to_a_new_file(tmp_path: Path, history: History) -> None:
    match = Match(Lineup((Seat("Zoë"), *THREE)), FairDice(SEED), journal=history.journal(), identifier=IDENTIFIER)
    played(match, Random(1))
    file = tmp_path / "match.json"
    for sentence in (f"Game 1 is now in {file}.", f"Game 1 is already in {file}."):
        done = export("1", "--output", str(file))
        assert (done.returncode, done.stdout.decode().strip(), done.stderr) == (0, sentence, b"")
        assert file.read_bytes() == export("1").stdout
    done = export("1", "--text", "--output", str(file))
    reason = f"{file} cannot be written: it exists, with another text"
    assert (done.returncode, done.stdout, done.stderr.decode().strip()) == (2, b"", f"fourtwenty export: {reason}")
    assert file.read_bytes() == export("1").stdout
    dangling = tmp_path / "link.json"
    dangling.symlink_to(tmp_path / "nothing.json")
    for nowhere in (tmp_path, file / "below", tmp_path / "no" / "match.json", dangling, ""):
        done = export("1", "--output", str(nowhere))
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert {each.name for each in tmp_path.iterdir()} <= {"match.json", "link.json", "home"}, (
        "no folder, no part of a file"
    )
    assert dangling.is_symlink()
