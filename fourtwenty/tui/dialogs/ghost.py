"""The ghost: best play with the dice of a seat in a round, beside the hands that were played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Label, Static

from fourtwenty.games.game import Faces
from fourtwenty.games.words import is_you, spaced, whose
from fourtwenty.odds.interface import Choice
from fourtwenty.play.percent import percent
from fourtwenty.play.puzzle import kept_dice
from fourtwenty.review.analysis import Ghost
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command


class GhostDialog(Dialog[None]):
    """Two columns of hands, roll by roll, above the result of each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,g,q,space", "back", "Back", id="ghost.back"),
    ]

    def __init__(
        self,
        name: str,
        choices: Sequence[Choice],
        hands: Sequence[Faces],
        value: float,
        ghost: Ghost,
        goal: str,
        estimated: bool,
    ) -> None:
        """Compare a seat with its ghost: choices, the hand after each, and the chance of the goal in the end.

        ``estimated`` is whether chances are estimates.
        """
        super().__init__()
        self.heading = f"Best play with {whose(name)} own dice"
        self.seat_name = name
        self.played = _choice_lines(choices, hands)
        self.best = _choice_lines(ghost.choices, ghost.hands)
        self.hands = hands
        self.value = value
        self.ghost = ghost
        self.goal = goal
        self.estimated = estimated

    def contents(self) -> Iterator[Widget]:
        with VerticalScroll(id="hands"):
            yield Static("\n".join(self._lines()), markup=False)
        if tuple(self.hands) == self.ghost.hands:
            sentence = f"{'You' if is_you(self.seat_name) else self.seat_name} played the same, roll for roll."
        elif self.ghost.value == 1:
            sentence = f"It wins the {self.goal} on roll {len(self.ghost.hands)}."
        elif self.ghost.value == self.value == 0:
            sentence = f"It doesn't win the {self.goal} either."
        else:
            best, played = percent(self.ghost.value, self.estimated), percent(self.value, self.estimated)
            sentence = f"It ends on {best} {self.goal} instead of {played}."
        yield Label(sentence)

    @property
    def shown_commands(self) -> Sequence[Command]:
        """The way back in more words than the sheet of keys has."""
        return (Command("ghost.back", "Back to the review"),)

    def _lines(self) -> list[str]:
        width = max(map(len, (*self.played, "kept")))
        lines = [f"       {'you kept' if is_you(self.seat_name) else 'kept'}".ljust(width + 10) + "best play keeps"]
        for index in range(max(len(self.played), len(self.best))):
            played, best = (side[index] if index < len(side) else "" for side in (self.played, self.best))
            lines.append(f"{index + 1:4}   {played.ljust(width)}   {best}".rstrip())
        return lines


def _choice_lines(choices: Sequence[Choice], hands: Sequence[Faces]) -> list[str]:
    """Return, for each choice, the dice that it keeps and the hand after it."""
    kept = map(kept_dice, choices)
    return [f"{dice:8} → {spaced(hand)}" for dice, hand in zip(kept, hands, strict=True)]
