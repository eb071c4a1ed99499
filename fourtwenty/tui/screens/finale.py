"""The end of a match: who buys the drinks, in large letters, with the tally of the evening. Nothing is played here."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.play.match import Match
from fourtwenty.play.tally import Tally
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.widgets.banner import Banner
from fourtwenty.tui.widgets.glasses import Glasses
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import tint


class Finale(Results):
    """Shows how a match ended; dismissed with the next step of the players."""

    HELP = "The end of the game. Play again with the same players, change them, or look back at every choice."

    tally: var[Tally | None] = var(None)
    """The tally of the evening, once it has been read."""

    def __init__(self, match: Match, again: bool = True) -> None:
        """Show the end of a finished match, and offer to play again, unless the people here have only watched."""
        super().__init__(match)
        self.again = again
        outcome = match.state.outcome
        assert outcome
        self.seat = outcome.places[-1 if self.game.tallies_last else 0][0]
        """The seat that the headline names."""

    def compose(self) -> ComposeResult:
        lineup, name = self.match.lineup, self.match.names[self.seat]
        colour = self.match.colour(self.seat)
        with VerticalScroll(id="report"):
            with Center():
                rest = self.report.headline.removeprefix(name).strip()
                yield Banner(name, rest, "$foreground" if lineup.monocolor else f"$seat-{tint(colour)}")
            with Center(), Horizontal(id="last"):
                with Vertical(id="won"):
                    yield Static(self.report.hand, id="whose", markup=False)
                    yield self.winning_hand()
                yield Glasses(moving=lineup.animation)
            with Center():
                yield Static(self.facts, id="facts")
            yield Static("", id="reached", markup=False)
        with Center(), Horizontal(id="actions"):
            yield from self.buttons(now=True)
        yield KeyBar()

    def fact_lines(self) -> list[tuple[str, str]]:
        facts = [*super().fact_lines(), ("Tonight", self.tally.standings if self.tally else "…")]
        if self.tally and self.tally.seers:
            facts.append(("Right bets", self.tally.seers))
        return facts

    def on_mount(self) -> None:
        self.watch_tally()

    def watch_tally(self) -> None:
        """Show the tally, and the player who has reached the number that was agreed on."""
        if self.tally and self.query("#facts"):  # not before the screen is laid out
            self.query_one("#facts", Static).update(self.facts)
            self.query_one("#reached", Static).update(self.tally.reached)
            self.set_class(bool(self.tally.reached), "-reached")

    def action_fairness(self) -> None:
        from fourtwenty.tui.dialogs.fairness import FairnessDialog

        if self.is_active:
            self.app.push_screen(FairnessDialog(self.match))

    def copied(self) -> tuple[str, str]:
        """Return the game in a few lines; the dialog of fairness copies the proof of the dice."""
        from fourtwenty.review.match_text import match_text

        return "The game in a few lines", match_text(self.match)
