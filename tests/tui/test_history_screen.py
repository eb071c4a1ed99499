"""Past games: found, opened, taken up again and deleted, by keys and by mouse."""

from __future__ import annotations

from errno import ENOSPC
from pathlib import Path

import pytest
from long_tests import PRODUCT
from run_sql import run_sql
from table_pilot import TablePilot, playing
from textual.geometry import Region
from textual.widgets import Input
from waiting import until

from fourtwenty.file_storage import history_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.past_games.history_screen import HistoryScreen
from fourtwenty.tui.past_games.review_screen import Review


def play(history: History, *names: str, ends: bool = True) -> None:
    """Keep a match of bots with these names, or one whose first person has not rolled yet."""
    seats = tuple(Seat(name, "Random" if ends else None) for name in names)
    dice = FairDice(bytes([len(names[0])] * 32))
    match = Match(Lineup(seats, starting_seat=0), dice, journal=history.journal(), identifier="0" * 32)
    if ends:
        match.play_out()
    else:
        match.act(ROLL_ALL)


@pytest.fixture
def three(history: History) -> History:
    """Two matches that are over and, between them, one that waits."""
    play(history, "Ann", "Ben")
    play(history, "Zoë", "Ann", ends=False)
    play(history, "Cleo", "Dan", "Ann")
    return history


async def opened(pilot: TablePilot) -> HistoryScreen:
    """Open the history from the lobby; return its screen once every match is measured."""
    await pilot.reaches("Lobby")
    await pilot.press("h", to="HistoryScreen")
    await until(lambda: all(worker.is_finished for worker in pilot.app.workers))
    await pilot.pause()
    assert isinstance(pilot.app.screen, HistoryScreen)
    return pilot.app.screen


@pytest.mark.parametrize("size", [(80, 24), (110, 30), (120, 40)], ids=str)
async def test_an_unfinished_game_says_all_of_how_it_stands(history: History, size: tuple[int, int]) -> None:
    play(history, "You", "Zoë", ends=False)
    play(history, "Ann", "Maximilian")
    async with playing(size=size) as pilot:
        await opened(pilot)
        head, *lines = (line for line in pilot.seen().split("\n") if "how it ended" in line or " 420 " in line)
        assert [line[head.index("players") :].split("  ")[0] for line in lines] == ["You, Zoë", "Ann, Maximilian"]
        assert lines[0][head.index("how it ended") :].strip() == "unfinished, Zoë to roll, Round 1 of 1"


def match_at_cursor(screen: HistoryScreen) -> int | None:
    return screen.entry.id if screen.entry else None


def reviewed(pilot: TablePilot) -> tuple[str, ...]:
    assert isinstance(pilot.app.screen, Review)
    return pilot.app.screen.match.names


async def test_a_match_that_is_damaged_is_counted(three: History) -> None:
    with three.transaction() as sql:
        sql.execute("UPDATE match SET game = '520' WHERE id = 2")
    async with playing(size=(60, 20)) as pilot:
        await opened(pilot)
        assert "Past games: 3 · 1 damaged" in pilot.seen()
        assert pilot.seen().count("can't be read") == 1
        await pilot.press("slash", *"cleo")
        assert "Games with “cleo”: 1 " in pilot.seen(), "none of those that were found is damaged"


async def test_a_match_that_is_over_opens_in_the_review(three: History) -> None:
    async with playing() as pilot:
        await opened(pilot)
        assert "Past games: 3" in pilot.seen()
        news = three.page()[0].status_text
        assert news in pilot.seen()
        assert "unfinished, Ann to" in pilot.seen()
        await pilot.press("down")
        assert "being measured" not in pilot.seen()
        assert "3rd" in pilot.seen()
        await pilot.press("enter")
        assert reviewed(pilot) == ("Cleo", "Dan", "Ann")
        await pilot.press("escape", "end", "enter")
        assert reviewed(pilot) == ("Ann", "Ben")
        await pilot.press("escape", "q")
        assert pilot.stack() == ["Lobby"]


