"""Codes, keys and encryption of rooms: who has the code reads and writes entries, and nothing else is an entry."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from letters import LETTERS
from nacl.secret import SecretBox

from fourtwenty.rooms import encryption
from fourtwenty.rooms.encryption import (
    ALPHABET,
    HUB,
    LINK,
    NEAR,
    MachineKey,
    RoomKeys,
    decrypt_entry,
    encrypt_entry,
    fresh_code,
    hkdf,
    read_code,
)

KEYS = RoomKeys.from_code("K7QF-3XMP")
OTHER = RoomKeys.from_code("K7QF-3XMQ")
ANN, BEN = MachineKey(bytes(32)), MachineKey(b"b" * 32)
NUMBERS = st.integers(-(2**53), 2**53)
TEXTS = st.text(LETTERS, max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS, lambda inner: st.lists(inner, max_size=4), max_leaves=8
)
BODIES = st.dictionaries(TEXTS, VALUES, max_size=5)


def forged(written: bytes, machine: MachineKey = ANN, keys: RoomKeys = KEYS) -> bytes:
    """Return an entry whose text is these bytes, signed and encrypted as if they were right."""
    plain = machine.public + machine.sign(encryption._signed(keys, machine.public, written)) + written
    return bytes(SecretBox(keys.entry_key).encrypt(plain, bytes(24)))


@pytest.mark.parametrize("text", ["K7QF-3XMP", "k7qf3xmp", " k7qf 3xmp ", "K7-QF-3X-MP"])
def test_a_code_is_read_however_it_is_typed(text: str) -> None:
    assert read_code(text) == "K7QF-3XMP"


def test_letters_that_look_like_digits_are_digits() -> None:
    # https://www.crockford.com/base32.html: o is 0, i and l are 1
    assert read_code("oOiI-lL01") == "0011-1101"


@pytest.mark.parametrize(
    "text", ["", "K7QF", "K7QF-3XMPP", "K7QF3-XMP9A", "K7QF-3XMU", "K7QF-3XM!", "K7QF-3XMÄ", "Ⅻ" * 8, "٣" * 8]
)
def test_what_is_no_code_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"^a table's code is eight letters and digits, like K7QF-3XMP, or ten at a hub, not .*$"
    ):
        read_code(text)


@pytest.mark.parametrize(("length", "bits"), [(NEAR, 40), (HUB, 50), (LINK, 130)])
def test_a_fresh_code_reads_as_itself_and_has_its_bits(length: int, bits: int) -> None:
    codes = {fresh_code(length, "hub") for _ in range(100)}
    assert len(ALPHABET) ** length == 2**bits
    assert len(codes) == 100
    assert {read_code(code, "elsewhere") for code in codes} == codes
    signs = "".join(code.partition("@")[0] for code in codes)
    assert set(signs) == {*ALPHABET, "-"}
    assert len(signs.replace("-", "")) == 100 * length


def test_a_code_of_a_hub_is_for_that_hub_only() -> None:
    here, there = (
        RoomKeys.from_code(read_code("k7qf3 xmp9a", hub)) for hub in ("Play.example.org", "play.example.net")
    )
    assert here.code == "K7QF3-XMP9A@play.example.org"
    assert RoomKeys.from_code("K7QF3-XMP9A@play.example.org") is here
    secrets = [{keys.room, keys.table, keys.entry_key, keys.login, keys.nonce_key} for keys in (here, there)]
    assert not secrets[0] & secrets[1]
    for elsewhere in ("K7QF-3XMP", "0123-4567-89AB-CDEF-GHJK-MNPQ-RS"):
        assert read_code(elsewhere, "play.example.org") == elsewhere, "a laptop may change its address"


def test_keys_follow_from_one_scrypt_and_so_does_a_link() -> None:
    root = hashlib.scrypt(b"K7QF-3XMP", salt=b"fourtwenty table 1", n=2**15, r=8, p=1, maxmem=2**26, dklen=16)
    assert (KEYS.root, RoomKeys.from_code("k7qf 3xmp"), KEYS.code) == (root, KEYS, "K7QF-3XMP")
    assert RoomKeys.from_root("K7QF-3XMP", root) == KEYS
    derived = hkdf(root, b"", b"fourtwenty room 1", 136)
    assert KEYS.room == derived[:8].hex() == "03e225ea152494eb"
    assert KEYS.table + KEYS.entry_key + KEYS.login + KEYS.nonce_key == derived[8:]
    root = hashlib.scrypt(b"K7QF3-XMP9A", salt=b"fourtwenty table 1 at hub", n=2**15, r=8, p=1, maxmem=2**26, dklen=16)
    assert RoomKeys.from_code("K7QF3-XMP9A@hub").root == root


@pytest.mark.parametrize(
    ("secret", "salt", "info", "derived"),
    [
        (
            bytes([11]) * 22,
            bytes(range(13)),
            bytes(range(0xF0, 0xFA)),
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        ),
        (
            bytes(range(80)),
            bytes(range(0x60, 0xB0)),
            bytes(range(0xB0, 0x100)),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
        ),
        (
            bytes([11]) * 22,
            b"",
            b"",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
        ),
    ],
)
def test_derived_keys_are_those_of_rfc_5869(secret: bytes, salt: bytes, info: bytes, derived: str) -> None:
    """Its appendix A.1 to A.3."""
    assert hkdf(secret, salt, info, len(derived) // 2).hex() == derived


def test_the_nonce_has_a_key_of_its_own() -> None:
    data = encrypt_entry(KEYS, ANN, {"n": 1})
    plain = SecretBox(KEYS.entry_key).decrypt(data)
    assert data[:24] == hmac.digest(KEYS.nonce_key, plain, "sha256")[:24]


def test_keys_do_not_show_in_a_traceback() -> None:
    assert repr(KEYS) == "RoomKeys(room='03e225ea152494eb')"


def test_an_nkey_is_as_nats_writes_it() -> None:
    # The example of https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth
    seed = base64.b32decode("SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY======")[2:34]
    assert MachineKey(seed).nkey == "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_machine_key_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        MachineKey(bytes(length))


@given(BODIES)
def test_an_entry_is_opened_as_it_was_sealed(body: dict[str, Any]) -> None:
    data = encrypt_entry(KEYS, ANN, body)
    entry = decrypt_entry(KEYS, data)
    assert entry
    assert (entry.author, entry.body) == (ANN.public, body)
    assert decrypt_entry(OTHER, data) is None
    assert encrypt_entry(KEYS, ANN, dict(reversed(body.items()))) == data
    assert encrypt_entry(KEYS, BEN, body) != data


def test_the_digest_is_of_room_author_and_text() -> None:
    first, again = decrypt_entry(KEYS, encrypt_entry(KEYS, ANN, {"n": 1})), decrypt_entry(KEYS, forged(b'{"n":1}'))
    others = [
        decrypt_entry(KEYS, encrypt_entry(KEYS, BEN, {"n": 1})),
        decrypt_entry(KEYS, encrypt_entry(KEYS, ANN, {"n": 2})),
    ]
    elsewhere = decrypt_entry(OTHER, encrypt_entry(OTHER, ANN, {"n": 1}))
    assert first
    assert (
        first.digest
        == hashlib.sha256(b"fourtwenty entry 1" + bytes.fromhex(KEYS.room) + ANN.public + b'{"n":1}').digest()
    )
    assert first == again
    assert len({first.digest, *(entry.digest for entry in (*others, elsewhere) if entry)}) == 4


def test_an_entry_of_another_room_is_none_even_if_it_is_sealed_for_this_one() -> None:
    plain = SecretBox(OTHER.entry_key).decrypt(encrypt_entry(OTHER, ANN, {"n": 1}))
    assert decrypt_entry(KEYS, bytes(SecretBox(KEYS.entry_key).encrypt(plain, bytes(24)))) is None


def test_nobody_signs_for_another() -> None:
    written = b'{"n":1}'
    plain = ANN.public + BEN.sign(encryption._signed(KEYS, ANN.public, written)) + written
    assert decrypt_entry(KEYS, bytes(SecretBox(KEYS.entry_key).encrypt(plain, bytes(24)))) is None
    assert decrypt_entry(KEYS, forged(written))


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"[]",
        b"1",
        b"{",
        b'{"n":1}{"n":1}',
        b'{"n":1,"n":1}',
        b'{"n":1,"n":2}',
        b'{"n": 1}',
        b'{"n":1}\n',
        b'{"b":1,"a":1}',
        b'{"n":1.0}',
        b'{"n":1e3}',
        b'{"n":NaN}',
        b'{"n":Infinity}',
        b'{"n":-Infinity}',
        b'{"n":9007199254740993}',
        b'{"n":-9007199254740993}',
        b'{"n":-0}',
        b'{"n":' + b"9" * 3000 + b"}",
        b'{"n":"\\ud800"}',
        b'{"n":"\\u0041"}',
        b'{"n":"\xff"}',
        b'{"n":"\xed\xa0\x80"}',
        b'\xef\xbb\xbf{"n":1}',
        '{"n":1}'.encode("utf-16"),
        b'{"n":' + b"[" * 17 + b"]" * 17 + b"}",
        b'{"n":' + b"[" * 1800 + b"]" * 1800 + b"}",
        b"[" * 3900,
        b'{"n":' * 700,
    ],
)
def test_one_value_has_one_text_and_no_other_is_an_entry(written: bytes) -> None:
    assert decrypt_entry(KEYS, forged(written)) is None


def test_the_largest_and_deepest_entries() -> None:
    room = 4096 - len(encrypt_entry(KEYS, ANN, {"n": ""}))
    assert len(encrypt_entry(KEYS, ANN, {"n": "x" * room})) == 4096
    with pytest.raises(ValueError, match="at most 4096 bytes, not 4097"):
        encrypt_entry(KEYS, ANN, {"n": "x" * (room + 1)})
    assert decrypt_entry(KEYS, forged(json.dumps({"n": "x" * room}, separators=(",", ":")).encode()))
    assert decrypt_entry(KEYS, forged(json.dumps({"n": "x" * (room + 1)}, separators=(",", ":")).encode())) is None
    assert decrypt_entry(KEYS, forged(b'{"n":' + b"[" * 15 + b"]" * 15 + b"}"))
    assert decrypt_entry(KEYS, forged(b'{"n":9007199254740992}'))


@pytest.mark.parametrize("body", [{"n": 0.5}, {"n": 2**53 + 1}, {"n": "\ud800"}, {"n": (1, float("nan"))}])
def test_nothing_is_sealed_that_could_not_be_opened(body: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        encrypt_entry(KEYS, ANN, body)


@given(st.binary(max_size=400) | st.binary(min_size=4094, max_size=4098))
@example(b"")
@example(bytes(39))
@example(bytes(40))
def test_bytes_from_anywhere_are_no_entry_and_no_error(data: bytes) -> None:
    assert decrypt_entry(KEYS, data) is None
    plain = bytes(SecretBox(KEYS.entry_key).encrypt(data, bytes(24)))
    assert decrypt_entry(KEYS, plain) is None


@given(st.integers(0), st.integers(1, 255))
def test_a_changed_bit_is_no_entry(place: int, change: int) -> None:
    data = bytearray(encrypt_entry(KEYS, ANN, {"at": "act", "roll": [1, 4]}))
    data[place % len(data)] ^= change
    assert decrypt_entry(KEYS, bytes(data)) is None


@given(st.integers(0), st.integers(1, 255))
def test_a_changed_bit_below_the_seal_is_no_entry(place: int, change: int) -> None:
    plain = bytearray(SecretBox(KEYS.entry_key).decrypt(encrypt_entry(KEYS, ANN, {"at": "act", "roll": [1, 4]})))
    plain[place % len(plain)] ^= change
    assert decrypt_entry(KEYS, bytes(SecretBox(KEYS.entry_key).encrypt(bytes(plain), bytes(24)))) is None
