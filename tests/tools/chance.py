"""Chance that follows from a text: the same on every run, in the tests and in a monkey's life."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch


@contextmanager
def seeded(text: str) -> Iterator[None]:
    """Let the tokens of ``secrets``, from which the program draws in this process, follow from a text."""
    chance = Random(text)

    def token_bytes(length: int | None = None) -> bytes:  # the other tokens are made of it
        return chance.randbytes(32 if length is None else length)

    with patch("secrets.token_bytes", token_bytes):
        yield
