"""The fold of a room's log: what counts, what never happened, that all machines see the same (docs/inside/rooms.md)."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from itertools import islice, pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from letters import LETTERS
from long_tests import PRODUCT
from machines import TABLE, TestMachine, all_read, at_head, entry, people, play_on, seated

from fourtwenty.games.bar_421 import Bar421
from fourtwenty.games.game import Leave, Roll, Stand
from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms import room
from fourtwenty.rooms.local_machine import Body, SeatRequest, match_from_room, record_text
from fourtwenty.rooms.room import InvalidEntryError, LogEntry, Room, RoomMatch

GAMES = ("420", "421", "ten-rounds")


def test_two_machines_play_a_match_to_its_end_and_keep_the_same_record() -> None:
    ann, ben = machines = people("Ann", "Ben")
    log = seated(machines)
    play_on(machines, log, Random(1))
    assert ann.match.over
    assert record_text(ann.match) == record_text(ben.match)
    assert ann.room.head == ben.room.head
    assert len({*ann.match.ends.values()}) == 1
    assert len(ann.match.ends) == 2
    verify_record(read_record(record_text(ann.match)))


def at_the_table(*machines: TestMachine) -> list[LogEntry]:
    """Let machines sit down in their order; return the log, which all have read."""
    log: list[LogEntry] = []
    for machine in machines:
        machine.sit(log)
    all_read(machines, log)
    return log


def test_any_machine_starts_a_match_that_it_plays_in_and_the_first_in_it_sets_the_game() -> None:
    for left_out, game in ([], "420"), ([0], "421"):
        ann, ben, cleo = machines = people("Ann", "Ben", "Cleo")
        ben.game, cleo.game = "421", "ten-rounds"
        log = at_the_table(*machines)
        cleo.start(log, [machines[number].public for number in left_out])
        ann.read(log)
        assert ann.match.lineup.game == game
        assert [participant.name for participant in ann.match.participants] == ["Ann", "Ben", "Cleo"][len(left_out) :]
        assert not ann.room.participants


def test_who_dealt_deals_again_whoever_sits_down_first_for_the_rematch() -> None:
    ann, ben, cleo, dan = machines = people("Ann", "Ben", "Cleo", "Dan")
    log = seated([ann, ben, cleo])
    play_on([ann, ben, cleo], log, Random(1))
    cleo.game = "421"
    for machine in (cleo, dan, ann, ben):
        machine.sit(log)
    ben.read(log)
    assert [*ben.room.participants] == [machine.public for machine in machines]
    ben.start(log)
    ann.read(log)
    assert ann.match.lineup.game == "420", "the terms are those of the starter"


def test_nobody_starts_a_match_of_others_only() -> None:
    machines = people("Ann", "Ben", "Cleo")
    at_the_table(*machines)
    ann = machines[0]
    with pytest.raises(InvalidEntryError, match="that plays in a match"):
        ann.room.feed(ann.signed(ann.local.start([ann.public])))


def test_a_second_ben_is_asked_for_another_name() -> None:
    ann, ben = TestMachine("Ann", [Seat("Ben")], "420"), TestMachine("Ben", [Seat("ben ")], "420", seed=1)
    ann.room.feed(ann.signed(ann.local.sit(SeatRequest(ann.players, "420"))))
    with pytest.raises(InvalidEntryError, match="already at the table"):
        ann.room.feed(_by(ben, ann))


def _by(author: TestMachine, at: TestMachine) -> LogEntry:
    """The entry with which a machine sits down, with the head of the log of another."""
    return entry(author.public, at_head(at.room, author.local.sit(SeatRequest(author.players, author.game))))


def test_nobody_sits_down_while_a_match_runs() -> None:
    machines = people("Ann", "Ben")
    seated(machines)
    cleo = people("Cleo")[0]
    with pytest.raises(InvalidEntryError, match="A match is running"):
        machines[0].room.feed(_by(cleo, machines[0]))


def test_names_at_a_full_table_are_compared_without_long_work() -> None:
    """Else every entry of an insider would take each machine half a second."""
    room = Room(TABLE)
    stored_name_key.cache_clear()
    for number in range(48):
        machine = TestMachine(str(number), [Seat(f"{number} {seat}{'é' * 50}") for seat in range(24)], "420")
        body = machine.local.sit(SeatRequest(machine.players, "420"))
        room.feed(entry(machine.public, at_head(room, body)))
    assert len(room.participants) == 48
    assert stored_name_key.cache_info().misses == 48 * 24
    for players, sentence in ((24, r"^The table is full\.$"), (25, r"^A machine seats 1 to 24 players\.$")):
        late = TestMachine("late", [Seat(f"late {seat}") for seat in range(players)], "420")
        body = late.local.sit(SeatRequest(late.players, "420"))
        with pytest.raises(InvalidEntryError, match=sentence):
            room.feed(entry(late.public, at_head(room, body)))


@pytest.mark.parametrize("version", [0, 1, 7, 99, "1", None, [1]])
def test_a_machine_of_another_version_cannot_sit(version: object) -> None:
    ann, ben = people("Ann", "Ben")
    ann.room.feed(ann.signed(ann.local.sit(SeatRequest(ann.players, "420"))))
    body = at_head(ann.room, ben.local.sit(SeatRequest(ben.players, "420")))
    with pytest.raises(InvalidEntryError, match="another version of the program: all machines need the same"):
        ann.room.feed(entry(ben.public, body | {"version": version}))


def _bar(match: RoomMatch) -> Bar421:
    assert isinstance(match.state, Bar421)
    return match.state


def test_the_lot_and_every_roll_wait_for_all_keys_and_the_roller_opens_last() -> None:
    machines = people("Ann", "Ben", "Cleo")
    log = seated(machines)
    match = machines[0].match
    assert match.state is None
    assert [*match.awaited_machines] == [0, 1]
    for machine in machines[:2]:
        (body,) = machine.local.owed()
        log.append(machine.signed(body))
    all_read(machines, log)
    assert match.state is None
    assert [*match.awaited_machines] == [2]
    (body,) = machines[2].local.owed()
    log.append(machines[2].signed(body))
    machines[0].read(log)
    assert match.state is not None
    assert match.to_act == match.state.starting_seat


def test_the_roller_cannot_open_before_the_others() -> None:
    ann, ben = people("Ann", "Ben")
    seated([ann, ben])
    match, key = ann.match, ben.local.chain(0).key(1)
    assert match.pending
    body = {"at": "open", "match": match.identifier, "step": 1, "act": match.pending.digest.hex(), "key": key.hex()}
    with pytest.raises(InvalidEntryError, match="does not open now"):
        ann.room.feed(ben.signed(body))


def draw(machines: list[TestMachine], log: list[LogEntry]) -> None:
    """Let the start be drawn, after which a bot may have rolled."""
    while machines[0].match.state is None:
        for machine in machines:
            machine.open_keys(log)
            machine.read(log)
    all_read(machines, log)


def drawn(machines: list[TestMachine], log: list[LogEntry]) -> tuple[TestMachine, list[TestMachine]]:
    """Let the start be drawn; return the machine that is to roll, and the others."""
    draw(machines, log)
    seat = machines[0].match.to_act
    assert seat is not None
    return machines[seat], [machine for machine in machines if machine is not machines[seat]]


def begun(*names: str) -> tuple[list[TestMachine], list[LogEntry], TestMachine, list[TestMachine]]:
    """Let a match begin; return its machines and its log, the machine that is to roll and the others."""
    machines = people(*names)
    log = seated(machines)
    return machines, log, *drawn(machines, log)


def test_an_action_counts_for_its_moment_its_seat_and_only_if_it_is_legal() -> None:
    _, _, roller, (other,) = begun("Ann", "Ben")
    match = roller.match
    for body, by, reason in (
        (roller.local.act(match, Stand()), roller, "pass in 420"),
        (roller.local.act(match, Roll((1, 2))), roller, "all four"),
        (roller.local.act(match, Roll((1, 2, 3, 4))) | {"event": 3}, roller, "another moment"),
        (roller.local.act(match, Roll((1, 2, 3, 4))) | {"match": "0" * 32}, roller, "No such match"),
        (roller.local.act(match, Roll((1, 2, 3, 4))), other, "turn of another machine"),
    ):
        with pytest.raises(InvalidEntryError, match=reason):
            roller.room.feed(by.signed(body))
    assert match.pending is None
    assert match.to_act is not None


def test_a_key_of_another_roll_or_for_another_action_counts_as_nothing() -> None:
    machines, log, roller, (other,) = begun("Ann", "Ben")
    roller.roll_all(log)
    other.read(log)
    (body,) = other.local.owed()
    for wrong in (
        {"step": 1},
        {"step": 3},
        {"act": "00" * 32},
        {"key": other.local.chain(0).key(3).hex()},
        {"key": other.local.chain(0).key(1).hex()},
        {"key": "zz"},
    ):
        with pytest.raises(InvalidEntryError):
            other.room.feed(other.signed(body | wrong))
    other.room.feed(other.signed(body))
    assert other.match.awaited_machines == (machines.index(roller),)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_the_machine_that_rolls_foresees_what_falls_once_all_others_have_opened(game: str, seed: int) -> None:
    machines = [TestMachine(name, [Seat(name)], game, seed) for name in ("Ann", "Ben", "Cleo")]
    log, luck, foreseen = seated(machines), Random(seed), []
    match = machines[0].match
    while not match.over:
        for number, machine in enumerate(machines):
            event = machine.local.predicted(machine.match)
            opens_last = match.pending is not None and match.awaited_machines == (number,) == (match.pending.machine,)
            assert bool(event) == (opens_last and match.state is not None), "nobody foresees the draw"
            foreseen += [event] if event else []
        log.append(luck.choice([machine.signed(body) for machine in machines for body in machine.wishes(luck)]))
        all_read(machines, log)
    assert foreseen == [event for event in match.events if isinstance(event.action, Roll)]


def test_a_roll_is_not_foreseen_while_somebody_would_carry_on_without_its_machine() -> None:
    machines, log, roller, (other, voter) = begun("Ann", "Ben", "Cleo")
    roller.roll_all(log)
    for machine in (other, voter):
        machine.read(log)
        log.append(machine.signed(next(machine.local.owed())))
    roller.read(log)
    foreseen = roller.local.predicted(roller.match)
    assert foreseen
    voter.vote(log, machines.index(roller))
    roller.read(log)
    assert roller.local.predicted(roller.match) is None
    log.append(roller.signed(next(roller.local.owed())))
    roller.read(log)
    assert roller.match.events == [foreseen]


def test_an_entry_that_comes_twice_counts_once() -> None:
    ann, ben = people("Ann", "Ben")
    sit = ann.signed(ann.local.sit(SeatRequest(ann.players, "420")))
    ann.room.feed(sit)
    with pytest.raises(InvalidEntryError, match="come before"):
        ann.room.feed(sit)
    assert ann.room.head[0] == 1
    assert ben.room.head[0] == 0


def test_a_machine_that_has_seen_another_order_of_entries_is_told_apart() -> None:
    ann, ben, cleo = people("Ann", "Ben", "Cleo")
    first, second = (each.signed(each.local.sit(SeatRequest(each.players, "420"))) for each in (ann, ben))
    ann.read([first, second])
    ben.read([second, first])
    assert ann.room.head != ben.room.head
    assert not ann.room.shares_log_with(ben.room.heads)
    with pytest.raises(InvalidEntryError, match="has a different log"):
        ann.room.feed(ben.signed({"at": "rise"}))
    assert ben.public in ann.room.participants
    with pytest.raises(InvalidEntryError, match="has a different log"):
        ann.room.feed(entry(cleo.public, {"at": "rise", "number": 7, "head": "00" * 16}))


# -- dice in doubt -----------------------------------------------------------------------------------------------------

DISPUTE = {"at": "dispute", "step": 0, "die": 0, "shown": 0, "computed": 0}


def with_a_page(*names: str) -> tuple[list[TestMachine], list[LogEntry]]:
    """Let a match begin in which the last machine is a page of the first; return its machines and its log."""
    machines = people(*names)
    log: list[LogEntry] = []
    for machine in machines:
        page = machines[0].public.hex() if machine is machines[-1] else ""
        machine.read(log)
        log.append(machine.signed(machine.local.sit(SeatRequest(machine.players, "420", page=page))))
    machines[0].start(log)
    all_read(machines, log)
    drawn(machines, log)
    return machines, log


def says(machines: list[TestMachine], log: list[LogEntry], by: TestMachine, body: Body) -> None:
    """Let a machine say something about the match that counts, which all read."""
    log.append(by.signed({"match": by.match.identifier} | body))
    by.room.feed(log[-1])
    all_read([machine for machine in machines if machine is not by], log)
    by.come = len(log)


def test_a_disputed_match_stops_but_keys_that_are_on_their_way_count() -> None:
    machines, log = with_a_page("Ann", "Ben", "Cleo")
    match = machines[0].match
    roller = machines[match.to_act or 0]
    roller.roll_all(log)
    all_read(machines, log)
    opened = [machine.signed(body) for machine in machines if machine is not roller for body in machine.local.owed()]
    says(machines, log, machines[2], DISPUTE)
    assert (match.to_act, match.awaited_machines) == (None, ())
    assert not [body for machine in machines for body in machine.local.owed()], "nobody opens a key any more"
    log += opened
    all_read(machines, log)
    assert machines[0].match.dice.missing == (machines.index(roller),)
    assert machines[0].local.predicted(match) is None
    with pytest.raises(InvalidEntryError, match="does not wait"):
        machines[0].room.feed(machines[1].signed(machines[1].local.carry_on_without(machines[1].match, [2])))


def test_each_machine_with_a_log_says_once_what_it_finds_about_a_disputed_roll() -> None:
    machines, log = with_a_page("Ann", "Ben", "Cleo")
    ann, ben, cleo = machines
    while not ann.match.events:
        for machine in machines:
            machine.read(log)
            log += [machine.signed(body) for body in machine.wishes(Random(4))]
    all_read(machines, log)
    match, step = ann.match, next(step for step in range(1, 9) if ann.match.roll_of(step))
    throw, event = match.roll_of(step) or (0, None)
    assert throw == 1
    assert event == match.events[0]
    shown = event.faces[1]
    says(machines, log, cleo, DISPUTE | {"step": step, "die": 1, "shown": shown, "computed": shown % 6 + 1})
    for machine in machines:
        for body in machine.local.owed():
            says(machines, log, machine, body)
    assert match.findings == {(0, 2): True, (1, 2): True}
    assert not [body for machine in machines for body in machine.local.owed()]
    for machine, body in (
        (ann, {"at": "finding", "page": 2, "right": False}),  # twice
        (cleo, {"at": "finding", "page": 2, "right": True}),  # a page has no log
        (ben, {"at": "finding", "page": 0, "right": True}),  # which has disputed nothing
        (ben, {"at": "finding", "page": 2, "right": 1}),
    ):
        with pytest.raises(InvalidEntryError):
            ann.room.feed(machine.signed({"match": match.identifier} | body))


@pytest.mark.parametrize(
    "change",
    [
        {"step": -1},
        {"step": 1, "die": 8, "shown": 1, "computed": 2},
        {"step": 1, "die": 0, "shown": 7, "computed": 2},
        {"step": 1, "die": True, "shown": 1, "computed": 2},
        {"shown": 3},
        {"step": "1"},
    ],
)
def test_a_dispute_is_about_a_face_of_a_roll_or_the_dice_as_a_whole(change: Body) -> None:
    machines, _ = with_a_page("Ann", "Ben")
    body = {"match": machines[0].match.identifier} | DISPUTE | change
    with pytest.raises(InvalidEntryError, match="disputes one face of a roll, or the dice as a whole"):
        machines[0].room.feed(machines[1].signed(body))


def test_only_a_page_disputes_and_only_once() -> None:
    machines, log = with_a_page("Ann", "Ben")
    ann, ben = machines
    with pytest.raises(InvalidEntryError, match="Only a page"):
        ben.room.feed(ann.signed({"match": ann.match.identifier} | DISPUTE))
    says(machines, log, ben, DISPUTE)
    with pytest.raises(InvalidEntryError, match="already"):
        ann.room.feed(ben.signed({"match": ann.match.identifier} | DISPUTE))


def test_more_than_half_of_those_who_play_on_end_a_disputed_match_and_nobody_has_left() -> None:
    machines, log = with_a_page("Ann", "Ben", "Cleo", "Dora")
    match = machines[0].match
    with pytest.raises(InvalidEntryError, match="Nobody disputes"):
        machines[0].room.feed(machines[0].signed(machines[0].local.agree_to_end(match)))
    says(machines, log, machines[3], DISPUTE)
    for machine in (machines[0], machines[3]):
        says(machines, log, machine, machine.local.agree_to_end(machine.match))
        with pytest.raises(InvalidEntryError, match="agrees once"):
            machines[1].room.feed(machine.signed(machine.local.agree_to_end(machine.match)))
    assert not match.over
    machines[2].leave(log)
    all_read(machines, log)
    assert match.over
    assert match.abandoned
    assert match.called_off_by == frozenset()
    assert match.voted_out == frozenset()


def test_an_agreement_to_end_is_for_its_moment_and_said_again_after_a_key() -> None:
    machines, log = with_a_page("Ann", "Ben", "Cleo")
    ann, ben, cleo = machines
    roller = machines[ann.match.to_act or 0]
    roller.roll_all(log)
    all_read(machines, log)
    key = next(machine.signed(body) for machine in machines if machine is not roller for body in machine.local.owed())
    says(machines, log, cleo, DISPUTE)
    early = ben.local.agree_to_end(ben.match)
    log.append(key)
    all_read(machines, log)
    with pytest.raises(InvalidEntryError, match="another moment"):
        ann.room.feed(ben.signed(early))
    assert ben.local.retry(early) == ben.local.agree_to_end(ben.match) != early
    says(machines, log, ben, ben.local.agree_to_end(ben.match))
    assert ben.local.retry(early) is None


def test_bots_alone_end_a_disputed_match_with_the_first_who_want_to() -> None:
    machines = [*people("Ann"), TestMachine("Steady", [Seat("Steady", "Steady")], "420"), *people("Cleo")]
    log: list[LogEntry] = []
    for machine in machines:
        page = machines[0].public.hex() if machine is machines[2] else ""
        machine.read(log)
        log.append(machine.signed(machine.local.sit(SeatRequest(machine.players, "420", page=page))))
    machines[0].start(log)
    all_read(machines, log)
    draw(machines, log)
    says(machines, log, machines[2], DISPUTE)
    assert not [*machines[1].local.owed()]
    says(machines, log, machines[0], machines[0].local.agree_to_end(machines[0].match))
    (body,) = machines[1].local.owed()
    says(machines, log, machines[1], body)
    assert machines[0].match.abandoned


# -- carrying on without a machine -------------------------------------------------------------------------------------


def waiting_for(machines: list[TestMachine], absent: int, luck: Random) -> list[LogEntry]:
    """Play until the match waits for a machine that has gone; return the log."""
    log = seated(machines)
    drawn(machines, log)
    play_on([machine for machine in machines if machine is not machines[absent]], log, luck)
    machines[absent].read(log)
    return log


def test_all_others_agree_to_carry_on_without_a_machine_and_it_comes_last() -> None:
    ann, ben, cleo = machines = people("Ann", "Ben", "Cleo")
    log = waiting_for(machines, 2, Random(5))
    assert 2 in ann.match.awaited_machines
    ann.vote(log, 2)
    ann.read(log)
    assert not any(isinstance(event.action, Leave) for event in ann.match.events)
    ben.vote(log, 2)
    ann.read(log)
    assert ann.match.events[-1].action == Leave() or ann.match.over
    play_on([ann, ben], log, Random(6))
    cleo.read(log)
    for machine in machines:
        outcome = match_from_room(machine.match).state.outcome
        assert outcome
        assert outcome.places[-1] == (2,)
    assert len({record_text(machine.match) for machine in machines}) == 1
    verify_record(read_record(record_text(ann.match)))


def test_who_is_out_agrees_where_nobody_else_is_left_but_not_who_has_left() -> None:
    machines, log, *_ = begun("Ann", "Ben", "Cleo", "Dan")
    ann, dan = machines[0], machines[3]
    dan.leave(log)
    luck = Random(1)
    while len(ann.match.remaining) > 2:
        for machine in machines:
            machine.read(log)
            log += [machine.signed(body) for body in islice(machine.wishes(luck), 1)]
    all_read(machines, log)
    match = ann.match
    assert match.state
    (out,) = {0, 1, 2}.difference(match.remaining)
    without = [*match.remaining]
    assert [match.machine_of[seat] for seat in match.state.departed] == [3]
    with pytest.raises(InvalidEntryError, match="Only the others who play on"):
        ann.room.feed(dan.signed(dan.local.carry_on_without(dan.match, without)))
    voter = machines[out]
    ann.room.feed(voter.signed(voter.local.carry_on_without(voter.match, without)))
    assert match.over


def test_a_machine_that_acts_makes_the_votes_void_that_were_to_carry_on_without_it() -> None:
    """Else a table could leave out somebody who has acted in the meantime, by a last vote of later."""
    machines, log, roller, (first, second) = begun("Ann", "Ben", "Cleo")
    named = machines.index(roller)
    first.vote(log, named)
    roller.roll_all(log)
    second.open_keys(log)
    first.open_keys(log)
    second.read(log)
    assert second.match.awaited_machines == (named,)
    second.vote(log, named)
    second.read(log)
    assert second.match.events == [], "the first has to say again that it would carry on"
    assert second.match.votes == {frozenset({named}): {machines.index(second)}}


def test_a_leave_makes_all_votes_void_that_came_before_it() -> None:
    machines, log, roller, (first, leaver, last) = begun("Ann", "Ben", "Cleo", "Dan")
    named = machines.index(roller)
    first.vote(log, named)
    leaver.leave(log)
    last.vote(log, named)
    last.read(log)
    assert [event.action for event in last.match.events] == [Leave()], "the first has to say it again"
    assert last.match.votes == {frozenset({named}): {machines.index(last)}}


def test_a_roll_whose_key_is_withheld_by_another_machine_is_asked_again() -> None:
    machines, log, roller, (stays, goes) = begun("Ann", "Ben", "Cleo")
    roller.roll_all(log)
    for machine in (roller, stays):
        machine.vote(log, machines.index(goes))
    all_read(machines, log)
    match = machines[0].match
    assert [event.action for event in match.events] == [Leave()]
    assert match.dice.steps[-2].void
    assert match.pending
    assert match.pending.seat == machines.index(roller)
    assert match.dice.missing == tuple(sorted(map(machines.index, (roller, stays))))


def test_a_roller_who_withholds_loses_the_seat_and_nobody_rolls_for_it() -> None:
    machines, log, roller, others = begun("Ann", "Ben", "Cleo")
    roller.roll_all(log)
    for machine in others:
        machine.open_keys(log)
    for machine in others:
        machine.vote(log, machines.index(roller))
    others[0].read(log)
    match = others[0].match
    assert [event.action for event in match.events] == [Leave()]
    assert match.pending is None
    assert match.to_act not in (None, machines.index(roller))


def test_without_the_lot_a_match_is_abandoned_and_all_sit_down_again() -> None:
    ann, ben, _ = machines = people("Ann", "Ben", "Cleo")
    log = seated(machines)
    for machine in (ann, ben):
        machine.open_keys(log)
    for machine in (ann, ben):
        machine.vote(log, 2)
    ann.read(log)
    assert ann.match.abandoned
    assert not ann.room.playing
    ann.sit(log)
    ann.read(log)
    assert ann.public in ann.room.participants


def sat(*names: str) -> tuple[list[TestMachine], list[LogEntry]]:
    """Return machines that sit at a table, the first of which has opened it, and the log; all have read it."""
    machines = people(*names)
    return machines, at_the_table(*machines)


def test_nobody_but_the_host_starts_without_somebody_who_sits() -> None:
    (host, ben, eve), _ = sat("Ann", "Ben", "Eve")
    with pytest.raises(InvalidEntryError, match="only the host starts without them"):
        eve.room.feed(eve.signed(eve.local.start({ben.public})))
    eve.room.feed(host.signed(host.local.start({ben.public})))
    assert [participant.name for participant in eve.match.participants] == ["Ann", "Eve"]


@pytest.mark.parametrize("begun", [False, True])
def test_a_match_that_is_started_without_the_host_is_called_off_by_the_host_only(begun: bool) -> None:
    """The host may be gone for good, as at a hub; but who only leaves it out has gained nothing."""
    (host, ben, eve, dan), log = sat("Ann", "Ben", "Eve", "Dan")
    log.append(eve.signed(eve.local.start({host.public, ben.public})))
    all_read((host, ben, eve, dan), log)
    here = host.local.here(host.match)
    with pytest.raises(InvalidEntryError):
        eve.room.feed(ben.signed(here))
    if begun:
        keys = [machine.signed(body) for machine in (eve, dan) for body in machine.wishes(Random(0))]
        log += keys
        eve.read(log)
    eve.room.feed(host.signed(here))
    assert eve.match.abandoned
    assert eve.match.called_off_by == {eve.public}
    assert not eve.match.dice.missing
    assert not eve.room.playing


def test_what_counts_before_a_match_is_bounded() -> None:
    """Else somebody with the code makes every newcomer read what is never thrown away."""
    (ann, eve), _ = sat("Ann", "Eve")
    counted = 0
    for number in range(100):
        with suppress(InvalidEntryError):
            ann.room.feed(eve.signed(eve.local.sit(SeatRequest((Seat(f"Eve {number}"),)))))
            counted += 1
    assert counted == 50 - 1, "Eve has sat down once before"
    for name in map(str, range(400)):
        (other,) = people(name)
        for body in (other.local.sit(SeatRequest(other.players)), other.local.get_up()):
            with suppress(InvalidEntryError):
                ann.room.feed(entry(other.public, at_head(ann.room, body)))
                counted += 1
    assert counted == 400 - 2
    ann.room.feed(ann.signed(ann.local.start()))
    assert ann.room.playing, "whoever sits can play"


@pytest.mark.parametrize("game", GAMES)
def test_a_match_that_needs_more_keys_than_a_chain_has_ends_before_one_is_owed(
    monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(room, "MIN_KEYS", 3)
    machines = [TestMachine(name, [Seat(name)], game) for name in ("Ann", "Ben")]
    machines[1].local._chain_length = 3  # the shortest counts
    log = seated(machines)
    play_on(machines, log, Random(0))
    for machine in machines:
        match = machine.match
        assert (len(match.dice.steps), match.dice.missing, match.awaited_machines) == (3, (), ())
        assert match.abandoned
        assert not match.called_off_by
        assert not [*machine.local.owed()]
        log.append(machine.signed(machine.local.sit(SeatRequest(machine.players, game))))
        machine.read(log)
    assert {*machines[1].room.participants} == {machine.public for machine in machines}


@pytest.mark.parametrize("keys", [4095, 65_537, None, True, "9000"])
def test_a_chain_has_keys_for_every_match(keys: object) -> None:
    (ann,) = people("Ann")
    body = ann.local.sit(SeatRequest(ann.players)) | {"number": 0, "head": ann.room.heads[0], "keys": keys}
    with pytest.raises(InvalidEntryError, match="A chain has"):
        ann.room.feed(entry(ann.public, body))


def called_off(machines: list[TestMachine], opened: list[int], by: int, without: list[int]) -> list[LogEntry]:
    """Let these open for the draw, and then one carry on without others, or leave if these are none; return the log."""
    log = seated(machines)
    for number in opened:
        machines[number].read(log)
        log.extend(machines[number].signed(body) for body in islice(machines[number].local.owed(), 1))
    if without:
        machines[by].vote(log, *without)
    else:
        machines[by].leave(log)
    all_read(machines, log)
    assert machines[by].match.abandoned
    return log


@pytest.mark.parametrize(
    ("opened", "by", "without", "blamed"),
    [
        ([], 0, [], 0),
        ([0], 1, [], 1),
        ([0], 0, [1], 1),
        ([0], 0, [], 1),  # Ann has opened and waits; whoever says it, Ben has not opened
    ],
)
def test_who_does_not_open_for_the_lot_of_two_has_called_the_match_off_and_deals_last(
    opened: list[int], by: int, without: list[int], blamed: int
) -> None:
    machines = people("Ann", "Ben")
    log = called_off(machines, opened, by, without)
    last, other = machines[blamed], machines[1 - blamed]
    assert machines[0].match.called_off_by == {last.public}
    last.game, other.game = "421", "ten-rounds"
    for machine in (last, other):
        machine.sit(log)
        all_read(machines, log)
    assert [participant.author for participant in machines[0].room.start_order][-1] == last.public
    last.start(log)
    machines[0].read(log)
    assert machines[0].match.lineup.game == "ten-rounds", "the other sets the game"


def test_another_machine_opens_last_for_each_lot_and_never_who_has_called_the_last_one_off() -> None:
    machines = people("Ann", "Ben", "Cleo")
    log = seated(machines)
    last = []
    for _ in range(4):
        match = machines[0].match
        assert match.pending
        last.append(match.pending.machine)
        machines[match.pending.machine].leave(log)
        for machine in machines:
            machine.sit(log)
        all_read(machines, log)
        machines[0].start(log)
        all_read(machines, log)
    assert all(one != other for one, other in pairwise(last)), last


def test_who_calls_a_match_off_and_comes_back_by_another_key_neither_opens_last_nor_deals() -> None:
    ann, ben, again = people("Ann", "Ben", "Benno")
    log: list[LogEntry] = []
    ann.sit(log)
    opened = []
    for first, second in ((ann, ben), (again, ann)):
        for machine in (first, second):
            machine.read(log)
            if machine.public not in machine.room.participants:
                machine.sit(log)
        ann.read(log)
        starter = ann.room.start_order[0].author
        ann.start(log)
        all_read((first, second), log)
        match = ann.match
        assert match.pending
        opened.append(match.participants[match.pending.machine].name)
        second.leave(log)
    assert opened == ["Ben", "Ann"]
    assert starter == ann.public


def winner(seed: int, withholds: str) -> tuple[int, ...]:
    """Return the places of a match of two bots; machine 1 withholds keys once for every roll: its own, others' or both.

    It opens only when the table has waited, which is all that a machine can do that wants another roll.
    """
    machines = [TestMachine(name, [Seat(name, "Steady")], "420", seed=seed) for name in ("Ann", "Ben")]
    log = seated(machines)
    refused: set[str] = set()
    for _ in range(100_000):
        said = 0
        for number, machine in enumerate(machines):
            machine.read(log)
            for body in machine.local.owed():
                match = machine.match
                own = match.pending is not None and match.pending.machine == number
                wanted = number == 1 and body["at"] == "open" and withholds in ("both", "own" if own else "others")
                said += 1
                if wanted and body["key"] not in refused:
                    refused.add(body["key"])
                    continue
                log.append(machine.signed(body))
            machine.read(log)
        if not said:
            break
    assert bool(refused) == (withholds != "none")
    outcome = match_from_room(machines[0].match).state.outcome
    assert outcome
    return tuple(seat for (seat,) in outcome.places)


@pytest.mark.parametrize("withholds", ["own", "others", "both"])
def test_withholding_keys_never_buys_another_roll(withholds: str) -> None:
    for seed in range(4):
        assert winner(seed, withholds) == winner(seed, "none")


# -- hostile company ---------------------------------------------------------------------------------------------------

texts = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 5000),
    st.text(LETTERS, max_size=5),
    st.binary(max_size=3).map(bytes.hex),
    st.lists(st.sampled_from(["aa", "AA", "  "]), min_size=32, max_size=32).map("".join),
)
values = st.recursive(
    texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(LETTERS, max_size=3), inner, max_size=2),
    max_leaves=6,
)


def seen_of(room: Room) -> str:
    """Everything that the fold of a room has come to."""
    facts = vars(room) | {"matches": None}
    return repr([facts, *({**vars(match), "dice": vars(match.dice)} for match in room.matches)])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    seed=st.integers(0, 50), changes=st.lists(st.tuples(st.integers(0, 9), values), max_size=3), by=st.integers(0, 3)
)
def test_an_entry_counts_or_changes_nothing(seed: int, changes: list[tuple[int, object]], by: int) -> None:
    luck = Random(seed)
    machines = people("Ann", "Ben", "Cleo")
    log = seated(machines)
    play_on(machines[: luck.choice((2, 3))], log, luck) if luck.random() < 0.5 else drawn(machines, log)
    machine = machines[by % 3]
    machine.read(log)
    match = machine.match
    bodies = [
        *machine.local.owed(),
        machine.local.sit(SeatRequest(machine.players, "420")),
        machine.local.act(match, Roll((1, 2, 3, 4))),
        machine.local.carry_on_without(match, [0]),
        machine.local.leave(match),
        {"at": "end", "match": match.identifier, "record": "00" * 32},
    ]
    body = at_head(machine.room, luck.choice(bodies))
    for place, value in changes:
        body[sorted(body)[place % len(body)]] = value
    before = seen_of(machine.room)
    try:
        machine.room.feed(entry(machine.public if by < 3 else sha256(b"nobody").digest(), body))
    except InvalidEntryError:
        assert seen_of(machine.room) == before


@settings(max_examples=300, deadline=None)
@given(name=st.sampled_from(["game", "players", "tip", "keys", "patience", "first_to"]), value=values)
def test_a_seat_that_counts_can_be_started(name: str, value: object) -> None:
    """Else a stranger with the code ends a table for good: the entry stays in the log for whoever reads it."""
    ann, eve = people("Ann", "Eve")
    for machine, changed in ((ann, {}), (eve, {name: value})):
        body = at_head(ann.room, machine.local.sit(SeatRequest(machine.players, "420")))
        with suppress(InvalidEntryError):
            ann.room.feed(entry(machine.public, body | changed))
    if len(ann.room.participants) == 2:
        ann.room.feed(ann.signed(ann.local.start()))
        assert ann.room.playing


@pytest.mark.parametrize("tip", [" " * 62 + "aa", "AA" * 32, "aa" * 31 + "a ", "٠" * 64, "aa" * 33])
def test_a_tip_is_sixty_four_hexadecimal_digits(tip: str) -> None:
    (ann,) = people("Ann")
    body = ann.local.sit(SeatRequest(ann.players, "420")) | {"number": 0, "head": ann.room.head[1]}
    with pytest.raises(InvalidEntryError, match="64 hexadecimal digits"):
        ann.room.feed(entry(ann.public, body | {"tip": tip}))


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), game=st.sampled_from(GAMES), count=st.one_of(st.integers(2, 4), st.integers(2, 12)))
@pytest.mark.long(*PRODUCT)
def test_a_match_ends_without_those_who_vanish_and_they_come_last(seed: int, game: str, count: int) -> None:
    """Machines vanish at any moment, even between an action and its keys; the others agree to go on each time."""
    luck = Random(seed)
    machines = [TestMachine(str(number), [Seat(str(number), "Steady")], game, seed) for number in range(count)]
    log = seated(machines)
    draw(machines, log)
    here, gone = [*machines], list[int]()
    while not here[0].match.over:
        for _ in range(luck.randrange(60)):
            machine = luck.choice(here)
            machine.read(log)
            log.extend(machine.signed(body) for body in machine.local.owed())
        if len(here) > 1 and luck.random() < 0.3:
            here.remove(luck.choice(here))
        play_on(here, log, luck)
        match = here[0].match
        without = sorted({*match.remaining} - {machine.local.index for machine in here if not match.over})
        assert match.over or not {*match.awaited_machines}.isdisjoint(without), (
            "the match waits for somebody who is here"
        )
        for machine in here if not match.over else []:
            if machine.local.index in machine.match.remaining:
                log.append(machine.signed(machine.local.carry_on_without(machine.match, without)))
        gone += without if not match.over else []
        all_read(here, log)
    match = here[0].match
    assert match.state
    assert [*match.state.departed] == [match.dice.machines[number].seats[0] for number in gone][
        : len(match.state.departed)
    ]
    all_read(machines, log)
    assert len({record_text(machine.match) for machine in machines}) == 1
    verify_record(read_record(record_text(match)))


# -- found by the long run with faults ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "seed", "goes"), [("421", 43, 0), ("ten-rounds", 2, 2)])
def test_a_roll_that_a_leave_has_made_illegal_is_not_asked_again(game: str, seed: int, goes: int) -> None:
    luck = Random(seed)
    machines = [TestMachine(name, [Seat(name)], game, seed) for name in ("Ann", "Ben", "Cleo")]
    log = seated(machines)
    for _ in range(luck.randrange(20, 400)):
        machine = luck.choice(machines)
        machine.read(log)
        log += [machine.signed(body) for body in islice(machine.wishes(luck), 1)]
    all_read(machines, log)
    leaver, stays = machines[goes], [machine for machine in machines if machine is not machines[goes]]
    chosen, match = leaver.match.pending, stays[0].match
    assert chosen
    assert chosen.action
    log.append(leaver.signed(leaver.local.leave(leaver.match)))
    all_read(stays, log)
    assert match.state
    assert match.state.to_act == chosen.seat
    assert match.state.check(chosen.action)
    assert match.pending is None
    play_on(stays, log, luck)
    assert match.over


def test_a_leave_says_whether_its_key_was_open_so_that_every_other_order_is_noticed() -> None:
    """Else two machines with equal heads would wait for the keys of two steps: the roll is void in one order only."""
    machines, log, roller, (stays, leaver) = begun("Ann", "Ben", "Cleo")
    roller.roll_all(log)
    all_read(machines, log)
    key = leaver.signed(next(leaver.local.owed()))
    early = leaver.signed(leaver.local.leave(leaver.match))
    leaver.room.feed(key)
    late = leaver.signed(leaver.local.leave(leaver.match))
    roller.read([*log, early, key])
    assert roller.match.dice.steps[-2].void
    stays.read([*log, key, early])
    assert stays.match.events == []
    assert stays.room.head != roller.room.head
    stays.room.feed(late)
    assert [event.action for event in stays.match.events] == [Leave()]
    assert not stays.match.dice.steps[-1].void


def test_a_key_makes_the_votes_void_that_name_its_machine_and_a_vote_says_which_keys_it_knows() -> None:
    """Else two machines with equal heads would take a roll for void or not: by the order of a key and the last vote."""
    machines, log, roller, (first, second, voter) = begun("Ann", "Ben", "Cleo", "Dan")
    named = [machines.index(first), machines.index(second)]
    roller.roll_all(log)
    all_read(machines, log)
    vote = voter.signed(voter.local.carry_on_without(voter.match, named))
    last = roller.local.carry_on_without(roller.match, named)
    key = first.signed(next(first.local.owed()))
    voter.read([*log, vote, key])
    assert voter.match.votes == {}
    second.read([*log, key, vote])
    assert second.match.votes == {}
    assert voter.room.head != second.room.head
    roller.read([*log, vote, key])
    with pytest.raises(InvalidEntryError, match="another moment"):
        roller.room.feed(roller.signed(last))


def test_a_seat_that_was_taken_before_another_match_is_played_with_its_own_chain() -> None:
    """The entry of a machine that was cut off for a whole match of the others comes only after it: it says it again."""
    ann, ben, cleo = machines = people("Ann", "Ben", "Cleo")
    sit = cleo.local.sit(SeatRequest(cleo.players, "420"))
    late = cleo.signed(sit)
    log = seated([ann, ben])
    play_on([ann, ben], log, Random(1))
    cleo.read(log)
    log.append(late)
    for machine in (ann, ben):
        machine.sit(log)
    with pytest.raises(InvalidEntryError, match="before the last match was over"):
        cleo.room.feed(late)
    again = cleo.local.retry(sit)
    assert again
    log.append(cleo.signed(again))
    cleo.read(log)
    assert cleo.public in cleo.room.participants
    cleo.start(log)
    play_on(machines, log, Random(2))
    assert len(ann.room.matches) == 2
    assert ann.match.over
    verify_record(read_record(record_text(ann.match)))


def test_a_vote_that_came_too_early_can_be_said_again() -> None:
    """Its moment is the same, because keys make no head, and a broker keeps the same bytes once."""
    machines = people("Ann", "Ben")
    log = seated(machines)
    ann, ben = machines
    with pytest.raises(InvalidEntryError, match="does not wait"):
        ann.room.feed(ann.signed(ann.local.carry_on_without(ann.match, [1])))
    log.append(ann.signed(next(ann.local.owed())))
    ann.read(log)
    ann.room.feed(ann.signed(ann.local.carry_on_without(ann.match, [1])))
    assert ann.match.called_off_by == {ben.public}


def test_a_machine_agrees_once() -> None:
    machines = people("Ann", "Ben", "Cleo")
    waiting_for(machines, 2, Random(5))
    ann = machines[0]
    ann.room.feed(ann.signed(ann.local.carry_on_without(ann.match, [2])))
    with pytest.raises(InvalidEntryError, match="agreed already"):
        ann.room.feed(ann.signed(ann.local.carry_on_without(ann.match, [2])))


def test_the_order_of_keys_changes_nothing() -> None:
    ann, ben, cleo = people("Ann", "Ben", "Cleo")
    log = seated([ann, ben, cleo])
    keys = [machine.signed(next(machine.local.owed())) for machine in (ann, ben)]
    ann.read(log + keys)
    ben.read(log + keys[::-1])
    assert ann.room.head == ben.room.head
    assert ann.match.awaited_machines == ben.match.awaited_machines == (2,)
