"""No text from outside controls a terminal: escapes are sent through every reader, in lines and on the screen."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from machines import people
from run_sql import run_sql

from fourtwenty.__main__ import main
from fourtwenty.console import has_controls, strip_controls, write_line
from fourtwenty.file_storage import history_file, lineup_file, rooms_folder, settings_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, write_record
from fourtwenty.journal.settings import Settings
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.room_file import known_rooms
from fourtwenty.rooms.wire.notices import Notices

ESCAPES = "\x1b]0;title\x07\x9b31m\u202eright\u2066\x1b[2J"
"""A title by OSC and BEL, a colour by C1, two overrides of the direction, and a cleared screen."""

BAD = "{bad}"
"""Stands for the escapes in the commands, so that the tests have names that can be printed."""

COMMANDS = """
{bad} | --{bad} | --data-dir {bad} history
play {bad} | play --players {bad} | play --players bot:{bad} | play --players Ann,bot:Bold,{bad}
play --seed {bad} | play --dice {bad} | play --coach {bad} | play --position {bad} | play --plain --resume {bad}
practice {bad} | practice --as {bad} | practice --mine --plain --as {bad}
host --plain --at {bad} | host --plain --players {bad} | host --game {bad} | host --patience {bad}
host --plain --resume {bad} | host --plain --at tls://{bad}
join --plain {bad} | join --plain localhost/{bad} | join --plain localhost/K7QF-3XMP --as {bad}
odds {bad} | odds 6551 {bad} | values {bad} | strategy {bad}
simulate --matches 1 --players {bad} | simulate --matches 1 --players bot:{bad},bot:Bold
simulate --matches 1 --players bot:{bad}:{bad},bot:Bold | simulate --matches {bad} --players bot:Bold,bot:Bold
simulate --matches 1 --players bot:Bold,bot:Bold --seed {bad}
history {bad} | export {bad} | verify {bad} | verify {bad}/{bad}
"""


def ran(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Return the status of a command, and all that it writes; fail if a terminal could take any of it for a command."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr("sys.stdin", io.StringIO(typed))
        try:
            status = main(arguments)
        except SystemExit as end:
            status = int(end.code or 0)
        out.flush()
    written = out.buffer.getvalue().decode() + err.getvalue()
    assert not has_controls(written.replace("\n", "")), repr(written)
    return status, written


def matched(names: tuple[str, ...] = ("Ann", "Ben")) -> Match:
    with closing(History(history_file(), pytest.fail)) as history:
        lineup = Lineup(tuple(map(Seat, names)), starting_seat=0)
        match = Match(lineup, FairDice(bytes(range(32))), journal=history.journal(), identifier="0" * 32)
        match.act(ROLL_ALL)
    return match


def spoil_history() -> None:
    """Put the escapes into every text of the history that is shown, and into a line-up."""
    matched()
    matched()
    with closing(sqlite3.connect(history_file())) as sql, sql:
        sql.execute("UPDATE match SET status_text = ?", (ESCAPES,))
        sql.execute("UPDATE seat SET name = ?", (ESCAPES,))
        seats = [{"name": ESCAPES, "bot": None}, {"name": "Ben", "bot": None}]
        sql.execute("UPDATE match SET lineup = ? WHERE id = 2", (json.dumps({"seats": seats, "first": 0}),))


def spoil_settings() -> None:
    settings_file().parent.mkdir(exist_ok=True)
    keys = {ESCAPES: "x", "lobby.play": ESCAPES, f"lobby.{ESCAPES}": ESCAPES}
    values = dict.fromkeys(("theme", "pace", "bell", "guide", ESCAPES), ESCAPES)
    settings_file().write_text(json.dumps({**values, "learnt": [ESCAPES, "start"], "keys": keys}))


@pytest.mark.parametrize("command", [each.strip() for each in COMMANDS.replace("\n", "|").split("|") if each.strip()])
def test_arguments(command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    _, written = ran(*(word.replace(BAD, ESCAPES) for word in command.split()))
    assert written


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("FOURTWENTY_HOME", "history"),
        ("FOURTWENTY_HOME", "history 1"),
        ("FOURTWENTY_HOME", "history --help"),
        ("FOURTWENTY_HOME", "play --plain --resume"),
        ("FOURTWENTY_HUB", "host --plain"),
        ("FOURTWENTY_TABLE", "join --plain"),
        ("TEXTUAL_DRIVER", ""),
        ("TEXTUAL_COLOR_SYSTEM", ""),
        ("TEXTUAL_LOG", ""),
    ],
)
def test_the_environment(name: str, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TEXTUAL_DRIVER", "textual.drivers.headless_driver:HeadlessDriver")
    monkeypatch.setenv(
        name, str(tmp_path / ESCAPES / ESCAPES) if name in ("FOURTWENTY_HOME", "TEXTUAL_LOG") else ESCAPES
    )
    _, written = ran(*command.split())
    assert written


def test_a_folder_that_another_program_uses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FOURTWENTY_HOME", str(tmp_path / ESCAPES))
    (tmp_path / ESCAPES).mkdir()
    run_sql(history_file(), "CREATE TABLE recipe (name TEXT)")
    for command in ("history", "play --plain"):
        assert "title" in ran(*command.split(), typed="all\n")[1]


def places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place of a text in a document of JSON: the list or object that has it, and its index or name."""
    for place in list(document) if isinstance(document, dict) else range(len(document)):
        if isinstance(document[place], (dict, list)):
            yield from places(document[place])
        elif isinstance(document[place], str):
            yield document, place


