"""A table of several machines as lines of text: Ann's machine reads and writes lines, the test plays Ben's."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from operator import itemgetter
from pathlib import Path
from queue import Queue
from typing import Any
from unittest.mock import Mock

import pytest
from memory_client import KEYS, act
from memory_log import MemoryBroker, MemoryLog
from msgspec.structs import replace
from run_sql import run_sql
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.cli.text_table import TABLE_COMMANDS
from fourtwenty.cli.typed_lines import TypedLines
from fourtwenty.games.game import Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, write_record
from fourtwenty.play.lineup import Seat
from fourtwenty.play.match import SaveError
from fourtwenty.play.turns import ApplyEvent, AwaitEvent, Decide, Request, Turns
from fourtwenty.rooms import room
from fourtwenty.rooms.cli.room_news import changes
from fourtwenty.rooms.cli.text_room import AT_THE_TABLE, TextRoom
from fourtwenty.rooms.local_machine import LocalMachine, SeatRequest, match_from_room, record_text
from fourtwenty.rooms.room import Participant, RoomMatch
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire import client as client_module
from fourtwenty.rooms.wire.client import Client, ClientMatch
from fourtwenty.rooms.wire.notices import SECOND_WINDOW, USED_UP
from fourtwenty.rooms.wire.presence import AWAY_SECONDS, REACTIONS
from fourtwenty.rooms.wire.room_session import RoomSession, sit_down
from fourtwenty.rooms.wire.sync_barrier import SHORT_SECONDS
from fourtwenty.rooms.wire.view import RoomView

ANN, BEN = SeatRequest((Seat("Ann"),), "ten-rounds", patience=60), SeatRequest((Seat("Ben"),))


class LinesTable:
    """Two machines at a table in memory. Ben's plays as long as he is awake."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seating = ANN
        self.now = 0.0
        self.awake = True
        self.lines: list[str] = []
        """The lines that Ann's machine has written."""
        self._typed: Queue[str | None] = Queue()
        self._answers: list[tuple[str, bool, tuple[str | Callable[[], object], ...]]] = []
        self.log: MemoryLog
        """That of Ann's machine."""
        self.ann: Client
        self.ben: Client

    @asynccontextmanager
    async def open(self) -> AsyncIterator[RoomSession]:
        async with AsyncExitStack() as stack:
            broker = MemoryBroker()
            self.ann = await self._join(broker, stack, "Ann", self.seating)
            self.ben = await self._join(broker, stack, "Ben", SeatRequest())
            self.ben.listeners.append(self._play_ben)
            sit_down(self.ann)
            session = RoomSession(self.ann, "memory/K7QF-3XMP", stack)
            session.page = "http://memory/#K7QF"
            yield session

    async def started(self) -> RoomMatch:
        """Let both machines begin a match; return it."""
        self.ben_sits()
        await until(lambda: len(self.ann.room.participants) == 2)
        self.ann.start()
        await until(lambda: self.ann.room.playing)
        assert self.ann.room.match
        return self.ann.room.match

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[RoomSession]:
        """Open the table, and begin a match of both machines there."""
        async with self.open() as opened:
            await self.started()
            yield opened

    async def _join(self, broker: MemoryBroker, stack: AsyncExitStack, name: str, seat_request: SeatRequest) -> Client:
        file = RoomFile(KEYS.room, KEYS.code, "memory", self.folder / name)
        log = MemoryLog(broker, KEYS.room)
        self.log = log if name == "Ann" else self.log
        client = Client(KEYS, log, file, replace(seat_request, name=name), clock=lambda: self.now)
        stack.push_async_callback(client.close)
        await client.open()
        return client

    def _play_ben(self) -> None:
        if self.awake:
            act(self.ben, itemgetter(-1))

    def when(self, words: str, *steps: str | Callable[[], object], always: bool = False) -> None:
        """Once, or always, when Ann's machine writes these words: type lines there, or call functions."""
        self._answers.append((words, always, steps))

    def _write(self, line: str) -> None:
        self.lines.append(line)
        for answer in [each for each in self._answers if re.search(each[0], line)]:
            _, always, steps = answer
            if not always:
                self._answers.remove(answer)
            for step in steps:
                self._do(step)

    def _do(self, step: str | Callable[[], object]) -> None:
        if isinstance(step, str):
            self._typed.put(step)
        else:
            step()

    def run(self, typing: bool = True) -> list[str]:
        """Stay at the table until Ann's machine leaves it; return the lines that it has written."""
        asyncio.run(self._run(typing))
        return self.lines

    async def _run(self, typing: bool) -> None:
        lines = TypedLines(iter(lambda: self._typed.get(timeout=MAX_WAIT_SECONDS), None))
        try:
            async with self.open() as session:
                with closing(History(self.folder / "games.sqlite", self.lines.append, timeout=0)) as history:
                    await TextRoom(session, history, lines, self._write, typing).run()
                await session.close()
        finally:
            self._typed.put(None)
        assert not [answer for answer in self._answers if not answer[1]], "these words have not come"

    def record(self, id: int) -> str:  # noqa: A002
        """The record of a match in Ann's history."""
        with closing(History(self.folder / "games.sqlite", pytest.fail)) as history:
            return write_record(Record.from_match(history.match(id)))

    def both_start(self) -> None:
        self.when("Ann sits down", self.ben_sits)
        self.when("Ben sits down", "start")

    def ben_sits(self) -> None:
        self.ben.sit(BEN)

    def ben_shows_up(self) -> None:
        self.ben.sync.start(self.ben._broadcast({"at": "here"}))

    def ben_is_silent(self, seconds: float) -> None:
        self.now += seconds
        self.ann._change()


