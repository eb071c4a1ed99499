"""What every command takes, as a parser. What the commands are for is in usage.py, what they start in __main__.py."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from fourtwenty import __version__
from fourtwenty.games import GAMES
from fourtwenty.lineup import COACHING
from fourtwenty.usage import COMMANDS, PAGE

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LIST = "seats in table order, comma-separated: NAME is a person, bot:NAME a bot"
SEED = "throw the dice of this seed, up to 64 hexadecimal digits"


class UsageError(ValueError):
    """The arguments make no sense; its text is a line that says why."""


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, and those of an output that cannot be written, too."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print how it is used; argparse would say nothing of a full disk."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(f"{self.prog}: {message}")


class Program(Parser):
    """The parser of the whole command line."""

    def format_help(self) -> str:
        """Return the page that needs no parser."""
        return PAGE


def number(text: str) -> int:
    """Read a whole number. Raises ArgumentTypeError for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 up")
    return int(text)


def port(text: str) -> int:
    """Read the number of a port. Raises ArgumentTypeError for any other text."""
    if number(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: they go up to 65535")
    return int(text)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the arguments ask for; the command is None for the lobby.

    Raises UsageError when they make no sense; ends the program after help and version.
    """
    whole = Program(prog="fourtwenty")
    whole.add_argument("--version", action="version", version=f"fourtwenty {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)

    def command(name: str) -> argparse.ArgumentParser:
        about = COMMANDS[name]
        return commands.add_parser(name, description=f"{about[0].upper()}{about[1:]}.")

    play = command("play")
    play.add_argument("--game", choices=list(GAMES), default="420", help="which game (420)")
    play.add_argument("--players", metavar="LIST", default="You,bot:Steady", help=f"{LIST} (You,bot:Steady)")
    play.add_argument("--seed", metavar="HEX", help=SEED)
    play.add_argument("--dice", choices=["fair", "typed"], default="fair", help="real dice are typed (fair)")

    play.add_argument(
        "--coach", choices=COACHING, default="off", help="what the odds tell everybody: nothing, chances, all (off)"
    )

    play.add_argument(
        "--position", metavar="TEXT", help="start from there, as '*6551 >4332 roll 2' (nobody has rolled)"
    )

    play.add_argument("--plain", action="store_true", help="lines of text and typed commands instead of the screen")

    play.add_argument(
        "--word", action="append", metavar="WORD", help="with --plain: a word for the dice, of each person in turn"
    )

    serve = command("serve")
    serve.add_argument("--port", metavar="PORT", type=port, default=8420, help="where; 0 for any free one (8420)")

    odds = command("odds")
    odds.add_argument("hand", metavar="HAND", help="four digits, as 6551; - before its first roll")
    odds.add_argument(
        "opponents",
        metavar="OPPONENT",
        nargs="*",
        default=[],
        help="the other hands in the order they play (one not yet rolled)",
    )

    values = command("values")
    values.add_argument("players", metavar="PLAYERS", type=number, help="how many")

    strategy = command("strategy")

    simulate = command("simulate")
    simulate.add_argument("--players", metavar="LIST", required=True, help=f"{LIST}; bots only")
    simulate.add_argument("--matches", metavar="N", type=number, required=True, help="how many matches")
    simulate.add_argument("--game", choices=list(GAMES), default="420", help="which game (420)")
    simulate.add_argument("--seed", metavar="HEX", help=SEED)

    history = command("history")

    export = command("export")
    export.add_argument("id", metavar="ID", type=number, help="which match, by its number in the history")

    for keeping in (whole, play, serve, history, export):
        keeping.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="where matches are kept")

    for screen in (whole, play):
        screen.add_argument(
            "--ascii", action="store_true", default=argparse.SUPPRESS, help="draw with plain ASCII characters"
        )

    verify = command("verify")
    verify.add_argument("file", metavar="FILE", help="the record; - for standard input")
    verify.add_argument("--strict", action="store_true", help="refuse a record whose faces nobody can check")
    verify.add_argument("--until-error", action="store_true", help="print what happened, up to the first wrong thing")

    for printing in (odds, values, strategy, simulate, history):
        printing.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    chosen = whole.parse_args(arguments)
    if chosen.__dict__.get("data_dir") == "":
        whole.error("--data-dir: which folder?")
    return chosen
