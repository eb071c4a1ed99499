"""The command line. It imports the app, and the mathematics, only when they are asked for."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from fourtwenty import __version__

if TYPE_CHECKING:
    from fourtwenty.dice import Dice
    from fourtwenty.games.game import State
    from fourtwenty.lineup import Lineup

LIST = "seats in table order, comma-separated: NAME is a person, bot:NAME a bot"
SEED = "throw the dice of this seed, up to 64 hexadecimal digits"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what was wrong and end with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def number(text: str) -> int:
    """Read a whole number. Raises ArgumentTypeError for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def port(text: str) -> int:
    """Read the number of a port. Raises ArgumentTypeError for any other text."""
    if number(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port: they go up to 65535")
    return int(text)


def parser() -> Parser:
    """Return the parser of the whole command line."""
    from fourtwenty.games import GAMES
    from fourtwenty.lineup import COACHING

    whole = Parser(prog="fourtwenty", description="420, Mark Steere's dice game. Without a command: the lobby.")
    whole.add_argument("--version", action="version", version=f"fourtwenty {__version__}")
    commands = whole.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        return commands.add_parser(name, help=about, description=f"{about[0].upper()}{about[1:]}.")

    play = command("play", "go straight to the table")
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

    serve = command("serve", "the game in a browser on this machine")
    serve.add_argument("--port", metavar="PORT", type=port, default=8420, help="where; 0 for any free one (8420)")

    odds = command("odds", "420: every legal reroll of a hand with its exact chances")
    odds.add_argument("hand", metavar="HAND", help="four digits, as 6551; - before its first roll")
    odds.add_argument(
        "opponents",
        metavar="OPPONENT",
        nargs="*",
        default=[],
        help="the other hands in the order they play (one not yet rolled)",
    )

    values = command("values", "420: by seat, the chance to win the round and to buy the drinks")
    values.add_argument("players", metavar="PLAYERS", type=number, help="how many")

    strategy = command("strategy", "420: best play for every hand")

    simulate = command("simulate", "play many matches of bots and count; the first seat is Player 1")
    simulate.add_argument("--players", metavar="LIST", required=True, help=f"{LIST}; bots only")
    simulate.add_argument("--matches", metavar="N", type=number, required=True, help="how many matches")
    simulate.add_argument("--game", choices=list(GAMES), default="420", help="which game (420)")
    simulate.add_argument("--seed", metavar="HEX", help=SEED)

    history = command("history", "the matches of the past, the last one first, and those that wait")

    export = command("export", "print the record of a match")
    export.add_argument("id", metavar="ID", type=number, help="which match, by its number in the history")

    for keeping in (whole, play, serve, history, export):
        keeping.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="where matches are kept")

    verify = command("verify", "check a record: every action, every face, the result")
    verify.add_argument("file", metavar="FILE", help="the record; - for standard input")
    verify.add_argument("--until-error", action="store_true", help="print what happened, up to the first wrong thing")

    for printing in (odds, values, strategy, simulate, history):
        printing.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    commands = parser()
    chosen = commands.parse_args(arguments)
    if "data_dir" in chosen:
        if not chosen.data_dir:
            commands.error("--data-dir: which folder?")
        os.environ["FOURTWENTY_HOME"] = chosen.data_dir
    if chosen.command is None:
        return _run_app(commands)
    if chosen.command == "play":
        return _play(commands, chosen)
    if chosen.command == "serve":
        return _serve(commands, chosen.port)

    from fourtwenty import commands as printing
    from fourtwenty.dice import FairDice, parse_seed
    from fourtwenty.record import WrongRecord

    _show_any_name()
    try:
        if chosen.command == "simulate":
            chosen.seed = parse_seed(chosen.seed) if chosen.seed is not None else FairDice.fresh().seed
        getattr(printing, chosen.command)(chosen)
    except WrongRecord as error:
        commands.exit(1, f"fourtwenty {chosen.command}: {error}\n")
    except ValueError as error:
        commands.exit(2, f"fourtwenty {chosen.command}: {error}\n")
    except BrokenPipeError:
        _nobody_reads()
    except KeyboardInterrupt:
        return 130
    return 0


def _show_any_name() -> None:
    """Let names be printed that this output has no characters for."""
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _play(commands: Parser, chosen: argparse.Namespace) -> int:
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
    if dice and chosen.dice == "typed":
        commands.error("--seed: real dice have no seed; leave out --seed, or --dice typed")
    lineup = Lineup(seats, game=chosen.game, coach=chosen.coach, typed=chosen.dice == "typed")
    refusal = lineup.check()
    if refusal:
        commands.error(f"--game: {refusal}")
    start = _start(commands, chosen, len(seats))
    return _play_plain(lineup, dice, start) if chosen.plain else _run_app(commands, lineup, dice, start)


def _play_plain(lineup: Lineup, dice: Dice | None, start: State | None) -> int:
    """Play one match in lines of text; without an end it can be taken up again in the lobby."""
    from fourtwenty.history import History
    from fourtwenty.match import Match, PlayedElsewhere
    from fourtwenty.paths import history_file
    from fourtwenty.plain import Plain

    def say(line: str) -> None:
        print(line, flush=True)

    _show_any_name()
    commands = (line.rstrip("\n") for line in sys.stdin)
    try:
        match = Match(lineup, dice, start, History(history_file(), say).journal())
        Plain(match, commands, say).play()
    except PlayedElsewhere:
        say("This match has been taken up at another table, and goes on there.")
    except BrokenPipeError:
        _nobody_reads()
    except KeyboardInterrupt:
        return 130
    return 0


def _serve(commands: Parser, port: int) -> int:
    try:
        from fourtwenty.serve import serve
    except ModuleNotFoundError:
        install = f"{sys.executable} -m pip install 'fourtwenty[web]'"
        commands.exit(2, f"fourtwenty serve: a browser needs textual-serve, which is not here yet: {install}\n")
    try:
        serve(port)
    except OSError as error:
        commands.exit(2, f"fourtwenty serve: port {port} cannot be had ({error.strerror}); try --port 0\n")
    return 0


def _nobody_reads() -> None:
    """Write no more to a reader that has seen enough, as with `| head`."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _start(commands: Parser, chosen: argparse.Namespace, seats: int) -> State | None:
    """The position to start from; None for a cleared table."""
    from fourtwenty.games import GAMES

    if chosen.position is None:
        return None
    try:
        start = GAMES[chosen.game].position(chosen.position)
    except ValueError as error:
        commands.error(f"--position: {error}")
    if start.seats != seats:
        commands.error(f"--players: the position has {start.seats} seats, not {seats}")
    if start.to_act is None:
        commands.error("--position: the round is over there")
    return start


def _check_terminal(commands: Parser) -> None:
    """End with a line when there is no terminal that could show the table."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        commands.error("the table needs a terminal; start it in one, or play in lines of text: fourtwenty play --plain")
    if os.environ.get("TERM") == "dumb":
        commands.error("this terminal cannot show the table; play in lines of text: fourtwenty play --plain")


def _run_app(
    commands: Parser, lineup: Lineup | None = None, dice: Dice | None = None, start: State | None = None
) -> int:
    if "TEXTUAL_DRIVER" not in os.environ:
        _check_terminal(commands)
    # In terminals with a pixel mouse, Textual 8 leaves mode 1016 on behind it.
    os.environ.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")

    from fourtwenty.app import FourTwentyApp

    app = FourTwentyApp(lineup, dice, start)
    app.run()
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