@pytest.fixture
def table(tmp_path: Path) -> LinesTable:
    return LinesTable(tmp_path)


def test_before_a_match(table: LinesTable) -> None:
    table.when("Ann sits down", table.ben_sits)
    table.when("Ben sits down", "players", "dance", "all", "react 9", "sit , Ann", "sit ben")
    table.when("ben is already at the table", "react 1")
    table.when("You say", "sit Ann, bot:Bold")
    table.when(r"Ann and Bold \(bot\) sit down", "watch")
    table.when(r"Ann and Bold \(bot\) get up", "start", "quit")
    lines = table.run()
    assert lines[-15:] == [
        "Ben sits down.",
        "Ann",
        "Ben",
        "You start the game.",
        "Unknown command: dance. Type one of: start, players, sit, watch, react, help, quit.",
        "The game has not begun.",
        f"Type react and a number: {', '.join(f'{number} {text}' for number, text in enumerate(REACTIONS, 1))}",
        "Enter a name.",
        "ben is already at the table.",
        f"You say: {REACTIONS[0]}",
        "Ann gets up.",
        "Ann and Bold (bot) sit down.",
        "Ann and Bold (bot) get up.",
        "Ben starts the game.",
        "Ben starts the game.",
    ]


def test_the_link_for_phones_is_written_with_its_secret(table: LinesTable) -> None:
    table.when("Ann sits down", "quit")
    assert "Phones: http://memory/#K7QF" in table.run()


def test_a_match_a_rematch_and_the_way_back(table: LinesTable) -> None:
    def again() -> None:
        table.when("Ann sits down", table.ben_sits)
        table.when("Ben sits down", "start")
        table.when("At the table: Ann, Ben", "quit")

    table.both_start()
    table.when("Type roll 1 3", lambda: table.ben.react(1))
    table.when("Ann, your turn", "all", always=True)
    table.seating = replace(ANN, game="420")
    table.when("Type sit to play again: it begins once all who played sit. Or quit.", again, "sit")
    lines = table.run()
    assert f"Ben says: {REACTIONS[1]}" in lines
    assert "Dice by both laptops; fourtwenty export 1 and fourtwenty verify check them." in lines
    assert lines[-1] == "Your seat is kept. Come back with: fourtwenty join memory --plain"
    first, second = table.ben.room.matches
    assert record_text(first) == table.record(1)
    assert not second.over


def test_away_and_back_and_going_on_without_somebody(table: LinesTable) -> None:
    table.awake = False
    table.both_start()
    table.when("Ann, your turn", "all", always=True)
    table.when("Waiting for Ben", "carry on")
    table.when("not waited long enough", "all")
    table.when("It isn't your turn", lambda: table.ben_is_silent(AWAY_SECONDS + 1))
    table.when("Ben is away", table.ben_shows_up)
    table.when("Ben is back", lambda: table.ben_is_silent(61))
    table.when("Ben has been away for 1 minute", "carry on")
    table.when("Type sit to play again, then start; or quit.", "quit")
    lines = table.run()
    for line in (
        "The table has not waited long enough for anybody.",
        "It isn't your turn.",
        "Ben is away.",
        "Ben is back.",
        "Ben has been away for 1 minute. Type carry on to play without Ben, or wait.",
        "Ben is out of this game.",
        "Ann wins.",
        "Ben: voted out, 0 points",
        "Dice by both laptops; fourtwenty export 1 and fourtwenty verify check them.",
    ):
        assert line in lines


