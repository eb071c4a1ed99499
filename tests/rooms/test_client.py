"""A machine at a room over a broker in memory: what it says and owes, lost connections, and who is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from math import inf
from pathlib import Path
from typing import NoReturn
from unittest.mock import AsyncMock, Mock

import pytest
from machines import Clock, at_head
from memory_client import KEYS, LASTING, act
from memory_log import MemoryBroker, MemoryLog
from msgspec.structs import replace
from waiting import settled

from fourtwenty.games.game import Event, Leave, Stand
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, read_record, verify_record, write_record
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import SaveError
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import OpenedKey, SeatRequest, record_text
from fourtwenty.rooms.room import MIN_KEYS, RoomMatch, throwers
from fourtwenty.rooms.room_file import RoomFile, RoomInUseError, known_rooms
from fourtwenty.rooms.wire import client as client_module, presence
from fourtwenty.rooms.wire.client import Client, ClientMatch
from fourtwenty.rooms.wire.presence import AWAY_SECONDS, Reaction
from fourtwenty.rooms.wire.room_history import match_so_far
from fourtwenty.rooms.wire.room_log import UnreachableError
from fourtwenty.rooms.wire.sync_barrier import BARRIER_SECONDS


class ClientRoom:
    """Machines at one room in memory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.broker = MemoryBroker()
        self.clock = Clock()
        self.clients: list[Client] = []
        self.told: list[str] = []

    async def join(
        self,
        name: str,
        players: str = "",
        broker: MemoryBroker | None = None,
        game: str = LASTING,
    ) -> Client:
        """Open the room on the machine of this name, with these players: a name, or "bot NAME"."""
        log = MemoryLog(broker or self.broker, KEYS.room)
        file = RoomFile(KEYS.room, KEYS.code, "memory", self.folder / name)
        client = Client(KEYS, log, file, SeatRequest(name=name), self.clock)
        client.local._chain_length = MIN_KEYS  # a whole chain takes 26 ms
        client.notices.notify = lambda sentence: self.told.append(f"{name}: {sentence}")
        await client.open()
        if players:
            seat = Seat(players.removeprefix("bot "), "Steady" if players.startswith("bot ") else None)
            client.sit(replace(client.seat_request, players=(seat,), game=game))
        self.clients.append(client)
        await settled()
        return client

    async def pass_time(self, seconds: float, *clients: Client) -> None:
        """Let time pass, and these machines notice it one after the other."""
        self.clock.now += seconds
        for client in clients:
            client._advance()
            await settled()

    def lose_last(self) -> None:
        """Let the broker lose the last entry."""
        self.broker.entries[KEYS.room].popitem()

    async def play_out(self, *clients: Client) -> None:
        """Let the first of these machines start a match, and all play it to its end."""
        clients[0].start()
        await self.reach(lambda: clients[0].room.match and over(*clients)())

    async def leave(self, client: Client) -> None:
        self.clients.remove(client)
        await client.close()
        await settled()

    async def reach(self, condition: Callable[[], object]) -> None:
        """Let everybody roll what is to be rolled until a condition holds."""
        for _ in range(20_000):
            if condition():
                return
            for client in self.clients:
                act(client)
            await asyncio.sleep(0)
        raise AssertionError("it does not come")


def rolls_all(match: RoomMatch) -> bool:
    """Whether the seat to act has to roll, and cannot stand."""
    return match.state is not None and Stand() not in match.state.actions


def match_in(client: Client) -> RoomMatch:
    assert client.room.match
    return client.room.match


def log_of(client: Client) -> MemoryLog:
    assert isinstance(client.log, MemoryLog)
    return client.log


async def back(*clients: Client) -> None:
    """Let machines have their connections back, one after the other."""
    for client in clients:
        log_of(client).reconnect()
        await settled()


async def sits(client: Client, *names: str) -> None:
    """Let these people sit down at a machine for a game of 420, and all hear of it."""
    client.sit(SeatRequest(tuple(map(Seat, names)), "420"))
    await settled()


async def sits_again(*clients: Client) -> None:
    for client in clients:
        client.sit(client.seat_request)
        await settled()


def cut(*clients: Client) -> None:
    for client in clients:
        log_of(client).disconnect()


async def heard(*clients: Client) -> None:
    for client in clients:
        await client.send_heartbeat()
    await settled()


async def started(client: Client) -> None:
    client.start()
    await settled()


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[ClientRoom]:
    room = ClientRoom(tmp_path)
    yield room
    for client in (*room.clients,):
        await client.close()


async def match(room: ClientRoom, *names: str) -> list[Client]:
    clients = [await room.join(name, name) for name in names]
    clients[0].start()
    await room.reach(lambda: len(match_in(clients[0]).events) > 2 if clients[0].room.match else False)
    return clients


def over(*clients: Client) -> Callable[[], bool]:
    return lambda: all(match_in(client).over and len(match_in(client).ends) == len(clients) for client in clients)


async def test_people_and_bots_at_three_machines_play_to_the_end_and_a_spectator_sees_all(room: ClientRoom) -> None:
    ann, ben, cleo = [await room.join("Ann", "Ann"), await room.join("Ben", "Ben"), await room.join("Cleo", "bot Cleo")]
    ann.start()
    await room.reach(lambda: ann.room.match and match_in(ann).events)
    late = await room.join("Dan")
    assert late.local.index is None
    assert len(match_in(late).events) == len(match_in(ann).events)
    assert ann.view.spectators == ("Dan",)
    await room.reach(over(ann, ben, cleo))
    await settled()
    assert len({record_text(match_in(client)) for client in room.clients}) == 1
    verify_record(read_record(record_text(match_in(late))))
    assert room.told == []


