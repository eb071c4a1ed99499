"""A position typed in the lobby, and the game and its seed copied at the end of a match."""

from __future__ import annotations

from table_pilot import playing

from fourtwenty.journal.record import Record, fingerprint, write_record
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.review.match_text import match_text
from fourtwenty.tui.dialogs.line_dialogs import PositionDialog


async def test_a_match_starts_from_a_position_typed_in_the_lobby() -> None:
    async with playing() as pilot:
        await pilot.press("o")
        await pilot.option("Start from a position", "enter")
        await pilot.reaches("PositionDialog")
        assert "*>- - roll 1" in pilot.seen()
        await pilot.press(*"*>6552 -", "enter")
        assert isinstance(pilot.app.screen, PositionDialog), "a position that cannot be is explained"
        assert "A position is written as '*6551 >4332 x1 roll 2'." in pilot.text("#sentence")
        await pilot.press("ctrl+u", *"*>6551 4332 4332 roll 2", "enter")
        assert "The position has 3 players, the table has 2." in pilot.text("#sentence")
        await pilot.press("ctrl+u", *"6554 *4332 roll 2", "enter")
        assert "The round is over there." in pilot.text("#sentence")
        await pilot.press("ctrl+u", *"*>6551 4332 roll 2")
        assert pilot.text("#sentence").startswith("Round 1 of 1")
        await pilot.press("enter")
        table = await pilot.turn(seat=0)
        assert [table.match.state.hand(seat) for seat in (0, 1)] == [(6, 5, 5, 1), (4, 3, 3, 2)]
        assert "Round 1 of 1" in pilot.text("#caption")
        await pilot.press("q", to="Lobby")


async def test_the_game_is_copied_and_the_seed_where_it_is_shown() -> None:
    bots = Lineup(seats=(Seat("Steady", "Steady"), Seat("Bold", "Bold")), starting_seat=0)
    async with playing(bots) as pilot:
        report = await pilot.results()
        card = match_text(report.match)
        await pilot.press("y")
        assert card.splitlines()[0] in pilot.seen(), "it is seen before it is sent"
        assert pilot.app.clipboard == ""
        await pilot.press("enter")
        assert pilot.app.clipboard == card
        assert pilot.text("#sentence") == "Sent to your terminal's clipboard."
        await pilot.press("f", "y")
        assert report.match.dice.seed is not None
        seed, seal = report.match.dice.seed.hex(), report.match.dice.commitment
        record = fingerprint(write_record(Record.from_match(report.match)))
        assert pilot.app.clipboard == f"seed {seed}\ncommitment {seal}\nrecord {record}\n"
