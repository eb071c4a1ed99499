"""The hand, in one widget that repaints only changed lines: dice, selection, animation of a roll. No rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual import getters
from textual.binding import Binding
from textual.color import Color
from textual.containers import Vertical
from textual.events import Click
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive, var
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces
from fourtwenty.tui.textual_base.actions import ScreenAction
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.drawn import DrawnWidget
from fourtwenty.tui.widgets.die import GIANT, HUGE, LARGE, MEDIUM, SMALL, Die, draw
from fourtwenty.tui.widgets.seats import BOLD, die_style, ink

MAX_WIDTH_SHARE = 2 / 3
"""The largest share of the terminal's width for large and huge dice, so that the rest shows more than its edges."""

EDGES = 4
"""Cells at the edges of the felt without dice."""

LAND_SECONDS = 0.15
"""Seconds between two dice that land."""
PICTURE_SECONDS = 0.13
"""About the seconds between two pictures of tumbling dice; more as they slow down."""


def die_actions(
    screen: str, refusal: Callable[[Any], str | None], available: Callable[[Any], bool] = lambda _: True
) -> Iterator[ScreenAction]:
    """Yield ``toggle_die`` with a key for each die of the largest hand; ``screen`` begins the ids."""

    def has_die(die: int) -> Callable[[Any], bool]:
        return lambda shown: available(shown) and die <= shown.game.hand_size

    group = Binding.Group("Select", compact=True)
    for die in range(1, max(game.hand_size for game in GAMES.values()) + 1):
        yield ScreenAction(
            str(die),
            f"toggle_die({die})",
            f"Die {die}",
            id=f"{screen}.die-{die}",
            group=group,
            tooltip="Roll this die or keep it",
            available=has_die(die),
            refusal=refusal,
        )


