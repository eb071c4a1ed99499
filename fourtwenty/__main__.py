"""The command line: what every command starts. The app, the mathematics, even the parser are imported when needed."""

from __future__ import annotations

import errno
import io
import os
import sys

from fourtwenty import __version__
from fourtwenty.usage import PAGE, printable

PLAIN = "play in lines of text: fourtwenty play --plain"
COLOUR_SYSTEMS = ("auto", "standard", "256", "truecolor", "windows")
"""The values of TEXTUAL_COLOR_SYSTEM that Rich knows."""
TYPE_CHECKING = False
"""As in ``typing``, whose import would take longer than ``--version`` does."""

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import NoReturn, TextIO

    from fourtwenty.dice import Dice
    from fourtwenty.games.game import State
    from fourtwenty.lineup import Lineup


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    try:
        try:
            return _run(arguments)
        except KeyboardInterrupt:
            return 130
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except BrokenPipeError:
        return 0  # the reader has seen enough, as with `| head`
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _end(f"fourtwenty: the output cannot be written: {error.strerror}")
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            _let_go(stream)


def _run(arguments: Sequence[str] | None) -> int:
    asked = sys.argv[1:] if arguments is None else list(arguments)
    if asked[:1] == ["help"]:
        asked = [*asked[1:], "--help"]
    if asked in (["--version"], ["-V"]):
        print(f"fourtwenty {__version__}")
        return 0
    if asked in (["--help"], ["-h"]):
        print(PAGE, end="")
        return 0
    if not asked:
        return _run_app()

    from fourtwenty.arguments import UsageError, parse

    try:
        chosen = parse(asked)
    except UsageError as error:
        _end(str(error))
    if "data_dir" in chosen:
        os.environ["FOURTWENTY_HOME"] = chosen.data_dir
    if chosen.command is None:
        return _run_app(ascii_only="ascii" in chosen)
    if chosen.command == "play":
        return _play(chosen)
    if chosen.command == "serve":
        return _serve(chosen.port)

    from fourtwenty import commands as printing
    from fourtwenty.dice import FairDice, parse_seed
    from fourtwenty.record import WrongRecord

    _show_any_name()
    try:
        if chosen.command == "simulate":
            chosen.seed = parse_seed(chosen.seed) if chosen.seed is not None else FairDice.fresh().seed
        getattr(printing, chosen.command)(chosen)
    except WrongRecord as error:
        _end(f"fourtwenty {chosen.command}: {error}", status=1)
    except ValueError as error:
        _end(f"fourtwenty {chosen.command}: {error}")
    return 0


def _end(line: str, status: int = 2) -> NoReturn:
    """End with one line that says what was wrong and what would be right; control characters are escaped."""
    from contextlib import suppress

    with suppress(OSError):  # where it cannot be written, the status says enough
        if sys.stderr:
            print(printable(line), file=sys.stderr)
    sys.exit(status)


def _show_any_name() -> None:
    """Let names be printed that this output has no characters for; end when there is no output."""
    if not sys.stdout:
        _end("fourtwenty: there is nowhere to write to, standard output is closed")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _play(chosen: argparse.Namespace) -> int:
    from fourtwenty.dice import FairDice, parse_seed
    from fourtwenty.lineup import Lineup, parse_players

    try:
        seats = parse_players(chosen.players)
    except ValueError as error:
        _end(f"fourtwenty: --players: {error}")
    try:
        dice = FairDice(parse_seed(chosen.seed), given=True) if chosen.seed is not None else None
    except ValueError as error:
        _end(f"fourtwenty: --seed: {error}")
    if dice and chosen.dice == "typed":
        _end("fourtwenty: --seed: real dice have no seed; leave out --seed, or --dice typed")
    lineup = Lineup(seats, game=chosen.game, coach=chosen.coach, typed=chosen.dice == "typed")
    refusal = lineup.check()
    if refusal:
        _end(f"fourtwenty: --game: {refusal}")
    start = _start(chosen, len(seats))
    refusal = _check_words(chosen.word, chosen.plain, lineup) if chosen.word else None
    if refusal:
        _end(f"fourtwenty: --word: {refusal}")
    if chosen.plain:
        return _play_plain(lineup, dice, start, chosen.word)
    return _run_app(lineup, dice, start, "ascii" in chosen)


def _check_words(words: Sequence[str], plain: bool, lineup: Lineup) -> str | None:
    """Say why these words cannot be added to the dice; None when they can."""
    from fourtwenty.dice import check_word

    people = sum(not seat.bot for seat in lineup.seats)
    if not plain:
        return "only with --plain; at the table, w adds a word"
    if lineup.typed:
        return "real dice follow from no word; leave out --word, or --dice typed"
    if len(words) > people:
        return f"{len(words)} words for {people} {'person' if people == 1 else 'people'}"
    return next(filter(None, map(check_word, words)), None)


