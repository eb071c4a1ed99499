"""Sources of puzzles for practice: a front end asks them and saves the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import reduce

from msgspec import Struct, field

from fourtwenty.games import GAMES
from fourtwenty.games.english import pluralize
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import MistakeKind, StoredPuzzle
from fourtwenty.journal.scorecard import FirstAnswer, Scorecard
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import choice_for
from fourtwenty.play.card import GREEN, RED, WHITE, first_line
from fourtwenty.play.clock import day_in_words, today
from fourtwenty.play.match import SaveError
from fourtwenty.play.practice import (
    Answer,
    PracticeOptions,
    Puzzle,
    daily,
    daily_level,
    drawn_puzzle,
    fresh_seed,
    wait_words,
)


class OwnMistakes(Struct, frozen=True):
    """Own mistakes that can be asked now."""

    game: str
    """The game of the puzzles: the wanted one, or another where it has none."""
    stored_puzzles: tuple[StoredPuzzle, ...] = ()
    due: Mapping[str, int] = field(default_factory=dict)
    """The number of due puzzles, by key of the game."""
    sentence: str = ""
    unsearched: int = 0
    """The number of matches still searched for mistakes."""

    @classmethod
    def of(
        cls,
        history: History,
        name: str,
        game: str,
        now: int,
        kind: MistakeKind | None = None,
        searching: bool = False,
    ) -> OwnMistakes:
        """Return a name's due mistakes, or all of a kind. Raises SaveError."""
        due, unsearched = history.due(name, now), len(history.unmeasured()) if searching else 0
        if not kind and not unsearched and game not in due:
            game = max(due, key=lambda each: due[each], default=game)
        stored_puzzles = history.stored_puzzles(name, game, now, kind)
        if stored_puzzles:
            sentence = ""
        elif unsearched:
            sentence = f"Looking for your mistakes in {pluralize(unsearched, 'game', 'games')}."
        elif next_due := history.next_due(name, now):
            sentence = f"No mistake is due. The next one comes back {wait_words(next_due, now)}."
        elif any(history.kinds(name, each) for each in GAMES):
            sentence = "Every mistake was put right until it stuck."
        else:
            sentence = NO_MISTAKES.sentence
        return cls(game, stored_puzzles, due, sentence, unsearched)


NO_MISTAKES = OwnMistakes("", sentence="No mistakes yet: they come from finished games.")


class StoredAnswers:
    """This user's first answers, in the history and unsaved."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._saved = Scorecard()
        self._unsaved: list[FirstAnswer] = []

    def read(self) -> None:
        """Read the answers saved by all windows, if possible."""
        with suppress(SaveError):
            if self._history.is_begun():
                self._saved = self._history.scorecard()

    def add(self, answer: FirstAnswer) -> None:
        """Count an unsaved answer."""
        self._unsaved.append(answer)

    def save(self) -> None:
        """Save the unsaved answers. Raises SaveError."""
        if self._unsaved:
            self._saved = self._history.save_answers(self._unsaved)
            self._unsaved = []

    @property
    def scorecard(self) -> Scorecard:
        """The scorecard of all answers."""
        return reduce(Scorecard.after, self._unsaved, self._saved)


class PracticeSession:
    """Practice of one user. A front end searches for mistakes and saves answers."""

    def __init__(self, answers: StoredAnswers, name: str) -> None:
        answers.read()
        self.answers = answers
        self.name = name
        self.today = today()
        self.level = "easy"
        self.seed = fresh_seed()
        self.number = 0

    def save(self) -> None:
        """Save the first answers; called after each."""
        raise NotImplementedError

    async def search_mistakes(self) -> None:
        """Search matches for mistakes not yet looked for, or begin to."""
        raise NotImplementedError

    async def find(self, game: str, kind: MistakeKind | None) -> OwnMistakes:
        """Return own mistakes to ask now, of a game and, if given, of one kind."""
        raise NotImplementedError

    def record(self, stored_puzzle: StoredPuzzle, right: bool) -> None:
        """Move an own mistake to the box after its first answer."""
        raise NotImplementedError

    async def source(self, options: PracticeOptions) -> Source:
        """Return the first source for these options."""
        self.level = options.level
        if options.mine:
            return await self.mine(options.game)
        return Today(self, options.game) if options.daily else Drawn(self, options.game)

    async def mine(self, game: str) -> Mine:
        """Return a game's own mistakes, or another's where it has none, after a search."""
        await self.search_mistakes()
        return Mine(self, game)

    @property
    def scorecard(self) -> Scorecard:
        """All results so far."""
        return self.answers.scorecard

    def streak(self, game: str) -> str:
        """A game's daily streak: "Daily streak: 2 days"; empty for none."""
        days = self.scorecard.streak(game, self.today)
        return f"Daily streak: {pluralize(days, 'day', 'days')}" if days else ""

    def caption(self, game: str, about: str) -> str:
        """The line above a puzzle of no match."""
        parts = ("Practice", f"{GAMES[game].name} · {about}", self.scorecard.rate, self.streak(game))
        return "   ".join(filter(None, parts))

    def note(self, game: str, right: bool, day: date | None = None) -> None:
        """Record a first answer to a puzzle of a game, or of a day."""
        self.answers.add(FirstAnswer(game, day, right))
        self.save()


