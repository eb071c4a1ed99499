"""The palette: found while it is typed, done with enter or a click, and safe from quick keys and clicks."""

from __future__ import annotations

from at_the_table import burst, playing, seen, stack, turn
from patience import until
from textual.pilot import Pilot

from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.picker import Palette
from fourtwenty.tui.screens.lobby import Lobby


async def palette(pilot: Pilot[None]) -> Palette:
    await pilot.press("ctrl+p")
    assert isinstance(pilot.app.screen, Palette)
    return pilot.app.screen


async def test_what_is_typed_is_found_and_done() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        await pilot.press(*"AUTHOR ru")
        assert [command.title for command in shown.found] == ["Rules"]
        await pilot.press("enter")
        await until(lambda: stack(pilot) == ["Lobby", "Rules"])


async def test_what_is_nowhere_found_cannot_be_chosen() -> None:
    async with playing() as pilot:
        await palette(pilot)
        await pilot.press(*"xyzzy", "enter", "pagedown", "up")
        assert "Nothing matches “xyzzy”." in seen(pilot)
        assert stack(pilot) == ["Lobby", "Palette"]
        await pilot.press("escape")
        assert stack(pilot) == ["Lobby"]


async def test_two_clicks_do_what_they_point_at() -> None:
    async with playing() as pilot:
        await palette(pilot)
        await pilot.press(*"theme")
        lines = seen(pilot).split("\n")
        row = next(row for row, line in enumerate(lines) if "Options " in line)
        await pilot.double_click(offset=(lines[row].index("Options "), row))
        await until(lambda: stack(pilot) == ["Lobby", "Options"])


async def test_quitting_from_the_palette_at_the_table() -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")))) as pilot:
        await turn(pilot)
        await palette(pilot)
        await pilot.press(*"quit", "enter")
        await until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def test_keys_faster_than_it_opens() -> None:
    async with playing() as pilot:
        burst(pilot, "ctrl+p", "pagedown", "ctrl+p", *"rules", "pageup", "enter")
        await until(lambda: stack(pilot) == ["Lobby", "Rules"])


async def test_a_search_and_enter_in_one_burst() -> None:
    async with playing() as pilot:
        burst(pilot, "colon", *"hist", "enter")
        await until(lambda: stack(pilot) == ["Lobby", "PastMatches"])
        burst(pilot, "escape", "colon", *"xyzzy", "enter")
        await until(lambda: "Nothing matches “xyzzy”." in seen(pilot))
        assert stack(pilot) == ["Lobby", "Palette"]
        burst(pilot, "escape", "colon", *"theme", "enter", "escape", "colon", *"author", "enter")
        await until(lambda: stack(pilot) == ["Lobby", "Rules"])


async def test_it_begins_with_the_main_action_and_never_with_the_end() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        assert shown.found[0].title == "Play"
        burst(pilot, "escape")
        await until(lambda: stack(pilot) == ["Lobby"])
        assert not {"Quit now", "Suspend", "Palette", "Up", "Down"} & {command.title for command in shown.commands}
    async with playing(Lineup((Seat("Ann"), Seat("Ben")))) as pilot:
        await turn(pilot)
        assert (await palette(pilot)).found[0].title == "Roll"


async def test_covered_it_stays() -> None:
    async with playing() as pilot:
        covered = await palette(pilot)
        await pilot.resize_terminal(10, 3)
        covered.action_back()
        await covered.action_accept()
        await pilot.resize_terminal(80, 24)
        assert stack(pilot) == ["Lobby", "Palette"]


async def test_this_screen_is_searched_too_by_any_word() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        titles = {
            "bot": "Add a bot",
            "theme": "Options",
            "coach": "Options",
            "real dice": "Options",
            "CHANGE": "Change",
            "past": "History",
        }
        for words, title in titles.items():
            assert title in [command.title for command in await shown.find(words)], words
        await pilot.press(*"seat another")
        assert [(command.title, command.key) for command in shown.found] == [("Add a bot", "b")]
        await pilot.press("enter")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await until(lambda: len(lobby.lineup.seats) == 3)
