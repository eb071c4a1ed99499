"""A match in lines of text, for screen readers, pipes and scripts: commands are read, and every event is a line.

``play.turns`` drives the match, as it does at the table on the screen. Textual is not imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from typing import TypeVar

from fourtwenty.games.game import Action, Event, Game, InvalidAction, Roll, Stand, Standing
from fourtwenty.games.words import name_and_verb, spaced, your_turn
from fourtwenty.play.dice import check_word, parse_faces
from fourtwenty.play.match import Journal, Match, NotKept
from fourtwenty.play.match_log import event_line, starting_line, taken_back_line
from fourtwenty.play.percent import cost, percent
from fourtwenty.play.turns import AddWords, BotDecides, Company, Decide, EnterFaces, Request, Turns

COMMANDS = {
    "roll": "roll 1 3 rolls dice 1 and 3 and keeps the others; roll all rolls all",
    "stand": "keep the hand and end the turn, where the game allows it",
    "odds": "every choice with its chances, the best first",
    "seats": "everybody's hand",
    "rules": "the rules of this game",
    "seal": "the whole seal of the dice",
    "help": "this list",
    "quit": "leave the game; it is saved",
}
"""The commands with their effects; the first letter is enough, except for seal."""

LISTED = "roll 1 3, roll all, stand, odds, seats, rules, help, quit"
"""The commands, for a player who has typed none of them."""

SEAL_DIGITS = 12
"""Number of digits of the seal that are written when a match is resumed; a new one begins with all of them."""

TAKE_BACK = "take back"
"""One more command, as long as the faces of the last roll of real dice can be typed again."""

ALOUD = str.maketrans({"●": "", "↻": "clockwise", "↺": "the other way round", "│": "", "*": "", "#": ""})
"""Words for the signs that are drawn on the screen."""

Result = TypeVar("Result")


def aloud(text: str) -> str:
    """Return a line in words that can be read aloud, without the signs that are drawn on the screen."""
    return re.sub(" +", " ", text.replace(" ·", ",").replace(" –", ",").translate(ALOUD)).strip()


def tally_aloud(standing: Standing) -> str:
    """Return the tally of a seat in words that can be read aloud: "4 0 2, 6 points"; empty for none."""
    return aloud(standing.tally.replace("·", "0").replace("  ", ", "))


def rules_lines(game: Game) -> Iterator[str]:
    """Yield the lines of the page of a game; the cells of a table with commas between them."""
    page = files("fourtwenty.games").joinpath(f"{game.key}.md").read_text("utf-8")
    for line in page.splitlines():
        if not set(line) <= set("| -"):
            yield ", ".join(filter(None, map(str.strip, line.split("|")))) if line.startswith("|") else line


def roll_of(dice: Sequence[str], game: Game) -> Roll:
    """Return the roll of dice named by their places, or of "all". Raises InvalidAction with a sentence."""
    if list(dice) == ["all"]:
        return Roll(tuple(range(1, game.hand_size + 1)))
    if not all(die.isascii() and die.isdigit() and len(die) == 1 for die in dice):
        raise InvalidAction("Dice are named by their places, as in: roll 1 3.")
    return Roll(tuple(map(int, dice)))


class Left(Exception):  # noqa: N818 - a player may leave
    """There are no more lines of input, or somebody has quit."""


class TextTable:
    """One match, played by lines of input and lines of output."""

    def __init__(
        self,
        match: Match,
        lines: Iterator[str],
        write_line: Callable[[str], None],
        saved: str = "Game saved.",
        company: Company | None = None,
    ) -> None:
        """Take a match, the lines of input, the function that writes a line, and the sentence for a saved match.

        A match that is played on several machines comes with its room.
        """
        self.match = match
        self.turns = Turns(match, company)
        self.lines = lines
        self.write_line = write_line
        self.saved = saved

    def play(self, journal: Journal | None = None, words: Sequence[str] | None = ()) -> bool:
        """Play to the end of the match and return True; return False when somebody quits or the input ends.

        ``words`` are added to the dice, in the order of the people's seats; for None, each of them is asked for one.
        """
        match = self.match
        self._introduce()
        try:
            self._play(journal, words)
        except Left:
            self._write(self._farewell)
            match.leave()
            return False
        match.leave()
        if match.seed:
            self._write(f"The seed was: {match.seed.hex()}")
        return True

    @property
    def _farewell(self) -> str:
        """The sentence for those who leave the match unfinished."""
        kept = self.match.kept and (self.match.events or self.match.lot_drawn)
        return self.saved if kept else "This game isn't saved."

    @property
    def _people_play(self) -> bool:
        """Whether a person at this machine has a seat."""
        return any(not seat.bot for seat in self.match.lineup.seats)

    def _introduce(self) -> None:
        match = self.match
        seats = ", ".join(f"{seat.name} (bot)" if seat.bot else seat.name for seat in match.lineup.seats)
        self._write(f"{match.game.name}, {match.game.credit.replace(chr(10), ', ')}. At the table: {seats}.")
        if match.commitment:
            short = f"{match.commitment[:SEAL_DIGITS]} (seal for all of it)."
            self._write(f"Fair-dice seal: {short if match.events else match.commitment}")
        if match.doubt:
            self._write(match.doubt)
        if self._people_play:
            self._write("Type roll 1 3 to roll dice 1 and 3, or help.")
        if match.events:
            self._write_seats()

    def _play(self, journal: Journal | None, words: Sequence[str] | None) -> None:
        turns = self.turns
        if journal:
            self._once_kept(partial(self.match.keep, journal))
        if isinstance(turns.request, AddWords):
            self._add_words(turns.request.people, words)
        self._write_round()
        while True:
            request = turns.request
            if request:
                self._answer(request)
                continue
            self._write_report()
            if not self.match.state.outcome:
                self.match.next_round()
                self._write_round()
            elif not self._offer_to_take_back():
                break

    def _answer(self, request: Request) -> None:
        """Get an answer to a request and carry it out. Raises Left."""
        match request:
            case BotDecides():
                self._carry_out(partial(self.turns.decide, request.action))
            case Decide():
                self._decide(request)
            case EnterFaces():
                self._enter_faces(request)

    def _carry_out(self, answer: Callable[[], Event | None]) -> None:
        """Carry out an answer and write the line of its event, once it is kept."""
        before = self.match.state
        event = self._once_kept(answer)
        if event:
            self._write(event_line(self.match, before, event))

    def _once_kept(self, attempt: Callable[[], Result]) -> Result:
        """Call ``attempt`` until it does not raise NotKept, and return its result.

        People are asked each time whether to try again or to play on unkept; bots alone play on unkept. Raises Left
        when people quit instead.
        """
        while True:
            try:
                return attempt()
            except NotKept as reason:
                if self._people_play:
                    self._write(
                        f"This game can't be saved: {reason}. Press Enter to try again, or type go on to play unsaved."
                    )
                    self._ask_to_play_on()
                else:
                    self._write(f"This game isn't being saved: {reason}.")
                    self.match.play_on_unkept()

    def _ask_to_play_on(self) -> None:
        answer = next(self.lines, "quit").strip()
        if answer and "go on".startswith(answer):
            self.match.play_on_unkept()
        elif answer and "quit".startswith(answer):
            raise Left

    def _offer_to_take_back(self) -> bool:
        """At the end of a match, ask whether to take its last roll back, if that is possible; return the answer."""
        if not self.match.can_take_back:
            return False
        self._write("Press Enter to end the game, or type take back to type the last roll again.")
        accepted = "take".startswith(next(self.lines, "").strip()[:4] or "-")
        if accepted:
            self._take_back()
        return accepted

    def _take_back(self) -> None:
        event = self._once_kept(self.turns.take_back)
        self._write(taken_back_line(self.match, event))

    def _write(self, text: str) -> None:
        """Write a line of output in words that can be read aloud."""
        self.write_line(aloud(text))

    # -- words for the dice ------------------------------------------------------------------------------------

    def _add_words(self, people: Sequence[int], words: Sequence[str] | None) -> None:
        """Add words to the dice: these, in the order of the people's seats, or for None those that they type now."""
        if words is None:
            for seat in people:
                self._write(f"{self.match.names[seat]}, add a word for the dice, or press Enter.")
                self.turns.add_word(seat, self._read_word())
        for seat, word in zip(people, words or (), strict=False):
            self.turns.add_word(seat, word)
        self._once_kept(self.turns.settle)
        for name, word in zip(self.match.names, self.match.words or (), strict=True):
            if word:
                self._write(f"{name_and_verb(name, 'adds', 'add')} to the dice: {word}")

    def _read_word(self) -> str:
        """Return the word that somebody types, empty for none. Raises Left when the input ends."""
        for line in self.lines:
            refusal = check_word(line.strip())
            if not refusal:
                return line.strip()
            self._write(refusal)
        raise Left

    # -- output ------------------------------------------------------------------------------------------------

    def _write_round(self) -> None:
        state = self.match.state
        starts = "" if state.starting_seat is None else f" {starting_line(self.match, state.starting_seat)}."
        self._write(f"{state.caption()}.{starts}")

    def _write_report(self) -> None:
        report = self.match.state.report(self.match.names)
        self._write(f"{report.headline}.")
        for label, value in report.facts:
            self._write(f"{label}: {value}")

    def _write_seats(self) -> None:
        state = self.match.state
        for seat, name in enumerate(self.match.names):
            standing = state.standing(seat)
            details = (standing.detail, standing.note, tally_aloud(standing))
            self._write(f"{name}: {', '.join(filter(None, details))}")

    def _write_odds(self) -> None:
        from fourtwenty.play.advice import Advisor

        self.match.hint()
        state = self.match.state
        advisor = Advisor(self.match.lineup, state)
        for advice in advisor.every_advice(state):
            chances = (*advice.chances, (advice.goal, advice.value))
            listed = ", ".join(f"{label} {percent(chance, advice.about)}" for label, chance in chances)
            verdict = {"forced": "only choice", "costs": f"costs {cost(advice.loss, advice.about)}"}
            said = verdict.get(advice.verdict, advice.verdict)
            self._write(f"keep {spaced(advice.kept) or 'nothing'}: {listed}, {said}")
        if advisor.odds.goal(state).note:
            self._write(advisor.odds.goal(state).note)

    def _write_rules(self) -> None:
        for line in rules_lines(self.match.game):
            self._write(line)

    def _write_help(self) -> None:
        for name, about in COMMANDS.items():
            self._write(f"{name}: {about}")
        if self.match.can_take_back:
            self._write(f"{TAKE_BACK}: type the faces of the last roll again")

    def _write_seal(self) -> None:
        seal = self.match.commitment
        self._write(f"Seal (SHA-256): {seal}" if seal else "Real dice have no seal.")

    # -- commands ----------------------------------------------------------------------------------------------

    @property
    def _commands(self) -> str:
        return f"{LISTED}, {TAKE_BACK}" if self.match.can_take_back else LISTED

    def _decide(self, request: Decide) -> None:
        """Read commands until one of them answers the request. Raises Left."""
        state = self.match.state
        turn = your_turn(self.match.names[request.seat])
        standing, preview = state.standing(request.seat), state.preview(())
        named = preview.startswith(standing.total.partition(",")[0])  # the hand, as in "Unmatched. Roll dice again"
        hand = spaced(standing.hand) if named else standing.detail
        self._write(f"{turn}{f': {hand}' if hand else ''}. {preview}.")
        for line in self.lines:
            if self._try_command(line):
                return
        raise Left

    def _try_command(self, line: str) -> bool:
        """Carry out a command; return whether it answers the request. Raises Left."""
        word, *rest = line.split() or [""]
        names = [*COMMANDS, "take"] if self.match.can_take_back else [*COMMANDS]
        command = next((name for name in names if word and name.startswith(word)), word)
        if command == "quit":
            raise Left
        if command == "take" and self.match.can_take_back:
            self._take_back()
            return True
        if word.isdecimal() or word == "all":
            command, rest = "roll", [word, *rest]
        if command in ("", "roll", "stand"):
            return self._try_action(command, rest)
        self._answer_question(command, word)
        return False

    def _answer_question(self, command: str, word: str) -> None:
        """Write the page that a command asks for, or that there is no such command."""
        pages = {
            "odds": self._write_odds,
            "seats": self._write_seats,
            "rules": self._write_rules,
            "seal": self._write_seal,
            "help": self._write_help,
            "?": self._write_help,
        }
        if command in pages:
            pages[command]()
        else:
            seen = "".join(filter(str.isprintable, word))
            self._write(f"Unknown command: {seen}. Type one of: {self._commands}.")

    def _try_action(self, command: str, dice: list[str]) -> bool:
        """Carry out the action of a command and return True; when it is refused, write why and return False."""
        try:
            action = self._action(command, dice)
        except InvalidAction as error:
            self._write(str(error))
            return False
        refusal = self.match.state.check(action)
        if refusal:
            self._write(refusal)
            return False
        self._carry_out(partial(self.turns.decide, action))
        return True

    def _action(self, command: str, dice: list[str]) -> Action:
        """Return the action of a command; an empty line is the forced roll. Raises InvalidAction with a sentence."""
        if command == "stand":
            return Stand()
        if self.turns.forced and dice in ([], ["all"]):
            return self.turns.forced
        if not command:
            raise InvalidAction(f"There is a choice. Type one of: {LISTED}.")
        return roll_of(dice, self.match.game)

    def _enter_faces(self, request: EnterFaces) -> None:
        """Read lines until one of them has the faces, or is a command that replaces them. Raises Left."""
        back = f", or {TAKE_BACK}" if self.match.can_take_back else ""
        self._write(f"{self.match.names[request.seat]}: {request.question}{back}.")
        for line in self.lines:
            if self._try_faces(request, line):
                return
        raise Left

    def _try_faces(self, request: EnterFaces, line: str) -> bool:
        """Carry out a line of faces or a command; return False, and write why, when it is neither. Raises Left."""
        word = line.strip()[:4] or "-"
        if "quit".startswith(word):
            raise Left
        if "back".startswith(word):
            self.turns.back()
            return True
        if "take".startswith(word) and self.match.can_take_back:
            self._take_back()
            return True
        try:
            faces = parse_faces(line, len(request.roll.dice))
        except ValueError as error:
            self._write(str(error))
            return False
        self._carry_out(partial(self.turns.enter, faces))
        return True
