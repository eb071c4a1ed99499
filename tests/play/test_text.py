"""Untrusted text: what must not reach a terminal is replaced, and nothing else."""

from __future__ import annotations

import sys

from fourtwenty.play.text import harmless, is_harmful


def test_every_harmful_character_is_replaced_and_no_other() -> None:
    for code in range(sys.maxunicode + 1):
        assert (harmless(chr(code)) != chr(code)) == is_harmful(chr(code)), hex(code)
