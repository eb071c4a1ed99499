"""Rebuilds the state of a table of several machines from its log. Invalid entries are ignored.

Every machine folds the same entries in the same order into the same room (docs/inside/rooms.md). No key, network or
clock: encryption.py decrypts entries, local_machine.py makes this machine's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games import GAMES
from fourtwenty.games.english import all_of, in_words, join_words, possessive, sentence_case
from fourtwenty.games.game import Action, Event, InvalidAction, Leave, Roll, Stand, State
from fourtwenty.games.replay import state_after
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import FIRST_TO, FirstTo, Lineup, Seat
from fourtwenty.play.shared_dice import CHAIN_LENGTH, START_DRAW, Machine, SharedDice, match_digest
from fourtwenty.rooms.names import check_seat

LOG_VERSION = 5
"""Version of the kinds of entries and the rules that count: different versions share no table."""
MAX_PLAYERS_PER_MACHINE = 24
MAX_MACHINES = 48
PATIENCE_CHOICES = (60, 180, 600, 0)
"""Seconds before others may carry on without a machine; 0 for ever. Only offers follow: the log has no clock."""
MAX_SEATINGS, MAX_SEATINGS_OF_ALL = 50, 400
"""Most seat changes before a match, of one machine and of all: every newcomer reads them."""
MIN_KEYS = 4096
"""Least number of keys of a chain: six times the 679 steps of the longest of 20,000 matches of six."""
UNORDERED = ("open", "end")
"""The kinds of entries with an order that matters only for a vote about their author: a key is bound to its action, a
record to its match. They make no head and fit to every one."""
HEAD_DIGITS = 32
"""Length of a head in hexadecimal digits: 128 bits."""


class LogEntry(Struct, frozen=True):
    """A signed entry in plain text: its author, and the JSON object."""

    author: bytes
    """The machine's public key, 32 bytes."""
    body: dict[str, Any]
    digest: bytes
    """SHA-256 of the signed bytes; independent of the encryption."""


class InvalidEntryError(ValueError):
    """An entry does not count. The message is the reason in a sentence, without names."""


class Participant(Struct, frozen=True):
    """A machine with seats before a match."""

    author: bytes
    anchor: bytes
    """The anchor of its chain for the next match; "tip" in the log."""
    keys: int
    """The number of steps of this chain."""
    players: tuple[Seat, ...]
    game: str
    """The key of the game that it proposes; of a match's machines the first one's counts."""
    first_to: FirstTo
    """The number at which the tally starts again, proposed likewise."""
    patience: int
    """Seconds, one of PATIENCE_CHOICES, after which others may carry on without a machine, proposed likewise."""
    digest: bytes
    page: bytes = b""
    """A page's origin, the public key of its machine; empty for a program."""

    @property
    def labels(self) -> str:
        """Its players in words: "Ann and Steady (bot)"."""
        return join_words(seat.label for seat in self.players)

    @property
    def name(self) -> str:
        """The name of the machine: its first person, or first player."""
        return next((seat.name for seat in self.players if not seat.bot), self.players[0].name)


def throwers(participants: Iterable[Participant]) -> str:
    """Return a description of the machines' dice: "dice by both laptops", or "Ann's laptop rolls the dice".

    With the origin of pages: "dice by all four; two pages follow Ann's laptop". Empty without machines.
    """
    each = [*participants]
    if len(each) > 1:
        return "; ".join([f"dice by {_all_of(each)}", *_pages(each)])
    return f"{possessive(each[0].name)} laptop rolls the dice" if each else ""


def dice_sentence(participants: Iterable[Participant]) -> str:
    """Return the sentence about the dice of these machines; empty without machines."""
    each = [*participants]
    if len(each) > 1:
        fair = f"Fair dice: {_all_of(each)} roll them together, so nobody can choose them."
        return " ".join([fair, *(f"{sentence_case(page)}." for page in _pages(each))])
    return f"{sentence_case(throwers(each))}." if each else ""


def _all_of(participants: Sequence[Participant]) -> str:
    """Their number in words: "all four laptops", or "all four" if some are pages."""
    words = ("", "") if any(participant.page for participant in participants) else ("laptop", "laptops")
    return all_of(len(participants), *words).rstrip()


