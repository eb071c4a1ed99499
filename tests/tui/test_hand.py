"""The hand on the screen: any number of dice is whole at every size of the terminal."""

from __future__ import annotations

import pytest
from long_tests import SCREEN, mostly_long
from msgspec.structs import replace
from table_pilot import playing
from textual.geometry import Region
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.widgets.hand import Hand

SIZES = [(60, 20), (80, 24), (100, 30), (120, 36), (160, 46), (200, 60)]


@pytest.fixture(params=[5, 6])
def dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of dice that 420 has here."""
    number: int = request.param
    monkeypatch.setitem(GAMES, "420", replace(GAMES["420"], hand_size=number))
    return number


@mostly_long("size", SIZES, SIZES[:1], *SCREEN)
async def test_every_die_lies_on_the_felt(dice: int, size: tuple[int, int]) -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0), size=size) as pilot:
        table = await pilot.turn(seat=0)
        await pilot.pause()
        felt = table.query_one("#play").region
        assert Region(0, 0, *size).contains_region(felt)
        assert all(map(felt.contains_region, pilot.parts()[:dice]))
        assert len(table.hand.dice) == dice
        assert table.query_one("#seats").region.width >= 14


async def test_dice_may_still_land_on_a_hand_that_is_removed() -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)) as pilot:
        table = await pilot.turn(seat=0)
        size = table.hand.die_region(1).size
        await table.hand.remove()
        assert table.hand.die_region(1).size == size


@mostly_long("size", SIZES, SIZES[:1], *SCREEN)
async def test_every_die_of_a_puzzle_lies_on_the_felt(dice: int, size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        await pilot.press("p")
        await until(lambda: isinstance(pilot.app.screen, Practice) and pilot.app.screen.is_mounted)
        await pilot.pause()
        felt = pilot.app.screen.query_one("#position").region
        assert all(map(felt.contains_region, pilot.parts()[:dice]))
        assert pilot.app.screen.query_one("#why-panel").region.width >= 35


@pytest.mark.parametrize(
    ("dice", "rows", "width"),
    [
        (4, 15, 22),
        (4, 16, 22),
        (3, 16, 30),
        (4, 11, 22),
        (5, 11, 14),
        (5, 8, 14),
        (8, 11, 9),
        (4, 6, 9),
        (15, 11, 9),
        (16, 11, 5),
    ],
)
async def test_dice_are_as_large_as_height_and_width_allow(dice: int, rows: int, width: int) -> None:
    async with playing(size=(160, 46)) as pilot:
        hand = Hand(dice)
        hand.styles.height = rows
        await pilot.app.screen.mount(hand)
        await pilot.pause()
        assert hand.die_region(1).width == width


async def test_a_hand_that_was_never_painted_can_be_under_the_mouse() -> None:
    async with playing() as pilot:
        hand = Hand(4)
        await pilot.app.screen.mount(hand)
        assert hand.render_line(1).cell_length == hand.size.width, "Textual draws it where the mouse is pressed"
