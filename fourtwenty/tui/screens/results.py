"""The page after a round in which somebody is out, and at the end of a match. Nothing is played here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import ClassVar, Literal

from msgspec.structs import replace
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Center, Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.english import ordinal
from fourtwenty.games.game import place_in
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import start_line
from fourtwenty.play.round_result import deciding_throw, last_rounds, seats_by_place
from fourtwenty.play.stories import told_stories
from fourtwenty.play.tally import Tally, bet, bet_lines, bettors, candidates
from fourtwenty.review.round_story import round_story
from fourtwenty.tui.dialogs.question_dialogs import BetDialog, ConfirmDialog, ShareMatchDialog
from fourtwenty.tui.textual_base.actions import FAIRNESS, RULES, ScreenAction
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.banner import Banner
from fourtwenty.tui.widgets.die import Die, chip
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import Seats, seat_row, tint

LIST_COLUMNS = 64
"""The most columns of the seats."""
HAND_ROWS = ((16, 4), (11, 4), (8, 3), (6, 1), (4, 1))
"""The rows of a hand, with one for labels, and the free rows round it, the largest first."""
SHORT_ROWS = 24
"""The screen's rows below which buttons have one row."""
FRAME_ROWS, TALL_FRAME_ROWS = 3, 5
"""The rows of buttons, sentence and key bar, on a short screen and on others."""
MARGINS = 4
"""The columns beside the seats."""

MARGIN = 6
"""The cells of a line that its text leaves free."""

NextStep = Literal["round", "rematch", "lobby", "table", "back"]
"""The players' next step; "back" corrects the typed faces of the round's last roll."""