async def test_a_machine_that_was_killed_is_back_on_its_seat_with_the_whole_story(room: ClientRoom) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    room.clients.remove(ben)
    ben.file.close()
    await ben.log.close()
    await room.reach(lambda: 1 in match_in(ann).awaited_machines)
    again = await room.join("Ben")
    assert again.local.index == 1
    await room.reach(over(ann, again))
    assert record_text(match_in(ann)) == record_text(match_in(again))


async def test_the_seat_is_open_in_one_window_of_a_machine(room: ClientRoom) -> None:
    ann = await room.join("Ann", "Ann")
    with pytest.raises(RoomInUseError):
        RoomFile(KEYS.room, KEYS.code, "memory", room.folder / "Ann")
    assert known_rooms(room.folder / "Ann") == []
    await room.leave(ann)
    assert [(known.code, known.address) for known in known_rooms(room.folder / "Ann")] == [(KEYS.code, "memory")]


async def test_a_lost_connection_loses_nothing_and_doubles_nothing(room: ClientRoom) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    logs = [client.log for client in (ann, ben)]
    for count in range(40):
        log = logs[count % 2]
        assert isinstance(log, MemoryLog)
        log.unanswered = count % 3 == 0
        for client in room.clients:
            act(client)
        await asyncio.sleep(0)
        log.disconnect()
        assert not room.clients[count % 2].connected
        act(room.clients[1 - count % 2])
        await settled()
        log.unanswered = False
        log.reconnect()
        await settled()
        if match_in(ann).over:
            break
    await room.reach(over(ann, ben))
    assert ann.room.head == ben.room.head
    assert ann.refusals == ben.refusals == 0


async def test_a_roll_is_foreseen_by_its_machine_only_while_the_key_can_be_sent(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    await room.reach(lambda: match_in(ann).to_act == 0 and rolls_all(match_in(ann)))
    events, seats = len(match_in(ann).events), ClientMatch(ann, match_in(ann))
    log_of(ann).sends = 1  # the action, and not the key
    act(ann)
    await settled()
    foreseen = seats.predicted
    assert foreseen
    assert ClientMatch(ben, match_in(ben)).predicted is None
    with monkeypatch.context() as unread:
        unread.setattr(ann.log, "read", Mock(side_effect=UnreachableError("the broker does not answer")))
        ann.sync.read_soon()
        await settled()
        assert seats.predicted is None, "a vote may be in the log"
    log_of(ann).disconnect()
    assert seats.predicted is None
    log_of(ben).hold()
    await back(ann)
    assert ann.connected
    assert seats.predicted is None, "nothing is sent before all have met"
    log_of(ben).release()
    await settled()
    assert seats.predicted == foreseen
    assert len(match_in(ann).events) == events
    log_of(ann).sends = inf
    ann.sync.try_again()
    await settled()
    assert match_in(ann).events[events:] == [foreseen]
    assert seats.predicted is None


async def test_a_roll_of_a_bot_is_not_foreseen(room: ClientRoom) -> None:
    ann, ben = await room.join("Ann", "bot Ann"), await room.join("Ben", "Ben")
    known, shown = list[Event | None](), list[Event | None]()
    ann.start()
    await room.reach(lambda: ben.room.match)
    ann.listeners.append(lambda: known.append(ann.local.predicted(match_in(ann))))
    ann.listeners.append(lambda: shown.append(ClientMatch(ann, match_in(ann)).predicted))
    await room.reach(lambda: any(known))
    assert not any(shown)


async def test_lost_and_doubled_deliveries_are_made_good(room: ClientRoom) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    log_of(ben).deaf = True
    await room.reach(lambda: ann.room.head[0] > ben.room.head[0])
    await settled()
    log_of(ben).deaf, log_of(ben).doubled = False, True
    await heard(ann)
    assert ann.room.head == ben.room.head
    await room.reach(over(ann, ben))


async def test_a_broker_that_has_lost_its_disk_gets_the_log_again_from_any_machine(room: ClientRoom) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    before = match_in(ann).events[:]
    for client in (ann, ben):
        await room.leave(client)
    room.broker = MemoryBroker()
    again = await room.join("Ben")
    assert match_in(again).events == before
    ann = await room.join("Ann")
    room.clock.now += BARRIER_SECONDS  # Ben has just started, and does not know that nobody else is here
    again._advance()
    await room.reach(over(ann, again))
    assert record_text(match_in(ann)) == record_text(match_in(again))


async def test_a_machine_is_away_after_two_missed_beats_and_not_for_a_blip(room: ClientRoom) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    log_of(ben).disconnect()
    room.clock.now = 19  # two heartbeats, one in 8 seconds, and a slow network
    assert not ann.presence.away(ben.machine.public)
    room.clock.now = 21
    assert ann.presence.away(ben.machine.public)
    await back(ben)
    assert not ann.presence.away(ben.machine.public)
    await room.leave(ben)
    assert ann.presence.away(ben.machine.public)


async def test_after_the_patience_of_the_table_all_present_may_carry_on_without_a_machine(room: ClientRoom) -> None:
    ann, ben, cleo = await match(room, "Ann", "Ben", "Cleo")
    await room.leave(cleo)
    await room.reach(lambda: 2 in match_in(ann).awaited_machines)
    assert [*ann.view.absent] == [2]
    assert [*ann.view.may_be_left] == []
    room.clock.now += 200
    await heard(ben)
    assert [*ann.view.may_be_left] == [2]
    ann.carry_on_without([2])
    await settled()
    assert not any(event.action == Leave() for event in match_in(ann).events)
    ben.carry_on_without([2])
    await room.reach(lambda: match_in(ann).over and match_in(ben).over)
    again = await room.join("Cleo")
    assert record_text(match_in(again)) == record_text(match_in(ann))


async def test_after_the_same_time_the_table_goes_on_without_people_who_do_nothing(room: ClientRoom) -> None:
    clients = await match(room, "Ann", "Ben", "Cleo")
    (idle,) = match_in(clients[0]).awaited_machines
    others = [client for number, client in enumerate(clients) if number != idle]
    assert [*others[0].view.may_be_left] == []
    room.clock.now += 200
    await heard(*clients)
    assert not others[0].presence.away(clients[idle].machine.public)
    assert [*clients[idle].view.may_be_left] == []
    for other in others:
        assert [*other.view.may_be_left] == [idle]
        other.carry_on_without([idle])
        await settled()
    assert match_in(clients[idle]).events[-1] == Event(idle, Leave(), ())


async def test_who_leaves_just_as_another_rolls_has_left_after_that(room: ClientRoom) -> None:
    clients = await match(room, "Ann", "Ben", "Cleo")
    await room.reach(lambda: all(match_in(client).to_act is not None for client in clients))
    (seat,) = match_in(clients[0]).awaited_machines
    roller, leaver = clients[seat], clients[seat - 1]
    log_of(leaver).hold()
    act(roller)
    await settled()
    leaver.leave()
    await settled()
    assert match_in(roller).pending
    log_of(leaver).release()
    await room.reach(lambda: Event(clients.index(leaver), Leave(), ()) in match_in(roller).events)
    await settled()
    refused = leaver.refusals
    leaver.leave()
    await settled()
    assert leaver.refusals == refused + 1, "who has left does not leave again"


async def test_the_history_keeps_a_match_of_a_room_and_goes_on_with_it(room: ClientRoom, tmp_path: Path) -> None:
    options = Lineup(coach="full", monocolor=True)
    with closing(History(tmp_path / "games.sqlite", room.told.append)) as history:
        ann, ben = await match(room, "Ann", "Ben")
        first = await match_so_far(match_in(ann), history, options)
        first.save_to(history.journal())
        assert first.lineup_now.coach == "full"
        so_far = first.events[:]
        assert so_far == match_in(ann).events
        await room.reach(over(ann, ben))
        again = await match_so_far(match_in(ann), history, options)
        assert again.events[: len(so_far)] == so_far
        assert again.state.outcome
        assert history.find(again.identifier or "") == 1
        assert history.match(1).state == again.state
        assert write_record(Record.from_match(again)) == record_text(match_in(ben))


async def test_a_rematch_in_the_same_room(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name, game="420") for name in ("Ann", "Ben")]
    await room.play_out(ann, ben)
    for client in (ben, ann):
        await sits_again(client)
    ben.start()
    await room.reach(lambda: len(ann.room.matches) == 2 and match_in(ann).over and len(match_in(ann).ends) == 2)
    first, second = ann.room.matches
    assert first.identifier != second.identifier
    assert first.state
    assert second.lineup.starting_seat == 1 - first.dice.draw(2)
    verify_record(read_record(record_text(second)))


