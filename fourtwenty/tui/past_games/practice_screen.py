"""Practice without a match: a position, its choices, and why the best one is best; saves the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widgets import Static
from textual.worker import WorkerError

from fourtwenty.games import GAMES
from fourtwenty.games.game import Game, InvalidAction, Roll, Stand
from fourtwenty.journal.history_entries import MistakeKind, StoredPuzzle
from fourtwenty.journal.practice_sources import Drawn, OwnMistakes, PracticeSession, Source, Today
from fourtwenty.odds import solver_for
from fourtwenty.play.match import JournalLockedError, SaveError
from fourtwenty.play.practice import LEVELS, Answer, Puzzle, leading
from fourtwenty.tui.past_games.history_service import HistoryService
from fourtwenty.tui.side_panel_content import guide_section
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES_UNSEEN, ScreenAction
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.touch import for_touch, press
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.hand import Felt, Hand, die_actions
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.ranking import others_sentence, ranking
from fourtwenty.tui.widgets.seats import Row, Seats, tint

BESIDE = 100
"""The terminal width, in cells, from which the choices are beside the hand."""

FEW_CHOICES = 5
"""The most choices that the ranking shows on a short screen."""

ROOM_FOR_CLASSES = 150
"""The terminal width, in cells, from which the ranking shows the classes of hands."""

LOOKING_SECONDS = 0.3
"""The longest search for own mistakes, in seconds, before the first question; those found later follow."""

BUSY_PAUSE = 0.1
"""Seconds between attempts to save answers while another program writes to the history."""

INTRODUCTION = "Which choice is best? Your first answer counts; a wrong one can be tried again."
"""The text in place of the choices before an answer."""


def answered(screen: Practice) -> str | None:
    """Return why no answer is possible; None if one is."""
    return "This one is answered. Enter goes on." if screen.solved else None


of_sources = partial(ScreenAction, available=lambda screen: screen.practising is not None)


class Practice(BaseScreen[None]):
    """Asks for the best choice, lets a wrong answer be tried again once, and then says why."""

    HELP = """\
A wrong answer can be tried again before the choices and their chances are shown; the first answer counts.

In every position the choice matters. **Easy**: the best choice is better by 5% or more; **hard**: by 2% or less.

The **daily** puzzle of a game is the same for everybody on that date: easy on Mondays, hard at the weekend. The
streak counts the days in a row on which your first answer to it was right; `y` shows the day as others may get it.

