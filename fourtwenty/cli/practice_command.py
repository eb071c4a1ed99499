"""The command ``practice`` in lines of text: text_puzzles.py asks the puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, suppress

from fourtwenty.cli.text_puzzles import PUZZLE_COMMANDS, TextPuzzles
from fourtwenty.cli.typed_lines import TypedLines, run, standard_input
from fourtwenty.games import GAMES
from fourtwenty.journal.entries import KeptExercise, MistakeKind
from fourtwenty.journal.history import History
from fourtwenty.journal.sources import NO_MISTAKES, Drawn, KeptAnswers, Mine, OwnMistakes, Practising, Source, Today
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

AGAIN = " You have answered it already."


class TextPractice:
    """Asks the puzzles of a source until it ends or somebody quits; its results follow."""

    def __init__(self, source: Source, puzzles: TextPuzzles) -> None:
        self.source = source
        self.puzzles = puzzles

    async def run(self) -> None:
        """Ask until the source or the input ends, or somebody quits."""
        source, write = self.source, self.puzzles.write
        puzzle = await source.next()
        if not puzzle:
            write(source.ending)
            return
        write(f"Type {PUZZLE_COMMANDS}.")
        if isinstance(source, Today):
            write(f"The daily position of {source.title}.{'' if source.is_right is None else AGAIN}")
        if isinstance(source, Mine):
            write(f"Mistakes due: {due_words(source.found.due)}.")
            write(f"These are of {GAMES[source.game].name}, those that cost most in all first.")
        while puzzle:
            if isinstance(source, Mine):
                write(f"Mistake {source.number_of}.")
            if not await self.puzzles.ask(puzzle, self._note):
                break
            write("")
            puzzle = await source.next()
        for line in self._results():
            write(line)

    def _results(self) -> Iterator[str]:
        """Yield the lines at the end."""
        source = self.source
        if isinstance(source, (Drawn, Today)):
            if rate := source.practising.scorecard.rate:
                yield f"In all: {rate}."
            yield from source.to_send.splitlines()
        if isinstance(source, Drawn) and (streak := source.practising.streak(source.game)):
            yield f"{streak}."
        if source.ending:
            yield source.ending

    def _note(self, answer: Answer) -> None:
        if sentence := self.source.note(answer):
            self.puzzles.write(sentence)


def practise_in_lines(options: PracticeOptions) -> None:
    """Practise in lines of text until somebody quits."""
    show_any_name()
    with closing(History(history_file(), write_line)) as history:
        name = options.name
        if options.mine and not name:
            name = UserFiles(write_line, write_line).load(Lineup, lineup_file()).first_person
        lines = standard_input()

        async def practise() -> None:
            source = await practising(history, name, write_line).source(options)
            await TextPractice(source, TextPuzzles(TypedLines(lines), write_line)).run()

        try:
            run(practise())
        except NotKept as error:
            end(f"fourtwenty practice: the history cannot be read: {error}")


def practising(history: History, name: str, write: Callable[[str], object]) -> Practising:
    """Return the practice of this user, whose answers are kept in the history, with the mistakes of a name."""
    answers = KeptAnswers(history)
    answers.read()

    def keep() -> None:
        try:
            answers.keep()
        except NotKept as error:
            write(f"This answer is not kept: {error}.")

    def record(exercise: KeptExercise, right: bool) -> None:
        try:
            history.answered(exercise, right, seconds())
        except NotKept as error:
            write(f"This answer is not kept: {error}.")

    async def look() -> None:
        matches = len(history.unmeasured()) if history.is_begun() else 0
        if matches >= MANY_MATCHES:
            write(f"Looking for mistakes in {matches:,} games. Ctrl+C stops this; the next time goes on from there.")
        damaged: list[int] = []
        with suppress(NotKept):  # nothing can be stored: what is there can be read still
            for _ in measured(history, damaged.append) if matches else ():
                pass
        if damaged:
            write(left_out_words(len(damaged)))

    async def find(game: str, kind: MistakeKind | None) -> OwnMistakes:
        return OwnMistakes.of(history, name, game, seconds(), kind) if history.is_begun() else NO_MISTAKES

    return Practising(answers, keep, today(), look, find, record)
