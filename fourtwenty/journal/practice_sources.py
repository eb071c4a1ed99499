"""Sources of puzzles for practice: a front end asks their puzzles and notes the first answers, which are saved."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from functools import reduce

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.english import pluralize
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import MistakeKind, StoredPuzzle
from fourtwenty.journal.scorecard import ONE_DAY, FirstAnswer, Scorecard
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import choice_for
from fourtwenty.play.card import SQUARES, first_line
from fourtwenty.play.clock import day_in_words, seconds, today
from fourtwenty.play.match import SaveError
from fourtwenty.play.practice import (
    WEEK,
    Answer,
    PracticeOptions,
    Puzzle,
    daily,
    daily_level,
    drawn_puzzle,
    wait_words,
    yesterday_words,
)


class OwnMistakes(Struct, frozen=True):
    """Own mistakes that can be asked now, or a sentence that says why there are none."""

    stored_puzzles: tuple[StoredPuzzle, ...] = ()
    sentence: str = ""
    unsearched: int = 0
    """The number of matches still searched for mistakes."""

    @classmethod
    def of(
        cls, history: History, name: str, game: str, now: int, kind: MistakeKind | None = None, searching: bool = False
    ) -> OwnMistakes:
        """Return a name's due mistakes of all games, this one's first, or all of a kind in it. Raises SaveError."""
        if not history.is_begun():
            return NO_MISTAKES
        unsearched = len(history.unmeasured()) if searching else 0
        games = [game] if kind else [game, *following(game)]
        if found := tuple(each for key in games for each in history.stored_puzzles(name, key, now, kind)):
            return cls(found, "", unsearched)
        if unsearched:
            return cls((), f"Looking for your mistakes in {pluralize(unsearched, 'game', 'games')}.", unsearched)
        if next_due := history.next_due(name, now):
            return cls((), f"No mistake is due. The next one comes back {wait_words(next_due, now)}.")
        if any(history.kinds(name, each) for each in GAMES):
            return cls((), "Every mistake was put right until it stuck.")
        return NO_MISTAKES


NO_MISTAKES = OwnMistakes(sentence="No mistakes yet: they come from finished games.")


class PracticeSession:
    """Practice of one user: the answers, saved or not yet, and own mistakes. A screen does both without waiting."""

    def __init__(self, history: History, name: str, say: Callable[[str], object]) -> None:
        self.history = history
        self.say = say
        self.seed = secrets.token_hex(16)
        self.number = 0
        """The number of puzzles drawn."""
        self._saved = Scorecard()
        self._unsaved: list[tuple[FirstAnswer, StoredPuzzle | None, int]] = []
        """First answers, the own mistakes that they answer, and when."""
        self.begin(name)

    def begin(self, name: str) -> None:
        """Begin, once more, for the player with these mistakes. Read the answers saved by all windows, if possible."""
        self.name = name
        self.today = today()
        with suppress(SaveError):
            if self.history.is_begun():
                self._saved = self.history.scorecard()

    @property
    def scorecard(self) -> Scorecard:
        """The scorecard of all answers."""
        return self.with_unsaved(self._saved)

    def with_unsaved(self, saved: Scorecard) -> Scorecard:
        """Return a scorecard with the unsaved answers."""
        return reduce(Scorecard.after, (answer for answer, _, _ in self._unsaved), saved)

    def note(self, answer: FirstAnswer, mistake: StoredPuzzle | None = None) -> None:
        """Count and save a first answer, with which an own mistake, if it was one, changes its box."""
        self._unsaved.append((answer, mistake, seconds()))
        self.try_to_save()

    def try_to_save(self) -> None:
        """Save the first answers, if possible."""
        try:
            self.save()
        except SaveError as why:
            self.handle_unsaved(why)

    def handle_unsaved(self, why: SaveError) -> None:
        """Say why an answer is not saved."""
        self.say(f"This answer is not saved: {why}.")

    def save(self) -> None:
        """Save the unsaved answers. Raises SaveError."""
        while self._unsaved:
            answer, mistake, at = self._unsaved[0]
            if mistake:
                self.history.answered(mistake, answer.right, at)
            self._saved = self.history.save_answers([answer])
            del self._unsaved[0]

    async def search_mistakes(self) -> None:
        """Search matches for mistakes not yet looked for, or begin to."""

    async def find(self, game: str, kind: MistakeKind | None) -> OwnMistakes:
        """Return own mistakes to ask now, a game's first, or all of one kind."""
        return OwnMistakes.of(self.history, self.name, game, seconds(), kind)

    async def source(self, options: PracticeOptions) -> Drawn:
        """Return the source for these options; own mistakes are searched first."""
        if options.mine:
            await self.search_mistakes()
            return Mine(self, options.game)
        return self.daily(options.game) if options.daily else Drawn(self, options.game)

    def daily(self, game: str, day: date | None = None) -> Daily:
        """Return the source of a day's puzzle, today's by default. Raises ValueError for a day still to come."""
        if day and day > self.today:
            raise ValueError("That day's puzzle isn't out yet.")
        return Daily(self, game, day or self.today)


