"""The lobby: one key to the dice, and a table set by keys or by mouse."""

from __future__ import annotations

from pathlib import Path

from at_the_table import burst, click_on, playing, results, seen, stack, text, turn, until
from textual.pilot import Pilot
from textual.widgets import Input

from fourtwenty.paths import lineup_file
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.dialogs.seat import SeatDialog
from fourtwenty.tui.dialogs.unkept import Unkept
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.table import Table


def lobby(pilot: Pilot[None]) -> Lobby:
    assert isinstance(pilot.app.screen, Lobby)
    return pilot.app.screen


def names(pilot: Pilot[None]) -> list[str]:
    return [seat.name for seat in lobby(pilot).lineup.seats]


async def dialog(pilot: Pilot[None], *keys: str) -> None:
    """Press keys that open the dialog, and wait for it."""
    await pilot.press(*keys)
    await until(lambda: isinstance(pilot.app.screen, SeatDialog) and bool(pilot.app.screen.query(Input)))
    await pilot.pause()


async def test_enter_at_once_starts_you_against_one_bot() -> None:
    async with playing() as pilot:
        assert "Mark Steere" in seen(pilot)
        assert "marksteeregames.com" in seen(pilot)
        await pilot.press("enter")
        table = await turn(pilot)
        assert table.match.lineup.seats == (Seat("You"), Seat("Steady", "Steady"))


async def test_a_table_is_set_by_keys() -> None:
    async with playing() as pilot:
        await pilot.press("b", "b")
        assert names(pilot) == ["You", "Steady", "Bold", "Random"]
        await dialog(pilot, "a")
        await pilot.press(*"Ann", "enter")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert names(pilot) == ["You", "Steady", "Bold", "Random", "Ann"]
        await pilot.press("k", "k")
        assert names(pilot) == ["You", "Steady", "Ann", "Bold", "Random"]
        await pilot.press("j", "f", "home")
        assert lobby(pilot).lineup.starting_seat == 3
        await pilot.press("x")
        assert names(pilot) == ["Steady", "Bold", "Ann", "Random"]
        assert lobby(pilot).lineup.starting_seat == 2, "Ann still starts"
        await pilot.press("m", "t")
        assert lobby(pilot).lineup.monocolor
        assert not lobby(pilot).lineup.animation
        assert "First: Ann" in seen(pilot)
        await pilot.press("end", "x", "x", "x")
        assert names(pilot) == ["Steady", "Bold"]
        assert lobby(pilot).lineup.starting_seat is None, "who started has gone"
        assert text(pilot, "#say") == "You need at least two players."


async def test_empty_and_doubled_names_are_refused_with_a_sentence() -> None:
    async with playing() as pilot:
        await dialog(pilot, "e")
        pilot.app.screen.query_one(Input).value = " "
        await pilot.press("enter")
        assert "Enter a name." in seen(pilot)
        pilot.app.screen.query_one(Input).value = "steady"
        await pilot.press("enter")
        assert "steady is already at the table." in seen(pilot)
        pilot.app.screen.query_one(Input).value = "[red] 김 🎲"
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert names(pilot) == ["[red] 김 🎲", "Steady"]
        assert "[red] 김 🎲" in seen(pilot)


async def test_another_character_takes_a_seat() -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press("down", "down", "enter")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert lobby(pilot).lineup.seats[2] == Seat("Bold", "Bold")
        await dialog(pilot, "e")
        await pilot.press("escape")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert names(pilot) == ["You", "Steady", "Bold"]


async def test_a_name_that_somebody_chose_stays_when_a_bot_takes_the_seat() -> None:
    async with playing() as pilot:
        await dialog(pilot, "e")
        pilot.app.screen.query_one(Input).value = "Ann"
        await pilot.press("down", "enter")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert lobby(pilot).lineup.seats[0] == Seat("Ann", "Steady")


async def test_keys_pressed_faster_than_a_dialog_opens_do_nothing_behind_it() -> None:
    async with playing() as pilot:
        burst(pilot, "a", "a", "x")
        await until(lambda: isinstance(pilot.app.screen, SeatDialog))
        await pilot.pause()
        assert stack(pilot) == ["Lobby", "SeatDialog"]
        burst(pilot, "enter", "escape", "enter")
        await turn(pilot)
        assert stack(pilot) == ["Lobby", "Table"]
        assert len((await turn(pilot)).match.names) == 3


