"""Who plays what: the seats of a match and the choices made in the lobby, and the file that keeps them for next time.

The match itself, and everything that happens at the table, is elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Self

from fourtwenty.games import GAMES
from fourtwenty.play.bots import CHARACTERS, character_named
from fourtwenty.play.text import folded, is_harmful

GUEST = "Guest"
"""The name offered to a person."""

COACHING = ("off", "odds", "full")
"""No odds; the chances only; also which choices lose how much, the lamp and hints."""

WARNINGS = (0, 1, 2, 5, 10)
"""The thresholds offered, in points: percent of a round."""

STARTING_SEAT = "first"
"""The name of ``Lineup.starting_seat`` in files, as in a record."""

LONGEST_NAME = 300
"""Length of the longest name, in characters."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table."""

    name: str
    """Any text without control characters; unique at its table."""
    bot: str | None = None
    """Name of the bot's character; None for a person."""


@dataclass(frozen=True, slots=True)
class Lineup:
    """What a match starts from."""

    seats: tuple[Seat, ...] = (Seat("You"), Seat("Steady", bot="Steady"))
    """The seats in clockwise order, two or more."""
    starting_seat: int | None = None
    """The seat that starts, from 0; None to have it drawn by lot."""
    game: str = "420"
    """Key of the game."""
    monocolor: bool = False
    """Whether all dice are plain white with black pips (rule sheet, MONOCOLOR 420)."""
    animation: bool = True
    """Whether dice are seen to tumble."""
    coach: str = "off"
    """How much the odds tell everybody at the table: one of ``COACHING``."""
    warning: int = 0
    """From how many points lost a choice is warned of before it stands; 0 for never."""
    typed: bool = False
    """Whether people roll real dice and type their faces."""

    def colour(self, seat: int, starting_seat: int | None) -> int:
        """Return the number of a seat's colour: of two sides the one that starts is 0; more keep their places'."""
        return seat if starting_seat is None or len(self.seats) > 2 else (seat - starting_seat) % 2

    def side(self, seat: int, starting_seat: int | None) -> str:
        """Return what a seat's side is called in a match of two; empty where sides have no names."""
        pair = GAMES[self.game].pair
        if pair is None or len(self.seats) > 2:
            return ""
        return " or ".join(pair) if starting_seat is None else pair[self.colour(seat, starting_seat)]

    def check(self) -> str | None:
        """Say in one sentence why no match can start from this; None when one can."""
        if len(self.seats) < 2:
            return "A match needs two seats or more."
        for place, seat in enumerate(self.seats):
            refusal = check_name(seat.name, self.seats[:place])
            if refusal:
                return refusal
        return None

    def save(self, path: Path) -> None:
        """Write the line-up to a file, whole or not at all. Raises OSError when it cannot be written."""
        from fourtwenty.paths import write_whole

        write_whole(path, json.dumps(self.to_json(), ensure_ascii=False, indent=1))

    def to_json(self) -> dict[str, Any]:
        """Return what ``from_json`` reads."""
        kept = asdict(self)
        return {"seats": kept.pop("seats"), STARTING_SEAT: kept.pop("starting_seat"), **kept}

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the line-up last saved. Raises OSError when there is none, ValueError when the file holds none."""
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ValueError(f"{path} holds no line-up") from error

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Self:
        """Read a line-up that ``save`` wrote, ignoring what a newer version has added.

        Raises ValueError, TypeError, KeyError or AttributeError when it is anything else.
        """
        seats = tuple(Seat(seat["name"], seat["bot"]) for seat in kept["seats"])
        choices = {field.name: kept[field.name] for field in fields(cls) if field.name in kept}
        lineup = cls(**{**choices, "seats": seats, "starting_seat": kept.get(STARTING_SEAT)})
        known = {None, *CHARACTERS}
        sound = (
            all(isinstance(seat.name, str) and seat.bot in known for seat in seats)
            and (
                lineup.starting_seat is None
                or (type(lineup.starting_seat) is int and 0 <= lineup.starting_seat < len(seats))
            )
            and lineup.game in GAMES
            and isinstance(lineup.monocolor, bool)
            and isinstance(lineup.animation, bool)
            and lineup.coach in COACHING
            and type(lineup.warning) is int
            and lineup.warning in WARNINGS
            and isinstance(lineup.typed, bool)
        )
        refusal = lineup.check() if sound else "The line-up is damaged."
        if refusal:
            raise ValueError(refusal)
        return lineup


def check_name(name: str, others: Sequence[Seat]) -> str | None:
    """Say in one sentence why a seat cannot have this name beside the others; None when it can."""
    if not folded(name):
        return "A seat needs a name."
    if len(name) > LONGEST_NAME:
        return f"A name has {LONGEST_NAME} characters at most."
    if any(is_harmful(character) for character in name):
        return "A name is one line of text."
    if any(folded(name) == folded(other.name) for other in others):
        return f"{name.strip()} sits at the table already."
    return None


def free_name(wanted: str, others: Sequence[Seat]) -> str:
    """Return the name, with the next number behind it when it is taken."""
    taken = {folded(seat.name) for seat in others}
    number = 1
    name = wanted
    while folded(name) in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def parse_players(text: str) -> tuple[Seat, ...]:
    """Read comma-separated seats in table order: a name is a person, ``bot:NAME`` a bot of that character.

    Raises ValueError with a sentence when no match can be played with them.

    >>> parse_players("Ann,bot:steady,bot:Steady")
    (Seat(name='Ann', bot=None), Seat(name='Steady', bot='Steady'), Seat(name='Steady 2', bot='Steady'))
    """
    seats: list[Seat] = []
    people = [Seat(name.strip()) for name in text.split(",") if not name.strip().startswith("bot:")]
    for name in (part.strip() for part in text.split(",")):
        if name.startswith("bot:"):
            bot = character_named(name.removeprefix("bot:").strip()).name
            seats.append(Seat(free_name(bot, [*people, *seats]), bot))
        else:
            seats.append(Seat(name))
    refusal = Lineup(tuple(seats)).check()
    if refusal:
        raise ValueError(refusal)
    return tuple(seats)
