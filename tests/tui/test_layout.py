"""Keys of other keyboards: what is meant where no field has the focus, and what a field gets."""

from __future__ import annotations

import pytest
from table_pilot import playing
from textual.events import Key
from textual.keys import _character_to_key
from textual.widgets import Input
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.input.layout import BY_PLACE, CYRILLIC, GREEK, translate_key

BOUND = {*"12345raqchs", "enter", "ctrl+q", "minus"}


def key(character: str) -> Key:
    return Key(_character_to_key(character), character)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        *zip("&é\"'", "1234", strict=True),
        *zip("RACHSQ", "rachsq", strict=True),
        *zip("кфйсры", "raqchs", strict=True),
        *zip("КФЙ", "raq", strict=True),
        *zip("ρας", ["r", "a", "w"], strict=True),
        *zip("１２", "12", strict=True),
        *zip("١٢٣٤", "1234", strict=True),
        ("ｒ", "r"),
        ("(", "5"),
        ("r", "r"),
    ],
)
def test_the_key_that_is_meant(typed: str, expected: str) -> None:
    assert translate_key(key(typed), {*BOUND, "w"}).key == expected


@pytest.mark.parametrize("typed", ["-", "ж", "€", "ß", "ł", "^"])
def test_what_is_bound_or_means_nothing_stays(typed: str) -> None:
    assert translate_key(key(typed), BOUND).key == key(typed).key


def test_no_letter_of_a_latin_keyboard_is_read_by_its_place() -> None:
    assert all(ord(letter) > 0x24F for letter in {**CYRILLIC, **GREEK})
    assert len(BY_PLACE) == 10 + len(CYRILLIC) + len(GREEK)


TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
CHOICE = GAMES["420"].parse("*6551 >6551 roll 2")


@pytest.mark.parametrize("typed", ["&", "１", "١", "1"])
async def test_a_die_is_selected_by_every_digit(typed: str) -> None:
    async with playing(TWO, start=CHOICE) as pilot:
        table = await pilot.turn()
        pilot.app.post_message(key(typed))
        await until(lambda: table.selection == {1})


@pytest.mark.parametrize("typed", ["A", "ф", "Ф", "α", "ａ"])
async def test_all_dice_are_selected_by_every_a(typed: str) -> None:
    async with playing(TWO, start=CHOICE) as pilot:
        table = await pilot.turn()
        pilot.app.post_message(key(typed))
        await until(lambda: table.selection == {1, 2, 3, 4})


async def test_a_key_that_means_nothing_is_said_to() -> None:
    async with playing(TWO, start=CHOICE) as pilot:
        await pilot.turn()
        pilot.app.post_message(key("€"))
        await pilot.shows("€ does nothing here. F1 shows the keys.")
        await pilot.press("1")
        assert "does nothing" not in pilot.seen()
        await pilot.press("q")
        await pilot.reaches("Lobby")
        pilot.app.post_message(key("€"))
        await pilot.shows("€ does nothing here. F1 shows the keys.")


async def test_a_field_gets_what_was_typed() -> None:
    async with playing() as pilot:
        await pilot.press("a", to="SeatDialog")
        for each in (*map(key, "Яé&"), Key("alt+backspace", None), *map(key, "Жан ")):
            pilot.app.post_message(each)
        await until(lambda: pilot.app.screen.query_one(Input).value == "Жан ")


async def test_escape_and_backspace_in_one_read_are_two_keys_without_a_field() -> None:
    async with playing(TWO, start=CHOICE) as pilot:
        table = await pilot.turn()
        await pilot.press("1", "2")
        pilot.app.post_message(Key("alt+backspace", None))
        await until(lambda: not table.selection)


async def test_real_dice_are_typed_by_every_digit() -> None:
    async with playing(Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0, typed=True)) as pilot:
        table = await pilot.turn()
        for typed in "&é１٤":
            pilot.app.post_message(key(typed))
        await until(lambda: table.manual_faces.faces == (1, 2, 1, 4))
