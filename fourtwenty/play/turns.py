"""Asks a front end for the next answer of a match, and applies it. No screen, event loop or clock."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, Protocol

from msgspec import Struct

from fourtwenty.games.english import NUMBERS, dice_by_position, dice_in_words, join_faces
from fourtwenty.games.game import Action, Event, Faces, IllegalAction, InvalidAction, Roll
from fourtwenty.play.dice import parse_faces
from fourtwenty.play.match import Match


class Decide(Struct, frozen=True):
    """A person chooses an action. Answered by ``decide``."""

    seat: int
    selection: frozenset[int]


class BotDecides(Struct, frozen=True):
    """A bot has chosen an action without typed faces. Answered by ``decide`` with it."""

    seat: int
    action: Action


class ApplyEvent(Struct, frozen=True):
    """A room's event. Answered by ``follow``."""

    event: Event

    @property
    def seat(self) -> int:
        return self.event.seat


class AwaitEvent(Struct, frozen=True):
    """A room's event is to come: nobody at this machine can answer."""

    seat: int
    action: Action | None
    """The seat's chosen or only action; None while it chooses."""


class RemoteMatch(Protocol):
    """A match on several machines: its room is the source of its events (``rooms/``)."""

    @property
    def version(self) -> int:
        """A number that grows with every change."""

    def event(self, number: int) -> Event | None:
        """Return an event by its number, from 0; None until it has happened."""

    def is_local(self, seat: int) -> bool:
        """Whether a person at this machine answers for a seat."""

    @property
    def decided(self) -> Action | None:
        """The chosen action of the seat to act, before its faces have come."""

    @property
    def predicted(self) -> Event | None:
        """The next roll of a person here while only this machine knows it; None where it may well not come."""

    def submit(self, action: Action) -> None:
        """Send the action of the seat to act; its event comes from the room."""


Origin = Literal["choice", "forced", "bot", "taken back"]
"""Why real dice are rolled: a choice, the only legal action, a bot's choice, or a roll taken back."""


class EnterFaces(Struct, frozen=True):
    """People roll real dice and type the faces. Answered by ``enter`` or ``back``."""

    seat: int
    roll: Roll
    origin: Origin
    hand: Faces
    hand_size: int
    reason: str = ""
    """Why the hand must be rolled, without a full stop: "24 is over 20: roll all four"."""

    @property
    def dice_named(self) -> str:
        """The roll's dice in words: "all four dice", "dice 1 and 4"."""
        dice = len(self.roll.dice)
        return f"all {dice_in_words(dice)}" if dice == self.hand_size else dice_by_position(self.roll.dice)

    @property
    def question(self) -> str:
        dice = len(self.roll.dice)
        wanted = "its face, 1 to 6" if dice == 1 else f"{NUMBERS[dice]} faces from 1 to 6"
        if self.origin == "taken back":
            return f"Type what {self.dice_named} showed: {wanted}"
        return f"{self.reason or f'Roll {self.dice_named}'}, then type {wanted}"

    def refusal(self, faces: Faces) -> str | None:
        """Return why the typed faces do not answer the request, in a sentence; None when they do."""
        try:
            parse_faces(join_faces(faces), len(self.roll.dice))
        except ValueError as error:
            return str(error)
        return None

    def hand_with(self, faces: Faces) -> Faces:
        """Return the full hand with the typed faces; 0 for an unknown face."""
        dice = dict(enumerate(self.hand, 1)) | dict.fromkeys(self.roll.dice, 0)
        dice |= dict(zip(self.roll.dice, faces, strict=False))
        return tuple(dice.get(die, 0) for die in range(1, self.hand_size + 1))


Request = Decide | BotDecides | EnterFaces | ApplyEvent | AwaitEvent


