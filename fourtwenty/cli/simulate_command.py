"""The command ``simulate``: matches between bots, counted by the seats that come first and last."""

from __future__ import annotations

import time
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from math import sqrt
from typing import TYPE_CHECKING

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.words import counted
from fourtwenty.streams import print_json

if TYPE_CHECKING:
    from fourtwenty.cli.rule_costs import RuleCosts
    from fourtwenty.odds.interface import Ending
    from fourtwenty.play.lineup import Lineup, Seat


Finish = tuple[tuple[int, ...], tuple[int, ...]]
"""The seats in the first place and those in the last place of a match."""


class Frequency(Struct, frozen=True):
    """The relative frequency of one result of a seat in a simulation, from 0 to 1."""

    share: float
    """In a match with several seats in the place, each of them counts for an equal part."""
    error: float
    perfect: float | None
    """Probability of the result if everybody plays best; None where it is unknown."""


class SeatResults(Struct, frozen=True):
    """The results of one seat in a simulation."""

    seat: Seat
    first: Frequency
    """Frequency of coming first: in 420, of winning the round."""
    last: Frequency
    """Frequency of coming last: in 420, of buying the drinks."""
    costs: RuleCosts | None = None
    """The costs of a user's rule."""


def simulate(arguments: Namespace) -> None:
    """Play matches between bots and print how often each came first and last.

    Raises ValueError when a person is seated, a process fails, or a user's rule cannot be played. After ctrl+c prints
    the results so far, and raises KeyboardInterrupt.
    """
    from fourtwenty.odds import odds_of
    from fourtwenty.play.dice import FairDice, parse_seed
    from fourtwenty.play.match import Match

    seed = parse_seed(arguments.seed) if arguments.seed is not None else FairDice.fresh().seed
    lineup = _lineup_of_bots(arguments)
    if arguments.matches < 1:
        raise ValueError("one game or more")
    if arguments.jobs < 1:
        raise ValueError("one job or more")
    began = time.perf_counter()
    finishes, costs = _play_and_count(lineup, arguments.matches, seed, arguments.jobs)
    matches = finishes.total()
    if not matches:
        raise KeyboardInterrupt
    speed = matches / (time.perf_counter() - began)
    cleared = Match(lineup).state
    odds = odds_of(cleared)
    results = _seat_results(lineup, finishes, odds.ending(cleared), costs)
    estimated = odds.approximate(cleared)
    all_perfect = all(seat.bot == "Perfect" for seat in lineup.seats)
    interrupted = matches < arguments.matches
    if arguments.json:
        print_json(
            {
                "game": lineup.game,
                "matches": matches,
                "seed": seed.hex(),
                "seats": [_seat_json(each, estimated, all_perfect) for each in results],
                "matches_per_second": speed,
                "interrupted": interrupted,
            }
        )
    else:
        played = counted(arguments.matches, "game", "games")
        if interrupted:
            played = f"Interrupted after {matches:,} of {played}"
        known = any(frequency.perfect is not None for each in results for frequency in (each.first, each.last))
        brackets = f"; in brackets: {'what to expect' if all_perfect else 'if everybody played best'}" if known else ""
        print(f"{played}, {lineup.seats[0].name} starts{brackets}\n")
        _print_results(results, GAMES[lineup.game].ends, estimated)
        for each in costs.values():
            print("".join(f"\n{line}" for line in each.lines()))
        print(f"\n{counted(round(speed), 'game', 'games')} a second; seed {seed.hex()}")
    if interrupted:
        raise KeyboardInterrupt


def _lineup_of_bots(arguments: Namespace) -> Lineup:
    from fourtwenty.play.lineup import Lineup, parse_players

    lineup = Lineup(parse_players(arguments.players, own_rules=True), game=arguments.game, starting_seat=0)
    people = [seat.name for seat in lineup.seats if seat.bot is None]
    if people:
        raise ValueError(f"{people[0]} is a person; every seat of a simulation is a bot, as bot:Steady")
    return lineup


