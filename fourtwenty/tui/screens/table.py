"""The table of a match: its keys, clicks and actions. The view and the flow of the match are modules of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.events import Click, Key, Paste
from textual.message import Message

from fourtwenty.games.game import Action, Roll, Stand
from fourtwenty.play.advice import Advisor
from fourtwenty.play.dice import type_face
from fourtwenty.play.lineup import COACHING
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import word_lines
from fourtwenty.play.turns import AddWords, Company, Decide, EnterFaces, Request
from fourtwenty.tui.match_flow import MatchFlow
from fourtwenty.tui.screens.match_view import MatchView
from fourtwenty.tui.widgets.hand import SELECT_DICE, Hand
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.typed_faces import TypedFaces

TYPE = Binding.Group("Face", compact=True)

WORD_ACTIONS = ("start", "word")
CHOICE_ACTIONS = ("toggle_die", "all", "none", "roll", "stand", "hint")
FACE_ACTIONS = ("face", "delete", "done", "back")
ANSWERS: dict[type[Request | None], tuple[str, ...]] = {
    AddWords: WORD_ACTIONS,
    Decide: CHOICE_ACTIONS,
    EnterFaces: FACE_ACTIONS,
    type(None): CHOICE_ACTIONS,
}
"""The actions that answer a request, or lead to an answer; while nobody is asked, those of a choice are dimmed.

No action answers what another machine does.
"""
COACH_SENTENCES = {
    "off": "No odds shown.",
    "odds": "Odds on: everyone's chances, and those of the dice you select.",
    "full": "Full coach: also what each choice costs.",
}
"""The effect of each level of the coach."""
CANNOT_GO_BACK = {
    "taken back": "These dice were rolled; only their faces can be typed again.",
    "bot": "The bot has chosen: type what its dice show.",
}
"""The reasons why no other dice can be selected, by the origin of a roll."""


class Table(MatchView):
    """One match at one laptop; the app awaits ``flow.play_round`` between the results of the rounds."""

    HELP = """\
## The table

Select the dice **to roll**, by key or by click; you keep the others. Then roll.

Bots play by themselves; any key skips ahead to the next person.

With real dice, roll those you selected on the bar, and type what they show; for a bot too. The last roll's faces can be
taken back and typed again, until the next roll is typed.

