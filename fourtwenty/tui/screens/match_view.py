"""The view of a match: the layout of the table and the methods that show things on it. It takes no input."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from rich.cells import cell_len
from textual import getters
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.game import Event, Faces, Roll, State, hand_after
from fourtwenty.games.words import NUMBERS, dice_in_words, sentence_case, your_turn
from fourtwenty.play.advice import Advice, Advisor, Share
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import MatchLog, event_line, starting_line, taken_back_line, word_lines
from fourtwenty.play.percent import cost, percent
from fourtwenty.play.turns import AddWords, BotDecides, Decide, EnterFaces, Request, Turns
from fourtwenty.tui.framework import OpeningScreen
from fourtwenty.tui.widgets.coach import LAMP_OFF, LAMP_ON, Coach
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.log import RollLog
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import Row, Seats, mark, tint
from fourtwenty.tui.widgets.typed_faces import TypedFaces

BUTTONS = {
    "start": "Start",
    "word": "Add a word",
    "copy": "Copy seal",
    "roll": "Roll",
    "all": "All",
    "none": "None",
    "stand": "Stand",
    "done": "Done",
    "correct": "Correct",
    "back": "Back",
}
"""Labels of the buttons, by the action that they do, which is their widget id too."""
PRIMARY = ("start", "roll", "done")
"""The buttons that stand out."""


class Felt(Vertical):
    """The cloth that the hand lies on."""


class MatchView(OpeningScreen[None]):
    """The layout and the display of a match; ``Table`` adds the keys and actions."""

    selection: var[frozenset[int]] = var(frozenset(), init=False)
    """Positions of the dice that are selected to be rolled."""

    caption = getters.query_one("#caption", Static)
    headline = getters.query_one("#turn", Static)
    line = getters.query_one("#line", Static)
    roll_button = getters.query_one("#roll", MouseButton)
    rolls = getters.query_one(RollLog)
    seats = getters.query_one(Seats)

    class Asked(Message, namespace="table"):
        """A person is to act, or faces are to be typed."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.game = match.game
        self.turns = Turns(match)
        self.advisor = Advisor(match.lineup, match.state) if Advisor.is_wanted(match.lineup) else None
        self.coach = self.advisor if self.advisor and self.advisor.shows_odds else None
        """The advisor if odds are shown; without a coach, an advisor may be there for warnings only."""
        self.hand = Hand(match.game.hand_size)
        self.typed_faces = TypedFaces(match.game.hand_size)
        self.match_log = MatchLog(match)
        self._on_top = asyncio.Event()
        """Set when a screen over the table has been dismissed."""

    async def uncovered(self) -> None:
        """Wait until no other screen covers the table."""
        while not self.is_active:
            self._on_top.clear()
            await self._on_top.wait()

    def on_screen_resume(self) -> None:
        """Wake ``uncovered``, which checks whether the table is on top."""
        self._on_top.set()

    # -- layout ------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the hand, the seats and the log."""
        yield Static("", id="caption", markup=False)
        with Felt(id="play"):
            yield Static("", id="turn", markup=False)
            yield self.hand
            yield Static("", id="line", markup=False)
            if self.match.typed:
                yield self.typed_faces
            if self.coach:
                yield Coach()
            with Horizontal(id="actions"):
                yield from self._buttons()
            yield RollLog()
        yield Seats(id="seats")
        yield KeyBar(spare=("all", "none", "correct", "done", "back"))  # they have their buttons

    def _buttons(self) -> Iterator[MouseButton]:
        words = ("start", "word", "copy") if self.match.words is None else ()
        faces = ("done", "correct", "back") if self.match.typed else ()
        for action in (*words, "roll", "all", "none", "stand", *faces):
            yield MouseButton(BUTTONS[action], id=action, variant="primary" if action in PRIMARY else "default")

    def on_mount(self) -> None:
        """Show the parts that do not change during the match, and the events so far."""
        match, state = self.match, self.match.state
        self.seats.border_title = f"Seats: {self.coach.odds.goal(state).chance}" if self.coach else "Seats"
        self.seats.coloured = not match.lineup.monocolor
        lamp = f"{LAMP_OFF} turns {LAMP_ON} where other hands matter to the best choice."
        notes = [f"{lamp} {self.coach.odds.LAMP}"] if self.coach and self.coach.is_full else []
        if self.coach and self.coach.shows_odds and self.coach.odds.goal(state).note:
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
        self.seats.rows = tuple(self._row(state, seat, shares[seat]) for seat in range(state.seats))
        caption = f"{self.game.name}   {state.caption() if settled else 'Before the first roll'}"
        more = [starting_line(self.match, state.starting_seat)] if settled and state.starting_seat is not None else []
        if self.coach:
            more.append(f"Coach: {self.match.lineup.coach}")
        for part in more:
            if cell_len(f" {caption}   {part} ") <= self.app.size.width:
                caption += f"   {part}"
        self.caption.update(caption, layout=False)

    def _row(self, state: State, seat: int, share: Share | None) -> Row:
        standing = state.standing(seat)
        starts = self.match.words is not None and seat == state.starting_seat
        bar_label = ""
        if share:
            chance = percent(share.value, share.about)
            bar_label = f"{chance}  {share.outlook}" if share.outlook else chance
        return Row(
            colour=self.match.lineup.colour(seat, self.match.starting_seat),
            name=self.match.names[seat],
            tag=self.game.starting_title if starts else "",
            detail=standing.detail,
            note=standing.note,
            playing=standing.playing,
            tally=standing.tally,
            share=share.value if share else None,
            bar_label=bar_label,
        )

    def show_actions(self, asked: Request | None = None) -> None:
        """Show the buttons that answer a request, and dim those that cannot be pressed now."""
        forced = self.turns.forced
        self.roll_button.label = f"Roll all {NUMBERS[len(forced.dice)]}" if forced and len(forced.dice) > 1 else "Roll"
        for button in self.query(MouseButton):
            allowed = self.check_action(button.id or "", ())
            button.display = allowed is not False and (button.id != "copy" or isinstance(asked, AddWords))
            button.set_class(not allowed, "-dimmed")
        self.refresh_bindings()

    def show_odds(self, coach: Advisor) -> None:
        """Show the advice on the selection, as far as the line-up may see it."""
        state, view = self.match.state, self.query_one(Coach)
        advice = coach.advice(state, self.selection)
        if state.to_act is None:
            view.show({})
        elif advice is None:
            view.show({}, "", "h shows every choice" if coach.is_full else "", coach.lamp(state))
        else:
            verdict = f"costs {cost(advice.loss, advice.about)}" if advice.verdict == "costs" else advice.verdict
            goal = f"{advice.goal}: {percent(advice.value, advice.about)}"
            view.show(_chances(advice), goal, verdict if coach.is_full else "", coach.lamp(state))

    # -- requests and events -----------------------------------------------------------------------------------

    def show_request(self, request: Request) -> None:
        """Show a request, and the actions that answer it."""
        match request:
            case AddWords():
                self.headline.update("Before the first roll", layout=False)
                self.show_line("Enter starts. w adds a word to the dice.")
            case Decide():
                self.show_turn(your_turn(self.match.names[request.seat]), request.seat)
                self.select(request.selection)
            case EnterFaces():
                name = self.match.names[request.seat]
                special = {"taken back": f"{name}: once more", "bot": f"{name} rolls {request.dice_named}"}
                self.show_turn(special.get(request.origin) or your_turn(name), request.seat)
                self.select(frozenset(request.roll.dice))
                self.show_faces(request, ())
        self.show_actions(request)

    def show_bot(self, request: BotDecides) -> None:
        """Show the choice of a bot."""
        self.show_turn(f"{self.match.names[request.seat]} plays", request.seat, aside="any key skips ahead")
        self.show_actions()
        self.select(frozenset(request.action.dice) if isinstance(request.action, Roll) else frozenset())

    def show_faces(self, request: EnterFaces, faces: Faces) -> None:
        """Show the faces typed so far, on the dice that were rolled."""
        self.typed_faces.asked, self.typed_faces.faces = len(request.roll.dice), faces
        self.hand.show(request.hand_with(faces), selected=frozenset(request.roll.dice))
        self.show_line(request.question)
        self.show_actions(request)

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
        refused = self.check_action("roll", ()) is None
        if self.roll_button.has_class("-dimmed") != refused:
            self.roll_button.set_class(refused, "-dimmed")
            self.refresh_bindings()

    async def show_throw(self, event: Event) -> None:
        """Show the throw of an event, and return when the dice have landed."""
        self.show_line("")
        if self.coach:
            self.query_one(Coach).show({})
        self.show_actions()
        if isinstance(event.action, Roll) and self.match.lineup.animation and not self.match.typed:
            await self.hand.throw(dict(zip(event.action.dice, event.faces, strict=True)))

    def show_event_turn(self, event: Event) -> None:
        """Show over the hand which action is carried out."""
        action = dice_in_words(len(event.action.dice)) if isinstance(event.action, Roll) else "stands"
        self.show_turn(f"{self.match.names[event.seat]}: {action}", event.seat)

    def show_event(self, before: State, event: Event) -> None:
        """Show the dice, the standings and the sentence of an event, given the state before it, and log it."""
        thrown = event.action.dice if isinstance(event.action, Roll) else ()
        self.hand.show(hand_after(before, event.action, event.faces), fresh=thrown)
        self.rolls.add(event_line(self.match, before, event))
        self.show_standings()
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
        """Add the heading of the round to the log, unless it is there."""
        self.rolls.add(*self.match_log.heading(self.match.state))


def _chances(advice: Advice) -> dict[str, str]:
    """Return the chances and the amount of an advice as they are shown, by label."""
    chances = {label: percent(chance, advice.about) for label, chance in advice.chances}
    if advice.amount:
        label, amount = advice.amount
        chances[label] = f"about {amount:.0f}" if advice.about else f"{amount:.1f}"
    return chances