class Hand(DrawnWidget):
    """A row of dice. A click on one posts ``Clicked``."""

    DEFAULT_CSS = "Hand { width: auto; height: 6; }"

    dice: var[tuple[Die, ...]] = var(())
    colour: reactive[int | None] = reactive(None)
    """The index of the dice's tint, ``$seat-0`` to ``$seat-5``; None for plain white."""

    class Clicked(Message):
        def __init__(self, die: int) -> None:
            super().__init__()
            self.die = die
            """The die position, from 1."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.set_reactive(Hand.dice, (Die(),) * size)
        self.numbered = True
        """Whether the edges of dice show their keys; never where keys are not used."""
        self.whole_width = False
        """Whether the dice may take the whole width of the terminal."""
        self.flying: set[int] = set()
        """The positions of the rolled dice that have not landed."""
        self._landing = asyncio.Event()
        """Set to let the dice land at once."""
        self._shaken: frozenset[int] = frozenset()
        """The positions of tumbling dice with unknown faces."""
        self._shaking: Timer | None = None
        self._box: tuple[int, int] | None = None
        """The painted width and height of a die; None before."""
        self._looks: tuple[object, ...] | None = None
        """The basis of the styles, such as the theme; None before."""

    def show(
        self,
        faces: Faces,
        selected: Set[int] = frozenset(),
        fresh: Collection[int] = (),
        faded: bool = False,
        made: bool = False,
    ) -> None:
        """Show a hand; ``selected`` and ``fresh`` are positions, ``made``: fresh dice have made it."""
        self._stop_shaking()
        self.dice = tuple(
            Die(faces[die - 1] if die <= len(faces) else 0, die in selected, die in fresh, faded, made and die in fresh)
            for die in range(1, len(self.dice) + 1)
        )

    def select(self, selected: Set[int]) -> None:
        self.dice = tuple(
            shown if shown.selected == (die in selected) else replace(shown, selected=die in selected)
            for die, shown in enumerate(self.dice, 1)
        )

    @property
    def moves(self) -> bool:
        return self.app.animation_level != "none"

    @property
    def lying(self) -> Faces:
        """The faces of the hand, 0 for each die that has not landed."""
        return tuple(0 if die in self.flying else shown.face for die, shown in enumerate(self.dice, 1))

    def shake(self, thrown: Collection[int]) -> None:
        """Let dice at these positions, with unknown faces, tumble until the hand is shown or thrown."""
        if not self.moves or self._shaken == frozenset(thrown):
            return
        self._stop_shaking()
        self._shaken = frozenset(thrown)
        self._shaking = self.set_interval(PICTURE_SECONDS, lambda: self.next_picture(self._shaken))

    def next_picture(self, tumbling: Set[int]) -> None:
        """Show these dice with other faces."""
        self.dice = tuple(
            Die((shown.face + die % 5) % 6 + 1) if die in tumbling else shown for die, shown in enumerate(self.dice, 1)
        )

    def _stop_shaking(self) -> None:
        self._shaken = frozenset()
        if self._shaking:
            self._shaking.stop()
            self._shaking = None

    async def throw(self, thrown: dict[int, int], seconds_to_next: Callable[[Faces], float]) -> None:
        """Let rolled dice, as faces by die position, land one after the other; ``land`` ends it early.

        ``seconds_to_next`` gets the landed hand and returns the seconds until the next die lands.
        """
        self._stop_shaking()
        if not self.moves:
            return
        self._landing.clear()
        self.flying = {*thrown}
        try:
            for die, face in thrown.items():
                await self.tumble(seconds_to_next(self.lying))
                if not self.is_attached:
                    await asyncio.Event().wait()  # the app ends: it removes its widgets, then cancels this
                if self._landing.is_set():
                    break
                self.flying.remove(die)
                self.dice = (*self.dice[: die - 1], Die(face), *self.dice[die:])
        finally:
            self.flying.clear()

    async def tumble(self, seconds: float) -> None:
        """Show pictures of the tumbling dice for so many seconds, slower and slower."""
        pictures = max(1, round(seconds / PICTURE_SECONDS))
        for picture in range(1, pictures + 1):
            self.next_picture(self.flying)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._landing.wait(), seconds * 2 * picture / (pictures * (pictures + 1)))
                return

    def land(self) -> None:
        """End the animation at once, with all dice on their new faces."""
        self._landing.set()

    def watch_dice(self) -> None:
        if self.is_mounted:
            self._prepare()
            self.repaint()

    def die_region(self, die: int) -> Region:
        """Return the region of a die in the widget, with the extra row of selected dice."""
        width, height = self._die_size
        return Region((die - 1) * (width + 1), 0, width, height)

    @property
    def _die_size(self) -> tuple[int, int]:
        """The width and height of a die in cells, with the extra row of selected dice."""
        rows = self.styles.height.value - 1 if self.styles.height else 0
        columns = self.app.size.width
        # A style sheet can keep the hand to a column: a puzzle has its reasons beside it. A removed hand has no parent.
        limit = self.parent.styles.max_width if isinstance(self.parent, Widget) else None
        if limit and limit.is_cells:
            columns = min(columns, int(limit.value))
        most = columns if self.whole_width else columns * MAX_WIDTH_SHARE
        rooms = {GIANT: most, HUGE: most, LARGE: most, MEDIUM: columns - EDGES}
        width, height = next(
            (each for each, room in rooms.items() if each[1] <= rows and len(self.dice) * (each[0] + 1) <= room), SMALL
        )
        return width, height + 1

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        return len(self.dice) * (self._die_size[0] + 1)

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._looks = None

    def render_lines(self, crop: Region) -> list[Strip]:
        """Set the size and styles of all lines, then draw them."""
        self._prepare()
        return super().render_lines(crop)

    def _prepare(self) -> tuple[int, int]:
        self._box = self._die_size
        app = self.app
        looks = (app.theme, self.colour, app.no_color)
        if looks == self._looks:
            return self._box
        self._looks = looks
        colours = app.theme_variables
        variable = "dice-white" if self.colour is None else f"seat-{self.colour}"
        self._felt = self.style_of()
        self._gap = Segment(" ", Style(bgcolor=self._felt.bgcolor))
        self._body = die_style(colours[f"{variable}-pip"], colours[variable])
        felt = Color.parse(colours["felt"])
        pale = Color.parse(colours[variable]).blend(felt, 0.6).rich_color
        self._faded = Style(color=Color.parse(colours[f"{variable}-pip"]).blend(felt, 0.3).rich_color, bgcolor=pale)
        self._framed = self.app.no_color
        self._label = self._felt + ink(colours["accent"]) + BOLD
        self._grounds = {style: Style(bgcolor=style.bgcolor) for style in (self._body, self._faded, self._label)}
        return self._box

    def _line(self, y: int, width: int) -> list[Segment]:
        """Join nothing between the edges of dice and gaps, which differ in their grounds: a key is faster by 2 %."""
        _, rows = self._box or self._prepare()
        if y in (0, rows):
            return super()._line(y, width)
        return Segment.adjust_line_length(self.draw_line(y, width), width, self.style_of())

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        # Textual 8.2 (_compositor.py, get_widget_and_offset_at) has a line drawn before it is painted.
        columns, rows = self._box or self._prepare()
        segments = []
        for die, shown in enumerate(self.dice, 1):
            key = f"{die}" if self.numbered else ""
            box = draw(shown.face, columns, rows - 1, key, shown.selected, self._framed, shown.made)
            line = y if shown.selected else y - 1
            inside = 0 <= line < len(box)
            text = box[line] if inside else ("" if y >= rows else shown.label).center(columns)
            body = self._faded if shown.faded else self._body
            style = body if inside else self._label
            if text.isspace():  # fewer bytes for a slow line
                style = self._grounds[style]
            segments += [Segment(text, style), self._gap]
        return segments

    def on_click(self, event: Click) -> None:
        for die in range(1, len(self.dice) + 1):
            if self.die_region(die).contains(event.x, event.y):
                event.stop()
                self.post_message(self.Clicked(die))
                break


class Felt(Vertical):
    """The cloth under the hand, as wide as the hand for a width of ``auto``."""

    # Otherwise Textual 8.2 (widget.py, _get_box_model) lets a child of a relative width fill the screen.
    DEFAULT_CSS = "Felt > * { expand: optimal; }"

    app = getters.app(BaseApp)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the app's filters without ``TextOnly``: the cloth has no text."""
        return self.app.look_filters

    def get_content_width(self, container: Size, viewport: Size) -> int:
        # Textual 8.2 (app.py, _close_all) lays out once more while it removes the widgets of the last screen.
        for hand in self.query(Hand):
            return hand.get_content_width(container, viewport) + hand.styles.margin.width
        return 0
