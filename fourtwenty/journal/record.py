"""Writes, strictly reads and verifies a match as a JSON document (docs/records.md)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from msgspec import UNSET, Meta, Struct, UnsetType, ValidationError, convert, field, to_builtins

from fourtwenty.console import strip_controls
from fourtwenty.games import GAMES
from fourtwenty.games.english import in_words, join_faces, join_words, possessive
from fourtwenty.games.game import Event, IllegalAction, Leave, Roll, Stand, State
from fourtwenty.games.replay import Step, state_after
from fourtwenty.journal.shared_keys import Contributions, Key, Number, SharedKeys, read_digits
from fourtwenty.play.dice import FairDice, match_context
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import COACHING, Kind, check_name
from fourtwenty.play.shared_dice import SharedDice

if TYPE_CHECKING:
    from fourtwenty.play.match import Match

FORMAT = "fourtwenty-record"
VERSION = 1

IDENTIFIER_DIGITS = 32
"""Digits of a match's identifier; with shared dice the beginning of the match's digest."""

MAX_PLAYERS = 1000
MAX_REASON_LENGTH = 200
"""Most characters of a reason that may quote the document."""

Places = tuple[tuple[int, ...], ...]


class RecordError(ValueError):
    """A well-formed record with an illegal action, a wrong face or result. The message names the first."""


# -- the shape of a document; ``__post_init__`` raises ValueError for what no type says ------------------------------


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a record."""

    name: str
    kind: Kind

    def __post_init__(self) -> None:
        refusal = check_name(self.name, (), stored_name_key)
        if refusal:
            raise ValueError(refusal)


class RealDice(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="typed"):
    """Real dice; nobody can check their faces."""


class FairSeed(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="fair"):
    """The seed of fair dice."""

    commitment: Key
    """SHA-256 of the seed."""
    seed: Key | None
    """None while the match goes on."""
    given: bool
    """Whether a player gave the seed."""


class CoachChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the coach."""

    action: Annotated[int, Meta(ge=1)] = field(name="from")
    """The first action for which it holds, from 1."""
    level: str

    def __post_init__(self) -> None:
        if self.level not in COACHING:
            raise ValueError(f"the coach is one of {', '.join(COACHING)}")


class RecordedAction(Struct, frozen=True, forbid_unknown_fields=True):
    """An action of a seat: a roll with its faces, a stand or a leave."""

    seat: Number
    roll: tuple[Annotated[int, Meta(ge=1)], ...] | UnsetType = UNSET
    """Positions of dice, from 1."""
    faces: tuple[Annotated[int, Meta(ge=1, le=6)], ...] | UnsetType = UNSET
    stand: bool | UnsetType = UNSET
    leave: bool | UnsetType = UNSET

    @classmethod
    def from_event(cls, event: Event) -> RecordedAction:
        """Return the action of an event."""
        if isinstance(event.action, Roll):
            return cls(event.seat, event.action.dice, event.faces)
        return cls(event.seat, leave=True) if isinstance(event.action, Leave) else cls(event.seat, stand=True)

    def __post_init__(self) -> None:
        kinds = [each for each in (self.roll, self.stand, self.leave) if each is not UNSET]
        if len(kinds) != 1 or not kinds[0] or (self.roll is UNSET) != (self.faces is UNSET):
            raise ValueError("expected a roll with its faces, stand: true, or leave: true")
        if self.roll and self.faces is not UNSET:
            if [*self.roll] != sorted(set(self.roll)):
                raise ValueError("a roll names its dice in order, each once")
            if len(self.faces) != len(self.roll):
                raise ValueError("a roll has a face for each of its dice")

    @property
    def event(self) -> Event:
        """The event of the match."""
        if self.roll and self.faces:
            return Event(self.seat, Roll(self.roll), self.faces)
        return Event(self.seat, Leave() if self.leave else Stand(), ())


class RecordedResult(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a finished match."""

    places: tuple[int | Annotated[tuple[int, ...], Meta(min_length=2)], ...]
    """Every seat, best first; seats that share a place are a list."""


