"""Implements the rules of 421, the bar game with 21 tokens, as docs/rulings.md reads them. No randomness."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from fourtwenty.games.english import (
    in_words,
    join_words,
    mid_sentence,
    name_and_verb,
    pluralize,
    possessive,
    sentence_case,
)
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
from fourtwenty.games.notation import COUNT_FORM, Form, ParsedPosition, digits, format_position, read_position
from fourtwenty.games.roll_off import RollOff
from fourtwenty.games.three_rolls import DICE, ROLLS, STAKE, STAND_TIP, ThreeDice, first_roll_off, is_421

TOKENS = 21
"""The number of tokens in a match."""

TOKENS_A_ROUND = 4
"""The tokens that a round of the charge takes, about."""

FORM = Form(
    r"(?P<hand>-|[1-6]{3})(?P<settled>[sw]?)(=(?P<thrown>-|[1-6]|[1-6]{3}))?:(?P<tokens>[0-9]{1,2})",
    f"(pot (?P<pot>{COUNT_FORM}) )?round (?P<round>{COUNT_FORM}) roll (?P<roll>[1-3])( (?P<back>reversed))?",
    "*665:3 421:6 >-:0 pot 12 round 3 roll 1",
)


class Bar421Rank(NamedTuple):
    """The strength of a hand (docs/rulings.md, 421, "hands"); only equal faces rank equally."""

    strength: tuple[int, ...]
    name: str
    tokens: int
    """The number of tokens that the hand moves."""


@cache
def rank(hand: Faces) -> Bar421Rank:
    """Return the rank of three faces in any order.

    >>> rank((6, 3, 6))
    Bar421Rank(strength=(4, 3, 6), name='Two alike', tokens=3)
    """
    low, middle, high = sorted(hand)
    if (low, middle, high) == (1, 2, 4):
        return Bar421Rank((6,), "421", 10)
    if low == high:
        return Bar421Rank((5,), "Triple 1", 7) if low == 1 else Bar421Rank((3, low), "Barracks", low)
    if (low, middle, high) == (1, 1, 2):
        return Bar421Rank((0,), "Nenette", 2)
    if middle in (low, high):
        odd = high if middle == low else low
        return Bar421Rank((4, odd, middle), "Two alike", odd)
    if high - low == 2:
        return Bar421Rank((2, high), "Sequence", 2)
    return Bar421Rank((1, sum(hand), high, middle), "Other", 1)


MAX_NAMED = 3
"""The most names in the sentence about seats that are safe together; more are counted."""


class Bar421(ThreeDice, frozen=True, kw_only=True):
    """The state of a match of 421. Seats roll off for the start, the strongest or the weakest."""

    key: ClassVar[str] = "421"
    rank = staticmethod(rank)

    tokens: tuple[int, ...]
    """``[seat]``: the tokens of each seat; 0 once it has left."""
    pot: int
    """The tokens in the pot. The discharge begins when it is empty."""
    round: int
    """The number of the round, from 1; the discharge continues the count."""
    clockwise: bool
    """The direction of play; it changes with every seat that is safe in the discharge."""
    out: tuple[int, ...]
    """Safe seats, earliest first; seats that were safe together in ascending order."""
    strongest: int | None = None
    """The seat with the best hand, once settled; None in the charge."""
    weakest: int | None = None
    """The seat with the worst hand, once settled: the round is over."""
    together: int = 1
    """The number of first seats in ``out`` that were safe together: above one only after the charge."""

    @classmethod
    def start(cls, seats: int, starting_seat: int | None) -> Bar421:
        """Return the first state of a match. Raises ValueError as ``Game.start``."""
        return cls(
            tokens=(0,) * seats,
            pot=TOKENS,
            round=1,
            starting_seat=starting_seat,
            clockwise=True,
            out=(),
            hands=((),) * seats,
            roll_off=first_roll_off(seats, starting_seat),
        )

    @property
    def in_play(self) -> int:
        """The number of tokens in play; seats that left hold none."""
        return sum(self.tokens) + self.pot

    @property
    def charging(self) -> bool:
        """True in the charge, while the pot has tokens; False in the discharge."""
        return self.pot > 0

    @LazyProperty
    def order(self) -> tuple[int, ...]:
        out = self.out + self.departed
        return turn_order(len(self.hands), self.starting_seat or 0, out, 1 if self.clockwise else -1)

    @property
    def rolls_allowed(self) -> int:
        return 1 if self.charging else ROLLS

    @property
    def automatic(self) -> int:
        return -(-self.pot // TOKENS_A_ROUND)

    @property
    def moved(self) -> int:
        """The number of tokens that move at the end of the round (docs/rulings.md, 421, "charge" and "discharge")."""
        worth = rank(max(filter(None, self.hands), key=rank)).tokens
        return min(worth, self.pot if self.strongest is None else self.tokens[self.strongest])

    @LazyProperty
    def outcome(self) -> Outcome | None:
        if self.weakest is None and not self.alone:
            return None
        left = tuple((seat,) for seat in reversed(self.departed))
        if self.weakest is None:
            return Outcome(places=(*self._safe, self.order, *left))
        if self._paid.tokens[self.weakest] < self.in_play:
            return None
        others = tuple(sorted(seat for seat in self.order if seat != self.weakest))
        return Outcome(places=(*self._safe, others, (self.weakest,), *left))

    @property
    def places(self) -> tuple[tuple[int, ...], ...]:
        if self.outcome:
            return self.outcome.places
        return self._safe if self.weakest is None else self.next_round()._safe

    @property
    def _safe(self) -> tuple[tuple[int, ...], ...]:
        """The seats that are safe, earliest first; a tuple became safe together."""
        if not self.out:
            return ()
        return (self.out[: self.together], *((seat,) for seat in self.out[self.together :]))

    def without(self, seat: int) -> Bar421:
        """The tokens go with the seat; the round goes on."""
        if self.to_act is None:
            return self.next_round().without(seat)
        check_remains(self, seat)
        tokens = (*self.tokens[:seat], 0, *self.tokens[seat + 1 :])
        dropped = replace(self._dropped(seat), tokens=tokens)
        if dropped.alone:
            return replace(dropped, strongest=None)._cleared(dropped.starting_seat)
        if seat == self.strongest:
            again = replace(dropped, strongest=None, roll_off=None)._settled()
            return again if again.strongest is None else replace(again, roll_off=self.roll_off)
        if self.roll_off:
            return dropped._decided(self.roll_off.without(seat, *self._sought))
        return dropped._settled()

    def _settled(self) -> Bar421:
        if self.turns < len(self.order):
            return self
        if self.strongest is None and not self.charging:
            tied = self._tied(self.order)
            if len(tied) == 1:
                return replace(self, strongest=tied[0])._settled()
        else:
            tied = self._tied([seat for seat in self.order if seat != self.strongest], lowest=True)
            if len(tied) == 1:
                return replace(self, weakest=tied[0])
        return replace(self, roll_off=RollOff(tied, len(DICE)))

    def _rolled_off(self, seat: int) -> Bar421:
        return replace(self, weakest=seat) if self._seeks_weakest else replace(self, strongest=seat)._settled()

    def next_round(self) -> Bar421:
        """Seats without tokens are out, and the weakest seat starts."""
        check_next_round(self)
        assert self.weakest is not None
        paid = self._paid
        safe = () if paid.charging else tuple(sorted(seat for seat in self.order if not paid.tokens[seat]))
        return Bar421(
            tokens=paid.tokens,
            pot=paid.pot,
            round=self.round + 1,
            starting_seat=self.weakest,
            clockwise=self.clockwise if self.charging or not safe else not self.clockwise,
            out=(*self.out, *safe),
            hands=((),) * self.seats,
            together=self.together if self.out else max(1, len(safe)),
            departed=self.departed,
        )

    @LazyProperty
    def _paid(self) -> Bar421:
        return self._with_moved(self.moved)

    def _with_moved(self, moved: int) -> Bar421:
        """Return the state once some of the round's tokens have moved."""
        assert self.weakest is not None
        tokens = list(self.tokens)
        tokens[self.weakest] += moved
        if self.strongest is None:
            return replace(self, tokens=tuple(tokens), pot=self.pot - moved)
        tokens[self.strongest] -= moved
        return replace(self, tokens=tuple(tokens))

    @property
    def transfer(self) -> tuple[Bar421, ...]:
        if self.weakest is None:
            return ()
        return tuple(replace(self._with_moved(moved), weakest=None) for moved in range(self.moved))

    # -- display -----------------------------------------------------------------------------------------------------

    def caption(self) -> str:
        if self.starting_seat is None:
            return "Who starts? One die each, the highest"
        if self.charging:
            return f"Charge · round {self.round} · pot {self._now.pot}"
        roll = "" if self.to_act is None or self.roll_off else f" · roll {self.rolls + 1} of {ROLLS}"
        return f"Discharge · round {self.round}{roll}{'' if self.clockwise else ' · play reversed'}"

    def standing(self, seat: int) -> Standing:
        if seat in self.out:
            return Standing((), "", "safe", playing=False)
        if seat in self.departed:
            return Standing((), "", "left", playing=False)
        hand = self.hand(seat)
        note = self._note(seat, {self.strongest: "strongest", self.weakest: "weakest"}.get(seat, ""))
        worth = self._made(hand) if len(hand) == len(DICE) else ""
        return Standing(hand, worth, note, playing=True, score=_tokens(self._now.tokens[seat]))

    def meter(self, seat: int, hand: Faces) -> Meter:  # noqa: ARG002 - it is about the tokens
        tokens = self._now.tokens[seat]
        return Meter(tokens, TOKENS, str(tokens), of_tally=True)

    @property
    def pot_meter(self) -> Meter | None:
        in_charge = self.charging and self.starting_seat is not None
        pot = self._now.pot
        return Meter(pot, TOKENS, f"{pot} in the pot", of_tally=True) if in_charge else None

    @property
    def _now(self) -> Bar421:
        """This state, at the end of a round once its tokens have moved."""
        return self if self.weakest is None else self._paid

    @property
    def _tie(self) -> str:
        return f"the {'weakest takes' if self._seeks_weakest else 'strongest gives'}"

    def _made(self, hand: Faces) -> str:
        ranked = rank(hand)
        return f"{ranked.name}, {ranked.tokens}"

    def report(self, names: Sequence[str]) -> Report:
        check_round_over(self)
        ended = ""
        if self.outcome:
            (last,) = self.outcome.places[-1]
            ended = name_and_verb(names[last], "picks up the tab", "pick up the tab")
        if self.weakest is None:
            return Report(ended, self.order[0], name_and_verb(names[self.order[0]], "stays", "stay"))
        best = self.strongest if self.strongest is not None else self._tied(self.order)[0]
        hand = sentence_case(f"{possessive(names[best])} hand: {_worth(self.hands[best])}")
        if ended:
            return Report(ended, best, hand)
        loser = names[self.weakest]
        last_ones = self.moved == (self.pot if self.strongest is None else self.tokens[self.strongest])
        moved = f"the last {_tokens(self.moved).removeprefix('1 ')}" if last_ones else _tokens(self.moved)
        giver = "the pot" if self.strongest is None else names[self.strongest]
        if self.strongest is not None and last_ones:
            given = f"{mid_sentence(loser)} {moved} and"
            return Report(name_and_verb(giver, f"gives {given} is safe", f"give {given} are safe"), best, hand)
        took = f" from {mid_sentence(giver)}"
        safe = [names[seat] for seat in self.next_round().out] if self.charging and last_ones else []
        out = ""
        if safe:
            named = join_words(safe) if len(safe) <= MAX_NAMED else sentence_case(in_words(len(safe)))
            out = f". {name_and_verb(named, 'is safe' if len(safe) == 1 else 'are safe', 'are safe')}"
        return Report(name_and_verb(loser, f"takes {moved}", f"take {moved}") + took + out, best, hand)

    @property
    def _seeks_weakest(self) -> bool:
        return self.charging or self.strongest is not None

    def to_text(self) -> str:
        """Return the state as one line of text: hands and tokens, then the pot, the round and the roll.

        ``s`` marks the strongest hand of the round, ``w`` the weakest, ``=`` the dice of a roll-off.

        >>> from fourtwenty.games.game import Roll
        >>> Bar421.start(2, starting_seat=0).apply(Roll(DICE), (6, 6, 5)).to_text()
        '*665:0 >-:0 pot 21 round 1 roll 1'
        """
        pot = f"pot {self.pot} " if self.charging else ""
        back = "" if self.clockwise else " reversed"
        return format_position(
            self, self.out, self._format_seat, f"{pot}round {self.round} roll {self.rolls + 1}{back}", self.together
        )

    def _format_seat(self, seat: int) -> str:
        rank_settled = "s" * (seat == self.strongest) + "w" * (seat == self.weakest)
        return f"{digits(self.hands[seat])}{rank_settled}{self._tie_text(seat)}:{self.tokens[seat]}"

    @classmethod
    def read(cls, text: str) -> Bar421:
        """Return the state of a ``to_text`` line. Raises ValueError with a sentence for others."""
        return read_position(text, FORM, cls._of)

    @classmethod
    def _of(cls, parsed: ParsedPosition) -> Bar421 | None:
        out = parsed.numbered("out")
        state = replace(
            cls.start(len(parsed.seats), parsed.marked("starts")),
            tokens=tuple(int(seat["tokens"] or 0) for seat in parsed.seats),
            pot=int(parsed.fields["pot"] or 0),
            round=int(parsed.fields["round"]),
            clockwise=not parsed.fields["back"],
            out=out,
            together=max(1, sum(seat["out"] == "1" for seat in parsed.seats)),
            departed=parsed.numbered("left"),
        )
        return state._with_hands(parsed) if state._possible() else None

    def _possible(self) -> bool:
        """Return whether a match comes to the beginning of this round."""
        full, begins = self.pot == TOKENS, self.round == 1
        holders = [seat for seat in self.order if self.tokens[seat]]
        turned = len(self.out) - self.together
        return (
            (begins if self.starting_seat is None else self.starting_seat in self.order)
            and (self.in_play == TOKENS or (self.in_play < TOKENS and bool(self.departed)))
            and (begins == full or (full and bool(self.departed)))
            and (bool(self.departed) or not (self.charging and self.out))
            and (len(holders) == len(self.order) or (self.charging and not self.out))
            and (self.alone or self.in_play not in self.tokens)
            and (self.clockwise or bool(self.out))
            and (self.together == 1 or self.clockwise != bool(turned % 2))
        )

    def _decided_by(self, seat: dict[str, str]) -> bool:
        return seat["settled"] == ("w" if self._seeks_weakest else "s")