def _pages(participants: Sequence[Participant]) -> list[str]:
    """The pages by the machines that show them their views: "two pages follow Ann's laptop"."""
    names = {participant.author: participant.name for participant in participants}
    pages = Counter(participant.page for participant in participants if participant.page)
    return [
        f"{in_words(count)} {'page follows' if count == 1 else 'pages follow'}"
        f" {possessive(names.get(host, 'the host'))} laptop"
        for host, count in pages.items()
    ]


class PendingAction(Struct, frozen=True):
    """An action in the log without faces, because keys are missing."""

    seat: int
    """The seat that acts, or START_DRAW."""
    action: Roll | None
    """None for the draw."""
    machine: int
    """The index of the machine that opens last: the one that acts."""
    digest: bytes
    """The digest of the entry of the action, or of the start for the draw; every key is opened for it."""


class Dispute(Struct, frozen=True):
    """A page's statement that its host shows other dice than the keys give."""

    step: int
    """The number of the step; 0 if the statement is not about one roll."""
    die: int
    shown: int
    computed: int


class RoomMatch:
    """One match of a room: its machines, its dice, and its state after each event so far."""

    def __init__(
        self,
        table: bytes,
        participants: Sequence[Participant],
        starting_seat: int | None,
        start: LogEntry,
        opens_last: int,
    ) -> None:
        """``opens_last`` is the machine that opens last for the draw."""
        first = participants[0]
        self.participants = tuple(participants)
        """``[machine]``."""
        seats = tuple(player for participant in participants for player in participant.players)
        self.machine_of = tuple(index for index, participant in enumerate(participants) for _ in participant.players)
        """``[seat]``: the index of its machine."""
        self.lineup = Lineup(seats, starting_seat, first.game, first_to=first.first_to)
        self.patience = first.patience
        self.max_steps = min(participant.keys for participant in participants)
        """The number of steps with a key in every chain; the match ends if it needs another one."""
        self.game = GAMES[first.game]
        machines = [
            Machine(
                participant.author,
                participant.anchor,
                tuple(seat for seat, machine in enumerate(self.machine_of) if machine == index),
                participant.page,
            )
            for index, participant in enumerate(participants)
        ]
        self.digest = match_digest(table, machines, first.game, self.lineup.players, starting_seat)
        self.dice = SharedDice(table, machines, self.digest)
        self.events: list[Event] = []
        self.state: State | None = None
        """The state after all events, at the beginning of the next round when one is over; None until the draw."""
        self.pending: PendingAction | None = None
        self.abandoned = False
        """Whether the match has ended before its draw, or without a winner because a chain is used up."""
        self.left_out: frozenset[bytes] = frozenset()
        """The machines with seats that are not in it, by public key."""
        self.started_by = start.author
        """The public key of the machine that started it."""
        self.called_off_by: frozenset[bytes] = frozenset()
        """The machines that made it end, by public key."""
        self.votes: dict[frozenset[int], set[int]] = {}
        """The machines that would carry on now without others, by those others; an answer by one voids the vote."""
        self.voted_out: frozenset[int] = frozenset()
        """The machines that have been voted out: they did not leave by themselves."""
        self.disputes: dict[int, Dispute] = {}
        """Errors that pages have found, by their machines: nobody acts any more, and a majority may end the match."""
        self.findings: dict[tuple[int, int], bool] = {}
        """``[machine, page's machine]``: whether the machine has found the disputed roll right."""
        self.agreed_to_end: set[int] = set()
        """The machines that would end a disputed match without a result."""
        self.ends: dict[int, str] = {}
        """The fingerprint of the record that each machine has stated at the end."""
        self.remaining = tuple(range(len(participants)))
        """The machines with a seat that still takes part, ascending: they contribute to every roll."""
        self._author = {participant.author: index for index, participant in enumerate(participants)}
        if starting_seat is None and self.game.draws_start:
            self._begin_step(PendingAction(START_DRAW, None, opens_last, start.digest))
        else:
            self.state = self.game.start(len(seats), starting_seat)

    @property
    def identifier(self) -> str:
        """The identifier of the match: 32 hexadecimal digits."""
        return self.digest.hex()[:32]

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.abandoned or (self.state is not None and self.state.outcome is not None)

    @property
    def to_act(self) -> int | None:
        """The seat to choose an action; None while dice fall, before the draw, during a dispute and after the end."""
        return None if self.pending or self.disputes or not self.state else self.state.to_act

    def machine_index(self, author: bytes) -> int | None:
        """Return a machine's index by its public key; None without a seat."""
        return self._author.get(author)

    def goes_on_without(self, machine: int | None) -> bool:
        """Whether the others carry on without a machine that has left or been voted out."""
        return machine in self._left and machine not in self.remaining and not self.over

    @property
    def may_end(self) -> frozenset[int]:
        """The machines that may still agree to end a disputed match without a result."""
        return frozenset(self.remaining) - self.agreed_to_end if self.disputes and not self.over else frozenset()

    @property
    def _left(self) -> set[int]:
        """The machines with a player that has left or been voted out."""
        return {self.machine_of[seat] for seat in self.state.departed} if self.state else set()

    def note(self, state: State, seat: int) -> str:
        """Return a seat's note: that it has been voted out, or the note of its standing."""
        voted_out = seat in state.departed and self.machine_of[seat] in self.voted_out
        return "voted out" if voted_out else state.standing(seat).note

    def voters(self, others: frozenset[int]) -> frozenset[int]:
        """Return the machines that may vote on others: all that take part, else all that are out but have not left."""
        remaining = {*self.remaining}
        return frozenset(remaining - others or {*range(len(self.participants))} - remaining - self._left)

    def cursor_of(self, machines: Iterable[int]) -> list[int]:
        """Return the numbers of events and of steps so far, and machines' last key steps.

        Keys make no head, but decide whether a roll is void.
        """
        keys = (self.dice.shown[machine].step for machine in sorted(machines))
        return [len(self.events), len(self.dice.steps), *keys]

    @property
    def awaited_machines(self) -> tuple[int, ...]:
        """The machines that the match waits for now, ascending."""
        if self.over or self.disputes:
            return ()
        if not self.pending:
            assert self.to_act is not None
            return (self.machine_of[self.to_act],)
        missing = self.dice.missing
        return tuple([machine for machine in missing if machine != self.pending.machine]) or missing

    def roll_of(self, step: int) -> tuple[int, Event] | None:
        """Return the number of a step's throw among its seat's throws, from 1, and its event; None without faces."""
        steps = self.dice.roll_steps
        rolls = [event for event in self.events if isinstance(event.action, Roll)]
        if step not in steps or (at := steps.index(step)) >= len(rolls):
            return None
        return sum(each.seat == rolls[at].seat for each in rolls[: at + 1]), rolls[at]

    def is_right(self, dispute: Dispute) -> bool | None:
        """Return whether the roll in this log is what the host has shown; None if the log has no such roll."""
        found = self.roll_of(dispute.step)
        if found is None or dispute.die >= len(found[1].faces):
            return None
        return found[1].faces[dispute.die] == dispute.shown

    # -- entries -----------------------------------------------------------------------------------------------

    def _act(self, machine: int, entry: LogEntry) -> None:
        if entry.body.get("event") != len(self.events):
            raise InvalidEntryError("This action is for another moment of the match.")
        action, seat = read_action(entry.body), self.to_act
        if self.over or seat is None or not self.state:
            raise InvalidEntryError("Nobody is to act now.")
        if self.machine_of[seat] != machine:
            raise InvalidEntryError("It is the turn of another machine.")
        refusal = self.state.check(action)
        if refusal:
            raise InvalidEntryError(refusal)
        if isinstance(action, Roll):
            self._begin_step(PendingAction(seat, action, machine, entry.digest))
        else:
            self._apply(Event(seat, action, ()))

    def _open(self, machine: int, entry: LogEntry) -> None:
        step, pending = entry.body.get("step"), self.pending
        if type(step) is not int:
            raise InvalidEntryError("A key is for one step.")
        act, key = read_bytes(entry.body, "act"), read_bytes(entry.body, "key")
        if not pending or step != len(self.dice.steps) or act != pending.digest:
            raise InvalidEntryError("No such roll waits for keys.")
        missing = self.dice.missing
        if machine not in missing or (machine == pending.machine and len(missing) > 1):
            raise InvalidEntryError("This machine does not open now.")
        if not self.dice.check_key(machine, key):
            raise InvalidEntryError("This is not the next key of its chain.")
        self.dice.open(machine, key)
        self._void_votes(machine)
        if not self.dice.missing:
            self._complete_step(pending)

    def _vote(self, machine: int, entry: LogEntry) -> None:
        """Apply a machine's vote to carry on without others; they leave once all remaining machines agree.

        The match must wait for one of them. More may be named, because any that is here answers.
        """
        named = entry.body.get("machines")
        if not isinstance(named, list) or not all(type(other) is int for other in named):
            raise InvalidEntryError("It lists machines.")
        others = frozenset(named)
        self._check_moment(entry, self.cursor_of(others) if others <= {*self.remaining} else None)
        if others.isdisjoint(self.awaited_machines):
            raise InvalidEntryError("The match does not wait for these.")
        if machine not in self.voters(others):
            raise InvalidEntryError("Only the others who play on can agree to it.")
        if machine in self.votes.setdefault(others, set()):
            raise InvalidEntryError("This machine has agreed already.")
        self.votes[others].add(machine)
        if self.votes[others] >= {*self.remaining} - others:
            self.voted_out |= others
            self._remove(others)

    def call_off(self) -> None:
        """End the match without a winner, because it was started without somebody who was here."""
        self.called_off_by = frozenset({self.started_by})
        self._abandon()

    def _answer(self, machine: int, entry: LogEntry) -> None:
        """Apply a machine's answer to a vote. It does not help one that must act or open for the match to go on."""
        self._check_moment(entry, self.cursor_of([]))
        if machine in self.awaited_machines or not self._void_votes(machine):
            raise InvalidEntryError(
                "Nobody would carry on without this machine, or the match waits for more than a word."
            )

    def _dispute(self, machine: int, entry: LogEntry) -> None:
        """Stop the match, because a page disputes what its host shows; once for a page.

        Keys that are on their way still count, so that their order against this entry changes nothing.
        """
        dispute = read_dispute(entry.body)
        if self.over or machine in self._left or not self.participants[machine].page:
            raise InvalidEntryError("Only a page that plays disputes a roll.")
        if machine in self.disputes:
            raise InvalidEntryError("This page has disputed a roll already.")
        self.disputes[machine] = dispute
        self.votes.clear()

    def _find(self, machine: int, entry: LogEntry) -> None:
        """Apply what a machine has found in its own log about the roll that a page disputes."""
        page, right = entry.body.get("page"), entry.body.get("right")
        if type(page) is not int or type(right) is not bool:
            raise InvalidEntryError("A finding is about the roll that a page disputes.")
        if page not in self.disputes or self.participants[machine].page or (machine, page) in self.findings:
            raise InvalidEntryError("Each machine with a log states once what it finds about a disputed roll.")
        self.findings[machine, page] = right

    def _agree_to_end(self, machine: int, entry: LogEntry) -> None:
        """Apply a machine's vote to end a disputed match; more than half of the remaining machines end it."""
        self._check_moment(entry, self.cursor_of(self.remaining))
        if self.over or not self.disputes:
            raise InvalidEntryError("Nobody disputes a roll of this match.")
        if machine not in self.may_end:
            raise InvalidEntryError("Each machine that plays on agrees once.")
        self.agreed_to_end.add(machine)
        self._count_agreements()

    def _count_agreements(self) -> None:
        if not self.over and 2 * len(self.agreed_to_end & {*self.remaining}) > len(self.remaining):
            self._abandon()

    def _leave(self, machine: int, entry: LogEntry) -> None:
        self._check_moment(entry, self.cursor_of([machine]))
        if self.over or machine not in self.remaining:
            raise InvalidEntryError("This machine has no seat to leave.")
        self._remove(frozenset({machine}))
        self._count_agreements()

    def _end(self, machine: int, entry: LogEntry) -> None:
        if not self.over or machine in self.ends:
            raise InvalidEntryError("A result can be reported once, after the match.")
        self.ends[machine] = read_bytes(entry.body, "record").hex()

    def _check_moment(self, entry: LogEntry, moment: list[int] | None) -> None:
        if moment is None or entry.body.get("moment") != moment:
            raise InvalidEntryError("This is about another moment of the match.")

    KINDS: ClassVar[dict[str, Callable[[RoomMatch, int, LogEntry], None]]] = {
        "act": _act,
        "open": _open,
        "without": _vote,
        "here": _answer,
        "leave": _leave,
        "dispute": _dispute,
        "finding": _find,
        "abandon": _agree_to_end,
        "end": _end,
    }
    """The kinds of entries of machines in the match, by their field ``at``."""

    # -- consequences ------------------------------------------------------------------------------------------

    def _begin_step(self, pending: PendingAction) -> None:
        """Ask for the keys of a step, or end the match without a winner if a chain has none."""
        self.votes.clear()
        if len(self.dice.steps) == self.max_steps:
            self.abandoned = True
            return
        self.dice.begin(pending.seat, self.remaining)
        self.pending = pending

    def _complete_step(self, pending: PendingAction) -> None:
        self.pending = None
        if pending.action is None:
            seats = len(self.machine_of)
            self.state = self.game.start(seats, self.dice.draw(seats))
            return
        faces = self.dice.throw(pending.seat, self.dice.throws[pending.seat], pending.action.dice)
        self._apply(Event(pending.seat, pending.action, faces))

    def _apply(self, event: Event) -> None:
        assert self.state
        self.state = state_after(self.state, event)
        self.events.append(event)
        self.votes.clear()
        if self.state.to_act is None and not self.state.outcome:
            self.state = self.state.next_round()
        self.remaining = tuple(sorted({self.machine_of[seat] for seat in self.state.remaining}))

    def _void_votes(self, machine: int) -> bool:
        void = [others for others in self.votes if machine in others]
        for others in void:
            del self.votes[others]
        return bool(void)

    def _remove(self, machines: frozenset[int]) -> None:
        """Let machines leave. A roll without their keys is void, and asked again unless it was theirs."""
        if self.state is None:
            self._call_off(machines)
            return
        pending, withheld = self.pending, not machines.isdisjoint(self.dice.missing)
        for seat in self.state.remaining:
            if not self.over and self.machine_of[seat] in machines and seat in self.state.remaining:
                self._apply(Event(seat, Leave(), ()))
        if not pending:
            return
        assert pending.action
        asked = not self.over and self.state.to_act == pending.seat and not self.state.check(pending.action)
        if withheld or not asked:
            self.dice.void()
            self.pending = None
            if asked:
                self._begin_step(pending)

    def _call_off(self, machines: frozenset[int]) -> None:
        """End the match before its draw, because machines leave.

        Either of two can say that the other is gone: the one that has not opened its key then made it end.
        """
        missing = frozenset(self.dice.missing)
        by = machines & missing or (missing if len(self.participants) == 2 else machines)
        self.called_off_by = frozenset(self.participants[machine].author for machine in by)
        self._abandon()

    def _abandon(self) -> None:
        if self.dice.missing:
            self.dice.void()
        self.votes.clear()
        self.pending, self.abandoned = None, True


