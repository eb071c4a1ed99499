"""Implements 420, designed by Mark Steere (marksteeregames.com), as docs/rulings.md reads its rules. No randomness."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.english import dice_in_words, join_faces, name_and_verb, possessive, sentence_case
from fourtwenty.games.game import (
    LEAVE_IS_NOT_A_TURN,
    Action,
    Faces,
    Game,
    Guide,
    IllegalAction,
    InvalidAction,
    LazyProperty,
    Leave,
    Meter,
    Outcome,
    Report,
    Roll,
    Standing,
    Tip,
    check_faces,
    check_next_round,
    check_remains,
    check_round_over,
    check_seat,
    check_seats,
    roll_in_words,
    rolled,
    turn_order,
)
from fourtwenty.games.notation import COUNT_FORM, Form, ParsedPosition, digits, format_position, read_position

GOAL = 20

DICE = (1, 2, 3, 4)

MIN_KEPT_TOTAL = {1: 15, 2: 10, 3: 5, 4: 0}
"""``[number of dice thrown]``: the least total of the kept dice (rule sheet, "Reroll restrictions")."""

WORDS = {GOAL - 1: ", one away.", GOAL: "! Out and safe.", GOAL + 1: ", one too many."}
"""``[total]``: how the sentence about a roll ends."""

ROLL_ALL = Roll(DICE)
"""The only legal action in a first roll and in a reset."""

POSSIBLE_ROLLS = tuple(Roll(dice) for size in MIN_KEPT_TOTAL for dice in combinations(DICE, size))
"""Every roll that some hand may make, rolls of one die first."""

FORM = Form(r"(?P<hand>-|[1-6]{4})", f"roll (?P<roll>{COUNT_FORM})", "*6551 >4332 x1 roll 2")


class FourTwenty(Struct, frozen=True, dict=True):
    """The state of a match of 420.

    >>> state = FourTwenty.start(2, starting_seat=0).apply(ROLL_ALL, (6, 5, 5, 1)).apply(ROLL_ALL, (4, 3, 3, 2))
    >>> state.check(Roll((1, 2, 3)))
    '1 is not enough. You need at least 5 to keep one die.'
    >>> state.apply(Roll((4,)), (4,)).winner
    0
    """

    key: ClassVar[str] = "420"
    hands: tuple[Faces, ...]
    """``[seat]``: the hands of this round, empty before a first roll."""
    out: tuple[int, ...]
    """The winners of the earlier rounds, in order."""
    starting_seat: int
    """The seat that acts first in this round, Player 1."""
    rolls: int
    """The number of rolls in this round by all seats that have not left."""
    departed: tuple[int, ...] = ()

    @classmethod
    def start(cls, seats: int, starting_seat: int | None) -> FourTwenty:
        """Return the first state of a match. Raises ValueError as ``Game.start``."""
        check_seats(seats)
        if starting_seat is None:
            raise ValueError("420 draws its first seat by lot: pass it as starting_seat.")
        check_seat(starting_seat, seats)
        return cls(hands=((),) * seats, out=(), starting_seat=starting_seat, rolls=0)

    @classmethod
    def from_hands(cls, hands: Sequence[Faces]) -> FourTwenty:
        """Return a state with these hands in turn order, the first to act; empty before a hand's first roll.

        Raises ValueError with a sentence for fewer than two hands, for one that four dice cannot show, and for a 20.

        >>> FourTwenty.from_hands([(6, 5, 5, 1), ()]).to_act
        0
        """
        check_seats(len(hands))
        for hand in filter(None, hands):
            check_faces(hand, len(DICE))
            if sum(hand) == GOAL:
                raise ValueError(f"{join_faces(hand)} is 20: the round is over")
        return cls(hands=tuple(hands), out=(), starting_seat=0, rolls=len(hands))

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def round(self) -> int:
        return len(self.out) + 1

    @LazyProperty
    def order(self) -> tuple[int, ...]:
        """The seats of this round clockwise from Player 1."""
        return turn_order(len(self.hands), self.starting_seat, self.out + self.departed)

    @property
    def remaining(self) -> tuple[int, ...]:
        return tuple(sorted(self.order))

    @LazyProperty
    def winner(self) -> int | None:
        """The seat whose hand totals 20; None while the round goes on."""
        for seat in self.order:
            if sum(self.hands[seat]) == GOAL:
                return seat
        return None

    @LazyProperty
    def to_act(self) -> int | None:
        order = self.order
        if self.winner is not None or len(order) == 1:
            return None
        return order[self.rolls % len(order)]

    @property
    def roll(self) -> int:
        """The number of the roll, from 1: the next of the seat to act, or the winner's last."""
        made = self.rolls if self.winner is None else self.rolls - 1
        return made // len(self.order) + 1

    @LazyProperty
    def outcome(self) -> Outcome | None:
        if self.to_act is not None or len(self.order) > 2:
            return None
        last = tuple(seat for seat in self.order if seat != self.winner)
        got_out = self.out if self.winner is None else (*self.out, self.winner)
        return Outcome(places=tuple((seat,) for seat in (*got_out, *last, *reversed(self.departed))))

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        won = self.out if self.winner is None else (*self.out, self.winner)
        return self.outcome.places if self.outcome else tuple((seat,) for seat in won)

    @property
    def automatic(self) -> int:
        return 0

    @property
    def transfer(self) -> tuple[FourTwenty, ...]:
        return ()

    @property
    def pot_meter(self) -> None:
        return None

    @LazyProperty
    def actions(self) -> tuple[Roll, ...]:
        return () if self.to_act is None else _legal_rolls(self.hands[self.to_act])

    def hand(self, seat: int) -> Faces:
        check_seat(seat, self.seats)
        return self.hands[seat]

    def check(self, action: Action) -> str | None:
        if action in self.actions:
            return None
        if self.to_act is None:
            return "The round is over."
        if isinstance(action, Leave):
            return LEAVE_IS_NOT_A_TURN
        if not isinstance(action, Roll):
            return "You can't pass in 420: every turn is a roll."
        if action.dice[-1] > len(DICE):
            return f"There is no die {action.dice[-1]}: a hand has four."
        return _refusal(self.hands[self.to_act], action.dice)

    def apply(self, action: Action, faces: Faces) -> FourTwenty:
        refusal = self.check(action)
        if refusal:
            raise IllegalAction(refusal)
        assert isinstance(action, Roll)
        assert self.to_act is not None
        hands = list(self.hands)
        hands[self.to_act] = rolled(hands[self.to_act], action, faces)
        return FourTwenty(tuple(hands), self.out, self.starting_seat, self.rolls + 1, self.departed)

    def without(self, seat: int) -> FourTwenty:
        """The others keep their hands."""
        if self.to_act is None:
            return self.next_round().without(seat)
        check_remains(self, seat)
        others = tuple(other for other in self.order if other != seat)
        laps, turn = divmod(self.rolls, len(self.order))
        rolls = laps * len(others) + turn - (self.order.index(seat) < turn)
        hands = tuple(() if other == seat else hand for other, hand in enumerate(self.hands))
        if len(others) == 1:
            hands, rolls = ((),) * self.seats, 0
        return FourTwenty(hands, self.out, others[0], rolls, (*self.departed, seat))

    def next_round(self) -> FourTwenty:
        """The winner is out, and the next seat that plays on starts (docs/rulings.md, 420, "next round")."""
        check_next_round(self)
        assert self.winner is not None
        return FourTwenty(
            hands=((),) * self.seats,
            out=(*self.out, self.winner),
            starting_seat=next(seat for seat in self.order[1:] if seat != self.winner),
            rolls=0,
            departed=self.departed,
        )

    def caption(self) -> str:
        rounds = len(self.out) + max(1, len(self.order) - 1)
        return f"Round {self.round} of {rounds}"

    def standing(self, seat: int) -> Standing:
        hand = self.hands[seat]
        if seat in self.out:
            return Standing((), "", f"won round {self.out.index(seat) + 1}", playing=False)
        if seat in self.departed:
            return Standing((), "", "left", playing=False)
        if len(self.order) == 1:
            return Standing((), "", "stayed", playing=True)
        total = sum(hand)
        if seat == self.winner:
            return Standing(hand, str(GOAL), f"won round {self.round}", playing=True)
        return Standing(hand, str(total) if hand else "", "over" if total > GOAL else "", playing=True)

    def meter(self, seat: int, hand: Faces) -> Meter:  # noqa: ARG002 - the hand says it all
        total, open_dice = sum(hand), hand.count(0)
        if not total:
            return Meter(0, GOAL, f"Make exactly {GOAL}")
        ending = "!" if total == GOAL else " over" if total > GOAL else " + ?" * open_dice
        return Meter(total, GOAL, f"{total}{ending}", least=MIN_KEPT_TOTAL[open_dice] if open_dice else 0)

    def preview(self, dice: Collection[int]) -> str:
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
            return "Select the dice to roll; keep the others"
        refusal = self.check(Roll(tuple(dice)))
        if refusal:
            return refusal
        kept = _kept(hand, dice)
        if not kept:
            return "Keep nothing: roll all four"
        return f"Keep {join_faces(kept)}, roll {dice_in_words(len(dice))}"

    def describe_roll(self, action: Action, faces: Faces) -> str:
        assert isinstance(action, Roll)
        assert self.to_act is not None
        hand = self.hands[self.to_act]
        total = sum(rolled(hand, action, faces))
        ending = WORDS.get(total, ", over." if total > GOAL else ".")
        if total == GOAL and not hand:
            ending = " at the first roll, 1 in 37!"
        return f"{roll_in_words(hand, action, faces)}: {total}{ending}"

    def report(self, names: Sequence[str]) -> Report:
        check_round_over(self)
        ended = ""
        if self.outcome:
            (last,) = self.outcome.places[-1]
            ended = name_and_verb(names[last], "buys the drinks", "buy the drinks")
        if self.winner is None:
            return Report(ended, self.order[0], name_and_verb(names[self.order[0]], "stays", "stay"))
        name = names[self.winner]
        when = f"roll {self.rolls}" if self.rolls > len(self.order) else "the first roll"
        headline = ended or name_and_verb(name, f"is out on {when}", f"are out on {when}")
        return Report(headline, self.winner, sentence_case(f"{possessive(name)} {GOAL}"))

    def to_text(self) -> str:
        """Return the state as one line of text: the hands, then the number of the roll.

        >>> FourTwenty.start(3, starting_seat=1).apply(ROLL_ALL, (6, 5, 5, 1)).to_text()
        '- *6551 >- roll 1'
        """
        return format_position(self, self.out, lambda seat: digits(self.hands[seat]), f"roll {self.roll}")

    @classmethod
    def read(cls, text: str) -> FourTwenty:
        """Return the state of a ``to_text`` line. Raises ValueError with a sentence for others.

        >>> FourTwenty.read("*6551 >4332 x1 roll 3").rolls
        5
        """
        return read_position(text, FORM, cls._of)

    @classmethod
    def _of(cls, parsed: ParsedPosition) -> FourTwenty | None:
        starting_seat = parsed.marked("starts")
        table = cls(parsed.hands(), parsed.numbered("out"), starting_seat or 0, 0, parsed.numbered("left"))
        if starting_seat not in table.order:
            return None
        if len(table.order) == 1:
            return replace(table, hands=((),) * table.seats) if table.departed else None
        acting = parsed.marked("acts") if table.winner is None else table.winner
        if acting not in table.order:
            return None
        rolls = (int(parsed.fields["roll"]) - 1) * len(table.order) + table.order.index(acting)
        state = replace(table, rolls=rolls + (table.winner is not None))
        rolled = state.order[: state.rolls]
        in_turn = all(bool(hand) == (seat in rolled) for seat, hand in enumerate(state.hands))
        return state if in_turn and sum(sum(hand) == GOAL for hand in state.hands) <= 1 else None


