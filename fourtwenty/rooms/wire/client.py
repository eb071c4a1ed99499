"""This machine at a room: follows the log, sends its entries, and tracks the other machines. No screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from typing import Protocol

from msgspec.structs import replace

from fourtwenty.games.game import Action, Event
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, new_entry
from fourtwenty.rooms.local_machine import Body, LocalMachine, SeatRequest
from fourtwenty.rooms.room import LOG_VERSION, InvalidEntryError, LogEntry, Room, RoomMatch, read_action
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.wire.heartbeats import Heartbeats
from fourtwenty.rooms.wire.log_copy import LogCopy
from fourtwenty.rooms.wire.log_sync import LogSync
from fourtwenty.rooms.wire.notices import LEFT_OUT, OTHER_VERSION, Notices
from fourtwenty.rooms.wire.outbox import Outbox, PendingEntry
from fourtwenty.rooms.wire.presence import REACTION_PAUSE_SECONDS, REACTIONS, Presence, Reaction
from fourtwenty.rooms.wire.room_log import RefusedError, RoomLog, UnreachableError
from fourtwenty.rooms.wire.sync_barrier import SyncBarrier
from fourtwenty.rooms.wire.view import RoomView, abandoned_sentence
from fourtwenty.rooms.wire.votes import Votes

HEARTBEAT_SECONDS = 8.0
"""Seconds between two heartbeats, which show that a machine is here."""


class Followers(Protocol):
    """The pages that follow this machine, by its views (pages.py)."""

    def receive(self, author: bytes, body: Body) -> None:
        """Receive a page's heartbeat, by its public key."""

    def ask(self) -> None:
        """Let every page show that it is here."""

    def refuse(self, entry: LogEntry, reason: str) -> None:
        """Receive an entry that does not count, and the reason."""

    def react(self, reaction: Reaction) -> None:
        """Show the reaction of somebody at the table."""


