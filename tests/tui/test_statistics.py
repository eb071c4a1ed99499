"""Figures, what they come to over time, and the screen that shows them as pictures."""

from __future__ import annotations

import re
from functools import reduce
from operator import add
from random import Random

import pytest
from long_tests import PRODUCT
from run_sql import run_sql
from table_pilot import TablePilot, playing
from textual.app import ComposeResult
from textual.geometry import Region
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import Figures
from fourtwenty.odds import solver_for
from fourtwenty.play.dice import FairDice, ManualDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import SKILL_LEGEND, rounds_of, skill_figure
from fourtwenty.review.figures import kind_of, measured, skill_over_time
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.past_games.line_chart import LineChart
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.past_games.statistics_screen import Statistics
from fourtwenty.tui.textual_base.base_app import BaseApp
from fourtwenty.tui.widgets.row_list import RowList


def play(history: History, *names: str, game: str = "420", number: int = 0, typed: bool = False) -> Match:
    """Play a match by chance to its end; a number gives the same one again."""
    seats = tuple(Seat(name) for name in names)
    fair, chance = FairDice(bytes([number] * 32)), Random(number)
    match = Match(Lineup(seats, game=game), ManualDice(fair.seed) if typed else fair, journal=history.journal())
    throws = dict.fromkeys(range(len(seats)), 0)
    while not match.state.outcome:
        seat = match.state.to_act
        if seat is None:
            match.next_round()
            continue
        action = chance.choice(match.state.actions)
        throws[seat] += isinstance(action, Roll)
        faces = fair.throw(seat, throws[seat], action.dice) if isinstance(action, Roll) else ()
        match.record(Event(seat, action, faces))
    return match


def measure(history: History) -> None:
    for _ in measured(history):
        pass


# -- figures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", [False, True])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.long(*PRODUCT)
def test_a_match_is_measured_by_its_review(history: History, game: str, typed: bool) -> None:
    match = play(history, "Ann", "Ben", "Cleo", game=game, typed=typed)
    duel = play(history, "Ann", "Ben", game=game, number=1)
    measure(history)
    assert history.unmeasured() == ()
    two, three = history.page()
    ledgers = [reduce(add, (each.ledger(seat) for each in rounds_of(match))) for seat in range(3)]
    for sitting, ledger in zip(three.seats, ledgers, strict=True):
        figures = sitting.figures
        assert figures
        assert (figures.lost, figures.decisions, figures.luck) == (ledger.errors, ledger.decisions, ledger.luck)
        assert skill_figure(figures.lost, figures.decisions) == ledger.skill
    for start, seats in ((match.start, three.seats), (duel.start, two.seats)):
        last = solver_for(start).placement_odds(start).last
        assert [sitting.figures.drinks for sitting in seats if sitting.figures] == list(last or [None] * len(seats))


def test_measuring_can_be_stopped_and_goes_on_with_the_next_match(history: History) -> None:
    for number in range(3):
        play(history, "Ann", "Ben", number=number)
    kept = (number for number in measured(history) if number is not None)
    assert next(kept) == 3
    kept.close()
    assert history.unmeasured() == (2, 1)
    measure(history)
    assert history.unmeasured() == ()


def test_a_match_that_cannot_be_made_out_is_passed_over(history: History) -> None:
    play(history, "Ann", "Ben")
    play(history, "Ann", "Ben", number=1)
    run_sql(history, "UPDATE match SET lineup = '{}' WHERE id = 2")
    measure(history)
    assert history.unmeasured() == (2,)


def test_a_match_that_goes_on_after_all_keeps_no_figures(history: History) -> None:
    match = play(history, "Ann", "Ben", typed=True)
    steps = measured(history)
    assert next(steps) is None
    match.take_back()
    assert list(steps) == []
    assert [sitting.figures for sitting in history.page()[0].seats] == [None, None]
    history.measure(1, [Figures(0, 1, 0, 0.5)] * 2)
    assert [sitting.figures for sitting in history.page()[0].seats] == [None, None]


