"""The commands that print."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from math import inf, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from fourtwenty.console import escape_unencodable_output, exit_with_error, print_json, write_error, write_line
from fourtwenty.games import GAMES
from fourtwenty.games.english import all_of, name_and_verb, pluralize
from fourtwenty.games.four_twenty import FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll, State
from fourtwenty.games.notation import digits
from fourtwenty.odds import four_twenty_solver
from fourtwenty.odds.four_twenty_solver import initial_values, solve
from fourtwenty.odds.solver import Choice, PlacementOdds
from fourtwenty.play.format import AS_ESTIMATED, cost, noticeable, percent

if TYPE_CHECKING:
    from fourtwenty.journal.history import History
    from fourtwenty.journal.history_entries import HistoryEntry
    from fourtwenty.journal.record import Record
    from fourtwenty.play.lineup import Lineup
    from fourtwenty.play.simulation import JudgedChoice

MAX_PLAYERS_SOLVED = 1000

MATCHES_LISTED = 20
"""The most matches that ``history`` prints without --all: a screenful."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""The characters with which a formula begins in some spreadsheet; the last four are full-width."""

MAX_POSITIONS = 10

SAME_DIGITS = 9
"""Losses of one choice of a hand that are equal to so many digits belong to one position."""

WAITING_NOTICE_SECONDS = 2.0
"""Seconds until ``verify`` says that it waits for a text to end."""

SECONDS_BETWEEN = 0.2
"""Least seconds between drawings of a simulation's progress."""

FinishSeats = tuple[tuple[int, ...], tuple[int, ...]]
"""The seats in first and in last place of a match."""


def run_command(arguments: Namespace) -> None:
    """Run a command that prints; errors exit with status 2, a wrong record with 1."""
    from fourtwenty.journal.record import RecordError

    escape_unencodable_output()
    try:
        PRINTING[arguments.command](arguments)
    except ValueError as error:
        exit_with_error(f"fourtwenty {arguments.command}: {error}", status=1 if isinstance(error, RecordError) else 2)


def odds(arguments: Namespace) -> None:
    hand, *opponents = map(parse_hand, _hands([arguments.hand, *arguments.opponents]))
    opponents = opponents or [()]
    state = FourTwenty.from_hands([hand, *opponents])
    choices, estimated = four_twenty_solver.choices(state), four_twenty_solver.is_estimated(state)
    if arguments.json:
        rerolls = [
            {
                "keep": choice.kept,
                "roll": [face for die, face in enumerate(hand, 1) if die in _thrown(choice)],
                "p_twenty": choice.chances[0],
                "p_over": choice.chances[1],
                "p_round": _known(choice.value, len(opponents) + 1, 2 if estimated else 3),
            }
            for choice in choices
        ]
        print_json({"hand": hand, "opponents": opponents, "rerolls": rerolls, "about": estimated})
        return
    others = ", then ".join(digits(other) if other else "a hand not yet rolled" for other in opponents)
    print(f"{digits(hand) if hand else 'The first roll'}, before {others}\n")
    print("keep   roll    exactly 20     over   win the round          costs")
    for choice in choices:
        twenty, over = (percent(chance, digits=2) for chance in choice.chances)
        wins, loss = percent(choice.value, estimated), choices[0].value - choice.value
        verdict = cost(loss, estimated) if noticeable(loss, estimated) else "forced" if len(choices) == 1 else "best"
        print(f"{digits(choice.kept):5}  {len(_thrown(choice))}     {twenty:>11}{over:>9}{wins:>16}{verdict:>15}")
    matter = "can change" if four_twenty_solver.others_matter(state) else "never change"
    print(f"\nThe other hands {matter} the best choice here{AS_ESTIMATED if estimated else ''}.")


def _thrown(choice: Choice) -> tuple[int, ...]:
    assert isinstance(choice.action, Roll)
    return choice.action.dice


def _hands(texts: Sequence[str]) -> list[str]:
    """Return the texts of hands; four single faces in a row are one hand."""
    return re.sub(r"(?<!\S)([1-6]) ([1-6]) ([1-6]) ([1-6])(?!\S)", r"\1\2\3\4", " ".join(texts)).split() or [*texts]


