"""Simulated matches against what the odds expect."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import pytest

from fourtwenty.lineup import Lineup, parse_players
from fourtwenty.odds.four_twenty import evening
from fourtwenty.simulation import play_matches

SEED = bytes(31) + b"\x2a"


@pytest.mark.parametrize(("players", "matches"), [(2, 2000), (3, 1000), (5, 300)])
def test_perfect_bots_win_and_pay_as_often_as_computed(players: int, matches: int) -> None:
    lineup = Lineup(parse_players(",".join(["bot:Perfect"] * players)), first=0)
    places = [outcome.places for outcome in play_matches(lineup, matches, SEED)]
    for place, chances in ((0, evening(players).round), (-1, evening(players).drinks)):
        times = Counter(order[place] for order in places)
        for seat, chance in enumerate(chances):
            assert abs(times[seat] / matches - chance) < 4 * sqrt(chance * (1 - chance) / matches)


def test_the_more_somebody_drank_the_more_they_pay() -> None:
    pays = []
    for name in ("Perfect", "Merry", "Tipsy", "Random"):
        lineup = Lineup(parse_players(f"bot:{name},bot:Perfect"), first=0)
        pays.append(sum(outcome.places[-1] == 0 for outcome in play_matches(lineup, 500, SEED)))
    assert pays == sorted(pays)
    assert pays[-1] > 1.15 * pays[0]
