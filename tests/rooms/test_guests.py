"""A room on the phones of guests, as far as it can be seen without a browser: the address, and an app a tab id."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shlex
import socket
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse, WSMsgType
from in_lines import Program
from patience import PATIENCE, until

from fourtwenty.rooms.web import guests
from fourtwenty.rooms.web.guests import GuestServer, guest_page
from fourtwenty.rooms.wire.presence import AWAY_SECONDS
from fourtwenty.web.driver import PAGE_CLOSED
from fourtwenty.web.server import HEARTBEAT_SECONDS, MOST_TABS

LAN = "127.0.0.2"
"""Stands for the address of the host on its network: one that no other test listens on."""
TOKEN = "A" * 22
ANN, BEN = "a" * 22, "b" * 22
BEGIN = """
import os, signal, sys
def paint(text):
    os.write(1, b"D" + len(text).to_bytes(4, "big") + text)
os.write(1, b"__GANGLION__\\n")
os.write(2, b"a complaint")
paint(f"{os.getpid()} {os.environ['FOURTWENTY_HOME']}".encode())
"""
"""Begins as a Textual app does, complains, and paints its process id and its data folder."""
APP = (
    BEGIN
    + """
while (told := os.read(0, 1000)) and b"q" not in told:
    paint(told[5:])
"""
)
"""Paints whatever it is told, until that has a q in it."""
LINES_APP = """
import os, sys
print("Zoë <b>", os.environ["ACCESSIBLE"], os.getpid(), os.environ["FOURTWENTY_HOME"], flush=True)
print("a complaint", file=sys.stderr, flush=True)
for line in sys.stdin:
    if line == "q\\n":
        break
    print(line.strip().upper(), flush=True)
"""
"""Writes lines as plain mode does, and every line that is typed in capitals, until that is a q."""
LISTENING_APP = (
    BEGIN
    + """
while told := os.read(0, 1000):
    with open(os.path.join(os.environ["FOURTWENTY_HOME"], "heard"), "ab") as heard:
        heard.write(told)
    if b"quit" in told:
        break
"""
)
"""Writes whatever it is told into its data folder, until it is told to exit."""
DEAF_APP = BEGIN + "signal.pause()"


def command_of(app: str) -> str:
    """Return the shell command of a program."""
    return shlex.join(["exec", sys.executable, "-S", "-c", app])


@asynccontextmanager
async def hosting(app: str = APP) -> AsyncIterator[tuple[GuestServer, ClientSession]]:
    """Serve a room on a free port; give the server, and what asks it."""
    server = GuestServer(command_of(app), socket.create_server((LAN, 0)), TOKEN)
    await server.start()
    try:
        async with ClientSession() as browser:
            yield server, browser
    finally:
        async with asyncio.timeout(PATIENCE):
            await server.stop()


def tab_of(server: GuestServer, tab: str) -> str:
    """Return the address of the websocket of a tab."""
    return f"{server.address}ws?width=60&height=40&tab={tab}"


async def line_of(page: ClientWebSocketResponse) -> str:
    """Return the next line of a page as text."""
    kind, line = await page.receive_json(timeout=PATIENCE)
    assert kind == "line"
    return str(line)


async def sit(server: GuestServer, browser: ClientSession, tab: str) -> tuple[ClientWebSocketResponse, int, Path]:
    """Open a tab; return its websocket, and the process id and data folder of its app."""
    websocket = await browser.ws_connect(tab_of(server, tab))
    process, home = (await websocket.receive_bytes(timeout=PATIENCE)).decode().split(" ", 1)
    return websocket, int(process), Path(home)


def runs(process: int) -> bool:
    """Whether a process that this one has started has not ended."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


async def closed(websocket: ClientWebSocketResponse) -> int | None:
    """Return the code with which a websocket is closed."""
    while not websocket.closed:
        await websocket.receive(timeout=PATIENCE)
    return websocket.close_code


async def test_it_answers_on_the_address_that_is_printed_and_nowhere_else() -> None:
    async with hosting() as (server, browser):
        assert server.address == f"http://{LAN}:{server.port}/{TOKEN}/"
        page = await browser.get(server.address)
        assert page.status == 200
        assert f"connect-src ws://{LAN}:{server.port};" in page.headers["Content-Security-Policy"]
        assert page.headers["X-Frame-Options"] == "DENY"
        assert '<body class="-guest">' in await page.text()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", server.port)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(LAN, server.port)