def print_values(arguments: Namespace) -> None:
    if not 2 <= arguments.players <= MAX_PLAYERS_SOLVED:
        raise ValueError(f"two to {MAX_PLAYERS_SOLVED} players, not {arguments.players}")
    players = arguments.players
    worth, estimated = initial_values(players), four_twenty_solver.is_estimated(FourTwenty.start(players, 0))
    if arguments.json:
        wins, pays = (
            [_known(chance, players, 2 if estimated else 4) for chance in each] for each in (worth.round, worth.drinks)
        )
        print_json({"players": players, "round": wins, "drinks": pays, "about": estimated})
        return
    print(f"{players} players, nobody has rolled, everybody plays best\n")
    print("player   wins the round   buys the drinks")
    for player, chances in enumerate(zip(worth.round, worth.drinks, strict=True), 1):
        round_, drinks = (percent(chance, estimated, digits=2) for chance in chances)
        print(f"{player:6}   {round_:>14}   {drinks:>15}")


def _known(chance: float, players: int, digits: int) -> float:
    """Return a chance of 420 with its known digits, the last within one; exact up to three players."""
    return chance if players <= four_twenty_solver.MAX_CALM_SEATS else round(chance, digits)


def strategy(arguments: Namespace) -> None:
    """Print best play for every hand on 80 by 24 cells."""
    hands = [_best_play(hand) for hand in sorted(solve().classes) if hand]
    if arguments.json:
        print_json({"hands": hands[::-1]})
        return
    print("Best play of 420: over 20 roll all four, else keep the first of these you have.\n")
    print("keep   20 now     over   rolls to 20   with these hands")
    members: dict[Faces, list[dict[str, Any]]] = defaultdict(list)
    hurried: dict[Faces, list[str]] = defaultdict(list)
    for each in hands:
        members[each["keep"]].append(each)
        if each["keep_in_a_hurry"] != each["keep"]:
            hurried[each["keep_in_a_hurry"]].append(digits(each["hand"]))
    for kept, (each, *others) in sorted(members.items(), key=lambda row: (row[1][0]["rolls"], -sum(row[0]))):
        head = f"{digits(kept):5} {percent(each['p_twenty']):>7}  {percent(each['p_over']):>7}  {each['rolls']:10.2f}"
        shown = [digits(other["hand"]) for other in (each, *others)] if kept else ["any other, and every hand over 20"]
        for start in range(0, len(shown), 8):
            print(f"{head if start == 0 else '':37}{' '.join(shown[start : start + 8])}")
    listed = ", ".join(f"{digits(kept)} of {' and '.join(members)}" for kept, members in hurried.items())
    number = sum(map(len, hurried.values()))
    print(f"\nOther hands matter to {number} hands only (an estimate above eight players): beside")
    print(f"three strong others or more, {listed} can be best.")


def _best_play(hand: Faces) -> dict[str, Any]:
    """Best play for a hand, as JSON with descending faces."""
    solution = solve()
    index = solution.classes[hand]
    kept = solution.best[index]
    return {
        "hand": hand[::-1],
        "keep": kept[::-1],
        "roll": sorted((Counter(hand) - Counter(kept)).elements(), reverse=True),
        "p_twenty": solution.throws[kept].twenty,
        "p_over": solution.throws[kept].over,
        "rolls": solution.rolls[index],
        "keep_in_a_hurry": solution.hurried[index][::-1],
    }


def simulate(arguments: Namespace) -> None:
    """Play matches between bots; ctrl+c prints the results so far."""
    from fourtwenty.odds import solver_for
    from fourtwenty.play.dice import FairDice, parse_seed
    from fourtwenty.play.match import Match

    seed = parse_seed(arguments.seed) if arguments.seed is not None else FairDice.fresh().seed
    lineup = _lineup_of_bots(arguments)
    if arguments.matches < 1:
        raise ValueError("one game or more")
    if arguments.jobs < 1:
        raise ValueError("one job or more")
    began = time.perf_counter()
    finishes, costs = _play_and_count(lineup, arguments.matches, seed, arguments.jobs)
    matches = finishes.total()
    if not matches:
        raise KeyboardInterrupt
    speed = matches / (time.perf_counter() - began)
    cleared = Match(lineup).state
    odds = solver_for(cleared)
    estimated = odds.is_estimated(cleared)
    results = _seat_results(lineup, finishes, odds.placement_odds(cleared), costs, estimated)
    all_perfect = all(seat.bot == "Perfect" for seat in lineup.seats)
    interrupted = matches < arguments.matches
    if arguments.json:
        document = {"game": lineup.game, "matches": matches, "seed": seed.hex(), "seats": results}
        print_json({**document, "matches_per_second": speed, "interrupted": interrupted})
    else:
        played = pluralize(arguments.matches, "game", "games")
        if interrupted:
            played = f"Interrupted after {matches:,} of {played}"
        known = any("perfect_round" in each or "perfect_drinks" in each for each in results)
        brackets = f"; in brackets: {'what to expect' if all_perfect else 'if everybody played best'}" if known else ""
        print(f"{played}, {lineup.seats[0].name} starts{brackets}\n")
        rows = [("seat", *GAMES[lineup.game].result_verbs, "lost per decision" if costs else "")]
        for seat, result in enumerate(results):
            first, last = (_percent(result, name, estimated) for name in ("round", "drinks"))
            rows.append((result["name"], first, last, costs[seat].skill if seat in costs else ""))
        _print_table(rows)
        for each in costs.values():
            each.print_positions()
        print(f"\n{pluralize(round(speed), 'game', 'games')} a second; seed {seed.hex()}")
    if interrupted:
        raise KeyboardInterrupt


