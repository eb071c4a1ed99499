"""Parts of a card for a chat: its first line and its squares, of emoji or in ASCII; the squares of days."""

from __future__ import annotations

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


def in_ascii(card: str) -> str:
    """Return a card with ASCII characters for all of its own; names are left as they are.

    >>> in_ascii("🎲 420 · won\\n🟨🟩 Ann")
    '420 - won\\n-+ Ann'
    """
    return card.translate(IN_ASCII).removeprefix(" ")
