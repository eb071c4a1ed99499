"""The game in a tab of a real browser, without a server: the page that ``fourtwenty.web.page`` makes."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from browser import DESKTOP, PHONE, UPRIGHT, Browser, Tab, chromium, find_chromium
from browser_game import REFUSE, BrowserGame, begin, made_page, packed, served
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.links import link
from fourtwenty.journal.record import Record, read_record, verify_record
from fourtwenty.play.clock import day_in_words, today
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match

DOCUMENT = Path(__file__).parents[2] / "docs" / "tab.md"

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.long(
        "fourtwenty/web/",
        "fourtwenty/tui/browser_app.py",
        "fourtwenty/cli/browser_",
        "fourtwenty/cli/browser_page.py",
        "docs/tab.md",
        "tests/tools/browser.py",
        "tests/tools/browser_game.py",
    ),
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
    async with served(page) as address:
        yield address


MOST = 10_500_000
"""The most bytes before the lobby of the whole game, compressed."""
MOST_AT_FIRST = 12_000
"""The most bytes of the first page, compressed."""


def test_it_is_no_larger_than_it_may_be_and_the_document_says_so(page: Path) -> None:
    at_once = [path for path in page.rglob("*") if path.is_file() and path.parent.name not in ("tables", "room")]
    size = sum(len(packed(path)) for path in at_once if path.name != "licences.txt")
    assert size <= MOST
    assert len(packed(page / "index.html")) <= MOST_AT_FIRST
    (said,) = re.findall(r"\*\*([\d.]+) MB\*\*", DOCUMENT.read_text("utf-8"))
    assert float(said) == pytest.approx(size / 1e6, abs=0.1)


@pytest.mark.long("fourtwenty/web/page/", "tests/tools/browser_game.py")
async def test_a_finger_plays_a_round_with_a_reload_in_the_middle(address: str, tmp_path: Path) -> None:
    expected = begin().events
    async with chromium(PHONE) as browser:
        game = await BrowserGame.opened(browser, address, UPRIGHT, touched=True)
        tab = game.tab
        await tab.reads("#menu", "Resume")
        await tab.picture(tmp_path / "phone.png")
        await tab.tap("#menu button")
        await game.take_turn()
        await game.take_turn()
        await tab.picture(tmp_path / "phone-table.png")
        await game.load()  # and the game is at its table
        await game.take_turn()
        kept = await game.take_turn()
        assert kept.events == expected
        await tab.picture(tmp_path / "phone-round.png")
        assert not tab.errors, tab.errors
        asked = [each for each in tab.asked if not each.startswith(("blob:", "data:"))]
        assert asked
        assert all(each.startswith(address) for each in asked), asked
        assert any("parts/game" in each for each in asked), "those of the worker, too"
        await tab.reads("#go", "Play again")
        await tab.go_back()
        await tab.reads("#menu", "Past games")
        await tab.go_back()
        await until(lambda: tab.address == f"{address}licences.txt")


async def test_keys_play_and_nothing_is_shown_that_the_storage_refuses(address: str, tmp_path: Path) -> None:
    expected = begin().events
    async with chromium() as browser:
        game = await BrowserGame.opened(browser, address, DESKTOP)
        tab = game.tab
        await tab.shows("Resume")
        await tab.press("r")
        await game.take_turn()
        await game.in_worker(REFUSE)
        await tab.press("enter")
        await tab.shows("can't be saved right now[^]*storage of this browser is full")
        await tab.picture(tmp_path / "refused.png")
        assert (await game.kept()).events == expected[:1]
        second = await browser.open(f"{address}game.html", DESKTOP)
        await second.becomes("-elsewhere")
        await second.picture(tmp_path / "elsewhere.png")
        await second.close()
        await game.in_worker("grant()")
        await tab.shows("Ann, your turn")
        kept = await game.kept()
        assert kept.events == expected[:2], "it goes on by itself"
        await tab.do("Storage.clearDataForOrigin", origin=address, storageTypes="indexeddb")
        await game.roll(kept)
        assert (await game.kept()).events == expected[:3], "a storage that was cleared is filled again"
        await tab.js("window.asked = 0; navigator.storage.persist = () => asked++")
        kept = await game.take_turn()
        assert kept.events == expected
        await tab.shows("Rematch")
        await tab.go_back()
        await tab.shows("Past games")
        assert await tab.js("return asked") == 1, "a game is finished: the browser shall not delete it"
        await tab.press("h")
        await tab.shows("Past games: 1[^]*buys the drinks")
        await browser.do("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
        await tab.press("e")
        saved = tmp_path / "match-1.json"
        await until(lambda: saved.exists() and saved.stat().st_size)  # Chromium lays an empty file there first
        assert verify_record(read_record(saved.read_text())).outcome
        assert (await game.verdict(saved)).startswith("OK: 420, Ann, Ben; 4 rolls; ")
        await tab.js("document.querySelector('dialog button').click()")
        await browser.do("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        await tab.js("await navigator.clipboard.writeText('Nobody')")
        await tab.press("/")
        await tab.press("ctrl+v")
        await tab.shows("No player matches “Nobody”")
        await tab.js("location.hash = 'daily'")
        for key, shown in (
            ("a", "What would you roll"),
            ("enter", "Roll all|nothing"),
            ("w", "Answer|Why"),
            ("y", "Share"),
        ):
            await tab.shows(shown)
            await tab.press(key)
        await tab.shows("Dare a friend")
        await tab.press("d")
        await loaded(tab)
        await tab.reads("#line", "The race to 20: the fewer throws, the better.")
        await tab.js("document.querySelector('a[href=\"game.html?text\"]').click()")
        await loaded(tab)
        await tab.says("Type new")
        for said, typed in TEXT:
            for letter in f"{typed}\r":
                await tab.press(letter)
            await tab.says(said)
        await tab.picture(tmp_path / "as-text.png")
        assert not tab.errors, tab.errors


TEXT = (("buys the drinks", "history"),)
"""What the page as text says to what is typed: the game of the screen is kept there, too."""


async def loaded(tab: Tab) -> None:
    await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS)


FINISHED = Match(Lineup((Seat("Ann", "Bold"), Seat("Ben", "Bold"))), FairDice(bytes(32)), identifier="7" * 32)
"""A game that a link shows."""
FOUR = GAMES["421"].parse("*456:4 >551:4 -:6 -:7 round 6 roll 2")
"""A position whose odds are in the table of four."""


HANDED = Match(Lineup((Seat("You"), Seat("Merry", "Merry"))), FairDice(bytes([5]) * 32), identifier="05" * 16)
"""The game of the first page: Merry, who begins, and a person who always rolls all four."""
BEGUN = json.dumps(
    {
        "id": HANDED.identifier,
        "seed": (bytes([5]) * 32).hex(),
        "bot": "Merry",
        "players": [{"name": name, "kind": kind} for name, kind in HANDED.lineup.players],
        "rolls": [],
    }
)
"""That game before its first roll, as the first page keeps it."""
SLOW = """
const {register} = ServiceWorkerContainer.prototype;
ServiceWorkerContainer.prototype.register = async function (...all) {
  await new Promise((done) => globalThis.goOn = done);
  return register.apply(this, all);
};
"""
"""JavaScript by which the whole game comes no sooner than ``goOn`` is called."""


async def test_links_open_cold_and_in_a_page_that_is_open(page: Path, address: str, tmp_path: Path) -> None:
    FINISHED.play_out()
    record = link(Record.from_match(FINISHED), address)
    async with chromium() as browser:
        tab = await browser.open(record, DESKTOP)
        await tab.reads("#link p", "A finished game, with every roll.")
        await loaded(tab)  # the whole game has followed
        await tab.shows(r"Review[^]*Ann, Ben[^]*OK: 420, Ann, Ben; ")
        await tab.picture(tmp_path / "link-review.png")
        day = today()
        for fragment, shown in (
            (record.partition("#")[2][:-9], "This link leads nowhere"),
            ("daily", rf"{day_in_words(day)}, \w+"),
            ("daily=2026-11-22.421", "22 Nov 2026, hard"),
            (f"daily={day + timedelta(2)}", "That day's puzzle isn't out yet"),  # midnight may pass meanwhile
            (link(FOUR, address).partition("#")[2], r"Your turn[^]*Perfect 3"),
        ):
            await tab.js(f"location.hash = {json.dumps(fragment)}")
            await tab.shows(shown)
        once_more = f"{address}game.html#{link(FOUR, address).partition('#')[2]}"
        await tab.press("q")
        await tab.shows("Past games")
        await tab.do("Page.navigate", url=once_more)
        await tab.shows(r"Your turn[^]*Perfect 3")
        await tab.press("h")
        await tab.shows(r"best by [\d.]+ points")
        parts = "return (await (await caches.open('parts')).keys()).map(({url}) => url).join()"
        assert f"{address}tables/" in await tab.js(parts), "it was fetched, and is kept"
        await tab.press("escape")
        await tab.press("s")
        await tab.shows("You stood with 5 5 1")
        await tab.js("location.reload()")
        await loaded(tab)
        await tab.shows(r"round \d[^]*Perfect 3[^]*\bLeave\b")  # the game is at its table
        assert not tab.errors, tab.errors
        (tmp_path / "page").mkdir()
        for path in page.iterdir():
            if path.name != "licences.txt":  # without a file, nothing is kept
                (tmp_path / "page" / path.name).symlink_to(path)
        async with served(tmp_path / "page") as elsewhere:
            tab = await browser.open(elsewhere, DESKTOP)
            await tab.do("Page.addScriptToEvaluateOnNewDocument", source=SLOW)
            await tab.js(
                f"localStorage.setItem('420 table', {json.dumps(BEGUN)});"
                f"history.replaceState(null, '', {json.dumps(link(FOUR, elsewhere))}); location.reload()"
            )
            await loaded(tab)
            await tab.reads("#line", "Merry: ")
            await tab.js("goOn()")
            await until(lambda: tab.address == f"{elsewhere}game.html")


async def first_page(browser: Browser, address: str, profile: str = "") -> Tab:
    """Open the first page by a thumb, where nothing moves."""
    tab = await browser.open(address, UPRIGHT, touched=True, profile=profile)
    await tab.reads("#go", "")
    return tab


async def roll(tab: Tab) -> None:
    """Roll all four dice on the first page, once a person is asked."""
    await tab.js(
        "const go = document.querySelector('#go'); const asked = () => /^(Roll|Tap)/.test(go.textContent);"
        "while (!asked()) { go.click(); await new Promise((done) => setTimeout(done, 10)); }"
        "for (const die of document.querySelectorAll('#dice [aria-pressed=false]')) die.click();"
        "go.click(); while (go.textContent === 'Faster') await new Promise((done) => setTimeout(done, 10));"
    )


async def test_the_first_page_plays_at_once_and_the_whole_game_goes_on(address: str, tmp_path: Path) -> None:
    while HANDED.bot_to_act or len(HANDED.events) < 4:
        HANDED.act(HANDED.bot_action() if HANDED.bot_to_act else ROLL_ALL)
    async with chromium("--force-prefers-reduced-motion") as browser:
        tab = await first_page(browser, address)
        for size in ("width", "height"):
            assert await tab.js(f"return document.querySelector('#dice svg').getBoundingClientRect().{size}") >= 72
        await tab.js(f"localStorage.setItem('420 table', {json.dumps(BEGUN)}); location.reload()")
        await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS)
        for _ in range(sum(not HANDED.lineup.seats[event.seat].bot for event in HANDED.events)):
            await roll(tab)
        said = await tab.reads("#line", "Merry: ")
        kept = json.loads(await tab.js("return localStorage.getItem('420 table')"))["rolls"]
        assert kept == [[*event.action.dice] for event in HANDED.events if isinstance(event.action, Roll)]
        hand = HANDED.state.hand(0)
        heard = [name for role, name, _ in await tab.heard() if role == "button"]
        assert [f"Die {die}: {face}, " in name for die, (face, name) in enumerate(zip(hand, heard, strict=False), 1)]
        assert ("status", "", "polite") in await tab.heard()
        await tab.js("location.reload()")
        await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS)
        assert (await tab.reads("#line", "Your")).endswith(said.partition(". ")[2]), "it is kept across a reload"
        await tab.picture(tmp_path / "first-page.png")
        await tab.js("await navigator.serviceWorker.ready; document.querySelector('#whole').click()")
        await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS)
        await tab.reads("#menu", "Leave")
        assert tab.address == f"{address}game.html"
        await tab.reads("#line", "Your turn")
        game = BrowserGame(browser, tab, address, touched=True)
        match = await game.kept()
        assert (match.identifier, match.dice.seed, match.events) == (HANDED.identifier, HANDED.dice.seed, HANDED.events)
        assert not await tab.js("return localStorage.getItem('420 table')"), "it is there once only"
        linked = await browser.open(f"{address}game.html#p=%2A6551%20%3E4332%20roll%202", DESKTOP)
        await linked.shows(r"Perfect[^]*Your turn[^]*\bLeave\b")
        await linked.picture(tmp_path / "link-in-a-second-tab.png")
        assert not tab.errors + linked.errors, tab.errors + linked.errors


def handed_over(seats: int, fits: Callable[[Match], bool]) -> tuple[Match, str]:
    """Return the first match of a person, who always rolls all four, that fits, and how the first page stores it."""
    names = ("You", "Merry", "Merry 2")[:seats]
    lineup = Lineup(tuple(Seat(name, None if name == "You" else "Merry") for name in names))
    for number in range(10_000):
        match = Match(lineup, FairDice(number.to_bytes(32)), identifier="05" * 16)
        if fits(match):
            players = [{"name": name, "kind": kind} for name, kind in lineup.players]
            stored = {"id": "05" * 16, "seed": number.to_bytes(32).hex(), "bot": "Merry", "players": players}
            return match, json.dumps({**stored, "rolls": []})
    raise AssertionError


def wins_soon(match: Match) -> bool:
    while not match.state.outcome and len(match.events) < 8:
        match.act(match.bot_action() if match.bot_to_act else ROLL_ALL)
    return bool(match.state.outcome) and match.events[-1].seat == 0


WATCH = """
window.frames_seen = [];
new MutationObserver(() => {
  const [go, line] = ["#go", "#line"].map((each) => document.querySelector(each)?.textContent);
  const pips = document.querySelectorAll("#seats circle").length;
  if (go) frames_seen.push({go, line, pips, falls: document.querySelectorAll(".tumbles").length});
}).observe(document, {childList: true, subtree: true, characterData: true});
"""
"""Remembers what the page shows after every change."""


async def test_the_first_page_gives_nothing_away(address: str) -> None:
    _, bots_begin = handed_over(3, lambda match: match.state.to_act == 1)
    match, won = handed_over(2, wins_soon)
    async with chromium() as browser:
        tab = await first_page(browser, address)
        await tab.do("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        for stored in (bots_begin, won):
            await tab.js(f"localStorage.setItem('420 table', {json.dumps(stored)}); location.reload()")
            await loaded(tab)
            seen = await tab.js("return frames_seen.filter(({go}) => go === 'Faster')")
            if stored == bots_begin:
                assert seen[0]["pips"] == 0, "no hand is seen before its dice fall"
        for _ in range(sum(event.seat == 0 for event in match.events)):
            await roll(tab)
        seen = await tab.js("return frames_seen")
        assert {each["go"] for each in seen if each["falls"]} == {"Faster"}
        assert not [each for each in seen if each["falls"] and "drinks" in each["line"]]
        assert seen[-1]["go"] == "Play again"


@pytest.mark.parametrize("size", [(280, 568), (320, 568), (390, 844), (844, 390)])
async def test_four_dice_and_the_button_are_in_sight(address: str, size: tuple[int, int]) -> None:
    async with chromium("--force-prefers-reduced-motion") as browser:
        tab = await browser.open(address, size, touched=True)
        await roll(tab)
        edges = await tab.js(
            "const edge = (each) => each.getBoundingClientRect();"
            "const dice = [...document.querySelectorAll('#dice svg')].map(edge);"
            "return [dice.length, Math.min(...dice.map(({left}) => left)), Math.max(...dice.map(({right}) => right)),"
            " edge(document.querySelector('#go')).bottom, document.documentElement.scrollWidth]"
        )
        dice, left, right, bottom, width = edges
        assert dice == 4
        assert left >= 0
        assert right <= width == size[0]
        assert bottom <= size[1]


async def play_on(tab: Tab) -> str:
    """Play on the felt, all dice each time, until the match is over; return what is said then."""
    said: str = await tab.js(
        "const go = document.querySelector('#go');"
        "for (; go.textContent !== 'Play again'; await new Promise((done) => setTimeout(done, 10))) {"
        "  for (const die of document.querySelectorAll('#dice [aria-pressed=false]')) die.click();"
        "  if (!go.hidden) go.click(); }"
        "return document.querySelector('#line').textContent"
    )
    return said


async def test_a_thumb_plays_a_whole_421_without_a_network(page: Path, tmp_path: Path) -> None:
    lineup = Lineup((Seat("You"), Seat("Steady", "Steady")), game="421")
    with closing(History(history_file(), pytest.fail)) as history:
        Match(lineup, FairDice(bytes([4]) * 32)).save_to(history.journal())
    async with chromium("--force-prefers-reduced-motion") as browser:
        async with served(page) as address:
            game = await BrowserGame.opened(browser, address, UPRIGHT, touched=True)
            tab = game.tab
            await tab.reads("#menu", "Four Twenty-One")
            await tab.js("await navigator.serviceWorker.ready")
        await game.load()
        await tab.reads("#menu", "Resume")
        await tab.tap("#menu button")
        await tab.reads("#menu", "Leave")
        await tab.js(
            "const go = document.querySelector('#go');"
            "for (; go.textContent !== 'Roll all three'; await new Promise((done) => setTimeout(done, 10))) go.click()"
        )
        heard = await tab.heard()
        assert ("heading", "421", "") in heard
        assert ("group", "Your dice", "") in heard
        dice = [f"Die {die}: not rolled" for die in (1, 2, 3)]
        assert sorted(name for role, name, _ in heard if role == "button") == [*dice, "Leave", "Roll all three"]
        assert ("status", "", "polite") in heard
        assert re.search("pick|picks", await play_on(tab))
        await tab.picture(tmp_path / "felt.png")
        match = await game.kept()
        assert match.game.key == "421"
        assert match.state.outcome
        assert not tab.errors, tab.errors


TWENTY_AT_THE_THIRD = "c".zfill(32)
"""The seed of a race in which all four dice make 20 at the third throw."""


async def test_a_dare_is_answered_by_a_link_and_nonsense_opens_the_table(page: Path) -> None:
    async with chromium("--force-prefers-reduced-motion") as browser:
        async with served(page) as address:
            tab = await first_page(browser, f"{address}#dare={TWENTY_AT_THE_THIRD}")
            dared = await race(tab)
            assert dared.startswith("Same dice: I needed 3 throws to 20.")
            other = await first_page(browser, f"{address}#{dared.partition('#')[2]}", profile=await browser.profile())
            await other.reads("#line", "Same dice: they needed ")
            assert await other.js("return document.querySelectorAll('#seats li').length") == 1, (
                "theirs is not shown yet"
            )
            answer = await race(other)
            await other.reads("#seats", "They")
            await tab.js(f"location.hash = {json.dumps(answer.partition('#')[2])}")
            await tab.reads("#go", "Another race")
            await tab.reads("#line", "Both in ")
            for fragment in ("dare=00.ab", "r=abc", "daily=tomorrow"):
                await tab.js(
                    f"document.querySelector('#line').textContent = ''; location.hash = {json.dumps(fragment)}"
                )
                await tab.reads("#line", "This link leads nowhere")
            await tab.js("await navigator.serviceWorker.ready")
            await tab.js("localStorage.clear(); location.href = './'")
        offline = await first_page(browser, address)
        await offline.reads("#line", ".")
        await offline.js(f"location.href = {json.dumps(link(FOUR, f'{address}game.html?terminal'))}")
        await loaded(offline)
        await offline.shows("Your turn")
        await offline.press("h")
        await offline.shows(r"about \d+%[^]*421 of four goes on")
        assert not tab.errors + other.errors, tab.errors + other.errors


async def race(tab: Tab) -> str:
    """Roll all four until they make 20, and return what is sent then."""
    while not re.match("Dare|Send", await tab.reads("#go", "")):
        await roll(tab)
    await tab.js("document.querySelector('#go').click()")
    return await tab.reads("#link p", "#dare=")
