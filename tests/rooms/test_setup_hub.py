"""A hub as docs/inside/operator.md makes it: strangers without its key stay outside, its rooms have their own codes."""

from __future__ import annotations

import base64
import os
import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from documented_hub import hub_for
from loopback import LOOPBACK, opened_log
from memory_log import key_of
from test_broker import KEYS, OTHER, stand_outside

from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire import nats_log, room_session, setup_hub
from fourtwenty.rooms.wire.nats_log import NatsLog, broker_url
from fourtwenty.rooms.wire.room_log import RefusedError, UnreachableError
from fourtwenty.rooms.wire.room_session import page_link


async def test_a_hub_keeps_rooms_of_its_members_and_nothing_of_strangers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_machine(keys: RoomKeys, name: str) -> NatsLog:
        return NatsLog(address, keys, key_of(name))

    async with (
        hub_for((KEYS, OTHER), tmp_path / "hub", monkeypatch) as address,
        opened_log(as_machine(KEYS, "ann")) as ann,
        opened_log(as_machine(OTHER, "eve")) as eve,
    ):
        assert [await ann.append(b"entry"), await eve.append(b"other")] == [1, 1]
        port = int(address.rpartition(":")[2])
        await stand_outside(port, KEYS)
        own = RoomKeys.from_code(f"K7QF3-XMP9A@{LOOPBACK}")
        for wrong in (f"{LOOPBACK}:{port}", f"nats://0123-4567@{LOOPBACK}:{port}"):
            with pytest.raises(
                RefusedError, match=r"^127\.0\.0\.1 wants its key before the @ of its address\. Check the ad"
            ):
                async with opened_log(NatsLog(wrong, own, key_of("dan"))):
                    pass
        assert await ann.read(0) == [(1, b"entry")]
        assert await eve.read(0) == [(1, b"other")]
        async with opened_log(as_machine(KEYS, "ben")) as ben:
            assert await ben.append(b"another") == 2
            assert await ann.read(0) == await ben.read(0) == [(1, b"entry"), (2, b"another")]
        assert isinstance(ann, NatsLog)
        assert ann._servers[0] == f"nats://{LOOPBACK}:{port}", "the key of the hub never goes over the wire"


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
async def test_a_hub_with_a_certificate_is_reached_by_tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hub_for((KEYS,), tmp_path / "hub", monkeypatch, encrypted=True) as address:
        async with opened_log(NatsLog(address, KEYS, key_of("ann"))) as log:
            assert await log.append(b"entry") == 1
            assert await log.read(0) == [(1, b"entry")]
        monkeypatch.delenv("SSL_CERT_FILE")
        monkeypatch.setattr(nats_log, "CLOSE_SECONDS", 0.01)
        with pytest.raises(UnreachableError, match=r"^the certificate of 127\.0\.0\.1 is not valid$"):
            async with opened_log(NatsLog(address, KEYS, key_of("ann"))):
                pass


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not installed")
async def test_a_hub_that_lets_in_the_published_page_has_a_link_for_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, home = key_of("ann").public, "https://game.example.org/420/"
    async with hub_for(
        (KEYS,), tmp_path / "hub", monkeypatch, encrypted=True, origin="https://game.example.org"
    ) as address:
        link = await page_link(home, address, KEYS, host, "Zoë")
        page, _, secret = link.partition("#")
        assert page == "https://game.example.org/420/room/"
        assert re.fullmatch("[A-Za-z0-9_-]+", secret), "no sign of it is cut off in a chat"
        data = base64.urlsafe_b64decode(secret + "==")
        key = sha256(address.split("//")[1].split("@")[0].encode()).digest()
        assert data == KEYS.root + host + key + f"{LOOPBACK}:{room_session.WEBSOCKET_PORT} Zoë".encode()
        for page_at, hub in (
            ("https://other.example.org/", address),  # the hub does not let that page in
            (None, address),  # the page is nowhere
            (home, address.replace("tls:", "nats:")),  # no browser would
            (home, f"tls://{address.partition('@')[2]}"),
        ):
            assert await page_link(page_at, hub, KEYS, host, "Zoë") == ""
    assert await page_link(home, address, KEYS, host, "Zoë") == "", "no WebSocket answers there"


def test_the_files_of_a_hub_are_private_and_its_key_is_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "hub"
    assert setup_hub.prepare([str(folder), "tls://play.example.org"]) == 0
    address = (folder / "address").read_text()
    assert address in capsys.readouterr().out
    assert re.fullmatch(r"tls://[0-9A-Z]{26}@play\.example\.org:4222", address)
    assert broker_url(address) == address
    secret = address.split("//")[1].split("@")[0]
    assert secret not in (folder / "accounts.conf").read_text()
    assert [file.name for file in folder.iterdir() if file.stat().st_mode & 0o077] == []


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
@pytest.mark.parametrize("name", ["owner", "address"])
def test_a_pipe_in_place_of_a_file_of_a_hub_is_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert setup_hub.prepare([str(tmp_path), "tls://play.example.org"]) == 0
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)  # nobody ever writes into it
    assert setup_hub.prepare([str(tmp_path), "tls://play.example.org"]) == 2
    assert "it isn't a regular file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "usage: "),
        (["x"], "usage: "),
        (["x", "http://host"], "hub: 'http://host' isn't an address"),
        (["x", "h", "y"], "hub: "),
    ],
)
def test_what_a_hub_cannot_be_made_of_is_one_line(
    arguments: list[str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert setup_hub.prepare(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(reason)
    assert said.count("\n") == 1
