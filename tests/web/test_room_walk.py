"""Two phones and a program at a table that a laptop hosts: whole matches by page, in a real browser."""

from __future__ import annotations

import asyncio
import shutil
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Self

import pytest
from browser import UPRIGHT, Browser, Tab, chromium, find_chromium, line_of
from browser_game import served
from documented_hub import hub_for
from loopback import LOOPBACK
from processes import child
from scripted_page import show_another_face
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.games import GAMES
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.local_machine import SeatRequest, record_text
from fourtwenty.rooms.room import throwers
from fourtwenty.rooms.wire import room_session
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.room_session import join
from fourtwenty.web.room_page import write_room_page

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.long(
        "fourtwenty/rooms/page/", "fourtwenty/rooms/wire/", "tests/tools/browser.py", "tests/tools/page_host.py"
    ),
    pytest.mark.skipif(find_chromium() is None, reason="there is no Chromium here"),
]

HOST = Path(__file__).parents[1] / "tools" / "page_host.py"
NAMES = "Dora", "<b>Zoë</b>"
"""A name that a page must show as it is is one of them."""
PLAYS_ON = """
window.playing?.disconnect();
const [go, stand] = ['#go', '#stand'].map((each) => document.querySelector(each));
const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
const play = () => {
  if (go.hidden || !/^(Roll|Tap|Faster)/.test(go.textContent)) return;
  const dice = document.querySelectorAll('#dice [aria-pressed]');
  for (let roll = 2 ** dice.length; go.ariaDisabled === 'true' && roll--; ) {
    dice.forEach((die, at) => (die.ariaPressed === 'true') !== Boolean(roll >> at & 1) && press(String(at + 1)));
  }
  press(!stand.hidden && stand.ariaDisabled !== 'true' && Math.random() < 0.7 ? 's' : 'Enter');
};
window.playing = new MutationObserver(() => setTimeout(play));
window.playing.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
setTimeout(play);
"""
"""JavaScript that plays on a page by its keys: it rolls as many dice as the rules let it, or stands, by chance."""

KEEPS_ONE = """
const {Kept} = await import("./wire.js");
const kept = await new Kept().open();
const wanted = String(Math.random());
await Promise.all(Array.from({length: 20}, () => kept.update("another room", (before) => before ?? {wanted, at: 0})));
return (await kept.update("another room", (before) => before)).wanted;
"""
"""JavaScript that would keep what nobody else has, and returns what is kept."""


IN_SIGHT = """
const edge = (each) => each.getBoundingClientRect();
const dice = [...document.querySelectorAll('#dice svg')].map(edge);
return [dice.length, Math.min(...dice.map(({left}) => left)), Math.max(...dice.map(({right}) => right)),
  Math.min(...dice.map(({top}) => top)), edge(document.querySelector('#go')).bottom,
  document.documentElement.scrollWidth];
"""
"""JavaScript that returns the number of dice, their edges, the lower edge of the button, and the width of the page."""


class Host:
    """The program of a host, which can be killed and opened again."""

    link = table = ""

    def __init__(self, game: str) -> None:
        self._game = game
        self._processes = AsyncExitStack()
        self._address = f"127.0.0.{10 + [*GAMES].index(game)}"  # where no other test takes the port meanwhile

    async def start(self, *options: str) -> None:
        command = (sys.executable, str(HOST), self._game, "4", self._address, *options)
        self.process = await self._processes.enter_async_context(child(*command, stdout=asyncio.subprocess.PIPE))
        assert self.process.stdout
        table = await asyncio.wait_for(
            line_of(self.process.stdout, r"^Table (\S+: fourtwenty join \S+)"), MAX_WAIT_SECONDS
        )
        code, *_, address = table.replace(":", "").split()
        self.table = f"{address}/{code}"
        self.link = await line_of(self.process.stdout, r"^Page: (\S+)")
        self._reading = asyncio.create_task(self.process.stdout.read())

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()

    async def __aenter__(self) -> Self:
        async with self._processes:
            await self.start()
            self._processes = self._processes.pop_all()
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._processes.aclose()


async def sees(tab: Tab, condition: str) -> None:
    """Wait until an expression is true on the page, which is looked at whenever the page changes."""
    waiting = (
        f"while (!({condition})) await new Promise((done) => new MutationObserver((_, each) => done(each.disconnect()))"
        ".observe(document, {subtree: true, childList: true, characterData: true, attributes: true}));"
    )
    try:
        await tab.js(waiting)
    except TimeoutError:
        text = await tab.js("return document.body.innerText")
        raise AssertionError(f"not {condition} on:\n{text}") from None


