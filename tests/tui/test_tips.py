"""Tips for newcomers: each until the player has done what it describes, and never twice in a game."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from table_pilot import TablePilot, playing
from waiting import until

from fourtwenty.file_storage import settings_file
from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Faces, Stand, State
from fourtwenty.journal.history import History
from fourtwenty.journal.settings import Settings
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.screens.match_flow import MatchFlow
from fourtwenty.tui.tips import FIRST_TIPS, LAST_TIPS, START, MatchTips

TWO = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)
UNDER: Faces = (6, 5, 4, 1)


def tip(pilot: TablePilot) -> str:
    """Return the tip on the screen; empty when there is none."""
    return found if (found := pilot.text("#advice")).startswith("Tip:") else ""


async def test_a_newcomer_sees_each_tip_at_its_moment_until_its_thing_was_done() -> None:
    throws: list[Faces] = [UNDER, UNDER, (2,), (6,), (1,), (1, 1, 1, 1), (1,)]
    shown = []
    async with playing(TWO, throws, tips=True) as pilot:
        for keys in ("r", "r", "4r", "4r", "4r", "r", "4r"):
            match = (await pilot.turn()).match
            shown.append(tip(pilot))
            await pilot.press(*keys)
            assert len(match.events) == len(shown)
        await pilot.turn()
        await pilot.press("h")
        await pilot.press("escape", "c")
    assert [each.split()[1] if each else "" for each in shown] == [
        "Press",
        "",
        "Click",
        "Keep",
        "Press",
        "Over",
        "Press",
    ]
    assert "h for a hint" in shown[4]
    assert "c to put" in shown[6]
    kept = Settings.load(settings_file()).learnt
    assert kept == ["420.keep", "420.over", "coach", "hint", "pick", "roll", START]


async def test_a_first_game_that_ends_at_once_uses_up_no_tip_that_was_not_its_own() -> None:
    async with playing(TWO, [(6, 5, 5, 4), (1, 1, 1, 1), UNDER, UNDER], tips=True) as pilot:
        await pilot.turn()
        assert "Press Enter" in tip(pilot)
        await pilot.results("r")
        await pilot.press("enter")
        for _ in range(2):
            await pilot.turn()
            assert not tip(pilot), "rolling needs no tip any more"
            await pilot.press("r")
        await pilot.turn()
        while "Click the dice" not in tip(pilot):
            await pilot.press("r")
            await pilot.turn()


async def test_no_tip_about_the_choice_is_left_while_the_faces_of_real_dice_are_typed() -> None:
    async with playing(replace(TWO, typed=True), tips=True) as pilot:
        for _ in TWO.seats:
            await pilot.turn()
            await pilot.press(*"6541", "enter")
        await pilot.turn()
        assert "press 1 to 4" in tip(pilot)
        await pilot.press("4", "enter")
        await pilot.turn()
        assert not tip(pilot), "1 to 4 are faces now"


async def test_no_tip_is_used_up_by_the_result_of_a_round_that_is_resumed(history: History) -> None:
    match = Match(replace(TWO, game="ten-rounds"), FairDice(bytes(range(32))), journal=history.journal())
    while match.state.to_act is not None:
        match.act(Stand() if Stand() in match.state.actions else match.state.actions[0])
    match.suspend()
    settings_file().write_text(json.dumps({"learnt": [START]}))
    async with playing(tips=True) as pilot:
        await until(lambda: isinstance(pilot.app.screen, Lobby) and pilot.app.screen.unfinished)
        await pilot.press("r")
        await pilot.turn()
        assert "Round 2" in pilot.text("#caption")
        assert tip(pilot) == f"Tip: {FIRST_TIPS[0].text}"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("against_bot", [True, False])
async def test_a_tip_goes_with_the_turn_that_it_is_for(
    game: str, against_bot: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    throw, told, left = MatchFlow._throw, list[str](), list[tuple[int, str]]()

    async def look_and_throw(flow: MatchFlow, before: State, event: Event) -> None:
        left.append((event.seat, str(flow.view.advice.content)))
        await throw(flow, before, event)

    monkeypatch.setattr(MatchFlow, "_throw", look_and_throw)
    fair = FairDice(bytes(32))
    monkeypatch.setattr(ScriptedDice, "throw", lambda _dice, seat, throw, dice: fair.throw(seat, throw, dice))
    lineup = Lineup((Seat("Ann"), Seat("Ben", bot="Steady" if against_bot else None)), starting_seat=0, game=game)
    async with playing(lineup, [UNDER], tips=True) as pilot:
        for keys in ("r", "1r", "1r", "1r"):
            await pilot.turn()
            told.append(tip(pilot))
            await pilot.press(*keys)
        await pilot.turn()
    assert sum(map(bool, told)) > 1
    assert {seat for seat, _ in left} == {0, 1}
    assert {shown for _, shown in left} == {""}, "nobody is asked while dice roll"


async def test_what_was_learnt_in_one_evening_is_not_told_in_the_next() -> None:
    for first in (True, False):
        async with playing(TWO, [UNDER, UNDER], tips=True) as pilot:
            await pilot.turn()
            assert bool(tip(pilot)) == first
            await pilot.press("r", turn=1)
            await pilot.press("q", to="Lobby")
    assert Settings.load(settings_file()).learnt == ["leave", "roll", START]


async def test_who_has_played_before_gets_no_tips() -> None:
    async with playing(TWO, [UNDER]) as pilot:
        await pilot.turn()
        await pilot.press("r")
    async with playing(TWO, [UNDER], tips=True) as pilot:
        await pilot.turn()
        assert not tip(pilot)


@pytest.mark.parametrize("bad", ['"roll"', "[1, null]", "{}", "null"])
def test_what_cannot_have_been_learnt_is_left_out(bad: str) -> None:
    settings_file().parent.mkdir(exist_ok=True)
    settings_file().write_text('{"learnt": ' + bad + "}")
    assert Settings.load(settings_file()).learnt == []


async def test_who_has_called_the_coach_in_the_lobby_is_not_told_how_to() -> None:
    throws: list[Faces] = [UNDER, UNDER, *[(1,)] * 8]
    shown = []
    async with playing(replace(TWO, coach="odds"), throws, tips=True) as pilot:
        for _ in throws:
            await pilot.turn()
            shown.append(tip(pilot))
            await pilot.press("4", "r")
        await pilot.turn()
    assert any("Press h" in each for each in shown)
    assert not any("Press c" in each for each in shown)


async def test_the_first_tip_of_421_comes_after_the_charge() -> None:
    lineup = Lineup(TWO.seats, starting_seat=0, game="421")
    async with playing(lineup, [(4, 2, 1), (1, 1, 2)] * 3, tips=True) as pilot:
        await pilot.turn()
        assert "Press Enter" in tip(pilot)


@pytest.mark.parametrize("game", GAMES)
def test_every_tip_fits_its_two_lines_and_has_a_name_of_its_own(game: str) -> None:
    all_tips = (*FIRST_TIPS, *GAMES[game].tips, *LAST_TIPS)
    assert len({each.name for each in all_tips}) == len(all_tips)
    assert all(len(f"Tip: {each.text}") <= 80 for each in all_tips)
    learnt: list[frozenset[str]] = []
    for save in (None, learnt.append, learnt.append):
        MatchTips(GAMES[game], save=save).dismiss("roll")
    assert learnt == [{"roll"}, {"roll"}]
