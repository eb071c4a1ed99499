"""Fair dice: a pure function of the seed, uniform, independent; and the scripted ones."""

from __future__ import annotations

import hmac
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from math import erfc, exp, pi, sqrt

import pytest
from hypothesis import given, strategies as st

from fourtwenty.play.dice import FairDice, ScriptedDice, match_context, parse_seed

SEED = sha256(b"420").digest()
throws = st.tuples(st.integers(0, 300), st.integers(1, 10_000))


@pytest.mark.parametrize(
    "throws", [25_000, pytest.param(250_000, marks=pytest.mark.long("fourtwenty/play/dice.py"), id="a million faces")]
)
def test_faces_are_uniform_at_every_place_and_from_one_to_the_next(throws: int) -> None:
    dice = FairDice(SEED)
    counts = [[0] * 6 for _ in range(4)]
    pairs: Counter[tuple[int, int]] = Counter()
    for throw in range(1, throws + 1):
        faces = dice.throw(throw % 7, throw, (1, 2, 3, 4))
        for place, face in enumerate(faces):
            counts[place][face - 1] += 1
        pairs.update(pairwise(faces))
    for count in counts:
        assert upper_tail_5(chi_square(count, throws / 6)) > 0.001
    every_face = [sum(place[face] for place in counts) for face in range(6)]
    assert upper_tail_5(chi_square(every_face, 4 * throws / 6)) > 0.001
    excess = chi_square([pairs[a, b] for a in range(1, 7) for b in range(1, 7)], 3 * throws / 36) - 35
    assert excess < 4 * sqrt(2 * 35), "four standard deviations of chi-square with 35 degrees of freedom"


def chi_square(counts: list[int], expected: float) -> float:
    return sum((count - expected) ** 2 for count in counts) / expected


def upper_tail_5(x: float) -> float:
    """The chance that chi-square with five degrees of freedom exceeds x (Abramowitz and Stegun, 26.4.4)."""
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * (1 + x / 3)


def test_the_upper_tail_of_the_textbooks() -> None:
    assert upper_tail_5(11.0705) == pytest.approx(0.05, abs=1e-5)
    assert upper_tail_5(20.515) == pytest.approx(0.001, abs=1e-6)


@given(st.lists(st.tuples(throws, st.integers(1, 4)), unique=True, min_size=2), st.randoms(use_true_random=False))
def test_faces_do_not_depend_on_the_order_of_asking(
    asked: list[tuple[tuple[int, int], int]], chance: st.DrawFn
) -> None:
    shuffled = asked.copy()
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = FairDice(SEED), FairDice(SEED)
    in_order = {(at, die): one.throw(*at, (die,)) for at, die in asked}
    assert {(at, die): other.throw(*at, (die,)) for at, die in shuffled} == in_order


def test_a_face_by_hand() -> None:
    """The formula of the docstring, in the checker's own words: 2**256 is 4 more than a multiple of 6."""
    number = int.from_bytes(hmac.new(SEED, b"face 1 3 2 0", sha256).digest(), "big")
    assert number < 2**256 - 4
    assert FairDice(SEED).throw(seat=1, throw=3, dice=(2,)) == (number % 6 + 1,)


def test_the_commitment_is_the_sha_256_of_the_seed() -> None:
    assert FairDice(b"\0" * 32).commitment == sha256(b"\0" * 32).hexdigest()


def test_a_face_in_a_match_by_hand() -> None:
    """The faces as docs/fair-dice.md has them: the key is the HMAC of the match's context."""
    context = b'["00ff", "420", [{"name": "Zo\\u00eb", "kind": "human"}, {"name": "Bob", "kind": "bot"}]]'
    assert match_context("00ff", "420", [("Zoë", "human"), ("Bob", "bot")]) == context
    key = hmac.new(SEED, context, sha256).digest()
    dice = FairDice(SEED).with_context(context)
    assert dice.throw(seat=1, throw=3, dice=(2,)) == FairDice(key).throw(seat=1, throw=3, dice=(2,))
    assert dice.draw(5) == FairDice(key).draw(5)
    assert (dice.seed, dice.commitment) == (SEED, FairDice(SEED).commitment)


@pytest.mark.parametrize(("digits", "short"), [("f" * 31, True), ("f" * 32, False), ("2a", True), ("f" * 64, False)])
def test_a_seed_of_less_than_32_digits_is_short(digits: str, short: bool) -> None:
    assert FairDice(parse_seed(digits)).short == short


def test_the_lot_falls_on_every_seat_alike() -> None:
    drawn = Counter(FairDice(sha256(bytes([high, low])).digest()).draw(6) for high in range(24) for low in range(250))
    assert upper_tail_5(chi_square([drawn[seat] for seat in range(6)], 1000)) > 0.001


def test_fresh_dice_have_a_seed_of_their_own() -> None:
    assert FairDice.fresh().seed != FairDice.fresh().seed


@pytest.mark.parametrize(("text", "seed"), [("2a", b"\0" * 31 + b"*"), ("A" * 64, b"\xaa" * 32), ("0", b"\0" * 32)])
def test_a_seed_is_read_from_hexadecimal_digits(text: str, seed: bytes) -> None:
    assert parse_seed(text) == seed


@pytest.mark.parametrize("text", ["", "x", "0x2a", "1" * 65, " 1", "1\n", "１"])
def test_what_is_no_seed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a seed is 1 to 64 hexadecimal digits"):
        parse_seed(text)


@pytest.mark.parametrize("seed", [b"", b"\0" * 31, b"\0" * 33])
def test_a_seed_has_256_bits(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        FairDice(seed)


def test_scripted_dice_fall_as_written_and_no_further() -> None:
    dice = ScriptedDice([(6, 5, 5, 1), (4, 4)])
    assert dice.throw(0, 1, (1, 2, 3, 4)) == (6, 5, 5, 1)
    with pytest.raises(ValueError, match="the script says"):
        dice.throw(0, 2, (4,))
    with pytest.raises(ValueError, match="the script says"):
        dice.throw(0, 3, (4,))
