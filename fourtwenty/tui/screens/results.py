"""The page after a round in which somebody is out, and at the end of a match. Nothing is played here."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Center, Horizontal, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widget import Widget
from textual.widgets import Static

from fourtwenty.games.english import name_and_verb
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import out_line
from fourtwenty.play.stories import told_stories
from fourtwenty.play.tally import Tally, bet, bettors, candidates
from fourtwenty.tui.dialogs.question_dialogs import BetDialog, ConfirmDialog, ShareMatchDialog
from fourtwenty.tui.textual_base.actions import FAIRNESS, RULES, ScreenAction
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.banner import Banner
from fourtwenty.tui.widgets.die import chip
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import tint

MARGIN = 6
"""The cells of a line that its text leaves free."""

NextStep = Literal["round", "rematch", "lobby", "back"]
"""The players' next step; "back" corrects the typed faces of the round's last roll."""


class Results(BaseScreen[NextStep]):
    """Shows who is out or how the match ended; dismissed with the players' next step."""

    CSS_PATH = "results.tcss"
    CONTINUE_ACTIONS = ("go('round')", "go('rematch')")
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "enter",
            "go('round')",
            "Next round",
            id="results.round",
            tooltip="Play the next round",
            available=lambda screen: not screen.ended,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "enter,r",
            "go('rematch')",
            "Rematch",
            id="results.rematch",
            tooltip="Play again with the same players",
            available=lambda screen: screen.ended and screen.again,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "b",
            "bet",
            "Bet",
            id="results.bet",
            tooltip="A player who is out bets on the end of the game",
            available=lambda screen: bool(screen.bettors),
            button=True,
        ),
        ScreenAction(
            "v",
            "review",
            "Review",
            id="results.review",
            tooltip="Every choice and every roll, measured",
            button=True,
        ),
        ScreenAction(
            "y",
            "share",
            "Share",
            id="results.share",
            tooltip="The game in a few lines, for others",
            available=lambda screen: screen.ended,
            button=True,
        ),
        ScreenAction(
            "q,n,escape",
            "go('lobby')",
            "Lobby",
            id="results.lobby",
            tooltip="Back to the lobby",
            available=lambda screen: screen.ended,
            button=lambda screen: "To the table" if screen.match.dice.shared else "Lobby",
        ),
        FAIRNESS,
        ScreenAction(
            "u",
            "go('back')",
            "Take back",
            id="results.take-back",
            tooltip="Type the faces of the last roll again",
            available=lambda screen: screen.match.can_take_back,
        ),
        RULES,
        ScreenAction(
            "q,escape",
            "leave",
            "Leave",
            id="results.leave",
            tooltip="Leave the game; it is saved",
            available=lambda screen: not screen.ended,
            button=True,
        ),
    ]

    tally: var[Tally | None] = var(None)
    """The evening's tally at the end of a match, once read."""

    def __init__(
        self, match: Match, again: bool = True, leave_question: Callable[[], ConfirmDialog | None] = lambda: None
    ) -> None:
        """``leave_question`` returns the question before people leave a running match, or None."""
        super().__init__()
        self.match = match
        self.again = again
        self.leave_question = leave_question
        self.game = match.game
        self.report = match.state.report(match.names)

    @property
    def ended(self) -> bool:
        return self.match.state.outcome is not None

    @property
    def bettors(self) -> tuple[int, ...]:
        """The people who may bet now; none in a room, since bets would not reach the others."""
        return () if self.match.dice.shared or self.ended else bettors(self.match)

    def compose(self) -> ComposeResult:
        self.set_class(self.ended, "-ended")
        with VerticalScroll(id="report"):
            with Center():
                yield self.headline()
            if not self.ended:
                with Center():
                    yield self.deciding_hand()
            yield Static(self.stories if self.ended else self.what_follows, id="tale", markup=False)
            yield Static(self.bets_and_tally, id="tally")
        with Center(), Horizontal(id="actions"):
            yield from self.buttons(now=True)
        yield Sentence()
        yield KeyBar()

    def headline(self) -> Widget:
        """Return the report's headline; at the end of a match in large letters, the name in its colour."""
        outcome, lineup = self.match.state.outcome, self.match.lineup
        if not outcome:
            return Static(self.report.headline, id="headline", markup=False)
        seat = outcome.places[-1 if self.game.counts_last_place else 0][0]
        name, colour = self.match.names[seat], f"$seat-{tint(seat)}"
        rest = self.report.headline.removeprefix(name).strip()
        return Banner(name, rest, "$foreground" if lineup.monocolor else colour)

    def deciding_hand(self) -> Hand:
        lineup, seat = self.match.lineup, self.report.seat
        hand = Hand(self.game.hand_size)
        hand.whole_width = self.app.size.width < 80
        hand.colour = None if lineup.monocolor else tint(seat)
        hand.show(self.match.state.hand(seat))
        return hand

    @property
    def what_follows(self) -> str:
        """Sentences about the players who are out after this round, and the starter of the next."""
        starts = self.match.state.next_round().starting_seat
        assert starts is not None
        return f"{out_line(self.match)} {name_and_verb(self.match.names[starts], 'starts.', 'start.')}".lstrip()

    @property
    def stories(self) -> Content:
        """What is worth telling of the match, each story with its dice, below it where the line is too short."""
        lines = []
        for told in told_stories(self.match):
            ground = "dice-white" if self.match.lineup.monocolor else f"seat-{tint(told.seat)}"
            body = f"${ground}-pip on ${ground}"
            dice = Content(" ").join(Content.styled(chip(face, self.app.no_color), body) for face in told.dice)
            beside = Content("   ").join([Content(told.sentence), dice])
            fits = beside.cell_length <= self.app.size.width - MARGIN
            lines += [beside] if fits else [Content(told.sentence), dice]
        return Content("\n").join(lines)

    @property
    def bets_and_tally(self) -> Content:
        """The bets, at the end right or wrong, then everybody's tally of the evening."""
        match, tally = self.match, self.tally
        lines = [Content(self._bet(seat, on)) for seat, on in match.bets.items()]
        if tally and tally.standings:
            shades = [f"$seat-{tint(seat)}" * (not match.lineup.monocolor) for seat in range(len(tally.counts))]
            counts = map(Content.styled, tally.counts_in_words, shades)
            lines.append(Content("   ").join([Content.styled("Tonight", "$quiet"), *counts]))
            if tally.reached:
                lines.append(Content.styled(tally.reached, "bold $primary"))
        return Content("\n").join(lines)

    def _bet(self, seat: int, on: int) -> str:
        match, outcome = self.match, self.match.state.outcome
        bet = f"{match.names[seat]} bet on {match.names[on]}"
        if not outcome:
            return f"{bet}."
        named = outcome.places[-1 if self.game.counts_last_place else 0]
        return f"{bet}: {'right' if on in named else 'wrong'}."

    def on_mount(self) -> None:
        self.show_actions()

    def watch_tally(self) -> None:
        for shown in self.query("#tally").results(Static):  # not before the layout
            shown.update(self.bets_and_tally)

    # -- actions -------------------------------------------------------------------------------------------------

    def action_share(self) -> None:
        from fourtwenty.review.match_text import match_text

        if self.is_active:
            self.app.push_screen(ShareMatchDialog(match_text(self.match), self.match))

    def action_bet(self) -> None:
        """Ask each person who is out for a bet."""
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

            ends = self.game.result_verbs[self.game.counts_last_place]
            offered = candidates(self.match)
            self.app.push_screen(BetDialog(f"{names[seat]}: who {ends}?", [names[each] for each in offered]), answered)

        if self.is_active:
            ask()

    def show_bets(self) -> None:
        """Show the bets, and the button for them while somebody may bet."""
        self.watch_tally()
        self.show_actions()

    def action_review(self) -> None:
        from fourtwenty.tui.past_games.review_screen import Review

        if self.is_active:
            self.app.push_screen(Review(self.match))

    def action_leave(self) -> None:
        """Leave the match between two rounds, after a question if something is lost."""
        question = self.leave_question()
        if not question:
            self.action_go("lobby")
        elif self.is_active:
            self.app.push_screen(question, self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self.action_go("lobby")

    def action_go(self, to: NextStep) -> None:
        if self.is_active:
            self.dismiss(to)
