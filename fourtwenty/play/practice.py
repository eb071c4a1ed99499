"""Practice without a match: puzzles, verdicts on answers, and the boxes of own mistakes. No storage or clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from hashlib import sha256
from itertools import count

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, join_faces, sentence_case
from fourtwenty.games.game import Action, IllegalAction, Roll, Stand, State
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import Choice, choice_for
from fourtwenty.play.bots import BOTS
from fourtwenty.play.dice import FairDice
from fourtwenty.play.format import cost, noticeable, percent

LEVELS = {"easy": (0.05, 0.12), "medium": (0.02, 0.05), "hard": (0.005, 0.02)}
"""The win probability between the best and the second best choice, from and below, by level; more is obvious."""

WEEK = ("easy", "easy", "medium", "medium", "medium", "hard", "hard")
"""The level of the daily puzzle from Monday to Sunday, and of drawn puzzles one after the other."""

PLAYERS = ("You", "Ben", "Cleo", "Dmitri")

PUZZLE_SEATS = {"420": 4}
"""The most seats of a puzzle by game; otherwise two."""

OBVIOUS = ("Steady", "Bold")
"""The bots that choose without odds. In a puzzle one of them is wrong."""

PUZZLE_DIGITS = 9
"""Values equal to so many digits are equal: last bits differ between versions of Python."""

DAYS = (1, 3, 7, 21, 60)
"""``[box - 1]``: the days after which a mistake is due again.

