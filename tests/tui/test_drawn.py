"""Widgets that draw their lines: few bytes, only changes, no control characters; every other widget has none either."""

from __future__ import annotations

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.geometry import Region
from textual.widget import Widget
from textual.widgets import Input, Static

from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.drawn import DrawnWidget, changed_cells, merged

RED, BLUE, ON_RED = Style(color="red"), Style(color="blue"), Style(bgcolor="red")
ESCAPES = "\x1b]0;title\x07\x9b31m\u202eright\u2066\x1b[2J"
CLICKED = Style(color="red", meta={"key": "a"})


@pytest.mark.parametrize(
    ("line", "joined"),
    [
        ([("a", RED), ("b", RED)], [("ab", RED)]),
        ([("a", RED), ("b", BLUE)], [("a", RED), ("b", BLUE)]),
        ([("a", RED), ("", BLUE), ("b", RED)], [("ab", RED)]),
        ([("a", RED), (" ", BLUE), ("b", RED)], [("a b", RED)]),
        ([(" ", BLUE), ("a", RED)], [(" a", RED)]),
        ([("a", RED), (" ", ON_RED)], [("a", RED), (" ", ON_RED)]),
        ([("a", CLICKED), (" ", RED)], [("a", CLICKED), (" ", RED)]),
        ([("a", RED), (" ", RED + Style(underline=True))], [("a", RED), (" ", RED + Style(underline=True))]),
        ([("a", RED), (" ", RED + Style(reverse=True))], [("a", RED), (" ", RED + Style(reverse=True))]),
        ([("a\x1b[2J", RED), ("\x07", BLUE), ("b", RED)], [("a[2Jb", RED)]),
    ],
)
def test_neighbours_that_look_alike_are_joined(line: list[tuple[str, Style]], joined: list[tuple[str, Style]]) -> None:
    assert merged(Segment(*part) for part in line) == [Segment(*part) for part in joined]


def test_the_cells_that_differ_are_found() -> None:
    line = [Segment("Ann ", RED), Segment("31 %", BLUE)]
    assert changed_cells(line, line)[1] == 0
    assert changed_cells(line, [Segment("Ann 31 %", RED)]) == (4, 4)
    assert changed_cells(line, [Segment("Ann ", RED), Segment("32 %", BLUE)]) == (5, 1)
    assert changed_cells(line, [Segment("Ann ", BLUE), Segment("31 %", BLUE)]) == (0, 4)
    assert changed_cells([Segment("aaab")], [Segment("aaaab")]) == (3, 1), "nothing counts twice"
    assert changed_cells([Segment("a世b")], [Segment("a界b")]) == (1, 2), "both cells of a wide character"


class Counted(DrawnWidget):
    DEFAULT_CSS = "Counted { height: 2; width: 20; }"
    texts = ["one", "two"]  # noqa: RUF012
    drawn = 0

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        self.drawn += 1
        return [Segment(self.texts[y], self.style_of())]


class TextScreen(BaseScreen[None]):
    def compose(self) -> ComposeResult:
        yield Counted(id="drawn")
        yield Static(ESCAPES, id="static", markup=False)
        yield Input(ESCAPES, id="input")
        yield Static("", id="titled")


class TextApp(BaseApp):
    CSS = "#titled { border: solid red; height: 3; }"

    def on_mount(self) -> None:
        self.push_screen(TextScreen())


def shown(widget: Widget) -> str:
    size = widget.outer_size
    return "".join(strip.text for strip in widget.render_lines(Region(0, 0, size.width, size.height)))


async def test_no_widget_sends_control_characters() -> None:
    async with TextApp().run_test(size=(80, 20)) as pilot:
        screen = pilot.app.screen
        drawn = screen.query_one(Counted)
        drawn.texts = [ESCAPES, "two"]
        screen.query_one("#titled").border_title = ESCAPES
        drawn.refresh()
        await pilot.pause()
        pilot.app.notify(ESCAPES, markup=False)
        await pilot.pause()
        for each in (*screen.query("#drawn, #static, #input, #titled"), *screen.query("Toast")):
            assert "right" in shown(each), each
            assert shown(each).isprintable(), each


async def test_a_change_is_drawn_once_and_repaints_its_line_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async with TextApp().run_test(size=(80, 20)) as pilot:
        drawn = pilot.app.screen.query_one(Counted)
        await pilot.pause()
        regions: list[Region] = []
        refresh = DrawnWidget.refresh

        def noted(self: DrawnWidget, *given: Region, **rest: bool) -> DrawnWidget:
            regions.extend(given)
            return refresh(self, *given, **rest)

        monkeypatch.setattr(Counted, "refresh", noted)
        before = drawn.drawn
        drawn.texts = ["one", "too"]
        drawn.repaint()
        await pilot.pause()
        assert regions == [Region(1, 1, 1, 1)]
        assert shown(drawn).split() == ["one", "too"]
        assert drawn.drawn - before == 2, "each line once, to be compared; the picture takes that"
        drawn.texts = ["one", "six"]
        drawn.repaint()
        drawn.texts = ["one", "ten"]
        drawn.refresh()
        assert shown(drawn).split() == ["one", "ten"], "what was drawn to be compared is not shown after another change"