async def test_a_port_that_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server((LAN, 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("fourtwenty.rooms.web.guests.PORT", port)
        async with guest_page(LAN, f"{LAN}/K7QF-3XMP", "Ann", "ab" * 32) as address:
            assert address.startswith(f"http://{LAN}:")
            assert not address.startswith(f"http://{LAN}:{port}/")


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (f"/{TOKEN}/", {"Host": "localhost"}, 403),
        (f"/{TOKEN}/", {"Host": LAN}, 403),
        (f"/{TOKEN}/", {"Host": "elsewhere.example"}, 403),
        (f"/{TOKEN}/", {"Sec-Fetch-Site": "cross-site"}, 403),
        ("/", {}, 403),
        (f"/{'B' * 22}/", {}, 403),
        (f"/{'B' * 22}/ws?width=60&height=40&tab={ANN}", {}, 403),
        (f"/{TOKEN}/ws?width=60&height=40&tab={ANN}", {"Origin": "http://elsewhere.example"}, 403),
        (f"/{TOKEN}/ws?width=60&height=0&tab={ANN}", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40&tab={ANN}a", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40&tab={ANN[1:]}", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40&tab=../{ANN[3:]}", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40&tab={ANN[1:]}%0a", {}, 400),
        (f"/{TOKEN}/ws?width=60&height=40&tab={ANN[1:]}é", {}, 400),
    ],
)
async def test_what_is_no_guest_is_refused_and_not_told_on_the_terminal(
    path: str,
    headers: dict[str, str],
    status: int,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    home: Path,
) -> None:
    caplog.set_level(logging.DEBUG)
    async with hosting() as (server, browser):
        response = await browser.get(f"http://{LAN}:{server.port}{path}", headers=headers)
        assert response.status == status
        assert TOKEN not in str(response.headers)
    assert capfd.readouterr() == ("", "")
    assert caplog.messages
    assert TOKEN[:6] not in caplog.text, "whoever else reads the logs of this process"
    assert not home.exists()


async def test_a_tab_id_has_a_folder_of_its_own_that_stays(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with hosting() as (server, browser):
        (_, _, ann), (_, _, ben) = await sit(server, browser, ANN), await sit(server, browser, BEN)
        assert ann != ben
    async with hosting() as (server, browser):
        assert (await sit(server, browser, ANN))[2] == ann
    assert ann == home / "guests" / sha256(ANN.encode()).hexdigest()[:16]
    for folder in (home, home / "guests", ann, ben):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert capfd.readouterr() == ("", ""), "a complaint of an app is not on the terminal of the host"


async def test_the_newer_page_of_a_tab_id_takes_over_and_the_older_one_knows() -> None:
    async with hosting() as (server, browser):
        older, first, _ = await sit(server, browser, ANN)
        code, (newer, second, _) = await asyncio.gather(closed(older), sit(server, browser, ANN))
        assert code == guests.MOVED
        assert not runs(first)
        assert runs(second)
        await newer.send_json(["stdin", "still here"])
        assert b"still here" in await newer.receive_bytes(timeout=PATIENCE)


async def test_of_many_pages_that_come_at_once_one_stays() -> None:
    async with hosting() as (server, browser):
        older = []
        for _ in range(4):
            older.append(asyncio.create_task(closed(await browser.ws_connect(tab_of(server, ANN)))))
        newest, _, _ = await sit(server, browser, ANN)
        assert await asyncio.gather(*older) == [guests.MOVED] * 4
        assert not newest.closed


async def test_an_app_goes_on_while_its_phone_sleeps_until_the_phone_is_back() -> None:
    async with hosting() as (server, browser):
        page, first, _ = await sit(server, browser, ANN)
        await page.close()
        _, second, _ = await sit(server, browser, BEN)
        assert runs(first)
        await sit(server, browser, ANN)
        assert not runs(first)
        assert runs(second)


async def test_an_app_is_told_that_its_page_is_closed(home: Path) -> None:
    """Then its machine says that its person is away."""
    async with hosting(LISTENING_APP) as (server, browser):
        page, _, folder = await sit(server, browser, ANN)
        await page.close()
        heard = folder / "heard"
        await until(lambda: heard.exists() and PAGE_CLOSED.encode() in heard.read_bytes())
    assert folder.parent.parent == home
    assert 1.5 * HEARTBEAT_SECONDS < AWAY_SECONDS, "a phone that has gone without a word is missed as soon as a laptop"


async def test_a_table_that_is_opened_again_has_the_same_page(home: Path) -> None:
    tables = "192.168.1.23/K7QF-3XMP", "192.168.1.99/K7QF-3XMP", "192.168.1.23/AAAA-AAAA"
    tokens = []
    for table in tables:
        async with guest_page(LAN, table, "Ann", "ab" * 32) as address:
            tokens.append(address.split("/")[3])
    assert tokens[0] == tokens[1], "phones come back by themselves, also when the laptop has a new address"
    assert tokens[0] != tokens[2], "nobody comes to another table by an old page"
    for token in (home / "guests").iterdir():
        assert stat.S_IMODE(token.stat().st_mode) == 0o600


async def test_an_app_ends_when_its_phone_is_away_for_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "WITHOUT_PAGE_SECONDS", 0)
    async with hosting() as (server, browser):
        page, process, _ = await sit(server, browser, ANN)
        await page.close()
        await until(lambda: not runs(process))


