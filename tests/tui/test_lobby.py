"""The lobby: one key to the dice, and a table set by keys or by mouse."""

from __future__ import annotations

import inspect
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from long_tests import PRODUCT
from many_games import keep
from repeated_mistakes import save_matches
from rich.console import RenderableType
from table_pilot import TablePilot, playing
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Input
from waiting import until

from fourtwenty.file_storage import history_file, lineup_file, settings_file
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import FirstAnswer
from fourtwenty.journal.settings import Settings
from fourtwenty.play.bots import OFFERED
from fourtwenty.play.clock import today
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.tally import Played
from fourtwenty.review.figures import measured
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.dialogs.seat import SeatDialog
from fourtwenty.tui.screens.lobby import Lobby, Players
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.command_row import CommandRow
from fourtwenty.tui.widgets.key_bar import KeyBar

STEADY, PERFECT = (OFFERED.index(name) + 1 for name in ("Steady", "Perfect"))
"""The numbers of bots in the dialog."""


def lobby(pilot: TablePilot) -> Lobby:
    assert isinstance(pilot.app.screen, Lobby)
    return pilot.app.screen


def lobby_below(pilot: TablePilot) -> Lobby:
    found = pilot.app.screen_stack[0]
    assert isinstance(found, Lobby)
    return found


def names(pilot: TablePilot) -> list[str]:
    return [seat.name for seat in lobby(pilot).lineup.seats]


async def dialog(pilot: TablePilot, *keys: str) -> None:
    """Press keys that open the dialog, and wait for it."""
    await pilot.press(*keys)
    await until(lambda: isinstance(pilot.app.screen, SeatDialog) and bool(pilot.app.screen.query(Input)))
    await pilot.pause()


async def add_bot(pilot: TablePilot, number: int) -> None:
    """Add a bot by keys: the first in the dialog, the second, and so on."""
    await dialog(pilot, "a")
    await pilot.press(*["down"] * number, "enter", to="Lobby")


async def test_enter_at_once_starts_you_against_one_bot() -> None:
    async with playing() as pilot:
        assert "Mark Steere" in pilot.seen()
        assert "marksteeregames.com" in pilot.seen()
        await pilot.press("enter")
        table = await pilot.turn()
        assert table.match.lineup.seats == (Seat("You"), Seat("Merry", "Merry"))


async def test_a_table_is_set_by_keys() -> None:
    async with playing() as pilot:
        await pilot.press("b")
        assert pilot.stack() == ["Lobby"], "one dialog adds people and bots"
        await add_bot(pilot, STEADY)
        await add_bot(pilot, PERFECT)
        assert names(pilot) == ["You", "Merry", "Steady", "Perfect"]
        await dialog(pilot, "a")
        await pilot.press(*"Ann", "enter", "enter", to="Lobby")
        assert names(pilot) == ["You", "Merry", "Steady", "Perfect", "Ann"]
        await pilot.press("end")
        await pilot.press("k", "k")
        assert names(pilot) == ["You", "Merry", "Ann", "Steady", "Perfect"]
        await pilot.press("j", "home")
        await pilot.press("o", "enter", "enter", "enter", "enter", "escape")
        assert lobby(pilot).lineup.starting_seat == 3
        await pilot.press("x")
        assert names(pilot) == ["Merry", "Steady", "Ann", "Perfect"]
        assert lobby(pilot).lineup.starting_seat == 2, "Ann still starts"
        await pilot.press("o")
        await pilot.option("White dice", "enter")
        assert re.search("Goes first +Ann", pilot.seen())
        await pilot.press("escape")
        assert lobby(pilot).lineup.monocolor
        await pilot.press("end", "x", "x", "x")
        assert names(pilot) == ["Merry", "Steady"]
        assert lobby(pilot).lineup.starting_seat is None, "who started has gone"
        assert pilot.below()[1] == "You need at least two players."


async def test_empty_and_doubled_names_are_refused_with_a_sentence() -> None:
    async with playing() as pilot:
        await dialog(pilot, "e")
        pilot.app.screen.query_one(Input).value = " "
        await pilot.press("enter")
        assert "Enter a name." in pilot.seen()
        pilot.app.screen.query_one(Input).value = "merry"
        await pilot.press("enter")
        assert "merry is already at the table." in pilot.seen()
        pilot.app.screen.query_one(Input).value = "[red] 김 🎲"
        await pilot.press("enter", to="Lobby")
        assert names(pilot) == ["[red] 김 🎲", "Merry"]
        assert "[red] 김 🎲" in pilot.seen()


