"""The game in a tab of a real browser, without a server: the page that ``fourtwenty.web.page`` makes."""

from __future__ import annotations

import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, UPRIGHT, chromium, find_chromium
from patience import until
from tab_page import REFUSE, Game, begin, made_page, served

from fourtwenty.journal.record import read, verify

DOCUMENT = Path(__file__).parents[2] / "docs" / "tab.md"

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium here"),
]


@pytest.fixture
async def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page, which one process of the run makes."""
    run = tmp_path_factory.getbasetemp()
    folder = await made_page(run.parent if "PYTEST_XDIST_WORKER" in os.environ else run)
    if isinstance(folder, str):
        pytest.skip(folder)
    return folder


@pytest.fixture
async def address(page: Path) -> AsyncIterator[str]:
    """The address of the page."""
    async with served(page) as address:
        yield address


def test_the_document_says_how_large_it_is(page: Path) -> None:
    (said,) = re.findall(r"compresses nothing sends ([\d.]+) MB", DOCUMENT.read_text("utf-8"))
    size = sum(path.stat().st_size for path in page.rglob("*") if path.is_file())
    assert float(said) == pytest.approx(size / 1e6, abs=0.5)


@pytest.mark.long("fourtwenty/web/page/", "tests/tools/tab_page.py")
async def test_a_finger_plays_a_round_with_a_reload_in_the_middle(address: str, tmp_path: Path) -> None:
    expected = begin().events
    async with chromium(PHONE) as browser:
        game = await Game.opened(browser, address, UPRIGHT, touched=True)
        tab = game.tab
        await tab.shows("Resume")
        await tab.picture(tmp_path / "phone.png")
        await tab.click("Resume")
        await game.take_turn()
        await game.take_turn()
        await tab.picture(tmp_path / "phone-table.png")
        await game.load()
        await tab.shows("Resume")
        await tab.click("Resume")
        await game.take_turn()
        kept = await game.take_turn()
        assert kept.events == expected
        await tab.picture(tmp_path / "phone-round.png")
        assert not tab.errors, tab.errors
        asked = [each for each in tab.asked if not each.startswith(("blob:", "data:"))]
        assert asked
        assert all(each.startswith(address) for each in asked), asked
        assert any("parts/game" in each for each in asked), "those of the worker, too"
        await tab.shows("Rematch")
        await tab.go_back()
        await tab.shows("Past games")
        await tab.go_back()
        await until(lambda: tab.address == f"{address}licences.txt")


async def test_keys_play_and_nothing_is_shown_that_the_storage_refuses(address: str, tmp_path: Path) -> None:
    expected = begin().events
    async with chromium() as browser:
        game = await Game.opened(browser, address, DESKTOP)
        tab = game.tab
        await tab.shows("Resume")
        await tab.press("r")
        await game.take_turn()
        await game.in_worker(REFUSE)
        await tab.press("enter")
        await tab.shows("can't be saved right now[^]*storage of this browser is full")
        await tab.picture(tmp_path / "refused.png")
        assert (await game.kept()).events == expected[:1]
        second = await browser.open(address, DESKTOP)
        await second.becomes("-elsewhere")
        await second.picture(tmp_path / "elsewhere.png")
        await second.close()
        await game.in_worker("grant()")
        await tab.shows("Ann, your turn")
        kept = await game.kept()
        assert kept.events == expected[:2], "it goes on by itself"
        for _ in range(2):
            kept = await game.take_turn()
        assert kept.events == expected
        await tab.shows("Rematch")
        await tab.go_back()
        await tab.shows("Past games")
        await tab.press("h")
        await tab.shows("Past games: 1[^]*buys the drinks")
        await browser.do("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        await tab.press("e")
        await until((tmp_path / "match-1.json").exists)
        assert verify(read((tmp_path / "match-1.json").read_text())).outcome
        assert (await game.verdict(tmp_path / "match-1.json")).startswith("OK: 420, Ann, Ben; 4 rolls; ")
        await tab.js("document.querySelector('dialog button').click()")
        await browser.do("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        await tab.js("await navigator.clipboard.writeText('Nobody')")
        await tab.press("/")
        await tab.press("ctrl+v")
        await tab.shows("No player matches “Nobody”")
        assert not tab.errors, tab.errors
