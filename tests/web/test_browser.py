"""The page for phones in a real browser, as browser.py plays it."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import (
    PHONE,
    chromium,
    find_chromium,
    play_as_a_guest,
    play_as_text,
)

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium here"),
]


async def test_a_finger_plays_as_a_guest_at_a_room(tmp_path: Path) -> None:
    async with chromium(PHONE) as browser:
        await play_as_a_guest(browser, tmp_path)


async def test_a_screen_reader_finds_the_table_as_text(tmp_path: Path) -> None:
    async with chromium() as browser:
        await play_as_text(browser, tmp_path)
