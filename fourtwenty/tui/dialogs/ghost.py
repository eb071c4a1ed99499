"""The ghost: best play with the dice of a seat in a round, beside the hands that were played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Label, Static

from fourtwenty.games.game import Faces
from fourtwenty.games.words import whose
from fourtwenty.play.percent import percent
from fourtwenty.review.analysis import Ghost
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.command_row import Command, CommandRow


class GhostDialog(Dialog[None]):
    """Two columns of hands, roll by roll, above the result of each."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,g,q,space", "dismiss", "Back", id="ghost.back"),
    ]

    def __init__(self, name: str, hands: Sequence[Faces], value: float, ghost: Ghost, goal: str, about: bool) -> None:
        """Compare the hands of a seat, and their chance of the goal in the end, with those of its ghost.

        ``about`` is whether chances are estimates.
        """
        super().__init__()
        self.seat_name = name
        self.hands = hands
        self.value = value
        self.ghost = ghost
        self.goal = goal
        self.about = about

    def compose(self) -> ComposeResult:
        """Lay out the hands above the result."""
        same = tuple(self.hands) == self.ghost.hands
        with Vertical(classes="dialog"):
            yield Label(f"Best play with {whose(self.seat_name)} own dice", id="heading", markup=False)
            with VerticalScroll(id="hands"):
                yield Static("\n".join(self._lines()), markup=False)
            if same:
                sentence = "The same choices, roll for roll."
            elif self.ghost.value == 1:
                sentence = f"It wins the {self.goal} on roll {len(self.ghost.hands)}."
            elif self.ghost.value == self.value == 0:
                sentence = f"It does not win the {self.goal} either."
            else:
                best, played = percent(self.ghost.value, self.about), percent(self.value, self.about)
                sentence = f"It ends on {best} {self.goal} instead of {played}."
            yield Label(sentence)
            yield CommandRow(Command("ghost.back", "Back to the review"))

    def _lines(self) -> list[str]:
        lines = ["roll   played     best play"]
        for index in range(max(len(self.hands), len(self.ghost.hands))):
            played, best = (
                " ".join(map(str, hands[index])) if index < len(hands) else ""
                for hands in (self.hands, self.ghost.hands)
            )
            lines.append(f"{index + 1:4}   {played:10} {best}".rstrip())
        return lines
