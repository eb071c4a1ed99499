"""The palette: found while it is typed, done with enter or a click, and safe from quick keys and clicks."""

from __future__ import annotations

from table_pilot import TablePilot, playing
from waiting import until

from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.picker import PaletteDialog


async def palette(pilot: TablePilot) -> PaletteDialog:
    await pilot.press("ctrl+p")
    assert isinstance(pilot.app.screen, PaletteDialog)
    return pilot.app.screen


async def test_what_is_typed_is_found_and_done() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        await pilot.press(*"AUTHOR ru")
        assert [command.title for command in shown.found] == ["Rules"]
        await pilot.press("enter")
        await pilot.reaches("Lobby", "Rules")


async def test_what_is_nowhere_found_cannot_be_chosen() -> None:
    async with playing() as pilot:
        await palette(pilot)
        await pilot.press(*"xyzzy", "enter", "pagedown", "up")
        assert "Nothing matches “xyzzy”." in pilot.seen()
        assert pilot.stack() == ["Lobby", "PaletteDialog"]
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby"]


async def test_two_clicks_do_what_they_point_at() -> None:
    async with playing() as pilot:
        await palette(pilot)
        await pilot.press(*"theme")
        lines = pilot.seen().split("\n")
        row = next(row for row, line in enumerate(lines) if "Options " in line)
        await pilot.double_click(offset=(lines[row].index("Options "), row))
        await pilot.reaches("Lobby", "OptionsDialog")


async def test_quitting_from_the_palette_at_the_table() -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")))) as pilot:
        await pilot.turn()
        await palette(pilot)
        await pilot.press(*"quit", "enter")
        await until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def test_keys_faster_than_it_opens() -> None:
    async with playing() as pilot:
        pilot.burst("ctrl+p", "pagedown", "ctrl+p", *"rules", "pageup", "enter")
        await pilot.reaches("Lobby", "Rules")


async def test_a_search_and_enter_in_one_burst() -> None:
    async with playing() as pilot:
        pilot.burst("colon", *"hist", "enter")
        await pilot.reaches("Lobby", "HistoryScreen")
        pilot.burst("escape", "colon", *"xyzzy", "enter")
        await pilot.shows("Nothing matches “xyzzy”.")
        assert pilot.stack() == ["Lobby", "PaletteDialog"]
        pilot.burst("escape", "colon", *"theme", "enter", "escape", "colon", *"author", "enter")
        await pilot.reaches("Lobby", "Rules")


async def test_it_begins_with_the_main_action_and_never_with_the_end() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        assert shown.found[0].title == "Play"
        pilot.burst("escape")
        await pilot.reaches("Lobby")
        assert not {"Quit now", "Suspend", "Palette", "Up", "Down"} & {command.title for command in shown.commands}
    async with playing(Lineup((Seat("Ann"), Seat("Ben")))) as pilot:
        await pilot.turn()
        assert (await palette(pilot)).found[0].title == "Roll"


async def test_covered_it_stays() -> None:
    async with playing() as pilot:
        covered = await palette(pilot)
        await pilot.resize_terminal(10, 3)
        covered.action_back()
        await covered.action_accept()
        await pilot.resize_terminal(80, 24)
        assert pilot.stack() == ["Lobby", "PaletteDialog"]


async def test_this_screen_is_searched_too_by_any_word() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        titles = {
            "bot": "Add a player",
            "theme": "Options",
            "coach": "Options",
            "real dice": "Options",
            "CHANGE": "Change",
            "past": "Past games",
        }
        for words, title in titles.items():
            assert title in [command.title for command in await shown.find(words)], words
        await pilot.press(*"seat people")
        assert [(command.title, command.key) for command in shown.found] == [("Add a player", "a")]
        await pilot.press("enter")
        await pilot.reaches("Lobby", "SeatDialog")
