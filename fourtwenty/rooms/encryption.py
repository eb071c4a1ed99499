"""Codes, keys and encryption of a room (docs/inside/rooms.md). Needs PyNaCl, the extra ``[rooms]``."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey
from nacl.secret import SecretBox
from nacl.signing import SigningKey, VerifyKey

from fourtwenty.rooms.room import LogEntry

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, https://www.crockford.com/base32.html: no I, L, O and U."""
NEAR, HUB, LINK = 8, 10, 26
"""Lengths of a code: at a laptop's table, 40 bits; at a hub, 50; and one sent, not typed, 130."""
MISREAD = str.maketrans("OIL", "011", "- ")
"""Letters that people read as digits, and the signs that they leave out, as Crockford defines them."""
SALT = b"fourtwenty table 1"
"""Precedes the hub's name, if any. A laptop's address changes, so a room on a laptop has none."""
ROOT = 16
"""Length of a link's replacement for the code, in bytes."""
ROOM_NAME = 8
MAX_ENTRY_BYTES = 4096
"""In bytes, encrypted. A room's broker stores nothing larger."""
KEY, SIGNATURE = 32, 64
"""Lengths of an Ed25519 public key and of a signature, in bytes."""
NUMBER = 8
"""Length of the number of a message under a shared key, which precedes it, in bytes."""
MAX_PIECE = MAX_ENTRY_BYTES - NUMBER - SecretBox.MACBYTES - 1
"""Greatest length of the part of a text in one such message, in bytes."""
MAX_DEPTH = 16
"""Greatest depth of the arrays and objects of an entry."""
MAX_NUMBER = 2**53
"""Above it, programs in other languages would read another number (RFC 8259, section 6)."""
NKEY_OF_ACCOUNT, NKEY_OF_OPERATOR, NKEY_OF_USER = 0 << 3, 14 << 3, 20 << 3
"""The prefix bytes that make an nkey begin with A, O and U (github.com/nats-io/nkeys)."""


def fresh_code(length: int = NEAR, hub: str = "") -> str:
    """Draw the code of a new room, like ``K7QF-3XMP``; a hub's code ends with "@" and the hub's name."""
    return read_code("".join(ALPHABET[byte % 32] for byte in secrets.token_bytes(length)), hub)


def read_code(text: str, hub: str = "") -> str:
    """Return a code as printed, in capitals; 10 signs end with "@" and a hub, else ``hub``. Raises ValueError."""
    typed, _, named = text.strip().partition("@")
    code, named = typed.upper().translate(MISREAD), (named or hub).strip().lower()
    if len(code) not in (NEAR, HUB, LINK) or not set(code) <= set(ALPHABET) or (len(code) == HUB and not named):
        raise ValueError(
            f"a table's code is eight letters and digits, like K7QF-3XMP, or ten at a hub, not {text[:20]!r}"
        )
    step = 5 if len(code) == HUB else 4
    printed = "-".join(code[start : start + step] for start in range(0, len(code), step))
    return f"{printed}@{named}" if len(code) == HUB else printed


class RoomKeys(Struct, frozen=True):
    """All keys that follow from the code of a room."""

    code: str
    root: bytes
    """16 bytes, the scrypt of the code; all others follow from it."""
    room: str
    """16 hexadecimal digits: the room's name on a broker, which reveals nothing."""
    table: bytes
    """32 bytes, bound into the chains of the room's machines."""
    entry_key: bytes
    """32 bytes: the key that encrypts the entries."""
    login: bytes
    """32 bytes: the Ed25519 seed for log-ins with the code."""
    nonce_key: bytes
    """32 bytes: the key that derives the nonces of entries."""

    def __repr__(self) -> str:
        return f"RoomKeys(room={self.room!r})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        """Return the fields for Rich, as in Textual's crash report: no secret."""
        return [("room", self.room)]

    @classmethod
    @lru_cache(maxsize=8)
    def from_code(cls, code: str) -> RoomKeys:
        """Return the keys of a code, after about 0.1 s of scrypt. Raises ValueError for an invalid code."""
        n, r, code = 2**15, 8, read_code(code)
        signs, _, hub = code.partition("@")
        salt = SALT + (f" at {hub}".encode() if hub else b"")
        # OpenSSL allows 32 MiB by default, and scrypt needs a little more than 128 * n * r bytes.
        root = hashlib.scrypt(signs.encode(), salt=salt, n=n, r=r, p=1, dklen=ROOT, maxmem=2 * 128 * n * r)
        return cls.from_root(code, root)

    @classmethod
    def from_root(cls, code: str, root: bytes) -> RoomKeys:
        """Return the keys that follow from the root of a room; none of them reveals another."""
        derived = hkdf(root, b"", b"fourtwenty room 1", ROOM_NAME + 4 * KEY)
        ends = range(ROOM_NAME, len(derived), KEY)
        return cls(code, root, derived[:ROOM_NAME].hex(), *(derived[end : end + KEY] for end in ends))


def hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return ``length`` bytes derived from a secret, by HKDF with SHA-256 (RFC 5869)."""
    key, block, derived = hmac.digest(salt, secret, "sha256"), b"", b""
    while len(derived) < length:
        block = hmac.digest(key, block + info + bytes([len(derived) // KEY + 1]), "sha256")
        derived += block
    return derived[:length]


class MachineKey:
    """The Ed25519 key for one machine's signatures."""

    def __init__(self, seed: bytes) -> None:
        """Take the secret seed, 32 bytes. Raises ValueError for another length."""
        self._key = SigningKey(seed)
        self.public = bytes(self._key.verify_key)

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes."""
        return self._key.sign(message).signature

    @property
    def nkey(self) -> str:
        """The public key as NATS writes a user's."""
        return nkey(NKEY_OF_USER, self.public)


class SharedKey:
    """The key of one agreement of a host with a page, for the messages of the host (crypto_box of NaCl).

    The page's part of the agreement is signed by the page, and this one must be signed by the host.
    """

    def __init__(self, page: bytes) -> None:
        """Take the page's public key, 32 bytes, made for this agreement. Raises ValueError for others."""
        key = PrivateKey(secrets.token_bytes(KEY))
        self.public = bytes(key.public_key)
        self.sent = 0
        try:
            self._box = Box(key, PublicKey(page))
        except CryptoError as error:
            raise ValueError("not a public key") from error

    def messages(self, text: bytes) -> Iterator[bytes]:
        """Yield a text in messages within ``MAX_ENTRY_BYTES``, to be sent in this order.

        Each has a number, from 1, which is the nonce too, and begins with whether more of the text follows.
        """
        for start in range(0, len(text), MAX_PIECE):
            end = start + MAX_PIECE
            self.sent += 1
            number = self.sent.to_bytes(NUMBER, "big")
            piece = bytes([end < len(text)]) + text[start:end]
            yield number + self._box.encrypt(piece, number.ljust(Box.NONCE_SIZE, b"\0")).ciphertext


def nkey(prefix: int, public: bytes) -> str:
    """Return a public key as NATS writes it: base 32, with a prefix and a CRC-16."""
    named = bytes([prefix]) + public
    return base64.b32encode(named + binascii.crc_hqx(named, 0).to_bytes(2, "little")).decode()


def base64url(data: bytes) -> str:
    """Return data in base64url without padding, as links and JWTs have it."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def encrypt_entry(keys: RoomKeys, machine: MachineKey, body: dict[str, Any]) -> bytes:
    """Return the bytes of ``new_entry``: an entry, signed and encrypted. The same entry always has the same bytes."""
    return new_entry(keys, machine, body)[1]


def new_entry(keys: RoomKeys, machine: MachineKey, body: dict[str, Any]) -> tuple[LogEntry, bytes]:
    """Return an entry as others read it, and encrypted. Raises ValueError if ``decrypt_entry`` would reject it."""
    written = _canonical(body)
    plain = machine.public + machine.sign(_signed(keys, machine.public, written)) + written
    # The nonce follows from the content, so that a broker recognizes an entry that is sent again. Different entries
    # have different nonces, the only condition of a SecretBox.
    nonce = hmac.digest(keys.nonce_key, plain, "sha256")[: SecretBox.NONCE_SIZE]
    encrypted = bytes(SecretBox(keys.entry_key).encrypt(plain, nonce))
    if len(encrypted) > MAX_ENTRY_BYTES:
        raise ValueError(f"an entry has at most {MAX_ENTRY_BYTES} bytes, not {len(encrypted)}")
    entry = decrypt_entry(keys, encrypted)
    if entry is None:
        raise ValueError("an entry is JSON of strings, whole numbers, true, false and null")
    return entry, encrypted


def decrypt(keys: RoomKeys, data: bytes) -> bytes | None:
    """Return the decrypted data of a holder of the code; None for other data."""
    try:
        return SecretBox(keys.entry_key).decrypt(data) if len(data) <= MAX_ENTRY_BYTES else None
    except (CryptoError, ValueError):
        return None


def decrypt_entry(keys: RoomKeys, data: bytes) -> LogEntry | None:
    """Return the entry in these bytes; None for any bytes that are not one of this room."""
    plain = decrypt(keys, data)
    if plain is None:
        return None
    try:
        author, signature, written = plain[:KEY], plain[KEY : KEY + SIGNATURE], plain[KEY + SIGNATURE :]
        signed = _signed(keys, author, written)
        VerifyKey(author).verify(signed, signature)
        body = json.loads(written)
        # One value has one text: unique fields, no unpaired surrogates, no spaces between.
        if not isinstance(body, dict) or not _is_plain(body) or _canonical(body) != written:
            return None
    except (CryptoError, ValueError, RecursionError):
        return None
    return LogEntry(author, body, hashlib.sha256(signed).digest())


def _signed(keys: RoomKeys, author: bytes, written: bytes) -> bytes:
    return b"fourtwenty entry 1" + bytes.fromhex(keys.room) + author + written


def _canonical(body: dict[str, Any]) -> bytes:
    return json.dumps(body, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def _is_plain(body: dict[str, Any]) -> bool:
    """Whether JSON is nested at most MAX_DEPTH deep, and its numbers are whole and not too large."""
    values: list[Any] = [body]
    for _ in range(MAX_DEPTH + 1):
        if [each for each in values if isinstance(each, float) or (isinstance(each, int) and abs(each) > MAX_NUMBER)]:
            return False
        nested = [each for each in values if isinstance(each, dict | list)]
        values = [value for each in nested for value in (each.values() if isinstance(each, dict) else each)]
        if not nested:
            return True
    return False
