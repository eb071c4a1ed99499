"""The entry of real dice: the faces typed so far, and six faces to click. It checks nothing."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from fourtwenty.games.game import Faces


class ManualFaces(Widget):
    """A line with a slot for each face to type, then six faces to click; blank without slots."""

    DEFAULT_CSS = "ManualFaces { height: 1; }"
    COMPONENT_CLASSES = {"faces--slot", "faces--next", "faces--key"}  # noqa: RUF012

    asked: reactive[int] = reactive(0)
    faces: reactive[Faces] = reactive(())

    def __init__(self, most: int) -> None:
        """Leave room for ``most`` slots, so that the faces to click never move."""
        super().__init__()
        self.most = most

    def render(self) -> Content:
        if not self.asked:
            return Content("")
        slot, following, key = (self.get_visual_style(f"faces--{part}") for part in ("slot", "next", "key"))
        missing = self.asked - len(self.faces)
        slots = Content.assemble(
            *((f" {face} ", slot) for face in self.faces),
            *[(" _ ", following)][:missing],
            (" _ " * (missing - 1), slot),
            "   " * (self.most - self.asked),
        )
        keys = [Content.styled(f" {face} ", key) for face in range(1, 7)]
        actions = [Style.from_meta({"action": f"face({face})"}) for face in range(1, 7)]
        clicked = Content(" ").join(map(Content.stylize, keys, actions))
        return Content.assemble(slots, "   ", clicked)
