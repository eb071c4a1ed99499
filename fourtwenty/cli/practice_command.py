"""The command ``practice`` in lines of text: text_puzzles.py asks the puzzles."""

from __future__ import annotations

from functools import partial

from fourtwenty.cli.text_puzzles import PUZZLE_COMMANDS, TextPuzzles
from fourtwenty.cli.typed_lines import TypedLines, run, standard_input
from fourtwenty.journal.practice_session import PracticeSession
from fourtwenty.journal.scorecard import Scorecard
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.paths import practice_file
from fourtwenty.play.clock import today
from fourtwenty.play.practice import PracticeOptions
from fourtwenty.streams import show_any_name, write_line


class TextPractice:
    """Asks puzzle after puzzle until somebody quits, or the daily one alone."""

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
            await self.puzzles.ask(session.puzzle(), session.note)
        else:
            while await self.puzzles.ask(session.puzzle(), session.note):
                write("")
        if session.scorecard.tried:
            write(f"In all: {session.scorecard.rate}.")
        if session.options.daily:
            for line in session.day_to_send.splitlines() if session.answered_today else ():
                write(line)
        elif session.streak:
            write(f"{session.streak}.")


def practise_in_lines(options: PracticeOptions) -> None:
    """Practise in lines of text until somebody quits."""
    show_any_name()
    kept = UserFiles(write_line, write_line)
    scorecard = kept.load(Scorecard, practice_file())
    lines = standard_input()

    async def practise() -> None:
        session = PracticeSession(options, scorecard, partial(kept.save, path=practice_file()), today())
        await TextPractice(session, TextPuzzles(TypedLines(lines), write_line)).run()

    run(practise())
