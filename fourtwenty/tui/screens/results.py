"""The page of a round after which somebody leaves, and of the end of a match. Nothing is played here."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.play.match import Match
from fourtwenty.play.tally import Tally, bet, bettors, candidates
from fourtwenty.tui.dialogs.ask import BetDialog, Confirm
from fourtwenty.tui.frame.actions import RULES, ScreenAction
from fourtwenty.tui.frame.screen import HouseScreen
from fourtwenty.tui.widgets.banner import Banner
from fourtwenty.tui.widgets.glasses import Glasses
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import tint

Next = Literal["round", "rematch", "lobby", "back"]
"""The next step of the players; "back" corrects the typed faces of the roll that ended the round."""


def too_early(screen: Results) -> str | None:
    """Return the refusal of what leads on until the screen has settled."""
    return None if screen.settled else ""


class Results(HouseScreen[Next]):
    """Shows who has left the game or how it ended; dismissed with the next step of the players."""

    CSS_PATH = "results.tcss"
    HELP = """\
Who is out, or how the game ended. A player who is out may bet on the end of the game; at the end, play again with the
same players, change them, or look back at every choice.
"""
    PASSING = ("go('round')", "go('rematch')")
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "enter",
            "go('round')",
            "Next round",
            id="results.round",
            tooltip="Play the next round",
            there=lambda screen: not screen.ended,
            refusal=too_early,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "enter,r",
            "go('rematch')",
            "Rematch",
            id="results.rematch",
            tooltip="Play again with the same players",
            there=lambda screen: screen.ended and screen.again,
            refusal=too_early,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "q,n,escape",
            "go('lobby')",
            "Change players",
            id="results.lobby",
            tooltip="Back to the lobby",
            there=lambda screen: screen.ended,
            button=lambda screen: "To the table" if screen.match.shared else "Change players",
        ),
        ScreenAction(
            "b",
            "bet",
            "Bet",
            id="results.bet",
            tooltip="A player who is out bets on the end of the game",
            there=lambda screen: bool(screen.bettors),
            button=True,
        ),
        ScreenAction(
            "v",
            "review",
            "Review",
            id="results.review",
            tooltip="Every choice and every roll, measured",
            button=True,
            for_keys=True,
        ),
        ScreenAction(
            "f",
            "fairness",
            "Fairness",
            id="results.fairness",
            tooltip="The seed that shows the dice were fair",
            spare=True,
            there=lambda screen: screen.ended,
            for_keys=True,
        ),
        Binding(
            "y", "copy", "Copy", id="results.copy", show=False, tooltip="Copy the position, or the game in a few lines"
        ),
        ScreenAction(
            "u",
            "go('back')",
            "Take back",
            id="results.take-back",
            tooltip="Type the faces of the last roll again",
            there=lambda screen: screen.match.can_take_back,
        ),
        RULES,
        ScreenAction(
            "q,escape",
            "leave",
            "Leave",
            id="results.leave",
            tooltip="Leave the game; it is saved",
            there=lambda screen: not screen.ended,
            button=True,
        ),
    ]

    tally: var[Tally | None] = var(None)
    """The tally of the evening at the end of a match, once it has been read."""

    def __init__(
        self, match: Match, again: bool = True, leave_question: Callable[[], Confirm | None] = lambda: None
    ) -> None:
        """Show the last round of a match, and at its end offer to play ``again``, unless people here only watched.

        ``leave_question`` returns the question before people leave a match that goes on, or None.
        """
        super().__init__()
        self.match = match
        self.again = again
        self.leave_question = leave_question
        self.game = match.game
        self.report = match.state.report(match.names)

    @property
    def ended(self) -> bool:
        """Whether the match is over."""
        return self.match.state.outcome is not None

    @property
    def bettors(self) -> tuple[int, ...]:
        """The people who may bet now; nobody in a room, where bets would not reach the others."""
        return () if self.match.shared or self.ended else bettors(self.match)

    def compose(self) -> ComposeResult:
        self.set_class(self.ended, "-ended")
        with VerticalScroll(id="report"):
            with Center():
                yield self.headline()
            with Center(), Horizontal(id="last"):
                with Vertical(id="won"):
                    yield Static(self.report.hand, id="whose", markup=False)
                    yield self.deciding_hand()
                if self.ended:
                    yield Glasses(moving=self.match.lineup.animation)
            with Center():
                yield Static(self.facts, id="facts")
            yield Static("", id="reached", markup=False)
        with Center(), Horizontal(id="actions"):
            yield from self.buttons(now=True)
        yield KeyBar()

    def headline(self) -> Widget:
        """Return the headline of the report; at the end of a match in large letters, the name in its colour."""
        outcome, lineup = self.match.state.outcome, self.match.lineup
        if not outcome:
            return Static(self.report.headline, id="headline", markup=False)
        seat = outcome.places[-1 if self.game.tallies_last else 0][0]
        name, colour = self.match.names[seat], f"$seat-{tint(self.match.colour(seat))}"
        rest = self.report.headline.removeprefix(name).strip()
        return Banner(name, rest, "$foreground" if lineup.monocolor else colour)

    def deciding_hand(self) -> Hand:
        """Return the hand that decided the round, in the colour of its seat."""
        lineup, seat = self.match.lineup, self.report.seat
        hand = Hand(self.game.hand_size)
        hand.whole_width = self.app.size.width < 80
        hand.colour = None if lineup.monocolor else tint(self.match.colour(seat))
        hand.show(self.match.state.hand(seat))
        return hand

    def fact_lines(self) -> list[tuple[str, str]]:
        """Return label and value of each fact of the report, then the bets, and at the end the tally."""
        facts = list(self.report.facts)
        if self.match.bets:
            names = self.match.names
            facts.append(("Bets", ", ".join(f"{names[seat]} on {names[on]}" for seat, on in self.match.bets.items())))
        if self.ended:
            facts.append(("Tonight", self.tally.standings if self.tally else "…"))
        if self.tally and self.tally.seers:
            facts.append(("Right bets", self.tally.seers))
        return facts

    @property
    def facts(self) -> Content:
        facts = self.fact_lines()
        wide = max(len(label) for label, _ in facts)
        return Content("\n").join(
            Content.assemble((f"{label.rjust(wide)}  ", "$quiet"), value) for label, value in facts
        )

    def on_mount(self) -> None:
        """Dim the button that leads on until the screen has settled."""
        self.show_actions()
        self.watch_tally()

    def watch_tally(self) -> None:
        """Show the tally, and the player who has reached the number that was agreed on."""
        if self.tally and self.query("#facts"):  # not before the screen is laid out
            self.query_one("#facts", Static).update(self.facts)
            self.query_one("#reached", Static).update(self.tally.reached)
            self.set_class(bool(self.tally.reached), "-reached")

    # -- keys ----------------------------------------------------------------------------------------------------

    def copied(self) -> tuple[str, str]:
        """Return the position, or the game in a few lines; the dialog of fairness copies the proof of the dice."""
        if not self.ended:
            return "The position", self.match.state.position()
        from fourtwenty.review.match_text import match_text

        return "The game in a few lines", match_text(self.match)

    # -- actions -------------------------------------------------------------------------------------------------

    def action_bet(self) -> None:
        """Ask the people who are out for a bet, one after the other."""
        names = self.match.names
        people = iter(self.bettors)

        def ask() -> None:
            seat = next(people, None)
            if seat is None:
                return

            def answered(index: int | None) -> None:
                if index is not None:
                    bet(self.match, seat, offered[index])
                    self.show_bets()
                    ask()

            ends = self.game.ends[self.game.tallies_last]
            offered = candidates(self.match)
            self.app.push_screen(BetDialog(f"{names[seat]}: who {ends}?", [names[each] for each in offered]), answered)

        if self.is_active:
            ask()

    def show_bets(self) -> None:
        """Show the bets, and the button for them only while somebody may bet."""
        self.query_one("#facts", Static).update(self.facts)
        self.show_actions()

    def action_review(self) -> None:
        from fourtwenty.tui.past.review import Review

        if self.is_active:
            self.app.push_screen(Review(self.match))

    def action_fairness(self) -> None:
        from fourtwenty.tui.dialogs.fairness import FairnessDialog

        if self.is_active:
            self.app.push_screen(FairnessDialog(self.match))

    def action_leave(self) -> None:
        """Leave the match between two rounds, after a question if something is lost by it."""
        question = self.leave_question()
        if not question:
            self.action_go("lobby")
        elif self.is_active:
            self.app.push_screen(question, self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self.action_go("lobby")

    def action_go(self, to: Next) -> None:
        if self.is_active:
            if to == "rematch" and self.match.shared:
                # At a table of several machines, a second Enter would start without the others.
                self.app.ahead.drop_burst()
            self.dismiss(to)
