"""The throw: dice land one after the other, the last one decides, any key ends it, and it costs little time."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from random import Random
from unittest.mock import AsyncMock, Mock

import pytest
from long_tests import PRODUCT
from msgspec.structs import replace
from table_pilot import TablePilot, driving, playing
from virtual_time import in_virtual_time
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Faces, Roll, Stand
from fourtwenty.games.replay import replay
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens import match_flow, match_view
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.widgets.hand import Hand

TWO = Lineup((Seat("You"), Seat("Ben")), starting_seat=0)
AGES = 1_000_000
NEAR = GAMES["420"].parse(">6551 *1111 roll 2")
PLAIN_SECONDS, PLAIN_BOT_SECONDS = 0.55 + 1.1, 0.55 + 1.1 + 0.7
"""The time of a roll of a person, and of a bot, when all dice landed together: it was measured, and was never too long.

Numbers and not the program's own constants: a game in which everybody looks or thinks longer is to fail.
"""


async def thrown(pilot: TablePilot, *keys: str) -> Table:
    """Roll with dice that move, and return while they tumble."""
    pilot.app.animation_level = "full"
    table = await pilot.turn(seat=0)
    table.pace = 1
    pilot.burst(*keys, "r")
    await until(lambda: bool(table.hand.flying))
    return table


def meter(table: Table) -> str:
    return table.line.meter


async def test_what_stands_on_the_felt_stays_while_dice_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_view, "LAND_SECONDS", AGES)
    start = GAMES["420"].parse(">6543 *1111 roll 2")
    async with playing(TWO, [(2, 2), (1, 1, 1, 1)], start=start) as pilot:
        table = await thrown(pilot, "3", "4")
        assert pilot.text("#line") == "Keep 6 5, roll two dice"
        assert meter(table).endswith("▏ 11 + ? + ?")
        pilot.burst("x")
        await until(lambda: meter(table).endswith("▏ 15"))
        assert pilot.text("#line") == "Kept 6 5, rolled 2 2: 15."


async def test_the_last_die_that_decides_is_waited_for_and_marked_where_it_fell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_view, "STAKE_SECONDS", AGES)
    async with playing(TWO, [(4,)], start=NEAR) as pilot:
        table = await thrown(pilot, "4")
        await until(lambda: pilot.text("#line") == "A 4 makes 20!")
        assert meter(table).endswith("▏ 16 + ?")
        assert pilot.stack()[-1] == "Table"
        table.pace = AGES  # the end is looked at
        pilot.burst("x")
        await until(lambda: pilot.text("#line") == "Kept 6 5 5, rolled 4: 20! Out and safe.")
        assert meter(table) == "▕████████████████████▏ 20!"
        assert [die.made for die in table.hand.dice] == [False, False, False, True]
        assert "╔═══════╗" in pilot.seen()
        assert pilot.stack()[-1] == "Table", "it is seen where it fell before another screen opens"
        pilot.burst("x")
        await pilot.results()


async def test_the_dice_land_one_after_the_other_and_the_meter_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_view, "LAND_SECONDS", 0)
    monkeypatch.setattr(match_view, "STAKE_SECONDS", AGES)
    shown: list[Faces] = []
    show_meter = Table.show_meter

    def watch(table: Table, seat: int, hand: Faces) -> None:
        shown.append(hand)
        show_meter(table, seat, hand)

    async with playing(TWO, [(6, 6, 6, 1)]) as pilot:
        monkeypatch.setattr(Table, "show_meter", watch)
        table = await thrown(pilot)
        await until(lambda: pilot.text("#line") == "A 2 makes 20!")
        assert shown[-4:] == [(0, 0, 0, 0), (6, 0, 0, 0), (6, 6, 0, 0), (6, 6, 6, 0)]
        assert table.hand.dice[3].face, "it still tumbles"


@pytest.mark.parametrize("moves", ["none", "full"])
async def test_neither_pace_none_nor_who_wants_no_motion_waits_for_a_throw(moves: str) -> None:
    async with playing(TWO, [(4,)], start=NEAR) as pilot:
        pilot.app.animation_level = "none" if moves == "none" else "full"
        table = await pilot.turn(seat=0)
        table.pace = 0 if moves == "full" else AGES
        tumble = AsyncMock()
        table.hand.tumble = tumble  # type: ignore[method-assign]
        await pilot.press("4", "r")
        table.skip()
        await pilot.results()
        tumble.assert_not_called()


async def test_bots_among_themselves_have_no_throw(monkeypatch: pytest.MonkeyPatch) -> None:
    throw = AsyncMock()
    monkeypatch.setattr(Hand, "throw", throw)
    bots = Lineup((Seat("Steady", "Steady"), Seat("Random", "Random")), starting_seat=0)
    app = FourTwentyApp(bots)
    app.pace = 0.001
    async with driving(app) as pilot:
        pilot.app.animation_level = "full"
        await pilot.results()
    throw.assert_not_called()


async def test_the_program_may_end_while_dice_tumble() -> None:
    async with playing(TWO, [(6, 6, 6, 1)]) as pilot:
        await thrown(pilot)


async def test_the_meter_in_ascii() -> None:
    async with playing(TWO, [(4,)], start=NEAR, ascii_only=True) as pilot:
        await pilot.turn(seat=0)
        assert "[#################...] 17" in pilot.seen()
        await pilot.press("4", shows="[##############|#....] 16 + ?")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)], ids=str)
async def test_the_meters_of_all_seats_are_equally_long(size: tuple[int, int]) -> None:
    three = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=1)
    async with playing(three, [(4,)], size=size, start=GAMES["420"].parse(">6551 *6666 5552 roll 2")) as pilot:
        seats = (await pilot.turn(seat=0)).seats
        rows = "".join(seats.render_line(y).text for y in range(seats.content_size.height))
        bars = re.findall("▕([█∙]+)▏", rows)
        assert len(bars) == 3
        assert len({*map(len, bars)}) == 1


# -- its time ----------------------------------------------------------------------------------------------------------


def evening(
    lineup: Lineup, monkeypatch: pytest.MonkeyPatch, seed: int, answered: Callable[[Table], bool]
) -> tuple[float, list[Event]]:
    """Play with the few best dice in virtual time until a table is ``answered``, or the first round ends.

    Return the seconds from the start of the program, and the events.
    """

    def throw(_: FairDice, seat: int, number: int, dice: tuple[int, ...]) -> Faces:
        chance = Random(f"{seed} {seat} {number}")
        return tuple(chance.randint(1, 6) for _ in dice)

    async def play() -> tuple[float, list[Event]]:
        app = FourTwentyApp(lineup)
        app.tips = False
        now = asyncio.get_running_loop().time
        async with app.run_test(size=(100, 30)):
            app.animation_level = "full"
            begun = now()
            while not isinstance(app.screen, Results):
                table = app.screen
                if isinstance(table, Table) and table.waiting:
                    if answered(table):
                        break
                    rolls = [action for action in table.match.state.actions if isinstance(action, Roll)]
                    table.flow.reply(
                        partial(table.turns.decide, min(rolls, key=lambda roll: (len(roll.dice), roll.dice)))
                    )
                await asyncio.sleep(0.01)
            (played,) = (screen for screen in app.screen_stack if isinstance(screen, Table))
            return now() - begun, played.match.events

    monkeypatch.setattr(FairDice, "throw", throw)
    return in_virtual_time(play())


def test_dice_that_land_one_by_one_make_a_game_at_most_a_quarter_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    against = Lineup((Seat("You"), Seat("Merry", "Merry")), starting_seat=0)
    now, then = 0.0, 0.0
    for seed in range(4):
        seconds, events = evening(against, monkeypatch, seed, lambda _: False)
        now += seconds
        then += sum(PLAIN_BOT_SECONDS if event.seat else PLAIN_SECONDS for event in events)
    assert then < now < 1.25 * then


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.long(*PRODUCT)
def test_the_first_decision_of_421_comes_within_ten_seconds_and_by_one_press(
    monkeypatch: pytest.MonkeyPatch, seats: int
) -> None:
    bots = [Seat(name, "Merry") for name in ("Merry", "Merry 2", "Merry 3", "Merry 4", "Merry 5")]
    lineup = Lineup((Seat("You"), *bots[: seats - 1]), game="421")
    presses: list[bool] = []

    def chooses(table: Table) -> bool:
        presses.append(Stand() in table.match.state.actions)
        return presses[-1]

    safe = 0
    for seed in range(3, 7):
        presses.clear()
        seconds, events = evening(lineup, monkeypatch, seed, chooses)
        assert seconds < 10
        assert presses in ([False, True], []), "nobody throws for the start; whoever is safe decides nothing"
        *_, latest = replay(GAMES["421"].start(seats, None), events)
        safe += bool(presses) and len(latest.after.remaining) < seats
    assert safe or seats < 5, "bots are safe without a page"


async def test_a_key_ends_the_throws_for_the_start_and_another_the_charge(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds in ("ROLL_OFF", "CHARGE", "LOOK", "RESULT"):
        monkeypatch.setattr(match_flow, f"{seconds}_SECONDS", AGES)
    lineup = replace(TWO, game="421", starting_seat=None)
    throws: list[Faces] = [(5,), (5,), (6,), (2,), *[(4, 2, 1), (1, 1, 2)] * 3]
    app = FourTwentyApp(lineup, dice=ScriptedDice(throws))
    app.pace = 1
    async with driving(app) as pilot:
        await until(lambda: isinstance(app.screen, Table) and len(app.screen.match.events) == 1)
        assert pilot.text("#turn").startswith("● You: one die   any key skips")
        table = app.screen
        assert isinstance(table, Table)
        pilot.burst("x")
        await until(lambda: pilot.text("#turn") == "● Your hand: 421, worth 10")
        assert table.match.state.automatic
        assert pilot.text("#advice") == "Any key skips."
        pilot.burst("x")
        await pilot.turn()
        assert "Any key" not in pilot.text("#advice")
        assert not table.match.state.automatic


def test_a_newer_event_of_the_room_ends_the_throw_and_the_thrown_one_does_not() -> None:
    roll = Event(0, Roll((1, 2, 3, 4)), (6, 5, 4, 3))
    view = Mock()
    view.match.events, view.turns.remote.event = [roll], {0: roll}.get
    flow = MatchFlow(view)
    flow.follow_room()
    view.hand.land.assert_not_called()
    view.match.events, flow.shown_prediction = [], roll  # its dice land before it comes
    flow.follow_room()
    view.hand.land.assert_not_called()
    view.turns.remote.event = {0: roll, 1: roll}.get
    flow.follow_room()
    view.hand.land.assert_called_once()
