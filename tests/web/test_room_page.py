"""The page for phones knows entries, keys and dice by itself: here they are those of the program."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from functools import cache
from hashlib import sha256
from hmac import digest
from importlib.resources import files
from itertools import accumulate
from operator import or_
from pathlib import Path
from random import Random
from typing import Any

import pytest
from nacl.public import PrivateKey
from nacl.secret import SecretBox

from fourtwenty.play.shared_dice import START_DRAW, Machine, SharedDice, match_digest
from fourtwenty.rooms.encryption import (
    NKEY_OF_ACCOUNT,
    NKEY_OF_USER,
    MachineKey,
    RoomKeys,
    SharedKey,
    decrypt_entry,
    encrypt_entry,
    nkey,
)
from fourtwenty.rooms.local_machine import Chain
from fourtwenty.rooms.room import MIN_KEYS
from fourtwenty.rooms.wire.broker import Broker
from fourtwenty.rooms.wire.nats_accounts import SPEAKERS_ACCOUNT, member_jwt
from fourtwenty.web.room_page import write_room_page

KEYS = RoomKeys.from_root("K7QF-3XMP", bytes(range(16)))
SECRETS = [bytes([number]) * 32 for number in range(1, 4)]
HOST, PAGE, BEN = (MachineKey(secret) for secret in SECRETS)
PAIR = PrivateKey(bytes(range(32)))
"""The page's pair for an agreement."""
NAMES = ["Ann", "Zoë ☃", 'Ben "🎲" \\']
TWEETNACL = "3ec535c004aeeb225785d8e93fb33bf99f52e399bd7dfc01969b5629baea5131"
"""SHA-256 of nacl-fast.min.js in TweetNaCl-js 1.0.3, of npm and of its repository alike."""


def write_page(folder: Path) -> Path:
    page = Broker(folder, KEYS, "127.0.0.1").page
    write_room_page(page, HOST.public.hex(), "Ann")
    return page


def entry(machine: MachineKey, body: dict[str, Any]) -> str:
    return base64.b64encode(encrypt_entry(KEYS, machine, body)).decode()


def forged(written: bytes, signer: MachineKey = HOST) -> str:
    """Return an entry of the host whose text is these bytes, signed and encrypted as if they were right."""
    signed = b"fourtwenty entry 1" + bytes.fromhex(KEYS.room) + HOST.public + written
    plain = HOST.public + signer.sign(signed) + written
    return base64.b64encode(SecretBox(KEYS.entry_key).encrypt(plain, bytes(24))).decode()


def hub_link() -> dict[str, str]:
    """Return the part behind the ``#`` of a link to a table at a hub, and what it names."""
    login = bytes(range(100, 132))
    secret = KEYS.root + HOST.public + login + "play.example.org:8443 Zoë B.".encode()
    link = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return {"link": link, "root": KEYS.root.hex(), "host": HOST.public.hex(), "login": login.hex()}


def entries() -> list[dict[str, Any]]:
    bodies: list[dict[str, Any]] = [
        {"at": "sit", "players": [{"name": name, "bot": None} for name in NAMES], "keys": 4096, "again": True},
        {"z": -(2**53), "a": {"c": [], "b": {}}, "text": '\x00\x1f\x7f\u2028\ufeff\n"\\/'},
        {"deep": json.loads("[" * 15 + "]" * 15)},
    ]
    found = []
    for body in bodies:
        data = encrypt_entry(KEYS, PAGE, body)
        read = decrypt_entry(KEYS, data)
        assert read
        found.append({"body": body, "data": base64.b64encode(data).decode(), "digest": read.digest.hex()})
    return found


def no_entries() -> list[str]:
    other = RoomKeys.from_root("K7QF-3XMQ", bytes(16))
    good = bytearray(base64.b64decode(entry(HOST, {"at": "rise"})))
    good[-1] ^= 1
    texts = (
        b'{"a": 1}', b'{"a":1,"a":1}', b'{"a":1.5}', b'{"a":9007199254740993}', b'{"b":1,"a":1}', b"[]", b"7",
        b'{"a":"\\ud800"}', b"\xef\xbb\xbf{}", b'{"a":"\xff"}', b'{"a":' + b"[" * 16 + b"]" * 16 + b"}", b"",
    )  # fmt: skip
    found = [*map(forged, texts), forged(b'{"a":1}', BEN)]
    for data in map(base64.b64decode, found):
        assert decrypt_entry(KEYS, data) is None
    strange = encrypt_entry(other, HOST, {"at": "rise"}), bytes(good), bytes(20), b"", bytes(5000)
    return [*found, *(base64.b64encode(data).decode() for data in strange)]


