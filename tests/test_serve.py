"""The game in a browser, as far as it can be seen without one: the command, the page, and an app behind each tab.

A real browser clicks on real dice in browser.py, by hand.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from importlib.metadata import requires
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse
from at_the_table import playing

from fourtwenty import extra, serve
from fourtwenty.dice import FairDice
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Roll
from fourtwenty.history import History
from fourtwenty.lineup import Lineup, Seat
from fourtwenty.match import Match
from fourtwenty.paths import history_file
from fourtwenty.screens.palette import Palette

SERVE = [sys.executable, "-m", "fourtwenty", "serve"]


def refused(command: list[str]) -> str:
    """Run a command that ends at once with status 2; return the one line that says why."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    return done.stderr


@asynccontextmanager
async def served() -> AsyncIterator[str]:
    """Serve the game on a free port and give its address; it ends well when it is told to."""
    process = await asyncio.create_subprocess_exec(*SERVE, "--port", "0", stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    try:
        line = (await process.stdout.readline()).decode()
        yield re.findall(r"http://[\w.:]+", line)[0]
    finally:
        process.send_signal(signal.SIGINT)
        async with asyncio.timeout(30):
            assert await process.wait() == 0


async def painted(tab: ClientWebSocketResponse, *words: str) -> None:
    """Wait until an app has painted all these words."""
    seen = b""
    async with asyncio.timeout(60):
        while not all(word.encode() in seen for word in words):
            seen += await tab.receive_bytes()


@pytest.fixture
def history() -> Iterator[History]:
    with closing(History(history_file(), pytest.fail)) as kept:
        yield kept


def test_without_its_extra_it_says_what_to_install() -> None:
    without = "import sys; sys.modules['textual_serve'] = None; from fourtwenty.__main__ import main; main(['serve'])"
    assert refused([sys.executable, "-c", without]).endswith(f": {extra.install_command()}\n")


def test_the_hint_names_the_versions_of_the_extra() -> None:
    parts = re.compile(r"[\w-]+|[<>]=?[\d.]+")
    extras = [line.partition(";")[0] for line in requires("fourtwenty") or () if line.startswith("textual-serve")]
    assert extras
    assert all({*parts.findall(line)} == {*parts.findall(extra.TEXTUAL_SERVE)} for line in extras)


def test_the_hint_for_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "fourtwenty"))
    (tmp_path / "fourtwenty").mkdir()
    (tmp_path / "fourtwenty" / "pipx_metadata.json").touch()
    assert extra.install_command() == 'pipx inject fourtwenty "textual-serve>=1.1.3,<1.2"'


def test_the_hint_for_uv_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "fourtwenty"))
    (tmp_path / "fourtwenty").mkdir()
    (tmp_path / "fourtwenty" / "uv-receipt.toml").touch()
    assert extra.install_command() == 'uv tool install --with "textual-serve>=1.1.3,<1.2" fourtwenty'


def test_the_hint_where_there_is_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: name == "pip")
    monkeypatch.setattr(sys, "executable", "/with space/python")
    assert extra.install_command() == '"/with space/python" -m pip install "textual-serve>=1.1.3,<1.2"'


def test_the_hint_where_there_is_no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "executable", "/bin/python")
    assert extra.install_command() == 'uv pip install --python /bin/python "textual-serve>=1.1.3,<1.2"'


def test_a_port_that_is_taken() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refused([*SERVE, "--port", str(port)]).startswith(f"fourtwenty serve: port {port} cannot be had")


@pytest.mark.parametrize(("port", "why"), [("65536", "is no port"), ("http", "is no whole number")])
def test_what_is_no_port(port: str, why: str) -> None:
    assert why in refused([*SERVE, "--port", port])


def test_an_app_is_started_as_this_program_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "fourtwenty", "serve"])
    monkeypatch.setattr(sys, "argv", ["fourtwenty/__main__.py", "serve"])
    assert serve.this_program() == "exec '/a folder/python' -m fourtwenty"
    monkeypatch.setattr(sys, "platform", "win32")
    assert serve.this_program() == '"/a folder/python" -m fourtwenty', "for cmd.exe"


async def test_the_page_needs_nothing_from_elsewhere_and_serves_nobody_else() -> None:
    async with served() as address, ClientSession() as browser:
        assert address.startswith("http://127.0.0.1:")
        page = await (await browser.get(address)).text()
        assert "<title>420</title>" in page
        links = re.findall(r"""(?:href|src)="([^"]+)"|url\("([^"]+)"\)""", page)
        here = [one or other for one, other in links if not one.startswith("data:")]
        assert len(here) == 4
        for link in here:
            assert link.startswith("static/")
            assert (await browser.get(f"{address}/{link}")).status == 200
        for stranger in ({"Origin": "http://elsewhere.example"}, {"Host": "elsewhere.example"}):
            for path in ("/", "/ws"):
                assert (await browser.get(address + path, headers=stranger)).status == 403


async def test_two_tabs_are_two_apps_on_one_history(history: History) -> None:
    waiting = Match(Lineup((Seat("Ann"), Seat("Ben")), first=1), FairDice(bytes([36]) * 32), journal=history.journal())
    waiting.act(ROLL_ALL)
    waiting.act(ROLL_ALL)

    async with served() as address, ClientSession() as browser:
        one, two = [await browser.ws_connect(f"{address}/ws?width=100&height=30") for _ in range(2)]
        await asyncio.gather(*(painted(tab, "Resume", "palette") for tab in (one, two)))
        await one.send_json(["stdin", "r"])
        await two.send_json(["stdin", "\r"])
        await painted(one, "Ben, your turn")
        await one.send_json(["stdin", "2r"])
        await asyncio.gather(painted(one, "Ben: one die"), painted(two, "The dice are sealed"))
        assert history.match(1).events[-1].action == Roll((2,))
        assert history.count() == 2
        await two.send_json(["stdin", "\x11"])
        async for _ in two:
            pass
        assert two.closed, "the app has left, and its page knows"
        assert not one.closed


def test_an_app_ends_with_what_serves_it() -> None:
    environment = {**os.environ, "TEXTUAL_DRIVER": "fourtwenty.tab:Tab"}
    done = subprocess.run(SERVE[:-1], env=environment, input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("key", ["ctrl+p", ":"])
async def test_the_palette_has_a_second_key_should_a_browser_keep_the_first(key: str) -> None:
    async with playing() as pilot:
        await pilot.press(key)
        assert isinstance(pilot.app.screen, Palette)