class Client:
    """A machine at a room, in one event loop."""

    def __init__(
        self,
        keys: RoomKeys,
        log: RoomLog,
        file: RoomFile,
        seat_request: SeatRequest,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.keys = keys
        self.log = log
        self.file = file
        self.seat_request = seat_request
        """The last request, even if this machine only watches now."""
        self.spectates = not seat_request.players
        """Whether nobody here wants a seat in the next match."""
        self.machine = MachineKey(file.secret)
        self.room = Room(keys.table)
        self.local = LocalMachine(self.room, self.machine.public, file.secret, opened_keys=file.opened_keys())
        self.presence = Presence(self.machine.public, clock)
        self.votes = Votes(self.local, self.presence)
        self.barrier = SyncBarrier(self.presence)
        self.heartbeats = Heartbeats(keys, self.machine, self.room, self.presence, self.barrier)
        self.notices = Notices()
        self.outbox = Outbox(log.append, lambda work: self.sync.start(work), self.notices.broker_refused)
        self.copy = LogCopy(keys, log, file, self.room, self.outbox.entry, self._fold, self.notices.not_saved)
        self.sync = LogSync(self.copy, self.barrier, self.outbox, self.send_heartbeat, self._advance, self.notices)
        self.listeners: list[Callable[[], None]] = []
        """Called after every change."""
        self.on_reaction: Callable[[Reaction], object] = lambda _: None
        """Called with a reaction from another machine."""
        self.has_broker = False
        """Whether the broker runs in this program, so that the others lose the table with it."""
        self.pages: Followers | None = None
        """The pages that this machine answers as the host; else None."""
        self.version = 0
        """A number that grows with every change."""
        self.refusals = 0
        """Number of this machine's entries that did not count."""
        self._view: tuple[int, RoomView] | None = None
        self._rematch_of: RoomMatch | None = None
        """The last match after which this machine has started the next without being asked."""
        self._before: set[int | bytes] = set()
        """The number of matches, and the machines with seats, when this one last started a match."""
        self._reacted = -REACTION_PAUSE_SECONDS

    @property
    def view(self) -> RoomView:
        """The room as the people here see it now; it follows the heartbeats."""
        if self._view is None or self._view[0] != self.version:
            held_for, met = self.barrier.awaited if len(self.outbox) else (), self.barrier.over
            view = RoomView.from_room(self.votes, self.connected, met, held_for)
            self._view = self.version, view
        return self._view[1]

    # -- connection --------------------------------------------------------------------------------------------

    @property
    def connected(self) -> bool:
        """Whether the log is read to its end, so that entries are sent once the barrier is passed."""
        return self.log.connected and self.copy.synced

    @property
    def _diverged(self) -> bool:
        """Whether this machine cannot go on with the log: it has seen a different log, or opened a key for one."""
        return self.copy.diverged or self.local.refuses

    async def open(self) -> None:
        """Connect and read the log to its end. Raises UnreachableError or RefusedError with the reason, SaveError."""
        reading = await self.sync.open(self._on_broadcast)
        self.sync.start(self._heartbeat_loop())  # an upload may be long: others take a silent machine for away
        await reading

    async def close(self) -> None:
        """Tell the others that this machine leaves its screen, and may close the table with it; disconnect."""
        with closing(self.file):  # also when the program ends while it waits
            try:
                await self._broadcast({"at": "gone", "closes": self.has_broker})
            finally:
                await self.sync.close()

    # -- the log -----------------------------------------------------------------------------------------------

    def _fold(self, entry: LogEntry, may_count: bool, now: bool) -> None:
        sent, sat = self.outbox.arrived(entry), self.machine.public in self.room.participants
        try:
            if not may_count:
                raise InvalidEntryError("The table has moved on.")
            self.room.feed(entry)
            self.presence.record(entry.author, now)
            self.votes.update()
            if entry.body["at"] == "start":
                self._report_left_out(sat, now)
        except InvalidEntryError as refusal:
            if self.pages and now:
                self.pages.refuse(entry, str(refusal))
            if sent:
                self._refused(sent, str(refusal))
            elif entry.body.get("at") == "sit" and entry.body.get("version") != LOG_VERSION:
                self.notices.notify_once("version", OTHER_VERSION)
        self.version += 1

    def _report_left_out(self, sat: bool, now: bool) -> None:
        """Say who has started without the people here; a host that sees somebody present left out objects."""
        match, own = self.room.match, self.machine.public
        assert match
        seen = self.presence
        if now and own == self.room.host and match.machine_index(own) is None:
            if any(seen.shown_up(each) and not seen.away(each) for each in match.left_out):
                self._send(self.local.here(match))
        elif sat and self.local.index is None:
            self.notices.notify_once(match, f"{LEFT_OUT.format(self.room.name(match.started_by))}; q leaves the table.")

    def _refused(self, body: Body, reason: str) -> None:
        """Say why seats or a start here do not count; send again what still matters."""
        self.refusals += 1
        again = self.local.retry(body)
        if body["at"] == "start" and self._before <= {len(self.room.matches), *self.room.participants}:
            start = self.local.start(self.view.away)
            again = start if start != body else None  # somebody has sat down again meanwhile
        if again:
            self._send(again)
        elif body["at"] == "sit" and not self.room.playing:
            if mine := self.room.participants.get(self.machine.public):
                self.seat_request = replace(self.seat_request, players=mine.players)
            else:
                self.spectates = True
                reason = f"{reason} You watch for now."
        if not again and body["at"] in ("sit", "start"):
            self.notices.notify(reason)

    def _advance(self) -> None:
        """Send this machine's owed entries, and notify the listeners."""
        self.sync.pass_barrier()
        if (match := self.room.match) and self.local.predicted(match):
            self._change()  # shows the faces before the key is forced to the disk, which may take long
        for body in (*self.local.owed(), *self.votes.owed()) if self.outbox.open else ():
            self._send(body)
        if (match := self.room.match) and match.abandoned and match.state:
            self.notices.notify_once(match, abandoned_sentence(match))
        for name in self.local.other_records:
            self.notices.notify_once(self.room.match, f"{name}'s record of this game is not the same as yours.")
        self._change()

    def _change(self) -> None:
        self.version += 1
        for listener in (*self.listeners,):
            listener()

    # -- sending ----------------------------------------------------------------------------------------------

    def _send(self, body: Body) -> bool:
        """Send an entry and return True, unless the same one is on its way, or a key cannot be saved for its action."""
        if body in self.outbox:
            return False
        if key := self.local.key_to_save(body):
            if not self.copy.save_opened_key(key):
                return False
            self.local.mark_opened(key)
        # A broker stores the same bytes once, for some minutes even if they are deleted: a repeated entry must differ.
        number, head = self.room.head
        fields = {"number": number, "head": head, "again": self.refusals}
        self.outbox.add(PendingEntry(*new_entry(self.keys, self.machine, body | fields), body))
        return True

    def _send_and_show(self, body: Body) -> None:
        if self._send(body):
            self._change()

    @property
    def deciding(self) -> Action | None:
        """The action chosen here that is not in the log yet."""
        match = self.room.match
        wanted = (match.identifier, len(match.events)) if match else None
        found = (each for each in self.outbox if each["at"] == "act" and (each["match"], each["event"]) == wanted)
        return next(map(read_action, found), None)

    def sit(self, seat_request: SeatRequest) -> None:
        """Request these seats in the next match; again to change them.

        Another starter's terms are proposed, so that they last when it goes away. The last starter starts again, on
        terms of its own.
        """
        started_last = next((each.author for each in self.view.played), None) == self.machine.public
        if (starter := self.view.starter) and not self.view.starts_next and not started_last:
            seat_request = seat_request.with_terms_of(starter)
        try:
            self._send(self.local.sit(seat_request))
        except ValueError:
            self.notices.notify("The names at this machine are too long in total.")
            return
        self.seat_request, self.spectates = seat_request, False
        self._change()

    @property
    def next_seat_request(self) -> SeatRequest:
        """The seat request on the table's terms: for the present seats, or the last match's."""
        match = self.room.match
        return self.seat_request.with_terms_of(
            self.view.mine or (match.participants[0] if match else self.seat_request)
        )

    def get_up(self) -> None:
        """Give up the seats before a match."""
        self.spectates = True
        self._send_and_show(self.local.get_up())

    def start(self) -> None:
        """Start the match, without the machines that are away."""
        self._before = {len(self.room.matches), *self.room.participants}
        self._send_and_show(self.local.start(self.view.away))

    def start_rematch(self) -> None:
        """Start the match, once, if this machine is to, and all of the last match sit again and are here."""
        if self.outbox.open and self.view.starts_next and self.view.rematch and self._rematch_of is not self.room.match:
            self._rematch_of = self.room.match
            self.start()

    def act(self, action: Action) -> None:
        """Send an action allowed by the rules; a person here is to act."""
        assert self.room.match
        if self.deciding is None and not self.room.match.disputes:
            self._send_and_show(self.local.act(self.room.match, action))

    def carry_on_without(self, machines: Collection[int]) -> None:
        """Agree to carry on without machines: ``RoomView.may_be_left``."""
        assert self.room.match
        self._send_and_show(self.local.carry_on_without(self.room.match, machines))

    def agree_to_end(self) -> None:
        """Agree to end the disputed match without a result: ``RoomView.may_end``."""
        assert self.room.match
        self._send_and_show(self.local.agree_to_end(self.room.match))

    def leave(self) -> None:
        """Give up the seats in the running match."""
        assert self.room.match
        self._send_and_show(self.local.leave(self.room.match))

    def react(self, reaction: int) -> None:
        """Send one of REACTIONS, unless the last one is too recent."""
        if (now := self.presence.clock()) - self._reacted >= REACTION_PAUSE_SECONDS:
            self._reacted = now
            self.sync.start(self._broadcast({"at": "react", "reaction": reaction}))
            self._show_reaction(Reaction(self.machine.public, "You", REACTIONS[reaction]))

    def _show_reaction(self, reaction: Reaction) -> None:
        self.on_reaction(reaction)
        if self.pages:
            self.pages.react(reaction)

    # -- presence ----------------------------------------------------------------------------------------------

    async def send_heartbeat(self, asks: bool = False) -> None:
        """Show the others that this machine is here; it may ask them to do the same."""
        if asks and self.pages:
            self.pages.ask()
        await self._broadcast({"asks": True} if asks else {})

    async def _heartbeat_loop(self) -> None:
        while True:
            await self.send_heartbeat()
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.sync.try_again()
            if self._diverged:
                self.notices.log_diverged()
            if reason := self.log.refusal:
                self.notices.broker_refused(reason)
            self._advance()  # somebody may be away by now

    async def _broadcast(self, body: Body) -> None:
        with suppress(UnreachableError, RefusedError):
            watches = self.spectates or (self.room.playing and self.local.index is None)
            said = {"at": "here", "diverged": self._diverged} | body
            await self.log.broadcast(self.heartbeats.encode(said, self.seat_request.name, watches, self.copy.synced))

    def _on_broadcast(self, data: bytes) -> None:
        before, heard = self.view, self.heartbeats.receive(data, self._diverged if self.copy.synced else None)
        if heard is None:
            return
        if heard.reaction:
            self._show_reaction(heard.reaction)
        if self.pages and heard.page:
            self.pages.receive(*heard.page)
        if self.pages and heard.asks:
            self.pages.ask()
        if heard.asks and self.copy.synced:
            self.sync.start(self.send_heartbeat())
        if heard.differs:
            name, fields = heard.differs
            if self.notices.other_log(name) or heard.asks:  # so that people there read it, too
                self.sync.start(self._broadcast(fields))
        elif heard.behind and self.copy.synced:
            self.sync.catch_up()
        self.version += 1
        if not self.barrier.over:
            self._advance()
        elif self.view != before:
            self._change()


class ClientMatch:
    """One match of a room as ``play.turns`` requests it: ``RemoteMatch``."""

    def __init__(self, client: Client, match: RoomMatch) -> None:
        self.client = client
        self.match = match

    @property
    def version(self) -> int:
        return self.client.version

    def event(self, number: int) -> Event | None:
        return self.match.events[number] if number < len(self.match.events) else None

    def is_local(self, seat: int) -> bool:
        here = self.match.machine_of[seat] == self.client.local.index
        return here and self.match.lineup.seats[seat].bot is None

    @property
    def decided(self) -> Action | None:
        return self.match.pending.action if self.match.pending else self.client.deciding

    @property
    def predicted(self) -> Event | None:
        """None also while nothing is sent: the others do not see this machine then, and may carry on without it."""
        sends = self.client.connected and self.client.outbox.open
        event = self.client.local.predicted(self.match) if sends else None
        return event if event and self.is_local(event.seat) else None

    def submit(self, action: Action) -> None:
        self.client.act(action)
