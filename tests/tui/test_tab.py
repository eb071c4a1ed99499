"""The app as a browser's tab has it, without a browser: a storage that confirms later, and actions that are absent."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import at_the_table
import pytest
from at_the_table import playing
from patience import PATIENCE, until

from fourtwenty import paths
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Faces
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match, NotKept, Unconfirmed
from fourtwenty.tui import tab
from fourtwenty.tui.palette_commands import palette_commands
from fourtwenty.tui.screen_keys import screen_keys
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.tab import TabApp, TabDriver, verified
from fourtwenty.tui.touch import KEYBOARD

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
THROWS: list[Faces] = [(6, 5, 5, 1), (4, 3, 3, 2), (1,), (2, 2, 2, 2), (3,)]


class Storage:
    """A storage that confirms at once, later, or never."""

    def __init__(self) -> None:
        self.answer: str | None = None
        self.tries = 0

    def keep(self) -> None:
        self.tries += 1

    def refusal(self) -> str | None:
        return self.answer


class FakePage:
    """A page that notes what it is told."""

    def __init__(self) -> None:
        self.painted = ""
        self.saved: dict[str, str] = {}

    def show(self, painted: str) -> None:
        self.painted += painted

    def save(self, name: str, text: str) -> None:
        self.saved[name] = text

    async def after(self, typed: str, shown: str) -> None:
        """Type, and wait until this is painted; what was painted before does not count."""
        self.painted = ""
        tab.tell("feed", typed)
        await until(lambda: shown in self.painted)


@pytest.fixture(autouse=True)
def storage(monkeypatch: pytest.MonkeyPatch) -> Storage:
    """The storage of the tab, in which the app runs."""
    storage = Storage()
    monkeypatch.setattr(paths, "storage", storage)
    monkeypatch.setattr(at_the_table, "FourTwentyApp", TabApp)
    monkeypatch.setattr(MatchFlow, "quiet_seconds", 1000)
    return storage


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> FakePage:
    page = FakePage()
    monkeypatch.setattr(TabDriver, "page", page, raising=False)
    return page


async def test_a_face_is_shown_once_the_storage_has_confirmed_it(storage: Storage) -> None:
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn(seat=0)
        storage.answer, tries = "", storage.tries
        await pilot.press("r")
        await until(lambda: storage.tries > tries)
        await pilot.pause(0.05)
        assert "6 5 5 1" not in pilot.logged()
        assert table.match.events == []
        assert not table.match.kept
        storage.answer = None
        await pilot.turn(seat=1)
        assert "6 5 5 1" in pilot.logged()
        assert storage.tries == tries + 1, "it is written once"
        assert pilot.stack() == ["Table"], "nobody is asked because it takes a while"


async def test_a_storage_that_refuses_is_a_sentence_and_the_game_goes_on_by_itself(storage: Storage) -> None:
    async with playing(TWO, THROWS) as pilot:
        table = await pilot.turn(seat=0)
        storage.answer = "the storage of this browser is full"
        await pilot.press("r")
        await pilot.shows("The storage of this browser is full.")
        assert table.match.events == []
        storage.answer = None
        await pilot.turn(seat=1)
        assert [event.faces for event in table.match.events] == [(6, 5, 5, 1)]


async def test_people_play_on_unsaved_until_it_is_saved_again(storage: Storage) -> None:
    async with playing(TWO, THROWS) as pilot:
        await pilot.turn(seat=0)
        storage.answer = "the storage of this browser is full"
        await pilot.press("r")
        await pilot.reaches("Unkept")
        await pilot.press("p")
        table = await pilot.turn(seat=1)
        assert not table.match.kept
        storage.answer = None
        await pilot.press("r")
        await pilot.turn(seat=0)
        assert table.match.kept
        assert [notice.message for notice in pilot.app._notifications] == ["This game is saved again."]


async def test_a_game_that_was_left_is_resumed_once_it_is_kept(storage: Storage, history: History) -> None:
    match = Match(TWO, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)
    assert match.kept
    storage.answer = ""
    with pytest.raises(Unconfirmed):
        history.resume(1)
    storage.answer = "the storage of this browser is full"
    tries = storage.tries
    with pytest.raises(NotKept, match="is full"):
        history.resume(1)
    assert storage.tries == tries + 1, "it is tried again"
    storage.answer = None
    assert history.resume(1).names == match.names


async def test_what_a_tab_cannot_do_is_nowhere_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = {"friends", "suspend_process", "help_quit"}
    for app in (TabApp, *TabApp.__mro__[1:2]):
        monkeypatch.setattr(at_the_table, "FourTwentyApp", app)
        async with playing(size=(120, 50)) as pilot:
            screen = pilot.app.screen
            actions = {offer.action for offer in (*screen_keys(screen), *palette_commands(pilot.app))}  # type: ignore[arg-type]
            await pilot.press("f1")
            await pilot.pause()
            sheet = pilot.seen()
            shown = "Others at their machines" in sheet
            assert shown == (app is not TabApp)
            assert absent & actions == (set() if app is TabApp else absent)
            await pilot.press("escape", "w")
            await pilot.pause()
            assert (pilot.stack()[-1] == "WithFriends") == (app is not TabApp)


async def test_measuring_takes_no_thread(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match(TWO, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)
    while match.state.to_act is not None:
        match.act(next(iter(match.state.actions)))
    app = TabApp()
    async with app.run_test() as pilot:
        await until(lambda: app._archive)
        await pilot.pause()
        with monkeypatch.context() as patch:
            patch.setattr("threading.Thread.start", pytest.fail)
            app.archive.measure()
            await until(lambda: not history.unmeasured())


async def test_an_exported_record_is_a_file_that_is_verified(page: FakePage, history: History, tmp_path: Path) -> None:
    match = Match(TWO, FairDice(bytes(32)), journal=history.journal(), identifier="0" * 32)
    match.act(next(iter(match.state.actions)))
    async with playing() as pilot:
        await pilot.press("h")
        await pilot.reaches("PastMatches")
        await pilot.shows("Ann")
        await pilot.press("e")
        await until(lambda: page.saved)
        await pilot.pause()
        assert [notice.message for notice in pilot.app._notifications] == ["The record is saved as match-1.json"]
    assert [*page.saved] == ["match-1.json"]
    file = tmp_path / "match-1.json"
    file.write_text(page.saved["match-1.json"])
    assert verified(str(file)).startswith("OK so far: ")
    file.write_text(json.dumps({}))
    assert "verify" in verified(str(file))


async def test_the_terminal_of_a_page_plays(page: FakePage, storage: Storage) -> None:
    playing = asyncio.create_task(tab.play(page, storage, 100, 30, by_touch=False))
    await until(lambda: "Steady" in page.painted)
    tab.tell("focus", False)
    tab.tell("resize", 90, 32)
    await page.after("a", "Who joins?")
    await page.after("Zoë\r", "Zoë")
    await page.after("?", "The table starts cleared")
    await page.after("\x1b", "Add a player")  # a single Escape counts, too
    await page.after("?", "The table starts cleared")
    page.painted = ""
    assert not tab.back(), "it is Escape"
    await until(lambda: "Add a player" in page.painted)
    assert tab.back(), "it leaves the page from the lobby"
    tab.tell("feed", "q")
    assert await asyncio.wait_for(playing, PATIENCE) == ""
    tab.tell("feed", "q")  # to nobody
    assert tab.back(), "nothing is left to go back to"


async def test_a_page_that_is_touched_has_buttons_and_its_keyboard_where_something_is_typed(
    page: FakePage, storage: Storage, history: History
) -> None:
    Match(TWO, FairDice(bytes(32)), journal=history.journal()).act(ROLL_ALL)
    playing = asyncio.create_task(tab.play(page, storage, 54, 44, by_touch=True))
    await until(lambda: "Steady" in page.painted)
    assert "Press" not in page.painted
    await page.after("a", KEYBOARD.format(1))
    await page.after("Zoë\r", KEYBOARD.format(0))
    await page.after("h", "Past games")
    await page.after("/", KEYBOARD.format(1))
    await page.after("\x1b", KEYBOARD.format(0))
    await page.after("\x1b", "Add a player")
    tab.tell("feed", "q")
    assert await asyncio.wait_for(playing, PATIENCE) == ""
