#!/usr/bin/env bash
# Expected: GNU Screen passes a lone Escape on after a fraction of a second, once it cannot be the start of a key.
# Instead: as soon as a program has switched the mouse on, Escape stays in Screen until the next key, whenever that
#   comes, and both arrive in one read. A program with a mouse never sees Escape.
# Seen: screen 4.9.0-4 of Debian 12; 29 November 2026.
# Upstream: unknown; mawww/kakoune#4376 and neovim/neovim#14051 met it.
# Here: `_escape` in fourtwenty/tui/input/sequences.py takes the two apart; q goes back wherever Escape does.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run screen=4.9.0-4 <<'PROGRAM'
import os

from pseudo_terminal import PseudoTerminal, probe, reads_after

os.environ["SCREENDIR"] = "/finding/screens"
os.mkdir("/finding/screens", 0o700)
seen = {}
for mouse in (b"", b"\x1b[?1000h"):
    log = f"/finding/{len(mouse)}"
    terminal = PseudoTerminal("screen", "-c", "/dev/null", *probe(mouse, log))
    assert terminal.read_until(b"READY")
    terminal.write(b"\x1b")
    alone = reads_after(terminal, log, 3)
    terminal.write(b"1")
    seen[bool(mouse)] = alone, reads_after(terminal, log, 1)
    terminal.close()
    print("mouse on:", bool(mouse), "- 3 s after Escape:", alone, "- after 1:", seen[bool(mouse)][1])
assert seen[False] == (["b'\\x1b'"], ["b'\\x1b'", "b'1'"])
assert seen[True] == ([], ["b'\\x1b1'"])
PROGRAM