class Turns:
    """Asks for one answer after the other and applies them to a match.

    Answers that change the match raise SaveError when the journal cannot be written, with match and request unchanged
    for another try; PlayedElsewhereError when another table has resumed the match; IllegalAction when they do not fit
    the request.

    >>> from fourtwenty.play.dice import ScriptedDice
    >>> from fourtwenty.play.lineup import Lineup
    >>> turns = Turns(Match(Lineup(starting_seat=0), ScriptedDice([(6, 5, 5, 4)])))
    >>> turns.request
    Decide(seat=0, selection=frozenset({1, 2, 3, 4}))
    >>> turns.decide(Roll((1, 2, 3, 4))).faces
    (6, 5, 5, 4)
    """

    def __init__(self, match: Match, remote: RemoteMatch | None = None) -> None:
        self.match = match
        self.remote = remote
        self._roll: Roll | None = None
        """The person's chosen roll of real dice, until its faces are entered."""
        self._selection: frozenset[int] = frozenset()
        self._computed_for: tuple[object, ...] = ()
        self._request: Request | None = None

    @property
    def request(self) -> Request | None:
        """The next request; None when the round is over. Computed once a state: some bots take long."""
        match = self.match
        of_match = (match.state, len(match.events), match.taken_back)
        version = self.remote.version if self.remote else 0
        inputs = (*of_match, version, self._roll, self._selection)
        if inputs != self._computed_for:
            self._request = self._next_request()
            self._computed_for = inputs
        return self._request

    def _next_request(self) -> Request | None:
        match, seat = self.match, self.match.state.to_act
        if seat is None:
            return None
        if self.remote:
            return self._remote_request(self.remote, seat)
        if match.taken_back:
            return self._enter_faces(seat, match.taken_back, "taken back")
        if match.bot_to_act:
            return self._bot_request(seat)
        if self._roll:
            return self._enter_faces(seat, self._roll, "forced" if self.forced else "choice")
        return Decide(seat, frozenset(self.forced.dice) if self.forced else self._selection)

    def _remote_request(self, remote: RemoteMatch, seat: int) -> Request:
        event = remote.event(len(self.match.events))
        if event:
            return ApplyEvent(event)
        chosen = remote.decided or (self.forced if self.match.state.automatic else None)
        if chosen or not remote.is_local(seat):
            return AwaitEvent(seat, chosen)
        return Decide(seat, frozenset(self.forced.dice) if self.forced else self._selection)

    def _bot_request(self, seat: int) -> Request:
        action = self.match.bot_action()
        if self.match.dice.typed and isinstance(action, Roll):
            return self._enter_faces(seat, action, "bot")
        return BotDecides(seat, action)

    def _enter_faces(self, seat: int, roll: Roll, origin: Origin) -> EnterFaces:
        state = self.match.state
        hand = state.hand(seat)
        reason = state.preview(roll.dice) if hand and origin == "forced" else ""
        return EnterFaces(seat, roll, origin, hand, self.match.game.hand_size, reason)

    @property
    def forced(self) -> Roll | None:
        """The only legal roll; None where there is a choice."""
        actions = self.match.state.actions
        only = actions[0] if len(actions) == 1 else None
        return only if isinstance(only, Roll) else None

    def refusal(self, dice: Collection[int]) -> str | None:
        """Return why the seat to act may not roll these dice, in a sentence; None if it may."""
        try:
            return self.match.state.check(Roll(tuple(dice)))
        except InvalidAction as error:
            return str(error)

    def decide(self, action: Action) -> Event | None:
        """Carry out an action and return its event; None if that comes later. Raises IllegalAction."""
        if not isinstance(self.request, Decide | BotDecides):
            raise IllegalAction("No decision is asked for.")
        if self.remote or (self.match.dice.typed and isinstance(action, Roll)):
            refusal = self.match.state.check(action)
            if refusal:
                raise IllegalAction(refusal)
            if self.remote:
                self.remote.submit(action)
            elif isinstance(action, Roll):
                self._roll = action
            return None
        event = self.match.act(action)
        self._forget_choice()
        return event

    def follow(self) -> Event:
        if not isinstance(self.request, ApplyEvent):
            raise IllegalAction("No event has come.")
        event = self.request.event
        self.match.record(event)
        return event

    def enter(self, faces: Faces) -> Event:
        """Carry out the requested roll with typed faces; return its event. Raises InvalidAction."""
        request = self.request
        if not isinstance(request, EnterFaces):
            raise IllegalAction("No faces are asked for.")
        refusal = request.refusal(faces)
        if refusal:
            raise InvalidAction(refusal)
        event = self.match.act(request.roll, faces)
        self._forget_choice()
        return event

    def back(self) -> None:
        """Ask the person again which dice to roll. A bot's roll or one taken back stays."""
        if self._roll:
            self._selection = frozenset(self._roll.dice)
            self._roll = None

    def take_back(self) -> Event:
        """Undo the last roll of real dice; return its event. Raises IllegalAction without one."""
        event = self.match.take_back()
        self._forget_choice()
        return event

    def _forget_choice(self) -> None:
        self._roll = None
        self._selection = frozenset()