async def test_who_dealt_deals_a_rematch_on_terms_of_its_own(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name, game="420") for name in ("Ann", "Ben")]
    await room.play_out(ann, ben)
    ben.sit(replace(ben.next_seat_request, game="421"))
    await settled()
    ann.sit(ann.next_seat_request)
    await settled()
    ann.start_rematch()
    await room.reach(lambda: len(ben.room.matches) == 2)
    assert match_in(ben).lineup.game == "420"


async def test_nobody_stops_a_start_by_sitting_down_again(room: ClientRoom) -> None:
    ann, ben, eve = [await room.join(name, name) for name in ("Ann", "Ben", "Eve")]
    for number in range(3):
        eve.sit(replace(eve.seat_request, first_to=number % 2 * 3))
        ann.start()
        eve.sit(replace(eve.seat_request, first_to=3 - number % 2 * 3))
    await room.reach(lambda: ben.room.matches)
    assert len(match_in(ben).participants) == 3
    assert not room.told


async def test_who_is_left_out_is_told_and_a_host_who_sees_it_calls_the_game_off(room: ClientRoom) -> None:
    ann, ben, eve, dan = [await room.join(name, name) for name in ("Ann", "Ben", "Eve", "Dan")]
    eve._before = {-1}  # a changed program, which does not try again with everybody
    eve._send_and_show(eve.local.start({ben.machine.public}))
    await settled()
    assert not eve.room.playing
    assert room.told == ["Eve: Somebody who sits here is not in it: only the host starts without them."]
    room.told.clear()
    eve._send_and_show(eve.local.start({ann.machine.public, ben.machine.public}))
    await settled()
    assert match_in(ben).abandoned
    assert "Ben: Eve has started without you. You play in the next game; q leaves the table." in room.told
    assert not any(client.room.playing for client in (ann, ben, eve, dan))


async def test_a_host_who_comes_back_later_calls_nothing_off(room: ClientRoom) -> None:
    ann, ben, cleo = [await room.join(name, name) for name in ("Ann", "Ben", "Cleo")]
    log_of(ann).disconnect()
    room.clock.now += AWAY_SECONDS + 1
    await heard(ben, cleo)
    await started(ben)
    assert ben.room.playing
    await back(ann)
    assert ann.room.playing
    assert room.told == ["Ann: Ben has started without you. You play in the next game; q leaves the table."]


async def test_a_start_is_for_those_who_sat_then(room: ClientRoom) -> None:
    ann, ben, eve = [await room.join(name, name) for name in ("Ann", "Ben", "Eve")]
    eve.get_up()
    await started(ann)
    assert not ben.room.matches
    assert room.told == ["Ann: A start lists machines that sit at the table now."]


