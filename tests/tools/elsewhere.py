"""Python as it is where nothing is of Unix, as far as that can be pretended: neither terminals, nor forks, nor UTF-8.

``python tests/tools/elsewhere.py MODULE ARGUMENTS`` runs a module there, as ``python -m`` does: fourtwenty, or pytest.
"""

from __future__ import annotations

import io
import os
import select
import signal
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from runpy import run_module

MISSING = {"termios", "fcntl", "resource", "pty", "tty", "pwd", "grp", "syslog"}
"""Modules that only Unix has."""

SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
"""The signals that Windows has, too."""

FUNCTIONS = ("fork", "forkpty", "openpty", "login_tty", "seteuid", "setsid", "killpg", "mkfifo")
"""Functions that only Unix has, but for some that libraries ask for because ``sys.platform`` still says Linux."""

HEADLESS = "textual.drivers.headless_driver:HeadlessDriver"
"""A driver that Textual has everywhere; its drivers for terminals are one for Unix and one for Windows."""


class Missing(MetaPathFinder):
    """Finds that modules are missing."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """Refuse what only Unix has; leave everything else to whoever finds it."""
        if name in MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def pretend() -> None:
    """Take away what only Unix has."""
    for name in MISSING:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for name in dir(signal):
        if name.startswith("SIG") and name[3] != "_" and name not in SIGNALS:
            delattr(signal, name)
    for module, names in ((os, FUNCTIONS), (select, ("epoll", "poll", "kqueue"))):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(encoding="cp1252", errors="strict")
    os.environ |= {"TEXTUAL_ANIMATIONS": "none", "TEXTUAL_DRIVER": HEADLESS}
    import textual.constants  # reads them, once

    del os.environ["TEXTUAL_DRIVER"]  # what is started from here is told of no driver
    assert textual.constants.DRIVER == HEADLESS


if __name__ == "__main__":
    pretend()
    del sys.argv[0]
    run_module(sys.argv[0], run_name="__main__", alter_sys=True)