def _lineup_of_bots(arguments: Namespace) -> Lineup:
    from fourtwenty.play.lineup import Lineup, parse_players
    from fourtwenty.play.simulation import check_bots

    lineup = Lineup(parse_players(arguments.players, custom_policies=True), game=arguments.game, starting_seat=0)
    check_bots(lineup)
    return lineup


def _play_and_count(
    lineup: Lineup, matches: int, seed: bytes, jobs: int
) -> tuple[Counter[FinishSeats], dict[int, PolicyCosts]]:
    """Return counts of first and last places, and custom bots' costs by seat."""
    from fourtwenty.play.simulation import JobError, custom_policies, play_and_judge

    costs = {seat: PolicyCosts(lineup.seats[seat].name) for seat in custom_policies(lineup)}
    finishes: Counter[FinishSeats] = Counter()
    progress = Progress(matches)
    try:
        with closing(play_and_judge(lineup, matches, seed, jobs)) as all_played:
            for number, played in enumerate(all_played, 1):
                finishes[played.outcome.places[0], played.outcome.places[-1]] += 1
                for seat, judged in played.judged.items():
                    for each in judged:
                        costs[seat].add(each)
                progress.show(number)
    except KeyboardInterrupt:
        pass
    except JobError as error:
        raise ValueError(str(error)) from error
    finally:
        progress.leave()
    return finishes, costs


def _seat_results(
    lineup: Lineup,
    finishes: Counter[FinishSeats],
    perfect: PlacementOdds,
    costs: Mapping[int, PolicyCosts],
    estimated: bool,
) -> list[dict[str, Any]]:
    """Return each seat's JSON object. ``perfect`` has the probabilities of best play."""
    all_perfect = all(seat.bot == "Perfect" for seat in lineup.seats)
    results = []
    for index, seat in enumerate(lineup.seats):
        document: dict[str, Any] = {"name": seat.name, "bot": seat.bot}
        for place, (name, chances) in enumerate((("round", perfect.first), ("drinks", perfect.last))):
            document[name], document[f"{name}_error"] = _frequency(index, place, finishes)
            if chances:
                best = round(chances[index], 2) if estimated else chances[index]
                document |= {f"perfect_{name}": best, **({f"expected_{name}": best} if all_perfect else {})}
        results.append(document | (costs[index].json() if index in costs else {}))
    return results


def _frequency(seat: int, place: int, finishes: Counter[FinishSeats]) -> tuple[float, float]:
    """Return a place's frequency, 0 to 1, and error; shared places count in parts."""
    shares = [((seat in finish[place]) / len(finish[place]), times) for finish, times in finishes.items()]
    share, square = (sum(part**power * times for part, times in shares) / finishes.total() for power in (1, 2))
    return share, sqrt(max(0.0, square - share**2) / finishes.total())


