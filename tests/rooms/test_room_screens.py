"""Rooms on the screen: whole apps at one table, over a broker in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from math import inf
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from apps_in_a_room import Bar, act, at_table, ended, finale, last, press_turn, reach, table
from long_tests import PRODUCT
from msgspec.structs import replace
from proxy import full_broker
from table_pilot import TablePilot, driving, playing
from waiting import settled, time_limit, until

from fourtwenty.file_storage import history_file, rooms_folder
from fourtwenty.games.game import Event, Leave
from fourtwenty.install_hint import BUILD_NOTE, ROOMS, install_command
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, read_record, verify_record, write_record
from fourtwenty.play.lineup import Seat
from fourtwenty.rooms import room
from fourtwenty.rooms.local_machine import LocalMachine, SeatRequest
from fourtwenty.rooms.own_name import named
from fourtwenty.rooms.tui.dialogs import players_text, read_players
from fourtwenty.rooms.tui.gathering import Gathering
from fourtwenty.rooms.tui.room_launcher import RoomLauncher
from fourtwenty.rooms.tui.room_table import RoomTable
from fourtwenty.rooms.wire import client as client_module
from fourtwenty.rooms.wire.notices import USED_UP
from fourtwenty.rooms.wire.presence import AWAY_SECONDS
from fourtwenty.rooms.wire.room_log import UnreachableError
from fourtwenty.rooms.wire.room_session import join
from fourtwenty.rooms.wire.sync_barrier import BARRIER_SECONDS, SHORT_SECONDS
from fourtwenty.rooms.wire.view import NO_CONNECTION
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.dialogs.question_dialogs import ConfirmDialog
from fourtwenty.tui.screens import match_view
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.results import Results


@pytest.fixture
def bar(tmp_path: Path) -> Bar:
    return Bar(tmp_path)


def shows(screen: type, *pilots: TablePilot) -> Callable[[], bool]:
    return lambda: all(isinstance(pilot.app.screen, screen) for pilot in pilots)


def turn_has(pilot: TablePilot, words: str) -> Callable[[], bool]:
    return lambda: words in pilot.text("#turn")


def line(pilot: TablePilot) -> str:
    """The sentence under the hand, as one line."""
    return " ".join(pilot.text("#line").split())


async def test_a_match_at_two_machines_to_the_drinks_and_a_rematch(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Ben", "Ben, bot:Steady") as ben:
        await settled()
        await ann.pause()
        assert "fourtwenty join 192.168.1.23 " in ann.seen()
        await ann.press("y")
        await until(lambda: ann.app.clipboard == "Table K7QF-3XMP: fourtwenty join 192.168.1.23")
        assert "Ben, Steady (bot)" in ann.seen()
        assert "Fair dice: both laptops roll them together, so nobody can choose them." in ann.seen()
        await ben.press("enter")
        assert ben.text("#say") == "Waiting for Ann to start."
        await ann.press("enter")
        await at_table(ann, ben)
        assert table(ann).match.names == ("Ann", "Ben", "Steady")
        await reach(lambda: len(bar.play("Ann").events) > 0, ann, ben)
        async with bar.app("Dan") as dan:  # comes late, and sees everything so far at once
            await at_table(dan)
            assert table(dan).match.events == bar.play("Ann").events
            assert "You are watching" in dan.seen()
            assert "Roll" not in dan.seen().replace("Rolls", "")
            await dan.press("1", "r")
            async with time_limit():
                while not ended(ann, ben)():
                    for pilot in (ann, ben, dan):
                        await press_turn(pilot)
                    await asyncio.sleep(0)
            await reach(ended(dan), dan)
            assert "Rematch" not in dan.seen()
        assert finale(ann).report.headline.endswith("buys the drinks")
        records = {write_record(Record.from_match(finale(pilot).match)) for pilot in (ann, ben)}
        assert len(records) == 1
        verify_record(read_record(*records))
        await ben.results()
        await ben.press("enter", to="Gathering")
        await until(lambda: ben.text("#say") == "Press Enter to start without Ann, or wait.")
        await ann.results()
        await until(lambda: "Ben wants a rematch." in ann.notes())
        async with bar.app("Eve", "Eve"):
            await until(lambda: "Eve joins the next game." in ann.notes())
        await ann.press("enter")
        await until(lambda: ann.stack()[1:2] == ben.stack()[1:2] == ["RoomTable"])
        assert len(bar.clients["Ann"].room.matches) == 2


@asynccontextmanager
async def begun(bar: Bar, *names: str) -> AsyncIterator[list[TablePilot]]:
    """Machines of one person each at a table, at which the first of them has started a match."""
    async with AsyncExitStack() as stack:
        pilots = [await stack.enter_async_context(bar.app(name, name)) for name in names]
        await until(lambda: len(bar.clients[names[0]].room.participants) == len(names))
        await pilots[0].press("enter")
        await at_table(*pilots)
        yield pilots


@asynccontextmanager
async def cleos_turn(bar: Bar) -> AsyncIterator[tuple[TablePilot, TablePilot, TablePilot]]:
    """Three machines at a table at which Cleo, the third to act, is to roll."""
    bar.seed = 6  # Ann is Player 1
    async with begun(bar, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        await ann.press("enter")
        await reach(lambda: bar.play("Ann").to_act == 2 and not bar.play("Ann").pending, ann, ben)
        await at_table(ann, ben, cleo)
        yield ann, ben, cleo


async def away(bar: Bar, *here: str) -> None:
    """Let Cleo's machine lose its connection, and be missed by the others."""
    bar.log("Cleo").disconnect()
    bar.clock.now += AWAY_SECONDS + 1
    await bar.send_heartbeats(*here)


