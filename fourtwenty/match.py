"""One match in progress: the line-up, the dice, the state and what has happened so far. No screen and no clock.

What keeps it is handed in as a journal, which hears of everything before it is true.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

from fourtwenty.bots import CHARACTERS
from fourtwenty.dice import Dice, FairDice, TypedDice
from fourtwenty.games import GAMES
from fourtwenty.games.game import (
    NUMBERS,
    Action,
    Event,
    Faces,
    Game,
    IllegalAction,
    Outcome,
    Roll,
    State,
    dice_by_place,
    dice_in_words,
)
from fourtwenty.lineup import Lineup


class Journal(Protocol):
    """Keeps one match: what it is told is on the disk when the call returns, or it keeps the match no longer."""

    @property
    def kept(self) -> bool:
        """Whether everything so far is kept."""

    def begin(self, match: Match) -> None:
        """Keep a match that is about to begin: its line-up, its dice and where it starts."""

    def record(self, match: Match, event: Event, after: State) -> None:
        """Keep an event that the match does not know yet, and the state after it.

        Raises PlayedElsewhere when the match has been taken up at another table since.
        """

    def take_back(self, match: Match, before: State) -> None:
        """Keep that the match's last roll is taken back; this was the state before it.

        Raises PlayedElsewhere as ``record`` does.
        """

    def hint(self, match: Match) -> None:
        """Keep that the coach was asked before the match's next event."""

    def forget(self) -> None:
        """Keep nothing of the match any more."""


class PlayedElsewhere(Exception):  # noqa: N818 - nothing is wrong: the match goes on, at another table
    """The match has been taken up at another table; at this one it can only be left."""


