"""The moving picture shows each screenshot for its time, and shares what they have in common."""

from __future__ import annotations

import re

from moving_picture import moving_picture
from textual.app import App, ComposeResult
from textual.widgets import Label


class Sign(App[None]):
    def compose(self) -> ComposeResult:
        yield Label("420\n\nMake exactly 20", id="sign")


async def test_frames_are_shown_for_their_times_and_share_their_rows() -> None:
    async with Sign().run_test(size=(20, 5)) as pilot:
        calm = pilot.app.export_screenshot()
        pilot.app.query_one("#sign", Label).update("420\n\nAnn & Ben < 20")
        await pilot.pause()
        lively = pilot.app.export_screenshot()
    picture = moving_picture([(calm, 1.0), (lively, 0.5), (calm, 0.5)], still=1)
    assert picture.count('<g transform="translate(') == 3, "the buttons of the window, and two frames: one comes twice"
    assert len(re.findall(r'<g id="r\d+">', picture)) == 4, "the one that both have, an empty one, and one of each"
    assert re.findall(r"([\d.]+)%\{transform:translateX\((-?\d+)px\)\}", picture) == [
        ("0", "-0"), ("50", "-253"), ("75", "-0"),
    ]  # fmt: skip
    assert "animation:play 2s step-end infinite;transform:translateX(-253px)" in picture
    assert "Make\xa0exactly\xa020" in picture
    assert "Ann\xa0&amp;\xa0Ben\xa0&lt;\xa020" in picture
