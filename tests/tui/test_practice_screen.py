"""Practice as it is used, on the screen and in lines of text."""

from __future__ import annotations

import asyncio
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import pytest
from busy_history import held
from plain_input import input_lines
from repeated_mistakes import save_matches
from run_sql import run_sql
from table_pilot import TablePilot, driving, playing
from textual.geometry import Region
from waiting import MAX_WAIT_SECONDS, until

from fourtwenty.cli.arguments import parse
from fourtwenty.cli.text_practice import TextPractice, TextPracticeSession
from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, Roll
from fourtwenty.journal.history import History
from fourtwenty.journal.practice_sources import Daily, Drawn, Mine
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.play.clock import seconds, today
from fourtwenty.play.match import SaveError
from fourtwenty.play.practice import DAY, PracticeOptions, daily, drawn_puzzle, kept_dice, yesterday_words
from fourtwenty.review.figures import measured
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.past_games.practice_screen import Practice
from fourtwenty.tui.screens.lobby import Lobby

SUNDAY = date(2026, 11, 22)


async def opened(pilot: TablePilot, key: str = "p") -> Practice:
    await pilot.press(key)
    await until(lambda: isinstance(pilot.app.screen, Practice) and pilot.app.screen.is_mounted)
    await pilot.pause()
    assert isinstance(pilot.app.screen, Practice)
    return pilot.app.screen


def kept() -> Scorecard:
    with closing(History(history_file(), pytest.fail)) as history:
        return history.scorecard()


def drawn(practice: Practice) -> int:
    assert isinstance(practice.source, Drawn)
    return practice.source.session.number


async def choose(pilot: TablePilot, action: Action) -> None:
    if isinstance(action, Roll):
        await pilot.press(*map(str, action.dice), "enter")
    else:
        await pilot.press("s")


async def test_answers_are_judged_and_kept() -> None:
    async with playing() as pilot:
        practice = await opened(pilot)
        assert pilot.text("#caption") == "Practice   420"
        puzzle = practice.puzzle
        assert "three dice   15 or more" in pilot.text("#verdict"), "the guide has the place of the choices"
        await choose(pilot, puzzle.choices[0].action)
        assert "Correct, that's best." in pilot.text("#verdict")
        assert "15 or more" not in pilot.text("#verdict")
        assert puzzle.choices[0].action == Roll(tuple(practice.selection))
        await pilot.press("enter")
        assert practice.puzzle != puzzle
        await choose(pilot, practice.puzzle.choices[1].action)
        assert "Try again. Press w to see why." in pilot.text("#verdict")
        await pilot.click_on("Why")
        assert "Not the best: it costs" in pilot.text("#verdict")
        assert " rather than " in pilot.text("#verdict")
        assert "1 of 2 right (50%)" in pilot.text("#caption")
        assert kept() == Scorecard(right=1, tried=2)
        await pilot.press("escape")
        assert pilot.stack() == ["Lobby"]


async def test_no_guide_is_shown_to_who_switched_it_off() -> None:
    async with playing() as pilot:
        pilot.app.add_class("-no-guide")
        await opened(pilot)
        assert (
            pilot.text("#verdict") == "Which choice is best? Your first answer counts; a wrong one can be tried again."
        )


async def test_the_daily_puzzle_of_each_game() -> None:
    async with playing() as pilot:
        practice = await opened(pilot, "d")
        assert practice.puzzle == daily("420", today())
        await pilot.press("y")
        assert pilot.app.clipboard == practice.puzzle.state.to_text()
        await choose(pilot, practice.puzzle.choices[0].action)
        await pilot.press("y")
        await pilot.shows(practice.source.to_send.splitlines()[1])
        await pilot.press("enter")
        assert pilot.app.clipboard == practice.source.to_send
        await pilot.press("escape")
        assert pilot.text("#caption").endswith("1 of 1 right (100%)")
        await pilot.press("g")
        assert practice.puzzle == daily("421", today())
        assert len(practice.hand.dice) == 3
        assert "1 of 1 right (100%)" in pilot.text("#caption")
        await pilot.press("q")
        assert pilot.stack() == ["Lobby"]


