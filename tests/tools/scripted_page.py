"""A page of a room, in Python: it follows the views of its host, checks them, opens its keys and acts.

The reference for the page in JavaScript (fourtwenty/rooms/page). It has no rules and no log.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import secrets
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from hashlib import sha256
from typing import Any

from memory_log import MemoryBroker, MemoryLog
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey

from fourtwenty.play.dice import drawn_seat, uniform_int
from fourtwenty.play.shared_dice import earlier_key
from fourtwenty.rooms.encryption import MachineKey, RoomKeys, decrypt_entry, encrypt_entry
from fourtwenty.rooms.local_machine import Body, Chain
from fourtwenty.rooms.room import MIN_KEYS
from fourtwenty.rooms.wire.pages import Pages, PageState
from fourtwenty.rooms.wire.room_log import UnreachableError

View = dict[str, Any]


def show_another_face(pages: object, public: bytes) -> None:
    """Let a host show a page the first face of the last roll as the next one, and show all others the right one."""
    assert isinstance(pages, Pages)
    view = pages.view

    def changed(page: PageState) -> View:
        shown = deepcopy(view(page))
        if page.public == public and shown["fallen"]:
            first, *others = shown["fallen"][-1]["faces"]
            shown["fallen"][-1]["faces"] = [first % 6 + 1, *others]
        return shown

    pages.__dict__["view"] = changed


THINKING_SECONDS = 1.0
"""Time that a person takes to choose."""


class UnfairError(Exception):
    """What the host says is not what it can have been. The message is a sentence."""

    def __init__(self, message: str, **dispute: int) -> None:
        super().__init__(message)
        self.dispute = dispute or {"step": 0, "die": 0, "shown": 0, "computed": 0}


class ScriptedPage:
    """A page at a table in memory."""

    def __init__(self, keys: RoomKeys, broker: MemoryBroker, host: bytes, name: str) -> None:
        """Take the keys of the room, and the public key of its host's machine, which came with the page."""
        self.keys, self.broker, self.host, self.name = keys, broker, host, name
        self.secret = sha256(name.encode()).digest()
        self.machine = MachineKey(sha256(b"page" + self.secret).digest())
        self.opened: dict[str, tuple[int, bytes, bytes]] = {}
        """By anchor: the step of the deepest key, the digest of the act that it was opened for, and that act."""
        self.helped: dict[bytes, int] = {}
        """By the digest of an act: the number of machines whose keys it took last."""
        self.watching = True
        self.plays = True
        """Whether it acts by itself when it is asked."""
        self.unfair = ""
        """What is not fair, in a sentence; no key is opened any more then."""
        self.views: list[View] = []
        self.sent: list[View] = []
        """The fields that the host has sent, by view."""
        self.messages: list[bytes] = []
        self.load()

    def load(self) -> None:
        """Begin as a page that is loaded anew: it remembers its secret and its opened keys, and nothing else."""
        self.view, self.whole_views = View(), 0
        self.renew()
        self._sent: set[str] = set()
        self._again = 0
        self._match, self._matches = b"", 0
        self._known, self._throws = list[tuple[int, bytes]](), dict[int, int]()
        self.checked = 0
        """The number of events whose faces are checked."""

    def renew(self) -> None:
        """Forget the key that is shared with the host; a new pair is for the next one."""
        self.pair = PrivateKey(secrets.token_bytes(32))
        self.box: Box | None = None
        self.seen = 0
        """The number of messages under the present key."""
        self._begins = True
        """Whether its first view, which is whole, is to come."""
        self._text = b""

    # -- the pipe ----------------------------------------------------------------------------------------------

    async def open(self) -> None:
        self.log = MemoryLog(self.broker, self.keys.room)
        await self.log.open(lambda *_: None, lambda _: None, lambda _: None)
        self.broker.pages[self.machine.public] = self.receive
        self._sent.clear()
        self.renew()
        await self.send_heartbeat()
        for _, _, act in self.opened.values():  # the broker may have lost it
            await self.log.append(act)
        if self.view:  # what was said meanwhile is lost
            asyncio.get_running_loop().create_task(self.look())

    async def close(self) -> None:
        """Lose the connection, as a phone that sleeps."""
        self.broker.pages.pop(self.machine.public, None)
        await self.log.close()

    async def send_heartbeat(self, at: str = "here", **more: object) -> None:
        number, head = self.view.get("number", 0), self.view.get("head", first_head(self.keys))
        body = {"at": at, "number": number, "head": head, "uploaded": True, "counted": self.view.get("counted", 0)}
        body |= {"name": self.name, "watching": self.watching, "once": secrets.token_hex(8), "page": True}
        box = bytes(self.pair.public_key).hex()
        body |= {"box": box, "seen": self.seen, "match": self.match_id, "event": self.checked} | more
        await self.log.broadcast(encrypt_entry(self.keys, self.machine, body))

    async def send(self, body: Body) -> None:
        """Sign and publish an entry, unless it is on its way."""
        if (written := json.dumps(body, sort_keys=True)) in self._sent:
            return
        self._sent.add(written)
        self._again += 1
        full = body | {"number": self.view["number"], "head": self.view["head"], "again": self._again}
        with suppress(UnreachableError):
            await self.log.append(encrypt_entry(self.keys, self.machine, full))

    def receive(self, data: bytes) -> None:
        """Take a message of the host to this page, once and in its order; after a gap, ask for the whole view."""
        self.messages.append(data)
        number = int.from_bytes(data[:8], "big")
        try:
            piece = self.box.decrypt(data[8:], data[:8] + bytes(16)) if self.box else b""
        except (CryptoError, ValueError):
            piece = b""
        if not piece:
            self._agree(data)
        elif number > self.seen + 1:
            self._ask_again()
        elif number == self.seen + 1:
            self.seen, self._text = number, self._text + piece[1:]
            if not piece[0]:
                value, self._text = json.loads(self._text), b""
                self.whole_views += self._begins
                self._begins = False
                self.sent.append(value)
                self.view = {**self.view, **value}
                self.views.append(self.view)
                asyncio.get_running_loop().create_task(self.look())

    def _agree(self, data: bytes) -> None:
        """Take the host's part of the agreement, which is for one pair of this page."""
        entry, own = decrypt_entry(self.keys, data), bytes(self.pair.public_key).hex()
        if entry is None or entry.author != self.host or entry.body.get("at") != "key":
            return
        if (entry.body["to"], entry.body["page"]) != (self.machine.public.hex(), own):
            return
        if self.box:
            self._ask_again()
        else:
            self.box = Box(self.pair, PublicKey(bytes.fromhex(entry.body["box"])))

    def _ask_again(self) -> None:
        self.renew()
        asyncio.get_running_loop().create_task(self.send_heartbeat())

    # -- what a view asks for ----------------------------------------------------------------------------------

    async def look(self) -> None:
        """Check a view, and say what is owed, and chosen."""
        view, before = self.view, self.checked
        try:
            if view["match"]:
                self.check(view)
            for body in [] if self.unfair else view["owes"]:
                await self.owe(view, body)
        except UnfairError as reason:
            self.unfair = self.unfair or str(reason)
            if not view["disputed"]:
                await self.send({"at": "dispute", "match": self.match_id, **reason.dispute})
        if view["asks"] or before < self.checked < view["events"]:
            await self.send_heartbeat()
        if self.plays and not self.unfair:
            await self.choose(view)

    async def choose(self, view: View) -> None:
        """Sit down, and roll as few dice as is allowed."""
        if view["may"]["sit"] and not self.watching:
            await self.sit()
        elif view["ask"]:
            await asyncio.sleep(THINKING_SECONDS)
            if not self.view.get("ask") or view["events"] != self.view["events"]:
                return
            choices = view["ask"]["choices"].items()
            fewest = min((pick for pick, (refusal, *_) in choices if not refusal), key=len)
            await self.act([int(die) for die in fewest])

    async def sit(self) -> None:
        self.watching = False
        chain = self.chain(self.view["matches"])
        mine = {"tip": chain.anchor.hex(), "keys": chain.length, "players": [{"name": self.name, "bot": None}]}
        await self.send(self.view["may"]["sit"] | mine)

    async def act(self, dice: list[int]) -> None:
        await self.send({"at": "act", "match": self.match_id, "event": self.view["ask"]["event"], "roll": dice})

    async def owe(self, view: View, body: Body) -> None:
        """Say what is owed; a key only for the act that the host shows, and for one act only."""
        if "match" in body and body["match"] != self.match_id:
            raise UnfairError("This is for another match.")
        if body["at"] == "open":
            body = body | {"key": await self.key(view, body)}
        if body["at"] != "end" or self.checked == view["events"]:
            await self.send(body)

    async def key(self, view: View, body: Body) -> str:
        step, machines = view["step"], view["match"]["machines"]
        mine = [machine["public"] for machine in machines].index(self.machine.public.hex())
        data = base64.b64decode(step["act"])
        act = decrypt_entry(self.keys, data)
        if act is None or act.digest.hex() != body["act"] or body["step"] != step["step"]:
            raise UnfairError("The action is not the one that the key is asked for.")
        if step["seat"] < 0:
            if act.body["at"] != "start" or act.author.hex() not in [machine["public"] for machine in machines]:
                raise UnfairError("The draw is nobody's.")
        elif act.author.hex() != machines[step["last"]]["public"] or act.body["roll"] != step["dice"]:
            raise UnfairError("The action is not that of the player.")
        elif act.body["match"] != self.match_id or act.body["event"] > view["events"]:
            raise UnfairError("The action is for another moment.")
        if step["last"] == mine and step["missing"] != [mine]:
            raise UnfairError("The others have not opened.")
        tip = machines[mine]["tip"]
        before, digest, _ = self.opened.get(tip, (0, b"", b""))
        if step["step"] < before or (step["step"] == before and act.digest != digest):
            raise UnfairError("A key is asked for again, for another action.")
        if step["step"] > before and len(step["contributors"]) >= self.helped.get(act.digest, len(machines) + 1):
            raise UnfairError("A roll is to be thrown again.")
        self.opened[tip] = step["step"], act.digest, data
        self.helped[act.digest] = len(step["contributors"])
        chain = next(each for each in map(self.chain, range(view["matches"])) if each.anchor.hex() == tip)
        return chain.key(step["step"]).hex()

    # -- what it checks ----------------------------------------------------------------------------------------

    def check(self, view: View) -> None:
        """Check the match, all keys and all faces that are new. Raises UnfairError."""
        table, machines = self.keys.table, view["match"]["machines"]
        match = digest_of(table, view["match"])
        if match != self._match:
            if self._match and view["matches"] == self._matches:
                raise UnfairError("This is another match than before.")
            self._match, self._matches, self.checked = match, view["matches"], 0
            self._known = [(0, bytes.fromhex(machine["tip"])) for machine in machines]
            self._throws = {}
        if lot := view["start_draw"]:
            seats = sum(len(machine["seats"]) for machine in machines)
            if drawn_seat(seats, self.joint(lot)) != lot["first"]:
                raise UnfairError("These dice are not fair: another seat starts.")
        for roll in view["fallen"]:
            if roll["event"] < self.checked:
                continue
            if roll["roll"] > sum(self._throws.values()):  # some are between
                return
            self._throws[roll["seat"]] = throw = self._throws.get(roll["seat"], 0) + 1
            key = self.joint(roll)
            for at, (die, face) in enumerate(zip(roll["dice"], roll["faces"], strict=True)):
                fair = 1 + uniform_int(6, key, f"face {roll['seat']} {throw} {die}")
                if fair != face:
                    name = view["match"]["players"][roll["seat"]][0]
                    raise UnfairError(
                        f"These dice are not fair: {name}'s roll {throw}: a {face} is not a {fair}.",
                        step=roll["step"],
                        die=at,
                        shown=face,
                        computed=fair,
                    )
            self.checked = roll["event"] + 1
        self.checked = view["events"]  # the others are no rolls

    def joint(self, roll: Body) -> bytes:
        """The joint key of a roll, once its keys lead to the anchors."""
        keys = [bytes.fromhex(key) for key in roll["keys"]]
        for machine, key in zip(roll["contributors"], keys, strict=True):
            (step, known), table = self._known[machine], self.keys.table
            later, sooner = max(step, roll["step"]), min(step, roll["step"])
            deep, flat = (key, known) if roll["step"] > step else (known, key)
            if earlier_key(table, deep, later - sooner) != flat:
                raise UnfairError("These dice are not fair: a key does not lead to its anchor.")
            self._known[machine] = later, deep
        number = roll["step"].to_bytes(4, "big")
        return sha256(b"420 joint" + self._match + number + b"".join(keys)).digest()

    @property
    def match_id(self) -> str:
        return self._match.hex()[:32]

    def chain(self, match: int) -> Chain:
        """Its chain of keys for a match of the room, counted from 0."""
        return chain_of(self.keys.table, hmac.digest(self.secret, f"chain {match}".encode(), "sha256"))


@lru_cache
def chain_of(table: bytes, seed: bytes) -> Chain:
    """A page's chain, which it makes once."""
    return Chain(table, seed, MIN_KEYS)


def digest_of(table: bytes, match: Body) -> bytes:
    """The digest of a match as the host says it."""
    seats = [{"name": name, "kind": kind} for name, kind in match["players"]]
    agreed = [table.hex(), match["machines"], match["game"], seats, match["starting"]]
    return sha256(json.dumps(agreed).encode()).digest()


def first_head(keys: RoomKeys) -> str:
    """The head of a room without entries."""
    return sha256(b"420 room" + keys.table).hexdigest()[:32]