def test_totals_say_of_how_many_matches_the_chance_to_come_last_is_known(history: History) -> None:
    play(history, "Ann", "Ben", "Cleo", game="ten-rounds")
    play(history, "Ann", "Ben", game="ten-rounds", number=1, typed=True)
    measure(history)
    (total,) = history.statistics("Ann")
    assert (total.matches, total.measured, total.with_drinks) == (2, 2, 1)
    assert total.figures.drinks == pytest.approx(0.5)
    assert {kind for kind, _ in history.faces()} == {"fair", "typed"}


def test_the_course_of_figures_ends_with_their_sum(history: History) -> None:
    for number in range(7):
        play(history, "Ann", "Ben", number=number)
    assert history.cumulative_figures("Ann", "420") == ()
    measure(history)
    course = history.cumulative_figures("ann", "420")
    assert [matches for matches, _ in course] == [1, 2, 3, 4, 5, 6, 7]
    assert [matches for matches, _ in history.cumulative_figures("ann", "420", most=3)] == [1, 4, 7]
    (total,) = history.statistics("Ann")
    last = course[-1][1]
    assert last.decisions == total.figures.decisions
    assert (last.lost, last.luck) == pytest.approx((total.figures.lost, total.figures.luck))
    assert history.cumulative_figures("Ann", "421") == ()


def test_skill_over_time_looks_back_so_many_matches() -> None:
    def course(*lost: float) -> list[tuple[int, Figures]]:
        sums = [sum(lost[: number + 1]) for number in range(len(lost))]
        return [(number, Figures(each, 2 * number, 0, None)) for number, each in enumerate(sums, 1)]

    assert skill_over_time(course(2, 0, 0, 1), matches=2) == (100, 50, 0, 25)
    assert skill_over_time(course(2, 0, 0, 1), matches=20) == pytest.approx((100, 50, 100 / 3, 37.5))
    assert skill_over_time([(1, Figures(0, 0, 0.5, None)), (2, Figures(1, 4, 0, None))]) == (25,)
    assert skill_over_time([]) == ()


def test_names_by_matches_as_written_last(history: History) -> None:
    play(history, "ZOË", "Ben")
    play(history, "Zoë", "Ann")
    play(history, "Ann", "Zoë", number=1)
    Match(Lineup((Seat("Ann"), Seat("Dan"))), journal=history.journal())
    assert history.names() == (("Zoë", 3), ("Ann", 2), ("Ben", 1))
    assert history.names("zO") == (("Zoë", 3),)
    assert history.names(limit=1) == (("Zoë", 3),)
    assert history.names("dan") == (), "has finished no match yet"


async def chart(*values: float, size: tuple[int, int] = (40, 12)) -> list[str]:
    class Charted(BaseApp):
        CSS = "LineChart { width: 100%; height: 100%; }"

        def compose(self) -> ComposeResult:
            yield LineChart("{:.1f}%".format, least_top=1, id="chart")

    async with Charted().run_test(size=size) as pilot:
        shown = pilot.app.query_one(LineChart)
        shown.values, shown.ends = values, ("game 1", f"game {len(values)}")
        await pilot.pause()
        return [strip.text.rstrip() for strip in pilot.app.screen._compositor.render_strips()]


async def test_a_chart_of_one_game_draws_no_axes() -> None:
    assert not any(await chart(0.5))


async def test_a_flawless_player_has_a_line_along_nought() -> None:
    lines = await chart(0, 0, 0, 0)
    assert lines[9].startswith("   0 ┤⣀⣀⣀")
    assert lines[9].endswith("⣀●")
    assert not any("⣀" in line for line in lines[:9])
    assert lines[11].split() == ["game", "1", "game", "4"]


@pytest.mark.parametrize("size", [(38, 6), (70, 30)])
@pytest.mark.parametrize("games", [2, 20, 1000])
async def test_a_chart_of_any_number_of_games_fills_its_width(games: int, size: tuple[int, int]) -> None:
    lines = await chart(*(3.0 * (number % 2) for number in range(games - 1)), 1.5, size=size)
    assert lines[0].startswith(("3.0% ┤", "1.5% ┤"))
    assert max(map(len, lines)) == size[0]
    filled = {at for line in lines[:-2] for at, cell in enumerate(line) if cell == "●" or "⠀" < cell <= "⣿"}
    assert filled == set(range(6, size[0]))


