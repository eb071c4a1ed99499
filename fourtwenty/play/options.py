"""The options of a line-up in one table: the values of each, how they are shown, and a sentence about every value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct, structs

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import COACHING, FIRST_TO, WARNINGS, Lineup

Holder = TypeVar("Holder", bound=Struct)

OFF_ON = {False: "off", True: "on"}


class NamedOption(Struct, frozen=True):
    """Something that people set to one of several values: a field of a frozen value, such as a line-up."""

    name: str
    """Name of the field."""
    label: str
    values: Mapping[Any, str]
    """Its values, each as it is shown, in the order in which they follow each other."""
    sentences: Mapping[Any, str] = {}
    """The meaning of each value in a sentence; ``{game.tally}`` in it is what the game counts."""

    def shown(self, holder: Struct) -> str:
        """Return the value as it is shown."""
        value = getattr(holder, self.name)
        return self.values.get(value, str(value))

    def sentence(self, lineup: Lineup) -> str:
        """Return what the value of a line-up means; empty where that needs no sentence."""
        return self.sentences.get(getattr(lineup, self.name), "").format(game=GAMES[lineup.game])

    def next(self, value: Any, step: int = 1) -> Any:
        """Return the value a number of values after another, in a circle; an unknown one is before the first."""
        values = [*self.values]
        return values[((values.index(value) if value in values else -1) + step) % len(values)]

    def turned(self, holder: Holder, step: int = 1) -> Holder:
        """Return a line-up, or whatever has the field, with the value a number of values after the present one."""
        return structs.replace(holder, **{self.name: self.next(getattr(holder, self.name), step)})


OPTIONS = {
    option.name: option
    for option in (
        NamedOption("game", "Game", {key: game.name for key, game in GAMES.items()}),
        NamedOption(
            "coach",
            "Coach",
            {level: level for level in COACHING},
            {
                "off": "No odds shown.",
                "odds": "Shows everyone's chances, and the odds of the dice you select.",
                "full": "Also shows what each choice costs; h lists every choice.",
            },
        ),
        NamedOption(
            "warning",
            "Warn",
            {least: f"from {least}%" if least else "off" for least in WARNINGS},
            {
                least: f"Warns you before a choice that costs {least}% or more." if least else "No warnings."
                for least in WARNINGS
            },
        ),
        NamedOption(
            "typed",
            "Real dice",
            OFF_ON,
            {False: "The computer rolls the dice.", True: "Everyone rolls real dice and types them in."},
        ),
        NamedOption(
            "words",
            "Words for the dice",
            {False: "off", True: "ask"},
            {
                False: "The game begins at once; the dice follow from its seed.",
                True: "Before the first roll everyone may add a word that has a say in every roll.",
            },
        ),
        NamedOption(
            "first_to",
            "First to",
            {number: str(number or "off") for number in FIRST_TO},
            {
                number: f"The tally of the evening starts again when somebody has {number} {{game.tally}}."
                if number
                else "The tally of the evening just goes on."
                for number in FIRST_TO
            },
        ),
        NamedOption(
            "animation",
            "Dice tumble",
            OFF_ON,
            {False: "Dice land at once.", True: "Dice tumble when they are rolled."},
        ),
        NamedOption(
            "monocolor",
            "White dice",
            OFF_ON,
            {False: "Each player's dice have a colour.", True: "All dice are white with black pips."},
        ),
    )
}
"""The options of a line-up by the name of their field. The types of ``Lineup`` refuse any other value in a file."""

COACH_NOTES = {
    "off": "No odds shown.",
    "odds": "Odds on: everyone's chances, and those of the dice you select.",
    "full": "Full coach: also what each choice costs.",
}
"""The effect of a level of the coach from now on, for those who turn to it during a match."""