Sebastian Leitner's learning box (So lernt man lernen, 1972; en.wikipedia.org/wiki/Leitner_system), with days in place
of box sizes: a right answer moves a card to the next box, a wrong one to the first.
"""

DAY = 24 * 60 * 60
"""Seconds, the same for every day: time zones and dates do not count."""

EARLY = 6 * 60 * 60
"""Seconds before its time when a position is due already: also at an earlier hour of the next evening."""


class Puzzle(Struct, frozen=True):
    """A position with a choice for the seat to act."""

    state: State
    names: tuple[str, ...]
    choices: tuple[Choice, ...]
    """All legal choices, best first."""
    made: Choice | None = None
    """The choice made in the match; None without a match."""

    @property
    def seat(self) -> int:
        assert self.state.to_act is not None
        return self.state.to_act

    @property
    def estimated(self) -> bool:
        return solver_for(self.state).is_estimated(self.state)

    @property
    def question(self) -> str:
        name = self.names[self.seat]
        verb = "do" if Stand() in self.state.actions else "roll"
        return f"What would you {verb}?" if is_you(name) else f"{name}: what would you {verb}?"

    def answer(self, action: Action) -> Answer:
        """Return the answer of an action. Raises IllegalAction with the reason if it is not allowed."""
        if refusal := self.state.check(action):
            raise IllegalAction(refusal)
        choice = choice_for(self.choices, self.state, action)
        return Answer(self, choice, self.choices[0].value - choice.value)


class Answer(Struct, frozen=True):
    puzzle: Puzzle
    choice: Choice
    loss: float
    """The loss of win probability, from 0 to 1."""

    @property
    def right(self) -> bool:
        """Whether no other choice is noticeably better."""
        return not noticeable(self.loss, self.puzzle.estimated)

    @property
    def verdict(self) -> str:
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
        """The chances of the best choice beside the answer's, or the second best's, in a sentence."""
        puzzle = self.puzzle
        best, other = puzzle.choices[0], puzzle.choices[1] if self.right else self.choice
        odds = solver_for(puzzle.state)

        def compared(label: str, mine: float, theirs: float) -> str:
            texts = percent(mine, puzzle.estimated), percent(theirs, puzzle.estimated)
            return "" if texts[0] == texts[1] else f"{label} {', not '.join(texts)}"

        chances = map(compared, (f"{label} in" for label in odds.LABELS), best.chances, other.chances)
        value = compared(f"the {odds.objective(puzzle.state).label} is", best.value, other.value)
        instead = kept_dice(other)
        return f"{sentence_case(advice(best))} rather than {instead}: {'; '.join(filter(None, [*chances, value]))}."


def leading(choices: Sequence[Choice], made: Choice, most: int) -> tuple[Choice, ...]:
    """Return the best choices, and the one that was made even if not among them."""
    best = tuple(choices[:most])
    return best if any(choice is made for choice in best) else (*best[:-1], made)


def kept_dice(choice: Choice) -> str:
    """Return the kept dice: "6 5 5", "nothing"; "stand" for all."""
    if isinstance(choice.action, Stand):
        return "stand"
    return join_faces(choice.kept) or "nothing"


def advice(choice: Choice) -> str:
    return "stand" if isinstance(choice.action, Stand) else f"keep {kept_dice(choice)}"


def yesterday_words(puzzle: Puzzle, right: bool | None) -> str:
    """Return the best choice in yesterday's puzzle, and whether the first answer was right; None for no answer.

    >>> yesterday_words(daily("420", date(2026, 11, 22)), True)
    'Yesterday, with 2 6 4 6: keep 6 4 6. You were right.'
    """
    result = {True: " You were right.", False: " You were wrong.", None: ""}[right]
    return f"Yesterday, with {join_faces(puzzle.state.hand(puzzle.seat))}: {advice(puzzle.choices[0])}.{result}"


# -- puzzles that are drawn ----------------------------------------------------------------------------------------


class PracticeOptions(Struct, frozen=True):
    """The puzzles to begin practice with: drawn ones of a game, the daily one, or own mistakes."""

    game: str
    daily: bool = False
    mine: bool = False
    """Whether due own mistakes come first."""
    name: str = ""
    """The player with these mistakes; empty for the first person."""


def daily(game: str, day: date) -> Puzzle:
    return drawn_puzzle(game, daily_level(day), f"daily {day.isoformat()}")


def daily_level(day: date) -> str:
    return WEEK[day.weekday()]


def drawn_puzzle(game: str, level: str, seed: str) -> Puzzle:
    """Return the puzzle of a game, level and seed, the same on every machine."""
    for attempt in count():
        source = sha256(f"fourtwenty {game} {level} {seed} {attempt}".encode()).digest()
        puzzles = list(_puzzles(game, level, source))
        if puzzles:
            return puzzles[_below(source, len(puzzles))]
    raise AssertionError("count() does not end")


def _below(source: bytes, limit: int) -> int:
    """Return an index below a limit from a source; the modulo bias of 256 bits is negligible."""
    return int.from_bytes(sha256(source).digest(), "big") % limit


def _puzzles(game: str, level: str, source: bytes) -> Iterator[Puzzle]:
    seats = 2 + _below(source, PUZZLE_SEATS.get(game, 2) - 1)
    dice = FairDice(source)
    throws = [0] * seats
    state = GAMES[game].start(seats, 0)
    while not state.outcome:
        seat = state.to_act
        if seat is None:
            state = state.next_round()
            continue
        choices = solver_for(state).choices(state)
        if _suits(level, state, choices):
            names = PLAYERS[seats - seat : seats] + PLAYERS[: seats - seat]
            yield Puzzle(state, names, choices)
        action = _best(choices).action
        throws[seat] += isinstance(action, Roll)
        faces = dice.throw(seat, throws[seat], action.dice) if isinstance(action, Roll) else ()
        state = state.apply(action, faces)


def _best(choices: tuple[Choice, ...]) -> Choice:
    """Return the best choice; of equal ones, with the lowest kept dice, on every machine."""
    return max(choices, key=lambda choice: (round(choice.value, PUZZLE_DIGITS), [-face for face in choice.kept]))


def _suits(level: str, state: State, choices: tuple[Choice, ...]) -> bool:
    """Return whether a position suits a level: exact, unclear without odds, and clear with them."""
    if len(choices) < 2 or solver_for(state).is_estimated(state):
        return False
    least, below = LEVELS[level]
    if not least <= round(choices[0].value - choices[1].value, PUZZLE_DIGITS) < below:
        return False
    obvious = (BOTS[name].policy(_no_chance)(state) for name in OBVIOUS)
    return any(choice_for(choices, state, action) is not choices[0] for action in obvious)


def _no_chance() -> float:
    raise AssertionError("The obvious policies need no chance.")


# -- the boxes of own mistakes -------------------------------------------------------------------------------------


class Box(Struct, frozen=True):
    number: int = 1
    """From 1."""
    due: int | None = 0
    """When it is due, in seconds since 1970; 0 for at once, None for never: it is learnt."""

    def is_due(self, now: int) -> bool:
        first, last = waiting(now)
        return self.due is not None and not first <= self.due <= last

    def after(self, right: bool, asked: int, now: int) -> Box:
        """Return the box after an answer at ``now`` to a position taken out at ``asked``.

        A right answer before it was due changes nothing.
        """
        if not right:
            return Box(1, now + DAYS[0] * DAY)
        if not self.is_due(asked):
            return self
        if self.number == len(DAYS):
            return Box(self.number, None)
        return Box(self.number + 1, now + DAYS[self.number] * DAY)


def waiting(now: int) -> tuple[int, int]:
    """Return the first and last time of a waiting position. A wrong clock set later ones."""
    return now + EARLY + 1, now + EARLY + DAYS[-1] * DAY


def wait_words(due: int, now: int) -> str:
    """Return the time until a position is due, in words.

    >>> wait_words(due=3 * DAY, now=0), wait_words(due=DAY, now=0)
    ('in 3 days', 'within a day')
    """
    days = -(-(due - EARLY - now) // DAY)
    return "within a day" if days <= 1 else f"in {days} days"
