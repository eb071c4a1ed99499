"""Past games: a list of all matches to search, review, resume, delete and export, unfinished ones first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import getters, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.markup import escape
from textual.widgets import Input, Static

from fourtwenty.games import GAMES
from fourtwenty.games.english import ordinal
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import HistoryEntry
from fourtwenty.play.clock import day_and_time, local, time_of_day
from fourtwenty.play.flow import retry_while_locked
from fourtwenty.play.format import percent, signed, stored_name_key
from fourtwenty.play.match import SaveError
from fourtwenty.review.analysis import skill_cell
from fourtwenty.review.figures import counted_words
from fourtwenty.tui.dialogs.question_dialogs import ConfirmDialog
from fourtwenty.tui.past_games.history_service import HistoryService
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES_UNSEEN, ScreenAction
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.row_list import Column, RowList

if TYPE_CHECKING:
    from fourtwenty.play.match import Match

PAGE_ROWS = 100

MATCH_COLUMNS = (
    Column(10, "started", quiet=True),
    Column(None, quiet=True, min_list_width=100),
    Column(None, "game", min_list_width=70),
    Column(None, "players"),
    Column(None, "how it ended"),
)
SEAT_COLUMNS = (
    Column(5, "place"),
    Column(None, "player"),
    Column(10, "rounds won", align_right=True),
    Column(14, "points lost"),
    Column(6, "luck", align_right=True),
    Column(14, "risk of paying", align_right=True, min_list_width=100),
)

of_match = partial(ScreenAction, available=lambda screen: screen.entry is not None)


class HistoryScreen(BaseScreen[HistoryEntry]):
    """A list of matches above the seats of the match at the cursor; ends with the unfinished match to resume."""

    AUTO_FOCUS = "#matches"
    CSS_PATH = "history_screen.tcss"
    matches = cursor_list = getters.query_one("#matches", RowList)
    seats = getters.query_one("#seats", RowList)

    HELP = """\
