#!/usr/bin/env bash
# Expected: Escape and 1 that arrive in one read, as tmux and GNU Screen send them, are Escape and 1, or alt+1.
# Instead: they are the letter that a Mac's keyboard has there with Option: an inverted exclamation mark. Both keys
#   are lost to the app; with 2 to 4 it is the same.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `_escape` in fourtwenty/tui/input/sequences.py makes two keys of them (docs/inside/terminals.md, "Alt as
#   Meta").
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
from textual._xterm_parser import XTermParser

seen = {digit: [event.key for event in XTermParser().feed(f"\x1b{digit}")] for digit in "1234"}
print("Escape and a digit:", seen)
assert seen == {"1": ["inverted_exclamation_mark"], "2": ["trade_mark_sign"], "3": ["pound_sign"], "4": ["cent_sign"]}
PROGRAM
