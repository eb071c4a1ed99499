"""A finished match as a short text for a chat: result, skill and luck."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from fourtwenty.games.english import in_words, is_you, join_faces
from fourtwenty.journal import links
from fourtwenty.journal.record import Record
from fourtwenty.play.clock import day_in_words
from fourtwenty.play.format import signed
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import Round
from fourtwenty.review.highlights import hand_of, luckiest, one_in

SENDER = "Me"
"""The name in the text for the player "You"."""
BARS = "▁▂▃▄▅▆▇█"
MAX_BARS = 10


def match_text(match: Match, rounds: Sequence[Round], day: date) -> str:
    """Return a finished match as lines, a link last. Raises ValueError if it goes on."""
    from fourtwenty.cells import cell_len, ljust

    if not match.state.outcome:
        raise ValueError("this game is not over yet")
    names = [SENDER if is_you(name) else name for name in match.names]
    headline = match.state.report(match.names).headline
    if is_you(headline.partition(" ")[0]):
        headline = f"I {headline.partition(' ')[2]}"
    lines = [
        f"{match.game.name} · {day_in_words(day)} · {headline}",
        *(f"{ljust(name, max(map(cell_len, names)))}  {_bars(rounds, seat)}" for seat, name in enumerate(names)),
    ]
    if lucky := luckiest(rounds):
        lines.append(f"{names[lucky.seat]}: {join_faces(hand_of(lucky))}, a chance of 1 in {one_in(rounds, lucky):,}")
    # a figure, because every match has somebody with the least luck
    luck, name = min((sum(each.ledger(seat).luck for each in rounds), name) for seat, name in enumerate(names))
    if luck < 0:
        estimated = any(each.estimated for each in rounds)
        lines.append(f"{name}: luck {signed(luck, estimated)}, the least of {in_words(len(names))}")
    if home := links.homepage():
        with suppress(ValueError):
            lines.append(links.link(Record.from_match(match), home))
    return "\n".join(lines)


def _bars(rounds: Sequence[Round], seat: int) -> str:
    played = [each for each in rounds if each.start.standing(seat).playing]
    turns = [moment.values_after[seat] for each in played for moment in each.moments if moment.event.seat == seat]
    ends = [each.chances()[-1][seat] for each in played[-1:] if each.moments[-1].event.seat != seat]
    return "".join(BARS[min(len(BARS) - 1, int(len(BARS) * chance))] for chance in [*turns, *ends][-MAX_BARS:])
