"""A match as a JSON document (docs/records.md): written, read strictly, and verified by the rules and the dice.

With fair dice a record does not say how its starting seat was found: ``Record.drawn`` compares it with the lot.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NoReturn

from msgspec import Struct

from fourtwenty.games import GAMES
from fourtwenty.games.game import Event, IllegalAction, Leave, Roll, Stand, State
from fourtwenty.games.replay import Step, state_after
from fourtwenty.games.words import listed, spaced
from fourtwenty.journal.shared_keys import Contributions, SharedKeys
from fourtwenty.play.dice import FairDice, match_context
from fourtwenty.play.lineup import COACHING, check_name
from fourtwenty.play.shared_dice import KEY_BYTES, Machine, SharedDice, ShownKey, contributors_by_step, match_digest
from fourtwenty.play.text import folded

if TYPE_CHECKING:
    from fourtwenty.play.match import Match

FORMAT = "fourtwenty-record"
VERSION = 1
TRIAL = "it is of a trial copy, from before the program was published, and is not read any more"
"""Said of a record without an identifier in the field ``id``, whatever its version."""

IDENTIFIER_DIGITS = 32
"""Length of the identifier of a match; with shared dice it is the beginning of the digest of the match."""

Places = tuple[tuple[int, ...], ...]
"""The type of ``Outcome.places``."""

MOST_PLAYERS = 1000


class WrongRecord(ValueError):  # noqa: N818
    """A well-formed record with an illegal action, a wrong face or a wrong result. The message names the first."""


class Player(Struct, frozen=True):
    """A seat of a record."""

    name: str
    kind: str
    """``human`` or ``bot``."""


class Record(Struct, frozen=True):
    """A match in the form that other programs read: its actions with their faces, and its result."""

    players: tuple[Player, ...]
    """By seat."""
    start: State
    """The state before the first action: a cleared table, or the position that the players set up."""
    identifier: str
    """The identifier of the match."""
    commitment: str | None
    """SHA-256 of the seed, hexadecimal; None when the dice have no seed."""
    seed: bytes | None
    """The seed; None while the match goes on, and when the dice have none."""
    given: bool
    """Whether a player gave the seed."""
    events: tuple[Event, ...]
    places: Places | None
    """``Outcome.places``; None while the match goes on."""
    coaching: tuple[tuple[int, str], ...] = ()
    """Every change of the coach: the number of events before it, and its level from then on.

    Empty with shared dice: the coach is each machine's own, and everybody's record of the match is the same.
    """
    shared: SharedKeys | None = None
    """The keys of shared dice; None with other dice."""

    @classmethod
    def of(cls, match: Match) -> Record:
        """Return the record of a match, with its seed only if the match is finished.

        Raises ValueError for a match without an identifier.
        """
        if match.identifier is None:
            raise ValueError("a match without an identifier has no record")
        outcome = match.state.outcome
        return cls(
            players=tuple(Player(seat.name, "bot" if seat.bot else "human") for seat in match.lineup.seats),
            start=match.start,
            identifier=match.identifier,
            commitment=match.commitment,
            seed=match.seed if outcome else None,
            given=match.given,
            events=tuple(match.events),
            places=outcome.places if outcome else None,
            coaching=() if match.shared else tuple(match.coaching),
            shared=SharedKeys.of(match.dice) if isinstance(match.dice, SharedDice) else None,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat."""
        return tuple(player.name for player in self.players)

    @property
    def set_up(self) -> bool:
        """Whether the match started from a position that the players set up."""
        cleared = GAMES[self.start.key].start(len(self.players), self.start.starting_seat)
        return self.start != cleared

    @property
    def typed(self) -> bool:
        """Whether the faces were typed in, so that nobody can check them."""
        return self.commitment is None and self.shared is None

    @property
    def drawn(self) -> bool:
        """Whether the lot of the dice is the starting seat; False where no lot is drawn, and without seed and keys.

        Raises WrongRecord when a key is missing, or does not lead to its tip.
        """
        if self.shared and not self.shared.lot:
            return False
        if not GAMES[self.start.key].draws or self.set_up:
            return False
        dice = self.dice
        return dice is not None and dice.draw(len(self.players)) == self.start.starting_seat

    @property
    def dice(self) -> FairDice | SharedDice | None:
        """The dice of the seed or of the keys; None without both.

        Raises WrongRecord when a key is missing, or does not lead to its tip.
        """
        if self.shared:
            rolling = (event.seat for event in self.events if isinstance(event.action, Roll))
            try:
                return self.shared.dice(self._digest(self.shared), rolling)
            except ValueError as error:
                raise WrongRecord(str(error)) from error
        if self.seed is None:
            return None
        return FairDice(self.seed, self.given).at(match_context(self.identifier, self.start.key, self._named))

    @property
    def _named(self) -> list[tuple[str, str]]:
        return [(player.name, player.kind) for player in self.players]

    def _digest(self, keys: SharedKeys) -> bytes:
        starting_seat = None if keys.lot else self.start.starting_seat
        return match_digest(keys.table, keys.machines, self.start.key, self._named, starting_seat)


