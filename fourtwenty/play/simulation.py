"""Matches between bots, many from one seed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from fourtwenty.games.game import Outcome
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match


def play_matches(lineup: Lineup, matches: int, seed: bytes) -> Iterator[Outcome]:
    """Play matches between bots and yield their outcomes; the seed of each match is derived from ``seed``."""
    for index in range(matches):
        match = Match(lineup, FairDice(sha256(seed + index.to_bytes(8, "big")).digest()))
        yield match.play_out()
