"""NO_COLOR as no-color.org has it: where it is set and not empty, nothing has a colour, and all can still be told."""

from __future__ import annotations

import re

import pytest
from rich.style import Style
from table_pilot import TablePilot, playing
from terminal import PROGRAM, Terminal
from textual.geometry import Region

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.colours import without_colours
from fourtwenty.tui.themes import THEMES_BY_NAME

TABLE = ("play", "--players", "Ann,Ben", "--dice", "typed", "--coach", "full", "--position", "*>6661 4332 roll 2")
WALK = [
    ("12", "You need at least 10"),
    ("r", "You need at least 10"),
    ("h", "best by"),
    ("h", "points"),
    ("h", "You need at least 10"),
    ("?", "In short"),
    ("q", "your turn"),
    ("124r", "type its face"),
    ("2\r", "Tonight"),
    ("v", "Skill and luck"),
    ("\x1b", "Lobby"),
    ("n", "Add a player"),
    (",", "Theme"),
    (" \x1b", "Add a player"),
    ("e", "Perfect"),
    ("\x1b", "Add a player"),
    ("h", "Past games"),
    ("x", "Delete this game"),
    ("n", "Past games"),
    ("s", "Statistics"),
    (":", "What would you like to do"),
]
"""Keys, and what is seen then."""

ATTRIBUTES = {*range(10), *range(22, 30)}
"""Parameters of SGR sequences that set no colour: bold, dim, underlined, reversed, and their ends."""
PALETTE = {"4", "5", "10", "11", "12", "104", "105", "110", "111", "112"}
"""Operating system commands that ask for colours, set them or set them back."""


def said_of_letters(terminal: Terminal) -> set[int]:
    """The numbers of all SGR sequences, those of a colour after 38 and 48 among them."""
    sequences = re.findall(r"\x1b\[([\d;:]*)m", terminal.written)
    return {int(number or 0) for sequence in sequences for number in re.split("[;:]", sequence)}


@pytest.mark.terminal
def test_no_colour_is_emitted_on_any_screen() -> None:
    with Terminal(*PROGRAM, *TABLE, environment={"NO_COLOR": "1"}) as terminal:
        terminal.read_until("your turn")
        for keys, seen in WALK:
            terminal.press(keys)
            terminal.read_until(seen)
        terminal.press("\x11")
        terminal.wait()
        assert said_of_letters(terminal) <= ATTRIBUTES
        assert 7 in said_of_letters(terminal), "dice are reversed"
        assert not PALETTE & set(re.findall(r"\x1b\](\d+)", terminal.written))


@pytest.mark.terminal
def test_an_empty_no_color_means_colour() -> None:
    with Terminal(*PROGRAM, environment={"NO_COLOR": ""}) as terminal:
        terminal.read_until("Keys")
        assert {38, 48} <= said_of_letters(terminal)
        colours = set(re.findall(r"[34]8;2;(\d+);(\d+);(\d+)", terminal.written))
        assert any(len(set(colour)) > 1 for colour in colours), "and not a grey one"


@pytest.mark.parametrize(
    "arguments", [(*TABLE, "--plain"), ("strategy",), ("odds", "6551"), ("--help",), ("nonsense",)]
)
@pytest.mark.terminal
def test_lines_of_text_never_have_a_colour(arguments: tuple[str, ...]) -> None:
    with Terminal(*PROGRAM, *arguments) as terminal:
        if "--plain" in arguments:
            terminal.press("quit\nquit\n")
        terminal.wait()
        assert terminal.written
        assert "\x1b" not in terminal.written


@pytest.mark.parametrize("theme", THEMES_BY_NAME)
async def test_what_only_colours_tell_is_told_without_them(monkeypatch: pytest.MonkeyPatch, theme: str) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
    async with playing(lineup, size=(100, 30), start=GAMES["420"].parse("*>6661 4332 roll 2")) as pilot:
        pilot.app.theme = theme
        table = await pilot.turn()
        await pilot.press("4")
        await pilot.pause()
        assert reversed_in(pilot, table.hand.region), "dice stand out from the felt"
        assert reversed_in(pilot, table.query_one("#roll").region), "Roll can be pressed"
        await pilot.press("4", "1", "2")
        await pilot.pause()
        assert not reversed_in(pilot, table.query_one("#roll").region), "Roll cannot be pressed"
        await pilot.press("comma")
        await pilot.pause()
        assert reversed_in(pilot, pilot.app.screen.query_one("#options").region), "the line at the cursor"


def reversed_in(pilot: TablePilot, region: Region) -> bool:
    """Whether letters in the middle of a region are reversed; nothing on the whole screen has a colour."""
    strips = pilot.app.screen._compositor.render_strips()
    styles = [style for strip in strips for _, style, _ in strip if style]
    assert not any(style.color or style.bgcolor for style in styles)
    inside = [style for strip in strips[region.y : region.bottom] for _, style, _ in strip.crop(region.x, region.right)]
    return any(style and style.reverse for style in inside)


def test_a_click_means_the_same() -> None:
    style = Style(color="#14110F", bgcolor="#DB4530", bold=True, meta={"action": "roll"})
    assert without_colours(style, dark=True) == Style(bold=True, reverse=True, meta={"action": "roll"})
    assert without_colours(style, dark=True).meta == {"action": "roll"}
