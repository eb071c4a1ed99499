"""One match in progress: its line-up, its dice, its state and its events. No screen and no clock.

Persistence is injected as a ``Journal``; every change is written there before the match changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol, Self

from fourtwenty.games import GAMES
from fourtwenty.games.game import (
    Action,
    Event,
    Faces,
    Game,
    IllegalAction,
    InvalidAction,
    Outcome,
    Roll,
    State,
)
from fourtwenty.games.replay import replay
from fourtwenty.play.bots import CHARACTERS
from fourtwenty.play.dice import Dice, FairDice, TypedDice, check_word, fresh_identifier, match_context
from fourtwenty.play.lineup import Lineup


class NotKept(Exception):  # noqa: N818 - people may play on
    """The journal cannot be read or written. The message is the reason, to be put after a colon."""


class Busy(NotKept):
    """Another program is writing to the journal; a later try may succeed."""


class PlayedElsewhere(Exception):  # noqa: N818 - nothing is wrong: the match goes on, at another table
    """The match has been resumed at another table; at this one it can only be left."""


class Journal(Protocol):
    """Durable log of one match: every method writes to the disk before it returns.

    A method that cannot write raises NotKept and leaves the disk as it was. Once the players have agreed to play on
    unkept, it returns instead, and writes the missing part together with the next change that can be written.
    ``record``, ``take_back`` and ``add_words`` raise PlayedElsewhere when another table has resumed the match.
    """

    @property
    def kept(self) -> bool:
        """Whether everything so far is on the disk."""

    def begin(self, match: Match) -> None:
        """Keep a match that is about to begin: its line-up, its dice and its first state."""

    def add_words(self, match: Match, words: Sequence[str], start: State) -> None:
        """Keep the words of the players, and the first state that follows from them."""

    def record(self, match: Match, event: Event, after: State) -> None:
        """Keep an event that the match does not have yet, and the state after it."""

    def take_back(self, match: Match, before: State) -> None:
        """Keep that the last roll of the match is taken back; ``before`` was the state before it."""

    def hint(self, match: Match) -> None:
        """Keep that the coach was asked before the next event of the match; if not now, then with that event."""

    def play_on_unkept(self) -> None:
        """Raise NotKept no more: the players have agreed to play on unkept."""

    def catch_up(self, match: Match) -> None:
        """Write the events that are missing, if they can be written now."""

    def forget(self) -> None:
        """Delete the match."""


class Match:
    """One match, played by its actions: the journal has every change before the state does.

    >>> from fourtwenty.play.dice import ScriptedDice
    >>> match = Match(Lineup(), ScriptedDice([(6, 5, 5, 4)]))
    >>> match.act(Roll((1, 2, 3, 4))).faces
    (6, 5, 5, 4)
    >>> match.state.report(match.names).headline
    'Steady buys the drinks'
    """

    def __init__(
        self,
        lineup: Lineup,
        dice: Dice | None = None,
        start: State | None = None,
        journal: Journal | None = None,
        identifier: str | None = None,
        words: Sequence[str] | None = None,
    ) -> None:
        """Seat the line-up; the dice are those that it asks for unless others are given.

        The match starts from a position if one is given, else from a cleared table. Without a journal it is not kept.
        With an identifier, fair dice depend on the seed, the identifier, the players and the words, which come by
        seat. Without words, they are settled by ``add_words``, and until then the starting seat is provisional.

        Raises ValueError when the line-up cannot be played, and NotKept when the journal cannot be written.
        """
        refusal = lineup.check()
        if refusal:
            raise ValueError(refusal)
        self.lineup = lineup
        self.game: Game = GAMES[lineup.game]
        self.dice: Dice = dice or (TypedDice.fresh() if lineup.typed else FairDice.fresh())
        self.identifier = identifier
        """32 hexadecimal digits that no other match has; None in matches from before version 2 of a record."""
        self.words: tuple[str, ...] | None = ("",) * len(lineup.seats)
        """The words that players have added to the dice, by seat, empty for none; None while words may be added."""
        if identifier and isinstance(self.dice, FairDice):
            self.words = None
            if words is not None:
                self.words, self.dice = tuple(words), self._bound_dice(self.dice, words)
        self.starting_seat: int | None = start.starting_seat if start else lineup.starting_seat
        """The seat that starts the match, from 0; None in games that roll for it, and before the lot is drawn."""
        self.start: State = start or self._cleared(self._drawn_first())
        """The state before the first event."""
        if self.words is not None:
            self.starting_seat = self.start.starting_seat if self.game.draws else self.starting_seat
        self.state: State = self.start
        self.events: list[Event] = []
        """All events, in order."""
        self.hints: set[int] = set()
        """Indexes of the events before which somebody asked the coach."""
        self._throws = [0] * len(lineup.seats)
        """Number of throws, by seat."""
        self._fallen: Event | None = None
        """An event whose dice have been thrown but which is not kept yet; nobody has seen it."""
        self.taken_back: Roll | None = None
        """The roll that was taken back: it must be the next event, with faces that are typed again."""
        self._before: State | None = None
        """The state before the last roll, until that is taken back."""
        self.journal: Journal | None = None
        if journal:
            self.keep(journal)

    @classmethod
    def fresh(cls, lineup: Lineup, dice: Dice | None = None, start: State | None = None) -> Self:
        """Return a new match with an identifier of its own; words may be added to fair dice.

        Raises ValueError when the line-up cannot be played.
        """
        return cls(lineup, dice, start, identifier=fresh_identifier())

    def _bound_dice(self, dice: FairDice, words: Sequence[str]) -> FairDice:
        """The dice of the seed in this match, with these words."""
        assert self.identifier
        players = [(seat.name, "bot" if seat.bot else "human") for seat in self.lineup.seats]
        return dice.at(match_context(self.identifier, self.lineup.game, players, words))

    def _cleared(self, first: int | None) -> State:
        return self.game.start(len(self.lineup.seats), first)

    def _drawn_first(self) -> int | None:
        """The starting seat: the one that was set, else by lot, 0 before the lot; None in games that roll for it."""
        if self.lineup.starting_seat is not None or not self.game.draws:
            return self.lineup.starting_seat
        return self.dice.draw(len(self.lineup.seats)) if self.words is not None else 0

    @property
    def set_up(self) -> bool:
        """Whether the match began from a position that the players set up."""
        return self.start != self._cleared(self.start.starting_seat)

    @property
    def lot_drawn(self) -> bool:
        """Whether a lot has decided the starting seat."""
        return self.game.draws and self.lineup.starting_seat is None and self.words is not None and not self.set_up

    def add_words(self, words: Sequence[str]) -> None:
        """Add words to the dice, by seat, empty for none, and draw the lot if there is one.

        Raises ValueError when no more words may be added, or not these; NotKept when the journal cannot be written;
        PlayedElsewhere when another table has resumed the match.
        """
        if self.words is not None:
            raise ValueError("The dice are settled.")
        refusal = next(filter(None, map(check_word, words)), None)
        if refusal or len(words) != len(self.lineup.seats):
            raise ValueError(refusal or "Words come by seat, an empty one for none.")
        assert isinstance(self.dice, FairDice)
        dice = self._bound_dice(self.dice, words)
        start = self.start
        if self.game.draws and self.starting_seat is None:
            start = self._cleared(dice.draw(len(words)))
        if self.journal:
            self.journal.add_words(self, words, start)
        self.words, self.dice = tuple(words), dice
        self.start = self.state = start
        self.starting_seat = start.starting_seat if self.game.draws else self.starting_seat

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.lineup.seats)

    @property
    def bot_to_act(self) -> bool:
        """Whether the seat to act is a bot."""
        return self.state.to_act is not None and self.lineup.seats[self.state.to_act].bot is not None

    @property
    def typed(self) -> bool:
        """Whether people roll real dice and type their faces."""
        return isinstance(self.dice, TypedDice)

    @property
    def can_take_back(self) -> bool:
        """Whether the faces of the last roll may be typed again."""
        return self.typed and self._before is not None

    @property
    def given(self) -> bool:
        """Whether a player gave the seed, so that somebody may know the dice."""
        return isinstance(self.dice, FairDice) and self.dice.given

    @property
    def doubt(self) -> str:
        """The reason why somebody may know the dice, in a sentence or two; empty when the seed was drawn."""
        if not isinstance(self.dice, FairDice) or not self.dice.given:
            return ""
        short = " It is so short that its seal gives it away." if self.dice.short else ""
        return f"The seed was given, not drawn: whoever gave it may know the dice.{short}"

    @property
    def seed(self) -> bytes | None:
        """The seed of fair dice, to be shown only when the match is over; None for other dice."""
        return self.dice.seed if isinstance(self.dice, FairDice) else None

    @property
    def commitment(self) -> str | None:
        """The commitment to the seed of fair dice; None for other dice."""
        return self.dice.commitment if isinstance(self.dice, FairDice) else None

    def keep(self, journal: Journal) -> None:
        """Write the match, in which nothing has happened yet, to a journal from now on. Raises NotKept."""
        self.journal = journal
        journal.begin(self)

    @property
    def kept(self) -> bool:
        """Whether everything so far is in the journal, so that the match can be resumed."""
        return self.journal is not None and self.journal.kept

    def play_on_unkept(self) -> None:
        """Let the match go on unkept, as the players have agreed to."""
        if self.journal:
            self.journal.play_on_unkept()

    def story(self) -> Iterator[tuple[State, Event]]:
        """Yield the events, each after the state before it."""
        for before, event, _ in replay(self.start, self.events):
            yield before, event

    def bot_action(self) -> Action:
        """Return the action of the bot to act; it is always the same in the same match and state."""
        assert self.state.to_act is not None
        bot = self.lineup.seats[self.state.to_act].bot
        assert bot is not None
        chance = Random(f"{self.dice.chance!r} {len(self.events)}")
        return CHARACTERS[bot].choose(self.state, chance)

    def act(self, action: Action, faces: Faces = ()) -> Event:
        """Carry out an action of the seat to act and return its event.

        The faces are those that people have typed for a roll of real dice; other dice are thrown here. Dice that were
        thrown and could not be kept have fallen: the next try finds the same faces.

        Raises IllegalAction when the rules forbid the action, with nothing thrown, and everything that ``record``
        raises.
        """
        refusal = self.state.check(action)
        if refusal:
            raise IllegalAction(refusal)
        seat = self.state.to_act
        assert seat is not None
        if faces:
            event = Event(seat, action, faces)
        elif self._fallen and self._fallen.action == action:
            event = self._fallen
        else:
            event = self._fallen = Event(seat, action, self._thrown_faces(seat, action))
        self.record(event)
        return event

    def _thrown_faces(self, seat: int, action: Action) -> Faces:
        return self.dice.throw(seat, self._throws[seat] + 1, action.dice) if isinstance(action, Roll) else ()

    def record(self, event: Event) -> None:
        """Apply an event whose faces are known: write it to the journal, then change the state.

        Raises IllegalAction when the rules forbid it, it is another seat's turn, or another roll was taken back;
        InvalidAction when the faces cannot have been thrown, or words may still be added; NotKept when the journal
        cannot be written; PlayedElsewhere when another table has resumed the match.
        """
        if self.words is None:
            raise InvalidAction("The dice are not settled yet.")
        after = self.state.apply(event.action, event.faces)
        if event.seat != self.state.to_act:
            raise IllegalAction(f"It is not the turn of seat {event.seat}.")
        if self.taken_back not in (None, event.action):
            raise IllegalAction("These dice were rolled; only their faces can be typed again.")
        if self.journal:
            self.journal.record(self, event, after)
        self._fallen = None
        if isinstance(event.action, Roll):
            self._before, self.taken_back = self.state, None
            self._throws[event.seat] += 1
        self.state = after
        self.events.append(event)

    def take_back(self) -> Event:
        """Undo the last roll of typed dice and the stand that followed, and return the event of the roll.

        The choice of dice stands (``taken_back``); only the faces may change.

        Raises IllegalAction when there is no such roll, or the dice are not typed; NotKept when the journal cannot be
        written; PlayedElsewhere when another table has resumed the match.
        """
        if not self.typed:
            raise IllegalAction("The dice have fallen.")
        if self._before is None:
            raise IllegalAction("There is no roll to take back.")
        if self.journal:
            self.journal.take_back(self, self._before)
        while not self.taken_back:
            event = self.events.pop()
            self.taken_back = event.action if isinstance(event.action, Roll) else None
        self._throws[event.seat] -= 1
        self.hints = {number for number in self.hints if number <= len(self.events)}
        self.state, self._before = self._before, None
        return event

    def hint(self) -> None:
        """Note that somebody asks the coach before the next event."""
        if self.journal:
            self.journal.hint(self)
        self.hints.add(len(self.events))

    def leave(self) -> None:
        """Leave the match, which can be resumed later.

        It is deleted when nobody has seen any of its dice: no roll was made, and no lot was drawn.
        """
        if not self.journal:
            return
        if self.events or self.taken_back or self.lot_drawn:
            self.journal.catch_up(self)
        else:
            self.journal.forget()

    def next_round(self) -> None:
        """Clear the table for the next round. Raises IllegalAction while the round, or after the match, is over."""
        self.state = self.state.next_round()

    def play_out(self) -> Outcome:
        """Play to the end, every seat a bot, and return the outcome."""
        while (outcome := self.state.outcome) is None:
            if self.state.to_act is None:
                self.next_round()
            else:
                self.act(self.bot_action())
        return outcome

    def rematch(self) -> Match:
        """Return a new match of the same line-up that the next seat starts (docs/rulings.md, 420, "rematch").

        In games that roll for the starting seat, the players roll again.
        """
        first = None if self.starting_seat is None else (self.starting_seat + 1) % len(self.names)
        return Match.fresh(replace(self.lineup, starting_seat=first))


def news(state: State, names: Sequence[str], settled: bool = True) -> str:
    """Return the progress of a match in one line, with these names by seat: "Round 2 of 3 · roll 4, Ann to roll".

    While the dice are not settled, the starting seat is not known yet.

    >>> news(Match(Lineup(starting_seat=0)).state, ["Ann", "Ben"])
    'Round 1 of 1 · roll 1, Ann to roll'
    """
    if not settled:
        return "Before the first roll"
    if state.outcome:
        return state.report(names).headline
    if state.to_act is None:
        return f"{state.caption()}, {state.report(names).headline}"
    return f"{state.caption()}, {names[state.to_act]} to roll"
