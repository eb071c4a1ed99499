"""The speed of the engine and of the coach, by hand: ``python tests/benchmarks/playouts.py``; CPU seconds, one run.

Random playouts of OpenSpiel are measured beside ours when it is installed. It takes two minutes.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from random import Random
from statistics import median

from fourtwenty.games import GAMES
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, parse_players
from fourtwenty.play.match import Match

SECONDS = 1.0
"""The CPU time of every figure, and of the matches that are played before it to fill the caches."""

TABLES = (2, 3, 4, 6, 12)
TWELVE = 12
ROLLS = 60
"""The number of answers of the coach at a table of twelve."""

OPEN_SPIEL = ("python_kuhn_poker", "python_tic_tac_toe", "backgammon")
COACH = "import sys; sys.path.insert(0, sys.argv[1]); import playouts; playouts.print_answers(sys.argv[2])"


def rates(playouts: Iterator[tuple[int, int]]) -> tuple[float, float]:
    """Return two counts a CPU second, each summed over playouts that take ``SECONDS``, after as long a warm-up."""
    for _ in range(2):
        sums = [0, 0]
        began = time.process_time()
        while (spent := time.process_time() - began) < SECONDS:
            for kind, number in enumerate(next(playouts)):
                sums[kind] += number
    return sums[0] / spent, sums[1] / spent


def matches(game: str, *bots: str) -> Iterator[tuple[int, int]]:
    """Play matches between these bots without end: one match, and its actions."""
    lineup = Lineup(parse_players(",".join(f"bot:{bot}" for bot in bots)), game=game, starting_seat=0)
    for number in count():
        match = Match(lineup, FairDice(sha256(number.to_bytes(8, "big")).digest()))
        match.play_out()
        yield 1, len(match.events)


def spiel(name: str) -> Iterator[tuple[int, int]]:
    """Play a game of OpenSpiel at random without end: the players' actions, and all with those of chance."""
    import pyspiel
    from open_spiel.python.games import kuhn_poker, tic_tac_toe  # noqa: F401 - they register themselves

    game, rng = pyspiel.load_game(name), Random(420)
    while True:
        state = game.new_initial_state()
        players = chance = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
                chance += 1
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                players += 1
        yield players, players + chance


def milliseconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def print_answers(game: str) -> None:
    """Print the milliseconds of each whole answer of the coach in a match of twelve, the first in a new process."""
    from fourtwenty.play.advice import Advisor

    lineup = Lineup(parse_players(",".join(["bot:Random"] * TWELVE)), game=game, starting_seat=0, coach="full")
    match = Match(lineup, FairDice(bytes(32)))
    advisor: Advisor

    def answer() -> None:
        nonlocal advisor
        advisor = Advisor(match.state)
        advisor.every_advice(match.state)
        advisor.shares(match.state)

    while not match.state.outcome and len(match.events) < ROLLS:
        if match.state.to_act is None:
            match.next_round()
        print(milliseconds(answer))
        match.act(match.bot_action())


def ours() -> None:
    """Print the speed of matches between bots."""
    print("two Random, actions a second, dice included")
    for game in GAMES:
        print(f"  {game:20}{rates(matches(game, 'Random', 'Random'))[1]:12,.0f}", flush=True)
    print("two Perfect, matches a second")
    for game in GAMES:
        print(f"  {game:20}{rates(matches(game, 'Perfect', 'Perfect'))[0]:12,.0f}", flush=True)
    print("one Perfect beside Random: matches a second as a multiple of all Random")
    print(f"  {'seats':20}" + "".join(f"{seats:8}" for seats in TABLES))
    for game in GAMES:
        print(f"  {game:20}", end="")
        for seats in TABLES:
            others = ["Random"] * (seats - 1)
            ratio = rates(matches(game, "Perfect", *others))[0] / rates(matches(game, "Random", *others))[0]
            print(f"{ratio:8.2f}", end="", flush=True)
        print()


def coach() -> None:
    """Print the time of the coach's answers at a table of twelve."""
    print(f"the coach's whole answer at a table of twelve, ms, {ROLLS} in a row" + "\n" + " " * 24, end="")
    print("first  later: median   worst")
    for game in GAMES:
        command = [sys.executable, "-c", COACH, sys.path[0], game]
        first, *later = map(float, subprocess.check_output(command).split())
        print(f"  {game:20}{first:7.1f}{median(later):15.2f}{max(later):8.1f}", flush=True)


def theirs() -> None:
    print("OpenSpiel, random playouts: actions of players a second, and all with those of chance")
    for name in OPEN_SPIEL:
        print("  {:20}{:12,.0f}{:12,.0f}".format(name, *rates(spiel(name))), flush=True)


def main() -> None:
    ours()
    coach()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel")
    else:
        theirs()


if __name__ == "__main__":
    main()
