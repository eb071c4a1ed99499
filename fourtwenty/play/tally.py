"""The tally of an evening: drinks bought, and bets between two rounds. No clock and no file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Self

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, name_and_verb, pluralize
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Lineup

if TYPE_CHECKING:
    from fourtwenty.play.match import Match

EVENING_ENDS_AFTER = timedelta(hours=6)
"""The time without a finished match after which an evening is over."""

MAX_GLASSES = 5
"""The most glasses of a player in a row."""


class Played(Struct, frozen=True):
    game: str
    ended: datetime
    places: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, match: Match, ended: datetime) -> Self:
        outcome, names = match.state.outcome, match.names
        assert outcome
        places = tuple((name, outcome.place(seat)) for seat, name in enumerate(names))
        return cls(match.game.key, ended, places)

    @property
    def counted(self) -> tuple[str, ...]:
        """The names in the game's tally: in 420, the one who buys the drinks."""
        places = [place for _, place in self.places]
        wanted = max(places) if GAMES[self.game].counts_last_place else min(places)
        return tuple(name for name, place in self.places if place == wanted)


class Tally(Struct, frozen=True):
    game: str
    counts: tuple[tuple[str, int], ...]
    reached: str = ""
    """The sentence about the player who has just reached the limit; else empty."""
    in_digits: bool = False
    """Whether numbers replace the glasses."""

    @property
    def standings(self) -> tuple[str, ...]:
        """The counts by seat, the first with its unit; none before the evening's first match.

        "Ann 2 wins", "Ben 1"; with a glass for each in 420: "Ann ▕▆▏▕▆▏", "Ben ▕▆▏".
        """
        game = GAMES[self.game]
        if not any(count for _, count in self.counts):
            return ()
        if game.glass and not self.in_digits:
            return tuple(f"{name} {_glasses(count, game.glass)}" for name, count in self.counts)
        (name, count), *others = self.counts
        return (f"{name} {pluralize(count, *game.tally)}", *(f"{name} {count}" for name, count in others))


def _glasses(count: int, glass: str) -> str:
    return (glass * count if count <= MAX_GLASSES else f"{count} × {glass}") or "–"


def tally_of(lineup: Lineup, played: Sequence[Played]) -> Tally:
    """Return the tally of a line-up's players and game over these matches, oldest first.

    It restarts after a match that brings somebody to ``lineup.first_to``.
    """
    names = {stored_name_key(seat.name): seat.name for seat in lineup.seats}
    counts: Counter[str] = Counter()
    winner = ""
    for match in played:
        if match.game != lineup.game:
            continue
        if winner:
            counts.clear()
        counts.update(map(stored_name_key, match.counted))
        winner = next((name for name in names if lineup.first_to and counts[name] >= lineup.first_to), "")
    return Tally(
        lineup.game,
        tuple((name, counts[key]) for key, name in names.items()),
        _reached(lineup, names[winner]) if winner else "",
    )


def _reached(lineup: Lineup, name: str) -> str:
    counted = f"{lineup.first_to} {GAMES[lineup.game].tally[1]}"
    return f"{name_and_verb(name, 'is', 'are')} first to {counted}. The tally starts again."


def evenings(played: Iterable[Played]) -> list[tuple[Played, ...]]:
    """Divide matches, in the order of their ends, into evenings: times may be of a wrong clock."""
    found: list[list[Played]] = []
    for match in played:
        if not found or abs(match.ended - found[-1][-1].ended) >= EVENING_ENDS_AFTER:
            found.append([])
        found[-1].append(match)
    return [tuple(evening) for evening in found]


def tonight(played: Iterable[Played], now: datetime) -> tuple[Played, ...]:
    """Return the matches of the current evening, from matches in the order of their ends."""
    *_, latest = [(), *evenings(played)]
    return latest if latest and abs(now - latest[-1].ended) < EVENING_ENDS_AFTER else ()


def candidates(match: Match) -> tuple[int, ...]:
    """Return the next round's seats; none during a round, after the match, or once a seat has left."""
    state = match.state
    if state.to_act is not None or state.outcome or state.departed:
        return ()
    return state.next_round().remaining


def bettors(match: Match) -> tuple[int, ...]:
    """Return the people's seats that are out and have not bet in this match."""
    playing = candidates(match)
    people = (seat for seat, player in enumerate(match.lineup.seats) if not player.bot)
    return tuple(seat for seat in people if playing and seat not in playing and seat not in match.bets)


def bet(match: Match, seat: int, on: int) -> None:
    """Let a person bet that the tally will count another seat. Raises ValueError with a sentence."""
    if seat not in bettors(match):
        raise ValueError("Only people who are out can bet, once a game, between two rounds.")
    if on not in candidates(match):
        raise ValueError(f"{match.names[on]} is out.")
    match.add_bet(seat, on)


def bet_lines(match: Match) -> Iterator[str]:
    """Yield a sentence for each bet that is open or lost by the finished round, after the match for every one."""
    outcome, still, out_now = match.state.outcome, candidates(match), match.out_now
    for seat, on in match.bets.items():
        name = match.names[seat]
        line = f"{name} bet on {'you' if is_you(match.names[on]) else match.names[on]}"
        if outcome and on in outcome.places[-1 if match.game.counts_last_place else 0]:
            yield f"{line}: right."
        elif outcome or on in out_now:
            yield f"{line}: wrong, {'you owe' if is_you(name) else f'{name} owes'} a drink."
        elif on in still or not still:
            yield f"{line}."
