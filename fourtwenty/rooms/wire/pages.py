"""The pages that follow a room by the views of its host machine.

A page is a player with its own keys, but without rules and log: the host's views show the room and the possible
actions; the page signs, opens its keys and checks the dice (docs/inside/rooms.md). No rule is here.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct, json, to_builtins

from fourtwenty.games import GAMES
from fourtwenty.games.english import is_you, sentence_case, your_turn
from fourtwenty.games.game import Roll, Stand, State
from fourtwenty.play.lineup import Seat
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import awaited_line
from fourtwenty.play.shared_dice import START_DRAW, earlier_key
from fourtwenty.play.table_view import Question, SeatView, TableView, last_line, table_view, throw_of
from fourtwenty.rooms.encryption import SharedKey, encrypt_entry
from fourtwenty.rooms.local_machine import Body, LocalMachine, SeatRequest, follow
from fourtwenty.rooms.names import check_seat
from fourtwenty.rooms.room import LogEntry, Room, RoomMatch, throwers
from fourtwenty.rooms.wire.client import Client
from fourtwenty.rooms.wire.notices import LEFT_OUT
from fourtwenty.rooms.wire.presence import REACTIONS, Reaction
from fourtwenty.rooms.wire.view import RoomView, abandoned_sentence

HEARD_SECONDS = 60.0
"""Seconds of silence after which a page gets no views until its next heartbeat."""
NO_TABLE = {"caption": "", "hand": 0, "ask": None, "result": None}
"""The fields of a view before a match, beside its seats."""
MAX_PAGES = 64
"""Greatest number of pages with views; beyond it, pages without a seat lose them, the most silent first."""
MAX_FALLEN = 12
"""Greatest number of rolls that a page checks at a time."""
PAUSE_SECONDS = 0.5
"""Least seconds between two views of a page without anything that it waits for, as while keys come."""
AWAITED = "phase", "events", "seats", "ask", "asks", "refused", "owes", "shown"
"""The fields whose changes a page waits for, unless nothing is left in a list."""
LOST_SECONDS = 3.0
"""Seconds after which the last message that a page has not received is lost."""
REACTION_SECONDS = 3.0


class PageMachine(LocalMachine):
    """A page at the table, as its host knows it: in its entries, the page's own data is empty."""

    def __init__(self, room: Room, public: bytes) -> None:
        super().__init__(room, public, b"", chain_length=0)

    @property
    def _next_anchor(self) -> str:
        return ""

    def _key(self, match: RoomMatch, machine: int) -> bytes:  # noqa: ARG002
        return b""


class PageState(Struct):
    """A page that has sent heartbeats."""

    public: bytes
    box: object = None
    """Its public key, in hexadecimal digits, for the agreement on a shared key."""
    key: SharedKey | None = None
    """The shared key; None before the first agreement."""
    match: str = ""
    """The identifier of the match of ``checked``; empty before the first."""
    checked: int = 0
    """The number of that match's events whose rolls it has checked, or been sent since."""
    refused: tuple[int, str] = 0, ""
    """The number of its refused requests, and why the last one was, in a sentence."""
    wish: str = ""
    """The name by which it wants a seat; empty for none."""
    asks: bool = False
    view: Body = {}
    """Its last view; empty before the first under its shared key."""
    shown: float = 0.0
    """The event loop's time of its last view."""


