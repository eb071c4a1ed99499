"""One log: machines that come back to a broker which has lost something end with the same matches, or are told."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import pairwise, permutations
from pathlib import Path
from random import Random

import pytest
from long_tests import soak, try_out
from losing_broker import LosingTable, ScriptedPlayer, SlowLog
from memory_client import KEYS
from virtual_time import in_virtual_time

from fourtwenty.journal.record import read_record, verify_record
from fourtwenty.rooms.encryption import decrypt_entry
from fourtwenty.rooms.local_machine import record_text
from fourtwenty.rooms.room import InvalidEntryError, Room
from fourtwenty.rooms.wire.client import HEARTBEAT_SECONDS
from fourtwenty.rooms.wire.notices import SPLIT_LOG
from fourtwenty.rooms.wire.presence import AWAY_SECONDS


def are_one(one: Room, other: Room) -> bool:
    """Whether two machines have one log: neither has counted a key that makes it refuse what the other has."""
    shorter, longer = sorted((one, other), key=lambda room: room.head[0])
    return one.shares_log_with(other.heads) and (one.head == other.head or shorter.counted <= longer.counted)


async def evening(folder: Path, luck: Random, everybody_back: bool) -> bool:
    """Play matches while the broker loses entries; return whether the log has split, as they may."""
    table = LosingTable(folder, luck)
    await table.open()
    try:
        for _ in range(luck.randint(1, 3)):
            table.play_another()
            # Nobody joins a table with nothing at it.
            assert await table.until(lambda: all(player.client.room.head[0] for player in table.players), 10)
            await asyncio.sleep(luck.uniform(0, 25))
            await table.lose(everybody_back)
            await asyncio.sleep(luck.uniform(0, 30))
        await asyncio.sleep(2 * AWAY_SECONDS)
        rooms = {player.name: player.client.room for player in table.players}
        late = Room(KEYS.table)
        for data in table.broker.entries:
            if entry := decrypt_entry(KEYS, data):
                with suppress(InvalidEntryError):
                    late.feed(entry)
        split = not all(are_one(late, room) for room in rooms.values())
        for player in table.players:
            for sentence in player.told:
                named = [name for name in rooms if sentence.startswith((f"{name}'s machine", f"{name}'s record"))]
                accused = f"{player.name} is told: {sentence}"
                assert not any(are_one(rooms[player.name], rooms[name]) for name in named), accused
        if split:
            assert table.broker.excused, "nobody who had the longer log has stayed away"
            await asyncio.sleep(HEARTBEAT_SECONDS + 2 * table.slowest)
            for one, other in permutations(table.players, 2):
                same = are_one(one.client.room, other.client.room)
                # One that has never sat in the other's log has no name there.
                name = one.client.room.name(other.client.machine.public)
                told = any(SPLIT_LOG in sentence and name in sentence for sentence in one.told)
                assert same or told, f"{one.name} is not told"
        else:
            assert await table.until(table.settled, 900), "it does not end"
            for matches in zip(*(room.matches for room in rooms.values()), strict=True):
                texts = {record_text(match) for match in matches if not match.abandoned}
                assert len(texts) <= 1
                for text in texts:
                    verify_record(read_record(text))
        return split
    finally:
        await table.close()


@pytest.mark.parametrize("everybody_back", [True, False])
@soak(1, 500)
def test_machines_that_come_back_have_one_story_or_are_told(tmp_path: Path, trials: int, everybody_back: bool) -> None:
    """Splits are rare, and come only where those who have the longer one are missing when the others meet."""
    splits = []

    def trial(luck: Random) -> None:
        splits.append(in_virtual_time(evening(tmp_path / str(luck.random()), luck, everybody_back)))

    try_out(trials, trial)
    assert sum(splits) <= max(1, trials / (50 if everybody_back else 5)), f"{sum(splits)} of {trials} evenings"


@pytest.mark.parametrize("killed", [True, False])
def test_nobody_says_anything_new_while_another_machine_uploads_for_long(tmp_path: Path, killed: bool) -> None:
    """Ben was voted out while it was his turn, and does not know it: his roll would come before the votes."""

    async def upload() -> None:
        table = LosingTable(tmp_path, Random(5))
        ann, ben, cleo = table.players = [ScriptedPlayer(table, name) for name in ("Ann", "Ben", "Cleo")]
        table.slowest, table.thinking = 0, 3
        await table.open()
        table.play_another()

        def is_his_turn() -> bool:
            match = ben.client.room.match
            return bool(match and match.to_act is not None and match.machine_of[match.to_act] == ben.client.local.index)

        assert await table.until(is_his_turn, 900)
        await ben.kill()
        assert await table.until(lambda: not ann.client.room.playing, 900)
        await cleo.kill()
        if killed:
            await ann.kill()
        table.broker.crash()
        table.broker.come_back([], set())
        known = ann.known
        table.wanted, table.thinking = 0, 0
        table.slowest = ann.log.slowest = 8 / len(known)
        await asyncio.gather(ben.open(), *([ann.open()] if killed else []))
        assert await table.until(lambda: all(each.client.barrier.over for each in (ann, ben)), 60)
        await asyncio.sleep(10)
        assert known.issuperset(table.broker.entries[: len(known)])
        assert are_one(ann.client.room, ben.client.room)
        await table.close()

    in_virtual_time(upload())


def test_a_program_that_starts_with_a_long_upload_is_heard_meanwhile(tmp_path: Path) -> None:
    """Else others who upload as well, and so hear nothing but heartbeats, take it for away and go on without it."""

    async def upload() -> None:
        loop, heard = asyncio.get_running_loop(), list[float]()
        table = LosingTable(tmp_path, Random(420))
        ann, ben = table.players = [ScriptedPlayer(table, name) for name in ("Ann", "Ben")]
        await table.open()
        table.play_another()
        assert await table.until(lambda: any(match.over for match in ann.client.room.matches), 900)
        for player in (ann, ben):
            await player.kill()
        table.broker.entries.clear()
        other = SlowLog(table.broker, table.luck, 0)
        await other.open(lambda *_: None, lambda _: heard.append(loop.time()), lambda _: None)
        table.wanted, table.slowest, began = 0, 3 * AWAY_SECONDS / len(ann.has), loop.time()
        await ann.open()
        times = [began, *heard, loop.time()]
        assert loop.time() - began > 2 * AWAY_SECONDS, "the upload is not long"
        assert max(later - earlier for earlier, later in pairwise(times)) < AWAY_SECONDS
        await table.close()

    in_virtual_time(upload())
