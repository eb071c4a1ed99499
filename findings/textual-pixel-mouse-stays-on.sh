#!/usr/bin/env bash
# Expected: an app that ends switches off what it has switched on in the terminal.
# Instead: where the terminal reports its size in pixels (mode 2048), the mouse reports pixels (mode 1016), and this
#   is not taken back: the next program that uses the mouse reads pixels for cells.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found; UKGovernmentBEIS/inspect_ai#1943 met it.
# Here: `TEXTUAL_SMOOTH_SCROLL` in fourtwenty/tui/launch.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import re
import sys

from pseudo_terminal import PseudoTerminal

terminal = PseudoTerminal(sys.executable, "-c", "from textual.app import App; App().run()", columns=80, rows=24)
for question, answer in {
    b"\x1b[?2048$p": b"\x1b[?2048;2$y",  # is mode 2048 there: yes, it is off
    b"\x1b[?2048h": b"\x1b[48;24;80;480;800t",  # it is switched on: the size in cells and in pixels
    b"\x1b[?1016h": b"\x11",  # the mouse reports pixels: ctrl+q
}.items():
    assert terminal.read_until(question), question
    terminal.write(answer)
assert terminal.read_until(b"\x1b[?1049l"), "it has ended"
terminal.read_until(b"\0never", 1)
switched = {mode: re.findall(rb"\x1b\[\?%d([hl])" % mode, terminal.written) for mode in (1003, 1006, 1016, 2048)}
print("on (h) and off (l):", switched)
assert [of[-1] for of in switched.values()] == [b"l", b"l", b"h", b"l"]
PROGRAM