async def test_a_page_knows_that_its_app_has_ended() -> None:
    async with hosting() as (server, browser):
        page, process, _ = await sit(server, browser, ANN)
        await page.send_json(["stdin", "q"])
        assert await closed(page) == 1000
        await until(lambda: not runs(process))


async def test_there_is_no_seventeenth_tab_unless_one_is_without_a_page() -> None:
    async with hosting() as (server, browser):
        tabs = [f"{number:022}" for number in range(MOST_TABS)]
        pages = [await sit(server, browser, tab) for tab in tabs]
        assert await closed(await browser.ws_connect(tab_of(server, ANN))) == 1013
        _, again = await asyncio.gather(closed(pages[3][0]), sit(server, browser, tabs[3]))
        assert runs(again[1]), "who has a place comes back to it"
        page, process, _ = pages[5]
        await page.close()
        ann = await sit(server, browser, ANN)
        assert not runs(process)
        assert runs(ann[1])
        assert await closed(await browser.ws_connect(tab_of(server, BEN))) == 1013


async def test_the_end_of_the_server_is_the_end_of_its_apps() -> None:
    async with hosting() as (server, browser):
        one, first, _ = await sit(server, browser, ANN)
        two, second, _ = await sit(server, browser, BEN)
        await two.close()
        code, _ = await asyncio.gather(closed(one), server.stop())
        assert code == 1001
        assert not runs(first)
        assert not runs(second)


async def test_an_app_that_hangs_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.web.server.EXIT_SECONDS", 0.01)
    async with hosting(DEAF_APP) as (server, browser):
        page, process, _ = await sit(server, browser, ANN)
        await asyncio.gather(closed(page), server.stop())
        assert not runs(process)


async def test_a_page_that_is_no_page_hurts_nobody() -> None:
    async with hosting() as (server, browser):
        page, _, _ = await sit(server, browser, ANN)
        other, _, _ = await sit(server, browser, BEN)
        await other.send_str("x" * 70000)
        assert (await other.receive(timeout=PATIENCE)).type is WSMsgType.CLOSE
        await page.send_json(["ping", "1"])
        assert await page.receive_json(timeout=PATIENCE) == ["pong", "1"]


# -- as text ----------------------------------------------------------------------------------------------------------


async def test_the_page_as_text_is_behind_the_same_token_and_policy() -> None:
    async with hosting() as (server, browser):
        page, text, script = [await browser.get(f"{server.address}{name}") for name in ("", "text", "text.js")]
        assert '<a class="as-text" href="text">as text</a>' in await page.text()
        assert [answer.status for answer in (page, text, script)] == [200] * 3
        assert text.headers["Content-Security-Policy"] == page.headers["Content-Security-Policy"]
        assert text.headers["Referrer-Policy"] == "no-referrer"
        for name in re.findall(r'src="(.*?)"', await text.text()):
            assert (await browser.get(f"{server.address}{name}")).status == 200
        wrong = await browser.get(f"{server.address.replace(TOKEN, 'B' * 22)}text")
        assert wrong.status == 403


