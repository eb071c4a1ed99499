#!/usr/bin/env bash
# Expected: once a click on a link has opened a screen, a second click that was made at once does nothing, because
#   the link is covered.
# Instead: the action of the second click runs, and two screens are open. Two clicks of a hand take less time than a
#   screen takes to open.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `run_action` in fourtwenty/tui/input/queue.py asks whether the widget is covered.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.events import MouseDown, MouseUp
from textual.screen import Screen
from textual.widgets import Label


class Links(App):
    def compose(self):
        yield Label("[@click=app.open]open[/]")

    def action_open(self) -> None:
        self.push_screen(Screen())


async def main() -> None:
    async with Links().run_test() as pilot:
        app = pilot.app
        style = app.screen.get_style_at(0, 0)
        for kind in (MouseDown, MouseUp) * 2:  # as a driver posts the four reports of two clicks
            app.post_message(kind(None, 0, 0, 0, 0, 1, False, False, False, 0, 0, style))
        await pilot.pause()
        print("screens above the first:", len(app.screen_stack) - 1)
        assert len(app.screen_stack) == 3


asyncio.run(main())
PROGRAM