class Room:
    """The state of a room, from its log. Entries against the rules do not count, on any machine."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self.participants: dict[bytes, Participant] = {}
        """The machines with seats in the next match, by public key: the last match's first, in its order."""
        self.matches: list[RoomMatch] = []
        """All matches of the room; the last one may be running."""
        self.match: RoomMatch | None = None
        """The match that is running or ended last; None before the first one."""
        self.heads = [sha256(b"420 room" + table).hexdigest()[:HEAD_DIGITS]]
        """The head after every number of ordered entries that count: the hash of the last head and the entry."""
        self.counted: set[bytes] = set()
        self.host: bytes | None = None
        """The machine that sat down first: it opened the table, before anybody else had its code."""
        self._seat_changes: Counter[bytes] = Counter()
        """How often each machine has sat down or got up since the last match began."""
        self._ended = 0
        """The number of ordered entries that counted when the last match was over."""

    @property
    def head(self) -> tuple[int, str]:
        """The number of ordered entries that count, and the head after them."""
        return len(self.heads) - 1, self.heads[-1]

    @property
    def _last_drawn(self) -> RoomMatch | None:
        """The last match with a drawn start; None before the first one."""
        return next((match for match in reversed(self.matches) if match.state), None)

    @property
    def playing(self) -> bool:
        """Whether a match is running."""
        return self.match is not None and not self.match.over

    @property
    def cursor(self) -> tuple[int, ...]:
        """Numbers that change whenever the match goes on, or before a match at every seat change."""
        if self.match is None or self.match.over:
            return len(self.matches), self.head[0]
        return len(self.matches), *self.match.cursor_of([]), len(self.match.dice.missing)

    def name(self, author: bytes) -> str:
        """Return the name of a machine by its public key; empty if it never sat here."""
        participants = [
            *self.participants.values(),
            *(each for match in reversed(self.matches) for each in match.participants),
        ]
        return next((each.name for each in participants if each.author == author), "")

    @property
    def seated(self) -> frozenset[bytes]:
        """The machines with seats now or in the last match, by public key."""
        return frozenset(
            (*self.participants, *(each.author for each in (self.match.participants if self.match else ())))
        )

    @property
    def start_order(self) -> tuple[Participant, ...]:
        """The machines with seats in the order of starting: first any that stayed in an abandoned match."""
        return tuple(sorted(self.participants.values(), key=lambda participant: not self._stayed(participant.author)))

    def _stayed(self, author: bytes) -> bool:
        """Whether a machine has stayed in a last match that was called off; one under another key is a newcomer."""
        match = self.match
        if match is None or not match.abandoned:
            return True
        return author not in match.called_off_by and match.machine_index(author) is not None

    def _opens_last(self, starting: Sequence[Participant]) -> int:
        """The machine that opens last for a draw, and so knows it first: a different one each time."""
        trusted = [each for each in self.participants.values() if each in starting]
        trusted = [each for each in trusted if self._stayed(each.author)] or trusted
        return starting.index(trusted[(-1 - len(self.matches)) % len(trusted)])

    def shares_log_with(self, heads: Sequence[str]) -> bool:
        """Whether these heads and the room's are from one log, even if one is longer."""
        both = min(len(heads), len(self.heads))
        return self.heads[both - 1] == heads[both - 1]

    def feed(self, entry: LogEntry) -> None:
        """Fold the next entry of the log. Raises only InvalidEntryError, when it does not count."""
        at, playing = entry.body.get("at"), self.playing
        take = self.KINDS.get(at) if isinstance(at, str) else None
        if take is None:
            raise InvalidEntryError("This kind of entry is not known.")
        if entry.digest in self.counted:
            raise InvalidEntryError("This entry has come before.")
        if at not in UNORDERED:
            self._check_head(entry.body)
        if at in ("sit", "rise"):
            self._check_seat_changes(entry.author)
        take(self, entry)
        self.counted.add(entry.digest)
        if at not in UNORDERED:
            head = sha256(bytes.fromhex(self.heads[-1]) + entry.digest).hexdigest()[:HEAD_DIGITS]
            self.heads.append(head)
        if playing and not self.playing:
            self._ended = self.head[0]

    def _check_head(self, body: Mapping[str, Any]) -> None:
        number, head = read_head(body)
        if number >= len(self.heads) or self.heads[number] != head:
            raise InvalidEntryError("This machine has a different log.")
        # Others may send entries again that did not count during a match.
        if body.get("at") in ("sit", "rise") and number < self._ended:
            raise InvalidEntryError("This was said before the last match was over.")

    def _check_seat_changes(self, author: bytes) -> None:
        if self._seat_changes[author] >= MAX_SEATINGS or self._seat_changes.total() >= MAX_SEATINGS_OF_ALL:
            raise InvalidEntryError("Too many have sat down and got up before this game.")

    # -- before a match ----------------------------------------------------------------------------------------

    def _sit(self, entry: LogEntry) -> None:
        if self.playing:
            raise InvalidEntryError("A match is running; seats are given before the next one.")
        if entry.body.get("version") != LOG_VERSION:
            raise InvalidEntryError("It has another version of the program: all machines need the same.")
        participant = read_participant(entry)
        others = [other for other in self.participants.values() if other.author != entry.author]
        if len(others) >= MAX_MACHINES:
            raise InvalidEntryError("The table is full.")
        taken = [seat for other in others for seat in other.players]
        for seat in participant.players:
            if refusal := check_seat(seat, taken):
                raise InvalidEntryError(refusal)
            taken.append(seat)
        if any(participant.anchor == other.anchor for other in others):
            raise InvalidEntryError("Another machine has this anchor.")
        if any(participant.anchor == machine.anchor for match in self.matches for machine in match.dice.machines):
            raise InvalidEntryError("This chain has been used.")
        self.host = self.host or entry.author
        self._seat_changes[entry.author] += 1
        self.participants[entry.author] = participant
        order = [each.author for each in last.participants] if (last := self._last_drawn) else []
        by_order = sorted(self.participants, key=lambda each: order.index(each) if each in order else len(order))
        self.participants = {author: self.participants[author] for author in by_order}

    def _get_up(self, entry: LogEntry) -> None:
        if entry.author not in self.participants:
            raise InvalidEntryError("This machine does not sit here.")
        self._seat_changes[entry.author] += 1
        del self.participants[entry.author]

    def _start(self, entry: LogEntry) -> None:
        if self.playing:
            raise InvalidEntryError("A match is running.")
        digests = entry.body.get("sits")
        by_digest = {participant.digest.hex(): participant for participant in self.participants.values()}
        if not isinstance(digests, list) or not all(isinstance(digest, str) for digest in digests):
            raise InvalidEntryError("A start lists the machines that play.")
        if len(set(digests)) < len(digests) or not by_digest.keys() >= set(digests):
            raise InvalidEntryError("A start lists machines that sit at the table now.")
        starting = [by_digest[digest] for digest in digests]
        if sum(len(participant.players) for participant in starting) < 2:
            raise InvalidEntryError("A match needs two seats or more.")
        if not any(participant.author == entry.author for participant in starting):
            raise InvalidEntryError("Only a machine that plays in a match starts it.")
        left_out = self.participants.keys() - {participant.author for participant in starting}
        if left_out and entry.author != self.host and self.host not in left_out and self.host in self.participants:
            raise InvalidEntryError("Somebody who sits here is not in it: only the host starts without them.")
        first = next(participant for participant in self.start_order if participant in starting)
        agreed = partial(replace, game=first.game, first_to=first.first_to, patience=first.patience)
        participants = [agreed(participant) for participant in starting]
        starting_seat = self._passed_start(participants)
        self.match = RoomMatch(self.table, participants, starting_seat, entry, self._opens_last(starting))
        self.match.left_out = frozenset(left_out)
        self.matches.append(self.match)
        self.participants = {}
        self._seat_changes.clear()

    def _passed_start(self, participants: Sequence[Participant]) -> int | None:
        """The seat that starts a rematch of two; None if it is drawn (docs/rulings.md, "rematch")."""
        last = self._last_drawn
        names = [seat.name for participant in participants for seat in participant.players]
        if last is None or len(names) != 2 or not last.game.draws_start or last.game.key != participants[0].game:
            return None
        started = last.dice.draw(2) if last.lineup.starting_seat is None else last.lineup.starting_seat
        before = [seat.name for seat in last.lineup.seats]
        if sorted(before) != sorted(names):
            return None
        return names.index(before[1 - started])

    # -- during a match ----------------------------------------------------------------------------------------

    def _take_in_match(self, entry: LogEntry) -> None:
        match, own = self.match, entry.author
        if match is None or entry.body.get("match") != match.identifier:
            raise InvalidEntryError("No such match is played here now.")
        machine = match.machine_index(own)
        if machine is not None:
            RoomMatch.KINDS[entry.body["at"]](match, machine, entry)
        elif entry.body["at"] == "here" and own == self.host and match.left_out and not match.over:
            match.call_off()
        else:
            raise InvalidEntryError("This machine only watches.")

    KINDS: ClassVar[dict[str, Callable[[Room, LogEntry], None]]] = {
        "sit": _sit,
        "rise": _get_up,
        "start": _start,
        **dict.fromkeys(RoomMatch.KINDS, _take_in_match),
    }
    """The kinds of entries, by their field ``at``."""


