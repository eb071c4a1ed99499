"""The options of a line-up: their values, names and explanations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, structs

from fourtwenty.games import GAMES
from fourtwenty.games.english import name_and_verb, sentence_case
from fourtwenty.play.lineup import FIRST_TO, Lineup

Holder = TypeVar("Holder", bound=Struct)

ROLL_OFF = "A roll-off decides who goes first."

UNFORMATTED = str.maketrans({"{": "{{", "}": "}}"})
"""Translates a name inside an option's sentence."""

OFF_ON = {False: "off", True: "on"}


class NamedOption(Struct, frozen=True):
    """A field of a frozen value, such as a line-up, that people set to one of several values."""

    name: str
    label: str
    """Its name, with ``{tally}`` for what the game counts."""
    values: Mapping[Any, str]
    """The values and their texts, in order."""
    sentences: Mapping[Any, str] = {}
    """The meaning of each value, with ``{tally}`` for the game's counted things and ``{ends}`` for its verb."""

    def title(self, game: str) -> str:
        return sentence_case(self.label.format(tally=GAMES[game].tally[1]))

    def shown(self, holder: Struct) -> str:
        value = getattr(holder, self.name)
        return self.values.get(value, str(value))

    def sentence(self, lineup: Lineup) -> str:
        """Return the meaning of a line-up's value; empty where it is plain."""
        game = GAMES[lineup.game]
        ends = "loses" if game.counts_last_place else "wins"
        return self.sentences.get(getattr(lineup, self.name), "").format(tally=game.tally[1], ends=ends)

    def next(self, value: Any, step: int = 1) -> Any:
        """Return the value some steps after another, in a circle; an unknown one is before the first."""
        values = [*self.values]
        return values[((values.index(value) if value in values else -1) + step) % len(values)]

    def cycled(self, holder: Holder, step: int = 1) -> Holder:
        """Return the holder with the value some steps after the present one."""
        return structs.replace(holder, **{self.name: self.next(getattr(holder, self.name), step)})


OPTIONS = {
    option.name: option
    for option in (
        NamedOption(
            "game",
            "Game",
            {key: game.name for key, game in GAMES.items()},
            {key: game.summary for key, game in GAMES.items()},
        ),
        NamedOption(
            "coach",
            "Coach",
            {"off": "off", "full": "on"},
            {
                "off": "No odds shown.",
                "full": "Shows everyone's chances, and what each choice is worth.",
            },
        ),
        NamedOption(
            "typed",
            "Real dice",
            OFF_ON,
            {False: "The computer rolls the dice.", True: "Everyone rolls real dice and types them in."},
        ),
        NamedOption(
            "first_to",
            "{tally} limit",
            {number: str(number or "off") for number in FIRST_TO},
            {
                number: f"First to {number} {{tally}} {{ends}} the evening; then the count restarts."
                if number
                else "The count of the evening just goes on."
                for number in FIRST_TO
            },
        ),
        NamedOption(
            "monocolor",
            "White dice",
            OFF_ON,
            {
                False: "Each player's dice have a colour.",
                True: "All dice are white with black pips, as in Monocolor 420.",
            },
        ),
    )
}


def starting_seat_option(lineup: Lineup) -> NamedOption:
    chance = ("random", "The first player is random.") if GAMES[lineup.game].draws_start else ("roll-off", ROLL_OFF)
    values: dict[int | None, str] = {None: chance[0]}
    sentences: dict[int | None, str] = {None: chance[1]}
    for seat, player in enumerate(lineup.seats):
        values[seat] = player.name
        sentences[seat] = f"{name_and_verb(player.name, 'goes', 'go')} first.".translate(UNFORMATTED)
    return NamedOption("starting_seat", "Goes first", values, sentences)
