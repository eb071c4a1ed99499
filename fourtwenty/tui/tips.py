"""The tips for newcomers: each until its thing was done once, at its moment, one at a time. No widget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from fourtwenty.games.english import dice_in_words
from fourtwenty.games.game import Action, Game, Lesson, Roll, State

START = "start"
"""Learnt when the first table opens: until then nobody has played here."""


def _chooses(state: State) -> bool:
    return len(state.actions) > 1


LESSONS = (
    Lesson(
        "roll",
        "Press Enter, or click the button.",
        available=lambda state: not _chooses(state) and state.to_act is not None and not state.hand(state.to_act),
        done=lambda _, action: isinstance(action, Roll),
        by_touch="Tap the button.",
    ),
    Lesson(
        "pick",
        "Click the dice to roll again, or press 1 to {last}.",
        available=_chooses,
        done=lambda state, action: isinstance(action, Roll) and _chooses(state),
        by_touch="Tap the dice to roll again.",
    ),
)
"""The first lessons of every game; those of the game follow."""
LATER = (
    Lesson(
        "hint",
        "Press h to see what each choice is worth.",
        available=_chooses,
        by_touch="Tap Hint to see what each choice is worth.",
    ),
    Lesson(
        "coach",
        "Press c to put the odds on the table.",
        available=_chooses,
        by_touch="Tap Coach in the lobby, and the odds are on the table.",
    ),
    Lesson(
        "leave",
        "Leave whenever you like: press q, and the game is saved.",
        available=_chooses,
        by_touch="Leave whenever you like: the game is saved.",
    ),
)
"""The last lessons of every game; they are learnt by keys, not by actions."""


class Tips:
    """The tips of one match: those that are not learnt yet, each once."""

    def __init__(
        self,
        game: Game,
        learnt: Collection[str],
        wanted: bool = True,
        by_touch: bool = False,
        keep: Callable[[frozenset[str]], None] | None = None,
    ) -> None:
        """Take what the people here have learnt; ``keep`` is told what they learn now, if tips are ``wanted``."""
        self.learnt = frozenset(learnt)
        self.wanted = wanted
        self._by_touch = by_touch
        self._keep = keep
        self._lessons = (*LESSONS, *game.lessons, *LATER) if wanted else ()
        self._shown: set[str] = set()
        self._last = game.hand_size

    def next(self, state: State) -> str:
        """Return the tip for a state in which a person is asked; empty when there is none."""
        for lesson in self._lessons:
            if lesson.name not in self.learnt | self._shown and lesson.available(state):
                self._shown.add(lesson.name)
                text = lesson.by_touch if self._by_touch and lesson.by_touch else lesson.text
                return f"Tip: {text.format(last=self._last, dice=dice_in_words(self._last))}"
        return ""

    def done(self, state: State, action: Action) -> Iterator[str]:
        """Yield what a person has done by an action in a state; a rule counts only once its tip was shown."""
        for lesson in self._lessons:
            if (
                lesson.available(state)
                and lesson.done(state, action)
                and (not lesson.rule or lesson.name in self._shown)
            ):
                yield lesson.name

    def learn(self, *names: str) -> None:
        new = frozenset(names) - self.learnt
        if new and self.wanted:
            self.learnt |= new
            if self._keep:
                self._keep(new)
