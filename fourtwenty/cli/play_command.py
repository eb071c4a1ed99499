"""The command ``play``, on the screen or in lines of text."""

from __future__ import annotations

import argparse
import sys
from contextlib import closing, suppress

from fourtwenty.console import escape_unencodable_output, exit_with_error, write_line
from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.play.dice import FairDice, parse_seed
from fourtwenty.play.lineup import FIRST_SEATS, Lineup, Seat, parse_players, seats_for_position


def match_options(arguments: argparse.Namespace) -> tuple[Lineup, FairDice | None, State | None]:
    """Return the line-up, dice of a given seed, and a first position if one is given; or end the program."""
    option = "--players"
    try:
        typed = arguments.dice == "typed"
        lineup = Lineup(_seats(arguments), game=arguments.game, coach=arguments.coach, typed=typed)
        option = "--seed"
        dice = FairDice(parse_seed(arguments.seed), given=True) if arguments.seed is not None else None
        if dice and typed:
            raise ValueError("real dice have no seed; leave out --seed, or --dice typed")
        option = "--position"
        start = lineup.parse_position(arguments.position) if arguments.position is not None else None
    except ValueError as error:
        exit_with_error(f"fourtwenty: {option}: {error}")
    return lineup, dice, start


def _seats(arguments: argparse.Namespace) -> tuple[Seat, ...]:
    if arguments.players is not None:
        return parse_players(arguments.players)
    if arguments.position is not None:
        with suppress(ValueError):  # it is parsed again, and refused, once the rest has been read
            return seats_for_position(GAMES[arguments.game].parse(arguments.position))
    return FIRST_SEATS


def play_in_lines(arguments: argparse.Namespace) -> None:
    """Play in lines: the given match, then more from the home; only one match unless a terminal sends lines."""
    from fourtwenty.cli.plain_home import PlainHome
    from fourtwenty.cli.typed_lines import TypedLines, run, standard_input
    from fourtwenty.file_storage import history_file
    from fourtwenty.journal.history import History
    from fourtwenty.play.match import Match, SaveError

    escape_unencodable_output()
    options = match_options(arguments)
    lines = standard_input()
    asks = sys.stdin is not None and sys.stdin.isatty()

    async def play() -> None:
        home = PlainHome(history, TypedLines(lines), write_line, more=asks)
        if arguments.resume is not None:
            try:
                await home.resume(arguments.resume or None)
            except (ValueError, SaveError) as error:
                exit_with_error(f"fourtwenty: --resume: {error}")
        elif not asks or _asks_for_match(arguments):
            await home.play(Match.fresh(*options))
        if asks:
            await home.run()

    with closing(History(history_file(), write_line)) as history:
        run(play())


def _asks_for_match(arguments: argparse.Namespace) -> bool:
    from fourtwenty.cli.arguments import parse

    given, default = vars(arguments), vars(parse(["play", "--plain"]))
    return any(given[name] != value for name, value in default.items())
