"""The commands that print tables or JSON: the odds of 420, the history, records and their verification.

The command ``simulate`` is in simulate_command.py.
"""

from __future__ import annotations

import os
import re
import sys
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fourtwenty.cli.simulate_command import simulate
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import DICE, FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll, State
from fourtwenty.games.words import all_of, counted, name_and_verb
from fourtwenty.odds import four_twenty
from fourtwenty.odds.four_twenty import Kept, evening, solve
from fourtwenty.odds.interface import Choice
from fourtwenty.play.text import AS_ESTIMATED, cost, noticeable, percent
from fourtwenty.streams import end, print_json, show_any_name, write_line

if TYPE_CHECKING:
    from fourtwenty.journal.entries import Entry
    from fourtwenty.journal.history import History
    from fourtwenty.journal.record import Record
    from fourtwenty.play.match import Match

MOST_PLAYERS_SOLVED = 1000
"""Limit of ``values``, which takes about a second for 1000 players."""

MATCHES_LISTED = 20
"""Number of matches that ``history`` prints without --all: a screenful."""


def run_command(arguments: Namespace) -> None:
    """Run a command that prints; end the program with one line and status 2, or 1 for a wrong record, on an error."""
    from fourtwenty.journal.record import WrongRecord

    show_any_name()
    try:
        PRINTING[arguments.command](arguments)
    except WrongRecord as error:
        end(f"fourtwenty {arguments.command}: {error}", status=1)
    except ValueError as error:
        end(f"fourtwenty {arguments.command}: {error}")


def odds(arguments: Namespace) -> None:
    """Print every legal choice of a hand with its chances. Raises ValueError for an impossible hand."""
    hand, *opponents = map(parse_hand, _hands([arguments.hand, *arguments.opponents]))
    opponents = opponents or [()]
    state = FourTwenty.at([hand, *opponents])
    choices, estimated = four_twenty.choices(state), four_twenty.approximate(state)
    if arguments.json:
        rerolls = [
            {
                "keep": list(choice.kept),
                "roll": _rolled_faces(hand, choice),
                "p_twenty": choice.chances[0],
                "p_over": choice.chances[1],
                "p_round": _known(choice.value, len(opponents) + 1, 2 if estimated else 3),
            }
            for choice in choices
        ]
        hands = {"hand": list(hand), "opponents": [list(other) for other in opponents]}
        print_json({**hands, "rerolls": rerolls, "about": estimated})
        return
    others = ", then ".join(_digits(other) if other else "a hand not yet rolled" for other in opponents)
    print(f"{_digits(hand) or 'The first roll'}, before {others}\n")
    _print_choices(choices, estimated)
    matter = "can change" if four_twenty.others_matter(state) else "never change"
    print(f"\nThe other hands {matter} the best choice here{AS_ESTIMATED if estimated else ''}.")


def _hands(texts: Sequence[str]) -> list[str]:
    """Return the texts of hands; four faces in a row, each a text of its own, are one hand."""
    return re.sub(r"(?<!\S)([1-6]) ([1-6]) ([1-6]) ([1-6])(?!\S)", r"\1\2\3\4", " ".join(texts)).split() or [*texts]


def _print_choices(choices: Sequence[Choice], estimated: bool) -> None:
    print("keep   roll    exactly 20     over   win the round     costs")
    best = choices[0].value
    for choice in choices:
        twenty, over = choice.chances
        assert isinstance(choice.action, Roll)
        loss = best - choice.value
        verdict = cost(loss, estimated) if noticeable(loss, estimated) else "forced" if len(choices) == 1 else "best"
        print(
            f"{_digits(choice.kept) or '-':5}  {len(choice.action.dice)}     {twenty:11.2%}{over:9.2%}"
            f"{percent(choice.value, estimated):>16}{verdict:>10}"
        )


