"""Practice in lines of text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import closing, suppress

from fourtwenty.cli.text_table import roll_of, tally_without_symbols, without_symbols
from fourtwenty.cli.typed_lines import TypedLines, action_words, command_of, run, standard_input
from fourtwenty.console import escape_unencodable_output, exit_with_error, write_line
from fourtwenty.file_storage import history_file, lineup_file
from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, IllegalAction, InvalidAction, Stand
from fourtwenty.journal.history import History
from fourtwenty.journal.practice_sources import Drawn, PracticeSession
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.odds import solver_for
from fourtwenty.play.format import cost, noticeable, percent
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import SaveError
from fourtwenty.play.practice import Answer, PracticeOptions, Puzzle, kept_dice
from fourtwenty.review.figures import left_out_words, measured

PUZZLE_COMMANDS = "the dice to roll by number, as in 1 4; all; stand; why; skip; quit"

MANY_MATCHES = 500


class TextPractice:
    """Asks a source's puzzles; shows the choices after a second wrong answer, and the results at the end."""

    def __init__(self, source: Drawn, lines: AsyncIterator[str], write_line: Callable[[str], object]) -> None:
        self.source = source
        self._lines = lines
        self._write_line = write_line

    async def run(self) -> None:
        source = self.source
        puzzle = await source.next()
        if not puzzle:
            self._write(source.ending)
            return
        self._write(f"Type {PUZZLE_COMMANDS}.")
        while puzzle:
            self._write(f"{source.heading}.")
            if not await self._ask(puzzle):
                break
            self._write("")
            puzzle = await source.next()
        if source.ending:
            self._write(source.ending)
        elif rate := source.session.scorecard.rate:
            self._write(f"In all: {rate}.")
        for line in source.to_send.splitlines():
            self._write_line(line)  # with the # of its link

    async def _ask(self, puzzle: Puzzle) -> bool:
        """Ask a puzzle and record its first answer; return False when somebody quits."""
        self._describe(puzzle)
        if told := self.source.told:
            self._write(told)
            self._explain(puzzle.answer(puzzle.choices[0].action), answered=False)
            return True
        first: Answer | None = None
        async for line in self._lines:
            word = line.strip().casefold()
            if word and "quit".startswith(word):
                return False
            stands = Stand() in puzzle.state.actions and "stand".startswith(word)
            if word and "skip".startswith(word) and not stands:
                return True
            if word and "why".startswith(word):
                self._explain(first or puzzle.answer(puzzle.choices[0].action), first is not None)
                return True
            try:
                answer = puzzle.answer(self._action(puzzle, word))
            except (InvalidAction, IllegalAction) as refusal:
                self._write(str(refusal))
                continue
            if first is None and (sentence := self.source.note(answer)):
                self._write(sentence)
            if answer.right or first:
                self._explain(answer)
                return True
            first = answer
            self._write(f"{answer.verdict} Try again, or type why.")
        return False

    def _write(self, text: str) -> None:
        self._write_line(without_symbols(text))

    def _describe(self, puzzle: Puzzle) -> None:
        state = puzzle.state
        self._write(f"{state.caption()}.")
        for seat in range(state.seats):
            standing = state.standing(seat)
            if standing.playing:
                hand = standing.detail or "not rolled yet"
                self._write(f"{puzzle.names[seat]}: {', '.join(filter(None, (hand, tally_without_symbols(standing))))}")
        self._write(puzzle.question)

    @staticmethod
    def _action(puzzle: Puzzle, line: str) -> Action:
        word, *dice = action_words(line)
        command = command_of(word, ("stand", "roll"))
        if command == "stand":
            return Stand()
        if not command or not dice:
            raise InvalidAction(f"Type {PUZZLE_COMMANDS}.")
        return roll_of(dice, GAMES[puzzle.state.key])

    def _explain(self, answer: Answer, answered: bool = True) -> None:
        puzzle = answer.puzzle
        odds = solver_for(puzzle.state)
        if answered:
            self._write(answer.verdict)
        for choice in puzzle.choices:
            loss = puzzle.choices[0].value - choice.value
            verdict = f"costs {cost(loss, puzzle.estimated)}" if noticeable(loss, puzzle.estimated) else "best"
            keep = kept_dice(choice) if isinstance(choice.action, Stand) else f"keep {kept_dice(choice)}"
            chances = "".join(
                f", {label} {percent(chance, puzzle.estimated)}"
                for label, chance in zip(odds.LABELS, choice.chances, strict=True)
            )
            goal = odds.objective(puzzle.state).label
            self._write(f"{keep}: {verdict}{chances}, {goal} {percent(choice.value, puzzle.estimated)}")
        self._write(answer.reason)
        if self.source.yesterday:
            self._write(self.source.yesterday)


def practise_in_lines(options: PracticeOptions) -> None:
    escape_unencodable_output()
    with closing(History(history_file(), write_line)) as history:
        name = options.name
        if options.mine and not name:
            name = UserFiles(write_line, write_line).load(Lineup, lineup_file()).first_person
        lines = standard_input()

        async def practise() -> None:
            source = await TextPracticeSession(history, name, write_line).source(options)
            await TextPractice(source, TypedLines(lines), write_line).run()

        try:
            run(practise())
        except SaveError as error:
            exit_with_error(f"fourtwenty practice: the history cannot be read: {error}")


class TextPracticeSession(PracticeSession):
    async def search_mistakes(self) -> None:
        history = self.history
        matches = len(history.unmeasured()) if history.is_begun() else 0
        if matches >= MANY_MATCHES:
            start = f"Looking for mistakes in {matches:,} games."
            self.say(f"{start} Ctrl+C stops this; the next time goes on from there.")
        damaged: list[int] = []
        with suppress(SaveError):  # stored mistakes can still be read
            for _ in measured(history, damaged.append) if matches else ():
                pass
        if damaged:
            self.say(left_out_words(len(damaged)))