def test_every_text_of_a_record(tmp_path: Path) -> None:
    text = write_record(Record.from_match(matched()))
    number = len([*places(json.loads(text))])
    assert number > 8
    for spoilt in range(2 * number):
        document = json.loads(text)
        where, place = [*places(document)][spoilt // 2]
        if spoilt % 2:  # its name
            where[ESCAPES] = where.pop(place)
        else:
            where[place] = ESCAPES
        (tmp_path / "record.json").write_text(json.dumps(document))
        ran("verify", str(tmp_path / "record.json"), "--until-error")
    (tmp_path / "record.json").write_text(ESCAPES)
    assert ran("verify", str(tmp_path / "record.json"))[0] == 2


def test_every_text_of_the_history() -> None:
    spoil_history()
    for command in (
        "history",
        "history --all",
        "history --json",
        "history 1",
        "export 1",
        "export 1 --text",
        "export 2",
    ):
        assert ran(*command.split())[1], command
    typed = "list\nhistory\nresume 1\nquit\nresume 2\nreview 1\nstatistics\nmistakes\nquit\n"
    assert "right" in ran("history")[1]
    assert ran("play", "--plain", "--resume", "1", typed=typed)[1]


def test_every_text_of_the_line_up_and_the_settings() -> None:
    Lineup().save(lineup_file())
    document = json.loads(lineup_file().read_text())
    document["seats"][0]["name"] = ESCAPES
    lineup_file().write_text(json.dumps(document))
    assert Lineup.load(lineup_file()).seats[0].name == strip_controls(ESCAPES)
    ran("practice", "--mine", "--plain")
    spoil_settings()
    settings = Settings.load(settings_file())
    assert (settings.theme, settings.pace) == (Settings().theme, Settings().pace)
    assert not has_controls(repr(settings))
    assert "start" in settings.learnt
    assert strip_controls(ESCAPES) in settings.keys


@pytest.mark.parametrize("fault", ["a name", "a text in an error", "its file"])
def test_own_bots(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / ESCAPES if fault == "its file" else tmp_path
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    error = "{}[1]" if fault == "its file" else f"ValueError({ESCAPES!r})"
    (folder / "harmful.py").write_text(f"def fails(state):\n    raise {error}\n")
    function = ESCAPES if fault == "a name" else "fails"
    status, written = ran("simulate", "--matches", "1", "--players", f"bot:harmful:{function},bot:Bold")
    assert status == 2
    assert fault == "a name" or "title" in written
    sys.modules.pop("harmful", None)


def test_lines_that_are_typed() -> None:
    words = (ESCAPES, f"roll {ESCAPES}", f"help {ESCAPES}", "quit")
    assert "Unknown command" in ran("play", "--plain", "--players", "Ann,bot:Bold", typed="\n".join(words))[1]
    assert ran("play", "--plain", "--players", "Ann,Ben", "--dice", "typed", typed=f"all\n{ESCAPES}\nquit\n")[1]
    assert ran("practice", "--plain", typed=f"{ESCAPES}\nroll {ESCAPES}\nquit\n")[1]
    assert ran("join", "--plain", "localhost", typed=f"{ESCAPES}\n")[0] == 2


def test_what_a_network_says(capsys: pytest.CaptureFixture[str]) -> None:
    notices = Notices()
    notices.attach(write_line)
    notices.broker_refused(ESCAPES)
    notices.other_log(ESCAPES)
    written = capsys.readouterr().out
    assert "title" in written
    assert not has_controls(written.replace("\n", ""))


def test_names_from_a_network_take_no_seat() -> None:
    ann, ben = people("Ann", "Ben")
    log = [
        ann.signed(ann.local.sit(SeatRequest((Seat(ESCAPES),)))),
        ben.signed(ben.local.sit(SeatRequest(ben.players))),
    ]
    for machine in (ann, ben):
        machine.read(log)
        assert [participant.name for participant in machine.room.participants.values()] == ["Ben"]


def test_the_file_of_a_room() -> None:
    rooms_folder().mkdir(parents=True)
    run_sql(
        rooms_folder() / "0123456789abcdef.sqlite",
        "CREATE TABLE room (code TEXT NOT NULL, address TEXT NOT NULL, secret BLOB NOT NULL)",
    )
    run_sql(
        rooms_folder() / "0123456789abcdef.sqlite", "INSERT INTO room VALUES (?, ?, ?)", (ESCAPES, ESCAPES, bytes(32))
    )
    run_sql(rooms_folder() / "0123456789abcdef.sqlite", "CREATE TABLE entry (data BLOB)")
    run_sql(rooms_folder() / "0123456789abcdef.sqlite", "INSERT INTO entry VALUES (?)", (b"entry",))
    (room,) = known_rooms()
    assert (room.code, room.address) == (strip_controls(ESCAPES), strip_controls(ESCAPES))
    assert ran("host", "--plain", "--resume", "K7QF-3XMP")[0] == 2


@pytest.mark.terminal
def test_the_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from terminal import PROGRAM, Terminal

    home = tmp_path / ESCAPES
    monkeypatch.setenv("FOURTWENTY_HOME", str(home))
    spoil_history()
    spoil_settings()
    lineup_file().mkdir()  # it cannot be read: a note says so, with the path
    with Terminal(*PROGRAM, columns=120, rows=40, environment={"FOURTWENTY_HOME": str(home)}) as terminal:
        terminal.read_until("Quit", r"]0;title")
        terminal.press(",")
        terminal.read_until("Theme *snug", "Pace of bots and rolls *normal")
        terminal.press("\x1b[27u")
        terminal.press("h")
        terminal.read_until("Past games", "right")
        terminal.press("/")
        terminal.press(f"\x1b[200~{ESCAPES.replace(chr(27), '')}\x1b[201~")
        terminal.press("\x03", after="31m")
        terminal.wait()
        written = re.sub(r"\x1b]22;\w+\x07", "", terminal.written)  # the pointer of the mouse, by the program itself
        for sent in ("\x1b]0;", "\x07", "\x9b", "\u202e", "\u2066"):
            assert sent not in written, repr(sent)