def _play_plain(lineup: Lineup, dice: Dice | None, start: State | None, words: Sequence[str] | None) -> int:
    """Play one match in lines of text; without an end it can be taken up again in the lobby."""
    from contextlib import closing

    from fourtwenty.history import History
    from fourtwenty.match import Match, PlayedElsewhere
    from fourtwenty.paths import history_file
    from fourtwenty.plain import Plain

    def say(line: str) -> None:
        print(line, flush=True)

    _show_any_name()
    commands = (line.rstrip("\n") for line in sys.stdin or ())
    asks = words is None and sys.stdin is not None and sys.stdin.isatty()
    try:
        with closing(History(history_file(), say)) as history:
            match = Match.fresh(lineup, dice, start)
            Plain(match, commands, say).play(history.journal(), None if asks else words or ())
    except PlayedElsewhere:
        say("This match has been taken up at another table, and goes on there.")
    return 0


def _serve(port: int) -> int:
    try:
        from fourtwenty.serve import serve
    except ModuleNotFoundError:
        from fourtwenty.extra import install_command

        _end(f"fourtwenty serve: a browser needs textual-serve, which is not here yet: {install_command()}")
    try:
        serve(port)
    except OSError as error:
        _end(f"fourtwenty serve: port {port} cannot be had ({error.strerror}); try --port 0")
    return 0


def _let_go(stream: TextIO) -> None:
    """Drop what cannot be written: Python would complain about it after the end, and change the exit status."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _start(chosen: argparse.Namespace, seats: int) -> State | None:
    """The position to start from; None for a cleared table."""
    from fourtwenty.games import GAMES

    if chosen.position is None:
        return None
    try:
        start = GAMES[chosen.game].position(chosen.position)
    except ValueError as error:
        _end(f"fourtwenty: --position: {error}")
    if start.seats != seats:
        _end(f"fourtwenty: --players: the position has {start.seats} seats, not {seats}")
    if start.to_act is None:
        _end("fourtwenty: --position: the round is over there")
    return start


def _check_terminal() -> None:
    """End with a line when there is no terminal that could show the table."""
    if not all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        _end(f"fourtwenty: the table needs a terminal; start it in one, or {PLAIN}")
    if os.environ.get("TERM") == "dumb":
        _end(f"fourtwenty: this terminal cannot show the table; {PLAIN}")


def _check_environment() -> None:
    """End with a line when Textual would end with a traceback."""
    colours = os.environ.get("TEXTUAL_COLOR_SYSTEM", "auto")
    if colours not in COLOUR_SYSTEMS:
        _end(f"fourtwenty: TEXTUAL_COLOR_SYSTEM is {colours!r}; it can be {', '.join(COLOUR_SYSTEMS)}")
    driver = os.environ.get("TEXTUAL_DRIVER")
    if driver is not None:
        from importlib import import_module

        from textual.driver import Driver

        module, _, name = driver.partition(":")
        try:
            known = issubclass(getattr(import_module(module), name), Driver)
        except (ImportError, AttributeError, TypeError, ValueError):
            known = False
        if not known:
            _end(f"fourtwenty: TEXTUAL_DRIVER is {driver!r}, which is no driver; unset it")


def _needs_ascii() -> bool:
    """Whether there are signs on the screens that the terminal lacks: most of them on the console of Linux, too."""
    import codecs

    return os.environ.get("TERM") == "linux" or codecs.lookup(sys.stderr.encoding).name != "utf-8"


def _run_app(
    lineup: Lineup | None = None, dice: Dice | None = None, start: State | None = None, ascii_only: bool = False
) -> int:
    if "TEXTUAL_DRIVER" not in os.environ:
        _check_terminal()
        ascii_only = ascii_only or _needs_ascii()
    _check_environment()
    # Textual takes an empty one as set; no-color.org does not.
    if not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)
    # In terminals with a pixel mouse, Textual 8 leaves mode 1016 on behind it.
    os.environ.setdefault("TEXTUAL_SMOOTH_SCROLL", "0")

    import gc

    gc.disable()  # until the first picture: next to nothing of what follows becomes garbage

    import asyncio
    import signal

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ctrl+c while all that follows is imported

    from fourtwenty.app import FourTwentyApp
    from fourtwenty.keyboard import take_any_byte
    from fourtwenty.signals import hold_sleep, when_asked_to_end, when_hung_up

    take_any_byte()
    try:
        app = FourTwentyApp(lineup, dice, start, ascii_only)
        with asyncio.Runner() as runner:
            if "TEXTUAL_DRIVER" not in os.environ:
                when_asked_to_end(runner.get_loop(), app.end_by)
                when_hung_up(runner.get_loop(), sys.stdin.fileno(), app.end_by)
                hold_sleep()
            runner.run(app.run_async())
    finally:
        gc.enable()
    if app.ended_by:
        signal.raise_signal(app.ended_by)
    return app.return_code or 0


if __name__ == "__main__":
    sys.exit(main())