def parse_hand(text: str) -> Faces:
    """Return a hand of four digits from 1 to 6, empty for ``-``. Raises InvalidAction for other text.

    >>> parse_hand("6551")
    (6, 5, 5, 1)
    """
    if text == "-":
        return ()
    if len(text) != len(DICE) or not set(text) <= set("123456"):
        raise InvalidAction(f"{text!r} isn't a hand. Type four dice from 1 to 6, such as 6551 (or - for none yet).")
    return tuple(map(int, text))


def _refusal(hand: Faces, dice: tuple[int, ...]) -> str:
    if not hand:
        return "The first roll takes all four dice."
    if sum(hand) > GOAL:
        return f"{sum(hand)} is over 20: roll all four."
    kept = _kept(hand, dice)
    least = MIN_KEPT_TOTAL[len(dice)]
    total = f"{' + '.join(map(str, kept))} = {sum(kept)}." if len(kept) > 1 else f"{kept[0]} is not enough."
    return f"{total} You need at least {least} to keep {dice_in_words(len(kept))}."


@cache
def _legal_rolls(hand: Faces) -> tuple[Roll, ...]:
    """Return the legal rolls of a hand, in the order of ``POSSIBLE_ROLLS``; 1,297 hands to cache."""
    if not hand or sum(hand) > GOAL:
        return (ROLL_ALL,)
    return tuple([roll for roll in POSSIBLE_ROLLS if sum(_kept(hand, roll.dice)) >= MIN_KEPT_TOTAL[len(roll.dice)]])


