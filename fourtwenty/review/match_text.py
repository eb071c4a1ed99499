"""A finished match as a short text for a chat: who played, how it ended, skill and luck, and what a record proves."""

from __future__ import annotations

from fourtwenty.games.words import is_you, listed, sentence_case
from fourtwenty.journal.record import Record, fingerprint, write
from fourtwenty.play.match import Match
from fourtwenty.play.text import signed
from fourtwenty.review.analysis import rounds_of

SENDER = "Me"
"""The name in the text of the player who is "You" on the screen."""


def match_text(match: Match) -> str:
    """Return a finished match as lines of text: ``Record`` writes all of it.

    ``fourtwenty verify`` prints the same fingerprint for the record. Raises ValueError when the match is not over.
    """
    outcome, game = match.state.outcome, match.game
    if not outcome:
        raise ValueError("this game is not over yet")
    record = Record.of(match)
    names = [SENDER if is_you(name) else name for name in match.names]
    bots = [f"{name} (bot)" if seat.bot else name for name, seat in zip(names, match.lineup.seats, strict=True)]
    named = outcome.places[-1 if game.tallies_last else 0]
    rounds = rounds_of(match)
    lines = [
        f"{game.name}: {listed(bots)}",
        *(f"{label}: {value}" for label, value in match.state.report(names).facts),
        f"{sentence_case(game.ends[game.tallies_last])}: {listed(names[seat] for seat in named)}",
    ]
    for seat, name in enumerate(names):
        first, *others = (each.ledger(seat) for each in rounds)
        account = sum(others, first)
        lines.append(f"{name}: {account.skill_words()}, luck {signed(account.luck, account.estimated)}")
    if record.identifier:
        lines.append(f"Game {record.identifier}")
    return "\n".join([*lines, f"Fingerprint {fingerprint(write(record))} (fourtwenty verify)"])
