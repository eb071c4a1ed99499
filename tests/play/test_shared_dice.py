"""Dice by all machines: chains, keys, steps, and faces that nobody could choose (docs/fair-dice.md)."""

from __future__ import annotations

import hmac
from functools import cache
from hashlib import sha256
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from run_sql import run_sql
from shared_table import TABLE, open_all, shared_table
from test_dice import chi_square, upper_tail_5

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import IllegalAction, Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record
from fourtwenty.journal.shared_keys import SharedKeys
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import (
    START_DRAW,
    DiceStep,
    Machine,
    SharedDice,
    contributor_changes,
    contributors,
    contributors_by_step,
    earlier_key,
    match_digest,
)
from fourtwenty.rooms.local_machine import Chain

MATCH = sha256(b"a match").digest()


def laid(machines: int = 3, steps: int = 300) -> tuple[SharedDice, list[Chain]]:
    """Dice of so many machines with one seat each, and their chains."""
    chains = [Chain(TABLE, bytes([machine] * 32), steps) for machine in range(machines)]
    known = [Machine(bytes(32), chain.anchor, (machine,)) for machine, chain in enumerate(chains)]
    return SharedDice(TABLE, known, MATCH), chains


# -- chains ------------------------------------------------------------------------------------------------------------


def test_a_key_is_the_hash_of_the_next() -> None:
    seed = bytes(range(32))
    assert earlier_key(b"table", seed) == sha256(b"420 chain" + b"table" + seed).digest()
    chain = Chain(TABLE, seed, 1000)
    assert chain.key(1000) == seed
    key = seed
    for step in range(999, -1, -1):
        key = earlier_key(TABLE, key)
        assert chain.key(step) == key
    assert chain.anchor == key


@pytest.mark.parametrize("step", [-1, 301, 2**70])
def test_a_chain_has_no_key_beyond_its_ends(step: int) -> None:
    with pytest.raises(ValueError, match="This chain has keys for the steps up to 300"):
        Chain(TABLE, bytes(32), 300).key(step)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_the_seed_of_a_chain_is_a_key(seed: bytes) -> None:
    with pytest.raises(ValueError, match="The seed of a chain has 32 bytes"):
        Chain(TABLE, seed, 10)


def test_chains_of_other_tables_and_other_seeds_are_others() -> None:
    tips = {Chain(table, seed, 10).anchor for table in (b"a", b"b") for seed in (bytes(32), bytes([1] * 32))}
    assert len(tips) == 4


# -- steps -------------------------------------------------------------------------------------------------------------


def test_faces_by_hand() -> None:
    """The formula of docs/fair-dice.md: 2**256 is 4 more than a multiple of 6, and 1 more than one of 3."""
    dice, chains = laid()
    open_all(dice, chains, START_DRAW, (0, 1, 2))
    open_all(dice, chains, 1, (0, 2))
    lot, first = (
        sha256(b"420 joint" + MATCH + step.to_bytes(4, "big") + b"".join(chains[m].key(step) for m in by)).digest()
        for step, by in ((1, (0, 1, 2)), (2, (0, 2)))
    )
    assert dice.draw(3) == int.from_bytes(hmac.digest(lot, b"first 3 0", "sha256"), "big") % 3
    numbers = [int.from_bytes(hmac.digest(first, f"face 1 1 {die} 0".encode(), "sha256"), "big") for die in (1, 4)]
    assert dice.throw(1, 1, (1, 4)) == tuple(number % 6 + 1 for number in numbers)


def test_nothing_falls_before_the_last_key_is_open() -> None:
    dice, chains = laid()
    assert dice.missing == ()
    assert dice.begin(2, (2, 0, 1)) == 1
    for machine, missing in ((1, (0, 2)), (0, (2,)), (2, ())):
        with pytest.raises(ValueError, match=r"^The dice of seat 2 for throw 1 have not fallen\.$"):
            dice.throw(2, 1, (1,))
        dice.open(machine, chains[machine].key(1))
        assert dice.missing == missing
    assert len(dice.throw(2, 1, (1, 2, 3, 4))) == 4
    for seat, throw in ((2, 2), (0, 1), (2, 0), (START_DRAW, 1)):
        with pytest.raises(ValueError, match="have not fallen"):
            dice.throw(seat, throw, (1,))
    with pytest.raises(ValueError, match="The draw has not fallen"):
        dice.draw(3)