async def test_a_rematch_waits_for_who_sits_again_and_is_away(room: ClientRoom) -> None:
    ann, ben, cleo = [await room.join(name, name, game="420") for name in ("Ann", "Ben", "Cleo")]
    await room.play_out(ann, ben, cleo)
    for client in (ben, cleo):
        client.sit(client.seat_request)
    await settled()
    await room.leave(cleo)
    await sits_again(ann)
    ann.start_rematch()
    await settled()
    assert len(ann.room.matches) == 1
    await room.join("Cleo")
    ann.start_rematch()
    await settled()
    assert [participant.name for participant in match_in(ann).participants] == ["Ann", "Ben", "Cleo"]
    assert len(ann.room.matches) == 2


async def test_reactions_come_once_and_not_too_often(room: ClientRoom) -> None:
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    heard: list[Reaction] = []
    seen: list[Reaction] = []
    ben.on_reaction, ann.on_reaction = heard.append, seen.append
    ann.react(0)
    ann.react(1)
    await settled()
    room.clock.now += 3
    ann.react(2)
    await settled()
    assert [(each.name, each.text) for each in heard] == [("Ann", "Cheers!"), ("Ann", "Ouch!")]
    assert [each.text for each in seen] == ["Cheers!", "Ouch!"], "nobody sees an own one that the others do not see"


async def test_what_does_not_count_is_not_even_stored(room: ClientRoom) -> None:
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    stranger = RoomKeys.from_code("0000-0000")
    mallory = MachineKey(bytes(32))
    body = at_head(ann.room, {"at": "rise"})
    for data in (b"", b"x" * 4000, encrypt_entry(stranger, mallory, body)):
        room.broker.store(KEYS.room, data)
    room.broker.store(KEYS.room, encrypt_entry(KEYS, mallory, body))
    await settled()
    assert len(ann.room.participants) == 2
    assert len([*ben.file.entries()]) == 2
    assert len(ben.copy.void) == 4
    assert mallory.public not in ben.presence.others


async def test_names_that_do_not_fit_into_an_entry_are_refused_in_a_sentence(room: ClientRoom) -> None:
    ann = await room.join("Ann", "Ann")
    ann.sit(SeatRequest(tuple(Seat(f"{number}{'é' * 290}") for number in range(8))))
    assert room.told == ["Ann: The names at this machine are too long in total."]
    assert ann.seat_request.players == (Seat("Ann"),)
    ann.sit(
        SeatRequest(tuple(Seat(f"Steady {number}", "Steady") for number in range(1, 25)))
    )  # as many as a game seats
    await settled()
    assert len(ann.room.participants[ann.machine.public].players) == 24


async def test_nobody_says_anything_new_before_all_who_are_here_have_laid_what_a_broker_has_lost(
    room: ClientRoom,
) -> None:
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    log_of(ben).disconnect()
    cleo = await room.join("Cleo", "Cleo")
    await room.pass_time(BARRIER_SECONDS, cleo)
    cut(ann, cleo)
    room.lose_last()  # Cleo's seat, of which Ben has not heard
    await back(ben)
    dan = await room.join("Dan", "Dan")
    assert [*ben.room.participants] == [client.machine.public for client in (ann, ben)]
    ann.sit(SeatRequest((Seat("Anna"),), "420"))
    await back(ann, cleo)
    assert [*ann.room.participants] == [client.machine.public for client in (ann, ben, cleo, dan)]
    assert dan.room.name(ann.machine.public) == "Anna"
    assert len({client.room.head for client in room.clients}) == 1
    await room.play_out(ann, ben, cleo, dan)
    assert len({record_text(match_in(client)) for client in room.clients}) == 1
    assert room.told == []


SPLIT = "has a different log of this table. The table's log has split, so this game can't go on. Open a new one: "


async def split_log(room: ClientRoom) -> list[Client]:
    """Ann and Ben have seen Ann's new name; the broker has lost it, and Cleo another one while they were away."""
    ann, ben, cleo = [await room.join(name, name) for name in ("Ann", "Ben", "Cleo")]
    log_of(cleo).disconnect()
    await sits(ann, "Anna")
    cut(ann, ben)
    room.lose_last()
    await back(cleo)
    cleo.sit(SeatRequest((Seat("Chloe"),), "420"))
    await room.pass_time(AWAY_SECONDS + 1, cleo)  # the only machines with the longer log stay away
    return [ann, ben, cleo]


async def test_two_stories_are_told_within_one_beat_on_both_sides(room: ClientRoom) -> None:
    ann, ben, cleo = await split_log(room)
    assert room.told == []
    await back(ann, ben)
    assert {*room.told} == {
        f"Ann: Chloe's machine {SPLIT}fourtwenty host".replace("Chloe", "Cleo"),
        f"Ben: Cleo's machine {SPLIT}fourtwenty host",
        f"Cleo: Ann's machine {SPLIT}fourtwenty host",
        f"Cleo: Ben's machine {SPLIT}fourtwenty host",
    }
    assert len(room.told) == 4, "once each"
    kept = len(room.broker.entries[KEYS.room])
    await sits(ann, "Annie")
    assert len(room.broker.entries[KEYS.room]) == kept, "a machine whose log is not that of the broker says no more"
    dan = await room.join("Dan")
    assert dan.room.shares_log_with(cleo.room.heads)
    assert not dan.room.shares_log_with(ben.room.heads)


async def rolled_alone(room: ClientRoom, clients: list[Client]) -> list[Client]:
    """Let somebody roll while the second after them has no connection; return the machines in the order of turns."""
    await room.reach(lambda: all(match_in(client).to_act is not None for client in clients))
    (seat,) = match_in(clients[0]).awaited_machines
    order = clients[seat:] + clients[:seat]
    log_of(order[2]).disconnect()
    act(order[0])
    await settled()
    return order


