"""A change of the screen renders what can be seen where it is, and nothing behind that."""

from __future__ import annotations

import pytest
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static

from fourtwenty.tui.textual_base.base_app import BaseApp

rendered: list[str | None] = []


class Noted(Static):
    """A line that notes when it is rendered."""

    def render_lines(self, crop: Region) -> list[Strip]:
        rendered.append(self.id)
        return super().render_lines(crop)


class Board(Vertical):
    """A widget behind the lines."""

    def render_lines(self, crop: Region) -> list[Strip]:
        rendered.append(self.id)
        return super().render_lines(crop)


class PaintedApp(BaseApp):
    """A counter and its neighbour on a board, with a note over a part of the neighbour."""

    CSS = "PaintedApp {layers: under over} #board {layer: under} #note {layer: over; width: 3; height: 1; offset: 2 1}"

    def compose(self) -> ComposeResult:
        with Board(id="board"):
            yield Noted("0", id="counter")
            yield Noted("neighbour", id="neighbour")
        yield Noted("***", id="note")


@pytest.mark.parametrize(
    ("changed", "seen"),
    [
        ("counter", ["counter"]),
        ("neighbour", ["note", "neighbour"]),
        ("note", ["note"]),
        ("board", ["note", "counter", "neighbour", "board"]),
    ],
)
async def test_what_is_covered_is_not_rendered(changed: str, seen: list[str]) -> None:
    async with PaintedApp().run_test() as pilot:
        await pilot.pause()
        rendered.clear()
        pilot.app.query_one(f"#{changed}").refresh()
        await pilot.pause()
        assert sorted(map(str, rendered)) == sorted(seen)
