"""Characters of a terminal as keys, mouse events and pastes: late answers, torn sequences, and every form of a key."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from textual import _parser
from textual.events import AppBlur, AppFocus, CursorPosition, Key, MouseDown, MouseEvent, MouseMove, Paste, Resize
from textual.message import Message
from textual.messages import TerminalSupportsSynchronizedOutput

from fourtwenty.tui.input import sequences
from fourtwenty.tui.input.sequences import CURSOR, MAX_STRING, MODE_2026, STRING_SECONDS, TAIL_SECONDS, InputParser

ANSWERS = {
    "XTGETTCAP": "\x1bP1+r524742=38\x1b\\",
    "DECRQSS": "\x1bP1$r0m\x1b\\",
    "XTVERSION": "\x1bP>|XTerm(379)\x1b\\",
    "foreground": "\x1b]10;rgb:ffff/ffff/ffff\x1b\\",
    "background": "\x1b]11;rgb:0000/0000/0000\x07",
    "palette": "\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
    "clipboard": "\x1b]52;c;NDIw\x07",
    "APC": "\x1b_Gi=31;OK\x1b\\",
    "PM": "\x1b^note\x1b\\",
    "SOS": "\x1bXnote\x1b\\",
    "DA1": "\x1b[?64;1;2;6;22c",
    "DA2": "\x1b[>41;379;0c",
    "DA3": "\x1bP!|00000000\x1b\\",
    "theme": "\x1b[?997;1n",
    "kitty flags": "\x1b[?0u",
    "window size": "\x1b[8;30;100t",
    "pixels": "\x1b[4;600;800t",
    "cursor": "\x1b[24;80R",
    "mode": "\x1b[?2048;2$y",
    "status": "\x1b[0n",
}
"""Answers of terminals to questions of other programs."""


class Typed:
    """A parser with a clock of its own, and what it has read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *asked: str, slow: bool = False) -> None:
        self.now = 0.0
        monkeypatch.setattr(_parser, "get_time", lambda: self.now)
        monkeypatch.setattr(sequences, "get_time", lambda: self.now)
        self.parser = InputParser(asked, slow)
        self.messages: list[Message] = []

    def feed(self, *parts: str, pause: float = 0.0) -> list[Message]:
        """Read some parts with a pause after each, and return everything read so far."""
        for part in parts:
            self.messages += self.parser.feed(part)
            self.wait(pause)
        return self.messages

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass, waking the parser whenever it asks for it."""
        end = self.now + seconds
        while (left := self.parser.seconds_left) is not None and self.now + left <= end:
            self.now += left
            self.messages += self.parser.tick()
        self.now = end

    def keys(self, *parts: str, pause: float = 10.0) -> list[str]:
        return [event.key for event in self.feed(*parts, pause=pause) if isinstance(event, Key)]


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Typed:
    return Typed(monkeypatch)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
def test_a_late_answer_is_no_key(typed: Typed, answer: str) -> None:
    assert typed.feed(answer, "r", pause=0.0) == typed.messages[-1:]
    assert typed.keys() == ["r"]


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))
def test_a_late_answer_is_no_key_however_it_is_cut(typed: Typed, answer: str) -> None:
    for cut in range(1, len(answer)):
        typed.messages.clear()
        assert typed.keys(answer[:cut], answer[cut:], "r", pause=0.05)[-1:] == ["r"]
        assert len(typed.messages) == 1, answer[:cut]


@pytest.mark.parametrize("string", ["\x1bP1+r5247", "\x1b]11;rgb:0000", "\x1b_G", "\x1b[200~Ann"])
def test_a_string_without_an_end_is_given_up(typed: Typed, string: str) -> None:
    assert typed.keys(string, pause=STRING_SECONDS) == []
    assert typed.keys("r") == ["r"]


def test_a_string_that_never_ends_is_given_up_at_its_limit(typed: Typed) -> None:
    assert typed.keys("\x1b]52;c;" + "A" * (MAX_STRING - 5), pause=0) == []
    assert typed.keys("r", pause=0) == ["r"]


def test_ctrl_c_and_ctrl_q_are_keys_even_inside_a_string(typed: Typed) -> None:
    assert typed.keys("\x1b]52;c;AA\x03BB\x11CC", pause=0) == ["ctrl+c", "ctrl+q"]


def test_each_question_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = Typed(monkeypatch, MODE_2026, CURSOR)
    first, second = typed.feed("\x1b[?2026;2$y", "\x1b[1;3R")
    assert isinstance(first, TerminalSupportsSynchronizedOutput)
    assert isinstance(second, CursorPosition)
    assert (second.x, second.y) == (2, 0)
    assert typed.feed("\x1b[?2026;2$y", "\x1b[5;3R") == [first, second], "nothing else was asked"


@pytest.mark.parametrize("state", ["0", "4"])
def test_a_mode_that_can_never_be_set_is_not_supported(monkeypatch: pytest.MonkeyPatch, state: str) -> None:
    assert Typed(monkeypatch, MODE_2026).feed(f"\x1b[?2026;{state}$y") == []


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("\x1b[27;1:1u", ["escape"]),
        ("\x1b[114;1:3u", []),
        ("\x1b[97:65;2u", ["A"]),
        ("\x1b[97;2u", ["A"]),
        ("\x1b[38::49;;38u", ["ampersand"]),
        ("\x1b[1082::114;;1082u", ["r"]),
        ("\x1b[97;;99999999u", ["a"]),
        ("\x1b[1114112u", []),
        ("\x1b[99999999999;5u", []),
        ("\x1b[97;1;1114112u", ["a"]),
        ("\x1b[97:65:97;1:3;9u", []),
        ("\x1b[57441;2u", []),
        ("\x1b[57358u", []),
        ("\x1b[57400u", ["1"]),
        ("\x1b[57400;129;49u", ["1"]),
        ("\x1b[57414u", ["enter"]),
        ("\x1b[13;129u", ["enter"]),
        ("\x1b[27;129u", ["escape"]),
        ("\x1b[99;5u", ["ctrl+c"]),
        ("\x1b[99;69u", ["ctrl+c"]),
        ("\x1b[1;65A", ["up"]),
        ("\x1b[27;5;113~", ["ctrl+q"]),
        ("\x1b[P", ["delete"]),
        ("\x1bOP", ["f1"]),
        ("\x1b[11~", ["f1"]),
        ("\x1b[[A", ["f1"]),
        ("\x1b[3$", ["shift+delete"]),
        ("\x1b[Z", ["shift+tab"]),
        ("\x1bOq", ["1"]),
        ("\x1bOM", ["enter"]),
        ("\n", ["enter"]),
        ("\x1b[1;2:3A", []),
        ("\x1b[123456~", []),
        ("\x1b[" + "9" * 100 + "~", ["9"] * 38 + ["tilde"]),
    ],
)
def test_every_form_of_a_key(typed: Typed, written: str, keys: list[str]) -> None:
    assert typed.keys(written, pause=0) == keys


def test_a_typed_digit_of_the_keypad_has_its_character(typed: Typed) -> None:
    (key,) = typed.feed("\x1b[57404u")
    assert isinstance(key, Key)
    assert (key.key, key.character) == ("5", "5")


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("\x1b1", ["escape", "1"]),
        ("\x1ba", ["escape", "a"]),
        ("\x1bq", ["escape", "q"]),
        ("\x1b\t", ["escape", "tab"]),
        ("\x1b\r", ["escape"]),
        ("\x1b\n", ["escape"]),
        ("\x1b\x7f", ["alt+backspace"]),
        ("\x1b\x1b", ["escape", "escape"]),
        ("\x1b\x1b[A", ["escape", "up"]),
        ("\x1b\x03", ["escape", "ctrl+c"]),
        ("\x1b", ["escape"]),
        ("\x1b[", ["escape"]),
        ("\x1bO", ["escape"]),
    ],
)
def test_escape_and_a_key_in_one_read_are_two_keys(typed: Typed, written: str, keys: list[str]) -> None:
    assert typed.keys(written) == keys


TORN = ["\x1b[<35;41;12M", "\x1b[<0;41;12m", "\x1bOP", "\x1b[15~", "\x1b[A", "\x1b[1;2A"]


@pytest.mark.parametrize("sequence", TORN)
@pytest.mark.parametrize("pause", [0.05, 0.25])
def test_a_torn_sequence_is_put_together_on_a_slow_link(
    monkeypatch: pytest.MonkeyPatch, sequence: str, pause: float
) -> None:
    whole = Typed(monkeypatch).feed(sequence)
    for cut in range(1, len(sequence)):
        typed = Typed(monkeypatch, slow=pause > 0.1)
        assert [type(each) for each in typed.feed(sequence[:cut], sequence[cut:], pause=pause)] == [*map(type, whole)]


@pytest.mark.parametrize("sequence", TORN)
def test_the_rest_of_a_torn_sequence_is_no_key(monkeypatch: pytest.MonkeyPatch, sequence: str) -> None:
    last = 0 if sequence[-1] in "M~" else 1
    for cut in range(1, len(sequence) - last):
        typed = Typed(monkeypatch)
        assert set(typed.keys(sequence[:cut], sequence[cut:], pause=0.25)) <= {"escape"}
        assert typed.keys("r")[-1] == "r"
        typed.messages.clear()
        assert len(typed.feed(sequence[:cut], sequence[cut:], pause=0.25)) == 1, "a torn one has been seen"


def test_a_key_after_a_torn_report_counts_at_once_or_soon(typed: Typed) -> None:
    assert typed.keys("\x1b[<35;4", pause=0.2) == []
    assert typed.keys("1", pause=0.2) == ["1"]
    assert typed.keys("r", pause=0) == ["1", "r"]


def test_a_report_of_the_size_changes_nothing(typed: Typed) -> None:
    (event,) = typed.feed("\x1b[48;40;100;0;0t", "\x1b[48;0;0;0;0t", "\x1b[<35;50;20M")
    assert isinstance(event, MouseMove)
    assert (event.x, event.y) == (49, 19), "in cells"
    (*_, paste) = typed.feed("\x1b[200~hello \x1b[48;40;100;0;0t\x1b[201~")
    assert isinstance(paste, Paste)
    assert not any(isinstance(each, Resize) for each in typed.messages)


def test_the_wheel_of_urxvt_does_not_go_on_while_the_mouse_moves(typed: Typed) -> None:
    assert typed.feed("\x1b[<97;10;10M") == []
    assert len(typed.feed("\x1b[<65;10;10M")) == 1


def test_old_reports_of_the_mouse_are_dropped(typed: Typed) -> None:
    assert typed.feed("\x1b[M a1", "\x1b[32;10;10M") == []
    assert typed.keys("\x1b[M ", "r") == ["r"], "a torn one takes no later key"


def test_a_tail_is_awaited_for_a_while_only(typed: Typed) -> None:
    assert typed.keys("\x1b[<35;41;12", pause=TAIL_SECONDS + 1) == []
    assert typed.keys("M") == ["M"]


def test_an_answer_may_end_with_escape_alone(typed: Typed) -> None:
    """urxvt 9.30 ends its answer about a colour of the palette so."""
    assert typed.keys("\x1b]4;1;rgb:cdcd/0000/0000\x1b", "r", pause=0.1) == ["r"]


def recorded(value: object) -> Iterator[str]:
    """Yield the sequences in a table of a recorded terminal."""
    if isinstance(value, str) and "\x1b" in value:
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from recorded(each)


TERMINALS = [tomllib.loads(file.read_text("utf-8")) for file in Path(__file__).parents[1].glob("terminals/*.toml")]


@pytest.mark.parametrize("slow", [False, True])
def test_what_real_terminals_send_takes_no_later_key_wherever_it_is_cut(
    monkeypatch: pytest.MonkeyPatch, slow: bool
) -> None:
    for sequence in sorted({*recorded(TERMINALS)}):
        for cut in range(1, len(sequence) + 1):
            typed = Typed(monkeypatch, slow=slow)
            typed.feed(sequence[:cut], pause=TAIL_SECONDS)
            typed.messages.clear()
            assert typed.keys("r") == ["r"], sequence[:cut]


def test_what_else_a_terminal_sends(typed: Typed) -> None:
    focus, blur, paste, click = typed.feed("\x1b[I\x1b[O\x1b[200~a\x1b[Ab\x1b[201~\x1b[<0;3;4M")
    assert isinstance(focus, AppFocus)
    assert isinstance(blur, AppBlur)
    assert isinstance(paste, Paste)
    assert paste.text == "a\x1b[Ab"
    assert isinstance(click, MouseDown)
    assert (click.x, click.y) == (2, 3)


KEYS = st.sampled_from(["1", "4", "r", "a", "q", "\r", "\x1b[A", "\x1bOP", "\t"])
NAMES = {"\r": "enter", "\x1b[A": "up", "\x1bOP": "f1", "\t": "tab"}
BYTES = st.text("\x1b[]OPX^_\\<?>;:$0123456789MmuRtcn~A \x07\x03éк", min_size=1, max_size=40)


@given(noise=st.lists(BYTES, max_size=4), slow=st.booleans(), keys=st.lists(KEYS, min_size=1, max_size=5))
def test_every_key_counts_after_any_bytes_and_a_pause(noise: list[str], slow: bool, keys: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = Typed(monkeypatch, slow=slow)
        typed.feed(*noise, pause=0.05)
        typed.wait(max(TAIL_SECONDS, STRING_SECONDS))
        typed.messages.clear()
        assert typed.keys(*keys, pause=0.4) == [NAMES.get(key, key) for key in keys]


@given(noise=st.lists(BYTES, max_size=4), keys=st.lists(KEYS, min_size=1, max_size=5))
def test_keys_that_come_one_by_one_count_after_the_shorter_pause(noise: list[str], keys: list[str]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = Typed(monkeypatch)
        typed.feed(*noise, pause=0.05)
        typed.wait(2 * STRING_SECONDS)
        typed.messages.clear()
        assert typed.keys(*keys, pause=0.4) == [NAMES.get(key, key) for key in keys]


@given(noise=st.text(st.characters(max_codepoint=0x2FFF), max_size=60), cuts=st.lists(st.integers(0, 60), max_size=3))
def test_no_bytes_raise(noise: str, cuts: list[int]) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        typed = Typed(monkeypatch, MODE_2026, CURSOR)
        edges = [0, *sorted(cuts), len(noise)]
        for start, end in pairwise(edges):
            if part := noise[start:end]:
                typed.feed(part, pause=0.2)
        assert all(isinstance(each, (Key, MouseEvent, Paste, Message)) for each in typed.messages)
