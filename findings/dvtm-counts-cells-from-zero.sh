#!/usr/bin/env bash
# Expected: dvtm reports the cursor and the mouse as the terminal that it says it is, with the first cell as 1, and
#   the mouse in SGR form (mode 1006) for a program that has switched that on.
# Instead: the first cell is 0 in both, so that every click is a cell up and to the left, and the mouse comes in the
#   old form of three bytes, whatever the program has switched on.
# Seen: dvtm 0.15+40.g311a8c0-1 of Debian 12; 29 November 2026.
# Upstream: unknown.
# Here: a click of three bytes is no key for fourtwenty/tui/input/sequences.py: in dvtm the game has no mouse.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run dvtm=0.15+40.g311a8c0-1 <<'PROGRAM'
import shlex
import time

from pseudo_terminal import PseudoTerminal, probe, reads_after


def answer(start: bytes, log: str, send: bytes) -> str:
    terminal = PseudoTerminal("dvtm", shlex.join(probe(start, log)))
    assert terminal.read_until(b"READY") and terminal.read_until(b"\x1b[?1006;1000h")
    terminal.write(send)
    read = "".join(reads_after(terminal, log, 2))
    terminal.close()
    return read


cursor = answer(b"\x1b[5;10H\x1b[6n", "/finding/cursor", b"")
click = answer(b"\x1b[?1000h\x1b[?1006h", "/finding/click", b"\x1b[<0;12;6M\x1b[<0;12;6m")
print("the cursor in row 5 and column 10:", cursor)
print("a click on column 12 and row 6, which three bytes would give as ',&':", click)
assert cursor == r"b'\x1b[4;9R'"
assert click.startswith(r"b'\x1b[M +%")
PROGRAM
