"""Enter pressed again and again, at any rhythm: a result is seen for 0.7 s, and no key is ignored for longer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import ClassVar

import pytest
from table_pilot import TablePilot, playing
from test_cousins_at_the_table import result_in_a_line
from textual.events import Key
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input.queue import SETTLE_SECONDS, InputApp, InputScreen
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table

RHYTHMS = (0.0, 0.03, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
"""Seconds between two keys, from one write to a calm tap."""

NAMES = (Seat("Ann"), Seat("Ben"), Seat("Cleo"))


def game(key: str, seats: int, position: str, throws: list[Faces]) -> AbstractAsyncContextManager[TablePilot]:
    lineup = Lineup(NAMES[:seats], starting_seat=0, game=key)
    return playing(lineup, throws, start=GAMES[key].parse(position) if position else None)


RESULTS: dict[str, Callable[[pytest.MonkeyPatch], AbstractAsyncContextManager[TablePilot]]] = {
    "420, a round": lambda _: game("420", 3, "", [(6, 5, 5, 4), (1, 1, 1, 1)]),
    "420, the end": lambda _: game("420", 2, "", [(6, 5, 5, 4), (1, 1, 1, 1)]),
    "421, a round in a line": result_in_a_line,
    "421, somebody leaves": lambda _: game(
        "421", 3, "*>-:1 -:12 -:8 round 9 roll 1", [(4, 2, 1), (6, 5, 3), (6, 6, 1)]
    ),
    "Four Twenty-One, somebody leaves": lambda _: game(
        "ten-rounds", 3, "*>-:101010101 -:010101010 -:000000000 roll 1 of 3", [(6, 5, 3), (6, 6, 6), (6, 5, 2)]
    ),
}


async def shown(pilot: TablePilot) -> Table | Results:
    """Play on until a result is shown; return its screen, whose time of the first picture is then 0."""
    while not (
        isinstance(screen := pilot.app.screen, Results) or (isinstance(screen, Table) and screen.flow.shows_result)
    ):
        if isinstance(screen, Table) and screen.waiting:
            state = screen.match.state
            await pilot.press("s" if state.to_act is not None and state.hand(state.to_act) else "r")
        await pilot.pause()
    await pilot.pause()
    screen.shown_at = 0.0
    return screen


def gone(pilot: TablePilot, screen: Table | Results) -> bool:
    return pilot.app.screen is not screen if isinstance(screen, Results) else not screen.flow.shows_result


async def press(pilot: TablePilot, key: str, at: float) -> None:
    """Press a key at a time, in seconds from the first picture of the result."""
    event = Key(key, None)
    event.time = at
    pilot.app.post_message(event)
    await until(lambda: not pilot.app.input_queue.waiting)  # type: ignore[attr-defined]
    await pilot.pause()


@pytest.mark.parametrize("result", RESULTS.values(), ids=list(RESULTS))
@pytest.mark.parametrize("rhythm", RHYTHMS)
async def test_enter_at_any_rhythm(
    rhythm: float,
    result: Callable[[pytest.MonkeyPatch], AbstractAsyncContextManager[TablePilot]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with result(monkeypatch) as pilot:
        screen = await shown(pilot)
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", SETTLE_SECONDS)
        early = int(SETTLE_SECONDS / rhythm) if rhythm else 12
        for number in range(-2, early):
            await press(pilot, "enter", number * rhythm)
            assert not gone(pilot, screen), number * rhythm
        await press(pilot, "enter", (early + 1) * rhythm or SETTLE_SECONDS)
        await until(lambda: gone(pilot, screen))


@pytest.mark.parametrize("result", RESULTS.values(), ids=list(RESULTS))
async def test_another_key_after_the_repeated_one(
    result: Callable[[pytest.MonkeyPatch], AbstractAsyncContextManager[TablePilot]], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with result(monkeypatch) as pilot:
        screen = await shown(pilot)
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", SETTLE_SECONDS)
        for at in (0.1, 0.2, 0.3):
            await press(pilot, "enter", at)
            await press(pilot, "4", at)
        assert "does nothing" not in pilot.seen(), "it was meant for the screen before"
        await press(pilot, "question_mark", 0.35)
        await pilot.reaches("MarkdownScreen")
        assert not gone(pilot, screen) or isinstance(screen, Results)
        await press(pilot, "escape", 0.4)
        assert pilot.app.screen is screen
        await press(pilot, "enter", SETTLE_SECONDS)
        await until(lambda: gone(pilot, screen))


class Shown(InputScreen[None]):
    BINDINGS: ClassVar = [("enter", "dismiss", "Go on")]


class ShownResult(Shown):
    CONTINUE_ACTIONS: ClassVar = ("dismiss",)


@pytest.mark.parametrize(("kind", "passed"), [(Shown, True), (ShownResult, False)], ids=["a question", "a result"])
async def test_a_key_whose_screen_is_covered_before_it_is_handled(kind: type[Shown], passed: bool) -> None:
    keys: list[str] = []

    class Covered(InputScreen[None]):
        async def receive_key(self, event: Key) -> None:
            keys.append(event.key)
            await self.app.push_screen(kind())

    app = InputApp()
    async with app.run_test() as pilot:
        await app.push_screen(covered := Covered())
        await pilot.press("enter")
        await until(lambda: not app.input_queue.waiting)
        await pilot.pause()
        assert keys == ["enter"]
        assert (app.screen is covered) == passed
