"""The rules of 420, designed by Mark Steere (marksteeregames.com), with the rulings of rules.md; nothing of chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import ClassVar

from fourtwenty.games.game import (
    Action,
    Faces,
    Game,
    IllegalAction,
    InvalidAction,
    Outcome,
    Report,
    Roll,
    Standing,
    check_faces,
    rolled,
)
from fourtwenty.games.notation import NUMBER, check_written, digits, put_together, take_apart
from fourtwenty.games.words import dice_in_words, says, spaced

GOAL = 20
"""A hand that totals exactly this wins the round."""

DICE = (1, 2, 3, 4)
"""The positions of a hand's dice."""

LEAST_STAY = {1: 15, 2: 10, 3: 5, 4: 0}
"""By the number of dice thrown, the least total of those that stay (rule sheet, REROLL RESTRICTIONS)."""

ROLL_ALL = Roll(DICE)
"""The one action of a first roll and of a reset."""


@dataclass(frozen=True)
class FourTwenty:
    """A position of 420.

    >>> state = FourTwenty.start(2, starting_seat=0).apply(ROLL_ALL, (6, 5, 5, 1)).apply(ROLL_ALL, (4, 3, 3, 2))
    >>> state.check(Roll((1, 2, 3)))
    '1 stays. One die may stay from 5 up.'
    >>> state.apply(Roll((4,)), (4,)).winner
    0
    """

    key: ClassVar[str] = "420"
    """The game's name in records and on the command line."""

    hands: tuple[Faces, ...]
    """The hand of every seat, empty before its first roll of the round."""
    out: tuple[int, ...]
    """The winners of the rounds before this one, in their order."""
    starting_seat: int
    """The seat that began this round."""
    rolls: int
    """How many rolls this round has seen, of all seats together."""

    @classmethod
    def start(cls, seats: int, starting_seat: int | None) -> FourTwenty:
        """Return the cleared table of a match. Raises ValueError for fewer than two seats or no such seat."""
        if seats < 2:
            raise ValueError("A match needs two seats or more.")
        if starting_seat is None or not 0 <= starting_seat < seats:
            raise ValueError(f"There is no seat {starting_seat} at a table of {seats}.")
        return cls(hands=((),) * seats, out=(), starting_seat=starting_seat, rolls=0)

    @classmethod
    def at(cls, hands: Sequence[Faces]) -> FourTwenty:
        """Return a table where the first of these hands is to act and the others follow in turn.

        Raises IllegalAction when one of them has won already.

        >>> FourTwenty.at([(6, 5, 5, 1), ()]).to_act
        0
        """
        for hand in hands:
            if sum(hand) == GOAL:
                raise IllegalAction(f"{spaced(hand)} is 20: the round is over")
        return cls(hands=tuple(hands), out=(), starting_seat=0, rolls=len(hands))

    @property
    def seats(self) -> int:
        """Number of seats in the match, those that are out included."""
        return len(self.hands)

    @property
    def round(self) -> int:
        """Number of the round, from 1."""
        return len(self.out) + 1

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats of this round in the order they roll: clockwise from Player 1."""
        return _order(self.seats, self.starting_seat, self.out)

    @cached_property
    def winner(self) -> int | None:
        """The seat whose hand totals 20; None while the round goes on."""
        return next((seat for seat in self.order if sum(self.hands[seat]) == GOAL), None)

    @cached_property
    def to_act(self) -> int | None:
        """The seat whose turn it is; None when the round is over."""
        return None if self.winner is not None else self.order[self.rolls % len(self.order)]

    @property
    def roll(self) -> int:
        """Which of its rolls of this round the seat to act makes next, or the winner made last, from 1."""
        made = self.rolls if self.winner is None else self.rolls - 1
        return made // len(self.order) + 1

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while more than one player stands."""
        if self.winner is None or len(self.order) > 2:
            return None
        return Outcome(places=(*self.out, self.winner, self._others[0]))

    @property
    def actions(self) -> tuple[Roll, ...]:
        """Every legal roll of the seat to act; empty when the round is over."""
        return () if self.to_act is None else _legal_rolls(self.hands[self.to_act])

    def hand(self, seat: int) -> Faces:
        """Return the dice of a seat by position; empty before its first roll of the round."""
        return self.hands[seat]

    def check(self, action: Action) -> str | None:
        """Say in one sentence why an action is not legal now; None when it is."""
        if self.to_act is None:
            return "The round is over."
        if not isinstance(action, Roll):
            return "There is no pass in 420: every turn is a roll."
        if action.dice[-1] > len(DICE):
            return f"There is no die {action.dice[-1]}: a hand has four."
        return _refusal(self.hands[self.to_act], action)

    def apply(self, action: Action, faces: Faces) -> FourTwenty:
        """Return the state after a roll of the seat to act.

        Raises IllegalAction when the rules forbid it, InvalidAction when the faces cannot have been thrown.
        """
        refusal = self.check(action)
        if refusal:
            raise IllegalAction(refusal)
        assert isinstance(action, Roll)
        assert self.to_act is not None
        hands = list(self.hands)
        hands[self.to_act] = self._thrown(action, faces)
        return replace(self, hands=tuple(hands), rolls=self.rolls + 1)

    def next_round(self) -> FourTwenty:
        """Return the next round's cleared table: the winner is out, Player 1 is the next seat still in.

        Raises IllegalAction while the round goes on, and when the match is over.
        """
        if self.winner is None:
            raise IllegalAction("The round is not over.")
        if self.outcome:
            raise IllegalAction("The match is over.")
        return FourTwenty(
            hands=((),) * self.seats,
            out=(*self.out, self.winner),
            starting_seat=self._next_starting_seat,
            rolls=0,
        )

    def caption(self) -> str:
        """Say where the match stands: the round, the roll."""
        return f"Round {self.round} of {self.seats - 1} · roll {self.roll}"

    def standing(self, seat: int) -> Standing:
        """Return how a seat stands."""
        hand = self.hands[seat]
        if seat in self.out:
            return Standing((), "", f"out in round {self.out.index(seat) + 1}", playing=False)
        if seat == self.winner:
            return Standing(hand, str(GOAL), f"out in round {self.round}", playing=True)
        note = "must reset" if sum(hand) > GOAL else "in" if hand else "first roll"
        return Standing(hand, str(sum(hand)) if hand else "", note, playing=True)

    def preview(self, dice: Collection[int]) -> str:
        """Say what throwing these dice, any number of them, would mean, or why it may not be done."""
        if self.to_act is None:
            return "The round is over"
        hand = self.hands[self.to_act]
        if not hand:
            return "First roll: all four dice"
        if sum(hand) > GOAL:
            return f"{sum(hand)} is over 20: roll all four"
        if len(self.actions) == 1:
            return "No die is 5 or more: roll all four"
        if not dice:
            return "Select dice to roll; the others stay"
        refusal = self.check(Roll(tuple(dice)))
        if refusal:
            return refusal
        stay = _stay(hand, dice)
        if not stay:
            return "Nothing stays: roll all four dice"
        verb = "stays" if len(stay) == 1 else "stay"
        return f"{spaced(stay)} {verb}: {sum(stay)}, roll {dice_in_words(len(dice))}"

    def tell(self, action: Action, faces: Faces) -> str:
        """Say what a roll made of the hand that is to act, in plain words, without the player's name."""
        assert isinstance(action, Roll)
        total = sum(self._thrown(action, faces))
        thrown = "all four" if action == ROLL_ALL else dice_in_words(len(action.dice))
        ending = "!" if total == GOAL else ", over." if total > GOAL else "."
        return f"{thrown}, {spaced(faces)}. Total {total}{ending}"

    def report(self, names: Sequence[str]) -> Report:
        """Report the round that is over, and the match when it is. Raises IllegalAction while the round goes on."""
        if self.winner is None:
            raise IllegalAction("The round is not over.")
        name = names[self.winner]
        in_rolls = "on the first roll" if self.roll == 1 else f"in {self.roll} rolls"
        made = f"{spaced(self.hands[self.winner])}, {in_rolls}"
        if self.outcome:
            *got_out, last = (names[seat] for seat in self.outcome.places)
            return Report(
                says(last, "buys the drinks", "buy the drinks"),
                self.winner,
                (
                    ("Last 20", f"{name} with {made}"),
                    ("Got out", ", then ".join(got_out)),
                ),
            )
        return Report(
            says(name, "makes 20", "make 20"),
            self.winner,
            (
                ("With", made),
                ("Drops out", name),
                ("Still in", ", ".join(names[seat] for seat in sorted(self._others))),
                ("Player 1 next", names[self._next_starting_seat]),
            ),
        )

    def position(self) -> str:
        """Write the whole state as one short line: the hands, then which roll of the round it is.

        >>> FourTwenty.start(3, starting_seat=1).apply(ROLL_ALL, (6, 5, 5, 1)).position()
        '- *6551 >- roll 1'
        """
        return put_together(self, self.out, lambda seat: digits(self.hands[seat]), f"roll {self.roll}")

    @classmethod
    def read(cls, text: str) -> FourTwenty:
        """Read what ``position`` wrote. Raises ValueError with a sentence for any other text.

        >>> FourTwenty.read("*6551 >4332 x1 roll 3").rolls
        5
        """
        written = take_apart(text, r"(?P<hand>-|[1-6]{4})", f"roll (?P<roll>{NUMBER})", "*6551 >4332 x1 roll 2")
        if written.begins is None:
            raise ValueError("* stands before the hand of Player 1.")
        if len(written.out) > len(written.seats) - 2:
            raise ValueError("Two seats at least have not dropped out.")
        table = cls(written.hands(), written.out, written.begins, rolls=0)
        acts = table.winner if written.acts is None else written.acts
        if acts is None:
            raise ValueError("> stands before the hand to act.")
        rolls = (int(written.numbers["roll"]) - 1) * len(table.order) + table.order.index(acts)
        state = replace(table, rolls=rolls + (table.winner is not None))
        rolled = state.order[: state.rolls]
        if any(bool(hand) != (seat in rolled) for seat, hand in enumerate(state.hands)):
            raise ValueError(
                "In roll 1 the seats before the one to act have hands and the others -; in later rolls all have hands."
            )
        if sum(sum(hand) == GOAL for hand in state.hands) > 1:
            raise ValueError("One hand at most is 20: it has won the round.")
        check_written(state, text)
        return state

    @property
    def _others(self) -> tuple[int, ...]:
        """The seats of this round without its winner, clockwise from Player 1."""
        return tuple(seat for seat in self.order if seat != self.winner)

    @property
    def _next_starting_seat(self) -> int:
        """The next seat to the left of this round's Player 1 that stays in (rules.md, "next round")."""
        return next(seat for seat in self.order[1:] if seat != self.winner)

    def _thrown(self, roll: Roll, faces: Faces) -> Faces:
        """The hand to act with these faces thrown; the other dice keep their places."""
        check_faces(faces, len(roll.dice))
        assert self.to_act is not None
        return rolled(self.hands[self.to_act], roll, faces)