def text(words: str, where: str = "body") -> str:
    return f"document.querySelector('{where}').innerText.includes({words!r})"


async def sit_down(browser: Browser, link: str, name: str, profile: str) -> Tab:
    """Open the link, and sit down by keys alone."""
    tab = await browser.open(link, UPRIGHT, touched=True, profile=profile)
    await sees(tab, "!document.querySelector('form').hidden")
    await tab.press("tab")
    for letter in f"{name}\r":
        await tab.press(letter)
    await sees(tab, f"{text(name, '#seats')} || {text('Dice')}")
    await sees(tab, "!location.hash")
    assert (await tab.js("return location.href"), await tab.js("return history.length")) == (link.partition("#")[0], 2)
    assert not await tab.js("return document.querySelector('#seats b b')"), "a name is never part of the page"
    return tab


def match(client: Client, number: int) -> bool:
    """Whether so many matches are over, and everybody has stated the same record of the last one."""
    matches = client.room.matches
    if len(matches) < number or not matches[-1].over:
        return False
    ends = matches[-1].ends
    return len(ends) == 4 and len({*ends.values()}) == 1


async def played(client: Client, number: int) -> None:
    """Wait until so many matches are over, as long as the last one goes on: a busy machine takes minutes for one."""

    async def goes_on(cursor: tuple[int, ...]) -> None:
        await until(lambda: client.room.cursor != cursor or match(client, number))

    while not match(client, number):
        await goes_on(client.room.cursor)


async def plays(browser: Browser, game: str, home: Path, rematch: bool) -> None:
    """Play a match and begin a rematch, or play it, too.

    A phone is closed, another tab takes its seat, and the host is killed meanwhile.
    """
    async with Host(game) as host:
        ben = SeatRequest((Seat("Ben", "Steady"),), game, name="Ben")
        session = await join(host.table, ben)
        client = session.client
        client.sit(ben)
        try:
            profiles = [await browser.profile() for _ in NAMES]
            dora, zoe = [
                await sit_down(browser, host.link, name, profile) for name, profile in zip(NAMES, profiles, strict=True)
            ]
            await until(lambda: client.room.playing)
            await sees(dora, f"{text('dice by all four; two pages follow', '#dice-by')}")
            await zoe.close()
            page = host.link.partition("#")[0]
            zoe = await browser.open(page, UPRIGHT, touched=True, profile=profiles[1])
            await sees(zoe, text(NAMES[1], "#seats"))
            other = await browser.open(page, UPRIGHT, touched=True, profile=profiles[1])
            await sees(zoe, text("Another tab plays"))
            await zoe.press("enter")  # "Play here"
            await sees(other, text("Another tab plays"))
            await sees(zoe, text(NAMES[1], "#seats"))
            kept = await asyncio.gather(*(tab.js(KEEPS_ONE) for tab in (zoe, other)))
            assert len({*kept}) == 1, "two tabs do not open one key for two actions"
            await other.close()
            await host.kill()
            for tab in (dora, zoe):
                await sees(tab, text("No connection"))
            await host.start("--resume")
            assert host.link.partition("#")[0] == page, "the page is where it was"
            for tab in (dora, zoe):
                await sees(tab, f"!{text('No connection')}")
                await tab.js(PLAYS_ON)
            await played(client, 1)
            for tab in (dora, zoe):
                await sees(tab, text("Rematch", "#go"))
                await tab.picture(home / f"{game}-over.png")
            for tab in (dora, zoe):
                await tab.press("enter")
            client.sit(client.next_seat_request)
            await until(lambda: len(client.room.matches) == 2 and client.room.matches[1].events)
            if rematch:
                await played(client, 2)
            for room_match in client.room.matches:
                assert throwers(room_match.participants) == "dice by all four; two pages follow Steady's laptop"
                verify_record(read_record(record_text(room_match)))
            for tab in (dora, zoe):
                assert not await tab.js("return document.querySelector('#news').innerText.includes('not fair')")
            heard = await dora.heard()
            assert ("status", "", "polite") in heard
        finally:
            await session.close()


