"""Opening and joining tables over a broker in memory, and the addresses that people type."""

from __future__ import annotations

import os
import re
import socket
from argparse import Namespace
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from urllib.parse import urlsplit

import pytest
from faulty_table import member, publish_raw
from loopback import own_address
from memory_log import MemoryBroker, MemoryLog
from msgspec.structs import replace
from run_sql import run_sql
from waiting import until
from web_socket import answer_to

from fourtwenty.file_storage import rooms_folder
from fourtwenty.play.lineup import Seat
from fourtwenty.play.match import SaveError
from fourtwenty.rooms.cli.room_command import table_opener
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, encrypt_entry
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.own_name import own_name
from fourtwenty.rooms.room_file import RoomFile, known_rooms
from fourtwenty.rooms.wire import room_session
from fourtwenty.rooms.wire.broker import Broker
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.nats_log import NatsLog
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError
from fourtwenty.rooms.wire.room_session import RoomSession, host, join, read_table_address, resumable, table_address

EVE = MachineKey(bytes(32))
ANN, BEN = SeatRequest((Seat("Ann"),)), SeatRequest((Seat("Ben"), Seat("Bold", "Bold")))


@pytest.fixture(autouse=True)
async def left_open(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Close the tables that a test has opened and not closed: one that fails does not."""
    async with AsyncExitStack() as stack:

        def noted(client: Client, address: str, ends: AsyncExitStack, second: bool) -> RoomSession:
            session = RoomSession(client, address, ends, second=second)
            stack.push_async_callback(lambda: session.stack.aclose())  # it has another stack by then
            return session

        monkeypatch.setattr(room_session, "RoomSession", noted)
        yield


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> MemoryBroker:
    """The broker at any address of these tests, but for those that do not answer."""
    memory = MemoryBroker()

    def log(address: str, keys: RoomKeys, _: MachineKey) -> MemoryLog:
        opened = MemoryLog(memory, keys.room)
        opened.reachable = not address.startswith(("192.", "127."))
        return opened

    monkeypatch.setattr(room_session, "NatsLog", log)
    return memory


@pytest.fixture
def laptop(monkeypatch: pytest.MonkeyPatch) -> str:
    """This machine is a laptop whose tables are at this address."""
    monkeypatch.setattr(room_session, "lan_address", own_address)
    return own_address()


def another_machine(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Be at a machine with a data folder of its own."""
    monkeypatch.setenv("FOURTWENTY_HOME", str(rooms_folder() / name))


@pytest.mark.parametrize(
    "text",
    [
        "play.example.org/K7QF-3XMP",
        "fourtwenty://play.example.org/K7QF-3XMP",
        " play.example.org/k7qf3xmp/ ",
        "fourtwenty join play.example.org/K7QF-3XMP --as Ben",
    ],
)
def test_a_table_is_named_by_address_and_code(text: str) -> None:
    assert read_table_address(text) == ("play.example.org", "K7QF-3XMP")


def test_a_code_of_a_hub_names_the_hub_once_it_has_moved() -> None:
    for text in ("tls://key@Play.example.org:443/k7qf3xmp9a", "192.168.1.23/K7QF3-XMP9A@play.example.org"):
        address, code = read_table_address(text)
        assert code == "K7QF3-XMP9A@play.example.org"
        assert read_table_address(table_address(address, code)) == (address, code)
    assert table_address("tls://play.example.org", code) == "tls://play.example.org/K7QF3-XMP9A"
    assert table_address("192.168.1.23", code) == "192.168.1.23/K7QF3-XMP9A@play.example.org"


@pytest.mark.parametrize(
    ("address", "code", "command"),
    [
        ("192.168.1.23", "K7QF-3XMP", "fourtwenty join 192.168.1.23"),
        ("tls://play.example.org:443", "K7QF3-XMP9A@play.example.org", "fourtwenty join tls://play.example.org:443"),
        ("192.168.1.23", "K7QF3-XMP9A@play.example.org", "fourtwenty join 192.168.1.23"),
        ("tls://key@play.example.org", "K7QF3-XMP9A@play.example.org", "fourtwenty join"),
    ],
)
def test_no_command_that_is_shown_has_the_code_or_the_key(address: str, code: str, command: str) -> None:
    opened = RoomSession(Mock(), table_address(address, code), AsyncExitStack())
    assert opened.command == command
    assert opened.invitation.endswith(f": {command}")
    assert read_table_address(opened.invitation) == (address, code)


@pytest.mark.parametrize("text", ["", "K7QF-3XMP", "/K7QF-3XMP", "play.example.org/K7QF", "a b/K7QF-3XMP!"])
def test_other_texts_name_no_table(text: str) -> None:
    with pytest.raises(ValueError, match="K7QF-3XMP"):
        read_table_address(text)


def test_the_address_may_have_a_scheme_and_a_port() -> None:
    assert read_table_address("fourtwenty://tls://play.example.org:443/K7QF-3XMP")[0] == "tls://play.example.org:443"


async def closed(*tables: RoomSession) -> None:
    for table in tables:
        await table.close()


async def test_a_machine_opens_a_table_and_another_sits_down(
    broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await host(ANN, "hub")
    assert ann.address == f"hub/{ann.code}"
    assert (ann.client.has_broker, ann.second, ann.page) == (False, False, "")
    another_machine(monkeypatch, "ben")
    ben = await join(ann.address, BEN)
    await until(lambda: len(ann.client.room.participants) == 2)
    assert ann.client.view.starter
    assert ann.client.view.starter.players == ANN.players
    assert ben.client.seat_request == BEN
    await closed(ben, ann)
    assert not broker.logs


@pytest.mark.usefixtures("broker")
async def test_a_second_window_watches_and_leaves_the_seat_alone() -> None:
    first = await host(ANN, "hub")
    second = await join(first.address, BEN)
    assert second.second
    assert second.client.seat_request.players == ()
    assert second.client.machine.public != first.client.machine.public
    throwaway = second.client.file.path
    await closed(second, first)
    assert not throwaway.parent.exists()
    assert [room.code for room in known_rooms()] == [f"{first.code}@hub"]


@pytest.mark.usefixtures("broker")
async def test_who_comes_back_has_the_seat_and_keeps_it() -> None:
    ann = await host(ANN, "hub")
    await until(lambda: bool(ann.client.room.participants))
    await closed(ann)
    assert resumable() == resumable(ann.code.lower()) == f"{ann.code}@hub"
    again = await host(SeatRequest(), "hub", resumable())
    assert again.client.seat_request.players == ANN.players
    assert again.client.room.head[0] == 1
    await closed(again)
    with pytest.raises(ValueError, match="has not been at 0000-0000"):
        resumable("0000-0000")


async def test_the_code_of_a_laptop_is_too_short_for_a_hub() -> None:
    with pytest.raises(ValueError, match=r"^K7QF-3XMP is a laptop's table, and its code is too short for a hub"):
        await host(ANN, "hub", "K7QF-3XMP")


@pytest.mark.usefixtures("broker")
@pytest.mark.parametrize("gets_up", [False, True])
async def test_a_table_that_is_opened_again_seats_those_who_sat_there(gets_up: bool) -> None:
    ann = await host(SeatRequest((Seat("Ann"), Seat("Cleo"))), "hub")
    await until(lambda: bool(ann.client.room.participants))
    if gets_up:
        ann.client.get_up()
        await until(lambda: not ann.client.room.participants)
    await closed(ann)
    given = {"players": None, "resume": "", "game": None, "patience": None, "link": False, "at": "hub"}
    again = await table_opener(Namespace(command="host", **given))()
    await until(lambda: bool(again.client.room.participants))
    (participant,) = again.client.room.participants.values()
    assert [seat.name for seat in participant.players] == ([own_name()] if gets_up else ["Ann", "Cleo"])
    await closed(again)


def test_a_damaged_file_of_one_room_hides_no_other(tmp_path: Path) -> None:
    for room in ("damaged", "sound"):
        with closing(RoomFile(room, "K7QF-3XMP", room, tmp_path)) as sound:
            sound.save_entries([(1, b"entry")])
    file = tmp_path / "damaged.sqlite"
    file.write_bytes(file.read_bytes().replace(b"CREATE TABLE entry", b"CREATE TABL\xff entry"))
    assert [room.address for room in known_rooms(tmp_path)] == ["sound"]
    with pytest.raises(SaveError, match=r"^the file of this table is damaged$"):
        RoomFile("damaged", "K7QF-3XMP", "damaged", tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_a_pipe_among_the_files_of_rooms_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sqlite")  # nobody ever writes into it
    with closing(RoomFile("sound", "K7QF-3XMP", "sound", tmp_path)) as sound:
        sound.save_entries([(1, b"entry")])
    assert [room.address for room in known_rooms(tmp_path)] == ["sound"]


@pytest.mark.usefixtures("broker")
async def test_the_code_of_a_link_is_long() -> None:
    ann = await host(ANN, "hub", link=True)
    assert len(ann.code.replace("-", "")) == 26
    assert read_table_address(f"fourtwenty://{ann.address}") == ("hub", ann.code)
    await closed(ann)


async def test_a_second_table_on_a_laptop_is_at_the_same_address(laptop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A port would make the address that friends type longer; the code says which of the tables it is."""
    tables = [await host(seat_request) for seat_request in (ANN, BEN)]
    for table in tables:
        assert table.address == f"{laptop}/{table.code}"
    another_machine(monkeypatch, "cleo")
    for table in tables:
        cleo = await join(table.address, SeatRequest(name="Cleo"))
        await until(lambda seen=cleo, there=table: seen.client.room.head == there.client.room.head)  # type: ignore[misc]
        await closed(cleo)
    await closed(*tables)


@pytest.mark.usefixtures("laptop")
async def test_what_does_not_count_is_thrown_away_while_people_play(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_session, "CLEANUP_ENTRIES", 92)
    monkeypatch.setattr(room_session, "CLEANUP_SECONDS", 0.05)
    ann = await host(ANN)
    another_machine(monkeypatch, "ben")
    ben = await join(ann.address, BEN)
    await until(lambda: len(ann.client.room.participants) == 2)
    keys, sits = ann.client.keys, await ann.client.log.read(0)
    assert isinstance(ann.client.log, NatsLog)
    async with member(ann.client.log._servers[0], keys, EVE) as (eve, subjects):
        junk = (b"junk %d" % number for number in range(30))
        nothing = (encrypt_entry(keys, EVE, {"n": number}) for number in range(60))
        for data in (*junk, *nothing, *(data for _, data in sits)):  # the entries of others, too
            await publish_raw(eve, subjects.own.encode(), b"", data)
        await eve.flush()
    ann.client.start()
    await until(lambda: ann.client.room.match and ann.client.room.match.state and not ann.client.copy.void)
    while len(kept := await ann.client.log.read(0)) > len(ann.client.room.counted):
        pass
    assert kept[:2] == sits
    another_machine(monkeypatch, "cleo")
    late = await join(ann.address, SeatRequest(name="Cleo"))
    assert late.client.room.heads == ann.client.room.heads == ben.client.room.heads
    assert [*late.client.file.entries()] == [*ann.client.file.entries()]
    await closed(late, ben, ann)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (
            "192.168.1.23/K7QF-3XMP",
            "the broker does not answer. Guest Wi-Fi often blocks this. "
            "Another network or a phone hotspot usually works",
        ),
        ("127.0.0.1/K7QF-3XMP", "the broker does not answer"),
    ],
)
async def test_a_laptop_that_does_not_answer(broker: MemoryBroker, table: str, reason: str) -> None:
    with pytest.raises(UnreachableError) as unreachable:
        await join(table, BEN)
    assert str(unreachable.value) == reason
    assert not broker.logs


async def test_a_newcomer_cannot_follow_a_table_whose_beginning_is_gone(
    broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await host(ANN, "hub")
    await until(lambda: bool(ann.client.room.participants))
    ann.client.sit(SeatRequest((Seat("Anna"),)))
    kept = broker.entries[ann.client.keys.room]
    await until(lambda: len(kept) == 2)
    kept.pop(next(iter(kept)))
    another_machine(monkeypatch, "ben")
    with pytest.raises(RefusedError, match=rf"^table {ann.code} at hub was opened by another version of the"):
        await join(ann.address, BEN)
    await closed(ann)


async def test_who_comes_in_a_match_with_the_name_of_a_player_watches(
    broker: MemoryBroker, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await host(replace(ANN, players=(*ANN.players, Seat("Ben"))), "hub")
    await until(lambda: bool(ann.client.room.participants))
    ann.client.start()
    await until(lambda: ann.client.room.playing)
    another_machine(monkeypatch, "ben")
    ben, told = await join(ann.address, BEN), list[str]()
    ben.client.notices.attach(told.append)
    assert told == ["Ben is already at the table. You watch for now."]
    assert (ben.client.spectates, ben.client.seat_request.players) == (True, ())
    await closed(ben, ann)
    assert not broker.logs


async def test_nobody_has_opened_this_table(broker: MemoryBroker) -> None:
    with pytest.raises(RefusedError, match="no table K7QF-3XMP at hub"):
        await join("hub/K7QF-3XMP", BEN)
    assert not broker.logs
    assert not room_session.last_code("hub"), "only a code that led to a table is offered again"
    assert not room_session.is_known("hub/K7QF-3XMP")


def authority_of(table: RoomSession) -> str:
    return urlsplit(table.page).netloc


async def page_of(table: RoomSession, path: str = "/") -> str:
    """Return a file of the page of a table, with its headers; empty when it is not given out."""
    authority = authority_of(table)
    answer = await answer_to(authority, f"GET {path} HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode())
    return answer.decode() if answer.startswith(b"HTTP/1.1 200 OK") else ""


@pytest.mark.usefixtures("laptop")
async def test_the_link_opens_the_page_and_the_page_the_room() -> None:
    table = await host(SeatRequest((Seat("Bot", "Bold"), Seat("B<b>ea"))))
    link = urlsplit(table.page)
    assert (link.scheme, link.path, len(link.fragment)) == ("http", "/", 22)
    keys = RoomKeys.from_root(table.code, urlsafe_b64decode(f"{link.fragment}=="))
    assert keys == table.client.keys
    page = await page_of(table)
    assert f'data-host="{table.client.machine.public.hex()}"' in page
    assert "B&lt;b&gt;ea's table" in page
    assert not re.search("HOSTKEY|HOSTNAME|VERSION", page)
    files = re.findall(r'(?:src|href)="([^:"]+)"', page)
    for name in files:  # it grows: modules import modules
        imported = re.findall(r'from "\./([^"]+)"', await page_of(table, f"/{name}") if name.endswith(".js") else "")
        files += sorted({*imported} - {*files})
    assert {"room.js", "wire.js", "dice.js", "felt.css", "table.js"} <= {*files}
    assert all([await page_of(table, f"/{name}") for name in files])
    assert await page_of(table, "/nacl-fast.min.js")
    await closed(table)
    assert await refuses(authority_of(table))


async def refuses(authority: str) -> bool:
    """Return whether nobody listens there any more."""
    try:
        await answer_to(authority, b"")
    except ConnectionError:
        return True
    return False


@pytest.mark.usefixtures("laptop")
async def test_a_table_that_is_opened_again_has_its_page_where_it_was() -> None:
    first = await host(SeatRequest((Seat("Bea"),)))
    told: list[str] = []
    await until(lambda: first.client.room.participants)
    await closed(first)
    again = await host(SeatRequest(), resume=first.code)  # nobody is named
    again.client.notices.attach(told.append)
    assert again.page == first.page
    assert "Bea's table" in await page_of(again)
    assert not told
    await closed(again)
    with socket.create_server((own_address(), int(authority_of(first).rpartition(":")[2]))):
        moved = await host(SeatRequest(), resume=first.code)
        moved.client.notices.attach(told.append)
        assert authority_of(moved) != authority_of(first)
        assert told == [room_session.PAGE_MOVED]
        await closed(moved)
    back = await host(SeatRequest(), resume=first.code)
    assert back.page == moved.page, "phones have their seats there now"
    await closed(back)


@pytest.mark.usefixtures("broker")
async def test_a_table_at_a_hub_has_no_page() -> None:
    table = await host(ANN, "hub")
    assert table.page == ""
    await closed(table)


@pytest.mark.usefixtures("laptop")
async def test_what_fails_half_way_is_closed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    brokers: list[Broker] = []

    class Noted(Broker):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            brokers.append(self)

    monkeypatch.setattr(room_session, "Broker", Noted)
    monkeypatch.setattr(room_session, "write_room_page", Mock(side_effect=OSError("the disk is full")))
    with pytest.raises(OSError, match="the disk is full"):
        await host(ANN)
    assert [broker.running for broker in brokers] == [False]
    (file,) = rooms_folder().glob("*.sqlite")
    RoomFile(file.stem, "K7QF-3XMP", "here").close()  # no window has it open


def test_a_secret_of_a_wrong_type_is_called_damage(tmp_path: Path) -> None:
    RoomFile("0" * 16, "K7QF-3XMP", "here", tmp_path).close()
    run_sql(tmp_path / f"{'0' * 16}.sqlite", "UPDATE room SET secret = 'abc'")
    with pytest.raises(SaveError, match=r"^the file of this table is damaged$"):
        RoomFile("0" * 16, "K7QF-3XMP", "here", tmp_path)
