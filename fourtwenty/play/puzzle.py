"""Puzzles: positions whose best choice is to be found, and the verdict on an answer in words. Nothing is stored."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from fourtwenty.games.game import Action, Stand, State
from fourtwenty.games.words import is_you, spaced
from fourtwenty.odds import odds_of
from fourtwenty.odds.interface import Choice, choice_of
from fourtwenty.play.percent import cost, noticeable, percent


class Puzzle(Struct, frozen=True):
    """A position in which the seat to act has a choice."""

    state: State
    names: tuple[str, ...]
    """The names by seat."""
    choices: tuple[Choice, ...]
    """All legal choices, best first."""
    made: Choice | None = None
    """The choice that was made in the match; None when the position is of no match."""

    @property
    def seat(self) -> int:
        """The seat to act."""
        assert self.state.to_act is not None
        return self.state.to_act

    @property
    def estimated(self) -> bool:
        """Whether the values of the choices are estimates."""
        return odds_of(self.state).approximate(self.state)

    @property
    def question(self) -> str:
        """The question to the player."""
        name = self.names[self.seat]
        verb = "do" if Stand() in self.state.actions else "roll"
        return f"What would you {verb}?" if is_you(name) else f"{name}: what would you {verb}?"

    def answer(self, action: Action) -> Answer:
        """Return the verdict on a legal action."""
        choice = choice_of(self.choices, self.state, action)
        return Answer(self, choice, self.choices[0].value - choice.value)


class Answer(Struct, frozen=True):
    """An answer to a puzzle."""

    puzzle: Puzzle
    choice: Choice
    """The choice of the player."""
    loss: float
    """The loss of win probability against the best choice, from 0 to 1."""

    @property
    def right(self) -> bool:
        """Whether no other choice is noticeably better."""
        return not noticeable(self.loss, self.puzzle.estimated)

    @property
    def verdict(self) -> str:
        """The verdict in one sentence."""
        puzzle = self.puzzle
        costs = f"costs {cost(self.loss, puzzle.estimated)}"
        if self.right:
            return "Correct, that's best."
        if puzzle.made is None:
            return f"Not the best: it {costs}."
        if self.choice is puzzle.made:
            return f"Same mistake: it {costs}."
        in_game = puzzle.choices[0].value - puzzle.made.value
        return f"{costs.capitalize()} ({cost(in_game, puzzle.estimated)} in the game)."

    @property
    def reason(self) -> str:
        """The chances of the best choice beside those of the answer, or of the second best, in one sentence."""
        puzzle = self.puzzle
        best, other = puzzle.choices[0], puzzle.choices[1] if self.right else self.choice
        odds = odds_of(puzzle.state)

        def compared(label: str, mine: float, theirs: float) -> str:
            texts = percent(mine, puzzle.estimated), percent(theirs, puzzle.estimated)
            return "" if texts[0] == texts[1] else f"{label} {' instead of '.join(texts)}"

        chances = map(compared, (f"{label} in" for label in odds.LABELS), best.chances, other.chances)
        value = compared(f"in all, {odds.goal(puzzle.state).chance}", best.value, other.value)
        instead = kept_dice(other)
        advice = "Stand" if isinstance(best.action, Stand) else f"Keep {kept_dice(best)}"
        return f"{advice} rather than {instead}: {', '.join(filter(None, [*chances, value]))}."


def leading(choices: Sequence[Choice], made: Choice, most: int) -> tuple[Choice, ...]:
    """Return the best choices, and the one that was made even if it is not among them."""
    best = tuple(choices[:most])
    return best if any(choice is made for choice in best) else (*best[:-1], made)


def kept_dice(choice: Choice) -> str:
    """Return the dice that a choice keeps: "6 5 5", "nothing"; "stand" for all of them."""
    if isinstance(choice.action, Stand):
        return "stand"
    return spaced(choice.kept) or "nothing"