async def test_a_match_that_waits_goes_on(three: History) -> None:
    async with playing() as pilot:
        await opened(pilot)
        assert "unfinished, Ann to" in pilot.seen()
        assert "enter Resume" in pilot.seen()
        await pilot.press("enter")
        table = await pilot.turn(seat=1)
        assert table.match.names == ("Zoë", "Ann")
        assert pilot.stack() == ["Lobby", "Table"]
        await pilot.app.run_action("history")
        await pilot.reaches("HistoryScreen")
        await pilot.press("enter")
        assert pilot.text("#sentence") == "Leave the current game first, then resume this one."
        await pilot.press("escape", turn=1)
    assert [entry.id for entry in three.unfinished()] == [2]


async def test_searching_while_typing(three: History) -> None:
    async with playing() as pilot:
        screen = await opened(pilot)
        await pilot.press("slash", "a", "N", "n")
        assert "Games with “aNn”: 3" in pilot.seen()
        assert "esc All games" in pilot.seen()
        assert screen._seat_cells(screen.seats.cursor)[1] == "Ann"
        await pilot.press("down", "down")
        assert match_at_cursor(screen) == 1, "the arrows move in the list meanwhile"
        await pilot.press("backspace", "backspace", "backspace", "z", "o")
        assert "Games with “zo”: 1" in pilot.seen()
        assert match_at_cursor(screen) == 2
        await pilot.press("q")
        assert "No player matches “zoq”." in pilot.seen()
        await pilot.press("enter", "delete")
        assert pilot.stack() == ["Lobby", "HistoryScreen"], "there is nothing to open or to delete"
        await pilot.press("backspace", "tab", "s", to="Statistics")
        await pilot.press("escape", "slash", "escape")
        assert "Past games: 3" in pilot.seen(), "the first one ends the search"
        assert "esc Back" in pilot.seen()
        pilot.burst("slash", "d", "escape")
        await pilot.pause()
        assert "Past games: 3" in pilot.seen(), "also in one go"
        assert pilot.stack() == ["Lobby", "HistoryScreen"]
        pilot.burst("slash", "d", "escape", "escape")
        await pilot.reaches("Lobby")
        await opened(pilot)
        await pilot.press("slash", "d", "a", "enter")
        assert isinstance(pilot.app.screen, Review)
    assert three.count() == 3


async def test_deleting_is_asked_for(three: History) -> None:
    async with playing() as pilot:
        screen = await opened(pilot)
        await pilot.press("x", "enter")
        assert three.count() == 3
        await pilot.press("x", "y")
        assert "Past games: 2" in pilot.seen()
        assert match_at_cursor(screen) == 3
        await pilot.press("down", "delete", "y")
        assert [entry.id for entry in three.page()] == [3]
        assert "Past games: 1" in pilot.seen()


async def test_a_game_that_does_not_count_stays_in_the_list(three: History) -> None:
    async with playing(size=(100, 22)) as pilot:
        screen = await opened(pilot)
        await pilot.press("down", "c")
        assert pilot.text("#sentence") == "Game 3 stays in the list and does not count."
        assert match_at_cursor(screen) == 3
        assert pilot.seen().count("not counted: ") == 1
        assert not three.page()[0].counted
        assert dict(three.names()) == {"Ann": 1, "Ben": 1}
        await pilot.press("c")
        assert pilot.text("#sentence") == "Game 3 counts."
        assert "not counted" not in pilot.seen()
        assert three.page()[0].counted


@pytest.mark.usefixtures("three")
async def test_a_mark_that_is_not_saved_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise SaveError("the disk is full")

    async with playing() as pilot:
        await opened(pilot)
        monkeypatch.setattr(History, "set_counted", full)
        await pilot.press("c")
        assert pilot.text("#sentence") == "This game can't be changed: the disk is full."
        assert "not counted" not in pilot.seen()