def test_who_has_the_only_missing_key_foresees_the_faces_and_changes_nothing() -> None:
    dice, chains = laid()
    open_all(dice, chains, 1, (0, 1, 2))
    dice.begin(1, (0, 1))
    key = chains[1].key(2)
    with pytest.raises(ValueError, match="No roll waits for this key only"):
        dice.predicted(key, (1, 4))
    dice.open(0, chains[0].key(2))
    before = ([*dice.steps], [*dice.shown])
    foreseen = dice.predicted(key, (1, 4))
    for wrong in (chains[0].key(2), chains[1].key(1), chains[1].key(3)):
        with pytest.raises(ValueError, match="No roll waits for this key only"):
            dice.predicted(wrong, (1, 4))
    assert (dice.steps, dice.shown) == before
    dice.open(1, key)
    assert dice.throw(1, 2, (1, 4)) == foreseen
    with pytest.raises(ValueError, match="No roll waits for this key only"):
        dice.predicted(key, (1, 4))


def test_nobody_foresees_the_lot_from_a_key() -> None:
    dice, chains = laid(1)
    dice.begin(START_DRAW, (0,))
    with pytest.raises(ValueError, match="No roll waits for this key only"):
        dice.predicted(chains[0].key(1), (1,))


def test_the_order_of_the_keys_of_a_step_changes_no_face() -> None:
    faces = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        dice, chains = laid()
        dice.begin(0, (0, 1, 2))
        for machine in order:
            dice.open(machine, chains[machine].key(1))
        faces.append(dice.throw(0, 1, (1, 2, 3, 4)))
    assert len(set(faces)) == 1


def test_a_key_is_that_of_the_machine_and_of_the_step() -> None:
    dice, chains = laid()
    assert not dice.check_key(0, chains[0].key(1)), "no step is running"
    open_all(dice, chains, 0, (0, 1, 2))
    dice.begin(1, (0, 1))
    wrong = [
        (0, chains[1].key(2)),  # of another machine
        (0, chains[0].key(1)),  # from the past
        (0, chains[0].anchor),
        (0, chains[0].key(3)),  # of a later step
        (2, chains[2].key(2)),  # of a machine that does not contribute
        (3, chains[0].key(2)),
        (-1, chains[1].key(2)),
        (10**30, b""),
        (0, b""),
        (0, chains[0].key(2)[:-1]),
        (0, chains[0].key(2) + b"\0"),
        (0, Chain(b"another table", bytes(32), 300).key(2)),
    ]
    before = ([*dice.steps], [*dice.shown])
    for machine, key in wrong:
        assert not dice.check_key(machine, key)
        with pytest.raises(ValueError, match="has other keys to open now"):
            dice.open(machine, key)
    assert (dice.steps, dice.shown) == before
    dice.open(0, chains[0].key(2))
    assert not dice.check_key(0, chains[0].key(2)), "it is open already"
    dice.open(1, chains[1].key(2))
    assert dice.missing == ()


@given(st.integers(0, 31), st.integers(1, 255), st.integers(1, 40))
def test_a_key_with_one_changed_byte_is_refused(place: int, change: int, gap: int) -> None:
    dice, chains = laid(2, 50)
    for _ in range(gap):
        open_all(dice, chains, 1, (1,))
    dice.begin(0, (0, 1))
    key = chains[0].key(gap + 1)
    assert not dice.check_key(0, key[:place] + bytes([key[place] ^ change]) + key[place + 1 :])
    assert dice.check_key(0, key)


@given(st.integers(), st.binary(max_size=64))
def test_no_bytes_pass_for_a_key(machine: int, key: bytes) -> None:
    dice, _ = laid(2, 10)
    dice.begin(0, (0, 1))
    assert not dice.check_key(machine, key)


def test_a_machine_that_sat_out_some_steps_is_bound_to_its_tip_all_the_same() -> None:
    dice, chains = laid()
    for _ in range(30):
        open_all(dice, chains, 0, (0, 2))
    dice.begin(1, (0, 1, 2))
    assert not dice.check_key(1, chains[1].key(1))
    assert not dice.check_key(1, chains[1].key(30))
    assert dice.check_key(1, chains[1].key(31))


def test_of_a_void_step_nothing_falls_and_its_keys_are_spent() -> None:
    dice, chains = laid()
    dice.begin(0, (0, 1, 2))
    dice.open(2, chains[2].key(1))
    dice.void()
    assert dice.steps == [DiceStep(0, (0, 1, 2), void=True)]
    assert dice.missing == ()
    assert not dice.check_key(1, chains[1].key(1))
    open_all(dice, chains, 0, (0, 2))
    other, _ = laid()
    open_all(other, chains, 0, (0, 2))
    assert dice.throw(0, 1, tuple(range(1, 41))) != other.throw(0, 1, tuple(range(1, 41))), "those of step 1 are gone"
    with pytest.raises(ValueError, match="No step is running"):
        dice.void()


