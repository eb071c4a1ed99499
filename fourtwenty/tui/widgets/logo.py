"""The emblem of a game, a winning hand in the tints of the seats, with its name and credits. It takes no clicks."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from fourtwenty.games.game import Game
from fourtwenty.tui.widgets.die import draw
from fourtwenty.tui.widgets.seats import tint

DIE_WIDTH, DIE_HEIGHT = 9, 5
NARROW_DIE_WIDTH = 7
NARROW = 70
"""The width, in cells, below which the dice are narrower."""


class Logo(Widget):
    """Dice and a few lines of text, drawn in one widget."""

    DEFAULT_CSS = f"Logo {{ height: {DIE_HEIGHT}; text-wrap: nowrap; text-overflow: ellipsis; }}"
    COMPONENT_CLASSES = {"logo--name", "logo--quiet"}  # noqa: RUF012

    game: reactive[Game | None] = reactive(None)
    """The game that is shown."""

    def render(self) -> Content:
        game = self.game
        if game is None:
            return Content()
        width = NARROW_DIE_WIDTH if self.size.width < NARROW else DIE_WIDTH
        tints = [tint(die) for die in range(len(game.emblem))]
        boxes = [draw(face, width, DIE_HEIGHT, "", selected=False) for face in game.emblem]
        quiet = self.get_visual_style("logo--quiet", partial=True)
        texts = [
            Content.styled(game.name, self.get_visual_style("logo--name", partial=True)),
            Content(game.motto),
            *(Content.styled(line, quiet) for line in game.credit.split("\n")),
        ]
        return Content("\n").join(
            Content.assemble(
                *(
                    part
                    for box, each in zip(boxes, tints, strict=True)
                    for part in ((box[line], f"$seat-{each}-pip on $seat-{each}"), " ")
                ),
                " ",
                texts[line] if line < len(texts) else "",
            )
            for line in range(DIE_HEIGHT)
        )
