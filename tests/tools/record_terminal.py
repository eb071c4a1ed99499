"""Records what a terminal sends for the keys of the game and answers to questions, as a file of tests/terminals.

By hand, in an X server with a window manager (Xvfb and openbox), with xdotool, xwininfo, setxkbmap, xclip and xmessage:

    python tests/tools/record_terminal.py NAME VERSION HOW PASTE COMMAND... > tests/terminals/NAME.toml

PASTE is a selection of X and the key that pastes it, as in "clipboard:ctrl+shift+v"; COMMAND starts the terminal with
the program named by its last words, as in "xterm -geometry 100x30 -e". The keyboard has to be American at the start,
without Caps Lock and Num Lock. With KITTY in the environment the flags of the kitty keyboard protocol are set as well.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import select
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, TextIO

from processes import program

QUIET_SECONDS = 0.6
"""The wait for what a terminal sends for one event: tmux as it comes holds Escape back for 0.5 s."""
MOUSE_MODES = "\x1b[?1000h\x1b[?1003h\x1b[?1015h\x1b[?1006h"
MODES = f"\x1b[?1049h{MOUSE_MODES}\x1b[?25l\x1b[?1004h\x1b[?2004h\x1b[?7l"
"""The modes that LinuxDriver of Textual 8.2.8 sets, without the flags of the kitty keyboard protocol."""
KITTY_FLAGS = "\x1b[>25u"

PLAIN = {
    " ": "space",
    "?": "question",
    ":": "colon",
    ",": "comma",
    **{character: character for character in "123456racq"},
}
KEYS = {
    "escape": "Escape", "enter": "Return", "tab": "Tab", "shift+tab": "shift+Tab", "up": "Up", "down": "Down",
    "left": "Left", "right": "Right", "home": "Home", "end": "End", "pageup": "Prior", "pagedown": "Next",
    "backspace": "BackSpace", "delete": "Delete", "shift+r": "shift+r", "ctrl+c": "ctrl+c", "ctrl+p": "ctrl+p",
    "ctrl+q": "ctrl+q", "ctrl+j": "ctrl+j", "shift+enter": "shift+Return", "ctrl+enter": "ctrl+Return",
    "shift+up": "shift+Up", "ctrl+right": "ctrl+Right",
    "f1": "F1", "f2": "F2", "f10": "F10", "alt+a": "alt+a", "alt+1": "alt+1", "alt+backspace": "alt+BackSpace",
    "alt+enter": "alt+Return",
}  # fmt: skip
KEYPAD = {"1": "87", "2": "88", "3": "89", "4": "83", "enter": "104"}
"""Key codes, as key names of the keypad would be typed with shift."""
TOGETHER = {"1": "1", "enter": "Return", "tab": "Tab", "left": "Left", "backspace": "BackSpace"}
LAYOUTS = {
    "fr": {"1": "10", "2": "11", "3": "12", "4": "13", "5": "14", "6": "15", "r": "27"},
    "ru": {"r": "27", "h": "43", "q": "24", "a": "38"},
    "gr": {"r": "27", "h": "43", "q": "24", "a": "38"},
}
QUESTIONS = {
    "DECRQM 2026": "\x1b[?2026$p", "DECRQM 2048": "\x1b[?2048$p", "DECRQM 1016": "\x1b[?1016$p", "DA1": "\x1b[c",
    "DA2": "\x1b[>c", "XTVERSION": "\x1b[>q", "OSC 10": "\x1b]10;?\x1b\\", "OSC 11": "\x1b]11;?\x1b\\",
    "OSC 4": "\x1b]4;1;?\x1b\\", "XTGETTCAP RGB": "\x1bP+q524742\x1b\\", "kitty flags": "\x1b[?u",
    "size in cells": "\x1b[18t", "size in pixels": "\x1b[14t", "cursor report": "\x1b[6n",
    "cursor report DEC": "\x1b[?6n",
}  # fmt: skip


def answer(path: str, more_modes: str) -> None:
    """Be the program in the terminal: set the modes, then write and read what the recorder asks for."""
    import tty

    tty.setraw(0)
    os.write(1, (MODES + more_modes).encode())
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        with line.makefile("rw") as recorder:
            tell(
                recorder,
                {name: os.environ.get(name, "") for name in ("TERM", "COLORTERM")}
                | {"size": [*os.get_terminal_size(0)]},
            )
            for request in recorder:
                asked = json.loads(request)
                os.write(1, asked["write"].encode())
                reads, start = [], time.monotonic()
                while select.select([0], [], [], asked["quiet"])[0]:
                    reads.append(
                        (round(time.monotonic() - start, 2), os.read(0, 4096).decode(errors="backslashreplace"))
                    )
                tell(recorder, reads)


def tell(line: TextIO, value: object) -> None:
    line.write(json.dumps(value) + "\n")
    line.flush()


def output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


class TerminalRecorder:
    """The window of a terminal, and the line to the program in it."""

    def __init__(self, line: TextIO) -> None:
        self.line = line
        self.about: dict[str, Any] = json.loads(line.readline())
        self.reads(quiet=2)  # the window manager shows the window meanwhile
        self.window = output_of("xdotool", "getactivewindow")
        shown = output_of("xwininfo", "-id", self.window)
        x, y, width, height = (
            int(re.findall(rf"{word}: +(-?\d+)", shown)[0])
            for word in ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        )
        self.middle = x + width // 2, y + height // 2
        self.act("mousemove", *map(str, self.middle))

    def reads(self, *action: str, write: str = "", quiet: float = QUIET_SECONDS) -> list[tuple[float, str]]:
        """Let xdotool act; return what the program reads then, and after how many seconds."""
        tell(self.line, {"write": write, "quiet": quiet})
        if action:
            subprocess.run(["xdotool", *action], check=True)
        return [(seconds, text) for seconds, text in json.loads(self.line.readline())]

    def act(self, *action: str, write: str = "", quiet: float = QUIET_SECONDS) -> str:
        return "".join(text for _, text in self.reads(*action, write=write, quiet=quiet))

    def key(self, key: str) -> str:
        """Press a key; close what it opened in the terminal, if it did not come."""
        came = self.act("key", key).replace("\x1b[O", "")
        if not came:
            self.act("key", "Escape", "sleep", "0.5", "windowactivate", self.window)
        return came

    def mouse(self) -> dict[str, str]:
        x, y = self.middle
        aside = str(x + 60), str(y + 40)
        seen = {"move": self.act("mousemove", *aside)}
        for number, button in enumerate(("left", "middle", "right"), 1):
            seen[f"{button}_press"] = self.act("mousedown", str(number))
            seen[f"{button}_release"] = self.act("mouseup", str(number))
        self.act("mousedown", "1")
        seen["drag"] = self.act("mousemove", str(x - 60), str(y - 40))
        seen["drag_release"] = self.act("mouseup", "1")
        seen |= {"wheel_up": self.act("click", "4"), "wheel_down": self.act("click", "5")}
        return seen | {"move_after_wheel": self.act("mousemove", *aside)}

    def paste(self, how: str, text: str) -> str:
        selection, key = how.split(":")
        subprocess.run(["xclip", "-selection", selection], input=text.encode(), check=True)
        return self.act("key", key, quiet=1)

    def layout(self, name: str, keys: dict[str, str]) -> dict[str, str]:
        subprocess.run(["setxkbmap", name], check=True)
        self.reads(quiet=1)
        try:
            return {key: self.act("key", code) for key, code in keys.items()}
        finally:
            subprocess.run(["setxkbmap", "us"], check=True)
            self.reads(quiet=1)

    def focus(self) -> dict[str, str]:
        with program(["xmessage", "another window"]):
            out = self.act(quiet=2)
        return {"out": out, "in": self.act("windowactivate", self.window, quiet=1)}

    def everything(self, paste: str) -> dict[str, Any]:
        """Return the tables of a profile, the keys that a terminal may take for itself last."""
        answers = {question: self.act(write=asked, quiet=0.5) for question, asked in QUESTIONS.items()}
        report = {sign: self.act(write=f"\r{sign}\x1b[6n", quiet=0.5) for sign in "─●"}
        together = {
            f"escape {name}": self.reads("key", "Escape", "sleep", "0.05", "key", key, quiet=1)
            for name, key in TOGETHER.items()
        }
        together["escape, 1 after 700 ms"] = self.reads("key", "Escape", "sleep", "0.7", "key", "1", quiet=1)
        keypad = {"off": {name: self.act("key", code) for name, code in KEYPAD.items()}}
        self.act("key", "Num_Lock")
        keypad["on"] = {name: self.act("key", code) for name, code in KEYPAD.items()}
        self.act("key", "Num_Lock", "key", "Caps_Lock")
        locked = {"caps_lock+r": self.act("key", "r")}
        self.act("key", "Caps_Lock")
        pasted = {"two_lines": self.paste(paste, "Ann\nBen"), "one_line": self.paste(paste, "Ann, Ben")}
        layouts = {name: self.layout(name, keys) for name, keys in LAYOUTS.items()}
        tables = {"keypad": keypad, "layouts": layouts, "together": together, "mouse": self.mouse(), "paste": pasted}
        tables |= {"focus": self.focus(), "report": report, "answers": answers}
        plain = "".join(character for character, key in PLAIN.items() if self.key(key) == character)
        keys = {name: self.key(key) for name, key in KEYS.items()} | locked
        taken = [name for name, came in keys.items() if not came]
        return self.about | {"taken": taken, "plain": plain, "keys": keys} | tables


def toml(value: object) -> str:
    """Return a value as TOML; what is empty in a table has not come, and is left out."""
    if isinstance(value, dict):
        inside = ", ".join(
            f"{json.dumps(key, ensure_ascii=False)} = {toml(each)}" for key, each in value.items() if each
        )
        return f"{{ {inside} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def main(name: str, version: str, how: str, paste: str, *command: str) -> None:
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as server:
        path = str(Path(folder) / "line")
        server.bind(path)
        server.listen()
        with program([*command, sys.executable, str(Path(__file__).absolute()), "--inside", path]):
            line, _ = server.accept()
            with line, line.makefile("rw") as inside:
                seen = TerminalRecorder(inside).everything(paste)
    print(f"name = {toml(name)}\nversion = {toml(version)}\ndate = {datetime.date.today()}\nhow = {toml(how)}")  # noqa: DTZ011
    for key, value in seen.items():
        if not isinstance(value, dict):
            print(f"{key.lower()} = {toml(value)}")
    for key, value in seen.items():
        if isinstance(value, dict):
            print(
                f"\n[{key}]",
                *(f"{json.dumps(each, ensure_ascii=False)} = {toml(came)}" for each, came in value.items() if came),
                sep="\n",
            )


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        answer(sys.argv[2], KITTY_FLAGS if "KITTY" in os.environ else "")
    else:
        main(*sys.argv[1:])
