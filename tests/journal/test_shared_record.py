"""Records of matches with dice by several machines: written, read strictly, and verified from the deepest keys."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings, strategies as st
from long_tests import soak, try_out
from msgspec.structs import replace
from shared_table import TABLE, SharedTable, open_all, shared_table
from test_record import put
from test_verify import came_so, meddle, verified

from fourtwenty.__main__ import main
from fourtwenty.games import GAMES
from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.game import Event, IllegalAction, InvalidAction, Leave, Roll, Stand
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, RecordError, read_record, verify_record, write_record
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import START_DRAW, DiceStep, Machine, SharedDice, ShownKey, match_digest
from fourtwenty.review.analysis import rounds_of


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("records") / "match.json"


@cache
def played(game: str = "420", seats: int = 3, machines: int = 2, events: int = 100_000) -> str:
    """The text of the record of a match."""
    return write_record(Record.from_match(shared_table(seats, machines, game).play(events)))


@settings(deadline=None, max_examples=40)
@given(
    game=st.sampled_from(sorted(GAMES)),
    seats=st.integers(2, 6),
    machines=st.integers(1, 6),
    seed=st.integers(0, 2**32),
    events=st.integers(0, 60),
    starting_seat=st.sampled_from((None, 0, 1)),
    gives_up=st.booleans(),
)
def test_a_record_is_read_as_it_was_written_and_verified(
    game: str, seats: int, machines: int, seed: int, events: int, starting_seat: int | None, gives_up: bool
) -> None:
    table = shared_table(seats, min(machines, seats), game, starting_seat, seed)
    table.play(events // 2)
    if gives_up and table.match.state.to_act is not None:
        table.give_up()
    table.play(events)
    record = Record.from_match(table.match)
    text = write_record(record)
    assert read_record(text) == record
    assert write_record(read_record(text)) == text
    assert verify_record(record) == table.match.state
    assert record.drawn == (GAMES[game].draws_start and starting_seat is None)


def test_a_record_is_the_one_of_the_page() -> None:
    table = shared_table()
    record = json.loads(write_record(Record.from_match(table.play())))
    assert list(record) == [
        "format", "version", "id", "game", "players", "first", "dice", "actions", "result",
    ]  # fmt: skip
    assert (record["version"], record["id"]) == (1, table.dice.match.hex()[:32])
    last = len(table.dice.steps)
    deepest = [max(n for n, step in enumerate(table.dice.steps, 1) if m in step.contributors) for m in (0, 1)]
    assert last in deepest
    assert record["dice"] == {
        "kind": "shared",
        "table": TABLE.hex(),
        "machines": [
            {
                "seats": [*machine.seats],
                "public": machine.public.hex(),
                "tip": chain.anchor.hex(),
                "key": chain.key(step).hex(),
                "step": step,
            }
            for machine, chain, step in zip(table.dice.machines, table.chains, deepest, strict=True)
        ],
        "contributors": [[1, [0, 1]]],
        "void": [],
        "lot": True,
    }


def test_the_coach_of_one_machine_is_in_no_record() -> None:
    table = shared_table()
    table.match.set_coach("full")
    table.play()
    assert write_record(Record.from_match(table.match)) == played()


def test_a_running_step_is_not_in_a_record() -> None:
    table = shared_table(seats=2, starting_seat=0)
    table.play(events=4)
    before = write_record(Record.from_match(table.match))
    seat = table.match.state.to_act
    assert seat is not None
    step = table.dice.begin(seat, (0, 1))
    assert write_record(Record.from_match(table.match)) == before
    table.dice.open(1 - seat, table.chains[1 - seat].key(step))
    running = write_record(Record.from_match(table.match))
    assert table.chains[1 - seat].key(step).hex() not in running
    assert verify_record(read_record(running)) == table.match.state


def test_machines_whose_seats_are_out_contribute_no_more() -> None:
    record = json.loads(played(seats=5, machines=5))
    changes = record["dice"]["contributors"]
    assert [len(machines) for _, machines in changes] == [5, 4, 3, 2]
    assert all({*fewer} < {*more} for (_, more), (_, fewer) in pairwise(changes))
    assert verify_record(read_record(json.dumps(record))).outcome


# -- what is wrong -----------------------------------------------------------------------------------------------------


def flip(*path: str | int) -> Callable[[dict[str, Any]], None]:
    """Change the last digit of a hexadecimal number."""

    def change(record: Any) -> None:
        for step in path[:-1]:
            record = record[step]
        text = record[path[-1]]
        record[path[-1]] = f"{text[:-1]}{int(text[-1], 16) ^ 1:x}"

    return change


OTHERS = "the identifier does not follow from the game, the players, the start and the machines"


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        (flip("dice", "machines", 1, "key"), "The key of machine 2 does not lead to its anchor."),
        (flip("dice", "machines", 0, "tip"), "The key of machine 1 does not lead to its anchor."),
        (flip("dice", "table"), "The key of machine 1 does not lead to its anchor."),
        (flip("dice", "machines", 0, "public"), OTHERS),
        (flip("id"), OTHERS),
        (put("Bob", "players", 1, "name"), OTHERS),
        (put("bot", "players", 1, "kind"), OTHERS),
        (put([0, 1], "dice", "machines", 0, "seats"), OTHERS),
        (put(4, "dice", "machines", 0, "step"), "Step 5 is still running."),
        (put(0, "dice", "machines", 0, "step"), "Step 1 is still running."),
        (
            put([[1, [0, 1]], [2, [0]]], "dice", "contributors"),
            "Step 2 is by machine 1, and machines 1 and 2 took part.",
        ),
        (put([[1, [0, 1]], [5, [1]]], "dice", "contributors"), "action 4, "),
        (put([[1, [0, 1]], [5, [1]]], "dice", "contributors"), "Step 5 is by machine 2, and machines 1 and 2 took"),
        (lambda record: record["actions"][2]["faces"].reverse(), "action 3, "),
        (lambda record: record["actions"][2]["faces"].reverse(), "The keys throw "),
    ],
)
def test_the_first_wrong_thing_is_named(change: Callable[[dict[str, Any]], None], wrong: str) -> None:
    record = json.loads(played(machines=2))
    change(record)
    if record["dice"]["machines"][0]["seats"] == [0, 1]:
        record["dice"]["machines"][1]["seats"] = [2]
    with pytest.raises(RecordError, match=re.escape(wrong)):
        verify_record(read_record(json.dumps(record)))


def test_a_step_given_up_at_the_end_is_checked_too() -> None:
    table = shared_table(starting_seat=1)
    table.play(events=2)
    table.give_up()
    record = json.loads(write_record(Record.from_match(table.match)))
    assert verify_record(read_record(json.dumps(record))) == table.match.state
    record["dice"]["contributors"].append([3, [0]])
    with pytest.raises(RecordError, match=r"^at the end: Step 3 is by machine 1, and machines 1 and 2 took part"):
        verify_record(read_record(json.dumps(record)))


def test_a_lot_that_was_given_up_is_drawn_again() -> None:
    table = shared_table()
    dice = SharedDice(TABLE, table.dice.machines, table.dice.match)
    dice.begin(START_DRAW, (0, 1))
    dice.void()
    open_all(dice, table.chains, START_DRAW, (0, 1))
    table = replace(table, match=Match(table.match.lineup, dice, identifier=dice.match.hex()[:32]), dice=dice)
    record = Record.from_match(table.play())
    assert record.shared
    assert (record.shared.void, record.shared.lot, record.drawn) == ((1,), True, True)
    assert verify_record(read_record(write_record(record))).outcome


def test_a_start_that_was_set_passes_for_no_lot_and_no_lot_for_another_start() -> None:
    record = read_record(played())
    keys = record.shared
    assert keys
    other = replace(record, first=((record.first or 0) + 1) % 3)
    with pytest.raises(RecordError, match=r"^the draw falls on \w+$"):
        verify_record(other)
    with pytest.raises(ValueError, match=r"dice\.machines\[1\]\.step: expected a step from 0 to 74$"):
        read_record(write_record(replace(record, source=replace(keys, lot=False))))


def test_every_changed_face_is_found() -> None:
    record = read_record(played("421"))
    for number, event in enumerate(record.events[:40]):
        for place, face in enumerate(event.faces):
            faces = (*event.faces[:place], face % 6 + 1, *event.faces[place + 1 :])
            changed = replace(record.actions[number], faces=faces)
            actions = (*record.actions[:number], changed, *record.actions[number + 1 :])
            with pytest.raises(RecordError, match=f"^action {number + 1}, {record.names[event.seat]}: The keys throw "):
                verify_record(replace(record, actions=actions))


@given(st.data())
def test_a_changed_digit_of_a_key_a_tip_or_a_name_is_refused(data: st.DataObject) -> None:
    record = json.loads(played(machines=3))
    dice = record["dice"]
    places = [(record, "id"), (dice, "table")]
    places += [(machine, part) for machine in dice["machines"] for part in ("public", "tip", "key")]
    within, part = data.draw(st.sampled_from(places))
    place = data.draw(st.integers(0, len(within[part]) - 1))
    digit = data.draw(st.sampled_from("0123456789abcdef".replace(within[part][place], "")))
    within[part] = f"{within[part][:place]}{digit}{within[part][place + 1 :]}"
    with pytest.raises(RecordError):
        verify_record(read_record(json.dumps(record)))


@soak(short=80, whole=2_000)
def test_a_document_meddled_with_is_never_ok_unless_it_could_have_been_played_so(file: Path, trials: int) -> None:
    def trial(chance: Random) -> None:
        record = json.loads(played(chance.choice(sorted(GAMES)), events=40))
        for _ in range(chance.randint(1, 2)):
            meddle(record, chance)
        status, out, err = verified(file, json.dumps(record))
        if status == 0 and record["dice"]["kind"] == "shared":
            assert (out.count("\n"), err) == (1, "")
            assert played_so(record)
        elif status:
            assert (out, err.count("\n")) == ("", 1)
            assert err.startswith("fourtwenty verify: ")

    try_out(trials, trial)


def played_so(record: Any) -> bool:
    """Whether shared dice with the keys of the record, thrown for its actions, make the match that it tells of."""
    told, rolls = record["dice"], [act["seat"] for act in record["actions"] if "roll" in act]
    machines = [
        Machine(bytes.fromhex(each["public"]), bytes.fromhex(each["tip"]), tuple(each["seats"]))
        for each in told["machines"]
    ]
    shown = [ShownKey(each["step"], bytes.fromhex(each["key"])) for each in told["machines"]]
    players = [(player["name"], player["kind"]) for player in record["players"]]
    table = bytes.fromhex(told["table"])
    digest = match_digest(table, machines, record["game"], players, None if told["lot"] else record["first"])
    seats = iter([START_DRAW, *rolls] if told["lot"] else rolls)
    steps = []
    for step in range(1, len(rolls) + told["lot"] + len(told["void"]) + 1):
        by = [machines for start, machines in told["contributors"] if start <= step][-1]
        void = step in told["void"]
        steps.append(DiceStep(0 if void else next(seats), tuple(by), void))
    dice = SharedDice.restored(table, machines, digest, steps, shown)
    lineup = Lineup(
        tuple(Seat(name, None if kind == "human" else "Random") for name, kind in players),
        game=record["game"],
        starting_seat=None if told["lot"] else record["first"],
    )
    start = GAMES[record["game"]].parse(record["position"]) if "position" in record else None
    match = Match(lineup, dice, start, identifier=record["id"])
    for act in record["actions"]:
        if match.state.to_act is None and not match.state.outcome:
            match.next_round()
        try:
            event = match.act(Roll(tuple(act["roll"])) if "roll" in act else Stand())
        except (IllegalAction, InvalidAction):
            return False
        if (event.seat, list(event.faces)) != (act["seat"], act.get("faces", [])):
            return False
    return digest.hex()[:32] == record["id"] and came_so(match, record["result"])


# -- what is no record -------------------------------------------------------------------------------------------------


NO_DIGEST = "expected 64 lowercase hexadecimal digits"
NO_TABLE = "dice.table: expected 2 to 128 lowercase hexadecimal digits"
NO_CONTRIBUTORS = "dice.contributors: expected numbers of machines, in order, each once"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (put("loaded", "dice", "kind"), "dice.kind: invalid value 'loaded'"),
        (put("00" * 32, "dice", "seed"), "dice: object contains unknown field `seed`"),
        (put([{"from": 1, "level": "odds"}], "coach"), "coach: with shared dice a record has none"),
        (put("", "dice", "table"), NO_TABLE),
        (put("abc", "dice", "table"), NO_TABLE),
        (put(None, "dice", "table"), NO_TABLE),
        (put([], "dice", "machines"), "dice.machines: every seat belongs to one machine"),
        (put("ab", "dice", "machines", 0, "key"), f"dice.machines[1].key: {NO_DIGEST}"),
        (put("A" * 64, "dice", "machines", 0, "tip"), f"dice.machines[1].tip: {NO_DIGEST}"),
        (put(None, "dice", "machines", 0, "public"), f"dice.machines[1].public: {NO_DIGEST}"),
        (put("Ann", "dice", "machines", 0, "name"), "dice.machines[1]: object contains unknown field `name`"),
        (put([], "dice", "machines", 0, "seats"), "dice.machines: every seat belongs to one machine"),
        (put([0], "dice", "machines", 0, "seats"), "every seat belongs to one machine"),
        (put([0, 1, 2], "dice", "machines", 0, "seats"), "every seat belongs to one machine"),
        (put([0, 3], "dice", "machines", 0, "seats"), "dice.machines: every seat belongs to one machine"),
        (put(-1, "dice", "machines", 0, "step"), "dice.machines[1].step: expected `int` >= 0"),
        (put(10**8, "dice", "machines", 0, "step"), "dice.machines[1].step: expected a step from 0 to 75"),
        (put([], "dice", "contributors"), "The contributors change from step 1 on"),
        (put([[2, [0]]], "dice", "contributors"), "The contributors change from step 1 on"),
        (put([[1, [0]], [2, [0]]], "dice", "contributors"), "The contributors do not change at step 2"),
        (put([[1, [1, 0]]], "dice", "contributors"), NO_CONTRIBUTORS),
        (put([[1, []]], "dice", "contributors"), NO_CONTRIBUTORS),
        (put([[1, [0, 2]]], "dice", "contributors"), NO_CONTRIBUTORS),
        (
            put([[0, [0]]], "dice", "contributors"),
            "dice.contributors: The contributors change from step 1 on, in the order of the steps.",
        ),
        (put([[1]], "dice", "contributors"), "dice.contributors[1]: expected `array` of length 2, got 1"),
        (put(None, "dice", "contributors"), "dice.contributors: expected `array`, got `null`"),
        (put([2, 1], "dice", "void"), "dice.void: expected steps of the match, in order, each once"),
        (put([0], "dice", "void"), "dice.void: expected steps of the match, in order, each once"),
        (put(0, "dice", "void"), "dice.void: expected `array`, got `int`"),
        (put(1, "dice", "lot"), "dice.lot: expected `bool`, got `int`"),
    ],
)
def test_what_is_no_record_is_refused_in_a_line(change: Callable[[dict[str, Any]], None], reason: str) -> None:
    record = json.loads(played())
    change(record)
    with pytest.raises(ValueError, match=f"^this is no record: .*{re.escape(reason)}"):
        read_record(json.dumps(record))


def test_a_match_that_somebody_leaves_is_resumed_reviewed_and_verified(history: History) -> None:
    table = shared_table(4, 4, "421", journal=history.journal())
    while Stand() not in table.match.state.actions:
        table.play(len(table.match.events) + 1)
    before = table.match.state
    assert isinstance(before, Bar421)
    resumed = history.resume(1)
    assert resumed.state == before
    leaver = before.order[1]
    resumed.record(Event(leaver, Leave(), ()))
    after = resumed.state
    assert isinstance(after, Bar421)
    assert after.in_play == TOKENS - before.tokens[leaver]
    assert not after.charging
    again = SharedTable(resumed, cast(SharedDice, resumed.dice), table.chains, Random(1)).play()
    assert history.match(1).events == again.events
    assert [each for played in rounds_of(history.match(1)) for each in played.moments if each.leaves]
    record = Record.from_match(history.match(1))
    assert verify_record(read_record(write_record(record))) == again.state


def test_a_game_without_a_lot_draws_none() -> None:
    record = json.loads(played("421"))
    assert record["dice"]["lot"] is False
    record["dice"]["lot"] = True
    with pytest.raises(ValueError, match=r"dice\.lot: this game draws none"):
        read_record(json.dumps(record))


# -- the commands ------------------------------------------------------------------------------------------------------


def test_the_verdict_says_by_whom_the_dice_are(file: Path) -> None:
    out = verified(file, played(), "--strict")[1]
    assert "; dice by both machines, the draw and every face follow from their keys; " in out
    assert (
        "; dice by all three machines, every face follows from their keys; " in verified(file, played("421", 3, 3))[1]
    )
    assert "; dice by all 5 machines, " in verified(file, played(seats=5, machines=5))[1]
    assert "; dice by one machine, " in verified(file, played(machines=1))[1]
    table = shared_table(starting_seat=1)
    table.play(events=2)
    assert "given up" not in verified(file, write_record(Record.from_match(table.match)))[1]
    table.give_up()
    out = verified(file, write_record(Record.from_match(table.match)), "--strict")[1]
    assert out.startswith("OK so far: 420, Ann, Ben, Cleo; 2 rolls; Ben was set to start; dice by both machines, ")
    assert "; 1 throw was given up; " in out
    table.give_up()
    assert "; 2 throws were given up; " in verified(file, write_record(Record.from_match(table.play())))[1]


def test_a_match_of_the_history_is_exported_with_the_keys_shown_so_far(file: Path, history: History) -> None:
    table = shared_table(journal=history.journal())
    for events in (5, 100_000):
        table.play(events)
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            main(["export", "1"])
        out.seek(0)
        assert (text := out.read()) == write_record(Record.from_match(table.match))
        assert verified(file, text, "--strict")[0] == 0


def test_a_step_that_was_given_up_may_have_had_the_machine_that_left() -> None:
    """Nothing falls in it, so only machines that took part between the two rolls may be named."""
    table = shared_table(seats=3, machines=3, starting_seat=0)
    table.play(events=2)
    table.give_up()
    record = json.loads(write_record(Record.from_match(table.play())))
    (void,) = record["dice"]["void"]
    assert void == 3
    wrong = deepcopy(record)
    wrong["dice"]["contributors"][:1] = [[1, [0, 1, 2]], [3, [0, 2]], [4, [0, 1, 2]]]
    with pytest.raises(RecordError, match="Step 3 is by machines 1 and 3, and machines 1, 2 and 3 took part"):
        verify_record(read_record(json.dumps(wrong)))
