"""The base of all screens: actions by keys, buttons and clicks, sentences, and what is copied."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import ClassVar, Protocol

from textual import getters, on
from textual.actions import parse
from textual.events import Click, Key, Mount
from textual.screen import ScreenResultType

from fourtwenty.tui.textual_base.actions import ScreenAction, declared
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.textual_base.shown import ShownScreen


class CursorList(Protocol):
    """A list with a cursor."""

    @property
    def page(self) -> int:
        """The number of rows in view."""

    def move_cursor(self, step: int) -> None:
        """Move the cursor by rows, no further than the ends."""


class BaseScreen(ShownScreen[ScreenResultType]):
    """A screen that hides, dims, explains and does the actions in its ``BINDINGS``, and shows their buttons."""

    app = getters.app(BaseApp)
    KEY_PARTS: ClassVar[Mapping[str, Collection[str]]] = {}
    """Titles of the parts in which F1 lists the keys of this screen, with the ids of the bindings in each."""
    DIMMED_BUTTONS: ClassVar[bool] = True
    """Whether the button of a dimmed action is shown."""

    _shown_actions: Mapping[ScreenAction, tuple[bool | None, str, bool]] | None = None
    _resting = ""

    @property
    def help_text(self) -> str:
        """The text of F1 besides the keys, about what is there now: paragraphs with words in bold."""
        return self.HELP or ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide an action that is not there, and dim one that is refused."""
        found = declared(type(self)).get(("", action, parameters))
        return found is None or found.state(self)

    @property
    def settle_seconds(self) -> float:
        return self.app.settle_seconds

    def settle(self) -> None:
        super().settle()
        self.show_actions()

    def copied(self) -> str | None:
        """Return the text to copy, or None without a word; raises ValueError with the reason why there is none."""
        return None

    def action_copy(self) -> None:
        """Send what the screen shows to the clipboard. A terminal does what it likes with it, and answers nothing."""
        try:
            copied = self.copied()
        except ValueError as why:
            self.say(f"Nothing is copied: {why}.", refused=True)
            return
        if copied:
            self.app.copy_to_clipboard(copied)
            self.say(f"Sent to the clipboard, if your {'browser' if self.app.is_web else 'terminal'} allows it.")

    def action_back(self) -> None:
        if self.is_active:
            self.dismiss()

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
        """The sentence of the screen while nothing is said, by its state; empty for none.

        It is never stored by a screen, so that it cannot be out of date: ``show_actions`` shows it after a change of
        the state, and ``be_quiet`` at every key and click.
        """
        return ""

    def say(self, sentence: str, refused: bool = False) -> None:
        """Say a sentence about what is done here, in place of the one before; a refusal rings the bell.

        What comes from outside is no sentence of a screen, but a note: ``App.notify``.
        """
        if refused:
            self.app.bell()
        self.show_sentence(sentence, refused)

    def show_sentence(self, sentence: str, refused: bool) -> None:
        for line in self.query(Sentence):
            line.say(sentence, refused)

    def be_quiet(self) -> None:
        """Say no longer what was said before the key or the click that has just come."""
        self._resting = self.resting_sentence
        for line in self.query(Sentence):
            line.rest(self._resting)

    @on(Mount)
    def show_resting(self) -> None:
        """Show the resting sentence, unless something is said."""
        self._resting = self.resting_sentence
        for line in self.query(Sentence):
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
        """Say why an action, which need not be there, cannot be done now, if there is a sentence about it."""
        found = declared(type(self)).get(parse(action))
        sentence = found and found.refusal(self)
        if sentence:
            self.say(sentence, refused=True)

    # -- keys ------------------------------------------------------------------------------------------------------

    async def on_key(self, event: Key) -> None:
        """Handle a key. Override ``receive_key`` and not this: Textual would call both."""
        if declared(type(self)) and self.is_active:
            await self.receive_key(event)

    async def receive_key(self, event: Key) -> None:
        active = self.active_bindings.get(event.key)
        if active:
            self.be_quiet()
        if active and not active.enabled:
            event.stop()
            self.explain(active.binding.action)

    # -- buttons ---------------------------------------------------------------------------------------------------

    def buttons(self, now: bool = False) -> Iterator[MouseButton]:
        """Yield the buttons, those that stand out first; with ``now`` only of actions that are there already."""
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
        """Show the actions and the resting sentence as they are now; call it after every change of the state."""
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