def _print_table(
    rows: Sequence[Sequence[str]], widths: Sequence[int] = (), gap: int = 3, right: Collection[int] = ()
) -> Sequence[int]:
    """Print rows in columns, as wide as needed or given, and return the widths."""
    from fourtwenty.cells import cell_len, ljust

    widths = widths or [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        columns = enumerate(zip(row, widths, strict=True))
        cells = [text.rjust(wide) if column in right else ljust(text, wide) for column, (text, wide) in columns]
        print((" " * gap).join(cells).rstrip())
    return widths


def _percent(result: Mapping[str, Any], name: str, estimated: bool) -> str:
    """A frequency and its error in percent, and in brackets the frequency with best play."""
    best = result.get(f"perfect_{name}")
    brackets = "" if best is None else f"  ({percent(best, estimated, digits=2)})"
    return f"{percent(result[name], digits=2):>6} ± {percent(result[f'{name}_error'], digits=2)}{brackets}"


class PolicyCosts:
    """A custom bot's losses at one seat, over all matches of a simulation."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.decisions = 0
        self.lost = 0.0
        self.estimated = False
        self._mistakes: dict[object, tuple[JudgedChoice, int]] = {}
        """The first choice of its kind, and its count."""

    def add(self, judged: JudgedChoice) -> None:
        state, choice = judged.state, judged.choice
        assert state.to_act is not None
        self.decisions += 1
        self.lost += judged.loss
        self.estimated = self.estimated or judged.estimated
        if noticeable(judged.loss, judged.estimated):
            hand, kept = sorted(state.hand(state.to_act)), sorted(choice.kept)
            kind = (*hand, type(choice.action), *kept, round(judged.loss, SAME_DIGITS))
            first, times = self._mistakes.get(kind, (judged, 0))
            self._mistakes[kind] = (first, times + 1)

    @property
    def skill(self) -> str:
        """The loss per decision in words: "0.32% sharp"."""
        from fourtwenty.review.analysis import skill_words

        return skill_words(self.lost, self.decisions, self.estimated)

    @property
    def costliest(self) -> Sequence[tuple[JudgedChoice, int]]:
        found = self._mistakes.values()
        return sorted(found, key=lambda each: -round(each[0].loss * each[1], SAME_DIGITS))[:MAX_POSITIONS]

    def print_positions(self) -> None:
        print()
        rows = [("position", "times", "each", "kept", "best")]
        for judged, times in self.costliest:
            loss, kept, best = cost(judged.loss, judged.estimated), _kept(judged.choice), _kept(judged.best)
            rows.append((judged.state.to_text(), f"{times:,}", loss, kept, best))
        if rows[1:]:
            game = self.costliest[0][0].state.key
            print(f"The positions that cost {self.name} most; fourtwenty play {game} --position reads them:\n")
            _print_table(rows, right=(1, 2))

    def json(self) -> dict[str, object]:
        """Return the costs as JSON; losses are win probability, 0 to 1."""
        costliest = [
            {
                "position": judged.state.to_text(),
                "times": times,
                "loss": judged.loss,
                "keep": judged.choice.kept,
                "best": judged.best.kept,
            }
            for judged, times in self.costliest
        ]
        return {"decisions": self.decisions, "lost": self.lost, "costliest": costliest}


def _kept(choice: Choice) -> str:
    from fourtwenty.play.practice import kept_dice

    return kept_dice(replace(choice, kept=tuple(sorted(choice.kept, reverse=True))))


class Progress:
    """The number of matches so far, on standard error if that is a terminal."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self._terminal = sys.stderr if sys.stderr and sys.stderr.isatty() else None
        self._drawn = -inf
        self.show(0)

    def show(self, played: int) -> None:
        now = time.monotonic()
        if self._terminal and (now - self._drawn >= SECONDS_BETWEEN or played == self.matches):
            self._drawn = now
            print(f"\r{played:,} of {self.matches:,}", end="", file=self._terminal, flush=True)

    def leave(self) -> None:
        if self._terminal:
            print(file=self._terminal)


def history(arguments: Namespace) -> None:
    """Print matches page by page, as all would take much memory; or change a name, or whether a match counts."""
    if arguments.rename or arguments.count is not None:
        _change_history(arguments)
        return
    with _open_history() as past:
        match = None if arguments.id is None else past.match(arguments.id)
        if match and not (arguments.json or arguments.csv):
            from fourtwenty.cli.plain_home import review_lines
            from fourtwenty.cli.text_table import without_symbols

            for line in review_lines(match):
                write_line(without_symbols(line))
            return
        pages: Iterable[Sequence[HistoryEntry]] = ()
        more = 0
        if match:
            pages = [past.page(before=arguments.id + 1, limit=1)]
        elif past.is_begun() and (arguments.all or arguments.csv):
            pages = _pages(past)
        elif past.is_begun():
            pages, more = [past.page(limit=MATCHES_LISTED)], max(0, past.count() - MATCHES_LISTED)
        if arguments.csv:
            _print_entries_csv(past, pages)
        else:
            (_print_entries_json if arguments.json else _print_entries)(past, pages, more)


def _change_history(arguments: Namespace) -> None:
    """Change a name, or whether a match counts. Raises ValueError with the reason when nothing is changed."""
    from fourtwenty.review.figures import counted_words, renamed_words

    if arguments.rename and (arguments.count is not None or arguments.csv or arguments.json):
        raise ValueError("--rename takes two names and nothing else")
    if arguments.count is not None and arguments.id is None:
        raise ValueError("--count and --no-count take the number of a game")
    with _open_history(read_only=False) as past:
        if arguments.rename:
            name, other = arguments.rename
            shown = past.rename(name, other)
            write_line(renamed_words(name, other and shown))
        else:
            past.set_counted(arguments.id, arguments.count)
            write_line(counted_words(arguments.id, arguments.count))


def _pages(past: History) -> Iterator[Sequence[HistoryEntry]]:
    before, least = None, sys.maxsize
    while before != least:  # a page may have only damaged matches
        before = least
        page = past.page(before=before)
        least = min([before, *past.unreadable, *(entry.id for entry in page)])
        yield page


def _print_entries(past: History, pages: Iterable[Sequence[HistoryEntry]], more: int) -> None:
    """Print a table, in columns as wide as the first page needs."""
    from fourtwenty.play.clock import day_and_time

    widths: Sequence[int] = ()
    for page in pages:
        rows = [
            (
                str(entry.id),
                day_and_time(entry.started),
                GAMES[entry.game].name,
                ", ".join(seat.name for seat in entry.seats),
                entry.news,
            )
            for entry in page
        ]
        if rows and not widths:
            rows.insert(0, ("id", "started", "game", "players", "how it ended, or whose turn it is"))
        widths = _print_table(rows, widths, gap=2)
    if past.unreadable:
        print(past.unreadable_words)
    elif not widths:
        print("No games yet.")
    if more:
        print(f"{more:,} more: fourtwenty history --all")


def _print_entries_csv(past: History, pages: Iterable[Sequence[HistoryEntry]]) -> None:
    """Print a line for each seat of each match; damaged matches are counted on stderr."""
    import csv

    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("id", "game", "started", "played", "finished", "news", "seat", "name", "kind", "place", "counted"))
    for entry in (entry for page in pages for entry in page):
        times = entry.started.isoformat(), entry.played.isoformat()
        finished, counted = ("yes" if fact else "no" for fact in (entry.finished, entry.counted))
        news = _without_formula(entry.status_text)
        for number, seat in enumerate(entry.seats, 1):
            name, kind = _without_formula(seat.name), "bot" if seat.bot else "human"
            writer.writerow(
                (entry.id, entry.game, *times, finished, news, number, name, kind, seat.place or "", counted)
            )
    if past.unreadable:
        write_error(past.unreadable_words)