async def lost_key(room: ClientRoom, clients: list[Client]) -> list[Client]:
    """Return the roller, another machine, and those that both carry on without: these alone have seen a key of the
    first of them, which the broker has lost."""
    roller, other, absent, *witnesses = await rolled_alone(room, clients)
    here, gone = (roller, other), (absent, *witnesses)
    cut(*here)
    await back(absent)
    await room.pass_time(AWAY_SECONDS + 1, absent)
    cut(*gone)
    room.lose_last()
    await back(*here)
    room.clock.now += 200
    for client in here:
        client._advance()
        client.carry_on_without(sorted(clients.index(each) for each in gone))
        await settled()
    assert Event(clients.index(absent), Leave(), ()) in match_in(roller).events
    assert room.told == []
    return [roller, other, absent, *witnesses]


async def test_who_alone_has_counted_a_key_that_was_lost_is_told_of_another_story(room: ClientRoom) -> None:
    """Its heads are those of the log, as far as they go, because a key makes none."""
    clients = await match(room, "Ann", "Ben", "Cleo")
    *others, absent = await lost_key(room, clients)
    await back(absent)
    names = {client: client.seat_request.name for client in clients}
    assert absent.room.shares_log_with(others[0].room.heads)
    assert {*room.told} == {
        *(f"{names[other]}: {names[absent]}'s machine {SPLIT}fourtwenty host" for other in others),
        *(f"{names[absent]}: {names[other]}'s machine {SPLIT}fourtwenty host" for other in others),
    }
    for client in clients:
        await room.leave(client)
    kept = len(room.broker.entries[KEYS.room])
    again = await room.join(names[absent])
    room.clock.now += AWAY_SECONDS + 1
    again._advance()
    again.leave()
    await settled()
    assert again.copy.diverged, "also when it is opened again"
    assert len(room.broker.entries[KEYS.room]) == kept


async def test_two_machines_that_have_counted_a_key_that_was_lost_have_one_story(room: ClientRoom) -> None:
    clients = await match(room, "Ann", "Ben", "Cleo", "Dan")
    *_, absent, witness = await lost_key(room, clients)
    await back(absent, witness)
    log_of(absent).disconnect()
    await back(absent)
    pair = {absent.seat_request.name, witness.seat_request.name}
    assert len(room.told) == 8
    assert not [each for each in room.told if {each.split(": ")[0], each.split(": ")[1].split("'")[0]} == pair]


async def test_who_has_counted_a_vote_that_came_too_late_for_the_others_is_told(room: ClientRoom) -> None:
    clients = await match(room, "Ann", "Ben", "Cleo")
    roller, voter, absent = await rolled_alone(room, clients)
    log_of(roller).disconnect()
    room.clock.now += 200
    voter._advance()
    voter.carry_on_without([clients.index(absent)])
    await settled()
    log_of(voter).disconnect()
    room.lose_last()  # the vote
    for client in (roller, absent):
        log_of(client).reconnect()
    await settled()
    await room.pass_time(
        AWAY_SECONDS + 1, *(roller, absent, roller)
    )  # the only machine that has what is lost stays away
    assert match_in(absent).events == match_in(roller).events
    assert len(match_in(roller).events) > len(match_in(voter).events)
    await back(voter)
    assert len(room.told) == 4


@pytest.mark.parametrize("number", range(1, 8))
async def test_an_entry_that_is_laid_too_early_makes_no_other_story(room: ClientRoom, number: int) -> None:
    """Somebody uploads the first one and another, where a broker has lost everything, before the others are back."""
    ann, ben = await match(room, "Ann", "Ben")
    await settled()
    cut(ann, ben)
    kept = room.broker.entries[KEYS.room]
    first, *rest = kept
    kept.clear()
    for data in (first, rest[number]):
        room.broker.store(KEYS.room, data)
    await back(ann, ben)
    await goes_on(room, ben)
    assert not room.told


@pytest.mark.parametrize("full", [False, True], ids=["", "full disk"])
async def test_who_finds_another_story_late_says_no_more(room: ClientRoom, full: bool) -> None:
    """A vote was lost on its way, and the key of whom it names counts before it here, and after it in the log."""
    clients = await match(room, "Ann", "Ben", "Cleo")
    roller, other, absent = await rolled_alone(room, clients)
    await other._broadcast({"counted": 2**53})  # what others say costs no more than one look between two tries
    await settled()
    room.clock.now += 200
    log_of(roller).deaf = True
    other.carry_on_without([clients.index(absent)])
    await settled()
    log_of(roller).deaf = log_of(roller)._gap = False
    await back(absent)
    await room.pass_time(AWAY_SECONDS + 1, absent)
    assert roller.outbox.open
    if full:
        roller.file.save_entries = Mock(side_effect=SaveError("the disk is full"))  # type: ignore[method-assign]
    roller.sync.try_again()
    await settled()
    assert roller.copy.diverged
    assert not roller.outbox.open
    assert room.told
    log_of(roller).disconnect()
    await back(roller)
    assert roller.copy.diverged, "it is not forgotten with the connection"
    assert not roller.outbox.open


async def goes_on(room: ClientRoom, client: Client) -> None:
    """Play some more events, as a machine sees them."""
    before = len(match_in(client).events)
    await room.reach(lambda: len(match_in(client).events) > before + 3)


async def late_answer(room: ClientRoom, client: Client) -> None:
    """Roll, and read the whole log because the answer to that comes late."""
    await room.reach(
        lambda: match_in(client).to_act is not None and match_in(client).awaited_machines == (client.local.index,)
    )
    await settled()
    log_of(client).sends = 0
    act(client)
    await settled()
    log_of(client).sends = inf
    client.sync.try_again()
    await settled()


