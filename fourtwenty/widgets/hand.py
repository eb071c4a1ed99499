"""The hand to play: its dice side by side, which of them are picked, and how they tumble when they are thrown."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Set

from textual.app import ComposeResult
from textual.containers import HorizontalGroup
from textual.reactive import reactive

from fourtwenty.games.game import Faces
from fourtwenty.widgets.die import Die

TUMBLE_SECONDS = 0.55
TUMBLE_FRAMES = 8


class Hand(HorizontalGroup):
    """A row of dice. It shows what it is told; clicks arrive as ``Die.Clicked``."""

    spin: reactive[float] = reactive(0.0)
    """How far the thrown dice are from lying still, from 1 down to 0."""

    def __init__(self, size: int) -> None:
        """Make a hand of so many dice."""
        super().__init__()
        self.places = [Die(place) for place in range(1, size + 1)]
        self._thrown: dict[int, int] = {}

    def compose(self) -> ComposeResult:
        """Lay the dice side by side."""
        yield from self.places

    def show(self, faces: Faces, picked: Set[int] = frozenset(), fresh: Collection[int] = ()) -> None:
        """Show a hand at rest, blank where it has no faces, with dice picked and others just rolled, by place."""
        for die in self.places:
            die.face = faces[die.place - 1] if die.place <= len(faces) else 0
            die.picked = die.place in picked
            die.fresh = die.place in fresh

    def pick(self, picked: Set[int]) -> None:
        """Show the dice at these places picked, and no others."""
        for die in self.places:
            die.picked = die.place in picked

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
        for order, (place, face) in enumerate(self._thrown.items()):
            frames_left = max(0, round(spin * TUMBLE_FRAMES) - (len(self._thrown) - order - 1) // 2)
            die = self.places[place - 1]
            die.picked = False
            die.face = (face - 1 + frames_left * (place + 1)) % 6 + 1
            die.fresh = frames_left == 0
