"""421 and Four Twenty-One through the same table, lobby and results as 420."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace
from table_pilot import TablePilot, driving, playing
from textual.geometry import Region
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces, Stand
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.widgets.hand import Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import Seats

BAR = Lineup(seats=(Seat("Ann"), Seat("Ben")), game="421")
EVENING: list[Faces] = [
    (5,), (5,), (6,), (2,),  # a tie for the start, then Ann is higher
    (4, 2, 1), (1, 1, 2),  # Ben takes 10
    (1, 1, 2), (4, 2, 1),  # Ben starts, and takes 10 more
    (4, 2, 1), (1, 1, 2),  # Ann takes the last one
    (4, 4, 2), (2, 1), (1, 1, 2), (6, 5),  # Ann makes 4 2 1 and stands; Ben does not
]  # fmt: skip


async def test_an_evening_of_421_by_keys_only() -> None:
    async with playing(BAR, EVENING) as pilot:
        table = await pilot.turn(seat=0)  # nobody throws for the start, nor in the charge
        assert len(table.hand.dice) == 3
        assert [row.tally for row in table.query_one(Seats).rows] == ["1 token", "20 tokens"]
        await pilot.press("r", turn=0)
        assert pilot.text("#line") == "Select the dice to roll again, or stand"
        assert "s Stand" in key_bar(pilot)
        assert "roll 2 of 3" in pilot.text("#caption")
        await pilot.press("2", "3")
        assert pilot.text("#line") == "Keep 4, roll two dice"
        await pilot.press("r", turn=0)
        await pilot.press("s")
        await pilot.rolls(1)
        await pilot.turn(seat=1)
        await pilot.press("2", "1", "r", turn=1)
        last = await pilot.results("s")
        assert last.report.headline == "Ben picks up the tab"
        assert "Ann stands" not in pilot.seen()
        await pilot.press("n", to="Lobby")


async def test_the_charge_goes_by_itself_and_its_results_are_in_the_log() -> None:
    async with playing(Lineup(BAR.seats, starting_seat=0, game="421"), EVENING[4:]) as pilot:
        table = await pilot.turn(seat=0)
        assert pilot.logged().endswith(
            "Ann's hand: 421, worth 10. Ben takes 10 tokens from the pot.\n"
            "Ann's hand: 421, worth 10. Ben takes 10 tokens from the pot.\n"
            "Ben's hand: 421, worth 10. Ann takes the last token from the pot."
        )
        assert "rolled" not in pilot.logged(), "a round that nobody plays has one line"
        assert len(table.match.events) == 6


@pytest.mark.parametrize("moves", [True, False])
async def test_in_the_charge_each_strongest_hand_is_named_while_tokens_leave_the_pot(
    moves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[str, str, str, str]] = []
    """The words about the hand and a key, the pot, the sentence and Ben's tokens, whenever people may look."""

    async def look(flow: MatchFlow, _: float) -> None:
        await asyncio.sleep(0)
        table = flow.view
        pot, held = table.line.meter.lstrip("▕█∙▏ "), table.seats.rows[1].count
        hand = f"{table.headline.visual}. {table.advice.visual}"
        seen.append((hand, pot, table.line.sentence, held))

    monkeypatch.setattr(MatchFlow, "_pause", look)
    monkeypatch.setattr(Hand, "moves", moves)
    app = FourTwentyApp(Lineup(BAR.seats, starting_seat=0, game="421"), ScriptedDice(EVENING[4:]))
    app.pace = 1
    async with driving(app) as pilot:
        await pilot.turn(seat=0)
    rounds = [each for each in seen if each[0] == "● Ann's hand: 421, worth 10. Any key skips."]
    assert {sentence for *_, sentence, _ in rounds} == {"Ben takes 10 tokens from the pot."}
    tokens = ["no tokens", "1 token", *(f"{count} tokens" for count in range(2, 21))]
    pots = [f"{count} in the pot" for count in range(21, 0, -1)]
    assert [*dict.fromkeys(held for *_, held in rounds)] == (tokens if moves else tokens[10::10])
    assert [*dict.fromkeys(pot for _, pot, *_ in rounds)] == (pots if moves else pots[10::10])
    assert seen[-1][:3] == (
        "■ Ben's hand: 421, worth 10. Any key goes on.",
        "0 in the pot",
        "Ann takes the last token from the pot.",
    )