def parse_hand(text: str) -> Faces:
    """Read a hand: four digits from 1 to 6 by position, or ``-`` before the first roll. Raises InvalidAction otherwise.

    >>> parse_hand("6551")
    (6, 5, 5, 1)
    """
    if text == "-":
        return ()
    if len(text) != len(DICE) or not set(text) <= set("123456"):
        raise InvalidAction(f"{text!r} is no hand: four digits from 1 to 6, or - before its first roll")
    return tuple(map(int, text))


@lru_cache
def _order(seats: int, starting_seat: int, out: tuple[int, ...]) -> tuple[int, ...]:
    gone = set(out)
    clockwise = ((starting_seat + step) % seats for step in range(seats))
    return tuple(seat for seat in clockwise if seat not in gone)


def _refusal(hand: Faces, roll: Roll) -> str | None:
    """Why the rules forbid a roll of this hand; None when they allow it."""
    if roll == ROLL_ALL:
        return None
    if not hand:
        return "The first roll takes all four dice."
    if sum(hand) > GOAL:
        return f"{sum(hand)} is over 20: roll all four."
    stay = _stay(hand, roll.dice)
    least = LEAST_STAY[len(roll.dice)]
    if sum(stay) >= least:
        return None
    kept = f"{stay[0]} stays." if len(stay) == 1 else f"{' + '.join(map(str, stay))} stay: {sum(stay)}."
    return f"{kept} {dice_in_words(len(stay)).capitalize()} may stay from {least} up."


@cache
def _legal_rolls(hand: Faces) -> tuple[Roll, ...]:
    """The legal rolls of a hand, one die first; there are 1,297 hands."""
    rolls = (Roll(dice) for size in LEAST_STAY for dice in combinations(DICE, size))
    return tuple(roll for roll in rolls if _refusal(hand, roll) is None)


def _stay(hand: Faces, thrown: Collection[int]) -> Faces:
    return tuple(face for die, face in zip(DICE, hand, strict=True) if die not in thrown)


GAME = Game(
    key=FourTwenty.key,
    name="420",
    credit="by Mark Steere\nmarksteeregames.com",
    motto="four dice, exactly 20",
    gist="One after the other drops out; the last one buys the drinks.",
    ends=("wins the first round", "buys the drinks"),
    dice=len(DICE),
    emblem=(6, 5, 5, 4),
    pair=("Red", "Blue"),
    starting_title="Player 1",
    draws=True,
    start=FourTwenty.start,
    position=FourTwenty.read,
)
"""420, as the lobby and the command line know it."""
