"""A hub as docs/inside/operator.md sets it up, run for a test."""

from __future__ import annotations

import re
import subprocess
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from loopback import LOOPBACK, free_port, nats_server

from fourtwenty.rooms.encryption import RoomKeys
from fourtwenty.rooms.wire import room_session, setup_hub

PAGE = Path(__file__).parents[2] / "docs" / "inside" / "operator.md"


def documented(folder: Path, port: int, encrypted: bool) -> str:
    """Return ``hub.conf`` of the page, with a certificate of the folder or with none."""
    (text,) = re.findall(r"```\n(server_name: hub-1 .*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    if not encrypted:
        tls = r"tls \{ cert_file: [^}]+\}"
        text = re.sub(rf"^{tls}$", "", text, flags=re.MULTILINE)
    text = text.replace("/etc/hub", str(folder)).replace("/var/lib/hub", str(folder / "store"))
    text = text.replace("0.0.0.0:4222", f"{LOOPBACK}:{port}")
    assert text.count(LOOPBACK) == 1
    assert text.count("cert_file") == encrypted
    assert "include accounts.conf" in text
    return str(text)


def for_pages(folder: Path, port: int, origin: str) -> str:
    """Return what the page adds to ``hub.conf`` for phones, with pages of one origin."""
    (text,) = re.findall(r"```\n(websocket \{\n.*?\n\}\n)```", PAGE.read_text("utf-8"), re.DOTALL)
    text = text.replace("/etc/hub", str(folder)).replace("0.0.0.0:443", f"{LOOPBACK}:{port}")
    text = text.replace("https://game.example.org", origin)
    assert text.count(LOOPBACK) == 1 + origin.count(LOOPBACK)
    return str(text)


def certify(folder: Path) -> None:
    """Make a certificate of this machine that is its own authority."""
    made = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=hub -keyout key.pem"
    named = ["-addext", f"subjectAltName=IP:{LOOPBACK}", "-out", "cert.pem"]
    subprocess.run([*made.split(), *named], cwd=folder, check=True, capture_output=True)


@asynccontextmanager
async def hub_for(
    rooms: Iterable[RoomKeys],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    encrypted: bool = False,
    origin: str = "",
) -> AsyncIterator[str]:
    """Set up a hub with the partitions of these rooms, and for pages of an origin; yield its address with its key."""
    monkeypatch.setattr(setup_hub, "PARTITIONS", ("00", *{keys.room[:2] for keys in rooms}))
    port, scheme = free_port(), "tls" if encrypted else "nats"
    assert setup_hub.prepare([str(folder), f"{scheme}://{LOOPBACK}:{port}"]) == 0
    websocket = free_port()
    pages = for_pages(folder, websocket, origin) if origin else ""
    (folder / "hub.conf").write_text(documented(folder, port, encrypted) + pages)
    monkeypatch.setattr(room_session, "WEBSOCKET_PORT", websocket)
    if encrypted:
        certify(folder)
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / "cert.pem"))
    async with nats_server(folder / "hub.conf", port, "hub-1"):
        await setup_hub.create_streams(folder)
        yield (folder / "address").read_text()
