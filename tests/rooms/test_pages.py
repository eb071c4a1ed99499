"""Pages at a table over a broker in memory: they play whole matches by views alone, and refuse what is not fair."""

from __future__ import annotations

import asyncio
import base64
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from copy import deepcopy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from chance import seeded
from long_tests import mostly_long, soak, try_out
from memory_client import KEYS, LASTING, act
from memory_log import MemoryBroker, MemoryLog
from scripted_page import THINKING_SECONDS, ScriptedPage, View, show_another_face
from virtual_time import in_virtual_time

from fourtwenty.cli.commands import verdict
from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, State
from fourtwenty.journal.record import Record, read_record, verify_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms.encryption import MAX_ENTRY_BYTES, SharedKey, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import SeatRequest, record_text
from fourtwenty.rooms.room import MIN_KEYS, RoomMatch, throwers
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.notices import CALLED_OFF, SPLIT_LOG
from fourtwenty.rooms.wire.pages import Pages, PageState
from fourtwenty.rooms.wire.presence import REACTIONS, Reaction


def least(actions: Sequence[Action]) -> Action:
    return min(actions, key=lambda action: len(getattr(action, "dice", ())))


class PageTables:
    """A host, programs and pages at one table, in virtual time."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        self.broker = MemoryBroker()
        self.clients: dict[str, Client] = {}
        self.pages: dict[str, ScriptedPage] = {}
        self.told: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.idle: set[str] = set()
        """The programs whose people do nothing."""
        self.settled = 0
        """The number of entries that no broker loses any more."""

    async def join(self, name: str, sits: bool = True) -> Client:
        """Open the room on a machine with one person, who rolls as few dice as is allowed; Ann hosts."""
        loop = asyncio.get_running_loop()
        log = MemoryLog(self.broker, KEYS.room)
        file = RoomFile(KEYS.room, KEYS.code, "memory", self.folder / name)
        client = Client(KEYS, log, file, SeatRequest(name=name), loop.time)
        client.local._chain_length = MIN_KEYS  # a whole chain takes 26 ms
        client.notices.notify = lambda sentence: self.told.append(f"{name}: {sentence}")
        if name == "Ann":
            Pages(client)
        await client.open()
        if sits:
            client.sit(SeatRequest((Seat(name),), self.game, patience=60))

        def thinks() -> None:
            loop.call_later(THINKING_SECONDS, self._act, client, name)

        client.listeners.append(thinks)
        self.clients[name] = client
        return client

    def _act(self, client: Client, name: str) -> None:
        if name not in self.idle and client.connected:
            act(client, least)

    async def kill(self, name: str) -> None:
        """End a program without a word."""
        client = self.clients.pop(name)
        for task in client.sync.tasks:
            task.cancel()
        await asyncio.gather(*client.sync.tasks, return_exceptions=True)
        client.file.close()
        await client.log.close()

    async def open(self, name: str, sits: bool = True) -> ScriptedPage:
        """Open a page, which sits down when it may."""
        page = self.pages[name] = ScriptedPage(KEYS, self.broker, self.ann.machine.public, name)
        page.watching = not sits
        await page.open()

        async def heartbeat_loop() -> None:
            while True:
                await asyncio.sleep(8)
                if page.log.connected:
                    await page.send_heartbeat()

        self.tasks.append(asyncio.get_running_loop().create_task(heartbeat_loop()))
        return page

    async def reach(self, condition: Callable[[], object], seconds: float = 300) -> None:
        """Let time pass until something is true."""
        async with asyncio.timeout(seconds):
            while not condition():
                await asyncio.sleep(0.05)

    @property
    def ann(self) -> Client:
        return self.clients["Ann"]

    @property
    def play(self) -> RoomMatch:
        match = self.ann.room.match
        assert match
        return match

    @property
    def state(self) -> State:
        assert self.play.state
        return self.play.state

    @property
    def over(self) -> bool:
        """Whether the match is over, and all who have played it to its end have its record."""
        stayed = {machine for seat, machine in enumerate(self.play.machine_of) if seat not in self.state.departed}
        return self.play.over and self.play.ends.keys() >= stayed

    def seat(self, name: str) -> int:
        return [seat.name for seat in self.play.lineup.seats].index(name)

    async def start(self, seats: int, starter: str = "Ann") -> None:
        """Let somebody start the next match once so many machines sit."""
        matches = len(self.ann.room.matches)
        for client in self.clients.values():
            if not client.view.mine and not client.spectates:
                client.sit(client.next_seat_request)
        await self.reach(lambda: len(self.ann.view.here) == seats)
        self.clients[starter].start()
        await self.reach(lambda: len(self.ann.room.matches) > matches)

    async def begin(self, *pages: str, events: int = 4) -> list[ScriptedPage]:
        """Let pages sit down and be in the middle of a match."""
        opened = [await self.open(name) for name in pages]
        await self.start(len(self.clients) + len(pages))
        await self.reach(lambda: len(self.play.events) >= events)
        return opened

    async def finish(self) -> Record:
        """Play to the end, and return the record, which is verified."""
        await self.reach(lambda: self.over)
        assert len(set(self.play.ends.values())) == 1
        record = read_record(record_text(self.play))
        verify_record(record)
        return record


def at_the_bar(
    folder: Path, evening: Callable[[PageTables], Coroutine[Any, Any, None]], game: str = LASTING
) -> PageTables:
    """Play an evening in virtual time, at which everybody is honest."""
    bar = PageTables(folder, game)

    async def run() -> None:
        await bar.join("Ann")
        try:
            await evening(bar)
        finally:
            for task in bar.tasks:
                task.cancel()
            for client in bar.clients.values():
                await client.close()

    in_virtual_time(run())
    return bar


def ended(page: ScriptedPage) -> View | None:
    """Return the last view with a result: a page that sits down again shows the players of the next match."""
    return next((view for view in reversed(page.views) if view["result"]), None)


def unfair(bar: PageTables) -> set[str]:
    return {page.unfair for page in bar.pages.values()} - {""}


# -- whole matches -----------------------------------------------------------------------------------------------------


@mostly_long("game", GAMES, ["420"], "fourtwenty/rooms/", "fourtwenty/play/", "fourtwenty/games/")
def test_two_pages_and_two_programs_play_a_match_and_a_rematch(tmp_path: Path, game: str) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        pages = [await bar.open(name) for name in ("Cleo", "Dora")]
        for _ in range(2):
            await bar.start(4)
            record = await bar.finish()
            await bar.reach(lambda: all(page.view["phase"] == "over" for page in pages))
            for page in pages:
                assert page.checked == len(bar.play.events)
                result = ended(page)
                assert result
                assert (result["matches"], result["events"]) == (len(bar.ann.room.matches), len(bar.play.events))
                assert page.whole_views == 1, "all others come as what has changed"
            said = verdict(record, bar.state)
            assert (
                "dice by all four machines, two of them pages that follow Ann's, the draw and" in said or game != "420"
            )
        assert throwers(bar.play.participants) == "dice by all four; two pages follow Ann's laptop"
        assert len(bar.ann.room.matches) == 2

    bar = at_the_bar(tmp_path, evening, game)
    assert not unfair(bar)
    assert bar.told == []


def test_a_page_that_naps_and_is_loaded_anew_has_its_seat(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await cleo.send_heartbeat("gone")
        await cleo.close()
        await bar.reach(lambda: bar.ann.presence.away(cleo.machine.public))
        await asyncio.sleep(200)
        cleo.load()
        await cleo.open()
        await bar.finish()
        assert bar.state.departed == ()

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


def test_a_host_that_is_killed_and_resumed_has_its_pages_again(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await bar.kill("Ann")
        await asyncio.sleep(30)
        await bar.join("Ann", sits=False)
        await bar.finish()
        assert cleo.whole_views == 2
        assert len(bar.ann.room.matches) == 1

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


def test_an_act_that_the_broker_and_the_host_have_lost_is_laid_again_by_the_page(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo", events=0)
        bar.idle.add("Ann")
        await bar.reach(lambda: bar.play.to_act == bar.seat("Ann"))
        ((_, _, act),) = cleo.opened.values()
        del bar.broker.entries[KEYS.room][act]
        await cleo.close()
        await cleo.open()
        assert act in bar.broker.entries[KEYS.room]

    at_the_bar(tmp_path, evening)


def test_who_only_watches_by_a_page_sees_the_match(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        page = await bar.open("Eve", sits=False)
        await bar.start(2)
        await bar.finish()
        await bar.reach(lambda: page.view["phase"] == "over")
        playing = [view for view in page.views if view["phase"] == "playing"]
        assert {*playing[-1]["news"]} == {"You are watching."}
        assert playing[-1]["dice_by"] == "dice by both laptops"
        assert not any(view["owes"] or view["ask"] for view in page.views)
        assert bar.ann.view.spectators == ("Eve",)
        assert page.checked == len(bar.play.events)

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


# -- leaving -----------------------------------------------------------------------------------------------------------


def test_a_page_gives_up_its_seat_in_mid_round(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        (cleo,) = await bar.begin("Cleo")
        cleo.plays = False
        await bar.reach(lambda: cleo.view["ask"])
        await cleo.send(cleo.view["may"]["leave"])
        await bar.reach(lambda: bar.state.departed == (bar.seat("Cleo"),))
        await bar.reach(lambda: not cleo.view["may"]["leave"])
        assert [seat["note"] for seat in cleo.view["seats"] if seat["mine"]] == ["left"]
        await bar.finish()

    at_the_bar(tmp_path, evening)


def test_the_others_carry_on_without_a_page_that_stays_away(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        cleo, dora = await bar.begin("Cleo", "Dora")
        await cleo.close()
        await bar.reach(lambda: dora.view["may"]["without"], seconds=300)
        assert dora.view["line"].endswith("Carry on: Cleo has been away for 1 minute.")
        assert dora.view["labels"]["without"] == "Carry on"
        assert [seat["name"] for seat in dora.view["seats"] if seat["away"]] == ["Cleo"]
        for client in bar.clients.values():
            client.carry_on_without(client.view.may_be_left)
        await dora.send(dora.view["may"]["without"])
        await bar.reach(lambda: bar.state.departed)
        await bar.finish()
        await bar.reach(lambda: ended(dora))
        assert [(seat["name"], seat["note"]) for seat in dora.view["seats"] if seat["mine"]] == [("Dora", "phone")]
        result = ended(dora)
        assert result
        assert [seat["note"] for seat in result["seats"] if seat["name"] == "Cleo"] == ["voted out"]

    at_the_bar(tmp_path, evening)


def test_a_page_agrees_by_itself_to_what_the_others_want_and_says_that_it_is_here(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        ben = await bar.join("Ben")
        cleo, _dora = await bar.begin("Cleo", "Dora")
        bar.idle.add("Ben")
        await bar.reach(lambda: bar.play.to_act == bar.seat("Ben"))
        bar.ann.carry_on_without([bar.play.machine_of[bar.seat("Ben")], bar.play.machine_of[bar.seat("Dora")]])
        await bar.reach(lambda: not bar.play.votes, seconds=5)  # Dora is here
        await bar.reach(lambda: bar.ann.view.may_be_left)
        bar.ann.carry_on_without(bar.ann.view.may_be_left)
        await bar.reach(lambda: bar.state.departed == (bar.seat("Ben"),), seconds=120)
        assert ben.room.match
        assert cleo.view["phase"] == "playing"

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


def test_a_page_that_is_left_out_is_told_and_the_match_is_called_off(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        bar.ann.get_up()
        await bar.reach(lambda: bar.ann.spectates)
        ben = await bar.join("Ben")
        cleo = await bar.open("Cleo")
        await bar.reach(lambda: len(ben.room.participants) == 2)
        dora = await bar.open("Dora")
        cleo.plays = dora.plays = False
        await bar.reach(lambda: len(ben.room.participants) == 3 or dora.view.get("may", {}).get("sit"))
        await dora.sit()
        await bar.reach(lambda: len(ben.room.participants) == 3)
        ben._send_and_show(ben.local.start([dora.machine.public]))
        await bar.reach(lambda: dora.view["news"])
        told = {sentence for view in dora.views for sentence in view["news"]}
        assert told <= {"Ben has started without you. You play in the next game.", CALLED_OFF}
        await bar.reach(lambda: dora.view["news"] == [CALLED_OFF])
        assert dora.view["phase"] == "before"
        assert dora.view["may"]["sit"]

    at_the_bar(tmp_path, evening)


def test_a_page_that_slept_is_told_that_its_host_has_started_without_it(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        cleo = await bar.open("Cleo")
        await bar.reach(lambda: len(bar.ann.room.participants) == 3)
        await cleo.close()
        await bar.reach(lambda: cleo.machine.public in bar.ann.view.away)
        bar.ann.start()
        await bar.reach(lambda: bar.ann.room.match)
        await cleo.open()
        await bar.reach(lambda: cleo.view["phase"] == "playing")
        assert cleo.view["news"] == ["Ann has started without you. You play in the next game."]

    at_the_bar(tmp_path, evening)


def test_what_a_page_has_checked_of_another_match_counts_for_nothing(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        pages = bar.ann.pages
        assert isinstance(pages, Pages)
        page = pages.pages[cleo.machine.public]
        await bar.reach(lambda: page.checked == len(bar.play.events))
        seen = pages.view(page)["fallen"]
        page.match = "another"
        assert pages.view(page)["fallen"][0]["event"] == 0 < seen[0]["event"]

    at_the_bar(tmp_path, evening)


# -- dice in doubt -----------------------------------------------------------------------------------------------------


def test_a_page_that_is_shown_another_face_stops_the_match_and_most_of_its_machines_end_it(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        ben = await bar.join("Ben")
        cleo, dora = await bar.begin("Cleo", "Dora")
        show_another_face(bar.ann.pages, cleo.machine.public)
        await bar.reach(lambda: len(bar.play.findings) == 2)
        assert [*bar.play.findings.values()] == [False, False]
        ((page, dispute),) = bar.play.disputes.items()
        throw, event = bar.play.roll_of(dispute.step) or pytest.fail("the log has the roll")
        assert event.faces[0] == dispute.computed == dispute.shown - 1 or (dispute.computed, dispute.shown) == (6, 1)
        thrown = f"{bar.play.lineup.seats[event.seat].name}'s roll {throw}"
        doubt = f"Cleo's phone says that the {dispute.shown} in {thrown} should be a {dispute.computed}."
        found = "Ann's and Ben's laptops find the roll wrong."
        assert bar.play.participants[page].name == "Cleo"
        assert ben.view.dispute == (doubt, found)
        await bar.reach(lambda: found in dora.view["line"])
        assert dora.view["line"].endswith(f"End this game: {doubt} {found}")
        assert dora.view["labels"]["without"] == "End this game"
        before = len(bar.play.events)
        await asyncio.sleep(300)  # and nobody can be voted out
        assert (len(bar.play.events), bar.play.votes, bar.ann.view.may_be_left) == (before, {}, ())
        ben.agree_to_end()
        await dora.send(dora.view["may"]["without"])
        await bar.reach(lambda: len(bar.play.agreed_to_end) == 2)
        assert not bar.play.over
        bar.ann.agree_to_end()
        await bar.reach(lambda: bar.play.over)
        assert (bar.play.abandoned, bar.state.departed, bar.play.called_off_by) == (True, (), frozenset())
        assert f"Ben: This game ends without a result. {doubt} {found}" in bar.told
        await bar.reach(lambda: dora.view["news"] == [f"This game ends without a result. {doubt} {found}"])
        await bar.reach(lambda: [each["name"] for each in dora.view["seats"] if each["mine"]] == ["Dora"])

    at_the_bar(tmp_path, evening)


# -- what is said ------------------------------------------------------------------------------------------------------


def test_a_name_that_is_taken_is_refused_with_the_reason(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        page = await bar.open("Ann")
        await bar.reach(lambda: page.view and page.view["refused"][0])
        assert page.view["refused"] == [1, "Ann is already at the table."]
        page.name = "You"
        await page.sit()
        await bar.reach(lambda: page.view["refused"][0] == 2)
        assert page.view["refused"][1].startswith('Everybody here is "you" to themselves')
        page.name = "Cleo"
        await page.sit()
        await bar.reach(lambda: len(bar.ann.view.here) == 2)
        assert [each["name"] for each in page.view["seats"] if each["mine"]] == ["Cleo"]

    at_the_bar(tmp_path, evening)


def test_a_name_left_during_a_match_is_that_of_no_player_and_waits_for_the_next_one(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        eve = await bar.open("Eve", sits=False)
        await bar.start(2)
        await bar.reach(lambda: eve.view["phase"] == "playing")
        assert (eve.view["news"], eve.view["labels"]["sit"]) == (["You are watching."], "Join the next game")
        await eve.send_heartbeat(wish="ben")
        await bar.reach(lambda: eve.view["refused"][0])
        assert eve.view["refused"] == [1, "ben is already at the table."]
        assert eve.view["news"] == ["You are watching."]
        await eve.send_heartbeat(wish="Eve")
        await bar.reach(lambda: eve.view["news"] == ["You play in the next game."])
        assert bar.ann.view.spectators == ("Eve",)
        assert eve.view["refused"][0] == 1
        await eve.send({"at": "sit"})
        await bar.finish()
        assert eve.view["refused"][0] == 1, "what comes too early is for the next match"
        await eve.sit()
        await bar.reach(lambda: len(bar.ann.view.here) == 1)

    at_the_bar(tmp_path, evening)


def test_a_page_reacts_and_sees_reactions(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        heard: list[Reaction] = []
        bar.ann.on_reaction = heard.append
        await cleo.send_heartbeat("react", reaction=1)
        await bar.reach(lambda: heard)
        assert (heard[0].name, heard[0].text) == ("Cleo", REACTIONS[1])
        bar.ann.react(2)
        await bar.reach(lambda: cleo.view["reacted"] == ["Ann", REACTIONS[2]])
        await bar.reach(lambda: cleo.view["reacted"] is None)

    at_the_bar(tmp_path, evening)


def test_an_idle_table_shows_a_page_nothing_but_an_answer_to_who_asks(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        bar.idle.add("Ann")
        (cleo,) = await bar.begin("Cleo", events=0)
        cleo.plays = False
        await asyncio.sleep(120)  # by then the table has waited for Ann for as long as it does
        before = len(cleo.messages), len(bar.broker.entries[KEYS.room])
        await asyncio.sleep(600)
        assert (len(cleo.messages), len(bar.broker.entries[KEYS.room])) == before

    at_the_bar(tmp_path, evening)


def test_nobody_waits_for_a_page_that_is_here_after_a_lost_connection(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        ben = await bar.join("Ben")
        await bar.begin("Cleo")
        log = ben.log
        assert isinstance(log, MemoryLog)
        log.disconnect()
        await asyncio.sleep(1)
        log.reconnect()
        await bar.reach(lambda: ben.barrier.over, seconds=0.4)
        assert not ben.view.away

    bar = at_the_bar(tmp_path, evening)
    assert bar.told == []


def test_a_page_parts_from_nobody_where_a_machine_has_seen_another_story(tmp_path: Path) -> None:
    """It has seen no log, and follows its host also where that has diverged."""

    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        bar.ann.copy.diverged = True
        await cleo.send_heartbeat(diverged=False)
        await asyncio.sleep(1)
        assert not any("Cleo" in sentence for sentence in bar.told)

    at_the_bar(tmp_path, evening)


# -- a host whose messages lie -----------------------------------------------------------------------------------------


def false_face(view: View, page: ScriptedPage) -> None:  # noqa: ARG001
    for roll in view["fallen"][-1:]:
        roll["faces"] = [7 - face for face in roll["faces"]]


def false_key(view: View, page: ScriptedPage) -> None:  # noqa: ARG001
    for roll in view["fallen"][-1:]:
        roll["keys"] = [roll["keys"][0], *(key[::-1] for key in roll["keys"][1:])]


def another_digest(view: View, page: ScriptedPage) -> None:
    if page.checked:
        view["match"]["players"][0][0] = "Eve"


def another_match(view: View, page: ScriptedPage) -> None:  # noqa: ARG001
    for body in view["owes"]:
        body["match"] = "0" * 32


def another_lot(view: View, page: ScriptedPage) -> None:  # noqa: ARG001
    if view["start_draw"]:
        view["start_draw"]["first"] = 1 - view["start_draw"]["first"]


def before_the_others(view: View, page: ScriptedPage) -> None:
    """The page is asked to open for its own roll first, so that others know the faces before it."""
    step = view["step"]
    if not step or step["seat"] < 0 or len(step["missing"]) < 2 or view["owes"]:
        return
    if view["match"]["machines"][step["last"]]["public"] == page.machine.public.hex():
        act = {"act": "", "at": "open", "key": "", "match": page.match_id, "step": step["step"]}
        view["owes"] = [act | {"act": _digest(step["act"], page)}]


def another_dice(view: View, page: ScriptedPage) -> None:  # noqa: ARG001
    """The host shows other dice than those of the action in the log."""
    if view["step"] and view["step"]["seat"] >= 0:
        view["step"]["dice"] = [1] if view["step"]["dice"] != [1] else [2]


def _digest(act: str, page: ScriptedPage) -> str:
    entry = decrypt_entry(page.keys, base64.b64decode(act))
    assert entry
    return entry.digest.hex()


LIES: dict[str, tuple[Callable[[View, ScriptedPage], None], str, str]] = {
    "a false face": (false_face, "is not a", LASTING),
    "a false key": (false_key, "a key does not lead to its anchor", LASTING),
    "another digest": (another_digest, "This is another match than before.", LASTING),
    "another match id": (another_match, "This is for another match.", LASTING),
    "another seat that starts": (another_lot, "another seat starts", "420"),
    "to open first": (before_the_others, "The others have not opened.", LASTING),
    "other dice": (another_dice, "The action is not that of the player.", LASTING),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_page_opens_no_key_once_its_host_lies(tmp_path: Path, lie: str) -> None:
    change, sentence, game = LIES[lie]

    async def evening(bar: PageTables) -> None:
        lie_to(bar, change)
        cleo = await bar.open("Cleo")
        await bar.start(2)
        await bar.reach(lambda: cleo.unfair)
        opened = dict(cleo.opened)
        await asyncio.sleep(60)
        assert cleo.opened == opened

    bar = at_the_bar(tmp_path, evening, game)
    assert sentence in bar.pages["Cleo"].unfair


def lie_to(bar: PageTables, change: Callable[[View, ScriptedPage], None]) -> None:
    """Let the host change each view of the pages."""
    pages = bar.ann.pages
    assert isinstance(pages, Pages)
    honest = pages.view

    def view(page: Any) -> View:
        body: View = json.loads(json.dumps(honest(page)))
        if shown := next((each for each in bar.pages.values() if each.machine.public == page.public), None):
            change(body, shown)
        return body

    pages.view = view  # type: ignore[method-assign]


def test_a_page_opens_a_key_for_one_act_only(tmp_path: Path) -> None:
    """A host that rolls shows one act, and with the key of the page another one for the same step."""

    async def evening(bar: PageTables) -> None:
        cleo = await bar.open("Cleo")
        shown: list[View] = []

        def change(view: View, page: ScriptedPage) -> None:
            step = view["step"]
            if shown:
                view |= deepcopy(shown[0])
                other = {"at": "act", "match": page.match_id, "event": view["events"], "again": 99}
                other["roll"] = view["step"]["dice"]
                data = encrypt_entry(KEYS, bar.ann.machine, other | {"number": view["number"], "head": view["head"]})
                view["step"]["act"] = base64.b64encode(data).decode()
                view["owes"][0]["act"] = _digest(view["step"]["act"], page)
            elif step and step["seat"] == bar.seat("Ann") and view["owes"]:
                shown.append(deepcopy(view))

        lie_to(bar, change)
        await bar.start(2)
        await bar.reach(lambda: cleo.unfair)

    bar = at_the_bar(tmp_path, evening)
    assert bar.pages["Cleo"].unfair == "A key is asked for again, for another action."


# -- messages under a shared key ---------------------------------------------------------------------------------------


def state_of(bar: PageTables, page: ScriptedPage) -> PageState:
    """Return the page as its host knows it."""
    assert isinstance(bar.ann.pages, Pages)
    return bar.ann.pages.pages[page.machine.public]


def key_of(bar: PageTables, page: ScriptedPage) -> SharedKey:
    """Return the key that the host shares with a page."""
    key = state_of(bar, page).key
    assert key
    return key


async def stand_still(bar: PageTables) -> None:
    """Let nobody act any more, and all that is on its way arrive."""
    bar.idle |= {*bar.clients}
    for page in bar.pages.values():
        page.plays = False
    await asyncio.sleep(20)


def lose(page: ScriptedPage, count: int) -> None:
    """Lose the next messages to a page."""
    lost = iter(range(count))

    def receive(data: bytes) -> None:
        if next(lost, None) is None:
            page.receive(data)

    page.broker.pages[page.machine.public] = receive


def test_a_page_takes_no_message_twice_and_none_of_another_page(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        cleo, dora = await bar.begin("Cleo", "Dora")
        await stand_still(bar)
        view, seen, heard = cleo.view, cleo.seen, [data for data in cleo.messages if not decrypt_entry(KEYS, data)]
        assert len(heard) == seen > 4
        for data in (*heard, *reversed(heard), *dora.messages):
            cleo.receive(data)
        assert (cleo.view, cleo.seen) == (view, seen)

    at_the_bar(tmp_path, evening)


def test_an_agreement_of_somebody_else_or_for_somebody_else_is_none(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        ben = await bar.join("Ben")
        cleo = await bar.open("Cleo")
        await cleo.close()
        cleo.renew()
        page = bytes(cleo.pair.public_key).hex()
        body = {"at": "key", "to": cleo.machine.public.hex(), "page": page, "box": page}
        cleo.receive(encrypt_entry(KEYS, ben.machine, body))
        for wrong in {"at": "here"}, {"to": ben.machine.public.hex()}, {"page": "0" * 64}:
            cleo.receive(encrypt_entry(KEYS, bar.ann.machine, body | wrong))
        assert cleo.box is None
        cleo.receive(encrypt_entry(KEYS, bar.ann.machine, body))
        assert cleo.box

    at_the_bar(tmp_path, evening)


def test_nobody_believes_what_a_page_says_under_its_shared_key(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        cleo, dora = await bar.begin("Cleo", "Dora")
        await stand_still(bar)
        lie = json.dumps(cleo.view | {"line": "Dora wins."}).encode()
        known = deepcopy((cleo.view, state_of(bar, dora).view, bar.ann.presence.others[dora.machine.public].name))
        numbered = SharedKey(bytes(cleo.pair.public_key))  # a host's part, which no host has signed
        dora.box, key = None, key_of(bar, dora)
        for message in (*numbered.messages(lie), *key.messages(lie)):
            cleo.receive(message)
            await dora.log.broadcast(message)
            await dora.log.append(message)
        await asyncio.sleep(1)
        told = bar.ann.presence.others[dora.machine.public].name
        assert (cleo.view, state_of(bar, dora).view, told) == known

    at_the_bar(tmp_path, evening)


def test_a_key_of_before_a_resume_is_refused(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        old, heard = key_of(bar, cleo), [*cleo.messages]
        await bar.kill("Ann")
        await bar.join("Ann", sits=False)
        await bar.reach(lambda: cleo.whole_views == 2)
        await stand_still(bar)
        view, pair = cleo.view, cleo.pair
        for data in (*old.messages(b"{}"), *heard):
            cleo.receive(data)
        await asyncio.sleep(1)
        assert (cleo.view, cleo.pair) == (view, pair)
        assert key_of(bar, cleo) is not old

    at_the_bar(tmp_path, evening)


def test_a_repeated_agreement_is_for_no_second_key(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await stand_still(bar)
        agreement = next(data for data in cleo.messages if decrypt_entry(KEYS, data))
        pair, view = cleo.pair, cleo.view
        cleo.receive(agreement)
        assert cleo.pair is not pair
        await bar.reach(lambda: cleo.whole_views == 2)
        assert cleo.view == view
        pair = cleo.pair
        cleo.receive(agreement)
        assert cleo.pair is pair, "it was for another pair"

    at_the_bar(tmp_path, evening)


def test_of_two_tabs_one_has_the_views(tmp_path: Path) -> None:
    """They have one machine key, as after a page that was copied while it was open."""

    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await stand_still(bar)
        for task in bar.tasks:
            task.cancel()  # no heartbeat comes between
        other = ScriptedPage(KEYS, bar.broker, bar.ann.machine.public, "Cleo")
        other.watching = other.plays = False
        await other.open()
        tabs = cleo, other

        def receive(data: bytes) -> None:
            for tab in tabs:
                tab.receive(data)

        bar.broker.pages[cleo.machine.public] = receive
        await bar.reach(lambda: other.view)
        for one, two in (tabs, tabs[::-1], tabs):
            seen, shown, whole = one.seen, two.seen, one.whole_views
            bar.ann.react(3)
            await bar.reach(lambda: two.seen > shown)  # noqa: B023
            await asyncio.sleep(4)
            assert one.seen == seen
            await one.send_heartbeat()
            await bar.reach(lambda: one.whole_views > whole)  # noqa: B023
            assert one.view == state_of(bar, one).view

    at_the_bar(tmp_path, evening)


def test_a_page_that_misses_a_message_asks_for_the_whole_view(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        lose(cleo, 1)
        await bar.reach(lambda: cleo.whole_views == 2)
        await bar.finish()
        await bar.reach(lambda: ended(cleo))
        assert cleo.whole_views == 2

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


def test_a_page_that_misses_the_last_message_has_it_after_its_next_heartbeat(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await stand_still(bar)
        bar.broker.pages[cleo.machine.public] = lambda _: None
        bar.ann.leave()
        await asyncio.sleep(0.5)
        bar.broker.pages[cleo.machine.public] = cleo.receive
        await bar.reach(lambda: cleo.view["phase"] == "over", seconds=20)

    at_the_bar(tmp_path, evening)


def test_a_roll_is_sent_once_and_then_as_the_last_one(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await bar.finish()
        times = Counter(roll["roll"] for fields in cleo.sent for roll in fields.get("fallen", []))
        assert max(times.values()) <= 2

    assert not unfair(at_the_bar(tmp_path, evening))


def test_a_message_on_its_way_is_not_lost(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await stand_still(bar)
        bar.ann.react(1)
        await asyncio.sleep(0.5)
        await cleo.send_heartbeat(seen=cleo.seen - 1)
        await asyncio.sleep(1)
        assert cleo.whole_views == 1
        await asyncio.sleep(5)
        await cleo.send_heartbeat(seen=cleo.seen - 1)
        await bar.reach(lambda: cleo.whole_views == 2)

    at_the_bar(tmp_path, evening)


def test_messages_keep_their_order_where_sending_takes_time(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        await bar.join("Ben")
        send, luck = bar.ann.log.send_view, Random(5)

        async def send_view(machine: bytes, data: bytes) -> None:
            await asyncio.sleep(luck.random() / 5)
            await send(machine, data)

        bar.ann.log.send_view = send_view  # type: ignore[method-assign]
        pages = await bar.begin("Cleo", "Dora", events=12)
        assert [page.whole_views for page in pages] == [1, 1]

    at_the_bar(tmp_path, evening)


def test_what_nobody_waits_for_is_shown_twice_a_second_at_most(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        (cleo,) = await bar.begin("Cleo")
        await stand_still(bar)
        seen, pages = cleo.seen, bar.ann.pages
        assert pages
        for text in REACTIONS[:4]:
            pages.react(Reaction(b"", "Eve", text))
            await asyncio.sleep(0.1)
        assert (cleo.seen, cleo.view["reacted"]) == (seen + 1, ["Eve", REACTIONS[0]])
        await asyncio.sleep(0.2)
        assert (cleo.seen, cleo.view["reacted"]) == (seen + 2, ["Eve", REACTIONS[3]])

    at_the_bar(tmp_path, evening)


@pytest.mark.parametrize("box", [None, 7, "", "0" * 64, "zz", "ab" * 31])
def test_a_page_without_a_key_has_no_views(tmp_path: Path, box: object) -> None:
    async def evening(bar: PageTables) -> None:
        cleo, dora = await bar.open("Cleo"), await bar.open("Dora")
        await bar.reach(lambda: cleo.view and dora.view)
        await asyncio.sleep(2)
        before = len(cleo.messages)
        await cleo.send_heartbeat(box=box)
        bar.ann.react(1)
        await bar.reach(lambda: dora.view["reacted"], seconds=2)
        assert len(cleo.messages) == before
        await cleo.send_heartbeat()
        await bar.reach(lambda: cleo.whole_views == 2)

    at_the_bar(tmp_path, evening)


@pytest.mark.long("fourtwenty/rooms/page/", "fourtwenty/rooms/wire/pages.py")
def test_a_view_of_a_full_table_comes_in_messages_that_fit(tmp_path: Path) -> None:
    async def evening(bar: PageTables) -> None:
        for number in range(22):
            await bar.join(f'B"{number}\\')
        (cleo,) = await bar.begin("Cleo", events=1)
        await cleo.close()
        cleo.load()
        await cleo.open()
        before = len(cleo.messages)
        await bar.reach(lambda: cleo.whole_views)
        assert len(cleo.messages) - before > 3
        assert all(len(data) <= MAX_ENTRY_BYTES for data in cleo.messages)
        assert len(cleo.view["seats"]) == 24

    bar = at_the_bar(tmp_path, evening)
    assert not unfair(bar)


# -- any evening -------------------------------------------------------------------------------------------------------


async def nap(bar: PageTables, luck: Random) -> None:
    """Let a page sleep or lose its network, and come back as it was or loaded anew."""
    page = luck.choice([*bar.pages.values()])
    if not page.log.connected:
        return
    if luck.random() < 0.5:
        await page.send_heartbeat("gone")
    await page.close()
    await asyncio.sleep(luck.choice((0, 1, 20, 200)))
    if luck.random() < 0.5:
        page.load()
    await page.open()


async def reload(bar: PageTables, luck: Random) -> None:
    """Let a page be loaded anew at once."""
    page = luck.choice([*bar.pages.values()])
    if page.log.connected:
        await page.close()
        page.load()
        await page.open()


async def host_dies(bar: PageTables, luck: Random) -> None:
    """Kill the host, which resumes."""
    await bar.kill("Ann")
    await asyncio.sleep(luck.choice((0, 1, 30)))
    await bar.join("Ann", sits=False)


async def broker_dies(bar: PageTables, luck: Random) -> None:
    """Kill the broker, which loses the last second of its log, with every connection."""
    playing = len(bar.broker.entries[KEYS.room]) - bar.settled
    programs = [log for log in bar.broker.logs if log not in [page.log for page in bar.pages.values()]]
    for log in programs:
        log.disconnect()
    bar.broker.lose(KEYS.room, luck.randint(0, min(4, playing)))
    for log in programs:
        log.reconnect()
    for page in bar.pages.values():
        if page.log.connected:
            await page.close()
            await page.open()


def an_evening(luck: Random) -> None:
    async def evening(bar: PageTables) -> None:
        for name in luck.sample(["Ben", "Ben's brother"], luck.randint(0, 2)):
            await bar.join(name)
        names = ["Cleo", "Dora", "Emil", "Fritz"][: luck.randint(1, 4)]
        await bar.begin(*names, events=0)
        bar.settled = len(bar.broker.entries[KEYS.room])
        faults = [luck.choice([nap, nap, reload, host_dies, broker_dies]) for _ in range(luck.randint(1, 6))]
        for fault in faults:
            await asyncio.sleep(luck.choice((0, 0.5, 3, 12)))
            if not bar.over:
                await fault(bar, luck)
        await bar.reach(lambda: bar.over or bar.told)
        if bar.told:  # what a machine has seen and the broker has lost may not fit to what counts now
            assert broker_dies in faults
            assert all(SPLIT_LOG in each for each in bar.told)
            return
        record = await bar.finish()
        assert bar.state.departed == ()
        await bar.reach(lambda: all(page.view["phase"] == "over" for page in bar.pages.values()))
        await bar.reach(lambda: all(page.checked == len(record.events) for page in bar.pages.values()), seconds=10)

    with TemporaryDirectory() as folder, seeded(f"an evening {luck.random()}"):
        bar = at_the_bar(Path(folder), evening, luck.choice([*GAMES]))
    assert not unfair(bar)


@soak(1, 100)
def test_pages_that_come_and_go_have_one_match_with_all_or_a_reason(trials: int) -> None:
    try_out(trials, an_evening)
