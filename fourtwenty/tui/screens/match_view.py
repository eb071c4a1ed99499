"""The view of a match: the layout of the table, and methods that show things on it. It takes no input."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from time import monotonic

from msgspec.structs import replace
from textual import getters, on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.layout import Layout
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.cells import cell_len
from fourtwenty.games.english import NUMBERS, is_you, sentence_case, your_turn
from fourtwenty.games.game import Event, Faces, Leave, Roll, State, at_stake, hand_after, plays_itself
from fourtwenty.play.advice import Advisor, Hint, Share
from fourtwenty.play.format import percent
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import (
    MatchLog,
    action_in_words,
    event_line,
    has_line,
    result_line,
    round_line,
    taken_back_line,
    turn_line,
)
from fourtwenty.play.options import OPTIONS
from fourtwenty.play.turns import AwaitEvent, BotDecides, Decide, EnterFaces, RemoteMatch, Request, Turns
from fourtwenty.tui.side_panel_content import SidePanelContent, advice_in_words, guide_section
from fourtwenty.tui.table_layout import Shape, TableLayout
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.tips import MatchTips
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.coach import Coach
from fourtwenty.tui.widgets.hand import LAND_SECONDS, Felt, Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.manual_faces import ManualFaces
from fourtwenty.tui.widgets.meter import MeterAndSentence
from fourtwenty.tui.widgets.roll_log import RollLog
from fourtwenty.tui.widgets.seats import MIN_NAME_WIDTH, Row, Seats, cut, mark, seat_row, tint
from fourtwenty.tui.widgets.side_panel import Section, SidePanel

ROUND, LARGE, HUGE, GIANT = (100, 28), (120, 36), (160, 46), (190, 56)
"""Columns and rows from which the seats sit round the table, and the hand is large, huge and giant."""
PHONE_ROWS = 36
"""Rows from which a narrow screen has a full-width hand, and dice for the other hands."""
PARTY = 4
"""The seats from which they are a column of rows, where the screen is as wide as for ``ROUND``."""
STAKE_SECONDS, BOT_STAKE_SECONDS = 0.9, 0.5
"""Seconds that a deciding last die tumbles on, of a person and of a bot."""
CHANCE_CELLS, PARTY_CHANCE_CELLS = 5, 9
"""The cells kept for a chance at the end of a seat's line: "32.8%", and in a party, for an estimate, "about 14%"."""
CHOICE_ROWS = 4
"""The rows of the log from which it makes room for a ranking of choices."""