def _without_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula (owasp.org/www-community/attacks/CSV_Injection)."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def _print_entries_json(past: History, pages: Iterable[Sequence[HistoryEntry]], more: int) -> None:
    """Print one JSON document without ``more`` matches."""
    print('{"matches": [', end="")
    for number, entry in enumerate(entry for page in pages for entry in page):
        print(", " if number else "", json.dumps(_entry_json(entry), ensure_ascii=False), sep="", end="")
    print(f'], "more": {more}, "unreadable": {len(past.unreadable)}}}')


def _entry_json(entry: HistoryEntry) -> dict[str, object]:
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
        "news": entry.status_text,
        "counted": entry.counted,
        "players": [{"name": seat.name, "kind": "bot" if seat.bot else "human"} for seat in entry.seats],
        "places": places_json(seats[place] for place in sorted(seats)) if entry.finished else None,
    }


def print_verdict(arguments: Namespace) -> None:
    """Verify a record and print the verdict. Raises RecordError and ValueError."""
    from fourtwenty.journal.record import RecordError, read_record, verified_steps, verify_record
    from fourtwenty.play.match_log import event_sentence

    record = read_record(_read_text(arguments.file))
    for before, event, _ in verified_steps(record) if arguments.until_error else ():
        print(event_sentence(record.names[event.seat], before, event), flush=True)
    state = verify_record(record)
    if arguments.strict and record.typed:
        raise RecordError("its faces were typed, so nobody can check them")
    if arguments.strict and record.fair and record.fair.seed is None:
        raise RecordError("its seed is withheld, so nobody can check its faces")
    print(verdict(record, state))


