"""The emblem of a game, a winning hand in the colours of four seats, with its name and credits. It takes no clicks."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from fourtwenty.games.game import Game
from fourtwenty.tui.widgets.die import draw

DIE_WIDTH, DIE_HEIGHT = 9, 5
NARROW_DIE_WIDTH = 7
NARROW = 70
"""The width, in cells, below which the dice are narrower."""


class Logo(Widget):
    """Up to four dice and a few lines of text, drawn in one widget."""

    DEFAULT_CSS = f"Logo {{ height: {DIE_HEIGHT}; }}"
    COMPONENT_CLASSES = {"logo--name", "logo--quiet", *(f"logo--die-{die}" for die in range(1, 5))}  # noqa: RUF012

    game: reactive[Game | None] = reactive(None)
    """The game that is shown."""

    def render(self) -> Content:
        """Draw the dice side by side, then the texts."""
        game = self.game
        if game is None:
            return Content()
        width = NARROW_DIE_WIDTH if self.size.width < NARROW else DIE_WIDTH
        styles = [self.get_visual_style(f"logo--die-{die}") for die in range(1, len(game.emblem) + 1)]
        boxes = [draw(face, width, DIE_HEIGHT, "", selected=False) for face in game.emblem]
        quiet = self.get_visual_style("logo--quiet", partial=True)
        texts = [
            Content.styled(game.name, self.get_visual_style("logo--name", partial=True)),
            Content(game.motto),
            *(Content.styled(line, quiet) for line in game.credit.split("\n")),
        ]
        return Content("\n").join(
            Content.assemble(
                *(part for box, style in zip(boxes, styles, strict=True) for part in ((box[line], style), " ")),
                " ",
                texts[line] if line < len(texts) else "",
            )
            for line in range(DIE_HEIGHT)
        )
