#!/usr/bin/env bash
# Expected: a key that a widget takes for opening a screen has done its work.
# Instead: unless the widget stops the event, it goes on up to the app, and the app looks for a binding in the screen
#   that is on top by then: the new one, for which the key was never meant. One press opens and deletes.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found; Textualize/textual#2194 and #5306, closed, are near.
# Here: `on_event` in fourtwenty/tui/input/queue.py keeps a key from a screen that came after it.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Static

done = []


class Details(Screen):
    BINDINGS = [("d", "delete", "Delete")]

    def action_delete(self) -> None:
        done.append("deleted")


class Row(Static, can_focus=True):
    def on_key(self, event: Key) -> None:
        if event.key == "d":
            done.append("details")
            self.app.push_screen(Details())


class Rows(App):
    def compose(self):
        yield Row("a row")


async def main() -> None:
    async with Rows().run_test() as pilot:
        await pilot.press("d")
        await pilot.pause()
        print("one press of d:", *done)
        assert done == ["details", "deleted"]


asyncio.run(main())
PROGRAM
