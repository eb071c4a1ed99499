"""The emblem of a game: a winning hand in the colours of four seats. The dice cannot be clicked."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from fourtwenty.games.game import Faces
from fourtwenty.tui.widgets.die import draw

DIE_WIDTH, DIE_HEIGHT = 9, 5


class Logo(Widget):
    """Up to four dice, drawn in one widget."""

    DEFAULT_CSS = f"Logo {{ height: {DIE_HEIGHT}; }}"
    COMPONENT_CLASSES = {f"logo--die-{die}" for die in range(1, 5)}  # noqa: RUF012

    faces: reactive[Faces] = reactive(())
    """The faces of the dice, four at most."""

    def __init__(self, faces: Faces) -> None:
        super().__init__()
        self.faces = faces

    def watch_faces(self, faces: Faces) -> None:
        """Set the width to that of the dice."""
        self.styles.width = len(faces) * (DIE_WIDTH + 1) - 1

    def render(self) -> Content:
        """Draw the dice side by side."""
        styles = [self.get_visual_style(f"logo--die-{die}") for die in range(1, len(self.faces) + 1)]
        boxes = [draw(face, DIE_WIDTH, DIE_HEIGHT, "", selected=False) for face in self.faces]
        return Content("\n").join(
            Content(" ").join(Content.styled(box[line], style) for box, style in zip(boxes, styles, strict=True))
            for line in range(DIE_HEIGHT)
        )