def test_a_lot_that_was_void_is_drawn_again() -> None:
    dice, chains = laid()
    dice.begin(START_DRAW, (0, 1, 2))
    dice.void()
    open_all(dice, chains, START_DRAW, (0, 2))
    assert 0 <= dice.draw(3) < 3


def test_steps_are_begun_in_order() -> None:
    dice, chains = laid(steps=10)
    for contributing in ((), (0, 0), (0, 3), (-1, 0)):
        with pytest.raises(ValueError, match="A step has one contributor or more, each once"):
            dice.begin(0, contributing)
    for seat in (3, -2):
        with pytest.raises(ValueError, match=f"There is no seat {seat}"):
            dice.begin(seat, (0,))
    dice.begin(0, (0,))
    with pytest.raises(ValueError, match="Step 1 is still running"):
        dice.begin(0, (0,))
    dice.open(0, chains[0].key(1))
    with pytest.raises(ValueError, match="The draw is made once, before the first throw"):
        dice.begin(START_DRAW, (0,))


def test_there_is_no_step_after_the_last_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fourtwenty.play.shared_dice.CHAIN_LENGTH", 2)
    dice, chains = laid(1, 2)
    open_all(dice, chains, 0, (0,))
    open_all(dice, chains, 0, (0,))
    with pytest.raises(ValueError, match="The chains are at their end, after 2 steps"):
        dice.begin(0, (0,))


