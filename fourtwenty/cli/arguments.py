"""The parser of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from fourtwenty import __version__
from fourtwenty.cli.help_page import HELP_PAGE, SUMMARIES, columns
from fourtwenty.console import strip_controls
from fourtwenty.games import GAMES
from fourtwenty.games.english import sentence_case
from fourtwenty.play.bots import BOTS

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LIST_HELP = "the seats in table order, comma-separated: NAME is a person, bot:NAME a bot"
POLICY_HELP = "bot:MODULE:FUNCTION a bot of your own (docs/own-bot.md); no people"
HERE_HELP = "who plays at this machine, comma-separated: NAME is a person, bot:NAME a bot (default: you)"
GAME_HELP = "420 (the default), 421 with its 21 tokens, or Four Twenty-One over ten rounds"

EXAMPLES = {
    "play": {
        "--players Ann,Ben,bot:Merry": "two people and a bot",
        "421 --coach full": "421 with a coach",
        "--dice typed": "with real dice",
        "--plain": "in lines of text",
        "--plain --resume": "the last game, in lines",
        "--position '*6551 >4332 roll 2'": "from a position",
    },
    "practice": {
        "421": "421 in place of 420",
        "--daily": "the same for everybody today",
        "--mine": "your own mistakes",
        "421 --mine --as Ann": "Ann's mistakes in 421",
        "--plain": "in lines of text",
    },
    "host": {
        "": "for those in the same network",
        "--game 421 --players Ann,Ben": "two people here",
        "--at play.example.org": "across the internet",
        "--resume": "open the last table again",
        "--plain": "in lines of text",
    },
    "join": {
        "192.168.1.23": "asks for name and code",
        "192.168.1.23 --as Ben,Cleo": "two people here",
        "192.168.1.23 --watch": "without a seat",
        "192.168.1.23 --plain": "in lines of text",
    },
    "odds": {
        "6551": "every choice with 6 5 5 1, also typed 6 5 5 1",
        "6551 4332 -": "against 4 3 3 2 and somebody yet to roll",
    },
    "values": {"3": "three players"},
    "strategy": {"": "on one screen", "--json": "for a program"},
    "simulate": {
        "--players bot:Perfect,bot:Tipsy --matches 10000 --jobs 2": "",
        "--players bot:Steady,bot:Merry --matches 1000 --game 421": "",
        "--players bot:own_bot:cautious,bot:Perfect --matches 1000": "",
    },
    "history": {
        "": "the newest, a line a game",
        "12": "game 12, measured against best play",
        "--all": "every game",
        "--all --json": "for a program",
        "--csv": "every game, for a spreadsheet",
        "--rename Ann Anna": "Ann's games are Anna's",
        '--rename Anna ""': "all names as they were played",
        "12 --no-count": "no statistics of game 12",
    },
    "export": {"12 --output match.json": "game 12 of the history", "12 --text": "in a few lines, for a chat"},
    "verify": {
        "match.json": "a record somebody sent you",
        "match.json --until-error": "with all that happened",
        "match.json --strict": "only if all is checked",
    },
}
SEATING = ("play", "host", "join", "simulate")
KEEPING = ("play", "practice", "host", "join", "history", "export")
WITH_JSON = ("odds", "values", "strategy", "simulate")


class UsageError(ValueError):
    """Wrong arguments. The message is one line."""


class Parser(argparse.ArgumentParser):
    """A parser that raises UsageError instead of ending the program."""

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """Print the help page. Raises OSError when it cannot be written."""
        # ArgumentParser._print_message ignores OSError (Python 3.11 to 3.14): a full disk would end with status 0
        # (python/cpython#153967).
        encoding = sys.stdout.encoding if sys.stdout else "utf-8"
        print(self.format_help().encode(encoding, "backslashreplace").decode(encoding), end="", file=file)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message}")


class CommandParser(Parser):
    """Ends help with examples, the bots and the data folder."""

    def format_help(self) -> str:
        _, name = self.prog.split()
        examples = {f"{self.prog} {line}".rstrip(): about for line, about in EXAMPLES[name].items()}
        page = f"{super().format_help()}\nexamples:\n{columns(examples)}\n"
        if name in SEATING:
            page += f"\nbots:\n{columns({bot.name: bot.about for bot in BOTS.values()})}\n"
        if name in KEEPING:
            from fourtwenty.file_storage import data_folder

            page += f"\nGames are kept in {strip_controls(str(data_folder()))}\n"
        return page


class ProgramParser(Parser):
    def format_help(self) -> str:
        return HELP_PAGE


def whole_number(text: str) -> int:
    """Read a whole number from 0. Raises ArgumentTypeError for other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} isn't a whole number, 0 or more")
    return int(text)


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the arguments, a game alone as ``play``; ``command`` is None for the lobby. Raises UsageError."""
    program = parser()
    words = list(arguments)
    # The first word that is neither an option nor the folder of one.
    first = next((at for at, word in enumerate(words) if word[:1] != "-" and words[at - 1 : at] != ["--data-dir"]), 0)
    if words and words[first] in GAMES:
        words.insert(first, "play")
    parsed = program.parse_args(words)
    if parsed.__dict__.get("data_dir") == "":
        program.error("--data-dir: which folder?")
    return parsed


def parser() -> ProgramParser:
    program = ProgramParser(prog="fourtwenty")
    program.add_argument(
        "-V", "--version", action="version", version=f"fourtwenty {__version__}", help="print the version"
    )
    program.add_argument("--plain", dest="in_lines", action="store_true", help="lines of text instead of the screen")
    subparsers = program.add_subparsers(dest="command", metavar="COMMAND", parser_class=CommandParser)
    commands: dict[str, argparse.ArgumentParser] = {
        name: subparsers.add_parser(name, help=summary, description=f"{sentence_case(summary)}.")
        for name, summary in SUMMARIES.items()
    }
    _add_play_arguments(commands["play"])
    _add_practice_arguments(commands["practice"])
    _add_room_arguments(commands["host"], commands["join"])
    _add_odds_arguments(commands["odds"])
    commands["values"].add_argument("players", metavar="PLAYERS", type=whole_number, help="how many")
    _add_simulate_arguments(commands["simulate"])
    commands["export"].add_argument(
        "id", metavar="ID", type=whole_number, help="which game, by its number in the history"
    )
    commands["export"].add_argument(
        "--text", action="store_true", help="print the game in a few lines for a chat instead of its record"
    )
    commands["export"].add_argument(
        "--output", metavar="FILE", default="-", help="write it to this new file, as UTF-8, instead of printing it"
    )
    for keeping in (program, *(commands[name] for name in KEEPING)):
        # SUPPRESS: the default of a subparser would overwrite the value given before the command.
        keeping.add_argument(
            "--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="keep games and settings in this folder"
        )
    for drawing in (program, *(commands[name] for name in ("play", "practice", "host", "join", "export"))):
        drawing.add_argument(
            "--ascii", action="store_true", default=argparse.SUPPRESS, help="draw with plain ASCII characters"
        )
    listed = commands["history"].add_mutually_exclusive_group()
    listed.add_argument("id", metavar="ID", nargs="?", type=whole_number, help="this game alone, in lines of text")
    listed.add_argument("--all", action="store_true", help="every game, not only the newest 20")
    _add_verify_arguments(commands["verify"])
    listed.add_argument(
        "--rename",
        metavar=("NAME", "OTHER"),
        nargs=2,
        help='show a player under another name, as one with a player who has it; with "" all names as they were played',
    )
    documents = commands["history"].add_mutually_exclusive_group()
    documents.add_argument(
        "--count", action=argparse.BooleanOptionalAction, help="let game ID enter statistics and tally, or not"
    )
    documents.add_argument("--csv", action="store_true", help="print every game as CSV, a line for each player")
    for takes_json in (documents, *(commands[name] for name in WITH_JSON)):
        takes_json.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return program


def _add_play_arguments(play: argparse.ArgumentParser) -> None:
    play.add_argument("game", metavar="GAME", nargs="?", choices=list(GAMES), default="420", help=GAME_HELP)
    play.add_argument(
        "--players",
        metavar="LIST",
        help=f"{LIST_HELP} (default: You,bot:Merry; from a position: you play the next turn, Perfect the others)",
    )
    play.add_argument(
        "--seed", metavar="HEX", help="use this seed for the dice, up to 64 hexadecimal digits, instead of a fresh one"
    )
    play.add_argument(
        "--dice",
        choices=["fair", "typed"],
        default="fair",
        help="fair: the computer rolls (the default); typed: you roll real dice and type them in",
    )
    play.add_argument(
        "--coach",
        choices=["off", "full"],
        default="off",
        help="off (the default); full: everyone's chances, and what each choice costs",
    )
    play.add_argument(
        "--position",
        metavar="TEXT",
        help="start from a position: one hand per player, * marks who started, > whose turn it is",
    )
    play.add_argument("--plain", action="store_true", help="lines of text and typed commands instead of the screen")
    play.add_argument(
        "--resume",
        metavar="ID",
        nargs="?",
        type=whole_number,
        const=0,
        help="with --plain: go on with an unfinished game, the last played without an ID",
    )


def _add_practice_arguments(practice: argparse.ArgumentParser) -> None:
    practice.add_argument("game", metavar="GAME", nargs="?", choices=list(GAMES), default="420", help=GAME_HELP)
    kind = practice.add_mutually_exclusive_group()
    kind.add_argument("--daily", action="store_true", help="the puzzle of the day, the same for everybody")
    kind.add_argument("--mine", action="store_true", help="your own mistakes of all games, until they stick")
    practice.add_argument("--as", dest="name", metavar="NAME", help="with --mine: whose mistakes (default: yours)")
    practice.add_argument("--plain", action="store_true", help="lines of text and typed answers instead of the screen")


def _add_room_arguments(host: argparse.ArgumentParser, join: argparse.ArgumentParser) -> None:
    host.add_argument("--game", choices=list(GAMES), help=GAME_HELP)
    host.add_argument("--players", metavar="LIST", help=HERE_HELP)
    host.add_argument(
        "--at",
        metavar="HUB",
        help="open the table at this NATS server instead of one on this machine ($FOURTWENTY_HUB)",
    )
    host.add_argument(
        "--patience",
        choices=("1", "3", "10", "0"),
        help="minutes after which the others may carry on without somebody who is away (default: 3); 0 for never",
    )
    host.add_argument(
        "--link", action="store_true", help="a table with a long code, sent and not typed, that nobody can guess"
    )
    host.add_argument(
        "--resume", metavar="CODE", nargs="?", const="", help="open a table again, the last one without a CODE"
    )
    join.add_argument(
        "table",
        metavar="ADDRESS",
        nargs="?",
        help="where the table is, as the host's screen says; its code is asked for, or is the first line of the input, "
        "or is in $FOURTWENTY_TABLE, with the address or alone",
    )
    join.add_argument("--as", dest="players", metavar="LIST", help=HERE_HELP)
    join.add_argument("--watch", action="store_true", help="take no seat")
    for command in (host, join):
        command.add_argument(
            "--plain", action="store_true", help="lines of text and typed commands instead of the screen"
        )


def _add_odds_arguments(odds: argparse.ArgumentParser) -> None:
    odds.add_argument("hand", metavar="HAND", help="four digits, as 6551; - before its first roll")
    odds.add_argument(
        "opponents",
        metavar="OPPONENT",
        nargs="*",
        default=[],
        help="the other hands in the order they play; by default one that is yet to roll",
    )


def _add_simulate_arguments(simulate: argparse.ArgumentParser) -> None:
    simulate.add_argument("--players", metavar="LIST", required=True, help=f"{LIST_HELP}, {POLICY_HELP}")
    simulate.add_argument(
        "--matches", metavar="N", type=whole_number, required=True, help="how many; ctrl+c shows those counted so far"
    )
    simulate.add_argument("--game", choices=list(GAMES), default="420", help=GAME_HELP)
    simulate.add_argument(
        "--jobs", metavar="N", type=whole_number, default=1, help="play in so many processes (default: 1); same results"
    )
    simulate.add_argument("--seed", metavar="HEX", help="roll the dice of this seed, up to 64 hexadecimal digits")


def _add_verify_arguments(verify: argparse.ArgumentParser) -> None:
    verify.add_argument("file", metavar="FILE", help="the record; - for standard input")
    verify.add_argument("--strict", action="store_true", help="refuse a record whose faces nobody can check")
    verify.add_argument("--until-error", action="store_true", help="print what happened, up to the first wrong thing")
