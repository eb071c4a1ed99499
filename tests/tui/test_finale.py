"""The end of a match in large letters, and the results that no quick key runs through."""

from __future__ import annotations

from math import inf
from string import ascii_uppercase, digits

import pytest
from monkey import messages
from msgspec.structs import replace
from table_pilot import playing
from textual.content import Content
from textual.geometry import Region
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Faces
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.ascii import TABLE
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.results import Results, in_lines
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.widgets.banner import Banner
from fourtwenty.tui.widgets.big_letters import LARGE, SMALL, letter_rows, spelled

TWO = Lineup(seats=(Seat("Ann"), Seat("Zoë")), starting_seat=0)
THREE = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0)
WIN: Faces = (6, 5, 5, 4)


@pytest.mark.parametrize("font", [SMALL, LARGE], ids=["small", "large"])
def test_every_letter_and_digit_is_drawn(font: dict[str, tuple[str, ...]]) -> None:
    assert set(ascii_uppercase + digits + " '-.,!&+") == set(font)
    assert len({len(rows) for rows in font.values()}) == 1, "all are of one height"
    for character, rows in font.items():
        assert len({len(row) for row in rows}) == 1, f"all rows of {character} are of one width"
        assert "".join(rows).translate(TABLE).isascii()
    letters = [font[letter] for letter in ascii_uppercase]
    assert len(set(letters)) == len(letters), "no two letters look alike"


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Zoë", "ZOE"),
        ("Łukasz Groß", "LUKASZ GROSS"),
        ("e\N{COMBINING ACUTE ACCENT}", "E"),
        ("Ann-Marie O’Hara 2", "ANN-MARIE O'HARA 2"),
        ("김철수", None),
        ("🎲", None),
        ("[red]", None),
    ],
)
def test_names_are_spelled_without_accents(name: str, letters: str | None) -> None:
    assert spelled(name) == letters
    assert (letter_rows(name, large=True) is None) == (letters is None)


def test_letters_grow_in_both_directions() -> None:
    once, twice = letter_rows("Ben", large=True), letter_rows("Ben", large=True, scale=2)
    assert once
    assert twice
    assert (len(twice), len(twice[0])) == (2 * len(once), 2 * len(once[0]))


@pytest.mark.parametrize(("size", "rows"), [((60, 20), None), ((80, 24), 3), ((120, 40), 5), ((200, 60), 10)])
async def test_the_loser_is_named_over_the_whole_width(size: tuple[int, int], rows: int | None) -> None:
    async with playing(TWO, [WIN], size=size) as pilot:
        await pilot.rolls(0)
        screen = await pilot.results()
        assert screen.ended
        banner = screen.query_one(Banner)
        shown = str(banner.visual)
        if rows is None:
            assert shown == "Zoë buys the drinks"
            assert banner.has_class("-plain")
        else:
            assert len(shown.split("\n")) == 2 * rows + 1
            assert set(shown) <= set(" \n█▀▄")
        assert banner.region.width <= size[0]
        dice_beside = size[0] > 60
        await pilot.shows("Ann made 20 with the very first roll: 1 game in 20." + "    6   5   5   4" * dice_beside)
        await pilot.shows("Tonight   Ann –   Zoë ▕▆▏")
        lines = pilot.seen().splitlines()
        assert size[1] < 24 or not lines[0].strip(), "it has a margin"
        for said in ("Ann", "Zoë"):
            assert pilot.seen().count(said) <= 3, "nobody is told of twice besides the places and the tally"


async def test_letters_are_those_of_the_new_size() -> None:
    async with playing(TWO, [WIN], size=(60, 20)) as pilot:
        await pilot.rolls(0)
        banner = (await pilot.results()).query_one(Banner)
        rows = []
        for size in ((80, 24), (60, 20), (120, 40)):
            await pilot.resize_terminal(*size)
            rows.append(len(str(banner.visual).split("\n")))
        assert rows == [7, 1, 11]


async def test_letters_too_wide_beside_a_scrollbar_are_plain() -> None:
    seats = tuple(Seat(f"Player {number}") for number in range(1, 13))
    start = GAMES["ten-rounds"].parse(
        "*212:000000000 356:000100000 166:000000000 662:000000000 612:000003000 242:000000330 653:000010000 "
        "155:003000001 566:000000000 425:100000020 533:010000000 >356:000000000 roll 2 of 3"
    )
    async with playing(Lineup(seats, starting_seat=0, game="ten-rounds"), [(1, 1, 1)], start=start) as pilot:
        await pilot.turn(11)
        await pilot.press("s")
        banner = (await pilot.results()).query_one(Banner)
        assert "Player 6 wins with 6 points" in pilot.seen(), "seven rows of letters would need a scrollbar"
        assert banner.has_class("-plain")


