"""The dialog with the proof of the dice: the seal of a match, and everything at its end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Label, Static

from fourtwenty.games.english import all_of
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import SharedDice
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.textual_base.actions import back


def proof(match: Match) -> tuple[tuple[str, str], ...]:
    """Return the seed, seal and fingerprint of a finished match, each with its label; before the end only the seal.

    The fingerprint is the SHA-256 of the record; a match without an identifier has none. Only fair dice have a seed.
    """
    if match.state.outcome is None:
        return (("Seal (SHA-256)", match.dice.commitment),) if match.dice.commitment else ()
    from fourtwenty.journal.record import Record, fingerprint, write_record

    lines = (("Record", fingerprint(write_record(Record.from_match(match)))),) if match.identifier else ()
    if match.dice.seed and match.dice.commitment:
        return ("Seed", match.dice.seed.hex()), ("Seal (SHA-256)", match.dice.commitment), *lines
    return lines


class FairnessDialog(Dialog[None]):
    """Shows the proof of a match so far, and copies it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy", id="fairness.copy", tooltip="Copy all of it"),
        back("enter", "f"),
    ]
    heading = "Fairness"

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match = match
        self.proof = proof(match)

    def contents(self) -> Iterator[Widget]:
        yield Label(self._explanation, classes="lines", markup=False)
        halves = ((label, value[:32], value[32:]) for label, value in self.proof)
        yield Static(
            Content("\n").join(
                Content.assemble((f"{label.rjust(14)}  ", "$quiet"), f"{first}\n{' ' * 16}{rest}")
                for label, first, rest in halves
            ),
            id="proof",
        )

    @property
    def _explanation(self) -> str:
        match, ended = self.match, self.match.state.outcome is not None
        unchanged = "The fingerprint of the record shows that nobody has changed it since."
        verify = " fourtwenty verify checks an exported record." if ended else ""
        if match.dice.typed:
            return f"You rolled real dice. {unchanged}" if ended else "You roll real dice: there is nothing to seal."
        if isinstance(match.dice, SharedDice):
            machines = all_of(len(match.dice.machines), "machine", "machines")
            return f"Every roll follows from keys of {machines}, which were fixed before the game.{verify}"
        if not match.dice.commitment:
            return unchanged if ended else "These dice have no seal."
        promise = (
            "Every roll follows from this seed, and its seal was shown before the first roll."
            if ended
            else "Every roll follows from a seed, and this is its seal. It was fixed before the first roll. At the end "
            "you see the seed: then anybody can check that no roll was changed."
        )
        return f"{match.dice.trust_warning} {promise}{verify}".lstrip()

    def text_to_copy(self) -> str:
        names = {"Seal (SHA-256)": "commitment"}
        return "".join(f"{names.get(label, label.lower())} {value}\n" for label, value in self.proof)
