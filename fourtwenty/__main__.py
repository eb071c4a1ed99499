"""The entry point: starts what each command asks for. Everything is imported only when it is needed."""

from __future__ import annotations

import errno
import os
import sys

from fourtwenty import __version__
from fourtwenty.cli.help_page import PAGE

TYPE_CHECKING = False
"""As in ``typing``, whose import would take a third of what ``--version`` does."""

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    asked = sys.argv[1:] if arguments is None else list(arguments)
    if asked[:1] == ["help"]:
        asked = [*asked[1:], "--help"]
    try:
        try:
            return _run(asked)
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
        from fourtwenty.cli.streams import end

        end(f"fourtwenty: the output cannot be written: {error.strerror}")
    finally:
        for stream in filter(None, (sys.stdout, sys.stderr)):
            try:
                stream.flush()
            except OSError:
                # Python would report the unwritten rest after the end, and change the exit status.
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(asked: list[str]) -> int:
    if asked in (["--version"], ["-V"]):
        print(f"fourtwenty {__version__}")
        return 0
    if asked in (["--help"], ["-h"]):
        print(PAGE, end="")
        return 0
    if not asked:
        from fourtwenty.tui.launch import run_app

        return run_app()

    from fourtwenty.cli.arguments import UsageError, parse
    from fourtwenty.cli.streams import end

    try:
        chosen = parse(asked)
    except UsageError as error:
        end(str(error))
    if "data_dir" in chosen:
        os.environ["FOURTWENTY_HOME"] = chosen.data_dir  # the apps that serve starts read it too
    if chosen.command is None:
        from fourtwenty.tui.launch import run_app

        return run_app(ascii_only="ascii" in chosen)
    if chosen.command == "play":
        return _play(chosen)
    if chosen.command == "serve":
        return _serve(chosen.port)

    from fourtwenty.cli.commands import run_command

    run_command(chosen)
    return 0


def _play(chosen: Namespace) -> int:
    from fourtwenty.cli.play_command import match_options, play_in_lines

    options = match_options(chosen)
    if chosen.plain:
        play_in_lines(options)
        return 0

    from fourtwenty.tui.launch import run_app

    return run_app(options.lineup, options.dice, options.start, "ascii" in chosen)


def _serve(port: int) -> int:
    from fourtwenty.cli.streams import end

    try:
        from fourtwenty.web.server import serve
    except ModuleNotFoundError:
        from fourtwenty.cli.extra import install_command

        end(f"fourtwenty serve: a browser needs textual-serve, which is not here yet: {install_command()}")
    try:
        serve(port)
    except OSError as error:
        end(f"fourtwenty serve: port {port} cannot be had ({error.strerror}); try --port 0")
    return 0


if __name__ == "__main__":
    sys.exit(main())