class MatchView(BaseScreen[None]):
    """The layout and display of a match; ``Table`` adds keys and actions."""

    selection: var[frozenset[int]] = var(frozenset(), init=False)

    caption = getters.query_one(Caption)
    headline = getters.query_one("#turn", Static)
    line = getters.query_one(MeterAndSentence)
    rolls = getters.query_one(RollLog)

    def __init__(
        self, match: Match, pace: float = 1.0, tips: MatchTips | None = None, remote: RemoteMatch | None = None
    ) -> None:
        """``pace`` multiplies the seconds that bots and rolls are shown; 0 skips them."""
        super().__init__()
        self.pace = pace
        self.tips = tips or MatchTips(match.game)
        self.match = match
        self.begun = match.dice.shared or match.journal is not None
        """Whether the match is saved, so that its draw may be shown; a new one is saved before its first round."""
        self.game = match.game
        self.turns = Turns(match, remote)
        self.side_panel_content = SidePanelContent(match)
        self.seats = Seats(id="seats")
        self.hand = Hand(match.game.hand_size)
        self.advice = Coach()
        self.manual_faces = ManualFaces(match.game.hand_size)
        self.match_log = MatchLog(match)
        self.hint: Hint | None = None
        """The hint that is shown; None for none."""
        self.hint_shown_at = inf
        """The time of its first picture, on the clock of ``Event.time``."""
        self.selected_before_hint: frozenset[int] = frozenset()
        """The selection before it."""
        self._shape: tuple[int, int] | None = None
        """The breakpoint of the current layout; None below all of them."""
        self._table_layout = TableLayout()
        self._turn = "", 0, ""
        """The text about the turn, its seat, and the text beside it, whether they are shown or not."""

    @property
    def coach(self) -> Advisor | None:
        return self.side_panel_content.coach

    def on_screen_resume(self) -> None:
        """Apply settings that may have changed meanwhile."""
        self.show_side_panel()

    # -- layout ------------------------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The table's layout, in place of the layouts that a style sheet can name."""
        return self._table_layout

    def compose(self) -> ComposeResult:
        self._take_shape()
        yield Caption()
        with Felt(id="play"):
            yield Static("", id="turn", markup=False)
            yield self.hand
            yield MeterAndSentence(id="line")
            if self.match.dice.typed:
                yield self.manual_faces
            yield self.advice
            with Horizontal(id="actions"):
                yield from self.buttons()
        yield self.seats
        yield SidePanel()
        yield RollLog()
        yield KeyBar()

    def _take_shape(self) -> None:
        columns, rows = self.app.size
        self._shape = next(
            (each for each in (GIANT, HUGE, LARGE, ROUND) if columns >= each[0] and rows >= each[1]), None
        )
        beside: Shape = "party" if self.is_party else "columns"
        below: Shape = "phone" if self.is_phone else "stack"
        self._table_layout.shape = below if self.is_narrow else "round" if self.is_round else beside
        self.set_class(self.is_round, "-round")
        self.set_class(self._shape in (LARGE, HUGE, GIANT), "-large")
        self.set_class(self._shape in (HUGE, GIANT), "-huge")
        self.set_class(self._shape == GIANT, "-giant")
        self.set_class(self.is_phone, "-phone")
        self.hand.whole_width = self.is_phone
        self.seats.card_dice = self.game.hand_size if self.is_round or self.is_phone else 0
        self.seats.dice_in_rows = self.is_party
        self.seats.chance_cells = PARTY_CHANCE_CELLS if self.is_party else CHANCE_CELLS

    @property
    def is_round(self) -> bool:
        """Whether the seats sit in rows round the table, with a column beside the hand."""
        return self._shape is not None and not self.is_party

    @property
    def is_party(self) -> bool:
        """Whether the seats are a column of rows with dice, beside the hand."""
        return self.app.size.width >= ROUND[0] and self.match.state.seats >= PARTY

    @property
    def is_narrow(self) -> bool:
        return self.app.size.width < 80

    @property
    def is_phone(self) -> bool:
        """Whether the screen is narrow and tall, like an upright phone."""
        return self.is_narrow and self.app.size.height >= PHONE_ROWS

    def on_resize(self) -> None:
        self._take_shape()
        self.seats.fold()
        if self._turn[0]:
            self.call_after_refresh(lambda: self.show_turn(*self._turn))

    def on_mount(self) -> None:
        match, state = self.match, self.match.state
        self.seats.coloured = not match.lineup.monocolor
        self.rolls.add(*self.match_log.so_far())
        if self.coach:
            self.tips.dismiss("coach")  # somebody has turned it on in the lobby
        self.show_standings()
        if not self.begun:
            self.seats.cursor = -1
        elif state.to_act is not None:
            self.show_hand_of(state.to_act)

    # -- the match ---------------------------------------------------------------------------------

    def show_hand_of(self, seat: int) -> None:
        self.hand.colour = None if self.match.lineup.monocolor else tint(seat)
        self.hand.show(self.match.state.hand(seat))
        self.seats.cursor = seat
        self.show_meter(seat, self.match.state.hand(seat))

    def show_meter(self, seat: int, hand: Faces) -> None:
        """Show the pot, or a hand's meter, in which dice that are selected or have not landed count 0.

        A meter of the seat's tally is in its row: here is the value of the hand.
        """
        state = self.match.state
        meter = state.pot_meter or state.meter(seat, hand)
        if meter.of_tally and not state.pot_meter:
            self.line.show_meter(state.standing(seat).total if 0 not in hand else "")
        else:
            self.line.show_meter(meter.label, meter.least_label, meter=meter)

    def show_turn(self, text: str, seat: int, aside: str = "") -> None:
        self._turn = text, seat, aside
        lineup, name = self.match.lineup, self.match.names[seat]
        room, needed = self.headline.content_size.width, cell_len(f"{mark(seat)} {text}")
        if 0 < room < needed and text.startswith(name):  # no room before the layout
            text = f"{cut(name, max(MIN_NAME_WIDTH, cell_len(name) - needed + room))}{text.removeprefix(name)}"
        turn = Content.assemble(
            (f"{mark(seat)} ", "" if lineup.monocolor else f"$seat-{tint(seat)}"),
            text,
            (f"   {aside}" if aside else "", "$quiet not bold"),
        )
        self.headline.update(turn, layout=False)

    def show_sentence(self, sentence: str, refused: bool) -> None:
        self.line.say(sentence, refused)

    def show_standings(self) -> None:
        state = self.match.state
        shares = self.coach.shares(state) if self.coach and self.begun else [None] * state.seats
        title = f"Players: {self.coach.odds.objective(state).label}" if self.coach else "Players"
        if self.seats.border_title != title:  # Textual 8.2 (widget.py, _BorderTitle) repaints the widget for the same
            self.seats.border_title = title
        self.seats.rows = tuple(self._row(state, seat, shares[seat]) for seat in range(state.seats))
        if self._table_layout.is_outdated(self.seats):
            self.seats.refresh(layout=True)
        if self.coach and self.begun:
            self.side_panel_content.chart(shares)
        self.show_side_panel()
        caption = f"{self.game.name}   {state.caption()}"
        for part in self.caption_parts(state):
            if cell_len(f" {caption}   {part} ") <= self.app.size.width:
                caption += f"   {part}"
        if str(self.caption.content) != caption:
            self.caption.update(caption, layout=False)

    def caption_parts(self, state: State) -> Iterator[str]:  # noqa: ARG002 - a room says more
        """Yield the caption's parts after the round, as far as there is room."""
        if self.coach:
            yield f"Coach: {OPTIONS['coach'].shown(self.match.lineup_now)}"

    def _row(self, state: State, seat: int, share: Share | None) -> Row:
        starts = self.begun and seat == state.starting_seat
        name = self.match.names[seat]
        bar_label = ""
        if share:
            chance = percent(share.value, share.estimated)
            bar_label = f"{chance}  {share.outlook}" if share.outlook else chance
        return replace(
            seat_row(state, seat, name),
            tag=("start" if is_you(name) else "starts") if starts else "",
            share=share.value if share else None,
            bar_label=bar_label,
        )

    @property
    def roll_label(self) -> str:
        forced = self.turns.forced
        if self.hint and not forced:
            return "Take the hint"
        return f"Roll all {NUMBERS[len(forced.dice)]}" if forced and len(forced.dice) > 1 else "Roll"

    def show_odds(self) -> None:
        """Show the coach's advice on the selection, if there is a coach."""
        if self.coach:
            self.advice.show(*advice_in_words(self.coach, self.match.state, self.selection))
            self._mark_choice()

    def show_coach(self) -> None:
        self._forget_hint()
        self.side_panel_content.follow()
        self.advice.clear()
        self.show_standings()
        self.show_odds()
        self.show_actions()

    def show_hint(self, hint: Hint) -> None:
        """Lift the dice of a hint and say what it is worth, in place of the coach."""
        before = self.selection
        self.select(frozenset(hint.action.dice) if isinstance(hint.action, Roll) else frozenset())
        self.hint, self.hint_shown_at, self.selected_before_hint = hint, inf, before
        self.call_after_refresh(self._note_hint)
        self.advice.tell(hint.sentence)
        self.show_actions()

    def _note_hint(self) -> None:
        self.hint_shown_at = min(self.hint_shown_at, monotonic())

    def drop_hint(self) -> None:
        """Select what was selected before the hint."""
        if self.hint:
            self.select(self.selected_before_hint)

    def show_choices(self, advisor: Advisor) -> None:
        """Show every choice beside the hand, or in place of the log; say so if neither has room."""
        if self.is_round or self.rolls.size.height >= CHOICE_ROWS:
            self.side_panel_content.asked = advisor
            self._mark_choice()
        else:
            self.say("No room here for every choice: make the window larger.", refused=True)

    def _forget_hint(self) -> None:
        if self.hint:
            self.hint = None
            self.advice.clear()
        if self.side_panel_content.asked:
            self.side_panel_content.forget_choices()
            self._mark_choice()
            self.show_side_panel()

    @on(SidePanel.Fitted)
    def show_side_panel(self) -> None:
        """Show choices, chances and guide beside the hand; the column leaves out parts that do not fit."""
        for panel in self.query(SidePanel):
            panel.coloured = self.seats.coloured
            sections = [*self.side_panel_content.sections(self.app.size.width), *self.sections()]
            if not self.app.has_class("-no-guide"):
                sections.append(guide_section(self.game.guide))
            panel.sections = tuple(section for section in sections if section.lines)
            choices = self.side_panel_content.asked_choices
            self.rolls.show_instead(choices if choices and not panel.shows(choices[0]) else [])

    def sections(self) -> Iterator[Section]:
        """Yield the sections before the guide."""
        yield from ()

    def _mark_choice(self) -> None:
        if self.coach or self.side_panel_content.asked:
            self.side_panel_content.mark_choice(self.selection)
            self.show_side_panel()

    # -- requests and events -----------------------------------------------------------------------------------

    def show_request(self, request: Request) -> None:
        match request:
            case Decide():
                self.side_panel_content.forget_choices()
                self.show_turn(your_turn(self.match.names[request.seat]), request.seat)
                self.select(request.selection)
                self.advice.tell(self.tips.next(self.match.state))
            case EnterFaces():
                name = self.match.names[request.seat]
                special = {"taken back": f"{name}: once more", "bot": f"{name} rolls {request.dice_named}"}
                self.show_turn(special.get(request.origin) or your_turn(name), request.seat)
                self.select(frozenset(request.roll.dice))
                self.show_faces(request, ())

    def forget_request(self) -> None:
        """Hide tip, advice, hint and the room for faces."""
        self._forget_hint()
        self.advice.clear()
        self.manual_faces.asked = 0

    def show_awaited(self, request: AwaitEvent) -> None:
        """Show that the room's next event is awaited, at a table of several machines."""

    def show_bot(self, request: BotDecides) -> None:
        self.show_turn(f"{self.match.names[request.seat]} plays", request.seat, aside="any key skips ahead")
        self.show_actions()
        self.select(frozenset(request.action.dice) if isinstance(request.action, Roll) else frozenset())

    def show_faces(self, request: EnterFaces, faces: Faces) -> None:
        self.manual_faces.asked, self.manual_faces.faces = len(request.roll.dice), faces
        reset = bool(request.reason) and not faces
        hand = request.hand if reset else request.hand_with(faces)
        self.hand.show(hand, selected=frozenset(request.roll.dice), faded=reset)
        self.show_meter(request.seat, hand)
        self.say(request.question)
        self.show_actions()

    def select(self, dice: frozenset[int]) -> None:
        """Set the selection and show it, even if unchanged."""
        self.set_reactive(MatchView.selection, dice)
        self.watch_selection(dice)

    def watch_selection(self, selection: frozenset[int]) -> None:
        self._forget_hint()
        self.hand.select(selection)
        state = self.match.state
        if state.to_act is not None:
            hand = enumerate(state.hand(state.to_act), 1)
            self.show_meter(state.to_act, tuple([0 if die in selection else face for die, face in hand]))
        self.say(state.preview(selection))
        self.show_odds()
        self.show_actions()

    async def show_throw(self, event: Event) -> None:
        """Show the throw of an event; return when the dice have landed. A deciding last die lands later."""
        seats, pace = self.match.lineup.seats, self.pace
        if not isinstance(event.action, Roll) or self.match.dice.typed or not pace or all(seat.bot for seat in seats):
            return

        def seconds_to_next(lying: Faces) -> float:
            self.show_meter(event.seat, lying)
            stake = at_stake(self.game, lying)
            if not stake:
                return LAND_SECONDS * min(1, pace)
            self.say(stake)
            return (BOT_STAKE_SECONDS if seats[event.seat].bot else STAKE_SECONDS) * min(1, pace)

        await self.hand.throw(dict(zip(event.action.dice, event.faces, strict=True)), seconds_to_next)

    def show_event_turn(self, before: State, event: Event) -> None:
        """Show over the hand whose action it is; in throws for the start, how to skip them."""
        if not before.automatic and not self.match.lineup.seats[event.seat].bot:
            self.tips.dismiss(*self.tips.done(before, event.action))
        aside = "any key skips" if before.automatic and not self.match.dice.typed else ""
        self.show_turn(f"{self.match.names[event.seat]}: {action_in_words(event.action)}", event.seat, aside)

    def show_event(self, before: State, event: Event) -> None:
        """Show and log an event, given the state before it: dice, standings, sentence."""
        self.advice.clear()
        self.side_panel_content.forget_choices()
        self.log_event(before, event)
        self.show_dice(before, event)
        self.show_standings()
        # The seat of a roll or stand is shown above the dice; a seat that left may be another one.
        earlier = self.match.events[:-1]
        leaves = isinstance(event.action, Leave)
        line = event_line if leaves else turn_line
        self.say(sentence_case(line(self.match, before, event, earlier)))

    def log_event(self, before: State, event: Event) -> None:
        """Log an event, and the round that it ends."""
        after = self.match.state
        if has_line(before, event):
            self.rolls.add(event_line(self.match, before, event, self.match.events[:-1]))
        if after.to_act is None:
            self.rolls.add(round_line(self.match, after))

    def show_result(self, goes_on: str) -> None:
        """Show the hand that has decided a round, and its result; ``goes_on`` says what a key does."""
        state = self.match.state
        report = state.report(self.match.names)
        self.show_hand_of(report.seat)
        self.show_standings()
        self.show_turn(report.hand, report.seat)
        self.advice.tell(f"Any key {goes_on}.")
        self.say(result_line(self.match, state) if plays_itself(state) else round_line(self.match, state))
        self.show_actions()

    def show_transfer(self, state: State) -> None:
        """Show the tokens of all seats, and of the pot, in a state of ``State.transfer``."""
        rows = [seat_row(state, row.colour, row.name) for row in self.seats.rows]
        self.seats.rows = tuple(
            replace(row, meter=then.meter, tally=then.tally) for row, then in zip(self.seats.rows, rows, strict=True)
        )
        if pot := state.pot_meter:
            self.line.show_meter(pot.label, meter=pot)

    def show_dice(self, before: State, event: Event) -> None:
        thrown = event.action.dice if isinstance(event.action, Roll) else ()
        hand = hand_after(before, event.action, event.faces)
        self.hand.show(hand, fresh=thrown, made=self.game.is_winning(hand))
        self.show_meter(event.seat, hand)

    def show_taken_back(self, event: Event) -> None:
        """Log that a roll is taken back, and show the standings before it."""
        self.rolls.add(taken_back_line(self.match, event))
        self.show_standings()

    def show_round(self) -> None:
        """Begin the round's chart of chances."""
        self.side_panel_content.begin_round(self.match.state)
