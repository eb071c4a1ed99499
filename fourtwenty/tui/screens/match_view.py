"""The view of a match: the layout of the table and the methods that show things on it. It takes no input."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from msgspec.structs import replace
from rich.cells import cell_len
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.css.query import NoMatches
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.game import Action, Event, Faces, Leave, Roll, State, hand_after
from fourtwenty.games.words import NUMBERS, dice_in_words, sentence_case, your_turn
from fourtwenty.play.advice import Advice, Advisor, Share
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import (
    MatchLog,
    event_line,
    result_line,
    starting_line,
    taken_back_line,
    word_lines,
)
from fourtwenty.play.percent import AS_ESTIMATED, cost, percent
from fourtwenty.play.turns import AddWords, Awaited, BotDecides, Company, Decide, EnterFaces, Request, Turns
from fourtwenty.tui.framework import OpeningScreen
from fourtwenty.tui.widgets.aside import Aside, Section, sparkline
from fourtwenty.tui.widgets.coach import LAMP_OFF, LAMP_ON, Coach
from fourtwenty.tui.widgets.die import CHIP, MEDIUM, SMALL
from fourtwenty.tui.widgets.hand import Felt, Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.log import RollLog
from fourtwenty.tui.widgets.seat_cards import SeatCards, arranged
from fourtwenty.tui.widgets.seats import Row, fit, mark, tint
from fourtwenty.tui.widgets.typed_faces import TypedFaces

ROUND, LARGE, HUGE = (100, 28), (120, 36), (160, 46)
"""Columns and rows from which the seats sit round the table, and from which the hand is large, and huge."""
RIVER_COLUMNS = 120
"""Columns from which the chances are charted roll by roll."""
NEEDED = {ROUND: 18, LARGE: 23, HUGE: 27}
"""Rows that the seats leave to the rest of the screen."""
TIPS = (
    "{goal}. Roll {dice}: Enter, or click Roll.",
    "Click the dice to roll again (or press 1 to {last}), and keep the rest.",
    "h shows what each choice is worth, c shows the odds, ? has the rules.",
)
"""The tips for newcomers, in their order; two lines of 41 cells each at most."""


class MatchView(OpeningScreen[None]):
    """The layout and the display of a match; ``Table`` adds the keys and actions."""

    selection: var[frozenset[int]] = var(frozenset(), init=False)
    """Positions of the dice that are selected to be rolled."""

    aim = getters.query_one("#aim", Static)
    caption = getters.query_one("#caption", Static)
    headline = getters.query_one("#turn", Static)
    line = getters.query_one("#line", Static)
    rolls = getters.query_one(RollLog)

    class Asked(Message, namespace="table"):
        """A person is to act, or faces are to be typed."""

    def __init__(self, match: Match, tips: bool = False, company: Company | None = None) -> None:
        """Show a match, with tips for newcomers if asked for; one of several machines comes with its room."""
        super().__init__()
        self.tips = list(TIPS) if tips else []
        """The tips to come: one when a person is to roll, the others when a person has a choice."""
        self._tip = Static("", id="tip", markup=False) if tips else None
        self.match = match
        self.game = match.game
        self.turns = Turns(match, company)
        self.advisor: Advisor | None = None
        """Computes chances and warnings, as far as they are wanted."""
        self.coach: Advisor | None = None
        """The advisor if odds are shown; without a coach, an advisor may be there for warnings only."""
        self._follow_coach()
        self.seats = SeatCards(id="seats")
        self.hand = Hand(match.game.hand_size)
        self.typed_faces = TypedFaces(match.game.hand_size)
        self.match_log = MatchLog(match)
        self._choices = Section("", ())
        """The ranking of the choices of the seat to act; empty unless the coach is full."""
        self._river: list[list[float | None]] = []
        """The chances of every seat, ``[roll][seat]``, since the round began or the coach came; None for a seat out."""
        self._charted_round = 0
        self._shape: tuple[int, int] | None = None
        """The size from which the table is laid out as it is; None below all of them."""
        self._on_top = asyncio.Event()
        """Set when a screen over the table has been dismissed."""

    async def uncovered(self) -> None:
        """Wait until no other screen covers the table."""
        while not self.is_active:
            self._on_top.clear()
            await self._on_top.wait()

    def _follow_coach(self) -> None:
        """Compute as much as the coach of the match shows now."""
        lineup = self.match.lineup_now
        self.advisor = Advisor(lineup, self.match.state) if Advisor.is_wanted(lineup) else None
        self.coach = self.advisor if self.advisor and self.advisor.shows_odds else None

    def on_screen_resume(self) -> None:
        """Wake ``uncovered``, which checks whether the table is on top."""
        self._on_top.set()

    # -- layout ------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the hand, the seats and the log."""
        self._take_shape()
        yield Static("", id="caption", markup=False)
        if self.is_round:
            yield self.seats
        with Horizontal(id="middle"):
            with Felt(id="play"):
                yield Static("", id="turn", markup=False)
                yield self.hand
                yield Static("", id="aim", markup=False)
                yield Static("", id="line", markup=False)
                if self.match.typed:
                    yield self.typed_faces
                if self.coach:
                    yield Coach()
                if self._tip:
                    yield self._tip
                with Horizontal(id="actions"):
                    yield from self.buttons()
                yield RollLog()
            if self.is_round:
                yield Aside()
        if not self.is_round:
            yield self.seats
        yield KeyBar()

    def _take_shape(self) -> None:
        """Set the classes for the size of the terminal."""
        columns, rows = self.app.size
        self._shape = next((each for each in (HUGE, LARGE, ROUND) if columns >= each[0] and rows >= each[1]), None)
        self.set_class(self.is_round, "-round")
        self.set_class(self._shape in (LARGE, HUGE), "-large")
        self.set_class(self._shape == HUGE, "-huge")

    @property
    def is_round(self) -> bool:
        """Whether the seats sit in rows round the table, with a column beside the hand."""
        return self._shape is not None

    def on_resize(self) -> None:
        """Lay the table out for the new size."""
        was_round = self.is_round
        self._take_shape()
        if self.is_round != was_round:
            middle = self.query_one("#middle")
            if self.is_round:
                self.move_child(self.seats, before=middle)
                middle.mount(Aside())
            else:
                self.move_child(self.seats, after=middle)
                self.query(Aside).remove()
        self._arrange()
        self.show_aside()

    def _arrange(self) -> None:
        """Arrange the seats in the room that the hand leaves."""
        if self._shape is None:
            self.seats.arrangement = None
            self.seats.styles.height = "1fr"
            return
        columns, rows = self.app.size
        room = rows - 2 - NEEDED[self._shape]
        largest = MEDIUM if columns >= 190 else SMALL if len(self.seats.rows) <= 12 else CHIP
        arrangement = arranged(self.seats.rows, self.game.hand_size, (columns - 4, room), largest)
        self.seats.arrangement = arrangement
        self.seats.styles.height = 1 + min(arrangement.lines, room)  # one for the title

    def on_mount(self) -> None:
        """Show the parts that do not change during the match, and the events so far."""
        match, state = self.match, self.match.state
        self.seats.coloured = not match.lineup.monocolor
        notes = []
        if self.coach and self.coach.is_full:
            estimated = AS_ESTIMATED if self.coach.odds.approximate(state) else ""
            lamp = f"{LAMP_ON} means that the other hands affect the best choice ({LAMP_OFF}: they do not){estimated}."
            notes.append(f"{lamp} {self.coach.odds.LAMP}")
        if self.coach and self.coach.odds.goal(state).note:
            notes.append(self.coach.odds.goal(state).note)
        self.rolls.add(*self.match_log.so_far(*notes))
        self.show_standings()
        if match.words is None:
            self.hand.show(())
            self.seats.pointed = -1
            return
        self.rolls.add(*self.match_log.heading(state))
        if state.to_act is not None:
            self.show_hand_of(state.to_act)

    # -- the match ---------------------------------------------------------------------------------

    def show_hand_of(self, seat: int) -> None:
        """Turn the table to a seat: its colour and its dice."""
        lineup = self.match.lineup
        colour = lineup.colour(seat, self.match.starting_seat)
        self.hand.colour = None if lineup.monocolor else tint(colour)
        self.hand.show(self.match.state.hand(seat))
        self.seats.pointed = seat
        self.show_aim(seat)

    def show_aim(self, seat: int) -> None:
        """Show under the hand what it is worth, and what is missing."""
        self.aim.update(self.match.state.standing(seat).aim, layout=False)

    def show_turn(self, text: str, seat: int, aside: str = "") -> None:
        """Show a text about the turn of a seat over the hand, with a quiet text beside it."""
        lineup = self.match.lineup
        side = lineup.side(seat, self.match.starting_seat)
        colour = lineup.colour(seat, self.match.starting_seat)
        turn = Content.assemble(
            (f"{mark(colour)} ", "" if lineup.monocolor else f"$seat-{tint(colour)}"),
            f"{text} ({side})" if side else text,
            (f"   {aside}" if aside else "", "$quiet not bold"),
        )
        self.headline.update(turn, layout=False)

    def show_line(self, text: str, refused: bool = False) -> None:
        """Show a sentence under the hand; one that refuses an action stands out."""
        self.line.set_class(refused, "-refused")
        self.line.update(Content.styled(text, "$warning bold reverse") if refused else Content(text), layout=False)

    def show_standings(self) -> None:
        """Show the standing of every seat and the caption."""
        state = self.match.state
        settled = self.match.words is not None
        shares = self.coach.shares(state) if self.coach and settled else [None] * state.seats
        title = f"Players: {self.coach.odds.goal(state).chance}" if self.coach else "Players"
        if self.seats.border_title != title:  # Textual 8.2 (widget.py, _BorderTitle) repaints the widget for the same
            self.seats.border_title = title
        self.seats.rows = tuple(self._row(state, seat, shares[seat]) for seat in range(state.seats))
        self._arrange()
        if self.coach and settled:
            chances = [share.value if share else None for share in shares]
            if chances not in self._river[-1:]:
                self._river.append(chances)
        self.show_aside()
        caption = f"{self.game.name}   {state.caption() if settled else 'Before the first roll'}"
        for part in self.caption_parts(state):
            if cell_len(f" {caption}   {part} ") <= self.app.size.width:
                caption += f"   {part}"
        if str(self.caption.content) != caption:
            self.caption.update(caption, layout=False)

    def caption_parts(self, state: State) -> Iterator[str]:
        """Yield what the caption says besides the round, as far as there is room."""
        if self.match.words is not None and state.starting_seat is not None:
            yield starting_line(self.match, state.starting_seat)
        if self.coach:
            yield f"Coach: {self.match.coach}"

    def _row(self, state: State, seat: int, share: Share | None) -> Row:
        standing = state.standing(seat)
        starts = self.match.words is not None and seat == state.starting_seat
        bar_label = ""
        if share:
            chance = percent(share.value, share.estimated)
            bar_label = f"{chance}  {share.outlook}" if share.outlook else chance
        return Row(
            colour=self.match.lineup.colour(seat, self.match.starting_seat),
            name=self.match.names[seat],
            tag=self.game.starting_title if starts else "",
            detail=standing.detail,
            dice=standing.hand,
            total=standing.total,
            aim=standing.aim,
            note=standing.note,
            playing=standing.playing,
            tally=standing.tally,
            share=share.value if share else None,
            bar_label=bar_label,
        )

    @property
    def roll_label(self) -> str:
        """The label of the Roll button."""
        forced = self.turns.forced
        return f"Roll all {NUMBERS[len(forced.dice)]}" if forced and len(forced.dice) > 1 else "Roll"

    def show_odds(self, coach: Advisor) -> None:
        """Show the advice on the selection, as far as the line-up may see it."""
        state, view = self.match.state, self.query_one(Coach)
        advice = coach.advice(state, self.selection)
        if state.to_act is None:
            view.show({})
        elif advice is None:
            view.show({}, "", "h shows every choice" if coach.is_full else "", coach.lamp(state))
        else:
            verdicts = {"costs": f"costs {cost(advice.loss, advice.estimated)}", "forced": "the only choice"}
            verdict = verdicts.get(advice.verdict, advice.verdict) if coach.is_full else ""
            goal = (
                f"{coach.odds.goal(state).chance.removeprefix('chance to ')}: {percent(advice.value, advice.estimated)}"
            )
            view.show({} if advice.forced else _chances(advice), goal, verdict, coach.lamp(state))

    # -- the coach ---------------------------------------------------------------------------------------------

    def show_coach(self) -> None:
        """Show as much as the coach of the match shows now."""
        self._follow_coach()
        if self.coach and not self.query(Coach):
            self.query_one("#play").mount(Coach(), before="#actions")
        elif not self.coach:
            self.query(Coach).remove()
            self._river.clear()
        self._choices = Section("", ())
        self.show_standings()
        if self.coach:
            self.show_odds(self.coach)
            self._point_at_choice()

    def show_aside(self) -> None:
        """Show what is known beside the hand, as far as there is a column for it: choices, chances, guide."""
        aside = self._aside
        if not aside:
            return
        aside.coloured = self.seats.coloured
        guide = self.game.guide
        label = max(len(label) for label, _ in guide.rows)
        lines = tuple(f"{name.ljust(label)}   {value}" for name, value in guide.rows)
        sections = [self._choices, self._chances_so_far(), *self.sections(), Section(guide.heading, lines)]
        aside.sections = tuple(section for section in sections if section.lines)

    def sections(self) -> Iterator[Section]:
        """Yield what a kind of table says beside the hand before the guide."""
        yield from ()

    @property
    def _aside(self) -> Aside | None:
        try:
            return self.query_one(Aside) if self.is_round else None
        except NoMatches:  # the screen is being resized
            return None

    def _chances_so_far(self) -> Section:
        """Return a line for every seat that still plays: its chances roll by roll, and the last of them."""
        if not self._river or self.app.size.width < RIVER_COLUMNS:
            return Section("", ())
        latest = self._river[-1]
        estimated = self.coach is not None and self.coach.odds.approximate(self.match.state)
        playing = [seat for seat, chance in enumerate(latest) if chance is not None]
        names = self.match.names
        width = min(12, max((cell_len(names[seat]) for seat in playing), default=0))
        room = 24
        lines = tuple(
            f"{fit(names[seat], width)} {sparkline([chances[seat] for chances in self._river[-room:]]).ljust(room)}"
            f" {percent(latest[seat] or 0, estimated)}"
            for seat in playing
        )
        colours = tuple(self.match.lineup.colour(seat, self.match.starting_seat) for seat in playing)
        return Section("Chances, roll by roll", lines, colours, cut=True)

    def _rank_choices(self) -> None:
        """Rank the choices of the seat to act for the column beside the hand, if the coach is full."""
        state = self.match.state
        self._choices = Section("", ())
        if not (self.is_round and self.coach and self.coach.is_full) or state.to_act is None:
            return
        from fourtwenty.tui.widgets.ranking import ranking_lines

        choices = self.coach.odds.choices(state)
        if len(choices) > 1:
            head, *lines = ranking_lines(self.coach.odds, state, choices, wide=False)
            self._choices = Section(head, tuple(lines), pointed=-1, cut=True)

    def _point_at_choice(self) -> None:
        """Point at the selection in the ranking beside the hand."""
        if self.coach and self.is_round:
            if not self._choices.lines:
                self._rank_choices()
            if self._choices.lines:
                rank = self.coach.rank(self.match.state, self.selection)
                self._choices = replace(self._choices, pointed=rank)
            self.show_aside()

    # -- requests and events -----------------------------------------------------------------------------------

    def show_request(self, request: Request) -> None:
        """Show a request, and the actions that answer it."""
        match request:
            case AddWords():
                self.headline.update("Before the first roll", layout=False)
                self.show_line("Enter starts. w adds a word to the dice.")
            case Decide():
                self._choices = Section("", ())
                self.show_turn(your_turn(self.match.names[request.seat]), request.seat)
                self.select(request.selection)
                self._show_tip(first=self.turns.forced is not None)
            case EnterFaces():
                name = self.match.names[request.seat]
                special = {"taken back": f"{name}: once more", "bot": f"{name} rolls {request.dice_named}"}
                self.show_turn(special.get(request.origin) or your_turn(name), request.seat)
                self.select(frozenset(request.roll.dice))
                self.show_faces(request, ())
        self.show_actions()

    def _show_tip(self, first: bool) -> None:
        """Show the next tip, if it is its moment, in the place of the one before; ``first`` is that of a first roll."""
        if not self._tip:
            return
        self._tip.display = False
        if not self.tips or first != (len(self.tips) == len(TIPS)):
            return
        size, forced = self.game.hand_size, self.turns.forced
        dice = dice_in_words(len(forced.dice) if forced else size)
        tip = self.tips.pop(0).format(goal=self.game.goal, dice=dice, last=size)
        self._tip.update(f"Tip: {tip}")
        self._tip.display = True

    def show_awaited(self, request: Awaited) -> None:
        """Show that an event is to come from the room."""
        self.show_hand_of(request.seat)
        self.show_turn(f"{self.match.names[request.seat]} is choosing…", request.seat)
        self.show_actions()

    def show_bot(self, request: BotDecides) -> None:
        """Show the choice of a bot."""
        self.show_turn(f"{self.match.names[request.seat]} plays", request.seat, aside="any key skips ahead")
        self.show_actions()
        self.select(frozenset(request.action.dice) if isinstance(request.action, Roll) else frozenset())

    def show_faces(self, request: EnterFaces, faces: Faces) -> None:
        """Show the faces typed so far, on the dice that were rolled."""
        self.typed_faces.asked, self.typed_faces.faces = len(request.roll.dice), faces
        reset = bool(request.reason) and not faces
        hand = request.hand if reset else request.hand_with(faces)
        self.hand.show(hand, selected=frozenset(request.roll.dice), faded=reset)
        self.show_line(request.question)
        self.show_actions()

    def select(self, dice: frozenset[int]) -> None:
        """Set the selection and show it, even when it is unchanged."""
        self.set_reactive(MatchView.selection, dice)
        self.watch_selection(dice)

    def watch_selection(self, selection: frozenset[int]) -> None:
        """Show the selection, its preview and its odds."""
        self.hand.select(selection)
        self.show_line(self.match.state.preview(selection))
        if self.coach:
            self.show_odds(self.coach)
            self._point_at_choice()
        self.show_actions()

    async def show_throw(self, event: Event) -> None:
        """Show the throw of an event, and return when the dice have landed."""
        if self._tip:
            self._tip.display = False  # it was about this roll
        self.show_line("")
        if self.coach:
            self.query_one(Coach).show({})
        self.aim.update("", layout=False)
        self._choices = Section("", ())
        if isinstance(event.action, Roll) and self.match.lineup.animation and not self.match.typed:
            await self.hand.throw(dict(zip(event.action.dice, event.faces, strict=True)))

    def show_event_turn(self, event: Event) -> None:
        """Show over the hand which action is carried out."""
        self.show_turn(f"{self.match.names[event.seat]}: {action_in_words(event.action)}", event.seat)

    def show_event(self, before: State, event: Event) -> None:
        """Show the dice, the standings and the sentence of an event, given the state before it, and log it."""
        thrown = event.action.dice if isinstance(event.action, Roll) else ()
        self.hand.show(hand_after(before, event.action, event.faces), fresh=thrown)
        after = self.match.state
        ended = [result_line(self.match, after)] if after.to_act is None else []
        self.rolls.add(event_line(self.match, before, event), *ended)
        self.show_standings()
        self.show_aim(event.seat)
        self.show_line(sentence_case(before.tell(event.action, event.faces)))

    def show_taken_back(self, event: Event) -> None:
        """Log that a roll is taken back, and show the standings before it."""
        self.rolls.add(taken_back_line(self.match, event))
        self.show_standings()

    def show_settled(self) -> None:
        """Log the words that the dice follow from, and show the starting seat if a lot was drawn."""
        self.rolls.add(*word_lines(self.match, self.match.words or ()))
        self.show_standings()

    def show_round(self) -> None:
        """Add the heading of the round to the log, unless it is there, and begin its chart of chances."""
        if self.match.state.round != self._charted_round:
            self._charted_round = self.match.state.round
            del self._river[:-1]
        self.rolls.add(*self.match_log.heading(self.match.state))


def action_in_words(action: Action) -> str:
    """Return an action as it stands after a name: "two dice", "stands", "leaves"."""
    if isinstance(action, Roll):
        return dice_in_words(len(action.dice))
    return "leaves" if isinstance(action, Leave) else "stands"


def _chances(advice: Advice) -> dict[str, str]:
    """Return the chances and the amount of an advice as they are shown, by label."""
    chances = {label: percent(chance, advice.estimated) for label, chance in advice.chances}
    if advice.amount:
        label, amount = advice.amount
        chances[label] = f"about {amount:.0f}" if advice.estimated else f"{amount:.1f}"
    return chances