@cache
def chains(match: int) -> list[Chain]:
    return [Chain(KEYS.table, digest(secret, f"chain {match}".encode(), "sha256"), MIN_KEYS) for secret in SECRETS]


def match(number: int, rolls: int, rng: Random) -> dict[str, Any]:
    """Play some rolls of a match of three machines, the second of which is the page; give what a host shows of it.

    The last roll has been said by Ben, and waits for all keys.
    """
    machines = [
        Machine(machine.public, chain.anchor, (seat,))
        for seat, (machine, chain) in enumerate(zip((HOST, PAGE, BEN), chains(number), strict=True))
    ]
    players = [(name, "human") for name in NAMES]
    digest_ = match_digest(KEYS.table, machines, "420", players, None)
    dice = SharedDice(KEYS.table, machines, digest_)
    identifier, throws = digest_.hex()[:32], [0, 0, 0]

    def fall(seat: int) -> dict[str, Any]:
        step = dice.begin(seat, range(3))
        for machine, chain in enumerate(chains(number)):
            dice.open(machine, chain.key(step))
        return {"step": step, "contributors": [0, 1, 2], "keys": [shown.key.hex() for shown in dice.shown]}

    lot = fall(START_DRAW) | {"first": dice.draw(3)}
    fallen = []
    for event in range(rolls):
        seat, rolled = event % 3, tuple(sorted(rng.sample(range(1, 5), rng.randint(1, 4))))
        roll = fall(seat)
        throws[seat] += 1
        faces = dice.throw(seat, throws[seat], rolled)
        said = {"roll": event, "event": event, "seat": seat, "throw": throws[seat], "dice": rolled}
        fallen.append(roll | said | {"faces": faces})

    def act(event: int, roll: list[int], machine: MachineKey = BEN, of: str = identifier) -> str:
        return entry(machine, {"at": "act", "match": of, "event": event, "roll": roll, "number": 1, "head": "0" * 32})

    step = dice.begin(2, range(3))
    return {
        "id": identifier,
        "view": {
            "number": 9, "head": "1" * 32, "counted": 12, "matches": number + 1, "phase": "playing", "events": rolls,
            "match": {
                "machines": [each.named for each in machines],
                "game": "420", "players": players, "starting": None,
            },
            "shown": [[shown.step, shown.key.hex()] for shown in dice.shown],
            "start_draw": lot, "fallen": fallen,
            "step": {
                "step": step, "seat": 2, "dice": [1, 4], "contributors": [0, 1, 2],
                "missing": [0, 1, 2], "last": 2, "act": act(rolls, [1, 4]),
            },
        },
        "next": [chain.key(step).hex() for chain in chains(number)],
        "acts": {
            "other": act(rolls, [1]), "of_ann": act(rolls, [1, 4], HOST), "old": act(rolls - 1, [1, 4]),
            "of_match": act(rolls, [1, 4], of="0" * 32), "own": act(rolls, [1, 4], PAGE),
            "later": act(rolls + 1, [1, 4]),
            "start": entry(BEN, {"at": "start", "sits": [], "number": 1, "head": "0" * 32}),
        },
    }  # fmt: skip


def views() -> list[dict[str, Any]]:
    """Messages to the page, and what it finds in them: views, and whether it asks for the whole one again."""
    box = bytes(PAIR.public_key)

    def agreement(key: SharedKey, by: MachineKey = HOST, **other: str) -> str:
        body = {"at": "key", "to": PAGE.public.hex(), "page": box.hex(), "box": key.public.hex()}
        return entry(by, body | other)

    def messages(key: SharedKey, value: object) -> list[str]:
        text = json.dumps(value, ensure_ascii=False).encode()
        return [base64.b64encode(data).decode() for data in key.messages(text)]

    key, later, foreign = SharedKey(box), SharedKey(box), SharedKey(bytes(PrivateKey(b"p" * 32).public_key))
    view: dict[str, object] = {"name": "Zoë ☃", "seats": [{"total": 1}]}
    long: dict[str, object] = {"name": "☃" * 3000}
    (whole,) = messages(key, view)
    later_fields = [{"seats": [{"total": 2}]}, {"line": "Your turn."}, long, {"line": None}]
    (change,), (change_2,), pieces, (last,) = (messages(key, fields) for fields in later_fields)
    shown = [*accumulate([view, *later_fields], or_)]
    every = [whole, change, change_2, *pieces, last]
    broken = bytearray(base64.b64decode(change))
    broken[-1] ^= 1
    cases = [
        ("in their order", [agreement(key), *every], shown, 7, False),
        ("each once", [agreement(key), *(each for one in every for each in (one, one, whole))], shown, 7, False),
        ("not before the agreement", [whole, agreement(key), change, change_2], [], 0, True),
        ("none is missing", [agreement(key), whole, change_2, change], [view], 0, True),
        ("no piece is missing", [agreement(key), *every[:3], pieces[0], *pieces[2:]], shown[:3], 0, True),
        ("not changed", [agreement(key), whole, base64.b64encode(broken).decode(), "", "AAAA"], [view], 1, False),
        ("under this key", [agreement(key), whole, *messages(later, view), *messages(foreign, view)], [view], 1, False),
        ("a pair is for one key", [agreement(key), whole, agreement(later)], [view], 0, True),
        ("none under an old key", [agreement(key), whole, agreement(later), change, agreement(key)], [view], 0, True),
        ("of the host", [agreement(key, BEN), whole], [], 0, False),
        ("for this page", [agreement(key, to=BEN.public.hex()), whole], [], 0, False),
        ("for this pair", [agreement(key, page="00" * 32), whole], [], 0, False),
        ("an agreement", [agreement(key, at="here"), whole], [], 0, False),
        ("signed", [forged_agreement(box, key), whole], [], 0, False),
    ]
    names = "name", "messages", "found", "seen", "asks"
    return [dict(zip(names, case, strict=True)) for case in cases]


