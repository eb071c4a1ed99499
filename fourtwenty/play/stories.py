"""Tells the stories of a finished match, ranked by their rarity among matches between bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct, json

from fourtwenty.games import bar_421, four_twenty, ten_rounds
from fourtwenty.games.four_twenty_stories import STORIES as FOUR_TWENTY_STORIES, part_played
from fourtwenty.games.game import Faces
from fourtwenty.games.replay import rounds_of_steps
from fourtwenty.games.story import FindStories, PartPlayed, Story
from fourtwenty.games.three_dice_stories import BAR_421_STORIES, TEN_ROUNDS_STORIES, bar_421_part, ten_rounds_part
from fourtwenty.play.match import Match

STORIES: Mapping[str, Mapping[str, FindStories]] = {
    four_twenty.GAME.key: FOUR_TWENTY_STORIES,
    bar_421.GAME.key: BAR_421_STORIES,
    ten_rounds.GAME.key: TEN_ROUNDS_STORIES,
}
"""``[game][name]``: the stories of each game."""

PARTS: Mapping[str, PartPlayed] = {
    four_twenty.GAME.key: part_played,
    bar_421.GAME.key: bar_421_part,
    ten_rounds.GAME.key: ten_rounds_part,
}
"""``[game]``: what came of a seat, in a few words."""

RARITIES = (20, 40, 60, 100, 200)
"""The rarities that are told: of one match in so many, rounded down. A commoner story is not told."""

MAX_STORIES = 3
"""The most stories that are told of a match."""


class ToldStory(Struct, frozen=True):
    """A story that is worth telling."""

    sentence: str
    """The story with its rarity: "Ben was one away 7 times: 1 game in 40." It ends with a full stop."""
    seat: int
    """The seat of ``dice``."""
    dice: Faces
    one_in: int
    """The rarity, one of ``RARITIES``."""


def told_stories(match: Match, names: Sequence[str] = ()) -> tuple[ToldStory, ...]:
    """Return what is worth telling of a finished match, the rarest first; of stories with the same dice only that one.

    Nothing is told where no rarity is known: of a match that began from a position, that a seat has left, or with more
    seats than ``stories.json`` has. ``names`` by seat replace the players'.
    """
    least_levels = rarity_table()[match.game.key].get(len(match.names))
    if least_levels is None or match.set_up or match.state.departed:
        return ()
    told = []
    for name, story in stories_of(match, names).items():
        least = RARITIES if story.one_in else least_levels[name]
        reached = [one_in for one_in, level in zip(RARITIES, least, strict=True) if story.level >= level]
        if reached:
            share = "" if story.one_in else f": 1 game in {reached[-1]}"
            told.append(ToldStory(f"{story.sentence}{share}.", story.seat, story.dice, reached[-1]))
    told.sort(key=lambda each: -each.one_in)
    return tuple({(each.seat, each.dice): each for each in reversed(told)}.values())[::-1][:MAX_STORIES]


def stories_of(match: Match, names: Sequence[str] = ()) -> dict[str, Story]:
    """Return every story of a finished match by name, common ones too; of each the one that went furthest."""
    rounds = rounds_of_steps(match.start, match.events)
    found = {}
    for name, find in STORIES[match.game.key].items():
        story = max(find(names or match.names, rounds), key=lambda each: each.level, default=None)
        if story:
            found[name] = story
    return found


@cache
def rarity_table() -> dict[str, dict[int, dict[str, tuple[int, ...]]]]:
    """Return ``[game][seats][name]``: the least level of a story at each of ``RARITIES``.

    ``docs/paper/story_table.py`` writes it.
    """
    table = files("fourtwenty.play").joinpath("stories.json").read_bytes()
    return json.decode(table, type=dict[str, dict[int, dict[str, tuple[int, ...]]]])
