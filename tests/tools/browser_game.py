"""The page of ``fourtwenty.web.page`` in headless Chromium: made once, served, its storage filled and read.

``python tests/tools/browser_game.py [FOLDER]`` makes it and plays it by hand: it leaves pictures, and prints figures.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from browser import DESKTOP, UPRIGHT, Browser, Tab, chromium
from processes import answering
from waiting import MAX_WAIT_SECONDS

from fourtwenty.file_storage import data_folder, history_file, settings_file
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.settings import Settings
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.web.page.__main__ import PageDownloadError, make

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
ROLLS = 4
"""The rolls of the round that is played here: the fewest of the choices that the rules allow, each time."""

REFUSE = """
const {transaction} = IDBDatabase.prototype;
IDBDatabase.prototype.transaction = () => { throw new DOMException("no room", "QuotaExceededError"); };
globalThis.grant = () => IDBDatabase.prototype.transaction = transaction;
"""
"""JavaScript by which the storage of the page is full, until ``grant`` is called."""
STORAGE = """
const opening = indexedDB.open("420", 1);
opening.onupgradeneeded = () => opening.result.createObjectStore("pieces");
await new Promise((done, failed) => { opening.onsuccess = done; opening.onerror = failed; });
const change = opening.result.transaction("pieces", "readwrite");
const pieces = change.objectStore("pieces");
const over = new Promise((done, failed) => { change.oncomplete = done; change.onabort = failed; });
const all = (asked) => new Promise((done) => asked.onsuccess = () => done(asked.result));
"""
"""JavaScript that opens the storage of the page; see ``Keeper`` in worker.js."""


async def made_page(shared: Path) -> Path | str:
    """Return the folder of the page, which the first of several processes makes; a reason when it cannot be loaded."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "there is no Node.js with npm here"
    import fcntl  # there is none on Windows, which imports this file

    folder, said = shared / "page", shared / "page.made"
    with (shared / "page.lock").open("w") as lock:
        await asyncio.to_thread(fcntl.flock, lock, fcntl.LOCK_EX)  # a busy machine takes longer than a test waits
        if not said.exists():
            reason = "it broke in another process"
            try:
                folder.mkdir()
                await asyncio.to_thread(make, folder)
                reason = ""
            except PageDownloadError as why:
                reason = f"the page cannot be loaded: {why}"
            finally:
                said.write_text(reason)
    return said.read_text() or folder


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[str]:
    handler = partial(QuietHandler, directory=folder)
    with PageServer(("127.0.0.1", 0), handler) as server, answering(server):
        yield f"http://127.0.0.1:{server.server_address[1]}/"


class PageServer(ThreadingHTTPServer):
    """Ends with all its connections, also those on which nothing has been asked: browsers open some ahead."""

    def __init__(self, *settings: Any) -> None:
        super().__init__(*settings)
        self.connections: list[Any] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self.connections.append(request)
        super().process_request(request, client_address)

    def server_close(self) -> None:
        super().server_close()
        for connection in self.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def packed(path: Path) -> bytes:
    """Return what is sent of a file."""
    return gzip.compress(path.read_bytes())


