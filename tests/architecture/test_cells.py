"""Names in every script take the cells that terminals give them, so that no column behind them moves."""

from __future__ import annotations

import sys
from pathlib import Path
from unicodedata import category, east_asian_width

import pytest
from table_pilot import playing
from test_layers import MODULES, imports

from fourtwenty.__main__ import main
from fourtwenty.cells import cell_len
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Coaching, Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.widgets.seats import MARKS, Seats

CELLS = {
    "राजा": 4,
    "दीपिका": 6,
    "রানী": 4,
    "ગોપી": 4,
    "ਜੀਤਾ": 4,
    "தமிழ்": 4,
    "రాజు": 3,
    "ಮೋಹನ್": 4,
    "മോഹൻ": 4,
    "සුනිල්": 3,
    "សុខា": 3,
    "น้ำ": 2,
    "สมชาย": 5,
    "ﾊﾟﾋﾟ": 4,
    "はなこ": 6,
    "수진": 4,
    "Zoe\u0308": 3,
    "שָׂרָה": 3,
    "مُحَمَّد": 4,
}
"""The cells of names in tmux 3.3a and in xterm.js 6.0.0, which agree about all of them."""

NAMES = ("राजा", "দীপিকা", "தமிழ்", "Ben")


def in_a_terminal(text: str) -> int:
    """Return the cells of a text without emoji, from Unicode's categories alone."""
    return sum(
        0 if category(letter) in ("Mn", "Me", "Cf") else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def column(line: str, words: str) -> int:
    """Return the cell of a line of text at which these words begin."""
    return in_a_terminal(line[: line.index(words)])


@pytest.mark.parametrize("name", CELLS)
def test_a_name_takes_the_cells_of_terminals(name: str) -> None:
    assert cell_len(name) == in_a_terminal(name) == CELLS[name]


def test_every_spacing_vowel_sign_takes_a_cell_and_no_other_mark_does() -> None:
    marks = [chr(code) for code in range(sys.maxunicode) if category(chr(code)) in ("Mc", "Mn", "Me")]
    hangul_tones = "\u302e\u302f"  # and two signs for Chinese read in Vietnamese: two cells, if nobody knows them
    assert {cell_len(mark) for mark in marks if category(mark) == "Mc" and mark not in hangul_tones} == {1}
    assert {cell_len(mark) for mark in marks if category(mark) != "Mc"} == {0}


def test_one_module_measures() -> None:
    assert [module for module in MODULES if any(name.startswith("rich.cells") for name in imports(module))] == [
        "fourtwenty.cells"
    ]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("coach", ["off", "full"])
async def test_the_seats_of_a_table_stand_where_they_are_drawn(
    size: tuple[int, int], seats: int, coach: Coaching
) -> None:
    lineup = Lineup(tuple(map(Seat, NAMES[-seats:])), starting_seat=0, coach=coach)
    async with playing(lineup, [(6, 5, 5, 1)] * 4, size=size) as pilot:
        table = await pilot.turn()
        widget = table.query_one(Seats)
        lines = pilot.seen().split("\n")
        assert {in_a_terminal(line) for line in lines} == {size[0]}
        region = widget.content_region
        for seat, name in enumerate(NAMES[-seats:]):
            heading = f"{MARKS[seat]} {name}"
            y = next(y for y in range(region.y, region.bottom) if heading in lines[y])
            first = column(lines[y], heading) - seat % widget.seat_layout.columns * widget.seat_layout.pitch
            assert first == column(lines[region.y], f"{MARKS[0]} {NAMES[-seats]}"), "a pitch from seat to seat"


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
async def test_a_list_of_games_keeps_its_columns(history: History, size: tuple[int, int]) -> None:
    keep(history)
    async with playing(size=size) as pilot:
        await pilot.press("h", to="HistoryScreen")
        await pilot.shows("Ann, Ben")
        lines = pilot.seen().split("\n")
        assert {in_a_terminal(line) for line in lines} == {size[0]}
        assert len({column(line, "unfinished") for line in lines if "unfinished" in line}) == 1


def keep(history: History) -> None:
    """Keep two matches that wait, one of them with names that have vowel signs."""
    for number, names in enumerate((("Ann", "Ben"), NAMES[:3])):
        seats = tuple(map(Seat, names))
        match = Match(Lineup(seats, starting_seat=0), FairDice(bytes([number] * 32)), journal=history.journal())
        match.act(ROLL_ALL)


def test_the_table_of_the_history_keeps_its_columns(history: History, capsys: pytest.CaptureFixture[str]) -> None:
    keep(history)
    assert main(["history"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert {column(row, "unfinished") for row in rows} == {column(head, "how it ended")}


def test_the_table_of_a_simulation_keeps_its_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "राजा.py").write_text("def रानी(state):\n    return state.actions[0]\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert main(["simulate", "--players", "bot:राजा:रानी,bot:Steady", "--matches", "100", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line for line in lines if "±" in line]
    assert len({column(line, "±") for line in rows}) == 1, rows