def faces(pilot: TablePilot) -> tuple[int, ...]:
    return tuple(die.face for die in table(pilot).hand.dice)


async def test_dice_tumble_until_all_others_have_opened_and_land_once_before_the_roller_has(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar.seed = 6  # Ann is the first to act
    monkeypatch.setattr(match_view, "LAND_SECONDS", 0)
    monkeypatch.setattr(match_view, "STAKE_SECONDS", 0)
    async with begun(bar, "Ann", "Ben") as (ann, ben):
        await until(lambda: table(ann).waiting)
        table(ann).pace = 1
        throw = Mock(wraps=table(ann).hand.throw)
        monkeypatch.setattr(table(ann).hand, "throw", throw)
        log, client = ann.logged(), bar.clients["Ann"]
        bar.log("Ann").sends = 1  # the action, and not the key
        bar.log("Ben").hold()
        ann.app.animation_level = "full"
        await ann.press("enter")
        await until(lambda: 0 not in faces(ann))
        throw.assert_not_called()
        bar.log("Ben").release()
        await until(lambda: all(die.fresh for die in table(ann).hand.dice))
        bar.clock.now += AWAY_SECONDS + 1  # Ben is away, and the table is shown again
        client._advance()
        await until(lambda: table(ann).seats.rows[1].tag == "away")
        assert all(die.fresh for die in table(ann).hand.dice)
        assert not table(ann).hand._shaken
        shown = faces(ann)
        assert ann.logged() == log
        assert not table(ann).match.events
        assert set(faces(ben)) == {0}
        bar.log("Ann").sends = inf
        client.sync.try_again()
        await until(lambda: ann.logged() != log)
        assert table(ann).match.events[0].faces == faces(ann) == shown
        throw.assert_called_once()
        await until(lambda: len(table(ben).match.events) == 1)


async def test_dice_that_have_landed_are_taken_back_when_the_others_carry_on_without_the_roller(bar: Bar) -> None:
    async with cleos_turn(bar) as (_, _, cleo):
        here = table(cleo)
        await until(lambda: here.waiting)
        log, events = cleo.logged(), [*here.match.events]
        bar.log("Cleo").sends = 1
        await press_turn(cleo)
        await until(lambda: 0 not in faces(cleo))
        bar.clients["Ann"].carry_on_without([2])
        await until(lambda: 0 in faces(cleo))
        assert cleo.logged() == log
        bar.clients["Ben"].carry_on_without([2])
        await until(lambda: line(cleo) == "The others carry on without you. You come last.")
        assert [*here.match.events] == [*events, Event(2, Leave(), ())]
        assert isinstance(cleo.app, FourTwentyApp)
        history = cleo.app.history_service.history
        (kept,) = history.unfinished()
        assert history.match(kept.id).events == here.match.events


async def test_a_reaction_is_seen_by_everybody(bar: Bar) -> None:
    async with cleos_turn(bar) as (ann, _, cleo):
        await cleo.press("e")
        await cleo.pause()
        await cleo.click_on("2 Well rolled!")
        await until(lambda: "Cleo: Well rolled!" in ann.logged())
        assert table(ann).seats.rows[2].tag == "Well rolled!"
        assert "You: Well rolled!" in cleo.logged()


async def test_a_turn_that_was_shown_without_the_connection_is_shown_once_it_is_back(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with cleos_turn(bar) as (_, _, cleo):
        here, log = table(cleo), bar.log("Cleo")
        await until(lambda: here.waiting)
        with monkeypatch.context() as unread:
            unread.setattr(log, "read", Mock(side_effect=UnreachableError("the broker does not answer")))
            log.disconnect()
            log.reconnect()
            await settled()
            await until(lambda: cleo.text("#turn") == NO_CONNECTION)
            here.show_turn("Cleo rolls", 2)
            assert cleo.text("#turn") == NO_CONNECTION
        log.disconnect()
        log.reconnect()
        await until(lambda: "Cleo rolls" in cleo.text("#turn"))


@pytest.mark.long(*PRODUCT)
async def test_a_roll_that_waits_for_others_to_come_back_says_so(bar: Bar) -> None:
    async with cleos_turn(bar) as (_, _, cleo):
        await until(lambda: table(cleo).waiting)
        for name in ("Ann", "Ben", "Cleo"):
            bar.log(name).disconnect()
        for name in ("Ben", "Cleo"):
            bar.log(name).reconnect()
        await settled()
        assert line(cleo) != "Waiting a moment for Ann to come back…", "nothing waits yet"
        await press_turn(cleo)
        bar.clock.now += SHORT_SECONDS
        await bar.send_heartbeats("Ben", "Cleo")
        await until(lambda: line(cleo) == "Waiting a moment for Ann to come back…")
        assert not bar.play("Cleo").pending
        bar.log("Ann").reconnect()
        await until(lambda: all(bar.play(name).to_act != 2 for name in ("Ann", "Ben", "Cleo")))
        await until(lambda: line(cleo) != "Waiting a moment for Ann to come back…")


async def test_a_start_that_waits_for_others_to_come_back_says_so(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Ben", "Ben"):
        for name in ("Ann", "Ben"):
            bar.log(name).disconnect()
        bar.log("Ann").reconnect()
        await until(lambda: "Everybody here?" in ann.text("#say"))
        await ann.press("enter")
        bar.clock.now += SHORT_SECONDS
        bar.clients["Ann"]._advance()
        await until(lambda: ann.text("#say") == "Waiting a moment for Ben to come back…")
        bar.log("Ben").reconnect()
        await at_table(ann)


async def test_who_is_away_is_marked_until_they_are_back(bar: Bar) -> None:
    async with cleos_turn(bar) as (ann, _, cleo):
        bar.log("Cleo").disconnect()
        await settled()
        await cleo.pause()
        assert NO_CONNECTION in cleo.seen()
        bar.clock.now = AWAY_SECONDS - 1
        await bar.send_heartbeats("Ann", "Ben")
        assert table(ann).seats.rows[2].tag != "away", "a blip is no absence"
        bar.clock.now = AWAY_SECONDS + 1
        await bar.send_heartbeats("Ann", "Ben")
        await until(lambda: table(ann).seats.rows[2].tag == "away")
        assert line(ann) == "Waiting for Cleo's machine…"
        bar.log("Cleo").reconnect()
        await until(lambda: table(ann).seats.rows[2].tag != "away")
        assert line(ann) == ""


async def test_a_table_that_its_host_closes_says_so_until_it_opens_again(bar: Bar) -> None:
    closed = "Ann closed the table; {}."
    async with cleos_turn(bar) as (ann, ben, _), bar.app("Dora") as dora:
        guests = {"Ben": (ben, closed.format("your seat is kept")), "Dora": (dora, closed.format("you can wait here"))}
        await ann.press("q", "q")
        await until(lambda: table(ben).seats.rows[0].tag == "away")
        for name, (pilot, sentence) in guests.items():
            assert sentence not in pilot.seen(), "it is still there"
            bar.log(name).disconnect()
            await until(turn_has(pilot, sentence))
        await ben.press("q")
        await until(lambda: "brings you back" in ben.seen())
        assert "Ann closed the table;" in ben.seen()
        assert "the others wait" not in ben.seen()
        await ben.press("n")
        for name, (pilot, _) in guests.items():
            bar.log(name).reconnect()
            await until(turn_has(pilot, "Cleo"))
        bar.log("Ben").disconnect()
        await until(turn_has(ben, NO_CONNECTION))


async def test_a_game_whose_keys_are_used_up_ends_with_a_sentence(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MIN_KEYS", 1)
    monkeypatch.setattr(client_module, "LocalMachine", partial(LocalMachine, chain_length=1))
    async with bar.app("Ann", "bot:Bold") as ann, bar.app("Ben", "bot:Steady") as ben:
        await until(lambda: bar.clients["Ann"].view.seats == 2)
        await ann.press("enter")
        await until(lambda: bar.clients["Ann"].room.matches and bar.play("Ann").abandoned)
        await until(shows(Gathering, ann, ben))
        await until(lambda: USED_UP in ann.notes())
        await until(lambda: bar.clients["Ann"].view.seats == 2)


@pytest.mark.long(*PRODUCT)
async def test_the_others_carry_on_without_one_who_stays_away(bar: Bar) -> None:
    async with cleos_turn(bar) as (ann, ben, _):
        await away(bar, "Ann", "Ben")
        await until(lambda: table(ann).seats.rows[2].tag == "away")
        await ann.press("g")
        assert isinstance(ann.app.screen, RoomTable), "nobody may be left yet"
        bar.clock.now += 200
        await bar.send_heartbeats("Ann", "Ben")
        await until(lambda: line(ann) == "Press g to carry on: Cleo has been away for 3 minutes.")
        await ann.click_on("Carry on")
        await ann.pause()
        await ann.press("y")
        await until(lambda: line(ben) == "Press g to agree: Ann wants to carry on without Cleo.")
        assert line(ann) == "You voted to carry on without Cleo. Waiting for Ben."
        assert "g Carry on" not in ann.seen(), "Ann has agreed already"
        await ben.press("g", "y")
        await until(lambda: any(event.action == Leave() for event in bar.play("Ann").events))
        await until(lambda: table(ann).seats.rows[2].note == "voted out")
        await reach(ended(ann, ben), ann, ben)
        assert last(ann) == (2,)


async def test_a_game_whose_dice_are_in_doubt_stops_for_all_and_is_ended_by_most_of_them(bar: Bar) -> None:
    async with AsyncExitStack() as stack:
        ann, ben, cleo = [await stack.enter_async_context(bar.app(name, name)) for name in ("Ann", "Ben", "Cleo")]
        client = bar.clients["Cleo"]
        client.sit(replace(client.seat_request, page=bar.clients["Ann"].machine.public.hex()))
        await until(lambda: any(each.page for each in bar.clients["Ann"].room.participants.values()))
        await ann.press("enter")
        await at_table(ann, ben, cleo)
        await reach(lambda: len(bar.play("Ann").events) > 2 and not bar.play("Ann").pending, ann, ben, cleo)
        match = bar.play("Ann")
        step = max(number for number in range(1, 9) if match.roll_of(number))
        throw, event = match.roll_of(step) or pytest.fail("it has a roll")
        face = event.faces[0]
        dispute = {"step": step, "die": 0, "shown": face, "computed": face % 6 + 1}
        client._send_and_show({"at": "dispute", "match": match.identifier, **dispute})
        doubt = f"Cleo's phone says that the {face} in {match.lineup.seats[event.seat].name}'s roll {throw}"
        doubt += f" should be a {face % 6 + 1}. Ann's and Ben's laptops find the roll right."
        await until(lambda: line(ann) == line(ben) == f"Press g to end this game: {doubt}")
        shown = len(match.events)
        await ann.press("enter", "1", "enter")
        assert len(match.events) == shown
        await ann.click_on("End this game")
        await ann.pause()
        assert isinstance(ann.app.screen, ConfirmDialog)
        await ann.press("y")
        await until(lambda: line(ann) == f"You voted to end this game without a result. {doubt}")
        await ben.press("g", "y")
        await until(lambda: match.abandoned)
        await until(lambda: ann.stack()[1:2] == ["Gathering"])
        assert f"This game ends without a result. {doubt}" in ann.notes()


@pytest.mark.parametrize(("size", "fits"), [((80, 24), False), ((120, 40), True)])
async def test_a_long_link_for_phones_is_copied_where_its_code_is_shown(
    bar: Bar, size: tuple[int, int], fits: bool
) -> None:
    async with bar.app("Ann", "Ann", size) as ann:
        await until(lambda: ann.stack()[-1] == "Gathering")
        gathering = ann.app.screen
        assert isinstance(gathering, Gathering)
        gathering.session.page = f"https://game.example.org/room/#{'AbCdEf' * 24}"
        gathering.follow()
        await until(lambda: "Phones open  a link. Press p to see it" in ann.seen())
        await ann.press("p", to="PageCodeDialog")
        assert ("The QR code needs a larger window: press y for the link." in ann.seen()) != fits
        assert ("█▀▀▀▀▀█" in ann.seen()) == fits
        await ann.press("y")
        await until(lambda: ann.app.clipboard == gathering.session.page)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_long_names_hide_no_way_on(bar: Bar, size: tuple[int, int]) -> None:
    absent = "Dora of the Blue and Yellow Lighthouse", "Maximilian-Alexander of the Green Harbour"
    async with bar.app("Ann", "Ann", size) as ann, bar.app(absent[0], absent[0]), bar.app(absent[1], absent[1]):
        await until(lambda: len(bar.clients["Ann"].room.participants) == 3)
        await ann.press("enter")
        await at_table(ann)
        for name in absent:
            bar.log(name).disconnect()
        bar.clock.now += 200
        await bar.send_heartbeats("Ann")
        await until(lambda: "g Carry on" in ann.seen())
        assert len(bar.clients["Ann"].view.may_be_left) == 2
        assert line(ann).startswith("Press g to carry on: ")
        assert "Press g to carry on: Dora" in ann.seen()
        await ann.click_on("Carry on")
        await ann.pause()
        assert isinstance(ann.app.screen, ConfirmDialog)


@pytest.mark.parametrize("back", [True, False])
async def test_who_is_back_at_a_table_that_is_opened_again_is_not_told_how_to_come_back(bar: Bar, back: bool) -> None:
    async with bar.app("Ben", "Ben") as ben:
        async with bar.app("Ann", "Ann") as ann:
            await until(lambda: bar.clients["Ann"].view.seats == 2)
            await ben.press("enter")
            await at_table(ann, ben)
        if not back:
            bar.log("Ben").disconnect()
        async with bar.app("Ann") as ann:
            await settled()
            bar.clock.now += BARRIER_SECONDS
            if back:
                await bar.send_heartbeats("Ben")
            bar.clients["Ann"]._advance()
            await until(lambda: bar.clients["Ann"].barrier.over)
            await settled()
            await ann.pause()
            told = ann.notes()
            assert told == ([] if back else ["To come back, Ben can type: fourtwenty join 192.168.1.23"])


@pytest.mark.long(*PRODUCT)
async def test_who_was_left_and_comes_back_watches(bar: Bar) -> None:
    async with cleos_turn(bar) as (ann, ben, cleo):
        await away(bar, "Ann", "Ben")
        bar.clock.now += 200
        await bar.send_heartbeats("Ann", "Ben")
        for client in (bar.clients["Ann"], bar.clients["Ben"]):
            client.carry_on_without([2])
            await settled()
        await until(lambda: any(event.action == Leave() for event in bar.play("Ann").events))
        bar.log("Cleo").reconnect()
        await until(lambda: line(cleo) == "The others carry on without you. You come last.")
        assert "You are watching" in cleo.seen()
        await cleo.press("q", to="Lobby")
        assert cleo.notes() == ["Press r to see how the game goes on."]
        await reach(ended(ann, ben), ann, ben)


async def test_who_rolls_the_dice_is_said_by_the_laptops_that_have_the_keys(bar: Bar) -> None:
    several = "Fair dice: both laptops roll them together, so nobody can choose them."
    async with bar.app("Ann", "Ann") as ann:
        assert "Ann's laptop rolls the dice." in ann.seen()
        async with bar.app("Ben", "Ben") as ben:
            await until(lambda: ann.text("#dice") == ben.text("#dice") == several)
            await ben.press("a")
            await ben.pause()
            await ben.press("backspace", "backspace", "backspace", "enter")
            await until(lambda: ann.text("#dice") == "Ann's laptop rolls the dice.")
        await ann.press("a")
        await ann.pause()
        await ann.press(*["backspace"] * 3, *"Bea, Cleo", "enter")
        await until(lambda: ann.text("#dice") == "Bea's laptop rolls the dice.")
        await ann.press("enter")
        await at_table(ann)
        assert "Bea's laptop rolls the dice." in ann.logged()
        assert "Bea's laptop rolls the dice" in ann.seen()
        assert "nobody can" not in ann.seen() + ann.logged()


@pytest.mark.long(*PRODUCT)
async def test_the_way_to_the_table_is_no_rematch(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben") as (ann, ben):
        await reach(ended(ann, ben), ann, ben)
        for pilot, label in ((ann, "Rematch"), (ben, "To the table")):
            await pilot.results()
            assert "q To the table" in pilot.seen(), "the bar has the name of the button"
            assert "Lobby" not in pilot.seen()
            await pilot.click_on(label)
        await until(shows(Gathering, ann, ben))
        await until(lambda: ben.text("#say") == "You gave up your seat: press a to sit down again.")
        await until(lambda: ann.text("#say") == "Waiting for Ben.")
        await ben.press("a")
        await ben.pause()
        await ben.press("enter")
        await at_table(ann, ben)


async def test_a_host_who_gives_up_watches_and_is_asked_before_the_others_lose_their_table(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        await ann.press("q", "g")
        await until(lambda: not table(ann).takes_part)
        await ann.shows("You are watching")
        await ann.press("q", "n")
        assert isinstance(ann.app.screen, RoomTable)
        await reach(ended(ann, ben, cleo), ben, cleo)
        assert last(ann) == (0,)


async def test_who_leaves_after_a_question_during_which_the_match_has_ended_has_left(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben") as (ann, ben):
        await at_table(ann, ben)
        await ann.press("q", to="LeaveTableDialog")
        bar.clients["Ben"].leave()
        await until(lambda: bar.play("Ann").over)
        await ann.press("q")
        await until(lambda: ann.stack()[-1] in ("Lobby", "Gathering"))
        assert ann.stack()[-1] == "Lobby"


async def asked(pilot: TablePilot) -> None:
    """Try to leave, and stay, after a question."""
    await pilot.press("q")
    await until(shows(ConfirmDialog, pilot))
    await pilot.press("n")
    assert isinstance(pilot.app.screen, Gathering)


async def test_a_host_is_asked_while_a_lot_is_drawn_and_after_a_match(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Ben", "Ben") as ben:
        bar.log("Ben").hold()
        await ann.press("enter")
        await until(lambda: bar.clients["Ann"].view.playing)
        await asked(ann)
        bar.log("Ben").release()
        await at_table(ann, ben)
        await reach(ended(ann, ben), ann, ben)
        await until(lambda: finale(ann).shown_at < inf)
        await ann.press("q", to="Gathering")
        await asked(ann)


async def test_a_host_is_asked_before_spectators_lose_their_table(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Eve"):
        await until(lambda: bar.clients["Ann"].view.spectators == ("Eve",))
        await asked(ann)


@pytest.mark.long(*PRODUCT)
async def test_a_host_is_asked_between_two_rounds(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        await reach(shows(Results, ann), ann, ben, cleo)
        result = ann.app.screen
        assert isinstance(result, Results)
        assert not result.ended
        await until(lambda: result.shown_at < inf)
        await ann.press("q")
        await until(shows(ConfirmDialog, ann))
        await ann.press("n")
        assert ann.app.screen is result


@pytest.mark.long(*PRODUCT)
async def test_a_host_who_reads_a_result_is_asked_although_the_match_is_over_for_the_others(bar: Bar) -> None:
    async with bar.app("Ann") as ann, bar.app("Ben", "Ben, bot:Steady") as ben, bar.app("Cleo", "Cleo") as cleo:
        await until(lambda: ben.text("#say").startswith("Everybody here"))
        await ben.press("enter")
        await at_table(ann, ben, cleo)
        await reach(shows(Results, ann), ben, cleo)
        result = ann.app.screen
        assert isinstance(result, Results)
        await until(lambda: result.shown_at < inf)
        await reach(ended(ben, cleo), ben, cleo)
        assert not result.ended
        await ann.press("q")
        await until(shows(ConfirmDialog, ann))


async def test_who_starts_when_the_first_is_away_or_does_nothing(bar: Bar) -> None:
    async with bar.app("Ben", "Ben") as ben, bar.app("Cleo", "Cleo") as cleo:
        async with bar.app("Dan", "Dan") as dan:
            await until(lambda: dan.text("#say") == cleo.text("#say") == "Waiting for Ben to start.")
            bar.log("Ben").disconnect()
            bar.clock.now += AWAY_SECONDS + 1
            await bar.send_heartbeats("Cleo", "Dan")
            await until(lambda: dan.text("#say") == "Ben is away. Waiting for Cleo to start.")
            assert cleo.text("#say") == "Press Enter to start without Ben."
            assert cleo.text("#dice").startswith("Fair dice: both laptops"), "Ben's will not be in it"
            bar.clock.now += 180
            await bar.send_heartbeats("Cleo", "Dan")
            start = "Nobody has started the game for 3 minutes. Press Enter to start without Ben."
            await until(lambda: dan.text("#say") == start)
            assert "Start" in dan.seen()
            await cleo.press("g")
            await dan.shows("Game: 421")
            await cleo.press("enter")
            await at_table(cleo, dan)
            assert table(cleo).match.names == ("Cleo", "Dan")
        bar.log("Ben").reconnect()
        await at_table(ben)
        assert "You play in the next game" in ben.seen()


async def test_who_is_out_ends_a_game_whose_last_players_have_gone(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        pilots = {"Ann": ann, "Ben": ben, "Cleo": cleo}
        await reach(lambda: len(bar.play("Ann").remaining) == 2, *pilots.values())
        match = bar.play("Ann")
        (winner,) = (name for machine, name in enumerate(pilots) if machine not in match.remaining)
        others = [name for name in pilots if name != winner]
        for name in others:
            bar.log(name).disconnect()
        bar.clock.now += 200
        await bar.send_heartbeats(winner)
        screen = pilots[winner]
        await until(lambda: isinstance(screen.app.screen, RoomTable) or act_on(screen))
        await until(lambda: line(screen).startswith(f"Press g to carry on: {others[0]} and {others[1]} have been"))
        await screen.press("g", "y")
        await until(ended(screen))


def act_on(pilot: TablePilot) -> bool:
    """Go on from a result; False, because the table is not there yet."""
    act(pilot)
    return False


async def test_host_join_leave_come_back_and_give_up_from_the_lobby(bar: Bar, monkeypatch: pytest.MonkeyPatch) -> None:
    own, left = Bar(bar.folder / "own"), asyncio.Event()

    async def host(seat_request: Any) -> object:
        assert players_text(seat_request.players) == "Ann, bot:Merry"
        if not bar.clients:
            return await bar.opener("Ann", "Ann")()
        opened = await own.opener("Ann", "Ann")()  # of the second machine, which then joins the first one
        opened.stack.callback(left.set)
        return opened

    async def join(address: str, seat_request: Any) -> object:
        if address == "nowhere":
            raise ValueError("type the address and the code, like 192.168.1.23/K7QF-3XMP, not 'nowhere'")
        assert address == "192.168.1.23/K7QF-3XMP"
        return await bar.opener("Ben", players_text(seat_request.players), folder=rooms_folder())()

    monkeypatch.setattr("fourtwenty.rooms.wire.room_session.host", host)
    monkeypatch.setattr("fourtwenty.rooms.wire.room_session.join", join)
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    async with playing() as ann, playing() as ben:
        assert isinstance(ann.app, FourTwentyApp)
        bar.keep_apart(ann.app, "Ann")
        await ann.press("w", to="Gathering")
        (lobby,) = [screen for screen in ann.app.screen_stack if isinstance(screen, Lobby)]
        assert not lobby.sentence
        await ben.click_on("With friends", to="Gathering")
        await ben.pause()
        await ben.click_on("Join another", to="JoinDialog")
        await ben.press(*"nowhere", "tab", *"Ben", "enter")
        await until(
            lambda: ben.text("#sentence").startswith("Type the address and the code, like 192.168.1.23/K7QF-3XMP")
        )
        await ben.press("shift+tab", *"192.168.1.23/K7QF-3XMP", "enter")
        await until(lambda: left.is_set() and shows(Gathering, ben)())
        await until(lambda: len(bar.clients["Ann"].room.participants) == 2)
        await ann.pause()
        assert "Join another" not in ann.seen(), "she has guests"
        await ann.press("enter")
        await at_table(ann, ben)
        await reach(lambda: len(bar.play("Ann").events) > 0 and len(table(ben).match.events) > 0, ann, ben)
        story = ben.logged()
        await ben.press("q")
        await ben.pause()
        assert "Your seat is kept" in ben.seen()
        await ben.press("q")
        await until(lambda: isinstance(ben.app.screen, Lobby) and bool(ben.app.screen.unfinished))
        assert bar.clients["Ann"].presence.away(bar.clients["Ben"].machine.public)
        await ben.press("r")
        await at_table(ben)
        assert bar.clients["Ben"].local.index == 1
        assert ben.logged().startswith(story)
        await ben.press("q")
        await ben.pause()
        await ben.press("g")
        await until(ended(ann, ben))
        assert last(ann) == (1,)
    with closing(History(history_file(), print)) as history:
        assert history.count() == 1
        assert not history.unfinished()


@pytest.mark.parametrize("gone", [False, True])
async def test_a_table_that_is_joined_under_another_screen_waits_for_the_dialog(
    bar: Bar, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    answers, closed = asyncio.Event(), asyncio.Event()

    async def join(*_: object) -> object:
        await answers.wait()
        opened = await bar.opener("Ben", "Ben")()
        opened.stack.callback(closed.set)
        return opened

    async def host(*_: object) -> object:
        raise ValueError("there is no nats-server here")

    monkeypatch.setattr("fourtwenty.rooms.wire.room_session.join", join)
    monkeypatch.setattr("fourtwenty.rooms.wire.room_session.host", host)
    async with playing() as ben:
        await ben.press("w", to="JoinDialog")
        await until(lambda: ben.text("#sentence") == "There is no nats-server here.")
        await ben.press(*"192.168.1.23/K7QF-3XMP", "enter")
        await until(lambda: ben.text("#sentence") == "Joining…")
        await ben.press("f1", to="PaletteDialog")
        answers.set()
        await until(lambda: bool(bar.clients))
        await settled()
        assert not closed.is_set()
        if not gone:
            await ben.press("escape", to="Gathering")
            assert not closed.is_set()
    await until(closed.is_set)


async def test_the_machine_that_sat_down_first_sets_the_terms(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Ben", "ann", size=(60, 20)) as ben:
        await settled()
        await ben.pause()
        assert ben.notes() == ["ann is already at the table. You watch for now."]
        await ben.press("a")
        await ben.pause()
        await ben.press(*"ANN", "enter")
        assert "ANN is already at the table." in ben.seen()
        await ben.press(*"Bea, bot:bold", "home", *["delete"] * 3, "enter")
        await ann.shows("Bea, Bold (bot)")
        assert ("Start" in ann.seen(), "Start" in ben.seen()) == (True, False)
        await ann.press("g", "n", "t")
        await ben.shows("Game: 421 · Tabs limit: 3")
        assert ben.text("#agreed").endswith("If someone drops out: carry on after 10 minutes")
        await ben.press("g")
        await settled()
        assert bar.clients["Ann"].room.participants[bar.clients["Ben"].machine.public].game == "420"
        await ben.press("a")
        await ben.pause()
        await ben.press("backspace", "enter")
        await ann.shows("Watching")
        assert ann.text("#say") == "Waiting for others to sit down."
        await ben.press("a")
        await ben.pause()
        await ben.press(*"Bea", "enter")
        await until(lambda: ann.text("#say") == "Everybody here? Press Enter to start.")
        await ben.press("a", to="OwnPlayersDialog")
        await ann.press("enter")
        await ben.reaches("Connecting", "RoomTable")  # the dialog has made way


async def test_a_table_that_cannot_be_opened_ends_the_program_with_a_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async def opening() -> Any:
        raise ValueError("there is no table K7QF-3XMP at 192.168.1.23")

    app = FourTwentyApp(rooms=RoomLauncher(opening))
    async with driving(app) as pilot:
        await until(lambda: app._exit)
        await pilot.pause()
    assert app.return_code == 2
    assert capsys.readouterr().err.split("\n")[0] == "fourtwenty: There is no table K7QF-3XMP at 192.168.1.23."


async def test_without_the_extra_the_lobby_says_what_to_install() -> None:
    app = FourTwentyApp()
    async with driving(app) as pilot:
        await pilot.press("w", to="InstallDialog")
        assert "Playing on several machines needs extra packages" in pilot.seen()
        await pilot.press("y", "escape")
        assert app.clipboard == install_command(*ROOMS)
        assert pilot.below()[1] != "Opening a table…"


async def test_without_wheels_the_lobby_says_what_must_be_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "armv7l")
    app = FourTwentyApp()
    async with driving(app) as pilot:
        await pilot.press("w", to="InstallDialog")
        await pilot.shows(BUILD_NOTE.split(",")[0])
        await pilot.press("y")
        assert "PyNaCl" in app.clipboard
        assert "nats-server" not in app.clipboard


async def test_without_the_extra_a_game_of_several_machines_says_what_to_install(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben") as (ann, ben):
        await reach(lambda: bool(bar.play("Ann").events), ann, ben)
    app = FourTwentyApp()
    bar.keep_apart(app, "Ann")
    async with driving(app) as pilot:
        await pilot.shows("Resume")
        await pilot.press("r", to="InstallDialog")


async def test_a_full_table_is_called_so(capsys: pytest.CaptureFixture[str]) -> None:
    with full_broker() as address:
        app = FourTwentyApp(rooms=RoomLauncher(partial(join, f"{address}/K7QF-3XMP", SeatRequest())))
        async with driving(app) as pilot:
            await until(lambda: app._exit)
            await pilot.pause()
    assert capsys.readouterr().err.split("\n")[0] == "fourtwenty: This table is full; try again in a minute."


def test_players_are_typed_as_they_are_shown() -> None:
    seats = (Seat("Ann"), Seat("Steady", "Steady"))
    assert players_text(seats) == "Ann, bot:Steady"
    assert read_players("Ann, bot:steady") == seats
    assert read_players(" ") == ()
    with pytest.raises(ValueError, match="Ann is already at the table"):
        read_players("Ann, Ann")


def test_you_have_a_name_far_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ben")
    assert named((Seat("You"), Seat("Bold", "Bold"))) == (Seat("Ben"), Seat("Bold", "Bold"))
    assert named((Seat("You"), Seat("Ben"))) == (Seat("Ben 2"), Seat("Ben"))


@pytest.mark.long(*PRODUCT)
async def test_who_got_up_watches_and_is_not_seated_again(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann, bar.app("Ben", "Ben") as ben, bar.app("Cleo", "Cleo") as cleo:
        await until(lambda: len(bar.clients["Ann"].room.participants) == 3)
        bar.clients["Cleo"].get_up()
        await until(lambda: len(bar.clients["Ann"].room.participants) == 2)
        await ann.press("enter")
        await at_table(ann, ben, cleo)
        assert "You are watching" in cleo.seen()
        bar.clients["Ben"].leave()
        await reach(ended(cleo), cleo)
        await cleo.results()
        await cleo.press("q", to="Gathering")
        await settled()
        assert not bar.clients["Cleo"].view.mine


async def test_who_came_during_a_match_plays_in_the_next_one_and_reads_its_end_first(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben") as (ann, ben), bar.app("Eve", "Eve") as eve:
        await at_table(eve)
        assert "You play in the next game" in eve.seen()
        bar.clients["Ben"].leave()
        await until(ended(ann, ben, eve))
        await until(lambda: bool(bar.clients["Ann"].room.participants))
        await ann.results()
        await ann.press("enter")
        await until(lambda: len(bar.clients["Eve"].view.here) == 2)
        await ann.press("enter")
        await until(lambda: bar.clients["Eve"].local.index == 1)
        await until(lambda: "The next game has begun, and you play in it." in eve.notes())
        await eve.results()
        await eve.press("q")
        await at_table(eve)


async def test_who_still_reads_an_older_end_takes_no_seat(bar: Bar) -> None:
    async with begun(bar, "Ann", "Ben", "Cleo") as (_, ben, _):
        for number in (1, 2):
            await until(lambda number=number: len(bar.clients["Cleo"].room.matches) == number)  # type: ignore[misc]
            await until(lambda: bar.play("Ann").state is not None)
            bar.clients["Cleo"].leave()
            if number == 1:
                bar.clients["Ben"].leave()
            await until(lambda: bar.play("Ann").over)
            if number == 1:
                for name in ("Ann", "Cleo"):
                    bar.clients[name].sit(bar.clients[name].next_seat_request)
                await until(lambda: len(bar.clients["Ann"].room.participants) == 2)
                bar.clients["Ann"].start()
        await until(ended(ben))
        await until(lambda: bar.play("Ben").over)
        for _ in range(3):
            await ben.pause()
            await settled()
        assert len(bar.clients["Ben"].room.matches) == 2
        assert bar.clients["Ben"].local.index is None
        assert not bar.clients["Ben"].view.mine


@pytest.mark.long(*PRODUCT)
async def test_a_second_enter_on_a_finale_starts_no_match_without_the_others(
    bar: Bar, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with begun(bar, "Ann", "Ben", "Cleo") as (ann, ben, cleo):
        for name in ("Ben", "Cleo"):
            bar.clients[name].leave()
        await until(ended(ann, ben, cleo))
        await ben.results()
        await ben.press("enter")
        await until(lambda: bool(bar.clients["Ann"].room.participants))
        await ann.results()
        await ann.press("enter", to="Gathering")
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", 3600)
        await until(lambda: len(bar.clients["Ben"].view.here) == 2)
        await ann.press("enter")
        await settled()
        assert not bar.clients["Ann"].room.playing


async def test_who_watches_is_not_seated_after_a_lot_that_was_called_off(bar: Bar) -> None:
    async with bar.app("Ann", "Ann") as ann:
        async with bar.app("Ben", "Ben"):
            await until(lambda: len(bar.clients["Ann"].room.participants) == 2)
            bar.log("Ben").disconnect()
            await ann.press("enter")
            await until(lambda: bar.clients["Ann"].room.playing)
            bar.clients["Ann"].leave()
            await until(lambda: not bar.clients["Ann"].room.playing)
        async with bar.app("Ben"):
            await bar.send_heartbeats("Ann", "Ben")
            assert not bar.clients["Ben"].view.mine


async def test_names_that_are_too_long_together_are_refused_after_a_match_too(bar: Bar) -> None:
    bar.seed = 6
    names = ",".join(f"{number}{'é' * 290}" for number in range(8))
    async with begun(bar, "Ann", "Ben"), bar.app("Cleo", names) as cleo:
        await at_table(cleo)
        bar.clients["Ben"].leave()
        await reach(ended(cleo), cleo)
        await cleo.results()
        await cleo.press("q", to="Gathering")
        told = cleo.notes()
        assert told == ["The names at this machine are too long in total."]
