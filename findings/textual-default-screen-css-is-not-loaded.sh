#!/usr/bin/env bash
# Expected: the CSS of a screen counts, however the screen is shown.
# Instead: that of the screen which App.get_default_screen returns is never read; the same screen has it when pushed.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found; the method came with Textualize/textual#4520.
# Here: `get_default_screen` in fourtwenty/tui/app.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.screen import Screen


class Page(Screen):
    CSS = "Page { background: red; }"


class Starts(App):
    def get_default_screen(self) -> Screen:
        return Page()


async def background(app: App, *, push: bool) -> str:
    async with app.run_test():
        if push:
            await app.push_screen(Page())
        return app.screen.styles.background.hex


seen = asyncio.run(background(Starts(), push=False)), asyncio.run(background(App(), push=True))
print("background as the default screen and as a pushed one:", *seen)
assert seen[0] != "#FF0000" and seen[1] == "#FF0000"
PROGRAM