async def test_on_a_phone_held_upright_the_end_takes_the_whole_width() -> None:
    async with playing(TWO, [WIN], size=(60, 44)) as pilot:
        await pilot.rolls(0)
        screen = await pilot.results()
        shown = str(screen.query_one(Banner).visual).split("\n")
        assert len(shown) == 3 * 5 + 2, "Zoë, buys the, drinks"
        assert max(map(len, shown)) > 45
        assert {button.region.width for button in screen.query(MouseButton)} <= {28, 29}
        buttons = [button.region for button in screen.query(MouseButton) if button.display]
        assert all(Region(0, 0, 60, 44).contains_region(part) for part in buttons)


@pytest.mark.parametrize("name", ["김철수", "a name of more letters than there is room for"])
async def test_other_names_are_shown_in_a_plain_sentence(name: str) -> None:
    async with playing(Lineup((Seat("Ann"), Seat(name)), starting_seat=0), [WIN]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        assert f"{name} buys the drinks" in pilot.seen()


async def test_the_tally_goes_on_in_a_rematch_and_in_the_lobby() -> None:
    lineup = Lineup(TWO.seats, starting_seat=0, first_to=3)
    async with playing(lineup, [WIN]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.shows("Tonight   Ann –   Zoë ▕▆▏")
        await pilot.press("q", to="Lobby")
        await pilot.shows("Tonight: Ann –, Zoë ▕▆▏")
    async with playing() as pilot:
        assert isinstance(pilot.app.screen, Lobby)
        pilot.app.screen.lineup = lineup
        await pilot.shows("Tonight: Ann –, Zoë ▕▆▏")


@pytest.mark.parametrize("key", ["q", "escape"])
async def test_a_key_leads_to_the_lobby(key: str) -> None:
    async with playing(TWO, [WIN]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.press(key, to="Lobby")


async def test_whoever_is_out_bets_on_the_end() -> None:
    async with playing(THREE, [WIN, (1, 1, 1, 1), WIN]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.click_on("b Bet", to="BetDialog")
        assert "Ann: who buys the drinks?" in pilot.seen()
        assert "▶ Ben" in pilot.seen()
        await pilot.press("down", shows="▶ Cleo")
        assert "▶ Ben" not in pilot.seen()
        screen = await pilot.results("enter")
        assert screen.match.bets == {0: 2}
        assert "Ann bet on Cleo." in pilot.seen()
        assert "b Bet" not in pilot.seen(), "one bet a person"


@pytest.mark.parametrize(("keys", "said"), [(["enter"], "wrong"), (["down", "enter"], "right")])
async def test_the_end_says_whether_a_bet_was_right(keys: list[str], said: str) -> None:
    async with playing(THREE, [WIN, WIN]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.press("b", *keys)
        await pilot.results()
        await pilot.press("enter")
        await pilot.rolls(1)
        assert (await pilot.results()).ended
        await pilot.shows(f": {said}")


@pytest.mark.parametrize("how", ["x", "space", "click"])
async def test_any_other_key_and_a_click_go_on_from_a_round(how: str) -> None:
    async with playing(THREE, [WIN]) as pilot:
        await pilot.rolls(0)
        screen = await pilot.results()
        for key in ("v", "question_mark"):
            await pilot.press(key)
            assert pilot.app.screen is not screen, "a key with an action of its own has it"
            await pilot.results("escape")
        await (pilot.click(screen.seats) if how == "click" else pilot.press(how))
        await pilot.turn(seat=1)


async def test_at_the_end_another_key_begins_nothing() -> None:
    async with playing(TWO, [WIN]) as pilot:
        await pilot.rolls(0)
        screen = await pilot.results()
        await pilot.press("x", "space")
        await pilot.click(screen.seats)
        await pilot.pause()
        assert pilot.app.screen is screen


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40), (200, 60)])
async def test_a_round_shows_the_deciding_throw_every_hand_and_what_follows(size: tuple[int, int]) -> None:
    four = replace(THREE, seats=(*THREE.seats, Seat("Dora")))
    throws: list[Faces] = [
        (6, 5, 5, 3),
        (4, 3, 3, 2),
        (6, 6, 5, 4),
        (5, 5, 5, 1),
        (2,),
        (4, 3, 3, 3),
        (6, 5, 4, 6),
        (5,),
    ]
    async with playing(four, throws, size=size) as pilot:
        await pilot.rolls(0, 1, 2, 3)
        for seat, keys in enumerate(["4r", "ar", "r", "4r"]):
            await pilot.turn(seat)
            await pilot.press(*keys)
        screen = await pilot.results()
        assert [(die.face, die.made, die.label) for die in screen.hand.dice] == [
            (5, False, ""), (5, False, ""), (5, False, ""), (5, True, "was 1"),
        ]  # fmt: skip
        assert [(row.place, row.name, row.dice) for row in screen.seats.rows] == [
            ("1st", "Dora", (5, 5, 5, 5)),
            ("", "Ann", (6, 5, 5, 2)), ("", "Ben", (4, 3, 3, 3)), ("", "Cleo", (6, 5, 4, 6)),
        ]  # fmt: skip
        for said in ("Dora is out on roll 8", "Ben starts round 2.", "Cleo was one away twice.", "was 1"):
            assert pilot.seen().count(said) == 1, said
        whole = Region(0, 0, *size)
        for part in (screen.hand, screen.seats, *screen.query("#headline, #tale, MouseButton")):
            assert whole.contains_region(part.region)
            assert not part.display or part.region.height
        await pilot.press("enter", turn=1)
        assert pilot.logged().endswith("Dora is out on roll 8. Ben starts round 2.")
        assert pilot.logged().count("Dora") == 3, "two rolls and the result"


async def test_the_end_has_the_order_of_places_with_the_last_hands() -> None:
    async with playing(THREE, [WIN, (6, 6, 6, 2)]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.press("enter")
        await pilot.rolls(1)
        screen = await pilot.results()
        assert [(row.place, row.name, row.dice) for row in screen.seats.rows] == [
            ("1st", "Ann", WIN), ("2nd", "Ben", (6, 6, 6, 2)), ("3rd", "Cleo", ()),
        ]  # fmt: skip


async def test_a_dozen_enters_before_the_result_is_painted_do_not_leave_it() -> None:
    async with playing(THREE, [WIN, (1, 1, 1, 1)]) as pilot:
        table = await pilot.turn(seat=0)
        assert isinstance(table, Table)
        pilot.burst(*["enter"] * 12)
        await pilot.results()
        assert pilot.stack() == ["Table", "Results"]


@pytest.mark.parametrize(("throws", "button"), [([WIN, (1, 1, 1, 1)], "round"), ([WIN], "rematch")])
async def test_a_result_is_seen_before_a_key_or_a_click_passes_it(
    throws: list[Faces], button: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FourTwentyApp, "settle_seconds", 3600)
    async with playing(THREE if button == "round" else TWO, throws) as pilot:
        await pilot.rolls(0)
        await until(lambda: isinstance(pilot.app.screen, Results) and pilot.app.screen.shown_at < inf)
        await pilot.pause()
        screen = pilot.app.screen
        assert isinstance(screen, Results)
        await pilot.press("enter", "a", "enter", "r", "space")
        for name in (button, "review"):
            x, y = screen.query_one(f"#{name}").region.center
            for event in messages(f"\x1b[<0;{x + 1:.0f};{y + 1:.0f}M\x1b[<0;{x + 1:.0f};{y + 1:.0f}m"):
                pilot.app.post_message(event)  # the pilot's clicks go past the app
        await pilot.pause()
        assert pilot.app.screen is screen, "it has not been seen long enough"
        monkeypatch.setattr(FourTwentyApp, "settle_seconds", 0)
        await pilot.press("enter")
        assert pilot.app.screen is not screen


async def test_a_result_settles_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FourTwentyApp, "settle_seconds", 0.01)
    async with playing(THREE, [WIN, (1, 1, 1, 1)]) as pilot:
        await pilot.rolls(0)
        await pilot.results()
        await pilot.press("enter", turn=1)


def test_there_is_no_wait_at_the_pace_without_waits() -> None:
    app = FourTwentyApp()
    assert app.settle_seconds == 0.7, "whoever types ahead has seen the result"
    app.settings = replace(app.settings, pace="at once")
    assert app.settle_seconds == 0


@pytest.mark.parametrize("width", range(1, 60))
def test_no_count_is_torn_from_its_name(width: int) -> None:
    parts = [Content(text) for text in ("Tonight", "Ann 2 wins", "Steady 3", "Dr No 0", "Cleo Ann 10")]
    lines = [line.plain for line in in_lines(parts, width)]
    assert "   ".join(lines) == "   ".join(part.plain for part in parts), "they are all there in order"
    for line in lines:
        assert len(line) <= width or line in [part.plain for part in parts], "a part alone may be too long"