async def test_another_character_takes_a_seat() -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press("down", "down", "down", "enter", to="Lobby")
        assert lobby(pilot).lineup.seats[2] == Seat("Steady", "Steady")
        await dialog(pilot, "e")
        await pilot.press("escape", to="Lobby")
        assert names(pilot) == ["You", "Merry", "Steady"]


async def test_a_name_that_somebody_chose_stays_when_a_bot_takes_the_seat() -> None:
    async with playing() as pilot:
        await dialog(pilot, "e")
        pilot.app.screen.query_one(Input).value = "Ann"
        await pilot.press("down", "enter", to="Lobby")
        assert lobby(pilot).lineup.seats[0] == Seat("Ann", "Tipsy")


async def test_keys_pressed_faster_than_a_dialog_opens_do_nothing_behind_it() -> None:
    async with playing() as pilot:
        pilot.burst("a", "a", "x")
        await pilot.reaches("SeatDialog")
        assert pilot.stack() == ["Lobby", "SeatDialog"]
        pilot.burst("enter", "escape", "enter")
        await pilot.turn()
        assert pilot.stack() == ["Lobby", "Table"]
        assert len((await pilot.turn()).match.names) == 3


async def test_a_table_is_set_by_mouse() -> None:
    async with playing() as pilot:
        await add_bot(pilot, STEADY)
        assert names(pilot) == ["You", "Merry", "Steady"]
        await pilot.click_on("Merry")
        await pilot.click_on("o Options")
        await pilot.reaches("Lobby", "OptionsDialog")
        await pilot.click_on("Goes first")
        assert lobby_below(pilot).lineup.starting_seat == 0
        await pilot.click_on("White dice")
        await pilot.click_on("Back")
        assert lobby(pilot).lineup.monocolor
        await pilot.click_on("Remove")
        await pilot.click_on("Add a player", to="SeatDialog")
        await pilot.click_on("Sit down", to="Lobby")
        assert names(pilot) == ["You", "Steady", "Guest"]
        await pilot.click("#play")
        await pilot.turn()


async def test_the_last_line_up_is_offered_again(home: Path) -> None:
    async with playing() as pilot:
        await add_bot(pilot, STEADY)
        await pilot.press("o")
        await pilot.option("White dice", "enter", "escape", "enter")
        await until(lambda: not isinstance(pilot.app.screen, Lobby))
        assert home in lineup_file().parents
    async with playing() as pilot:
        assert names(pilot) == ["You", "Merry", "Steady"]
        assert lobby(pilot).lineup.monocolor


async def test_a_damaged_line_up_is_moved_aside_and_play_goes_on() -> None:
    lineup_file().parent.mkdir(parents=True)
    lineup_file().write_text('{"seats": [')
    async with playing() as pilot:
        assert lobby(pilot).lineup == Lineup()
        await pilot.press("enter")
        await pilot.turn()
        assert ["could not be read" in notice.message for notice in pilot.app._notifications] == [True]
    kept = [path.read_text() for path in lineup_file().parent.glob("lineup.json.*.damaged")]
    assert kept == ['{"seats": [']


async def test_what_cannot_be_read_is_left_alone() -> None:
    (lineup_file() / "kept").mkdir(parents=True)
    async with playing() as pilot:
        assert lobby(pilot).lineup == Lineup()
        await pilot.press("enter")
        await pilot.turn()
        assert ["left alone" in notice.message for notice in pilot.app._notifications] == [True]
    assert [path.name for path in lineup_file().parent.rglob("[lk]*")] == ["lineup.json", "kept"]


async def test_a_home_that_cannot_be_written_does_not_stop_the_game(home: Path) -> None:
    home.write_text("a file where the folder should be")
    async with playing() as pilot:
        await pilot.press("enter", to="SaveFailedDialog")
        await pilot.press("p")
        assert not (await pilot.turn()).match.saved


async def test_back_to_the_lobby_for_a_new_line_up() -> None:
    two = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)
    async with playing(two, [(6, 5, 5, 4)]) as pilot:
        await pilot.turn(seat=0)
        await pilot.results("enter")
        await pilot.press("n", to="Lobby")
        assert names(pilot) == ["Ann", "Ben"]