async def test_a_hub_that_throws_old_entries_away_tells_no_other_story(room: ClientRoom) -> None:
    """Those that are uploaded again are behind the rest, and stay when the next ones are thrown away."""
    ann, ben = await match(room, "Ann", "Ben")
    await settled()
    kept = room.broker.entries[KEYS.room]
    first, *_ = old = [*kept][:4]
    for _ in range(2):
        assert old
        for data in old:
            del kept[data]
        cut(ann, ben)
        await back(ann, ben)
        await late_answer(room, ann)
        await goes_on(room, ben)
        await settled()
        old = [*kept][: [*kept].index(first)]
    assert not ann.copy.diverged
    assert not ben.copy.diverged
    assert not room.told


async def test_a_machine_that_is_opened_again_is_told_again_that_there_are_two_stories(room: ClientRoom) -> None:
    ann, ben, _ = await split_log(room)
    await back(ann, ben)
    room.told.clear()
    await room.leave(ben)
    await room.join("Ben")
    assert room.told == [f"Ben: Cleo's machine {SPLIT}fourtwenty host"]


async def test_who_finds_another_story_and_nobody_is_told(room: ClientRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    for client in await split_log(room):
        await room.leave(client)
    monkeypatch.setattr("fourtwenty.rooms.wire.client.HEARTBEAT_SECONDS", 0.01)
    await room.join("Ann")
    await room.reach(lambda: room.told)
    await settled()
    assert room.told == [
        "Ann: The log of this table is no longer the one that this machine has seen. "
        "The table's log has split, so this game can't go on. Open a new one: fourtwenty host"
    ]


async def test_who_has_no_seat_is_not_believed_about_another_story(room: ClientRoom) -> None:
    ann, _ = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    body = {"at": "here", "number": 1, "head": "00" * 16, "uploaded": True}
    ann._on_broadcast(encrypt_entry(KEYS, MachineKey(bytes(32)), body))
    await settled()
    assert room.told == []


@pytest.mark.parametrize("missed", [1, 2])
async def test_what_came_before_an_entry_that_a_broker_left_out_counts_after_all(room: ClientRoom, missed: int) -> None:
    ann, ben, cleo = [await room.join(name, name) for name in ("Ann", "Ben", "Cleo")]
    log_of(ben).deaf = True
    for number in range(missed):
        await sits(ann, f"Anna {number}")
    log_of(ben).deaf = False
    for name in ("Cloe", "Chloe"):
        await sits(cleo, name)
    assert ben.room.head == ann.room.head
    assert ben.room.name(cleo.machine.public) == "Chloe"
    assert room.told == []


async def test_no_order_is_taken_over_in_which_a_key_was_shown_for_another_action(room: ClientRoom) -> None:
    """A broker and the roller, who knows the faces by then, put another action before the one that keys were for."""
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    ann.start()
    await room.reach(lambda: ann.room.match and match_in(ann).events and match_in(ann).to_act is not None)
    seat = match_in(ann).to_act
    assert seat is not None
    roller, other = (ann, ben) if match_in(ann).machine_of[seat] == 0 else (ben, ann)
    state = match_in(roller).state
    assert state
    foreseen = at_head(roller.room, roller.local.act(match_in(roller), state.actions[-1]))
    roller.act(state.actions[0])
    await asyncio.sleep(0)
    log_of(roller).deaf = True  # it never shows its own key
    await settled()
    chosen, kept = match_in(other).pending, room.broker.entries[KEYS.room]
    assert chosen
    assert match_in(other).dice.missing == (match_in(other).machine_of[seat],)
    before = [entry for entry in kept if not _is_act(entry, chosen.digest)]
    act = next(entry for entry in kept if _is_act(entry, chosen.digest))
    place = [*kept].index(act)
    order = [*before[:place], encrypt_entry(KEYS, roller.machine, foreseen), act, *before[place:]]
    kept.clear()
    kept.update({entry: sequence for sequence, entry in enumerate(order, 1000)})
    cut(other)
    await back(other)
    assert match_in(other).pending == chosen
    keys = [entry for data in kept if (entry := decrypt_entry(KEYS, data)) and entry.author == other.machine.public]
    assert {entry.body["act"] for entry in keys if entry.body.get("step") == len(match_in(other).dice.steps)} == {
        chosen.digest.hex()
    }


async def test_a_key_is_sent_once_the_file_has_what_it_is_for(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one commit with the action itself, which a power cut does not take back."""
    ann, ben = await match(room, "Ann", "Ben")
    await room.reach(lambda: match_in(ann).to_act == 0 and rolls_all(match_in(ann)))
    with monkeypatch.context() as full:
        full.setattr(ben.file, "save_opened_key", Mock(side_effect=SaveError("the disk is full")))
        act(ann)
        await settled()
        assert match_in(ann).awaited_machines == (1,), "Ben's key does not come"
        assert room.told == ["Ben: This table can't be saved here: the disk is full."]
    ben._advance()
    await settled()
    assert not match_in(ann).pending
    await room.leave(ben)
    again = await room.join("Ben")
    assert {each.anchor for each in again.file.opened_keys()} == {match_in(again).dice.machines[1].anchor}


async def test_people_are_told_where_a_key_was_opened_for_another_action(room: ClientRoom) -> None:
    """A machine that has lost its copy and kept its keys does not open, and nobody waits without a word."""
    ann, ben = await match(room, "Ann", "Ben")
    await room.reach(lambda: match_in(ann).to_act == 0 and rolls_all(match_in(ann)))
    tip, step = match_in(ben).dice.machines[1].anchor, len(match_in(ben).dice.steps) + 1
    ben.local.mark_opened(OpenedKey(tip, step, bytes(32)))
    act(ann)
    await settled()
    assert match_in(ann).awaited_machines == (1,)
    await heard(ben)
    assert {*room.told} == {
        f"Ann: Ben's machine {SPLIT}fourtwenty host",
        f"Ben: Ann's machine {SPLIT}fourtwenty host",
    }


def _is_act(data: bytes, digest: bytes) -> bool:
    entry = decrypt_entry(KEYS, data)
    return entry is not None and entry.digest == digest


async def test_who_rolls_the_dice_is_counted_by_laptops(room: ClientRoom) -> None:
    said = []
    for name in ("Ann", "Ben", "Cleo", "Dora", "Eve"):
        ann = await room.join(name, name)
        said.append(throwers(ann.room.participants.values()))
    assert said == [
        "Ann's laptop rolls the dice",
        *(f"dice by {all_of} laptops" for all_of in ("both", "all three", "all four", "all 5")),
    ]


async def test_spectators_are_the_others_who_watch_by_names_that_fit_in_a_line(room: ClientRoom) -> None:
    ann = await room.join("Ann", "Ann")
    cleo = await room.join("Cleo")
    await room.join("\x1b[31mDora")
    await room.join("Eve" * 30)
    assert [*ann.view.spectators] == ["Cleo", "A guest", "A guest"]
    cleo.sit(SeatRequest((Seat("Cleo"),), "420"))
    ann.get_up()
    await settled()
    assert [*ann.view.spectators] == ["A guest", "A guest"]


async def test_strangers_with_the_code_cannot_make_machines_read_the_log_again_or_fill_the_screen(
    room: ClientRoom,
) -> None:
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    reads, read = [], ann.log.read

    async def counted(after: int) -> list[tuple[int, bytes]]:
        reads.append(after)
        return await read(after)

    ann.log.read = counted  # type: ignore[method-assign]
    for number in range(10):
        stranger = MachineKey(number.to_bytes(32))
        for other in range(2):
            body = {"at": "rise", "number": 500 + other, "head": "00" * 16}
            room.broker.store(KEYS.room, encrypt_entry(KEYS, stranger, body))
        await settled()
    assert len(ann.copy.void) == 20
    assert reads == []
    assert room.told == []
    assert not ben.presence.away(ann.machine.public)


async def test_strangers_with_the_code_cannot_fill_the_memory(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MAX_PRESENT", 5)
    ann = await room.join("Ann", "Ann")
    for number in range(10):
        ann._on_broadcast(
            encrypt_entry(KEYS, MachineKey(number.to_bytes(32)), {"at": "here", "name": "x", "watching": True})
        )
    ben = await room.join("Ben", "Ben")
    assert len(ann.presence.others) == 6
    assert not ann.presence.away(ben.machine.public)


async def test_what_has_failed_while_the_connection_lasts_is_tried_again(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while the nodes of a cluster elect a leader: they answer at once, but keep and read nothing."""
    monkeypatch.setattr(client_module, "HEARTBEAT_SECONDS", 0)
    ann, ben = await room.join("Ann"), await room.join("Ben")
    append, read = ann.log.append, ann.log.read

    async def fail(_: object) -> NoReturn:
        raise UnreachableError("there is no leader")

    ann.log.append = ann.log.read = fail  # type: ignore[assignment,method-assign]
    await sits(ann, "Ann")
    await sits(ben, "Ben")
    assert ann.log.connected
    assert not ann.connected
    ann.log.append, ann.log.read = append, read  # type: ignore[method-assign]
    await room.reach(lambda: len(ann.room.participants) == len(ben.room.participants) == 2 and ann.connected)
    assert ann.room.head == ben.room.head


async def test_who_is_not_let_in_again_is_told_why_once(room: ClientRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "HEARTBEAT_SECONDS", 0)
    ann = await room.join("Ann")
    log_of(ann).disconnect()
    await settled()
    assert room.told == []
    log_of(ann).refusal = "this table is full"
    await settled()
    assert room.told == ["Ann: This table is full."]


async def test_a_number_that_no_file_can_keep_is_told_and_the_table_goes_on(room: ClientRoom) -> None:
    ann = await room.join("Ann", "Ann")
    body = at_head(ann.room, {"at": "rise"})
    log_of(ann)._on_entry(2**63, encrypt_entry(KEYS, ann.machine, body))
    assert not ann.room.participants
    assert len(room.told) == 1
    assert "can't be saved" in room.told[0]
    await sits(ann, "Ann")
    assert len([*ann.file.entries()]) == 3, "what could not be stored is stored with the next entry"


async def test_nothing_happens_at_a_closed_table(room: ClientRoom) -> None:
    ann, ben = await room.join("Ann", "Ann"), await room.join("Ben", "Ben")
    await room.leave(ann)
    await ann.close()
    (data,) = [*ben.file.entries()][-1:]
    log_of(ann)._on_entry(99, data + b"late")
    log_of(ann)._on_entry(99, encrypt_entry(KEYS, ben.machine, {"at": "rise", "number": 0, "head": ann.room.heads[0]}))
    log_of(ann)._on_connection(True)
    await settled()
    assert room.told == []
    assert ann.room.head[0] == 2


async def test_a_spectator_takes_over_no_order_in_which_another_match_has_begun(room: ClientRoom) -> None:
    """Nothing of its own binds a spectator: only what was seen, and that is the starting seat before the first roll."""
    ann, ben, eve = await room.join("Ann", "Ann"), await room.join("Ben", "Ben"), await room.join("Eve")
    kept = room.broker.entries[KEYS.room]
    before = [*kept]
    sits = [participant.digest.hex() for participant in ann.room.participants.values()]
    another = at_head(ann.room, {"at": "start", "sits": sits[::-1]})
    ann.start()
    await room.reach(lambda: eve.room.match and match_in(eve).state)
    seen = match_in(eve).identifier
    log_of(eve).disconnect()
    kept.clear()
    kept.update(
        {entry: place for place, entry in enumerate([*before, encrypt_entry(KEYS, ann.machine, another)], 1000)}
    )
    await back(eve)
    assert match_in(eve).identifier == seen
    assert ben.local.index == 1


async def test_a_key_that_was_lost_on_its_way_is_found_behind_those_that_came(room: ClientRoom) -> None:
    """A node of a cluster that dies may have kept an entry, and let nobody hear of it."""
    clients = await match(room, "Ann", "Ben", "Cleo")
    roller = next(client for client in clients if client.local.index in match_in(client).awaited_machines)
    other, last = (client for client in clients if client is not roller)
    for client in (other, last):
        log_of(client).hold()
    act(roller)
    await settled()
    log_of(roller).deaf = True
    log_of(other).release()
    await settled()
    log_of(roller).deaf = log_of(roller)._gap = False
    log_of(last).release()
    await settled()
    assert match_in(roller).awaited_machines == (other.local.index,)
    assert match_in(last).awaited_machines == (roller.local.index,)
    before = len(match_in(roller).events)
    await heard(last)
    roller.sync.try_again()
    await room.reach(lambda: len(match_in(roller).events) > before)


async def test_who_plays_and_is_refused_another_seat_is_not_told_to_watch(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name) for name in ("Ann", "Ben")]
    ann.start()
    ben.sit(replace(ben.seat_request, players=(Seat("Ben"), Seat("Steady", "Steady"))))
    await settled()
    assert room.told == ["Ben: A match is running; seats are given before the next one."]
    assert ben.local.index == 1
    assert not ben.spectates


async def test_nobody_far_away_is_called_you(room: ClientRoom) -> None:
    ann, zoe = await room.join("Ann", "Ann"), await room.join("Zoe", "You")
    await settled()
    refused = 'Everybody here is "you" to themselves: use the name that the others know you by.'
    assert room.told == [f"Zoe: {refused} You watch for now."]
    assert [participant.name for participant in ann.view.participants] == ["Ann"]
    assert zoe.spectates


async def test_who_has_not_shown_up_since_a_machine_is_back_is_away(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name) for name in ("Ann", "Ben")]
    await room.leave(ben)
    await room.leave(ann)
    room.clock.now += 86400
    ann = await room.join("Ann")
    assert [participant.name for participant in ann.view.here] == ["Ann", "Ben"], "Ben may be about to answer"
    room.clock.now += BARRIER_SECONDS
    ann._advance()
    assert [participant.name for participant in ann.view.here] == ["Ann"]
    ben = await room.join("Ben")
    assert [participant.name for participant in ann.view.here] == ["Ann", "Ben"]


