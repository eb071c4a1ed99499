"""The texts beside the players in the lobby: the game in short, the evening and those before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from textwrap import wrap
from typing import TYPE_CHECKING

from textual.content import Content

from fourtwenty.games.game import Game
from fourtwenty.play.clock import local
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.widgets.seats import fit

if TYPE_CHECKING:
    from fourtwenty.play.tally import Played

ASIDE_WIDTH = 50
"""The width of the texts in cells."""
EVENINGS = 5
"""The greatest number of past evenings that are listed."""


def tally_of_evenings(played: Sequence[Played], lineup: Lineup) -> tuple[str, list[str]]:
    """Return the tally of the evening, and a line about each evening before, latest first.

    The tally is empty for fewer people than are counted.
    """
    if not played:
        return "", []
    from fourtwenty.play.tally import evenings, tally_of, tonight

    evening = tonight(played, datetime.now(UTC))
    past = [each for each in evenings(played) if each != evening][-EVENINGS:]
    tally = tally_of(lineup, evening).sentence if lineup.is_counted else ""
    return tally, [_evening(each) for each in reversed(past)]


def rows_beside(game: Game, remembers: bool) -> int:
    """Return the number of lines for the texts, with past evenings only where some may be remembered."""
    return len(_part("In short", game.brief)) + (len(_part("Past evenings", [""] * EVENINGS)) if remembers else 0)


def lines_beside(game: Game, tonight: str, past: Sequence[str], room: int) -> list[Content]:
    """Return as many parts of the texts as there is room for, in lines, and as many past evenings."""
    lines: list[Content] = []
    for heading, texts in (("In short", game.brief), ("Tonight", wrap(tonight, ASIDE_WIDTH)), ("Past evenings", past)):
        fitting = texts[: max(0, room - 2 - len(lines))] if texts is past else texts
        part = _part(heading, fitting)
        if fitting and len(lines) + len(part) <= room + 1:
            lines += part
    return lines


def _part(heading: str, lines: Sequence[str]) -> list[Content]:
    texts = (Content(fit(line, ASIDE_WIDTH).rstrip()) for line in lines)
    return [Content.styled(heading, "bold $primary"), *texts, Content()]


def _evening(evening: Sequence[Played]) -> str:
    """Return the day of an evening, its number of matches, and who was counted how often, most first."""
    counts = Counter(name for match in evening for name in match.counted)
    standings = ", ".join(f"{name} {count}" for name, count in counts.most_common(3))
    games = f"{len(evening)} {'game' if len(evening) == 1 else 'games'}"
    return f"{local(evening[0].ended):%Y-%m-%d}  {games}: {standings}"
