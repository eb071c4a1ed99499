"""Colours and keys of a terminal, found by its environment."""

from __future__ import annotations

import pytest
from rich.color import Color as RichColor
from rich.style import Style
from table_pilot import playing

from fourtwenty.tui.colours import in_few
from fourtwenty.tui.terminal_features import color_system, has_eight_colours

RGB = {"COLORTERM": "truecolor"}


@pytest.mark.parametrize(
    ("environment", "system"),
    [
        ({"TERM": "xterm-256color", **RGB}, "auto"),
        ({"TERM": "xterm"}, "auto"),
        ({"TERM": "tmux-256color", **RGB}, "auto"),
        ({"TERM": "screen-256color", **RGB, "TMUX": "/tmp/tmux,1,0"}, "auto"),
        ({"TERM": "screen", **RGB, "STY": "1.pts-0"}, "standard"),
        ({"TERM": "screen-256color", **RGB, "STY": "1.pts-0"}, "256"),
        ({"TERM": "dvtm-256color", **RGB}, "256"),
        ({"TERM": "dvtm", **RGB}, "standard"),
        ({"TERM": "eterm-color", **RGB}, "standard"),
        ({"TERM": "linux", **RGB}, "standard"),
        ({"TERM": "vt220", **RGB}, "standard"),
        ({"TERM": "alacritty"}, "256"),
        ({"TERM": "alacritty", **RGB}, "auto"),
        ({"TERM": "foot"}, "256"),
        ({"TERM": "xterm-ghostty"}, "256"),
        ({}, "auto"),
    ],
)
def test_colorterm_is_believed_where_term_can_carry_it(environment: dict[str, str], system: str) -> None:
    assert color_system(environment) == system


@pytest.mark.parametrize(
    ("environment", "shown"),
    [
        ({}, "F1"),
        ({"TERM": "eterm-color"}, "^t"),
        ({"XDG_CURRENT_DESKTOP": "XFCE", "VTE_VERSION": "7006"}, "^t"),
        ({"XDG_CURRENT_DESKTOP": "GNOME", "VTE_VERSION": "7006"}, "F1"),
    ],
)
async def test_where_a_terminal_takes_f1_another_key_shows_the_keys(
    environment: dict[str, str], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TERM", "XDG_CURRENT_DESKTOP", "VTE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    async with playing() as pilot:
        assert f"{shown} Keys" in pilot.seen()
        await pilot.press("z")
        await pilot.shows(f"z does nothing here. {shown} shows the keys.")
        await pilot.press("f1" if shown == "F1" else "ctrl+t", to="PaletteDialog")
        await pilot.press("escape")
        await pilot.press("f1", to="PaletteDialog")


def test_the_console_of_linux_has_eight_grounds() -> None:
    assert [has_eight_colours({"TERM": term}) for term in ("linux", "vt100", "xterm", "")] == [True, True, False, False]


def colours(style: Style) -> tuple[int | None, int | None, bool]:
    assert style.color
    assert style.bgcolor
    return style.color.number, style.bgcolor.number, bool(style.bold)


@pytest.mark.parametrize(
    ("style", "sixteen", "eight"),
    [
        ("bold #000000 on #00aaaa", (0, 6, False), (0, 6, False)),
        ("bold #ffffff on #000000", (15, 0, True), (15, 0, True)),
        ("#000000 on #5555ff", (0, 12, False), (15, 4, False)),
        ("#000000 on #ffffff", (0, 15, False), (0, 7, False)),
        ("bold reverse #00aaaa on #000000", (0, 6, False), (0, 6, False)),
    ],
)
def test_black_is_never_bold_and_a_bright_ground_has_ink_that_can_be_read(
    style: str, sixteen: tuple[int, int, bool], eight: tuple[int, int, bool]
) -> None:
    parsed = Style.parse(style)
    assert colours(in_few(parsed, eight=False)) == sixteen
    assert colours(in_few(parsed, eight=True)) == eight


def test_a_blank_has_the_ground_of_its_neighbours() -> None:
    assert in_few(Style.parse("on #5555ff"), eight=True).bgcolor == RichColor.from_ansi(4)


def test_a_style_without_a_ground_stays() -> None:
    for style in (Style(bold=True), Style(color=RichColor.parse("#000000"), bold=True)):
        assert in_few(style, eight=True) is style
