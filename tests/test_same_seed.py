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
        ("420", "6912aa7370115499c6da60707743c1a629f331038a29486dbd90b7afdc6a4cf2"),
        ("421", "7d34d85dc5713ca055ee30a356ad56c1eab231eab9a042250e93782934f601ab"),
        ("ten-rounds", "36a86d2d2c0bac3b164aaea4fef876747623a546fe4533fd02ef99ee23e721ea"),
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