async def test_escape_clears_the_selection_before_it_leaves() -> None:
    async with playing() as pilot:
        practice = await opened(pilot)
        await pilot.press("1", "2", "escape")
        assert (practice.selection, pilot.app.screen) == (frozenset(), practice)
        pilot.burst("escape", "g")
        await pilot.reaches("Lobby")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await until(lambda: lobby.lineup.game == "421")


async def test_practice_from_the_command_line_ends_in_the_lobby() -> None:
    app = FourTwentyApp(practice=PracticeOptions("ten-rounds"))
    async with driving(app) as pilot:
        pilot.burst("n", "n")
        await until(lambda: isinstance(app.screen, Practice) and drawn(app.screen) == 3)
        assert "Practice   Four Twenty-One" in pilot.seen()
        assert app.screen.query_one("#why-panel").region.x > 30, "the style sheet of the screen is read"
        for _ in list(GAMES)[2:]:
            await pilot.press("g")
        assert "Practice   420" in pilot.seen()
        await pilot.press("q", to="Lobby")
        await pilot.press("p", to="Practice")


async def test_of_two_windows_with_the_puzzle_of_the_day_the_first_answer_counts_in_both(history: History) -> None:
    puzzle = daily("420", today())
    best, worse = (choice.action for choice in puzzle.choices[:2])
    assert isinstance(worse, Roll)
    sentence = "The first answer of the day counts: it was wrong."
    async with playing() as pilot:
        practice = await opened(pilot, "d")
        other = TextPracticeSession(history, "", pytest.fail).daily("420")
        asked = await other.next()
        assert asked
        assert other.note(asked.answer(worse)) == ""
        await choose(pilot, best)
        assert isinstance(practice.source, Daily)
        assert pilot.text("#line") == sentence
        assert "0 of 1 right (0%)" in pilot.text("#caption")
        assert ": wrong at the first try\n⬜⬜⬜⬜⬜⬜🟥\n" in practice.source.to_send
        assert practice.source.to_send == other.to_send
        assert history.scorecard() == other.session.scorecard == practice.source.session.scorecard
        assert other.note(asked.answer(best)) == sentence


async def test_an_answer_waits_for_another_program_to_write(history: History) -> None:
    async with playing() as pilot:
        practice = await opened(pilot)
        with held():
            await choose(pilot, practice.puzzle.choices[0].action)
            assert "1 of 1 right" in pilot.text("#caption")
        await until(lambda: history.scorecard() == Scorecard(1, 1))
        assert not pilot.app._notifications


async def test_answers_that_cannot_be_kept_live_until_the_program_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(History, "save_answers", Mock(side_effect=SaveError("the disk is full")))
    async with playing() as pilot:
        practice = await opened(pilot, "d")
        await choose(pilot, practice.puzzle.choices[0].action)
        assert pilot.text("#line") == "This answer is not saved: the disk is full."
        assert not pilot.app._notifications
        await pilot.press("q")
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await pilot.shows("Today's puzzle: d   · · · · · · ●")
        await pilot.press("d")
        await until(lambda: pilot.app.screen is not practice and isinstance(pilot.app.screen, Practice))
        await pilot.pause()
        assert pilot.text("#caption").endswith("1 of 1 right (100%)")
        assert pilot.text("#verdict").startswith("Your first answer was right.")


async def test_the_day_opened_again_shows_its_answer_the_run_and_yesterday(history: History) -> None:
    days = {0: False, 1: True, 2: True, 3: False}
    history.save_answers([FirstAnswer("420", today() - timedelta(ago), right) for ago, right in days.items()])
    async with playing() as pilot:
        practice = await opened(pilot, "d")
        best = practice.puzzle.choices[0]
        assert practice.puzzle == daily("420", today())
        assert pilot.text("#verdict").startswith("Your first answer was wrong.\n")
        assert practice.solved
        assert practice.selection == frozenset(best.action.dice if isinstance(best.action, Roll) else ())
        assert f"rather than {kept_dice(practice.puzzle.choices[1])}:" in pilot.text("#verdict")
        assert "▶" not in pilot.text("#verdict"), "the answer of then is unknown"
        assert f"· · · × ● ● ×\n{yesterday_words(daily('420', today() - timedelta(1)), True)}" in pilot.text("#verdict")
        await pilot.press("a", "enter", to="Lobby")
        assert history.scorecard().tried == len(days), "nothing is counted again"
        await pilot.press("g")
        practice = await opened(pilot, "d")
        assert not practice.solved, "each game has its own"
        assert "in a row" not in pilot.text("#verdict")