The search finds names while you type; **Tab** goes to the list of those that are found.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        ScreenAction(
            "enter",
            "review",
            "Review",
            id="history.review",
            tooltip="Look at every roll",
            available=lambda screen: screen.entry is not None and screen.entry.finished,
        ),
        ScreenAction(
            "enter",
            "resume",
            "Resume",
            id="history.resume",
            tooltip="Resume the game",
            available=lambda screen: screen.entry is not None and not screen.entry.finished,
            refusal=lambda screen: "Leave the current game first, then resume this one." if screen.playing else None,
        ),
        ScreenAction(
            "slash,f",
            "search",
            "Search",
            key_display="/",
            id="history.search",
            tooltip="Find games by name",
            available=lambda screen: screen.is_mounted and not screen.has_class("-blank"),
        ),
        of_match(
            "s",
            "statistics",
            "Statistics",
            id="history.statistics",
            tooltip="A player's skill, luck and dice, in charts",
        ),
        of_match("x,d,delete", "delete", "Delete", id="history.delete", tooltip="Delete the game, after a question"),
        of_match("e", "export", "Export", id="history.export", tooltip="Write the game's record to a file", spare=True),
        of_match("y", "copy", "Copy", id="history.copy", tooltip="Copy the game's record", spare=True),
        of_match("c", "count", "Count", id="history.count", tooltip="Leave it out of statistics, or not", spare=True),
        *CURSOR_BINDINGS,
        Binding("left", "seat(-1)", "Player above", id="history.seat-above", show=False, tooltip="In the game's list"),
        Binding("right", "seat(1)", "Player below", id="history.seat-below", show=False, tooltip="In the game's list"),
        RULES_UNSEEN,
        ScreenAction(
            "escape,q",
            "all",
            "All games",
            key_display="esc",
            id="history.all",
            tooltip="End the search",
            available=lambda screen: bool(screen.search),
        ),
        ScreenAction(
            "escape,q",
            "back",
            "Back",
            key_display="esc",
            id="history.back",
            tooltip="Back to where you were",
            available=lambda screen: not screen.search,
        ),
    ]

    def __init__(
        self,
        history: History,
        playing: bool,
        export: Callable[[str, str], str],
        statistics_of: Callable[[str], object],
    ) -> None:
        """List the matches of a history.

        While ``playing``, none can be resumed. ``export`` writes a record to a new file of a name and returns a
        sentence about it; it may raise ValueError with the reason. ``statistics_of`` opens a name's statistics.
        """
        super().__init__()
        self.history = history
        self.playing = playing
        self.export = export
        self.statistics_of = statistics_of
        self.search = ""
        self.before_id: int | None = None
        """Only smaller ids are listed, so that a new match does not shift rows; None without matches."""
        self.unfinished = 0
        """The number of unfinished matches: the first rows."""
        self.pages: dict[tuple[bool, int], tuple[HistoryEntry, ...]] = {}
        """The matches read so far, by whether they are unfinished and the page number among them, from 0."""

    def compose(self) -> ComposeResult:
        with Caption():
            yield Static("", id="found", markup=False)
            yield Static("/", id="slash")
            search = Input(placeholder="Search by name", id="search", compact=True)
            search.cursor_blink = False
            yield search
        yield RowList(MATCH_COLUMNS, self._match_cells, id="matches")
        yield Static("", id="nothing", markup=False)
        yield RowList(SEAT_COLUMNS, self._seat_cells, id="seats")
        yield Sentence()
        yield KeyBar()

    def on_screen_resume(self) -> None:
        """Read the list again: a player may have another name."""
        self.load(self.matches.cursor)

    @property
    def entry(self) -> HistoryEntry | None:
        """The match at the cursor; None without one or before the list is read."""
        return self._entry(self.matches.cursor) if self.is_mounted else None

    # -- the history --------------------------------------------------------------------------------------------

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        try:
            yield
        except SaveError as error:
            self.say(f"Can't open the history: {error}.", refused=True)

    def load(self, row: int = 0) -> None:
        self.pages.clear()
        self.history.unreadable.clear()
        length, nothing = 0, ""
        with self._reporting():
            if self.before_id is None:
                newest = self.history.page(limit=1)
                self.before_id = newest[0].id + 1 if newest else None
            length = self.history.count(self.search)
            self.unfinished = self.history.count(self.search, unfinished=True)
            nothing = f"No player matches “{self.search}”." if self.search else "No games yet. They'll show up here."
        self.is_read = bool(nothing)
        self.set_class(not length, "-empty")
        self.set_class(not length and not self.search, "-blank")
        self.query_one("#nothing", Static).update(nothing, layout=False)
        self.matches.show(length, row)
        self.show_seats()

    def _entry(self, row: int) -> HistoryEntry | None:
        """Return the match of a row; None if it cannot be read."""
        unfinished = row < self.unfinished
        page, offset = divmod(row if unfinished else row - self.unfinished, PAGE_ROWS)
        if (unfinished, page) not in self.pages:
            self.pages[unfinished, page] = ()
            skip = page * PAGE_ROWS
            with self._reporting():
                self.pages[unfinished, page] = (
                    self.history.unfinished(PAGE_ROWS, self.search, skip)
                    if unfinished
                    else self.history.page(self.search, self.before_id, PAGE_ROWS, skip, unfinished=False)
                )
            self._show_found()
        entries = self.pages[unfinished, page]
        return entries[offset] if offset < len(entries) else None

    @on(HistoryService.Measured)
    def reload_figures(self) -> None:
        self.pages.clear()
        self.matches.refresh()
        self.seats.refresh()

    # -- display ------------------------------------------------------------------------------------------------

    @property
    def help_text(self) -> str:
        return "" if self.has_class("-blank") else super().help_text

    def _show_found(self) -> None:
        found = f"Games with “{self.search}”" if self.search else "Past games"
        damaged = len(self.history.unreadable)
        number = f": {self.matches.length:,}" if self.is_read else ""
        text = f"{found}{number}{f' · {damaged:,} damaged' if damaged else ''}"
        self.query_one("#found", Static).update(text, layout=False)

    def _match_cells(self, row: int) -> tuple[str, ...]:
        entry = self._entry(row)
        if entry is None:
            return ("", "", "", "", "can't be read")
        begun = local(entry.started)
        names = ", ".join(seat.name for seat in entry.seats)
        return f"{begun:%Y-%m-%d}", time_of_day(entry.started), GAMES[entry.game].name, names, entry.news

    def _seat_cells(self, row: int) -> tuple[str, ...]:
        entry = self.entry
        if entry is None or row >= len(entry.seats):
            return ("",) * len(SEAT_COLUMNS)
        seat = entry.seats[row]
        name = f"{seat.name} (bot)" if seat.bot else seat.name
        if seat.place is None:
            return "", name, "", "", "", ""
        if seat.figures is None:
            return ordinal(seat.place), name, str(seat.rounds), "being measured", "", ""
        last = "not known" if seat.figures.drinks is None else percent(seat.figures.drinks)
        skill = skill_cell(seat.figures.lost, seat.figures.decisions)
        return (
            ordinal(seat.place),
            name,
            str(seat.rounds),
            skill,
            signed(seat.figures.luck).removesuffix(" points"),
            last,
        )

    @on(RowList.CursorMoved, "#matches")
    def show_seats(self) -> None:
        """Show the seats of the match at the cursor, with the cursor at a name searched for."""
        entry = self.entry
        seats = entry.seats if entry else ()
        wanted = [
            row
            for row, seat in enumerate(seats)
            if self.search and stored_name_key(self.search) in stored_name_key(seat.name)
        ]
        people = [row for row, seat in enumerate(seats) if not seat.bot]
        self.seats.show(len(seats), next(iter((*wanted, *people)), 0))
        if entry:
            began = day_and_time(entry.started)
            self.seats.border_title = escape(
                f"Game {entry.id}: {GAMES[entry.game].name}, {began} · {entry.status_text}"
            )
        self.refresh_bindings()

    # -- actions ------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    def search_for(self, event: Input.Changed) -> None:
        self.search = event.value
        self.load()

    def action_search(self) -> None:
        self.set_focus(self.query_one(Input))

    def action_all(self) -> None:
        self.query_one(Input).clear()
        self.set_focus(self.matches)

    def action_back(self) -> None:
        if self.query_one(Input).has_focus:
            self.set_focus(self.matches)
        else:
            super().action_back()

    def action_seat(self, step: int) -> None:
        self.seats.move_cursor(step)

    @on(Input.Submitted)
    @on(RowList.DoubleClicked, "#matches")
    async def open_match(self) -> None:
        if self.entry:
            await self.do("review" if self.entry.finished else "resume")

    def action_review(self) -> None:
        from fourtwenty.tui.past_games.review_screen import Review

        if match := self._rebuilt():
            self.open_over(Review(match))

    def action_resume(self) -> None:
        if self.entry:
            self.end(self.entry)

    @on(RowList.DoubleClicked, "#seats")
    def action_statistics(self) -> None:
        if self.entry and self.is_active:
            self.statistics_of(self.entry.seats[self.seats.cursor].name)

    def action_delete(self) -> None:
        if entry := self.entry:
            names = ", ".join(seat.name for seat in entry.seats)
            about = f"{names}: {entry.status_text}" if entry.finished else entry.title(datetime.now(UTC))
            delete = partial(self.history.delete, entry.id)
            question = f"{about}\n\nDelete this game? It can't be brought back."
            self.open_over(ConfirmDialog(question, no="Keep it", yes="Delete"), lambda _: self._change(delete))

    def action_count(self) -> None:
        if self.entry:
            now = self.entry.id, not self.entry.counted
            self._change(partial(self.history.set_counted, *now), counted_words(*now))

    @work
    async def _change(self, change: Callable[[], None], sentence: str = "") -> None:
        row = self.matches.cursor
        try:
            await retry_while_locked(change, asyncio.sleep)
            self.say(sentence)
        except (SaveError, ValueError) as why:
            self.say(f"This game can't be changed: {why}.", refused=True)
        self.load(row)

    def text_to_copy(self) -> str | None:
        from fourtwenty.journal.record import Record, write_record

        match = self._rebuilt()
        return write_record(Record.from_match(match)) if match else None

    def action_export(self) -> None:
        try:
            copied = self.text_to_copy()
            if copied and self.entry:
                self.say(self.export(f"match-{self.entry.id}.json", copied))
        except ValueError as why:
            self.say(f"Nothing is exported: {why}.", refused=True)

    def _rebuilt(self) -> Match | None:
        """Return the match at the cursor, replayed; None, after saying why, if it cannot be read."""
        if self.entry:
            try:
                with self._reporting():
                    return self.history.match(self.entry.id)
            except ValueError as error:
                self.say(f"This game can't be opened: {error}.", refused=True)
        return None
