"""The result of a round, shown until the players go on. The end of a match is in finale.py; nothing is played here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from fourtwenty.play.bets import bet, bettors, candidates
from fourtwenty.play.match import Match
from fourtwenty.tui.dialogs.confirm import LeaveMatch
from fourtwenty.tui.framework import HouseApp, HouseScreen
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import tint

Next = Literal["round", "rematch", "lobby", "back"]
"""The next step of the players; "back" corrects the typed faces of the roll that ended the round."""


class Results(HouseScreen[Next]):
    """Shows the report of a round; dismissed with the next step of the players."""

    CSS_PATH = "results.tcss"
    app = getters.app(HouseApp)
    HELP = "The result of the round. A player who is out may bet on the end of the game."
    PASSING = ("go('round')", "go('rematch')")
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
            tooltip="Play again with the same players",
        ),
        Binding("n,q,escape", "go('lobby')", "Change players", id="results.lobby", tooltip="Back to the lobby"),
        Binding("b", "bet", "Bet", id="results.bet", tooltip="A player who is out bets on the end of the game"),
        Binding("v", "review", "Review", id="results.review", tooltip="Every choice and every roll, measured"),
        Binding("f", "fairness", "Fairness", id="results.fairness", tooltip="The seed that shows the dice were fair"),
        Binding(
            "y", "copy", "Copy", id="results.copy", show=False, tooltip="Copy the position, or the proof of the dice"
        ),
        Binding(
            "u", "go('back')", "Take back", id="results.take-back", tooltip="Type the faces of the last roll again"
        ),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="results.rules", tooltip="The rules"),
        Binding("q,escape", "leave", "Leave", id="results.leave", tooltip="Back to the lobby; the game is saved"),
    ]
    OFFERED: ClassVar[tuple[str, ...]] = ("round", "back", "bet", "review", "copy", "leave")
    """The actions that this screen has, "go" by its step; the other bindings are those of the end of a match."""

    def __init__(self, match: Match) -> None:
        """Show the result of a match's round that is over."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.report = match.state.report(match.names)

    @property
    def ended(self) -> bool:
        """Whether the match is over."""
        return self.match.state.outcome is not None

    @property
    def bettors(self) -> tuple[int, ...]:
        """The people who may bet now; nobody in a room, where bets would not reach the others."""
        return () if self.match.shared else bettors(self.match)

    def compose(self) -> ComposeResult:
        """Lay out the headline, its hand, the facts and the buttons."""
        with VerticalScroll(id="report"):
            with Center():
                yield Static(self.report.headline, id="headline", markup=False)
            with Center():
                yield Static(self.report.hand, id="whose", markup=False)
            with Center():
                yield self.winning_hand()
            with Center():
                yield Static(self.facts, id="facts")
        with Center(), Horizontal(id="actions"):
            yield from self.buttons()
        yield KeyBar()

    def winning_hand(self) -> Hand:
        """Return the hand that decided the round, in the colour of its seat."""
        lineup, seat = self.match.lineup, self.report.seat
        hand = Hand(self.game.hand_size)
        hand.colour = None if lineup.monocolor else tint(lineup.colour(seat, self.match.starting_seat))
        hand.show(self.match.state.hand(seat))
        return hand

    def buttons(self) -> Iterator[MouseButton]:
        """Yield the buttons, the most likely choice first."""
        yield MouseButton("Next round", id="round", variant="primary")
        if self.bettors:
            yield MouseButton("Bet", id="bet")
        yield MouseButton("Review", id="review")
        yield MouseButton("Leave", id="leave")

    def fact_lines(self) -> list[tuple[str, str]]:
        """Return label and value of each fact of the report, then the bets."""
        facts = list(self.report.facts)
        if self.match.bets:
            names = self.match.names
            facts.append(("Bets", ", ".join(f"{names[seat]} on {names[on]}" for seat, on in self.match.bets.items())))
        return facts

    @property
    def facts(self) -> Content:
        """The facts, a line each."""
        facts = self.fact_lines()
        wide = max(len(label) for label, _ in facts)
        return Content("\n").join(
            Content.assemble((f"{label.rjust(wide)}  ", "$quiet"), value) for label, value in facts
        )

    def on_mount(self) -> None:
        """Dim the button that leads on until the screen has settled."""
        self.query("#round, #rematch").set_class(not self.settled, "-dimmed")

    def settle(self) -> None:
        """Let the button and the keys lead on."""
        super().settle()
        self.query("#round, #rematch").remove_class("-dimmed")

    # -- keys ----------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the actions of this screen, a bet to people who are out, and taking back only if the match can."""
        step = parameters[0] if action == "go" else action
        if step == "back":
            return self.match.can_take_back
        if step in ("round", "rematch") and step in self.OFFERED and not self.settled:
            return None
        if step == "bet" and not self.bettors:
            return False
        return step in self.OFFERED

    def copied(self) -> tuple[str, str]:
        """Return the position at the end of the round."""
        return "The position", self.match.state.position()

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Run the action of the button that was clicked."""
        button = event.button.id
        await self.run_action(f"go({button!r})" if button in ("round", "rematch", "lobby") else f"{button}")

    # -- actions -------------------------------------------------------------------------------------------------

    def action_bet(self) -> None:
        """Ask the people who are out for a bet, one after the other."""
        from fourtwenty.tui.dialogs.bet import BetDialog

        names = self.match.names
        people = iter(self.bettors)

        def ask() -> None:
            seat = next(people, None)
            if seat is None:
                return

            def answered(on: int | None) -> None:
                if on is not None:
                    bet(self.match, seat, on)
                    self.show_bets()
                    ask()

            ends = self.game.ends[self.game.tallies_last]
            options = [(on, names[on]) for on in candidates(self.match)]
            self.app.push_screen(BetDialog(f"{names[seat]}: who {ends}?", options), answered)

        if self.is_active:
            ask()

    def show_bets(self) -> None:
        """Show the bets, and the button for them only while somebody may bet."""
        self.query_one("#facts", Static).update(self.facts)
        for button in self.query("#bet"):
            button.display = bool(self.bettors)
        self.refresh_bindings()

    def action_review(self) -> None:
        """Open the review of the match so far."""
        from fourtwenty.tui.screens.match_review import Review

        if self.is_active:
            self.app.push_screen(Review(self.match))

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
