"""Shows a match at several machines: remote seats, absent machines, reactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace
from textual.binding import Binding, BindingType

from fourtwenty.games.english import join_words
from fourtwenty.games.game import Roll, State
from fourtwenty.play.advice import Share
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import MatchLog, awaited_line
from fourtwenty.play.turns import AwaitEvent
from fourtwenty.rooms.room import dice_sentence, throwers
from fourtwenty.rooms.tui.dialogs import CloseTableDialog, LeaveTableDialog, ReactionDialog
from fourtwenty.tui.dialogs.question_dialogs import ConfirmDialog
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.actions import ScreenAction, press
from fourtwenty.tui.widgets.seats import Row
from fourtwenty.tui.widgets.side_panel import Section

if TYPE_CHECKING:
    from fourtwenty.rooms.wire.client import ClientMatch
    from fourtwenty.rooms.wire.presence import Reaction
    from fourtwenty.rooms.wire.room_session import RoomSession
    from fourtwenty.rooms.wire.view import RoomView

REACTION_SHOWN_SECONDS = 3.0


class RoomTable(Table):
    """One match at several machines. All its events come from the room; ``follow`` shows its changes."""

    HELP = """\
The dice are thrown by all laptops and phones at the table, each with keys of its own: with two or more, nobody can
choose or foresee them. Someone marked **away** lost their connection or closed the lid; their seat is kept. When
somebody stays away for long, press **g** to carry on without them. Everybody who is here must agree.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "g",
            "carry_on",
            "Carry on",
            id="room.carry-on",
            tooltip="Carry on without players who stay away, or end a game with disputed dice",
            available=lambda table: bool(table.client.view.may_be_left) or table.client.view.may_end,
            button=lambda table: "End this game" if table.client.view.may_end else "Carry on",
        ),
        Binding("e", "react", "React", id="room.react", tooltip="Show the others one of eight reactions"),
    ]

    def __init__(self, match: Match, remote: ClientMatch, session: RoomSession, pace: float) -> None:
        """Seat a match of an open room. ``pace`` multiplies the seconds that bots and rolls are shown."""
        super().__init__(match, pace, remote=remote)
        self.session = session
        self.saves = not session.second
        self.remote = remote
        self.client = remote.client
        self.room_match = remote.match
        self.machine = remote.match.machine_index(remote.client.machine.public)
        """The index of this machine in the match; None for a spectator."""
        self.match_log = MatchLog(match, dice_sentence(self.room_match.participants))
        self.again = self.machine is not None
        self.add_class("-room")
        self._awaited: AwaitEvent | None = None
        """The event that the table waits for; None while somebody here is to act, or dice are shown."""
        self._gives_up = False
        """Whether the players here leave once the room has taken back their seats; a host stays and watches."""
        self._lost = False
        self._followed: RoomView | None = None
        self._ready: set[bytes] = set()
        self._called = -1
        """The number of events when somebody was last called to the table."""
        self._reactions: dict[int, str] = {}

    # -- what is known about the room --------------------------------------------------------------------------

    @property
    def takes_part(self) -> bool:
        """Whether somebody here still has a seat in the match."""
        return self.machine in self.room_match.remaining

    @property
    def parting_sentence(self) -> str:
        """The sentence for people who leave: only machines that still take part can come back to a seat."""
        return "Your seat is kept. r brings you back." if self.takes_part else "Press r to see how the game goes on."

    @property
    def has_left(self) -> bool:
        """Whether the others carry on without the players here, who have left or were away for long."""
        return self.room_match.goes_on_without(self.machine)

    @property
    def state_of_room(self) -> str:
        """The sentence about awaited machines; empty if none is missing."""
        return self.client.view.of_match(
            self.room_match, self.machine, lambda name, does: press(self, f"room.{name}", does)
        )

    # -- the view ----------------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show the room's changes, and go on with the match."""
        if not self.is_mounted or not self.query("#caption"):  # the app ends, and has removed its widgets
            return
        self.flow.follow_room()
        if self.room_match.abandoned and len(self.match.events) == len(self.room_match.events):
            self.flow.leave()
        now = self.client.view
        if self._lost == now.connected:
            self.show_turn(*self._turn)
        self._announce_turn()
        self._announce_ready()
        before, self._followed = self._followed, now
        if now == before:
            return
        self.show_standings()
        if self._awaited and self._awaited == self.turns.request:
            self.show_awaited(self._awaited)
        elif now.dispute:
            self.say(self.state_of_room)
            self.show_actions()
        for sentence in now.dispute:
            if before is None or sentence not in before.dispute:
                self.rolls.add(sentence)
        if self._gives_up and not self.takes_part and not self.room_match.over and not self.client.has_broker:
            self.flow.leave()

    def _announce_turn(self) -> None:
        """Tell a person who still reads a result, once for a turn, that the others wait."""
        match, results = self.room_match, self.app.screen
        waiting = match.to_act is not None and self.remote.is_local(match.to_act) and not self.remote.decided
        if waiting and isinstance(results, Results) and self._called != len(match.events):
            self._called = len(match.events)
            self.app.notify(f"The others wait for you. {press(results, 'results.round', 'go on')}.", timeout=8)

    def _announce_ready(self) -> None:
        """Announce each machine once that sits for the next match, after the end of this one is seen."""
        if not self.match.state.outcome:
            return
        played = {participant.author for participant in self.room_match.participants}
        for participant in self.client.view.participants:
            if participant != self.client.view.mine and participant.author not in self._ready:
                self._ready.add(participant.author)
                wants = "wants a rematch" if participant.author in played else "joins the next game"
                self.app.notify(f"{participant.name} {wants}.", timeout=8, markup=False)

    def show_awaited(self, request: AwaitEvent) -> None:
        first = request != self._awaited
        self._awaited = request
        if first:
            self.show_hand_of(request.seat)
        name, away = self.match.names[request.seat], self.client.view.is_away(self.room_match, request.seat)
        self.show_turn(awaited_line(name, request.action, away), request.seat)
        sentence = self.state_of_room
        self.say(sentence)
        held_up = sentence or self._lost
        if self.flow.shown_prediction:
            pass  # their faces are shown
        elif isinstance(request.action, Roll) and not held_up and self.pace:
            self.hand.shake(request.action.dice)
        elif held_up and not first:
            self.hand.show(self.match.state.hand(request.seat))
        self.show_actions()

    def show_turn(self, text: str, seat: int, aside: str = "") -> None:
        """Show a text about a seat's turn; a lost connection comes first."""
        super().show_turn(text, seat, aside)
        self._lost = not self.client.view.connected
        if self._lost:
            self.headline.update(self.client.view.no_connection, layout=False)

    def show_hand_of(self, seat: int) -> None:
        """Turn the table to a seat; the awaited event has come."""
        if self.turns.request != self._awaited:
            self._awaited = None
        super().show_hand_of(seat)

    def caption_parts(self, state: State) -> Iterator[str]:
        if self.machine is None or self.has_left:
            plays_next = self.machine is None and not self.client.spectates
            yield "You play in the next game" if plays_next else "You are watching"
        yield from super().caption_parts(state)
        if dice_by := throwers(self.room_match.participants[machine] for machine in self.room_match.remaining):
            yield dice_by

    def sections(self) -> Iterator[Section]:
        watching = self.client.view.spectators
        lines = (f"{join_words(watching)} {'watches' if len(watching) == 1 else 'watch'}",) if watching else ()
        yield Section(f"Table {self.session.address}", lines)

    def _row(self, state: State, seat: int, share: Share | None) -> Row:
        row = super()._row(state, seat, share)
        machine = self.room_match.machine_of[seat]
        if machine == self.machine and not self.match.lineup.seats[seat].bot:
            row = replace(row, name=f"{row.name} (you)")
        row = replace(row, note=self.room_match.note(state, seat))
        if seat in self._reactions:
            return replace(row, tag=self._reactions[seat], tag_first=True)
        if self.client.view.is_away(self.room_match, seat):
            return replace(row, tag="away", tag_first=True)
        return replace(row, tag=row.tag or "phone") if self.room_match.participants[machine].page else row

    def show_reaction(self, reaction: Reaction) -> None:
        """Show a reaction beside its sender's name, for some seconds, and log it."""
        self.rolls.add(f"{reaction.name}: {reaction.text}")
        machine = self.room_match.machine_index(reaction.author)
        if machine is None:  # a spectator
            self.app.notify(f"{reaction.name}: {reaction.text}", timeout=REACTION_SHOWN_SECONDS, markup=False)
            return
        seat = self.match.names.index(self.room_match.participants[machine].name)

        def fade() -> None:
            if self._reactions.get(seat) == reaction.text:
                del self._reactions[seat]
                self.show_standings()

        self._reactions[seat] = reaction.text
        self.show_standings()
        self.set_timer(REACTION_SHOWN_SECONDS, fade)

    # -- input -------------------------------------------------------------------------------------------------

    @property
    def is_choosing(self) -> bool:
        """Whether the actions of a choice are shown: not to spectators, or while a machine may be left."""
        if not (super().is_choosing and self.takes_part):
            return False
        view = self.client.view
        return not view.dispute and not (self._awaited and view.may_be_left)

    def action_carry_on(self) -> None:
        """Agree to carry on without machines that have been away for long, or to end the match, after a question."""
        view = self.client.view
        ends, left = view.may_end, view.may_be_left

        def answered(_: bool) -> None:
            now = self.client.view
            if (now.may_end, now.may_be_left) == (ends, left):
                carry_on()

        if ends:
            carry_on: Callable[[], None] = self.client.agree_to_end
            question, yes = "End this game without a result? Nobody buys the drinks.", "End game"
        else:
            names, comes = view.named(left), "comes" if len(left) == 1 else "come"
            question = f"Carry on without {names}? {names} then {comes} last and can't come back into this game."
            yes, carry_on = "Carry on", partial(self.client.carry_on_without, left)
        if ends or left:
            self.open_over(ConfirmDialog(question, no="Wait", yes=yes), answered)

    def action_react(self) -> None:
        self.open_over(ReactionDialog(), self.client.react)

    def leave_question(self) -> ConfirmDialog | None:
        return CloseTableDialog() if self.client.has_broker and not self.match.state.outcome else None

    def action_leave(self) -> None:
        """Leave the table; people with a seat are asked whether to keep it."""

        def answered(answer: str | None) -> None:
            if answer == "leave":
                self.flow.leave()
            elif answer == "give up" and self.takes_part:
                self._gives_up = True
                self.client.leave()
                self.say("Giving up your seat…")
            self._stays.set()

        if not self.takes_part:
            super().action_leave()
        elif self.is_active:
            self._stays.clear()
            self.app.push_screen(LeaveTableDialog(self.client.has_broker, self.client.view.closed), answered)
