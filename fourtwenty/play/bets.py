"""Bets between two rounds of people who are out, on who buys the drinks. Who was right is in tally.py."""

from __future__ import annotations

from fourtwenty.play.match import Match


def candidates(match: Match) -> tuple[int, ...]:
    """Return the seats that play the next round; none while a round or after the match, or once a seat has left."""
    state = match.state
    if state.to_act is not None or state.outcome or state.left:
        return ()
    return state.next_round().remaining


def bettors(match: Match) -> tuple[int, ...]:
    """Return the seats of the people who are out and have not bet in this match."""
    playing = candidates(match)
    people = (seat for seat, player in enumerate(match.lineup.seats) if not player.bot)
    return tuple(seat for seat in people if playing and seat not in playing and seat not in match.bets)


def bet(match: Match, seat: int, on: int) -> None:
    """Let a person bet that another seat is the one that the tally counts. Raises ValueError with a sentence."""
    if seat not in bettors(match):
        raise ValueError("Only people who are out can bet, once a game, between two rounds.")
    if on not in candidates(match):
        raise ValueError(f"{match.names[on]} is out.")
    match.add_bet(seat, on)
