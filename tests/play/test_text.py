"""Untrusted text: what must not reach a terminal is replaced, and nothing else."""

from __future__ import annotations

import re
import sys
from unicodedata import bidirectional, category

import pytest
from long_tests import PRODUCT, mostly_long

from fourtwenty.console import has_controls, strip_controls
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.play.format import IGNORABLE, name_key, percent, stored_name_key
from fourtwenty.tui.past_games.chance_chart import LABEL_CELLS


@pytest.mark.parametrize(
    ("right", "tried", "rate"),
    [
        (0, 0, ""),
        (0, 1, "0 of 1 right (0%)"),
        (7, 9, "7 of 9 right (78%)"),
        (199, 200, "199 of 200 right (over 99%)"),
        (1, 250, "1 of 250 right (under 1%)"),
        (1_000, 1_000, "1,000 of 1,000 right (100%)"),
    ],
)
def test_the_rate_of_right_answers_is_certain_only_where_all_are(right: int, tried: int, rate: str) -> None:
    assert Scorecard(right, tried).rate == rate


@mostly_long("digits", [0, 1, 2], [0, 2], "fourtwenty/play/format.py")
@mostly_long("estimated", [False, True], [True], "fourtwenty/play/format.py")
def test_nothing_but_certainty_is_shown_as_certain(estimated: bool, digits: int) -> None:
    chances = [number / 100_003 for number in range(1, 100_003)]
    shown = {percent(chance, estimated, digits) for chance in chances}
    assert not {text for text in shown if float(text.split()[-1].rstrip("%")) in (0, 100)}
    assert digits > 1 or max(map(len, shown)) <= LABEL_CELLS


def test_percent_is_within_one_in_the_last_digit() -> None:
    assert [percent(chance, digits=0) for chance in (0.004, 0.005, 0.0051, 0.995, 0.9951)] == [
        "under 1%",
        "under 1%",
        "1%",
        "over 99%",
        "over 99%",
    ]


def test_a_name_has_no_key_of_what_unicode_says_is_not_shown() -> None:
    ignorable = [chr(code) for code in range(sys.maxunicode + 1) if re.match(IGNORABLE, chr(code))]
    assert len(ignorable) == 4174  # the total in DerivedCoreProperties.txt of Unicode 17.0
    assert {name_key(each) for each in ignorable} == {""}
    assert name_key("👨\u200d👩\u200d👧") == "👨👩👧"


def test_the_key_of_the_database_tells_names_apart_as_ever() -> None:
    assert [stored_name_key(name) for name in ("Ann", "Ann\ufe0f", "A\u034fnn", "A\u200bnn")] == [
        "ann",
        "ann\ufe0f",
        "a\u034fnn",
        "ann",
    ]


DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Classes of characters that turn the direction of the text around them. Three marks do so too, of other classes."""
MARKS = "\u061c\u200e\u200f"


@pytest.mark.long(*PRODUCT)
def test_every_harmful_character_is_replaced_and_no_other() -> None:
    for character in map(chr, range(sys.maxunicode + 1)):
        turns = character in MARKS or bidirectional(character) in DIRECTIONS
        harmful = turns or category(character) in ("Cc", "Cs", "Zl", "Zp")
        assert has_controls(character) == harmful, hex(ord(character))
        replaced = "\N{REPLACEMENT CHARACTER}" if harmful else character
        assert strip_controls(f"a{character}b") == f"a{replaced}b"
