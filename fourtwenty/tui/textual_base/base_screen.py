"""The base of all screens: actions by keys, buttons and clicks, sentences, and the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar, cast

from textual import getters, on
from textual.actions import parse
from textual.events import Click, Key, Mount
from textual.screen import Screen, ScreenResultType

from fourtwenty.tui.textual_base.actions import ScreenAction, declared
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.textual_base.shown import ShownScreen

if TYPE_CHECKING:
    from textual.filter import LineFilter

    from fourtwenty.tui.textual_base.sentence import Sentence

Answer = TypeVar("Answer")


class CursorList(Protocol):
    @property
    def page(self) -> int:
        """The number of visible rows."""

    def move_cursor(self, step: int) -> None:
        """Move the cursor by rows, at most to the ends."""


class BaseScreen(ShownScreen[ScreenResultType]):
    """A screen that hides, dims, explains and runs the actions in ``BINDINGS``, and shows their buttons."""

    app = getters.app(BaseApp)
    ALLOW_SELECT = False
    DIMMED_BUTTONS: ClassVar[bool] = True
    """Whether dimmed actions have buttons."""

    _shown_actions: Mapping[ScreenAction, tuple[bool | None, str, bool]] | None = None
    _resting = ""

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the app's filters without ``TextOnly``: a screen has no text besides its widgets'."""
        return self.app.look_filters

    @property
    def help_text(self) -> str:
        """The screen's help in its current state, in Markdown; empty for none."""
        return self.HELP or ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide an unavailable action; dim a refused one."""
        found = declared(type(self)).get(("", action, parameters))
        return found is None or found.state(self)

    def text_to_copy(self) -> str | None:
        """Return the text to copy, or None without a message; raises ValueError with the reason if there is none."""
        return None

    async def action_copy(self) -> None:
        """Copy the screen's content; where that is impossible, show it in a form to mark with the mouse."""
        try:
            copied = self.text_to_copy()
        except ValueError as why:
            self.say(f"Nothing is copied: {why}.", refused=True)
            return
        if copied and (sentence := await self.app.copy(copied)):
            self.say(sentence)
        elif copied:
            self.app.show_to_mark(copied)

    def end(self, result: ScreenResultType | None = None) -> None:
        """Dismiss the screen with a result; do nothing if it is not on top.

        A second key or click may follow the one that ended the screen. Textual 8.2 (screen.py, ``dismiss``) would then
        remove the screen now on top (Textualize/textual#4884).
        """
        if self.is_active:
            self.dismiss(result)

    def action_back(self) -> None:
        self.end()

    def open_over(self, screen: Screen[Answer], then: Callable[[Answer], object] = lambda _: None) -> None:
        """Open a screen over this one, if this one is on top; ``then`` gets its result, unless it ends with None."""

        def ended(answer: Answer | None) -> None:
            if answer is not None:
                then(answer)

        if self.is_active:
            self.app.push_screen(screen, ended)

    # -- the keys of CURSOR_BINDINGS -------------------------------------------------------------------------------

    @property
    def cursor_list(self) -> CursorList:
        """The list whose cursor the keys move."""
        raise NotImplementedError

    def action_move_cursor(self, rows: int) -> None:
        self.cursor_list.move_cursor(rows)

    def action_page(self, pages: int) -> None:
        self.cursor_list.move_cursor(pages * self.cursor_list.page)

    # -- its sentences -------------------------------------------------------------------------------------------------

    @property
    def resting_sentence(self) -> str:
        """The sentence for the state of the screen while nothing is said; empty for none. It is never stored."""
        return ""

    def say(self, sentence: str, refused: bool = False) -> None:
        """Show a sentence about an action here; a refusal rings the bell. ``App.notify`` shows news from outside."""
        if refused:
            self.app.bell()
        self.show_sentence(sentence, refused)

    @property
    def _sentences(self) -> Iterable[Sentence]:
        return cast("Iterable[Sentence]", self.query("Sentence"))  # by name: a start does without the class

    def show_sentence(self, sentence: str, refused: bool) -> None:
        for line in self._sentences:
            line.say(sentence, refused)

    def be_quiet(self) -> None:
        """Clear the last sentence, at the next key or click."""
        self._resting = self.resting_sentence
        for line in self._sentences:
            line.rest(self._resting)

    @on(Mount)
    def show_resting(self) -> None:
        self._resting = self.resting_sentence
        for line in self._sentences:
            line.follow(self._resting)

    # -- actions ---------------------------------------------------------------------------------------------------

    @on(Click)
    async def do_clicked(self, event: Click) -> None:
        if action := event.style.meta.get("action"):
            await self.do(action)

    async def do(self, action: str) -> None:
        """Do an action that was clicked, or explain why it cannot be done now."""
        if self.is_active:
            self.be_quiet()
            if not await self.app.run_action(action, self):
                self.explain(action)

    def explain(self, action: str) -> None:
        """Show why an action, available or not, cannot be done now, if there is a sentence about it."""
        found = declared(type(self)).get(parse(action))
        sentence = found and found.refusal(self)
        if sentence:
            self.say(sentence, refused=True)

    # -- keys ------------------------------------------------------------------------------------------------------

    async def receive_key(self, event: Key) -> None:
        """Clear the last sentence; explain a key whose action is refused, or that has none."""
        if not declared(type(self)):
            return
        active = self.binding_of(event.key)
        if active:
            self.be_quiet()
        if active and not active.enabled:
            event.stop()
            self.explain(active.binding.action)
        elif not active and event.is_printable:
            self.explain_unbound(event)

    def explain_unbound(self, key: Key) -> None:
        """Say that a printable key has no meaning here; nothing of a key whose action is unavailable now."""
        if key.key not in self._bindings.key_to_bindings:
            shown = [each.binding for each in self.active_bindings.values() if each.binding.id == "app.keys"]
            more = f" {self.app.get_key_display(shown[0])} shows the keys." if shown else ""
            self.say(f"{(key.character or '').strip() or key.key} does nothing here.{more}", refused=True)

    # -- buttons ---------------------------------------------------------------------------------------------------

    def buttons(self, now: bool = False) -> Iterator[MouseButton]:
        """Yield the buttons, primary ones first; with ``now`` only of available actions."""
        for action in sorted(declared(type(self)).values(), key=lambda each: not each.stands_out(self)):
            label = action.label(self)
            available = action.is_available(self)
            if label and (available or not now):
                variant = "primary" if action.stands_out(self) else "default"
                button = MouseButton(label, id=action.button_id, variant=variant)
                if not available:
                    button.display = False
                yield button

    def show_actions(self) -> None:
        """Show the current actions and resting sentence; call it after every change of state."""
        if self._resting != self.resting_sentence:
            self.show_resting()
        shown = {each: each.shown(self) for each in declared(type(self)).values()}
        if shown == self._shown_actions:
            return
        self._shown_actions = shown
        buttons = {each.button_id: each for each in shown if each.button}
        for button in self.query(MouseButton):
            state, label, stands_out = shown[buttons[button.id or ""]]
            button.label = label or button.label
            display = bool(label and (state or (self.DIMMED_BUTTONS and state is None)))
            if button.display != display:  # Textual 8.2 (css/_style_properties.py) lays out again for the same
                button.display = display
            if display:
                button.set_class(not state, "-dimmed")
                button.set_class(stands_out, "-primary")
        self.refresh_bindings()

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        (action,) = (each.action for each in declared(type(self)).values() if each.button_id == event.button.id)
        await self.do(action)
