"""A finished match as a card for a chat: the result, a row a player, a story, and a way to the game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from shlex import quote

from fourtwenty.games.english import is_you, join_faces
from fourtwenty.games.game import State
from fourtwenty.games.replay import rounds_of_steps
from fourtwenty.games.story import Rounds
from fourtwenty.journal import links
from fourtwenty.journal.record import Record
from fourtwenty.play.card import GREEN, RED, YELLOW, first_line
from fourtwenty.play.match import Match
from fourtwenty.play.stories import PARTS, told_stories

MAX_LINK_LENGTH = 300
"""The characters of a link from which it is too long for a chat."""

MAX_SQUARES = 10


def match_text(match: Match) -> str:
    """Return a finished match as lines. Raises ValueError if it goes on."""
    if not match.state.outcome:
        raise ValueError("this game is not over yet")
    rounds = rounds_of_steps(match.start, match.events)
    headline = match.state.report(match.names).headline
    if is_you(headline.partition(" ")[0]):
        headline = f"I {headline.partition(' ')[2]}"
    told = told_stories(match, ["I" if is_you(name) else name for name in match.names])
    return "\n".join(
        [
            first_line(match.game, headline),
            *(_row(match, rounds, seat) for seat in range(len(match.names))),
            *(each.sentence for each in told[:1]),
            *_way_to_the_game(match, rounds),
        ]
    )


def _row(match: Match, rounds: Rounds, seat: int) -> str:
    """Return a seat's squares and words: the rounds that it played, green where its hand decided."""
    squares = [
        GREEN if played[-1].after.report(match.names).seat == seat else YELLOW
        for played in rounds
        if seat in played[0].before.remaining
    ]
    state, name = match.state, "Me" if is_you(match.names[seat]) else match.names[seat]
    if match.game.counts_last_place and state.outcome and seat in state.outcome.places[-1]:
        squares[-1] = RED
    note = state.standing(seat).note
    part = note if note in ("left", "stayed") else PARTS[match.game.key](rounds, seat)
    return f"{''.join(squares[-MAX_SQUARES:])} {name}: {part}"


def _way_to_the_game(match: Match, rounds: Rounds) -> Sequence[str]:
    """Return the link to the whole game with its proof; if it is long or there is none, the last choice to be made."""
    home = links.homepage()
    if home and match.identifier:
        with suppress(ValueError):  # the game is too long
            record = Record.from_match(match)
            link = links.link(record, home)
            if len(link) < MAX_LINK_LENGTH:
                return (f"Every roll{'' if record.typed else ', with the proof'}: {link}",)
    proof = () if match.dice.typed else ("Its record proves the dice: fourtwenty verify",)
    position = _last_choice(rounds)
    if not position or position.to_act is None:
        return proof
    command = f"fourtwenty play {match.game.key} --position {quote(position.to_text())}"
    hand = join_faces(position.hand(position.to_act))
    return (f"Your turn with {hand}: {links.link(position, home) or command}", *proof)


def _last_choice(rounds: Rounds) -> State | None:
    """Return the last state of a match in which there was a choice."""
    for played in reversed(rounds):
        for step in reversed(played):
            if len(step.before.actions) > 1:
                return step.before
    return None