async def test_a_player_is_renamed_from_the_statistics(three: History) -> None:
    with three.transaction() as sql:
        sql.execute("UPDATE seat SET bot = NULL")  # bots keep their names
    async with playing(size=(100, 22)) as pilot:
        await opened(pilot)
        await pilot.press("slash", *"cleo", "tab", "s", to="Statistics")
        await pilot.shows("Statistics   Cleo: 1 finished game")
        await pilot.press("r", to="RenameDialog")
        await pilot.press("backspace", *"Ben", "enter", to="Statistics")
        await pilot.shows("Statistics   Ben: 2 finished games")
        await pilot.press("escape", to="HistoryScreen")
        assert "Games with “cleo”: 1" in pilot.seen(), "the search knows both names"
        assert "Ben, Dan, Ann" in pilot.seen()
        await pilot.press("s", to="Statistics")
        await pilot.press("r", to="RenameDialog")
        await pilot.press("backspace", "enter", to="Statistics")
        await pilot.shows("Statistics   Cleo: 1 finished game")
        await pilot.press("r", to="RenameDialog")
        await pilot.press(*"Ann", "enter", to="Statistics")
        assert pilot.text("#sentence") == "No name is changed: Cleo and Ann have played in one game, so they are two."
        await pilot.press("r", to="RenameDialog")
        pilot.app.screen.query_one(Input).value = "\u200b"
        await pilot.press("enter")
        assert pilot.text("#sentence") == "Enter a name."
        await pilot.press("escape", to="Statistics")
    assert [seat.name for seat in three.page()[0].seats] == ["Cleo", "Dan", "Ann"]


async def test_by_mouse(three: History) -> None:
    async with playing(size=(100, 22)) as pilot:
        await pilot.reaches("Lobby")
        await pilot.click_on("Past games", to="HistoryScreen")
        screen = pilot.app.screen
        assert isinstance(screen, HistoryScreen)
        await pilot.pause()
        await pilot.click_on("Ann, Ben")
        assert match_at_cursor(screen) == 1
        await pilot.click_on("Ben (bot)")
        assert screen.seats.cursor == 1
        await pilot.click_on("Statistics", to="Statistics")
        assert getattr(pilot.app.screen, "name_shown", "") == "Ben"
        await pilot.click_on("Back")
        await pilot.click("#matches", offset=(12, 2), times=2)
        await pilot.reaches("Review")
        await pilot.click_on("Back")
        await pilot.click_on("Delete")
        await pilot.click_on("y  Delete")
        await until(lambda: screen.matches.length == 2)
        await pilot.click_on("Search by name")
        await pilot.press("b")
        assert "Games with “b”: 1" in pilot.seen()
        await pilot.click_on("All games")
        assert "Past games: 2" in pilot.seen()
    assert three.count() == 2


async def test_a_record_is_written_once(three: History, home: Path) -> None:
    async with playing() as pilot:
        await opened(pilot)
        written = home / "match-3.json"
        await pilot.press("down", "e")
        assert pilot.text("#sentence") == f"The record is in {written}"
        await pilot.press("left", "e")
        assert pilot.text("#sentence") == f"The record is in {written}", "the same record"
        assert verify_record(read_record(written.read_text(encoding="utf-8"))) == three.match(3).state
        written.write_text("another text")
        await pilot.press("e")
        assert pilot.text("#sentence") == f"Nothing is exported: {written}: it exists, with another text."
    assert written.read_text() == "another text"


async def test_a_record_is_written_whole_or_not_at_all(
    three: History, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    async with playing() as pilot:
        await opened(pilot)
        await pilot.press("down")
        with monkeypatch.context() as disk:
            disk.setattr(Path, "replace", full)
            await pilot.press("e")
            written = home / "match-3.json"
            assert pilot.text("#sentence") == f"Nothing is exported: {written}: No space left on device."
        await pilot.press("e")
        assert pilot.text("#sentence") == f"The record is in {written}"
    assert verify_record(read_record((home / "match-3.json").read_text(encoding="utf-8"))) == three.match(3).state
    assert not [*home.glob("*.part")]


async def test_a_record_is_copied(three: History) -> None:
    async with playing() as pilot:
        await opened(pilot)
        await pilot.press("down", "y")
        assert pilot.text("#sentence") == "Sent to your terminal's clipboard."
        assert verify_record(read_record(pilot.app.clipboard)) == three.match(3).state


async def test_a_history_without_matches_says_something_friendly() -> None:
    async with playing() as pilot:
        await opened(pilot)
        assert "No games yet. They'll show up here." in pilot.seen()
        assert pilot.seen().splitlines()[-1].split() == ["esc", "Back", "│", "F1", "Keys"], "only what works on it"
        assert "Search" not in pilot.seen()
        await pilot.press("enter", "x", "s", "e", "down", "escape")
        assert pilot.stack() == ["Lobby"]


async def test_a_match_that_has_ended_is_measured_at_once(history: History) -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0), [(6, 5, 5, 4)]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await until(lambda: history.unmeasured() == ())
        (entry,) = history.page()
        assert entry.seats[0].figures is not None


