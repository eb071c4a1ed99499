"""The table of a match: its keys, clicks and actions. match_view.py and match_flow.py have the rest."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.events import Click, Key, Paste

from fourtwenty.games.game import Roll, Stand
from fourtwenty.play.advice import Advisor
from fourtwenty.play.dice import type_face
from fourtwenty.play.match import Match
from fourtwenty.play.options import OPTIONS
from fourtwenty.play.turns import Decide, EnterFaces, RemoteMatch
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.screens.match_view import MatchView
from fourtwenty.tui.textual_base.actions import FAIRNESS, RULES, ScreenAction
from fourtwenty.tui.tips import START, MatchTips
from fourtwenty.tui.widgets.hand import Hand, die_actions

if TYPE_CHECKING:
    from fourtwenty.tui.dialogs.question_dialogs import ConfirmDialog

TYPE = Binding.Group("Face", compact=True)

BOTS = "Bots play by themselves; any key skips ahead to the next person."
ROLL_REAL_DICE = "Roll the dice you selected on the bar, and type what they show"
TAKE_BACK = "The last roll's faces can be taken back and typed again, until the next roll is typed."

CANNOT_GO_BACK = {
    "taken back": "These dice were rolled; only their faces can be typed again.",
    "bot": "The bot has chosen: type what its dice show.",
}
"""Why no other dice can be selected, by the origin of a roll."""


def in_turn(refusal: Callable[[Table], str | None] = lambda _: None) -> Callable[[Table], str | None]:
    """Return the refusal of an action that answers a request or leads to an answer: "" while nobody is asked."""
    return lambda table: refusal(table) if table.waiting else ""


def no_selection(table: Table) -> str | None:
    """Return why no dice can be selected; None if they can."""
    asked = table.flow.asked
    if isinstance(asked, EnterFaces):
        return no_roll_typed(table) or asked.question
    if table.turns.forced:
        return table.match.state.preview(table.selection)
    return None if isinstance(asked, Decide) else no_roll(table)


def no_roll(table: Table) -> str | None:
    """Return why the selection cannot be rolled; None if it can, or a hint is taken instead."""
    return None if table.hint else table.turns.refusal(table.selection)


def no_roll_typed(table: Table) -> str | None:
    """Return why the typed faces make no roll; None if they do, or none are asked for."""
    asked = table.flow.asked
    return asked.refusal(table.manual_faces.faces) if isinstance(asked, EnterFaces) else None


def no_way_back(table: Table) -> str | None:
    """Return why no other dice can be selected while faces are typed; None if they can."""
    asked = table.flow.asked
    if not isinstance(asked, EnterFaces) or asked.origin == "choice":
        return None
    return CANNOT_GO_BACK.get(asked.origin) or table.match.state.preview(table.selection)


to_choose = partial(ScreenAction, available=lambda table: table.is_choosing, refusal=in_turn())
to_select = partial(to_choose, refusal=in_turn(no_selection))
to_type = partial(ScreenAction, available=lambda table: table.is_typing, refusal=in_turn())


TYPING: list[BindingType] = [
    *(
        to_type(
            str(face),
            f"face({face})",
            f"Face {face}",
            id=f"table.face-{face}",
            group=TYPE,
            tooltip="The next rolled die shows this face",
        )
        for face in range(1, 7)
    ),
    to_type(
        "backspace",
        "delete",
        "Delete",
        id="table.correct",
        show=False,
        tooltip="Delete the face typed last",
        refusal=in_turn(lambda table: None if table.manual_faces.faces else no_roll_typed(table)),
        button=lambda table: "Delete" if table.match.dice.typed else "",
    ),
    to_type(
        "enter",
        "done",
        "Done",
        id="table.done",
        tooltip="These are the faces",
        refusal=in_turn(no_roll_typed),
        button=lambda table: "Done" if table.match.dice.typed else "",
        primary=True,
    ),
    to_type(
        "escape",
        "back",
        "Back",
        id="table.back",
        show=False,
        tooltip="Select other dice",
        refusal=in_turn(no_way_back),
        button=lambda table: "Back" if table.match.dice.typed else "",
    ),
]


class Table(MatchView):
    """One match on one machine; the app awaits ``flow.play``."""

    CSS_PATH = Path(__file__).with_name("table.tcss")  # for tables in other folders, too
    BINDINGS: ClassVar[list[BindingType]] = [
        *die_actions("table", in_turn(no_selection), lambda table: table.is_choosing),
        *TYPING,
        to_select("a", "all", "All", id="table.all", show=False, tooltip="Select every die"),
        to_select("escape", "none", "None", id="table.none", show=False, tooltip="Keep every die"),
        to_choose(
            "enter,r",
            "roll",
            "Roll",
            id="table.roll",
            tooltip="Roll the selected dice",
            refusal=in_turn(no_roll),
            button=lambda table: table.roll_label,
            primary=True,
        ),
        ScreenAction(
            "s",
            "stand",
            "Stand",
            id="table.stand",
            tooltip="Keep the hand and end the turn",
            available=lambda table: table.is_choosing and Stand() in table.match.state.actions,
            refusal=in_turn(),
            button=True,
        ),
        ScreenAction(
            "u",
            "take_back",
            "Take back",
            id="table.take-back",
            tooltip="Type the faces of the last roll again",
            available=lambda table: table.match.can_take_back and table.waiting,
        ),
        to_choose("h", "hint", "Hint", id="table.hint", tooltip="The best choice; again: every choice"),
        ScreenAction("c", "coach", "Coach", id="table.coach", tooltip="Odds and advice, on or off", button=True),
        Binding("y", "copy", "Copy", id="table.copy", show=False, tooltip="Copy this position"),
        FAIRNESS,
        Binding("up", "scroll_seats(-1)", "Players up", id="table.seats-up", show=False, tooltip="To players above"),
        Binding(
            "down", "scroll_seats(1)", "Players down", id="table.seats-down", show=False, tooltip="To players below"
        ),
        RULES,
        Binding("q", "leave", "Leave", id="table.leave", tooltip="Leave the game; it can be resumed"),
    ]

    opening = True
    saves = True
    """Whether the match is saved in the history here."""
    again = True
    """Whether the people here can play again at its end."""

    def __init__(
        self, match: Match, pace: float = 1.0, tips: MatchTips | None = None, remote: RemoteMatch | None = None
    ) -> None:
        super().__init__(match, pace, tips, remote)
        self.flow = MatchFlow(self)
        self._stays = asyncio.Event()
        """Cleared while the players are asked if they want to leave, until their answer has arrived."""
        self._stays.set()

    def on_mount(self) -> None:
        self.tips.dismiss(START)

    @property
    def waiting(self) -> bool:
        return self.flow.waiting and self._stays.is_set()

    @property
    def parting_sentence(self) -> str:
        """The sentence for people who leave the match before its end."""
        return "Game saved. Press r to resume."

    @property
    def help_text(self) -> str:
        bots = BOTS * any(seat.bot for seat in self.match.lineup.seats)
        real = f"{ROLL_REAL_DICE}{bots and ', for a bot too'}. {TAKE_BACK}" if self.match.dice.typed else ""
        return "\n\n".join(filter(None, (super().help_text, bots, real)))

    # -- input -------------------------------------------------------------------------------------------------

    @property
    def is_choosing(self) -> bool:
        """Whether the actions of a choice are shown, dimmed while nobody is asked."""
        return isinstance(self.flow.asked, Decide | None)

    @property
    def is_typing(self) -> bool:
        return isinstance(self.flow.asked, EnterFaces)

    def continues(self, key: str | None) -> bool:
        """Return whether a key or a click would skip the result of a round."""
        active = None if key is None else self.binding_of(key)
        return self.flow.shows_result and not (active and active.enabled)

    async def receive_key(self, event: Key) -> None:
        """Run the binding of a key before the next key; while the table plays, a key skips ahead."""
        active = self.binding_of(event.key)
        if self.hint and active and active.binding.action == "roll" and event.time < self.hint_shown_at:
            event.stop()  # the key was typed ahead of the hint: it rolls no more than was selected before
            if self.turns.refusal(self.selected_before_hint):
                return
            self.drop_hint()
            active = self.binding_of(event.key)
        if active and active.enabled:
            if await self.app.run_action(active.binding.action, active.node):
                event.stop()
            await asyncio.sleep(0)  # so that the next key finds the next request
        elif not self.waiting:
            event.stop()
            self.skip()
        elif active:
            event.stop()
            self.explain(active.binding.action)
        elif self.is_typing and event.is_printable:
            event.stop()
            self._type(event.character or "")
        elif event.is_printable:
            self.explain_unbound(event)

    def on_paste(self, event: Paste) -> None:
        event.stop()
        if isinstance(self.flow.asked, EnterFaces) and self.waiting:
            self._type(event.text)

    @on(Hand.Clicked)
    async def click_die(self, event: Hand.Clicked) -> None:
        await self.do(f"toggle_die({event.die})")

    def on_click(self, event: Click) -> None:  # noqa: ARG002
        if not self.waiting:
            self.skip()

    def skip(self) -> None:
        """Land tumbling dice; without any, skip to the next person."""
        if self.hand.flying:
            self.hand.land()
        else:
            self.flow.skip()

    def explain(self, action: str) -> None:
        if self.waiting:
            super().explain(action)
        else:
            self.skip()

    # -- actions: a choice -------------------------------------------------------------------------------------

    def action_toggle_die(self, die: int) -> None:
        self.selection ^= {die}

    def action_all(self) -> None:
        self.selection = frozenset(range(1, self.game.hand_size + 1))

    def action_none(self) -> None:
        if self.hint:
            self.drop_hint()
        else:
            self.selection = frozenset()

    def action_roll(self) -> None:
        """Roll what is selected, or take the hint that is shown."""
        action = self.hint.action if self.hint else Roll(tuple(self.selection))
        self.flow.reply(partial(self.turns.decide, action))

    def action_stand(self) -> None:
        self.flow.reply(partial(self.turns.decide, Stand()))

    def action_hint(self) -> None:
        """Show the best choice; again, every choice; once more, neither."""
        state = self.match.state
        if not self.hint:
            self.match.hint()
            self.tips.dismiss("hint")
            self.show_hint((self.coach or Advisor(state)).hint(state))
        elif not self.side_panel_content.asked and len(state.actions) > 1:
            self.show_choices(self.coach or Advisor(state))
        else:
            self.drop_hint()

    def action_coach(self) -> None:
        self.tips.dismiss("coach")
        self.match.set_coach(OPTIONS["coach"].next(self.match.coach))
        self.show_coach()
        self.say(OPTIONS["coach"].sentence(self.match.lineup_now))

    def text_to_copy(self) -> str:
        return self.match.state.to_text()

    # -- actions: the faces of real dice -----------------------------------------------------------------------

    def _type(self, text: str) -> None:
        """Add typed faces up to the first other character."""
        for character in text:
            asked = self.flow.asked
            assert isinstance(asked, EnterFaces)
            try:
                self.show_faces(asked, type_face(self.manual_faces.faces, character, len(asked.roll.dice)))
            except ValueError as error:
                self.say(str(error), refused=True)
                break

    def action_face(self, face: int) -> None:
        self._type(str(face))

    def action_delete(self) -> None:
        if isinstance(self.flow.asked, EnterFaces):
            self.show_faces(self.flow.asked, self.manual_faces.faces[:-1])

    def action_done(self) -> None:
        self.flow.reply(partial(self.turns.enter, self.manual_faces.faces))

    def action_back(self) -> None:
        self.flow.reply(self.turns.back)

    def action_take_back(self) -> None:
        self.flow.reply(self.turns.take_back)

    # -- actions at any time -----------------------------------------------------------------------------------

    def action_scroll_seats(self, step: int) -> None:
        self.seats.scroll_rows(step)

    def action_leave(self) -> None:
        question = self.leave_question()
        if not question:
            self.tips.dismiss("leave")
            self._leave_if(True)
        elif self.is_active:
            self._stays.clear()
            self.app.push_screen(question, self._leave_if)

    def leave_question(self) -> ConfirmDialog | None:
        """Return the question before people leave the match; None if nothing is lost."""
        if self.match.saved or not self.match.events:
            return None
        from fourtwenty.tui.dialogs.question_dialogs import ConfirmDialog

        return ConfirmDialog("Leave this game? It isn't saved.", no="Play on", yes="Leave")

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self.flow.leave()
        self._stays.set()

    async def uncovered(self) -> None:
        """Wait until the screen is uncovered, and the players have said whether they leave."""
        await super().uncovered()
        await self._stays.wait()