@pytest.mark.long(*PRODUCT)
async def test_forty_seats_are_no_problem() -> None:
    async with playing(size=(60, 20)) as pilot:
        await dialog(pilot, "a")
        await pilot.press(*"A", *(key for number in range(37) for key in f",{number}"), "end", "enter")
        await pilot.reaches("Lobby")
        lobby(pilot).lineup = lobby(pilot).lineup.with_seats(38, Seat("You"), Seat("Merry", "Merry"))
        lobby(pilot).action_move_cursor(40)
        await pilot.pause()
        assert len(set(names(pilot))) == 40
        assert re.search("▶ . Merry", pilot.seen())
        await pilot.press("home")
        assert "▶ ● " in pilot.seen(), "the first"
        assert pilot.app.screen.query_one("#play").region.bottom <= 19
        await pilot.press("enter")
        assert len((await pilot.turn()).match.names) == 40


async def test_only_a_newcomer_reads_that_enter_starts_the_first_game() -> None:
    async with playing(tips=True) as pilot:
        await until(lambda: pilot.below()[1] == "Press Enter to play.")
        await pilot.press("enter", to="Table")
        await pilot.press("q", to="Lobby")
        await until(lambda: pilot.below()[1] == "Game saved. Press r to resume.")


SIZES = [(60, 20), (80, 24), (100, 30), (120, 40)]


@pytest.mark.parametrize("tips", [True, False])
@pytest.mark.parametrize("size", SIZES)
async def test_a_first_start_has_few_keys_and_words_at_every_size(size: tuple[int, int], tips: bool) -> None:
    async with playing(tips=tips, size=size) as pilot:
        await pilot.shows("Today's puzzle")
        shown = pilot.seen()
        words = re.findall(r"[^\W\d_]{2,}", shown)
        assert len(words) <= 45, words
        rows = [command for row in pilot.app.screen.query(CommandRow) for command in row.commands]
        bar = pilot.app.screen.query_one(KeyBar)
        assert pilot.below()[0] == "Today's puzzle: d"
        assert bool(pilot.below()[1]) == tips
        assert len(rows) + len(bar.bindings) + 2 <= 11
        assert "F1" in shown.split("\n")[-1]