async def test_a_match_that_cannot_be_made_out_is_said_to_be_so(three: History) -> None:
    with three.transaction() as sql:
        sql.execute("UPDATE match SET lineup = '{}'")
        sql.execute("UPDATE match SET started = 'once' WHERE id = 1")
    async with playing() as pilot:
        await opened(pilot)
        await pilot.press("down", "enter")
        assert pilot.text("#sentence") == "This game can't be opened: game 3 is damaged and cannot be read."
        await pilot.press("end", "enter", "x")
        assert pilot.stack() == ["Lobby", "HistoryScreen"]


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_everything_lies_inside_the_screen(three: History, size: tuple[int, int]) -> None:
    play(three, "A name that is rather long for a seat", "Another 김 of sixty characters, which is too many")
    async with playing(size=size) as pilot:
        screen = await opened(pilot)
        for part in ("#found", "#search", "#matches", "#seats"):
            assert Region(0, 0, *size).contains_region(screen.query_one(part).region)
            assert screen.query_one(part).region.area
        assert "esc Back" in pilot.seen()
        await pilot.resize_terminal(100, 30)
        await pilot.press("end")
        assert match_at_cursor(screen) == 1


@pytest.mark.long(*PRODUCT)
async def test_a_long_list_is_read_where_it_is_seen(history: History) -> None:
    play(history, "Ann", "Ben")
    with history.transaction() as sql:
        columns = ", ".join(
            name for _, name, *_ in sql.execute("PRAGMA table_info(match)") if name not in ("id", "measured")
        )
        sql.execute(
            "WITH RECURSIVE number(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 5000) "
            f"INSERT INTO match ({columns}, measured) SELECT {columns}, 1 FROM match, number"
        )
    async with playing() as pilot:
        await pilot.reaches("Lobby")
        await pilot.app.run_action("history")
        await pilot.reaches("HistoryScreen")
        screen = pilot.app.screen
        assert isinstance(screen, HistoryScreen)
        await pilot.pause()
        assert "Past games: 5,001" in pilot.seen()
        assert set(screen.pages) == {(False, 0)}
        await pilot.press("end")
        assert match_at_cursor(screen) == 1
        await pilot.press("pageup", "up", "home")
        assert match_at_cursor(screen) == 5001
        assert set(screen.pages) <= {(False, 0), (False, 49), (False, 50)}


async def test_a_history_that_is_not_there_yet_is_created_by_nobody_but_the_screen() -> None:
    async with playing() as pilot:
        assert isinstance(pilot.app, FourTwentyApp)
        await pilot.app.workers.wait_for_complete()
        history_file().unlink(missing_ok=True)
        pilot.app.history_service.measure()
        await pilot.app.workers.wait_for_complete()
        assert not history_file().exists()


async def test_a_history_that_cannot_be_read_is_not_called_empty(history: History) -> None:
    play(history, "Ann", "Ben")
    run_sql(history, "PRAGMA user_version = 99")
    async with playing() as pilot:
        await pilot.reaches("Lobby")
        await pilot.app.run_action("history")
        await until(lambda: "Can't open the history" in pilot.seen())
        assert "has format 99" in " ".join(pilot.seen().split())
        assert "No games yet" not in pilot.seen()
        assert "Past games: 0" not in pilot.seen()