async def test_two_phones_play_a_match_and_begin_another(tmp_path: Path) -> None:
    async with chromium("--force-prefers-reduced-motion") as browser:
        await plays(browser, "420", tmp_path, rematch=False)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_two_phones_play_every_game(game: str, tmp_path: Path) -> None:
    async with chromium("--force-prefers-reduced-motion") as browser:
        await plays(browser, game, tmp_path, rematch=True)


def time_passes(client: Client, absent: bytes) -> None:
    """Let two minutes pass for the host, in which one machine was not heard, and the table did not go on."""
    client.votes._moved -= 120
    client.presence.others[absent].heard -= 120
    client._change()


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/pages.py", "fourtwenty/rooms/wire/votes.py")
async def test_phones_sleep_watch_give_up_and_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_session, "lan_address", lambda: "127.0.0.20")
    session = await room_session.host(SeatRequest((Seat("Ann", "Steady"),), "ten-rounds", patience=60, name="Ann"))
    client = session.client
    try:
        async with chromium("--force-prefers-reduced-motion") as browser:
            profiles = [await browser.profile() for _ in range(3)]
            dora, zoe = [
                await sit_down(browser, session.page, name, profile)
                for name, profile in zip(("Dora", "Zoë"), profiles, strict=False)
            ]
            eve = await browser.open(session.page, UPRIGHT, touched=True, profile=profiles[2])
            await sees(eve, "!document.querySelector('#watch').hidden")
            await eve.tap("#watch")
            await until(lambda: len(client.view.here) == 3)
            absent = next(each.author for each in client.view.here if each.name == "Zoë")
            client.start()
            await until(lambda: client.room.match and client.room.match.state)
            await zoe.close()  # in the roll-off, which plays itself: no choice of somebody else is waited for
            await sees(eve, text("You are watching.", "#news"))
            await eve.picture(tmp_path / "watches.png")
            await until(lambda: client.presence.away(absent))
            time_passes(client, absent)
            await sees(dora, f"{text('Carry on', '#without')} && {text('Zoë has been away', '#line')}")
            await dora.picture(tmp_path / "carry-on.png")
            await dora.tap("#without")
            match = client.room.match
            assert match
            await until(lambda: match.state and match.state.departed)
            await sees(dora, text("voted out", "#seats"))
            await dora.picture(tmp_path / "voted-out.png")
            page = session.page.partition("#")[0]
            zoe = await browser.open(page, UPRIGHT, touched=True, profile=profiles[1])
            await sees(zoe, text("The others carry on without you. You come last.", "#line"))
            await zoe.picture(tmp_path / "without-you.png")
            for _ in range(2):
                await dora.tap("#leave")
            await until(lambda: match.over)
            await sees(dora, "document.querySelector('#go').hidden")
            await dora.picture(tmp_path / "gave-up.png")
            await sees(eve, text("Ann", "#line"))
            await eve.picture(tmp_path / "over.png")
            seat_request = SeatRequest((Seat("Ben"),), "ten-rounds", name="Ben")  # who does nothing
            ben = await join(session.address, seat_request)
            ben.client.sit(seat_request)
            client.sit(client.next_seat_request)
            await sees(zoe, text("Sit down", "#go"))
            await zoe.press("enter")
            await until(lambda: len(client.view.here) == 3)
            await zoe.close()
            await until(lambda: client.presence.away(absent))
            client.start()
            await until(lambda: client.room.playing)
            zoe = await browser.open(page, UPRIGHT, touched=True, profile=profiles[1])
            await sees(zoe, text("Ann has started without you. You play in the next game.", "#news"))
            await zoe.picture(tmp_path / "left-out.png")
            assert not await eve.js("return document.querySelector('#news').innerText.includes('not fair')")
            await ben.close()
    finally:
        await session.close()


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/pages.py", "fourtwenty/rooms/room.py")
async def test_a_phone_that_is_shown_another_face_stops_the_game_and_it_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_session, "lan_address", lambda: "127.0.0.22")
    # ten rounds: nobody is out before the wrong face, and so without a say
    session = await room_session.host(SeatRequest((Seat("Ann", "Steady"),), "ten-rounds", name="Ann"))
    client = session.client
    try:
        async with chromium("--force-prefers-reduced-motion") as browser:
            dora, zoe = [
                await sit_down(browser, session.page, name, await browser.profile()) for name in ("Dora", "Zoë")
            ]
            await until(lambda: len(client.view.here) == 3)
            public = next(each.author for each in client.view.here if each.name == "Dora")
            client.start()
            await until(lambda: client.room.match)
            match = client.room.match
            assert match
            for tab in (dora, zoe):
                await tab.js(PLAYS_ON)
            await until(lambda: len(match.events) > 3)
            show_another_face(client.pages, public)
            await until(lambda: match.findings)
            await sees(dora, text("This phone opens no key any more.", "#news"))
            for tab, name in ((dora, "dora"), (zoe, "zoe")):
                await sees(tab, text("laptop finds the roll wrong.", "#line"))
                await sees(tab, text("End this game", "#without"))
                await tab.picture(tmp_path / f"doubt-{name}.png")
            await dora.tap("#without")  # the bot agrees with the first
            await until(lambda: match.abandoned)
            await sees(zoe, text("This game ends without a result. Dora", "#news"))
            await sees(zoe, text("Sit down", "#go"))
            await zoe.picture(tmp_path / "ended.png")
    finally:
        await session.close()


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/room_session.py", "fourtwenty/web/room_page.py")
@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
async def test_friends_anywhere_play_by_the_published_page_at_a_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_room_page(tmp_path / "site" / "room")
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(served(tmp_path / "site"))
        monkeypatch.setattr(room_session, "homepage", lambda: home)
        code = f"K7QF3-XMP9A@{LOOPBACK}"
        monkeypatch.setattr(room_session, "fresh_code", lambda *_: code)
        rooms = [RoomKeys.from_code(code)]
        hub = await stack.enter_async_context(
            hub_for(rooms, tmp_path / "hub", monkeypatch, encrypted=True, origin=home.rstrip("/"))
        )
        session = await room_session.host(SeatRequest((Seat("Ann", "Steady"),), "420", name="Ann"), at=hub)
        client = session.client
        assert session.page.startswith(f"{home}room/#")
        browser = await stack.enter_async_context(
            chromium("--force-prefers-reduced-motion", "--ignore-certificate-errors")
        )
        profiles = [await browser.profile() for _ in range(2)]
        dora, zoe = [
            await sit_down(browser, session.page, name, profile)
            for name, profile in zip(("Dora", "Zoë"), profiles, strict=True)
        ]
        await until(lambda: len(client.view.here) == 3)
        client.start()
        await sees(dora, text("dice by all three; two pages follow Ann", "#dice-by"))
        await zoe.close()
        zoe = await browser.open(f"{home}room/", UPRIGHT, touched=True, profile=profiles[1])
        for tab in (dora, zoe):
            await sees(tab, text("Zoë", "#seats"))
            await tab.js(PLAYS_ON)
        await until(lambda: client.room.match and client.room.match.over)
        match = client.room.match
        assert match
        verify_record(read_record(record_text(match)))
        await sees(dora, text("Rematch", "#go"))
        await dora.picture(tmp_path / "hub-over.png")
        await session.close()
        again = await join(f"{hub}/{code}", SeatRequest(name="Ann"))  # as from the list of games
        stack.push_async_callback(again.close)
        assert again.page == session.page
        await dora.press("enter")
        await until(lambda: any(each.name == "Dora" for each in again.client.room.participants.values()))
        lost = await browser.open(f"{home}room/", UPRIGHT, touched=True, profile=await browser.profile())
        await sees(lost, text("This page needs the link of a table"))


