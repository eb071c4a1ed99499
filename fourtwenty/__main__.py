"""The command line. It imports the app only when the app is started."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from fourtwenty import __version__

if TYPE_CHECKING:
    from fourtwenty.dice import Dice
    from fourtwenty.lineup import Lineup


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what was wrong and end with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def parser() -> Parser:
    """Return the parser of the whole command line."""
    from fourtwenty.games import GAMES

    main = Parser(prog="fourtwenty", description="420, Mark Steere's dice game. Without a command: the lobby.")
    main.add_argument("--version", action="version", version=f"fourtwenty {__version__}")
    commands = main.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    play = commands.add_parser("play", help="go straight to the table", description="Go straight to the table.")
    play.add_argument("--game", choices=list(GAMES), default="420", help="which game (420)")
    play.add_argument(
        "--players",
        metavar="LIST",
        default="You,bot:Steady",
        help="seats in table order, comma-separated: NAME is a person, bot:NAME a bot (You,bot:Steady)",
    )
    play.add_argument("--seed", metavar="HEX", help="throw the dice of this seed, up to 64 hexadecimal digits")
    play.add_argument("--dice", choices=["fair"], default="fair", help="which dice (fair)")
    return main


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    commands = parser()
    chosen = commands.parse_args(arguments)
    if chosen.command is None:
        return _run_app(commands)

    from fourtwenty.dice import FairDice, parse_seed
    from fourtwenty.lineup import Lineup, parse_players

    try:
        seats = parse_players(chosen.players)
    except ValueError as error:
        commands.error(f"--players: {error}")
    try:
        dice = FairDice(parse_seed(chosen.seed)) if chosen.seed is not None else None
    except ValueError as error:
        commands.error(f"--seed: {error}")
    return _run_app(commands, Lineup(seats, game=chosen.game), dice)


def _run_app(commands: Parser, lineup: Lineup | None = None, dice: Dice | None = None) -> int:
    streams = (sys.stdin, sys.stdout, sys.stderr)
    if "TEXTUAL_DRIVER" not in os.environ and not all(stream is not None and stream.isatty() for stream in streams):
        commands.error("the table needs a terminal; start it in one, with neither input nor output redirected")
    # In terminals with a pixel mouse, Textual 8 leaves mode 1016 on behind it.
    os.environ.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")

    from fourtwenty.app import FourTwentyApp

    app = FourTwentyApp(lineup, dice)
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
