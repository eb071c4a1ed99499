"""The thread that reads the terminal: it sleeps until there is input, and ends with the driver or the terminal."""

from __future__ import annotations

import select
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

import pytest
from processes import piped
from terminal import Terminal
from waiting import MAX_WAIT_SECONDS

pytest.importorskip("termios", reason="needs a Unix terminal")

from textual.events import Key
from textual.message import Message

from fourtwenty.tui.input import sequences
from fourtwenty.tui.input.driver import TerminalDriver
from fourtwenty.tui.textual_base.base_app import BaseApp


class InputReader:
    """A driver that reads from one end of a pipe, and what it passes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, read: BinaryIO, typed: BinaryIO) -> None:
        self.app = BaseApp()
        self.driver = TerminalDriver(self.app)
        self.driver.fileno, self.typed = read.fileno(), typed
        self.keys: list[str] = []
        self.waits: list[float | None] = []
        monkeypatch.setattr(self.driver, "process_message", self.note)
        monkeypatch.setattr(self.app, "call_later", self.call)
        monkeypatch.setattr(select, "select", self.select)

    def note(self, message: Message) -> None:
        assert isinstance(message, Key)
        self.keys.append(message.key)

    def call(self, callback: Callable[..., object], *arguments: object) -> bool:
        """Call what would be called in the loop of the app."""
        callback(*arguments)
        return True

    def select(self, *arguments: object) -> tuple[list[int], list[int], list[int]]:
        """Wait as ``select`` does, and note how long it may wait."""
        self.waits.append(arguments[-1])  # type: ignore[arg-type]
        return poll(*arguments)  # type: ignore[arg-type]

    def run(self, typed: bytes, ends: Callable[[], object]) -> None:
        """Read some bytes in a thread; call ``ends`` when it waits without a limit of time again."""
        self.typed.write(typed)
        with ThreadPoolExecutor() as threads:
            reading = threads.submit(self.driver.run_input_thread)
            try:
                deadline = time.monotonic() + MAX_WAIT_SECONDS
                while not reading.done():
                    assert time.monotonic() < deadline, f"it reads on after {self.keys}; its waits: {self.waits}"
                    if len(self.waits) > 1 and self.waits[-1] is None:
                        ends()
                        reading.result(MAX_WAIT_SECONDS)
            finally:
                self.driver.exit_event.set()


poll = select.select


@pytest.fixture
async def reader(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[InputReader]:
    """A reader in a process whose signals are as before at the end."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTSTP, signal.SIGCONT)}
    with piped() as (read, typed):
        yield InputReader(monkeypatch, read, typed)
    for number, handler in before.items():
        signal.signal(number, handler)


async def test_it_sleeps_until_there_is_input_and_ends_at_once(reader: InputReader) -> None:
    reader.run(b"ab", reader.driver.exit_event.set)
    assert reader.keys == ["a", "b"]
    assert len(reader.waits) <= 3, "once for the keys, once for an Escape that may follow, once without a limit"


async def test_a_single_escape_counts(reader: InputReader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequences, "TAIL_SECONDS", 0)  # it sleeps for good after that
    reader.run(b"\x1b", reader.driver.exit_event.set)
    assert reader.keys == ["escape"]


async def test_a_byte_that_is_no_character_is_replaced(reader: InputReader) -> None:
    assert sys.__stdin__
    reader.run(b"a\xe9b", reader.driver.exit_event.set)
    assert len(reader.keys) == 3
    assert (reader.keys[0], reader.keys[2]) == ("a", "b")


async def test_a_terminal_that_has_gone_ends_the_program(reader: InputReader) -> None:
    reader.run(b"a", reader.typed.close)
    assert reader.keys == ["a"]
    assert reader.app.ended_by == signal.SIGHUP


async def test_it_can_read_again_after_a_sleep(reader: InputReader) -> None:
    reader.run(b"a", reader.driver.exit_event.set)
    reader.driver.exit_event.clear()
    reader.waits.clear()
    reader.run(b"b", reader.driver.exit_event.set)
    assert reader.keys == ["a", "b"]


FAILING = """
import sys
from textual._xterm_parser import XTermParser
from fourtwenty.__main__ import main
XTermParser.feed = lambda *_: 1 / 0
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.terminal
def test_an_error_in_the_thread_that_reads_the_terminal_is_no_success() -> None:
    with Terminal(sys.executable, "-c", FAILING) as terminal:
        terminal.press("x", after="Rules")
        assert terminal.wait() == 1
        assert "ZeroDivisionError" in terminal.written
        assert terminal.left_behind == []