class QuietHandler(SimpleHTTPRequestHandler):
    """Gives out files, compressed where they are not yet, as services for pages do, and writes nothing about it."""

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file() or "parts" in path.parts:
            super().do_GET()
            return
        data = packed(path)
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Write nothing."""


def begin() -> Match:
    """Keep a match that Ann and Ben have not begun to roll in, whose round has ``ROLLS`` rolls, and quick settings."""
    Settings(pace="at once", learnt=["start"]).save(settings_file())
    for seed in range(256):
        trial = Match(TWO, FairDice(bytes([seed]) * 32), identifier=bytes(16).hex())
        while trial.state.to_act is not None:
            trial.act(least(trial))
        if len(trial.events) == ROLLS:
            break
    with closing(History(history_file(), sys.exit)) as history:
        match = Match(TWO, FairDice(bytes([seed]) * 32), identifier=bytes(16).hex())
        match.save_to(history.journal())
    return trial


def least(match: Match) -> Roll:
    """Return the roll of the fewest dice."""
    return min(
        (each for each in match.state.actions if isinstance(each, Roll)), key=lambda roll: (len(roll.dice), roll.dice)
    )


class BrowserGame:
    """The page in a tab of the browser, with the worker in which Python plays."""

    def __init__(self, browser: Browser, tab: Tab, address: str, touched: bool) -> None:
        self.browser, self.tab, self.address, self.touched = browser, tab, address, touched
        self.worker = ""
        self._hear = tab.hear
        tab.hear = self.hear  # type: ignore[method-assign]  # of workers, too

    @classmethod
    async def opened(cls, browser: Browser, address: str, size: tuple[int, int], touched: bool = False) -> BrowserGame:
        """Open the page, with what lies in the data folder here as its storage."""
        tab = await browser.open(f"{address}licences.txt", size, touched)
        game = cls(browser, tab, f"{address}game.html", touched)
        await game.put(data_folder())
        await game.tab.do("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
        await game.load()
        return game

    def hear(self, method: str, told: Any) -> None:
        """Listen to a worker as to the page."""
        if method == "Target.attachedToTarget":
            self._starting = asyncio.create_task(self._start(told["sessionId"], told["targetInfo"]["type"]))
        else:
            self._hear(method, told)

    async def _start(self, session: str, kind: str) -> None:
        if kind == "worker":  # one that answers for the network does not listen before it runs
            self.worker = session
            self.browser._tabs[session] = self.tab
            await self.browser.do("Network.enable", session)
        await self.browser.do("Runtime.runIfWaitingForDebugger", session)

    async def in_worker(self, script: str) -> None:
        """Run JavaScript where Python plays."""
        done = await self.browser.do("Runtime.evaluate", self.worker, expression=script)
        assert "exceptionDetails" not in done, done

    async def load(self) -> None:
        name = (await self.tab.do("Page.navigate", url=self.address))["loaderId"]
        while await asyncio.wait_for(self.tab.loaded.get(), MAX_WAIT_SECONDS) != name:
            pass  # that was another page

    async def put(self, folder: Path) -> None:
        """Fill the storage with the files of a folder."""
        for path in folder.iterdir():
            text = base64.b64encode(path.read_bytes()).decode()
            await self.tab.js(
                STORAGE + f"const all_ = Uint8Array.from(atob('{text}'), (letter) => letter.charCodeAt(0));"
                "for (let at = 0; at === 0 || at < all_.length; at += 65536)"
                f"  pieces.put(all_.slice(at, at + 65536), ['{path.name}', at / 65536]);"
                "await over; opening.result.close();"
            )

    async def kept(self) -> Match:
        """Return the first match of the storage."""
        found = await self.tab.js(
            STORAGE + "const [keys, values] = await Promise.all([all(pieces.getAllKeys()), all(pieces.getAll())]);"
            "opening.result.close();"
            "const text = (bytes) => btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));"
            "return keys.map((key, at) => [...key, text(values[at])])"
        )
        with tempfile.TemporaryDirectory() as folder:
            for name, _, text in sorted(found):
                with Path(folder, name).open("ab") as file:
                    file.write(base64.b64decode(text))
            with closing(History(Path(folder, history_file().name), sys.exit)) as history:
                return history.match(1)

    async def verdict(self, record: Path) -> str:
        """Give a record to the page, and return what it says about it."""
        document = await self.tab.do("DOM.getDocument")
        field = await self.tab.do("DOM.querySelector", nodeId=document["root"]["nodeId"], selector="#record")
        await self.tab.do("DOM.setFileInputFiles", files=[str(record)], nodeId=field["nodeId"])
        await self.tab.js("while (!document.querySelector('dialog').open) await new Promise(requestAnimationFrame)")
        said: str = await self.tab.js("return document.querySelector('dialog p').textContent")
        return said

    async def roll(self, before: Match) -> Roll:
        """Roll the fewest dice, by taps or keys, once somebody is asked; return what, once the next one is asked."""
        roll = least(before)
        seat = before.state.to_act
        assert seat is not None
        asked, next_asked = f"{before.names[seat]}, your turn", f"(?<!{before.names[seat]}), your turn|buys the drinks"
        dice = roll.dice if len(roll.dice) < 4 else ()
        if self.touched:
            await self.tab.reads("#line", asked)
            for die in dice:
                await self.tab.tap(f"#dice button:nth-child({die})")
            await self.tab.tap("#go")
            await self.tab.reads("#line", next_asked)
            return roll
        await self.tab.shows(rf"{asked}[^]*\bLeave\b")
        for die in dice:
            await self.tab.press(str(die))
            await self.tab.shows(f"━ {die} ━")
        await self.tab.press("enter")
        await self.tab.shows(rf"{next_asked}|wins|Rematch")
        return roll

    async def take_turn(self) -> Match:
        """Roll the fewest dice; return the match as it is kept once the next one is asked."""
        before = await self.kept()
        roll = await self.roll(before)
        after = await self.kept()
        assert len(after.events) == len(before.events) + 1, "a face is painted once it is kept, and not before"
        assert after.events[-1].action == roll
        return after


SPEEDS = {"quiet": 0.0, "10 Mbit/s": 10.0, "1.6 Mbit/s": 1.6}
"""Networks, each with its speed in Mbit/s, 0 for as fast as it can be."""
LOBBY = r"\bPlay\b[^]*Past games"
"""JavaScript's pattern for the screen of the lobby."""
LATENCY = 50
"""The least time in milliseconds until a slow network answers."""


