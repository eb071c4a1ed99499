"""The entry point. Imports are inside functions, so that --version and --help are fast."""

from __future__ import annotations

import errno
import os
import sys

from fourtwenty import __version__
from fourtwenty.cli.help_page import HELP_PAGE

TYPE_CHECKING = False
"""Importing ``typing`` would take a third of the time of ``--version``."""

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import NoReturn

    from fourtwenty.rooms.tui.room_launcher import RoomLauncher


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    try:
        try:
            return _run(words)
        except KeyboardInterrupt:
            return 130
        finally:
            if sys.stdout:
                sys.stdout.flush()
    except BrokenPipeError:
        return 0  # the reader has closed the pipe, as `| head` does
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _end(f"fourtwenty: the output cannot be written: {error.strerror}")
    except Exception as error:
        from fourtwenty.odds.tables import DamagedTableError

        if not isinstance(error, DamagedTableError):
            raise
        _end(f"fourtwenty: {error}")
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            try:
                stream.flush()
            except OSError:
                # Python flushes again at exit; it would print the error and set the exit status to 120.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(words: list[str]) -> int:
    if words in (["--version"], ["-V"]):
        print(f"fourtwenty {__version__}")
        return 0
    if words in (["--help"], ["-h"]):
        print(HELP_PAGE, end="")
        return 0
    in_lines = os.environ.get("ACCESSIBLE", "").lower() not in ("", "0", "false")
    if not words and not in_lines:
        from fourtwenty.tui.launch import run_app

        return run_app(rooms=_rooms_plugin())

    arguments = _parse(words)
    in_lines |= arguments.in_lines
    if in_lines and arguments.command is None:
        arguments = _parse([*words, "play"])
    if "plain" in arguments:
        arguments.plain |= in_lines
    if "data_dir" in arguments:
        os.environ["FOURTWENTY_HOME"] = arguments.data_dir
    if arguments.command is None:
        from fourtwenty.tui.launch import run_app

        return run_app(ascii_only="ascii" in arguments, rooms=_rooms_plugin())
    if arguments.command == "play":
        return _play(arguments)
    if arguments.command == "practice":
        return _practise(arguments)
    if arguments.command in ("host", "join"):
        return _play_far(arguments)

    from fourtwenty.cli.commands import run_command

    run_command(arguments)
    return 0


def _parse(words: list[str]) -> Namespace:
    import signal
    from threading import current_thread, main_thread

    # msgspec 0.22 (_core.c) drops the KeyboardInterrupt of a ctrl+c during its import. Here it ends the program.
    raised = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if raised:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from fourtwenty.cli.arguments import UsageError, parse

        try:
            return parse(words)
        except UsageError as error:
            _end(str(error))
    finally:
        if raised:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _play(arguments: Namespace) -> int:
    from fourtwenty.cli.play_command import match_options, play_in_lines

    if arguments.plain:
        play_in_lines(arguments)
        return 0
    if arguments.resume is not None:
        _end("fourtwenty: --resume: only with --plain; in the lobby, press r")
    options = match_options(arguments)

    from fourtwenty.tui.launch import run_app

    return run_app(*options, "ascii" in arguments, rooms=_rooms_plugin())


def _practise(arguments: Namespace) -> int:
    from fourtwenty.play.practice import PracticeOptions

    if arguments.name is not None and not arguments.mine:
        _end("fourtwenty practice: --as: only with --mine")
    options = PracticeOptions(arguments.game, arguments.daily, arguments.mine, (arguments.name or "").strip())
    if arguments.plain:
        from fourtwenty.cli.text_practice import practise_in_lines

        practise_in_lines(options)
        return 0

    from fourtwenty.tui.launch import run_app

    return run_app(ascii_only="ascii" in arguments, practice=options, rooms=_rooms_plugin())


def _play_far(arguments: Namespace) -> int:
    rooms = _rooms_plugin()
    if rooms is None:
        from fourtwenty.install_hint import BUILD_NOTE, has_wheels, rooms_install_command

        needs = "playing on several machines needs extra packages." + ("" if has_wheels() else f" {BUILD_NOTE}")
        _end(f"fourtwenty {arguments.command}: {needs} Install them with: {rooms_install_command()}")
    from fourtwenty.rooms.cli.room_command import room_in_lines, table_opener

    if arguments.plain:
        room_in_lines(arguments)
        return 0
    rooms.pending_table = table_opener(arguments)

    from fourtwenty.tui.launch import run_app

    return run_app(ascii_only="ascii" in arguments, rooms=rooms)


def _end(line: str) -> NoReturn:
    from fourtwenty.console import exit_with_error

    exit_with_error(line)


def _rooms_plugin() -> RoomLauncher | None:
    """Return the plugin for tables of several machines; None without the extra ``rooms``."""
    from importlib.machinery import PathFinder  # importlib.util would delay the start

    if not all(map(PathFinder.find_spec, ("nacl", "nats"))):
        return None
    from fourtwenty.rooms.tui.room_launcher import RoomLauncher

    return RoomLauncher()


if __name__ == "__main__":
    sys.exit(main())
