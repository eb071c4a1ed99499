"""Writes the log of a match: events, results and the dice. The text table uses parts of it."""

from __future__ import annotations

from collections.abc import Sequence

from fourtwenty.games.english import dice_in_words, in_words, join_faces, name_and_verb, sentence_case
from fourtwenty.games.game import Action, Event, Leave, Roll, State, hand_after, plays_itself
from fourtwenty.games.replay import replay
from fourtwenty.play.match import Match

RUNNING_MISSES = 3
"""The number of misses by one in a row that starts the count."""


def awaited_line(name: str, action: Action | None, away: bool = False) -> str:
    """Return what a remote seat does: "Ann: two dice", or "Ann is choosing…" while unknown."""
    if away:
        return f"{name} is away"
    return f"{name}: {action_in_words(action)}" if action else f"{name} is choosing…"


def action_in_words(action: Action) -> str:
    """Return an action after a name: "two dice", "stands", "leaves"."""
    if isinstance(action, Roll):
        return dice_in_words(len(action.dice))
    return "leaves" if isinstance(action, Leave) else "stands"


def event_line(match: Match, before: State, event: Event, earlier: Sequence[Event] = (), name: str = "") -> str:
    """Return an event's line, with the state before it: "Ann kept 6 5 5, rolled 3: 19, one away."

    ``earlier`` events add repeated misses by one; ``name``, such as "You", replaces the player's.
    """
    name = name or match.names[event.seat]
    leaves = isinstance(event.action, Leave)
    return event_sentence(name, before, event) if leaves else f"{name} {turn_line(match, before, event, earlier)}"


def turn_line(match: Match, before: State, event: Event, earlier: Sequence[Event]) -> str:
    """Return the line of a roll or a stand without a name, but with running misses."""
    line = before.describe_roll(event.action, event.faces)
    rolls = isinstance(event.action, Roll)
    if not rolls or not match.game.is_near_miss(hand_after(before, event.action, event.faces)):
        return line
    misses = misses_running(match, (*earlier, event))
    return f"{line} {sentence_case(in_words(misses))} times one away." if misses >= RUNNING_MISSES else line


def misses_running(match: Match, events: Sequence[Event]) -> int:
    """Return a seat's rolls in a row, up to the last of these events, that missed by one."""
    seat, misses = events[-1].seat, 0
    hand = dict(enumerate(match.start.hand(seat), 1))
    for event in events:
        if event.seat == seat and isinstance(event.action, Roll):
            hand.update(zip(event.action.dice, event.faces, strict=True))
            misses = misses + 1 if match.game.is_near_miss(tuple(hand.values())) else 0
    return misses


def event_sentence(name: str, before: State, event: Event) -> str:
    if isinstance(event.action, Leave):
        return f"{name_and_verb(name, 'is', 'are')} out of this game."
    return f"{name} {before.describe_roll(event.action, event.faces)}"


def has_line(before: State, event: Event) -> bool:
    """Return whether an event has a line in the log, given the state before it: rolls without a choice share one."""
    return isinstance(event.action, Leave) or not plays_itself(before)


def result_line(match: Match, state: State) -> str:
    """Return a finished round's result: "Ann takes 3 tokens."."""
    return f"{state.report(match.names).headline}."


def round_line(match: Match, state: State) -> str:
    """Return a finished round's result and what follows: "Dora is out on roll 18. Cleo starts round 2.".

    A round that plays itself has the hand that decided it instead: "Ann's hand: 421, worth 10. Ben takes 10 tokens…".
    """
    if plays_itself(state):
        return f"{state.report(match.names).hand}. {result_line(match, state)}"
    following = "" if state.outcome else start_line(match, state.next_round())
    return f"{result_line(match, state)} {following}".rstrip()


def start_line(match: Match, state: State) -> str:
    """Return who starts a round: "Cleo starts round 2."; empty while a roll-off decides."""
    seat, number = state.starting_seat, state.round
    if seat is None:
        return ""
    return name_and_verb(match.names[seat], f"starts round {number}.", f"start round {number}.")


def taken_back_line(match: Match, event: Event) -> str:
    return f"{match.names[event.seat]}: {join_faces(event.faces)} is taken back."


def coaching_line(match: Match) -> str:
    """Return when the coach came: "With the coach from roll 5"; empty if never.

    Stands count as rolls.
    """
    spans, on = [], False
    for index, level in match.coaching:
        if on != (level != "off"):
            on = not on
            spans.append(f"from roll {index + 1}" if on else f"to roll {index}")
    return f"With the coach {' '.join(spans)}" if spans else ""


class MatchLog:
    def __init__(self, match: Match, throwers: str = "") -> None:
        """``throwers`` says who throws the dice of several machines."""
        self.match = match
        self._throwers = throwers

    def so_far(self) -> list[str]:
        """Return the lines of the dice, then the lines of the events."""
        match = self.match
        real = "Real dice: roll them and type what they show." if match.dice.typed else ""
        lines = [*filter(None, (match.dice.trust_warning, real, self._throwers))]
        for number, (before, event, after) in enumerate(replay(match.start, match.events)):
            if has_line(before, event):
                lines.append(event_line(match, before, event, match.events[:number]))
            if after.to_act is None:
                lines.append(round_line(match, after))
        return lines
