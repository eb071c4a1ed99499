"""The faces of real dice as they are typed, with faces to click beside them. What is asked for, the table says."""

from __future__ import annotations

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from fourtwenty.games.game import Faces


class TypedFaces(Widget):
    """One line: a place for every face that is asked for, then the six faces; blank while nothing is asked."""

    DEFAULT_CSS = "TypedFaces { height: 1; }"
    COMPONENT_CLASSES = {"faces--place", "faces--next", "faces--key"}  # noqa: RUF012

    asked: reactive[int] = reactive(0)
    """How many faces are asked for."""
    faces: reactive[Faces] = reactive(())
    """Those typed so far."""

    class Clicked(Message):
        """A face was clicked."""

        def __init__(self, face: int) -> None:
            super().__init__()
            self.face = face

    def __init__(self, most: int) -> None:
        """Leave room for so many faces, so that those to click stay in place."""
        super().__init__()
        self.most = most

    def render(self) -> Content:
        """Draw the places, the next of them marked, and the faces to click."""
        if not self.asked:
            return Content("")
        place, following, key = (self.get_visual_style(f"faces--{part}") for part in ("place", "next", "key"))
        missing = self.asked - len(self.faces)
        places = Content.assemble(
            *((f" {face} ", place) for face in self.faces),
            *[(" _ ", following)][:missing],
            (" _ " * (missing - 1), place),
            "   " * (self.most - self.asked),
        )
        keys = Content(" ").join(
            Content.styled(f" {face} ", key).stylize(Style.from_meta({"face": face})) for face in range(1, 7)
        )
        return Content.assemble(places, "   ", keys)

    def on_click(self, event: Click) -> None:
        """Say which face was clicked."""
        face = event.style.meta.get("face")
        if face:
            event.stop()
            self.post_message(self.Clicked(face))
