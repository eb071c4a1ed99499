"""The list of everything, by F1, ctrl+p and colon: found while it is typed, done with enter or a click, explained."""

from __future__ import annotations

import json
import re

import pytest
from table_pilot import TablePilot, playing
from waiting import until

from fourtwenty.file_storage import settings_file
from fourtwenty.journal.practice_sources import Source
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.picker import PaletteDialog
from fourtwenty.tui.past_games.practice_screen import Practice

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)


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
        await pilot.reaches("Lobby", "MarkdownScreen")


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
        pilot.burst("ctrl+p", "pagedown", "ctrl+p", "f1", *"rules", "pageup", "enter")
        await pilot.reaches("Lobby", "MarkdownScreen")


async def test_a_search_and_enter_in_one_burst() -> None:
    async with playing() as pilot:
        pilot.burst("colon", *"hist", "enter")
        await pilot.reaches("Lobby", "HistoryScreen")
        pilot.burst("escape", "colon", *"xyzzy", "enter")
        await pilot.shows("Nothing matches “xyzzy”.")
        assert pilot.stack() == ["Lobby", "PaletteDialog"]
        pilot.burst("escape", "colon", *"theme", "enter", "escape", "colon", *"author", "enter")
        await pilot.reaches("Lobby", "MarkdownScreen")


def titles(shown: PaletteDialog) -> list[str]:
    return [command.title for command in shown.commands]


async def test_it_begins_with_the_main_action_and_ends_with_the_end_of_the_program() -> None:
    async with playing() as pilot:
        shown = await palette(pilot)
        assert titles(shown)[:2] == ["Play", "Practice"]
        assert titles(shown)[-2:] == ["Quit now", "Suspend"]
        assert not {"Palette", "Keys"} & {*titles(shown)}
        pilot.burst("escape")
        await pilot.reaches("Lobby")
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
        wanted = {
            "bot": "Add a player",
            "theme": "Options",
            "coach": "Options",
            "real dice": "Options",
            "CHANGE": "Change",
            "past": "Past games",
        }
        for words, title in wanted.items():
            assert title in [command.title for command in await shown.find(words)], words
        await pilot.press(*"seat people")
        assert [(command.title, command.keys) for command in shown.found] == [("Add a player", ("a",))]
        await pilot.press("enter")
        await pilot.reaches("Lobby", "SeatDialog")


@pytest.mark.parametrize("key", ["f1", "ctrl+p", "colon"])
async def test_three_keys_open_it_and_those_that_are_never_typed_close_it(key: str) -> None:
    async with playing(TWO, [(6, 5, 5, 1)]) as pilot:
        await pilot.turn(seat=0)
        for closes in ("escape", "f1", "ctrl+p"):
            await pilot.press(key, to="PaletteDialog")
            await pilot.press(closes)
            await pilot.reaches("Table")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_it_names_every_key_and_takes_the_room_there_is(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        shown = await palette(pilot)
        lines = pilot.seen().split("\n")
        assert re.search(r"Add a player +Seat people, or a bot +a ", pilot.seen())
        listed = [line for line in lines if any(f"  {title}  " in line for title in titles(shown))]
        assert len(listed) >= min(len(shown.commands), size[1] - 13)
        assert "esc  Cancel" in pilot.seen(), "nothing is cut off"
        await pilot.press(*["pagedown"] * 4)
        assert "Suspend" in pilot.seen()


async def test_nothing_is_described_by_its_own_name() -> None:
    async with playing(size=(120, 40)) as pilot:
        for keys, screen in (
            ([], "Lobby"),
            (["p"], "Practice"),
            (["q", "h"], "HistoryScreen"),
            (["q", "a"], "SeatDialog"),
        ):
            await pilot.press(*keys, to=screen) if keys else None
            for command in (await palette(pilot)).commands:
                assert command.about not in (command.title, ""), (screen, command.title)
            await pilot.press("escape", to=screen)


async def test_changed_keys_are_named() -> None:
    settings_file().parent.mkdir(exist_ok=True)
    settings_file().write_text(json.dumps({"keys": {"lobby.person": "f5,f6"}}))
    async with playing() as pilot:
        shown = await palette(pilot)
        assert [each.keys for each in shown.commands if each.title == "Add a player"] == [("f5", "f6")]


async def test_over_a_dialog_it_has_the_keys_of_the_dialog() -> None:
    async with playing() as pilot:
        await pilot.press("a")
        await pilot.reaches("Lobby", "SeatDialog")
        shown = await palette(pilot)
        assert shown.found[0].about == "Seat these players"
        assert "Add a player" not in titles(shown)
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby", "SeatDialog"]


@pytest.mark.parametrize(("bot", "typed"), [(False, False), (False, True), (True, False), (True, True)])
async def test_at_a_table_its_help_speaks_of_bots_and_real_dice_where_there_are_any(bot: bool, typed: bool) -> None:
    lineup = Lineup((Seat("Ann"), Seat("Ben", bot="Steady" if bot else None)), starting_seat=0, typed=typed)
    async with playing(lineup, [] if typed else [(6, 5, 5, 1)]) as pilot:
        await pilot.turn(seat=0)
        assert ("Help" in titles(await palette(pilot))) == (bot or typed)
        await pilot.press("escape")
        if bot or typed:
            await pilot.press("f1", "down", "enter", to="MarkdownScreen")
            text = " ".join(pilot.seen().split())
            assert ("Bots play by themselves" in text) == bot
            assert ("on the bar" in text) == ("taken back" in text) == typed
            assert ("for a bot too" in text) == (bot and typed)
            await pilot.press("escape")
            await pilot.reaches("Table")


async def test_help_of_practice_speaks_of_other_positions_where_there_is_a_way_to_them() -> None:
    async with playing() as pilot:
        await pilot.press("p", to="Practice")
        screen = pilot.app.screen
        assert isinstance(screen, Practice)
        assert "is the same for everybody" in screen.help_text
        screen.source = Source("420")  # as a review opens it
        assert "A wrong answer can be tried again" in screen.help_text
        assert "everybody" not in screen.help_text


async def test_help_of_past_games_speaks_of_a_search_where_there_are_games() -> None:
    async with playing() as pilot:
        await pilot.press("h", to="HistoryScreen")
        assert "Help" not in titles(await palette(pilot))