class Record(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A match for other programs: its actions with their faces, and its result."""

    format: str = FORMAT
    version: int = VERSION
    identifier: str = field(name="id")
    game: str
    players: Annotated[tuple[Player, ...], Meta(min_length=2, max_length=MAX_PLAYERS)]
    """By seat."""
    first: int | None
    """The starting seat; None where the seats roll for it."""
    position: str | UnsetType = UNSET
    """The position before the first action; unset for a cleared table."""
    source: FairSeed | SharedKeys | RealDice = field(name="dice")
    coach: tuple[CoachChange, ...] | UnsetType = UNSET
    """Changes of the coach; unset with shared dice, where each machine has its own."""
    actions: tuple[RecordedAction, ...]
    result: RecordedResult | None
    """None while the match goes on."""

    @classmethod
    def from_match(cls, match: Match) -> Record:
        """Return a match's record, its seed only after the match. Raises ValueError without an identifier."""
        if match.identifier is None:
            raise ValueError("a match without an identifier has no record")
        outcome = match.state.outcome
        cleared = match.game.start(len(match.names), match.start.starting_seat)
        source: FairSeed | SharedKeys | RealDice = RealDice()
        if isinstance(match.dice, SharedDice):
            source = SharedKeys.of(match.dice, sum(isinstance(event.action, Roll) for event in match.events))
        elif match.dice.commitment:
            seed = Key(match.dice.seed) if match.dice.seed and outcome else None
            source = FairSeed(Key.fromhex(match.dice.commitment), seed, match.dice.given)
        coach = () if match.dice.shared else tuple(CoachChange(index + 1, level) for index, level in match.coaching)
        return cls(
            identifier=match.identifier,
            game=match.game.key,
            players=tuple(Player(*player) for player in match.lineup.players),
            first=match.start.starting_seat,
            position=UNSET if match.start == cleared else match.start.to_text(),
            source=source,
            coach=coach or UNSET,
            actions=tuple(map(RecordedAction.from_event, match.events)),
            result=RecordedResult(places_json(outcome.places)) if outcome else None,
        )

    def __post_init__(self) -> None:
        seats = range(len(self.players))
        if not re.fullmatch(f"[0-9a-f]{{{IDENTIFIER_DIGITS}}}", self.identifier):
            raise ValueError(f"id: expected {IDENTIFIER_DIGITS} lowercase hexadecimal digits")
        if self.game not in GAMES:
            raise ValueError(f"game: expected one of {', '.join(GAMES)}")
        if len({stored_name_key(player.name) for player in self.players}) < len(seats):
            raise ValueError("players: two players have the same name")
        if self.first not in seats and (self.first is not None or GAMES[self.game].draws_start):
            raise ValueError(f"first: expected a seat from 0 to {seats[-1]}")
        if self.position is not UNSET and (self.start.seats, self.start.starting_seat) != (len(seats), self.first):
            raise ValueError("position: its seats or starting seat differ from the record's")
        for number, action in enumerate(self.actions, 1):
            if action.seat not in seats:
                raise ValueError(f"actions[{number}].seat: expected a seat from 0 to {seats[-1]}")
            if action.roll and action.roll[-1] > GAMES[self.game].hand_size:
                raise ValueError(f"actions[{number}].roll: expected dice from 1 to {GAMES[self.game].hand_size}")
        changes = [change.action for change in self.coach or ()]
        if changes != sorted(set(changes)) or changes[-1:] > [len(self.actions) + 1]:
            raise ValueError("coach: it changes at actions of the match, in their order")
        if self.shared:
            if self.coach is not UNSET:
                raise ValueError("coach: with shared dice a record has none")
            if self.shared.lot and not GAMES[self.game].draws_start:
                raise ValueError("dice.lot: this game draws none")
            self.shared.check(len(seats), [action.seat for action in self.actions if action.roll])
        places = self.places or (tuple(seats),)
        if sorted(seat for shared in places for seat in shared) != [*seats]:
            raise ValueError("result.places: expected all seats, each once")
        if any(list(shared) != sorted(shared) for shared in places):
            raise ValueError("result.places: seats that share a place are in the order of the table")

    @property
    def start(self) -> State:
        """The state before the first action: a cleared table, or a set-up position."""
        game = GAMES[self.game]
        return game.parse(self.position) if self.position else game.start(len(self.players), self.first)

    @property
    def set_up(self) -> bool:
        """Whether the players set up the first position."""
        return self.position is not UNSET

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the match."""
        return tuple(action.event for action in self.actions)

    @property
    def places(self) -> Places | None:
        """``Outcome.places``; None while the match goes on."""
        if self.result is None:
            return None
        return tuple((each,) if isinstance(each, int) else each for each in self.result.places)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(player.name for player in self.players)

    @property
    def fair(self) -> FairSeed | None:
        """The seed of fair dice; None with other dice."""
        return self.source if isinstance(self.source, FairSeed) else None

    @property
    def shared(self) -> SharedKeys | None:
        """The keys of shared dice; None with other dice."""
        return self.source if isinstance(self.source, SharedKeys) else None

    @property
    def pages(self) -> list[str]:
        """The origins of machines that were pages: "two of them pages that follow Ann's"; empty for none."""
        machines = self.shared.machines if self.shared else ()
        names = {each.public: self.names[each.seats[0]] for each in machines}
        hosts = Counter(each.page for each in machines if each.page)
        return [
            f"{in_words(count)} of them {'a page that follows' if count == 1 else 'pages that follow'}"
            f" {possessive(names.get(host, 'the host'))}"
            for host, count in hosts.items()
        ]

    @property
    def typed(self) -> bool:
        """Whether faces were typed, so that nobody can check them."""
        return isinstance(self.source, RealDice)

    @property
    def drawn(self) -> bool:
        """Whether the dice drew the starting seat; False without a draw, seed or keys. Raises RecordError."""
        if self.shared and not self.shared.lot:
            return False
        if not GAMES[self.game].draws_start or self.set_up:
            return False
        dice = self.dice
        return dice is not None and dice.draw(len(self.players)) == self.first

    @property
    def dice(self) -> FairDice | SharedDice | None:
        """The dice of the seed or keys; None without both. Raises RecordError for a missing or wrong key."""
        players = [(player.name, player.kind) for player in self.players]
        if self.shared:
            digest = self.shared.digest(self.game, players, self.first)
            try:
                return self.shared.dice(digest, [action.seat for action in self.actions if action.roll])
            except ValueError as error:
                raise RecordError(str(error)) from error
        if self.fair is None or self.fair.seed is None:
            return None
        return FairDice(self.fair.seed, self.fair.given).with_context(
            match_context(self.identifier, self.game, players)
        )


# -- verified --------------------------------------------------------------------------------------------------------


def verified_steps(record: Record) -> Iterator[Step]:
    """Yield every verified event with the states around it, and verify the result. Raises RecordError."""
    dice = record.dice
    if isinstance(dice, FairDice) and record.fair and dice.commitment != record.fair.commitment.hex():
        raise RecordError("the commitment is not the SHA-256 of the seed")
    if isinstance(dice, SharedDice):
        _check_shared(record, dice)
    contributions = Contributions(dice) if isinstance(dice, SharedDice) else None
    state = record.start
    throws = [0] * len(record.players)
    # Unlike games.replay, an event is checked first, its seat before all, so that the message names the cause.
    for number, event in enumerate(record.events, 1):
        if state.to_act is None and not state.outcome:
            state = state.next_round()
        throws[event.seat] += isinstance(event.action, Roll)
        wrong = contributions.wrong(state, event) if contributions else None
        wrong = wrong or _wrong(record, state, event, dice, throws[event.seat])
        if wrong:
            raise RecordError(f"action {number}, {record.names[event.seat]}: {wrong}")
        after = state_after(state, event)
        yield Step(state, event, after)
        state = after
    wrong = contributions.wrong_at_end(state) if contributions else None
    if wrong:
        raise RecordError(f"at the end: {wrong}")
    outcome = state.outcome
    if not outcome and record.places:
        raise RecordError("the match is not over, and the result says it is")
    if outcome and record.places != outcome.places:
        places = ", ".join(join_words(record.names[seat] for seat in shared) for shared in outcome.places)
        raise RecordError(f"the result is not right: the places are {places}")
    if outcome and record.fair and not dice:
        raise RecordError("the match is over, and its seed is withheld")


def _check_shared(record: Record, dice: SharedDice) -> None:
    if dice.match.hex()[:IDENTIFIER_DIGITS] != record.identifier:
        raise RecordError("the identifier does not follow from the game, the players, the start and the machines")
    if record.shared and record.shared.lot and not record.drawn:
        raise RecordError(f"the draw falls on {record.names[dice.draw(len(record.names))]}")


def verify_record(record: Record) -> State:
    """Return the last state of a record. Raises RecordError at the first error."""
    state = record.start
    for step in verified_steps(record):
        state = step.after
    return state


def _wrong(record: Record, state: State, event: Event, dice: FairDice | SharedDice | None, throw: int) -> str | None:
    """An event's error in this state, in a sentence; None without. ``throw`` counts its seat's throws from 1."""
    if state.to_act is None:
        return "The match is over."
    if isinstance(event.action, Leave):
        try:
            state.without(event.seat)
        except IllegalAction as error:
            return str(error)
        return None
    if event.seat != state.to_act:
        return f"It is the turn of {record.names[state.to_act]}."
    refusal = state.check(event.action)
    if refusal or not isinstance(event.action, Roll) or not dice:
        return refusal
    faces = dice.throw(event.seat, throw, event.action.dice)
    if faces == event.faces:
        return None
    source = "seed throws" if isinstance(dice, FairDice) else "keys throw"
    return f"The {source} {join_faces(faces)}, the record {join_faces(event.faces)}."


def fingerprint(text: str) -> str:
    """Return the SHA-256 of a record's text in UTF-8, 64 hexadecimal digits, as ``sha256sum``."""
    return sha256(text.encode()).hexdigest()


# -- written and read --------------------------------------------------------------------------------------------------


def write_record(record: Record) -> str:
    """Return a record as JSON text with a line for each player and action."""
    document: dict[str, object] = to_builtins(record, enc_hook=bytes.hex)
    fields = (f" {json.dumps(name)}: {_lines(value)}" for name, value in document.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def places_json(places: Iterable[Sequence[int]]) -> tuple[Any, ...]:
    """Return places as in a document: every seat, best first, and a list where seats share a place."""
    return tuple(tuple(shared) if len(shared) > 1 else shared[0] for shared in places)


def _lines(value: object) -> str:
    if isinstance(value, tuple) and value:
        return "[\n" + ",\n".join(f"  {_lines(item)}" for item in value) + "\n ]"
    return json.dumps(value, ensure_ascii=False)


def read_record(text: str) -> Record:
    """Read a record. Raises ValueError with a sentence for other text or unknown fields."""
    try:
        return _record(
            json.loads(
                text, object_pairs_hook=_object, parse_int=_integer, parse_float=_no_number, parse_constant=_no_number
            )
        )
    except json.JSONDecodeError as error:
        reason = f"it is no JSON in line {error.lineno}, column {error.colno}"
    except RecursionError:
        reason = "its brackets are nested too deeply"
    except ValidationError as error:  # not a ValueError in msgspec 0.20
        reason = _with_place(str(error))
    except ValueError as error:
        reason = str(error)
    raise ValueError(f"this is no record: {strip_controls(reason)[:MAX_REASON_LENGTH]}")


def _record(value: object) -> Record:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    version = value.get("version")
    if type(version) is not int or version != VERSION:
        raise ValueError(f"it has version {json.dumps(version)}, and this program reads version {VERSION}")
    return convert(value, Record, dec_hook=read_digits)


def _with_place(reason: str) -> str:
    """Return a reason of msgspec after its place, from 1: ``Expected … - at `$.actions[0]` ``."""
    what, _, path = reason.partition(" - at `$.")
    place = re.sub(r"\[(\d+)\]", lambda index: f"[{int(index[1]) + 1}]", path.removesuffix("`"))
    return f"{place}: {what[0].lower()}{what[1:]}" if place else what


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is there twice")
    return fields


def _integer(digits: str) -> int:
    return int(digits) if len(digits) < 10 else _no_number(digits)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no number of a record")
