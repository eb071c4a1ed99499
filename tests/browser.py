"""Plays the served game in headless Chromium, with a real mouse and keys, and leaves pictures behind.

By hand: ``python tests/browser.py [FOLDER]``, with the extra ``[web]``; CHROMIUM names the browser if it is elsewhere.
It is driven by the DevTools protocol; where to click is known from the same match in the same app without a browser.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, ClientWebSocketResponse
from textual.geometry import Region

from fourtwenty.app import FourTwentyApp
from fourtwenty.dice import FairDice
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Event, Roll
from fourtwenty.history import History
from fourtwenty.lineup import Lineup, Seat
from fourtwenty.match import Match
from fourtwenty.paths import history_file
from fourtwenty.screens.lobby import Lobby
from fourtwenty.screens.table import Table
from fourtwenty.widgets.button import MouseButton
from fourtwenty.widgets.choices import Choices
from fourtwenty.widgets.hand import Hand

TWO = Lineup((Seat("Ann"), Seat("Ben")), first=1)
KEYS = {
    "ctrl+p": ("p", "KeyP", 80, 2),
    "ctrl+c": ("c", "KeyC", 67, 2),
    "f1": ("F1", "F1", 112, 0),
    "tab": ("Tab", "Tab", 9, 0),
    "shift+tab": ("Tab", "Tab", 9, 8),
    "escape": ("Escape", "Escape", 27, 0),
    "enter": ("Enter", "Enter", 13, 0),
    "delete": ("Delete", "Delete", 46, 0),
    "backspace": ("Backspace", "Backspace", 8, 0),
    "home": ("Home", "Home", 36, 0),
    "end": ("End", "End", 35, 0),
    "pageup": ("PageUp", "PageUp", 33, 0),
    "pagedown": ("PageDown", "PageDown", 34, 0),
    "up": ("ArrowUp", "ArrowUp", 38, 0),
    "down": ("ArrowDown", "ArrowDown", 40, 0),
    "left": ("ArrowLeft", "ArrowLeft", 37, 0),
    "right": ("ArrowRight", "ArrowRight", 39, 0),
    "shift+up": ("ArrowUp", "ArrowUp", 38, 8),
    "shift+down": ("ArrowDown", "ArrowDown", 40, 8),
    "ctrl+q": ("q", "KeyQ", 81, 2),
}
"""Keys that type no character: their name and code in a browser, their number, and what is held (2 ctrl, 8 shift)."""


class Tab:
    """One page of the browser."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self._session = browser, session
        self.asked: list[str] = []
        """Every address the page has asked for."""
        self.typed: list[str] = []
        """What the page has sent to the app as keys and mouse."""
        self.size = (0, 0)
        """Columns and rows."""
        self.bytes = 0
        """How much the app has painted."""

    async def do(self, method: str, **parameters: Any) -> Any:
        """Call a method of the protocol."""
        return await self._browser.do(method, self._session, **parameters)

    def hear(self, method: str, told: Any) -> None:
        """Take down what the network does."""
        if method == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.asked.append(told["url"])
        elif method == "Network.webSocketFrameReceived":
            self.bytes += len(told["response"]["payloadData"])
        elif method == "Network.webSocketFrameSent" and told["response"]["opcode"] == 1:
            kind, *content = json.loads(told["response"]["payloadData"])
            if kind == "resize":
                self.size = content[0]["width"], content[0]["height"]
            elif kind == "stdin":
                self.typed.append(content[0])

    async def js(self, expression: str) -> Any:
        """Return what an expression is on the page."""
        return (await self.do("Runtime.evaluate", expression=expression, returnByValue=True))["result"].get("value")

    async def click(self, region: Region) -> None:
        """Click in the middle of a region of cells."""
        columns, rows = self.size
        left, top, width, height = await self.js(
            "(({x, y, width, height}) => [x, y, width, height])"
            "(document.querySelector('.xterm-screen').getBoundingClientRect())"
        )
        at = {
            "x": left + width / columns * (region.x + region.width / 2),
            "y": top + height / rows * (region.y + region.height / 2),
        }
        await self.do("Input.dispatchMouseEvent", type="mouseMoved", **at)
        for kind in ("mousePressed", "mouseReleased"):
            await self.do("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    async def press(self, key: str) -> None:
        """Press a key: one of ``KEYS``, or a character."""
        if key not in KEYS:
            await self.do("Input.dispatchKeyEvent", type="keyDown", text=key, key=key, unmodifiedText=key)
            await self.do("Input.dispatchKeyEvent", type="keyUp", key=key)
            return
        name, code, number, held = KEYS[key]
        for kind in ("rawKeyDown", "keyUp"):
            await self.do(
                "Input.dispatchKeyEvent",
                type=kind, key=name, code=code, windowsVirtualKeyCode=number, modifiers=held,
            )  # fmt: skip

    async def settled(self) -> None:
        """Wait until the app has painted something and then has not for a while."""
        before = -1
        while self.bytes != before or not self.bytes:
            before = self.bytes
            await asyncio.sleep(1.5)

    async def picture(self, path: Path) -> None:
        """Take a picture."""
        shot = await self.do("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))
        print(f"  {path}")


class Browser:
    """The browser at the other end of a socket."""

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._tabs: dict[str, Tab] = {}
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        async for message in self._socket:
            told = message.json()
            if "id" in told:
                answer = self._asked.pop(told["id"])
                if "error" in told:
                    answer.set_exception(RuntimeError(told["error"]))
                else:
                    answer.set_result(told["result"])
            elif told.get("sessionId") in self._tabs:
                self._tabs[told["sessionId"]].hear(told["method"], told["params"])

    async def do(self, method: str, session: str = "", **parameters: Any) -> Any:
        """Call a method of the protocol."""
        number = next(self._numbers)
        self._asked[number] = asyncio.get_running_loop().create_future()
        whose = {"sessionId": session} if session else {}
        await self._socket.send_json({"id": number, "method": method, "params": parameters, **whose})
        return await asyncio.wait_for(self._asked[number], 30)

    async def open(self, url: str, width: int = 1280, height: int = 800) -> Tab:
        """Open a tab of that size and go there."""
        target = (await self.do("Target.createTarget", url="about:blank"))["targetId"]
        session = (await self.do("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = self._tabs[session] = Tab(self, session)
        await tab.do("Network.enable")
        await tab.do(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False
        )
        await tab.do("Page.navigate", url=url)
        await tab.settled()
        return tab


async def line_of(stream: asyncio.StreamReader, pattern: str) -> str:
    """Read until a line matches, and return its first group."""
    while line := (await stream.readline()).decode():
        if match := re.search(pattern, line):
            return match[1]
    raise SystemExit(f"no line with {pattern}")


@asynccontextmanager
async def chromium(folder: Path) -> AsyncIterator[Browser]:
    """Start the browser without a window."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    process = await asyncio.create_subprocess_exec(
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0",
        f"--user-data-dir={folder}", "about:blank",
        stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr
    try:
        address = await asyncio.wait_for(line_of(process.stderr, r"DevTools listening on (ws://\S+)"), 60)
        async with ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
            yield Browser(socket)
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    """Serve the game on a free port; give its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "fourtwenty", "serve", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        yield await asyncio.wait_for(line_of(process.stdout, r"(http://\S+)"), 60)
    finally:
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 10) == 0, "it ends when told to"


async def regions(size: tuple[int, int], *ways: Callable[[FourTwentyApp], Region]) -> list[Region]:
    """Where things are in an app of that size: the first in the lobby, the rest at the table taken up there."""
    app = FourTwentyApp()
    app.pace = 0
    async with app.run_test(size=size) as pilot:
        while not (isinstance(app.screen, Lobby) and app.screen.waiting):
            await asyncio.sleep(0)
        await pilot.pause()
        found = [ways[0](app)]
        await pilot.press("r")
        while not (isinstance(app.screen, Table) and app.screen.waiting):
            await asyncio.sleep(0)
        await pilot.pause()
        return [*found, *(way(app) for way in ways[1:])]


def last_event() -> Event:
    """The last event of the match that was played last."""
    with closing(History(history_file(), sys.exit)) as history:
        return history.match(history.page(limit=1)[0].id).events[-1]


async def play(pictures: Path) -> None:
    """Take up a match by mouse, roll one die by mouse, try the keys, sit down in a second tab, leave."""
    with closing(History(history_file(), sys.exit)) as history:
        match = Match(TWO, FairDice(bytes([36]) * 32), journal=history.journal())
        match.act(ROLL_ALL)
        match.act(ROLL_ALL)
    async with served() as address, chromium(pictures / "profile") as browser:
        tab = await browser.open(address)
        print(f"{address}: {tab.size[0]} columns, {tab.size[1]} rows; title {await tab.js('document.title')}")
        await tab.picture(pictures / "lobby.png")

        kept, elsewhere = os.environ["FOURTWENTY_HOME"], str(pictures / "elsewhere")
        shutil.copytree(kept, elsewhere)
        os.environ["FOURTWENTY_HOME"] = elsewhere
        resume, die, roll = await regions(
            tab.size,
            lambda app: Region(app.screen.query_one("#waiting", Choices).region.x + 6,
                               app.screen.query_one("#waiting", Choices).region.y, 3, 1),
            lambda app: app.screen.query_one(Hand).place(2).translate(app.screen.query_one(Hand).region.offset),
            lambda app: app.screen.query_one("#roll", MouseButton).region,
        )  # fmt: skip
        os.environ["FOURTWENTY_HOME"] = kept

        await tab.click(resume)
        await tab.settled()
        await tab.click(die)
        await tab.settled()
        await tab.picture(pictures / "picked.png")
        await tab.click(roll)
        await tab.settled()
        await tab.picture(pictures / "rolled.png")
        event = last_event()
        assert (event.seat, event.action) == (1, Roll((2,))), event
        print(f"a click on die 2 and one on Roll: {event}")

        await tab.js("lost = []; window.onkeydown = (event) => event.defaultPrevented || lost.push(event.key)")
        for key in KEYS:
            sent = len(tab.typed)
            await tab.press(key)
            await asyncio.sleep(0.3)
            arrived = "".join(tab.typed[sent:])
            print(f"  {key:10} {'arrives' if arrived else 'does not arrive'} {arrived!r}")
        print(f"  left to the browser: {await tab.js('lost')}")
        await tab.settled()
        await tab.picture(pictures / "left.png")

        second = await browser.open(address, 900, 600)
        await second.picture(pictures / "second.png")
        await second.press("enter")
        await second.settled()
        await second.press("r")
        await second.settled()
        await second.picture(pictures / "second-table.png")

        for page in (tab, second):
            assert all(asked.partition("://")[2].startswith(address[7:]) for asked in page.asked), page.asked
        print(f"{len(tab.asked)} requests, all to {address}: {[asked.rpartition('/')[2] for asked in tab.asked]}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["FOURTWENTY_HOME"] = str(Path(folder) / "home")
        pictures = Path(sys.argv[1] if sys.argv[1:] else folder).resolve()
        pictures.mkdir(exist_ok=True)
        asyncio.run(play(pictures))
