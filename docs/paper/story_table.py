"""Writes the rarities of stories: ``python docs/paper/story_table.py [--matches N] [--jobs N]``.

For each game and number of seats it plays 20,000 seeded matches between Steady bots, and writes to
``fourtwenty/play/stories.json`` the least level of each story that at most one match in 20, 40, 60, 100 and 200
reaches. With two jobs this takes ten minutes.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from bisect import bisect_left
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from json import dumps
from multiprocessing import get_context
from pathlib import Path

from fourtwenty.games import GAMES
from fourtwenty.play import stories
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match
from fourtwenty.play.stories import RARITIES, STORIES, stories_of

SEATS = range(2, 9)
"""The numbers of seats of the table."""

MATCHES = 20_000

TABLE = Path(stories.__file__).with_name("stories.json")

Cell = tuple[str, int]
"""A game and a number of seats."""

LeastLevels = dict[str, list[int]]
"""``[story][rarity]``: the least level, in the order of ``RARITIES``."""


def match_of(cell: Cell, number: int) -> Match:
    """Return a finished match between Steady bots; its dice follow from the number."""
    game, seats = cell
    lineup = Lineup(parse_players(",".join(["bot:Steady"] * seats)), game=game)
    match = Match(lineup, FairDice(sha256(f"stories {game} {seats} {number}".encode()).digest()))
    match.play_out()
    return match


def least_levels(cell: Cell, matches: int) -> LeastLevels:
    """Return a cell of the table."""
    reached: dict[str, list[int]] = {name: [] for name in STORIES[cell[0]]}
    for number in range(matches):
        for name, story in stories_of(match_of(cell, number)).items():
            reached[name].append(story.level)
    return {
        name: [_least(sorted(levels), matches // one_in) for one_in in RARITIES] for name, levels in reached.items()
    }


def _least(levels: list[int], most: int) -> int:
    """Return the least level that at most so many of the sorted levels reach."""
    level = levels[-1] + 1 if levels else 1
    while len(levels) - bisect_left(levels, level - 1) <= most and level > (levels[0] if levels else 1):
        level -= 1
    return level


def table_lines(cells: dict[Cell, LeastLevels]) -> Iterator[str]:
    """Yield the lines of the file: one for each game and number of seats."""
    for game in GAMES:
        yield f"{'{' if game == next(iter(GAMES)) else ','}{dumps(game)}: {{"
        rows = [f"{dumps(str(seats))}: {dumps(found)}" for (key, seats), found in cells.items() if key == game]
        yield ",\n".join(rows)
        yield "}"
    yield "}"


def main() -> None:
    """Write the table."""
    parser = ArgumentParser(description="Writes the rarities of stories.")
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"matches a cell (default: {MATCHES})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    arguments = parser.parse_args()
    cells = [(game, seats) for game in GAMES for seats in SEATS]
    with get_context("spawn").Pool(arguments.jobs) as pool:
        found = pool.map(partial(least_levels, matches=arguments.matches), cells, chunksize=1)
    TABLE.write_text("\n".join(table_lines(dict(zip(cells, found, strict=True)))) + "\n")


if __name__ == "__main__":
    main()
