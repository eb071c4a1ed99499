"""The style sheets: looks are in them and not in Python, and a screen that opens reads no more than its own."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from table_pilot import playing
from textual.css.stylesheet import Stylesheet

import fourtwenty
from fourtwenty.tui.screens.markdown_screen import MarkdownScreen

PACKAGE = Path(fourtwenty.__file__).parent
MODULES = sorted((module for folder in PACKAGE.rglob("tui") for module in folder.rglob("*.py")), key=str)


def style_rules(module: Path) -> list[str]:
    """Return the style rules that stand in a module as text."""
    classes = (node for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.ClassDef))
    return [
        ast.unparse(line.value)
        for each in classes
        for line in each.body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) in ("CSS", "DEFAULT_CSS")
    ]


@pytest.mark.parametrize("module", MODULES, ids=[str(module.relative_to(PACKAGE)) for module in MODULES])
def test_colours_are_in_style_sheets(module: Path) -> None:
    for rules in style_rules(module):
        assert "$" not in rules


def test_every_style_sheet_is_of_a_module_beside_it() -> None:
    sheets = list(PACKAGE.rglob("*.tcss"))
    assert sheets
    for sheet in sheets:
        module = sheet.with_suffix(".py").read_text("utf-8")
        assert (
            f'CSS_PATH = "{sheet.name}"' in module or f'CSS_PATH = Path(__file__).with_name("{sheet.name}")' in module
        )


async def test_a_screen_that_opens_reads_its_own_sheet_only(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as pilot:
        again: list[Stylesheet] = []
        monkeypatch.setattr(Stylesheet, "reparse", again.append)
        before = set(pilot.app.stylesheet.source)
        await pilot.press("question_mark")
        assert isinstance(pilot.app.screen, MarkdownScreen)
        (sheet,) = pilot.app.screen.css_path
        read = {path for path, variable in set(pilot.app.stylesheet.source) - before if not variable}
        assert read == {str(sheet)}
        assert pilot.app.screen.query_one("MarkdownPage").styles.max_width is not None
        assert not again
