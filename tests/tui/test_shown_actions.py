"""What the rules allow is on the key bar or on a button, in every state, at every size, for a thumb too."""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

import pytest
from long_tests import PRODUCT
from table_pilot import TablePilot, playing
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Roll, Stand
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.actions import declared
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.key_bar import KeyBar

CONVENIENCES = {"table.all", "table.none", "table.fairness", "practice.all"}
"""Actions that no rule needs: what they do is done by others, too, or is no move."""
STEPS = 6


def hidden(screen: BaseScreen[Any]) -> list[str]:
    """Return the actions of a screen that are allowed now, and are on neither its key bar nor a button."""
    key_bar = screen.query_one(KeyBar)
    bar = "\n".join(key_bar.render_line(y).text for y in range(key_bar.size.height))
    buttons = {button.id for button in screen.query(MouseButton) if button.display}
    found = []
    for each in declared(type(screen)).values():
        if each.state(screen) is not True or each.id in CONVENIENCES or each.spare or each.id is None:
            continue
        label = each.group.description if each.group else each.description
        if label not in bar and each.button_id not in buttons:
            found.append(each.id)
    return found


async def shown_by(pilot: TablePilot) -> BaseScreen[Any]:
    """Return the screen once it is asked something, after looking whether it shows all that is allowed."""

    def asks() -> bool:
        screen = pilot.app.screen
        return (isinstance(screen, Table) and screen.waiting) or (isinstance(screen, Results) and screen.shown_at < inf)

    await until(asks)
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, BaseScreen)
    assert hidden(screen) == [], screen
    return screen


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (60, 36)], ids=str)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.long(*PRODUCT)
async def test_what_is_allowed_is_shown(game: str, size: tuple[int, int], typed: bool) -> None:
    chance = Random(f"{game} {size} {typed}")
    stood = False
    lineup = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0, game=game, typed=typed)
    start = GAMES["421"].parse("*>-:9 -:8 -:4 round 9 roll 1") if game == "421" else None
    async with playing(lineup, size=size, start=start) as pilot:
        for _ in range(STEPS):
            screen = await shown_by(pilot)
            if isinstance(screen, Results):
                if screen.ended:
                    break
                await pilot.press("enter")
                continue
            assert isinstance(screen, Table)
            if screen.is_typing:
                await pilot.press(str(chance.randint(1, 6)))
                await shown_by(pilot)
                await pilot.press(*(str(chance.randint(1, 6)) for _ in range(screen.manual_faces.asked - 1)), "enter")
                continue
            if Stand() in screen.match.state.actions and not stood:
                stood = True
                await pilot.press("s")
                continue
            rolls = [action for action in screen.match.state.actions if isinstance(action, Roll)]
            screen.select(frozenset(chance.choice(rolls).dice))
            await shown_by(pilot)
            await pilot.press("enter")
    assert stood == (game != "420")


@pytest.mark.parametrize("size", [(60, 20), (80, 24)], ids=str)
async def test_practice_shows_what_is_allowed(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        await pilot.press("p")
        await until(lambda: isinstance(pilot.app.screen, Practice) and pilot.app.screen.is_mounted)
        for _ in range(4):
            await pilot.pause()
            screen = pilot.app.screen
            assert isinstance(screen, Practice)
            assert hidden(screen) == []
            await pilot.press("1")
            await pilot.pause()
            assert hidden(screen) == []
            await pilot.press("n")
