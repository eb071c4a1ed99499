"""Parts of a card for a chat: its first line and its squares, of emoji or in ASCII; the squares of days."""

from __future__ import annotations

from collections.abc import Sequence

from fourtwenty.games.english import pluralize
from fourtwenty.games.game import Game

GREEN, YELLOW, RED, WHITE = "🟩🟨🟥⬜"
"""Squares: won or right, played on, lost or wrong, and nothing."""

Marks = tuple[str, str, str, str]
"""The marks of days: right, wrong, left out, and today before the answer."""
MARKS: Marks = ("● ", "× ", "· ", "? ")
SQUARES: Marks = (GREEN, RED, WHITE, WHITE)

IN_ASCII = str.maketrans({GREEN: "+", YELLOW: "-", RED: "x", WHITE: ".", "·": "-", "🎲": None})


def first_line(game: Game, *parts: str) -> str:
    """Return the line with the game, its author and what came of it: "🎲 420 by Mark Steere · Ben buys the drinks"."""
    return " · ".join((f"🎲 {game.title}", *parts))


def week_words(week: Sequence[bool | None], run: int, marks: Marks) -> str:
    """Return a mark for each day, today last, and the days in a row with a right answer; empty without any answer.

    >>> week_words((None, False, True, True, None), 2, ("+", "x", ".", "?"))
    '.x++? 2 days in a row'
    """
    if {*week} == {None}:
        return ""
    right, wrong, unanswered, is_open = marks
    shown = "".join({True: right, False: wrong, None: unanswered}[each] for each in week[:-1])
    shown += {True: right, False: wrong, None: is_open}[week[-1]]
    return f"{shown} {pluralize(run, 'day', 'days')} in a row" if run > 1 else shown.rstrip()


def in_ascii(card: str) -> str:
    """Return a card with ASCII characters for all of its own; names are left as they are.

    >>> in_ascii("🎲 420 · won\\n🟨🟩 Ann")
    '420 - won\\n-+ Ann'
    """
    return card.translate(IN_ASCII).removeprefix(" ")