def read_head(body: Mapping[str, Any]) -> tuple[int, str]:
    """Return the head named by an entry or heartbeat. Raises InvalidEntryError if there is none."""
    number, head = body.get("number"), body.get("head")
    if type(number) is not int or number < 0 or not isinstance(head, str):
        raise InvalidEntryError("An entry names the head of its log.")
    return number, head


def read_bytes(body: Mapping[str, Any], name: str) -> bytes:
    """Return 32 bytes from a field of 64 hexadecimal digits. Raises InvalidEntryError for anything else."""
    value = body.get(name)
    if isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value):  # bytes.fromhex skips spaces
        return bytes.fromhex(value)
    raise InvalidEntryError(f"The field {name} has 64 hexadecimal digits.")


def read_action(body: Mapping[str, Any]) -> Action:
    """Return the action of an entry. Raises InvalidEntryError if it has none."""
    roll = body.get("roll")
    if roll is None and body.get("stand") is True:
        return Stand()
    with suppress(InvalidAction, TypeError):
        if isinstance(roll, list) and len(roll) <= 8:
            return Roll(tuple(roll))
    raise InvalidEntryError("This entry has no valid action.")


def read_dispute(body: Mapping[str, Any]) -> Dispute:
    """Return a page's statement about a roll. Raises InvalidEntryError if it is none."""
    step, die, shown, computed = (body.get(name) for name in ("step", "die", "shown", "computed"))
    if type(step) is int and type(die) is int and type(shown) is int and type(computed) is int:
        faces = {shown, computed}
        if (step, die, *faces) == (0, 0, 0) or (0 < step <= CHAIN_LENGTH and 0 <= die < 8 and faces < {*range(1, 7)}):
            return Dispute(step, die, shown, computed)
    raise InvalidEntryError("A page disputes one face of a roll, or the dice as a whole.")


