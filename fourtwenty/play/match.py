"""Plays one match. Changes are written to its ``Journal`` first. No screen and no clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, Self

from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Faces, Game, IllegalAction, Leave, Outcome, Roll, State
from fourtwenty.games.replay import state_after
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import Dice, FairDice, ManualDice, fresh_identifier, match_context
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Lineup


class SaveError(Exception):
    """The journal cannot be read or written. The message is a short reason without a full stop."""


class JournalLockedError(SaveError):
    """Another program is writing to the journal; try again later."""


class SavePendingError(JournalLockedError):
    """The journal is written, but not yet confirmed as saved; a later try of the same change confirms it."""


class PlayedElsewhereError(Exception):
    """The match was resumed at another table, and this one can write no more."""


class Journal(Protocol):
    """Durable log of one match: every method writes to the disk before it returns.

    A method that cannot write raises SaveError and leaves the disk unchanged. After ``play_unsaved`` it returns, and
    the next successful write adds the missing changes. ``record`` and ``take_back`` raise PlayedElsewhereError when
    another table has resumed the match.
    """

    @property
    def saved(self) -> bool:
        """Whether everything is on the disk."""

    def begin(self, match: Match) -> None:
        """Write a match: line-up, dice, and earlier events."""

    def record(self, match: Match, event: Event, after: State) -> None:
        """Write a new event, and the state after it."""

    def take_back(self, match: Match, before: State) -> None:
        """Write that the last roll is taken back to the state ``before``."""

    def note(self, match: Match) -> None:
        """Write hints, coach levels and bets. If that fails, ``record`` writes them later."""

    def play_unsaved(self) -> None:
        """Stop raising SaveError: the players have agreed to play on unsaved."""

    def catch_up(self, match: Match) -> None:
        """Write missing changes, if possible."""

    def forget(self) -> None:
        """Delete the match."""


class Match:
    """One match. Every change is written to its journal, if any, before it is made.

    >>> from fourtwenty.play.dice import ScriptedDice
    >>> match = Match(Lineup(), ScriptedDice([(6, 5, 5, 4)]))
    >>> match.act(Roll((1, 2, 3, 4))).faces
    (6, 5, 5, 4)
    >>> match.state.report(match.names).headline
    'Merry buys the drinks'
    """

    def __init__(
        self,
        lineup: Lineup,
        dice: Dice | None = None,
        start: State | None = None,
        journal: Journal | None = None,
        identifier: str | None = None,
    ) -> None:
        """Set up a match; ``dice`` replace fresh ones, and ``start`` the cleared table.

        Fair dice follow from the seed, the identifier, the game and the players; without an identifier, in simulations,
        from the seed alone. Shared dice have made any draw, and their digest of the match begins with the identifier.
        Without a journal the match is not saved.

        Raises ValueError when the line-up cannot be played, and SaveError when the journal cannot be written.
        """
        refusal = lineup.check(stored_name_key)  # a stored match; names of new seats are compared before
        if refusal:
            raise ValueError(refusal)
        self.lineup = lineup
        self.game: Game = GAMES[lineup.game]
        self.identifier = identifier
        """32 hexadecimal digits unique to the match; None in simulations."""
        self.dice: Dice = dice or (ManualDice.fresh() if lineup.typed else FairDice.fresh())
        if identifier:
            self.dice = self.dice.with_context(match_context(identifier, lineup.game, lineup.players))
        self.start: State = start or self._first_state()
        self.state: State = self.start
        self.events: list[Event] = []
        self.hints: set[int] = set()
        """Indexes of the events before which the coach was asked."""
        self.coaching: list[tuple[int, str]] = [] if lineup.coach == "off" else [(0, lineup.coach)]
        """Changes of the coach: the number of earlier events, and the level."""
        self.bets: dict[int, int] = {}
        """Each person's bet on a seat, by that person's seat (tally.py)."""
        self._throws = [0] * len(lineup.seats)
        self._unsaved_event: Event | None = None
        """A thrown event that the journal could not write; nobody has seen its faces."""
        self.taken_back: Roll | None = None
        """The roll taken back: the next event, with faces typed again."""
        self._before_last_roll: State | None = None
        """None before the first roll, after a roll is taken back or a seat leaves."""
        self.journal: Journal | None = None
        if journal:
            self.save_to(journal)

    @classmethod
    def fresh(cls, lineup: Lineup, dice: Dice | None = None, start: State | None = None) -> Self:
        """Return a new match with an identifier. Raises ValueError for an unplayable line-up."""
        if start and start == GAMES[start.key].start(start.seats, start.starting_seat):
            lineup, start = replace(lineup, starting_seat=start.starting_seat), None
        return cls(lineup, dice, start, identifier=fresh_identifier())

    def _first_state(self) -> State:
        starting_seat = self.lineup.starting_seat
        if starting_seat is None and self.game.draws_start:
            starting_seat = self.dice.draw(len(self.lineup.seats))
        return self._cleared(starting_seat)

    def _cleared(self, starting_seat: int | None) -> State:
        return self.game.start(len(self.lineup.seats), starting_seat)

    @property
    def starting_seat(self) -> int | None:
        """The seat that starts, from 0; None in games that roll for it."""
        return self.start.starting_seat

    @property
    def set_up(self) -> bool:
        """Whether the players set up the first position."""
        return self.start != self._cleared(self.start.starting_seat)

    @property
    def start_drawn(self) -> bool:
        """Whether the dice have drawn the starting seat."""
        return self.game.draws_start and self.lineup.starting_seat is None and not self.set_up

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.lineup.seats)

    @property
    def out_now(self) -> tuple[int, ...]:
        """The seats put out by the round that is over, ascending; none after the match."""
        if self.state.outcome:
            return ()
        playing = self.state.next_round().remaining
        return tuple(seat for seat in self.state.remaining if seat not in playing)

    @property
    def bot_to_act(self) -> bool:
        """Whether a bot is to act."""
        return self.state.to_act is not None and self.lineup.seats[self.state.to_act].bot is not None

    @property
    def can_take_back(self) -> bool:
        """Whether faces are typed, and the last roll can be typed again."""
        return self.dice.typed and self._before_last_roll is not None

    def save_to(self, journal: Journal) -> None:
        """Begin this match's journal. Raises SaveError."""
        self.journal = journal
        journal.begin(self)

    @property
    def saved(self) -> bool:
        """Whether the journal has everything, so that the match can be resumed."""
        return self.journal is not None and self.journal.saved

    def play_unsaved(self) -> None:
        """Go on without a writable journal, with the players' consent."""
        if self.journal:
            self.journal.play_unsaved()

    def bot_action(self) -> Action:
        """Return the bot's action, which follows from the dice and the number of events, also when resumed.

        Shared dice are known to everybody: there the bot's machine chooses by a secret.
        """
        seat = self.state.to_act
        assert seat is not None
        bot = self.lineup.seats[seat].bot
        assert bot is not None
        return BOTS[bot].choose(self.state, self.dice.bot_seed, len(self.events))

    def act(self, action: Action, faces: Faces = ()) -> Event:
        """Carry out an action of the seat to act and return its event.

        ``faces`` are typed for real dice; other dice are thrown here, once also if retried after SaveError.

        Raises IllegalAction before a throw when the rules forbid the action; ValueError before shared dice have all
        keys; otherwise as ``record``.
        """
        refusal = self.state.check(action)
        if refusal:
            raise IllegalAction(refusal)
        seat = self.state.to_act
        assert seat is not None
        if faces:
            event = Event(seat, action, faces)
        elif self._unsaved_event and self._unsaved_event.action == action:
            event = self._unsaved_event
        else:
            event = self._unsaved_event = Event(seat, action, self._thrown_faces(seat, action))
        self.record(event)
        return event

    def _thrown_faces(self, seat: int, action: Action) -> Faces:
        return self.dice.throw(seat, self._throws[seat] + 1, action.dice) if isinstance(action, Roll) else ()

    def record(self, event: Event) -> None:
        """Write an event with known faces to the journal, then change the state.

        Any remaining seat may leave; between rounds it leaves the next one. Raises IllegalAction when the rules forbid
        it, in another seat's turn, or after another roll was taken back; InvalidAction for impossible faces; SaveError
        when the journal cannot be written; PlayedElsewhereError when another table has resumed the match.
        """
        after, leaves = state_after(self.state, event), isinstance(event.action, Leave)
        if event.seat != self.state.to_act and not leaves:
            raise IllegalAction(f"It is not the turn of seat {event.seat}.")
        if self.taken_back not in (None, event.action):
            raise IllegalAction("These dice were rolled; only their faces can be typed again.")
        if self.journal:
            self.journal.record(self, event, after)
        self._unsaved_event = None
        if isinstance(event.action, Roll):
            self._before_last_roll, self.taken_back = self.state, None
            self._throws[event.seat] += 1
        elif leaves:
            self._before_last_roll = None
        self.state = after
        self.events.append(event)

    def take_back(self) -> Event:
        """Undo the last roll of typed dice, stands after it and bets of seats that are in again; return its event.

        The next event must be that roll (``taken_back``) with any faces. Raises IllegalAction without such a roll;
        SaveError when the journal cannot be written; PlayedElsewhereError when another table has resumed the match.
        """
        if not self.dice.typed:
            raise IllegalAction("The dice have fallen.")
        if self._before_last_roll is None:
            raise IllegalAction("No roll can be taken back.")
        if self.journal:
            self.journal.take_back(self, self._before_last_roll)
        event = self.events.pop()
        while not isinstance(event.action, Roll):
            event = self.events.pop()
        self.taken_back = event.action
        self._throws[event.seat] -= 1
        self.hints = {index for index in self.hints if index <= len(self.events)}
        self.coaching = [(min(index, len(self.events)), level) for index, level in self.coaching]
        self.state, self._before_last_roll = self._before_last_roll, None
        self.bets = {seat: on for seat, on in self.bets.items() if seat not in self.state.remaining}
        return event

    def hint(self) -> None:
        """Record a question to the coach before the next event."""
        self.hints.add(len(self.events))
        self._note()

    @property
    def coach(self) -> str:
        """The coach's level now, one of ``lineup.COACHING``."""
        return self.coaching[-1][1] if self.coaching else self.lineup.coach

    @property
    def lineup_now(self) -> Lineup:
        """The line-up with the coach's level now."""
        return replace(self.lineup, coach=self.coach)

    def set_coach(self, level: str) -> None:
        """Set the coach's level from the next event on."""
        self.coaching = [each for each in self.coaching if each[0] < len(self.events)]
        if level != self.coach:
            self.coaching.append((len(self.events), level))
        self._note()

    def add_bet(self, seat: int, on: int) -> None:
        """Add a person's bet on a seat, both from 0; ``tally.bet`` checks it first."""
        self.bets[seat] = on
        self._note()

    def _note(self) -> None:
        if self.journal:
            self.journal.note(self)

    def suspend(self) -> None:
        """Leave the match, to be resumed later. It is deleted if nobody has seen its dice or a draw."""
        if not self.journal:
            return
        if self.events or self.taken_back or self.start_drawn:
            self.journal.catch_up(self)
        else:
            self.journal.forget()

    def next_round(self) -> None:
        """Clear the table. Raises IllegalAction during a round and after the match."""
        self.state = self.state.next_round()

    def play_out(self, choose: Callable[[], Action] | None = None) -> Outcome:
        """Play to the end without people, and return the outcome; ``choose`` replaces ``bot_action``."""
        while (outcome := self.state.outcome) is None:
            if self.state.to_act is None:
                self.next_round()
            else:
                self.act(choose() if choose else self.bot_action())
        return outcome

    def rematch(self) -> Match:
        """Return a new match of this line-up, started as in docs/rulings.md, "rematch"."""
        passes = self.game.draws_start and len(self.names) == 2
        other = 1 - self.starting_seat if passes and self.starting_seat is not None else None
        return Match.fresh(replace(self.lineup_now, starting_seat=other))


def status_text(state: State, names: Sequence[str]) -> str:
    """Return a match's progress in one line, with names by seat: "Round 2 of 3 · roll 4, Ann to roll".

    >>> status_text(Match(Lineup(starting_seat=0)).state, ["Ann", "Ben"])
    'Round 1 of 1, Ann to roll'
    """
    if state.outcome:
        return state.report(names).headline
    if state.to_act is None:
        return f"{state.caption()}, {state.report(names).headline}"
    return f"{state.caption()}, {names[state.to_act]} to roll"