async def test_no_bar_below_the_dice_is_without_a_word() -> None:
    meters: dict[str, list[str]] = {}
    for game, position in (("421", "*>-:10 -:11 round 9 roll 1"), ("ten-rounds", "*>-:0 -:1 roll 1 of 3")):
        async with playing(replace(BAR, game=game), [(6, 6, 5)], start=GAMES[game].parse(position)) as pilot:
            meters[game] = []
            for key in ("r", "s", "x"):
                table = await pilot.turn()
                meters[game].append(table.line.meter.lstrip("▕█∙┃▏ "))
                await pilot.press(key)
    assert meters == {
        "421": ["", "Two alike, 5", ""],
        "ten-rounds": ["", "Double 6", "to beat: Double 6"],
    }


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40)])
async def test_no_word_below_the_dice_is_cut(size: tuple[int, int]) -> None:
    start = GAMES["ten-rounds"].parse("*>-:0 -:1 roll 1 of 3")
    throws = [(4, 3, 2), (1, 3, 5), (6, 5, 3), (1, 3, 6), (1, 1, 3)]
    async with playing(replace(BAR, game="ten-rounds"), throws, size=size, start=start) as pilot:
        shown = []
        for keys in ("rarar", "r", "ar"):
            for key in keys:
                await pilot.turn()
                await pilot.press(key)
            table = await pilot.turn()
            await pilot.press("escape")
            row = table.line.content_region
            shown.append(pilot.seen().split("\n")[row.y][row.x : row.right].strip(" ▕█∙┃▏"))
    assert shown == [
        "to beat: Unmatched",
        "Unmatched   to beat: Unmatched",
        "Double 1   to beat: Unmatched",
    ]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30)])
async def test_a_sentence_below_the_dice_is_whole_or_has_an_ellipsis(size: tuple[int, int]) -> None:
    names = ("Ann", "Ben", "Cleo", "Dora", "Eve", "Fay", "Gus", "Hal")
    lineup = Lineup(tuple(map(Seat, names)), game="421")
    start = GAMES["421"].parse("*>-:4 -:0 -:0 -:12 -:0 -:0 -:0 -:0 pot 5 round 3 roll 1")
    throws = [(4, 2, 1), (6, 5, 3), (6, 5, 4), (2, 2, 1), (6, 4, 3), (5, 4, 3), (6, 3, 2), (6, 5, 1)]
    async with playing(lineup, throws, size=size, start=start) as pilot:
        await pilot.shows("Gus takes the last 5 tokens from the pot. Five are safe")
    async with playing(BAR, [(6, 6, 5)], size=size, start=GAMES["421"].parse("*>-:10 -:11 round 9 roll 1")) as pilot:
        table = await pilot.turn()
        for sentence in ("Gus takes the last 5 tokens from the pot.", "token " * 40):
            table.say(sentence)
            await pilot.pause()
            row = table.line.content_region
            rows = [line[row.x : row.right].strip() for line in pilot.seen().split("\n")[row.y : row.bottom]]
            assert rows[-1].endswith("…") if sentence.endswith(" ") else sentence in " ".join(rows)


