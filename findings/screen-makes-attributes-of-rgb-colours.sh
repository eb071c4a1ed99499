#!/usr/bin/env bash
# Expected: GNU Screen, which has no RGB colours as it comes, leaves them out or takes the nearest of its own.
# Instead: it reads the numbers of the colour as attributes: a background of 4, 7, 1 is underlined, reverse, bold and
#   dim. COLORTERM=truecolor is inherited from the terminal outside, so that programs do send them.
# Seen: screen 4.9.0-4 of Debian 12; 29 November 2026.
# Upstream: unknown.
# Here: `color_system` in fourtwenty/tui/terminal_features.py; the board could not be read in Screen, dvtm and Emacs.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run screen=4.9.0-4 <<'PROGRAM'
import os
import re

from pseudo_terminal import PseudoTerminal, probe

os.environ["SCREENDIR"] = "/finding/screens"
os.mkdir("/finding/screens", 0o700)
terminal = PseudoTerminal("screen", "-c", "/dev/null", *probe(b"\x1b[48;2;4;7;1mFELT\x1b[0m", "/finding/log"))
assert terminal.read_until(b"READY")
attributes = re.findall(rb"\x1b\[(\d+)m", terminal.written.split(b"FELT")[0].split(b"\x1b[2J")[-1])
print("attributes of a background of 4, 7, 1:", *(each.decode() for each in attributes))
terminal.close()
assert {b"1", b"2", b"4", b"7"} <= {*attributes}
PROGRAM
