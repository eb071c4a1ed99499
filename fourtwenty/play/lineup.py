"""Describes the seats and options of a match from the lobby, and their file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Self, get_args

from msgspec import Struct, ValidationError, convert, field, to_builtins
from msgspec.structs import asdict, force_setattr, replace

from fourtwenty.console import has_controls
from fourtwenty.games import GAMES
from fourtwenty.games.game import State
from fourtwenty.play.bots import BOTS, bot_named
from fourtwenty.play.format import name_key, stored_name_key

GUEST = "Guest"

BOT = "bot:"
"""The beginning of a bot where seats are typed, in any case."""

Coaching = Literal["off", "odds", "full"]
COACHING: tuple[Coaching, ...] = get_args(Coaching)
"""Levels of the coach: off and on. "odds", chances alone, is read and shown as "full", and no longer written."""

FirstTo = Literal[0, 3, 5, 10]
FIRST_TO: tuple[FirstTo, ...] = get_args(FirstTo)
"""Numbers at which an evening's tally restarts; 0 for never."""

COUNTED_FROM = 3
"""The fewest people for a tally."""

DAMAGED = "The line-up is damaged."

MAX_NAME_LENGTH = 300


class Seat(Struct, frozen=True):
    """A player: a person or a bot."""

    name: str
    """One line without control characters, unique in its line-up."""
    bot: str | None = None
    """The bot's name, None for a person; in simulations also a custom policy's module and function."""

    @property
    def label(self) -> str:
        """The name, marked for a bot: "Steady (bot)"."""
        return f"{self.name} (bot)" if self.bot else self.name


FIRST_SEATS = (Seat("You"), Seat("Merry", bot="Merry"))


Kind = Literal["human", "bot"]
"""A player's kind in records and for fair dice."""


