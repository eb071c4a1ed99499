#!/usr/bin/env bash
# Expected: dismiss of a screen that is covered by another one removes it, or raises an error.
# Instead: the callback of the covered one gets its result, and the one above is removed. #4621 had forbidden it; 8.2
#   lets it pass.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: Textualize/textual#2575, closed; #4884, open.
# Here: `end` in fourtwenty/tui/dialogs/dialog.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.screen import Screen


async def main() -> None:
    below, above, results = Screen(id="below"), Screen(id="above"), []
    async with App().run_test() as pilot:
        await pilot.app.push_screen(below, lambda result: results.append(("below", result)))
        await pilot.app.push_screen(above, lambda result: results.append(("above", result)))
        error = None
        try:
            below.dismiss("answer")
        except Exception as raised:
            error = raised
        await pilot.pause()
        left = [screen.id for screen in pilot.app.screen_stack[1:]]
        print("below.dismiss('answer'): error", error, "- left", left, "- results", results)
        assert (left, error) == (["below"], None) and results == [("below", "answer")]


asyncio.run(main())
PROGRAM
