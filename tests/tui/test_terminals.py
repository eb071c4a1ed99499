"""A match played with the bytes of every terminal that was recorded, through parser, driver and app."""

from __future__ import annotations

import re
import tomllib
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from long_tests import mostly_long
from table_pilot import TablePilot, playing
from textual import _parser
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Input
from waiting import until

from fourtwenty.games.game import Faces
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.input import sequences
from fourtwenty.tui.input.sequences import CURSOR, MODE_2026, STRING_SECONDS, UNMARKED_PASTES, InputParser
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.widgets.hand import Hand

PROFILES: dict[str, dict[str, Any]] = {
    file.stem: tomllib.loads(file.read_text(encoding="utf-8"))
    for file in sorted((Path(__file__).parents[1] / "terminals").glob("*.toml"))
}
CLASSES = ("xterm", "urxvt", "kitty", "gnome-terminal", "tmux", "screen", "dvtm")
"""One terminal of each kind of input."""
PAUSE_SECONDS = 0.15
"""A short pause between two keys, after which Escape is known to be alone."""
TWO = Lineup(seats=(Seat("Ann"), Seat("Zoë")), starting_seat=0)
MATCH: list[Faces] = [
    (6, 5, 4, 1),  # Ann: 16
    (5, 5, 3, 1),  # Zoë: 14
    (3,),  # Ann rolls the 1: 18
    (4, 6),  # Zoë rolls 3 and 1: 20
]


class Typist:
    """A person at a terminal: what is pressed, clicked and pasted comes as the terminal's own bytes."""

    def __init__(self, name: str, pilot: TablePilot, patch: pytest.MonkeyPatch) -> None:
        self.profile, self.pilot = PROFILES[name], pilot
        self.has_mouse = self.profile["mouse"]["format"] == "sgr"
        self._now = 0.0
        for module in (_parser, sequences):
            patch.setattr(module, "get_time", lambda: self._now)
        self._parser = InputParser(
            {MODE_2026, CURSOR}, marks_pastes=not self.profile["term"].startswith(UNMARKED_PASTES)
        )

    @property
    def sees_ascii(self) -> bool:
        assert isinstance(self.pilot.app, FourTwentyApp)
        return self.pilot.app.ascii_only

    async def read(self, typed: str, pause: float = PAUSE_SECONDS) -> None:
        """Let the program read some bytes and handle them to their end; then so many seconds pass for the parser."""
        if typed:
            await self._handle(self._parser.feed(typed))
        end = self._now + pause
        while (left := self._parser.seconds_left) is not None and self._now + left <= end:
            self._now += left
            await self._handle(self._parser.tick())
        self._now = end

    async def _handle(self, messages: Iterable[Message]) -> None:
        assert self.pilot.app._driver
        for message in messages:
            self.pilot.app._driver.process_message(message)
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.read(key if key in self.profile["plain"] else self.profile["keys"][key])

    async def pad(self, *keys: str) -> None:
        """Press keys of the keypad, with Num Lock."""
        for key in keys:
            await self.read(self.profile["keypad"]["on"][key])

    async def together(self, keys: str) -> None:
        """Press two keys one shortly after the other."""
        first, *others = self.profile["together"][keys]
        for (at, read), (after, _) in pairwise([first, *others, [first[0] + 10, ""]]):
            await self.read(read, after - at)

    async def mouse(self, x: int, y: int, *events: str) -> None:
        """Do something with the mouse at a cell, counted from 0; what the terminal does not report does not come."""
        for event in events:
            report = self.profile["mouse"].get(event, "")
            await self.read(re.sub(r"<(\d+);\d+;\d+", rf"<\1;{x + 1};{y + 1}", report))

    async def click(self, x: int, y: int) -> None:
        await self.mouse(x, y, "move", "left_press", "left_release")

    async def click_on(self, words: str) -> None:
        await self.pilot.shows(words)
        lines = self.pilot.seen().split("\n")
        row = next(row for row, line in enumerate(lines) if words in line)
        await self.click(lines[row].index(words), row)

    async def click_die(self, die: int) -> None:
        hand = self.pilot.app.screen.query_one(Hand)
        x, y, *_ = hand.die_region(die).translate(hand.region.offset)
        await self.click(x + 4, y + 2)

    async def leave(self) -> None:
        """Press Escape, or q where a lone Escape does not come."""
        await self.press("escape" if "escape" in self.profile["keys"] else "q")