@pytest.mark.parametrize("size", [size for size in SIZES if size != (60, 20)])
async def test_nothing_in_the_lobby_is_cut(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        await pilot.pause()
        assert "bot, middling: plays like someone two drinks in" in pilot.seen()
        assert "…" not in pilot.seen()


@pytest.mark.parametrize("size", [(60, 20), (60, 48), (80, 24), (100, 30), (120, 40), (200, 60)])
async def test_the_lobby_is_whole_and_in_the_middle(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        lobby(pilot).lineup = lobby(pilot).lineup.with_seats(2, Seat("Steady", "Steady"), Seat("Perfect", "Perfect"))
        await pilot.shows("Today's puzzle: d")
        await pilot.pause()
        shown = pilot.seen().split("\n")
        assert all(
            any(words in line for line in shown) for words in ("Mark Steere", "▶", "Perfect", "x  Remove", "F1 Keys")
        )
        buttons = [button.region for button in pilot.app.screen.query(MouseButton)]
        assert all(Region(0, 0, size[0], size[1] - 1).contains_region(button) for button in buttons)
        assert len({button.width for button in buttons} if size == (60, 48) else {0}) == 1
        say = pilot.app.screen.query_one("#below").region
        assert all(button.bottom <= say.y for button in buttons), "a row of its own"
        written = [row for row, line in enumerate(shown[:-1]) if line.strip()]
        assert abs(written[0] - (size[1] - 2 - written[-1])) <= 3, "as much room above as below"


@pytest.mark.parametrize("size", [(60, 48), (100, 30), (120, 44)])
async def test_the_box_of_the_players_has_no_empty_row(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        lobby(pilot).lineup = lobby(pilot).lineup.with_seats(2, Seat("Cleo"))
        await pilot.pause()
        players = pilot.app.screen.query_one(Players)
        assert players.size.height == len(players.rows) == 3


@pytest.mark.parametrize(
    ("keys", "screens", "words"),
    [
        (("h",), ("HistoryScreen", "Review"), "Roll "),
        (("o",), ("OptionsDialog",), "Coach"),
        (("o",), ("OptionsDialog",), "Start from"),
        (("p",), ("Practice",), "Practice   420 · my mistakes"),
        (("r",), ("Table",), "Round"),
    ],
    ids=["review", "options", "position", "mistake", "unfinished"],
)
async def test_two_keys_at_most_lead_from_the_lobby(
    keys: tuple[str, ...], screens: tuple[str, ...], words: str, history: History
) -> None:
    """The arrows and Enter inside a list are not counted."""
    save_matches(history, 3, slips=0.5)
    Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=history.journal()).act(ROLL_ALL)
    for _ in measured(history):
        pass
    async with playing() as pilot:
        await until(lambda: bool(lobby(pilot).unfinished and lobby(pilot).due))
        assert len(keys) <= 2
        for key in keys:
            await pilot.press(key)
            if pilot.stack()[-1] == "HistoryScreen":
                await pilot.press("down", "down", "enter")  # a game that is over
        await pilot.reaches(*screens)
        await pilot.shows(words)
        if words == "Start from":
            await pilot.option(words, "enter")
            await pilot.reaches("PositionDialog")


async def test_the_line_below_the_buttons_has_what_is_worth_most(monkeypatch: pytest.MonkeyPatch) -> None:
    async with playing() as pilot:
        await pilot.shows("Today's puzzle: d")
        shown = lobby(pilot)
        assert pilot.below()[1] == ""
        shown.due = {"420": 2, "421": 1}
        shown.say("")
        await pilot.shows("3 of your mistakes are due: p")
        wished: list[str] = []
        monkeypatch.setattr(FourTwentyApp, "action_practice", lambda _, first="": wished.append(first))
        await pilot.press("p")
        shown.due = {}
        await pilot.press("p", "d")
        await pilot.click_on("Today's puzzle")
        assert wished == ["mine", "", "daily", "daily"]
        await pilot.press("x")
        assert pilot.below()[1] == "You need at least two players.", "a sentence comes first"


@pytest.mark.parametrize("size", SIZES)
async def test_the_last_seven_days_of_each_game_are_a_row_of_the_lobby(size: tuple[int, int], history: History) -> None:
    def answer(ago: int, right: bool) -> FirstAnswer:
        return FirstAnswer("420", today() - timedelta(ago), right)

    history.save_answers([answer(1, True), answer(2, True), answer(4, False), answer(7, True)])
    Match(Lineup(starting_seat=0), FairDice(bytes(32)), journal=history.journal()).act(ROLL_ALL)
    async with playing(size=size) as pilot:
        lobby(pilot).lineup = lobby(pilot).lineup.with_seats(
            2, *(Seat(name) for name in ("Ann", "Ben", "Cleo", "Dora"))
        )
        await pilot.shows("Today's puzzle: d   · · × · ● ● ?  2 days in a row")
        await pilot.shows("Resume 420 with ")
        await pilot.press("g")
        assert pilot.below()[0] == "Today's puzzle: d"
        assert "▶ ● You" in pilot.seen()
        history.save_answers([answer(0, True)])
        await pilot.press("g", "g")
        await pilot.press("o", "escape", shows="Today's puzzle: d   · · × · ● ● ●  3 days in a row")
        await pilot.click_on("Today's puzzle", to="Practice")


async def test_a_second_person_with_a_name_has_you_asked_for_yours_once() -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*"Ben", "enter")
        await pilot.shows("And your name?")
        await pilot.press(*"Ann", "enter", to="Lobby")
        assert names(pilot) == ["Ann", "Merry", "Ben"]
        await dialog(pilot, "a")
        await pilot.press(*"Cleo", "enter", to="Lobby")
        assert names(pilot) == ["Ann", "Merry", "Ben", "Cleo"]


@pytest.mark.parametrize("key", ["enter", "escape"])
async def test_you_may_stay_you(key: str) -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*"Ben", "enter")
        await pilot.shows("And your name?")
        await pilot.press(key, to="Lobby")
        assert names(pilot) == ["You", "Merry", "Ben"]
        await dialog(pilot, "a")
        await pilot.press(*"Cleo", "enter", to="Lobby")
        assert names(pilot) == ["You", "Merry", "Ben", "Cleo"]