def print_values(arguments: Namespace) -> None:
    """Print each player's chances before the first roll. Raises ValueError for too few or too many players."""
    if not 2 <= arguments.players <= MOST_PLAYERS_SOLVED:
        raise ValueError(f"two to {MOST_PLAYERS_SOLVED} players, not {arguments.players}")
    players = arguments.players
    worth, estimated = evening(players), four_twenty.approximate(FourTwenty.start(players, 0))
    if arguments.json:
        chances = {
            name: [_known(chance, players, 2 if estimated else 4) for chance in getattr(worth, name)]
            for name in ("round", "drinks")
        }
        print_json({"players": players, **chances, "about": estimated})
        return
    print(f"{players} players, nobody has rolled, everybody plays best\n")
    print("player   wins the round   buys the drinks")
    for player, (wins, pays) in enumerate(zip(worth.round, worth.drinks, strict=True), 1):
        shown = (percent(chance, estimated=True) if estimated else f"{chance:.2%}" for chance in (wins, pays))
        print(f"{player:6}   {next(shown):>14}   {next(shown):>15}")


def _known(chance: float, players: int, digits: int) -> float:
    """Return a chance of 420 with the digits that are known, the last within one; up to three players with all."""
    return chance if players <= four_twenty.CALM_TABLE else round(chance, digits)


def strategy(arguments: Namespace) -> None:
    """Print best play for every hand."""
    solution = solve()
    if arguments.json:
        print_json({"hands": [_best_play(hand) for hand in sorted(solution.classes, reverse=True) if hand]})
        return
    print("\n".join(strategy_card()))


def strategy_card() -> list[str]:
    """Return best play for every hand as lines that fit a terminal of 80 by 24."""
    solution = solve()
    members: dict[Kept, list[str]] = defaultdict(list)
    for hand, index in sorted(solution.classes.items()):
        if hand:
            members[solution.best[index]].append(_digits(hand[::-1]))
    rolls = {kept: solution.rolls[index] for index, kept in enumerate(solution.best)}
    lines = ["Best play of 420: over 20 roll all four, else keep the first of these you have.", ""]
    lines.append("keep   20 now     over   rolls to 20   with these hands")
    for kept in sorted(members, key=lambda kept: (rolls[kept], -sum(kept))):
        throw = solution.throws[kept]
        hands = members[kept]
        for start in range(0, len(hands), 8) if kept else (0,):
            shown = " ".join(hands[start : start + 8]) if kept else "any other, and every hand over 20"
            chances = f"{throw.twenty:7.1%}  {throw.over:7.1%}"
            head = f"{_digits(kept[::-1]) or '-':5} {chances}  {rolls[kept]:10.2f}"
            lines.append(f"{head if start == 0 else '':37}{shown}".rstrip())
    return [*lines, "", *_hurried_hands(solution)]


def _hurried_hands(solution: four_twenty.Solution) -> list[str]:
    """The lines about the hands whose best play depends on the opponents' hands."""
    hands: dict[Kept, list[str]] = defaultdict(list)
    for hand, index in solution.classes.items():
        if solution.hurried[index] != solution.best[index]:
            hands[solution.hurried[index]].append(_digits(hand[::-1]))
    kept = ", ".join(f"{_digits(dice[::-1])} of {' and '.join(members)}" for dice, members in hands.items())
    return [
        f"Other hands matter to {sum(map(len, hands.values()))} hands only (an estimate above seven players): beside",
        f"three strong others or more, {kept} can be best.",
    ]


def _best_play(hand: Faces) -> dict[str, object]:
    """Best play for a hand as a JSON object, faces in descending order."""
    solution = solve()
    index = solution.classes[hand]
    kept, hurried = solution.best[index], solution.hurried[index]
    throw = solution.throws[kept]
    return {
        "hand": list(hand[::-1]),
        "keep": list(kept[::-1]),
        "roll": list(_without(hand[::-1], kept)),
        "p_twenty": throw.twenty,
        "p_over": throw.over,
        "rolls": solution.rolls[index],
        "keep_in_a_hurry": list(hurried[::-1]),
    }


