#!/usr/bin/env bash
# Expected: Enter of the keypad sends what Enter sends, a carriage return, as in XTerm, kitty, VTE or Konsole.
# Instead: it sends a line feed, which is ctrl+j: a program in raw mode that waits for Enter hears another key.
# Seen: alacritty 0.11.0-4 of Debian 12; 29 November 2026.
# Upstream: alacritty/alacritty#3178 and #5908, closed.
# Here: `_send_keys` in fourtwenty/tui/input/sequences.py takes a line feed for Enter.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run alacritty=0.11.0-4 libgl1-mesa-dri=22.3.6-1+deb12u2 libegl1=1.6.0-1 libgl1=1.6.0-1 \
    fonts-dejavu-core=2.37-6 xdotool=1:3.20160805.1-5 xvfb=2:21.1.7-3+deb12u13 xfonts-base=1:1.0.5+nmu1 <<'PROGRAM'
import os
import subprocess
import time

from pseudo_terminal import probe

os.environ |= {"DISPLAY": ":77", "LANG": "C.UTF-8"}
display = subprocess.Popen(["Xvfb", ":77", "-screen", "0", "1000x800x24"], stderr=subprocess.DEVNULL)
os.environ |= {"LIBGL_ALWAYS_SOFTWARE": "1", "XDG_RUNTIME_DIR": "/finding"}
time.sleep(2)
subprocess.Popen(["alacritty", "-e", *probe(b"", "/finding/log")])
subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--class", "alacritty"], timeout=30, check=True)
seen = {}
for key in ("Return", "KP_Enter"):
    end = time.monotonic() + 20
    while not seen.get(key) and time.monotonic() < end:
        subprocess.run(["xdotool", "key", key], check=True)
        time.sleep(1)
        seen[key] = [*{*open("/finding/log").read().splitlines()} - {*seen.get("Return", ())}]
display.kill()
print(seen)
assert seen == {"Return": [r"b'\r'"], "KP_Enter": [r"b'\n'"]}
PROGRAM
