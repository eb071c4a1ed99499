"""The commands that print and end, as tables or as JSON: the odds of 420, simulated and past matches. No screen."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

from fourtwenty.cli.streams import end, show_any_name
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import DICE, FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll, State
from fourtwenty.games.words import says
from fourtwenty.odds import Choice, four_twenty
from fourtwenty.odds.four_twenty import Stay, evening, solve

if TYPE_CHECKING:
    from fourtwenty.journal.entries import Entry
    from fourtwenty.journal.history import History
    from fourtwenty.journal.record import Record
    from fourtwenty.play.lineup import Lineup

MOST_PLAYERS = 1000
"""More players than a room holds; their chances still take but a second."""

MOST_BYTES = 4_000_000
"""More than any record has."""


def run_command(arguments: Namespace) -> None:
    """Run a command that prints; end the program with one line when its arguments or what it reads are wrong."""
    from fourtwenty.journal.record import WrongRecord

    show_any_name()
    try:
        COMMANDS[arguments.command](arguments)
    except WrongRecord as error:
        end(f"fourtwenty {arguments.command}: {error}", status=1)
    except ValueError as error:
        end(f"fourtwenty {arguments.command}: {error}")


def odds(chosen: Namespace) -> None:
    """Print every legal choice of a hand with its chances. Raises ValueError for what is no hand to roll."""
    hand = parse_hand(chosen.hand)
    opponents = [parse_hand(text) for text in chosen.opponents] or [()]
    table = FourTwenty.at([hand, *opponents])
    choices = four_twenty.choices(table)
    if chosen.json:
        rerolls = [
            {
                "keep": list(choice.stay),
                "roll": _thrown(hand, choice),
                "p_twenty": choice.chances[0],
                "p_over": choice.chances[1],
                "p_round": choice.value,
            }
            for choice in choices
        ]
        _print_json({"hand": list(hand), "opponents": [list(other) for other in opponents], "rerolls": rerolls})
        return
    others = ", then ".join(_digits(other) if other else "a hand not yet rolled" for other in opponents)
    print(f"{_digits(hand) or 'The first roll'}, before {others}\n")
    print("stay   roll    exactly 20     over   win the round    loses")
    best = choices[0].value
    for choice in choices:
        twenty, over = choice.chances
        assert isinstance(choice.action, Roll)
        loses = "forced" if len(choices) == 1 else f"{100 * (best - choice.value):6.2f}" if choice.value < best else ""
        print(
            f"{_digits(choice.stay) or '-':5}  {len(choice.action.dice)}      {100 * twenty:8.2f} %{100 * over:7.2f} %"
            f"{100 * choice.value:12.2f} %   {loses:>6}".rstrip()
        )
    matter = "change" if four_twenty.others_matter(table) else "never change"
    print(f"\nOther hands beside it {matter} what is best here.")


def values(chosen: Namespace) -> None:
    """Print what a cleared table is worth by seat. Raises ValueError for fewer than two players."""
    if not 2 <= chosen.players <= MOST_PLAYERS:
        raise ValueError(f"two to {MOST_PLAYERS} players, not {chosen.players}")
    worth = evening(chosen.players)
    if chosen.json:
        _print_json({"players": chosen.players, "round": worth.round, "drinks": worth.drinks})
        return
    print(f"{chosen.players} players, nobody has rolled, everybody plays best\n")
    print("player   wins the round   buys the drinks")
    for player, (wins, pays) in enumerate(zip(worth.round, worth.drinks, strict=True), 1):
        print(f"{player:6}  {100 * wins:13.4f} %  {100 * pays:14.4f} %")


def strategy(chosen: Namespace) -> None:
    """Print best play for every hand."""
    solution = solve()
    if chosen.json:
        _print_json({"hands": [_best_play(hand) for hand in sorted(solution.classes, reverse=True) if hand]})
        return
    print("\n".join(strategy_card()))


def strategy_card() -> list[str]:
    """Return best play for every hand as lines that fit a screen of 80 by 24."""
    solution = solve()
    members: dict[Stay, list[str]] = defaultdict(list)
    for hand, number in sorted(solution.classes.items()):
        if hand:
            members[solution.best[number]].append(_digits(hand[::-1]))
    rolls = {stay: solution.rolls[number] for number, stay in enumerate(solution.best)}
    lines = ["420, best play: let stay the first of these that you have, and roll the rest.", ""]
    lines.append("stay   20 now     over   rolls to 20   with these hands")
    for stay in sorted(members, key=lambda stay: (rolls[stay], -sum(stay))):
        throw = solution.throws[stay]
        hands = members[stay]
        for start in range(0, len(hands), 8) if stay else (0,):
            shown = " ".join(hands[start : start + 8]) if stay else "any other, and every hand over 20"
            chances = f"{100 * throw.twenty:5.1f} %  {100 * throw.over:5.1f} %"
            head = f"{_digits(stay[::-1]) or '-':5} {chances}  {rolls[stay]:10.2f}"
            lines.append(f"{head if start == 0 else '':37}{shown}".rstrip())
    lines += ["", *_hurry(solution)]
    return lines


def _hurry(solution: four_twenty.Solution) -> list[str]:
    """Which hands the others matter to."""
    hands: dict[Stay, list[str]] = defaultdict(list)
    for hand, number in solution.classes.items():
        if solution.hurried[number] != solution.best[number]:
            hands[solution.hurried[number]].append(_digits(hand[::-1]))
    kept = ", ".join(f"{_digits(stay[::-1])} of {' and '.join(members)}" for stay, members in hands.items())
    return [
        f"Other hands matter to {sum(map(len, hands.values()))} hands only, and only beside three others or more:",
        f"when those are strong, {kept} may stay.",
    ]


def _best_play(hand: Faces) -> dict[str, object]:
    solution = solve()
    number = solution.classes[hand]
    stay, hurried = solution.best[number], solution.hurried[number]
    throw = solution.throws[stay]
    return {
        "hand": list(hand[::-1]),
        "keep": list(stay[::-1]),
        "roll": list(_without(hand[::-1], stay)),
        "p_twenty": throw.twenty,
        "p_over": throw.over,
        "rolls": solution.rolls[number],
        "keep_in_a_hurry": list(hurried[::-1]),
    }


def simulate(chosen: Namespace) -> None:
    """Play many matches of bots and print who won and who paid. Raises ValueError when a person is seated.

    After ctrl+c prints what has been counted so far, and raises KeyboardInterrupt again.
    """
    from fourtwenty.odds import odds_of
    from fourtwenty.play.dice import FairDice, parse_seed
    from fourtwenty.play.lineup import Lineup, parse_players
    from fourtwenty.play.match import Match

    seed = parse_seed(chosen.seed) if chosen.seed is not None else FairDice.fresh().seed
    lineup = Lineup(parse_players(chosen.players), game=chosen.game, starting_seat=0)
    people = [seat.name for seat in lineup.seats if seat.bot is None]
    if people:
        raise ValueError(f"{people[0]} is a person; every seat of a simulation is a bot, as bot:Steady")
    if chosen.matches < 1:
        raise ValueError("one match or more")
    began = time.perf_counter()
    ends = _play_and_count(lineup, chosen.matches, seed)
    matches = ends.total()
    if not matches:
        raise KeyboardInterrupt
    speed = matches / (time.perf_counter() - began)
    first, last = [0] * len(lineup.seats), [0] * len(lineup.seats)
    for (winner, payer), times in ends.items():
        first[winner] += times
        last[payer] += times
    seats: list[dict[str, object]] = [
        {
            "name": seat.name,
            "bot": seat.bot,
            "round": won / matches,
            "round_error": _error(won, matches),
            "drinks": paid / matches,
            "drinks_error": _error(paid, matches),
        }
        for seat, won, paid in zip(lineup.seats, first, last, strict=True)
    ]
    cleared = Match(lineup).state
    perfect = odds_of(cleared).ending(cleared)
    for seat, wins, pays in zip(seats, *perfect, strict=True) if perfect else ():
        seat.update(perfect_round=wins, perfect_drinks=pays)
    interrupted = matches < chosen.matches
    if chosen.json:
        counted = {"game": chosen.game, "matches": matches, "seed": seed.hex(), "seats": seats}
        _print_json({**counted, "matches_per_second": speed, "interrupted": interrupted})
    else:
        how_many = f"Interrupted after {matches:,} of {chosen.matches:,}" if interrupted else f"{matches:,}"
        perfect_aside = "; in brackets: if everybody played best" if perfect else ""
        print(f"{how_many} matches, {lineup.seats[0].name} starts{perfect_aside}\n")
        _print_seats(seats, GAMES[chosen.game].ends)
        print(f"\n{speed:,.0f} matches a second; seed {seed.hex()}")
    if interrupted:
        raise KeyboardInterrupt


def _play_and_count(lineup: Lineup, matches: int, seed: bytes) -> Counter[tuple[int, int]]:
    """Return how often each two seats came first and last, of as many matches as were over before ctrl+c."""
    from fourtwenty.cli.progress import Progress
    from fourtwenty.play.simulation import play_matches

    ends: Counter[tuple[int, int]] = Counter()
    progress = Progress(matches)
    try:
        for played, outcome in enumerate(play_matches(lineup, matches, seed), 1):
            ends[outcome.places[0], outcome.places[-1]] += 1
            progress.show(played)
    except KeyboardInterrupt:
        progress.leave()
    return ends


def _print_seats(seats: Sequence[Mapping[str, object]], ends: tuple[str, str]) -> None:
    """Print a line a seat: how often it came first and last."""
    wins_first, pays_last = ends
    width = max(6, *(len(str(seat["name"])) for seat in seats))
    print(f"{'seat':{width}}   {wins_first:27} {pays_last}")
    for seat in seats:
        print(f"{seat['name']:{width}}   {_share(seat, 'round'):27} {_share(seat, 'drinks')}".rstrip())


def history(chosen: Namespace) -> None:
    """Print the matches of the past, the last one first. Raises ValueError when they cannot be read."""
    from fourtwenty.journal.entries import local

    entries: list[Entry] = []
    with _reading() as kept:
        page = kept.page() if kept.exists() else ()
        while page:
            entries += page
            page = kept.page(before=page[-1].id)
    if chosen.json:
        _print_json({"matches": [_past_match(entry) for entry in entries]})
        return
    if not entries:
        print("No match has been played yet.")
        return
    head = ("id", "begun", "game", "seats", "how it ended, or where it waits")
    rows = [
        (
            str(entry.id),
            f"{local(entry.started):%Y-%m-%d %H:%M}",
            GAMES[entry.game].name,
            ", ".join(seat.name for seat in entry.seats),
            entry.news if entry.finished else f"waits: {entry.news}",
        )
        for entry in entries
    ]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(4)]
    for row in (head, *rows):
        print("  ".join([*map(str.ljust, row, widths), row[-1]]))


def _past_match(entry: Entry) -> dict[str, object]:
    places = [seat.place for seat in entry.seats]
    return {
        "id": entry.id,
        "game": entry.game,
        "started": entry.started.isoformat(),
        "played": entry.played.isoformat(),
        "finished": entry.finished,
        "news": entry.news,
        "players": [{"name": seat.name, "kind": "bot" if seat.bot else "human"} for seat in entry.seats],
        "places": sorted(range(len(places)), key=lambda seat: places[seat] or 0) if entry.finished else None,
    }


def verify(chosen: Namespace) -> None:
    """Say that a record is right. Raises WrongRecord for the first thing that is wrong, ValueError for no record.

    Strictly, a record is wrong too as long as its faces cannot be checked.
    """
    from fourtwenty.journal.record import WrongRecord, read, verified_steps, verify

    record = read(_text(chosen.file))
    for before, event, _ in verified_steps(record) if chosen.until_error else ():
        print(f"{record.names[event.seat]}: {before.tell(event.action, event.faces)}", flush=True)
    state = verify(record)
    if chosen.strict and record.commitment is None:
        raise WrongRecord("its faces were typed, so nobody can check them")
    if chosen.strict and record.seed is None:
        raise WrongRecord("its seed is withheld, so nobody can check its faces")
    print(_verdict(record, state))


def export(chosen: Namespace) -> None:
    """Print the record of a match that is kept. Raises ValueError when there is none."""
    from fourtwenty.journal.record import Record, write

    with _reading() as kept:
        if not kept.exists():
            raise ValueError(f"there is no match {chosen.id}")
        record = Record.of(kept.match(chosen.id))
    sys.stdout.buffer.write(write(record).encode())


@contextmanager
def _reading() -> Iterator[History]:
    """The history, of which nothing is made, moved or changed. Raises ValueError when it cannot be read."""
    from fourtwenty.journal.history import History
    from fourtwenty.paths import history_file
    from fourtwenty.play.match import NotKept

    try:
        with closing(History(history_file(), print, read_only=True)) as kept:
            yield kept
    except NotKept as why:
        raise ValueError(f"nothing can be read: {why}") from why


def _text(file: str) -> str:
    """What a file holds, or standard input for -. Raises ValueError when it cannot be read or is no text."""
    try:
        with os.fdopen(0, "rb") if file == "-" else Path(file).open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    if len(content) > MOST_BYTES:
        raise ValueError(f"this is no record: it has more than {MOST_BYTES:,} bytes")
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise ValueError("this is no record: it is no text in UTF-8") from error


def _verdict(record: Record, state: State) -> str:
    """What has been verified, in one line."""
    from fourtwenty.journal.record import fingerprint, write
    from fourtwenty.play.match import news

    facts = [
        f"{GAMES[state.key].name}, {', '.join(record.names)}",
        f"{sum(isinstance(event.action, Roll) for event in record.events)} rolls",
    ]
    first = record.start.starting_seat
    if record.set_up:
        facts.append("from a position that was set up")
    elif record.seed and first is not None and not record.drawn:
        facts.append(f"{says(record.names[first], 'was', 'were')} set to start")
    if record.commitment is None:
        facts.append("the faces are as people typed them")
    elif record.seed is None:
        facts.append("no face can be checked before the seed is shown at the end")
    else:
        added = [name for name, word in zip(record.names, record.words, strict=True) if word]
        words = f" and the words of {' and '.join(added)}" if added else ""
        facts.append(
            f"{'the lot and every face follow' if record.drawn else 'every face follows'} from the seed{words}"
        )
    if record.given:
        facts.append("the seed was given by a player, not drawn")
    facts += [news(state, record.names), f"fingerprint {fingerprint(write(record))}"]
    return f"OK{'' if state.outcome else ' so far'}: {'; '.join(facts)}."


def _share(seat: Mapping[str, object], what: str) -> str:
    """How often something happened to a seat, and how often it would in best play."""
    expected = seat.get(f"perfect_{what}")
    brackets = f"  ({100 * expected:5.2f} %)" if isinstance(expected, float) else ""
    return f"{_percent(seat[what])} ±{_percent(seat[f'{what}_error'])} %{brackets}"


def _percent(share: object) -> str:
    assert isinstance(share, float)
    return f"{100 * share:5.2f}"


def _error(times: int, matches: int) -> float:
    """The standard error of a share."""
    share = times / matches
    return sqrt(share * (1 - share) / matches)


def _thrown(hand: Faces, choice: Choice) -> list[int]:
    """The faces that a choice rolls; none before the first roll."""
    assert isinstance(choice.action, Roll)
    return [face for die, face in zip(DICE, hand, strict=False) if die in choice.action.dice]


def _without(hand: Faces, stay: Stay) -> Faces:
    left = list(hand)
    for face in stay:
        left.remove(face)
    return tuple(left)


def _digits(faces: Sequence[int]) -> str:
    return "".join(map(str, faces))


def _print_json(document: dict[str, object]) -> None:
    print(json.dumps(document, ensure_ascii=False))


COMMANDS: dict[str, Callable[[Namespace], None]] = {
    "odds": odds,
    "values": values,
    "strategy": strategy,
    "simulate": simulate,
    "history": history,
    "export": export,
    "verify": verify,
}
"""The commands that print, by name."""
