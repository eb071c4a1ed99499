"""A smoke test of an installed wheel without anything else: a match is played, the app is whole, errors are one line.

Run by CI with the Python of an empty environment, isolated, from a folder that has nothing to do with it.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import sys
from importlib.metadata import metadata, version
from importlib.resources import files
from pathlib import Path

import fourtwenty
from fourtwenty.file_storage import style_sheet
from fourtwenty.games import GAMES
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.markdown_screen import MarkdownScreen
from fourtwenty.tui.widgets.markdown_page import MarkdownPage

PROGRAM = shutil.which("fourtwenty", path=Path(sys.executable).parent)
assert PROGRAM


def run(*arguments: str, status: int = 0) -> str:
    """Run the installed command; return what it printed."""
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert done.returncode == status, (arguments, done)
    return done.stdout or done.stderr


async def look() -> None:
    """Open the lobby and the rules of every game."""
    for game in GAMES.values():
        app = FourTwentyApp()
        async with app.run_test() as pilot:
            app.push_screen(MarkdownScreen(files("fourtwenty.games").joinpath(f"{game.key}.md").read_text("utf-8")))
            await pilot.pause()
            assert app.screen.query_one(MarkdownPage).size.height > 10, game.key


package = Path(fourtwenty.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert style_sheet() == package / "screens.tcss"
assert version("fourtwenty") == fourtwenty.__version__ == run("--version").split()[1]
page = metadata("fourtwenty")["Description"]
assert "](https://" in page
assert not re.search(r"\]\((?!\w+:)", page), "the index's page has a link that leads nowhere"
assert run("play", "--plain", "--players", "bot:Steady,bot:Perfect", "--seed", "2a").endswith("2a\n")
assert "Steady, Perfect" in run("history")
assert "pip install" in run("host", status=2)
asyncio.run(look())
print(f"{package.parent}: version, a match, its history, the lobby and the rules of {len(GAMES)} games")
