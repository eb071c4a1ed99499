"""What every command takes, as a parser. What the commands are for is in usage.py, what they start in __main__.py."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from fourtwenty import __version__
from fourtwenty.cli.help_page import COMMANDS, PAGE, columns, printable
from fourtwenty.games import GAMES
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.lineup import COACHING

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LIST = "the seats in table order, comma-separated: NAME is a person, bot:NAME a bot"
SEED = "roll the dice of this seed, up to 64 hexadecimal digits"
GAME = "420 (the default), 421 with its 21 tokens, or Four Twenty-One over ten rounds"

EXAMPLES = {
    "play": {
        "--players Ann,Ben,bot:Bold": "two people and a bot",
        "--game 421 --coach full": "421 with a coach",
        "--dice typed": "with real dice",
        "--plain --word rain": "in lines of text, with a word",
        "--position '*6551 >4332 roll 2'": "from a position",
    },
    "serve": {"": "at http://127.0.0.1:8420", "--port 0": "at any free port"},
    "odds": {"6551": "every choice with 6 5 5 1", "6551 4332 -": "against 4 3 3 2 and somebody yet to roll"},
    "values": {"3": "three players"},
    "strategy": {"": "on one screen", "--json": "for a program"},
    "simulate": {
        "--players bot:Perfect,bot:Tipsy --matches 10000": "",
        "--players bot:Bold,bot:Sober --matches 1000 --game 421": "",
    },
    "history": {"": "a line a match", "--json": "for a program"},
    "export": {"12 >match.json": "number 12 of the history"},
    "verify": {
        "match.json": "a record somebody sent you",
        "match.json --until-error": "with all that happened",
        "match.json --strict": "only if all is checked",
    },
}
"""Arguments of every command, and what they do."""
SEATING = ("play", "simulate")
"""The commands that seat bots."""
KEEPING = ("play", "serve", "history", "export")
"""The commands that keep matches, or look at those that are kept."""


class UsageError(ValueError):
    """The arguments make no sense; its text is a line that says why."""


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, and those of an output that cannot be written, too."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print how it is used; argparse would say nothing of a full disk."""
        encoding = sys.stdout.encoding if sys.stdout else "utf-8"
        print(self.format_help().encode(encoding, "backslashreplace").decode(encoding), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise UsageError."""
        raise UsageError(f"{self.prog}: {message}")


class Command(Parser):
    """The parser of one command."""

    def format_help(self) -> str:
        """Return what it takes, with examples; the bots where it seats them, the folder where it keeps matches."""
        _, name = self.prog.split()
        examples = {f"{self.prog} {line}".rstrip(): does for line, does in EXAMPLES[name].items()}
        page = f"{super().format_help()}\nexamples:\n{columns(examples)}\n"
        if name in SEATING:
            page += f"\nbots:\n{columns({bot.name: bot.about for bot in CHARACTERS.values()})}\n"
        if name in KEEPING:
            from fourtwenty.paths import data_folder

            page += f"\nMatches are kept in {printable(str(data_folder()))}\n"
        return page


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
    whole = parser()
    chosen = whole.parse_args(arguments)
    if chosen.__dict__.get("data_dir") == "":
        whole.error("--data-dir: which folder?")
    return chosen


def parser() -> Program:
    """Return the parser of the whole command line."""
    whole = Program(prog="fourtwenty")
    whole.add_argument(
        "-V", "--version", action="version", version=f"fourtwenty {__version__}", help="print the version"
    )
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", parser_class=Command)

    def command(name: str) -> argparse.ArgumentParser:
        about = COMMANDS[name]
        return commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")

    play = command("play")
    play.add_argument("--game", choices=list(GAMES), default="420", help=GAME)
    play.add_argument("--players", metavar="LIST", default="You,bot:Steady", help=f"{LIST} (default: You,bot:Steady)")
    play.add_argument(
        "--seed", metavar="HEX", help="take this seed for the dice, up to 64 hexadecimal digits, instead of a fresh one"
    )

    play.add_argument(
        "--dice",
        choices=["fair", "typed"],
        default="fair",
        help="fair: the computer rolls (the default); typed: you roll real dice and type them in",
    )

    play.add_argument(
        "--coach",
        choices=COACHING,
        default="off",
        help="off (the default); odds: everyone's chances; full: also what each choice costs",
    )

    play.add_argument(
        "--position",
        metavar="TEXT",
        help="start from a position: one hand per player, * marks who started, > whose turn it is",
    )

    play.add_argument("--plain", action="store_true", help="lines of text and typed commands instead of the screen")

    play.add_argument(
        "--word", action="append", metavar="WORD", help="with --plain: a word for the dice, of each person in turn"
    )

    serve = command("serve")
    serve.add_argument(
        "--port", metavar="PORT", type=port, default=8420, help="8420 by default; 0 for any that is free"
    )

    odds = command("odds")
    odds.add_argument("hand", metavar="HAND", help="four digits, as 6551; - before its first roll")
    odds.add_argument(
        "opponents",
        metavar="OPPONENT",
        nargs="*",
        default=[],
        help="the other hands in the order they play; by default one that is yet to roll",
    )

    values = command("values")
    values.add_argument("players", metavar="PLAYERS", type=number, help="how many")

    strategy = command("strategy")

    simulate = command("simulate")
    simulate.add_argument("--players", metavar="LIST", required=True, help=f"{LIST}; bots only")
    simulate.add_argument(
        "--matches", metavar="N", type=number, required=True, help="how many; ctrl+c shows those counted so far"
    )
    simulate.add_argument("--game", choices=list(GAMES), default="420", help=GAME)
    simulate.add_argument("--seed", metavar="HEX", help=SEED)

    history = command("history")

    export = command("export")
    export.add_argument("id", metavar="ID", type=number, help="which match, by its number in the history")

    for keeping in (whole, *(commands.choices[name] for name in KEEPING)):
        keeping.add_argument(
            "--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="keep matches and settings in this folder"
        )

    for drawing in (whole, play):
        drawing.add_argument(
            "--ascii", action="store_true", default=argparse.SUPPRESS, help="draw with plain ASCII characters"
        )

    verify = command("verify")
    verify.add_argument("file", metavar="FILE", help="the record; - for standard input")
    verify.add_argument("--strict", action="store_true", help="refuse a record whose faces nobody can check")
    verify.add_argument("--until-error", action="store_true", help="print what happened, up to the first wrong thing")

    for printing in (odds, values, strategy, simulate, history):
        printing.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return whole