SIZES = [(280, 568), (320, 256), (320, 568), (360, 640), (844, 390)]
"""Small phones, one on its side, and 1280 by 1024 pixels at 400 %."""


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/web/page/felt.css", "fourtwenty/web/page/table.js")
async def test_nine_at_a_table_have_the_dice_and_the_button_in_sight_and_marks_beside_colours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_session, "lan_address", lambda: "127.0.0.23")
    bots = tuple(Seat(name, name) for name in BOTS)
    bots += tuple(Seat(f"{seat.name} 2", seat.bot) for seat in bots)
    session = await room_session.host(SeatRequest(bots[:8], "420", name="Ann"))
    client = session.client
    try:
        async with chromium("--force-prefers-reduced-motion") as browser:
            dora = await sit_down(browser, session.page, "Dora", await browser.profile())
            await until(lambda: len(client.view.here) == 2)
            client.start()
            await sees(dora, text("Roll", "#go"))
            looks = await dora.js(
                "return [...document.querySelectorAll('#seats b')]"
                ".map((each) => each.dataset.mark + getComputedStyle(each, '::before').color)"
            )
            assert len({*looks}) == len(looks) == len(bots[:8]) + 1, "no two look alike"
            for size in SIZES:
                await dora.resize(size, touched=True)
                dice, left, right, top, bottom, width = await dora.js(IN_SIGHT)
                await dora.picture(tmp_path / f"nine-{size[0]}-{size[1]}.png")
                assert (dice, left >= 0, right <= width == size[0]) == (4, True, True), size
                assert 0 <= top < bottom <= size[1], size
    finally:
        await session.close()