def _tokens(count: int) -> str:
    return pluralize(count, "token", "tokens") if count else "no tokens"


def _worth(hand: Faces) -> str:
    ranked = rank(hand)
    return f"{ranked.name}, worth {ranked.tokens}"


GAME = Game(
    key=Bar421.key,
    name="421",
    credit="the bar game\nwith 21 tokens",
    tagline="three dice, 4-2-1 is best",
    summary="Get rid of your tokens; who holds all 21 picks up the tab.",
    is_winning=is_421,
    is_near_miss=lambda _: False,
    chance_text="to be strongest",
    last_die_text=STAKE,
    guide=Guide(
        "Hands, the best first",
        (
            ("4 2 1", f"{rank((4, 2, 1)).tokens} tokens"),
            ("1 1 1", f"{rank((1, 1, 1)).tokens} tokens"),
            ("Two alike", "the odd die"),
            ("Barracks, 6 to 2", "the face"),
            ("Sequence", f"{rank((6, 5, 4)).tokens} tokens"),
            ("Other", f"{rank((6, 5, 3)).tokens} token"),
            ("Nenette, 1 1 2", f"{rank((1, 1, 2)).tokens} tokens"),
        ),
    ),
    tips=(
        Tip(
            "421.discharge",
            "The best hand gives its tokens to the worst: lose yours to be safe.",
            available=lambda state: not state.charging and not state.rolls,
            done=lambda _, action: isinstance(action, Roll),
            only_after_tip=True,
        ),
        STAND_TIP,
    ),
    result_verbs=("is safe first", "picks up the tab"),
    tally=("tab", "tabs"),
    glass="",
    counts_last_place=True,
    hand_size=len(DICE),
    logo_hand=(4, 2, 1),
    draws_start=False,
    start=Bar421.start,
    parse=Bar421.read,
)
