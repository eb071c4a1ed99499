"""Characters of a terminal turned into keys, mouse events and pastes. All other sequences are dropped.

The terminal, the browser's terminal and the Windows console use this one parser.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import suppress

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._keyboard_protocol import FUNCTIONAL_KEYS
from textual._parser import ParseEOF, ParseTimeout, Peek1, Read1, TokenCallback
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.constants import ESCAPE_DELAY
from textual.events import AppBlur, AppFocus, CursorPosition, InputEvent, Key, Paste
from textual.keys import Keys, _character_to_key
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

Reading = Generator[Read1 | Peek1, str, str]
"""Reads characters. Returns the one that is not part of what was read and starts the next; "" for none."""

SLOW_ESCAPE_DELAY = 0.3
"""Seconds to wait for the rest of a sequence on a slow link; ``ESCAPE_DELAY``, 0.1, elsewhere."""
STRING_SECONDS, SLOW_STRING_SECONDS = 0.5, 2.0
"""Seconds after its last character until a string or a paste without an end is given up."""
TAIL_SECONDS = 2.0
"""Seconds after a torn sequence in which its rest is dropped."""

MAX_STRING = 4096
"""The most characters of a string sequence; a longer one is given up."""
MAX_SEQUENCE = 64
"""The most characters of a control sequence."""

ESC, BEL, ST = "\x1b", "\x07", "\x9c"
CSI, SS3 = f"{ESC}[", f"{ESC}O"
STRINGS = "P]_^X"
"""The characters that start a string sequence after Escape: DCS, OSC, APC, PM, SOS (ECMA-48)."""
PASTE, PASTE_END = f"{CSI}200~", f"{CSI}201~"
UNMARKED_PASTES = ("linux", "dvtm", "eterm")
"""Beginnings of TERM in terminals that do not mark pasted text: the Linux console, dvtm 0.15, Emacs 28."""

MODE_2026, CURSOR = f"{CSI}?2026$p", f"{CSI}6n"
"""The questions of the program: whether mode 2026, synchronized output, is known; where the cursor is."""

# Patterns, compiled when they are first needed: all of them would delay the start.
MOUSE = r"\x1b\[<(\d+);-?\d+;-?\d+[Mm]"
MODE_ANSWER = r"\x1b\[\?2026;([0-4])\$y"
CURSOR_ANSWER = r"\x1b\[(\d+);(\d+)R"
KEY = r"\x1b\[(\d*)(?::(\d*))?(?::(\d*))?(?:;(\d*)(?::(\d+))?)?(?:;([\d:]*))?([u~A-HP-S])"
"""A key of xterm, or of the kitty protocol: code, shifted and base key; modifiers, event type; text; end."""

TORN = r"\x1b(?:\[<?[\d;:-]*|O?)"
"""The start of a key or a mouse report."""
WHOLE = r"\x1b(?:\[<\d+;-?\d+;-?\d+[Mm]|\[[\d;:]*[~A-Z]|\[[\d:]+;[\d;:]*u|O[A-Z])"
"""A key or a mouse report that can arrive in two parts. A single letter at its end is a key, but for M."""

LINES = r"[^\x00-\x1f\x7f]*([\r\n]+[^\x00-\x1f\x7f]{2,})+[\r\n]*"
"""Several lines, the first perhaps empty. A single character after Enter is a key."""

RELEASED = "3"
"""The event type of a released key in the kitty protocol."""
SHIFT, LOCKS = 1, 64 | 128
"""Bits of the modifiers, less one, in the kitty protocol: shift; Caps Lock and Num Lock."""
MODIFIERS = {SHIFT: "shift", 2: "alt", 4: "ctrl", 8: "super", 16: "hyper", 32: "meta"}
"""Textual's names of the modifiers, by their bits."""
IGNORED_KEYS = {*map(str, range(57358, 57361)), *map(str, range(57441, 57455))}
"""Codes of the lock and modifier keys, which do nothing by themselves."""
MAX_ASCII = 127
"""The last character on every Latin keyboard; others are read by their place where the terminal reports it."""
WHEEL_IN_MOTION = 64 | 32
"""Bits of the button in a report of the mouse. urxvt 9.30 sets both while the mouse moves after a turn of the wheel."""


class Lines(InputEvent):
    """Lines that came at once, typed ahead or pasted: text for a field, else keys."""

    def __init__(self, text: str, keys: list[Key]) -> None:
        super().__init__()
        self.text = text
        self.keys = keys