def read_participant(entry: LogEntry) -> Participant:
    """Return a machine's description of itself from its seat entry. Raises InvalidEntryError with a sentence."""
    body = entry.body
    game, first_to, patience = (body.get(name) for name in ("game", "first_to", "patience"))
    if not isinstance(game, str) or game not in GAMES:
        raise InvalidEntryError(f"The games are {join_words(GAMES)}.")
    if type(first_to) is not int or first_to not in FIRST_TO:
        raise InvalidEntryError("A tally does not end at this number.")
    if type(patience) is not int or patience not in PATIENCE_CHOICES:
        raise InvalidEntryError("This is not one of the table's waiting times.")
    players = body.get("players")
    if not isinstance(players, list) or not 1 <= len(players) <= MAX_PLAYERS_PER_MACHINE:
        raise InvalidEntryError(f"A machine seats 1 to {MAX_PLAYERS_PER_MACHINE} players.")
    seats = []
    for player in players:
        name, bot = (player.get("name"), player.get("bot")) if isinstance(player, dict) else (None, None)
        if not isinstance(name, str) or not (bot is None or (isinstance(bot, str) and bot in BOTS)):
            raise InvalidEntryError("A player is a name, or a bot of the program.")
        seats.append(Seat(name, bot))
    tip, keys = read_bytes(body, "tip"), body.get("keys")
    if type(keys) is not int or not MIN_KEYS <= keys <= CHAIN_LENGTH:
        raise InvalidEntryError(f"A chain has {MIN_KEYS} to {CHAIN_LENGTH} keys.")
    page = b"" if body.get("page") == "" else read_bytes(body, "page")
    if page and (len(seats) > 1 or seats[0].bot):
        raise InvalidEntryError("A page has one seat, of a person.")
    return Participant(entry.author, tip, keys, tuple(seats), game, first_to, patience, entry.digest, page)