async def test_negative_values_are_below_the_line_of_nought() -> None:
    lines = await chart(-1, 1, size=(40, 13))
    assert lines[0].startswith(" 1.0% ┤")
    assert lines[5].startswith("    0 ┤")
    assert "┄┄┄" in lines[5]
    assert lines[10].startswith("-1.0% ┤")


# -- the screen -------------------------------------------------------------------------------------------------------


async def statistics(pilot: TablePilot, name: str) -> Statistics:
    """Wait until the statistics show a name, with its pictures; return their screen."""

    await until(lambda: isinstance(pilot.app.screen, Statistics) and pilot.app.screen.is_mounted)
    await until(lambda: pilot.text("#caption").startswith(f"Statistics   {name}:"))
    await pilot.pause()
    await until(lambda: all(worker.is_finished for worker in pilot.app.workers))
    await pilot.pause()
    assert isinstance(pilot.app.screen, Statistics)
    return pilot.app.screen


async def opened(pilot: TablePilot) -> Statistics:
    await pilot.app.run_action("statistics")
    return await statistics(pilot, "You")


@pytest.fixture
def evening(history: History, monkeypatch: pytest.MonkeyPatch) -> History:
    """A history of an evening, which has its charts: all games, real dice too."""
    monkeypatch.setattr("fourtwenty.tui.past_games.statistics_screen.MIN_CHARTED", 1)
    for number in range(4):
        play(history, "You", "Ben", "Zoë", number=number)
    play(history, "You", "Ben", number=5, typed=True)
    play(history, "Zoë", "You", game="421", number=6)
    play(history, "Ben", "Zoë", "You", game="ten-rounds", number=7)
    measure(history)
    return history


@pytest.mark.usefixtures("evening")
@pytest.mark.long(*PRODUCT)
async def test_there_are_charts_from_ten_games_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for least, charted in ((6, False), (5, True)):
        monkeypatch.setattr("fourtwenty.tui.past_games.statistics_screen.MIN_CHARTED", least)
        async with playing() as pilot:
            screen = await opened(pilot)
            assert screen.query_one("#curves").display == charted, "of 420 there are five"


async def test_there_are_no_charts_of_many_games_of_which_few_are_measured(history: History) -> None:
    for number in range(12):
        play(history, "You", "Ben", number=number)
    next(each for each in measured(history) if each is not None)
    (total,) = history.statistics("You")
    assert (total.matches, total.measured) == (12, 1)
    async with playing() as pilot:
        screen = await opened(pilot)
        # the program goes on to measure the others
        await until(lambda: history.statistics("You")[0].measured == 12)
        await until(lambda: [len(curve.values) for curve in screen.query(LineChart)] == [12, 12])
        assert screen.query_one("#curves").display
        run_sql(history, "UPDATE seat SET lost = NULL WHERE match > 1")
        screen.reload()
        await statistics(pilot, "You")
        assert not screen.query_one("#curves").display
        assert "┤" not in pilot.seen()


async def test_what_the_matches_of_a_name_add_up_to(evening: History) -> None:
    (drinks, tab, _) = sorted(evening.statistics("You"), key=lambda total: list(GAMES).index(total.game))
    async with playing() as pilot:
        screen = await opened(pilot)
        assert "You: 7 finished games" in pilot.seen()
        assert re.search(rf"420 +5 +\d+ +1 +{drinks.figures.drinks:.1f} ", pilot.seen()), (
            "once last, beside what was expected"
        )
        faces = {kind: sum(counts) for kind, counts in evening.faces()}
        dice = f"All {faces['fair']} fair dice (nobody chose them): no more uneven than by chance"
        assert dice in pilot.seen()
        assert f"All {faces['typed']} real dice: no more uneven than by chance" in pilot.seen()
        assert [len(curve.values) for curve in screen.query(LineChart)] == [5, 5]
        assert SKILL_LEGEND in pilot.seen()
        assert "Skill: average loss, last 20 games" in pilot.seen()
        await pilot.press("g")
        await statistics(pilot, "You")
        assert re.search(r"421 +1 .* 0\.5 ", pilot.seen())
        assert dice in pilot.seen(), "the dice are of all games"
        await pilot.click_on("Four Twenty-One")
        await statistics(pilot, "You")
        await pilot.press("home")
        assert screen.games.cursor == 0
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby"]
    assert tab.matches == 1