# -- verified --------------------------------------------------------------------------------------------------------


def verified_steps(record: Record) -> Iterator[Step]:
    """Yield every event with the states around it, once it is verified; at the end, verify the result.

    Raises WrongRecord at the first error.
    """
    dice = record.dice
    if isinstance(dice, FairDice) and dice.commitment != record.commitment:
        raise WrongRecord("the commitment is not the SHA-256 of the seed")
    if isinstance(dice, SharedDice):
        _check_shared(record, dice)
    contributions = Contributions(record.shared) if record.shared else None
    state = record.start
    throws = [0] * len(record.players)
    # Not games.replay: an event is checked before it is applied, its seat first, so that the message names the cause.
    for number, event in enumerate(record.events, 1):
        if state.to_act is None and not state.outcome:
            state = state.next_round()
        throws[event.seat] += isinstance(event.action, Roll)
        wrong = contributions.wrong(state, event) if contributions else None
        wrong = wrong or _wrong(record, state, event, dice, throws[event.seat])
        if wrong:
            raise WrongRecord(f"action {number}, {record.names[event.seat]}: {wrong}")
        after = state_after(state, event)
        yield Step(state, event, after)
        state = after
    wrong = contributions.wrong_at_end(state) if contributions else None
    if wrong:
        raise WrongRecord(f"at the end: {wrong}")
    outcome = state.outcome
    if not outcome and record.places:
        raise WrongRecord("the match is not over, and the result says it is")
    if outcome and record.places != outcome.places:
        places = ", ".join(listed(record.names[seat] for seat in shared) for shared in outcome.places)
        raise WrongRecord(f"the result is not right: the places are {places}")
    if outcome and record.commitment and not dice:
        raise WrongRecord("the match is over, and its seed is withheld")


def _check_shared(record: Record, dice: SharedDice) -> None:
    """Raise WrongRecord unless shared dice are of this match."""
    if dice.match.hex()[:IDENTIFIER_DIGITS] != record.identifier:
        raise WrongRecord("the identifier does not follow from the game, the players, the start and the machines")
    if record.shared and record.shared.lot and not record.drawn:
        raise WrongRecord(f"the lot falls on {record.names[dice.draw(len(record.names))]}")


def verify(record: Record) -> State:
    """Return the last state of a record. Raises WrongRecord at the first error."""
    state = record.start
    for step in verified_steps(record):
        state = step.after
    return state


def _wrong(record: Record, state: State, event: Event, dice: FairDice | SharedDice | None, throw: int) -> str | None:
    """The error of an event in this state, in a sentence; None without. ``throw`` counts its seat's throws from 1."""
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
    return f"The {source} {spaced(faces)}, the record {spaced(event.faces)}."


def fingerprint(text: str) -> str:
    """Return the SHA-256 of a record's text in UTF-8, 64 hexadecimal digits, as ``sha256sum`` prints it."""
    return sha256(text.encode()).hexdigest()