async def test_a_table_is_set_by_mouse() -> None:
    async with playing() as pilot:
        await click_on(pilot, "Add bot")
        assert names(pilot) == ["You", "Steady", "Bold"]
        await click_on(pilot, "Steady")
        await click_on(pilot, "Up")
        assert names(pilot) == ["Steady", "You", "Bold"]
        await click_on(pilot, "First: random")
        assert lobby(pilot).lineup.starting_seat == 0
        await click_on(pilot, "White dice: off")
        await click_on(pilot, "Dice tumble: on")
        assert lobby(pilot).lineup.monocolor
        assert not lobby(pilot).lineup.animation
        await click_on(pilot, "Remove")
        await click_on(pilot, "Add person")
        await until(lambda: isinstance(pilot.app.screen, SeatDialog))
        await pilot.pause()
        await click_on(pilot, "Sit down")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert names(pilot) == ["You", "Bold", "Guest"]
        await pilot.click("#play")
        await turn(pilot)


async def test_the_last_line_up_is_offered_again(home: Path) -> None:
    async with playing() as pilot:
        await pilot.press("b", "m", "enter")
        await until(lambda: not isinstance(pilot.app.screen, Lobby))
        assert home in lineup_file().parents
    async with playing() as pilot:
        assert names(pilot) == ["You", "Steady", "Bold"]
        assert lobby(pilot).lineup.monocolor


async def test_a_damaged_line_up_is_moved_aside_and_play_goes_on() -> None:
    lineup_file().parent.mkdir(parents=True)
    lineup_file().write_text('{"seats": [')
    async with playing() as pilot:
        assert lobby(pilot).lineup == Lineup()
        await pilot.press("enter")
        await turn(pilot)
        assert ["could not be read" in notice.message for notice in pilot.app._notifications] == [True]
    kept = [path.read_text() for path in lineup_file().parent.glob("lineup.json.*")]
    assert kept == ['{"seats": [']


async def test_what_cannot_be_read_is_left_alone() -> None:
    (lineup_file() / "kept").mkdir(parents=True)
    async with playing() as pilot:
        assert lobby(pilot).lineup == Lineup()
        await pilot.press("enter")
        await turn(pilot)
        assert ["left alone" in notice.message for notice in pilot.app._notifications] == [True]
    assert [path.name for path in lineup_file().parent.rglob("[lk]*")] == ["lineup.json", "kept"]


async def test_a_home_that_cannot_be_written_does_not_stop_the_game(home: Path) -> None:
    home.write_text("a file where the folder should be")
    async with playing() as pilot:
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, Unkept))
        await pilot.press("p")
        assert not (await turn(pilot)).match.kept


async def test_back_to_the_lobby_for_a_new_line_up() -> None:
    two = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
    async with playing(two, [(6, 5, 5, 4)]) as pilot:
        await turn(pilot, seat=0)
        await pilot.press("enter")
        await results(pilot)
        await pilot.press("n")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert names(pilot) == ["Ann", "Ben"]


async def test_forty_seats_are_no_problem() -> None:
    async with playing(size=(60, 20)) as pilot:
        for _ in range(38):
            await pilot.press("b")
        assert len(set(names(pilot))) == 40
        assert "▶" in seen(pilot)
        await pilot.press("home")
        assert "▶ ● You" in seen(pilot)
        assert pilot.app.screen.query_one("#play").region.bottom <= 19
        await pilot.press("enter")
        assert len((await turn(pilot)).match.names) == 40


async def test_only_a_newcomer_reads_that_enter_starts_the_first_game() -> None:
    async with playing(tips=True) as pilot:
        await until(lambda: "start your first game" in text(pilot, "#say"))
        await pilot.press("enter")
        await until(lambda: isinstance(pilot.app.screen, Table))
        await pilot.press("q")
        await until(lambda: isinstance(pilot.app.screen, Lobby))
        assert "start your first game" not in text(pilot, "#say")