def _play_and_count(
    lineup: Lineup, matches: int, seed: bytes, jobs: int
) -> tuple[Counter[Finish], dict[int, RuleCosts]]:
    """Play until all matches are finished, or until ctrl+c.

    Return the counts of pairs of first and last places, and the costs of users' rules by seat.
    """
    from fourtwenty.cli.progress import Progress
    from fourtwenty.cli.rule_costs import RuleCosts
    from fourtwenty.play.own_rule import WrongRule
    from fourtwenty.play.simulation import JobFailed, own_rules, play_and_judge

    costs = {seat: RuleCosts(lineup.seats[seat].name) for seat in own_rules(lineup)}
    finishes: Counter[Finish] = Counter()
    progress = Progress(matches)
    try:
        with closing(play_and_judge(lineup, matches, seed, jobs)) as all_played:
            for number, played in enumerate(all_played, 1):
                finishes[played.outcome.places[0], played.outcome.places[-1]] += 1
                for seat, judged in played.judged.items():
                    for each in judged:
                        costs[seat].add(each)
                progress.show(number)
    except KeyboardInterrupt:
        progress.leave()
    except (JobFailed, WrongRule) as error:
        progress.leave()
        raise ValueError(str(error)) from error
    return finishes, costs


def _seat_results(
    lineup: Lineup, finishes: Counter[Finish], perfect: Ending, costs: Mapping[int, RuleCosts]
) -> list[SeatResults]:
    first: Counter[tuple[int, ...]] = Counter()
    last: Counter[tuple[int, ...]] = Counter()
    for (first_seats, last_seats), times in finishes.items():
        first[first_seats] += times
        last[last_seats] += times
    return [
        SeatResults(
            seat,
            _frequency(index, first, perfect.first),
            _frequency(index, last, perfect.last),
            costs.get(index),
        )
        for index, seat in enumerate(lineup.seats)
    ]


def _frequency(seat: int, counts: Counter[tuple[int, ...]], perfect: tuple[float, ...] | None) -> Frequency:
    """The frequency with which a seat had a place, from the counts of the seats that shared it."""
    matches = counts.total()
    shares = [(1 / len(seats), times) for seats, times in counts.items() if seat in seats]
    share = sum(part * times for part, times in shares) / matches
    square = sum(part**2 * times for part, times in shares) / matches
    return Frequency(share, sqrt(max(0.0, square - share**2) / matches), perfect[seat] if perfect else None)


def _seat_json(results: SeatResults, estimated: bool, all_perfect: bool) -> dict[str, object]:
    document: dict[str, object] = {"name": results.seat.name, "bot": results.seat.bot}
    for name, frequency in (("round", results.first), ("drinks", results.last)):
        document |= {name: frequency.share, f"{name}_error": frequency.error}
        if frequency.perfect is not None:
            perfect = round(frequency.perfect, 2) if estimated else frequency.perfect
            document |= {f"perfect_{name}": perfect, **({f"expected_{name}": perfect} if all_perfect else {})}
    return document | (results.costs.json() if results.costs else {})


def _print_results(results: Sequence[SeatResults], ends: tuple[str, str], estimated: bool) -> None:
    """Print one line for each seat under the game's words for coming first and last, with the cost of a user's rule."""
    rows = [("seat", *ends, "lost per decision" if any(each.costs for each in results) else "")]
    rows += [
        (
            each.seat.name,
            _percent(each.first, estimated),
            _percent(each.last, estimated),
            each.costs.skill if each.costs else "",
        )
        for each in results
    ]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("   ".join(map(str.ljust, row, wide)).rstrip())


def _percent(frequency: Frequency, estimated: bool) -> str:
    """A frequency in percent, with its error and, in brackets, the probability if everybody plays best."""
    brackets = ""
    if frequency.perfect is not None:
        brackets = f"  (about {frequency.perfect:.0%})" if estimated else f"  ({100 * frequency.perfect:5.2f}%)"
    return f"{100 * frequency.share:5.2f} ±{100 * frequency.error:5.2f}%{brackets}"
