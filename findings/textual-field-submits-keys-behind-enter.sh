#!/usr/bin/env bash
# Expected: a, Enter, b in one read submit "a".
# Instead: they submit "ab": Enter looks for its binding only after it has passed from the field up to the app, one
#   queue after another, and b has been typed by then.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: Textualize/textual#6605 and #6631, open.
# Here: `action_submit` in fourtwenty/tui/dialogs/dialog.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.events import Key
from textual.widgets import Input

seen = []


class Names(App):
    def compose(self):
        yield Input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        seen.append((event.value, event.input.value))


async def main() -> None:
    async with Names().run_test() as pilot:
        for key in ("a", "enter", "b"):  # as a driver posts three keys of one read
            pilot.app.post_message(Key(key, key if len(key) == 1 else None))
        await pilot.pause()


asyncio.run(main())
print("event.value and event.input.value:", *seen)
assert seen == [("ab", "ab")]
PROGRAM
