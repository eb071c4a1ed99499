"""Lists of names, pasted as a column, as a row or with the commas of another script, in terminals of both kinds."""

from __future__ import annotations

import pytest
from table_pilot import TablePilot, playing
from textual.events import Key, Paste
from textual.widgets import Input
from waiting import until

from fourtwenty.play.lineup import FIRST_SEATS
from fourtwenty.rooms.local_machine import SeatRequest
from fourtwenty.rooms.tui.dialogs import JoinDialog
from fourtwenty.rooms.wire.room_session import RoomSession
from fourtwenty.tui.input.sequences import InputParser, Lines
from fourtwenty.tui.screens.lobby import Lobby


class Reader:
    """Feed the app the bytes of a terminal; each part is one read."""

    def __init__(self, pilot: TablePilot, marks_pastes: bool) -> None:
        self.pilot = pilot
        self.parser = InputParser(marks_pastes=marks_pastes)

    async def read(self, *parts: str) -> None:
        assert self.pilot.app._driver
        for part in parts:
            for message in self.parser.feed(part):
                self.pilot.app._driver.process_message(message)
        await self.pilot.pause()

    async def names(self) -> str:
        """Return who sits at the table once the dialog has been left."""
        await self.pilot.reaches("Lobby")
        lobby = self.pilot.app.screen
        assert isinstance(lobby, Lobby)
        return " ".join(seat.name for seat in lobby.lineup.seats)


@pytest.mark.parametrize(
    "pasted",
    [
        "Ann\nBen\nCleo",
        "Ann\r\nBen\r\nCleo\r\n",
        "\nAnn\rBen\r\rCleo",
        "Ann\tBen\tCleo",
        "\tAnn\t\tBen\nCleo\t\n",
        "Ann; Ben;Cleo",
        "Ann，Ben、Cleo；",
        " Ann, Ben,\n Cleo",
        "Ann\u2028Ben\x85Cleo",
    ],
)
async def test_all_names_of_a_list_sit_down(pasted: str) -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("a")
        await reader.read(f"\x1b[200~{pasted}\x1b[201~")
        assert pilot.app.screen.query_one(Input).value.rstrip(",") == "Ann, Ben, Cleo"
        await reader.read("\r")
        assert await reader.names() == "Ann Ben Cleo"


async def test_typed_commas_of_another_script_count() -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("a", *"安，本、克；丹", "\r")
        assert await reader.names() == "安 本 克 丹"


async def test_a_pasted_name_that_cannot_sit_down_is_named() -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("a", "\x1b[200~Ann\nBen\nann\x1b[201~", "\r")
        assert pilot.text("#sentence") == "ann is already at the table."


async def test_names_are_pasted_behind_a_name() -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("a", "Ann", "\x1b[200~\nBen\nCleo\x1b[201~", "\r")
        assert await reader.names() == "Ann Ben Cleo"


async def test_players_of_this_machine_are_pasted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    async def join(address: str, seat_request: SeatRequest) -> RoomSession:
        raise ValueError(f"{address}: {[seat.name for seat in seat_request.players]}")

    monkeypatch.setattr("fourtwenty.rooms.wire.room_session.join", join)
    async with playing() as pilot:
        await pilot.app.push_screen(JoinDialog(SeatRequest()))
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("\x1b[200~\nHere\x1b[201~", "\x1b[B", "\x1b[200~Ann\tbot:Steady\nCleo\x1b[201~", "\r")
        await pilot.shows("Here: ['Ann', 'Steady', 'Cleo']")


async def test_another_field_begins_with_the_first_line_that_has_text() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Start from a position", "enter")
        await pilot.reaches("PositionDialog")
        pilot.app.post_message(Paste("\n\n*6551 >4332 roll 2\nBen"))
        await until(lambda: pilot.app.screen.query_one(Input).value == "*6551 >4332 roll 2")


# -- terminals that do not mark pasted text ----------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [["Ann\rBen\rCleo"], ["Ann", "\rBen\rCleo\r"], ["\nAnn\nBen\nCleo\n"]])
async def test_pasted_lines_are_no_commands_of_the_lobby(parts: list[str]) -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=False)
        await reader.read("a")
        await reader.read(*parts)
        assert pilot.stack() == ["Lobby", "SeatDialog"]
        await reader.read("\r")
        assert await reader.names() == "Ann Ben Cleo"


@pytest.mark.parametrize("marks_pastes", [True, False])
@pytest.mark.parametrize("parts", [["a", "Cleo\r\rh"], ["aCleo\r\rh"], ["a", "C", "l", "eo", "\r", "\r", "h"]])
async def test_keys_typed_ahead_count(marks_pastes: bool, parts: list[str]) -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes)
        await reader.read(*parts)
        await pilot.shows("Past games")
        await reader.read("q")
        assert await reader.names() == " ".join([*(seat.name for seat in FIRST_SEATS), "Cleo"])


@pytest.mark.parametrize("marks_pastes", [True, False])
async def test_lines_typed_before_a_field_is_there_are_keys(marks_pastes: bool) -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes)
        await reader.read("aAnn\r\raBen\raCleo\r")
        assert await reader.names() == " ".join([*(seat.name for seat in FIRST_SEATS), "Ann", "Ben", "Cleo"])


async def test_a_slow_link_makes_no_paste_where_pastes_are_marked() -> None:
    async with playing() as pilot:
        reader = Reader(pilot, marks_pastes=True)
        await reader.read("a", "Ann\r\raBen\r")
        assert await reader.names() == " ".join([*(seat.name for seat in FIRST_SEATS), "Ann", "Ben"])


@pytest.mark.parametrize("text", ["Ann", "Ann\r", "\r", "Ann\rs", "Ann\rBen\rC", "Ann\r\x1b[A", "a\x03\rBen"])
def test_other_reads_are_keys(text: str) -> None:
    assert all(isinstance(message, Key) for message in InputParser(marks_pastes=False).feed(text))


def test_lines_inside_a_sequence_are_none() -> None:
    parser = InputParser(marks_pastes=False)
    messages = [*parser.feed("\x1b[200~"), *parser.feed("Ann\rBen"), *parser.feed("\x1b[201~")]
    (paste,) = messages
    assert isinstance(paste, Paste)
    assert not isinstance(paste, Lines)
