"""The app as a browser's tab has it, without a browser: a storage that confirms later, and actions that are absent."""

from __future__ import annotations

import asyncio
import json
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import table_pilot
from fake_page import FakePage, FakeStorage, handed_over
from msgspec.structs import replace
from table_pilot import playing
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty import file_storage
from fourtwenty.cli.browser_page import NO_TABLE, fetch_table, read_launch_request
from fourtwenty.file_storage import history_file, is_absent
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Faces, Game
from fourtwenty.journal import links, practice_sources
from fourtwenty.journal.history import History
from fourtwenty.journal.links import link
from fourtwenty.journal.record import Record
from fourtwenty.odds import tables
from fourtwenty.odds.bar_421_first import has_rows
from fourtwenty.play.clock import day_in_words, today
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, SaveError, SavePendingError
from fourtwenty.tui import browser_app
from fourtwenty.tui.browser_app import BrowserApp, BrowserDriver, verified
from fourtwenty.tui.screen_keys import offers
from fourtwenty.tui.screens.match_flow import MatchFlow

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
HOME = "https://example.org/"
THROWS: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (1,), (2, 2, 2, 2), (3,)]


class TerminalPage(FakePage):
    async def after(self, typed: str, shown: str) -> None:
        """Type, and wait until this is painted; what was painted before does not count."""
        self.painted = ""
        browser_app.send("feed", typed)
        await until(lambda: shown in self.painted)


@pytest.fixture(autouse=True)
def storage(monkeypatch: pytest.MonkeyPatch) -> FakeStorage:
    storage = FakeStorage()
    monkeypatch.setattr(file_storage, "storage", storage)
    monkeypatch.setattr(table_pilot, "FourTwentyApp", BrowserApp)
    monkeypatch.setattr(MatchFlow, "quiet_seconds", 1000)
    return storage


@pytest.fixture(autouse=True)
def page(monkeypatch: pytest.MonkeyPatch) -> TerminalPage:
    page = TerminalPage()
    monkeypatch.setattr(BrowserDriver, "page", page, raising=False)
    return page


def begun(history: History) -> Match:
    return Match(TWO, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)


def over(history: History) -> None:
    match = begun(history)
    while match.state.to_act is not None:
        match.act(match.state.actions[0])


async def test_a_face_is_shown_once_the_storage_has_confirmed_it(storage: FakeStorage) -> None:
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn(seat=0)
        storage.answer, tries = "", storage.tries
        await pilot.press("r")
        await until(lambda: storage.tries > tries)
        await pilot.pause(0.05)
        assert "6 5 5 1" not in pilot.logged()
        assert table.match.events == []
        assert not table.match.saved
        storage.answer = None
        await pilot.turn(seat=1)
        assert "6 5 5 1" in pilot.logged()
        assert storage.tries == tries + 1, "it is written once"
        assert pilot.stack() == ["Table"], "nobody is asked because it takes a while"


async def test_a_storage_that_refuses_is_a_sentence_and_the_game_goes_on_by_itself(storage: FakeStorage) -> None:
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn(seat=0)
        storage.answer = "the storage of this browser is full"
        await pilot.press("r", shows="The storage of this browser is full.")
        assert table.match.events == []
        storage.answer = None
        await pilot.turn(seat=1)
        assert [event.faces for event in table.match.events] == [(6, 5, 5, 1)]


async def test_people_play_on_unsaved_until_it_is_saved_again(storage: FakeStorage) -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.turn(seat=0)
        storage.answer = "the storage of this browser is full"
        await pilot.press("r", to="SaveFailedDialog")
        await pilot.press("p")
        table = await pilot.turn(seat=1)
        assert not table.match.saved
        storage.answer = None
        await pilot.press("r", turn=0)
        assert table.match.saved
        assert pilot.notes() == ["This game is saved again."]


async def test_a_game_that_was_left_is_resumed_once_it_is_kept(storage: FakeStorage, history: History) -> None:
    match = begun(history)
    assert match.saved
    storage.answer = ""
    with pytest.raises(SavePendingError):
        history.resume(1)
    storage.answer = "the storage of this browser is full"
    tries = storage.tries
    with pytest.raises(SaveError, match="is full"):
        history.resume(1)
    assert storage.tries == tries + 1, "it is tried again"
    storage.answer = None
    assert history.resume(1).names == match.names


async def test_what_a_tab_cannot_do_is_nowhere_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = {"friends", "suspend_process", "help_quit"}
    for app in (BrowserApp, *BrowserApp.__mro__[1:2]):
        monkeypatch.setattr(table_pilot, "FourTwentyApp", app)
        async with playing(size=(120, 50)) as pilot:
            screen = pilot.app.screen
            actions = {offer.action for offer in offers(screen)}
            await pilot.press("f1")
            await pilot.pause()
            sheet = pilot.seen()
            shown = "Others at their own machines" in sheet
            assert shown == (app is not BrowserApp)
            assert absent & actions == (set() if app is BrowserApp else absent)
            hosted: list[object] = []
            monkeypatch.setattr(app, "action_host", lambda *_, hosted=hosted: hosted.append(_))
            await pilot.press("escape", "w")
            await pilot.pause()
            assert bool(hosted) == (app is not BrowserApp)


