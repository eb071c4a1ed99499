"""The functions that a key press passes, as docs/architecture.md lists them, in the order of their calls."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import FrameType

from table_pilot import playing
from waiting import until

from fourtwenty.play.lineup import Lineup, Seat

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"


def listed() -> list[str]:
    """Return the names of functions in the numbered list that are called after the key arrives."""
    page = PAGE.read_text(encoding="utf-8")
    (steps,) = re.findall(r"## A key press passes these functions\n.*?\n(1\. .*?)\n\n(?!\d\.)", page, re.DOTALL)
    return [name for name in re.findall(r"`([A-Z]\w+\.\w+)`", steps) if name not in ("MatchFlow.ask", "Match.state")]


async def test_a_key_press_passes_the_functions_of_the_page_in_order() -> None:
    names, called = listed(), list[str]()
    assert len(names) > 12

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_qualname in names:
            called.append(frame.f_code.co_qualname)

    async with playing(Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)) as pilot:
        (await pilot.turn(0)).pace = 0.01
        sys.setprofile(note)
        try:
            await pilot.press("r")
            await until(lambda: names[-1] in called)
        finally:
            sys.setprofile(None)
    order = iter(called)  # the screen asks FourTwenty.check before, too, for the label of the key
    assert [name for name in names if name not in order] == []