class Source:
    """Puzzles for practice, one after the other. This one has none but the first: a choice of a match once more."""

    title = "Practice"
    about = "once more"
    """The place of the present puzzle among others."""
    ending = ""
    """The result, or the reason for having no puzzle; empty while there is one."""

    def __init__(self, game: str) -> None:
        self.game = game
        """The key of the present puzzle's game."""

    @property
    def heading(self) -> str:
        """The game, and the place of the puzzle: "420 · my mistakes, 3 of 12"."""
        return " · ".join(filter(None, (GAMES[self.game].name, self.about)))

    @property
    def caption(self) -> str:
        """The line above the puzzle."""
        return f"{self.title}   {self.heading}"

    @property
    def told(self) -> str:
        """The result of a puzzle that was answered before, whose choices are shown; empty for another."""
        return ""

    @property
    def week(self) -> str:
        """The results of the last seven days, for the puzzle of a day; empty for another."""
        return ""

    @property
    def yesterday(self) -> str:
        """The puzzle of yesterday, for today's; empty for another."""
        return ""

    @property
    def to_send(self) -> str:
        """The result as lines to send; empty while there is none."""
        return ""

    async def next(self) -> Puzzle | None:
        """Return the next puzzle; None where there is none."""
        return None

    def note(self, answer: Answer) -> str:  # noqa: ARG002
        """Note the first answer; return a sentence where another counts, else empty text."""
        return ""


class Drawn(Source):
    """Drawn puzzles without an end, each as hard as the next day's of a week."""

    about = ""

    def __init__(self, session: PracticeSession, game: str) -> None:
        super().__init__(game)
        self.session = session

    @property
    def caption(self) -> str:
        return "   ".join(filter(None, (super().caption, self.session.scorecard.rate)))

    async def next(self) -> Puzzle | None:
        return self.draw()

    def draw(self) -> Puzzle:
        """Return another puzzle of the game."""
        session = self.session
        session.number += 1
        return drawn_puzzle(self.game, WEEK[session.number % len(WEEK) - 1], f"{session.seed} {session.number}")

    def note(self, answer: Answer) -> str:
        self.session.note(FirstAnswer(self.game, None, answer.right))
        return ""

    def elsewhere(self) -> Drawn:
        """Return such a source of the next game."""
        return type(self)(self.session, following(self.game)[0])


class Daily(Drawn):
    """The puzzle of a day. Only today's answer is saved."""

    def __init__(self, session: PracticeSession, game: str, day: date) -> None:
        super().__init__(session, game)
        self.day = day
        self.title = "Today's puzzle" if self.day == session.today else "Puzzle of the day"
        self.about = f"{day_in_words(self.day)}, {daily_level(self.day)}"
        self._puzzles = iter([daily(game, self.day)])

    async def next(self) -> Puzzle | None:
        return next(self._puzzles, None)

    @property
    def is_right(self) -> bool | None:
        """Whether the first answer was right; None before it."""
        return self.session.scorecard.days.get((self.game, self.day))

    def note(self, answer: Answer) -> str:
        if self.day != self.session.today:
            return ""
        self.session.note(FirstAnswer(self.game, self.day, answer.right))
        return "" if self.is_right == answer.right else f"The first answer of the day counts: it was {self._was}."

    @property
    def _was(self) -> str:
        return "right" if self.is_right else "wrong"

    @property
    def told(self) -> str:
        return "" if self.is_right is None else f"Your first answer was {self._was}."

    @property
    def week(self) -> str:
        return self.session.scorecard.week_words(self.game, self.day)

    @property
    def yesterday(self) -> str:
        if self.day != self.session.today:
            return ""
        day = self.day - ONE_DAY
        return yesterday_words(daily(self.game, day), self.session.scorecard.days.get((self.game, day)))

    @property
    def to_send(self) -> str:
        """The card of the day: its result, a square for each of seven days and their run, the puzzle's link or command.

        "🎲 420 by Mark Steere · 22 Nov 2026, hard: right at the first try", then "⬜🟥🟩🟩🟩🟩🟩 5 days in a row".
        """
        if self.is_right is None:
            return ""
        from fourtwenty.journal import links  # not needed at start

        link = links.link(links.PuzzleLink(self.game, self.day), links.homepage())
        result = first_line(GAMES[self.game], f"{self.about}: {self._was} at the first try")
        week = self.session.scorecard.week_words(self.game, self.day, SQUARES)
        return f"{result}\n{week}\nYour turn: {link or f'fourtwenty practice {self.game} --daily'}"

    def elsewhere(self) -> Daily:
        return Daily(self.session, following(self.game)[0], self.day)


class Mine(Drawn):
    """The due own mistakes, each once; drawn puzzles until the first is found."""

    def __init__(self, session: PracticeSession, game: str, kind: MistakeKind | None = None) -> None:
        super().__init__(session, game)
        self.kind = kind
        self.asked: list[StoredPuzzle] = []
        self.results: list[bool] = []
        """Whether first answers were right."""

    async def next(self) -> Puzzle | None:
        """Return the next of the mistakes found so far."""
        found = await self.session.find(self.game, self.kind)
        asked = {(each.game, each.choice_key) for each in self.asked}
        left = [each for each in found.stored_puzzles if (each.game, each.choice_key) not in asked]
        if left:
            self.asked.append(left[0])
            self.game = left[0].game
            self.about = f"my mistakes, {len(self.asked)} of {len(self.asked) + len(left) - 1}"
            return _puzzle_of(left[0])
        if not self.asked:
            self.about = self.ending = found.sentence
        return self.draw() if found.unsearched and not self.asked else None

    def note(self, answer: Answer) -> str:
        if not self.asked:
            return super().note(answer)
        self.results.append(answer.right)
        self.ending = f"{sum(self.results)} of {len(self.results)} right at the first try."
        self.session.note(FirstAnswer(self.game, None, answer.right), self.asked[-1])
        return ""


def following(game: str) -> Sequence[str]:
    """Return the other games' keys, from the next one on."""
    games = [*GAMES]
    return games[games.index(game) + 1 :] + games[: games.index(game)]


def _puzzle_of(stored: StoredPuzzle) -> Puzzle:
    choices = solver_for(stored.state).choices(stored.state)
    return Puzzle(stored.state, stored.names, choices, choice_for(choices, stored.state, stored.action))