@asynccontextmanager
async def at(name: str, lineup: Lineup | None = None) -> AsyncIterator[Typist]:
    columns, rows = PROFILES[name]["size"]
    with pytest.MonkeyPatch.context() as patch:
        async with playing(lineup, MATCH if lineup else (), size=(columns, rows)) as pilot:
            yield Typist(name, pilot, patch)


all_terminals = mostly_long("name", PROFILES, CLASSES, "fourtwenty/tui/input/", "tests/terminals/")


@all_terminals
async def test_a_match(name: str) -> None:
    async with at(name, TWO) as typist:
        pilot = typist.pilot
        table = await pilot.turn(seat=0)
        await typist.press("enter")
        await pilot.turn(seat=1)
        await (typist.click_on("Roll all four") if typist.has_mouse else typist.press("r"))

        await pilot.turn(seat=0)
        await typist.press("1")
        assert table.selection == {1}
        await typist.together("escape 1")
        assert table.selection == {1}, "Escape dropped it, and 1 selected it again"
        await typist.press("1", "4")
        assert table.selection == {4}
        await typist.press("?")
        await pilot.reaches("MarkdownScreen")
        await typist.leave()
        await pilot.reaches("Table")
        assert table.selection == {4}
        await typist.pad("enter")

        await pilot.turn(seat=1)
        await typist.pad("3", "4")
        assert table.selection == {3, 4}
        if typist.has_mouse:
            await typist.click_die(3)
            assert table.selection == {4}
            await typist.click_die(3)
            await typist.click_die(1)
            await typist.click_die(1)
            assert table.selection == {3, 4}
        await typist.press("caps_lock+r")
        assert (await pilot.results()).ended
        assert not pilot.notes()
        await typist.leave()
        await pilot.reaches("Lobby")


@all_terminals
async def test_the_lobby(name: str) -> None:
    async with at(name) as typist:
        pilot, profile = typist.pilot, typist.profile
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        before = lobby.lineup
        await typist.read(profile["report"]["─"])
        answers = [answer for question, answer in profile["answers"].items() if question != "none"]
        old_mouse = (
            () if typist.has_mouse else [report for kind, report in profile["mouse"].items() if kind != "format"]
        )
        for answer in (*answers, *old_mouse, *profile["focus"].values()):
            await typist.read(answer, STRING_SECONDS)
        assert (pilot.stack(), lobby.lineup, pilot.notes()) == (["Lobby"], before, [])
        assert not typist.sees_ascii, "its lines are one cell wide"

        await typist.press("a")
        await pilot.reaches("SeatDialog")
        await typist.together("escape enter")
        await pilot.reaches("Lobby")
        assert (pilot.stack(), lobby.lineup) == (["Lobby"], before), "Enter did not start a game"

        await typist.press("a")
        await pilot.reaches("SeatDialog")
        field = pilot.app.screen.query_one(Input)
        await typist.press("c", "a", "q", "home", "delete", "end", "backspace", "left", "r")
        assert field.value == "ra"
        await typist.together("escape backspace")
        assert field.value == "a", "one word before the cursor is gone"
        await typist.together("escape enter")
        await pilot.reaches("Lobby")

        await typist.press("?")
        await pilot.reaches("MarkdownScreen")
        page = pilot.app.screen.query_one(VerticalScroll)
        await typist.mouse(20, 10, "move", "wheel_down", "wheel_down")
        await until(lambda: page.scroll_y > 0 or not profile["mouse"].get("wheel_down") or not typist.has_mouse)
        at_wheel = page.scroll_y
        await typist.mouse(22, 10, "move_after_wheel")
        assert page.scroll_y == at_wheel, "moving the mouse does not turn the wheel"
        await typist.press("home", "pagedown")
        await until(lambda: page.scroll_y > 0)
        await typist.press("home")
        await until(lambda: page.scroll_y == 0)
        await typist.press("end")
        await until(lambda: page.scroll_y == page.max_scroll_y)
        await typist.leave()
        await pilot.reaches("Lobby")
        if "f1" in profile["keys"]:
            await typist.press("f1")
            await pilot.reaches("PaletteDialog")
            await typist.press("escape" if "escape" in profile["keys"] else "f1")
        await typist.press("ctrl+p")
        await pilot.reaches("PaletteDialog")


