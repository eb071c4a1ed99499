"""The rules of Four Twenty-One, ten rounds for points, with the rulings of rules.md; nothing of chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import ClassVar, NamedTuple

from fourtwenty.games.game import (
    Action,
    Faces,
    Game,
    IllegalAction,
    Outcome,
    Report,
    Roll,
    Stand,
    Standing,
    check_faces,
)
from fourtwenty.games.notation import (
    Written,
    check_written,
    digits,
    put_together,
    roll_off_again,
    take_apart,
    turns_ended,
)
from fourtwenty.games.roll_off import RollOff
from fourtwenty.games.three_rolls import DICE, ROLL_ALL, ROLLS, ThreeDice
from fourtwenty.games.words import dice_in_words, ordinal, says, spaced

ROUNDS = 10
"""Rounds that everybody plays; those tied for first then play on among themselves."""

BONUS = 2
"""Points for 4-2-1 on the first roll of a turn, whoever rolls it."""


class Rank(NamedTuple):
    """What a hand is (rules.md, Four Twenty-One, "order"). Ranks compare by strength; only the same faces are equal."""

    strength: tuple[int, ...]
    name: str


@cache
def rank(hand: Faces) -> Rank:
    """Return the rank of three faces in any order.

    >>> rank((6, 3, 6))
    Rank(strength=(1, 6, 3), name='Double 6')
    """
    low, middle, high = sorted(hand)
    if (low, middle, high) == (1, 2, 4):
        return Rank((3,), "4-2-1")
    if low == high:
        return Rank((2, low), f"Triple {low}")
    if middle in (low, high):
        return Rank((1, middle, high if middle == low else low), f"Double {middle}")
    return Rank((0, high, middle, low), "Unmatched")


@dataclass(frozen=True)
class TenRounds(ThreeDice):
    """A position of Four Twenty-One."""

    key: ClassVar[str] = "ten-rounds"
    """The game's name in records and on the command line."""

    sheet: tuple[tuple[int, ...], ...]
    """The points of every finished round, by seat."""
    starter: int | None
    """The seat that begins the round; None while it is being rolled for."""
    hands: tuple[Faces, ...]
    """The hands of this round by seat, empty before a first roll."""
    bonus: tuple[int, ...]
    """The seats that rolled 4-2-1 at once in this round."""
    turns: int = 0
    """How many seats have ended their turn in this round."""
    rolls: int = 0
    """How many rolls the seat to act has made in its turn."""
    cap: int = ROLLS
    """How many rolls a turn may have: once the first player is done, as many as that one took."""
    roll_off: RollOff | None = None
    """The roll-off that goes on: for the start, or for the round."""
    best: int | None = None
    """The seat that has won the round: then it is over."""

    @classmethod
    def start(cls, seats: int, starting_seat: int | None) -> TenRounds:
        """Return the first state of a match; without a first seat, they roll for the start.

        Raises ValueError for fewer than two seats or no such first seat.
        """
        if seats < 2:
            raise ValueError("A match needs two seats or more.")
        if starting_seat is not None and not 0 <= starting_seat < seats:
            raise ValueError(f"There is no seat {starting_seat} at a table of {seats}.")
        return cls(
            sheet=(),
            starter=starting_seat,
            hands=((),) * seats,
            bonus=(),
            roll_off=RollOff(tuple(range(seats)), dice=1) if starting_seat is None else None,
        )

    @property
    def round(self) -> int:
        """Number of the round, from 1."""
        return len(self.sheet) + 1

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The points of every seat after the finished rounds."""
        return tuple(sum(points[seat] for points in self.sheet) for seat in range(self.seats))

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats that play this round, clockwise from the one that begins."""
        playing = self._first if self.round > ROUNDS else tuple(range(self.seats))
        around = (((self.starter or 0) + place) % self.seats for place in range(self.seats))
        return tuple(seat for seat in around if seat in playing)

    @property
    def scored(self) -> tuple[int, ...]:
        """The points of this round by seat, once it is over."""
        return tuple((seat == self.best) + BONUS * (seat in self.bonus) for seat in range(self.seats))

    @property
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""
        if self.best is None or self.round < ROUNDS:
            return None
        after = self._after
        return Outcome(after._by_points) if len(after._first) == 1 else None

    @property
    def _after(self) -> TenRounds:
        """The same with this round's points on the sheet."""
        return replace(self, sheet=(*self.sheet, self.scored))

    @property
    def _by_points(self) -> tuple[int, ...]:
        """Every seat, the most points first, equals as they sit."""
        return tuple(sorted(range(self.seats), key=lambda seat: -self.points[seat]))

    @property
    def _first(self) -> tuple[int, ...]:
        """Who is first, or tied for first, after the finished rounds; who plays no extra round cannot catch up."""
        most = max(self.points)
        return tuple(seat for seat in range(self.seats) if self.points[seat] == most)

    def apply(self, action: Action, faces: Faces) -> TenRounds:
        """Return the state after an action of the seat to act.

        Raises IllegalAction when the rules forbid it, InvalidAction when the faces cannot have been thrown.
        """
        refusal = self.check(action)
        if refusal:
            raise IllegalAction(refusal)
        if self.roll_off:
            return self._rolled_off(self.roll_off, faces)
        if isinstance(action, Stand):
            check_faces(faces, 0)
            return self._turn_ended()
        assert self.to_act is not None
        hands = list(self.hands)
        hands[self.to_act] = self.thrown(action, faces)
        at_once = not self.rolls and rank(hands[self.to_act]).name == "4-2-1"
        bonus = (*self.bonus, self.to_act) if at_once else self.bonus
        after = replace(self, hands=tuple(hands), bonus=bonus, rolls=self.rolls + 1)
        return after._turn_ended() if after.rolls == self.cap else after

    def _turn_ended(self) -> TenRounds:
        ended = replace(self, turns=self.turns + 1, rolls=0, cap=self.cap if self.turns else self.rolls)
        if ended.turns < len(ended.order):
            return ended
        most = max(rank(ended.hands[seat]) for seat in ended.order)
        tied = tuple(seat for seat in ended.order if rank(ended.hands[seat]) == most)
        if len(tied) > 1:
            return replace(ended, roll_off=RollOff(tied, len(DICE)))
        return replace(ended, best=tied[0])

    def _rolled_off(self, roll_off: RollOff, faces: Faces) -> TenRounds:
        follows = roll_off.throw(faces, sum if self.starter is None else rank)
        if isinstance(follows, RollOff):
            return replace(self, roll_off=follows)
        if self.starter is None:
            return replace(self, roll_off=None, starter=follows)
        return replace(self, roll_off=None, best=follows)

    def next_round(self) -> TenRounds:
        """Return the next round's first state, scored; the start passes clockwise to the next seat that plays.

        Raises IllegalAction while the round goes on, and when the match is over.
        """
        if self.best is None:
            raise IllegalAction("The round is not over.")
        if self.outcome:
            raise IllegalAction("The match is over.")
        assert self.starter is not None
        hands = ((),) * self.seats
        cleared = TenRounds((*self.sheet, self.scored), (self.starter + 1) % self.seats, hands, bonus=())
        return replace(cleared, starter=cleared.order[0])

    # -- for display -------------------------------------------------------------------------------------------

    def caption(self) -> str:
        """Say where the match stands: the round, the roll."""
        if self.starter is None:
            return "Who starts? One die each, the highest"
        number = f"Round {self.round} of {ROUNDS}" if self.round <= ROUNDS else f"Extra round {self.round - ROUNDS}"
        roll = "" if self.to_act is None or self.roll_off else f" · roll {self.rolls + 1} of {self.cap}"
        return number + roll

    def standing(self, seat: int) -> Standing:
        """Return how a seat stands."""
        points = [str(scored[seat] or "·") for scored in self.sheet]
        total = self.points[seat]
        tally = f"{' '.join(points)}  {total} {'point' if total == 1 else 'points'}".lstrip()
        if seat not in self.order:
            return Standing((), "", "no longer in it", playing=False, tally=tally)
        hand = self.hand(seat)
        if self.roll_off and seat in self.roll_off.seats:
            note = "rolls off"
        elif self.best is not None and self.scored[seat]:
            note = f"+{self.scored[seat]}"
        elif self.hands[seat]:
            note = ordinal(1 + sum(rank(other) > rank(self.hands[seat]) for other in self.hands if other))
        else:
            note = "to roll"
        return Standing(hand, rank(hand).name if len(hand) == len(DICE) else "", note, playing=True, tally=tally)

    def preview(self, dice: Collection[int]) -> str:
        """Say what throwing these dice, any number of them, would mean, or why it may not be done."""
        if self.to_act is None:
            return "The round is over"
        if self.starter is None:
            return "One die each: the highest starts"
        if self.roll_off:
            return "A tie: three dice once more, the best gets the point"
        if not self.rolls:
            return "First roll: all three dice"
        hand = self.hands[self.to_act]
        if not dice:
            return f"{rank(hand).name}. Roll dice again, or stand"
        stay = tuple(face for die, face in zip(DICE, hand, strict=True) if die not in dice)
        if not stay:
            return "Nothing is set aside: roll all three dice"
        return f"{spaced(stay)} set aside: roll {dice_in_words(len(dice))}"

    def tell(self, action: Action, faces: Faces) -> str:
        """Say what an action made of the hand that is to act, in plain words, without the player's name."""
        assert self.to_act is not None
        if self.starter is None:
            return f"one die, {faces[0]}."
        if self.roll_off:
            return f"rolls off, {spaced(faces)}. {rank(faces).name}."
        if not isinstance(action, Roll):
            return f"stands with {spaced(self.hands[self.to_act])}. {rank(self.hands[self.to_act]).name}."
        thrown = "all three" if action == ROLL_ALL else dice_in_words(len(action.dice))
        made = rank(self.thrown(action, faces)).name
        at_once = f" at once: {BONUS} points" if not self.rolls and made == "4-2-1" else ""
        return f"{thrown}, {spaced(faces)}. {made}{at_once}."

    def report(self, names: Sequence[str]) -> Report:
        """Report the round that is over, and the match when it is. Raises IllegalAction while the round goes on."""
        if self.best is None:
            raise IllegalAction("The round is not over.")
        hand = self.hands[self.best]
        after = self._after
        facts = [("With", f"{spaced(hand)}, {rank(hand).name}")]
        facts += [(f"{BONUS} more", f"{names[seat]}: 4-2-1 at once") for seat in self.bonus]
        facts.append(("Points", ", ".join(f"{names[seat]} {after.points[seat]}" for seat in after._by_points)))
        if self.outcome:
            winner = names[self.outcome.places[0]]
            return Report(says(winner, "wins", "win"), self.best, tuple(facts))
        follows = self.next_round()
        if follows.round > ROUNDS:
            facts.append(("Still in", ", ".join(names[seat] for seat in sorted(follows.order))))
        assert follows.starter is not None
        facts.append(("Starts next", names[follows.starter]))
        return Report(says(names[self.best], "gets the point", "get the point"), self.best, tuple(facts))

    def position(self) -> str:
        """Write the whole state as one short line: hands, points of every finished round, then the roll.

        ``+`` goes before points of the round that is played, ``=`` before dice of a roll-off.

        >>> TenRounds.start(2, starting_seat=0).apply(ROLL_ALL, (4, 2, 1)).apply(Stand(), ()).position()
        '*421+2 >- roll 1 of 1'
        """
        return put_together(self, (), self._written, f"roll {self.rolls + 1} of {self.cap}")

    def _written(self, seat: int) -> str:
        gained = f"+{self.scored[seat]}" if self.scored[seat] else ""
        thrown = self.roll_off.thrown(seat) if self.roll_off else None
        tie = "" if thrown is None else f"={digits(thrown)}"
        points = "".join(str(scored[seat]) for scored in self.sheet)
        return f"{digits(self.hands[seat])}{gained}{tie}{points and ':'}{points}"

    @classmethod
    def read(cls, text: str) -> TenRounds:
        """Read what ``position`` wrote. Raises ValueError with a sentence for any other text.

        >>> TenRounds.read("*421:0130 >-:1001 roll 1 of 2").points
        (4, 2)
        """
        written = take_apart(
            text,
            r"(?P<hand>-|[1-6]{3})(\+(?P<gained>[123]))?(=(?P<thrown>-|[1-6]|[1-6]{3}))?(:(?P<points>[0-3]+))?",
            "roll (?P<roll>[1-3]) of (?P<cap>[1-3])",
            "*665:0130 >421+2:1001 roll 2 of 3",
        )
        points = [seat["points"] for seat in written.seats]
        if len(set(map(len, points))) > 1:
            raise ValueError("Every seat has a digit of points for every finished round.")
        sheet = tuple(tuple(map(int, scored)) for scored in zip(*points, strict=True))
        state = replace(cls.start(len(points), written.begins), sheet=sheet)._with_hands(written)
        check_written(state, text)
        return state

    def _with_hands(self, written: Written) -> TenRounds:
        """The round after this sheet with the hands and roll-offs that are written, and what they settle."""
        refusal = self._sheet_refused()
        if refusal:
            raise ValueError(refusal)
        state = self
        gained = [int(seat["gained"] or 0) for seat in written.seats]
        if self.starter is not None:
            hands, rolls, cap = written.hands(), int(written.numbers["roll"]) - 1, int(written.numbers["cap"])
            turns = turns_ended(self.order, hands, rolls)
            bonus = tuple(seat for seat in self.order if gained[seat] >= BONUS)
            if rolls >= cap or (turns == 0 and cap < ROLLS):
                raise ValueError(f"Who begins the round has {ROLLS} rolls, the others as many as that one took.")
            for turn, seat in enumerate(self.order):
                rolled_once = cap == 1 if turn < turns else turn == turns and rolls == 1
                at_once = rolled_once and rank(hands[seat]).name == "4-2-1"
                if (rolled_once or not hands[seat]) and at_once != (seat in bonus):
                    raise ValueError(f"4-2-1 at once, and nothing else, gets {BONUS} more, as +{BONUS}.")
            state = replace(self, hands=hands, bonus=bonus, turns=turns, rolls=rolls, cap=cap)
        if state.to_act is None:
            state = replace(state, turns=turns - 1)._turn_ended()
        if state.roll_off:
            best = next((seat for seat in state.roll_off.seats if gained[seat] % 2), None)
            if best is not None and self.starter is not None:
                return replace(state, roll_off=None, best=best)
            return replace(state, roll_off=roll_off_again(state.roll_off, written))
        return state

    def _sheet_refused(self) -> str | None:
        """Why no round can follow this sheet; None when one can."""
        if self.starter is None and self.sheet:
            return "* stands before the seat that began the round."
        for number, scored in enumerate(self.sheet):
            playing = replace(self, sheet=self.sheet[:number]).order
            scorers = {seat for seat, points in enumerate(scored) if points}
            if sum(points % 2 for points in scored) != 1 or not scorers <= set(playing):
                return f"In round {number + 1} one seat gets the point, and only those who play it {BONUS} more."
        if len(self.order) < 2:
            return f"The match is over after round {len(self.sheet)}."
        if self.starter is not None and self.starter not in self.order:
            return "* stands before a seat that is still in it."
        return None


GAME = Game(
    key=TenRounds.key,
    name="Four Twenty-One",
    credit="a bar game\nin ten rounds",
    motto="three dice, a point a round",
    gist="The best hand of a round gets a point; most points after ten rounds win.",
    ends=("wins", "comes last"),
    dice=len(DICE),
    emblem=(4, 2, 1),
    pair=None,
    starting_title="starts",
    draws=False,
    start=TenRounds.start,
    position=TenRounds.read,
)
"""Four Twenty-One, as the lobby and the command line know it."""
