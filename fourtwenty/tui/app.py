"""The app and its flow: lobby → table → results. What works on every screen is in everywhere.py."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime
from errno import EEXIST
from functools import partial
from importlib import import_module
from os import strerror
from time import sleep
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from textual import work
from textual.app import ScreenStackError
from textual.screen import Screen
from textual.worker import Worker, WorkerError, get_current_worker

from fourtwenty.extra import ROOMS
from fourtwenty.games import GAMES
from fourtwenty.paths import history_file, is_absent, lineup_file, write_whole
from fourtwenty.play.lineup import Lineup
from fourtwenty.tui.everywhere import EverywhereApp
from fourtwenty.tui.messages import Measured
from fourtwenty.tui.touch import touched

if TYPE_CHECKING:
    from fourtwenty.games.game import Game, State
    from fourtwenty.journal.entries import Entry, KeptExercise, MistakeKind
    from fourtwenty.journal.sources import OwnMistakes, Practising, Source
    from fourtwenty.play.dice import Dice
    from fourtwenty.play.flow import AfterRound
    from fourtwenty.play.match import Match
    from fourtwenty.play.practice import PracticeOptions
    from fourtwenty.tui.archive import Archive
    from fourtwenty.tui.screens.lobby import Lobby
    from fourtwenty.tui.screens.practice import Practice
    from fourtwenty.tui.screens.results import Next, Results
    from fourtwenty.tui.screens.table import Table

Stay = Callable[[], Awaitable[None]]
"""Gathers and plays at an open table of several machines, until the people here leave."""


LEAVING_SECONDS = 1.0
"""The longest time for which the end of the program waits until the match has been left."""


LOOKING_SECONDS = 0.3
"""The longest time for which own mistakes are looked for before the first is asked; those found later follow it."""


BUSY_PAUSE = 0.1
"""Time in seconds after which answers are tried to be kept again, while another program writes to the history."""


PAUSE_SECONDS = 0.001
"""The pause after every round that is measured. The screen waits for the interpreter, which a thread at work gives up
only every 5 ms, and on a busy machine much later."""


class NotOpened(Exception):  # noqa: N818 - said of a table
    """A table was neither opened nor joined. The message says why in a sentence."""


class RoomDoor(Protocol):
    """The way to tables of several machines, which are a wing of the house (``rooms/``): the app knows no other."""

    @property
    def opening(self) -> object:
        """The opening of the table that the program was started for; None if it was not."""

    def first_screen(self) -> Screen[None]:
        """Return the screen that is shown while that table is opened."""

    async def enter(self, app: FourTwentyApp) -> Stay:
        """Open that table. Raises NotOpened."""

    async def host(self, app: FourTwentyApp, lineup: Lineup) -> Stay:
        """Open a table here for the players of a line-up. Raises NotOpened."""

    async def rejoin(self, app: FourTwentyApp, match: Match) -> Stay:
        """Come back to the table of an unfinished match. Raises NotOpened."""

    def join(self, app: FourTwentyApp, lineup: Lineup) -> None:
        """Ask for the address of a table, and for the players, at first the people of a line-up, and stay there."""


@runtime_checkable
class OfGame(Protocol):
    game: Game


class FourTwentyApp(EverywhereApp):
    TITLE = "420"

    def __init__(
        self,
        lineup: Lineup | None = None,
        dice: Dice | None = None,
        start: State | None = None,
        ascii_only: bool = False,
        practice: PracticeOptions | None = None,
        door: RoomDoor | None = None,
    ) -> None:
        """Open the lobby, the table for a line-up, practice, or the table of several machines that a door leads to.

        Dice and start are those of the first match. There is no door where what it needs is not installed.
        """
        super().__init__(ascii_only)
        self.lineup = lineup or self._files.load(Lineup, lineup_file())
        """The line-up of the current match, or of the last one."""
        self._starts_at_table = lineup is not None
        self._practice = practice
        self._first_practice: Practice | None = None
        """The first screen, for who began with practice."""
        self._door = door
        self._dice = dice
        self._start = start
        self._archive: Archive | None = None
        self._parting = ""
        """The sentence for those who have left a match, which the lobby shows next."""

    async def on_load(self) -> None:
        """Find the first puzzle of practice before there is a screen."""
        if self._practice:
            practising = self._practising(self._practice.name)
            self._first_practice = await self._practice_from(await practising.source(self._practice), practising)

    def get_default_screen(self) -> Screen[None]:
        screen = self._first_screen()
        self._load_screen_css(screen)  # type: ignore[arg-type]  # Textual 8.2 (app.py, _init_mode) does not
        return screen

    def _first_screen(self) -> Screen[None]:
        if self._first_practice:
            return self._first_practice
        if self._door and self._door.opening:
            self.call_after_refresh(self.enter_room, self._door.enter, or_end=True)
            return self._door.first_screen()
        if not self._starts_at_table:
            return self._new_lobby()
        from fourtwenty.tui.screens.table import Table

        return Table(self._match(self.lineup, self._start), self.table_pace, self.tips_for(GAMES[self.lineup.game]))

    def _new_lobby(self) -> Lobby:
        from fourtwenty.tui.screens.lobby import Lobby

        newcomer = self.newcomer and not touched(self)
        self._lobby = Lobby(self.lineup, self.find_archive, newcomer)
        return self._lobby

    def on_table_opened(self, event: Table.Opened) -> None:
        """Start the match when the first screen is a table."""
        if not self._playing:
            self.play_matches(event.table)

    # -- the flow ----------------------------------------------------------------------------------------------

    @property
    def _playing(self) -> bool:
        """Whether a match is being played or is about to start."""
        return any(worker.group == "match" and not worker.is_finished for worker in self.workers)

    def on_lobby_play(self, event: Lobby.Play) -> None:
        if self._playing:
            return
        self._files.save(event.lineup, lineup_file())
        self.play(event.lineup, event.start)

    def play(self, lineup: Lineup, start: State | None = None) -> None:
        self.lineup = lineup
        self.open_table(self._match(lineup, start))

    def _match(self, lineup: Lineup, start: State | None) -> Match:
        """Return a new match; the first one uses the dice that the app was created with."""
        from fourtwenty.play.match import Match

        dice, self._dice = self._dice, None
        return Match.fresh(lineup, None if lineup.typed else dice, start)

    def open_table(self, match: Match) -> None:
        from fourtwenty.tui.screens.table import Table

        self.play_matches(Table(match, self.table_pace, self.tips_for(match.game)))

    def on_lobby_resume(self, event: Lobby.Resume) -> None:
        self.resume(event.entry)

    @work(exclusive=True, group="resume")
    async def resume(self, entry: Entry) -> None:
        from fourtwenty.play.flow import once_free
        from fourtwenty.play.match import NotKept

        try:
            match = await once_free(lambda: self.archive.history.resume(entry.id), asyncio.sleep)
        except (ValueError, NotKept) as why:
            self.warn(f"This game can't be resumed: {why}.")
        else:
            if self._playing:
                return
            if match.shared and self.has_door():
                self.enter_room(lambda app: self.door.rejoin(app, match))
            elif not match.shared:
                self.open_table(match)

    def export(self, name: str, record: str) -> str:
        """Write a record to a new file in the folder of the history; return where it is, or warn and return ""."""
        path = history_file().with_name(name)
        try:
            if not is_absent(path):
                raise FileExistsError(EEXIST, strerror(EEXIST))
            write_whole(path, record)
        except OSError as error:
            self.warn(f"Can't write {path}: {error.strerror}.")
            return ""
        return f"The record is in {path}"

    @work(exclusive=True, group="match")
    async def play_matches(self, table: Table) -> None:
        """Play the match of a table and its rematches, then return to the lobby."""
        from fourtwenty.tui.screens.table import Table

        while await self.play_match(table) == "rematch":
            table = Table(table.match.rematch(), self.table_pace, self.tips_for(table.game))
        await self._return_to_lobby()

    async def _return_to_lobby(self) -> None:
        if self.screen is not self._lobby:
            await self.push_screen(self._new_lobby())
        if self._parting and self._lobby:
            self._lobby.say(self._parting)
            self._parting = ""

    async def play_match(self, table: Table) -> Next:
        """Show a table and play its match; return the next step of the players, "lobby" when they leave in a round."""
        from fourtwenty.play.match import PlayedElsewhere

        match = table.match
        await self._large_enough.wait()
        if table not in self.screen_stack:
            await self.push_screen(table)
        choice: Next = "lobby"

        async def after_round() -> AfterRound:
            nonlocal choice
            choice = await self.push_screen_wait(self._results(table))
            if choice == "back":
                self.archive.unkept.pop(match, None)
            return choice if choice in ("round", "back") else "end"

        journal = self.archive.history.journal() if table.keeps else None
        try:
            finished = await table.flow.play(journal, after_round)
        except PlayedElsewhere:
            finished = False
            self.warn("This game is now being played in another window.")
        else:
            if (match.events or match.lot_drawn) and match.kept and not match.state.outcome:
                if match.shared:
                    self.notify(table.kept)  # the waiting room comes first
                else:
                    self._parting = table.kept
        if len(self.screen_stack) > 1:
            self.pop_screen()
        return choice if finished else "lobby"

    def _results(self, table: Table) -> Results:
        from fourtwenty.play.tally import Played
        from fourtwenty.tui.screens.results import Results

        match = table.match
        results = Results(match, table.again, table.leave_question)
        if results.ended:
            if match.kept:
                self.measure(quietly=True)
            elif table.keeps:
                self.archive.unkept[match] = Played.of(match, datetime.now(UTC))
            self.show_tally(results)
        return results

    @work(exclusive=True, group="tally")
    async def show_tally(self, results: Results) -> None:
        from fourtwenty.play.tally import tally_of, tonight

        played = await self.archive.played()
        results.tally = tally_of(results.match.lineup, tonight(played, datetime.now(UTC)))

    # -- a table of several machines -----------------------------------------------------------------------------

    @property
    def door(self) -> RoomDoor:
        assert self._door
        return self._door

    def has_door(self) -> bool:
        """Whether what tables of several machines need is installed; if not, say how to install it."""
        if self._door is None:
            from fourtwenty.tui.dialogs.ask import Install

            self.push_screen(Install("Playing on several machines", *ROOMS))
        return self._door is not None

    def on_lobby_host(self, event: Lobby.Host) -> None:
        if not self._playing and self.has_door():
            if self._lobby:
                self._lobby.say("Opening a table…")
            self.lineup = event.lineup
            self._files.save(event.lineup, lineup_file())
            self.enter_room(lambda app: self.door.host(app, event.lineup))

    def on_lobby_join(self, event: Lobby.Join) -> None:
        if not self._playing and self.has_door():
            self.door.join(self, event.lineup)

    @work(exclusive=True, group="match")
    async def enter_room(self, enter: Callable[[FourTwentyApp], Awaitable[Stay]], or_end: bool = False) -> None:
        """Open or join a table and stay there; on failure end the program, or else warn."""
        try:
            stay = await enter(self)
        except NotOpened as why:
            if or_end:
                self.exit(return_code=2, message=f"fourtwenty: {why}")
            else:
                self.warn(str(why))
            return
        finally:
            if self._lobby in self.screen_stack:
                self._lobby.say("")  # it said that a table is being opened
        await stay()
        if touched(self):
            self.exit()  # the page says how to come back
        else:
            await self._return_to_lobby()

    @work(exclusive=True, group="match")
    async def stay_in_room(self, stay: Stay) -> None:
        """Stay at a table that has been joined, then return to the lobby."""
        await stay()
        await self._return_to_lobby()

    # -- the history --------------------------------------------------------------------------------------------

    @property
    def archive(self) -> Archive:
        """All matches; what reads them is imported when it is first needed."""
        from fourtwenty.tui.archive import Archive

        self._archive = self._archive or Archive(self.warn)
        return self._archive

    async def find_archive(self) -> Archive | None:
        """Return all matches; None before there are any, so that a first start imports nothing."""
        if self._archive is None and is_absent(history_file()):
            return None
        await asyncio.to_thread(import_module, "fourtwenty.tui.archive")  # the first keys would wait for it
        return self.archive

    @work(thread=True, exclusive=True, group="measuring")
    def measure(self, quietly: bool = False) -> None:
        """Measure the finished matches that need it, in a thread."""
        worker = get_current_worker()
        for _ in self.archive.measure(quietly, self.tell_measured):
            if worker.is_cancelled:
                return
            sleep(PAUSE_SECONDS)

    def tell_measured(self) -> None:
        """Tell the screen that matches have been measured; from any thread."""
        with suppress(ScreenStackError):  # the app has ended
            self.screen.post_message(Measured())

    async def on_unmount(self) -> None:
        for worker in [*self.workers]:
            if worker.group == "match":  # it leaves its match, which opens the history once more
                worker.cancel()
                with suppress(Exception):  # that it is cancelled, too
                    await asyncio.wait_for(worker.wait(), LEAVING_SECONDS)
        if self._archive:
            self._archive.close()

    # -- actions of every screen ---------------------------------------------------------------------------------

    def action_history(self) -> None:
        from fourtwenty.tui.past.games import PastMatches

        def ended(entry: Entry | None) -> None:
            if entry:
                self.resume(entry)

        if not any(isinstance(screen, PastMatches) for screen in self.screen_stack):
            self.push_screen(PastMatches(self.archive.history, self._playing, self.export, self.show_statistics), ended)
            self.measure(quietly=True)

    def action_statistics(self) -> None:
        from fourtwenty.tui.past.statistics import Statistics

        if not any(isinstance(screen, Statistics) for screen in self.screen_stack):
            self.show_statistics(self.lineup.first_person)
            self.measure()

    def show_statistics(self, name: str) -> None:
        from fourtwenty.tui.past.statistics import Statistics

        self.push_screen(Statistics(self.archive.history, name, self.practise_kind))

    def _practising(self, name: str = "") -> Practising:
        """Begin to practise, with the mistakes of a name, or of the first person of the line-up."""
        from fourtwenty.journal.sources import Practising
        from fourtwenty.play.clock import today

        self.archive.answers.read()
        find = partial(self.find_mine, name or self.lineup.first_person)
        keep, look = self.keep_answers, self.look_for_mistakes
        return Practising(self.archive.answers, keep, today(), look, find, self.record_answer)

    async def _practice_from(self, source: Source, practising: Practising) -> Practice:
        """Return the screen of practice that begins with a source; where that has no puzzle, with one that is drawn."""
        from fourtwenty.journal.sources import Drawn
        from fourtwenty.tui.screens.practice import Practice

        puzzle = await source.next()
        if puzzle is None:
            self.notify(source.ending, markup=False)
            source = drawn = Drawn(practising, source.game)
            puzzle = await drawn.next()
        return Practice(source, puzzle, practising, self._leave_practice)

    def keep_answers(self) -> None:
        """Keep the first answers that are not kept yet; while another program writes, try again later."""
        from fourtwenty.play.match import Busy, NotKept

        try:
            self.archive.answers.keep()
        except Busy:
            self.set_timer(BUSY_PAUSE, self.keep_answers)
        except NotKept as why:
            self.warn(f"This answer is not kept: {why}.")

    async def find_mine(self, name: str, game: str, kind: MistakeKind | None = None) -> OwnMistakes:
        """Return the mistakes of a name that can be asked now."""
        return await self.archive.mine(name, game, kind, searching=self._measuring is not None)

    async def look_for_mistakes(self) -> None:
        """Go through the matches that have not been, in the background; wait for that no longer than it may take."""
        worker = self._measuring or self.measure()
        with suppress(TimeoutError, WorkerError):
            await asyncio.wait_for(asyncio.shield(worker.wait()), LOOKING_SECONDS)

    @property
    def _measuring(self) -> Worker[None] | None:
        return next((each for each in self.workers if each.group == "measuring" and not each.is_finished), None)

    @work(group="answers")
    async def record_answer(self, exercise: KeptExercise, right: bool) -> None:
        await self.archive.answered(exercise, right)

    @work(exclusive=True, group="practice")
    async def practise_kind(self, name: str, game: str, kind: MistakeKind) -> None:
        from fourtwenty.journal.sources import Mine
        from fourtwenty.tui.past.statistics import Statistics

        practising = self._practising(name)
        practice = await self._practice_from(Mine(practising, game, kind), practising)
        if isinstance(self.screen, Statistics):
            self.push_screen(practice)

    async def action_practice(self, first: Literal["", "daily", "mine"] = "") -> None:
        """Practise, first with a puzzle that is drawn, that of the day, or the own mistakes."""
        from fourtwenty.play.practice import PracticeOptions
        from fourtwenty.tui.screens.practice import Practice

        if not isinstance(self.screen, Practice):
            practising = self._practising()
            game = self.screen.game.key if isinstance(self.screen, OfGame) else self.lineup.game
            options = PracticeOptions(game, daily=first == "daily", mine=first == "mine")
            self.push_screen(await self._practice_from(await practising.source(options), practising))

    def _leave_practice(self, ending: str) -> None:
        """Go back from practice, and say there how it ended."""
        if len(self.screen_stack) > 1:
            self.pop_screen()
        else:
            self.push_screen(self._new_lobby())
        if ending:
            self.notify(ending)

    def action_rules(self) -> None:
        from fourtwenty.tui.screens.rules import Rules

        if not isinstance(self.screen, Rules):
            self.push_screen(Rules(self.screen.game if isinstance(self.screen, OfGame) else GAMES[self.lineup.game]))
