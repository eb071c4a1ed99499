#!/usr/bin/env bash
# Expected: an app that exits while a screen opens runs on_mount of the screen after its widgets have been made, or
#   not.
# Instead: on_mount runs although compose has not and never will, so that a query in it raises NoMatches, and the app
#   that was about to end well ends with a traceback.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: Textualize/textual#5325, open.
# Here: `_handle_exception` in fourtwenty/tui/textual_base/base_app.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.screen import Screen
from textual.widgets import Label

seen = []


class Page(Screen):
    def compose(self):
        yield Label("page")

    def on_mount(self) -> None:
        seen.append(len(self.query(Label)))


async def opened(*, then_exit: bool) -> None:
    async with App().run_test() as pilot:
        pilot.app.push_screen(Page())
        if then_exit:
            pilot.app.exit()
        else:
            await pilot.pause()


asyncio.run(opened(then_exit=False))
asyncio.run(opened(then_exit=True))
print("labels that on_mount finds: opened", seen[0], "- opened while the app exits", seen[1:])
assert seen == [1, 0]
PROGRAM
