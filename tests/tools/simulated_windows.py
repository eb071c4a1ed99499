"""Python as it is where nothing is of Unix, as far as that can be pretended: neither terminals, nor forks, nor UTF-8.

``python tests/tools/simulated_windows.py MODULE ARGUMENTS`` runs a module there, as ``python -m`` does: fourtwenty, or
pytest.
"""

from __future__ import annotations

import asyncio
import io
import os
import select
import signal
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from runpy import run_module

MISSING = {"termios", "fcntl", "resource", "pty", "tty", "pwd", "grp", "syslog"}
"""Modules that only Unix has."""

SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
"""The signals that Windows has, too."""

FUNCTIONS = ("fork", "forkpty", "openpty", "login_tty", "seteuid", "setsid", "getsid", "killpg", "getpgrp", "mkfifo")
"""Functions that only Unix has, but for some that libraries ask for because ``sys.platform`` still says Linux."""

OF_SIGNALS = (
    *("pthread_sigmask", "pthread_kill", "setitimer", "getitimer", "alarm", "pause", "sigpending", "sigwait"),
    *("sigwaitinfo", "sigtimedwait", "siginterrupt", "ITIMER_REAL", "SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK"),
)
"""Functions of the module ``signal`` that only Unix has."""

DRIVER = "textual.drivers.windows_driver:WindowsDriver"
"""Textual's driver for Windows."""

CONSOLE = "textual.drivers.win32", Path(__file__).with_name("windows_console.py")
"""The module in which that driver calls Windows, and what stands in for it."""


class Missing(MetaPathFinder):
    """Finds that modules are missing, and what stands in for the console."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """Refuse what only Unix has; leave everything else to whoever finds it."""
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return spec_from_file_location(*CONSOLE) if name == CONSOLE[0] else None


def pretend() -> None:
    """Take away what only Unix has. A terminal is set raw first, since nothing can do that later."""
    if sys.stdin.isatty():
        import tty

        tty.setraw(sys.stdin.fileno())
    for name in MISSING:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for name in dir(signal):
        if name.startswith("SIG") and name[3] != "_" and name not in SIGNALS:
            delattr(signal, name)
    asyncio.SelectorEventLoop.add_signal_handler = asyncio.AbstractEventLoop.add_signal_handler  # type: ignore[method-assign]
    for module, names in ((os, FUNCTIONS), (signal, OF_SIGNALS), (select, ("epoll", "poll", "kqueue"))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        if not stream.isatty():  # the console has UTF-8
            stream.reconfigure(encoding="cp1252", errors="strict")
    os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_DRIVER": DRIVER}
    import textual.constants  # reads them, once

    del os.environ["TEXTUAL_DRIVER"]  # what is started from here is told of no driver
    assert textual.constants.DRIVER == DRIVER


if __name__ == "__main__":
    pretend()
    del sys.argv[0]
    run_module(sys.argv[0], run_name="__main__", alter_sys=True)
