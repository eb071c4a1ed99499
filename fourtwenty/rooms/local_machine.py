"""Makes this machine's entries at a table, chosen or owed, from its secret. Pure: others send them."""

from __future__ import annotations

import hmac
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from fourtwenty.games.game import Action, Event, Roll, State
from fourtwenty.journal.record import Record, fingerprint, write_record
from fourtwenty.play.bots import BOTS
from fourtwenty.play.lineup import Seat
from fourtwenty.play.match import Match
from fourtwenty.play.shared_dice import CHAIN_LENGTH, KEY_BYTES, earlier_key
from fourtwenty.rooms.room import LOG_VERSION, Participant, Room, RoomMatch

DEFAULT_PATIENCE = 180
"""Seconds for which a table waits for a machine, unless set otherwise."""

STRIDE = 256
"""One key of a chain in so many is stored; the others are hashed again when opened."""

Body = dict[str, Any]
"""The fields of an entry, without its number and head."""


class SeatRequest(Struct, frozen=True):
    """The players of a machine, its proposal for the match, and its public data."""

    players: tuple[Seat, ...] = ()
    """Empty for a machine that watches."""
    game: str = "420"
    first_to: int = 0
    patience: int = DEFAULT_PATIENCE
    """In seconds, one of ``PATIENCE_CHOICES``."""
    name: str = ""
    """The public name of this machine while it watches."""
    page: str = ""
    """A page's origin: its machine's public key in hexadecimal digits; empty for a program."""

    def with_terms_of(self, other: SeatRequest | Participant) -> SeatRequest:
        """Return this request with another one's proposal."""
        return replace(self, game=other.game, first_to=other.first_to, patience=other.patience)


class Chain:
    """The secret of a machine for one match: a key for every step, each the hash of the next (docs/fair-dice.md)."""

    def __init__(self, table: bytes, seed: bytes, length: int = CHAIN_LENGTH) -> None:
        """``seed`` is the last key. Raises ValueError unless it has 32 bytes."""
        if len(seed) != KEY_BYTES:
            raise ValueError(f"The seed of a chain has {KEY_BYTES} bytes, not {len(seed)}.")
        self.table = table
        self.length = length
        self._stored_keys = {length: seed}
        key, step = seed, length
        while step > 0:
            earlier = (step - 1) // STRIDE * STRIDE
            key = self._stored_keys[earlier] = earlier_key(table, key, step - earlier)
            step = earlier

    @property
    def anchor(self) -> bytes:
        """The key of step 0: the public commitment to all others."""
        return self._stored_keys[0]

    def key(self, step: int) -> bytes:
        """Return the key of a step, secret before that step. Raises ValueError for a step without one."""
        if not 0 <= step <= self.length:
            raise ValueError(f"This chain has keys for the steps up to {self.length}, none for step {step}.")
        kept = min(step + -step % STRIDE, self.length)
        return earlier_key(self.table, self._stored_keys[kept], kept - step)


_chain = lru_cache(maxsize=64)(Chain)
"""The chains of the last seeds: all 65,536 keys of one take 26 ms."""


class OpenedKey(Struct, frozen=True):
    """The deepest key of a chain that this machine has opened, and the only action it is for."""

    anchor: bytes
    step: int
    act: bytes
    """The digest of the entry of the action, or of the start for the draw."""


