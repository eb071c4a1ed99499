"""Shows a table of several machines in lines of text: before, during and between its matches."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress

from msgspec.structs import replace

from fourtwenty.cli.text_table import TABLE_COMMANDS, TextTable, without_symbols
from fourtwenty.cli.typed_lines import TypedLines, action_words, command_of, unknown_command
from fourtwenty.games.english import name_and_verb, pluralize, sentence_case
from fourtwenty.games.game import State
from fourtwenty.journal.history import History
from fourtwenty.play.flow import RETRY_SECONDS, MatchAbandonedError, Reply
from fourtwenty.play.match import Match
from fourtwenty.play.turns import AwaitEvent, Decide, Request
from fourtwenty.rooms.cli.room_news import changes, laptop_named
from fourtwenty.rooms.names import read_seats
from fourtwenty.rooms.room import RoomMatch, dice_sentence, throwers
from fourtwenty.rooms.wire.client import ClientMatch
from fourtwenty.rooms.wire.notices import SECOND_WINDOW
from fourtwenty.rooms.wire.presence import REACTIONS
from fourtwenty.rooms.wire.room_history import is_unfinished_here, match_so_far, stored_id
from fourtwenty.rooms.wire.room_session import RoomSession
from fourtwenty.rooms.wire.view import RoomView

ROOM_COMMANDS = {
    "start": "begin the game; start 3 begins it once three machines sit here",
    "players": "who sits here, who watches and who is away",
    "sit": "sit Ann, bot:Merry seats these at this machine; sit alone the same as before",
    "watch": "get up and watch",
    "react": "react 1 shows the others a word or two",
    "help": "this list",
    "quit": "leave the table",
}
"""The commands before and between matches."""

AT_THE_TABLE = {
    "react": ROOM_COMMANDS["react"],
    "carry on": "carry on without somebody who has been away for long",
    "give up": "give up your seat; the others carry on",
}
"""The commands that only a match at this table has."""


def is_action(line: str) -> bool:
    """Whether a line is an action of a match, in a whole word; in a pipe, actions wait until asked for."""
    return action_words(line)[0] in ("", "roll", "stand")


class TextRoom:
    """Reads commands and writes events of an open table, until somebody quits or the input ends."""

    def __init__(
        self,
        session: RoomSession,
        history: History,
        typed: TypedLines,
        write_line: Callable[[str], None],
        typing: bool,
    ) -> None:
        """Take the session, the history, and the lines of input.

        ``typing``: people type the lines. Otherwise they wait until asked for, and their end after a match ends the
        program.
        """
        self.session = session
        self.client = session.client
        self.history = None if session.second else history
        """The history for saving the matches; None if another window of this machine saves them."""
        self.typed = typed
        self.write_line = write_line
        self.typing = typing
        self._seen = RoomView()
        self._handled_matches: set[str] = set()
        self._machines_to_start = 0

    # -- the flow ----------------------------------------------------------------------------------------------

    async def run(self) -> None:
        self.client.listeners.append(self.typed.notify)
        self.client.notices.attach(self._write)
        self.client.on_reaction = lambda reaction: self._write(
            f"{name_and_verb(reaction.name, 'says', 'say')}: {reaction.text}"
        )
        over = [match for match in self.client.room.matches if match.over]
        seen = self.client.view
        self._handled_matches = {
            match.identifier for match in over if not await is_unfinished_here(match, self.history)
        }
        self._seen = RoomView(matches=seen.matches, playing=seen.playing)
        self._announce()
        with suppress(MatchAbandonedError):
            while await self._play_match(await self._gather()):
                if self.typing:
                    self._write(self._next)
                else:
                    await self._sit_again()

    def _announce(self) -> None:
        session = self.session
        table = f"Table {session.code} is open" if self.client.has_broker else f"This is table {session.code}"
        self._write(f"{table}. Others: {session.command}")
        if session.page:
            self.write_line(f"Phones: {session.page}")  # with the # of its link
        if session.second:
            self._write(SECOND_WINDOW)
        self._write_news()
        if self.typing:
            self._write(f"Type {', '.join(ROOM_COMMANDS)}.")
        if self.typing and not self.client.seat_request.players and not session.second:
            self._write("To play, type sit and your name, as in: sit Ann.")

    async def _gather(self) -> RoomMatch:
        """Answer commands until there is a match that has not been played here. Raises MatchAbandonedError."""
        while True:
            self._write_news()
            if match := self._next_match():
                self._machines_to_start = 0
                return match
            if self.typed.ended and not self._stays_without_lines():
                raise MatchAbandonedError
            seen = self._seen
            if (
                self._machines_to_start
                and seen.may_start
                and seen.seats > 1
                and len(seen.here) >= self._machines_to_start
            ):
                self.client.start()
            self.client.start_rematch()
            line = await self.typed.next(lambda line: self.typing or not (self._machines_to_start or is_action(line)))
            if line is not None:
                self._answer(line)

    def _next_match(self) -> RoomMatch | None:
        for match in self.client.room.matches:
            if match.identifier not in self._handled_matches and (match.state or match.abandoned):
                self._handled_matches.add(match.identifier)
                if match.state:
                    return match
                self._write("The game ended before its first roll.")
        return None

    def _stays_without_lines(self) -> bool:
        """Whether this machine goes on without further lines: it watches, or only bots sit here, which may start."""
        people = not self.client.spectates and any(not seat.bot for seat in self.client.seat_request.players)
        everybody_here = len(self._seen.here) == len(self._seen.participants)
        if not people and self._seen.starts_next and everybody_here and not self._machines_to_start:
            self._machines_to_start = 1
        return not people

    async def _sit_again(self) -> None:
        """Sit down again after a match if the next line of a pipe asks for it. Raises MatchAbandonedError."""
        line = await anext(self.lines(), "")
        if not line or not "sit".startswith((line.lower().split() or ["quit"])[0]):
            raise MatchAbandonedError
        self._answer(line)

    @property
    def _next(self) -> str:
        played = [participant.author for participant in self.client.view.played]
        if self.session.second:
            return "Type quit to leave."
        if self.client.machine.public not in played:
            return "Type sit to join the next game; or quit."
        if len(played) > 1:
            return "Type sit to play again: it begins once all who played sit. Or quit."
        return "Type sit to play again, then start; or quit."

    async def _play_match(self, room_match: RoomMatch) -> bool:
        match = await match_so_far(room_match, self.history, room_match.lineup, missed=False)  # every event is a line
        journal = self.history.journal() if self.history else None
        table = TextRoomTable(self, match, ClientMatch(self.client, room_match))
        return await table.play(journal) or room_match.abandoned

    # -- commands ----------------------------------------------------------------------------------------------

    def _answer(self, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        match command_of(word.lower(), ROOM_COMMANDS):
            case _ if line.lower().split() == ["carry", "on"]:
                self.carry_on()
            case "start" | "sit" | "watch" if self.client.room.playing:
                self._write("The dice draw who goes first.")
            case "sit" if self.session.second:
                self._write(SECOND_WINDOW)
            case "start":
                self._start(rest)
            case "players":
                self._write_players()
            case "sit":
                self._sit(rest)
            case "watch":
                self.client.get_up()
            case "react":
                self.react(rest)
            case "help":
                for name, about in ROOM_COMMANDS.items():
                    self._write(f"{name}: {about}.")
            case "quit":
                raise MatchAbandonedError
            case _ if is_action(line):
                self._write("The game has not begun.")
            case _:
                self._write(unknown_command(word, f"Type one of: {', '.join(ROOM_COMMANDS)}."))

    def _start(self, rest: str) -> None:
        seen = self._seen
        if rest and not (rest.isascii() and rest.isdigit() and len(rest) < 3):
            self._write("Type start, or start 3 to begin once three machines sit here.")
        elif not seen.may_start and seen.starter:
            self._write(f"{seen.starter.name} starts the game.")
        elif not rest and seen.seats < 2:
            self._write("A game needs two players.")
        else:
            self._machines_to_start = max(1, int(rest or 1))
            wanted = pluralize(self._machines_to_start, "machine sits", "machines sit")
            if len(seen.here) < self._machines_to_start:
                self._write(f"The game begins when {wanted} here. Now: {len(seen.here)}.")

    def _sit(self, rest: str) -> None:
        seat_request = self.client.next_seat_request
        try:
            players = read_seats(rest) if rest else seat_request.players
            if not players:
                raise ValueError("Who plays here? Type for example: sit Ann, bot:Merry.")
        except ValueError as error:
            self._write(str(error))
        else:
            self.client.sit(replace(seat_request, players=players))

    def carry_on(self) -> None:
        """Agree to carry on without machines that have been away for long, or to end a disputed match."""
        machines = self.client.view.may_be_left
        if self.client.view.may_end:
            self.client.agree_to_end()
        elif machines:
            self.client.carry_on_without(machines)
        else:
            self._write("The table has not waited long enough for anybody.")

    def react(self, rest: str) -> None:
        if rest.strip() in [str(number) for number in range(1, len(REACTIONS) + 1)]:
            self.client.react(int(rest) - 1)
        else:
            listing = ", ".join(f"{number} {text}" for number, text in enumerate(REACTIONS, 1))
            self._write(f"Type react and a number: {listing}")

    # -- input and output --------------------------------------------------------------------------------------

    async def next_line(self, asked: bool) -> str | None:
        """Return the next line, or None for news. Unless ``asked``, a pipe's actions and quit wait."""
        line = await self.typed.next(
            lambda line: asked or self.typing or not (is_action(line) or line.lower().split() == ["quit"])
        )
        if line is None:
            self._write_news()
        return line

    async def lines(self) -> AsyncIterator[str]:
        """Yield the lines of input, and write the news in between."""
        while not self.typed.ended:
            if (line := await self.next_line(asked=True)) is not None:
                yield line

    def _write_news(self) -> None:
        before, self._seen = self._seen, self.client.view
        for sentence in changes(before, self._seen):
            self._write(sentence)

    def _write_players(self) -> None:
        seen = self._seen
        for participant in seen.participants:
            away = ", away" if participant.author in seen.away else ""
            self._write(f"{participant.labels}{laptop_named(participant)}{away}")
        if seen.spectators:
            self._write(f"Watching: {', '.join(seen.spectators)}")
        if seen.starter:
            self._write("You start the game." if seen.starts_next else f"{seen.starter.name} starts the game.")
        else:
            self._write("Nobody sits here." if not seen.participants else "Type sit to take a seat.")

    def _write(self, text: str) -> None:
        self.write_line(without_symbols(text))


