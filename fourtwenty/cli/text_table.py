"""A match in lines of text, for screen readers, pipes and scripts. Without Textual."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from functools import partial

from fourtwenty.cli.typed_lines import action_words, command_of, dice_named, unknown_command
from fourtwenty.games.english import join_faces, name_and_verb, your_turn
from fourtwenty.games.game import Action, Event, Game, InvalidAction, Roll, Stand, Standing, State
from fourtwenty.play.dice import parse_faces
from fourtwenty.play.flow import AfterRound, Flow, FrontEnd, MatchAbandonedError, Reply, UnsavedAnswer
from fourtwenty.play.format import cost, percent
from fourtwenty.play.match import Journal, Match, PlayedElsewhereError
from fourtwenty.play.match_log import event_line, result_line, taken_back_line
from fourtwenty.play.stories import told_stories
from fourtwenty.play.turns import Decide, EnterFaces, RemoteMatch, Request, Turns

TABLE_COMMANDS = {
    "roll": "roll 1 3 rolls dice 1 and 3 and keeps the others; roll all rolls all",
    "stand": "keep the hand and end the turn, where the game allows it",
    "hint": "the best choice, then every one with its chances",
    "odds": "another word for hint",
    "seats": "everybody's hand",
    "rules": "the rules of this game",
    "seal": "the whole seal of the dice",
    "help": "this list",
    "quit": "leave the game; it is saved",
}
"""The commands with their effects. A word is the first command that it begins."""

COMMAND_LIST = "roll 1 3, roll all, stand, hint, seats, rules, help, quit"

SEAL_DIGITS = 12
"""The digits of the seal that a resumed match shows."""

TAKE_BACK = "take back"
"""A command for as long as the last faces of real dice can be typed again."""

ALOUD = str.maketrans({"●": "", "│": "", "*": "", "#": ""})


def without_symbols(text: str) -> str:
    """Return a line without signs for the screen."""
    return re.sub(" +", " ", text.replace(" ·", ",").replace(" –", ",").translate(ALOUD)).strip()


def tally_without_symbols(standing: Standing) -> str:
    """Return a seat's tally to be read aloud: "4 0 2, 6 points"; empty for none."""
    return without_symbols(standing.tally.replace("·", "0").replace("  ", ", "))


def rules_lines(game: Game) -> Iterator[str]:
    """Yield the lines of a game's page, with commas between a table's cells."""
    for line in game.rules.splitlines():
        if not set(line) <= set("| -"):
            yield ", ".join(filter(None, map(str.strip, line.split("|")))) if line.startswith("|") else line


def roll_of(dice: Sequence[str], game: Game) -> Roll:
    """Return the roll of these dice, or of "all". Raises InvalidAction."""
    if list(dice) == ["all"]:
        return Roll(tuple(range(1, game.hand_size + 1)))
    positions = dice_named(" ".join(dice))
    if dice and not positions:
        raise InvalidAction("Dice are named by number, as in: roll 1 3.")
    return Roll(positions)


