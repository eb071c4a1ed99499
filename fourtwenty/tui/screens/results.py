"""The results of a round or a match, shown between rounds and at the end. The screen plays nothing."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from fourtwenty.play.match import Match
from fourtwenty.tui.dialogs.confirm import LeaveMatch
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import tint

Next = Literal["round", "rematch", "lobby", "quit", "back"]
"""The next step of the players; "back" corrects the typed faces of the roll that ended the round."""


class Results(HouseScreen[Next]):
    """Shows the report of a round; dismissed with the next step of the players."""

    HELP = "What the round came to."
    deliberate = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "enter", "go('round')", "Next round", key_display="enter", id="results.round", tooltip="Play the next round"
        ),
        Binding(
            "enter,r",
            "go('rematch')",
            "Rematch",
            key_display="enter",
            id="results.rematch",
            tooltip="Play once more with the same line-up",
        ),
        Binding("n", "go('lobby')", "New line-up", id="results.lobby", tooltip="Back to the lobby"),
        Binding("v", "review", "Review", id="results.review", tooltip="Every choice and every roll, measured"),
        Binding("c", "copy", "Copy seed", id="results.copy", tooltip="Copy the seed that shows the dice were fair"),
        Binding(
            "u", "go('back')", "Take back", id="results.take-back", tooltip="Type the faces of the last roll again"
        ),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="results.rules", tooltip="The rules"),
        Binding("q", "go('quit')", "Quit", id="results.quit", tooltip="Leave the program"),
        Binding("q", "leave", "Leave", id="results.leave", tooltip="Leave the match"),
    ]

    def __init__(self, match: Match) -> None:
        """Show the results of the round of a match that is over."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.report = match.state.report(match.names)
        self.ended = match.state.outcome is not None

    def compose(self) -> ComposeResult:
        """Lay out the headline, its hand, the facts and the buttons."""
        lineup, seat = self.match.lineup, self.report.seat
        hand = Hand(self.match.game.hand_size)
        hand.colour = None if lineup.monocolor else tint(lineup.colour(seat, self.match.starting_seat))
        with VerticalScroll(id="report"):
            with Center():
                yield Static(self.report.headline, id="headline", markup=False)
            with Center():
                yield hand
            with Center():
                yield Static(self._facts, id="facts")
        with Center(), Horizontal(id="actions"):
            if self.ended:
                yield MouseButton("Rematch", id="rematch", variant="primary")
                yield MouseButton("New line-up", id="lobby")
            else:
                yield MouseButton("Next round", id="round", variant="primary")
            yield MouseButton("Review", id="review")
            yield MouseButton("Quit", id="quit") if self.ended else MouseButton("Leave", id="leave")
        yield KeyBar()
        hand.show(self.match.state.hand(seat))

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the match's record, 64 hexadecimal digits."""
        from fourtwenty.journal.record import Record, fingerprint, write

        return fingerprint(write(Record.of(self.match)))

    @property
    def _facts(self) -> Content:
        facts = list(self.report.facts)
        if self.ended and self.match.seed and self.match.commitment:
            facts += [("Dice", "of a seed that was given, not drawn")] if self.match.given else []
            facts += [("Seed", self.match.seed.hex()), ("Sealed as", self.match.commitment)]
        if self.ended:
            facts.append(("Record", self.fingerprint))
        wide = max(len(label) for label, _ in facts)
        return Content("\n").join(
            Content.assemble((f"{label.rjust(wide)}  ", "$quiet"), value) for label, value in facts
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the next round, or the steps after a match if it is over; taking back only if the match can."""
        if action == "go" and parameters[0] == "back":
            return self.match.can_take_back
        if action == "copy":
            return self.ended and self.match.seed is not None
        if action == "leave" or (action == "go" and parameters[0] == "round"):
            return not self.ended
        return self.ended or action != "go"

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Run the action of the button that was clicked."""
        button = event.button.id
        await self.run_action(f"{button}" if button in ("leave", "review") else f"go({button!r})")

    def action_review(self) -> None:
        """Open the review of the match so far."""
        from fourtwenty.tui.screens.match_review import Review

        if self.is_active:
            self.app.push_screen(Review(self.match))

    def action_copy(self) -> None:
        """Copy seed, commitment and fingerprint, with which anybody can check the dice."""
        if self.match.seed:
            seed, seal = self.match.seed.hex(), self.match.commitment
            self.app.copy_to_clipboard(f"seed {seed}\ncommitment {seal}\nrecord {self.fingerprint}\n")
            self.notify("Seed, commitment and the record's fingerprint are on the clipboard.")

    def action_leave(self) -> None:
        """Leave the match between two rounds, after a question if it is not kept."""
        if self.match.kept:
            self.action_go("lobby")
        elif self.is_active:
            self.app.push_screen(LeaveMatch(), self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self.action_go("lobby")

    def action_go(self, to: Next) -> None:
        """Dismiss the screen with the next step of the players."""
        if self.is_active:
            self.dismiss(to)
