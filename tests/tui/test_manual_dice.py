"""Real dice: people type what they show, by keys or by mouse; a typing error is taken back until the next roll."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from letters import LETTERS
from long_tests import PRODUCT
from monkey import replay_everything
from plain_input import input_lines
from table_pilot import TablePilot, playing
from textual.events import Paste
from textual.geometry import Region
from waiting import until

from fourtwenty.__main__ import main
from fourtwenty.cli.text_table import TextTable
from fourtwenty.file_storage import history_file, lineup_file
from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, IllegalAction, InvalidAction, Roll, Stand, State
from fourtwenty.journal.history import History
from fourtwenty.journal.record import Record, read_record, verify_record, write_record
from fourtwenty.play.dice import ManualDice, parse_faces, type_face
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.dialogs.fairness import FairnessDialog
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.widgets.manual_faces import ManualFaces
from fourtwenty.tui.widgets.meter import MeterAndSentence

ANN, BEN, STEADY = Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")
TWO = Lineup(seats=(ANN, BEN), starting_seat=0, typed=True)
ALL_FOUR, ALL_THREE = Roll((1, 2, 3, 4)), Roll((1, 2, 3))


async def types(pilot: TablePilot, faces: str, seat: int | None = None, then: int | None = None) -> Table:
    """Type the faces of a roll, of that seat, once they are asked for; wait for the roll, and the turn of another."""
    table = await pilot.turn(seat)
    rolls = len(table.match.events)
    pilot.burst(*faces, "enter")
    await until(lambda: len(table.match.events) > rolls)
    return table if then is None else await pilot.turn(then)


async def clicks(pilot: TablePilot, faces: str, seat: int | None = None) -> None:
    """Wait until the faces of a roll are asked for, of that seat, click them and Done."""
    table = await pilot.turn(seat)
    for face in map(int, faces):
        start = 1 + 3 * table.game.hand_size + 3 + 4 * (face - 1)
        await pilot.click(ManualFaces, offset=(start + 1, 0))
    await pilot.click("#done")


def told(pilot: TablePilot) -> list[str]:
    return pilot.logged().split("\n")


# -- what is typed ----------------------------------------------------------------------------------------------------


@given(st.text(alphabet="1234567890, \t\nx²٣é🎲", max_size=8) | st.text(LETTERS, max_size=5), st.integers(1, 4))
def test_whatever_is_typed_is_so_many_faces_or_explained(typed: str, dice: int) -> None:
    digits = "".join(typed.replace(",", " ").split())
    if len(digits) == dice and digits.isdecimal() and {*map(int, digits)} <= {1, 2, 3, 4, 5, 6}:
        assert parse_faces(typed, dice) == tuple(map(int, digits))
    else:
        with pytest.raises(ValueError, match=r"^[^\n]+\.$"):
            parse_faces(typed, dice)


def test_every_way_to_type_wrong_has_its_sentence() -> None:
    assert parse_faces("6 551", 4) == parse_faces("6,5, ５1", 4) == (6, 5, 5, 1)
    for typed, dice, sentence in (
        ("", 1, "One die shows one face: one more."),
        ("65", 4, "Four dice show four faces: two more."),
        ("655", 2, "Two dice show two faces, no more."),
        ("7", 2, "A die shows a face from 1 to 6, not 7."),
        ("6;5", 2, "A die shows a face from 1 to 6, not ;."),
        ("6\x005", 2, "A die shows a face from 1 to 6, not �."),
    ):
        with pytest.raises(ValueError, match="^" + sentence.replace(".", r"\.") + "$"):
            parse_faces(typed, dice)
    assert type_face((6,), " ", 2) == (6,)


def test_real_dice_do_not_roll_by_themselves() -> None:
    match = Match(TWO)
    assert match.dice.typed
    assert (match.dice.seed, match.dice.commitment) == (None, None)
    with pytest.raises(ValueError, match="faces are typed"):
        match.act(ALL_FOUR)
    with pytest.raises(InvalidAction):
        match.record(Event(0, ALL_FOUR, (6, 5, 5)))
    assert match.rematch().dice.typed


def test_the_lot_falls_on_every_seat_and_stays() -> None:
    assert {ManualDice(bytes([number])).draw(3) for number in range(40)} == {0, 1, 2}
    assert ManualDice(b"chance").draw(3) == ManualDice(b"chance").draw(3)


# -- what is taken back -----------------------------------------------------------------------------------------------


def test_the_faces_of_the_last_roll_are_typed_again_and_nothing_else() -> None:
    match = Match(TWO)
    for event in (Event(0, ALL_FOUR, (6, 5, 5, 1)), Event(1, ALL_FOUR, (5, 5, 3, 1)), Event(0, Roll((4,)), (2,))):
        match.record(event)
    match.take_back()
    assert match.taken_back == Roll((4,))
    assert match.state.to_act == 0
    assert not match.can_take_back
    with pytest.raises(IllegalAction, match="No roll can be taken back"):
        match.take_back()
    with pytest.raises(IllegalAction, match="only their faces"):
        match.record(Event(0, ALL_FOUR, (6, 5, 5, 4)))
    match.record(Event(0, Roll((4,)), (3,)))
    assert match.state.hand(0) == (6, 5, 5, 3)
    match.take_back()
    match.record(Event(0, Roll((4,)), (4,)))
    assert match.state.outcome
    match.take_back()
    assert not match.state.outcome


def test_a_stand_goes_with_the_roll_it_followed_from() -> None:
    match = Match(Lineup((ANN, BEN), starting_seat=0, game="ten-rounds", typed=True))
    match.record(Event(0, ALL_THREE, (6, 4, 2)))
    match.record(Event(0, Stand(), ()))
    match.hint()
    match.take_back()
    assert (match.events, match.state.to_act, match.hints) == ([], 0, set())
    match.record(Event(0, ALL_THREE, (4, 2, 1)))
    assert match.state.to_act == 0, "whether to stand is decided on the right faces"


def test_a_round_that_a_typing_error_ended_goes_on_though_the_next_has_begun() -> None:
    match = Match(Lineup((ANN, BEN, STEADY), starting_seat=0, typed=True))
    match.record(Event(0, ALL_FOUR, (6, 5, 5, 4)))
    match.next_round()
    match.take_back()
    assert (match.state.round, match.state.to_act) == (1, 0)
    match.record(Event(0, ALL_FOUR, (6, 5, 5, 3)))
    assert match.state.to_act == 1


def typed_by_chance(match: Match, chance: random.Random, steps: int) -> list[State]:
    """Let faces be typed, and taken back now and then; return the states in which rolls were typed for good."""
    states = []
    for _ in range(steps):
        if match.state.to_act is None:
            if match.state.outcome:
                break
            match.next_round()
        if match.can_take_back and chance.random() < 0.3:
            match.take_back()
        action = match.taken_back or chance.choice(match.state.actions)
        dice = action.dice if isinstance(action, Roll) else ()
        seat = match.state.to_act
        assert seat is not None
        match.record(Event(seat, action, tuple(chance.randint(1, 6) for _ in dice)))
        states.append(match.state)
    return states


@pytest.mark.parametrize("game", GAMES)
def test_what_was_taken_back_leaves_no_trace(game: str, home: Path, history: History) -> None:
    for number in range(8):
        lineup = Lineup((ANN, BEN, STEADY), game=game, typed=True)
        match = Match(lineup, journal=history.journal(), identifier=f"{number:032x}")
        typed_by_chance(match, random.Random(number), 40)
        straight = Match(lineup, match.dice, start=match.start)
        for event in match.events:
            if straight.state.to_act is None:
                straight.next_round()
            straight.record(event)
        assert (straight.state, straight.starting_seat) == (match.state, match.starting_seat)
        record = read_record(write_record(Record.from_match(match)))
        assert verify_record(record) == match.state
        assert record.typed
        kept = history.match(history.page()[0].id)
        again = kept.state if kept.state == match.state else kept.state.next_round()
        assert (again, kept.events, kept.taken_back) == (match.state, match.events, match.taken_back)
        assert kept.can_take_back == match.can_take_back
        assert kept.dice.bot_seed == match.dice.bot_seed
    assert home.exists()


# -- at the table ------------------------------------------------------------------------------------------------------


async def test_a_match_of_420_by_keys_with_a_bot() -> None:
    async with playing(Lineup((ANN, STEADY, BEN), starting_seat=0, typed=True)) as pilot:
        table = await pilot.turn(seat=0)
        assert pilot.text("#turn") == "● Ann, your turn"
        assert pilot.text("#line") == "Roll all four dice, then type four faces from 1 to 6"
        await pilot.press("enter")
        assert pilot.text("#line") == "Four dice show four faces: four more."
        await pilot.press("6", "5", "space", "5")
        assert [die.face for die in table.hand.dice] == [6, 5, 5, 0]
        await pilot.press("enter")
        assert pilot.text("#line") == "Four dice show four faces: one more."
        await pilot.press("7")
        assert pilot.text("#line") == "A die shows a face from 1 to 6, not 7."
        assert table.query_one(MeterAndSentence).refused
        await pilot.press("2", "2")
        assert pilot.text("#line") == "Four dice show four faces, no more."
        await pilot.press("backspace", "1", "enter")

        await pilot.turn(seat=1)
        assert pilot.text("#turn") == "■ Steady rolls all four dice"
        await pilot.press("escape")
        assert pilot.text("#line") == "The bot has chosen: type what its dice show."
        await types(pilot, "5521")
        await types(pilot, "1111", seat=2)

        await pilot.turn(seat=0)
        assert pilot.text("#line") == "Select the dice to roll; keep the others"
        await pilot.press("3", "4", "enter")
        assert pilot.text("#line") == "Roll dice 3 and 4, then type two faces from 1 to 6"
        await pilot.press("4")
        assert table.selection == {3, 4}, "digits are faces now"
        await pilot.press("escape", "3", "r")
        assert pilot.text("#line") == "Roll die 4, then type its face, 1 to 6"
        await pilot.press("r", "a", "s")
        assert pilot.text("#line") == "A die shows a face from 1 to 6, not s."
        await types(pilot, "4")

        report = await pilot.results()
        assert report.report.headline == "Ann is out on roll 4"
        await pilot.press("enter")
        await types(pilot, "6554", seat=1)
        report = await pilot.results()
        assert report.report.headline == "Ben buys the drinks"
        assert "Sealed" not in pilot.seen()
        await pilot.press("r")
        assert (await pilot.turn()).match.dice.typed


async def test_a_hand_that_must_be_rolled_is_seen_with_its_reason_until_it_is_typed() -> None:
    start = GAMES["420"].parse("*>6666 4332 roll 2")
    async with playing(TWO, start=start) as pilot:
        table = await pilot.turn(seat=0)
        assert pilot.text("#line") == "24 is over 20: roll all four, then type four faces from 1 to 6"
        assert table.line.meter == "▕████████████████████▏ 24 over"
        assert [(die.face, die.faded) for die in table.hand.dice] == [(6, True)] * 4
        await pilot.press("1")
        assert [(die.face, die.faded) for die in table.hand.dice] == [(1, False), *[(0, False)] * 3]


async def test_a_match_of_420_by_mouse() -> None:
    async with playing(TWO) as pilot:
        await clicks(pilot, "6551", seat=0)
        await types(pilot, "1111", seat=1)
        table = await pilot.turn(seat=0)
        await pilot.click_die(4)
        await pilot.click("#roll")
        await pilot.click("#back")
        assert table.selection == {4}
        await pilot.click("#roll")
        await pilot.click_die(1)
        assert pilot.text("#line") == "One die shows one face: one more."
        await clicks(pilot, "1")
        await pilot.turn(seat=1)
        await pilot.click_on("Take back")
        await pilot.turn(seat=0)
        await clicks(pilot, "3")
        await pilot.turn(seat=1)
        await pilot.click(ManualFaces, offset=(30, 0))
        await pilot.click("#correct")
        await clicks(pilot, "6554")
        await pilot.results()
        await pilot.click_on("Take back")
        await types(pilot, "6553", seat=1, then=0)
        assert [event.faces for event in table.match.events] == [(6, 5, 5, 1), (1, 1, 1, 1), (3,), (6, 5, 5, 3)]


async def test_a_discharge_of_421_by_keys_with_a_bot() -> None:
    start = GAMES["421"].parse("*>-:9 -:12 round 9 roll 1")
    lineup = Lineup((ANN, STEADY), game="421", typed=True)
    async with playing(lineup, start=start) as pilot:
        table = await types(pilot, "652", seat=0)
        await pilot.turn(seat=0)
        await pilot.press("1", "2", "enter")
        await types(pilot, "42", seat=0, then=0)
        await pilot.press("s", turn=1)
        assert pilot.text("#turn") == "■ Steady rolls all three dice"
        assert "Ann stood with" in pilot.seen()
        await pilot.press("u", turn=0)
        assert pilot.text("#turn") == "● Ann: once more"
        assert pilot.text("#line") == "Type what dice 1 and 2 showed: two faces from 1 to 6"
        assert told(pilot)[-1] == "Ann: 4 2 is taken back."
        await pilot.press("u", "escape")
        assert pilot.text("#line") == "These dice were rolled; only their faces can be typed again."
        await types(pilot, "44", then=0)
        assert table.match.state.hand(0) == (4, 4, 2)
        await pilot.press("s")
        await types(pilot, "421", seat=1)
        await until(lambda: table.match.state.round == 10)
        await pilot.turn()
        assert table.match.events[-1] == Event(1, Stand(), ()), "the bot stands"
        await pilot.press("u")
        await types(pilot, "665", seat=1)
        await until(lambda: table.match.state.round == 10)
        assert [event.faces for event in table.match.events[-2:]] == [(6, 6, 5), ()], "it decides anew"


async def test_a_roll_for_the_start_and_a_turn_of_ten_rounds() -> None:
    async with playing(Lineup((ANN, BEN), game="ten-rounds", typed=True)) as pilot:
        table = await pilot.turn(seat=0)
        assert pilot.text("#line") == "Roll die 1, then type its face, 1 to 6"
        await types(pilot, "5", seat=0)
        await types(pilot, "6", seat=1)
        await types(pilot, "642", seat=1, then=1)
        await pilot.press("1", "r")
        await types(pilot, "1", seat=1, then=1)
        assert table.match.state.hand(1) == (1, 4, 2)
        assert table.line.meter.endswith("▏ 4-2-1")


async def test_the_next_roll_may_be_typed_before_it_is_asked_for() -> None:
    async with playing(TWO) as pilot:
        table = await pilot.turn(seat=0)
        pilot.burst(*"6551", "enter", *"5531", "enter", "4", "enter", "2", "enter", "u", "1", "enter", "3", "4")
        await until(lambda: len(table.match.events) == 3 and table.selection == {3, 4})
        assert [event.faces for event in table.match.events] == [(6, 5, 5, 1), (5, 5, 3, 1), (1,)]


async def test_faces_may_be_pasted() -> None:
    async with playing(TWO) as pilot:
        table = await pilot.turn(seat=0)
        pilot.app.post_message(Paste("6 5 5 1\n"))
        await until(lambda: [die.face for die in table.hand.dice] == [6, 5, 5, 1])
        pilot.app.post_message(Paste("12"))
        await until(lambda: "no more" in pilot.text("#line"))


async def test_a_round_is_taken_back_from_its_results_and_from_the_next_round() -> None:
    three = Lineup((ANN, BEN, Seat("Cleo")), starting_seat=0, typed=True)
    async with playing(three) as pilot:
        table = await types(pilot, "6554", seat=0)
        await pilot.results()
        await pilot.press("u")
        await types(pilot, "6554", seat=0)
        await pilot.results()
        await pilot.press("enter", turn=1)
        assert "Round 2 of 2" in pilot.text("#caption")
        await pilot.press("u", turn=0)
        assert "Round 1 of 2" in pilot.text("#caption")
        await types(pilot, "6553")
        await types(pilot, "1111", seat=1)
        assert table.match.state.round == 1
        assert "u Take back" in pilot.seen()


@pytest.mark.parametrize("seats", [2, 3])
async def test_a_size_that_comes_after_the_roll_is_taken_back_changes_nothing_on_the_page(seats: int) -> None:
    async with playing(Lineup((ANN, BEN, Seat("Cleo"))[:seats], starting_seat=0, typed=True)) as pilot:
        await types(pilot, "6554", seat=0)
        page = await pilot.results()
        shown = pilot.seen()
        page.match.take_back()  # as by u, while the page goes
        page.show_texts()
        assert pilot.seen() == shown


async def test_a_finished_match_is_not_finished_when_its_last_roll_is_taken_back() -> None:
    async with playing(TWO) as pilot:
        await types(pilot, "6554", seat=0)
        assert (await pilot.results()).ended
        await pilot.press("u")
        await types(pilot, "6553", seat=0, then=1)
        await pilot.press("q")
        await until(lambda: isinstance(pilot.app.screen, Lobby) and bool(pilot.app.screen.unfinished))
        with closing(History(history_file(), pytest.fail)) as history:
            (entry,) = history.unfinished()
        assert not entry.finished


async def test_what_was_typed_and_taken_back_is_so_after_a_break() -> None:
    async with playing(TWO) as pilot:
        await types(pilot, "6551", seat=0)
        await types(pilot, "1111", seat=1, then=0)
        await pilot.press("4", "enter")
        await types(pilot, "2", seat=0, then=1)
        await pilot.press("u", turn=0)
    async with playing() as pilot:
        await until(lambda: isinstance(pilot.app.screen, Lobby) and bool(pilot.app.screen.unfinished))
        await pilot.press("r")
        table = await pilot.turn(seat=0)
        assert pilot.text("#line") == "Type what die 4 showed: its face, 1 to 6"
        assert "Take back" not in pilot.seen(), "only one roll is ever taken back"
        await types(pilot, "3", seat=0, then=1)
    async with playing() as pilot:
        await until(lambda: isinstance(pilot.app.screen, Lobby) and bool(pilot.app.screen.unfinished))
        await pilot.press("r")
        table = await pilot.turn(seat=1)
        assert table.match.state.hand(0) == (6, 5, 5, 3)
        await pilot.press("u")
        await types(pilot, "4", seat=0)
        await pilot.results()


@pytest.mark.long(*PRODUCT)
async def test_nothing_that_is_typed_breaks_the_table() -> None:
    keys = [*"1234567890ruash", "enter", "enter", "backspace", "escape", "space", "tab", "f5", "é", "left", "ctrl+x"]
    chance = random.Random(420)
    async with playing(Lineup((ANN, STEADY), starting_seat=0, typed=True, coach="full")) as pilot:
        for _ in range(25):
            pilot.burst(*chance.choices(keys, k=12))
            await pilot.pause()
            if isinstance(pilot.app.screen, Results):
                break
        assert isinstance(pilot.app.screen, Results | Table)
    assert replay_everything()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_what_is_asked_fits_the_screen(size: tuple[int, int]) -> None:
    async with playing(TWO, size=size) as pilot:
        await types(pilot, "6651", seat=0)
        await types(pilot, "1111", seat=1)
        table = await pilot.turn(seat=0)
        await pilot.press("1", "2", "4", "enter", "6")
        line = table.query_one("#line").region
        shown_lines = [row[: line.right] for row in pilot.seen().split("\n")[line.y : line.bottom]]
        assert "three faces from 1 to 6" in " ".join(" ".join(shown_lines).split())
        shown = [*pilot.parts(), table.query_one(ManualFaces).region]
        for part in shown:
            assert part.area
            assert Region(0, 0, *size).contains_region(part)
            assert not any(part.overlaps(other) for other in shown if other is not part)
        assert "u Take back" in pilot.seen()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_no_word_about_the_proof_of_real_dice_is_cut(size: tuple[int, int]) -> None:
    match = Match(TWO, identifier="0" * 32)
    match.record(Event(0, Roll((1, 2, 3, 4)), (6, 5, 5, 4)))
    assert match.state.outcome
    async with playing(size=size) as pilot:
        await pilot.app.push_screen(FairnessDialog(match))
        await pilot.pause()
        shown = " ".join(pilot.seen().replace("│", " ").split())
        assert "The fingerprint of the record shows that nobody has changed it since." in shown


# -- how one comes to it -----------------------------------------------------------------------------------------------


async def test_the_lobby_offers_real_dice_by_key_and_by_click() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Real dice", "enter")
        assert "Everyone rolls real dice" in pilot.seen()
        await pilot.click_on("Real dice")
        assert "The computer rolls the dice" in pilot.seen()
        await pilot.click_on("Real dice")
        await pilot.press("escape", "enter")
        assert (await pilot.turn()).match.dice.typed
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Real dice")
        assert "Everyone rolls real dice" in pilot.seen(), "kept for next time"


def test_a_line_up_kept_before_there_were_real_dice_still_loads(home: Path) -> None:
    TWO.save(lineup_file())
    kept = json.loads(lineup_file().read_text())
    del kept["typed"]
    lineup_file().write_text(json.dumps(kept))
    assert Lineup.load(lineup_file()) == Lineup(TWO.seats, starting_seat=0)
    lineup_file().write_text(json.dumps({**kept, "typed": "yes"}))
    with pytest.raises(ValueError, match="damaged"):
        Lineup.load(lineup_file())
    assert home.exists()


def test_the_command_line_offers_them(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[Lineup] = []

    def run_app(lineup: Lineup, *_more: object, **_options: object) -> int:
        opened.append(lineup)
        return 0

    monkeypatch.setattr("fourtwenty.tui.launch.run_app", run_app)
    assert main(["play", "--dice", "typed"]) == 0
    assert main(["play"]) == 0
    assert [lineup.typed for lineup in opened] == [True, False]
    with pytest.raises(SystemExit) as ended:
        main(["play", "--dice", "typed", "--seed", "2a"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines() == [
        "fourtwenty: --seed: real dice have no seed; leave out --seed, or --dice typed"
    ]


# -- in lines of text --------------------------------------------------------------------------------------------------


def said(lineup: Lineup, commands: list[str]) -> list[str]:
    lines: list[str] = []
    asyncio.run(TextTable(Match(lineup), input_lines(commands), lines.append).play())
    return lines


def test_a_match_in_lines() -> None:
    lineup = Lineup((ANN, STEADY), starting_seat=0, typed=True)
    lines = said(
        lineup, ["", "6551", "655", "4332", "roll 3 4", "back", "take back", "4431", "roll 4", "4", "take", "3", "q"]
    )
    assert lines[3:] == [
        "Ann, your turn. First roll: all four dice.",
        "Ann: Roll all four dice, then type four faces from 1 to 6.",
        "Ann rolled 6 5 5 1: 17.",
        "Steady: Roll all four dice, then type four faces from 1 to 6, or take back.",
        "Four dice show four faces: one more.",
        "Steady rolled 4 3 3 2: 12.",
        "Ann, your turn: 6 5 5 1 = 17. Select the dice to roll; keep the others.",
        "Ann: Roll dice 3 and 4, then type two faces from 1 to 6, or take back.",
        "Ann, your turn: 6 5 5 1 = 17. Select the dice to roll; keep the others.",
        "Steady: 4 3 3 2 is taken back.",
        "Steady: Type what all four dice showed: four faces from 1 to 6.",
        "Steady rolled 4 4 3 1: 12.",
        "Ann, your turn: 6 5 5 1 = 17. Select the dice to roll; keep the others.",
        "Ann: Roll die 4, then type its face, 1 to 6, or take back.",
        "Ann kept 6 5 5, rolled 4: 20! Out and safe.",
        "Steady buys the drinks.",
        "Ann: 6 5 5 4 = 20, won round 1",
        "Steady: 4 4 3 1 = 12",
        "Press Enter to end the game, or type take back to type the last roll again.",
        "Ann: 4 is taken back.",
        "Ann: Type what die 4 showed: its face, 1 to 6.",
        "Ann kept 6 5 5, rolled 3: 19, one away.",
        "Steady: Roll all four dice, then type four faces from 1 to 6, or take back.",
        "This game isn't saved.",
    ]


@given(
    st.lists(
        st.sampled_from(["", "6551", "421", "7", "roll 1", "r a", "take", "back", "s", "q.", "٣"]) | st.text(LETTERS),
        max_size=30,
    )
)
@settings(max_examples=40, deadline=None)
def test_whatever_is_typed_in_lines_is_answered(commands: list[str]) -> None:
    for game in GAMES:
        assert said(Lineup((ANN, STEADY), game=game, typed=True), commands)