def history(arguments: Namespace) -> None:
    """Print the newest matches, or with --all every match, newest first, or the review of one.

    Raises ValueError when they cannot be read. Pages are printed as they are read, so that all matches take no more
    memory than a page.
    """
    with _open_history() as past:
        if arguments.id is not None:
            _print_match(past, arguments)
            return
        if not past.is_begun():
            pages: Iterator[Sequence[Entry]] = iter(())
            more = 0
        else:
            pages = _pages(past) if arguments.all else iter([past.page(limit=MATCHES_LISTED)])
            more = 0 if arguments.all else max(0, past.count() - MATCHES_LISTED)
        (_print_entries_json if arguments.json else _print_entries)(past, pages, more)


def _print_match(past: History, arguments: Namespace) -> None:
    from fourtwenty.cli.plain_home import review_lines
    from fourtwenty.cli.text_table import aloud

    match = _match(past, arguments.id)
    if arguments.json:
        _print_entries_json(past, iter([past.page(before=arguments.id + 1, limit=1)]), 0)
        return
    for line in review_lines(match):
        write_line(aloud(line))


def _match(past: History, id: int) -> Match:  # noqa: A002
    if not past.is_begun():
        raise ValueError(f"there is no game {id}")
    return past.match(id)


def _pages(past: History) -> Iterator[Sequence[Entry]]:
    before, least = None, sys.maxsize
    while before != least:  # a page may have damaged matches alone
        before = least
        page = past.page(before=before)
        least = min([before, *past.unreadable, *(entry.id for entry in page)])
        yield page


def _print_entries(past: History, pages: Iterator[Sequence[Entry]], more: int) -> None:
    """Print a table of matches, one line each, in columns as wide as the first page needs."""
    from fourtwenty.journal.entries import unreadable_words
    from fourtwenty.play.clock import local

    head = ("id", "started", "game", "players", "how it ended, or whose turn it is")
    widths: list[int] = []
    for page in pages:
        rows = [
            (
                str(entry.id),
                f"{local(entry.started):%Y-%m-%d %H:%M}",
                GAMES[entry.game].name,
                ", ".join(seat.name for seat in entry.seats),
                entry.news if entry.finished else ", ".join(filter(None, ("unfinished", entry.turn, entry.progress))),
            )
            for entry in page
        ]
        if rows and not widths:
            rows.insert(0, head)
            widths = [max(len(row[column]) for row in rows) for column in range(4)]
        for row in rows:
            print("  ".join([*map(str.ljust, row, widths), row[-1]]))
    if past.unreadable:
        print(unreadable_words(len(past.unreadable)))
    elif not widths:
        from fourtwenty.paths import data_folder, left_by_trial

        print(f"No games yet. {left_by_trial(data_folder())}".rstrip())
    if more:
        print(f"{more:,} more: fourtwenty history --all")


def _print_entries_json(past: History, pages: Iterator[Sequence[Entry]], more: int) -> None:
    """Print matches as one JSON document on one line; ``more`` is the number of those that are left out.

    ``unreadable`` is the number of those among the others that are damaged.
    """
    import json

    print('{"matches": [', end="")
    for number, entry in enumerate(entry for page in pages for entry in page):
        print(", " if number else "", json.dumps(_entry_json(entry), ensure_ascii=False), sep="", end="")
    print(f'], "more": {more}, "unreadable": {len(past.unreadable)}}}')


def _entry_json(entry: Entry) -> dict[str, object]:
    from fourtwenty.journal.record import places_json

    seats: dict[int, list[int]] = {}
    for number, seat in enumerate(entry.seats):
        seats.setdefault(seat.place or 0, []).append(number)
    return {
        "id": entry.id,
        "game": entry.game,
        "started": entry.started.isoformat(),
        "played": entry.played.isoformat(),
        "finished": entry.finished,
        "news": entry.news,
        "players": [{"name": seat.name, "kind": "bot" if seat.bot else "human"} for seat in entry.seats],
        "places": places_json(seats[place] for place in sorted(seats)) if entry.finished else None,
    }


