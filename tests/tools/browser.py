"""Drives pages in headless Chromium by the DevTools protocol, by mouse, keys or finger.

CHROMIUM names the browser if it is elsewhere. In a terminal on a page, what to click is found by the words there.
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from processes import child
from waiting import MAX_WAIT_SECONDS
from web_socket import TEXT, WebSocket

DESKTOP, TABLET, UPRIGHT = (1280, 800), (820, 1180), (390, 844)
"""Sizes of windows in CSS pixels; the last is a phone."""
THUMB = 54
"""9 mm in CSS pixels, on a phone of 390 pixels and 65 mm."""
PHONE = "--force-device-scale-factor=3"
"""An option of the browser: fine pixels. Those that the DevTools emulate are unknown to the canvas of xterm.js 5."""
NO_ELEMENT = "<b>Ann</b>"
"""A name that a page must show as it is."""
KEYS = {
    "ctrl+p": ("p", "KeyP", 80, 2),
    "ctrl+v": ("v", "KeyV", 86, 2),
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

SCREEN = """
const screen = () => {
  const {buffer, cols, rows} = page.terminal;
  return Array.from({length: rows}, (_, row) => buffer.active.getLine(row).translateToString(true, 0, cols));
};
while (!globalThis.page) await new Promise((done) => setTimeout(done, 10));
"""
"""JavaScript for the lines of the terminal, once terminal.js has made it."""


class Tab:
    """One page of the browser."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session
        self.asked: list[str] = []
        """Every address the page has asked for."""
        self.received = 0
        """The bytes of all answers to it, as they were sent."""
        self.typed: list[str] = []
        """Keys and mouse events that the page has sent to the app."""
        self.errors: list[str] = []
        """Every complaint: uncaught errors, failed requests, what the page's policy forbids."""
        self.loaded: asyncio.Queue[str] = asyncio.Queue()
        """A name for each page that has been loaded."""
        self.address = ""
        """The address of the page that is shown."""

    async def do(self, method: str, **parameters: Any) -> Any:
        return await self._browser.do(method, self._session, **parameters)

    def hear(self, method: str, told: Any) -> None:
        """Take down what happens on the page and what it sends."""
        if method == "Page.lifecycleEvent" and told["name"] == "load":
            self.loaded.put_nowait(told["loaderId"])
        elif method == "Page.frameNavigated":
            self.address = told["frame"]["url"]
        elif method == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        elif method == "Network.loadingFinished":
            self.received += told["encodedDataLength"]
        elif method == "Network.webSocketCreated":
            self.asked.append(told["url"])
        elif method == "Network.webSocketFrameSent" and told["response"]["opcode"] == 1:
            kind, *content = json.loads(told["response"]["payloadData"])
            if kind == "stdin":
                self.typed.append(content[0])
        elif (
            method == "Runtime.exceptionThrown"
            or (method == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"))
            or (
                method == "Log.entryAdded"
                and told["entry"]["level"] == "error"
                and not told["entry"].get("url", "").endswith("/favicon.ico")  # of a text, told at any time
            )
        ):
            self.errors.append(json.dumps(told))

    async def js(self, body: str) -> Any:
        """Return what the body of an async function returns on the page."""
        done = await self.do(
            "Runtime.evaluate", expression=f"(async () => {{{body}}})()", awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    async def resize(self, size: tuple[int, int], touched: bool = False) -> None:
        await self.do("Emulation.setTouchEmulationEnabled", enabled=touched)
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=size[0], height=size[1], deviceScaleFactor=0, mobile=touched,
        )  # fmt: skip
        await self.js("for (const _ of [1, 2]) await new Promise(requestAnimationFrame)")

    async def cells(self) -> tuple[int, int]:
        columns, rows = await self.js("return [page.terminal.cols, page.terminal.rows]")
        return columns, rows

    async def screen(self) -> list[str]:
        lines: list[str] = await self.js(SCREEN + "return screen()")
        return lines

    async def shows(self, pattern: str) -> None:
        """Wait until words on the screen match, and are drawn."""
        waiting = f"""
          await new Promise((done) => {{
            const look = () => {{
              if (new RegExp({json.dumps(pattern)}).test(screen().join("\\n"))) done(heard.dispose());
            }};
            const heard = page.terminal.onWriteParsed(look);
            look();
          }});
          await new Promise(requestAnimationFrame);
          await new Promise(requestAnimationFrame);
        """
        try:
            await self.js(SCREEN + waiting)
        except TimeoutError:
            raise AssertionError("\n".join([f"no {pattern!r} on", *await self.screen()])) from None

    async def heard(self) -> list[tuple[str, str, str]]:
        """Return role, name and live region of everything that a screen reader finds on the page, in its order."""
        nodes = (await self.do("Accessibility.getFullAXTree"))["nodes"]
        return [
            (
                node["role"]["value"],
                node.get("name", {}).get("value", ""),
                next((each["value"]["value"] for each in node.get("properties", ()) if each["name"] == "live"), ""),
            )
            for node in nodes
            if not node["ignored"]
        ]

    async def says(self, words: str) -> None:
        """Wait until a line of the page as text has these words, and a screen reader finds them in its log."""
        await self.js(
            f"const log = document.getElementById('log'); while (!log.innerText.includes({json.dumps(words)}))"
            " await new Promise((done) => new MutationObserver(done).observe(log, {childList: true}))"
        )
        heard = await self.heard()
        assert any(role == "StaticText" and words in name for role, name, _ in heard), heard

    async def reads(self, selector: str, pattern: str) -> str:
        """Wait until the text of an element of the page matches; return it."""
        text: str = await self.js(
            "for (;; await new Promise((done) => setTimeout(done, 10))) {"
            f"  const text = document.querySelector({json.dumps(selector)})?.textContent;"
            f"  if (text && new RegExp({json.dumps(pattern)}).test(text)) return text; }}"
        )
        return text

    async def becomes(self, state: str) -> None:
        """Wait until the page is in a state, a class of its body; it may be behind another tab."""
        await self.js(
            f"while (!document.body.classList.contains({json.dumps(state)})) await new Promise((done) =>"
            " new MutationObserver(done).observe(document.body, {attributes: true}))"
        )

    async def click(self, pattern: str, above: int = 0, right: int = 0) -> None:
        """Wait for words that match; click on the first, so many lines above and columns to the right."""
        await self.shows(f"(?m:{pattern})")
        lines = await self.screen()
        for row, line in enumerate(lines):
            if found := re.search(pattern, line):
                await self._click((found.start() + found.end()) / 2 + right, row - above + 0.5)
                return
        raise AssertionError("\n".join([f"no {pattern!r} on", *lines]))

    async def _click(self, column: float, row: float) -> None:
        left, top, width, height = await self.js(
            "const {x, y, width, height} = document.querySelector('.xterm-screen').getBoundingClientRect();"
            "return [x, y, width / page.terminal.cols, height / page.terminal.rows]"
        )
        at = {"x": left + width * column, "y": top + height * row}
        await self.do("Input.dispatchMouseEvent", type="mouseMoved", **at)
        for kind in ("mousePressed", "mouseReleased"):
            await self.do("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **at)

    async def tap(self, selector: str) -> None:
        """Tap in the middle of an element of the page."""
        x, y = await self.js(
            f"const {{x, y, width, height}} = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
            "return [x + width / 2, y + height / 2]"
        )
        await self.do("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        await self.do("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

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

    async def go_back(self) -> None:
        await self.js("history.back()")

    async def picture(self, path: Path) -> None:
        shot = await self.do("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))

    async def close(self) -> None:
        await self._browser.do("Target.closeTarget", targetId=self._target)


class Browser:
    """The browser at the other end of a socket."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._tabs: dict[str, Tab] = {}
        self._listening = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        while message := await self._socket.read():
            told = json.loads(message)
            if "id" in told:
                answer = self._asked.pop(told["id"])
                if answer.cancelled():
                    continue
                if "error" in told:
                    answer.set_exception(RuntimeError(told["error"]))
                else:
                    answer.set_result(told["result"])
            elif told.get("sessionId") in self._tabs:
                self._tabs[told["sessionId"]].hear(told["method"], told["params"])

    async def do(self, method: str, session: str = "", **parameters: Any) -> Any:
        number = next(self._numbers)
        self._asked[number] = asyncio.get_running_loop().create_future()
        whose = {"sessionId": session} if session else {}
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters, **whose}).encode(), TEXT)
        return await asyncio.wait_for(self._asked[number], MAX_WAIT_SECONDS)

    async def profile(self) -> str:
        """Return a new profile, with a storage of its own."""
        return str((await self.do("Target.createBrowserContext"))["browserContextId"])

    async def open(self, url: str, size: tuple[int, int], touched: bool = False, profile: str = "") -> Tab:
        """Open a tab of that size and go there; in another profile, if so wished."""
        where = {"browserContextId": profile} if profile else {}
        target = (await self.do("Target.createTarget", url="about:blank", **where))["targetId"]
        session = (await self.do("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        tab = self._tabs[session] = Tab(self, target, session)
        for domain in ("Network", "Runtime", "Log", "Page"):
            await tab.do(f"{domain}.enable")
        await tab.resize(size, touched)
        await tab.do("Page.setLifecycleEventsEnabled", enabled=True)
        name = (await tab.do("Page.navigate", url=url))["loaderId"]
        while await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS) != name:
            pass  # that was the blank page
        return tab


def find_chromium() -> str | None:
    """Return the browser's program; None when there is none."""
    named = (os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, filter(None, named))), None)


async def line_of(stream: asyncio.StreamReader, pattern: str) -> str:
    """Read until a line matches, and return its first group."""
    while line := (await stream.readline()).decode():
        if match := re.search(pattern, line):
            return match[1]
    raise AssertionError(f"no line with {pattern}")


@asynccontextmanager
async def chromium(*options: str) -> AsyncIterator[Browser]:
    """Start the browser without a window, and as if it had never been started before."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        started = child(
            find_chromium() or "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--remote-debugging-port=0", f"--user-data-dir={profile}", *options, "about:blank",
            stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with started as process:
            assert process.stderr
            address = await asyncio.wait_for(
                line_of(process.stderr, r"DevTools listening on (ws://\S+)"), MAX_WAIT_SECONDS
            )
            authority, _, path = address.removeprefix("ws://").partition("/")
            async with WebSocket.open(authority, f"/{path}", Origin="") as socket:
                yield Browser(socket)
