#!/usr/bin/env bash
# Expected: a mouse that moves without a button is reported as 35 in SGR form (mode 1003): a move, and no button.
# Instead: rxvt-unicode names the last button that was used: 31 before the first, 32 after a click, as if it was
#   dragged, 96 after a notch of the wheel, so that a program scrolls on with every move.
# Seen: rxvt-unicode 9.30-2+b4 of Debian 12; 29 November 2026.
# Upstream: unknown; ArthurSonzogni/FTXUI#791 met it.
# Here: `WHEEL_IN_MOTION` in fourtwenty/tui/input/sequences.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run rxvt-unicode=9.30-2+b4 xdotool=1:3.20160805.1-5 xvfb=2:21.1.7-3+deb12u13 xfonts-base=1:1.0.5+nmu1 <<'PROGRAM'
import os
import subprocess
import time

from pseudo_terminal import probe

os.environ |= {"DISPLAY": ":77", "LANG": "C.UTF-8"}
display = subprocess.Popen(["Xvfb", ":77", "-screen", "0", "1000x800x24"], stderr=subprocess.DEVNULL)


def log() -> list[str]:
    return open("/finding/log").read().splitlines() if os.path.exists("/finding/log") else []


def reported(*command: str) -> str:
    """Return the last read after a command of xdotool."""
    before = len(log())
    subprocess.run(["xdotool", *command], check=True)
    end = time.monotonic() + 10
    while len(log()) == before and time.monotonic() < end:
        time.sleep(0.1)
    return log()[-1]


end = time.monotonic() + 20
while subprocess.run(["xdotool", "getmouselocation"], capture_output=True).returncode and time.monotonic() < end:
    time.sleep(0.1)
subprocess.Popen(["urxvt", "-geometry", "80x24+0+0", "-e", *probe(b"\x1b[?1003h\x1b[?1006h", "/finding/log")])
subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", "urxvt"], timeout=20, check=True)
time.sleep(1)
moves = [reported("mousemove", "100", "100")]
for button in ("1", "4"):
    reported("click", button)
    moves.append(reported("mousemove", "200" if button == "1" else "100", "100"))
display.kill()
print("a move before any button, after a click, after a notch of the wheel:", *moves)
assert [each.split("<")[1].split(";")[0] for each in moves] == ["31", "32", "96"]
PROGRAM
