"""One match in progress: the line-up, the dice, the state and what has happened so far. No screen and no clock."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from fourtwenty.bots import CHARACTERS
from fourtwenty.dice import Dice, FairDice
from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Event, Faces, Game, IllegalAction, Outcome, Roll, State
from fourtwenty.lineup import Lineup


class Match:
    """What the screens and the headless commands drive.

    >>> from fourtwenty.dice import ScriptedDice
    >>> match = Match(Lineup(), ScriptedDice([(6, 5, 5, 4)]))
    >>> match.act(Roll((1, 2, 3, 4))).faces
    (6, 5, 5, 4)
    >>> match.state.report(match.names).headline
    'Steady buys the drinks'
    """

    def __init__(self, lineup: Lineup, dice: Dice | None = None) -> None:
        """Seat the line-up around dice, fair ones of a fresh seed unless others are given.

        Raises ValueError when the line-up cannot be played.
        """
        refusal = lineup.check()
        if refusal:
            raise ValueError(refusal)
        self.lineup = lineup
        self.game: Game = GAMES[lineup.game]
        self.dice: Dice = dice or FairDice.fresh()
        self.first: int | None = lineup.first
        """The seat that starts the match, from 0; None in games that roll for it."""
        if lineup.first is None and self.game.draws:
            self.first = self.dice.draw(len(lineup.seats))
        self.state: State = self.game.start(len(lineup.seats), self.first)
        self.events: list[Event] = []
        """Everything that happened, in order."""
        self.hints: set[int] = set()
        """Before which events, by their number from 0, somebody asked the coach."""
        self._throws = [0] * len(lineup.seats)
        """How often each seat has thrown dice."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(seat.name for seat in self.lineup.seats)

    @property
    def bot_to_act(self) -> bool:
        """Whether the seat to act is a bot."""
        return self.state.to_act is not None and self.lineup.seats[self.state.to_act].bot is not None

    @property
    def seed(self) -> bytes | None:
        """The seed behind fair dice; None when others are thrown. To be shown only when the match is over."""
        return self.dice.seed if isinstance(self.dice, FairDice) else None

    @property
    def commitment(self) -> str | None:
        """What pins the rolls to come while the seed is secret; None when the dice are not of a seed."""
        return self.dice.commitment if isinstance(self.dice, FairDice) else None

    def bot_action(self) -> Action:
        """Return what the bot to act chooses; the same every time it is asked in the same match and position."""
        assert self.state.to_act is not None
        bot = self.lineup.seats[self.state.to_act].bot
        assert bot is not None
        chance = Random(f"{self.seed!r} {len(self.events)}")
        return CHARACTERS[bot].choose(self.state, chance)

    def act(self, action: Action) -> Event:
        """Carry out an action of the seat to act, throwing its dice, and return what happened.

        Raises IllegalAction when the rules forbid it; nothing has been thrown then.
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
        self.state = self.state.apply(action, faces)
        self.events.append(event)
        self._throws[seat] += isinstance(action, Roll)
        return event

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
