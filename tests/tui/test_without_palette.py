"""Textual's own palette is not imported at the start, and is there for whoever wants it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from fourtwenty.tui.launch import KNOWN

BEGIN = "import sys; from fourtwenty.tui import launch; "


def said(code: str) -> list[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()


def test_the_known_version_is_started_without_it() -> None:
    import textual

    if textual.__version__ != KNOWN:
        pytest.skip("another version of Textual, which gets the real module")
    loaded = said(f"{BEGIN}launch.import_textual(); import fourtwenty.tui.app; print(*sys.modules)")
    assert "textual.app" in loaded
    assert not {"textual.command", "textual.widgets._select", "textual.widgets._directory_tree"} & set(loaded)


def test_it_can_be_imported_later() -> None:
    assert said(
        f"{BEGIN}launch.import_textual(); from textual.command import Matcher, CommandPalette;"
        "print(CommandPalette.__module__, hasattr(CommandPalette, 'is_open'))"
    ) == ["textual.command", "True"]


@pytest.mark.parametrize("change", ["KNOWN = '1.0.0'", "PALETTE_NAMES = ('Provider',)"])
def test_another_version_gets_the_real_one(change: str) -> None:
    assert said(
        f"{BEGIN}launch.{change}; launch.import_textual(); import textual.app;"
        "print(textual.app.CommandPalette.__module__, hasattr(textual.app.CommandPalette, 'is_open'))"
    ) == ["textual.command", "True"]