# -- written ---------------------------------------------------------------------------------------------------------


def write(record: Record) -> str:
    """Return a record as JSON text with one line for each player and each action."""
    dice: dict[str, object] = {"kind": "typed"}
    if record.shared:
        dice = record.shared.to_json()
    elif record.commitment:
        seed = record.seed.hex() if record.seed else None
        dice = {"kind": "fair", "commitment": record.commitment, "seed": seed, "given": record.given}
    document = {
        "format": FORMAT,
        "version": VERSION,
        "id": record.identifier,
        "game": record.start.key,
        "players": [{"name": player.name, "kind": player.kind} for player in record.players],
        "first": record.start.starting_seat,
        "position": record.start.position(),
        "dice": dice,
        "coach": [{"from": index + 1, "level": level} for index, level in record.coaching],
        "actions": [_action(event) for event in record.events],
        "result": {"places": places_json(record.places)} if record.places else None,
    }
    if not record.set_up:
        del document["position"]
    if not record.coaching:
        del document["coach"]
    fields = (f" {json.dumps(name)}: {_lines(value)}" for name, value in document.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def places_json(places: Iterable[Sequence[int]]) -> list[object]:
    """Return places for JSON: every seat, best first; seats that share a place are a list of their own."""
    return [shared if len(shared) > 1 else shared[0] for shared in places]


def _action(event: Event) -> dict[str, object]:
    if isinstance(event.action, Roll):
        return {"seat": event.seat, "roll": event.action.dice, "faces": event.faces}
    return {"seat": event.seat, "leave" if isinstance(event.action, Leave) else "stand": True}


def _lines(value: object) -> str:
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"  {_lines(item)}" for item in value) + "\n ]"
    return json.dumps(value, ensure_ascii=False)


# -- read ------------------------------------------------------------------------------------------------------------


def read(text: str) -> Record:
    """Read a record. Raises ValueError with a sentence for any other text, unknown fields included."""
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
    except ValueError as error:
        reason = str(error)
    raise ValueError(f"this is no record: {reason}")


def _record(value: object) -> Record:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    if "id" not in value:
        raise ValueError(TRIAL)
    version = value.get("version")
    if type(version) is int and version > VERSION:
        raise ValueError(f"it is of a newer version of this program, {version}")
    if type(version) is not int or version != VERSION:
        raise ValueError(f"its version is not {VERSION}")
    required = "format version id game players first dice actions result"
    document = _fields(value, "the record", required, optional="position coach")
    if not isinstance(document["game"], str) or document["game"] not in GAMES:
        raise ValueError(f"its game is none of {', '.join(GAMES)}")
    players = _players(document["players"])
    start = _start(document, len(players))
    actions = enumerate(_list(document["actions"], "actions"), 1)
    events = tuple(_event(action, f"action {number}", start) for number, action in actions)
    shared = isinstance(document["dice"], dict) and document["dice"].get("kind") == SharedDice.kind
    commitment, seed, given = (None, None, False) if shared else _dice(document["dice"])
    if shared and "coach" in document:
        raise ValueError("with shared dice a record has no coach")
    keys = _shared(document["dice"], start, events) if shared else None
    return Record(
        players,
        start,
        _identifier(document["id"]),
        commitment,
        seed,
        given,
        events=events,
        places=_places(document["result"], len(players)),
        coaching=tuple(_coaching(document.get("coach", []), len(document["actions"]))),
        shared=keys,
    )


def _players(value: object) -> tuple[Player, ...]:
    players = []
    for number, item in enumerate(_list(value, "players", 2, MOST_PLAYERS), 1):
        player = _fields(item, f"player {number}", "name kind")
        if not isinstance(player["name"], str) or player["kind"] not in ("human", "bot"):
            raise ValueError(f"player {number} is a name, and of the kind human or bot")
        refusal = check_name(player["name"], ())
        if refusal:
            raise ValueError(f"player {number}: {refusal}")
        players.append(Player(player["name"], player["kind"]))
    if len({folded(player.name) for player in players}) < len(players):
        raise ValueError("two players have the same name")
    return tuple(players)


