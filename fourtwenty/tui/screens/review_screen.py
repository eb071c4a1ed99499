"""The base of the two reviews, of a match and of a round: its river, the text below, and the way to the mistakes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import mul

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.play.match import Match
from fourtwenty.review.analysis import Round
from fourtwenty.review.highlights import Highlight, no_mistakes
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.river import River, RiverStep

of_mistakes = partial(ScreenAction, refusal=lambda review: None if review.mistakes else no_mistakes(review.match))
"""Declares an action about the mistakes of the player."""


class ReviewScreen(HouseScreen[None]):
    """A caption, a river, more below it, and accounts in words that scroll."""

    ACCOUNTS = ""
    """Title of the accounts."""

    river = getters.query_one(River)

    def __init__(
        self, match: Match, rounds: Sequence[Round], mistakes: Mapping[int, Sequence[Highlight]], learner: int
    ) -> None:
        """Review a match of which at least one roll has been played.

        ``mistakes[seat]`` are those of people who made any, the costliest first; those of the seat ``learner`` are
        walked through and tried again.
        """
        super().__init__()
        self.match = match
        self.game = match.game
        self.rounds = rounds
        self.mistakes = mistakes
        self.learner = learner

    def compose(self) -> ComposeResult:
        lineup = self.match.lineup
        yield Static("", id="caption", markup=False)
        with Vertical(id="sheet"):
            yield River(tuple(map(self.match.colour, range(len(lineup.seats)))), not lineup.monocolor)
            yield from self.below_river()
            with VerticalScroll(id="accounts", can_focus=False) as accounts:
                accounts.border_title = self.ACCOUNTS
                yield Static("", markup=False)
        yield KeyBar()

    def below_river(self) -> Iterator[Widget]:
        """Yield what stands between the river and the accounts."""
        raise NotImplementedError

    def on_resize(self) -> None:
        """Share the height among the parts once they are laid out."""
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Share the height among the parts."""
        raise NotImplementedError

    def steps_of(self, shown: Round) -> Iterator[RiverStep]:
        """Yield the steps of a round: the chances of those who play before the first event, and after each."""
        playing = [shown.start.standing(seat).playing for seat in range(shown.start.seats)]
        for step, shares in enumerate(shown.chances()):
            chances = tuple(map(mul, shares, playing))
            moment = shown.moments[step - 1] if step else None
            yield RiverStep(chances, moment.event.seat, moment.mistake) if moment else RiverStep(chances)

    def show_caption(self, text: str) -> None:
        self.query_one("#caption", Static).update(f"Review   {text}")

    def show_accounts(self, lines: Sequence[Content]) -> None:
        self.query_one("#accounts > Static", Static).update(Content("\n").join(lines))

    # -- actions -----------------------------------------------------------------------------------------------------

    def action_exercise(self) -> None:
        from fourtwenty.tui.screens.exercise import Exercise

        if self.is_active:
            self.app.push_screen(Exercise(self.match, self.mistakes, self.learner))

    def action_look(self, step: int) -> None:
        self.query_one("#accounts").scroll_relative(y=step, animate=False)
