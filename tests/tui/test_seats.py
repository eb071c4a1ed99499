"""The seats of a table: every name stays on the screen, and the list folds before it scrolls."""

from __future__ import annotations

import re
from itertools import product

import pytest
from long_tests import SCREEN, mostly_long
from msgspec.structs import replace
from table_pilot import TablePilot, playing

from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.widgets.seats import GAP, MARKS, Seats

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fritz", "Gina", "Hugo", "Ida", "Jon", "Karl", "Lena")


def start(game: str, seats: int) -> State | None:
    """Return a position in which every seat has something to show."""
    if game == "420":
        return GAMES[game].parse(f">6551 *4332 {'6421 ' * (seats - 2)}roll 2")
    if game == "421":
        return GAMES[game].parse(f"*>-:{21 - seats + 1} {'-:1 ' * (seats - 1)}round 9 roll 1")
    return None


def named(pilot: TablePilot, names: tuple[str, ...]) -> list[str]:
    """Return those whose mark and name are on the screen."""
    seen = pilot.seen()
    return [name for name in names if any(f"{mark} {name}" in seen for mark in MARKS)]


@pytest.mark.parametrize("game", GAMES)
@mostly_long("size", [(60, 20), (80, 24), (100, 30)], [(60, 20)], *SCREEN, ids=str)
@mostly_long("seats", [4, 12], [12], *SCREEN)
@mostly_long(
    ("coached", "typed"), [(False, False), (True, False), (True, True)], [(False, False), (True, True)], *SCREEN
)
async def test_every_name_is_on_the_screen(
    game: str, size: tuple[int, int], seats: int, coached: bool, typed: bool
) -> None:
    names = NAMES[:seats]
    lineup = Lineup(
        tuple(map(Seat, names)), starting_seat=0, game=game, coach="full" if coached else "off", typed=typed
    )
    throws = [] if typed else [(6, 5, 5, 1)[: GAMES[game].hand_size]]
    async with playing(lineup, throws, size=size, start=start(game, seats), tips=coached) as pilot:
        await pilot.turn()
        assert named(pilot, names) == [*names]
        await pilot.press("1")
        await pilot.pause()
        assert named(pilot, names) == [*names]


@mostly_long("game", GAMES, ["420"], *SCREEN)
@mostly_long("coached", [False, True], [True], *SCREEN)
@mostly_long("step", [13, 3], [13], *SCREEN)
async def test_no_two_fields_of_a_seat_touch_at_any_width(game: str, coached: bool, step: int) -> None:
    lineup = Lineup(tuple(map(Seat, NAMES)), starting_seat=0, game=game, coach="full" if coached else "off")
    throws = [(6, 5, 5, 1)[: GAMES[game].hand_size]]
    async with playing(lineup, throws, size=(60, 40), start=start(game, 12)) as pilot:
        table = await pilot.turn()
        seats = table.query_one(Seats)
        rows = seats.rows
        for count, seats.dice_in_rows in product(range(2, 13), (False, True)):
            seats.rows = rows[:count]
            for width in range(24, 130, step):
                for form in {form for form in seats._forms(width) if form.pitch > GAP}:
                    seats._fields = seats._measured(form, form.pitch - GAP)
                    for part in form.lines:
                        assert_apart(seats, part, form.pitch - GAP)


def assert_apart(seats: Seats, part: str, width: int) -> None:
    """Fail where a field of the first or the last seats is on a line of a seat without a blank on each side."""
    for seat in {0, 1, len(seats.rows) - 1}:
        row = seats.rows[seat]
        line = "".join(segment.text for segment in seats._part(part, seat, width, seats.shades(seat, False)))
        fields = (row.name, row.tag, row.detail, row.total, row.note, row.tally, row.count, row.chance)
        for field in filter(None, fields):
            assert field not in line or re.search(rf"(?<!\S){re.escape(field)}(?!\S)", line), (line, field)