async def test_measuring_takes_no_thread(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    over(history)
    app = BrowserApp()
    async with app.run_test() as pilot:
        await until(lambda: app._history_service)
        await pilot.pause()
        with monkeypatch.context() as patch:
            patch.setattr("threading.Thread.start", pytest.fail)
            app.history_service.measure()
            await until(lambda: not history.unmeasured())


async def test_an_exported_record_is_a_file_that_is_verified(page: FakePage, history: History, tmp_path: Path) -> None:
    match = begun(history)
    match.act(next(iter(match.state.actions)))
    async with playing() as pilot:
        await pilot.press("h", to="HistoryScreen")
        await pilot.shows("Ann")
        await pilot.press("e")
        await until(lambda: page.saved)
        await pilot.shows("The record is saved as match-1.json")
    assert [*page.saved] == ["match-1.json"]
    file = tmp_path / "match-1.json"
    file.write_text(page.saved["match-1.json"])
    assert verified(str(file)).startswith("OK so far: ")
    file.write_text(json.dumps({}))
    assert verified(str(file)) == "this is no record: its format is not 'fourtwenty-record'\n"


async def test_the_terminal_of_a_page_plays(page: TerminalPage, storage: FakeStorage) -> None:
    playing = asyncio.create_task(browser_app.play(page, storage, "{}", 100, 30, HOME))
    await until(lambda: "Merry" in page.painted)
    browser_app.send("focus", False)
    browser_app.send("resize", 90, 32)
    await page.after("a", "Who joins?")
    await page.after("Zoë\r", "And your name?")
    await page.after("\r", "Zoë")
    await page.after("?", "The table starts cleared")
    await page.after("\x1b", "Add a player")  # a single Escape counts, too
    await page.after("?", "The table starts cleared")
    page.painted = ""
    assert not browser_app.back(), "it is Escape"
    await until(lambda: "Add a player" in page.painted)
    assert browser_app.back(), "it leaves the page from the lobby"
    browser_app.send("feed", "q")
    assert await asyncio.wait_for(playing, MAX_WAIT_SECONDS) == ""
    browser_app.send("feed", "q")  # to nobody
    assert browser_app.back(), "nothing is left to go back to"


def opened(monkeypatch: pytest.MonkeyPatch, **asked: Any) -> None:
    """Let the page begin with something, as page.js asks for it."""
    monkeypatch.setattr(BrowserApp, "launch_request", read_launch_request(json.dumps(asked)))


async def test_the_game_of_the_first_page_goes_on(
    page: FakePage, history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    lineup = Lineup((Seat("You"), Seat("Merry", "Merry"), Seat("Merry 2", "Merry")))
    match = Match(lineup, FairDice(bytes(range(32))), identifier="5" * 32)
    for _ in range(5):
        match.act(match.bot_action() if match.bot_to_act else match.state.actions[-1])
    opened(monkeypatch, game=handed_over(match))
    async with playing() as pilot:
        await pilot.turn(seat=0)
        assert page.taken_over
        assert page.table_of == "5" * 32
    assert history.match(1).events[:5] == match.events
    assert history.match(1).dice.seed == match.dice.seed
    page.taken_over = False
    async with playing() as pilot:
        await pilot.turn(seat=0)
        assert page.taken_over, "it is here already, and there once only"
    assert history.find("5" * 32) == 1
    assert history.count(unfinished=True) == 1


@pytest.mark.parametrize("change", [{"seed": "z"}, {"rolls": [[1]]}, {"players": []}, {"id": 5}, {"bot": "Nobody"}])
async def test_a_game_of_the_first_page_that_cannot_be_is_left_there(
    page: FakePage, monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]
) -> None:
    handed = {
        "id": "5" * 32, "seed": "a" * 64, "bot": "Merry", "rolls": [],
        "players": [{"name": "You", "kind": "human"}, {"name": "Merry", "kind": "bot"}],
    }  # fmt: skip
    opened(monkeypatch, game={**handed, **change})
    async with playing() as pilot:
        await pilot.reaches("Lobby")
        assert pilot.stack() == ["Lobby"]
        assert not page.taken_over


async def test_after_a_reload_the_game_is_at_its_table(monkeypatch: pytest.MonkeyPatch, history: History) -> None:
    begun(history).act(ROLL_ALL)
    opened(monkeypatch, table="0" * 32)
    async with playing() as pilot:
        await pilot.turn(seat=1)


@pytest.mark.parametrize(
    "text", ["*6551 >4332 roll 2", "*>665=-:8 665=-:13 round 9 roll 1", "*665:0130 >421+2:1001 roll 2 of 3"]
)
async def test_a_link_opens_its_position_and_writes_nothing_before_a_roll(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    (state,) = (game.parse(text) for game in GAMES.values() if fits(game, text))
    opened(monkeypatch, link=link(state, HOME).partition("#")[2])
    async with playing() as pilot:
        await pilot.turn()
        await until(lambda: pilot.app.screen.match.state.to_text() == text)  # type: ignore[attr-defined]
        assert is_absent(history_file()), "nothing is written"


def fits(game: Game, text: str) -> bool:
    try:
        return bool(game.parse(text))
    except ValueError:
        return False


async def test_a_game_from_a_link_is_kept_as_any(monkeypatch: pytest.MonkeyPatch, history: History) -> None:
    opened(monkeypatch, link="p=%2A6551%20%3E4332%20roll%202")
    async with playing() as pilot:
        await pilot.turn(seat=1)
        await pilot.press("enter")
        await until(lambda: not is_absent(history_file()) and history.count(unfinished=True) == 1)


async def test_todays_question_counts_another_days_never(monkeypatch: pytest.MonkeyPatch, history: History) -> None:
    for day, counted in ((today() - timedelta(1), 0), (today(), 1)):
        opened(monkeypatch, link=f"daily={day.isoformat()}.ten-rounds")
        async with playing() as pilot:
            await pilot.reaches("Practice")
            await pilot.shows(day_in_words(day))
            await pilot.press("a", "enter")
            await pilot.pause()
        assert len(history.scorecard().days if history.is_begun() else ()) == counted


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("daily=2026-11-30", "That day's puzzle isn't out yet."),
        ("r=abc", "This link leads nowhere: perhaps a part of it is missing."),
        ("p=%2A6551", "This link holds no position."),
    ],
)
async def test_a_link_that_opens_nothing_is_a_sentence_in_the_lobby(
    monkeypatch: pytest.MonkeyPatch, fragment: str, sentence: str
) -> None:
    monkeypatch.setattr(practice_sources, "today", lambda: date(2026, 11, 29))
    opened(monkeypatch, link=fragment)
    async with playing() as pilot:
        await pilot.shows(sentence)
        assert pilot.stack() == ["Lobby"]