async def measure(browser: Browser, address: str) -> None:
    """Print how long a first visit waits for the first roll of the first page, and for the lobby of the whole game."""
    for name, speed in SPEEDS.items():
        rate = speed * 1e6 / 8
        network = {"offline": False, "latency": LATENCY, "downloadThroughput": rate, "uploadThroughput": rate}
        for page, shown in (("", "first roll"), ("game.html?terminal", "lobby")):
            tab = await browser.open(f"{address}licences.txt", UPRIGHT, touched=True, profile=await browser.profile())
            game = BrowserGame(browser, tab, f"{address}{page}", touched=True)
            if speed:
                await tab.do("Network.emulateNetworkConditions", **network)
            await tab.do("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)
            tab.received, began = 0, time.monotonic()
            await game.load()
            if page:
                await tab.shows(LOBBY)
            else:
                await tab.js(
                    "while (!document.querySelector('#go').textContent) await new Promise(requestAnimationFrame)"
                )
            print(f"{name}: {shown} after {time.monotonic() - began:.2f} s, {tab.received:,} bytes")
            await tab.close()


async def play(pictures: Path) -> None:
    """Make the page, play a round against a bot, export and verify it, load it without a network; print figures."""
    began = time.monotonic()
    folder = await made_page(pictures)
    assert isinstance(folder, Path), folder
    sizes = {path.relative_to(folder).as_posix(): path.stat().st_size for path in folder.rglob("*") if path.is_file()}
    sent = {name: len(packed(folder / name)) for name in sizes if name != "licences.txt"}
    print(f"made in {time.monotonic() - began:.0f} s: {sum(sizes.values()):,} bytes, {sum(sent.values()):,} compressed")
    for name, size in sorted(sent.items(), key=lambda each: -each[1]):
        print(f"  {size:10,} {name}")
    async with chromium() as browser:
        async with served(folder) as address:
            await measure(browser, address)
            game = await BrowserGame.opened(browser, address, DESKTOP)
            tab = game.tab
            for visit in ("first", "second", "third"):
                began = time.monotonic()
                await game.load()
                await tab.shows(LOBBY)
                print(f"{visit} visit: lobby after {time.monotonic() - began:.1f} s")
                await tab.js("await navigator.serviceWorker.ready")
            await tab.js("while (!navigator.serviceWorker.controller) await new Promise(requestAnimationFrame)")
        began = time.monotonic()
        await game.load()
        await tab.shows(LOBBY)
        print(f"without a network: lobby after {time.monotonic() - began:.1f} s")
        await tab.picture(pictures / "tab-lobby.png")
        await tab.press("enter")
        await tab.shows("Your turn|Rematch")  # a bot may begin, and make 20
        await tab.js("window.frames_ = 0; page.terminal.onRender(() => frames_++)")
        began, rolls = time.monotonic(), 0
        while "Rematch" not in (screen := "\n".join(await tab.screen())):
            if "Your turn" in screen:
                await tab.press("a")
                await tab.press("enter")
                rolls += 1
            else:
                await tab.press(" ")
            await asyncio.sleep(0.3)
        frames, seconds = await tab.js("return frames_"), time.monotonic() - began
        print(f"a game of 420 by keys: {rolls} rolls, {frames} frames in {seconds:.0f} s")
        await tab.picture(pictures / "tab-finale.png")
        assert not tab.errors, tab.errors


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ["FOURTWENTY_HOME"] = home
        Path(home, "empty.json").write_text("{}")
        target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
        target.mkdir(parents=True, exist_ok=True)
        asyncio.run(play(target))
