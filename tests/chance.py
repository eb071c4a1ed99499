"""Chance that follows from a text: the same on every run, in the tests and in a monkey's life."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch


@contextmanager
def seeded(text: str) -> Iterator[None]:
    """Let ``secrets``, from which the program draws in this process, give what follows from a text."""
    chance = Random(text)
    with (
        patch("secrets.token_bytes", chance.randbytes),
        patch("secrets.token_hex", lambda length: chance.randbytes(length).hex()),
        patch(
            "secrets.token_urlsafe", lambda length: urlsafe_b64encode(chance.randbytes(length)).rstrip(b"=").decode()
        ),
    ):
        yield
