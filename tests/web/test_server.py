"""The server of the page for phones, as far as it can be seen without a browser."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer
from at_the_table import playing
from patience import until

from fourtwenty import extra
from fourtwenty.__main__ import NO_SERVER
from fourtwenty.paths import token_file
from fourtwenty.tui.dialogs.picker import Palette
from fourtwenty.web import server as serve

TOKEN = "A" * 22
PAGE, SOCKET, FILE = f"/{TOKEN}/", f"/{TOKEN}/ws?width=80&height=24", f"/{TOKEN}/page.js"
SILENT_APP = shlex.join(
    ["exec", sys.executable, "-S", "-c", "print('__GANGLION__', flush=True); __import__('sys').stdin.buffer.read(1)"]
)
"""Begins as a Textual app does, paints nothing, and ends when it is told anything."""


Browser = TestClient[Any, Any]


def test_the_command_serve_is_one_sentence() -> None:
    command = [sys.executable, "-m", "fourtwenty", "serve", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"fourtwenty serve: {NO_SERVER}\n"


@asynccontextmanager
async def silent_server() -> AsyncIterator[tuple[serve.GameServer, Browser]]:
    """Serve apps that do nothing, in this process; give the server and what asks it."""
    game = serve.GameServer(SILENT_APP, "http://127.0.0.1", TOKEN)
    async with TestClient(TestServer(game.application())) as browser:
        yield game, browser


def lines_of(log: pytest.LogCaptureFixture) -> list[str]:
    """The lines that the server has written on its terminal."""
    return [serve.OneLine().format(record) for record in log.records if record.levelno >= logging.WARNING]


def test_the_hint_names_the_versions_of_the_extra() -> None:
    parts = re.compile(r"[\w-]+|[<>]=?[\d.]+")
    extras = [line.partition(";")[0] for line in requires("fourtwenty") or () if line.startswith("textual-serve")]
    assert extras
    assert all({*parts.findall(line)} == {*parts.findall(extra.WEB[0])} for line in extras)


def test_the_hint_for_pipx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "fourtwenty"))
    (tmp_path / "fourtwenty").mkdir()
    (tmp_path / "fourtwenty" / "pipx_metadata.json").touch()
    assert extra.install_command(*extra.WEB) == 'pipx inject fourtwenty "textual-serve>=1.1.3,<1.2"'


def test_the_hint_for_uv_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "fourtwenty"))
    (tmp_path / "fourtwenty").mkdir()
    (tmp_path / "fourtwenty" / "uv-receipt.toml").touch()
    assert extra.install_command(*extra.WEB) == 'uv tool install --with "textual-serve>=1.1.3,<1.2" fourtwenty'


def test_the_hint_where_there_is_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda name: name == "pip")
    monkeypatch.setattr(sys, "executable", "/with space/python")
    assert extra.install_command(*extra.WEB) == '"/with space/python" -m pip install "textual-serve>=1.1.3,<1.2"'


def test_the_hint_where_there_is_no_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extra, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "executable", "/bin/python")
    assert extra.install_command(*extra.WEB) == 'uv pip install --python /bin/python "textual-serve>=1.1.3,<1.2"'


def test_an_app_is_started_as_this_program_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/a folder/python")
    monkeypatch.setattr(sys, "orig_argv", ["python", "-m", "fourtwenty", "serve"])
    monkeypatch.setattr(sys, "argv", ["fourtwenty/__main__.py", "serve"])
    assert serve.own_command() == "exec '/a folder/python' -m fourtwenty"
    assert serve.own_command("join", "a b") == "exec '/a folder/python' -m fourtwenty join 'a b'"
    monkeypatch.setattr(sys, "platform", "win32")
    assert serve.own_command() == '"/a folder/python" -m fourtwenty', "for cmd.exe"


async def test_the_page_needs_nothing_from_elsewhere() -> None:
    async with silent_server() as (_, browser):
        page = await (await browser.get(PAGE)).text()
        assert "<title>420</title>" in page
        links = re.findall(r"""(?:href|src)="([^"]+)"|url\("([^"]+)"\)""", page)
        here = [one or other for one, other in links if not one.startswith("data:")]
        assert {*here, ""} == {*serve.FILES}
        for link in here:
            response = await browser.get(PAGE + link)
            assert response.status == 200
            assert response.content_type == serve.FILES[link][1]
        assert (await browser.get(PAGE + "static/js/textual.js")).status == 404


@pytest.mark.parametrize(
    ("path", "status"),
    [("", 200), ("page.js", 200), ("absent", 404), ("ws", 400), ("../elsewhere/", 403), ("../" + TOKEN, 302)],
)
async def test_every_response_keeps_other_sites_out(path: str, status: int) -> None:
    async with silent_server() as (_, browser):
        response = await browser.get(PAGE + path, allow_redirects=False)
        assert response.status == status
        assert (
            response.headers.items()
            >= {
                "Cache-Control": "no-store",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
            }.items()
        )
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy


async def test_the_page_runs_its_own_scripts_and_talks_to_its_own_app_only() -> None:
    async with silent_server() as (_, browser):
        response = await browser.get(PAGE)
        policy = response.headers["Content-Security-Policy"].split("; ")
        assert {"script-src 'self'", "font-src 'self'", f"connect-src ws://{response.url.authority}"} <= {*policy}
        assert "<script>" not in await response.text()


@pytest.mark.parametrize("path", [PAGE, SOCKET, FILE])
@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "elsewhere.example"},
        {"Host": "127.0.0.1.elsewhere.example"},
        {"Host": "elsewhere@127.0.0.1"},
        {"Host": "127.0.0.1:99999999"},
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "iframe"},
        *({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": each} for each in ("frame", "fencedframe", "embed")),
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "object"},
    ],
    ids=repr,
)
async def test_other_sites_are_refused(path: str, headers: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    async with silent_server() as (game, browser):
        response = await browser.get(path, headers=headers)
        assert (response.status, await response.text()) == (403, serve.OURS_ONLY)
        assert game.tabs == 0
        assert len(lines_of(caplog)) == 1


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "none", "Sec-Fetch-Dest": "document"}, {"Host": "localhost:1"}])
async def test_a_person_who_opens_the_address_is_let_in(headers: dict[str, str]) -> None:
    async with silent_server() as (_, browser):
        assert (await browser.get(PAGE, headers=headers)).status == 200


@pytest.mark.parametrize(
    "path", ["/", "/ws?width=80&height=24", "/page.js", f"/{'B' * 22}/", f"/{TOKEN}A/", "/é/", "//"]
)
async def test_without_the_token_the_answer_says_where_the_address_is(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with silent_server() as (game, browser):
        response = await browser.get(path)
        assert (response.status, await response.text()) == (403, serve.NO_TOKEN)
        assert TOKEN not in str(response.headers)
        assert game.tabs == 0
        assert len(lines_of(caplog)) == 1


async def test_the_last_slash_may_be_missing() -> None:
    async with silent_server() as (_, browser):
        assert (await browser.get(PAGE.rstrip("/"))).url.path == PAGE


def test_the_token_stays_so_that_an_open_tab_can_play_on() -> None:
    token = serve.load_token(token_file())
    assert serve.TOKEN.fullmatch(token)
    assert serve.load_token(token_file()) == token == token_file().read_text()


@pytest.mark.skipif(os.name == "nt", reason="Windows has other permissions")
def test_a_token_that_others_could_read_is_replaced() -> None:
    token = serve.load_token(token_file())
    assert token_file().stat().st_mode & 0o777 == 0o600
    token_file().chmod(0o640)
    assert serve.load_token(token_file()) != token
    assert token_file().stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.name == "nt", reason="needs pipes")
def test_a_pipe_in_place_of_the_token_is_replaced() -> None:
    token_file().parent.mkdir()
    os.mkfifo(token_file())  # nobody ever writes into it
    token = serve.load_token(token_file())
    assert token_file().read_text() == token


@pytest.mark.parametrize("odd", [b"", b"short", b"A" * 23, b"A/" * 11, b"\xff" * 22])
def test_what_is_no_token_is_replaced(odd: bytes) -> None:
    serve.load_token(token_file())
    token_file().write_bytes(odd)
    assert serve.TOKEN.fullmatch(serve.load_token(token_file()))


def test_a_token_that_cannot_be_kept_lasts_for_one_start(home: Path) -> None:
    home.write_text("a file where the folder would be")
    one, two = serve.load_token(token_file()), serve.load_token(token_file())
    assert serve.TOKEN.fullmatch(one)
    assert one != two


def test_a_new_token_makes_another_address() -> None:
    token = serve.load_token(token_file())
    serve.replace_token()
    assert serve.load_token(token_file()) not in (token, "")
    assert serve.load_token(token_file()) == token_file().read_text()


@pytest.mark.parametrize(
    "path", [PAGE, SOCKET, FILE, PAGE.rstrip("/"), f"/{TOKEN}A/", f"/{TOKEN[:-1]}/", f"/x/{TOKEN}"]
)
async def test_nothing_that_is_logged_has_the_token(path: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with silent_server() as (_, browser):
        await browser.get(path)
        await browser.get(path, headers={"Host": "elsewhere.example"})
        await browser.get(f"{PAGE}ws?width=80&height={TOKEN}")
    try:
        raise ValueError(f"no such address: {path}")
    except ValueError:
        logging.getLogger("aiohttp.server").exception("asked for %s", path)
    written = "\n".join([*(serve.OneLine().format(record) for record in caplog.records), *caplog.messages])
    assert '"GET /' in written, "the access log of aiohttp"
    assert all(
        re.search(rf"{said}.*{re.escape(serve.MASK)}", written)
        for said in ("refused GET", "ValueError: no such address")
    )
    assert TOKEN[:6] not in written


async def test_there_are_sixteen_tabs_and_a_closed_one_frees_its_place(caplog: pytest.LogCaptureFixture) -> None:
    async with silent_server() as (game, browser):
        tabs = [await browser.ws_connect(SOCKET) for _ in range(16)]
        with pytest.raises(WSServerHandshakeError) as refusal:
            await browser.ws_connect(SOCKET)
        assert refusal.value.status == 503
        assert lines_of(caplog) == ["fourtwenty serve: refused a tab: all 16 tables are taken"]
        page = await browser.get(PAGE)
        assert page.status == 503
        assert '<body class="-full">' in await page.text()
        await tabs[3].close()
        await until(lambda: game.tabs == 15)
        assert (await browser.get(PAGE)).status == 200
        await browser.ws_connect(SOCKET)
        assert game.tabs == 16


@pytest.mark.parametrize(
    "query",
    ["", "width=80", "width=abc&height=24", "width=80&height=", "width=0&height=24", "width=80&height=-1",
     "width=80&height=501", "width=1001&height=24", f"width={'9' * 5000}&height=24", "width=NaN&height=%00"],
)  # fmt: skip
async def test_a_tab_of_odd_size_is_refused_in_one_line(query: str, caplog: pytest.LogCaptureFixture) -> None:
    async with silent_server() as (game, browser):
        response = await browser.get(f"{PAGE}ws?{query}")
        assert response.status == 400
        assert game.tabs == 0
        assert len(lines_of(caplog)) == 1


@pytest.mark.parametrize(
    "message",
    ["", "no JSON", "{}", "[]", "null",
     '["stdin"]', '["stdin", 1]', r'["stdin", "\ud800"]', '["resize", {"width": 80}]',
     '["resize", {"width": "80", "height": 24}]', '["resize", {"width": 1e9, "height": 24}]',
     '["resize", {"width": 1000000000, "height": 24}]', '["resize", {"width": 0, "height": 24}]', '["ping", {}]',
     '["unheard of"]', '[["stdin"]]', "[" * 60000, f'["ping", {"9" * 5000}]'],
    ids=lambda message: message[:40],
)  # fmt: skip
async def test_a_message_that_no_page_sends_is_ignored_in_one_line(
    message: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with silent_server() as (_, browser), browser.ws_connect(SOCKET) as tab:
        await tab.send_str(message)
        await tab.send_json(["ping", "1"])
        assert await tab.receive_json() == ["pong", "1"]
        assert len(lines_of(caplog)) == 1


async def test_bytes_that_no_page_sends_are_ignored_in_one_line(caplog: pytest.LogCaptureFixture) -> None:
    async with silent_server() as (_, browser), browser.ws_connect(SOCKET) as tab:
        await tab.send_bytes(b'["ping", "0"]')
        await tab.send_json(["ping", "1"])
        assert await tab.receive_json() == ["pong", "1"]
        assert len(lines_of(caplog)) == 1


async def test_a_message_too_long_closes_its_tab_and_no_other() -> None:
    async with silent_server() as (_, browser), browser.ws_connect(SOCKET) as other, browser.ws_connect(SOCKET) as tab:
        await tab.send_json(["ping", "x" * 70000])
        assert (await tab.receive()).type is WSMsgType.CLOSE
        await other.send_json(["ping", "1"])
        assert await other.receive_json() == ["pong", "1"]


@pytest.mark.parametrize("request_line", [b"GET / HTTP/1.1\r\nHost: \0\r\n\r\n", b"GET \x1b[31m HTTP/9.9\r\n\r\n"])
async def test_what_is_no_request_is_answered_in_one_line(
    request_line: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with silent_server() as (_, browser):
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(request_line)
        assert b"400" in await reader.readline()
        writer.close()
        (line,) = lines_of(caplog)
        assert line.isprintable()


def test_a_line_on_the_terminal_is_one_line_without_control_characters() -> None:
    try:
        raise ValueError("\x1b]0;title\x07\nnext\u202e" + "x" * 500)
    except ValueError:
        record = logging.LogRecord("aiohttp.server", logging.ERROR, "", 0, "asked by %s", ("\x9b2J",), sys.exc_info())
    line = serve.OneLine().format(record)
    assert line.startswith("fourtwenty serve: asked by ?2J: ValueError: ?]0;title? next?xxx")
    assert line.isprintable()
    assert len(line) == 300


def test_an_app_ends_with_what_serves_it() -> None:
    environment = {**os.environ, "TEXTUAL_DRIVER": "fourtwenty.web.driver:BrowserDriver"}
    done = subprocess.run(
        [sys.executable, "-m", "fourtwenty"], env=environment, input=b"", capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("key", ["ctrl+p", ":"])
async def test_the_palette_has_a_second_key_should_a_browser_keep_the_first(key: str) -> None:
    async with playing() as pilot:
        await pilot.press(key)
        assert isinstance(pilot.app.screen, Palette)