class Source:
    """A source of puzzles: a front end asks each and notes its first answer."""

    game: str
    """The key of the present puzzle's game."""

    @property
    def caption(self) -> str:
        """The line above the puzzle."""
        raise NotImplementedError

    async def next(self) -> Puzzle | None:
        """Return the next puzzle; None where there is none."""
        return None

    @property
    def is_last(self) -> bool:
        """Whether no puzzle is known to follow."""
        return False

    @property
    def ending(self) -> str:
        """The result, or the reason for having no puzzle; empty while there is one."""
        return ""

    @property
    def to_send(self) -> str:
        """The result as lines to send; empty while there is none."""
        return ""

    def note(self, answer: Answer) -> str:  # noqa: ARG002
        """Note the first answer; return a sentence where another counts, else empty text."""
        return ""

    def elsewhere(self) -> Source | None:
        """Return such a source of the next game; None without a puzzle there."""
        return None


class Drawn(Source):
    """Drawn puzzles, without an end."""

    def __init__(self, practising: PracticeSession, game: str) -> None:
        self.practising = practising
        self.game = game

    @property
    def caption(self) -> str:
        return self.practising.caption(self.game, self.practising.level)

    async def next(self) -> Puzzle:
        practising = self.practising
        practising.number += 1
        return drawn_puzzle(self.game, practising.level, f"{practising.seed} {practising.number}")

    def note(self, answer: Answer) -> str:
        self.practising.note(self.game, answer.right)
        return ""

    def elsewhere(self) -> Source:
        return Drawn(self.practising, following(self.game)[0])


class Today(Source):
    """Today's puzzle."""

    def __init__(self, practising: PracticeSession, game: str) -> None:
        self.practising = practising
        self.game = game
        self.day = practising.today
        self.asked = False

    @property
    def caption(self) -> str:
        answered = "" if self.is_right is None else ", answered"
        return self.practising.caption(self.game, f"daily, {self.title}{answered}")

    @property
    def title(self) -> str:
        """Date and level: "2026-11-22, hard"."""
        return f"{self.day.isoformat()}, {daily_level(self.day)}"

    async def next(self) -> Puzzle | None:
        if self.asked:
            return None
        self.asked = True
        return daily(self.game, self.day)

    @property
    def is_last(self) -> bool:
        return self.asked

    @property
    def is_right(self) -> bool | None:
        """Whether the first answer was right; None before it."""
        return self.practising.scorecard.days.get((self.game, self.day))

    def note(self, answer: Answer) -> str:
        self.practising.note(self.game, answer.right, self.day)
        return "" if self.is_right == answer.right else f"The first answer of the day counts: it was {self._was}."

    @property
    def _was(self) -> str:
        return "right" if self.is_right else "wrong"

    @property
    def to_send(self) -> str:
        """The card of the day: the result, a square for each of seven days and their run, the puzzle's link or command.

        "🎲 420 by Mark Steere · 22 Nov 2026, hard: right at the first try", then "⬜🟥🟩🟩🟩🟩🟩 5 days in a row".
        """
        if self.is_right is None:
            return ""
        from fourtwenty.journal import links  # not needed at start

        scorecard, game = self.practising.scorecard, GAMES[self.game]
        week = (self.day - timedelta(days=ago) for ago in range(6, -1, -1))
        squares = "".join({True: GREEN, False: RED, None: WHITE}[scorecard.days.get((self.game, day))] for day in week)
        days = scorecard.streak(self.game, self.day)
        puzzle = links.link(links.PuzzleLink(self.game, self.day), links.homepage())
        return "\n".join(
            [
                first_line(game, f"{day_in_words(self.day)}, {daily_level(self.day)}: {self._was} at the first try"),
                f"{squares} {pluralize(days, 'day', 'days')} in a row" if days > 1 else squares,
                f"Your turn: {puzzle or f'fourtwenty practice {self.game} --daily'}",
            ]
        )

    def elsewhere(self) -> Source:
        return Today(self.practising, following(self.game)[0])


