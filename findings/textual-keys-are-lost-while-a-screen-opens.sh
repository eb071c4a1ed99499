#!/usr/bin/env bash
# Expected: of three keys in one read, the first of which opens a screen with a field, the other two are typed into
#   it.
# Instead: they are lost. Nothing says so, and a person who types quickly, or whose terminal sends several keys at
#   once, finds an empty field.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found; Textualize/textual#4704, closed, is near.
# Here: `on_event` in fourtwenty/tui/input/queue.py keeps keys until the screen to which those before have led is
#   there.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.events import Key
from textual.screen import Screen
from textual.widgets import Input


class Field(Screen):
    def compose(self):
        yield Input()


class Asks(App):
    def key_a(self) -> None:
        self.push_screen(Field())


async def main() -> None:
    async with Asks().run_test() as pilot:
        for key in "ann":
            pilot.app.post_message(Key(key, key))  # as a driver posts three keys of one read
        await pilot.pause()
        typed = pilot.app.screen.query_one(Input).value
        print(f"of 'nn' arrives {typed!r}")
        assert typed == ""


asyncio.run(main())
PROGRAM
