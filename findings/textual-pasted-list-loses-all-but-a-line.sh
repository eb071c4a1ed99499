#!/usr/bin/env bash
# Expected: a field of one line takes a pasted list whole, with something for its line breaks.
# Instead: it takes the first line and drops the rest without a word. A list that begins with a line break, as a
#   selection of whole lines often does, pastes nothing. ctrl+v, from the app's own clipboard, puts in line breaks
#   too.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found; Estudely/riftor#63 met it.
# Here: `on_paste` in fourtwenty/tui/dialogs/dialog.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.events import Paste
from textual.widgets import Input


class Field(App):
    def compose(self):
        yield Input()


async def value(text: str, *, by_key: bool) -> str:
    async with Field().run_test() as pilot:
        if by_key:
            pilot.app.copy_to_clipboard(text)
            await pilot.press("ctrl+v")
        else:
            pilot.app.post_message(Paste(text))
        await pilot.pause()
        return pilot.app.query_one(Input).value


seen = [asyncio.run(value(text, by_key=False)) for text in ("Ann\nBen", "\nAnn\nBen")]
key = asyncio.run(value("Ann\nBen", by_key=True))
print("a list, a list after a line break:", seen, "- the list by ctrl+v:", repr(key))
assert seen == ["Ann", ""] and key == "Ann\nBen"
PROGRAM