# Textual 8.2 (_xterm_parser.py) has no string sequences: it passes on as keys what it does not know, so that a late
# answer to another program's question rolls dice. It raises ValueError at event types and alternates of the kitty
# protocol, takes ``ESC x`` for another character, believes a size report with 0 pixels or inside a paste, and passes on
# a sequence torn by a slow link as Escape and letters. Its ``parse`` is replaced, its tables of keys are used.
class InputParser(XTermParser):
    """Reads characters by ``feed``; calling ``tick`` after ``seconds_left`` ends what has been waited for."""

    def __init__(self, asked: Collection[str] = (), slow: bool = False, marks_pastes: bool = True) -> None:
        """Pass on one answer to each question asked. A slow link tears sequences.

        In a terminal that does not mark pasted text, lines that come at once may be pasted.
        """
        self._asked = {*asked}
        self._marks_pastes = marks_pastes
        self._escape_delay = SLOW_ESCAPE_DELAY if slow else ESCAPE_DELAY
        self._string_seconds = SLOW_STRING_SECONDS if slow else STRING_SECONDS
        super().__init__()

    @property
    def seconds_left(self) -> float | None:
        """The seconds until ``tick`` is due; None if nothing is waited for."""
        return None if self._timeout_time is None else max(0.0, self._timeout_time - get_time())

    def tick(self) -> Iterator[Message]:
        yield from super().tick()
        # Textual 8.2 (_parser.py, tick) sets no time for what is read after one that has run out.
        if self._timeout_time is None and self._awaiting.timeout is not None:
            self._timeout_time = get_time() + self._awaiting.timeout

    def feed(self, data: str) -> Iterable[Message]:
        messages = [*super().feed(data)]
        keys = [each for each in messages if isinstance(each, Key)]
        if self._marks_pastes or len(keys) < len(data) or not re.fullmatch(LINES, data):
            return messages
        return [Lines(data, keys)]

    def parse(self, token_callback: TokenCallback[Message]) -> Generator[Read1 | Peek1, str, None]:
        self._send = token_callback
        character = ""
        with suppress(ParseEOF):
            while True:
                character = character or (yield self.read1())
                if character == ESC:
                    character = yield from self._escape((yield from self._read(self._escape_delay)))
                else:
                    self._send_keys(self._sequence_to_key_events(character))
                    character = ""

    def _read(self, seconds: float) -> Reading:
        """Return the next character; "" if none comes in so many seconds."""
        try:
            return (yield self.read1(seconds))
        except ParseTimeout:
            return ""

    def _escape(self, character: str) -> Reading:
        """Read what follows Escape, from its first character on. Other characters are keys after Escape."""
        if character == "[":
            return (yield from self._control_sequence())
        if character and character in STRINGS:
            return (yield from self._string())
        if character == "O":
            final = yield from self._read(self._escape_delay)
            return self._decode(SS3 + final) if final else (yield from self._torn(SS3))
        if character in ("\x7f", "\b"):
            self._send(Key("alt+backspace", None))
            return ""
        if not character:
            return (yield from self._torn(ESC))
        self._send(Key("escape", ESC))
        return "" if character in "\r\n" else character

    def _control_sequence(self) -> Reading:
        sequence = CSI
        while len(sequence) < MAX_SEQUENCE:
            character = yield from self._read(self._escape_delay)
            if not character:
                return (yield from self._torn(sequence))
            if not " " <= character <= "~":
                return character
            sequence += character
            if sequence == f"{CSI}M":  # an old mouse report: three more characters, which may be any
                for _ in range(3):
                    if not (yield from self._read(self._escape_delay)):
                        break
                return ""
            if sequence == PASTE:
                return (yield from self._paste())
            # The Linux console has F1 as ``CSI [ A``; urxvt has shift+Delete as ``CSI 3 $``.
            if sequence != f"{CSI}[" and (character >= "@" or (character == "$" and "?" not in sequence)):
                return self._decode(sequence)
        return ""

    def _string(self) -> Reading:
        """Drop a string to its end. Ctrl+c and ctrl+q are keys even there."""
        for _ in range(MAX_STRING):
            character = yield from self._read(self._string_seconds)
            if character in ("", BEL, ST):
                return ""
            if character in "\x03\x11":
                self._send_keys(self._sequence_to_key_events(character))
            elif character == ESC:
                character = yield from self._read(self._string_seconds)
                if character and character in f"[O{STRINGS}":
                    return (yield from self._escape(character))
                return character.removeprefix("\\")  # urxvt 9.30 ends some of its answers with Escape alone
        return ""

    def _paste(self) -> Reading:
        text = ""
        while not text.endswith(PASTE_END):
            character = yield from self._read(self._string_seconds)
            if not character:
                break
            text += character
        self._send(Paste(text.removesuffix(PASTE_END).replace("\0", "")))
        return ""

    def _torn(self, sequence: str) -> Reading:
        """Drop a sequence that has no end, and its rest if it comes late; without parameters it is Escape."""
        if sequence in (ESC, CSI, SS3):
            self._send(Key("escape", ESC))
        rest, seconds = "", TAIL_SECONDS
        while character := (yield from self._read(seconds)):
            rest, seconds = rest + character, self._escape_delay
            if re.fullmatch(WHOLE, sequence + rest) and (len(rest) > 1 or rest in "M~"):
                self._escape_delay = SLOW_ESCAPE_DELAY
                return ""
            if not re.fullmatch(TORN, sequence + rest):
                break
        for character in rest[:-1]:
            self._send_keys(self._sequence_to_key_events(character))
        return rest[-1:]

    # -- whole sequences -------------------------------------------------------------------------------------------

    def _decode(self, sequence: str) -> str:
        """Send what a sequence means, if anything; return "", since it is read to its end."""
        if sequence in (f"{CSI}I", f"{CSI}O"):
            self._send(AppFocus() if sequence == f"{CSI}I" else AppBlur())
        elif mouse := re.fullmatch(MOUSE, sequence):
            event = None if int(mouse[1]) & WHEEL_IN_MOTION == WHEEL_IN_MOTION else self.parse_mouse_code(sequence)
            if event:
                self._send(event)
        elif answer := re.fullmatch(MODE_ANSWER, sequence):
            if self._is_answer(MODE_2026) and answer[1] in "123":
                self._send(TerminalSupportsSynchronizedOutput())
        elif (answer := re.fullmatch(CURSOR_ANSWER, sequence)) and self._is_answer(CURSOR):
            self._send(CursorPosition(int(answer[2]) - 1, int(answer[1]) - 1))
        elif sequence == f"{CSI}P":  # st 0.9 and later; F1 in the kitty protocol, whose flags are not pushed
            self._send(Key("delete", None))
        elif key := re.fullmatch(KEY, sequence):
            self._send_keys(self._keys(*key.groups(default="")))
        elif sequence in ANSI_SEQUENCES_KEYS:
            self._send_keys(self._sequence_to_key_events(sequence))
        return ""

    def _is_answer(self, question: str) -> bool:
        """Return whether a question is unanswered; it is answered now."""
        asked = question in self._asked
        self._asked.discard(question)
        return asked

    def _keys(
        self, code: str, shifted: str, base: str, modifiers: str, event: str, text: str, end: str
    ) -> Iterator[Key]:
        """Yield the keys of a sequence without what Textual 8.2 cannot read."""
        if code == "27" and end == "~":  # xterm's modifyOtherKeys
            code, text, end = text, "", "u"
        name = FUNCTIONAL_KEYS.get(f"{code or 1}{end}", "")
        if event == RELEASED or code in IGNORED_KEYS or not (name or (end == "u" and _is_character(code))):
            return
        held = max(int(modifiers or "1") - 1, 0) & ~LOCKS
        if not name and held & SHIFT and _is_character(shifted or str(ord(chr(int(code)).upper()[:1]))):
            code, held = shifted or str(ord(chr(int(code)).upper()[:1])), held & ~SHIFT
        typed = [each for each in text.split(":") if _is_character(each) and chr(int(each)).isprintable()]
        if not typed and not held:
            character = name or chr(int(code))
            typed = [str(ord(character))] if len(character) == 1 and character.isprintable() else []
        modifiers_held = sorted(each for bit, each in MODIFIERS.items() if held & bit)
        letter = not name and int(code) > MAX_ASCII and _is_character(base)
        for written in [chr(int(each)) for each in typed] or [""]:
            key = name or _character_to_key(chr(int(base)) if letter else written or chr(int(code)))
            yield Key("+".join([*modifiers_held, key]), written or None)

    def _send_keys(self, keys: Iterable[Key]) -> None:
        for key in keys:
            if key.key == "ctrl+j":  # some terminals send a line feed for Enter, most before they are set up
                self._send(Key("enter", "\r"))
            elif key.key != Keys.Ignore:
                self._send(key)


def _is_character(code: str) -> bool:
    """Return whether a code point is a character, and neither a surrogate nor in private use."""
    return bool(code) and int(code) < 0x110000 and not 0xD800 <= int(code) < 0xF900