@pytest.mark.usefixtures("evening")
async def test_another_name() -> None:
    async with playing() as pilot:
        await opened(pilot)
        await pilot.press("n", "z", "o")
        await until(lambda: pilot.app.screen.query_one("#found", RowList).length == 1)
        await pilot.press("enter")
        await statistics(pilot, "Zoë")
        await pilot.click_on("Another player")
        await until(lambda: pilot.app.screen.query_one("#found", RowList).length == 3)
        await pilot.click_on("Ben")
        await pilot.click_on("enter  Choose")
        await statistics(pilot, "Ben")


async def test_the_mistakes_of_a_game_and_practising_one(evening: History) -> None:
    kinds = evening.kinds("You", "420")
    async with playing(size=(80, 24)) as pilot:
        screen = await opened(pilot)
        assert "Mistakes, those" not in pilot.seen()
        await pilot.click_on("m Mistakes")
        assert "Mistakes, highest total cost first" in pilot.seen()
        assert f"▶ {kinds[0].kind}" in pilot.seen()
        assert not screen.query_one("#curves").display
        await pilot.press("down", "down", "up")
        assert screen.kind_list.cursor == 1
        await pilot.press("enter", to="Practice")
        assert "Practice   420 · my mistakes, 1 of " in pilot.seen()
        assert kinds[1].kind not in pilot.seen(), "it would give the answer away"
        practice = pilot.app.screen
        assert isinstance(practice, Practice)
        assert practice.puzzle.made is not None
        assert kind_of(practice.puzzle.made, practice.puzzle.choices[0]) == kinds[1].kind
        await pilot.press("q", to="Statistics")
        await pilot.press("g")
        await statistics(pilot, "You")
        assert evening.kinds("You", "421")[0].kind in pilot.seen()
        assert "left" in pilot.seen(), "the situation"
        await pilot.press("escape")
        assert screen.query_one("#curves").display
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby"]


async def test_nobody_without_mistakes_is_shown_an_empty_list(history: History) -> None:
    match = Match(Lineup((Seat("Ann", "Perfect"), Seat("Bob", "Steady"))), FairDice(bytes(32)))
    match.play_out()
    history.journal().begin(match)
    measure(history)
    async with playing() as pilot:
        assert isinstance(pilot.app, FourTwentyApp)
        pilot.app.lineup = match.lineup
        await pilot.app.run_action("statistics")
        await statistics(pilot, "Ann")
        await pilot.press("m")
        assert pilot.text("#sentence") == "No mistakes of Ann are known in 420."
        assert not pilot.app.screen.has_class("-mistakes")


async def test_nobody_has_statistics_before_the_first_match() -> None:
    async with playing() as pilot:
        await opened(pilot)
        assert "You have no finished games that count." in pilot.seen()


async def test_nothing_that_was_said_of_one_name_is_said_of_the_next(history: History) -> None:
    play(history, "Ann", "Ben", number=1)
    measure(history)
    assert history.kinds("Ann", "420")
    async with playing() as pilot:
        screen = await opened(pilot)
        assert pilot.text("#sentence") == "You have no finished games that count."
        await pilot.press("n", "a", "n", "n")
        await until(lambda: pilot.app.screen.query_one("#found", RowList).length == 1)
        await pilot.press("enter")
        await statistics(pilot, "Ann")
        assert pilot.text("#sentence") == ""
        await pilot.press("m")
        assert screen.shows_mistakes
        history.delete(1)
        screen.reload()
        await statistics(pilot, "Ann")
        assert pilot.text("#sentence") == "Ann has no finished games that count."
        assert not screen.shows_mistakes, "the mistakes of another state"
        await pilot.press("m", "enter", "escape")
        assert pilot.stack() == ["Lobby"]


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_everything_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        screen = await opened(pilot)
        for part in ("#games", "#sentence", "#skill", "#luck", "#dice"):
            assert Region(0, 0, *size).contains_region(screen.query_one(part).region)
            assert screen.query_one(part).region.area
        assert "real dice: no more uneven than by chance" in pilot.seen()