class TextRoomTable(TextTable):
    quiet_seconds = RETRY_SECONDS
    command_help = TABLE_COMMANDS | AT_THE_TABLE

    def __init__(self, room: TextRoom, match: Match, remote: ClientMatch) -> None:
        super().__init__(match, room.lines(), room.write_line, remote=remote)
        self.room = room
        self.remote = remote
        self._waiting_for: tuple[int, int] | None = None
        """The announced seat that others wait for, and the number of its event."""

    @property
    def _farewell(self) -> str:
        session = self.room.session
        if session.client.has_broker:
            return "The table is closed. Open it again with: fourtwenty host --plain --resume"
        kept = "Your seat is kept. " if self.remote.client.local.index in self.remote.match.remaining else ""
        return f"{kept}Come back with: {session.command} --plain"

    @property
    def _people_play(self) -> bool:
        return any(map(self.remote.is_local, range(len(self.match.names))))

    def _note(self, state: State, seat: int) -> str:
        return self.remote.match.note(state, seat)

    def _introduce(self) -> None:
        super()._introduce()
        self._write(dice_sentence(self.remote.match.participants))
        if self.remote.client.local.index is None and self.room.typing and not self.room.session.second:
            self._write("You watch this game. Type sit after it to join the next one.")

    async def show_end(self, finished: bool) -> None:
        """Write which machines' dice were used, and how to check them."""
        await super().show_end(finished)
        if finished:
            id = await stored_id(self.remote.match, self.room.history) if self.match.saved else None  # noqa: A001
            check = f"; fourtwenty export {id} and fourtwenty verify check them" if id else ""
            self._write(f"{sentence_case(throwers(self.remote.match.participants))}{check}.")

    async def ask(self, request: Request) -> Reply | None:
        """Read lines until one answers a request, or wait for the room and answer commands meanwhile."""
        if self.remote.match.abandoned:  # its keys are used up
            raise MatchAbandonedError
        if not isinstance(request, AwaitEvent):
            return await super().ask(request)
        seat, waiting_for = self.match.lineup.seats[request.seat], (request.seat, len(self.match.events))
        if not request.action and not seat.bot and self._waiting_for != waiting_for:
            self._waiting_for = waiting_for
            self._write(f"Waiting for {seat.name}.")
        line = await self.room.next_line(asked=False)
        return None if line is None else self._answer_of(line)

    async def _reply(self, request: Request, answer_of: Callable[[str], Reply | None]) -> Reply | None:
        """Read lines until one answers a request; return None once the room does not ask this any more."""
        while not self.room.typed.ended:
            line = await self.room.next_line(asked=True)
            if line is not None:
                if answer := answer_of(line):
                    return answer
            elif self.remote.match.abandoned:
                raise MatchAbandonedError
            elif self.turns.request != request:
                self._write("Too late.")
                return None
        raise MatchAbandonedError

    @property
    def _commands(self) -> str:
        return ", ".join((super()._commands, *AT_THE_TABLE))

    def _answer_of(self, line: str) -> Reply | None:
        word, *rest = line.lower().split() or [""]
        if len(word) > 2 and "react".startswith(word):
            self.room.react(" ".join(rest))
        elif [word, *rest] == ["carry", "on"]:
            self.room.carry_on()
        elif [word, *rest] == ["give", "up"]:
            if self.remote.client.local.index is not None:
                self.remote.client.leave()
        else:
            return super()._answer_of(line)
        return None

    def _choice(self, command: str, dice: list[str]) -> Reply | None:
        if dispute := self.remote.client.view.dispute:
            self._write(" ".join(dispute))
            return None
        if isinstance(self.turns.request, Decide):
            return super()._choice(command, dice)
        seat = self.match.state.to_act
        here = seat is not None and self.remote.is_local(seat)
        self._write("Your dice are on their way." if here else "It isn't your turn.")
        return None

    def _write_seal(self) -> None:
        self._write(f"These dice have no seal. {dice_sentence(self.remote.match.participants)}")