async def reload(tab: Tab) -> None:
    await tab.do("Page.reload")
    await asyncio.wait_for(tab.loaded.get(), MAX_WAIT_SECONDS)


async def types(tab: Tab, name: str) -> None:
    """Type a name in place of what stands in the form, and send it."""
    await sees(tab, "!document.querySelector('form').hidden")
    await tab.js("document.querySelector('#name').select()")
    for letter in f"{name}\r":
        await tab.press(letter)


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/pages.py", "fourtwenty/rooms/names.py")
async def test_a_phone_asks_again_for_a_name_until_it_is_seated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_session, "lan_address", lambda: "127.0.0.21")
    session = await room_session.host(SeatRequest((Seat("Ann", "Steady"),), "ten-rounds", name="Ann"))
    try:
        async with chromium("--force-prefers-reduced-motion") as browser:
            link = session.page.replace("/#", "/?fbclid=1#")
            tab = await browser.open(link, UPRIGHT, touched=True, profile=await browser.profile())
            await sees(tab, f"!document.querySelector('form').hidden && {text('Sit down', 'form')}")
            for name, reason in ("ANN", "ANN is already at the table."), ("You", 'Everybody here is "you"'):
                await types(tab, name)
                await sees(tab, text(reason, "#line"))
                await sees(tab, f"document.querySelector('#name').value === {name!r}")
                await sees(tab, "document.querySelector('#go').hidden && document.querySelector('#leave').hidden")
            await tab.picture(tmp_path / "refused.png")
            assert await tab.js("return location.href") == link, "who has no seat needs the link"
            await reload(tab)
            await types(tab, "Ben")
            await sees(tab, f"{text('Ben', '#seats')} && document.querySelector('form').hidden")
            assert not await tab.js(f"return {text('already')}")
            assert await tab.js("return location.href") == link.partition("?")[0]
            assert [each.name for each in session.client.view.here] == ["Ann", "Ben"]
            await tab.tap("#watch")
            await sees(tab, "document.querySelector('#name').value === 'Ben'")
            await types(tab, "Benjamin")
            await sees(tab, f"{text('Benjamin', '#seats')} && document.querySelector('form').hidden")
            assert [each.name for each in session.client.view.here] == ["Ann", "Benjamin"]
            await reload(tab)
            await sees(tab, text("Benjamin", "#seats"))
            assert not tab.errors
    finally:
        await session.close()


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/pages.py", "fourtwenty/rooms/names.py")
async def test_who_opens_the_link_during_a_match_leaves_a_name_for_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_session, "lan_address", lambda: "127.0.0.22")
    seat_request = SeatRequest((Seat("Ann", "Steady"), Seat("Ben")), name="Ann")  # Ben does nothing
    session = await room_session.host(seat_request)
    client = session.client
    try:
        async with chromium("--force-prefers-reduced-motion") as browser:
            client.start()
            await until(lambda: client.room.playing and client.room.match and client.room.match.state)
            tab = await browser.open(session.page, UPRIGHT, touched=True, profile=await browser.profile())
            await sees(tab, text("Join the next game", "form"))
            await types(tab, "ben")
            await sees(tab, text("ben is already at the table.", "#line"))
            await types(tab, "Dora")
            await sees(tab, text("You play in the next game.", "#news"))
            await sees(tab, "document.querySelector('form').hidden && document.querySelector('#go').hidden")
            await until(lambda: client.view.spectators == ("Dora",))
            await tab.picture(tmp_path / "waits.png")
            client.leave()
            await until(lambda: [each.name for each in client.view.here] == ["Dora"])
            await sees(tab, f"{text('Dora', '#seats')} && document.querySelector('form').hidden && !location.hash")
            client.sit(client.next_seat_request)
            await until(lambda: len(client.view.here) == 2)
            await tab.picture(tmp_path / "seated.png")
            assert not tab.errors
    finally:
        await session.close()
