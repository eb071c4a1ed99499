"""The command ``practice`` in lines of text: text_puzzles.py asks the puzzles."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, suppress

from fourtwenty.cli.text_puzzles import PUZZLE_COMMANDS, TextPuzzles
from fourtwenty.cli.typed_lines import TypedLines, run, standard_input
from fourtwenty.games import GAMES
from fourtwenty.journal.entries import KeptExercise
from fourtwenty.journal.history import History
from fourtwenty.journal.practice_session import KeptAnswers, Mine, PracticeSession
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.paths import history_file, lineup_file
from fourtwenty.play.clock import seconds, today
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import NotKept
from fourtwenty.play.practice import Answer, PracticeOptions, due_words
from fourtwenty.review.figures import left_out_words, measured
from fourtwenty.streams import end, show_any_name, write_line

MANY_MATCHES = 500
"""The number of matches from which people are told that they are being gone through."""


class TextPractice:
    """Asks puzzle after puzzle until somebody quits, the own mistakes that are due, or the daily one alone."""

    def __init__(self, session: PracticeSession, puzzles: TextPuzzles) -> None:
        self.session = session
        self.puzzles = puzzles

    async def run(self) -> None:
        """Ask until the input ends, or somebody quits."""
        session, write = self.session, self.puzzles.write
        write(f"Type {PUZZLE_COMMANDS}.")
        if session.options.daily:
            again = " You have answered it already." if session.answered_today else ""
            write(f"The daily position of {session.day}.{again}")
            await self.puzzles.ask(session.puzzle(), self._note)
        elif session.options.mine:
            await self._ask_mine()
            return
        else:
            while await self.puzzles.ask(session.puzzle(), self._note):
                write("")
        if session.scorecard.tried:
            write(f"In all: {session.scorecard.rate}.")
        if session.options.daily:
            for line in session.day_to_send.splitlines() if session.answered_today else ():
                write(line)
        elif session.streak:
            write(f"{session.streak}.")

    def _note(self, answer: Answer) -> None:
        if sentence := self.session.note(answer):
            self.puzzles.write(sentence)

    async def _ask_mine(self) -> None:
        session, write = self.session, self.puzzles.write
        write(f"Mistakes due: {due_words(session.mine.due)}.")
        write(f"These are of {GAMES[session.options.game].name}, those that cost most in all first.")
        while not session.is_last:
            puzzle = session.puzzle()
            write(f"Mistake {session.number_of}.")
            if not await self.puzzles.ask(puzzle, self._note):
                break
            write("")
        if session.mine_summed_up:
            write(session.mine_summed_up)


def practise_in_lines(options: PracticeOptions) -> None:
    """Practise in lines of text until somebody quits."""
    show_any_name()
    with closing(History(history_file(), write_line)) as history:
        session = session_of(options, history, write_line)
        if options.mine:
            name = options.name or UserFiles(write_line, write_line).load(Lineup, lineup_file()).first_person
            try:
                if not take_mine(session, history, name, write_line):
                    return
            except NotKept as error:
                end(f"fourtwenty practice: the history cannot be read: {error}")
        lines = standard_input()

        async def practise() -> None:
            await TextPractice(session, TextPuzzles(TypedLines(lines), write_line)).run()

        run(practise())


def session_of(options: PracticeOptions, history: History, write: Callable[[str], object]) -> PracticeSession:
    """Return the practice of this user, whose answers are kept in the history."""
    answers = KeptAnswers(history)
    answers.read()

    def keep() -> None:
        try:
            answers.keep()
        except NotKept as error:
            write(f"This answer is not kept: {error}.")

    return PracticeSession(options, answers, keep, today())


def take_mine(session: PracticeSession, history: History, name: str, write: Callable[[str], object]) -> bool:
    """Let a session ask the mistakes of a name that are due. Matches are gone through first where that was not done.

    Returns whether there are any; otherwise the reason is written. Raises NotKept when the history cannot be read.
    """
    if history.is_begun():
        matches = len(history.unmeasured())
        if matches >= MANY_MATCHES:
            write(f"Looking for mistakes in {matches:,} games. Ctrl+C stops this; the next time goes on from there.")
        damaged: list[int] = []
        with suppress(NotKept):  # nothing can be stored: what is there can be read still
            for _ in measured(history, damaged.append):
                pass
        if damaged:
            write(left_out_words(len(damaged)))
        session.take(Mine.of(history, name, session.options.game, seconds()))
    if not session.mine.exercises:
        write(session.mine.sentence)
        return False

    def record(exercise: KeptExercise, right: bool) -> None:
        try:
            history.answered(exercise, right, seconds())
        except NotKept as error:
            write(f"This answer is not kept: {error}.")

    session.record = record
    return True
