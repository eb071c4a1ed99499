"""A game's emblem, a winning hand in the seats' tints, with its name and credits. It takes no clicks."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.reactive import reactive
from textual.widget import Widget

from fourtwenty.games.game import Game
from fourtwenty.tui.widgets.die import HUGE, LARGE, MEDIUM, draw
from fourtwenty.tui.widgets.seats import tint

SIZES = ((120, 40, HUGE), (100, 30, LARGE), (70, 0, MEDIUM))
"""Columns and rows of the screen from which dice have a size, the largest first."""
NARROW_DIE = 7, 5
"""The size of dice on other screens, in cells."""


def die_size(screen: Size) -> tuple[int, int]:
    return next(
        (size for columns, rows, size in SIZES if screen.width >= columns and screen.height >= rows), NARROW_DIE
    )


class Logo(Widget):
    DEFAULT_CSS = "Logo { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }"
    COMPONENT_CLASSES = {"logo--name", "logo--quiet"}  # noqa: RUF012

    game: reactive[Game | None] = reactive(None)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        return die_size(self.app.size)[1]

    def render(self) -> Content:
        game = self.game
        if game is None:
            return Content()
        width, height = die_size(self.app.size)
        tints = [tint(die) for die in range(len(game.logo_hand))]
        boxes = [draw(face, width, height, "", selected=False) for face in game.logo_hand]
        quiet = self.get_visual_style("logo--quiet", partial=True)
        texts = [
            Content.styled(game.name, self.get_visual_style("logo--name", partial=True)),
            Content(game.tagline),
            *(Content.styled(line, quiet) for line in game.credit.split("\n")),
        ]
        first = (height - len(texts)) // 2
        return Content("\n").join(
            Content.assemble(
                *(
                    part
                    for box, each in zip(boxes, tints, strict=True)
                    for part in ((box[line], f"$seat-{each}-pip on $seat-{each}"), " ")
                ),
                " ",
                texts[line - first] if first <= line < first + len(texts) else "",
            )
            for line in range(height)
        )
