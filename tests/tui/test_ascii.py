"""Plain ASCII, asked for or where the terminal has nothing else: all can still be told apart, and nothing moves."""

from __future__ import annotations

import ast
import signal
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from table_pilot import playing
from textual._border import BORDER_CHARS
from textual.color import Color
from textual.events import CursorPosition
from textual.scrollbar import ScrollBarRender
from textual.widgets import RadioButton
from waiting import until

import fourtwenty
from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.ascii import GLYPHS, Ascii
from fourtwenty.tui.widgets.die import FRAME, SELECTED_FRAME, draw
from fourtwenty.tui.widgets.seats import MARKS

PACKAGE = Path(fourtwenty.__file__).parent
NOT_ON_A_SCREEN = {"ascii.py", "big_letters.py", "base_app.py", "card.py", "format.py", "layout.py"}
"""Modules with signs that are replaced; those under cli/ print in lines."""

unix = pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="needs a Unix terminal")


def plain(text: str, encoding: str = "utf-8") -> str:
    """A text as it is emitted."""
    with patch("sys.__stderr__") as stream:
        stream.encoding = encoding
        (segment,) = Ascii().apply([Segment(text)], Color(0, 0, 0))
    return segment.text


def drawn_by(module: Path) -> str:
    """Every sign in the strings of a module, its docstrings apart, that takes a cell, once."""
    tree = ast.parse(module.read_text("utf-8"))
    docstrings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node not in docstrings)
    signs = set(chain(*(node.value for node in constants if isinstance(node.value, str))))
    return "".join(sorted(filter(cell_len, signs)))


def test_every_sign_in_the_program_has_one_in_ascii() -> None:
    without = {
        module.name: shown
        for module in PACKAGE.rglob("*.py")
        if module.name not in NOT_ON_A_SCREEN and module.parent.name != "cli"
        if not (shown := plain(drawn_by(module))).isascii()
    }
    assert not without


def test_every_sign_on_the_pages_and_of_textual_has_one_in_ascii() -> None:
    assert all(plain(page.read_text("utf-8")).isascii() for page in PACKAGE.rglob("*.md"))
    assert plain("".join(chain(*chain(*BORDER_CHARS.values())))).isascii()
    assert plain("".join(ScrollBarRender.VERTICAL_BARS + ScrollBarRender.HORIZONTAL_BARS)).isascii()
    assert plain(RadioButton.BUTTON_LEFT + RadioButton.BUTTON_RIGHT).isascii()


def test_every_sign_is_one_cell_and_so_is_what_stands_for_it() -> None:
    assert all(len(letter) == 1 and letter.isascii() for letter in GLYPHS)
    assert all(cell_len(sign) == 1 for signs in GLYPHS.values() for sign in signs)
    assert len("".join(GLYPHS.values())) == len(set("".join(GLYPHS.values()))), "and each has one only"


def test_what_differs_differs_in_ascii() -> None:
    assert len(set(plain(MARKS))) == len(MARKS), "seats"
    assert plain("━") != plain("╌"), "a full bar from an empty one"
    assert [each == other for each, other in zip(plain(FRAME), plain(SELECTED_FRAME), strict=True)].count(True) == 1, (
        "the side"
    )
    assert plain("⠉⣀⡇⠀") == "'.: ", "the line of a chart high in its cell from one that is low"


def test_a_die_in_ascii() -> None:
    assert [plain(line) for line in draw(5, 9, 5, "1", selected=False)] == [
        "+-------+",
        "| o   o |",
        "|   o   |",
        "| o   o |",
        "+-- 1 --+",
    ]
    assert plain(draw(1, 9, 3, "2", selected=True)[0]) == "#=======#"


