"""A seed gives the same match for good: the same faces, the same choices of the bots, the same rounds."""

from __future__ import annotations

from hashlib import sha256
from itertools import product
from pathlib import Path

import pytest

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Roll
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match

KEPT = Path(__file__).with_name("same_seed.txt")
"""A line for each match. ``2/14:65`` is an event: seat 2, its dice 1 and 4, and the faces that they fell on."""

TABLES = ("Random,bot:Steady", "Random,bot:Bold,bot:Random", "Steady,bot:Random,bot:Random,bot:Bold,bot:Random")
MATCHES = 8
"""The number of matches at every table; their seeds are the SHA-256 of 0, 1, 2 and so on."""

EVERY = [*product(GAMES, TABLES, range(MATCHES))]


def written(event: Event) -> str:
    dice = event.action.dice if isinstance(event.action, Roll) else ()
    return f"{event.seat}/{''.join(map(str, dice))}:{''.join(map(str, event.faces))}"


@pytest.mark.parametrize("game", GAMES)
def test_a_seed_gives_the_match_that_it_always_gave(game: str) -> None:
    lines = KEPT.read_text("utf-8").splitlines()
    for line, (key, bots, number) in zip(lines, EVERY, strict=True):
        if key == game:
            match = Match(Lineup(parse_players(f"bot:{bots}"), game=game), FairDice(sha256(b"%d" % number).digest()))
            match.play_out()
            assert [written(event) for event in match.events] == line.split()
