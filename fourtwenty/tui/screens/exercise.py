"""Exercises: the positions of a match in which a mistake was made, to choose again. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.reactive import var
from textual.widgets import Static

from fourtwenty.games.game import InvalidAction, Roll, Stand
from fourtwenty.odds import choice_of, odds_of
from fourtwenty.play.match import Match
from fourtwenty.play.percent import cost, noticeable
from fourtwenty.review.analysis import Moment
from fourtwenty.tui.dialogs.hint import WIDE, ranking
from fourtwenty.tui.framework import HouseScreen
from fourtwenty.tui.widgets.hand import SELECT_DICE, Hand
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.mouse_button import MouseButton
from fourtwenty.tui.widgets.seats import mark, tint


class Exercise(HouseScreen[None]):
    """Shows the position before each mistake, takes a choice, then shows the ranking of all choices."""

    CSS_PATH = "exercise.tcss"

    HELP = "The position once more. Select what you would roll now; the answer shows how good that is."
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(die), f"toggle_die({die})", f"Die {die}", id=f"exercise.die-{die}", group=SELECT_DICE)
            for die in range(1, 5)
        ),
        Binding("a", "all", "All", id="exercise.all"),
        Binding("s", "stand", "Stand", id="exercise.stand"),
        Binding("enter,r", "answer", "Answer", key_display="enter", id="exercise.answer"),
        Binding("enter,r", "next", "Next", key_display="enter", id="exercise.next"),
        Binding("escape,q", "back", "Back", key_display="esc", id="exercise.back"),
    ]

    selection: var[frozenset[int]] = var(frozenset(), init=False)
    """The selection, as die positions."""

    def __init__(self, match: Match, mistakes: Sequence[Moment]) -> None:
        """Make exercises of these moments of a match."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.mistakes = mistakes
        self.index = 0
        """The index of the mistake that is shown."""
        self.right = 0
        """The number of exercises answered with the best choice."""
        self.answered = False
        """Whether the exercise that is shown has been answered."""
        self.hand = Hand(match.game.hand_size)

    @property
    def moment(self) -> Moment:
        """The mistake that is shown."""
        return self.mistakes[self.index]

    def compose(self) -> ComposeResult:
        """Lay out the question, the hand and the verdict."""
        yield Static("", id="caption", markup=False)
        with VerticalScroll(id="felt", can_focus=False):
            yield Static("", id="question", markup=False)
            yield self.hand
            yield Static("", id="line", markup=False)
            with Horizontal(id="actions"):
                yield MouseButton("Answer", id="go", variant="primary")
                yield MouseButton("Stand", id="stand")
            yield Static("", id="verdict", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the first exercise."""
        self.ask()

    def ask(self) -> None:
        """Show the position of the exercise, without the ranking."""
        moment = self.moment
        state, seat = moment.before, moment.event.seat
        self.answered = False
        lineup = self.match.lineup
        colour = lineup.colour(seat, self.match.starting_seat)
        self.hand.colour = None if lineup.monocolor else tint(colour)
        names = self.match.names
        others = [
            f"{names[other]} {' '.join(map(str, state.hand(other))) or 'has not rolled'}"
            for other in range(state.seats)
            if other != seat and state.standing(other).playing
        ]
        self.query_one("#caption", Static).update(f"Exercise {self.index + 1} of {len(self.mistakes)}")
        self.query_one("#question", Static).update(
            Content.assemble(
                (f"{mark(colour)} {names[seat]}: what would you roll?", "bold"), "\n", ("; ".join(others), "$quiet")
            )
        )
        self.query_one("#verdict", Static).update("")
        self.hand.show(state.hand(seat))
        self.selection = frozenset()
        self.watch_selection(self.selection)
        self._offer("Answer")

    def watch_selection(self, selection: frozenset[int]) -> None:
        """Show the selection and its preview."""
        self.hand.select(selection)
        self.query_one("#line", Static).update(self.moment.before.preview(selection))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer one of answer and next; hide dice and actions that the game does not have."""
        if action == "toggle_die" and isinstance(parameters[0], int) and parameters[0] > self.match.game.hand_size:
            return False
        if action == "stand" and Stand() not in self.moment.before.actions:
            return False
        if action in ("toggle_die", "all", "stand"):
            return not self.answered or None
        if action in ("answer", "next"):
            return self.answered == (action == "next")
        return True

    def action_toggle_die(self, die: int) -> None:
        """Add a die to the selection, or remove it."""
        self.selection ^= {die}

    def action_all(self) -> None:
        """Select every die."""
        self.selection = frozenset(range(1, self.match.game.hand_size + 1))

    def action_stand(self) -> None:
        """Choose to stand."""
        self.judge(Stand())

    def action_answer(self) -> None:
        """Choose to roll the selection, or show why that is not legal."""
        try:
            roll = Roll(tuple(self.selection))
            refusal = self.moment.before.check(roll)
        except InvalidAction as error:
            refusal = str(error)
        if refusal:
            self.query_one("#line", Static).update(refusal)
            self.app.bell()
        else:
            self.judge(roll)

    def judge(self, action: Roll | Stand) -> None:
        """Show the loss of an answer beside that of the choice made in the match, and the ranking of all choices."""
        moment = self.moment
        chosen = choice_of(moment.choices, moment.before, action)
        loss = moment.choices[0].value - chosen.value
        self.answered = True
        if not noticeable(loss, moment.about):
            self.right += 1
            sentence = "Correct, that is best."
        elif chosen is moment.choice:
            sentence = f"The same mistake: it costs {cost(loss, moment.about)}."
        else:
            sentence = f"It costs {cost(loss, moment.about)} ({cost(moment.loss, moment.about)} in the game)."
        table = ranking(odds_of(moment.before), moment.before, moment.choices, chosen, wide=self.app.size.width >= WIDE)
        self.query_one("#verdict", Static).update(
            Content("\n").join([Content.styled(sentence, "bold"), Content(""), table])
        )
        self._offer("Next" if self.index + 1 < len(self.mistakes) else "Done")

    def action_next(self) -> None:
        """Show the next exercise; after the last, go back."""
        if self.index + 1 < len(self.mistakes):
            self.index += 1
            self.ask()
        else:
            self.action_back()

    def action_back(self) -> None:
        """Go back to the review, and show how many answers were right."""
        if self.is_active:
            tried = self.index + self.answered
            if tried:
                self.app.notify(f"{self.right} of {tried} right.")
            self.dismiss()

    def _offer(self, label: str) -> None:
        self.query_one("#go", MouseButton).label = label
        self.query_one("#stand").display = self.check_action("stand", ()) is True
        self.refresh_bindings()

    @on(Hand.Clicked)
    def click_die(self, event: Hand.Clicked) -> None:
        """Add the die that was clicked to the selection, or remove it."""
        if not self.answered:
            self.action_toggle_die(event.die)

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Run the action of the button that was clicked."""
        await self.run_action("stand" if event.button.id == "stand" else "next" if self.answered else "answer")