@pytest.mark.parametrize(("keys", "answer"), [("p", "Skip"), ("ggp", "Skip"), ("d", "")])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_bar_has_every_key_with_its_name(size: tuple[int, int], keys: str, answer: str) -> None:
    async with playing(size=size) as pilot:
        await pilot.press(*keys[:-1])
        practice = await opened(pilot, keys[-1])
        bar = pilot.seen().split("\n")[-1]
        others = "g Game m Mine q Back" if answer else "g Game q Back"
        assert re.search(f"Select .*enter Answer .*{others} +│ F1 Keys$", re.sub(" +", " ", bar).strip()), bar
        await choose(pilot, practice.puzzle.choices[0].action)
        bar = pilot.seen().split("\n")[-1]
        assert re.search(f"Select .*enter Go on .*{others} .*│ F1 Keys$", re.sub(" +", " ", bar).strip()), bar


@pytest.mark.parametrize("game", range(3))
async def test_dice_and_reasons_are_beside_each_other_from_80_columns(game: int) -> None:
    async with playing(size=(80, 24)) as pilot:
        practice = await opened(pilot)
        await pilot.press(*"g" * game)
        await pilot.press("a", "enter", "w")
        panel = practice.query_one("#why-panel")
        assert practice.hand.region.right <= panel.region.x
        assert practice.query_one("#next").region.bottom <= panel.region.bottom
        lines = pilot.text("#verdict").split("\n")
        (heads,) = (line for line in lines if " keep " in line)
        assert len(heads) <= panel.content_size.width, "a row of the choices has a line"


@pytest.mark.parametrize("size", [(60, 20), (100, 30), (200, 60)])
async def test_everything_lies_inside_the_screen(size: tuple[int, int]) -> None:
    async with playing(size=size) as pilot:
        await opened(pilot)
        await pilot.press("a", "enter", "w")
        await pilot.pause()
        screen = Region(0, 0, *size)
        assert all(map(screen.contains_region, pilot.parts()))
        assert screen.contains_region(pilot.app.screen.query_one("#why-panel").region)
        assert pilot.app.screen.query_one("#why-panel").region.height > 2


# -- the own mistakes ------------------------------------------------------------------------------------------------


@pytest.fixture
def evenings(history: History) -> History:
    """A history of matches of You and Ben with mistakes in 420 and in 421, which have been gone through."""
    save_matches(history, 12, slips=0.3)
    save_matches(history, 8, "421", slips=0.3)
    for _ in measured(history):
        pass
    return history


async def mine(pilot: TablePilot) -> Practice:
    """Open practice and go over to the own mistakes."""
    practice = await opened(pilot)
    if not isinstance(practice.source, Mine):  # the lobby knew of none that are due
        await pilot.press("m")
    await until(lambda: isinstance(practice.source, Mine))
    await pilot.pause()
    return practice


async def test_the_own_mistakes_are_asked_and_come_back_later(evenings: History) -> None:
    due = evenings.due("You", seconds())
    async with playing() as pilot:
        await pilot.shows(f"{due['420'] + due['421']} of your mistakes are due: p")
        practice = await mine(pilot)
        total = due["420"] + due["421"]
        assert pilot.text("#caption") == f"Practice   420 · my mistakes, 1 of {total}"
        assert practice.puzzle.made is not None
        await choose(pilot, practice.puzzle.made.action)
        assert "Same mistake: it costs" in pilot.text("#verdict")
        await pilot.press("w", "enter")
        assert f"420 · my mistakes, 2 of {total}   0 of 1 right" in pilot.text("#caption")
        await choose(pilot, practice.puzzle.choices[0].action)
        await until(lambda: evenings.due("You", seconds()) == {**due, "420": due["420"] - 2})
        assert evenings.due("You", seconds() + DAY)["420"] == due["420"] - 1, "the wrong one"
        assert evenings.scorecard() == Scorecard(1, 2)
        await pilot.press("g")
        await until(lambda: f"Practice   421 · my mistakes, 1 of {total - 2}" in pilot.text("#caption"))
        assert len(practice.hand.dice) == 3
        await pilot.press("m")
        assert pilot.text("#caption").startswith("Practice   421   1 of 2 right")
        await pilot.press("q", shows=f"{total - 2} of your mistakes are due: p")


