"""A wait that gives up says what the screen shows, and a click that hits nothing fails."""

from __future__ import annotations

import pytest
import waiting
from table_pilot import playing
from waiting import last_screen, until


async def test_a_wait_that_gives_up_says_what_the_screen_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MAX_WAIT_SECONDS", 0.01)
    async with playing() as pilot:
        await pilot.pause()
        with pytest.raises(TimeoutError) as failed:
            await until(bool)
    assert "Quit" in str(failed.value)


async def test_a_wait_without_a_screen_gives_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "MAX_WAIT_SECONDS", 0.01)
    with pytest.raises(TimeoutError):
        await until(bool)


@pytest.mark.terminal
def test_a_wait_for_a_program_in_a_terminal_says_what_it_has_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = pytest.importorskip("terminal")
    with terminal.Terminal(*terminal.PROGRAM) as window:
        window.read_until("Quit")
        monkeypatch.setattr(terminal, "MAX_WAIT_SECONDS", 0)
        with pytest.raises(AssertionError, match=r"waiting for .'Nobody',.:\n(.*\n)*.*q Quit"):
            window.read_until("Nobody")


def test_the_last_screen_has_no_styles_and_a_line_for_every_jump() -> None:
    assert last_screen(
        "\x1b]2;420\x07\x1b[?25l\x1b[1;1H\x1b[1;38;2;1;2;3mFour\x1b[0m Twenty\x1b[3;5H\x1b[>1uEnter  "
    ) == ("Four Twenty\nEnter")


async def test_a_click_on_what_nobody_can_see_fails() -> None:
    async with playing() as pilot:
        pilot.app.screen.query_one("#play").display = False
        await pilot.pause()
        with pytest.raises(AssertionError, match=r"does not hit #play:\n(.*\n)*.*Practice"):
            await pilot.click("#play")