async def test_no_name_is_asked_beside_bots_and_a_guest_without_one() -> None:
    async with playing() as pilot:
        await add_bot(pilot, STEADY)
        await dialog(pilot, "a")
        await pilot.press("enter", to="Lobby")
        assert names(pilot) == ["You", "Merry", "Steady", "Guest"]


async def test_several_names_take_the_place_of_an_untouched_line_up() -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*"You, Ben, Cleo, Dmitri", "enter", to="Lobby")
        assert lobby(pilot).lineup.seats == (Seat("You"), Seat("Ben"), Seat("Cleo"), Seat("Dmitri"))
        assert pilot.below()[1] == "Merry made room for them."
        await dialog(pilot, "a")
        await pilot.press(*"Eve, Finn", "enter", to="Lobby")
        assert names(pilot) == ["You", "Ben", "Cleo", "Dmitri", "Eve", "Finn"], "somebody has changed it"


@pytest.mark.parametrize(
    ("typed", "seats"),
    [
        ("bot:perfect", (Seat("You"), Seat("Merry", "Merry"), Seat("Perfect", "Perfect"))),
        ("bot:Merry", (Seat("You"), Seat("Merry", "Merry"), Seat("Merry 2", "Merry"))),
        ("bot:Merry, Ann", (Seat("Merry", "Merry"), Seat("Ann"))),
        ("BOT: perfect", (Seat("You"), Seat("Merry", "Merry"), Seat("Perfect", "Perfect"))),
        ("bot:Bold, bot:Merry", (Seat("You"), Seat("Merry", "Merry"), Seat("Bold", "Bold"), Seat("Merry 2", "Merry"))),
    ],
)
async def test_a_bot_is_typed_as_on_the_command_line(typed: str, seats: tuple[Seat, ...]) -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*typed, "enter", to="Lobby")
        assert lobby(pilot).lineup.seats == seats


async def test_a_typed_name_replaces_the_whole_offered_one() -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*["down"] * STEADY, *"Ann", "enter", to="Lobby")
        assert lobby(pilot).lineup.seats[2] == Seat("Ann", "Steady")


async def test_a_typed_bot_replaces_another() -> None:
    async with playing() as pilot:
        await pilot.press("down")
        await dialog(pilot, "e")
        await pilot.press(*"bot:Steady", "enter", to="Lobby")
        assert lobby(pilot).lineup.seats == (Seat("You"), Seat("Steady", "Steady"))


@pytest.mark.parametrize("kind", [0, STEADY])
async def test_an_unknown_bot_is_refused(kind: int) -> None:
    async with playing() as pilot:
        await dialog(pilot, "a")
        await pilot.press(*["down"] * kind, *"bot:Nobody", "enter")
        assert pilot.text("#sentence").startswith("'Nobody' isn't a bot. The bots are Tipsy, Merry")


async def test_every_option_of_a_game_has_a_value_and_a_sentence() -> None:
    async with playing() as pilot:
        lobby(pilot).lineup = Lineup((Seat("{Ann}"), Seat("Ben"), Seat("Cleo")))
        await pilot.press("o")
        for value, sentence in (
            ("Goes first +{Ann}", "{Ann} goes first."),
            ("Coach +on", "Shows everyone's chances, and what each choice is worth."),
            ("Real dice +on", "Everyone rolls real dice and types them in."),
            ("Drinks limit +3", "First to 3 drinks loses the evening; then the count restarts."),
            ("White dice +on", "All dice are white with black pips, as in Monocolor 420."),
        ):
            await pilot.press("enter")
            await pilot.pause()
            assert re.search(f"▶ {value}", pilot.seen()), pilot.seen()
            assert pilot.text("#sentence") == sentence
            await pilot.press("down")
        await pilot.press("home", "enter", "right", "left", "escape")
        shown = lobby(pilot).lineup
        assert (shown.starting_seat, shown.coach, shown.typed) == (1, "full", True)
        assert (shown.first_to, shown.monocolor) == (3, True)


async def test_the_settings_stand_below_the_options_of_the_game() -> None:
    async with playing() as pilot:
        for key in ("o", "comma"):
            await pilot.press(key)
            await pilot.reaches("Lobby", "OptionsDialog")
            await pilot.option("Bell", "enter")
            await pilot.option("White dice", "enter", "escape")
            await pilot.reaches("Lobby")
            assert lobby(pilot).lineup.monocolor == (key == "o")
            assert Settings.load(settings_file()).bell == (key == "o")


