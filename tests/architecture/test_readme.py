"""The examples in docs/library.md and in docstrings run as shown; what the pages link to is there."""

from __future__ import annotations

import doctest
import importlib
import re
import shlex
import tomllib
from doctest import DocTestParser
from itertools import takewhile
from pathlib import Path

import pytest

from fourtwenty.cli.arguments import parse
from fourtwenty.cli.help_page import SUMMARIES
from fourtwenty.games import GAMES
from fourtwenty.play.bots import OFFERED

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, ROOT / ".github" / "SECURITY.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMAND = re.compile(r"`fourtwenty(?:\s([^`]+))?`|^ *(?:\$ )?(?:\.venv/bin/)?fourtwenty(?: (.+))?$", re.MULTILINE)
"""A command line of the program, in a sentence or on a line of its own, where spaces come before an explanation."""
LIBRARY = ROOT / "docs" / "library.md"
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "fourtwenty").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
"""The modules with examples."""


def test_the_page_about_the_library_runs() -> None:
    result = doctest.testfile(str(LIBRARY), module_relative=False, encoding="utf-8")
    assert result.attempted >= 20
    assert result.failed == 0


def test_what_the_pages_print_is_strictly_typed(tmp_path: Path) -> None:
    """The loop of the library plays the rule of the page about own bots, as both are printed."""
    api = pytest.importorskip("mypy.api")  # an extra of its own: the lint of CI has it
    examples = DocTestParser().get_examples(LIBRARY.read_text(encoding="utf-8"))
    (rule,) = re.findall(r"```python\n(.*?)```", LIBRARY.with_name("own-bot.md").read_text("utf-8"), re.DOTALL)
    lines = [each.source for each in examples if each.source.startswith(("from random", "def ", "chance ="))]
    source = "".join([rule, *lines, 'play("420", [cautious, simple, cautious], chance)\n'])
    (tmp_path / "printed.py").write_text(source, encoding="utf-8")
    told, error, status = api.run(["--strict", "--cache-dir", str(tmp_path), str(tmp_path / "printed.py")])
    assert (error, status) == ("", 0), told


@pytest.mark.parametrize("module", MODULES)
def test_the_docstrings_run(module: str) -> None:
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted > 0
    assert result.failed == 0


def test_the_readme_is_a_page_of_its_length() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 90


def test_commands_that_install_name_extras_that_there_are() -> None:
    extras = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    )
    first, *_ = re.findall(r"\.\[([\w,]+)\]", README.read_text(encoding="utf-8"))
    assert first == "rooms", "what the lobby offers is installed by the README's first command"
    for page in PAGES:
        for names in re.findall(r"\.\[([\w,]+)\]", page.read_text(encoding="utf-8")):
            assert set(names.split(",")) <= extras, page


def commands(page: Path) -> list[list[str]]:
    """Return the words of each command line that a page has, with an example for each name of a value."""
    lines = (" ".join(found) for found in COMMAND.findall(page.read_text(encoding="utf-8")))
    examples = {"ID": "12", "HUB": "play.example.org", "ADDRESS": "192.168.1.23", "FILE": "match.json"}
    split = (takewhile(lambda word: word != ">", shlex.split(re.split(r"\s{3,}", line)[0])) for line in lines)
    return list(filter(None, ([examples.get(word, word) for word in words] for words in split)))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_commands_of_a_page_are_understood(page: Path) -> None:
    for words in commands(page):
        if len(words) == 1 or words[0] == "help":  # the name of a command, or its help
            assert words[-1] in {*SUMMARIES, *GAMES, "--version", "--help", "--plain"}
        elif words[-1] == "--position":  # the name of an option
            parse([*words, "*6551 >4332 roll 2"])
        else:
            parse(words)


def test_there_are_commands_to_be_understood() -> None:
    assert ["simulate", "--players", "bot:Timid,bot:Perfect", "--matches", "1000"] in commands(PAGES[3])
    assert sum(len(commands(page)) for page in PAGES) > 40


def test_examples_seat_bots_that_the_lobby_offers() -> None:
    texts = [*PAGES, *(ROOT / "fourtwenty").rglob("*.py")]
    named = {path: set(re.findall(r"bot:([A-Z][a-z]+)", path.read_text(encoding="utf-8"))) for path in texts}
    guide = ROOT / "docs" / "CONTRIBUTING.md"
    assert named.pop(guide) == {"Timid", "Perfect"}, "the bot that the guide adds"
    assert set().union(*named.values()) == {*OFFERED}


def links(page: Path) -> set[Path]:
    found = re.findall(r"\]\((?!\w+:)([^)#]+)", page.read_text(encoding="utf-8"))
    return {(page.parent / link).resolve() for link in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    assert {link for link in links(page) if not link.exists()} == set()


def test_every_page_and_every_picture_is_linked() -> None:
    shown = {path for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".png", ".svg")}
    assert shown - set().union(*map(links, PAGES)) == set()


def test_the_moving_picture_is_small_and_stands_still_for_those_who_ask() -> None:
    picture = (ROOT / "docs" / "match.svg").read_text(encoding="utf-8")
    assert len(picture.encode()) <= 300_000
    assert "@media (prefers-reduced-motion:reduce){.strip{animation:none}}" in picture