def forged_agreement(box: bytes, key: SharedKey) -> str:
    """An agreement in the host's name, signed by Ben."""
    body = {"at": "key", "box": key.public.hex(), "page": box.hex(), "to": PAGE.public.hex()}
    return forged(json.dumps(body, separators=(",", ":")).encode(), BEN)


def tables() -> dict[str, Any]:
    rng = Random(420)
    machines = [
        Machine(HOST.public, bytes(32), (0, 2)),
        Machine(PAGE.public, b"t" * 32, (1,), page=HOST.public),
        Machine(BEN.public, b"u" * 32, (3,)),
    ]
    players = [(name, kind) for name, kind in zip([*NAMES, "Merry"], ["human"] * 3 + ["bot"], strict=True)]
    digests = [
        {
            "match": {
                "machines": [each.named for each in machines],
                "game": "ten-rounds", "players": players, "starting": starting,
            },
            "digest": match_digest(KEYS.table, machines, "ten-rounds", players, starting).hex(),
        }
        for starting in (None, 0, 3)
    ]  # fmt: skip
    chain = chains(3)[1]
    return {
        "root": KEYS.root.hex(), "host": HOST.public.hex(), "secret": SECRETS[1].hex(),
        "keys": {
            "room": KEYS.room, "table": KEYS.table.hex(), "entry": KEYS.entry_key.hex(), "login": KEYS.login.hex(),
            "nonce": KEYS.nonce_key.hex(),
        },
        "nkeys": [[prefix, key.hex(), nkey(prefix, key)] for prefix in (NKEY_OF_ACCOUNT, NKEY_OF_USER)
                  for key in (bytes(32), b"\xff" * 32, *(rng.randbytes(32) for _ in range(20)))],
        "jwt": member_jwt(MachineKey(KEYS.login), PAGE, SPEAKERS_ACCOUNT),
        "entries": entries(), "no_entries": no_entries(), "digests": digests,
        "pair": bytes(PAIR).hex(), "views": views(),
        "chain": [[step, chain.key(step).hex()] for step in (0, 1, 2, 1000, 4095, 4096)],
        "link": Broker(Path(), KEYS, "127.0.0.1").link.partition("#")[2], "hub": hub_link(),
        "matches": [match(0, 7, rng), match(1, 12, rng)], "long": match(0, 20, rng),
    }  # fmt: skip


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_entries_keys_and_dice_are_those_of_the_program(tmp_path: Path) -> None:
    page = write_page(tmp_path)
    written = tmp_path / "tables.json"
    written.write_text(json.dumps(tables()))
    command = ["node", str(Path(__file__).with_name("room_page.mjs")), str(page), str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "alike\n", done.stderr


def test_a_host_with_the_name_of_a_placeholder_keeps_it(tmp_path: Path) -> None:
    write_room_page(tmp_path / "page", "00" * 32, "TABLE & HOSTKEY")
    text = (tmp_path / "page" / "index.html").read_text("utf-8")
    assert 'data-name="TABLE &amp; HOSTKEY"' in text
    assert "<title>TABLE &amp; HOSTKEY's table</title>" in text


def test_tweetnacl_is_the_one_that_is_known(tmp_path: Path) -> None:
    assert sha256((write_page(tmp_path) / "nacl-fast.min.js").read_bytes()).hexdigest() == TWEETNACL
    licence = files("fourtwenty.rooms").joinpath("page", "TWEETNACL-LICENSE").read_text("utf-8")
    assert "released into the public domain" in licence
