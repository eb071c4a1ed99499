"""Copies text by a clipboard program, to tmux's buffer, or by the terminal (OSC 52), and names the way used."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import Callable, Iterator, Mapping
from tempfile import TemporaryFile

COPIED = "Copied."
IN_TMUX = "Copied to tmux's buffer."
SENT = "Sent to your terminal's clipboard."

COPY_SECONDS = 1.0
"""The longest wait, in seconds, for a program that copies."""

SSH = {"SSH_CONNECTION", "SSH_TTY"}
"""Variables of a session by ssh, where the display of this machine is not in front of the person."""
INNER_TERMINALS = {"STY", "DVTM", "NVIM", "VIM_TERMINAL", "INSIDE_EMACS"}
"""Variables of programs that have terminals inside and drop OSC 52. GNU screen 4.9 (STY) shows it beyond 768 bytes."""
OSC_52_TERMS = ("xterm-kitty", "alacritty", "foot", "wezterm")
"""Beginnings of TERM in terminals that copy by OSC 52 as they come, 60,000 bytes and more."""
ZUTTY_MAX = 3000
"""The most bytes that zutty 0.14 copies by OSC 52; it drops 6,000."""


def ways(environment: Mapping[str, str], platform: str, size: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the ways to copy so many bytes, best first: a command that reads them, and the sentence once it has.

    An empty command means OSC 52.
    """
    variables = environment.keys()
    if not SSH & variables:
        if platform == "darwin":
            yield ("pbcopy",), COPIED
        elif platform == "win32":
            yield ("clip",), COPIED
        elif "WAYLAND_DISPLAY" in variables:
            yield ("wl-copy", "--type", "text/plain"), COPIED
        if "DISPLAY" in variables:
            yield ("xclip", "-selection", "clipboard"), COPIED
            yield ("xsel", "-b", "-i"), COPIED
    if "TMUX" in variables:
        yield ("tmux", "load-buffer", "-w", "-"), IN_TMUX
        yield ("tmux", "load-buffer", "-"), IN_TMUX  # before tmux 3.2
    elif not INNER_TERMINALS & variables and (
        environment.get("TERM", "").startswith(OSC_52_TERMS)
        or environment.get("TERM_PROGRAM") == "WezTerm"
        or ("ZUTTY_VERSION" in variables and size <= ZUTTY_MAX)
    ):
        yield (), SENT


async def copy(text: str, send: Callable[[str], None]) -> str:
    """Copy a text, with ``send`` for OSC 52; return a sentence about it, empty if copying is impossible."""
    for command, sentence in ways(os.environ, sys.platform, len(text.encode())):
        if not command:
            send(text)
        elif not await _is_read(text, command):
            continue
        return sentence
    return ""


async def _is_read(text: str, command: tuple[str, ...]) -> bool:
    """Return whether a program has read a text and ended well in time.

    A clipboard program leaves a process behind that keeps the text until something else is copied: it gets a session of
    its own, and neither a pipe of this program nor its terminal.
    """
    try:
        with TemporaryFile() as file:
            file.write(text.encode("utf-16-le" if command == ("clip",) else "utf-8"))  # clip would copy a mark, too
            file.seek(0)
            program = await asyncio.create_subprocess_exec(
                *command, stdin=file, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
            )
    except OSError:
        return False
    try:
        return await asyncio.wait_for(program.wait(), COPY_SECONDS) == 0
    except TimeoutError:
        program.kill()
        await program.wait()
        return False