class LocalMachine:
    """A machine with a secret, at a room that it follows."""

    def __init__(
        self,
        room: Room,
        public: bytes,
        secret: bytes,
        chain_length: int = CHAIN_LENGTH,
        opened_keys: Iterable[OpenedKey] = (),
    ) -> None:
        """``secret``: 32 bytes, the source of the chains; ``opened_keys``: earlier results of ``key_to_save``."""
        self.room = room
        self.public = public
        self._secret = secret
        self._chain_length = chain_length
        self._opened_keys = {each.anchor: each for each in opened_keys}

    # -- entries by choice -------------------------------------------------------------------------------------

    def sit(self, seat_request: SeatRequest) -> Body:
        """Return the entry that takes seats in the next match."""
        return {
            "at": "sit",
            "version": LOG_VERSION,
            "tip": self._next_anchor,
            "keys": self._chain_length,
            "players": [{"name": seat.name, "bot": seat.bot} for seat in seat_request.players],
            "game": seat_request.game,
            "first_to": seat_request.first_to,
            "patience": seat_request.patience,
            "page": seat_request.page,
        }

    @property
    def _next_anchor(self) -> str:
        return self.chain(len(self.room.matches)).anchor.hex()

    def get_up(self) -> Body:
        """Return the entry that gives up the seats before a match."""
        return {"at": "rise"}

    def start(self, left_out: Collection[bytes] = ()) -> Body:
        """Return the entry that starts the match without these; the others keep their order at the table."""
        participants = [each for author, each in self.room.participants.items() if author not in left_out]
        return {"at": "start", "sits": [participant.digest.hex() for participant in participants]}

    def act(self, match: RoomMatch, action: Action) -> Body:
        """Return the entry of an action of the seat to act."""
        body: Body = {"at": "act", "match": match.identifier, "event": len(match.events)}
        return body | ({"roll": list(action.dice)} if isinstance(action, Roll) else {"stand": True})

    def carry_on_without(self, match: RoomMatch, machines: Collection[int]) -> Body:
        """Return the entry that agrees to carry on now without machines."""
        return {
            "at": "without",
            "match": match.identifier,
            "moment": match.cursor_of(machines),
            "machines": sorted(machines),
        }

    def leave(self, match: RoomMatch) -> Body:
        """Return the entry that gives up this machine's seats in a running match, now."""
        machine = match.machine_index(self.public)
        assert machine is not None
        return {"at": "leave", "match": match.identifier, "moment": match.cursor_of([machine])}

    def agree_to_end(self, match: RoomMatch) -> Body:
        """Return the entry that agrees to end a disputed match without a result, now."""
        return {"at": "abandon", "match": match.identifier, "moment": match.cursor_of(match.remaining)}

    def here(self, match: RoomMatch) -> Body:
        """Return the entry that says that this machine is here, if others carry on or have started without it."""
        return {"at": "here", "match": match.identifier, "moment": match.cursor_of([])}

    def retry(self, body: Body) -> Body | None:
        """Return the current entry in place of one that did not count; None if none is needed.

        It repeats a leave while there is a seat, the agreement to end a disputed match, and a seat request from before
        a match that is over.
        """
        match = self.room.match
        if body["at"] == "sit" and not self.room.playing and body["tip"] != (tip := self._next_anchor):
            return body | {"tip": tip}
        again = {"leave": self.leave, "abandon": self.agree_to_end}.get(body["at"])
        if match is None or again is None or body["match"] != match.identifier or match.over:
            return None
        if self.index not in (match.may_end if body["at"] == "abandon" else match.remaining):
            return None
        return again(match)

    # -- entries owed -------------------------------------------------------------------------------------------

    @property
    def index(self) -> int | None:
        """The index of this machine in the last match; None if it only watches."""
        return self.room.match.machine_index(self.public) if self.room.match else None

    @property
    def other_records(self) -> tuple[str, ...]:
        """The names of the machines that state a different record of the last match."""
        match = self.room.match
        mine = match.ends.get(self.index) if match and self.index is not None else None
        if match is None or mine is None:
            return ()
        return tuple(match.participants[machine].name for machine, record in match.ends.items() if record != mine)

    def owed(self) -> Iterator[Body]:
        """Yield owed entries without a choice: keys, bots' moves, forced moves, or that this machine is still here.

        At most one for a state of the room, repeated until it is in the log.
        """
        match, machine = self.room.match, self.index
        if match is None or machine is None:
            return
        if match.over:
            if machine not in match.ends and not match.abandoned:
                yield {"at": "end", "match": match.identifier, "record": fingerprint(record_text(match))}
        elif match.disputes:
            yield from self._owed_in_dispute(match, machine)
        elif match.pending and machine in match.awaited_machines:
            if not self.refuses:
                step, act, key = len(match.dice.steps), match.pending.digest.hex(), self._key(match, machine).hex()
                yield {"at": "open", "match": match.identifier, "step": step, "act": act, "key": key}
        elif match.to_act is not None and machine in match.awaited_machines:
            action = self._move(match, match.to_act)
            if action:
                yield self.act(match, action)
        elif any(machine in others for others in match.votes):
            yield self.here(match)

    def _owed_in_dispute(self, match: RoomMatch, machine: int) -> Iterator[Body]:
        """Yield what this machine finds in its log about disputed rolls, and the agreement to end of bots alone."""
        participant = match.participants[machine]
        for page, dispute in match.disputes.items():
            right = match.is_right(dispute)
            if not participant.page and right is not None and (machine, page) not in match.findings:
                yield {"at": "finding", "match": match.identifier, "page": page, "right": right}
        people = any(not seat.bot for seat in participant.players)
        if match.agreed_to_end and not people and machine in match.may_end:
            yield self.agree_to_end(match)

    def key_to_save(self, body: Body) -> OpenedKey | None:
        """Return what to save and pass to ``mark_opened`` before an owed entry is sent; None for nothing."""
        match, machine = self.room.match, self.index
        if body["at"] != "open" or match is None or machine is None:
            return None
        key = OpenedKey(match.dice.machines[machine].anchor, body["step"], bytes.fromhex(body["act"]))
        return None if self._opened_keys.get(key.anchor) == key else key

    def mark_opened(self, key: OpenedKey) -> None:
        """Open no other key of this chain up to this one, and this one for no other action."""
        self._opened_keys[key.anchor] = key

    @property
    def refuses(self) -> bool:
        """Whether the match waits for a key that this machine has opened for another action, in another log."""
        match, machine = self.room.match, self.index
        if match is None or machine is None or not match.pending or machine not in match.awaited_machines:
            return False
        before = self._opened_keys.get(match.dice.machines[machine].anchor)
        step, act = len(match.dice.steps), match.pending.digest
        return before is not None and (step < before.step or (step == before.step and act != before.act))

    def predicted(self, match: RoomMatch) -> Event | None:
        """Return the event of this machine's roll if only its own key is missing, else None.

        It may be shown here, but neither saved nor sent: if the others carry on without this machine before its key is
        in the log, the roll never was. So it is also None while one of them would.
        """
        machine, pending = match.machine_index(self.public), match.pending
        if machine is None or match.dice.missing != (machine,) or not pending or not pending.action:
            return None
        if match.disputes or self.refuses or any(machine in others for others in match.votes):  # it opens no key
            return None
        faces = match.dice.predicted(self._key(match, machine), pending.action.dice)
        return Event(pending.seat, pending.action, faces)

    def _move(self, match: RoomMatch, seat: int) -> Action | None:
        """The move of a bot, or a person's only one where the game plays by itself."""
        state = match.state
        assert state
        bot = match.lineup.seats[seat].bot
        if bot is None:
            return state.actions[0] if state.automatic and len(state.actions) == 1 else None
        seed = hmac.digest(self._secret, f"bots {match.identifier}".encode(), "sha256")
        return BOTS[bot].choose(state, seed, len(match.events))

    def _key(self, match: RoomMatch, machine: int) -> bytes:
        return self._chain_of(match.dice.machines[machine].anchor).key(len(match.dice.steps))

    def _chain_of(self, anchor: bytes) -> Chain:
        """The chain of this machine's seat: of the last match, or of one before without a seat for it."""
        chains = map(self.chain, range(len(self.room.matches) - 1, -1, -1))
        return next((chain for chain in chains if chain.anchor == anchor), self.chain(len(self.room.matches) - 1))

    def chain(self, match: int) -> Chain:
        """Return the chain of this machine for a match of the room, counted from 0."""
        seed = hmac.digest(self._secret, f"chain {match}".encode(), "sha256")
        return _chain(self.room.table, seed, self._chain_length)


def match_from_room(room_match: RoomMatch) -> Match:
    """Return the room's match so far, without a journal. Raises ValueError before the draw."""
    match = Match(room_match.lineup, room_match.dice, identifier=room_match.identifier)
    catch_up(match, room_match)
    return match


def catch_up(match: Match, room_match: RoomMatch) -> None:
    """Add the missing events of a room's match to its ``Match``. Raises SaveError and PlayedElsewhereError."""
    while len(match.events) < len(room_match.events):
        follow(match, room_match)


def follow(match: Match, room_match: RoomMatch) -> State:
    """Add the next event of a room's match to its ``Match``; return the state before. Raises as ``catch_up``."""
    if match.state.to_act is None and match.state.outcome is None:
        match.next_round()
    before = match.state
    match.record(room_match.events[len(match.events)])
    return before


def record_text(room_match: RoomMatch) -> str:
    """Return the record of a finished match of a room: the same text on every machine."""
    return write_record(Record.from_match(match_from_room(room_match)))