async def test_lines_are_sent_one_by_one_and_typed_as_they_come() -> None:
    async with hosting(LINES_APP) as (server, browser):
        page = await browser.ws_connect(f"{server.address}ws?text&tab={ANN}")
        begun, complaint = [await line_of(page) for _ in range(2)]
        assert begun.startswith("Zoë <b> 1 ")
        assert complaint == "a complaint", "whoever has no screen is told why nothing goes on"
        await page.send_json(["resize", {"width": 80, "height": 24}])
        await page.send_json(["stdin", "röll <i>\nall\n"])
        assert [await line_of(page) for _ in range(2)] == ["RÖLL <I>", "ALL"]
        await page.send_json(["ping", "1"])
        assert await page.receive_json(timeout=PATIENCE) == ["pong", "1"]
        await page.send_json(["stdin", "q\n"])
        assert await closed(page) == 1000
        await until(lambda: not server.guests)


async def test_a_page_as_text_takes_over_the_seat_and_ends_with_the_server() -> None:
    async with hosting(LINES_APP) as (server, browser):
        older = await browser.ws_connect(f"{server.address}ws?text&tab={ANN}")
        first = (await line_of(older)).split()
        code, newer = await asyncio.gather(closed(older), browser.ws_connect(f"{server.address}ws?text&tab={ANN}"))
        second = (await line_of(newer)).split()
        assert code == guests.MOVED
        assert first[4] == second[4], "the same folder"
        assert not runs(int(first[3]))
        assert runs(int(second[3]))
        await asyncio.gather(closed(newer), server.stop())
        assert not runs(int(second[3]))


@pytest.mark.skipif(sys.platform == "win32", reason="needs select on pipes")
@pytest.mark.terminal
async def test_a_guest_plays_in_lines_at_a_real_table(tmp_path: Path) -> None:
    # Nothing seeds these programs: in ten rounds no roll ends the game before the guest leaves it.
    game = ("--players", "bot:Steady", "--game", "ten-rounds")
    with Program(tmp_path / "ann", "host", "--web", *game) as ann:
        ann.type("start 2")
        address = (await asyncio.to_thread(ann.read_until, r"Phones: (\S+)\n"))[1]
        async with ClientSession() as browser:
            page = await browser.ws_connect(f"{address}ws?text&tab={ANN}")

            async def read_until(words: str) -> None:
                while words not in await line_of(page):
                    pass

            await read_until("To play, type sit and your name, as in: sit Ann.")
            await page.send_json(["stdin", "sit <b>Zoë</b>\n"])
            await read_until("<b>Zoë</b>, your turn")
            await page.send_json(["stdin", "all\n"])
            await read_until("<b>Zoë</b> rolled ")
            await page.close()
            await asyncio.to_thread(ann.read_until, r"Zoë</b> is away\.\n")
            page = await browser.ws_connect(f"{address}ws?text&tab={ANN}")
            await read_until("<b>Zoë</b>, your turn")
            await page.send_json(["stdin", "quit\n"])
            await read_until("Your seat is kept. You leave the table.")
            assert await closed(page) == 1000


async def test_the_code_of_the_table_is_in_no_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every account of the laptop can read the commands that run there."""
    opened: list[GuestServer] = []

    class Noted(GuestServer):
        async def start(self) -> None:
            opened.append(self)
            await super().start()

    monkeypatch.setattr("fourtwenty.rooms.web.guests.GuestServer", Noted)
    monkeypatch.setattr("fourtwenty.rooms.web.guests.PORT", 0)
    async with guest_page(LAN, "192.168.1.23/K7QF-3XMP", "Ann", "ab" * 32):
        assert "K7QF" not in opened[0].command
        assert opened[0].environment == {"FOURTWENTY_TABLE": "192.168.1.23/K7QF-3XMP"}