class Lineup(Struct, frozen=True):
    """The choices before a match: game, seats and options."""

    seats: tuple[Seat, ...] = FIRST_SEATS
    """Clockwise, two or more."""
    starting_seat: int | None = field(default=None, name="first")
    """The seat that starts, from 0; None for a draw or roll-off. Files name it as records do."""
    game: str = "420"
    monocolor: bool = False
    """Whether all dice are white with black pips (rule sheet, MONOCOLOR 420)."""
    coach: Coaching = "off"
    typed: bool = False
    first_to: FirstTo = 0
    """The number at which an evening's tally restarts, of ``FIRST_TO``; 0 for never."""

    def __post_init__(self) -> None:
        if self.coach == "odds":
            force_setattr(self, "coach", "full")

    def with_seats(self, index: int, *added: Seat) -> Self:
        """Return the line-up with seats in place of one, or at the end for the index after it."""
        starting = self.starting_seat
        if starting is not None and starting > index:
            starting += len(added) - 1
        seats = (*self.seats[:index], *added, *self.seats[index + 1 :])
        return replace(self, seats=seats, starting_seat=starting)

    def without(self, index: int) -> Self:
        """Return the line-up without a seat, and without its start."""
        starting = self.starting_seat
        if starting is not None and starting >= index:
            starting = None if starting == index else starting - 1
        return replace(self, seats=self.seats[:index] + self.seats[index + 1 :], starting_seat=starting)

    def swapped(self, one: int, other: int) -> Self:
        """Return the line-up with two seats exchanged; the start goes with its seat."""
        seats = list(self.seats)
        seats[one], seats[other] = seats[other], seats[one]
        starting = self.starting_seat
        if starting in (one, other):
            starting = one + other - starting
        return replace(self, seats=tuple(seats), starting_seat=starting)

    @property
    def is_untouched(self) -> bool:
        """Whether the players are unchanged since a first start."""
        return self.seats == FIRST_SEATS

    @property
    def players(self) -> tuple[tuple[str, Kind], ...]:
        """The name and kind of each seat, as in dice and records."""
        return tuple((seat.name, "bot" if seat.bot else "human") for seat in self.seats)

    @property
    def first_person(self) -> str:
        """The name of the first person, or of the first bot without people."""
        return min(self.seats, key=lambda seat: seat.bot is not None).name

    @property
    def people(self) -> int:
        """The number of seats that are not bots."""
        return sum(not seat.bot for seat in self.seats)

    @property
    def is_counted(self) -> bool:
        """Whether an evening has a tally: with three people or a limit."""
        return self.people >= COUNTED_FROM or bool(self.first_to)

    def check(self, key: Callable[[str], str] = name_key) -> str | None:
        """Return in a sentence why the line-up cannot be played; None when it can. ``key`` as for ``check_name``."""
        if len(self.seats) < 2:
            return "You need at least two players."
        return check_seats(self.seats, key=key)

    def parse_position(self, text: str) -> State:
        """Return a position where this line-up can start. Raises ValueError with a sentence for others.

        >>> Lineup().parse_position("*6551 >4332 roll 2").to_act
        1
        """
        start = GAMES[self.game].parse(text)
        if start.seats != len(self.seats):
            raise ValueError(f"The position has {start.seats} players, the table has {len(self.seats)}.")
        if start.to_act is None:
            raise ValueError("The round is over there.")
        return start

    def merged_into(self, stored: Self, before: Self) -> Self:
        """Return a stored line-up with these players, this game, and the changes since ``before``."""
        changed = {name: value for name, value in asdict(self).items() if value != getattr(before, name)}
        together = {"seats": self.seats, "starting_seat": self.starting_seat, "game": self.game}
        return replace(stored, **{**changed, **together})

    def save(self, path: Path) -> None:
        """Write the line-up to a file atomically. Raises OSError."""
        import json

        from fourtwenty.file_storage import write_whole

        write_whole(path, json.dumps(self.to_json(), ensure_ascii=False, indent=1))

    def to_json(self) -> dict[str, Any]:
        """Return the line-up as a JSON object."""
        values: dict[str, Any] = to_builtins(self)
        return values

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a file of ``save``. Raises OSError, and ValueError for other content."""
        from fourtwenty.file_storage import read_object

        try:
            return cls.from_json(read_object(path))
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"{path} holds no line-up") from error

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Self:
        """Read the object of ``to_json``. Raises ValueError, TypeError, KeyError or AttributeError for any other."""
        seats = [{"name": seat["name"], "bot": seat["bot"]} for seat in values["seats"]]
        try:
            lineup = convert({**values, "seats": seats}, cls)
        except ValidationError as error:
            raise ValueError(DAMAGED) from error
        refusal = lineup.check(stored_name_key) if lineup._is_offered else DAMAGED
        if refusal:
            raise ValueError(refusal)
        return lineup

    @property
    def _is_offered(self) -> bool:
        starting = self.starting_seat is None or 0 <= self.starting_seat < len(self.seats)
        return starting and self.game in GAMES and all(seat.bot in (None, *BOTS) for seat in self.seats)


def check_name(name: str, others: Sequence[Seat], key: Callable[[str], str] = name_key) -> str | None:
    """Return in a sentence why a seat cannot have this name beside the others; None when it can.

    Equal keys are the same name: ``name_key`` for new seats, ``stored_name_key`` for stored matches.
    """
    if not key(name):
        return "Enter a name."
    if len(name) > MAX_NAME_LENGTH:
        return f"A name has {MAX_NAME_LENGTH} characters at most."
    if has_controls(name):
        return "A name is one line of text."
    if any(key(name) == key(other.name) for other in others):
        return f"{name.strip()} is already at the table."
    return None


def check_seats(seats: Sequence[Seat], others: Sequence[Seat] = (), key: Callable[[str], str] = name_key) -> str | None:
    """Return in a sentence why seats cannot have their names beside each other and others; None when they can."""
    refusals = (check_name(seat.name, [*others, *seats[:index]], key) for index, seat in enumerate(seats))
    return next(filter(None, refusals), None)


def free_name(wanted: str, others: Sequence[Seat]) -> str:
    """Return the name, with the first free number if another seat has it.

    >>> free_name("Ann", [Seat("ann"), Seat("Ann 2")])
    'Ann 3'
    """
    taken = {name_key(seat.name) for seat in others}
    number = 1
    name = wanted
    while name_key(name) in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def parse_players(text: str, custom_policies: bool = False) -> tuple[Seat, ...]:
    """Read comma-separated seats in table order: a person's name, or ``bot:NAME``.

    With ``custom_policies``, ``bot:MODULE:FUNCTION`` is a policy of your own, not loaded here. Raises ValueError with a
    sentence when no match can be played with them.

    >>> parse_players("Ann,bot:steady,bot:Steady")
    (Seat(name='Ann', bot=None), Seat(name='Steady', bot='Steady'), Seat(name='Steady 2', bot='Steady'))
    """
    seats = parse_seats(text, custom_policies=custom_policies)
    refusal = Lineup(seats).check()
    if refusal:
        raise ValueError(refusal)
    return seats


def seats_for_position(state: State) -> tuple[Seat, ...]:
    """Return a person where the next choice is made, and best play elsewhere.

    >>> seats_for_position(GAMES["420"].parse("6551 x1 *>4332 roll 2"))
    (Seat(name='Perfect', bot='Perfect'), Seat(name='Perfect 2', bot='Perfect'), Seat(name='You', bot=None))
    """
    seats: list[Seat] = []
    for seat in range(state.seats):
        bot = Seat(free_name("Perfect", seats), "Perfect")
        seats.append(Seat("You") if seat == state.to_act else bot)
    return tuple(seats)


def parse_seats(text: str, others: Sequence[Seat] = (), custom_policies: bool = False) -> tuple[Seat, ...]:
    """Read seats, beside others, without a check of names. Raises ValueError for an unknown bot."""
    seats: list[Seat] = []
    names = [name.strip() for name in text.split(",")]
    people = [Seat(name) for name in names if not name.lower().startswith(BOT)]
    for name in names:
        if name.lower().startswith(BOT):
            bot = name[len(BOT) :].strip()
            if not (custom_policies and ":" in bot):
                bot = bot_named(bot).name
            seats.append(Seat(free_name(bot.rpartition(":")[2] or bot, [*others, *people, *seats]), bot))
        else:
            seats.append(Seat(name))
    return tuple(seats)
