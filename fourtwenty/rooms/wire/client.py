"""This machine at a room: follows the log, sends what it says and owes, and knows who is here. No screen.

The rules of the log are in room.py; log.py describes the broker's side of it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any

from msgspec import Struct

from fourtwenty.games.game import Action, Event
from fourtwenty.play.lineup import Seat, check_name
from fourtwenty.play.match import NotKept
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.entries import Entry
from fourtwenty.rooms.room import NotCounted, Play, Room, Sitting, Split, read_action
from fourtwenty.rooms.room_file import RoomFile
from fourtwenty.rooms.station import DEFAULT_PATIENCE, Body, Station
from fourtwenty.rooms.wire.log import Log, Refused, Unreachable

BEAT_SECONDS = 8.0
"""Pause between two beats, by which a machine shows that it is here."""
AWAY_SECONDS = 20.0
"""Silence after which a machine is away: two missed beats, and time for a slow network."""
REACTIONS = ("Cheers!", "Well rolled!", "Ouch!", "So close!", "Your turn!", "One moment!", "Lucky!", "Good game!")
"""The eight reactions; there is no other chat."""
REACTION_PAUSE_SECONDS = 2.0
"""Least pause between two reactions of a machine; others are not shown."""
MOST_PRESENT = 1000
"""Number of machines from which on those that are only heard by hints are not remembered."""
LONGEST_SPECTATOR_NAME = 60
"""Greatest length of the name of a spectator; a longer one is not shown."""


class Reaction(Struct, frozen=True):
    """A reaction of somebody at the table."""

    name: str
    text: str


class Presence(Struct):
    """Signs of life of another machine."""

    name: str
    watching: bool
    heard: float
    """When it was heard last, by ``Client.clock``."""
    gone: bool = False
    """Whether it has said that nobody is at its screen."""
    reacted: float = -REACTION_PAUSE_SECONDS


class Client:
    """A machine at a room. All of it happens in one event loop; ``listeners`` are called after every change."""

    def __init__(
        self,
        keys: RoomKeys,
        log: Log,
        file: RoomFile,
        name: str = "",
        host_name: str = "",
        clock: Callable[[], float] = time.monotonic,
        host: str = "",
    ) -> None:
        """Take the room's keys, its log, and the open file of the room.

        ``name`` is shown to the others when this machine only watches; ``host_name`` and ``host`` are the name and the
        public key, in hexadecimal digits, of the machine that this one is a guest of. The key follows from the name
        where it is empty.
        """
        self.keys = keys
        self.log = log
        self.file = file
        self.name = name
        self.host_name = host_name
        self.host = host
        self.clock = clock
        self.machine = MachineKey(file.secret)
        self.room = Room(keys.table)
        self.station = Station(self.room, self.machine.public, file.secret)
        self.listeners: list[Callable[[], None]] = []
        """Called after every change."""
        self.tell: Callable[[str], None] = lambda _: None
        """Called with a sentence for the people at this machine."""
        self.reacted: Callable[[Reaction], None] = lambda _: None
        """Called with a reaction of somebody at another machine."""
        self.present: dict[bytes, Presence] = {}
        """The signs of life of other machines, by public key."""
        self.synced = False
        """Whether the log has been read to its end since the last connection."""
        self.version = 0
        """A number that grows with every change."""
        self.watched = True
        """Whether a person can see the screen here. If not, this machine says that it is away, and still owes its
        keys."""
        self._rematch_of: Play | None = None
        """The last match after which this machine has started the next without being asked."""
        self.wanted: tuple[Seat, ...] = ()
        """The players who want to sit here in the next match; none when this machine only watches."""
        self._outbox: dict[bytes, tuple[bytes, Body]] = {}
        """The entries that are not in the log yet, by digest: encrypted, and their fields."""
        self._sending: set[bytes] = set()
        self._heard_hints: deque[bytes] = deque(maxlen=1000)
        self._live: list[tuple[int, bytes]] = []
        """Heard before the log is read to its end."""
        self._reading = False
        self._doubtful = False
        """Whether the log may have another order than here, because an entry does not fit."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._syncing: asyncio.Task[Any] | None = None
        self._reacted = -REACTION_PAUSE_SECONDS
        self._moved = clock()
        """When the match went on the last time, or before a match somebody sat down or got up, by ``clock``."""
        self._moment: tuple[int, ...] = ()
        self._reported: set[object] = set()
        self._closed = False

    # -- connection --------------------------------------------------------------------------------------------

    async def open(self) -> None:
        """Connect and read the log to its end. Raises Unreachable or Refused with the reason, and NotKept."""
        for data in self.file.entries():
            entry = decrypt_entry(self.keys, data)
            if entry:
                self._fold(entry)
        await self.log.open(self._on_entry, self._on_hint, self._on_connection)
        await self._sync()
        self._task(self._beat_on())

    async def close(self) -> None:
        """Tell the others that this machine leaves its screen, and disconnect."""
        try:
            with suppress(Unreachable, Refused):
                await self._hint({"at": "gone"})
            self.synced, self._closed = False, True  # what is still on its way is not folded any more
            tasks = [task for task in self._tasks if task is not asyncio.current_task()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.log.close()
        finally:  # also when the program ends while it waits
            self.file.close()

    @property
    def connected(self) -> bool:
        """Whether the log is read to its end, and what is said is sent at once."""
        return self.log.connected and self.synced

    def _on_connection(self, connected: bool) -> None:
        self.synced = False
        if connected:
            self._sync_soon()
        self._change()

    def _sync_soon(self) -> None:
        if not self._closed and (self._syncing is None or self._syncing.done()):
            self._syncing = self._task(self._sync())

    async def _sync(self) -> None:
        """Read what the log has got since the last entry; then send again what it has not."""
        self._reading = True
        try:
            entries, whole = await self._read()
        except Unreachable:
            self.synced = False  # the next connection or beat tries again
            return
        except (Refused, NotKept) as reason:
            self.synced = False
            self._tell_once(("refused", str(reason)), str(reason))
            return
        finally:
            self._reading = False
        self._live, live = [], self._live
        self.synced = True
        if whole:
            self._doubtful = False
            self._adopt(entries)
        self._take((*entries, *live))
        for digest in (*self._outbox,):
            self._send_soon(digest)
        self._go_on()
        await self.beat()

    async def _read(self) -> tuple[Sequence[tuple[int, bytes]], bool]:
        """Return the entries of the log from the last one here on, or all of them, and whether they are all.

        A broker that does not have the last entry has lost its disk, or is another one: the log is laid there again.
        """
        last = self.file.last_entry
        if not self._doubtful:
            entries = await self.log.read(last[0] - 1 if last else 0)
            if last is None or entries[:1] == [last]:
                return entries, False
        entries = await self.log.read(0)
        there = {data for _, data in entries}
        missing = [data for data in self.file.entries() if data not in there and self._counts(data)]
        for data in missing:
            await self.log.append(data)
        return await self.log.read(0) if missing else entries, True

    def _counts(self, data: bytes) -> bool:
        entry = decrypt_entry(self.keys, data)
        return entry is not None and entry.digest in self.room.counted

    def _adopt(self, entries: Sequence[tuple[int, bytes]]) -> None:
        """Take over the order of the broker where other entries count, unless something changes that was seen here.

        The actions and keys of this machine that count must also count in that order: by them keys became known for
        one action.
        """
        opened = [(each, entry) for each in entries if (entry := decrypt_entry(self.keys, each[1]))]
        room, mine = Room(self.keys.table), self.machine.public
        for _, entry in opened:
            with suppress(NotCounted):
                room.feed(entry)
        ours = self.room.heads
        refused = any(self.room.knows(digest) for digest in room.counted - self.room.counted)
        if room.heads[: len(ours)] == ours and not refused:
            return
        bound = {
            entry.digest for _, entry in opened if entry.author == mine and entry.body.get("at") in ("act", "open")
        }
        shown = len(self.room.plays) <= len(room.plays) and all(map(_shows, room.plays, self.room.plays))
        if not shown or not bound & self.room.counted <= room.counted:
            return
        try:
            self.file.replace([each for each, _ in opened])
        except NotKept as reason:
            self._tell_once("file", f"This table can't be saved here: {reason}.")
        self.room.become(room)
        for _, entry in opened:
            self._hear(entry.author)
            self._outbox.pop(entry.digest, None)
        waiting = [body for _, body in self._outbox.values()]
        self._outbox.clear()
        for body in waiting:  # with a head of this order
            self._say(body)

    def _task(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- the log -----------------------------------------------------------------------------------------------

    def _on_entry(self, sequence: int, data: bytes) -> None:
        if not self.synced or self._reading:
            self._live.append((sequence, data))
            return
        split = {*self.room.splits}
        self._take([(sequence, data)])
        # Reading the log again takes long: a machine that has never sat here cannot cause it.
        if any(self.room.name(author) for author in self.room.splits - split):
            self._doubtful = True
            self._sync_soon()
        self._go_on()

    def _take(self, entries: Sequence[tuple[int, bytes]]) -> None:
        """Store the next entries of the log, then fold them. Bytes that are no entry are not even stored."""
        opened = [(sequence, data, decrypt_entry(self.keys, data)) for sequence, data in entries]
        try:
            self.file.add([(sequence, data) for sequence, data, entry in opened if entry])
        except NotKept as reason:
            self._tell_once("file", f"This table can't be saved here: {reason}.")
        for _, _, entry in opened:
            if entry and not self.room.knows(entry.digest):
                self._fold(entry)

    def _fold(self, entry: Entry) -> None:
        sent = self._outbox.pop(entry.digest, None)
        self._hear(entry.author)
        split = entry.author in self.room.splits
        try:
            self.room.feed(entry)
            if self.room.moment != self._moment:
                self._moment, self._moved = self.room.moment, self.clock()
        except Split:
            if not split:
                return  # one of the two machines may find that it has to read the log again
            name = self.room.name(entry.author)
            if entry.author == self.machine.public:
                sentence = "The others have seen another story of this table than this machine. Nothing of it counts; "
                self._tell_once(("split", entry.author), f"{sentence}stop here.")
            elif name:
                sentence = f"{name}'s machine has seen another story of this table. What it says doesn't count."
                self._tell_once(("split", entry.author), sentence)
        except NotCounted as refusal:
            if sent:
                self._refused(sent[1], str(refusal))
            elif entry.body.get("at") == "sit" and entry.body.get("rules") != self.room.version:
                sentence = "A machine here has another version of the program, and can't sit down: all need the same."
                self._tell_once("version", sentence)
        self.version += 1

    def _refused(self, body: Body, reason: str) -> None:
        """Tell the people here why their seats or their start count as nothing; say a leave again for the new moment.

        Keys and moves of a moment that has passed do not matter.
        """
        play = self.room.play
        mine = play and not play.over and self.station.machine in play.remaining
        if body["at"] == "leave" and play and mine and body["match"] == play.identifier:
            self._say(self.station.leave(play))
        if body["at"] in ("sit", "start"):
            if body["at"] == "sit":
                self.wanted = ()
                if self.machine.public not in self.room.sittings:
                    reason = f"{reason} You watch for now."
            self.tell(reason)

    def _tell_once(self, about: object, sentence: str) -> None:
        if about not in self._reported:
            self._reported.add(about)
            self.tell(sentence)

    def _go_on(self) -> None:
        """Say what this machine owes now, and tell the listeners."""
        for body in (*self.station.owed(), *self._agreed_in_silence()) if self.synced else ():
            self._say(body)
        self._compare_records()
        self._change()

    def _compare_records(self) -> None:
        play = self.room.play
        mine = play.ends.get(self.station.machine) if play and self.station.machine is not None else None
        for machine, record in play.ends.items() if play and mine else ():
            if record != mine:
                name = play.sittings[machine].name if play else ""
                self._tell_once((play, machine), f"{name}'s record of this game is not the same as yours.")

    def _change(self) -> None:
        self.version += 1
        for listener in (*self.listeners,):
            listener()

    # -- what is said ------------------------------------------------------------------------------------------

    def _say(self, body: Body) -> None:
        """Send an entry, unless the same one is on its way."""
        if any(waiting == body for _, waiting in self._outbox.values()):
            return
        number, head = self.room.head
        data = encrypt_entry(self.keys, self.machine, body | {"number": number, "head": head})
        entry = decrypt_entry(self.keys, data)
        assert entry
        self._outbox[entry.digest] = (data, body)
        self._send_soon(entry.digest)

    def _send_soon(self, digest: bytes) -> None:
        if self.synced and digest not in self._sending:
            self._sending.add(digest)
            self._task(self._send(digest))

    async def _send(self, digest: bytes) -> None:
        try:
            if digest in self._outbox:
                await self.log.append(self._outbox[digest][0])
        except Unreachable:
            pass  # it is sent again after the next connection or beat
        except Refused as refusal:
            self._tell_once(("refused", str(refusal)), str(refusal))
        finally:
            self._sending.discard(digest)

    @property
    def deciding(self) -> Action | None:
        """The action that somebody here has chosen now and that is not in the log yet."""
        play = self.room.play
        for _, body in self._outbox.values():
            if play and body["at"] == "act" and (body["match"], body["event"]) == (play.identifier, len(play.events)):
                return read_action(body)
        return None

    def sit(self, players: Sequence[Seat], game: str, first_to: int = 0, patience: int = DEFAULT_PATIENCE) -> None:
        """Take seats for these players in the next match; again to change them.

        Where another machine deals, its terms are proposed, so that they last when it goes away. Raises ValueError with
        a sentence when their names do not fit into an entry.
        """
        dealer = self.dealer
        if dealer and not self.deals:
            game, first_to, patience = dealer.game, dealer.first_to, dealer.patience
        try:
            self._say(self.station.sit(players, game, first_to, patience, self.host_name, self._host_key))
        except ValueError:
            raise ValueError("All names at one machine are too long together.") from None
        self.wanted = tuple(players)
        self._change()

    @property
    def _host_key(self) -> str:
        """The public key of the host, as given, or else that of the machine that sits or sat here by its name.

        Without one it is that of the first machine, which is on the laptop of a table's broker: to count two laptops
        as one promises too little, to count one as two promises too much.
        """
        if self.host or not self.host_name:
            return self.host
        sittings = [*(each for play in self.room.plays for each in play.sittings), *self.room.sittings.values()]
        hosts = {each.name: each.author for each in reversed(sittings) if not each.host_name}
        first = next((each.author for each in sittings if not each.host_name), sha256(b"no host sits here").digest())
        return hosts.get(self.host_name, first).hex()

    def rise(self) -> None:
        """Give up the seats before a match."""
        self.wanted = ()
        self._say(self.station.rise())

    def start(self) -> None:
        """Start the match, without the machines that are away."""
        away = [author for author in self.room.sittings if self.away(author)]
        self._say(self.station.start(away))

    def act(self, action: Action) -> None:
        """Say the action of the seat to act, which is a person here. The rules allow it."""
        assert self.room.play
        if self.deciding is None:
            self._say(self.station.act(self.room.play, action))
            self._change()

    def go_on_without(self, machines: Collection[int]) -> None:
        """Agree to go on without machines: ``may_be_left``."""
        assert self.room.play
        self._say(self.station.go_on_without(self.room.play, machines))

    def leave(self) -> None:
        """Give up the seats in the running match."""
        assert self.room.play
        self._say(self.station.leave(self.room.play))

    def react(self, reaction: int) -> None:
        """Show one of REACTIONS to the others, if the last one is not too fresh."""
        now = self.clock()
        if now - self._reacted >= REACTION_PAUSE_SECONDS:
            self._reacted = now
            self._task(self._hint_quietly({"at": "react", "reaction": reaction}))
            self.reacted(Reaction("You", REACTIONS[reaction]))

    # -- who is here -------------------------------------------------------------------------------------------

    async def beat(self) -> None:
        """Show the others that this machine is here, or that its person is not, and how far it has read."""
        await self._hint_quietly({"at": "here" if self.watched else "gone"})

    async def _beat_on(self) -> None:
        while True:
            await self.beat()
            await asyncio.sleep(BEAT_SECONDS)
            if self.log.connected and (self._outbox or not self.synced):
                self._sync_soon()  # what has failed, although the connection lasts
            if reason := self.log.refusal:
                self._tell_once(("refused", reason), f"{reason[:1].upper()}{reason[1:]}.")
            self._go_on()  # somebody may be away by now

    async def _hint_quietly(self, body: Body) -> None:
        with suppress(Unreachable, Refused):
            await self._hint(body)

    async def _hint(self, body: Body) -> None:
        here = {
            "counted": len(self.room.counted),
            "name": self.name,
            "watching": not self.wanted,
            "once": secrets.token_hex(8),
        }
        await self.log.hint(encrypt_entry(self.keys, self.machine, body | here))

    def _on_hint(self, data: bytes) -> None:
        entry = decrypt_entry(self.keys, data)
        if entry is None or entry.author == self.machine.public or entry.digest in self._heard_hints:
            return
        if entry.author not in self.present and len(self.present) >= MOST_PRESENT:
            return
        self._heard_hints.append(entry.digest)
        body = entry.body
        name, counted = body.get("name"), body.get("counted")
        presence = self._hear(entry.author)
        presence.name = (
            "" if not isinstance(name, str) or len(name) > LONGEST_SPECTATOR_NAME or check_name(name, ()) else name
        )
        presence.watching = body.get("watching") is True
        presence.gone = body.get("at") == "gone"
        if body.get("at") == "react":
            self._show_reaction(entry.author, presence, body.get("reaction"))
        if type(counted) is int and counted > len(self.room.counted) and self.synced:
            self._sync_soon()  # an entry was lost on its way to this machine
        self._change()

    def _show_reaction(self, author: bytes, presence: Presence, reaction: object) -> None:
        now = self.clock()
        if (
            type(reaction) is int
            and 0 <= reaction < len(REACTIONS)
            and now - presence.reacted >= REACTION_PAUSE_SECONDS
        ):
            presence.reacted = now
            self.reacted(Reaction(self.room.name(author) or presence.name or "A guest", REACTIONS[reaction]))

    def _hear(self, author: bytes) -> Presence:
        presence = self.present.setdefault(author, Presence("", False, 0.0))
        presence.heard = self.clock()
        return presence

    def leave_screen(self) -> None:
        """Say that nobody sees the screen here any more; the program goes on, because every roll needs its key."""
        self.watched = False
        self._task(self.beat())

    def silence(self, author: bytes) -> float:
        """Return the seconds since a machine was heard; 0 for this one."""
        if author == self.machine.public:
            return 0.0
        presence = self.present.get(author)
        return self.clock() - presence.heard if presence else float("inf")

    def away(self, author: bytes) -> bool:
        """Whether a machine is away: it has left its screen, or missed two beats."""
        presence = self.present.get(author)
        return self.silence(author) > AWAY_SECONDS or (presence is not None and presence.gone)

    @property
    def spectators(self) -> tuple[str, ...]:
        """The names of those who watch, as far as they are here."""
        play = self.room.play
        seated = {self.machine.public, *self.room.sittings} | {each.author for each in (play.sittings if play else ())}
        return tuple(
            presence.name or "A guest"
            for author, presence in self.present.items()
            if author not in seated and presence.watching and not self.away(author)
        )

    @property
    def mine(self) -> Sitting | None:
        """The seats of this machine for the next match; None when it has none."""
        return self.room.sittings.get(self.machine.public)

    @property
    def sitting_here(self) -> Sequence[Sitting]:
        """The machines that sit and are not away, in the order in which they sat down; no match starts without them."""
        return [sitting for sitting in self.room.sittings.values() if not self.away(sitting.author)]

    @property
    def dealer(self) -> Sitting | None:
        """The machine that starts the next match: of those that sit and are here, the first (``Room.sittings``)."""
        return next(iter(self.sitting_here), None)

    @property
    def deals(self) -> bool:
        """Whether this machine sets the terms of the next match, and starts it."""
        return self.mine is not None and self.dealer == self.mine

    @property
    def may_start(self) -> bool:
        """Whether this machine deals, or sits and has waited for the dealer for the patience of the table."""
        dealer = self.dealer
        if not dealer or not self.mine:
            return False
        return self.deals or 0 < dealer.patience <= self.clock() - self._moved

    @property
    def undecided(self) -> tuple[Sitting, ...]:
        """The machines that have played the last match to its end, are here, and do not sit for a rematch yet."""
        return tuple(
            each for each in self.played if each.author not in self.room.sittings and not self.away(each.author)
        )

    def start_rematch(self) -> None:
        """Start the match, once, if this machine deals, and all who played the last one sit again and are here."""
        play, played = self.room.play, {each.author for each in self.played}
        here = {each.author for each in self.sitting_here}
        if self.deals and len(played) > 1 and played <= here and self._rematch_of is not play:
            self._rematch_of = play
            self.start()

    @property
    def played(self) -> tuple[Sitting, ...]:
        """The machines that have played the last match to its end; none while it goes on."""
        play = self.room.play
        if play is None or play.state is None or not play.over or play.abandoned:
            return ()
        left = {play.machine_of[seat] for seat in play.state.left}
        return tuple(sitting for machine, sitting in enumerate(play.sittings) if machine not in left)

    @property
    def absent(self) -> tuple[int, ...]:
        """The machines that the match waits for and that are away."""
        play = self.room.play
        return tuple(machine for machine in play.owing if self.away(play.sittings[machine].author)) if play else ()

    @property
    def may_be_left(self) -> tuple[int, ...]:
        """The machines without which this one may go on, now that the patience of the table is over; often none."""
        play = self.room.play
        late = self._late(play, play.patience) if play and play.patience else frozenset()
        waits = play is not None and not late.isdisjoint(play.owing)
        return tuple(sorted(late)) if waits and play and self.station.machine in play.voters(late) else ()

    def _late(self, play: Play, seconds: float) -> frozenset[int]:
        """The other machines that have been silent for so long, or were waited for while their people did nothing."""
        waited = self.clock() - self._moved
        return frozenset(
            machine
            for machine in play.remaining
            if machine != self.station.machine
            and max(self.silence(play.sittings[machine].author), waited if machine in play.owing else 0.0) >= seconds
        )

    def _agreed_in_silence(self) -> Iterator[Body]:
        """Yield the agreement to what others ask when the people here say nothing for the patience once more.

        Bots agree as soon as it is over.
        """
        play, mine = self.room.play, self.station.machine
        if play is None or mine is None or play.over or not play.patience:
            return
        people = any(not seat.bot for seat in play.sittings[mine].players)
        late = self._late(play, play.patience * (2 if people else 1))
        for others, agreed in play.agreed.items():
            if others <= late and mine in play.voters(others) - agreed:
                yield self.station.go_on_without(play, others)


def _shows(play: Play, seen: Play) -> bool:
    """Whether a match shows everything that was seen of it: its lot, if that was drawn, and its events."""
    if seen.state is None:
        return True
    return play.identifier == seen.identifier and bool(play.state) and play.events[: len(seen.events)] == seen.events


class FarSeats:
    """One match of a room as ``play.turns`` asks for it: ``Company``."""

    def __init__(self, client: Client, play: Play) -> None:
        self.client = client
        self.play = play

    @property
    def version(self) -> int:
        return self.client.version

    def event(self, number: int) -> Event | None:
        return self.play.events[number] if number < len(self.play.events) else None

    def is_here(self, seat: int) -> bool:
        here = self.play.machine_of[seat] == self.client.station.machine
        return here and self.play.lineup.seats[seat].bot is None

    @property
    def decided(self) -> Action | None:
        return self.play.pending.action if self.play.pending else self.client.deciding

    def say(self, action: Action) -> None:
        self.client.act(action)