async def test_the_last_of_the_own_mistakes_ends_practice(evenings: History) -> None:
    first, *others = evenings.stored_puzzles("You", "420", seconds())
    *rest, last = evenings.stored_puzzles("You", "421", seconds())
    for stored_puzzle in (*others, *rest):
        evenings.answered(stored_puzzle, True, seconds())
    async with playing() as pilot:
        practice = await mine(pilot)
        assert pilot.text("#caption") == "Practice   420 · my mistakes, 1 of 2"
        assert practice.puzzle.state == first.state
        await choose(pilot, practice.puzzle.choices[0].action)
        await pilot.press("enter", shows="Practice   421 · my mistakes, 2 of 2")
        assert str(practice.puzzle.state.to_text()) == last.state.to_text()
        await choose(pilot, practice.puzzle.choices[0].action)
        await pilot.click_on("Go on")
        assert pilot.stack() == ["Lobby"]
        await pilot.shows("2 of 2 right at the first try.")


async def test_own_mistakes_are_looked_for_before_they_are_asked(history: History) -> None:
    save_matches(history, 12, slips=0.3)
    run_sql(history, "UPDATE event SET faces = '1111' WHERE match = 2 AND number = 0")
    async with playing() as pilot:
        assert "mistakes due" not in pilot.seen()
        practice = await mine(pilot)
        await until(lambda: not history.unmeasured())
        word = "1 game is left out of figures and mistakes: damaged."
        await until(lambda: word in pilot.notes())
        await until(lambda: all(worker.is_finished for worker in pilot.app.workers))
        await pilot.press("n")
        due = history.due("You", seconds())["420"]
        caption = pilot.text("#caption")
        assert f"Practice   420 · my mistakes, 2 of {due}" in caption, "all of them, whenever they were found"
        await pilot.press("m", "m")
        await until(lambda: all(worker.is_finished for worker in pilot.app.workers))
        assert pilot.notes().count(word) == 1, "once is enough"
        assert isinstance(practice.source, Mine)