def _kept(hand: Faces, thrown: Collection[int]) -> Faces:
    return tuple([face for die, face in zip(DICE, hand, strict=True) if die not in thrown])


GAME = Game(
    key=FourTwenty.key,
    name="420",
    credit="by Mark Steere\nmarksteeregames.com",
    tagline="four dice, exactly 20",
    summary="Roll 20 and you're out; the last one left buys the drinks.",
    is_winning=lambda hand: sum(hand) == GOAL,
    is_near_miss=lambda hand: abs(sum(hand) - GOAL) == 1,
    chance_text="to be out",
    last_die_text="A {face} makes 20!",
    guide=Guide(
        "To keep, you need",
        (
            *(
                (dice_in_words(len(DICE) - thrown), f"{least} or more")
                for thrown, least in MIN_KEPT_TOTAL.items()
                if least
            ),
            (f"over {GOAL}", "roll all four"),
        ),
    ),
    tips=(
        Tip(
            "420.keep",
            "Keep enough: one die 5, two dice 10, three dice 15.",
            available=lambda state: len(state.actions) > 1,
            done=lambda _, action: isinstance(action, Roll) and len(action.dice) < len(DICE),
            only_after_tip=True,
        ),
        Tip(
            "420.over",
            f"Over {GOAL} nothing can be kept: Enter rolls all four dice.",
            available=lambda state: state.to_act is not None and sum(state.hand(state.to_act)) > GOAL,
            done=lambda _, action: action == ROLL_ALL,
            only_after_tip=True,
        ),
    ),
    result_verbs=("wins the first round", "buys the drinks"),
    tally=("drink", "drinks"),
    glass="▕▆▏",
    counts_last_place=True,
    hand_size=len(DICE),
    logo_hand=(6, 5, 5, 4),
    draws_start=True,
    start=FourTwenty.start,
    parse=FourTwenty.read,
)