def in_lines(parts: Iterable[Content], width: int) -> list[Content]:
    """Return parts side by side in lines of at most ``width`` cells; only a longer part breaks."""
    lines: list[Content] = []
    for part in parts:
        beside = Content("   ").join([*lines[-1:], part])
        lines[-1:] = [beside] if beside.cell_length <= width else [*lines[-1:], part]
    return lines


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
            available=lambda screen: screen.ended and not screen.match.dice.shared,
            button=True,
        ),
        ScreenAction(
            "q,n,escape",
            "go('table')",
            "To the table",
            id="results.table",
            tooltip="To the table, without a seat in the next game",
            available=lambda screen: screen.ended and screen.match.dice.shared,
            button=True,
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
        self.state = match.state
        self.report = match.state.report(match.names)
        self.hand = self.deciding_hand()
        self.seats = self.standings()

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
            with Center():
                yield self.hand
            with Center():
                yield self.seats
            yield Static(id="tale", markup=False)
            yield Static(id="tally")
        with Center(), Horizontal(id="actions"):
            yield from self.buttons(now=True)
        yield Sentence()
        yield KeyBar()

    def headline(self) -> Static:
        """Return the report's headline; at the end of a match in large letters, the name in its colour."""
        outcome, lineup = self.match.state.outcome, self.match.lineup
        if not outcome:
            return Static(self.report.headline, id="headline", markup=False)
        seat = outcome.places[-1 if self.game.counts_last_place else 0][0]
        name, colour = self.match.names[seat], f"$seat-{tint(seat)}"
        rest = self.report.headline.removeprefix(name).strip()
        return Banner(name, rest, "$foreground" if lineup.monocolor else colour)

    def deciding_hand(self) -> Hand:
        """Return the hand that decided the round; the dice of the last throw are framed."""
        hand, throw = Hand(self.game.hand_size), deciding_throw(self.match)
        hand.numbered = False
        hand.colour = None if self.match.lineup.monocolor else tint(self.report.seat)
        before = throw.before or (0,) * len(throw.hand)
        hand.dice = tuple(
            Die(face, made=die in throw.dice, was=before[die - 1] if die in throw.dice else 0)
            for die, face in enumerate(throw.hand, 1)
        )
        return hand

    def standings(self) -> Seats:
        """Return all seats by their places, each with its last hand."""
        match, places, seats = self.match, self.match.state.places, Seats()
        seats.coloured = not match.lineup.monocolor
        order, rounds = seats_by_place(match.state), last_rounds(match)
        placed = {*chain(*places)}
        rows = [
            replace(seat_row(rounds[seat], seat, match.names[seat]), playing=match.state.standing(seat).playing)
            for seat in order
        ]
        seats.rows = tuple(
            replace(row, place=ordinal(place_in(places, row.colour)), note="") if row.colour in placed else row
            for row in rows
        )
        seats.cursor = -1 if self.ended else order.index(self.report.seat)
        return seats

    @property
    def what_follows(self) -> str:
        """The starter of the next round, the bets, and the best story of this round."""
        lines = (start_line(self.match, self.match.state.next_round()), *bet_lines(self.match), round_story(self.match))
        return "\n".join(filter(None, lines))

    def share_rows(self) -> None:
        """Give the seats the rows they need, and the deciding hand the rest."""
        columns, rows = size = self.app.size
        room = rows - (FRAME_ROWS if rows < SHORT_ROWS else TALL_FRAME_ROWS)
        for text in self.query("#report Static").results(Static):
            if text.display:
                room -= 1 + text.get_content_height(size, size, columns - MARGINS) + text.gutter.height
        self.seats.styles.width = width = min(columns - MARGINS, LIST_COLUMNS)
        self.seats.styles.height = lines = min(self.seats.lines_in(width, room), max(1, room))
        spare = 0 if self.ended else room - lines
        height = next((each for each, around in HAND_ROWS if each + around <= spare), 0)
        self.hand.whole_width = columns < 80
        self.hand.display = bool(height)
        self.hand.styles.height = height
        self.hand.styles.height = self.hand.die_region(1).height  # that of the dice which fit the width

    @property
    def stories(self) -> Content:
        """The stories of the match, each with its dice, which are below it where the line is too short."""
        lines = []
        for told in told_stories(self.match):
            ground = "dice-white" if self.match.lineup.monocolor else f"seat-{tint(told.seat)}"
            body = f"${ground}-pip on ${ground}"
            dice = Content(" ").join(Content.styled(chip(face, self.app.no_color), body) for face in told.dice)
            lines += in_lines([Content(told.sentence), dice], self.app.size.width - MARGIN)
        return Content("\n").join(lines)

    @property
    def bets_and_tally(self) -> Content:
        """The bets at the end, then everybody's tally of the evening."""
        match, tally = self.match, self.tally
        lines = [Content(line) for line in bet_lines(match) if self.ended]
        if tally and tally.standings:
            shades = [f"$seat-{tint(seat)}" * (not match.lineup.monocolor) for seat in range(len(tally.counts))]
            counts = map(Content.styled, tally.standings, shades)
            lines += in_lines([Content.styled("Tonight", "$quiet"), *counts], self.app.size.width - MARGIN)
            if tally.reached:
                lines.append(Content.styled(tally.reached, "bold $primary"))
        return Content("\n").join(lines)

    def on_mount(self) -> None:
        self.show_texts()
        self.show_actions()

    def on_resize(self) -> None:
        self.show_texts()

    def watch_tally(self) -> None:
        self.show_texts()

    def show_texts(self) -> None:
        """Show what is known by now of the round or the match, the bets and the tally."""
        if self.match.state is not self.state:  # a typed roll is taken back, and this page is about to go
            return
        tale = self.stories if self.ended else Content(self.what_follows)
        for name, text in (("#tale", tale), ("#tally", self.bets_and_tally)):
            for shown in self.query(name).results(Static):  # not before the layout
                shown.update(text)
                shown.display = bool(text)
        for banner in self.query(Banner):  # its own size may be the same on a larger screen
            banner.draw()
        if self.is_mounted:
            self.share_rows()

    # -- input -----------------------------------------------------------------------------------------------------

    async def receive_key(self, event: Key) -> None:
        """Go on by any key without an action of its own, as by a click."""
        if self.ended or self.binding_of(event.key):
            await super().receive_key(event)
        else:
            event.stop()
            self.action_go("round")

    def on_click(self, event: Click) -> None:
        if not self.ended and not isinstance(event.widget, KeyBar):
            self.action_go("round")

    # -- actions -------------------------------------------------------------------------------------------------

    def action_share(self) -> None:
        from fourtwenty.review.match_text import match_text

        self.open_over(ShareMatchDialog(match_text(self.match), self.match))

    def action_bet(self) -> None:
        """Ask each person who is out for a bet."""
        names = self.match.names
        people = iter(self.bettors)

        def ask() -> None:
            seat = next(people, None)
            if seat is None:
                return

            def answered(index: int) -> None:
                bet(self.match, seat, offered[index])
                self.show_texts()
                self.show_actions()
                ask()

            ends = self.game.result_verbs[self.game.counts_last_place]
            offered = candidates(self.match)
            self.open_over(BetDialog(f"{names[seat]}: who {ends}?", [names[each] for each in offered]), answered)

        ask()

    def action_review(self) -> None:
        from fourtwenty.tui.past_games.review_screen import Review

        self.open_over(Review(self.match))

    def action_leave(self) -> None:
        """Leave the match between two rounds, after a question if something is lost."""
        if question := self.leave_question():
            self.open_over(question, lambda _: self.action_go("lobby"))
        else:
            self.action_go("lobby")

    def action_go(self, to: NextStep) -> None:
        self.end(to)
