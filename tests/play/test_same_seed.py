"""A seed gives the same match for good: the same faces, the same choices of the bots, the same rounds."""

from __future__ import annotations

from hashlib import sha256

import pytest

from fourtwenty.games.game import Roll
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match

MATCHES = 8
"""The number of matches at every table; their seeds are the SHA-256 of 0, 1, 2 and so on."""


@pytest.mark.parametrize(
    ("game", "digest"),
    [
        ("420", "b3d7fd504783be5b6f5c98aaf26d88f419997dbd6291c110b8095470eb14f642"),
        ("421", "b661eafdc759a1e7c44d5926fd7f1d859dd61145b0eac83da8c40fd367f684c6"),
        ("ten-rounds", "5f5e963cc3ea3659389340b63b56f49c45f841779758b2f61a804a1ba44b8b85"),
    ],
)
def test_a_seed_gives_the_match_that_it_always_gave(game: str, digest: str) -> None:
    played = sha256()
    for bots in ("Random,bot:Steady", "Random,bot:Bold,bot:Random", "Steady,bot:Random,bot:Random,bot:Bold,bot:Random"):
        lineup = Lineup(parse_players(f"bot:{bots}"), game=game)
        for number in range(MATCHES):
            match = Match(lineup, FairDice(sha256(b"%d" % number).digest()))
            match.play_out()
            for event in match.events:
                dice = event.action.dice if isinstance(event.action, Roll) else ()
                played.update(f"{event.seat} {dice} {event.faces}\n".encode())
    assert played.hexdigest() == digest
