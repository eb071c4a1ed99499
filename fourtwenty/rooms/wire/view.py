"""Describes a room at one moment as its people see it, for screens and lines of text alike. No network."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from fourtwenty.games.english import join_words, minutes, possessive, sentence_case
from fourtwenty.rooms.room import Participant, RoomMatch
from fourtwenty.rooms.wire.notices import CALLED_OFF, USED_UP
from fourtwenty.rooms.wire.votes import Votes

NO_CONNECTION = "No connection to the table. Trying again…"

Press = Callable[[str, str], str]
"""Returns the words for an action: its name, "start", "players" or "carry-on", and its effect in words."""


class RoomView(Struct, frozen=True):
    """The room as people see it: who sits, plays, watches or is away, and the possible actions."""

    connected: bool = True
    closed: str = ""
    """The sentence on a table that its host has closed on purpose; empty while connected."""
    held: str = ""
    """The sentence, without a full stop, about machines that pending entries wait for; empty for none."""
    matches: int = 0
    playing: bool = False
    begun: bool = False
    """Whether the starting seat is known as well, so that a table can show the match."""
    match_participants: tuple[Participant, ...] = ()
    participants: tuple[Participant, ...] = ()
    """The machines with seats in the next match."""
    mine: Participant | None = None
    """The seats of this machine in the next match; None if it has none."""
    here: tuple[Participant, ...] = ()
    """The machines with seats that are not away, in the order of starting; no match starts without them."""
    may_start: bool = False
    """Whether this machine may start the next match: it is the starter, or that one has not done so for long."""
    played: tuple[Participant, ...] = ()
    """The machines that have played the last match to its end; none while it goes on."""
    away: frozenset[bytes] = frozenset()
    """Public keys of the machines that are away."""
    missed: tuple[Participant, ...] = ()
    """The away machines with a seat, in the running match or the next one."""
    spectators: tuple[str, ...] = ()
    """The names of present spectators."""
    absent: tuple[int, ...] = ()
    """The machines that the match waits for and that are away."""
    may_be_left: tuple[int, ...] = ()
    """The machines without which this one may carry on now, and has not agreed to yet."""
    agreed: tuple[tuple[int, frozenset[int]], ...] = ()
    """The machines that would carry on, each with the machines that it would leave."""
    dispute: tuple[str, ...] = ()
    """Sentences about the rolls of the running match that pages dispute, and what the machines with a log find."""
    may_end: bool = False
    """Whether this machine may agree to end the disputed match without a result."""

    @classmethod
    def from_room(cls, votes: Votes, connected: bool, synced: bool, held_for: Collection[bytes] = ()) -> RoomView:
        """Return the view of a room as the machine with these votes sees it.

        ``held_for``: machines that pending entries wait for, by public key. Once ``synced``, machines that have not
        shown up are away: entries that are read may be old.
        """
        room, presence, own = votes.local.room, votes.presence, votes.local.public
        match, mine = room.match, room.participants.get(own)
        running = match if match and not match.over else None
        ended = match if match and match.over and not match.abandoned else None
        left = {ended.machine_of[seat] for seat in ended.state.departed} if ended and ended.state else set()
        seated = room.seated
        away = frozenset(
            author for author in seated if presence.away(author) or (synced and not presence.shown_up(author))
        )
        here = tuple(participant for participant in room.start_order if participant.author not in away)
        if len(here) < len(room.participants):  # only the host starts without the others
            here = tuple(sorted(here, key=lambda participant: participant.author != room.host))
        taking_part = (
            [running.participants[each] for each in running.remaining] if running else room.participants.values()
        )
        closer, closed = presence.closed_by, ""
        if closer and not connected:
            kept = own in {each.author for each in taking_part}
            by = room.name(closer) or presence.name(closer)
            closed = f"{by} closed the table; {'your seat is kept' if kept else 'you can wait here'}."
        awaited = [room.name(author) or presence.name(author) for author in held_for] if connected else ()
        return cls(
            connected=connected,
            closed=closed,
            held=f"Waiting a moment for {join_words(awaited)} to come back" if awaited else "",
            matches=len(room.matches),
            playing=running is not None,
            begun=running is not None and running.state is not None,
            match_participants=running.participants if running else (),
            participants=tuple(room.participants.values()),
            mine=mine,
            here=here,
            may_start=bool(mine and here) and (here[0] == mine or 0 < here[0].patience <= votes.waited),
            played=tuple(each for machine, each in enumerate(ended.participants) if machine not in left)
            if ended
            else (),
            away=away,
            missed=tuple(each for each in taking_part if each.author in away),
            spectators=tuple(room.name(each) or presence.name(each) for each in presence.spectators(seated | {own})),
            absent=tuple(each for each in running.awaited_machines if running.participants[each].author in away)
            if running
            else (),
            may_be_left=votes.may_be_left if connected else (),
            agreed=tuple((each, others) for others, agreed in running.votes.items() for each in sorted(agreed))
            if running
            else (),
            dispute=tuple(_dispute_sentences(running)) if running else (),
            may_end=connected and running is not None and running.machine_index(own) in running.may_end,
        )

    @property
    def no_connection(self) -> str:
        """The sentence on a lost connection, whatever its reason."""
        return self.closed or NO_CONNECTION

    @property
    def starter(self) -> Participant | None:
        """The machine that starts the next match: the first in order of those present with seats."""
        return self.here[0] if self.here else None

    @property
    def starts_next(self) -> bool:
        """Whether this machine sets the terms of the next match, and starts it."""
        return self.mine is not None and self.starter == self.mine

    @property
    def seats(self) -> int:
        """Number of players at present machines."""
        return sum(len(each.players) for each in self.here)

    @property
    def undecided(self) -> tuple[Participant, ...]:
        """The machines that have played the last match to its end, are here, and do not sit for a rematch yet."""
        participant = {each.author for each in self.participants}
        return tuple(each for each in self.played if each.author not in self.away | participant)

    @property
    def rematch(self) -> bool:
        """Whether all machines that have played the last match to its end sit again and are here."""
        return len(self.played) > 1 and {each.author for each in self.played} <= {each.author for each in self.here}

    @property
    def waited(self) -> str:
        """The sentence, without a full stop, about machines that may be left: "Ben has been away for 3 minutes"."""
        away = all(self.match_participants[machine].author in self.away for machine in self.may_be_left)
        has = "has" if len(self.may_be_left) == 1 else "have"
        done = "been away" if away else "kept the table waiting"
        return f"{self.named(self.may_be_left)} {has} {done} for {minutes(self.match_participants[0].patience)}"

    def is_away(self, match: RoomMatch, seat: int) -> bool:
        """Return whether the machine of a seat is away, and still takes part in the match."""
        machine = match.machine_of[seat]
        return machine in match.remaining and match.participants[machine].author in self.away

    def of_match(self, match: RoomMatch, machine: int | None, press: Press) -> str:
        """Return the sentence about machines that one of a match waits for; empty if none is missing.

        Long names come last, so that no screen cuts off what can be done.
        """
        if self.may_end:
            return f"{press('carry-on', 'end this game')}: {' '.join(self.dispute)}"
        if self.dispute:
            voted = ["You voted to end this game without a result."] if machine in match.agreed_to_end else []
            return " ".join([*voted, *self.dispute])
        if left := self.may_be_left:
            if agreed := match.votes.get(frozenset(left), set()):
                want = "wants" if len(agreed) == 1 else "want"
                wish = f"{self.named(agreed)} {want} to carry on without {self.named(left)}"
                return f"{press('carry-on', 'agree')}: {wish}."
            return f"{press('carry-on', 'carry on')}: {self.waited}."
        for others, agreed in match.votes.items():
            if machine in agreed:
                asked = match.voters(others) - agreed
                return f"You voted to carry on without {self.named(others)}. Waiting for {self.named(asked)}."
        if match.goes_on_without(machine):
            return "The others carry on without you. You come last."
        if self.absent:
            machines = "machine" if len(self.absent) == 1 else "machines"
            owners = join_words(possessive(match.participants[each].name) for each in self.absent)
            return f"Waiting for {owners} {machines}…"
        return f"{self.held}…" if self.held else ""

    def before_match(self, press: Press, may_sit: bool = True, gave_up: bool = False) -> str:
        """Return the sentence before a match and during its draw: the awaited machines, and the actions here.

        ``gave_up``: the people here have played the last match to its end, and have chosen no rematch.
        """
        starter = self.starter
        if self.held:
            return f"{self.held}…"
        if self.playing:
            if self.may_be_left:
                return f"{press('carry-on', 'give this game up')}: {self.waited}."
            return f"Waiting for {self.named(self.absent)}…" if self.absent else "The dice draw who goes first…"
        if gave_up and may_sit:
            how = press("players", "sit down again")
            return f"You gave up your seat: {how[0].lower()}{how[1:]}."
        left_out = [participant.name for participant in self.missed]
        away = f"{join_words(left_out)} {'is' if len(left_out) == 1 else 'are'} away. " if left_out else ""
        sit = f" {press('players', 'sit down')}." if may_sit and not self.mine else ""
        if not starter:
            return f"{away}{sit.lstrip()}"
        if not self.may_start:
            return f"{away}Waiting for {starter.name} to start.{sit}"
        missed = [each.name for each in self.undecided]
        if self.seats < 2:
            return f"{away}Waiting for {join_words(missed) if missed else 'others to sit down'}."
        without = left_out + missed
        starts = press("start", f"start without {join_words(without)}" if without else "start")
        if not self.starts_next:
            return f"Nobody has started the game for {minutes(starter.patience)}. {starts}."
        if missed:
            return f"{starts}, or wait."
        return f"{starts}." if left_out else f"Everybody here? {starts}."

    def named(self, machines: Iterable[int]) -> str:
        """Return the names of machines of the running match: "Ann and Ben"."""
        return join_words(self.match_participants[machine].name for machine in sorted(machines))


def _dispute_sentences(match: RoomMatch) -> Iterator[str]:
    for page, dispute in match.disputes.items():
        wrong = "its dice are not fair"
        if found := match.roll_of(dispute.step):
            throw, event = found
            whose = possessive(match.lineup.seats[event.seat].name)
            wrong = f"the {dispute.shown} in {whose} roll {throw} should be a {dispute.computed}"
        yield f"{possessive(match.participants[page].name)} phone says that {wrong}."
        for right, word in ((True, "right"), (False, "wrong")):
            machines = sorted(by for (by, about), each in match.findings.items() if about == page and each is right)
            if machines:
                laptops = "laptop finds" if len(machines) == 1 else "laptops find"
                owners = join_words(possessive(match.participants[machine].name) for machine in machines)
                yield f"{sentence_case(owners)} {laptops} the roll {word}."


def abandoned_sentence(match: RoomMatch) -> str:
    """Return why a match has ended without a result."""
    if match.called_off_by:
        return CALLED_OFF
    return " ".join(["This game ends without a result.", *_dispute_sentences(match)]) if match.disputes else USED_UP
