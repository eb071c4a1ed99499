"""The key bar at the bottom, a single widget: Textual's Footer mounts a dozen whenever a key is dimmed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from textual import getters
from textual.binding import ActiveBinding
from textual.content import Content
from textual.events import MouseDown
from textual.geometry import Size
from textual.reactive import reactive
from textual.screen import Screen
from textual.style import Style
from textual.widget import Widget

from fourtwenty.cells import cell_len
from fourtwenty.tui.textual_base.actions import bindings_of, declared
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.touch import BUTTON_ROWS, button_rows, touched

KEY_SHEET = "app.keys"

THUMB_CELLS = 8
"""The width of a button for a thumb, in cells of a phone: 9 mm."""


class KeyBar(Widget):
    """Shows its screen's bindings in order, and always, at the far right, the list of all keys."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "KeyBar { dock: bottom; height: 1; padding: 0 1; }"
    COMPONENT_CLASSES = {"key-bar--key", "key-bar--off", "key-bar--edge"}  # noqa: RUF012

    app = getters.app(BaseApp)
    bindings: reactive[tuple[ActiveBinding, ...]] = reactive(())
    """The bindings to show, one for each action."""
    sheet: reactive[ActiveBinding | None] = reactive(None)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        active = screen.active_bindings
        shown: dict[str, ActiveBinding] = {}
        for binding in active.values():
            if binding.binding.show:
                shown.setdefault(binding.binding.action, binding)
        self.bindings = tuple(shown.values())
        if self.app.keymap:
            # Textual 8.2 (binding.py, apply_keymap) moves bindings with changed keys behind all others.
            order = {each.id: at for at, each in enumerate(bindings_of(type(screen)))}
            self.bindings = tuple(sorted(shown.values(), key=lambda each: order.get(each.binding.id, 0)))
        self.sheet = next((each for each in active.values() if each.binding.id == KEY_SHEET), None)
        if touched(self.app):
            self.refresh(layout=True)  # there may be another row of buttons

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return the number of rows of buttons, on a touched screen."""
        return len(self._rows_of_buttons(width)) * BUTTON_ROWS

    def render(self) -> Content:
        """Show keys and descriptions; if room is short, closer together, then with fewer spare ones."""
        if touched(self.app):
            return self._buttons()
        width = self.content_size.width
        right = self._key(self.sheet, self.sheet.binding.description) if self.sheet else Content("")
        room = width - right.cell_length - 1
        left = self._row(self.bindings, "  ")
        if left.cell_length > room:
            left = self._row(self.bindings, " ")
        if left.cell_length > room:
            kept = self._without_spare(self.bindings, lambda kept: self._row(kept, " ").cell_length <= room)
            left = self._row(kept, " ")
        if left.cell_length > room and self.sheet:
            right = self._key(self.sheet)
            room = width - right.cell_length - 1
        gap = room - left.cell_length
        edge = ("│ ", self.get_visual_style("key-bar--edge", partial=True)) if gap >= 2 else " " * max(0, gap)
        return Content.assemble(left[: max(0, room)], " " * (gap - 1 if gap >= 2 else 1), edge, right)

    def _buttons(self) -> Content:
        """Return actions without a button on the screen as buttons that share the width, in one row or two."""
        width = self.content_size.width
        return Content("\n").join(self._row_of_buttons(row, width) for row in self._rows_of_buttons(width))

    def _rows_of_buttons(self, width: int) -> list[list[ActiveBinding]]:
        """Return the bindings that are buttons here, without groups, in one row, or two if too narrow for a thumb."""
        screen = self.screen
        assert isinstance(screen, BaseScreen)
        own = {each.action for each in declared(type(screen)).values() if each.label(screen)}
        shown = [each for each in self.bindings if each.binding.group is None and each.binding.action not in own]
        if len(shown) * THUMB_CELLS > width:
            half = (len(shown) + 1) // 2
            return [shown[:half], shown[half:]]
        return [self._without_spare(shown, lambda kept: _least_width(kept) <= width)]

    def _row_of_buttons(self, shown: list[ActiveBinding], width: int) -> Content:
        spare = max(0, width - _least_width(shown))
        cells = [
            cell_len(each.binding.description) + 1 + spare * (at + 1) // len(shown) - spare * at // len(shown)
            for at, each in enumerate(shown)
        ]
        rows = (
            [
                Content.styled(text.center(cell), Style.from_meta({"key": each.binding.key}))
                for each, cell in zip(shown, cells, strict=True)
                for text in [button_rows(each.binding.description)[row]]
            ]
            for row in range(len(button_rows("")))
        )
        return Content("\n").join(Content("").join(row) for row in rows)

    def _without_spare(
        self, bindings: Iterable[ActiveBinding], fits: Callable[[list[ActiveBinding]], bool]
    ) -> list[ActiveBinding]:
        """Return the bindings without spare ones, removing as few as possible."""
        spare = {each.action for each in declared(type(self.screen)).values() if each.spare}
        kept = [*bindings]
        for each in [each for each in kept if each.binding.action in spare]:
            if not fits(kept):
                kept.remove(each)
        return kept

    def _row(self, bindings: Iterable[ActiveBinding], gap: str) -> Content:
        """Return the bindings side by side; a group's keys share its description."""
        groups: list[Content] = []
        for group, members in groupby(bindings, lambda active: active.binding.group):
            if group is None:
                groups.extend(self._key(active, active.binding.description) for active in members)
            else:
                groups.append(Content.assemble(*self._keys([*members]), f" {group.description}"))
        return Content(gap).join(groups)

    def _keys(self, members: list[ActiveBinding]) -> list[Content]:
        """Return the keys of a group; consecutive digits as the first and the last."""
        keys = "".join(self.app.get_key_display(active.binding) for active in members)
        if len(keys) > 2 and keys in "123456789":
            first, *_, last = (self._key(active) for active in members)
            return [first, Content.styled("–", self.get_visual_style("key-bar--key", partial=True)), last]
        return [self._key(active) for active in members]

    def _key(self, active: ActiveBinding, does: str = "") -> Content:
        name = self.app.get_key_display(active.binding)
        words = Content.assemble(
            (name, self.get_visual_style("key-bar--key", partial=True)), f" {does}" if does else ""
        )
        if not active.enabled:  # not bold, unlike a key: some themes have no dimmer colour
            words = Content.styled(words.plain, self.get_visual_style("key-bar--off", partial=True))
        return words.stylize(Style.from_meta({"key": active.binding.key}))

    def on_mouse_down(self, event: MouseDown) -> None:
        key = event.style.meta.get("key")
        if key:
            event.stop()
            self.app.simulate_key(key)


def _least_width(bindings: Iterable[ActiveBinding]) -> int:
    """Return the width of these as buttons, in cells, with one to spare for each."""
    return sum(cell_len(each.binding.description) + 1 for each in bindings)
