"""The title of a game: its name beside a winning hand in the colours of four seats."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from fourtwenty.games.game import Faces
from fourtwenty.tui.widgets.die import draw

WIDTH, HEIGHT = 9, 5


class Logo(Widget):
    """Draws dice in a single widget; they are not to be played with."""

    DEFAULT_CSS = f"Logo {{ height: {HEIGHT}; }}"
    COMPONENT_CLASSES = {f"logo--die-{place}" for place in range(1, 5)}  # noqa: RUF012

    faces: reactive[Faces] = reactive(())
    """The faces shown, four at most."""

    def __init__(self, faces: Faces) -> None:
        super().__init__()
        self.faces = faces

    def watch_faces(self, faces: Faces) -> None:
        """Take the room they need."""
        self.styles.width = len(faces) * (WIDTH + 1) - 1

    def render(self) -> Content:
        """Draw the dice side by side."""
        styles = [self.get_visual_style(f"logo--die-{place}") for place in range(1, len(self.faces) + 1)]
        boxes = [draw(face, WIDTH, HEIGHT, "", picked=False) for face in self.faces]
        return Content("\n").join(
            Content(" ").join(Content.styled(box[line], style) for box, style in zip(boxes, styles, strict=True))
            for line in range(HEIGHT)
        )