@asynccontextmanager
async def result_in_a_line(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[TablePilot]:
    """A table that shows the end of a round by which nobody leaves for as long as nobody goes on."""
    monkeypatch.setattr("fourtwenty.tui.screens.match_flow.RESULT_SECONDS", 3600)
    start = GAMES["421"].parse("*>-:9 -:12 round 9 roll 1")
    throws: list[Faces] = [(6, 5, 3), (4, 2, 1), (4, 4, 1), (6, 6, 1)]
    async with playing(Lineup(BAR.seats, starting_seat=0, game="421"), throws, start=start) as pilot:
        for seat in (0, 1):
            await pilot.turn(seat)
            await pilot.press("enter")
            table = await pilot.turn(seat)
            table.pace = seat
            await pilot.press("s")
        table.skip()
        await until(lambda: pilot.text("#line") == "Ann takes 10 tokens from Ben. Ann starts round 10.")
        yield pilot


async def test_a_round_by_which_nobody_leaves_ends_in_a_line_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async with result_in_a_line(monkeypatch) as pilot:
        assert pilot.stack() == ["Table"]
        assert "Ben's hand: 421, worth 10" in pilot.text("#turn")
        assert pilot.logged().endswith("Ann takes 10 tokens from Ben. Ann starts round 10.")
        table = pilot.app.screen
        assert isinstance(table, Table)
        assert [die.face for die in table.hand.dice] == [4, 2, 1]
        assert not table.waiting
        await pilot.press("x", turn=0)
        assert "round 10" in pilot.text("#caption")


async def test_keys_of_the_round_before_neither_pass_its_result_nor_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    async with result_in_a_line(monkeypatch) as pilot:
        table = pilot.app.screen
        assert isinstance(table, Table)
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", 3600)
        await pilot.press(*["s", "enter"] * 5)
        assert pilot.text("#line") == "Ann takes 10 tokens from Ben. Ann starts round 10.", (
            "it has not been seen long enough"
        )
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", 0)
        await pilot.press("enter", turn=0)
        assert table.match.state.hand(0) == ()
        await pilot.press("enter")
        await until(lambda: table.match.state.hand(0) == (4, 4, 1))


@pytest.mark.parametrize(
    ("game", "position", "throws"),
    [
        ("421", "*>-:1 -:12 -:8 round 9 roll 1", [(4, 2, 1), (6, 5, 3), (6, 6, 1)]),
        ("ten-rounds", "*>-:101010101 -:010101010 -:000000000 roll 1 of 3", [(6, 5, 3), (6, 6, 6), (6, 5, 2)]),
    ],
)
async def test_a_round_by_which_somebody_leaves_has_a_page(game: str, position: str, throws: list[Faces]) -> None:
    lineup = Lineup((Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0, game=game)
    async with playing(lineup, throws, start=GAMES[game].parse(position)) as pilot:
        for _ in range(3):
            await pilot.turn()
            await pilot.press("r")
            await until(lambda: not isinstance(pilot.app.screen, Table) or pilot.app.screen.waiting)
            if isinstance(pilot.app.screen, Table) and Stand() in pilot.app.screen.match.state.actions:
                await pilot.press("s")
        await pilot.results()
        if game == "421":
            assert "Ann gives Ben the last token and is safe" in pilot.seen()
            assert [row.tally for row in pilot.app.screen.query_one(Seats).rows] == [
                "no tokens",
                "13 tokens",
                "8 tokens",
            ]
            assert "1st ● Ann" in pilot.seen()
        else:
            assert "Ben gets the point. Ann and Ben are tied and play on" in pilot.seen()
            rows = pilot.app.screen.query_one(Seats).rows
            assert [(row.place, row.name, row.count) for row in rows] == [
                ("", "Ann", "5 points"), ("", "Ben", "4 points"), ("", "Cleo", "0 points"),
            ]  # fmt: skip


async def test_bots_alone_play_a_whole_evening_of_421_without_a_page() -> None:
    lineup = Lineup((Seat("Tipsy", "Tipsy"), Seat("Random", "Random")), starting_seat=0, game="421")
    async with playing(lineup) as pilot:
        assert (await pilot.results()).ended


async def test_a_turn_of_421_by_mouse_only() -> None:
    async with playing(Lineup(BAR.seats, starting_seat=0, game="421"), EVENING[4:]) as pilot:
        await pilot.turn(seat=0)
        assert not pilot.app.screen.query_one("#stand").display, "nothing to stand with yet"
        await pilot.click("#roll")
        await pilot.turn(seat=0)
        await pilot.click_die(2)
        await pilot.click_die(3)
        await pilot.click("#roll")
        table = await pilot.turn(seat=0)
        assert table.match.state.hand(0) == (4, 2, 1)
        await pilot.click("#stand")
        await pilot.turn(seat=1)
        assert "Ann stood with 4 2 1: 421, 10." in pilot.logged()


async def test_a_round_of_four_twenty_one() -> None:
    three = Lineup(seats=(Seat("Ann"), Seat("You"), Seat("Steady", "Steady")), starting_seat=0, game="ten-rounds")
    throws: list[Faces] = [(6, 4, 2), (1,), (6, 6, 6), (6, 6, 5), (4, 2, 1), (6, 5, 3)]
    async with playing(three, throws, size=(120, 40)) as pilot:
        await pilot.rolls(0)
        await pilot.turn(seat=0)
        await pilot.press("1", "r", turn=0)
        assert pilot.text("#line") == "Select the dice to roll again, or stand"
        await pilot.press("s")
        table = await pilot.turn(seat=1)
        assert "roll 1 of 2" in pilot.text("#caption")
        await pilot.press("r", turn=1)
        await pilot.press("s", turn=1)
        await until(lambda: table.match.state.round == 2)
        assert "Ann gets the point." in pilot.logged()
        await pilot.press("r", turn=1)
        assert [row.tally for row in table.query_one(Seats).rows] == ["1  1 point", "·  0 points", "·  0 points"]
        assert "4-2-1 at once, 2 points." in pilot.logged()


@pytest.mark.parametrize(
    ("game", "typed"), [("420", False), ("420", True), ("421", True), ("ten-rounds", False), ("ten-rounds", True)]
)
async def test_the_key_bar_has_whole_words_and_stand_where_it_is_allowed(game: str, typed: bool) -> None:
    lineup = replace(BAR, game=game, starting_seat=0, typed=typed)
    async with playing(lineup, [] if typed else [(6, 5, 3, 1)[: GAMES[game].hand_size]] * 2, size=(60, 20)) as pilot:
        table = await pilot.turn(seat=0)
        for _ in range(2):
            if table.is_typing:
                await pilot.press(*"6531"[: GAMES[game].hand_size])
            await pilot.press("enter")
            await pilot.turn()
            stands = Stand() in table.match.state.actions
            assert table.is_typing or ("s Stand" in key_bar(pilot)) == stands
            if stands:
                await pilot.press("s", turn=1)


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_key_bar_at_the_end_has_whole_words(size: tuple[int, int], typed: bool) -> None:
    lineup = Lineup(BAR.seats, starting_seat=0, typed=typed)
    async with playing(lineup, [] if typed else [(6, 5, 5, 4)], size=size) as pilot:
        await pilot.turn(seat=0)
        await pilot.press(*("6554" if typed else ""), "enter")
        assert (await pilot.results()).ended
        assert ("u Take back" in key_bar(pilot)) == typed


def key_bar(pilot: TablePilot) -> str:
    """Return the key bar, of which no word is cut."""
    line = pilot.seen().split("\n")[-1]
    bar = pilot.app.screen.query_one(KeyBar)
    names = [each.binding.description for each in (*bar.bindings, *filter(None, [bar.all_keys]))]
    words = {word for name in (*names, "Select", "Face") for word in name.split()}
    assert {word for word in line.split() if len(word) > 2 and word.isalpha() and word != "enter"} <= words, line
    return line


async def test_the_lobby_offers_the_three_games_420_first() -> None:
    def game() -> str:
        shown = pilot.app.screen
        assert isinstance(shown, Lobby)
        assert shown.game.name in pilot.seen()
        return shown.game.name

    async with playing(throws=[(5,), (2,)]) as pilot:
        assert game() == "420"
        await pilot.press("g")
        assert game() == "421"
        assert "picks up the tab" in pilot.below()[1]
        await pilot.press("o")
        assert "roll-off" in pilot.seen()
        await pilot.press("escape")
        assert "Red or Blue" not in pilot.seen()
        await pilot.press("question_mark", shows="21 tokens in a pot")
        await pilot.press("escape", "g")
        assert game() == "Four Twenty-One"
        await pilot.press("enter")
        await pilot.turn()
        assert "Four Twenty-One" in pilot.text("#caption")
    async with playing() as pilot:
        assert game() == "Four Twenty-One", "kept for next time"
        for _ in list(GAMES)[2:]:
            await pilot.press("g")
        assert game() == "420"


async def test_the_coach_of_421_says_what_standing_and_rolling_are_worth() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0, game="421", coach="full")
    start = GAMES["421"].parse("*>-:9 -:12 round 9 roll 1")
    async with playing(lineup, [(4, 2, 1), (6, 5, 3)], start=start) as pilot:
        table = await pilot.turn(seat=0)
        assert "Players: chance to stay safe" in pilot.seen()
        assert pilot.text("#advice").endswith("the only choice")
        before = float(table.seats.rows[0].bar_label.split("%")[0])
        assert "tokens " in table.seats.rows[0].bar_label
        await pilot.press("r", turn=0)
        assert "stay safe: " in pilot.text("#advice"), "standing is a choice"
        await pilot.press("s", turn=1)
        assert float(table.seats.rows[0].bar_label.split("%")[0]) > before


async def test_a_hint_of_ten_rounds_speaks_of_the_point_and_ranks_every_choice() -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0, game="ten-rounds", coach="full")
    async with playing(lineup, [(6, 4, 2), (4, 1)]) as pilot:
        await pilot.rolls(0)
        await until(lambda: len(pilot.app.screen.match.events) == 1 if isinstance(pilot.app.screen, Table) else False)
        await pilot.turn(seat=0)
        assert "best: " in pilot.text("#advice"), "standing is a choice, without selecting anything"
        await pilot.press("h")
        assert re.search("to get the point, best by .* points", " ".join(pilot.text("#advice").split()))
        await pilot.press("h")
        assert len(re.findall("keep +best +score +match +points", pilot.seen())) == 1
        assert "other hands" not in pilot.seen()
        await pilot.press("escape", "1", "3", "r")
        table = await pilot.turn(seat=0)
        assert table.match.hints == {1}
        assert "win the game: " in pilot.text("#advice")


