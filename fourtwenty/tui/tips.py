"""One tip at a time, until the player has done what it describes. No widget."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from fourtwenty.games.game import Action, Game, Roll, State, Tip

START = "start"
"""Dismissed when the first table opens: nobody has played here before."""


def _chooses(state: State) -> bool:
    return len(state.actions) > 1


FIRST_TIPS = (
    Tip(
        "roll",
        "Press Enter, or click the button.",
        available=lambda state: not _chooses(state) and state.to_act is not None and not state.hand(state.to_act),
        done=lambda _, action: isinstance(action, Roll),
    ),
    Tip(
        "pick",
        "Click the dice to roll again, or press 1 to {last}.",
        available=_chooses,
        done=lambda state, action: isinstance(action, Roll) and _chooses(state),
    ),
)
"""The first tips of every game; the game's own follow."""
LAST_TIPS = (
    Tip("hint", "Press h for a hint, and Enter to take it.", available=_chooses),
    Tip("coach", "Press c to put the odds on the table.", available=_chooses),
    Tip("leave", "Leave whenever you like: press q, and the game is saved.", available=_chooses),
)
"""The last tips of every game; keys dismiss them, not actions."""


class MatchTips:
    """The tips of one match that are not dismissed yet."""

    def __init__(
        self, game: Game, dismissed: Collection[str] = (), save: Callable[[frozenset[str]], None] | None = None
    ) -> None:
        """``save`` receives newly dismissed tips; without it, no tips are wanted."""
        self.dismissed = frozenset(dismissed)
        self._save = save
        self._tips = (*FIRST_TIPS, *game.tips, *LAST_TIPS) if save else ()
        self._shown: set[str] = set()
        self._last = game.hand_size

    def next(self, state: State) -> str:
        """Return the tip for a state in which a person is asked; empty without one."""
        for tip in self._tips:
            if tip.name not in self.dismissed | self._shown and tip.available(state):
                self._shown.add(tip.name)
                return f"Tip: {tip.text.format(last=self._last)}"
        return ""

    def done(self, state: State, action: Action) -> Iterator[str]:
        """Yield the names of the tips that an action makes needless."""
        for tip in self._tips:
            if tip.available(state) and tip.done(state, action) and (not tip.only_after_tip or tip.name in self._shown):
                yield tip.name

    def dismiss(self, *names: str) -> None:
        new = frozenset(names) - self.dismissed
        if new and self._save:
            self.dismissed |= new
            self._save(new)
