"""Files in ``tests/corpus``: what older versions have written, and inputs that once broke something.

``histories/NAME.sql`` is a database; ``NAME.json`` has the fingerprint of the record of every match, by id, or the
sentence that refuses it. ``records.json`` has the beginning of what ``verify`` says of each record.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from at_the_table import playing, seen
from patience import until

from fourtwenty.__main__ import main
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, fingerprint, read, verify, write
from fourtwenty.paths import history_file
from fourtwenty.play.match import Match
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.past_matches import PastMatches

CORPUS = Path(__file__).parents[1] / "corpus"
HISTORIES = sorted(CORPUS.glob("histories/*.sql"))
RECORDS: dict[str, str] = json.loads((CORPUS / "records.json").read_text(encoding="utf-8"))


@pytest.fixture(params=HISTORIES, ids=lambda path: path.stem)
def restored(request: pytest.FixtureRequest, home: Path) -> dict[int, str]:
    """Make the database of a file of the corpus, and return what is expected of each of its matches."""
    home.mkdir()
    with closing(sqlite3.connect(history_file())) as sql:
        sql.executescript(request.param.read_text(encoding="utf-8"))
    expected = json.loads(request.param.with_suffix(".json").read_text(encoding="utf-8"))
    return {int(number): text for number, text in expected.items()}


def exported(history: History, id: int) -> str:  # noqa: A002
    """Return the fingerprint of a match's verified record, or the sentence that refuses the match."""
    try:
        text = write(Record.of(history.match(id)))
    except ValueError as refusal:
        return str(refusal)
    verify(read(text))
    return fingerprint(text)


def act(match: Match) -> None:
    """Do the first thing that the rules allow; real dice all show a 1."""
    if match.state.to_act is None:
        match.next_round()
    action = match.taken_back or match.state.actions[0]
    match.act(action, (1,) * len(action.dice) if match.typed and isinstance(action, Roll) else ())


def test_a_history_is_migrated_exported_verified_and_resumed(restored: dict[int, str]) -> None:
    with closing(History(history_file(), pytest.fail, read_only=True)) as reading:
        assert {id: exported(reading, id) for id in restored} == restored  # noqa: A001
    with closing(History(history_file(), pytest.fail)) as history:
        assert {id: exported(history, id) for id in restored} == restored  # noqa: A001
        assert history.count() == len(history.page()) == len(restored)
        for entry in history.unfinished():
            match = history.resume(entry.id)
            act(match)
            assert match.kept
            assert history.match(entry.id).events == match.events
        with history.transaction() as sql:
            assert sql.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert sql.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_history_is_listed(restored: dict[int, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["history"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(restored)
    assert main(["history", "--json"]) == 0
    assert {match["id"] for match in json.loads(capsys.readouterr().out)["matches"]} == {*restored}


async def test_a_history_is_shown(restored: dict[int, str]) -> None:
    async with playing(size=(100, 30)) as pilot:
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        await pilot.pause()
        await pilot.press("h")
        await until(lambda: isinstance(pilot.app.screen, PastMatches))
        await until(lambda: f"Past games: {len(restored)} " in seen(pilot))
        await pilot.press("down", "up", "escape")
        await until(lambda: isinstance(pilot.app.screen, Lobby))


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_judged_as_ever(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["verify", str(CORPUS / "records" / name)])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    line = printed.out or printed.err
    assert line.startswith(RECORDS[name])
    assert line.count("\n") == 1
    assert status == (0 if line.startswith("OK") else 2)


def test_every_file_of_the_corpus_is_read() -> None:
    read = {*HISTORIES, *(path.with_suffix(".json") for path in HISTORIES), CORPUS / "records.json"}
    read |= {CORPUS / "records" / name for name in RECORDS}
    assert {path for path in CORPUS.rglob("*") if path.is_file()} == read
