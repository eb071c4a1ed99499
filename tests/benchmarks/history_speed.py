"""The speed of a history of many matches, by hand: ``python tests/benchmarks/history_speed.py FOLDER [MATCHES]``.

A new folder gets a hundred thousand matches unless told, and keeps them: a second run finds them there, and
``fourtwenty --data-dir FOLDER`` shows them.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median

from rich.console import RenderableType
from textual.screen import Screen

from fourtwenty.file_storage import history_file
from fourtwenty.games import GAMES
from fourtwenty.journal.history import History
from fourtwenty.play.dice import FairDice
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.figures import measured
from fourtwenty.tui.app import FourTwentyApp

MATCHES = 100_000
PLAYED = 60
"""Number of matches that are played, half of them at most; the others are copies with other names and times."""
TIMES = 9
"""Number of times that each key is pressed and each quick question is asked."""
SECONDS = 120
"""For what a key shows, however busy the machine is."""
SEARCHED = "Wurt"
"""Somebody of the crowd, who is in the first copy too."""
REGULARS = ("Ann", "Ben", "Zoë", "You") * 40
CROWD = tuple(one + two + three for one in "BDFGKLMNPRSTVW" for two in "aeiou" for three in ("b", "na", "rt"))
BEGAN = datetime(2023, 1, 1, 20, tzinfo=UTC)


def play(history: History, chance: Random, ends: bool) -> None:
    """Play a match of one to three people and a bot by chance, to its end or not."""
    people = [Seat(f"Guest {number}") for number in range(chance.choice((1, 1, 2, 3)))]
    lineup = Lineup((*people, Seat("Steady", "Steady")), game=chance.choice(("420", *GAMES)))
    match = Match(lineup, FairDice(chance.randbytes(32)), journal=history.journal())
    while not match.state.outcome and (ends or len(match.events) < 5):
        if match.state.to_act is None:
            match.next_round()
        else:
            match.act(match.bot_action() if match.bot_to_act else chance.choice(match.state.actions))


def copy(history: History, chance: Random, copies: int) -> None:
    """Copy the matches that there are so many times over."""
    with history.transaction() as sql:
        names = [row[1] for row in sql.execute("PRAGMA table_info(match)")]
        matches = [dict(zip(names, row, strict=True)) for row in sql.execute("SELECT * FROM match")]
        seats = {
            row["id"]: sql.execute("SELECT * FROM seat WHERE match = ?", (row["id"],)).fetchall() for row in matches
        }
        sql.execute("CREATE TEMP TABLE copy (id INTEGER PRIMARY KEY, source INTEGER)")
        for number in range(1, copies + 1):
            source = chance.choice(matches)
            lineup = json.loads(source["lineup"])
            drawn = [chance.choice(REGULARS + CROWD) for _ in range(20)]
            crowd = list(dict.fromkeys([SEARCHED, *drawn] if number == 1 else drawn))
            new = {seat["name"]: seat["name"] if seat["bot"] else crowd.pop(0) for seat in lineup["seats"]}
            told = source["status_text"]
            for seat in lineup["seats"]:
                told = told.replace(seat["name"], new[seat["name"]])
                seat["name"] = new[seat["name"]]
            row = source | {
                "id": len(matches) + number,
                "lineup": json.dumps(lineup, ensure_ascii=False),
                "names": "\n".join(map(stored_name_key, new.values())),
                "status_text": told,
                "written": len(matches) + number,
                "started": (BEGAN + timedelta(minutes=15 * number)).isoformat(timespec="seconds"),
            }
            sql.execute("INSERT INTO copy VALUES (?, ?)", (row["id"], source["id"]))
            sql.execute(f"INSERT INTO match VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
            for _, game, _, seat, name, *rest in seats[source["id"]]:
                values = stored_name_key(new[name]), game, row["id"], seat, new[name], *rest
                sql.execute(f"INSERT INTO seat VALUES ({', '.join('?' * len(values))})", values)
        sql.execute(
            "INSERT INTO event SELECT copy.id, number, seat, roll, faces FROM copy JOIN event ON event.match = source"
        )


def fill(history: History, matches: int) -> None:
    """Keep so many matches, most of them finished, all of these measured."""
    chance = Random(420)
    played = min(PLAYED, matches // 2)
    for number in range(played):
        play(history, chance, ends=number % 30 > 0)
    for _ in measured(history):
        pass
    copy(history, chance, matches - played)


def report(what: str, times: list[float]) -> None:
    print(f"{what:52}{1000 * median(times):8.1f}{1000 * max(times):8.1f}")


def ask(what: str, history: History, question: Callable[[History], object], times: int | None = None) -> None:
    """Time a question, asked so many times, ``TIMES`` unless told."""
    taken = []
    for _ in range(times or TIMES):
        began = time.perf_counter()
        question(history)
        taken.append(time.perf_counter() - began)
    report(what, taken)


class WatchedApp(FourTwentyApp):
    """The app, telling when it has painted something."""

    painted = 0.0
    """Time of the last paint."""

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        self.painted = time.perf_counter()


async def press(app: WatchedApp, key: str, *shows: str) -> float:
    """Return the time from a key to what it shows on the screen, by regular expressions.

    Raises TimeoutError, with the screen, if that does not come.
    """
    began = seen = time.perf_counter()
    app.simulate_key(key)
    text = ""
    while time.perf_counter() < began + SECONDS:
        await asyncio.sleep(0)
        if app.painted > seen:
            seen = app.painted
            text = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
            if all(re.search(each, text) for each in shows):
                return seen - began
    raise TimeoutError(f"{key} does not show {' and '.join(shows)}:\n{text}")


async def at_the_screen(history: History) -> None:
    def first(search: str = "") -> list[int]:
        """Return the ids of the first two matches of the list, the unfinished ones first."""
        listed = (*history.unfinished(2, search), *history.page(search, limit=2, unfinished=False))
        return [entry.id for entry in listed[:2]]

    newest, older = first()
    last = history.page(limit=1, skip=history.count() - history.count(unfinished=True) - 1, unfinished=False)[0].id

    def found(search: str) -> tuple[str, str]:
        caption = f"Games with “{search}”" if search else "Past games"
        return f"{caption}: {history.count(search):,} ", f"Game {first(search)[0]}:"

    taken: dict[str, list[float]] = {}
    app = WatchedApp()
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(TIMES):
            for what, key, *shows in (
                ("h in the lobby", "h", f"Game {newest}:"),
                ("down", "down", f"Game {older}:"),
                ("end", "end", f"Game {last}:"),
                ("page up", "pageup", rf"Game (?!{last}:)\d+:"),
                ("/", "slash", "/ Search"),
                ("typed: w", "w", *found("w")),
                ("typed: wu", "u", *found("wu")),
                ("typed: wur", "r", *found("wur")),
                ("typed: wurx", "x", "No player matches"),
                ("backspace", "backspace", *found("wur")),
                ("escape to all matches", "escape", *found("")),
                ("escape to the lobby", "escape", "enter Play"),
            ):
                await pilot.pause(0.1)
                taken.setdefault(what, []).append(await press(app, key, *shows))
    print("from the key to the picture")
    for what, times in taken.items():
        report(what, times)


def main(folder: str, matches: int = MATCHES) -> None:
    """Print all figures of the history in a folder, filled with so many matches if it has none."""
    os.environ["FOURTWENTY_HOME"] = folder
    began = time.perf_counter()
    with closing(History(history_file(), print)) as history:
        if not history.count():
            fill(history, matches)
            print(f"{matches:,} matches in {time.perf_counter() - began:.0f} s")
        matches = history.count()
        print(f"{Path(history.path).stat().st_size / 1e6:.0f} MB{'median ms   worst':>63}")
        ask("open the file and read a page", history, lambda kept: kept.reopened().page())
        ask("the last page", history, lambda kept: kept.page(skip=max(0, matches - 100)))
        for search in ("a", "ann", "wurt", "nobody"):
            ask(f"search {search}: count and first page", history, lambda kept: (kept.count(search), kept.page(search)))  # noqa: B023
        ask("rebuild a match", history, lambda kept: kept.match(matches // 2))
        ask("in a thread: names", history, lambda kept: kept.names(), 3)
        for name in (SEARCHED, "Ann", "Steady"):
            ask(f"in a thread: statistics of {name}", history, lambda kept: kept.statistics(name), 3)  # noqa: B023
            ask(f"in a thread: course of {name}", history, lambda kept: kept.cumulative_figures(name, "420"), 3)  # noqa: B023
        asyncio.run(at_the_screen(history))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