async def test_a_link_shows_a_finished_game_and_verifies_it(monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(Lineup((Seat("Ann", "Bold"), Seat("Ben", "Bold"))), FairDice(bytes(32)), identifier="7" * 32)
    match.play_out()
    record = Record.from_match(match)
    opened(monkeypatch, link=link(record, HOME).partition("#")[2])
    async with playing(size=(120, 40)) as pilot:
        await pilot.reaches("Review")
        await pilot.shows("OK: 420, Ann, Ben; ")
        assert not pilot.app._notifications, "a note would cover the buttons of a phone"
        assert is_absent(history_file()), "nothing is written"
    wrong = replace(record, identifier="8" * 32)
    opened(monkeypatch, link=link(wrong, HOME).partition("#")[2])
    async with playing(size=(120, 40)) as pilot:
        await pilot.shows("This link doesn't hold a valid game: ")
        assert pilot.stack() == ["Lobby"]


async def test_without_its_table_421_of_four_goes_on_by_estimates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "table_file", lambda name: tmp_path / name)
    has_rows.cache_clear()
    async with playing() as pilot:
        assert isinstance(pilot.app, BrowserApp)
        monkeypatch.setattr(tables, "fetch", partial(fetch_table, BrowserDriver.page, pilot.app.notify))
        assert not has_rows(4)
        await until(lambda: pilot.notes() == [NO_TABLE])
    has_rows.cache_clear()


async def test_a_terminal_says_where_the_race_to_20_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing(TWO, [(6, 5, 5, 4)]) as pilot:
        await pilot.turn(seat=0)
        await pilot.results("enter")
        for home, offered in ((None, False), (HOME, True)):
            monkeypatch.setattr(links, "homepage", lambda home=home: home)
            await pilot.press("y", to="ShareMatchDialog")
            assert ("Dare a friend" in pilot.seen()) == offered
            await pilot.press("d" if offered else "escape")
        await pilot.shows("https://example.org/#dare")


async def test_the_result_of_the_day_is_shared_by_a_button(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "homepage", lambda: HOME)
    opened(monkeypatch, link="daily")
    async with playing() as pilot:
        await pilot.reaches("Practice")
        await pilot.press("a", "enter")
        await pilot.click_on("Share", to="ShareDialog")
        await pilot.shows("https://example.org/#daily=")
        await pilot.shows("Dare a friend")