@pytest.mark.parametrize("seats", [((0,), (0, 1)), ((0,), (2,)), ((0, 1), ())])
def test_every_seat_belongs_to_one_machine(seats: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(ValueError, match="Every seat belongs to one machine"):
        SharedDice(TABLE, [Machine(bytes(32), bytes(32), each) for each in seats], MATCH)


@pytest.mark.parametrize(("tip", "match"), [(bytes(31), MATCH), (bytes(32), MATCH[:16])])
def test_digests_have_32_bytes(tip: bytes, match: bytes) -> None:
    with pytest.raises(ValueError, match="has 32 bytes"):
        SharedDice(TABLE, [Machine(bytes(32), tip, (0,))], match)


# -- faces -------------------------------------------------------------------------------------------------------------


def test_forty_thousand_faces_are_uniform() -> None:
    dice, chains = laid(3, 10_000)
    counts = [[0] * 6 for _ in range(4)]
    keys = [[chain.key(chain.length)] for chain in chains]
    for each in keys:  # a chain would hash most of its keys again and again
        while len(each) < 10_000:
            each.append(earlier_key(TABLE, each[-1]))
    for throw in range(1, 10_001):
        dice.begin(0, (0, 1, 2))
        for machine in (1, 2, 0):
            dice.open(machine, keys[machine][-throw])
        for place, face in enumerate(dice.throw(0, throw, (1, 2, 3, 4))):
            counts[place][face - 1] += 1
    for count in counts:
        assert upper_tail_5(chi_square(count, 10_000 / 6)) > 0.001
    assert upper_tail_5(chi_square([sum(place) for place in zip(*counts, strict=True)], 40_000 / 6)) > 0.001


def test_every_machine_changes_the_faces() -> None:
    faces = []
    for other in range(4):
        dice, chains = laid()
        if other < 3:
            chains[other] = Chain(TABLE, b"another seed of 32 bytes of this", 300)
        known = [replace(each, anchor=chain.anchor) for each, chain in zip(dice.machines, chains, strict=True)]
        dice = SharedDice(TABLE, known, MATCH)
        open_all(dice, chains, 0, (0, 1, 2))
        faces.append(dice.throw(0, 1, tuple(range(1, 41))))
    assert len(set(faces)) == 4


def test_the_digest_of_a_match_changes_with_everything_that_it_names() -> None:
    machines = (Machine(bytes(32), bytes(32), (0,)), Machine(bytes(32), bytes(32), (1, 2)))
    players = (("Zoë", "human"), ("Ben", "human"), ("Cleo", "bot"))
    first, second = machines
    digests = [
        match_digest(table, named, game, who, starting)
        for table, named, game, who, starting in (
            (TABLE, machines, "420", players, None),
            (b"another", machines, "420", players, None),
            (TABLE, (replace(first, public=b"\1" * 32), second), "420", players, None),
            (TABLE, (first, replace(second, anchor=b"\1" * 32)), "420", players, None),
            (TABLE, (replace(first, seats=(0, 1)), replace(second, seats=(2,))), "420", players, None),
            (TABLE, (second, first), "420", players, None),
            (TABLE, machines, "421", players, None),
            (TABLE, machines, "420", players[::-1], None),
            (TABLE, machines, "420", (("Zoë", "bot"), *players[1:]), None),
            (TABLE, machines, "420", players, 0),
        )
    ]
    assert len(set(digests)) == len(digests)
    named = (
        '["aa", [{"seats": [0], "public": "0b", "tip": "0c"}], "420", [{"name": "Zo\\u00eb", "kind": "human"}], null]'
    )
    machine = Machine(b"\x0b", b"\x0c", (0,))
    assert match_digest(b"\xaa", [machine], "420", players[:1], None) == sha256(named.encode()).digest()


def test_bots_have_no_choice_from_shared_dice() -> None:
    assert laid()[0].bot_seed == b""


def test_contributors_are_the_machines_with_a_seat_that_still_takes_part() -> None:
    machines = [Machine(bytes(32), bytes(32), seats) for seats in ((0, 2), (1,), (3,))]
    state = GAMES["420"].start(4, 0)
    assert contributors(machines, state) == (0, 1, 2)
    for winner, left in ((0, (0, 1, 2)), (1, (0, 2)), (2, (2,))):
        faces = {seat: (5, 5, 5, 5) if seat == winner else (1, 1, 1, 1) for seat in range(4)}
        while state.to_act is not None:
            state = state.apply(ROLL_ALL, faces[state.to_act])
        if state.outcome:
            break
        state = state.next_round()
        assert contributors(machines, state) == left


# -- stored ------------------------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(0, 2**32), st.integers(0, 30))
def test_dice_are_the_same_from_their_steps_and_deepest_keys(machines: int, seed: int, steps: int) -> None:
    chance = Random(seed)
    dice, chains = laid(machines, 60)
    if chance.random() < 0.5:
        open_all(dice, chains, START_DRAW, range(machines))
    for _ in range(steps):
        contributing = chance.sample(range(machines), chance.randint(1, machines))
        step = dice.begin(chance.randrange(machines), contributing)
        for machine in contributing[: chance.choice((None, None, None, 1, 2, 0))]:
            dice.open(machine, chains[machine].key(step))
        if dice.missing and chance.random() < 0.8:
            dice.void()
        if dice.missing:
            break
    again = SharedDice.restored(dice.table, dice.machines, dice.match, dice.steps, dice.shown)
    assert (again.table, again.machines, again.match) == (dice.table, dice.machines, dice.match)
    assert (again.steps, again.shown, again.missing) == (dice.steps, dice.shown, dice.missing)
    for seat in range(machines):
        fallen = sum(step.seat == seat and not step.void for step in dice.steps)
        fallen -= bool(dice.missing and dice.steps[-1].seat == seat)
        for throw in range(1, fallen + 1):
            assert again.throw(seat, throw, (1, 2, 3, 4)) == dice.throw(seat, throw, (1, 2, 3, 4))
        with pytest.raises(ValueError, match="have not fallen"):
            again.throw(seat, fallen + 1, (1,))
    for machine in dice.missing:
        again.open(machine, chains[machine].key(len(again.steps)))
    assert again.missing == ()


@cache
def laid_and_played() -> tuple[SharedDice, list[int], bytes]:
    """Dice that nobody goes on with, the seats that rolled them, and their keys as they are stored."""
    table = shared_table()
    rolling = [event.seat for event in table.play(events=6).events if isinstance(event.action, Roll)]
    return table.dice, rolling, SharedKeys.of(table.dice, len(rolling)).to_json()


def test_only_the_keys_of_the_rolls_that_are_stored_are_stored() -> None:
    """Where several rolls came at once, the match takes them one by one, and the program can end between two."""
    dice, rolling, _ = laid_and_played()
    for rolls in range(len(rolling) + 1):
        keys = SharedKeys.from_json(SharedKeys.of(dice, rolls).to_json())
        again = keys.dice(dice.match, rolling[:rolls])
        assert again.steps == dice.steps[: 1 + rolls], "the draw, and these rolls"
        assert again.draw(3) == dice.draw(3)
        for number, seat in enumerate(rolling[:rolls]):
            throw = 1 + rolling[:number].count(seat)
            assert again.throw(seat, throw, (1, 2, 3, 4)) == dice.throw(seat, throw, (1, 2, 3, 4))


@given(st.data())
def test_stored_keys_with_a_changed_byte_make_no_other_dice(data: st.DataObject) -> None:
    dice, rolling, stored = laid_and_played()
    place = data.draw(st.integers(0, len(stored) - 1))
    byte = data.draw(st.sampled_from(b'0123456789abcdef[]{},:"- x'))
    try:
        keys = SharedKeys.from_json(stored[:place] + bytes([byte]) + stored[place + 1 :])
        again = keys.dice(dice.match, rolling)
    except ValueError:
        return
    assert [each.anchor for each in again.machines] == [each.anchor for each in dice.machines]
    assert again.shown == dice.shown


@pytest.mark.parametrize("stored", [b"", b"{}", b"[]", b"null", b"\xff", b"[" * 100_000, b"7", b'{"machines": [[]]}'])
def test_other_bytes_are_no_keys(stored: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        SharedKeys.from_json(stored)


@given(st.lists(st.sampled_from([(0,), (1,), (0, 1)])))
def test_contributors_are_told_by_their_changes(by_step: list[tuple[int, ...]]) -> None:
    assert contributors_by_step(contributor_changes(by_step), len(by_step)) == by_step


@pytest.mark.parametrize(
    "changes",
    [
        [],
        [(2, (0,))],
        [(1, (0,)), (1, (1,))],
        [(1, (0,)), (3, (0,))],
        [(1, (0,)), (6, (1,))],
        [(1, (0,)), (4, (1,)), (3, (0,))],
        [(-(10**12), (0,)), (1, (1,))],
    ],
)
def test_changes_of_contributors_are_in_order(changes: list[tuple[int, tuple[int, ...]]]) -> None:
    with pytest.raises(ValueError, match="The contributors "):
        contributors_by_step(changes, 5)


# -- in a match and its journal ----------------------------------------------------------------------------------------


def test_a_match_of_shared_dice_has_no_seed() -> None:
    match = shared_table().match
    assert match.dice.shared
    assert (match.dice.seed, match.dice.commitment, match.dice.typed, match.dice.given, match.dice.trust_warning) == (
        None,
        None,
        False,
        False,
        "",
    )
    assert match.start_drawn
    assert match.starting_seat == match.dice.draw(3)
    assert not Match(Lineup()).dice.shared


def test_dice_that_have_not_fallen_cannot_be_thrown() -> None:
    match = shared_table(seats=2, starting_seat=0).match
    with pytest.raises(ValueError, match="The dice of seat 0 for throw 1 have not fallen"):
        match.act(ROLL_ALL)
    with pytest.raises(IllegalAction, match="The first roll takes all four dice"):
        match.act(Roll((1,)))
    assert match.events == []


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_shared_dice_is_resumed_where_it_was(history: History, game: str) -> None:
    table = shared_table(seats=4, machines=3, game=game, journal=history.journal())
    table.play(events=30)
    identifier = table.dice.match.hex()[:32]
    id = history.find(identifier)  # noqa: A001
    assert id is not None
    assert history.find("0" * 32) is None
    resumed = history.resume(id)
    assert isinstance(resumed.dice, SharedDice)
    assert (resumed.dice.steps, resumed.dice.shown) == (table.dice.steps, table.dice.shown)
    assert (resumed.events, resumed.state) == (table.match.events, table.match.state)
    assert (resumed.identifier, resumed.dice.shared, resumed.start) == (identifier, True, table.match.start)
    again = replace(table, match=resumed, dice=resumed.dice)
    again.play()
    assert history.match(id).events == resumed.events
    assert Record.from_match(history.match(id)) == Record.from_match(resumed)
    assert resumed.state.outcome


def test_a_stored_face_that_does_not_follow_from_the_keys_is_found(history: History) -> None:
    shared_table(journal=history.journal()).play(events=5)
    with history.transaction() as sql:
        (faces,) = sql.execute("SELECT faces FROM event WHERE number = 3").fetchone()
        other = f"{7 - int(faces[0])}{faces[1:]}"
        sql.execute("UPDATE event SET faces = ? WHERE number = 3", (other,))
    with pytest.raises(ValueError, match="game 1 is damaged and cannot be read"):
        history.match(1)


@pytest.mark.parametrize("source", [b"", b"{}", laid_and_played()[2]])
def test_stored_dice_that_are_damaged_are_found(history: History, source: bytes) -> None:
    shared_table(journal=history.journal()).play(events=5)
    run_sql(history, "UPDATE match SET dice_source = ?", (source,))
    with pytest.raises(ValueError, match="game 1 is damaged and cannot be read"):
        history.resume(1)
