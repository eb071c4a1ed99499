"""A wait that gives up says what the screen shows."""

from __future__ import annotations

import patience
import pytest
from at_the_table import playing
from patience import until


async def test_a_wait_that_gives_up_says_what_the_screen_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.01)
    async with playing() as pilot:
        await pilot.pause()
        with pytest.raises(TimeoutError) as failed:
            await until(bool)
    assert any("Quit" in note for note in failed.value.__notes__)


async def test_a_wait_without_a_screen_gives_up_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "PATIENCE", 0.01)
    with pytest.raises(TimeoutError):
        await until(bool)
