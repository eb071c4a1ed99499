#!/usr/bin/env bash
# Expected: a test that clicks on a widget which is not displayed fails, with OutOfBounds or another error.
# Instead: Pilot.click clicks on the top left cell of the screen, presses whatever is there, and returns False, which
#   a test hardly ever looks at.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `click` in tests/tools/table_pilot.py asserts True.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.widgets import Button

pressed = []


class Buttons(App):
    def compose(self):
        yield Button("quit", id="quit")
        yield Button("roll", id="roll")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        pressed.append(event.button.id)


async def main() -> None:
    async with Buttons().run_test() as pilot:
        pilot.app.query_one("#roll").display = False
        await pilot.pause()
        answer = await pilot.click("#roll")
        print("click on the hidden #roll:", answer, "- pressed:", *pressed)
        assert (answer, pressed) == (False, ["quit"])


asyncio.run(main())
PROGRAM
