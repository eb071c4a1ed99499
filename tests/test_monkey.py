"""A monkey plays for a moment; and what monkeys have found, each as the few keys it takes."""

from __future__ import annotations

import pytest
from at_the_table import burst, playing, stack, turn, until
from monkey import play, play_in_terminal, replay_everything

from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.dialogs.hint import Hint
from fourtwenty.tui.widgets.command_row import CommandRow


async def test_a_monkey_in_the_pilot() -> None:
    await play(seed=420, events=200)
    replay_everything()


@pytest.mark.terminal
def test_a_monkey_in_a_terminal() -> None:
    play_in_terminal(seed=420, events=100)
    replay_everything()


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_a_hint_in_a_roll_off(size: tuple[int, int]) -> None:
    async with playing(Lineup(game="421", coach="full"), size=size) as pilot:
        table = await turn(pilot)
        assert table.match.state.starting_seat is None
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
        covered = pilot.app.screen.query_one(CommandRow)
        await pilot.resize_terminal(10, 3)
        await covered.run_action("screen.dismiss")
        assert stack(pilot) == ["Lobby", "SettingsDialog", "TooSmall"]
