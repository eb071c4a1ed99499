"""The work of a roll at a table of several machines, in calls of functions: the same however busy the computer is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from apps_in_a_room import Bar, at_table, reach, table
from table_pilot import TablePilot
from waiting import settled, until

import fourtwenty
from fourtwenty.games.game import Roll
from fourtwenty.rooms.tui.room_table import RoomTable
from fourtwenty.tui.screens.results import Results

PACKAGE = str(Path(fourtwenty.__file__).parent)
MAX_CALLS = 5_900
"""The most calls of functions of this program for a roll, at both machines together, on average.

They are 5,780 with Python 3.13, and 5,820 with 3.12.
"""
ROLLS = 6


@contextmanager
def counted(calls: list[int]) -> Iterator[None]:
    """Add the calls of functions of this program to the last number."""

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
            calls[-1] += 1

    sys.setprofile(called)
    try:
        yield
    finally:
        sys.setprofile(None)


def both_have(events: int, *pilots: TablePilot) -> Callable[[], bool]:
    matches = [table(pilot).match for pilot in pilots]  # the result of a round may cover the tables by then
    return lambda: all(len(match.events) == events for match in matches)


async def idle(*pilots: TablePilot) -> None:
    """Let everything be shown."""
    for pilot in pilots:
        await settled()
        await pilot.pause()


@pytest.mark.skipif(sys.version_info < (3, 12), reason="a comprehension is a call before Python 3.12")
async def test_a_far_roll_is_worked_out_and_shown_once(tmp_path: Path) -> None:
    bar, calls = Bar(tmp_path, seed=28), list[int]()
    async with bar.app("Ann", "Ann", size=(100, 30)) as ann, bar.app("Ben", "Ben", size=(100, 30)) as ben:
        await ann.press("enter")
        await at_table(ann, ben)
        while len(calls) < ROLLS:
            await reach(lambda: not any(isinstance(pilot.app.screen, Results) for pilot in (ann, ben)), ann, ben)
            await until(lambda: table(ann).waiting or table(ben).waiting)
            roller = ann if table(ann).waiting else ben
            events, state = len(table(ann).match.events), table(ann).match.state
            (roll, *_) = state.actions
            assert isinstance(roll, Roll)
            if not table(roller).turns.forced:
                await roller.press("escape", *map(str, roll.dice))
            await idle(ann, ben)
            calls.append(0)
            seen = both_have(events + 1, ann, ben)
            with counted(calls):
                await roller.press("enter")
                await until(seen)
                await idle(ann, ben)
            if not isinstance(ann.app.screen, RoomTable):  # the result of a round came, too
                calls.pop()
    assert sum(calls) / ROLLS <= MAX_CALLS, calls