async def test_an_evening_is_counted_from_three_people_on() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.pause()
        assert "Drinks limit" not in pilot.seen()
        assert lobby_below(pilot).lineup.first_to == 0
        await pilot.press("escape")
        lobby(pilot).lineup = Lineup(first_to=5)
        await pilot.press("o")
        await pilot.pause()
        assert "Drinks limit" in pilot.seen(), "it can be switched off"


@pytest.mark.parametrize("key", ["w", "W"])
async def test_a_table_for_friends_is_opened_by_one_key_in_either_case(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    wished: list[str] = []
    monkeypatch.setattr(FourTwentyApp, "action_host", lambda *_: wished.append("host"))
    async with playing() as pilot:
        await pilot.press("H", to="HistoryScreen")
        await pilot.press("Q", to="Lobby")
        await pilot.press(key)
        await until(lambda: wished == ["host"])
        assert pilot.stack() == ["Lobby"]


@pytest.mark.parametrize(("size", "other"), [((80, 36), (72, 26)), ((100, 30), (60, 33)), ((60, 33), (100, 30))])
async def test_the_frame_of_the_players_is_as_high_as_they_are_after_a_resize(
    size: tuple[int, int], other: tuple[int, int]
) -> None:
    async with playing(size=size) as pilot:
        players = lobby(pilot).query_one(Players)
        await pilot.resize_terminal(*other)
        assert players.size.height == len(players.rows)


@pytest.mark.parametrize("size", [(80, 24), (100, 24), (100, 30), (120, 40)])
async def test_a_lobby_that_has_been_painted_is_laid_out_no_more(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    history_file().parent.mkdir(exist_ok=True)
    keep(history_file(), 60)
    layouts: list[None] = []
    lay_out = Lobby._refresh_layout
    monkeypatch.setattr(Lobby, "_refresh_layout", lambda *given, **more: layouts.append(lay_out(*given, **more)))
    async with playing(size=size) as pilot:
        shown = lobby(pilot)
        await until(lambda: bool(shown.unfinished and shown.played))
        await pilot.pause()
        await pilot.shows("Resume")
        players = shown.query_one(Players)
        assert players.seat_layout.height(len(players.rows)) <= players.size.height
    assert len(layouts) == 1


async def test_a_start_paints_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    lay_out, display = Lobby._refresh_layout, FourTwentyApp._display

    def note_layout(self: Lobby, *given: object, **more: object) -> None:
        done.append("laid out")
        lay_out(self, *given, **more)  # type: ignore[arg-type]

    def note_paint(self: FourTwentyApp, screen: Screen[object], picture: RenderableType | None) -> None:
        if picture is not None:
            done.append("painted")
        display(self, screen, picture)

    monkeypatch.setattr(Lobby, "_refresh_layout", note_layout)
    monkeypatch.setattr(FourTwentyApp, "_display", note_paint)
    app = FourTwentyApp()
    async with app.run_test(notifications=True) as pilot:
        await pilot.pause()
        await until(lambda: "painted" in done)
        await pilot.pause()
    assert done == ["laid out", "laid out", "painted"], "the second layout hides the rack of notes"


async def test_matches_that_are_read_too_late_are_shown_to_no_lobby() -> None:
    async with playing() as pilot:
        shown = lobby(pilot)
    history_file().parent.mkdir(exist_ok=True)
    history_file().touch()
    await inspect.unwrap(Lobby.read_past)(shown)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
@pytest.mark.parametrize("seats", [4, 6])
async def test_the_tally_loses_letters_of_names_and_no_count(seats: int, size: tuple[int, int]) -> None:
    names = ("=1+1 and more", "Ann", "日本語名前", "Zoë-Christin von der Weide", "Bartholomew", "Kim")[:seats]
    places = [tuple((name, 1 + (name == last)) for name in names) for last in (names[1], *names, names[3])]
    async with playing(size=size) as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        lobby.played = tuple(Played("420", datetime.now(UTC), each) for each in places)
        lobby.lineup = Lineup(tuple(map(Seat, names)))
        await pilot.pause()
        (row,) = (line for line in pilot.seen().split("\n") if "Tonight" in line)
        drinks = row.count("▕▆▏") or sum(int(word.rstrip(",")) for word in row.split() if word.rstrip(",").isdigit())
        assert drinks == len(places), row
        assert row.count(",") == seats - 1, row