class PageMatch:
    """A match as its pages see it, event by event."""

    def __init__(self, room_match: RoomMatch) -> None:
        self.room_match = room_match
        self.rolls: list[Body] = []
        """The rolls with known faces, as views show them."""
        self.start_draw: Body | None = None
        """The draw of the start, with its keys; None before it, or without one."""
        self._match: Match | None = None
        self._before: State | None = None
        """The state before the last event; None before the first."""

    def follow(self) -> None:
        """Take the events that have come since."""
        room_match, dice = self.room_match, self.room_match.dice
        if room_match.state is None:
            return
        if self._match is None:
            self._match = Match(room_match.lineup, dice, identifier=room_match.identifier)
            if dice.steps and dice.steps[0].seat == START_DRAW:
                self.start_draw = {**self._keys_of(1), "first": dice.draw(len(room_match.machine_of))}
        match = self._match
        while len(match.events) < len(room_match.events):
            event = room_match.events[len(match.events)]
            self._before = follow(match, room_match)
            if isinstance(event.action, Roll):
                self.rolls.append(
                    {
                        "roll": len(self.rolls),
                        "event": len(match.events) - 1,
                        "seat": event.seat,
                        "throw": 1 + sum(each["seat"] == event.seat for each in self.rolls),
                        "dice": event.action.dice,
                        "faces": event.faces,
                        "stake": throw_of(self._before, event).stake,
                        **self._keys_of(dice.roll_steps[len(self.rolls)]),
                    }
                )

    def _keys_of(self, number: int) -> Body:
        """The number of a step, and its contributors with their keys."""
        dice = self.room_match.dice
        contributors = dice.steps[number - 1].contributors
        shown = [dice.shown[machine] for machine in contributors]
        keys = [earlier_key(dice.table, each.key, each.step - number).hex() for each in shown]
        return {"step": number, "contributors": contributors, "keys": keys}

    def last(self, names: list[str]) -> str:
        """Return the last event's line, with these names by seat; empty before the first."""
        return last_line(self._match, self._before, names) if self._match and self._before else ""

    def fallen(self, checked: int) -> list[Body]:
        """Return the first rolls that a page has not checked, and the last one."""
        shown = [roll for roll in self.rolls if roll["event"] >= checked][:MAX_FALLEN]
        return shown if self.rolls[-1:] == shown[-1:] else [*shown, self.rolls[-1]]


