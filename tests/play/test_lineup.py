"""Seats and their names, and the file that keeps the last line-up."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from letters import LETTERS
from msgspec.structs import replace

from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import Lineup, Seat, check_name, free_name, parse_players

ODD_NAMES = ["[red]", "김철수", "🎲", "a, b", "Player 1", "日本 🍺 [/]", "👩‍🚀", "x" * 300]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_hold_any_characters(name: str) -> None:
    assert check_name(name, [Seat("Ann")]) is None


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "Enter a name."),
        ("  ", "Enter a name."),
        ("\u200b", "Enter a name."),
        ("Ann\u200b", "Ann\u200b is already at the table."),
        ("\u202eAnn", "A name is one line of text."),
        ("a\nb", "A name is one line of text."),
        ("\x1b[31m", "A name is one line of text."),
        ("Ann", "Ann is already at the table."),
        (" ann", "ann is already at the table."),
        ("Ann\ufe0f", "Ann\ufe0f is already at the table."),  # a variation selector
        ("A\u034fnn", "A\u034fnn is already at the table."),  # COMBINING GRAPHEME JOINER
        ("Ann\U000e0100", "Ann\U000e0100 is already at the table."),
        ("\ufff0Ann", "\ufff0Ann is already at the table."),  # ignorable, though not yet assigned
        ("\u034f\ufe0f", "Enter a name."),
        (" \u17b4\u3164 ", "Enter a name."),
    ],
)
def test_empty_and_doubled_names_are_refused_with_a_sentence(name: str, sentence: str) -> None:
    assert check_name(name, [Seat("Ann")]) == sentence


@pytest.mark.parametrize("name", ["👨\u200d👩\u200d👧", "❤\ufe0f", "Ann\ufe0f"])
def test_a_name_keeps_the_marks_that_are_not_compared(name: str) -> None:
    assert parse_players(f"{name},Ben")[0].name == name


@pytest.mark.parametrize("name", ["\u034f", "Ann\ufe0f"])
def test_a_stored_line_up_is_read_with_names_that_no_new_seat_gets(name: str) -> None:
    lineup = Lineup((Seat("Ann"), Seat(name)))
    assert Lineup.from_json(lineup.to_json()) == lineup
    assert lineup.check()


def test_a_bot_gets_a_number_beside_a_person_whose_name_looks_the_same() -> None:
    assert parse_players("Merry\ufe0f,bot:Merry")[1].name == "Merry 2"


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("Guest", [Seat("Guest"), Seat("guest 2")]) == "Guest 3"


def test_players_are_read_in_table_order() -> None:
    assert parse_players("Ann, bot:bold ,Steady,bot:Steady") == (
        Seat("Ann"),
        Seat("Bold", "Bold"),
        Seat("Steady"),
        Seat("Steady 2", "Steady"),
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Ann", "You need at least two players."),
        ("", "You need at least two players."),
        ("Ann,,Ben", "Enter a name."),
        ("Ann,ann", "ann is already at the table."),
        ("Ann,bot:", "'' isn't a bot."),
        ("Ann,bot:Nobody", "'Nobody' isn't a bot."),
    ],
)
def test_players_nobody_can_play_with_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(ValueError) as refusal:  # noqa: PT011 - the sentence is checked
        parse_players(text)
    assert str(refusal.value).startswith(sentence)


names = st.text(LETTERS, min_size=1).filter(lambda name: check_name(name, ()) is None)
seats = st.builds(Seat, names, st.sampled_from([None, *BOTS]))


TWO_SEATS = '"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": null}]'


@given(
    st.lists(seats, min_size=2, max_size=8).filter(lambda seats: Lineup(tuple(seats)).check() is None),
    st.none() | st.integers(0, 1),
    st.booleans(),
)
def test_a_line_up_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory,
    seats: list[Seat],
    first: int | None,
    monocolor: bool,
) -> None:
    kept = tmp_path_factory.mktemp("kept") / "deep" / "lineup.json"
    lineup = Lineup(tuple(seats), starting_seat=first, monocolor=monocolor)
    lineup.save(kept)
    assert Lineup.load(kept) == lineup
    assert [path.name for path in kept.parent.iterdir()] == ["lineup.json"]


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 100_000,
        '{"seats": []}',
        '{"seats": 3}',
        '{"seats": [{"name": "Ann", "bot": null}]}',
        '{"seats": [{"name": "Ann"}, {"name": "Ben"}]}',
        '{"seats": [{"name": "Ann", "bot": null}, {"name": "Ann", "bot": null}]}',
        '{"seats": [{"name": "Ann", "bot": null}, {"name": 7, "bot": null}]}',
        '{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": "Nobody"}]}',
        '{"seats": [{"name": "Ann", "bot": null}, {"name": "Ben", "bot": ["Bold"]}]}',
        f'{{{TWO_SEATS}, "first": 2}}',
        f'{{{TWO_SEATS}, "first": true}}',
        f'{{{TWO_SEATS}, "first": -1}}',
        f'{{{TWO_SEATS}, "first": 0.0}}',
        f'{{{TWO_SEATS}, "first_to": 4}}',
        f'{{{TWO_SEATS}, "game": "backgammon"}}',
        f'{{{TWO_SEATS}, "game": ["420"]}}',
        f'{{{TWO_SEATS}, "monocolor": "yes"}}',
        f'{{{TWO_SEATS}, "monocolor": 1}}',
        f'{{{TWO_SEATS}, "coach": true}}',
        f'{{{TWO_SEATS}, "typed": null}}',
    ],
)
def test_a_damaged_file_holds_no_line_up(tmp_path: Path, damage: str) -> None:
    kept = tmp_path / "lineup.json"
    kept.write_text(damage)
    with pytest.raises(ValueError, match=r"\S"):
        Lineup.load(kept)


def test_fields_of_other_versions_are_ignored(tmp_path: Path) -> None:
    kept = tmp_path / "lineup.json"
    kept.write_text(f'{{{TWO_SEATS}, "warning": 5, "coach": "full"}}')
    assert Lineup.load(kept) == Lineup((Seat("Ann"), Seat("Ben")), coach="full")


def test_the_stage_of_odds_of_the_coach_is_read_as_full_and_no_longer_written(tmp_path: Path) -> None:
    kept = tmp_path / "lineup.json"
    kept.write_text(f'{{{TWO_SEATS}, "coach": "odds"}}')
    assert Lineup.load(kept).coach == "full"
    Lineup.load(kept).save(kept)
    assert json.loads(kept.read_text())["coach"] == "full"


def test_a_file_that_is_not_text_holds_no_line_up(tmp_path: Path) -> None:
    (tmp_path / "lineup.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match=r"\S"):
        Lineup.load(tmp_path / "lineup.json")


def test_no_file_is_no_line_up(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"lineup\.json"):
        Lineup.load(tmp_path / "lineup.json")


def test_the_file_can_be_read_by_anyone(tmp_path: Path) -> None:
    kept = tmp_path / "lineup.json"
    replace(Lineup(), starting_seat=1).save(kept)
    assert json.loads(kept.read_text())["seats"][1] == {"name": "Merry", "bot": "Merry"}
