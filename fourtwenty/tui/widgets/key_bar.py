"""The key bar at the bottom, a single widget: Textual's Footer (8.2) mounts a dozen when a key is dimmed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby

from rich.segment import Segment
from rich.style import Style
from textual.binding import ActiveBinding
from textual.events import MouseDown
from textual.screen import Screen

from fourtwenty.tui.textual_base.actions import bindings_of, declared
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.drawn import DrawnWidget

ALL_KEYS = "app.keys"


class KeyBar(DrawnWidget):
    """Shows its screen's bindings in order, and always, at the far right, the list of all keys."""

    DEFAULT_CSS = "KeyBar { dock: bottom; height: 1; padding: 0 1; }"
    COMPONENT_CLASSES = {"key-bar--key", "key-bar--off", "key-bar--edge"}  # noqa: RUF012

    bindings: Sequence[ActiveBinding] = ()
    """The bindings to show, one for each action."""
    all_keys: ActiveBinding | None = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._follow)

    def _follow(self, screen: Screen[object]) -> None:
        assert isinstance(screen, BaseScreen)
        chain = screen._modal_binding_chain
        keys = [key for _, each in chain for key, binding in each if binding.show or binding.id == ALL_KEYS]
        active = [binding for key in dict.fromkeys(keys) if (binding := screen.binding_of(key, chain))]
        shown: dict[str, ActiveBinding] = {}
        for binding in active:
            if binding.binding.show:
                shown.setdefault(binding.binding.action, binding)
        self.bindings = tuple(shown.values())
        if self.app.keymap:
            # Textual 8.2 (binding.py, apply_keymap) moves bindings with changed keys behind all others.
            order = {each.id: at for at, each in enumerate(bindings_of(type(screen)))}
            self.bindings = tuple(sorted(shown.values(), key=lambda each: order.get(each.binding.id, 0)))
        self.all_keys = next((each for each in active if each.binding.id == ALL_KEYS), None)
        self.repaint()

    def draw_line(self, y: int, width: int) -> list[Segment]:  # noqa: ARG002
        """Return keys and descriptions; if room is short, closer together, then without spare ones, then the last."""
        right = self._key(self.all_keys, self.all_keys.binding.description) if self.all_keys else []
        room = width - Segment.get_line_length(right) - 1
        left = self._row(self.bindings, "  ")
        if Segment.get_line_length(left) > room - 2:  # the edge before all keys needs two cells
            left = self._row(self.bindings, " ")
        if Segment.get_line_length(left) > room:
            kept = self._without_spare(room)
            left = self._row(kept, " ")
            if Segment.get_line_length(left) > room and self.all_keys:
                right = self._key(self.all_keys)
                room = width - Segment.get_line_length(right) - 1
            while kept and Segment.get_line_length(left) > room:
                left = self._row(kept := kept[:-1], " ")
        gap = room - Segment.get_line_length(left)
        between = [self._part(" " * (gap - 1)), self._part("│ ", "key-bar--edge")]
        if gap < 2:
            left, between = Segment.adjust_line_length(left, max(0, room)), [self._part(" ")]
        return [*left, *between, *right]

    def _without_spare(self, room: int) -> list[ActiveBinding]:
        """Return the bindings without spare ones, removing as few as possible."""
        spare = {each.action for each in declared(type(self.screen)).values() if each.spare}
        kept = [*self.bindings]
        for each in [each for each in kept if each.binding.action in spare]:
            if Segment.get_line_length(self._row(kept, " ")) > room:
                kept.remove(each)
        return kept

    def _row(self, bindings: Iterable[ActiveBinding], gap: str) -> list[Segment]:
        """Return the bindings side by side; a group's keys share its description."""
        parts: list[Segment] = []
        for group, members in groupby(bindings, lambda active: active.binding.group):
            if group is None:
                for active in members:
                    parts += self._key(active, active.binding.description + gap)
            else:
                parts += [*self._keys([*members]), self._part(f" {group.description}{gap}")]
        return Segment.adjust_line_length(parts, Segment.get_line_length(parts) - len(gap))

    def _keys(self, members: list[ActiveBinding]) -> list[Segment]:
        """Return the keys of a group; consecutive digits as the first and the last."""
        keys = "".join(self.app.get_key_display(active.binding) for active in members)
        if len(keys) > 2 and keys in "123456789":
            return [*self._key(members[0]), self._part("–", "key-bar--key"), *self._key(members[-1])]
        return [part for active in members for part in self._key(active)]

    def _key(self, active: ActiveBinding, does: str = "") -> list[Segment]:
        name, key = self.app.get_key_display(active.binding), active.binding.key
        words = f" {does}" if does else ""
        if not active.enabled:  # not bold, unlike a key: some themes have no dimmer colour
            return [self._part(name + words, "key-bar--off", key)]
        return [self._part(name, "key-bar--key", key), self._part(words, key=key)]

    def _part(self, text: str, component: str = "", key: str = "") -> Segment:
        """Return a part of the bar; a click on it presses a key."""
        return Segment(text, self.style_of(component) + pressed(key))

    def on_mouse_down(self, event: MouseDown) -> None:
        key = event.style.meta.get("key")
        if key:
            event.stop()
            self.app.simulate_key(key)


@lru_cache
def pressed(key: str) -> Style:
    """Return the style of what can be clicked to press a key; of anything else for none."""
    return Style.from_meta({"key": key}) if key else Style.null()