def print_verdict(arguments: Namespace) -> None:
    """Verify a record and print the verdict. Raises WrongRecord at the first error, ValueError for no record.

    With --strict, a record whose faces cannot be checked is wrong too.
    """
    from fourtwenty.journal.record import WrongRecord, read, verified_steps, verify
    from fourtwenty.play.match_log import event_sentence

    record = read(_read_text(arguments.file))
    for before, event, _ in verified_steps(record) if arguments.until_error else ():
        print(event_sentence(record.names[event.seat], before, event), flush=True)
    state = verify(record)
    if arguments.strict and record.typed:
        raise WrongRecord("its faces were typed, so nobody can check them")
    if arguments.strict and record.fair and record.fair.seed is None:
        raise WrongRecord("its seed is withheld, so nobody can check its faces")
    print(_verdict(record, state))


def export(arguments: Namespace) -> None:
    """Print the record of a match of the history, or a text for a chat. Raises ValueError when there is none."""
    from fourtwenty.journal.record import Record, write
    from fourtwenty.review.match_text import match_text

    with _open_history() as past:
        match = _match(past, arguments.id)
    if arguments.text:
        print(match_text(match))
    else:
        sys.stdout.buffer.write(write(Record.of(match)).encode())


@contextmanager
def _open_history() -> Iterator[History]:
    """The history, opened read-only. Raises ValueError when it cannot be read."""
    from fourtwenty.journal.history import History
    from fourtwenty.paths import history_file
    from fourtwenty.play.match import NotKept

    try:
        with closing(History(history_file(), print, read_only=True)) as past:
            yield past
    except NotKept as why:
        raise ValueError(f"nothing can be read: {why}") from why


def _read_text(file: str) -> str:
    """The text of a file, which may be a pipe, or of standard input for "-".

    Raises ValueError when it cannot be read or is no text.
    """
    from fourtwenty.paths import read_limited

    try:
        with os.fdopen(0, "rb") if file == "-" else Path(file).open("rb") as opened:
            return read_limited(opened)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"this is no record: {error}") from error


def _verdict(record: Record, state: State) -> str:
    """The verified facts in one line."""
    from fourtwenty.journal.record import fingerprint, write
    from fourtwenty.play.match import news

    facts = [
        f"{GAMES[state.key].name}, {', '.join(record.names)}",
        counted(sum(isinstance(event.action, Roll) for event in record.events), "roll", "rolls"),
    ]
    starting_seat = record.start.starting_seat
    if record.set_up:
        facts.append("from a position that was set up")
    elif record.dice and starting_seat is not None and not record.drawn:
        facts.append(f"{name_and_verb(record.names[starting_seat], 'was', 'were')} set to start")
    follow = "the lot and every face follow" if record.drawn else "every face follows"
    if record.typed:
        facts.append("the faces are as people typed them")
    elif record.shared:
        machines, void = len(record.shared.machines), len(record.shared.void)
        facts.append(f"dice by {all_of(machines, 'machine', 'machines')}, {follow} from their keys")
        if void:
            facts.append(f"{counted(void, 'throw was', 'throws were')} given up")
    elif record.dice is None:
        facts.append("no face can be checked before the seed is shown at the end")
    else:
        facts.append(f"{follow} from the seed")
    if record.fair and record.fair.given:
        facts.append("the seed was given by a player, not drawn")
    facts += [news(state, record.names), f"fingerprint {fingerprint(write(record))}"]
    return f"OK{'' if state.outcome else ' so far'}: {'; '.join(facts)}."


def _rolled_faces(hand: Faces, choice: Choice) -> list[int]:
    """The faces of the dice that a choice rolls again; none before the first roll."""
    assert isinstance(choice.action, Roll)
    return [face for die, face in zip(DICE, hand, strict=False) if die in choice.action.dice]


def _without(hand: Faces, kept: Kept) -> Faces:
    rolled = list(hand)
    for face in kept:
        rolled.remove(face)
    return tuple(rolled)


def _digits(faces: Sequence[int]) -> str:
    return "".join(map(str, faces))


PRINTING: dict[str, Callable[[Namespace], None]] = {
    "odds": odds,
    "values": print_values,
    "strategy": strategy,
    "simulate": simulate,
    "history": history,
    "export": export,
    "verify": print_verdict,
}
"""The commands that print, by their names on the command line."""
