"""Shows the people at a machine sentences about their table, each once. Nothing is decided here."""

from __future__ import annotations

from collections.abc import Callable

from fourtwenty.games.english import possessive, sentence_case

SPLIT_LOG = "The table's log has split, so this game can't go on. Open a new one: fourtwenty host"
"""For a broker that was not the same for all."""

USED_UP = "This game has used up its keys for the dice, and ends without a winner."

LEFT_OUT = "{} has started without you. You play in the next game"
"""Without a full stop: how to leave follows. The braces take a name."""

CALLED_OFF = "This game is called off: it was started without somebody who was here."

SECOND_WINDOW = "Another window here has your seat at this table. This one watches."

OTHER_VERSION = "A machine here has another version of the program, and can't sit down: all need the same."


class Notices:
    """The sentences shown, so that none is repeated."""

    def __init__(self) -> None:
        self._pending: list[str] = []
        self.notify: Callable[[str], object] = self._pending.append
        """Called with a sentence for the people at this machine."""
        self._notified: set[tuple[object, str]] = set()

    def attach(self, notify: Callable[[str], object]) -> None:
        """Call this with each sentence from now on, and with the pending ones."""
        self.notify = notify
        for sentence in self._pending:
            notify(sentence)

    def notify_once(self, about: object, sentence: str) -> bool:
        """Show a sentence about something; return whether it was the first time."""
        first = (about, sentence) not in self._notified
        if first:
            self._notified.add((about, sentence))
            self.notify(sentence)
        return first

    def broker_refused(self, reason: str) -> None:
        """Say why the broker does not admit this machine, or fails to store or send."""
        self.notify_once("refused", f"{sentence_case(reason)}.")

    def not_saved(self, reason: str) -> None:
        """Say why the log is not stored here."""
        self.notify_once("file", f"This table can't be saved here: {reason}.")

    def other_log(self, name: str) -> bool:
        """Say that a machine has seen a different log of the table; return whether it was the first time."""
        return self.notify_once(name, f"{possessive(name)} machine has a different log of this table. {SPLIT_LOG}")

    def log_diverged(self) -> None:
        """Say that the log has diverged from this machine's, unless people know it."""
        if not any(SPLIT_LOG in sentence for _, sentence in self._notified):
            self.notify_once(
                "astray", f"The log of this table is no longer the one that this machine has seen. {SPLIT_LOG}"
            )