class Pages:
    """Shows the room to the pages that follow it; ``Client.pages`` of the host machine."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.pages: dict[bytes, PageState] = {}
        self._page_match: PageMatch | None = None
        self._reaction: tuple[float, Reaction] | None = None
        self._due: asyncio.TimerHandle | None = None
        self._sending = asyncio.Lock()
        """Keeps messages in the order of their numbers."""
        client.pages = self
        client.listeners.append(self._show_soon)

    # -- what is heard -----------------------------------------------------------------------------------------

    def receive(self, author: bytes, body: Body) -> None:
        """Receive a page's heartbeat; with a new key, or if a message was lost, the page gets the whole view."""
        page = self.pages.setdefault(author, PageState(author))
        checked, match = body.get("event"), body.get("match")
        late = asyncio.get_running_loop().time() - page.shown > LOST_SECONDS
        if body.get("box") != page.box or (late and page.key and page.key.sent != body.get("seen")):
            self._agree(page, body.get("box"))
            page.checked = checked if type(checked) is int and checked >= 0 else 0
            page.match = match if type(match) is str else ""
        wish, running = body.get("wish"), self._client.room.match
        page.wish = wish if type(wish) is str else ""
        if page.wish and running and self._client.room.playing and running.machine_index(author) is None:
            # A slower player would lose the seat after the match.
            self._refuse(page, check_seat(Seat(page.wish), running.lineup.seats))
        self._forget()
        self._show_soon()

    def _agree(self, page: PageState, box: object) -> None:
        """Agree on a key with a page, by its public key in hexadecimal digits."""
        page.box, page.key, page.view = box, None, {}
        try:
            page.key = SharedKey(bytes.fromhex(box if type(box) is str else ""))
        except ValueError:
            return
        body = {"at": "key", "to": page.public.hex(), "page": box, "box": page.key.public.hex()}
        self._send(page, [encrypt_entry(self._client.keys, self._client.machine, body)])

    def _forget(self) -> None:
        """Forget silent pages, and some more if there are too many."""
        presence, seated = self._client.presence, self._client.room.seated
        heard = [each for each in self.pages if presence.silence(each) <= HEARD_SECONDS]
        heard.sort(key=lambda each: (each not in seated, presence.silence(each)))
        self.pages = {each: self.pages[each] for each in heard[:MAX_PAGES]}

    def ask(self) -> None:
        """Let every page show that it is here."""
        for page in self.pages.values():
            page.asks = True
        self._show_soon()

    def refuse(self, entry: LogEntry, reason: str) -> None:
        """Tell a page why its seat, or its start, does not count; a seat that comes too late is for the next match."""
        page, at = self.pages.get(entry.author), entry.body.get("at")
        if page and (at == "start" or (at == "sit" and not self._client.room.playing)):
            self._refuse(page, reason)

    def _refuse(self, page: PageState, reason: str | None) -> None:
        if reason:
            page.wish, page.refused = "", (page.refused[0] + 1, reason)
            self._show_soon()

    def react(self, reaction: Reaction) -> None:
        """Show a reaction for a moment."""
        client = self._client
        if reaction.author == client.machine.public:  # there it is "You"
            name = client.room.name(reaction.author) or client.seat_request.name
            reaction = Reaction(reaction.author, name, reaction.text)
        self._reaction = client.presence.clock(), reaction
        self._show_soon()

    # -- what is shown -----------------------------------------------------------------------------------------

    def _show_soon(self, seconds: float = 0.0) -> None:
        """Show changes to all pages, once for all that happen now, or after a pause."""
        if not self.pages:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + seconds
        if self._due and when < self._due.when():
            self._due.cancel()
            self._due = None
        if self._due is None:
            self._due = loop.call_at(when, self._show)

    def _show(self) -> None:
        self._due = None
        match = self._client.room.match
        if match and (self._page_match is None or self._page_match.room_match is not match):
            self._page_match = PageMatch(match)
        if self._page_match:
            self._page_match.follow()
        now = asyncio.get_running_loop().time()
        for page in self.pages.values():
            if page.key is None or self._client.presence.away(page.public):
                continue
            view, last = json.decode(json.encode(self.view(page))), page.view
            changes = {name: value for name, value in view.items() if name not in last or value != last[name]}
            if not changes:
                continue
            awaited = not last or any(changes.get(name, []) != [] for name in AWAITED)
            if not awaited and (wait := page.shown + PAUSE_SECONDS - now) > 0:
                self._show_soon(wait)
                continue
            page.view, page.shown, page.asks = view, now, False
            if self._page_match and (shown := view["fallen"][:MAX_FALLEN]):
                page.match, page.checked = self._page_match.room_match.identifier, shown[-1]["event"] + 1
            self._send(page, page.key.messages(json.encode(changes)))

    def _send(self, page: PageState, messages: Iterable[bytes]) -> None:
        async def send() -> None:
            async with self._sending:
                for message in messages:
                    await self._client.log.send_view(page.public, message)

        self._client.sync.start(send())

    def view(self, page: PageState) -> Body:
        """Return the room as a page shows it."""
        if self._reaction and self._client.presence.clock() - self._reaction[0] >= REACTION_SECONDS:
            self._reaction = None
        return PageView(self._client, self._page_match, page, self._reaction and self._reaction[1]).body()


