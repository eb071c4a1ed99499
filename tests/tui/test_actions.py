"""Actions that are declared once: by their keys, buttons, clicks and the palette, hidden, dimmed and explained."""

from __future__ import annotations

import re
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace
from table_pilot import TablePilot, playing
from textual.binding import BindingType
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.picker import PaletteDialog
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.actions import ScreenAction, declared
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.meter import MeterAndSentence

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
THROWS = [(6, 5, 4, 1), (6, 1, 1, 1)]


class BlowingTable(Table):
    """A table with one more action, declared in one place."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "b",
            "blow",
            "Blow",
            id="table.blow",
            tooltip="Blow on the selected dice",
            available=lambda table: table.is_choosing,
            refusal=lambda table: None if table.selection else "Select a die to blow on.",
            button=True,
        ),
    ]
    blown = 0

    def action_blow(self) -> None:
        self.blown += 1


async def choosing(pilot: TablePilot, roll: str = "enter") -> BlowingTable:
    """Roll until Ann has a choice, with no die selected."""
    for seat in (0, 1):
        await pilot.turn(seat)
        await pilot.press(roll)
    table = await pilot.turn(0)
    assert isinstance(table, BlowingTable)
    return table


async def offered(pilot: TablePilot) -> dict[str, str]:
    """Return what the palette has, by title what it does or why not now, and close it."""
    await pilot.press("ctrl+p", to="PaletteDialog")
    assert isinstance(pilot.app.screen, PaletteDialog)
    commands = {command.title: command.about for command in pilot.app.screen.commands}
    await pilot.press("escape")
    return commands


@pytest.fixture
def one_action_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.tui.screens.table.Table", BlowingTable)


@pytest.mark.usefixtures("one_action_more")
async def test_one_declaration_adds_a_key_a_button_and_a_line_of_the_palette() -> None:
    async with playing(TWO, THROWS, size=(120, 40)) as pilot:
        table = await choosing(pilot)
        await pilot.press("4")
        assert "b Blow" in pilot.seen().split("\n")[-1]
        await pilot.press("b")
        await pilot.click("#blow")
        await pilot.click_on("b Blow")
        await until(lambda: table.blown == 3)
        await pilot.press("ctrl+p", *"selected dice", "down", "enter")
        await until(lambda: table.blown == 4)
        await pilot.press("f1", to="PaletteDialog")
        assert re.search("Blow +Blow on the selected dice +b ", pilot.seen())


@pytest.mark.usefixtures("one_action_more")
async def test_what_is_refused_is_dimmed_everywhere_and_every_way_to_it_says_why() -> None:
    async with playing(TWO, THROWS, size=(120, 40)) as pilot:
        table = await choosing(pilot)
        button = table.query_one("#blow", MouseButton)
        assert button.has_class("-dimmed")
        assert (await offered(pilot))["Blow"] == "Select a die to blow on."
        for way in ("key", "button", "key bar"):
            table.say("")
            if way == "key":
                await pilot.press("b")
            elif way == "button":
                await pilot.click("#blow")
            else:
                await pilot.click_on("b Blow")
            await until(lambda: pilot.text("#line") == "Select a die to blow on.")
            assert table.query_one(MeterAndSentence).refused, way
        assert not table.blown
        await pilot.press("4")
        assert not button.has_class("-dimmed")
        assert "Blow" in await offered(pilot)
        await pilot.press("4")
        assert button.has_class("-dimmed"), "as soon as it is refused again"


@pytest.mark.usefixtures("one_action_more")
async def test_what_is_not_there_is_nowhere() -> None:
    async with playing(replace(TWO, typed=True), size=(120, 40)) as pilot:
        await pilot.turn()
        await pilot.press("r")
        await until(lambda: isinstance(pilot.app.screen, BlowingTable) and pilot.app.screen.is_typing)
        await pilot.pause()
        assert "Blow" not in pilot.seen()
        assert "Blow" not in await offered(pilot)
        assert pilot.stack() == ["BlowingTable"]


@pytest.mark.parametrize("condition", [{"available": bool}, {"refusal": str}])
def test_a_condition_of_an_action_of_the_app_is_an_error_and_not_lost(condition: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"table\.past: an action of the app has no condition"):
        ScreenAction("p", "app.history", "Past", id="table.past", **condition)
    ScreenAction("p", "app.history", "Past", id="table.past", spare=True)


@pytest.mark.usefixtures("one_action_more")
async def test_inherited_actions_keep_their_order_where_one_is_added() -> None:
    async with playing(TWO, THROWS, size=(120, 40)) as pilot:
        app = pilot.app
        assert isinstance(app, BaseApp)
        app.keymap = {"table.roll": "f5"}
        app.set_keymap({**app.keymap})
        await choosing(pilot, "f5")
        await pilot.press("4")
        bar = pilot.seen().split("\n")[-1]
        assert bar.index("f5 Roll") < bar.index("Hint") < bar.index("b Blow")
        assert next(iter(await offered(pilot))) == "Roll", "the action of Enter, whatever its key"


@pytest.mark.parametrize("game", GAMES)
async def test_the_dice_of_a_hand_have_keys_and_no_others(game: str) -> None:
    async with playing() as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await pilot.press(*["g"] * [*GAMES].index(game), "p")
        await until(lambda: isinstance(pilot.app.screen, Practice) and pilot.app.screen.is_mounted)
        hand = range(1, GAMES[game].hand_size + 1)
        found = [each.binding.description for each in pilot.app.screen.active_bindings.values()]
        assert [name for name in found if name.startswith("Die ")] == [f"Die {die}" for die in hand]
        keys = [name for _, name, _ in declared(Table) if name == "toggle_die"]
        assert len(keys) == max(each.hand_size for each in GAMES.values())