class PastDay(Today):
    """A past day's puzzle; its answer is not saved."""

    is_right = None

    def __init__(self, practising: PracticeSession, game: str, day: date) -> None:
        super().__init__(practising, game)
        self.day = day

    def note(self, answer: Answer) -> str:  # noqa: ARG002
        return ""

    def elsewhere(self) -> Source:
        return PastDay(self.practising, following(self.game)[0], self.day)


class Mine(Source):
    """The due own mistakes, each once; drawn puzzles until the first is found."""

    def __init__(self, practising: PracticeSession, game: str, kind: MistakeKind | None = None) -> None:
        self.practising = practising
        self.game = game
        self.kind = kind
        self.meanwhile = Drawn(practising, game)
        self.asked: list[StoredPuzzle] = []
        self.results: list[bool] = []
        """Whether first answers were right."""
        self.found = NO_MISTAKES
        """The mistakes found last, with the reason if there are none."""
        self.left = 0

    @property
    def caption(self) -> str:
        if not self.asked:
            return f"{self.meanwhile.caption}   {self.found.sentence}"
        mine = f"{GAMES[self.game].name} · my mistakes, {self.number_of}"
        return "   ".join(filter(None, ("Practice", mine, self.practising.scorecard.rate)))

    @property
    def number_of(self) -> str:
        """The mistake's number: "3 of 12"."""
        return f"{len(self.asked)} of {len(self.asked) + self.left}"

    async def next(self) -> Puzzle | None:
        """Return the next of the mistakes found so far."""
        self.found = found = await self.practising.find(self.game, self.kind)
        if not self.asked:
            self.game = found.game or self.game
        alike = {each.choice_key for each in self.asked}
        left = [each for each in found.stored_puzzles if each.game == self.game and each.choice_key not in alike]
        self.left = max(0, len(left) - 1)
        if left:
            self.asked.append(left[0])
            return _puzzle_of(left[0])
        return await self.meanwhile.next() if found.unsearched and not self.asked else None

    @property
    def is_last(self) -> bool:
        return bool(self.asked) and not self.left

    @property
    def ending(self) -> str:
        """The result, "4 of 5 right at the first try.", or why there was no mistake."""
        if self.results:
            return f"{sum(self.results)} of {len(self.results)} right at the first try."
        return "" if self.asked else self.found.sentence

    def note(self, answer: Answer) -> str:
        self.practising.note(self.game, answer.right)
        if self.asked:
            self.results.append(answer.right)
            self.practising.record(self.asked[-1], answer.right)
        return ""

    def elsewhere(self) -> Source | None:
        due = [game for game in following(self.game) if self.found.due.get(game)]
        return Mine(self.practising, due[0]) if due else None


class Again(Source):
    """A choice of a match once more, without saved answers."""

    is_last = True

    def __init__(self, game: str) -> None:
        self.game = game

    @property
    def caption(self) -> str:
        return f"Practice   {GAMES[self.game].name} · once more"


def following(game: str) -> Sequence[str]:
    """Return the other games' keys, from the next one on."""
    games = [*GAMES]
    return games[games.index(game) + 1 :] + games[: games.index(game)]


def _puzzle_of(stored_puzzle: StoredPuzzle) -> Puzzle:
    choices = solver_for(stored_puzzle.state).choices(stored_puzzle.state)
    return Puzzle(
        stored_puzzle.state,
        stored_puzzle.names,
        choices,
        choice_for(choices, stored_puzzle.state, stored_puzzle.action),
    )
