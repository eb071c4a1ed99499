"""Puzzles in lines of text: a position is described, answers are read, and every choice is explained."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from fourtwenty.cli.text_table import aloud, roll_of, tally_aloud
from fourtwenty.games import GAMES
from fourtwenty.games.game import Action, InvalidAction, Stand
from fourtwenty.odds import odds_of
from fourtwenty.play.practice import Answer, Puzzle, kept_dice
from fourtwenty.play.text import cost, noticeable, percent

PUZZLE_COMMANDS = "the dice to roll by their places, as in 1 4; all; stand; why; skip; quit"
"""The answers to a puzzle in words."""


class TextPuzzles:
    """Asks puzzles. A wrong answer may be tried again once; then the choices are shown."""

    def __init__(self, lines: AsyncIterator[str], write_line: Callable[[str], object]) -> None:
        self._lines = lines
        self._write_line = write_line

    def write(self, text: str) -> None:
        """Write a line of output in words that can be read aloud."""
        self._write_line(aloud(text))

    async def ask(self, puzzle: Puzzle, note: Callable[[Answer], object] | None = None) -> bool:
        """Ask a puzzle until its choices are shown or it is skipped; return False when somebody quits.

        ``note`` is called with the first answer.
        """
        self._describe(puzzle)
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
            answer = self._answer(puzzle, word)
            if answer is None:
                continue
            if first is None and note:
                note(answer)
            if answer.right or first:
                self._explain(answer)
                return True
            first = answer
            self.write(f"{answer.verdict} Try again, or type why.")
        return False

    def _describe(self, puzzle: Puzzle) -> None:
        state = puzzle.state
        self.write(f"{state.caption()}.")
        for seat in range(state.seats):
            standing = state.standing(seat)
            if standing.playing:
                hand = standing.detail or "not rolled yet"
                self.write(f"{puzzle.names[seat]}: {', '.join(filter(None, (hand, tally_aloud(standing))))}")
        self.write(puzzle.question)

    def _answer(self, puzzle: Puzzle, word: str) -> Answer | None:
        """Return the verdict on a line; None, with the reason written, when it is no legal answer."""
        try:
            action = self._action(puzzle, word)
        except InvalidAction as error:
            self.write(str(error))
            return None
        refusal = puzzle.state.check(action)
        if refusal:
            self.write(refusal)
            return None
        return puzzle.answer(action)

    @staticmethod
    def _action(puzzle: Puzzle, word: str) -> Action:
        """Return the action of a line: places of dice, with "roll" before them or not, "all" or "stand"."""
        if word and "stand".startswith(word):
            return Stand()
        dice = word.removeprefix("roll").split()
        if not dice or not (dice == ["all"] or all(die.isascii() and die.isdigit() for die in dice)):
            raise InvalidAction(f"Type {PUZZLE_COMMANDS}.")
        return roll_of(dice, GAMES[puzzle.state.key])

    def _explain(self, answer: Answer, answered: bool = True) -> None:
        puzzle = answer.puzzle
        odds = odds_of(puzzle.state)
        if answered:
            self.write(answer.verdict)
        for choice in puzzle.choices:
            loss = puzzle.choices[0].value - choice.value
            verdict = f"costs {cost(loss, puzzle.estimated)}" if noticeable(loss, puzzle.estimated) else "best"
            keep = kept_dice(choice) if isinstance(choice.action, Stand) else f"keep {kept_dice(choice)}"
            chances = "".join(
                f", {label} {percent(chance, puzzle.estimated)}"
                for label, chance in zip(odds.LABELS, choice.chances, strict=True)
            )
            goal = odds.goal(puzzle.state).chance
            self.write(f"{keep}: {verdict}{chances}, {goal} {percent(choice.value, puzzle.estimated)}")
        self.write(answer.reason)