class Match:
    """What the screens and the headless commands drive.

    >>> from fourtwenty.dice import ScriptedDice
    >>> match = Match(Lineup(), ScriptedDice([(6, 5, 5, 4)]))
    >>> match.act(Roll((1, 2, 3, 4))).faces
    (6, 5, 5, 4)
    >>> match.state.report(match.names).headline
    'Steady buys the drinks'
    """

    def __init__(
        self, lineup: Lineup, dice: Dice | None = None, start: State | None = None, journal: Journal | None = None
    ) -> None:
        """Seat the line-up around dice, those it asks for unless others are given.

        The match starts from a position if one is given, else from a cleared table; without a journal it is not kept.
        Raises ValueError when the line-up cannot be played.
        """
        refusal = lineup.check()
        if refusal:
            raise ValueError(refusal)
        self.lineup = lineup
        self.game: Game = GAMES[lineup.game]
        self.dice: Dice = dice or (TypedDice.fresh() if lineup.typed else FairDice.fresh())
        self.first: int | None = start.player_one if start else lineup.first
        """The seat that starts the match, from 0; None in games that roll for it."""
        if self.first is None and self.game.draws:
            self.first = self.dice.draw(len(lineup.seats))
        self.start: State = start or self.game.start(len(lineup.seats), self.first)
        """The state before the first event."""
        self.state: State = self.start
        self.events: list[Event] = []
        """Everything that happened, in order."""
        self.hints: set[int] = set()
        """Before which events, by their number from 0, somebody asked the coach."""
        self._throws = [0] * len(lineup.seats)
        """How often each seat has thrown dice."""
        self.taken_back: Roll | None = None
        """The roll that was taken back: it is the next event, its faces typed again."""
        self._before: State | None = None
        """The state before the last roll, until that is taken back."""
        self.journal: Journal | None = None
        if journal:
            self.keep(journal)

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
        """Whether people roll real dice and type their faces, every roll coming through ``record``."""
        return isinstance(self.dice, TypedDice)

    @property
    def can_take_back(self) -> bool:
        """Whether the faces of the last roll may be typed again."""
        return self.typed and self._before is not None

    @property
    def seed(self) -> bytes | None:
        """The seed behind fair dice; None when others are thrown. To be shown only when the match is over."""
        return self.dice.seed if isinstance(self.dice, FairDice) else None

    @property
    def commitment(self) -> str | None:
        """What pins the rolls to come while the seed is secret; None when the dice are not of a seed."""
        return self.dice.commitment if isinstance(self.dice, FairDice) else None

    def keep(self, journal: Journal) -> None:
        """Keep the match, in which nothing has happened yet, from now on."""
        self.journal = journal
        journal.begin(self)

    @property
    def kept(self) -> bool:
        """Whether the match can be left now and taken up again."""
        return self.journal is not None and self.journal.kept

    def story(self) -> Iterator[tuple[State, Event]]:
        """Yield everything that happened, each event with the state before it."""
        state = self.start
        for event in self.events:
            if state.to_act is None:
                state = state.next_round()
            yield state, event
            state = state.apply(event.action, event.faces)

    def bot_action(self) -> Action:
        """Return what the bot to act chooses; the same every time it is asked in the same match and position."""
        assert self.state.to_act is not None
        bot = self.lineup.seats[self.state.to_act].bot
        assert bot is not None
        chance = Random(f"{self.dice.chance!r} {len(self.events)}")
        return CHARACTERS[bot].choose(self.state, chance)

    def act(self, action: Action) -> Event:
        """Carry out an action of the seat to act, throwing its dice, and return what happened.

        Raises IllegalAction when the rules forbid it, nothing having been thrown, and what ``record`` raises.
        """
        refusal = self.state.check(action)
        if refusal:
            raise IllegalAction(refusal)
        seat = self.state.to_act
        assert seat is not None
        faces: Faces = ()
        if isinstance(action, Roll):
            faces = self.dice.throw(seat, self._throws[seat] + 1, action.dice)
        event = Event(seat, action, faces)
        self.record(event)
        return event

    def record(self, event: Event) -> None:
        """Let an event happen whose faces are known: the journal has it before the state changes.

        Raises IllegalAction when the rules forbid it, it is another seat's turn, or another roll was taken back;
        InvalidAction when the faces cannot have been thrown, PlayedElsewhere when the match has been taken up at
        another table.
        """
        after = self.state.apply(event.action, event.faces)
        if event.seat != self.state.to_act:
            raise IllegalAction(f"It is not the turn of seat {event.seat}.")
        if self.taken_back not in (None, event.action):
            raise IllegalAction("These dice were rolled; only their faces can be typed again.")
        if self.journal:
            self.journal.record(self, event, after)
        if isinstance(event.action, Roll):
            self._before, self.taken_back = self.state, None
            self._throws[event.seat] += 1
        self.state = after
        self.events.append(event)

    def named(self, roll: Roll) -> str:
        """Name the dice of a roll: "all four dice", "dice 1 and 4"."""
        dice = len(roll.dice)
        return f"all {dice_in_words(dice)}" if dice == self.game.dice else dice_by_place(roll.dice)

    def question(self, roll: Roll) -> str:
        """Ask people for the faces of a roll of real dice."""
        dice = len(roll.dice)
        wanted = "its face, 1 to 6" if dice == 1 else f"{NUMBERS[dice]} faces from 1 to 6"
        if self.taken_back:
            return f"Type what {self.named(roll)} showed: {wanted}"
        return f"Roll {self.named(roll)}, then type {wanted}"

    def take_back(self) -> Event:
        """Undo the last roll, whose faces were typed wrong, and what followed from it; the roll itself stays made.

        Returns the event that it was.

        Raises IllegalAction when there is none, and when its dice fell by themselves; and PlayedElsewhere.
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
        """Remember that somebody asks the coach before the next event."""
        if self.journal:
            self.journal.hint(self)
        self.hints.add(len(self.events))

    def put_down(self) -> None:
        """Leave the match to be taken up again; one in which nothing has happened yet is forgotten."""
        if self.journal and not self.events and not self.taken_back:
            self.journal.forget()

    def next_round(self) -> None:
        """Clear the table for the next round. Raises IllegalAction while the round, or after the match, is over."""
        self.state = self.state.next_round()

    def play_out(self) -> Outcome:
        """Play on to the end, every seat a bot, and return how it ends."""
        while (outcome := self.state.outcome) is None:
            if self.state.to_act is None:
                self.next_round()
            else:
                self.act(self.bot_action())
        return outcome

    def rematch(self) -> Match:
        """Return a new match of the same seats, the start passed on to the next one (rules.md, "two players").

        Where they rolled for the start, they roll again.
        """
        first = None if self.first is None else (self.first + 1) % len(self.names)
        return Match(replace(self.lineup, first=first))


def news(state: State, names: Sequence[str]) -> str:
    """Say in one line where a match stands, with these names by seat: "Round 2 of 3 · roll 4, Ann to roll".

    >>> news(Match(Lineup(first=0)).state, ["Ann", "Ben"])
    'Round 1 of 1 · roll 1, Ann to roll'
    """
    if state.outcome:
        return state.report(names).headline
    if state.to_act is None:
        return f"{state.caption()}, {state.report(names).headline}"
    return f"{state.caption()}, {names[state.to_act]} to roll"