def test_a_game_whose_dice_are_in_doubt_stops_and_ends_without_a_result(table: LinesTable) -> None:
    def ben_doubts() -> None:
        match = table.ben.room.match
        assert match
        body = {"at": "dispute", "match": match.identifier, "step": 0, "die": 0, "shown": 0, "computed": 0}
        table.ben._send_and_show(body)

    table.when("Ann sits down", lambda: table.ben.sit(replace(BEN, page=table.ann.machine.public.hex())))
    table.when("Ben sits down", "start")
    table.when("Ann, your turn", ben_doubts)
    table.when("Type carry on to end", "all", "carry on", lambda: table.ben.agree_to_end())
    table.when("This game ends without a result", "quit")
    lines = table.run()
    doubt = "Ben's phone says that its dice are not fair."
    said = [each for each in lines[lines.index(doubt) :] if "sit" not in each]
    assert said[:4] == [
        doubt,
        "Type carry on to end this game without a result, or wait.",
        doubt,  # in place of a roll
        f"This game ends without a result. {doubt}",
    ]


def test_a_turn_is_over_when_the_others_have_gone_on_without_the_one_that_is_asked(table: LinesTable) -> None:
    table.both_start()
    table.when("Ann, your turn", lambda: table.ben_is_silent(61), lambda: table.ben.carry_on_without([0]))
    table.when("Type sit to join the next game; or quit.", "quit")
    lines = table.run()
    assert "Ann is out of this game." in lines
    assert lines.index("Too late.") < lines.index("Ben wins.")


def test_the_connection_is_lost_and_comes_back(table: LinesTable) -> None:
    table.when("Ann sits down", table.ben_sits)
    table.when("Ben sits down", lambda: table.log.disconnect())
    table.when("No connection to the table. Trying again…", lambda: table.log.reconnect())
    table.when("The table is back.", "start")
    table.when("Type roll 1 3", "give up")
    table.when("Ann is out of this game.", lambda: None)
    table.when("Type sit to join the next game; or quit.", "quit")
    assert "Ben wins." in table.run()


def test_a_table_that_its_host_closes_says_so_until_it_opens_again(table: LinesTable) -> None:
    def ben_closes() -> None:
        table.ben.has_broker = True
        table.ben.sync.start(table.ben.close())

    closed = "Ben closed the table; your seat is kept."
    table.when("Ann sits down", table.ben_sits)
    table.when("Ben sits down", ben_closes)
    table.when("Ben is away", lambda: table.log.disconnect())
    table.when(closed, lambda: table.log.reconnect())
    table.when("The table is back.", lambda: table.log.disconnect())
    table.when("Trying again…", "quit")
    lines = table.run()
    assert lines.count(closed) == 1
    assert lines.index(closed) < lines.index("The table is back.")


def test_a_roll_that_waits_for_others_to_come_back_says_so(table: LinesTable) -> None:
    def lose_both_connections() -> None:
        for client in (table.ben, table.ann):
            assert isinstance(client.log, MemoryLog)
            client.log.disconnect()
        table.log.reconnect()
        table.ann.listeners.append(pass_time)

    def pass_time() -> None:
        table.now += SHORT_SECONDS

    def bring_ben_back() -> None:
        assert isinstance(table.ben.log, MemoryLog)
        table.ann.listeners.remove(pass_time)
        table.ben.log.reconnect()

    table.both_start()
    table.when("Ann, your turn", lose_both_connections, "all")
    table.when("Waiting a moment for Ben to come back.", bring_ben_back)
    table.when("Ann rolled", "give up")
    table.when("Type sit to join the next game; or quit.", "quit")
    assert "Ben wins." in table.run()


def test_the_lines_of_a_pipe_wait_until_they_are_asked_for(table: LinesTable) -> None:
    table.seating = replace(ANN, game="420")
    table.when("This is table", "start 2", "seal", *["all"] * 300)
    table.when("The game begins when 2 machines sit here. Now: 1.", table.ben_sits)
    lines = table.run(typing=False)
    assert not [line for line in lines if "isn't your turn" in line or "has not begun" in line]
    assert "These dice have no seal. Fair dice: both laptops roll them together, so nobody can choose them." in lines
    assert lines[-1] == "Dice by both laptops; fourtwenty export 1 and fourtwenty verify check them."
    assert record_text(table.ben.room.matches[0]) == table.record(1)


