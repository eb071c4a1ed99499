#!/usr/bin/env bash
# Expected: two clicks on a button are two presses, however quick they are.
# Instead: a click is dropped while the button still looks pressed from the last one, for 0.2 seconds as it comes: a
#   button that counts something up loses clicks of a quick hand. active_effect_duration = 0 counts them all.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `MouseButton` in fourtwenty/tui/textual_base/mouse_button.py.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
import asyncio

from textual.app import App
from textual.widgets import Button


class Counter(App):
    count = 0

    def compose(self):
        yield Button("more", action="app.more")

    def action_more(self) -> None:
        self.count += 1


async def presses(effect: float) -> int:
    async with Counter().run_test() as pilot:
        pilot.app.query_one(Button).active_effect_duration = effect
        await pilot.click(Button)
        await pilot.click(Button)
        return pilot.app.count


print("as it comes, seconds:", Button("").active_effect_duration)
seen = [asyncio.run(presses(effect)) for effect in (60, 0)]  # 60: no machine is too slow to click within it
print("presses of two clicks within the effect, and with an effect of 0:", *seen)
assert seen == [1, 2]
PROGRAM