`c` puts the odds on the table, then the full coach, then takes them off again; `h` lists every choice.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(die),
                f"toggle_die({die})",
                f"Die {die}",
                id=f"table.die-{die}",
                group=SELECT_DICE,
                tooltip="Roll this die or keep it",
            )
            for die in (1, 2, 3, 4)
        ),
        *(
            Binding(
                str(face),
                f"face({face})",
                f"Face {face}",
                id=f"table.face-{face}",
                group=TYPE,
                tooltip="The next rolled die shows this face",
            )
            for face in range(1, 7)
        ),
        Binding(
            "backspace",
            "delete",
            "Delete",
            key_display="bksp",
            id="table.correct",
            tooltip="Delete the face typed last",
        ),
        Binding("a", "all", "All", id="table.all", tooltip="Select every die"),
        Binding("escape", "none", "None", key_display="esc", id="table.none", tooltip="Keep every die"),
        Binding("enter,r", "roll", "Roll", key_display="enter", id="table.roll", tooltip="Roll the selected dice"),
        Binding("s", "stand", "Stand", id="table.stand", tooltip="Keep the hand and end the turn"),
        Binding("enter", "start", "Start", key_display="enter", id="table.start", tooltip="Begin the game"),
        Binding("w", "word", "Add a word", id="table.word", tooltip="Add a word that has a say in every roll"),
        Binding("enter", "done", "Done", key_display="enter", id="table.done", tooltip="These are the faces"),
        Binding("escape", "back", "Back", key_display="esc", id="table.back", tooltip="Select other dice"),
        Binding("u", "take_back", "Take back", id="table.take-back", tooltip="Type the faces of the last roll again"),
        Binding("h", "hint", "Hint", id="table.hint", tooltip="Every choice with its chances, best first"),
        Binding("c", "coach", "Coach", id="table.coach", tooltip="Odds on the table: off, odds, full"),
        Binding("y", "copy", "Copy", id="table.copy", show=False, tooltip="Copy the position; the seal before a roll"),
        Binding("up", "look(-1)", "Players up", id="table.seats-up", show=False),
        Binding("down", "look(1)", "Players down", id="table.seats-down", show=False),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="table.rules", tooltip="The rules"),
        Binding("q", "leave", "Leave", id="table.leave", tooltip="Leave the game; it can be resumed"),
    ]

    opening = True
    keeps = True
    """Whether the match is written to the history here."""
    again = True
    """Whether the people here can play again at its end."""

    class Opened(Message):
        """The table is laid out."""

        def __init__(self, table: Table) -> None:
            super().__init__()
            self.table = table

    def __init__(self, match: Match, pace: float = 1.0, tips: bool = False, company: Company | None = None) -> None:
        """Seat a match. The pace multiplies the time for which bots and rolls are shown; at 0 they are not shown.

        With tips, three of them help newcomers through their first choices. ``company`` is the room of a match that is
        played on several machines.
        """
        super().__init__(match, tips, company)
        self.flow = MatchFlow(self, pace)
        self._leaving = False
        """Whether the players are asked if they are sure to leave, until their answer has arrived."""

    def on_mount(self) -> None:
        """Tell the app that the match can be played."""
        self.post_message(self.Opened(self))

    @property
    def pace(self) -> float:
        """The factor on the seconds for which bots and rolls are shown."""
        return self.flow.pace

    @pace.setter
    def pace(self, pace: float) -> None:
        self.flow.pace = pace

    @property
    def waiting(self) -> bool:
        """Whether the table waits for an answer."""
        return self.flow.waiting and not self._leaving

    @property
    def kept(self) -> str:
        """The sentence for those who leave the match before its end."""
        return "Game saved. Press r to resume."

    # -- input -------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide actions that the game does not have or that do not answer the request; dim what cannot be done now."""
        if action == "take_back":
            return self.match.can_take_back and self.waiting
        if action not in (*WORD_ACTIONS, *CHOICE_ACTIONS, *FACE_ACTIONS):
            return True
        asked = self.flow.asked
        if action not in ANSWERS.get(type(asked), ()) or not self._game_has(action, *parameters):
            return False
        return (self.waiting and self._is_possible(action, asked)) or None

    def _game_has(self, action: str, *parameters: object) -> bool:
        if action == "toggle_die":
            return parameters[0] in range(1, self.game.hand_size + 1)
        return action != "stand" or Stand() in self.match.state.actions

    def _is_possible(self, action: str, asked: Request | None) -> bool:
        """Return whether an action that answers the request can be done with the selection or faces so far."""
        match action:
            case "toggle_die" | "all" | "none":
                return not self.turns.forced
            case "roll":
                return self.turns.refusal(self.selection) is None
            case "delete":
                return bool(self.typed_faces.faces)
            case "done":
                return isinstance(asked, EnterFaces) and asked.refusal(self.typed_faces.faces) is None
            case "back":
                return isinstance(asked, EnterFaces) and asked.origin == "choice"
        return True

    async def on_key(self, event: Key) -> None:
        """Run the binding of a key before the next key comes, so that fast typing meets the right requests.

        While the table plays, a key skips ahead; a dimmed key is explained.
        """
        if not self.is_active:  # pressed before the screen that is now on top was there
            return
        active = self.active_bindings.get(event.key)
        if active and active.enabled:
            if await self.app.run_action(active.binding.action, active.node):
                event.stop()
            await asyncio.sleep(0)  # the table goes on, so that the next key finds the next request
        elif not self.waiting:
            event.stop()
            self.skip()
        elif active:
            event.stop()
            self.explain(active.binding.action)
        elif isinstance(self.flow.asked, EnterFaces) and event.is_printable:
            event.stop()
            self._type(event.character or "")

    def on_paste(self, event: Paste) -> None:
        """Type the faces that were pasted."""
        event.stop()
        if isinstance(self.flow.asked, EnterFaces) and self.waiting:
            self._type(event.text)

    @on(MouseButton.Pressed)
    def press(self, event: MouseButton.Pressed) -> None:
        """Do the action of a button."""
        self.do(event.button.id or "")

    @on(TypedFaces.Clicked)
    def click_face(self, event: TypedFaces.Clicked) -> None:
        """Type the face that was clicked."""
        self.do("face", event.face)

    @on(Hand.Clicked)
    def click_die(self, event: Hand.Clicked) -> None:
        """Add the die that was clicked to the selection, or remove it."""
        self.do("toggle_die", event.die)

    def do(self, action: str, *parameters: int) -> None:
        """Do an action that was clicked, or explain why it cannot be done."""
        if not self.waiting:
            self.skip()
        elif self.check_action(action, parameters) is not True:
            self.explain(action)
        elif self.is_active:
            self.CLICKED[action](self, *parameters)

    def on_click(self, event: Click) -> None:  # noqa: ARG002
        """Skip ahead by a click anywhere."""
        if not self.waiting:
            self.skip()

    def skip(self) -> None:
        """Let dice that tumble land; when none do, go on to the next person."""
        if self.hand.tumbling:
            self.hand.land()
        else:
            self.flow.skip()

    def explain(self, action: str) -> None:
        """Show why an action is not possible."""
        asked = self.flow.asked
        if isinstance(asked, EnterFaces) and action != "back":
            self._refuse(asked.refusal(self.typed_faces.faces) or asked.question)
        elif isinstance(asked, EnterFaces) and asked.origin in CANNOT_GO_BACK:
            self._refuse(CANNOT_GO_BACK[asked.origin])
        elif self.turns.forced:
            self._refuse(self.match.state.preview(self.selection))
        else:
            self._refuse(self.turns.refusal(self.selection) or "")

    def _refuse(self, sentence: str) -> None:
        self.show_line(sentence, refused=True)
        self.app.bell()

    # -- actions: a choice -------------------------------------------------------------------------------------

    def action_toggle_die(self, die: int) -> None:
        """Add a die to the selection, or remove it."""
        self.selection ^= {die}

    def action_all(self) -> None:
        """Select every die."""
        self.selection = frozenset(range(1, self.game.hand_size + 1))

    def action_none(self) -> None:
        """Empty the selection: keep every die."""
        self.selection = frozenset()

    def action_roll(self) -> None:
        """Roll the selected dice."""
        self._consider(Roll(tuple(self.selection)))

    def action_stand(self) -> None:
        """Keep the hand and end the turn."""
        self._consider(Stand())

    def action_hint(self) -> None:
        """Show every choice; the match notes that the coach was asked."""
        from fourtwenty.tui.dialogs.hint import Hint

        if self.is_active:
            self.match.hint()
            state, coached = self.match.state, self.coach is not None
            advisor = self.advisor or Advisor(self.match.lineup, state)
            self.app.push_screen(Hint(advisor.odds, state, coached), self._coach_if)

    def _coach_if(self, wanted: bool | None) -> None:
        if wanted:
            self._set_coach("full")

    def action_coach(self) -> None:
        """Put the odds on the table, then the full coach, then take them off."""
        self._set_coach(COACHING[(COACHING.index(self.match.coach) + 1) % len(COACHING)])

    def _set_coach(self, level: str) -> None:
        self.match.set_coach(level)
        self.show_coach()
        self.notify(COACH_SENTENCES[level], timeout=3)

    def _consider(self, action: Action) -> None:
        """Answer with an action, once the players have been warned if it loses much."""
        warning = self.advisor.warning(self.match.state, action) if self.advisor else None
        decide = partial(self.turns.decide, action)
        if warning is None:
            self.flow.reply(decide)
        elif self.is_active:
            from fourtwenty.tui.dialogs.hint import Warn

            def answered(answer: str | None) -> None:
                if answer == "play":
                    self.flow.reply(decide)
                elif answer == "show":
                    self.action_hint()

            self.app.push_screen(Warn(warning), answered)

    # -- actions: words before the first roll ------------------------------------------------------------------

    def action_start(self) -> None:
        """Settle the dice: no more words."""
        if self.waiting:
            self.opening = True  # keys wait until somebody is asked for a roll
            self.flow.reply(self.turns.settle)

    def action_word(self) -> None:
        """Ask the people in turn for a word each."""
        if isinstance(self.flow.asked, AddWords):
            self._ask_for_word(iter(self.flow.asked.people))

    def _ask_for_word(self, people: Iterator[int]) -> None:
        from fourtwenty.tui.dialogs.word import WordDialog

        seat, asked = next(people, None), self.flow.asked
        if not isinstance(asked, AddWords):
            return
        if seat is None:
            added = ", ".join(word_lines(self.match, asked.words))
            self.show_line(f"{added}. Enter starts." if added else "Enter starts. w adds a word.")
            return

        def answered(word: str | None) -> None:
            if word is not None:
                self.turns.add_word(seat, word)
                self._ask_for_word(people)

        self.app.push_screen(WordDialog(self.match.names[seat], asked.words[seat]), answered)

    def copied(self) -> tuple[str, str]:
        """Return the position; before the first roll the commitment, which players know as the seal."""
        seal = self.match.commitment
        return (
            ("The seal", seal) if seal and self.match.words is None else ("The position", self.match.state.position())
        )

    # -- actions: the faces of real dice -----------------------------------------------------------------------

    def _type(self, text: str) -> None:
        """Add typed faces up to the first character that is none."""
        for character in text:
            asked = self.flow.asked
            assert isinstance(asked, EnterFaces)
            try:
                self.show_faces(asked, type_face(self.typed_faces.faces, character, len(asked.roll.dice)))
            except ValueError as error:
                self._refuse(str(error))
                break

    def action_face(self, face: int) -> None:
        """Type a face."""
        self._type(str(face))

    def action_delete(self) -> None:
        """Delete the face typed last."""
        if isinstance(self.flow.asked, EnterFaces):
            self.show_faces(self.flow.asked, self.typed_faces.faces[:-1])

    def action_done(self) -> None:
        """Carry out the roll with the typed faces."""
        self.flow.reply(partial(self.turns.enter, self.typed_faces.faces))

    def action_back(self) -> None:
        """Select other dice."""
        self.flow.reply(self.turns.back)

    def action_take_back(self) -> None:
        """Let the faces of the last roll be typed again."""
        self.flow.reply(self.turns.take_back)

    # -- actions at any time -----------------------------------------------------------------------------------

    def action_look(self, step: int) -> None:
        """Scroll the seats."""
        self.seats.scroll_relative(y=step, animate=False)

    def action_leave(self) -> None:
        """Leave the match, after a question when something would be lost."""
        from fourtwenty.tui.dialogs.confirm import LeaveMatch

        if self.match.kept or not self.match.events:
            self._leave_if(True)
        elif self.is_active:
            self._leaving = True
            self.app.push_screen(LeaveMatch(), self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        self._leaving = False
        if sure:
            self.opening = isinstance(self.flow.asked, AddWords)  # then keys wait for the lobby
            self.flow.leave()

    CLICKED: ClassVar[dict[str, Callable[..., None]]] = {
        "start": action_start,
        "word": action_word,
        "copy": MatchView.action_copy,
        "toggle_die": action_toggle_die,
        "roll": action_roll,
        "all": action_all,
        "none": action_none,
        "stand": action_stand,
        "face": action_face,
        "done": action_done,
        "delete": action_delete,
        "back": action_back,
    }
    """The methods that buttons, dice and faces call when they are clicked, by action."""