def test_a_match_is_left_when_the_history_cannot_be_read_at_its_end(
    table: LinesTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(*_: object) -> None:
        raise SaveError("the disk has gone")

    table.both_start()
    table.when("Ann, your turn", "all", always=True)
    table.when(r"(Ann|Ben) wins, \d+ to \d+\.", lambda: monkeypatch.setattr(History, "find", find))
    table.when("Type sit to play again: it begins once all who played sit", "quit")
    assert "Dice by both laptops." in table.run()


async def test_a_room_with_a_match_of_the_past_opens_beside_the_history_of_another_program(table: LinesTable) -> None:
    run_sql(table.folder / "games.sqlite", "CREATE TABLE another_program (number)")
    async with table.open() as opened:
        match = await table.started()
        await until(lambda: match.state is not None)
        table.ann.leave()
        await until(lambda: match.over)
        with closing(History(table.folder / "games.sqlite", table.lines.append, timeout=0)) as history:
            await TextRoom(opened, history, TypedLines(["quit"]), table.lines.append, typing=True).run()
    assert table.lines[0].startswith("This is table")


def test_a_pipe_may_quit_before_a_match(table: LinesTable) -> None:
    table.when("This is table", "quit")
    assert table.run(typing=False)[0].startswith("This is table")


DORA = Participant(b"dora", bytes(32), 9999, (Seat("Dora"),), "420", 0, 60, bytes(32), b"ann")
TWO = replace(DORA, author=b"two", players=(Seat("Eve"), Seat("Bold", "Bold")), page=b"")


BOTH = (DORA, TWO)


SEATED, THERE, MATCH = RoomView(participants=(DORA,)), RoomView(here=(TWO,)), RoomView(match_participants=BOTH)
WAITING = "Dora and Eve have kept the table waiting for 1 minute. Type carry on to play without Dora and Eve, or wait."


@pytest.mark.parametrize(
    ("before", "changed", "sentences"),
    [
        (RoomView(), {"participants": BOTH}, ["Dora sits down on a phone.", "Eve and Bold (bot) sit down."]),
        (RoomView(participants=BOTH), {"participants": ()}, ["Dora gets up.", "Eve and Bold (bot) get up."]),
        (SEATED, {"participants": (), "matches": 1}, []),
        (SEATED, {"connected": False, "missed": (DORA,)}, ["No connection to the table. Trying again…"]),
        (RoomView(participants=(DORA,), missed=(DORA,)), {"missed": ()}, ["Dora is back."]),
        (MATCH, {"agreed": ((0, frozenset({1})),)}, ["Dora wants to carry on without Eve."]),
        (MATCH, {"may_be_left": (0, 1)}, [WAITING]),
        (
            RoomView(participants=BOTH, here=BOTH),
            {"here": (TWO,), "missed": (DORA,)},
            ["Dora is away.", "Eve starts the game."],
        ),
        (THERE, {"here": (DORA,), "mine": DORA, "may_start": True}, ["You start the game."]),
        (THERE, {"may_start": True}, ["Nobody has started the game. Type start to start it."]),
        (THERE, {"here": (), "matches": 1}, []),
    ],
)
def test_news(before: RoomView, changed: dict[str, Any], sentences: list[str]) -> None:
    assert [*changes(before, replace(before, **changed))] == sentences


async def test_a_roll_on_its_way_never_looks_like_a_choice_yet_to_be_made(tmp_path: Path) -> None:
    table = LinesTable(tmp_path)
    table.seating = replace(ANN, game="420")  # whose first roll somebody makes
    async with table.open():
        match = await table.started()
        await until(lambda: match.to_act == 0)
        turns = Turns(match_from_room(match), ClientMatch(table.ann, match))
        assert isinstance(turns.request, Decide)
        requests: list[Request | None] = []
        table.ann.listeners.append(lambda: requests.append(turns.request))
        action = turns.match.state.actions[0]
        turns.decide(action)
        await until(lambda: isinstance(turns.request, ApplyEvent))
        on_its_way = [request for request in requests if not isinstance(request, ApplyEvent)]
        assert on_its_way
        assert set(on_its_way) == {AwaitEvent(0, action)}
        assert turns.follow().action == action


async def test_the_throws_for_the_start_ask_nobody(tmp_path: Path) -> None:
    table = LinesTable(tmp_path)
    table.awake = False
    async with table.begin():
        match = table.ann.room.match
        assert match
        await until(lambda: match.state is not None and match.state.starting_seat is not None)
        assert [event.action for event in match.events[:2]] == [Roll((1,))] * 2


def test_a_game_whose_keys_are_used_up_ends_with_a_sentence(table: LinesTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MIN_KEYS", 8)
    monkeypatch.setattr(client_module, "LocalMachine", partial(LocalMachine, chain_length=8))
    table.when("Ann sits down", table.ben_sits)
    table.when("Ben sits down", "start", lambda: table.when("Ann sits down", "quit"))
    table.when("Ann, your turn", "all", always=True)
    table.when("used up its keys", "sit")
    lines = table.run()
    assert lines[lines.index(USED_UP) :].count("Ann sits down.") == 1


def test_a_lot_may_be_given_up(table: LinesTable) -> None:
    def leave_before_the_lot() -> None:
        table.ben.local.owed = lambda: iter(())  # type: ignore[method-assign]

    def wait_for_ben() -> None:
        table.ben_is_silent(61)
        table.ann._advance()

    table.seating = replace(ANN, game="420")
    table.when("Ann sits down", table.ben_sits)
    table.when("Ben sits down", leave_before_the_lot, "start", "sit Ann, Cleo")
    table.when("The dice draw who goes first", wait_for_ben)
    table.when("Type carry on to play without Ben", "carry on", "quit")
    lines = table.run()
    assert "The game ended before its first roll." in lines


def test_who_has_given_up_a_seat_is_not_told_that_it_is_kept(table: LinesTable) -> None:
    table.when("Ann sits down", lambda: table.ben.sit(replace(BEN, players=(Seat("Ben"), Seat("Bo")))))
    table.when("Ben and Bo sit down", "start")
    table.when("Type roll 1 3", "give up")
    table.when("Ann is out of this game", lambda: setattr(table, "awake", False), "quit")
    assert table.run()[-1] == "Come back with: fourtwenty join memory --plain"


def test_help_has_the_commands_of_a_room_too(table: LinesTable) -> None:
    table.both_start()
    table.when("Type roll 1 3", "HELP react", "help carry", "dance", "Carry  on", "GIVE up")
    table.when("Type sit to join the next game; or quit.", "quit")
    lines = table.run()
    assert "The table has not waited long enough for anybody." in lines
    unknown = next(line for line in lines if line.startswith("Unknown command: dance"))
    assert unknown.endswith("react, carry on, give up.")
    helped = [line for line in lines if line.split(": ")[0] in {**TABLE_COMMANDS, **AT_THE_TABLE}]
    assert helped == [f"{name}: {AT_THE_TABLE[name]}" for name in ("react", "carry on")]


async def test_a_second_window_sits_nowhere(table: LinesTable) -> None:
    async with table.open() as opened:
        opened.second = True
        with closing(History(table.folder / "games.sqlite", table.lines.append, timeout=0)) as history:
            await TextRoom(opened, history, TypedLines(["sit Zoe", "quit"]), table.lines.append, typing=True).run()
        assert table.lines.count(SECOND_WINDOW) == 2


async def test_who_comes_back_plays_again_on_the_terms_of_the_table(table: LinesTable) -> None:
    async with table.begin():
        await table.ann.close()
        async with AsyncExitStack() as stack:
            ann = await table._join(table.log.broker, stack, "Ann", SeatRequest((Seat("Ann"),)))
            sit_down(ann)
            assert (ann.seat_request.game, ann.seat_request.patience) == ("ten-rounds", 60)


async def test_who_watches_stays_after_the_end_of_the_input(table: LinesTable) -> None:
    async with table.begin():
        table.ann.leave()
        await until(lambda: not table.ann.room.playing)
        await table.ann.close()
        async with AsyncExitStack() as stack:
            ann = await table._join(table.log.broker, stack, "Ann", SeatRequest())
            sit_down(ann)
            watching = TextRoom(
                RoomSession(ann, "memory", stack), Mock(), TypedLines([]), table.lines.append, typing=False
            )
            assert watching._stays_without_lines()
