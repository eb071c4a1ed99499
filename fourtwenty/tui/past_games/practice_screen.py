"""Practice without a match: a position, its choices, and why the best one is best; saves the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
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
from fourtwenty.games.game import Game, IllegalAction, InvalidAction, Roll, Stand
from fourtwenty.journal.history_entries import MistakeKind
from fourtwenty.journal.practice_sources import NO_MISTAKES, Daily, Drawn, Mine, OwnMistakes, PracticeSession, Source
from fourtwenty.odds import solver_for
from fourtwenty.play.clock import seconds
from fourtwenty.play.match import JournalLockedError, SaveError
from fourtwenty.play.practice import Answer, PracticeOptions, Puzzle, leading
from fourtwenty.tui.past_games.history_service import HistoryService, run_query
from fourtwenty.tui.side_panel_content import guide_section
from fourtwenty.tui.textual_base.actions import CURSOR_BINDINGS, RULES_UNSEEN, ScreenAction, press
from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.textual_base.sentence import Sentence
from fourtwenty.tui.widgets.caption import Caption
from fourtwenty.tui.widgets.hand import Felt, Hand, die_actions
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.ranking import others_sentence, ranking
from fourtwenty.tui.widgets.seats import Row, Seats, tint

BESIDE = 80
"""The terminal width, in cells, from which the choices are beside the hand."""

ROWS_WITHOUT_SEATS = 16
"""The rows of the caption, the hand, its question, sentence and buttons, and the key bar."""

FEW_CHOICES = 5
"""The most choices that the ranking shows below the hand on a short screen."""

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


def unsolved(screen: Practice) -> bool:
    return not screen.solved


def may_stand(screen: Practice) -> bool:
    return not screen.solved and Stand() in screen.puzzle.state.actions


def may_skip(screen: Practice) -> bool:
    return not screen.solved and type(screen.source) in (Drawn, Mine)


def asks(*sources: type[Source]) -> Callable[[Practice], bool]:
    """Return a condition: whether a screen asks the puzzles of one of these sources."""
    return lambda screen: type(screen.source) in sources


def unanswered(screen: Practice) -> str | None:
    """Return why the choices are not shown yet; None if they can be."""
    return None if screen.first_answer else "Answer first."


button = partial(ScreenAction, button=True, spare=True)
primary = partial(ScreenAction, button=True, primary=True)


class Practice(BaseScreen[None]):
    """Asks for the best choice, lets a wrong answer be tried again once, and then says why."""

    HELP = """\
In every position the choice matters. A wrong answer can be tried again before the choices and their chances are shown;
the first answer counts.

**Mine** asks you again what you got wrong in your games, until it sticks: first what cost you most in all. A mistake
answered right comes back after 3, 7, 21 and 60 days; one answered wrong comes back the next day and starts anew
(the learning box of Sebastian Leitner).

