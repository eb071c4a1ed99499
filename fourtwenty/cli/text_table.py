"""The match as lines of text, typed commands in and a line an event out: for screen readers, pipes and scripts.

The same engine, journal and words as the screens; nothing here paints, and nothing of Textual is imported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.resources import files
from typing import TypeVar

from fourtwenty.games.game import Action, Event, Faces, InvalidAction, Roll, Stand, spaced
from fourtwenty.play.dice import check_word, parse_faces
from fourtwenty.play.match import Journal, Match, NotKept

COMMANDS = "roll 1 3, roll all, stand, odds, seats, rules, quit"
"""What may be typed; the first letter is enough."""

TAKE_BACK = "take back"
"""What may be typed too, as long as the faces of real dice can be typed again."""

ALOUD = str.maketrans({"●": "", "↻": "clockwise", "↺": "the other way round", "│": "", "*": "", "#": ""})
"""What is drawn on the screen, in words."""


Result = TypeVar("Result")


class _Left(Exception):  # noqa: N818
    """Nobody is there any more, or they have had enough."""


class Plain:
    """One match at a table of text."""

    def __init__(self, match: Match, lines: Iterator[str], say: Callable[[str], None]) -> None:
        """Seat a match; commands come line by line, and everything that happens is said in lines."""
        self.match = match
        self.lines = lines
        self.say = say

    def play(self, journal: Journal | None = None, words: Sequence[str] | None = ()) -> bool:
        """Play until the match is over, and return True, or until there are no more commands, and return False.

        The words for the dice are those of the people in turn; None asks everybody for one.
        """
        match = self.match
        seats = ", ".join(f"{seat.name} (bot)" if seat.bot else seat.name for seat in match.lineup.seats)
        self._tell(f"{match.game.name}, {match.game.credit.replace(chr(10), ', ')}. At the table: {seats}.")
        if match.commitment:
            self._tell(f"The dice are sealed: {match.commitment}")
        if match.doubt:
            self._tell(match.doubt)
        try:
            self._play(journal, words)
        except _Left:
            kept = match.kept and (match.events or match.lot_drawn)
            self._tell("This match is kept." if kept else "This match is not kept.")
            match.put_down()
            return False
        match.put_down()
        if match.seed:
            self._tell(f"The seed was: {match.seed.hex()}")
        return True

    def _play(self, journal: Journal | None, words: Sequence[str] | None) -> None:
        match = self.match
        if journal:
            self._once_kept(partial(match.keep, journal))
        if match.words is None:
            self._add_words(words)
        self._say_round()
        while not match.state.outcome or self._over_again():
            if match.state.to_act is None:
                self._say_report()
                match.next_round()
                self._say_round()
            elif not self._step():
                raise _Left

    def _add_words(self, words: Sequence[str] | None) -> None:
        """Let the dice follow from these words of the people in turn, or from those that they type now."""
        match = self.match
        people = [number for number, seat in enumerate(match.lineup.seats) if not seat.bot]
        added = [""] * len(match.names)
        for seat, word in zip(people, words or (), strict=False):
            added[seat] = word
        if words is None:
            for seat in people:
                self._tell(f"{match.names[seat]}, add a word that the dice follow from, or press Enter.")
                added[seat] = self._word()
        self._once_kept(partial(match.add_words, added))
        for name, word in zip(match.names, added, strict=True):
            if word:
                self._tell(f"{name} adds to the dice: {word}")

    def _word(self) -> str:
        """A word that somebody types; empty for none. Raises _Left when nobody is there."""
        for line in self.lines:
            refusal = check_word(line.strip())
            if not refusal:
                return line.strip()
            self._tell(refusal)
        raise _Left

    def _once_kept(self, attempt: Callable[[], Result]) -> Result:
        """Return the result of an attempt once it can be kept, or people agree to play on unkept.

        Raises _Left when nobody does; a table of bots has nobody to ask.
        """
        people = any(not seat.bot for seat in self.match.lineup.seats)
        while True:
            try:
                return attempt()
            except NotKept as why:
                if not people:
                    self._tell(f"This match is not being kept: {why}.")
                    self.match.play_on_unkept()
                    continue
                self._tell(f"This match cannot be kept: {why}. An empty line tries again, go on plays on unkept.")
            answer = next(self.lines, "quit").strip()
            if answer and "go on".startswith(answer):
                self.match.play_on_unkept()
            elif answer and "quit".startswith(answer):
                raise _Left

    def _over_again(self) -> bool:
        """Report the match that has ended; return whether its last roll is taken back."""
        self._say_report()
        if not self.match.can_take_back:
            return False
        self._tell("An empty line ends the match; take back lets you type the last roll again.")
        if "take".startswith(next(self.lines, "").strip()[:4] or "-"):
            self._take_back()
        return not self.match.state.outcome

    def _step(self) -> bool:
        """Let one thing happen, or be taken back; return False when there is nobody to ask any more."""
        match = self.match
        action = match.taken_back or (match.bot_action() if match.bot_to_act else self._asked())
        if action and match.typed and isinstance(action, Roll):
            faces = self._faces(action)
            if faces:
                self._act(action, faces)
            return faces is not None
        if action:
            self._act(action, ())
        return action is not None

    def _act(self, action: Action, faces: Faces) -> None:
        """Let an action happen; faces come with it when people have thrown the dice."""
        before = self.match.state
        assert before.to_act is not None
        if faces:
            event = Event(before.to_act, action, faces)
            self._once_kept(partial(self.match.record, event))
        else:
            event = self._once_kept(partial(self.match.act, action))
        self._tell(f"{self.match.names[event.seat]}: {before.tell(event.action, event.faces)}")

    def _tell(self, text: str) -> None:
        """Say something in words that can be read aloud."""
        self.say(re.sub(" +", " ", text.replace(" ·", ",").translate(ALOUD)).strip())

    # -- what is said ------------------------------------------------------------------------------------------

    def _say_round(self) -> None:
        state = self.match.state
        first = state.starting_seat
        begins = "" if first is None else f" {self.match.game.starting_title.capitalize()}: {self.match.names[first]}."
        self._tell(f"{state.caption()}.{begins}")

    def _say_report(self) -> None:
        report = self.match.state.report(self.match.names)
        self._tell(f"{report.headline}.")
        for label, value in report.facts:
            self._tell(f"{label}: {value}")

    def _say_seats(self) -> None:
        state = self.match.state
        for seat, name in enumerate(self.match.names):
            standing = state.standing(seat)
            told = (standing.detail, standing.note, standing.tally)
            self._tell(f"{name}: {', '.join(filter(None, told))}")

    def _say_odds(self) -> None:
        from fourtwenty.odds import odds_of

        self.match.hint()
        state = self.match.state
        odds = odds_of(state)
        goal = odds.goal(state).name
        choices = odds.choices(state)
        for choice in choices:
            chances = zip((*odds.LABELS, goal), (*choice.chances, choice.value), strict=True)
            told = ", ".join(f"{label} {100 * chance:.1f} %" for label, chance in chances)
            loses = f"loses {100 * (choices[0].value - choice.value):.1f} points"
            verdict = "forced" if len(choices) == 1 else "best" if choice is choices[0] else loses
            self._tell(f"{spaced(choice.stay) or 'nothing'} to stay: {told}, {verdict}")

    def _tell_rules(self) -> None:
        page = files("fourtwenty.games").joinpath(f"{self.match.game.key}.md").read_text("utf-8")
        for line in page.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not set(line) <= set("| -"):
                self._tell(", ".join(cells) if line.startswith("|") else line)

    # -- what is asked -----------------------------------------------------------------------------------------

    def _asked(self) -> Action | None:
        """The action of the person whose turn it is; None when there is nobody to ask any more."""
        state = self.match.state
        assert state.to_act is not None
        name = self.match.names[state.to_act]
        turn = "Your turn" if name.casefold() == "you" else f"{name}, your turn"
        commands = f"{COMMANDS}, {TAKE_BACK}" if self.match.can_take_back else COMMANDS
        hand = state.standing(state.to_act).detail
        self._tell(f"{turn}{f': {hand}' if hand else ''}. {state.preview(())}.")
        for line in self.lines:
            word, *rest = line.split() or [""]
            command = next((each for each in commands.replace(",", "").split() if word and each.startswith(word)), word)
            if command == "quit":
                return None
            if command == "take" and self.match.can_take_back:
                return self._take_back()
            if word.isdecimal() or word == "all":
                command, rest = "roll", [word, *rest]
            if command in ("", "roll", "stand"):
                try:
                    action = self._action(command, rest)
                except InvalidAction as error:
                    self._tell(str(error))
                    continue
                refusal = state.check(action)
                if not refusal:
                    return action
                self._tell(refusal)
            elif command == "odds":
                self._say_odds()
            elif command == "seats":
                self._say_seats()
            elif command in ("rules", "?"):
                self._tell_rules()
            else:
                seen = "".join(filter(str.isprintable, word))
                self._tell(f"There is no command {seen}. Type one of: {commands}.")
        return None

    def _faces(self, roll: Roll) -> Faces | None:
        """What people type for a roll of real dice: none when they do something else, None when nobody is there."""
        match = self.match
        assert match.state.to_act is not None
        back = f", or {TAKE_BACK}" if match.can_take_back else ""
        self._tell(f"{match.names[match.state.to_act]}: {match.question(roll)}{back}.")
        for line in self.lines:
            word = line.strip()[:4]
            if word and "quit".startswith(word):
                return None
            if word and "back".startswith(word):
                return ()
            if word and "take".startswith(word) and match.can_take_back:
                self._take_back()
                return ()
            try:
                return parse_faces(line, len(roll.dice))
            except ValueError as error:
                self._tell(str(error))
        return None

    def _take_back(self) -> Roll | None:
        """Take the last roll of real dice back, and return it to be typed again."""
        event = self._once_kept(self.match.take_back)
        self._tell(f"{self.match.names[event.seat]}: {spaced(event.faces)} is taken back.")
        return self.match.taken_back

    def _action(self, command: str, dice: list[str]) -> Action:
        """Read an action; an empty line is the only one there is. Raises InvalidAction with a sentence."""
        actions = self.match.state.actions
        if command == "stand":
            return Stand()
        if len(actions) == 1 and dice in ([], ["all"]):
            return actions[0]
        if not command:
            raise InvalidAction(f"There is a choice. Type one of: {COMMANDS}.")
        if dice == ["all"]:
            return Roll(tuple(range(1, self.match.game.dice + 1)))
        if not all(die.isascii() and die.isdigit() and len(die) == 1 for die in dice):
            raise InvalidAction("Dice are named by their places, as in: roll 1 3.")
        return Roll(tuple(map(int, dice)))