@pytest.mark.parametrize(
    ("name", "encoding", "shown"),
    [
        ("Zoë", "utf-8", "Zoë"),
        ("Zoë", "latin-1", "Zoë"),
        ("Łukasz ★", "latin-1", "?ukasz *"),
        ("Zoë", "ascii", "Zo?"),
        ("雪", "latin-1", "??"),
        ("雪", "utf-8", "雪"),
        ("e\N{COMBINING ACUTE ACCENT}", "ascii", "e"),
    ],
)
def test_names_are_shown_as_far_as_they_can_be(name: str, encoding: str, shown: str) -> None:
    assert plain(name, encoding) == shown
    assert cell_len(shown) == cell_len(name)


async def test_nothing_moves() -> None:
    pictures = []
    for ascii_only in (False, True):
        lineup = Lineup(seats=(Seat("Ann"), Seat("Zoë")), starting_seat=0, coach="full")
        start = GAMES["420"].parse("*>6661 4332 roll 2")
        async with playing(lineup, [(1,)], start=start, ascii_only=ascii_only) as pilot:
            await pilot.turn()
            await pilot.press("1", "4")
            await pilot.pause()
            pictures.append(pilot.seen())
    signs, letters = pictures
    assert plain(signs) == letters
    assert not signs.isascii()


@pytest.mark.terminal
@unix
@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colours", "no colours"])
def test_no_other_byte_is_emitted_on_any_screen(environment: Mapping[str, str]) -> None:
    from terminal import PROGRAM, Terminal
    from test_no_color import TABLE, WALK

    with Terminal(*PROGRAM, *TABLE, "--ascii", environment=environment) as terminal:
        terminal.read_until("your turn")
        for keys, shown in WALK:
            terminal.press(keys)
            terminal.read_until(shown)
        terminal.press("\x11")
        terminal.wait()
        assert terminal.written.isascii(), {sign for sign in terminal.written if not sign.isascii()}


@pytest.mark.terminal
@unix
@pytest.mark.parametrize(
    ("environment", "chosen"),
    [
        ({"TERM": "linux"}, True),
        ({"PYTHONIOENCODING": "latin-1"}, True),
        ({"PYTHONIOENCODING": "UTF8"}, False),
        ({}, False),
    ],
)
def test_it_is_chosen_where_there_is_nothing_else(environment: Mapping[str, str], chosen: bool) -> None:
    from terminal import PROGRAM, Terminal

    with Terminal(*PROGRAM, environment={"PYTHONUTF8": "0", **environment}) as terminal:
        terminal.read_until("Add a player", "Quit")
        assert terminal.written.isascii() == chosen
        assert "\\u" not in terminal.written


@pytest.mark.terminal
@unix
@pytest.mark.parametrize(("encoding", "shown"), [("latin-1", "Zo\N{REPLACEMENT CHARACTER}"), ("utf-8", "Zo")])
def test_a_letter_of_another_encoding_is_only_a_letter(encoding: str, shown: str) -> None:
    """The byte 0xEB is ë in Latin-1, which this test does not read, and nothing in UTF-8."""
    from terminal import PROGRAM, Terminal

    with Terminal(*PROGRAM, environment={"PYTHONUTF8": "0", "PYTHONIOENCODING": encoding}) as terminal:
        terminal.press("a", after="Quit")
        terminal.press("Zo\udceb", after="Sit down")
        terminal.press("\x11", after=shown)
        terminal.wait()
        assert "Traceback" not in terminal.written


async def test_a_card_for_a_chat_is_ascii_too() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
    async with playing(lineup, [(6, 5, 5, 4)], ascii_only=True) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.press("y", shows="x Ben: never one away")
        await pilot.press("enter")
        assert pilot.app.clipboard.isascii()


@pytest.mark.parametrize(("column", "ascii_only"), [(0, False), (1, False), (2, True), (3, True)])
async def test_a_terminal_that_draws_a_line_two_cells_wide_gets_ascii(column: int, ascii_only: bool) -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")))) as pilot:
        await pilot.turn()
        assert "┃" in pilot.seen()
        pilot.app.post_message(CursorPosition(column, 0))
        await until(lambda: pilot.app.ascii_only == ascii_only)  # type: ignore[attr-defined]
        await pilot.pause()
        assert ("┃" in pilot.seen()) != ascii_only