**Today's puzzle** of a game is the same for everybody: easy on Mondays, hard at the weekend.
"""
    CSS_PATH = "practice_screen.tcss"
    hand = getters.query_one(Hand)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (BESIDE, "-normal"), (100, "-broad"), (120, "-wide")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        *die_actions("practice", answered),
        ScreenAction("a", "all", "All", id="practice.all", refusal=answered, spare=True, tooltip="Select every die"),
        Binding("escape", "none_or_back", "None", id="practice.none", show=False, tooltip="Select nothing, or go back"),
        button("s", "stand", "Stand", id="practice.stand", tooltip="Keep the hand", available=may_stand),
        primary("enter,r", "answer", "Answer", id="practice.answer", tooltip="Give this answer", available=unsolved),
        primary(
            "enter,r,n",
            "next",
            "Go on",
            id="practice.next",
            tooltip="To the next position, or back after the last",
            available=lambda screen: screen.solved,
        ),
        button(
            "w", "why", "Why", id="practice.why", tooltip="Show every choice", available=unsolved, refusal=unanswered
        ),
        button("n", "skip", "Skip", id="practice.skip", tooltip="Leave this one out", available=may_skip),
        button(
            "y",
            "share",
            "Share",
            id="practice.share",
            tooltip="The result of the day, for others",
            available=lambda screen: bool(screen.source.to_send),
        ),
        Binding("y", "copy", "Copy", id="practice.copy", show=False, tooltip="Copy the position"),
        *CURSOR_BINDINGS,
        ScreenAction(
            "g", "game", "Game", id="practice.game", tooltip="Another game", available=asks(Drawn, Daily, Mine)
        ),
        ScreenAction(
            "m", "turn_to_mine(True)", "Mine", id="practice.mine", tooltip="Your mistakes", available=asks(Drawn)
        ),
        ScreenAction(
            "m", "turn_to_mine(False)", "New", id="practice.new", tooltip="New positions", available=asks(Mine)
        ),
        RULES_UNSEEN,
        Binding("q", "back", "Back", id="practice.back", tooltip="Leave practice"),
    ]
    DIMMED_BUTTONS = False

    selection: var[frozenset[int]] = var(frozenset(), init=False)

    def __init__(
        self, source: Source, puzzle: Puzzle, leave: Callable[[str], object] | None = None, sentence: str = ""
    ) -> None:
        """Ask this puzzle, then the other puzzles of its source.

        ``leave`` leads back with the sentence about the result, empty for none; without it, the screen below is shown.
        ``sentence`` is shown first.
        """
        super().__init__()
        self.source = source
        self.puzzle = puzzle
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
        return super().help_text if isinstance(self.source, Drawn) else super().help_text.partition("\n\n")[0]

    def on_mount(self) -> None:
        self.ask()
        if self.sentence:
            self.say(self.sentence)

    def ask(self) -> None:
        puzzle = self.puzzle
        state = puzzle.state
        self.first_answer, self.solved = None, False
        playing = {seat: standing for seat in range(state.seats) if (standing := state.standing(seat)).playing}
        seats = self.query_one(Seats)
        seats.rows = tuple(
            Row(seat, puzzle.names[seat], detail=standing.detail or "not rolled yet", tally=standing.tally)
            for seat, standing in playing.items()
        )
        seats.cursor = [*playing].index(puzzle.seat)
        self.call_after_refresh(self._fit_seats)
        self.query_one(Caption).update(self.source.caption)
        between = "  " if self.has_class("-narrow") else "\n"
        question = Content.assemble((puzzle.question, "bold"), between, (state.caption(), "$quiet"))
        self.query_one("#question", Static).update(question)
        self.hand.colour = tint(puzzle.seat)
        self.hand.show(state.hand(puzzle.seat))
        lines = [Content.styled(INTRODUCTION, "$quiet")]
        if not self.app.has_class("-no-guide"):
            section = guide_section(self.game.guide)
            lines += [Content(""), Content.styled(section.heading, "bold $primary"), *map(Content, section.lines)]
        lines += [Content(""), Content(self.source.week)] if self.source.week else []
        self.show_why(*lines)
        self.selection = frozenset()
        self.show_actions()
        if told := self.source.told:
            self.show_choices(puzzle.answer(puzzle.choices[0].action), told)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit_seats)

    def _fit_seats(self) -> None:
        seats = self.query_one(Seats)
        seats.styles.height = seats.lines_in(seats.content_size.width, self.app.size.height - ROWS_WITHOUT_SEATS)

    def show_why(self, *lines: Content) -> None:
        """Show lines in place of the choices, from the first."""
        self.query_one("#verdict", Static).update(Content("\n").join(lines))
        self.query_one("#why-panel").scroll_home(animate=False)

    def watch_selection(self, selection: frozenset[int]) -> None:
        self.hand.select(selection)
        self.show_actions()

    @property
    def resting_sentence(self) -> str:
        return self.puzzle.state.preview(self.selection)

    # -- actions -----------------------------------------------------------------------------------------------------

    def text_to_copy(self) -> str:
        return self.puzzle.state.to_text()

    def action_share(self) -> None:
        from fourtwenty.tui.dialogs.question_dialogs import ShareDialog

        self.open_over(ShareDialog(self.source.to_send))

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
        self.judge(self.puzzle.answer(Stand()))

    def action_answer(self) -> None:
        try:
            answer = self.puzzle.answer(Roll(tuple(self.selection)))
        except (InvalidAction, IllegalAction) as refusal:
            self.say(str(refusal), refused=True)
        else:
            self.judge(answer)

    def judge(self, answer: Answer) -> None:
        """Show whether an answer is right. After a first wrong one, allow another; then show the choices."""
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
            self.show_why(Content.styled(answer.verdict, "bold $warning"), again)
            self.selection = frozenset()
            self.show_actions()

    def action_why(self) -> None:
        if self.first_answer:
            self.show_choices(self.first_answer)

    def show_choices(self, answer: Answer, told: str = "") -> None:
        """Show every choice and why the best one is best, after an answer or what is told of an earlier one."""
        self.solved = True
        puzzle = self.puzzle
        best = puzzle.choices[0].action
        self.selection = frozenset(best.dice if isinstance(best, Roll) else ())
        short = self.has_class("-narrow") and not self.has_class("-tall")
        odds = solver_for(puzzle.state)
        choices = leading(puzzle.choices, answer.choice, FEW_CHOICES) if short else puzzle.choices
        gap = () if short else (Content(""),)
        marked = None if told else answer.choice
        colour = "$success" if answer.right else "$warning"
        self.show_why(
            Content.styled(told, "bold") if told else Content.styled(answer.verdict, f"bold {colour}"),
            *gap,
            ranking(odds, puzzle.state, choices, marked, wide=self.app.size.width >= ROOM_FOR_CLASSES),
            *gap,
            Content(answer.reason),
            Content.styled(others_sentence(odds, puzzle.state), "$quiet"),
            Content(self.source.week),
            Content(self.source.yesterday),
        )
        self.show_actions()

    async def action_next(self) -> None:
        await self.turn_to(self.source)

    action_skip = action_next

    async def turn_to(self, source: Source) -> None:
        """Ask the next puzzle of a source. If there is none, leave this one, or say why a new one has none."""
        puzzle = await source.next()
        if not self.is_active:
            return  # the program ends
        if puzzle is None and source is self.source:
            self.action_back()
        elif puzzle is None:
            self.say(source.ending, refused=True)
        else:
            self.source, self.puzzle = source, puzzle
            if source.game != self.game.key:
                self.game = GAMES[source.game]
                await self.hand.remove()
                await self.query_one("#position").mount(Hand(self.game.hand_size), after="#question")
            self.ask()

    async def action_game(self) -> None:
        if isinstance(self.source, Drawn):
            await self.turn_to(self.source.elsewhere())

    async def action_turn_to_mine(self, mine: bool) -> None:
        if isinstance(self.source, Drawn):
            await self.turn_to(await self.source.session.source(PracticeOptions(self.game.key, mine=mine)))

    def action_back(self) -> None:
        if self.leave and self.is_active:
            self.leave(self.source.ending)
        else:
            self.end()

    def action_move_cursor(self, rows: int) -> None:
        self.query_one("#why-panel").scroll_relative(y=rows, animate=False)

    def action_page(self, pages: int) -> None:
        self.action_move_cursor(pages * max(1, self.query_one("#why-panel").size.height - 1))

    @on(Hand.Clicked)
    async def click_die(self, event: Hand.Clicked) -> None:
        if not self.solved:
            await self.do(f"toggle_die({event.die})")


class ScreenPracticeSession(PracticeSession):
    """Practice on a screen, which never waits for another program that writes to the history."""

    def __init__(self, service: HistoryService, leave: Callable[[str], object]) -> None:
        super().__init__(service.history, "", self._say_refused)
        self._service = service
        self._leave = leave
        service.practice = self

    def _say_refused(self, sentence: str) -> None:
        if isinstance(self._service.app.screen, BaseScreen):
            self._service.app.screen.say(sentence, refused=True)

    def handle_unsaved(self, why: SaveError) -> None:
        if isinstance(why, JournalLockedError):
            self._service.app.set_timer(BUSY_PAUSE, self.try_to_save)
        else:
            super().handle_unsaved(why)

    async def search_mistakes(self) -> None:
        """Search the matches in the background; wait at most LOOKING_SECONDS."""
        worker = self._service.measuring or self._service.measure()
        with suppress(TimeoutError, WorkerError):
            await asyncio.wait_for(asyncio.shield(worker.wait()), LOOKING_SECONDS)

    async def find(self, game: str, kind: MistakeKind | None) -> OwnMistakes:
        searching = self._service.measuring is not None
        try:
            return await run_query(
                self.history,
                lambda own: OwnMistakes.of(own, self.name, game, seconds(), kind, searching),
                NO_MISTAKES,
            )
        except SaveError as why:
            return OwnMistakes(sentence=f"Can't open the history: {why}.")

    async def screen(self, source: Drawn) -> Practice:
        """Return a screen for a source; without a puzzle there, with a drawn one."""
        if puzzle := await source.next():
            return Practice(source, puzzle, self._leave)
        drawn = Drawn(self, source.game)
        return Practice(drawn, drawn.draw(), self._leave, source.ending)
