"""The base of the screens that ask for the best choice in a position: exercises and practice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import getters, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.game import Game, InvalidAction, Roll, Stand
from fourtwenty.odds import odds_of
from fourtwenty.play.practice import Answer, Puzzle, leading
from fourtwenty.tui.actions import ScreenAction
from fourtwenty.tui.beside import guide_section
from fourtwenty.tui.framework import HouseApp, HouseScreen
from fourtwenty.tui.touch import hint, press
from fourtwenty.tui.widgets.hand import Felt, Hand, die_actions
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.ranking import lamp_sentence, ranking
from fourtwenty.tui.widgets.seats import Row, Seats, tint

BESIDE = 100
"""The width of the terminal, in cells, from which the choices stand beside the hand."""

FEW_CHOICES = 5
"""The most choices that the ranking shows on a short screen."""

ROOM_FOR_CLASSES = 150
"""The width of the terminal, in cells, from which the ranking has columns for the classes of hands."""

INTRODUCTION = "Which choice is best? Your first answer counts; a wrong one can be tried again."
"""The text in the place of the choices before an answer."""


def answered(screen: Solving) -> str | None:
    """Return why no answer can be given; None when one can."""
    return "This one is answered. Enter goes on." if screen.solved else None


class Solving(HouseScreen[None]):
    """Asks for the best choice, lets a wrong answer be tried again once, and then says why."""

    app = getters.app(HouseApp)
    CSS_PATH = "solving.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (80, "-normal"), (BESIDE, "-broad"), (120, "-wide")]  # noqa: RUF012

    BINDINGS: ClassVar[list[BindingType]] = [
        *die_actions("exercise", answered),
        ScreenAction("a", "all", "All", id="exercise.all", refusal=answered, spare=True),
        Binding("escape", "none_or_back", "None", id="exercise.none", show=False, tooltip="Select nothing, or go back"),
        ScreenAction(
            "s",
            "stand",
            "Stand",
            id="exercise.stand",
            there=lambda screen: Stand() in screen.puzzle.state.actions,
            refusal=answered,
            button=True,
            spare=True,
        ),
        ScreenAction(
            "enter,r",
            "answer",
            "Answer",
            id="exercise.answer",
            there=lambda screen: not screen.solved,
            button=True,
            primary=True,
        ),
        ScreenAction(
            "enter,r,n",
            "next",
            "Next",
            id="exercise.next",
            there=lambda screen: screen.solved,
            button=lambda screen: "Done" if screen.is_last else "Next",
            primary=True,
        ),
        ScreenAction(
            "w",
            "why",
            "Why",
            id="exercise.why",
            tooltip="Show every choice and its chances",
            there=lambda screen: not screen.solved,
            refusal=lambda screen: None if screen.first_answer else "Answer first.",
            button=True,
            spare=True,
        ),
        ScreenAction(
            "n",
            "skip",
            "Skip",
            id="exercise.skip",
            tooltip="Leave this one out",
            there=lambda screen: not screen.solved,
            refusal=lambda screen: "This is the last one." if screen.is_last else None,
            button=True,
            spare=True,
        ),
        Binding(
            "y", "copy", "Copy", id="exercise.copy", show=False, tooltip="Copy the position, or the day in one line"
        ),
        Binding("up", "look(-1)", "Up", id="exercise.up", show=False, tooltip="Scroll the choices up"),
        Binding("down", "look(1)", "Down", id="exercise.down", show=False, tooltip="Scroll the choices down"),
    ]
    DIMMED_BUTTONS = False

    selection: var[frozenset[int]] = var(frozenset(), init=False)
    """The selection, as die positions."""

    game: Game
    """The game of the puzzles."""
    puzzle: Puzzle
    """The puzzle that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.first_answer: Answer | None = None
        """The first answer to the puzzle, which counts."""
        self.solved = False
        """Whether the choices are shown."""

    # -- the source of the puzzles ---------------------------------------------------------------------------------

    @property
    def caption(self) -> str:
        """The line above the puzzle."""
        raise NotImplementedError

    @property
    def is_last(self) -> bool:
        """Whether no puzzle follows."""
        return False

    def colour(self, seat: int) -> int:
        """Return the colour index of a seat."""
        return seat

    def go_on(self) -> None:
        """Set the next puzzle; called only if there is one."""
        raise NotImplementedError

    def note_answer(self, answer: Answer) -> None:
        """Take note of the first answer to a puzzle."""

    # -- display -----------------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static("", id="caption", markup=False)
        with Horizontal(id="felt"):
            with Felt(id="position"):
                yield Seats(id="seats")
                yield Static("", id="question", markup=False)
                yield Hand(self.game.hand_size)
                yield Static("", id="line", markup=False)
                with Horizontal(id="actions"):
                    yield from self.buttons()
            with VerticalScroll(id="why-panel", can_focus=False):
                yield Static("", id="verdict", markup=False)
        yield KeyBar()

    @property
    def hand(self) -> Hand:
        return self.query_one(Hand)

    async def on_mount(self) -> None:
        self.ask()

    def ask(self) -> None:
        """Show a puzzle, without its choices."""
        puzzle = self.puzzle
        state = puzzle.state
        self.first_answer, self.solved = None, False
        playing = [seat for seat in range(state.seats) if state.standing(seat).playing]
        seats = self.query_one(Seats)
        seats.rows = tuple(self._row(seat) for seat in playing)
        seats.pointed = playing.index(puzzle.seat)
        self.call_after_refresh(self._fit_seats)
        self.query_one("#caption", Static).update(self.caption)
        self.query_one("#question", Static).update(
            Content.assemble(
                (puzzle.question, "bold"), "  " if self.app.size.width < BESIDE else "\n", (state.caption(), "$quiet")
            )
        )
        self.hand.colour = tint(self.colour(puzzle.seat))
        self.hand.show(state.hand(puzzle.seat))
        self.show_verdict(Content("\n").join([Content.styled(INTRODUCTION, "$quiet"), *self._guide]))
        self.selection = frozenset()
        self.watch_selection(self.selection)
        self.show_actions()

    @property
    def _guide(self) -> Sequence[Content]:
        """The guide of the game, which fills the place of the choices until they are shown."""
        if self.app.has_class("-no-guide"):
            return ()
        section = guide_section(self.game.guide)
        return Content(""), Content.styled(section.heading, "bold $primary"), *map(Content, section.lines)

    def on_resize(self) -> None:
        self.call_after_refresh(self._fit_seats)

    def _fit_seats(self) -> None:
        seats = self.query_one(Seats)
        seats.styles.height = len(seats.rows) * seats.lines_a_seat

    def _row(self, seat: int) -> Row:
        standing = self.puzzle.state.standing(seat)
        return Row(
            colour=self.colour(seat),
            name=self.puzzle.names[seat],
            detail=standing.detail or "not rolled yet",
            tally=standing.tally,
        )

    def show_verdict(self, verdict: Content) -> None:
        """Show a text in the place of the choices, from its top."""
        self.query_one("#verdict", Static).update(verdict)
        self.query_one("#why-panel").scroll_home(animate=False)

    def watch_selection(self, selection: frozenset[int]) -> None:
        self.hand.select(selection)
        self.query_one("#line", Static).update(hint(self.app, self.puzzle.state.preview(selection)))

    # -- actions -----------------------------------------------------------------------------------------------------

    def copied(self) -> tuple[str, str]:
        return "The position", self.puzzle.state.position()

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
            self._refuse(str(error))
            return
        if refusal := self.puzzle.state.check(roll):
            self._refuse(refusal)
        else:
            self.judge(roll)

    def _refuse(self, sentence: str) -> None:
        self.query_one("#line", Static).update(sentence)
        self.app.bell()

    def judge(self, action: Roll | Stand) -> None:
        """Show whether an answer is right. A first wrong answer may be tried again; then the choices are shown."""
        answer = self.puzzle.answer(action)
        first = self.first_answer is None
        if first:
            self.first_answer = answer
            self.note_answer(answer)
            self.query_one("#caption", Static).update(self.caption)
        if answer.right or not first:
            self.show_choices(answer)
        else:
            again = Content.styled(f"Try again. {press(self, 'exercise.why', 'see why')}.", "$quiet")
            self.show_verdict(Content("\n").join([Content.styled(answer.verdict, "bold $warning"), again]))
            self.selection = frozenset()
            self.show_actions()

    def action_why(self) -> None:
        if self.first_answer:
            self.show_choices(self.first_answer)

    def show_choices(self, answer: Answer) -> None:
        """Show the verdict on an answer, every choice with its chances, and the reason."""
        self.solved = True
        puzzle = self.puzzle
        best = puzzle.choices[0].action
        self.selection = frozenset(best.dice if isinstance(best, Roll) else ())
        short = self.app.size.width < BESIDE and not self.has_class("-tall")
        wide = self.app.size.width >= ROOM_FOR_CLASSES
        odds = odds_of(puzzle.state)
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
                    Content.styled(lamp_sentence(odds, puzzle.state), "$quiet"),
                ]
            )
        )
        self.show_actions()

    def action_next(self) -> None:
        if self.is_last:
            self.action_back()
        else:
            self.go_on()
            self.ask()

    def action_skip(self) -> None:
        self.action_next()

    def action_look(self, step: int) -> None:
        self.query_one("#why-panel").scroll_relative(y=step, animate=False)

    @on(Hand.Clicked)
    async def click_die(self, event: Hand.Clicked) -> None:
        if not self.solved:
            await self.do(f"toggle_die({event.die})")