def _start(document: dict[str, Any], seats: int) -> State:
    game = GAMES[document["game"]]
    starting_seat = document["first"]
    if starting_seat is not None or game.draws:
        starting_seat = _number(starting_seat, "first", 0, seats - 1)
    if "position" not in document:
        return game.start(seats, starting_seat)
    if not isinstance(document["position"], str):
        raise ValueError("the position is a text")
    start = game.position(document["position"])
    if (start.seats, start.starting_seat) != (seats, starting_seat):
        raise ValueError("the position has other seats, or another one that began, than the record")
    return start


def _identifier(value: object) -> str:
    if not _is_hexadecimal(value, IDENTIFIER_DIGITS):
        raise ValueError("the identifier of the match is 32 hexadecimal digits, in small letters")
    return str(value)


def _dice(value: object) -> tuple[str | None, bytes | None, bool]:
    """The commitment, the seed, and whether a player gave the seed."""
    if isinstance(value, dict) and value.get("kind") == "typed":
        _fields(value, "dice", "kind")
        return None, None, False
    dice = _fields(value, "dice", "kind commitment seed given")
    if dice["kind"] != "fair":
        raise ValueError("dice are of the kind fair, shared or typed")
    for name in ("commitment", "seed"):
        if not (name == "seed" and dice[name] is None) and not _is_hexadecimal(dice[name], 64):
            raise ValueError(f"the {name} is 64 hexadecimal digits, in small letters")
    given = dice["given"]
    if not isinstance(given, bool):
        raise ValueError("a seed is given or not: true or false belongs here")
    return dice["commitment"], None if dice["seed"] is None else bytes.fromhex(dice["seed"]), given


def _shared(value: object, start: State, events: Sequence[Event]) -> SharedKeys:
    dice = _fields(value, "dice", "kind table machines contributors void lot")
    if not isinstance(dice["lot"], bool) or (dice["lot"] and not GAMES[start.key].draws):
        raise ValueError("the lot is drawn or not, and only in a game that draws one: true or false belongs here")
    fallen = dice["lot"] + sum(isinstance(event.action, Roll) for event in events)
    steps = fallen + len(_list(dice["void"], "void"))
    void = tuple(_number(step, "a void step", 1, steps) for step in dice["void"])
    if [*void] != sorted(set(void)):
        raise ValueError("the void steps are in order, each once")
    items = [
        _fields(item, "a machine", "seats public tip key step")
        for item in _list(dice["machines"], "machines", 1, start.seats)
    ]
    machines = [
        Machine(
            _bytes(item["public"], "the public key of a machine"),
            _bytes(item["tip"], "the tip of a machine"),
            tuple(
                _number(seat, "a seat of a machine", 0, start.seats - 1)
                for seat in _list(item["seats"], "seats", 1, start.seats)
            ),
        )
        for item in items
    ]
    if sorted(seat for machine in machines for seat in machine.seats) != [*range(start.seats)]:
        raise ValueError("every seat belongs to one machine")
    changes = []
    for item in _list(dice["contributors"], "contributors"):
        change = _list(item, "a change of the contributors", 2, 2)
        opened = [
            _number(machine, "a contributor", 0, len(machines) - 1) for machine in _list(change[1], "contributors")
        ]
        if not opened or opened != sorted(set(opened)):
            raise ValueError("contributors are in order, each once")
        changes.append((_number(change[0], "the first step of contributors", 1, steps), opened))
    return SharedKeys(
        _bytes(dice["table"], "the table", most=64, least=1),
        tuple(machines),
        tuple(
            ShownKey(_number(item["step"], "the step of a key", 0, steps), _bytes(item["key"], "the key of a machine"))
            for item in items
        ),
        tuple(contributors_by_step(changes, steps)),
        void,
        dice["lot"],
    )