def export(arguments: Namespace) -> None:
    """Print a match's record or text for a chat, or write it to a new file."""
    from fourtwenty.file_storage import is_there, write_new
    from fourtwenty.journal.record import Record, write_record
    from fourtwenty.play.card import in_ascii
    from fourtwenty.review.match_text import match_text

    with _open_history() as past:
        match = past.match(arguments.id)
    if arguments.text:
        card = match_text(match)
        text = f"{in_ascii(card) if 'ascii' in arguments else card}\n"
    else:
        text = write_record(Record.from_match(match))
    if arguments.output == "-" and arguments.text:
        print(text, end="")
    elif arguments.output == "-":
        sys.stdout.buffer.write(text.encode())
    else:
        path = Path(arguments.output)
        if not is_there(path.parent):
            raise ValueError(f"{path} cannot be written: there is no folder {path.parent}")
        try:
            written = write_new(path, text)
        except OSError as error:
            raise ValueError(f"{path} cannot be written: {error.strerror}") from error
        write_line(f"Game {arguments.id} is {'now' if written else 'already'} in {path}.")


@contextmanager
def _open_history(read_only: bool = True) -> Iterator[History]:
    from fourtwenty.file_storage import history_file
    from fourtwenty.journal.history import History
    from fourtwenty.play.match import SaveError

    try:
        with closing(History(history_file(), write_line, read_only=read_only)) as past:
            yield past
    except SaveError as why:
        raise ValueError(f"nothing can be {'read' if read_only else 'changed'}: {why}") from why


def _read_text(file: str) -> str:
    """The text of a file or pipe, or of standard input for "-", to its end."""
    from threading import Timer

    from fourtwenty.file_storage import read_limited

    source = "standard input" if file == "-" else file
    told = Timer(
        WAITING_NOTICE_SECONDS, write_error, [f"fourtwenty verify: waiting for the end of {source}; ctrl+c stops it"]
    )
    told.daemon = True
    with suppress(RuntimeError):  # a browser starts no threads, and has no pipes
        told.start()
    try:
        with os.fdopen(0, "rb") if file == "-" else Path(file).open("rb") as opened:
            return read_limited(opened)
    except OSError as error:
        raise ValueError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"this is no record: {error}") from error
    finally:
        told.cancel()


def verdict(record: Record, state: State) -> str:
    from fourtwenty.journal.record import fingerprint, write_record

    return f"{verified_facts(record, state)}; fingerprint {fingerprint(write_record(record))}."


def verified_facts(record: Record, state: State) -> str:
    """Return the verified facts about a match, without a full stop."""
    from fourtwenty.play.match import status_text

    rolls = sum(isinstance(event.action, Roll) for event in record.events)
    facts = [f"{GAMES[state.key].name}, {', '.join(record.names)}", pluralize(rolls, "roll", "rolls")]
    starting_seat = record.start.starting_seat
    if record.set_up:
        facts.append("from a position that was set up")
    elif record.dice and starting_seat is not None and not record.drawn:
        facts.append(f"{name_and_verb(record.names[starting_seat], 'was', 'were')} set to start")
    follow = "the draw and every face follow" if record.drawn else "every face follows"
    if record.typed:
        facts.append("the faces are as people typed them")
    elif record.shared:
        by = f"dice by {all_of(len(record.shared.machines), 'machine', 'machines')}"
        facts.append(", ".join([by, *record.pages, f"{follow} from their keys"]))
        if void := len(record.shared.void):
            facts.append(f"{pluralize(void, 'throw was', 'throws were')} given up")
    elif record.dice is None:
        facts.append("no face can be checked before the seed is shown at the end")
    else:
        facts.append(f"{follow} from the seed")
    if record.fair and record.fair.given:
        facts.append("the seed was given by a player, not drawn")
    return f"OK{'' if state.outcome else ' so far'}: {'; '.join([*facts, status_text(state, record.names)])}"


PRINTING: dict[str, Callable[[Namespace], None]] = {
    "odds": odds,
    "values": print_values,
    "strategy": strategy,
    "simulate": simulate,
    "history": history,
    "export": export,
    "verify": print_verdict,
}