async def test_a_table_too_large_for_the_screen_says_which_players_are_in_view() -> None:
    forty = Lineup(tuple(Seat(f"Guest {number}") for number in range(1, 41)), starting_seat=0)
    async with playing(forty, [(6, 5, 5, 1)] * 40, size=(60, 20)) as pilot:
        await pilot.turn()
        await pilot.shows("Players 1 to 16 of 40")
        for _ in range(9):
            await pilot.press("down")
        await pilot.shows("Players 25 to 40 of 40")
        await pilot.press("up", shows="Players 21 to 36 of 40")
        await pilot.press("r", turn=1)
        assert "▶ ■ Guest 2 " in pilot.seen()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)], ids=str)
async def test_the_tokens_of_all_are_on_the_screen_where_their_dots_have_no_room(size: tuple[int, int]) -> None:
    lineup = Lineup(tuple(map(Seat, NAMES[:6])), starting_seat=0, game="421")
    async with playing(lineup, [(6, 5, 2)], size=size, start=start("421", 6)) as pilot:
        await pilot.turn()
        lines = [line for line in pilot.seen().split("\n") if "1 token " in line and "Other" not in line]
        assert sum(line.count("1 token ") for line in lines) == 5


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [(100, 24), (100, 30), (120, 40), (200, 60)], ids=str)
@mostly_long("seats", [4, 12], [12], *SCREEN)
async def test_a_party_is_a_column_of_rows_with_name_dice_and_meter_beside_the_hand_and_a_log(
    game: str, size: tuple[int, int], seats: int
) -> None:
    lineup = Lineup(tuple(map(Seat, NAMES[:seats])), starting_seat=0, game=game)
    hand = (6, 5, 5, 1)[: GAMES[game].hand_size]
    async with playing(lineup, [hand], size=size, start=start(game, seats)) as pilot:
        table = await pilot.turn()
        if not table.match.state.hand(0):
            await pilot.press("r", turn=0)
        assert table.seats.region.right <= table.hand.region.x
        assert table.hand.region.bottom < table.rolls.region.y
        assert table.rolls.size.height >= (8 if size[1] >= 28 else 5)
        lines = [line[: table.seats.region.right] for line in pilot.seen().split("\n")]
        rows = [next(line for line in lines if f" {name} " in line) for name in NAMES[:seats]]
        assert "   ".join(map(str, hand)) in rows[0]
        assert all(("0 points" if game == "ten-rounds" else "█") in row for row in rows)


async def test_the_rows_of_a_party_cut_a_long_name_for_the_meter() -> None:
    long = Lineup(tuple(map(Seat, ("Maximilian August", *NAMES[:3]))), starting_seat=0)
    async with playing(long, size=(100, 30), start=start("420", 4)) as pilot:
        await pilot.turn()
        assert re.search(r"● Maximil… +6   5   5   1  ▕█+∙*▏ 17 ", pilot.seen())


async def test_a_list_and_cards_show_the_chance_of_a_seat_once() -> None:
    lineup = Lineup(tuple(map(Seat, NAMES[:3])), starting_seat=0, coach="full")
    async with playing(lineup, [(6, 5, 5, 1)], size=(60, 20), start=start("420", 3)) as pilot:
        for size in ((60, 20), (80, 24), (100, 30), (120, 40)):
            await pilot.resize_terminal(*size)
            table = await pilot.turn()
            await pilot.pause()
            seats = table.query_one(Seats)
            shown = "".join(seats.render_line(y).text + "\n" for y in range(seats.content_size.height))
            assert shown.count("%") - shown.count("drinks") == 3


async def test_only_what_has_changed_is_repainted() -> None:
    lineup = Lineup(tuple(map(Seat, NAMES)), coach="full", starting_seat=0)
    async with playing(lineup, [(6, 5, 4, 3)], size=(100, 30), start=start("420", 12)) as pilot:
        table = await pilot.turn()
        seats = table.query_one(Seats)
        pilot.seen()
        seats._repaint_regions.clear()
        first, *others = seats.rows
        seats.rows = (replace(first, name="Amy"), *others)
        (region,) = seats._repaint_regions
        assert region.size == (2, 1)