@pytest.mark.parametrize("game", ["421", "ten-rounds"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_every_die_and_button_lies_inside_the_screen(size: tuple[int, int], game: str) -> None:
    lineup = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")), starting_seat=0, game=game)
    start = GAMES["421"].parse("*>-:9 -:6 -:6 round 9 roll 1") if game == "421" else None
    async with playing(lineup, [(6, 5, 3), (6, 5, 2), (1, 1, 2)], size=size, start=start) as pilot:
        table = await pilot.turn(seat=0)
        await pilot.press("r")
        await until(lambda: isinstance(pilot.app.screen, Results) or (table.waiting and len(table.match.events) == 1))
        await pilot.pause()
        for part in pilot.parts():
            assert part.area
            assert Region(0, 0, *size).contains_region(part)
        assert isinstance(pilot.app.screen, Table)
        assert table.query_one(Seats).region.height >= 3


async def test_the_caption_says_whole_things_or_nothing() -> None:
    lineup = Lineup(
        (Seat("Ann"), Seat("Ben"), Seat("Steady", "Steady")), starting_seat=0, game="421", coach="full", typed=True
    )
    for size in ((60, 20), (80, 24), (120, 40)):
        async with playing(lineup, size=size) as pilot:
            await pilot.turn(seat=0)
            caption = pilot.text("#caption")
            assert len(caption) + 2 <= size[0]
            assert "Coach" not in caption or caption.endswith("Coach: on")