class TextTable(FrontEnd):
    """One match in lines of input and output. The players leave when the input ends."""

    quiet_seconds = 0.0
    """SQLite has waited for the other program, since nothing else runs meanwhile."""
    command_help: Mapping[str, str] = TABLE_COMMANDS

    def __init__(
        self,
        match: Match,
        lines: AsyncIterator[str],
        write_line: Callable[[str], None],
        saved: str = "Game saved.",
        remote: RemoteMatch | None = None,
    ) -> None:
        """``remote`` is for several machines; ``saved`` is the text for a saved match."""
        self.match = match
        self.turns = Turns(match, remote)
        self.lines = lines
        self.write_line = write_line
        self.saved = saved

    async def play(self, journal: Journal | None = None) -> bool:
        """Return whether the match was played to its end."""
        self._introduce()
        try:
            finished = await Flow(self.turns, self, asyncio.sleep).play(journal)
        except PlayedElsewhereError:
            self._write("This game is now being played in another window.")
            return False
        if finished and self.match.dice.seed:
            self._write(f"The seed was: {self.match.dice.seed.hex()}")
        return finished

    @property
    def _farewell(self) -> str:
        kept = self.match.saved and (self.match.events or self.match.start_drawn)
        return self.saved if kept else "This game isn't saved."

    @property
    def _people_play(self) -> bool:
        return any(not seat.bot for seat in self.match.lineup.seats)

    def _introduce(self) -> None:
        match = self.match
        seats = ", ".join(seat.label for seat in match.lineup.seats)
        self._write(f"{match.game.name}, {match.game.credit.replace(chr(10), ', ')}. At the table: {seats}.")
        if match.dice.commitment:
            short = f"{match.dice.commitment[:SEAL_DIGITS]} (seal for all of it)."
            self._write(f"Fair-dice seal: {short if match.events else match.dice.commitment}")
        if match.dice.trust_warning:
            self._write(match.dice.trust_warning)
        if self._people_play:
            self._write("Type roll 1 3 to roll dice 1 and 3, or help.")
        if match.events:
            self._write_seats()

    # -- the front end -----------------------------------------------------------------------------------------

    async def ask(self, request: Request) -> Reply | None:
        match request:
            case Decide():
                self._write_turn(request)
                return await self._reply(request, self._answer_of)
            case EnterFaces():
                back = f", or {TAKE_BACK}" if self.match.can_take_back else ""
                self._write(f"{self.match.names[request.seat]}: {request.question}{back}.")
                return await self._reply(request, partial(self._faces_of, request))
        return None

    async def _reply(self, request: Request, answer_of: Callable[[str], Reply | None]) -> Reply | None:  # noqa: ARG002
        """Read lines until one answers a request. Raises MatchAbandonedError at their end."""
        async for line in self.lines:
            if answer := answer_of(line):
                return answer
        raise MatchAbandonedError

    async def show_event(self, before: State, event: Event) -> None:
        """Write the line of an event, and let a page or a room go on before the next one."""
        self._write(event_line(self.match, before, event, self.match.events[:-1]))
        await asyncio.sleep(0)

    def show_taken_back(self, event: Event) -> None:
        self._write(taken_back_line(self.match, event))

    def show_round(self) -> None:
        state = self.match.state
        seat = state.starting_seat
        starts = "" if seat is None else f" {name_and_verb(self.match.names[seat], 'starts.', 'start.')}"
        self._write(f"{state.caption()}.{starts}")

    async def show_result(self, goes_on: bool) -> None:  # noqa: ARG002 - a line asks for nothing
        self._write(result_line(self.match, self.match.state))
        if self.match.state.outcome:
            self._write_seats()
            for told in told_stories(self.match):
                self._write(f"{told.sentence} {join_faces(told.dice)}")

    async def ask_after_round(self) -> AfterRound:
        """Go on, except after a match whose last roll can be taken back."""
        if not self.match.state.outcome:
            return "round"
        if not self.match.can_take_back:
            return "end"
        self._write("Press Enter to end the game, or type take back to type the last roll again.")
        line = await anext(self.lines, "")
        return "back" if "take".startswith(line.strip()[:4] or "-") else "end"

    async def ask_unsaved(self, reason: str, refusal: Callable[[], str]) -> UnsavedAnswer:  # noqa: ARG002 - a line asks
        """Ask people each time whether to retry or play on unsaved; bots alone play on."""
        if not self._people_play:
            self._write(f"This game isn't being saved: {reason}.")
            return "play"
        self._write(f"This game can't be saved: {reason}. Press Enter to try again, or type go on to play unsaved.")
        line = (await anext(self.lines, "quit")).strip()
        if line and "go on".startswith(line):
            return "play"
        return "leave" if line and "quit".startswith(line) else "again"

    async def show_end(self, finished: bool) -> None:
        if not finished:
            self._write(self._farewell)

    def _write(self, text: str) -> None:
        self.write_line(without_symbols(text))

    # -- output ------------------------------------------------------------------------------------------------

    def _write_seats(self) -> None:
        state = self.match.state
        for seat, name in enumerate(self.match.names):
            standing = state.standing(seat)
            details = (standing.detail, self._note(state, seat), tally_without_symbols(standing))
            self._write(f"{name}: {', '.join(filter(None, details)) or 'to roll'}")

    def _note(self, state: State, seat: int) -> str:
        return state.standing(seat).note

    def _write_hint(self) -> None:
        from fourtwenty.play.advice import Advisor

        self.match.hint()
        state = self.match.state
        advisor = Advisor(state)
        self._write(advisor.hint(state).sentence)
        for advice in advisor.every_advice(state):
            chances = (*advice.chances, (advice.goal, advice.value))
            listed = ", ".join(f"{label} {percent(chance, advice.estimated)}" for label, chance in chances)
            verdict = {"forced": "only choice", "costs": f"costs {cost(advice.loss, advice.estimated)}"}
            said = verdict.get(advice.verdict, advice.verdict)
            self._write(f"keep {join_faces(advice.kept) or 'nothing'}: {listed}, {said}")
        if advisor.odds.objective(state).note:
            self._write(advisor.odds.objective(state).note)

    def _write_rules(self) -> None:
        for line in rules_lines(self.match.game):
            self._write(line)

    def _write_help(self, *words: str) -> None:
        named = {command_of(word, self.command_help) for word in words} & {*self.command_help}
        for name, about in self.command_help.items():
            if name in named or not named:
                self._write(f"{name}: {about}")
        if self.match.can_take_back and not named:
            self._write(f"{TAKE_BACK}: type the faces of the last roll again")

    def _write_seal(self) -> None:
        seal = self.match.dice.commitment
        self._write(f"Seal (SHA-256): {seal}" if seal else "Real dice have no seal.")

    # -- commands ----------------------------------------------------------------------------------------------

    @property
    def _commands(self) -> str:
        return f"{COMMAND_LIST}, {TAKE_BACK}" if self.match.can_take_back else COMMAND_LIST

    def _write_turn(self, request: Decide) -> None:
        state = self.match.state
        turn = your_turn(self.match.names[request.seat])
        standing, preview = state.standing(request.seat), state.preview(())
        named = preview.startswith(standing.total.partition(",")[0])  # the hand, as in "Unmatched. Roll dice again"
        hand = join_faces(standing.hand) if named else standing.detail
        self._write(f"{turn}{f': {hand}' if hand else ''}. {preview}.")

    def _answer_of(self, line: str) -> Reply | None:
        word, *rest = action_words(line)
        names = [*TABLE_COMMANDS, "take"] if self.match.can_take_back else [*TABLE_COMMANDS]
        command = command_of(word, names)
        if not word or command in ("roll", "stand"):
            return self._choice(command, rest)
        match command:
            case "quit":
                raise MatchAbandonedError
            case "take":
                return self.turns.take_back
            case "hint" | "odds":
                self._write_hint()
            case "seats":
                self._write_seats()
            case "rules":
                self._write_rules()
            case "seal":
                self._write_seal()
            case "help":
                self._write_help(*rest)
            case _:
                self._write(unknown_command(word, f"Type one of: {self._commands}."))
        return None

    def _choice(self, command: str, dice: list[str]) -> Reply | None:
        try:
            action = self._action(command, dice)
        except InvalidAction as error:
            self._write(str(error))
            return None
        refusal = self.match.state.check(action)
        if refusal:
            self._write(f"{refusal} Type roll." if self.turns.forced else refusal)
            return None
        return partial(self.turns.decide, action)

    def _action(self, command: str, dice: list[str]) -> Action:
        if command == "stand":
            return Stand()
        if self.turns.forced and dice in ([], ["all"]):
            return self.turns.forced
        if not command:
            raise InvalidAction(f"There is a choice. Type one of: {COMMAND_LIST}.")
        return roll_of(dice, self.match.game)

    def _faces_of(self, request: EnterFaces, line: str) -> Reply | None:
        word = line.strip()[:4] or "-"
        if "quit".startswith(word):
            raise MatchAbandonedError
        if "back".startswith(word):
            return self.turns.back
        if "take".startswith(word) and self.match.can_take_back:
            return self.turns.take_back
        try:
            return partial(self.turns.enter, parse_faces(line, len(request.roll.dice)))
        except ValueError as error:
            self._write(str(error))
            return None