@all_terminals
async def test_a_column_of_names_is_pasted(name: str) -> None:
    pasted = PROFILES[name]["paste"].get("two_lines", "")
    async with at(name) as typist:
        pilot = typist.pilot
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        names = [seat.name for seat in lobby.lineup.seats]
        await typist.press("a")
        await pilot.reaches("SeatDialog")
        await typist.read(pasted)
        if pasted:
            await typist.press("enter")
            names = ["Ann", "Ben"]
        await pilot.reaches("Lobby" if pasted else "SeatDialog")
        assert [seat.name for seat in lobby.lineup.seats] == names


MULTIPLEXERS = {"tmux": {"TMUX": "/tmp/tmux-0/default,1,0"}, "screen": {"STY": "1.pts-0.host"}}
"""The variables that a multiplexer sets besides TERM."""


@pytest.mark.terminal
@mostly_long("name", [*CLASSES, "foot", "alacritty"], ["xterm", "kitty", "gnome-terminal", "tmux", "screen"])
def test_a_start_and_an_end_in_a_real_terminal(name: str, home: Path) -> None:
    from terminal import PROGRAM, Terminal  # for Unix only

    Lineup((Seat("Ann"), Seat("Ben")), typed=True).save(home / "lineup.json")
    profile = PROFILES[name]
    columns, rows = profile["size"]
    colours = {"TERM": profile["term"], "COLORTERM": profile["colorterm"]}
    with Terminal(*PROGRAM, columns=columns, rows=rows, environment=colours | MULTIPLEXERS.get(name, {})) as terminal:
        questions = [profile["answers"].get(question, "") for question in ("DECRQM 2026", "DA1", "OSC 11")]
        terminal.press(profile["report"]["─"] + "".join(questions) + "a", after="Quit")
        terminal.read_until("Who joins")
        for _, read in profile["together"]["escape enter"]:
            terminal.press(read)
        terminal.press(profile["keypad"]["on"]["enter"], after="Quit")
        terminal.press("q", after="your turn|Your turn")
        terminal.press("q", after="Game saved")
        assert terminal.wait() == 0
        assert not terminal.left_behind
        assert "Traceback" not in terminal.written
        assert terminal.written.count(CURSOR) == 1, "it is asked once how wide a line is"
        assert "\x1b[>" not in terminal.written, "a shell would get its keys in another form after kill -9"
        assert ("\x1b[?2026h" in terminal.written) == profile["answers"].get("DECRQM 2026", "").endswith(("1$y", "2$y"))
        assert ("38;2;" in terminal.written) == (profile["colorterm"] == "truecolor" and name not in ("screen", "dvtm"))
        assert "\x1b[2J" in terminal.written[: terminal.written.rindex("\x1b[?1049l")]


@pytest.mark.parametrize(("name", "table"), [("mlterm", "report_ja_JP"), ("xterm", "report_cjk_width")])
async def test_wide_cells_are_drawn_in_ascii(name: str, table: str) -> None:
    async with at(name) as typist:
        await typist.read(typist.profile[table]["─"])
        assert typist.sees_ascii
        await typist.pilot.pause()
        assert typist.pilot.seen().isascii()


@pytest.mark.terminal
def test_wide_cells_are_drawn_in_ascii_in_a_real_terminal() -> None:
    from terminal import PROGRAM, Terminal

    with Terminal(*PROGRAM) as terminal:
        terminal.press(PROFILES["mlterm"]["report_ja_JP"]["─"], after="Quit")
        terminal.read_until(r"\+------")
        terminal.press("q")
        assert terminal.wait() == 0