**Mine** asks you again what you got wrong in your games, until it sticks: first what cost you most in all. A mistake
answered right comes back after 3, 7, 21 and 60 days; one answered wrong comes back the next day and starts anew
(the learning box of Sebastian Leitner).
"""
    CSS_PATH = "practice_screen.tcss"
    hand = getters.query_one(Hand)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (BESIDE, "-broad"), (120, "-wide")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        *die_actions("practice", answered, tooltip="Roll this die or keep it"),
        ScreenAction("a", "all", "All", id="practice.all", refusal=answered, spare=True, tooltip="Select every die"),
        Binding("escape", "none_or_back", "None", id="practice.none", show=False, tooltip="Select nothing, or go back"),
        ScreenAction(
            "s",
            "stand",
            "Stand",
            id="practice.stand",
            tooltip="Keep the hand",
            available=lambda screen: Stand() in screen.puzzle.state.actions,
            refusal=answered,
            button=True,
            spare=True,
        ),
        ScreenAction(
            "enter,r",
            "answer",
            "Answer",
            id="practice.answer",
            tooltip="Give this answer",
            available=lambda screen: not screen.solved,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "enter,r,n",
            "next",
            "Next",
            id="practice.next",
            tooltip="The next position",
            available=lambda screen: screen.solved,
            button=lambda screen: "Done" if screen.source.is_last else "Next",
            primary=True,
        ),
        ScreenAction(
            "w",
            "why",
            "Why",
            id="practice.why",
            tooltip="Show every choice and its chances",
            available=lambda screen: not screen.solved,
            refusal=lambda screen: None if screen.first_answer else "Answer first.",
            button=True,
            spare=True,
        ),
        ScreenAction(
            "n",
            "skip",
            "Skip",
            id="practice.skip",
            tooltip="Leave this one out",
            available=lambda screen: not screen.solved,
            refusal=lambda screen: "This is the last one." if screen.source.is_last else None,
            button=True,
            spare=True,
        ),
        ScreenAction(
            "y",
            "share",
            "Share",
            id="practice.share",
            tooltip="The result of the day, for others",
            available=lambda screen: bool(screen.source.to_send),
            button=True,
            spare=True,
        ),
        Binding("y", "copy", "Copy", id="practice.copy", show=False, tooltip="Copy the position"),
        *CURSOR_BINDINGS,
        of_sources("l", "level", "Level", id="practice.level", tooltip="Easy, medium or hard", spare=True),
        of_sources("g", "game", "Game", id="practice.game", tooltip="Another game"),
        of_sources("d", "daily", "Daily", id="practice.daily", tooltip="The puzzle of the day"),
        of_sources("m", "mine", "Mine", id="practice.mine", tooltip="Your own mistakes of all games"),
        RULES_UNSEEN,
        Binding("q", "back", "Back", id="practice.back", tooltip="Leave practice"),
    ]
    DIMMED_BUTTONS = False

    selection: var[frozenset[int]] = var(frozenset(), init=False)

    def __init__(
        self,
        source: Source,
        puzzle: Puzzle,
        practising: PracticeSession | None = None,
        leave: Callable[[str], object] | None = None,
        sentence: str = "",
    ) -> None:
        """Ask a puzzle, then the following ones of a source.

        Without ``practising``, which makes sources, others cannot be chosen. ``leave`` leads back with the sentence
        about the result, empty for none; without it, the screen below is shown. ``sentence`` is shown first.
        """
        super().__init__()
        self.source = source
        self.puzzle = puzzle
        self.practising = practising
        self.leave = leave
        self.sentence = sentence
        self.game: Game = GAMES[source.game]
        self.first_answer: Answer | None = None
        self.solved = False

    # -- display -----------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Caption()
        with Horizontal(id="felt"):
            with Felt(id="position"):
                yield Seats(id="seats")
                yield Static("", id="question", markup=False)
                yield Hand(self.game.hand_size)
                yield Sentence("line")
                with Horizontal(id="actions"):
                    yield from self.buttons()
            with VerticalScroll(id="why-panel", can_focus=False):
                yield Static("", id="verdict", markup=False)
        yield KeyBar()

    @property
    def help_text(self) -> str:
        return super().help_text if self.practising else super().help_text.partition("\n\n")[0]

    def on_mount(self) -> None:
        self.ask()
        if self.sentence:
            self.say(self.sentence)

    def ask(self) -> None:
        puzzle = self.puzzle
        state = puzzle.state
        self.first_answer, self.solved = None, False
        playing = [seat for seat in range(state.seats) if state.standing(seat).playing]
        seats = self.query_one(Seats)
        seats.rows = tuple(self._row(seat) for seat in playing)
        seats.cursor = playing.index(puzzle.seat)
        self.call_after_refresh(self._fit_seats)
        self.query_one(Caption).update(self.source.caption)
        self.query_one("#question", Static).update(
            Content.assemble(
                (puzzle.question, "bold"), "  " if self.app.size.width < BESIDE else "\n", (state.caption(), "$quiet")
            )
        )
        self.hand.colour = tint(puzzle.seat)
        self.hand.show(state.hand(puzzle.seat))
        self.show_verdict(Content("\n").join([Content.styled(INTRODUCTION, "$quiet"), *self._guide]))
        self.selection = frozenset()
        self.show_actions()

    @property
    def _guide(self) -> Sequence[Content]:
        if self.app.has_class("-no-guide"):
            return ()
        section = guide_section(self.game.guide)
        return Content(""), Content.styled(section.heading, "bold $primary"), *map(Content, section.lines)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit_seats)

    def _fit_seats(self) -> None:
        seats = self.query_one(Seats)
        seats.styles.height = seats.lines_in(seats.content_size.width, self.app.size.height)

    def _row(self, seat: int) -> Row:
        standing = self.puzzle.state.standing(seat)
        return Row(
            colour=seat,
            name=self.puzzle.names[seat],
            detail=standing.detail or "not rolled yet",
            tally=standing.tally,
        )

    def show_verdict(self, verdict: Content) -> None:
        """Show a text in place of the choices, from its top."""
        self.query_one("#verdict", Static).update(verdict)
        self.query_one("#why-panel").scroll_home(animate=False)

    def watch_selection(self, selection: frozenset[int]) -> None:
        self.hand.select(selection)
        self.show_actions()

    @property
    def resting_sentence(self) -> str:
        return for_touch(self.app, self.puzzle.state.preview(self.selection))

    # -- actions -----------------------------------------------------------------------------------------------------

    def text_to_copy(self) -> str:
        return self.puzzle.state.to_text()

    def action_share(self) -> None:
        from fourtwenty.tui.dialogs.question_dialogs import ShareDialog

        if self.is_active:
            self.app.push_screen(ShareDialog(self.source.to_send))

    def action_toggle_die(self, die: int) -> None:
        self.selection ^= {die}

    def action_all(self) -> None:
        self.selection = frozenset(range(1, len(self.hand.dice) + 1))

    def action_none_or_back(self) -> None:
        if self.selection and not self.solved:
            self.selection = frozenset()
        else:
            self.action_back()

    def action_stand(self) -> None:
        self.judge(Stand())

    def action_answer(self) -> None:
        try:
            roll = Roll(tuple(self.selection))
        except InvalidAction as error:
            self.say(str(error), refused=True)
            return
        if refusal := self.puzzle.state.check(roll):
            self.say(refusal, refused=True)
        else:
            self.judge(roll)

    def judge(self, action: Roll | Stand) -> None:
        """Show whether an answer is right. After a first wrong one, allow another; then show the choices."""
        answer = self.puzzle.answer(action)
        first = self.first_answer is None
        if first:
            self.first_answer = answer
            if sentence := self.source.note(answer):
                self.say(sentence)
            self.query_one(Caption).update(self.source.caption)
        if answer.right or not first:
            self.show_choices(answer)
        else:
            again = Content.styled(f"Try again. {press(self, 'practice.why', 'see why')}.", "$quiet")
            self.show_verdict(Content("\n").join([Content.styled(answer.verdict, "bold $warning"), again]))
            self.selection = frozenset()
            self.show_actions()

    def action_why(self) -> None:
        if self.first_answer:
            self.show_choices(self.first_answer)

    def show_choices(self, answer: Answer) -> None:
        self.solved = True
        puzzle = self.puzzle
        best = puzzle.choices[0].action
        self.selection = frozenset(best.dice if isinstance(best, Roll) else ())
        short = self.app.size.width < BESIDE and not self.has_class("-tall")
        wide = self.app.size.width >= ROOM_FOR_CLASSES
        odds = solver_for(puzzle.state)
        choices = leading(puzzle.choices, answer.choice, FEW_CHOICES) if short else puzzle.choices
        colour = "bold $success" if answer.right else "bold $warning"
        self.show_verdict(
            Content("\n").join(
                [
                    Content.styled(answer.verdict, colour),
                    *([] if short else [Content("")]),
                    ranking(odds, puzzle.state, choices, answer.choice, wide=wide),
                    *([] if short else [Content("")]),
                    Content(answer.reason),
                    Content.styled(others_sentence(odds, puzzle.state), "$quiet"),
                ]
            )
        )
        self.show_actions()

    async def action_next(self) -> None:
        puzzle = await self.source.next()
        if puzzle is None:
            self.action_back()
        else:
            await self._show(puzzle)

    async def action_skip(self) -> None:
        await self.action_next()

    async def turn_to(self, source: Source) -> None:
        """Ask the puzzles of another source; if it has none, say why and stay."""
        puzzle = await source.next()
        if puzzle is None:
            self.say(source.ending)
        else:
            self.source = source
            await self._show(puzzle)

    async def _show(self, puzzle: Puzzle) -> None:
        if not self.is_active:
            return  # the program ends
        self.puzzle = puzzle
        if self.source.game != self.game.key:
            self.game = GAMES[self.source.game]
            await self.hand.remove()
            await self.query_one("#position").mount(Hand(self.game.hand_size), after="#question")
        self.ask()

    async def action_level(self) -> None:
        if self.practising:
            levels = list(LEVELS)
            self.practising.level = levels[(levels.index(self.practising.level) + 1) % len(levels)]
            await self.turn_to(Drawn(self.practising, self.game.key))

    async def action_game(self) -> None:
        if source := self.source.elsewhere():
            await self.turn_to(source)
        else:
            self.say("No mistakes are due in another game.", refused=True)

    async def action_daily(self) -> None:
        if self.practising:
            await self.turn_to(Today(self.practising, self.game.key))

    async def action_mine(self) -> None:
        if self.practising:
            await self.turn_to(await self.practising.mine(self.game.key))

    def action_back(self) -> None:
        if self.is_active:
            if self.leave:
                self.leave(self.source.ending)
            else:
                self.dismiss()

    def action_move_cursor(self, rows: int) -> None:
        self.query_one("#why-panel").scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        self.action_move_cursor(pages * max(1, self.query_one("#why-panel").size.height - 1))

    @on(Hand.Clicked)
    async def click_die(self, event: Hand.Clicked) -> None:
        if not self.solved:
            await self.do(f"toggle_die({event.die})")


class ScreenPracticeSession(PracticeSession):
    """Practice that saves this user's answers in the history."""

    def __init__(self, service: HistoryService, name: str) -> None:
        super().__init__(service.answers, name)
        self._history_service = service
        self._app = service.app

    def save(self) -> None:
        """Save pending answers; while another program writes, try again later."""
        try:
            self.answers.save()
        except JournalLockedError:
            self._app.set_timer(BUSY_PAUSE, self.save)
        except SaveError as why:
            self._say_unsaved(why)

    def _say_unsaved(self, why: SaveError) -> None:
        if isinstance(self._app.screen, BaseScreen):
            self._app.screen.say(f"This answer is not saved: {why}.", refused=True)

    async def search_mistakes(self) -> None:
        """Search the matches in the background; wait at most LOOKING_SECONDS."""
        worker = self._history_service.measuring or self._history_service.measure()
        with suppress(TimeoutError, WorkerError):
            await asyncio.wait_for(asyncio.shield(worker.wait()), LOOKING_SECONDS)

    async def find(self, game: str, kind: MistakeKind | None) -> OwnMistakes:
        return await self._history_service.mine(self.name, game, kind)

    def record(self, stored_puzzle: StoredPuzzle, right: bool) -> None:
        async def write() -> None:
            try:
                await self._history_service.answered(stored_puzzle, right)
            except SaveError as why:
                self._say_unsaved(why)

        self._app.run_worker(write(), group="answers")

    async def screen(self, source: Source, leave: Callable[[str], object]) -> Practice:
        """Return a screen for a source; without a puzzle there, with a drawn one."""
        puzzle, sentence = await source.next(), ""
        if puzzle is None:
            sentence = source.ending
            source = drawn = Drawn(self, source.game)
            puzzle = await drawn.next()
        return Practice(source, puzzle, self, leave, sentence)