def _bytes(value: object, label: str, least: int = KEY_BYTES, most: int = KEY_BYTES) -> bytes:
    if not isinstance(value, str) or not re.fullmatch(f"([0-9a-f]{{2}}){{{least},{most}}}", value):
        raise ValueError(f"{label} is {2 * least}{'' if least == most else f' to {2 * most}'} hexadecimal digits")
    return bytes.fromhex(value)


def _is_hexadecimal(value: object, digits: int) -> bool:
    return isinstance(value, str) and re.fullmatch(f"[0-9a-f]{{{digits}}}", value) is not None


def _event(value: object, label: str, start: State) -> Event:
    for name, without_faces in (("stand", Stand()), ("leave", Leave())):
        if isinstance(value, dict) and name in value:
            fields = _fields(value, label, f"seat {name}")
            if fields[name] is not True:
                raise ValueError(f"{label} is a roll, or {name} is true")
            return Event(_number(fields["seat"], f"the seat of {label}", 0, start.seats - 1), without_faces, ())
    action = _fields(value, label, "seat roll faces")
    seat = _number(action["seat"], f"the seat of {label}", 0, start.seats - 1)
    most = GAMES[start.key].hand_size
    positions = _list(action["roll"], f"the roll of {label}", 1, most)
    dice = [_number(die, f"a die of {label}", 1, most) for die in positions]
    if dice != sorted(set(dice)):
        raise ValueError(f"the roll of {label} names its dice in order, each once")
    faces = _list(action["faces"], f"the faces of {label}", len(dice), len(dice))
    return Event(seat, Roll(tuple(dice)), tuple(_number(face, f"a face of {label}", 1, 6) for face in faces))


def _coaching(value: object, actions: int) -> Iterator[tuple[int, str]]:
    least = 1
    for number, item in enumerate(_list(value, "coach"), 1):
        change = _fields(item, f"change {number} of the coach", "from level")
        if change["level"] not in COACHING:
            raise ValueError(f"the coach is one of {', '.join(COACHING)}")
        start = _number(change["from"], f"the action of change {number} of the coach", least, actions + 1)
        least = start + 1
        yield start - 1, change["level"]


def _places(value: object, seats: int) -> Places | None:
    if value is None:
        return None
    items = _list(_fields(value, "the result", "places")["places"], "places", 1, seats)
    lists = [_list(item, "a shared place", 2, seats) if isinstance(item, list) else [item] for item in items]
    places = tuple(tuple(_number(seat, "a place", 0, seats - 1) for seat in shared) for shared in lists)
    if sorted(seat for shared in places for seat in shared) != [*range(seats)]:
        raise ValueError("the places are all seats, each once")
    if any(list(shared) != sorted(shared) for shared in places):
        raise ValueError("seats that share a place are in the order of the table")
    return places


def _fields(value: object, label: str, required: str, optional: str = "") -> dict[str, Any]:
    """The fields of a JSON object; raises ValueError unless it has all the required ones and no unknown ones."""
    if not isinstance(value, dict):
        raise ValueError(f"{label} is no JSON object")
    for name in required.split():
        if name not in value:
            raise ValueError(f"{label} has no field {name!r}")
    for name in value:
        if name not in (*required.split(), *optional.split()):
            raise ValueError(f"{label} has a field {name[:40]!r}, which is not known")
    return value


def _list(value: object, label: str, least: int = 0, most: int | None = None) -> list[Any]:
    if not isinstance(value, list) or len(value) < least or (most is not None and len(value) > most):
        size = "" if most is None else f" of {least}" if least == most else f" of {least} to {most}"
        raise ValueError(f"{label}: a list{size} belongs here")
    return value


def _number(value: object, label: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{label}: a whole number from {least} to {most} belongs here")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a field is there twice")
    return fields


def _integer(digits: str) -> int:
    return int(digits) if len(digits) < 10 else _no_number(digits)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text[:40]} is no number of a record")