async def test_what_is_not_found_in_time_is_asked_at_the_next_question(
    history: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_matches(history, 12, slips=0.3)
    searched = Event()

    def late(history: History, left_out: Callable[[int], object] | None = None) -> Iterator[int | None]:
        assert searched.wait(MAX_WAIT_SECONDS)
        yield from measured(history, left_out)

    monkeypatch.setattr("fourtwenty.review.figures.measured", late)
    async with playing() as pilot:
        practice = await mine(pilot)
        assert pilot.text("#caption") == "Practice   420 · Looking for your mistakes in 12 games."
        await choose(pilot, practice.puzzle.choices[1].action)
        searched.set()
        await until(lambda: all(worker.is_finished for worker in pilot.app.workers))
        await pilot.press("w", "enter")
        await until(lambda: "Practice   420 · my mistakes, 1 of " in pilot.text("#caption"))


async def test_a_refusal_stands_in_the_line_and_no_note_lies_over_the_answer() -> None:
    """Five lay there, column by column, and went on to the lobby and the history."""
    async with playing() as pilot:
        practice = await opened(pilot)
        await choose(pilot, practice.puzzle.choices[0].action)
        await pilot.press("1", "2", "3", "4")
        assert pilot.text("#line") == "This one is answered. Enter goes on."
        await pilot.press("m")
        await until(lambda: "No mistakes yet" in pilot.text("#line"))
        await pilot.press("up")
        assert "No mistakes yet" not in pilot.text("#line"), "it is said until the next key"
        assert not pilot.notes()


async def test_n_goes_on_after_an_answer_as_enter_does() -> None:
    async with playing() as pilot:
        practice = await opened(pilot)
        puzzle = practice.puzzle
        await choose(pilot, puzzle.choices[0].action)
        assert not {"w Why", "n Skip"} & {*pilot.seen().split("  ")}, "nothing stands in the key bar that is of no use"
        await pilot.press("n")
        assert practice.puzzle != puzzle
        assert not practice.solved
        assert not pilot.notes()


async def test_nobody_has_mistakes_before_the_first_game() -> None:
    async with playing() as pilot:
        await opened(pilot)
        await pilot.press("m")
        await until(lambda: "No mistakes yet" in pilot.text("#line"))
        assert pilot.text("#caption") == "Practice   420"


async def test_the_command_line_begins_with_a_drawn_puzzle_where_there_is_no_mistake() -> None:
    app = FourTwentyApp(practice=PracticeOptions("421", mine=True))
    async with driving(app) as pilot:
        await pilot.shows("No mistakes yet: they come from")
        assert "Practice   421" in pilot.seen()


async def test_mistakes_are_found_for_who_begins_with_them(history: History) -> None:
    save_matches(history, 3, slips=0.3)
    run_sql(history, "UPDATE event SET faces = '1111' WHERE match = 2 AND number = 0")
    app = FourTwentyApp(practice=PracticeOptions("420", mine=True))
    async with driving(app) as pilot:
        await until(lambda: "1 game is left out of figures and mistakes: damaged." in pilot.notes())
        if "my mistakes" not in pilot.seen():
            await pilot.press("n")
        await pilot.shows("Practice   420 · my mistakes, ")


@pytest.mark.usefixtures("evenings")
@pytest.mark.parametrize(("name", "shows"), [("Ben", "Ben: what would you roll?"), ("", "What would you roll?")])
async def test_the_command_line_begins_with_the_own_mistakes(name: str, shows: str) -> None:
    app = FourTwentyApp(practice=PracticeOptions("420", mine=True, name=name))
    async with driving(app, (60, 20)) as pilot:
        await until(lambda: isinstance(app.screen, Practice) and isinstance(app.screen.source, Mine))
        await pilot.pause()
        assert "Practice   420 · my mistakes, 1 of " in pilot.seen()
        assert shows in pilot.seen()
        await pilot.press("q", to="Lobby")


# -- lines of text ----------------------------------------------------------------------------------------------------


def practised(
    *lines: str, begin: PracticeOptions, before: Sequence[FirstAnswer] | None = ()
) -> tuple[list[str], Scorecard]:
    """The lines that are written to somebody who has given answers before, and the scorecard after them.

    With None, they are those of the call before.
    """
    written: list[str] = []
    with closing(History(history_file(), pytest.fail)) as history:
        if before is not None:
            run_sql(history, "DELETE FROM answer")
            history.save_answers(before)
        practice = TextPracticeSession(history, "You", written.append)
        practice.today, practice.seed = SUNDAY, "seed"
        asyncio.run(TextPractice(asyncio.run(practice.source(begin)), input_lines(lines), written.append).run())
        return written, history.scorecard()


def test_answers_in_lines_of_text() -> None:
    puzzle = drawn_puzzle("420", "easy", "seed 1")
    best, worse = (
        " ".join(map(str, choice.action.dice)) for choice in puzzle.choices[:2] if isinstance(choice.action, Roll)
    )
    written, card = practised("7", worse, best, "quit", begin=PracticeOptions("420"))
    assert written[0].startswith("Type the dice to roll by number")
    assert "What would you roll?" in written
    assert puzzle.state.check(Roll((7,))) in written
    assert any(
        line.startswith("Not the best: it costs") and line.endswith("Try again, or type why.") for line in written
    )
    assert "Correct, that's best." in written
    assert any(line.startswith("keep ") and ": best, 20 " in line for line in written)
    assert written[-1] == "In all: 0 of 1 right (0%)."
    assert card == Scorecard(0, 1)


def test_why_and_skip_count_nothing() -> None:
    for game in ("420", "421"):
        written, card = practised("", "help", "why", "skip", begin=PracticeOptions(game))
        assert card == Scorecard()
        assert sum(line.startswith("Type ") for line in written) == 3, "at first, and for what is no answer"
        assert sum("What would you" in line for line in written) == 3


def test_the_daily_puzzle_in_lines_of_text() -> None:
    puzzle = daily("421", SUNDAY)
    best = puzzle.choices[0].action
    line = " ".join(map(str, best.dice)) if isinstance(best, Roll) else "s"
    options = PracticeOptions("421", daily=True)
    written, card = practised(line, begin=options)
    assert "421, 22 Nov 2026, hard." in written
    day = [
        "🎲 421 · 22 Nov 2026, hard: right at the first try",
        "⬜⬜⬜⬜⬜⬜🟩",
        "Your turn: fourtwenty practice 421 --daily",
    ]
    assert written[-4:] == ["In all: 1 of 1 right (100%).", *day]
    written, again = practised(line, begin=options, before=None)
    assert again == card
    assert "Your first answer was right." in written
    assert any(line.startswith("Yesterday, with ") for line in written)
    assert written[-3:] == day
    assert practised("quit", begin=options)[0][-1].endswith("do?"), "there is nothing to say of a day without an answer"


def test_the_day_as_it_is_sent() -> None:
    puzzle = daily("420", SUNDAY)
    best, worse = (" ".join(map(str, puzzle.choices[at].action.dice)) for at in (0, 1))  # type: ignore[union-attr]
    options = PracticeOptions("420", daily=True)
    before = [FirstAnswer("420", SUNDAY - timedelta(days=number), True) for number in (3, 2, 1)]
    written, _ = practised(best, begin=options, before=before)
    assert written[-3:-1] == [
        "🎲 420 by Mark Steere · 22 Nov 2026, hard: right at the first try",
        "⬜⬜⬜🟩🟩🟩🟩 4 days in a row",
    ]
    assert parse(shlex.split(written[-1].removeprefix("Your turn: "))[1:]).daily
    written, _ = practised(worse, "quit", begin=options, before=before)
    assert written[-3:-1] == [
        "🎲 420 by Mark Steere · 22 Nov 2026, hard: wrong at the first try",
        "⬜⬜⬜🟩🟩🟩🟥",
    ]
    written, _ = practised(best, begin=options, before=None)
    assert written[-3] == "🎲 420 by Mark Steere · 22 Nov 2026, hard: wrong at the first try"
    assert "Your first answer was wrong." in written


def test_practice_as_a_command(home: Path) -> None:
    command = [sys.executable, "-m", "fourtwenty", "practice", "--daily", "--plain"]
    done = subprocess.run(command, input="why\n", capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=True)
    assert "What would you roll?" in done.stdout
    assert not home.exists(), "nothing was answered"


def practised_mine(history: History, name: str, *lines: str) -> list[str]:
    """The lines that are written to somebody who practises the mistakes of a name."""
    written: list[str] = []
    session = TextPracticeSession(history, name, written.append)
    source = asyncio.run(session.source(PracticeOptions("420", mine=True)))
    asyncio.run(TextPractice(source, input_lines(lines), written.append).run())
    return written


def test_the_own_mistakes_in_lines_of_text(history: History) -> None:
    assert practised_mine(history, "You") == ["No mistakes yet: they come from finished games."]
    save_matches(history, 12, slips=0.3)
    run_sql(history, "UPDATE event SET faces = '1111' WHERE match = 2 AND number = 0")
    written = practised_mine(history, "You", "quit")
    assert written[0] == "1 game is left out of figures and mistakes: damaged."
    count = history.due("You", seconds())["420"]
    assert f"420, my mistakes, 1 of {count}." in written
    stored_puzzle = history.stored_puzzles("You", "420", seconds())[0]
    assert isinstance(stored_puzzle.action, Roll)
    wrong = " ".join(map(str, stored_puzzle.action.dice))
    written = practised_mine(history, "you", wrong, "why", "quit")
    assert any(line.startswith("Same mistake: it costs") for line in written)
    assert written[-1] == "0 of 1 right at the first try."
    assert history.due("You", seconds())["420"] == count - 1
    assert history.scorecard() == Scorecard(0, 1)


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("--as", "Ann"), "fourtwenty practice: --as: only with --mine"),
        (("--mine", "--daily"), "argument --daily: not allowed with argument --mine"),
    ],
)
def test_options_that_do_not_go_together(words: tuple[str, ...], printed: str) -> None:
    command = [sys.executable, "-m", "fourtwenty", "practice", "--plain", *words]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=False)
    assert done.returncode == 2
    assert printed in done.stderr
    assert done.stderr.count("\n") == 1