async def test_who_sits_down_is_here_before_the_next_beat(room: ClientRoom) -> None:
    ann = await room.join("Ann")
    eve = await room.join("Eve", "Eve")
    ann.sit(replace(ann.seat_request, players=(Seat("Ann"),)))
    await settled()
    assert [participant.name for participant in eve.view.here] == ["Eve", "Ann"]


async def test_what_is_refused_can_be_said_again(room: ClientRoom) -> None:
    """A broker keeps the same bytes once, for minutes even if they are thrown away."""
    ann, ben = [await room.join(name, name) for name in ("Ann", "Ben")]
    ann.presence.others[ben.machine.public].gone = True
    await started(ann)
    assert room.told == ["Ann: A match needs two seats or more."]
    assert ann.refusals == 1
    await started(ann)
    assert ann.refusals == 2
    assert not len(ann.outbox)


async def test_who_claims_to_have_more_costs_others_one_look_between_two_tries(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = await match(room, "Ann", "Ben")
    log = log_of(ann)
    read = AsyncMock(side_effect=log.read)
    monkeypatch.setattr(log, "read", read)
    for _ in range(100):
        await ben._broadcast({"at": "here", "counted": 2**53})
        await settled()
    assert read.await_count == 1


async def test_what_was_heard_of_a_connection_that_is_lost_is_forgotten(
    room: ClientRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = [await room.join(name, name) for name in ("Ann", "Ben")]
    log, answered = log_of(ben), asyncio.Event()
    read = log.read

    async def late(after: int) -> list[tuple[int, bytes]]:
        found = await read(after)
        await answered.wait()
        raise UnreachableError(f"the connection is lost after {len(found)}")

    with monkeypatch.context() as slow:
        slow.setattr(log, "read", late)
        ben.sync.read_soon()
        await settled()
        ann.sit(replace(ann.seat_request, players=(Seat("Anna"),)))
        await settled()
        log.disconnect()
        answered.set()
        await settled()
    room.lose_last()  # the broker has lost it
    log.reconnect()
    await settled()
    assert len(ben.room.counted) == 2


async def test_who_has_left_while_the_connection_was_lost_is_not_here(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name, game="420") for name in ("Ann", "Ben")]
    await room.play_out(ann, ben)
    await sits_again(ann)
    log_of(ann).disconnect()
    await settled()
    await sits_again(ben)
    await room.leave(ben)
    room.clock.now += 3600
    await back(ann)
    ann.start_rematch()
    room.clock.now += BARRIER_SECONDS
    ann._advance()
    ann.start_rematch()
    await settled()
    assert len(ann.room.matches) == 1
    assert [participant.name for participant in ann.view.here] == ["Ann"]


async def test_who_comes_to_a_start_plays_in_the_next_game(room: ClientRoom) -> None:
    ann, ben = [await room.join(name, name) for name in ("Ann", "Ben")]
    cleo = await room.join("Cleo")
    ann.start()
    cleo.sit(replace(cleo.seat_request, players=(Seat("Cleo"),)))
    await settled()
    assert room.told == ["Cleo: A match is running; seats are given before the next one."]
    assert not cleo.spectates
    assert len(ben.room.matches) == 1
