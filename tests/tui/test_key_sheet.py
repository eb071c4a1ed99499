"""The sheet of F1: the help and the keys of every screen, read and closed by keys and by mouse."""

from __future__ import annotations

import json
import re

import pytest
from table_pilot import TablePilot, playing
from textual.containers import VerticalScroll
from waiting import until

from fourtwenty.file_storage import settings_file
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.past_games.practice_screen import Practice

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)


async def sheet(pilot: TablePilot) -> str:
    await pilot.press("f1")
    await until(lambda: pilot.stack()[-1] == "KeySheet" and bool(pilot.app.screen.query("#columns Static")))
    await pilot.pause()
    return "\n".join(str(column.render()) for column in pilot.app.screen.query("#columns Static"))


async def test_it_has_the_keys_of_this_screen_in_parts() -> None:
    async with playing() as pilot:
        text = await sheet(pilot)
        for title in ("This screen", "Players", "The game", "Moving around", "Everywhere"):
            assert f"\n{title}\n" in f"\n{text}\n", title
        assert text.startswith("This screen\n"), "keys come before prose"
        assert re.search("^a +Seat people, or a bot$", text, re.MULTILINE)
        assert "Focus" not in text
        assert "Copy selected text" not in text
    async with playing(TWO, [(6, 5, 5, 1)]) as pilot:
        await pilot.turn(seat=0)
        text = await sheet(pilot)
        assert "\x1b" not in text
        assert "s  Keep the hand" not in text, "420 has no stand"


@pytest.mark.parametrize(("bot", "typed"), [(False, False), (False, True), (True, False), (True, True)])
async def test_at_a_table_it_speaks_of_bots_and_real_dice_where_there_are_any(bot: bool, typed: bool) -> None:
    lineup = Lineup((Seat("Ann"), Seat("Ben", bot="Steady" if bot else None)), starting_seat=0, typed=typed)
    async with playing(lineup, [] if typed else [(6, 5, 5, 1)]) as pilot:
        await pilot.turn(seat=0)
        text = await sheet(pilot)
        assert ("Bots play by themselves" in text) == bot
        assert ("on the bar" in text) == ("taken back" in text.rpartition("\n\n")[2]) == typed
        assert ("for a bot too" in text) == (bot and typed)


async def test_in_practice_it_speaks_of_other_positions_where_there_is_a_way_to_them() -> None:
    async with playing() as pilot:
        await pilot.press("p", to="Practice")
        assert "The daily puzzle" in await sheet(pilot)
        await pilot.press("f1")
        screen = pilot.app.screen
        assert isinstance(screen, Practice)
        screen.practising = None  # as a review opens it
        text = await sheet(pilot)
        assert "A wrong answer can be tried again" in text
        assert "daily" not in text
        assert "Mine" not in text


async def test_past_games_speak_of_a_search_where_there_are_games() -> None:
    async with playing() as pilot:
        await pilot.press("h", to="HistoryScreen")
        assert "The search" not in await sheet(pilot)


@pytest.mark.parametrize("key", ["escape", "q", "f1"])
async def test_a_key_closes_it(key: str) -> None:
    async with playing(TWO, [(6, 5, 5, 1)]) as pilot:
        await pilot.turn(seat=0)
        await sheet(pilot)
        await pilot.press(key)
        assert pilot.stack() == ["Table"] or pilot.stack()[-1] == "Table"


async def test_the_mouse_closes_it() -> None:
    async with playing() as pilot:
        await sheet(pilot)
        await pilot.click_on("Close")
        assert pilot.stack() == ["Lobby"]
        await sheet(pilot)
        await pilot.click(offset=(0, 12))
        assert pilot.stack() == ["Lobby"]


async def test_keys_scroll_it() -> None:
    async with playing(size=(60, 20)) as pilot:
        await sheet(pilot)
        scroll = pilot.app.screen.query_one(VerticalScroll)
        await pilot.press("end")
        assert scroll.scroll_y == scroll.max_scroll_y > 0
        await pilot.press("up")
        assert scroll.scroll_y == scroll.max_scroll_y - 1
        await pilot.press("home", "down", "pagedown")
        assert scroll.scroll_y > 1
        assert "Close" in pilot.seen()


async def test_changed_keys_are_named() -> None:
    settings_file().parent.mkdir(exist_ok=True)
    settings_file().write_text(json.dumps({"keys": {"lobby.person": "f5,f6"}}))
    async with playing() as pilot:
        assert re.search("f5 f6 +Seat people, or a bot", await sheet(pilot))


async def test_over_a_dialog() -> None:
    async with playing() as pilot:
        await pilot.press("a")
        await pilot.reaches("Lobby", "SeatDialog")
        assert "enter  Seat these players" in await sheet(pilot)
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby", "SeatDialog"]
