"""The hand to play: its dice side by side, which of them are picked, and how they tumble when they are thrown.

It is a single widget, so that a key or a click paints little and at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Set
from dataclasses import replace
from functools import lru_cache

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.events import Click
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.strip import Strip
from textual.widget import Widget

from fourtwenty.games.game import Faces
from fourtwenty.tui.widgets.die import Die, draw

TUMBLE_SECONDS = 0.55
TUMBLE_FRAMES = 8

TALL = 8
"""From this height in cells, the dice are as large as they get."""


class Hand(Widget):
    """A row of dice. It shows what it is told; a click arrives as ``Clicked``."""

    DEFAULT_CSS = "Hand { width: auto; height: 6; }"

    dice: var[tuple[Die, ...]] = var(())
    """The dice as they are shown."""
    colour: reactive[int | None] = reactive(None)
    """Number of the tint they wear, ``$seat-0`` to ``$seat-5``; None for plain white."""
    spin: var[float] = var(0.0)
    """How far the thrown dice are from lying still, from 1 down to 0."""

    class Clicked(Message):
        """A die was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place
            """Position of the die in the hand, from 1."""

    def __init__(self, size: int) -> None:
        """Make a hand of so many dice."""
        super().__init__()
        self.set_reactive(Hand.dice, (Die(),) * size)
        self._thrown: dict[int, int] = {}

    def show(self, faces: Faces, picked: Set[int] = frozenset(), fresh: Collection[int] = ()) -> None:
        """Show a hand at rest, blank where it has no faces, with dice picked and others just rolled, by place."""
        self.dice = tuple(
            Die(faces[place - 1] if place <= len(faces) else 0, place in picked, place in fresh)
            for place in range(1, len(self.dice) + 1)
        )

    def pick(self, picked: Set[int]) -> None:
        """Show the dice at these places picked, and no others."""
        self.dice = tuple(replace(die, picked=place in picked) for place, die in enumerate(self.dice, 1))

    @property
    def tumbling(self) -> bool:
        """Whether dice have yet to land."""
        return self.spin > 0

    async def throw(self, thrown: dict[int, int]) -> None:
        """Show dice tumble and land: place to face. Returns when they lie still; ``land`` cuts it short."""
        if self.app.animation_level == "none":
            return
        self._thrown = thrown
        landed = asyncio.Event()
        self.spin = 1.0
        self.animate("spin", 0.0, duration=TUMBLE_SECONDS, easing="out_quad", on_complete=landed.set)
        await landed.wait()

    async def land(self) -> None:
        """Let dice that still tumble lie still at once."""
        await self.stop_animation("spin")

    def watch_spin(self, spin: float) -> None:
        """Draw the frame of the tumble; the dice land one after the other."""
        dice = list(self.dice)
        for order, (place, face) in enumerate(self._thrown.items()):
            frames_left = max(0, round(spin * TUMBLE_FRAMES) - (len(self._thrown) - order - 1) // 2)
            shown = (face - 1 + frames_left * (place + 1)) % 6 + 1
            dice[place - 1] = Die(shown, fresh=frames_left == 0)
        self.dice = tuple(dice)

    def watch_dice(self, before: tuple[Die, ...], dice: tuple[Die, ...]) -> None:
        """Paint the dice that have changed; of those that only show another face, the rows of pips."""
        changed = []
        for place, (then, now) in enumerate(zip(before, dice, strict=True), 1):
            if replace(then, face=now.face) != now:
                changed.append(self.place(place))
            elif then != now:
                changed.append(self.place(place).shrink((1 if now.picked else 2, 0, 2 if now.picked else 1, 0)))
        if changed:
            self.refresh(*changed)

    def place(self, place: int) -> Region:
        """Return where a die lies in the widget, with the row it lifts by."""
        width, height = self._die_size
        return Region((place - 1) * (width + 1), 0, width, height)

    @property
    def _die_size(self) -> tuple[int, int]:
        """Width and height of a die in cells, with the row it lifts by."""
        height = self.styles.height
        return (14, TALL) if height and height.value >= TALL else (9, 6)

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """Return how many cells the dice take, with a gap after each."""
        return len(self.dice) * (self._die_size[0] + 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Mix the colours once for all lines."""
        colours = self.app.theme_variables
        wears = "dice-white" if self.colour is None else f"seat-{self.colour}"
        self._felt = self.rich_style
        self._digits = self.app.has_class("-digits")
        pips, ground = _rich(colours[f"{wears}-pip"]), _rich(colours[wears])
        self._body = Style(color=pips, bgcolor=ground, bold=self._digits or None)
        self._said = self._felt + Style(color=_rich(colours["accent"]), bold=True)
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw one line of every die."""
        width, height = self._die_size
        gap = Segment(" ", self._felt)
        segments = []
        for place, die in enumerate(self.dice, 1):
            box = draw(die.face, width, height - 1, f"{place}", die.picked, self._digits)
            line = y if die.picked else y - 1
            label = Segment(die.label.center(width), self._said)
            segments += [Segment(box[line], self._body) if 0 <= line < len(box) else label, gap]
        return Strip(segments).adjust_cell_length(self.size.width, self._felt)

    def on_click(self, event: Click) -> None:
        """Tell whoever holds the hand which die it was."""
        for place in range(1, len(self.dice) + 1):
            if self.place(place).contains(event.x, event.y):
                event.stop()
                self.post_message(self.Clicked(place))
                break


@lru_cache
def _rich(colour: str) -> RichColor:
    return Color.parse(colour).rich_color
