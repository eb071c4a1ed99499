"""Exercises: a player's own mistakes of a match, the costliest first, to choose again. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from fourtwenty.games.words import sentence_case, whose
from fourtwenty.play.match import Match
from fourtwenty.play.practice import Answer, Puzzle
from fourtwenty.review.highlights import Highlight, puzzle_of
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.screens.solving import Solving


class Exercise(Solving):
    """Shows the positions of one player's mistakes, one after the other."""

    HELP = """\
## Exercises

Your own mistakes once more, the costliest first. Select what you would roll now; a wrong answer can be tried again
before the choices and their chances are shown.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "o",
            "whose",
            "Other player",
            id="exercise.whose",
            tooltip="The mistakes of another player",
            there=lambda exercise: len(exercise.mistakes) > 1,
        ),
        Binding("q", "back", "Back", id="exercise.back", tooltip="Back to the review"),
    ]

    def __init__(self, match: Match, mistakes: Mapping[int, Sequence[Highlight]], seat: int) -> None:
        """Take the mistakes of a match by seat, which are not empty, and the seat to begin with."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.mistakes = mistakes
        self.seat_asked = seat
        """The seat whose mistakes are shown."""
        self.index = 0
        """The index of the mistake that is shown, among those of its seat."""
        self.right = 0
        """The number of exercises whose first answer was right."""
        self.tried = 0
        """The number of exercises that were answered."""
        self.puzzle = self._puzzle()

    def _puzzle(self) -> Puzzle:
        return puzzle_of(self.match, self.mistakes[self.seat_asked][self.index].moment)

    @property
    def caption(self) -> str:
        number = f"{self.index + 1} of {len(self.mistakes[self.seat_asked])}"
        owner = sentence_case(whose(self.match.names[self.seat_asked]))
        right = f"   {self.right} of {self.tried} right" if self.tried else ""
        return f"Exercise {number}   {owner} mistakes, the costliest first{right}"

    @property
    def is_last(self) -> bool:
        return self.index + 1 == len(self.mistakes[self.seat_asked])

    def colour(self, seat: int) -> int:
        return self.match.colour(seat)

    def go_on(self) -> None:
        self.index += 1
        self.puzzle = self._puzzle()

    def note_answer(self, answer: Answer) -> None:
        self.tried += 1
        self.right += answer.right

    def action_whose(self) -> None:
        seats = list(self.mistakes)
        self.seat_asked = seats[(seats.index(self.seat_asked) + 1) % len(seats)]
        self.index = 0
        self.puzzle = self._puzzle()
        self.ask()

    def action_back(self) -> None:
        """Go back to the review."""
        if self.is_active:
            self.app.drop_burst()
            self.dismiss()