class PageView:
    """The room at one moment as one page shows it: a function of its host's data, with all sentences."""

    def __init__(
        self, client: Client, page_match: PageMatch | None, page: PageState, reaction: Reaction | None
    ) -> None:
        """Take the host machine, the last match, the page, and a reaction to show."""
        self.client = client
        self.page = page
        self.reaction = reaction
        self.room = client.room
        self.page_match = page_match
        self.room_match = client.room.match
        self.local = PageMachine(client.room, page.public)
        self.votes = client.votes.for_machine(self.local)
        self.seen = RoomView.from_room(self.votes, client.connected, client.barrier.over)
        self.running = self.room_match if self.room_match and not self.room_match.over else None
        self.machine = self.local.index
        """The index of its machine in the last match; None if it only watches."""
        self.owes = [*self.local.owed(), *self.votes.owed()]
        again = any(each.author == page.public for each in self.seen.played)
        self.labels = {
            "sit": "Join the next game" if self.running else "Rematch" if again else "Sit down",
            "rise": "Get up",
            "start": "Start",
            "without": "End this game" if self.seen.may_end else "Carry on",
        }

    def body(self) -> Body:
        """Return the fields of the view."""
        number, head = self.room.head
        match, page_match, seen = self.room_match, self.page_match, self.seen
        state, phase = match.state if match else None, self.phase
        terms = seen.starter or (match.participants[0] if match else self.client.seat_request)
        game = self.running.game if self.running else match.game if phase == "over" and match else GAMES[terms.game]
        throwing = [self.running.participants[each] for each in self.running.remaining] if self.running else seen.here
        table = self._table(match, state) if match and state and not self._gathers else None
        ask = table.ask if table else None
        checked = self.page.checked if match and match.identifier == self.page.match else 0
        return {
            "number": number,
            "head": head,
            "counted": len(self.room.counted),
            "asks": self.page.asks,
            "matches": len(self.room.matches),
            "phase": phase,
            **(to_builtins(table) if table else {**NO_TABLE, "seats": to_builtins([*self._seats_before()])}),
            "events": len(match.events) if match else 0,
            "title": game.name,
            "line": self._line(),
            "news": [*self._news()],
            "refused": self.page.refused,
            "dice_by": throwers(throwing),
            "match": self._match(match) if match else None,
            "step": self._step(match) if match else None,
            "shown": [[each.step, each.key.hex()] for each in match.dice.shown] if match and self._opens_last else [],
            "start_draw": page_match.start_draw if page_match else None,
            "fallen": page_match.fallen(checked) if page_match else [],
            "owes": self.owes,
            "disputed": match is not None and self.machine in match.disputes,
            "may": self._may(terms, ask),
            "labels": self.labels,
            "reactions": REACTIONS,
            "reacted": [self.reaction.name, self.reaction.text] if self.reaction else None,
        }

    @property
    def phase(self) -> str:
        """Whether it is "before" a match, or during its "draw", "playing" or "over"."""
        if self.running:
            return "playing" if self.running.state else "draw"
        return "over" if self.room_match and not self.room_match.abandoned else "before"

    @property
    def _gathers(self) -> bool:
        """Whether the page shows the players of the next match, before it or once its person is one of them."""
        return self.phase == "before" or (self.phase == "over" and self.seen.mine is not None)

    # -- what is said ------------------------------------------------------------------------------------------

    @property
    def _names(self) -> list[str]:
        """The names by seat for sentences: the person at the page is "You"."""
        assert self.room_match
        seats = enumerate(self.room_match.lineup.seats)
        return ["You" if self._is_mine(self.room_match, seat) else each.name for seat, each in seats]

    def _is_mine(self, match: RoomMatch, seat: int) -> bool:
        return match.machine_of[seat] == self.machine and not match.lineup.seats[seat].bot

    def _press(self, name: str, does: str) -> str:
        """The words on a button, for a sentence."""
        return self.labels["sit"] if name == "players" else sentence_case(does)

    def _line(self) -> str:
        match, seen = self.room_match, self.seen
        if not match or not self.page_match or self.phase in ("before", "draw"):
            return seen.before_match(self._press)
        last = self.page_match.last(self._names)
        return f"{last} {self._turn(match)}".strip()

    def _turn(self, match: RoomMatch) -> str:
        """The sentence about the awaited action."""
        seen, names = self.seen, self._names
        if match.over:
            return seen.before_match(self._press) if seen.participants else ""
        if missed := seen.of_match(match, self.machine, self._press):
            return missed
        if match.pending:
            mine = self._is_mine(match, match.pending.seat)
            awaited = awaited_line(names[match.pending.seat], match.pending.action)
            return "Your dice are on their way." if mine else f"{awaited}."
        assert match.to_act is not None
        name = names[match.to_act]
        return f"{your_turn(name)}." if is_you(name) else awaited_line(name, None)

    def _news(self) -> Iterator[str]:
        match = self.room_match
        if match and match.abandoned:
            yield abandoned_sentence(match)
        if self.running and self.machine is None:
            if self.page.public in self.running.left_out:
                yield f"{LEFT_OUT.format(self.room.name(self.running.started_by))}."
            else:
                yield "You play in the next game." if self.page.wish else "You are watching."

    # -- the table ---------------------------------------------------------------------------------------------

    def _seats_before(self) -> Iterator[SeatView]:
        """Yield the seats of the next match so far, or of one that is drawing its start."""
        machines = self.running.participants if self.running else self.seen.participants
        seats = ((seat, machine) for machine in machines for seat in machine.players)
        for number, (seat, machine) in enumerate(seats):
            mine, away = machine.author == self.page.public, machine.author in self.seen.away
            yield SeatView(seat.label, number, note="phone" if machine.page else "", mine=mine, away=away)

    def _table(self, match: RoomMatch, state: State) -> TableView:
        own = frozenset(seat for seat in range(state.seats) if self._is_mine(match, seat))
        plays_itself = any(body["at"] == "act" for body in self.owes)
        return table_view(
            state,
            [each.name for each in match.lineup.seats],
            len(match.events),
            "",
            mine=own,
            acting=match.pending.seat if match.pending else match.to_act,
            asked=self.running is not None and match.to_act in own and not plays_itself,
            away=[seat for seat in range(state.seats) if self.seen.is_away(match, seat)],
            spoken=self._names,
            note=match.note,
        )

    # -- entries -----------------------------------------------------------------------------------------------

    def _may(self, terms: Any, ask: Question | None) -> dict[str, Body | None]:
        """The entries that the page may sign now, by their purpose."""
        local, seen, match = self.local, self.seen, self.running
        seat_request = SeatRequest(page=self.client.machine.public.hex()).with_terms_of(terms)
        without = local.carry_on_without(match, seen.may_be_left) if match and seen.may_be_left else None
        if match and seen.may_end:
            without = local.agree_to_end(match)
        return {
            "sit": local.sit(seat_request) if not match and not seen.mine else None,
            "rise": local.get_up() if not match and seen.mine else None,
            "start": local.start(seen.away) if not match and seen.may_start and seen.seats > 1 else None,
            "leave": local.leave(match) if match and self.machine in match.remaining else None,
            "without": without,
            "stand": local.act(match, Stand()) if match and ask and ask.stand == "" else None,
        }

    # -- the dice ----------------------------------------------------------------------------------------------

    def _match(self, match: RoomMatch) -> Body:
        """The data in the digest of the match."""
        return {
            "machines": [each.named for each in match.dice.machines],
            "game": match.game.key,
            "players": match.lineup.players,
            "starting": match.lineup.starting_seat,
        }

    @property
    def _opens_last(self) -> bool:
        """Whether only its key is missing for its own roll: with the keys of the others it knows the faces."""
        match = self.running
        return bool(match and match.pending and (match.pending.machine,) == (self.machine,) == match.dice.missing)

    def _step(self, match: RoomMatch) -> Body | None:
        """The running step: the action that keys are opened for, and the missing keys."""
        pending = match.pending
        if not pending:
            return None
        dice = match.dice
        return {
            "step": len(dice.steps),
            "seat": pending.seat,
            "dice": pending.action.dice if pending.action else [],
            "contributors": dice.steps[-1].contributors,
            "missing": dice.missing,
            "last": pending.machine,
            "act": base64.b64encode(self.client.copy.act).decode(),
        }
