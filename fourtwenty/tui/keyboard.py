"""The bytes that a keyboard sends, read in the terminal's own encoding."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from functools import partial


def take_any_byte() -> None:
    """Have letters read in the encoding of standard input, and show what is no letter in it as one that is unknown.

    Textual 8.2 (drivers/linux_driver.py, run_input_thread) takes all input for UTF-8: a single other byte, an é of
    Latin-1, ends the app with a traceback. It can go when that decoder replaces what it cannot read.
    """
    if sys.platform == "win32" or not sys.stdin:
        return
    from textual.drivers import linux_driver

    decoder = partial(getincrementaldecoder(sys.stdin.encoding), errors="replace")
    linux_driver.getincrementaldecoder = lambda encoding: decoder  # type: ignore[assignment, attr-defined]  # noqa: ARG005
