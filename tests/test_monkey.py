"""A monkey plays for a moment; and what monkeys have found, each as the few keys it takes."""

from __future__ import annotations

import pytest
from at_the_table import burst, playing, stack, turn, until
from monkey import play, play_in_terminal, replay_everything
from textual.pilot import Pilot
from textual.widgets import Input

from fourtwenty.lineup import Lineup
from fourtwenty.screens.hint import Hint
from fourtwenty.screens.palette import Palette
from fourtwenty.widgets.choices import Choices


async def test_a_monkey_in_the_pilot() -> None:
    await play(seed=420, events=200)
    replay_everything()


def test_a_monkey_in_a_terminal() -> None:
    play_in_terminal(seed=420, events=100)
    replay_everything()


async def palette(pilot: Pilot[None]) -> Palette:
    burst(pilot, "ctrl+p")
    await until(lambda: isinstance(pilot.app.screen, Palette) and pilot.app.screen.is_mounted)
    assert isinstance(pilot.app.screen, Palette)
    return pilot.app.screen


async def test_a_palette_that_has_ended_takes_nothing_with_it() -> None:
    async with playing() as pilot:
        ended = await palette(pilot)
        ended.dismiss()
        ended.dismiss()
        await pilot.pause()
        assert stack(pilot) == ["Lobby"]


async def test_a_palette_that_is_covered_stays() -> None:
    async with playing() as pilot:
        covered = await palette(pilot)
        await pilot.resize_terminal(10, 3)
        covered.dismiss()
        await pilot.resize_terminal(80, 24)
        assert stack(pilot) == ["Lobby", "Palette"]


async def test_a_page_is_turned_before_the_palette_has_a_list() -> None:
    async with playing() as pilot:
        burst(pilot, "ctrl+p", "pagedown", "pageup", "pagedown", "escape")
        await pilot.pause()
        await pilot.pause()
        assert stack(pilot) == ["Lobby"]


async def test_a_search_outlives_its_palette() -> None:
    async with playing() as pilot:
        ended = await palette(pilot)
        search = ended.query_one(Input)
        ended.dismiss()
        ended.post_message(Input.Changed(search, "rules"))
        await pilot.pause()
        await until(lambda: not ended.is_running)
        assert stack(pilot) == ["Lobby"]


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_a_hint_in_a_roll_off(size: tuple[int, int]) -> None:
    async with playing(Lineup(game="421", coach="full"), size=size) as pilot:
        table = await turn(pilot)
        assert table.match.state.player_one is None
        await pilot.press("h")
        assert isinstance(pilot.app.screen, Hint)


async def test_keys_that_are_faster_than_the_table_opens() -> None:
    async with playing() as pilot:
        burst(pilot, "enter", "up", "down", "escape")
        await turn(pilot)
        assert stack(pilot) == ["Lobby", "Table"]


async def test_keys_that_come_when_everything_has_closed() -> None:
    async with playing() as pilot:
        burst(pilot, "q", *"qaer" * 9)
        await until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def test_a_click_on_what_lies_under_another_screen() -> None:
    async with playing() as pilot:
        await pilot.press("comma")
        covered = pilot.app.screen.query_one(Choices)
        await pilot.resize_terminal(10, 3)
        await covered.run_action("screen.dismiss")
        assert stack(pilot) == ["Lobby", "SettingsScreen", "TooSmall"]
