"""Implements Four Twenty-One, ten rounds for points, as docs/rulings.md reads its rules. No randomness."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, groupby
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from fourtwenty.games.english import join_words, name_and_verb, pluralize, possessive, sentence_case
from fourtwenty.games.game import (
    Faces,
    Game,
    Guide,
    LazyProperty,
    Meter,
    Outcome,
    Report,
    Roll,
    Standing,
    Tip,
    check_next_round,
    check_remains,
    check_round_over,
    turn_order,
)
from fourtwenty.games.notation import Form, ParsedPosition, digits, format_position, read_position
from fourtwenty.games.roll_off import RollOff
from fourtwenty.games.three_rolls import DICE, ROLLS, STAKE, STAND_TIP, ThreeDice, first_roll_off, is_421

ROUNDS = 10
"""The rounds that all seats play. Seats tied for first play more."""

BONUS = 2
"""The points for 4-2-1 on the first roll of a turn."""

FORM = Form(
    r"(?P<hand>-|[1-6]{3})(\+(?P<gained>[123]))?(=(?P<thrown>-|[1-6]|[1-6]{3}))?(:(?P<points>[0-3]+))?",
    "roll (?P<roll>[1-3]) of (?P<cap>[1-3])",
    "*665:0130 >421+2:1001 roll 2 of 3",
    r"(:(?P<left_points>[0-3]+))?",
)


class TenRoundsRank(NamedTuple):
    """The strength of a hand (docs/rulings.md, Four Twenty-One, "order")."""

    strength: tuple[int, ...]
    name: str


@cache
def rank(hand: Faces) -> TenRoundsRank:
    """Return the rank of three faces in any order.

    >>> rank((6, 3, 6))
    TenRoundsRank(strength=(1, 6, 3), name='Double 6')
    """
    low, middle, high = sorted(hand)
    if (low, middle, high) == (1, 2, 4):
        return TenRoundsRank((3,), "4-2-1")
    if low == high:
        return TenRoundsRank((2, low), f"Triple {low}")
    if middle in (low, high):
        return TenRoundsRank((1, middle, high if middle == low else low), f"Double {middle}")
    return TenRoundsRank((0, high, middle, low), "Unmatched")


HANDS = 56
"""The number of different hands of three dice."""


@cache
def place(hand: Faces) -> int:
    """Return a hand's place from below, 1 to 56, with zeros the least possible; 0 for none or roll-off dice.

    >>> place((4, 2, 1)), place((3, 2, 1)), place((6, 0, 6)) == place((6, 1, 6)), place(())
    (56, 1, True, 0)
    """
    if len(hand) < len(DICE):
        return 0
    if 0 in hand:
        die = hand.index(0)
        return min(place((*hand[:die], face, *hand[die + 1 :])) for face in range(1, 7))
    hands = combinations_with_replacement(range(1, 7), len(DICE))
    return 1 + sum(rank(other) < rank(hand) for other in hands)


class TenRounds(ThreeDice, frozen=True, kw_only=True):
    """The state of a match of Four Twenty-One. Seats roll off for the start, or for a round's point."""

    key: ClassVar[str] = "ten-rounds"
    rank = staticmethod(rank)

    sheet: tuple[tuple[int, ...], ...]
    """``[finished round][seat]``: the points of that round."""
    bonus: tuple[int, ...]
    """The seats with 4-2-1 on the first roll of their turn in this round."""
    cap: int = ROLLS
    """The most rolls of a turn: as many as the starting seat took, once its turn has ended."""
    best: int | None = None
    """The seat that gets the round's point, once settled: the round is over."""

    @classmethod
    def start(cls, seats: int, starting_seat: int | None) -> TenRounds:
        """Return the first state of a match. Raises ValueError as ``Game.start``."""
        return cls(
            sheet=(),
            starting_seat=starting_seat,
            hands=((),) * seats,
            bonus=(),
            roll_off=first_roll_off(seats, starting_seat),
        )

    @property
    def round(self) -> int:
        return len(self.sheet) + 1

    @LazyProperty
    def points(self) -> tuple[int, ...]:
        """``[seat]``: the points after the finished rounds."""
        return tuple(map(sum, zip(*self.sheet, strict=True))) or (0,) * self.seats

    @LazyProperty
    def order(self) -> tuple[int, ...]:
        """The seats of this round clockwise from the starting seat."""
        present = turn_order(len(self.hands), self.starting_seat or 0, self.departed)
        if len(self.sheet) < ROUNDS:
            return present
        leaders = self._leaders
        return tuple(seat for seat in present if seat in leaders)

    @property
    def scored(self) -> tuple[int, ...]:
        """``[seat]``: the points of this round, once it is over."""
        return tuple((seat == self.best) + BONUS * (seat in self.bonus) for seat in range(self.seats))

    @property
    def points_now(self) -> tuple[int, ...]:
        """``[seat]``: the points, with this round's once it is over."""
        return self.points if self.best is None else self._after.points

    @property
    def rolls_allowed(self) -> int:
        return self.cap

    @LazyProperty
    def outcome(self) -> Outcome | None:
        if not self.alone and (self.best is None or self.round < ROUNDS):
            return None
        after = self if self.alone else self._after
        if len(after._leaders) > 1:
            return None
        by_points = sorted(range(self.seats), key=lambda seat: -after.points[seat])
        present = (seat for seat in by_points if seat not in self.departed)
        places = groupby(present, key=lambda seat: after.points[seat])
        left = ((seat,) for seat in reversed(self.departed))
        return Outcome(places=(*(tuple(shared) for _, shared in places), *left))

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        return self.outcome.places if self.outcome else ()

    @property
    def _after(self) -> TenRounds:
        return replace(self, sheet=(*self.sheet, self.scored))

    @property
    def _leaders(self) -> tuple[int, ...]:
        """The seats with the most points after the finished rounds, without seats that left."""
        present = [seat for seat in range(self.seats) if seat not in self.departed]
        most = max(self.points[seat] for seat in present)
        return tuple([seat for seat in present if self.points[seat] == most])

    def _rolled(self, hands: tuple[Faces, ...]) -> TenRounds:
        seat = self.order[self.turns]
        at_once = not self.rolls and rank(hands[seat]).name == "4-2-1"
        return super(TenRounds, replace(self, bonus=(*self.bonus, seat)) if at_once else self)._rolled(hands)

    def _turn_ended(self) -> TenRounds:
        return replace(self, turns=self.turns + 1, rolls=0, cap=self.cap if self.turns else self.rolls)._settled()

    def _settled(self) -> TenRounds:
        if self.turns < len(self.order):
            return self
        tied = self._tied(self.order)
        if len(tied) > 1:
            return replace(self, roll_off=RollOff(tied, len(DICE)))
        return replace(self, best=tied[0])

    def without(self, seat: int) -> TenRounds:
        """Points and other hands stay. If no later seat has ended a turn, the next one begins with all its rolls."""
        if self.to_act is None:
            return self.next_round().without(seat)
        check_remains(self, seat)
        dropped = self._dropped(seat)
        bonus = tuple(other for other in self.bonus if other != seat and not dropped.alone)
        dropped = replace(dropped, bonus=bonus, cap=self.cap if dropped.turns else ROLLS)
        if dropped.alone:
            return dropped
        if self.roll_off:
            return dropped._decided(self.roll_off.without(seat, *self._sought))
        return dropped._settled()

    def _rolled_off(self, seat: int) -> TenRounds:
        return replace(self, best=seat)

    def next_round(self) -> TenRounds:
        """The start passes clockwise to the next seat in the round."""
        check_next_round(self)
        assert self.starting_seat is not None
        cleared = TenRounds(
            sheet=(*self.sheet, self.scored),
            starting_seat=(self.starting_seat + 1) % self.seats,
            hands=((),) * self.seats,
            bonus=(),
            departed=self.departed,
        )
        return replace(cleared, starting_seat=cleared.order[0])

    # -- display -----------------------------------------------------------------------------------------------------

    def caption(self) -> str:
        if self.starting_seat is None:
            return "Who starts? One die each, the highest"
        number = f"Round {self.round} of {ROUNDS}" if self.round <= ROUNDS else f"Extra round {self.round - ROUNDS}"
        roll = "" if self.to_act is None or self.roll_off else f" · roll {self.rolls + 1} of {self.cap}"
        return number + roll

    def standing(self, seat: int) -> Standing:
        counted_now = self._after if self.outcome and not self.alone else self
        sheet = " ".join(str(scored[seat] or "·") for scored in counted_now.sheet)
        score = pluralize(counted_now.points[seat], "point", "points")
        if seat not in self.order:
            return Standing((), "", "left" if seat in self.departed else "out", playing=False, score=score, sheet=sheet)
        hand = self.hand(seat)
        gained = self.scored[seat] if self.best is not None else 0
        note = self._note(seat, f"+{gained}" if gained else "")
        made = rank(hand).name if len(hand) == len(DICE) else ""
        return Standing(hand, made, note, playing=True, score=score, sheet=sheet)

    def meter(self, seat: int, hand: Faces) -> Meter:
        made = rank(hand).name if len(hand) == len(DICE) and 0 not in hand else ""
        best = self._to_beat(seat)
        to_beat = f"to beat: {rank(best).name}" if best else ""
        return Meter(place(hand), HANDS, made, least=place(best), least_label=to_beat)

    def _to_beat(self, seat: int) -> Faces:
        """Return the others' best hand; empty while there is none."""
        return max(self.others(seat), key=place)

    def _word(self, hand: Faces) -> str:
        assert self.to_act is not None
        best = place(self._to_beat(self.to_act))
        takes_lead = 0 < best < place(hand) and place(self.hands[self.to_act]) <= best
        return ", in the lead." if takes_lead and not is_421(hand) else super()._word(hand)

    @property
    def _tie(self) -> str:
        return "the best gets the point"

    def _made(self, hand: Faces) -> str:
        made = rank(hand).name
        at_once = made == "4-2-1" and not self.rolls and not self.roll_off
        return f"{made} at once, {BONUS} points" if at_once else made

    def report(self, names: Sequence[str]) -> Report:
        check_round_over(self)
        if self.best is None:
            name = names[self.order[0]]
            return Report(name_and_verb(name, "wins", "win"), self.order[0], name_and_verb(name, "stays", "stay"))
        name = names[self.best]
        hand = sentence_case(f"{possessive(name)} hand: {rank(self.hands[self.best]).name}")
        if self.outcome:
            (winner,) = self.outcome.places[0]
            return Report(f"{name_and_verb(names[winner], 'wins', 'win')}{self._score}", self.best, hand)
        gained = f"{1 + BONUS} points" if self.best in self.bonus else "the point"
        others = "".join(f", {names[seat]} {BONUS} for 4-2-1 at once" for seat in self.bonus if seat != self.best)
        playing_on = self.next_round().order
        tied = join_words(names[seat] for seat in sorted(playing_on)) if len(playing_on) < len(self.order) else ""
        play_on = f". {tied} are tied and play on" if tied else ""
        return Report(name_and_verb(name, f"gets {gained}", f"get {gained}") + others + play_on, self.best, hand)

    @property
    def _score(self) -> str:
        """The final points after "Ann wins": ", 6 to 4", " with 5 points" among three or more."""
        most, *others = sorted(self.points_now, reverse=True)
        return f", {most} to {others[0]}" if len(others) == 1 else f" with {most} points"

    def to_text(self) -> str:
        """Return the state as one line of text: hands, points of every finished round, then the roll.

        ``+`` marks the points of the round in progress, ``=`` the dice of a roll-off.

        >>> from fourtwenty.games.game import Roll, Stand
        >>> TenRounds.start(2, starting_seat=0).apply(Roll(DICE), (4, 2, 1)).apply(Stand(), ()).to_text()
        '*421+2 >- roll 1 of 1'
        """
        roll = f"roll {self.rolls + 1} of {self.cap}"
        return format_position(self, (), self._format_seat, roll, format_left=self._format_points)

    def _format_seat(self, seat: int) -> str:
        gained = f"+{self.scored[seat]}" if self.scored[seat] else ""
        return f"{digits(self.hands[seat])}{gained}{self._tie_text(seat)}{self._format_points(seat)}"

    def _format_points(self, seat: int) -> str:
        points = "".join(str(scored[seat]) for scored in self.sheet)
        return f"{points and ':'}{points}"

    @classmethod
    def read(cls, text: str) -> TenRounds:
        """Return the state of a ``to_text`` line. Raises ValueError with a sentence for others.

        >>> TenRounds.read("*421:0130 >-:1001 roll 1 of 2").points
        (4, 2)
        """
        return read_position(text, FORM, cls._of)

    @classmethod
    def _of(cls, parsed: ParsedPosition) -> TenRounds | None:
        points = [seat["points"] or seat["left_points"] for seat in parsed.seats]
        if len(set(map(len, points))) > 1:
            return None
        start = replace(
            cls.start(len(points), parsed.marked("starts")),
            sheet=tuple(tuple(map(int, scored)) for scored in zip(*points, strict=True)),
            departed=parsed.numbered("left"),
        )
        if not start._sheet_possible():
            return None
        gained = [int(seat["gained"] or 0) for seat in parsed.seats]
        bonus = () if start.alone else tuple(seat for seat in start.order if gained[seat] >= BONUS)
        state = replace(start, cap=int(parsed.fields["cap"]), bonus=bonus)._with_hands(parsed)
        return state if state and state._bonus_possible() else None

    def _decided_by(self, seat: dict[str, str]) -> bool:
        return int(seat["gained"] or 0) % 2 == 1

    def _bonus_possible(self) -> bool:
        """Return whether this round allows these rolls and bonuses; after several rolls a bonus is unknown."""
        for turn, seat in enumerate(self.order):
            rolled_once = self.cap == 1 if turn < self.turns else turn == self.turns and self.rolls == 1
            if rolled_once or not self.hands[seat]:
                at_once = rolled_once and rank(self.hands[seat]).name == "4-2-1"
                if at_once != (seat in self.bonus):
                    return False
        return self.turns > 0 or self.cap == ROLLS

    def _sheet_possible(self) -> bool:
        """Return whether a round can begin after this sheet."""
        if len(self.departed) == self.seats:
            return False
        for finished, scored in enumerate(self.sheet):
            playing = replace(self, sheet=self.sheet[:finished]).order
            scorers = {seat for seat, points in enumerate(scored) if points}
            if sum(points % 2 for points in scored) != 1 or not scorers <= {*playing, *self.departed}:
                return False
        if self.starting_seat is None:
            return not self.sheet
        return self.starting_seat in self.order and (len(self.order) > 1 or self.alone)


GAME = Game(
    key=TenRounds.key,
    name="Four Twenty-One",
    credit="a bar game\nin ten rounds",
    tagline="three dice, a point a round",
    summary="The best hand of a round gets a point; most points after ten rounds win.",
    is_winning=is_421,
    is_near_miss=lambda _: False,
    chance_text="to get the point",
    last_die_text=STAKE,
    guide=Guide(
        "Hands, the best first",
        (
            ("4 2 1", f"+{BONUS} on the first roll"),
            ("Triple", "6 6 6 down to 1 1 1"),
            ("Double", "6 6 5 down to 1 1 2"),
            ("Unmatched", "highest die counts"),
        ),
    ),
    tips=(
        STAND_TIP,
        Tip(
            "ten-rounds.limit",
            "Nobody may roll more often than the first player of the round did.",
            available=lambda state: state.turns > 0 and not state.rolls,
            done=lambda _, action: isinstance(action, Roll),
            only_after_tip=True,
        ),
    ),
    result_verbs=("wins", "comes last"),
    tally=("win", "wins"),
    glass="",
    counts_last_place=False,
    hand_size=len(DICE),
    logo_hand=(4, 2, 1),
    draws_start=False,
    start=TenRounds.start,
    parse=TenRounds.read,
)
