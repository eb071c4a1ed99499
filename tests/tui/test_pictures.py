"""Nothing is laid out or painted twice: the layouts of a start, and the bytes of a roll."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from table_pilot import playing
from textual._compositor import Compositor, ReflowResult
from textual.geometry import Size
from textual.widget import Widget

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.tips import FIRST_TIPS, LAST_TIPS, START

PEOPLE = Lineup((Seat("Ann"), Seat("Ben")))
TWELVE = ",".join(f"Guest {number}" for number in range(1, 13))
COACHED = ("--coach", "full", "--position", f">6551 *4332 {'6421 ' * 10}roll 2")
BYTES = 15_000
"""The bytes of a roll of four dice and the turn after it at a coached table of twelve, 100x30."""
WHOLE = r"(?:.|\n)*?\x1b\[1;1H"
"""The rest of a picture, which ends with the place of the cursor."""
NO_TWENTY = """
from itertools import cycle
from fourtwenty.play.dice import FairDice
throws = cycle([(6, 5, 4, 3), (2, 1, 6, 4)])
FairDice.throw = lambda self, seat, throw, dice: next(throws)
from fourtwenty.__main__ import main
raise SystemExit(main())
"""
"""The program with dice that never total 20, which would end the round."""


@pytest.fixture
def layouts(monkeypatch: pytest.MonkeyPatch) -> list[Size]:
    """The sizes at which whole screens have been laid out."""
    sizes: list[Size] = []
    reflow = Compositor.reflow

    def counted(self: Compositor, parent: Widget, size: Size) -> ReflowResult:
        sizes.append(size)
        return reflow(self, parent, size)

    monkeypatch.setattr(Compositor, "reflow", counted)
    return sizes


async def test_the_lobby_is_laid_out_once(layouts: list[Size]) -> None:
    async with playing(tips=True, size=(100, 30)) as pilot:
        await pilot.pause()
        assert "Press Enter to play" in pilot.seen()
        assert layouts == [(100, 30)]


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 46)], ids=str)
async def test_the_table_is_laid_out_once_until_somebody_is_asked(layouts: list[Size], size: tuple[int, int]) -> None:
    async with playing(PEOPLE, tips=True, size=size) as pilot:
        await pilot.turn()
        await pilot.pause()
        assert "Tip: Press Enter" in pilot.seen()
        assert layouts == [size]


@pytest.mark.terminal
def test_a_coached_roll_at_a_table_of_twelve_writes_few_bytes(home: Path) -> None:
    terminal = pytest.importorskip("terminal", reason="needs a Unix terminal")
    home.mkdir()
    all_tips = [each.name for game in GAMES.values() for each in (*FIRST_TIPS, *game.tips, *LAST_TIPS)]
    (home / "settings.json").write_text(json.dumps({"learnt": [START, *all_tips]}))
    command = sys.executable, "-c", NO_TWENTY, "play", "--players", TWELVE, *COACHED
    with terminal.Terminal(*command, columns=100, rows=30, owned=False) as table:
        table.read_until(f"Guest 1, your turn{WHOLE}")
        for seat in (2, 3, 4):
            table.press("a")
            table.read_until(f"roll all four{WHOLE}")
            before = len(table.written)
            table.press("r")
            table.read_until(f"Guest {seat}, your turn{WHOLE}")
            assert 5_000 < len(table.written) - before < BYTES
