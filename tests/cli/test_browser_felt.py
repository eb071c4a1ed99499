"""The game on a page that draws views: every action comes as JSON, and every view says what may come next."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fake_page import FakePage, FakeStorage, handed_over
from waiting import until

from fourtwenty import file_storage
from fourtwenty.cli import browser_felt
from fourtwenty.cli.browser_felt import FeltPage, FeltTable
from fourtwenty.cli.browser_page import NO_TABLE
from fourtwenty.file_storage import history_file, is_absent
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.games.game import Faces, Roll
from fourtwenty.games.replay import replay
from fourtwenty.journal.history import History
from fourtwenty.journal.links import PuzzleLink, Target, link
from fourtwenty.journal.record import Record
from fourtwenty.odds import tables
from fourtwenty.odds.bar_421_first import has_rows
from fourtwenty.play.clock import today
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.flow import Flow
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.practice import daily
from fourtwenty.review.figures import measured

ANN_AND_BEN = (Seat("Ann"), Seat("Ben"))
ANN_AND_STEADY = (Seat("Ann"), Seat("Steady", "Steady"))
FULL = "the storage of this browser is full"
HOME = "https://example.org/"

View = dict[str, Any]


class ViewingPage(FakePage):
    """A page that keeps the views."""

    playing: asyncio.Task[Any]
    """The program."""

    def __init__(self) -> None:
        super().__init__()
        self.views: list[View] = []

    def show(self, shown: str) -> None:
        self.views.append(json.loads(shown))

    @property
    def view(self) -> View:
        return self.views[-1]

    @property
    def names(self) -> list[str]:
        """The names of the buttons."""
        return [name for name, _ in self.view["menu"]]

    async def after(self, act: Callable[[], object]) -> View:
        """Do something, and return the view that follows."""
        shown = len(self.views)
        act()
        await until(lambda: len(self.views) > shown or self.playing.done())
        assert not self.playing.done(), self.playing.exception()
        return self.view

    async def send(self, **act: Any) -> View:
        return await self.after(lambda: browser_felt.send("act", json.dumps(act)))

    async def press(self, *names: str) -> View:
        """Press one button after the other, by the beginnings of their names."""
        for name in names:
            go = self.view["go"]
            if go and go[0].startswith(name):
                await self.send(go=go[0])
            else:
                await self.send(menu=next(each for each in self.names if each.startswith(name)))
        return self.view

    async def roll(self, *dice: int) -> View:
        return await self.send(roll=dice, event=self.view["events"])

    async def play_on(self) -> View:
        """Make the first choice that is offered, or go on to the next round."""
        ask = self.view["ask"]
        if not ask:
            return await self.press("round")
        if ask["stand"] == "":
            return await self.send(stand=True, event=ask["event"])
        first = next(pick for pick, (refusal, *_) in ask["choices"].items() if not refusal)
        return await self.roll(*map(int, first))

    async def play_out(self) -> View:
        while not self.view["result"]:
            await self.play_on()
        return self.view


@pytest.fixture(autouse=True)
def storage(monkeypatch: pytest.MonkeyPatch) -> FakeStorage:
    storage = FakeStorage()
    monkeypatch.setattr(file_storage, "storage", None)
    monkeypatch.setattr(tables, "fetch", None)
    monkeypatch.setattr(browser_felt, "felt", None)
    return storage


@asynccontextmanager
async def played(page: ViewingPage, program: Coroutine[Any, Any, object]) -> AsyncIterator[ViewingPage]:
    """Start a program for a page, and end it as a tab that is closed does."""
    page.playing = asyncio.create_task(program)
    try:
        await page.after(lambda: None)
        yield page
    finally:
        page.playing.cancel()
        with suppress(asyncio.CancelledError):
            await page.playing


def opened(storage: FakeStorage | None = None, **asked: Any) -> AbstractAsyncContextManager[ViewingPage]:
    page = ViewingPage()
    return played(page, browser_felt.play(page, storage or FakeStorage(), json.dumps(asked)))


def table_of(
    throws: list[Faces], seats: tuple[Seat, ...] = ANN_AND_STEADY, game: str = "420"
) -> AbstractAsyncContextManager[ViewingPage]:
    """Play a match with these throws, outside of the home."""
    page = ViewingPage()
    browser_felt.felt = FeltPage(page)
    match = Match(Lineup(seats, starting_seat=0 if game == "420" else None, game=game), ScriptedDice(throws))
    table = FeltTable(match, browser_felt.felt)
    return played(page, Flow(table.turns, table, asyncio.sleep).play())


def begun(history: History, seats: tuple[Seat, ...] = ANN_AND_BEN, game: str = "420", typed: bool = False) -> Match:
    lineup = Lineup(seats, starting_seat=0 if game == "420" else None, game=game, typed=typed)
    dice = None if typed else FairDice(bytes(32))
    return Match(lineup, dice, journal=history.journal(), identifier="0" * 32)


def over(history: History, seats: tuple[Seat, ...] = ANN_AND_BEN) -> Match:
    match = begun(history, seats)
    match.play_out(lambda: match.state.actions[-1])
    return match


# -- a table -------------------------------------------------------------------------------------------------------


async def test_a_question_comes_with_every_throw_since_the_last_one() -> None:
    async with table_of([(6, 5, 5, 1), (4, 3, 3, 2), (1,)]) as page:
        view = page.view
        assert view["line"] == "You start. Your turn."
        assert (view["title"], view["caption"], view["events"], view["throws"]) == ("420", "Round 1 of 1", 0, [])
        assert view["ask"]["picked"] == [1, 2, 3, 4]
        assert (view["menu"], view["go"], view["before"]) == ([["leave", "Leave"]], None, None)
        view = await page.roll(1, 2, 3, 4)
        mine, bots = view["throws"]
        assert mine == {
            "seat": 0, "dice": [1, 2, 3, 4], "faces": [6, 5, 5, 1], "stake": "A 4 makes 20!",
            "line": "You rolled 6 5 5 1: 17.",
        }  # fmt: skip
        assert (bots["seat"], bots["faces"]) == (1, [4, 3, 3, 2])
        assert [seat["dice"] for seat in view["before"]["seats"]] == [[], []], "no hand is seen before it falls"
        assert (view["before"]["ask"], view["before"]["result"]) == (None, None)
        assert bots["line"] == "Steady rolled 4 3 3 2: 12."
        assert view["line"] == "Steady rolled 4 3 3 2: 12. Your turn."
        assert [(seat["name"], seat["mine"], seat["acts"]) for seat in view["seats"]] == [
            ("Ann", True, True),
            ("Steady", False, False),
        ]
        view = await page.send(roll=[4], event=1)
        assert view["throws"] == [], "what has been shown falling is not shown again"


async def test_the_end_tells_what_was_rare_below_the_result() -> None:
    page = ViewingPage()
    browser_felt.felt = FeltPage(page)
    match = Match(Lineup(ANN_AND_STEADY, starting_seat=0), ScriptedDice([(6, 5, 5, 4)]))
    match.act(ROLL_ALL)
    async with played(page, FeltTable(match, browser_felt.felt).ask_at_end()):
        assert page.view["result"] == ["Steady buys the drinks."]
        assert page.view["news"] == ["You made 20 with the very first roll: 1 game in 20."]


async def test_people_at_one_phone_take_turns_under_their_names() -> None:
    async with table_of([(6, 5, 5, 1), (4, 3, 3, 2)], ANN_AND_BEN) as page:
        assert page.view["line"] == "Ann starts. Ann, your turn."
        assert [seat["mine"] for seat in page.view["seats"]] == [True, False]
        view = await page.roll(1, 2, 3, 4)
        assert view["line"] == "Ann rolled 6 5 5 1: 17. Ben, your turn."
        assert [seat["mine"] for seat in view["seats"]] == [False, True]


async def test_the_stand_of_a_bot_is_told_with_the_throw_before_it() -> None:
    seats = (Seat("Steady", "Steady"), Seat("Ann"))
    throws: list[Faces] = [(6,), (1,), (6, 5, 4)]
    async with table_of(throws, seats, "ten-rounds") as page:
        view = page.view
        assert [throw["seat"] for throw in view["throws"]] == [0], "the throws for the start fall unseen"
        assert view["before"]["line"] == "Steady starts."
        assert view["events"] == 4
        assert view["throws"][-1]["line"].endswith(" Steady stood with 6 5 4: Unmatched.")


async def test_a_round_that_everybody_survives_has_a_button_and_goes_on() -> None:
    throws: list[Faces] = [(6,), (1,), (6, 5, 4), (5, 5, 4)]
    async with table_of(throws, ANN_AND_BEN, "ten-rounds") as page:
        for _ in range(3):  # Ann rolls and stands, Ben has no second roll then
            view = await page.play_on()
        assert view["go"] == ["round", "Next round"]
        assert (view["ask"], view["result"]) == (None, None)
        assert view["line"] == "Ben rolled 5 5 4: Double 5, in the lead. Ben gets the point."
        view = await page.press("round")
        assert view["caption"].startswith("Round 2")
        assert view["ask"]


async def test_the_charge_of_421_plays_itself_to_its_end() -> None:
    async with opened() as page:
        view = await page.press("421", "421 Merry")
        assert view["caption"].startswith("Charge ")
        assert view["news"][0].endswith((" starts.", " start."))
        assert re.search(r"take(s)? \d+ tokens from the pot\.$", view["news"][1])
        assert "the last " in view["line"]
        assert (view["ask"], view["go"], view["throws"]) == (None, ["round", "Next round"], [])
        view = await page.press("round")
        assert view["caption"].startswith("Discharge ")


@pytest.mark.parametrize("players", ["Merry", "Two", "Three", "Both"])
@pytest.mark.parametrize("game", GAMES)
async def test_a_match_of_each_game_to_its_end_and_a_rematch(game: str, players: str) -> None:
    async with opened() as page:
        await page.press(game, f"{game} {players}")
        first, begins = page.view["match"], len(page.views) - 1
        assert page.table_of == first
        view = await page.play_out()
        with closing(History(history_file(), pytest.fail)) as history:
            match = history.match(1)
        assert match.identifier == first
        assert match.state.outcome
        chosen = [each.event for each in replay(match.start, match.events) if not each.before.automatic]
        thrown = [(each.seat, list(each.faces)) for each in chosen if isinstance(each.action, Roll)]
        shown = [throw for each in page.views[begins:] for throw in each["throws"]]
        assert [(throw["seat"], throw["faces"]) for throw in shown] == thrown
        assert [bool(each["throws"]) for each in page.views] == [bool(each["before"]) for each in page.views]
        assert all(sum(seat["mine"] for seat in each["seats"]) == 1 for each in page.views[begins:])
        for each in page.views[begins:]:
            acting = [seat["name"] for seat in each["seats"] if seat["mine"] and seat["acts"]]
            assert bool(acting) == bool(each["ask"])
        assert (view["go"], view["menu"]) == (["rematch", "Play again"], [["home", "Home"]])
        assert page.persists
        assert page.table_of == "", "a reload begins at the home"
        view = await page.press("rematch")
        assert view["match"] not in ("", first)
        assert page.table_of == view["match"]
        assert not view["result"]
        with closing(History(history_file(), pytest.fail)) as history:
            assert history.find(view["match"]) == 2


# -- what is refused -----------------------------------------------------------------------------------------------


async def test_what_the_rules_forbid_is_explained_and_changes_nothing() -> None:
    async with table_of([(6, 4, 2, 1), (4, 3, 3, 2)]) as page:
        before = await page.roll(1, 2, 3, 4)
        for act, why in (
            ({"roll": [1, 2]}, "2 + 1 = 3. You need at least 10 to keep two dice."),
            ({"roll": [1, 1]}, "Dice are named by number, from 1, each once."),
            ({"roll": [12]}, "There is no die 12: a hand has four."),
            ({"roll": [-1]}, "Dice are named by number, from 1, each once."),
            ({"stand": True}, "You can't pass in 420: every turn is a roll."),
        ):
            view = await page.send(**act, event=2)
            assert view["news"] == [why]
            assert {**view, "news": []} == {**before, "news": [], "throws": [], "before": None}


STRANGE = [
    {}, {"roll": [1, 2, 3, 4]}, {"roll": [1, 2, 3, 4], "event": 1}, {"roll": [1, 2, 3, 4], "event": -1},
    {"roll": [], "event": 0}, {"roll": "all", "event": 0}, {"roll": [True], "event": 0}, {"roll": [1.5], "event": 0},
    {"roll": [1, 2, 3, 4], "event": "0"}, {"roll": [1, 2, 3, 4], "event": 10**30}, {"stand": True}, {"menu": "home"},
    {"menu": "420"}, {"menu": ""}, {"menu": ["leave"]}, {"go": "round"}, {"go": "leave"}, {"menu": None}, [], 5, None,
]  # fmt: skip


@pytest.mark.parametrize("text", [*map(json.dumps, STRANGE), "", "{", "\ud800", "[" * 100_000, '{"a":' * 100_000])
async def test_what_is_stale_or_malformed_shows_the_same_view_again(text: str) -> None:
    async with table_of([(6, 4, 2, 1), (4, 3, 3, 2)]) as page:
        before = page.view
        view = await page.after(lambda: browser_felt.send("act", text))
        assert view == before
        await page.roll(1, 2, 3, 4)
        assert page.view["events"] == 2, "the question is still there"


async def test_a_second_act_on_a_view_is_dropped() -> None:
    async with table_of([(6, 4, 2, 1), (4, 3, 3, 2)], ANN_AND_BEN) as page:
        browser_felt.send("act", '{"roll": [1, 2, 3, 4], "event": 0}')
        await page.roll(1, 2, 3, 4)
        assert page.view["events"] == 1
        assert len(page.views) == 2
    browser_felt.send("act", '{"roll": [1, 2, 3, 4], "event": 1}')  # nobody is asked any more
    browser_felt.send("feed", "x")


# -- the home ------------------------------------------------------------------------------------------------------


HOME_OF_NOBODY = [*GAMES, "practice", "terminal"]
"""The buttons before the first game."""


async def test_the_home_offers_what_there_is(history: History) -> None:
    async with opened() as page:
        assert page.names == HOME_OF_NOBODY
        view = page.view
        assert (view["title"], view["seats"], view["ask"], view["result"]) == ("420", [], None, None)
        await page.press("terminal")
        assert page.names == HOME_OF_NOBODY, "the page itself opens it"
    over(history)
    begun(history).act(ROLL_ALL)
    async with opened() as page:
        assert page.names == ["resume 2", *GAMES, "past", "statistics", "practice", "terminal"]
        assert page.view["menu"][0][1].startswith("Resume 420: Ann, Ben, ")
        assert page.view["menu"][0][1].endswith(" – Ben to roll")


async def test_a_game_that_was_left_is_resumed_with_the_same_dice() -> None:
    async with opened() as page:
        await page.press("420", "420 Two")
        view = await page.play_on()
        identifier, seats, line = view["match"], view["seats"], view["line"]
        view = await page.press("leave")
        assert view["news"] == ["Game saved."]
        assert page.table_of == ""
        view = await page.press("resume")
        assert (view["match"], view["seats"], view["line"], view["throws"]) == (identifier, seats, line, [])
        assert page.table_of == identifier
        assert view["news"] == [], "it has been said"
        await page.play_on()
        assert page.view["events"] == 2


async def test_a_game_that_nobody_has_rolled_in_leaves_nothing() -> None:
    async with opened(link="p=%2A6551%20%3E4332%20roll%202") as page:
        view = await page.press("leave")
        assert view["news"] == ["This game isn't saved."]
        assert page.names[0] == "420"


async def test_a_game_between_two_rounds_is_resumed_with_its_result(history: History) -> None:
    match = begun(history, game="ten-rounds")
    while match.state.to_act is not None:
        match.act(match.state.actions[-1])
    async with opened() as page:
        view = await page.press("resume")
        assert view["go"] == ["round", "Next round"]
        assert view["line"].endswith(f"{match.state.report(match.names).headline}.")
        view = await page.press("round")
        assert view["caption"].startswith("Round 2")
        assert view["events"] == len(match.events)
        assert "starts. " in view["line"]


async def test_real_dice_are_for_the_terminal(history: History) -> None:
    begun(history, typed=True).act(ROLL_ALL, (6, 5, 5, 1))
    async with opened() as page:
        view = await page.press("resume")
        assert view["go"] == ["terminal", "Open in the terminal"]
        await page.press("home")
        assert page.names[0] == "resume 1"


async def test_a_game_that_another_window_plays_is_left(history: History) -> None:
    begun(history).act(ROLL_ALL)
    async with opened() as page:
        await page.press("resume")
        history.resume(1)
        view = await page.play_on()
        assert view["news"] == ["This game is now being played in another window."]
        assert page.table_of == ""


async def test_a_resumed_game_that_is_gone_is_a_sentence(history: History) -> None:
    begun(history).act(ROLL_ALL)
    async with opened() as page:
        history.delete(1)
        view = await page.press("resume")
        assert view["news"] == ["This game can't be resumed: there is no game 1."]
        assert page.names[0] == "420"


async def test_past_games_are_reviewed(history: History) -> None:
    over(history)
    over(history)
    begun(history).act(ROLL_ALL)
    async with opened() as page:
        await page.press("past")
        assert page.names == ["past 2", "past 1", "home"]
        assert page.view["menu"][0][1].startswith("420, ")
        assert page.view["menu"][0][1].endswith(" buys the drinks")
        view = await page.press("past 1")
        assert view["news"][0].startswith("420 with Ann, Ben. ")
        assert view["news"][1] == "Round 1."
        assert any(line.startswith("Ann kept ") for line in view["news"])
        again = await page.send(menu="420")
        assert again == view
        await page.press("past")
        assert page.names == ["past 2", "past 1", "home"]
        await page.press("home")
        assert page.view["news"] == []


async def test_the_statistics_are_those_of_the_person_here(history: History) -> None:
    over(history, (Seat("You"), Seat("Steady", "Steady")))
    async with opened() as page:
        view = await page.press("statistics")
        assert re.match(r"You, 420: 1 game, last 0 times \(0\.5 expected\)\. Skill: 7\.16 points\. ", view["news"][0])
        assert page.names == ["home"]


async def test_a_history_that_is_damaged_is_said(history: History) -> None:
    begun(history).act(ROLL_ALL)
    history.close()
    history_file().write_bytes(b"SQLite format 3\0" + bytes(5000))
    async with opened() as page:
        assert page.names == HOME_OF_NOBODY
        assert len(page.view["news"]) == 1


async def test_a_history_that_cannot_be_read_is_said() -> None:
    history_file().mkdir(parents=True)
    async with opened() as page:
        assert page.names == HOME_OF_NOBODY
        (news,) = page.view["news"]
        assert news.startswith("The history cannot be read: ")


# -- practice ------------------------------------------------------------------------------------------------------


async def test_practice_asks_one_position_after_the_other(history: History) -> None:
    async with opened() as page:
        view = await page.press("practice", "practice 420")
        assert view["events"] == 0
        assert view["line"] == "What would you roll?"
        assert [seat["mine"] for seat in view["seats"]].count(True) == 1
        refused = await page.send(roll=[9], event=0)
        assert refused["news"] == ["There is no die 9: a hand has four."]
        view = await page.roll(1, 2, 3, 4)
        assert view["ask"] is None
        assert view["line"].startswith("Not the best: it costs ")
        assert history.scorecard().tried == 1
        view = await page.press("next")
        assert view["events"] == 1
        stale = await page.send(roll=[1, 2, 3, 4], event=0)
        assert stale["ask"] == view["ask"], "an answer to the puzzle before this one counts no more"
        await page.press("home")
        assert page.names[0] == "420"


async def test_the_puzzle_of_the_day_is_asked_once_and_then_shown(history: History) -> None:
    async with opened() as page:
        await page.press("practice", "practice daily")
        puzzle = daily("420", today())
        best = puzzle.choices[0].action
        assert isinstance(best, Roll)
        view = await page.roll(*best.dice)
        assert view["line"].startswith("Correct, that's best. Keep ")
        await page.press("next")
        assert page.names[0] == "420"
        view = await page.press("practice", "practice daily")
        assert view["ask"] is None
        assert view["line"].startswith("Your first answer was right. Keep ")
    assert history.scorecard().days == {("420", today()): True}


async def test_own_mistakes_are_asked_until_there_is_none(history: History) -> None:
    async with opened() as page:
        view = await page.press("practice", "practice mine")
        assert view["news"] == ["No mistakes yet: they come from finished games."]
    over(history, (Seat("You"), Seat("Steady", "Steady")))
    assert [*measured(history)]
    due = history.due("You", 0)["420"]
    async with opened() as page:
        await page.press("practice", "practice mine")
        for number in range(due):
            assert page.view["events"] == number
            await page.play_on()
            await page.press("next")
        assert page.view["news"][0].endswith(f" of {due} right at the first try.")


# -- the start -----------------------------------------------------------------------------------------------------


def first_page() -> Match:
    seats = (Seat("You"), Seat("Merry", "Merry"), Seat("Merry 2", "Merry"))
    match = Match(Lineup(seats), FairDice(bytes(range(32))), identifier="5" * 32)
    for _ in range(5):
        match.act(match.bot_action() if match.bot_to_act else match.state.actions[-1])
    return match


async def test_the_game_of_the_first_page_goes_on(history: History) -> None:
    match = first_page()
    async with opened(game=handed_over(match)) as page:
        assert page.taken_over
        assert page.table_of == page.view["match"] == "5" * 32
        assert page.view["ask"]
        seen = page.view["events"]
    assert history.match(1).events[:5] == match.events
    async with opened(game=handed_over(match)) as page:
        assert page.taken_over, "it is here already, and there once only"
        assert page.view["events"] == seen
    async with opened(table="5" * 32) as page:
        assert page.view["events"] == seen, "a reload resumes it"
    assert history.count(unfinished=True) == 1


@pytest.mark.parametrize("change", [{"seed": "z"}, {"rolls": [[1]]}, {"players": []}, {"bot": "Nobody"}])
async def test_a_game_of_the_first_page_that_cannot_be_is_left_there(change: dict[str, Any]) -> None:
    async with opened(game={**handed_over(first_page()), **change}) as page:
        assert not page.taken_over
        assert page.view["news"][0].startswith("The game of the first page can't go on here: ")
        assert page.names[0] == "420"


async def test_a_reload_of_a_game_that_is_not_here_begins_at_the_home() -> None:
    async with opened(table="0" * 32) as page:
        assert page.names[0] == "420"


@pytest.mark.parametrize("text", ["*6551 >4332 roll 2", "*>665=-:8 665=-:13 round 9 roll 1"])
async def test_a_link_opens_its_position_and_writes_nothing_before_a_roll(text: str) -> None:
    (state,) = (state for game in GAMES.values() for state in parsed(game.parse, text))
    async with opened(link=link(state, HOME).partition("#")[2]) as page:
        assert page.view["ask"]
        assert page.view["line"] == "Your turn."
        assert sum(seat["mine"] for seat in page.view["seats"]) == 1
        assert is_absent(history_file())
        await page.play_on()
        identifier = page.view["match"]
    async with opened(link=link(state, HOME).partition("#")[2], seen=True, table=identifier) as page:
        assert page.view["match"] == identifier
        assert page.view["events"]


def parsed(parse: Callable[[str], Any], text: str) -> list[Any]:
    try:
        return [parse(text)]
    except ValueError:
        return []


def fragment(target: Target) -> str:
    return str(link(target, HOME)).partition("#")[2]


@pytest.mark.parametrize("game", GAMES)
async def test_a_link_opens_the_puzzle_of_its_day(game: str, history: History) -> None:
    async with opened(link=fragment(PuzzleLink(game, date(2026, 11, 22)))) as page:
        assert page.view["line"] == daily(game, date(2026, 11, 22)).question
        assert page.view["title"] == GAMES[game].name
        await page.play_on()
        await page.press("next")
        assert page.names == HOME_OF_NOBODY
    assert not history.scorecard().days, "another day's answer is not saved"


async def test_a_day_to_come_has_no_puzzle_yet() -> None:
    async with opened(link=fragment(PuzzleLink("420", date(9999, 1, 1)))) as page:
        assert page.view["news"] == ["That day's puzzle isn't out yet."]


async def test_a_link_opens_a_finished_game_with_its_review(history: History) -> None:
    match = over(history)
    async with opened(link=fragment(Record.from_match(match))) as page:
        assert page.view["line"].startswith("OK: 420, Ann, Ben; ")
        assert page.view["news"][0].startswith("420 with Ann, Ben. ")
        assert page.names == ["home"]


async def test_a_link_to_a_game_that_is_not_over_is_a_sentence(history: History) -> None:
    match = begun(history)
    match.act(ROLL_ALL)
    async with opened(link=fragment(Record.from_match(match))) as page:
        assert page.view["news"] == ["This game isn't over yet. A link can only show finished games."]


async def test_a_link_that_leads_nowhere_is_a_sentence() -> None:
    async with opened(link="nonsense") as page:
        assert page.view["news"] == ["This link leads nowhere: perhaps a part of it is missing."]
        assert page.names[0] == "420"


async def test_a_link_while_the_page_is_open() -> None:
    position = "p=%2A6551%20%3E4332%20roll%202"
    async with opened() as page:
        await page.press("420", "420 Two")
        view = await page.after(lambda: browser_felt.open_link(position))
        assert view["news"] == ["Leave this game first, then open the link once more."]
        await page.press("leave")
        view = await page.after(lambda: browser_felt.open_link(position))
        assert view["caption"].startswith("Round 1")
        assert [seat["name"] for seat in view["seats"]] == ["Perfect", "You"]


async def test_the_way_back_leaves_the_page_from_the_home_only() -> None:
    assert browser_felt.back(), "there is no game"
    browser_felt.open_link("p=")
    async with opened() as page:
        assert browser_felt.back()
        await page.press("420", "420 Two")
        await page.after(browser_felt.back)
        assert "practice" in page.names
        await page.press("practice")
        await page.after(browser_felt.back)
        assert page.names[-1] == "terminal"


# -- the storage ---------------------------------------------------------------------------------------------------


async def test_nothing_is_shown_that_is_not_kept(storage: FakeStorage) -> None:
    async with opened(storage) as page:
        await page.press("420", "420 Two")
        storage.answer = FULL
        view = await page.play_on()
        assert view["menu"] == [["again", "Try again"], ["play", "Play on unsaved"], ["leave", "Leave"]]
        assert view["line"] == "This game can't be saved right now. The storage of this browser is full."
        assert (view["events"], view["throws"], view["ask"]) == (0, [], None)
        view = await page.press("again")
        assert "again" in page.names
        storage.answer = None
        view = await page.press("again")
        assert (view["events"], len(view["throws"])) == (1, 1)
        assert view["ask"]


async def test_people_play_on_unsaved_until_it_is_saved_again(storage: FakeStorage) -> None:
    async with opened(storage) as page:
        await page.press("420", "420 Two")
        storage.answer = FULL
        await page.play_on()
        view = await page.press("play")
        assert view["events"] == 1
        storage.answer = None
        view = await page.play_on()
        assert view["events"] == 2
        assert view["news"] == ["This game is saved again."]


async def test_a_game_that_cannot_be_saved_is_left(storage: FakeStorage) -> None:
    async with opened(storage) as page:
        await page.press("420", "420 Two")
        storage.answer = FULL
        await page.play_on()
        view = await page.press("leave")
        assert view["news"][0] == "This game isn't saved."


async def test_while_it_is_being_saved_nobody_is_asked(storage: FakeStorage) -> None:
    async with opened(storage) as page:
        await page.press("420", "420 Two")
        storage.answer, tries, shown = "", storage.tries, len(page.views)
        await asyncio.sleep(0)
        browser_felt.send("act", '{"roll": [1, 2, 3, 4], "event": 0}')
        await until(lambda: storage.tries > tries)
        browser_felt.send("act", '{"menu": "leave"}')
        assert not browser_felt.back(), "a match is running"
        assert len(page.views) == shown
        storage.answer = None
        await until(lambda: len(page.views) > shown)
        assert page.view["events"] == 1


async def test_without_its_table_421_of_four_goes_on_by_estimates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tables, "table_file", lambda name: tmp_path / name)
    has_rows.cache_clear()
    async with opened() as page:
        assert not has_rows(4)
        await page.press("practice")
        assert page.view["news"] == [NO_TABLE]
    has_rows.cache_clear()
