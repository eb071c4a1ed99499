#!/usr/bin/env bash
# Expected: when on_mount of a widget runs, the widget has the styles of its screen's CSS, in App.run as in run_test.
# Instead: in App.run on Python 3.12 or newer the first screen with a style sheet of its own composes and mounts
#   before that sheet is read. App.run sets asyncio's eager task factory, run_test does not: no test sees it.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `_get_screen` in fourtwenty/tui/textual_base/base_app.py loads the sheet first.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
python_at_least 3.12
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.screen import Screen
from textual.widgets import Static

seen = []


class Part(Static):
    def on_mount(self) -> None:
        seen.append(self.styles.dock)
        self.app.exit()


class Second(Screen):
    CSS = "Part { dock: bottom; }"

    def compose(self):
        yield Part()


class Opens(App):
    def on_mount(self) -> None:
        self.push_screen(Second())


async def test() -> None:
    async with Opens().run_test() as pilot:
        await pilot.pause()


asyncio.run(test())
Opens().run(headless=True)
print("dock in on_mount: run_test", seen[0], "- run", seen[1])
assert seen == ["bottom", "none"]
PROGRAM
