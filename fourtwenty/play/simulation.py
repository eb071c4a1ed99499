"""Whole matches of bots without a screen, from one seed."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from fourtwenty.games.game import Outcome
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match


def play_matches(lineup: Lineup, matches: int, seed: bytes) -> Iterator[Outcome]:
    """Play so many matches of bots, each with a seed that follows from this one, and yield how they end."""
    for number in range(matches):
        match = Match(lineup, FairDice(sha256(seed + number.to_bytes(8, "big")).digest()))
        yield match.play_out()
