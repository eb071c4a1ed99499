"""The hint, a ranking of all choices with their chances, and the warning before a choice that loses much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Label, Static

from fourtwenty.games.game import State
from fourtwenty.games.words import spaced
from fourtwenty.odds.interface import Choice, Odds
from fourtwenty.play.advice import Advice
from fourtwenty.play.percent import AS_ESTIMATED, cost, noticeable, percent
from fourtwenty.tui.dialogs.dialog import Dialog
from fourtwenty.tui.widgets.coach import LAMP_OFF, LAMP_ON
from fourtwenty.tui.widgets.command_row import Command, CommandRow

WIDE = 80
"""The width of the terminal, in cells, from which the ranking has columns for the classes of hands."""


def lamp_sentence(odds: Odds, state: State) -> str:
    """Return the lamp and a sentence: whether the other hands change the best choice of the seat to act."""
    estimated = AS_ESTIMATED if odds.approximate(state) else ""
    if odds.others_matter(state):
        return f"{LAMP_ON} Against other hands, a different choice would be best{estimated}."
    return f"{LAMP_OFF} The other hands do not matter to this choice{estimated}."


def ranking(
    odds: Odds, state: State, choices: Sequence[Choice], chosen: Choice | None = None, wide: bool = True
) -> Content:
    """Return a table of the choices of the seat to act, with a pointer at the chosen one.

    If wide, it has columns for the chances of each class of hand.
    """
    head, *rows = ranking_lines(odds, state, choices, wide)
    lines = [Content.styled(f"  {head}", "$quiet")]
    for choice, row in zip(choices, rows, strict=True):
        mark = "▶ " if choice is chosen else "  "
        lines.append(Content.styled(f"{mark}{row}", "bold" if choice is choices[0] else ""))
    return Content("\n").join(lines)


def ranking_lines(odds: Odds, state: State, choices: Sequence[Choice], wide: bool) -> list[str]:
    """Return the table of ``ranking`` line by line, the heads of its columns first."""

    about = odds.approximate(state)
    unit = "" if odds.CLASSES else "%"

    def share(chance: float) -> str:
        return percent(chance, about).removeprefix("about ").removesuffix("" if unit else "%")

    def loss_of(choice: Choice) -> str:
        loss = choices[0].value - choice.value
        if len(choices) == 1:
            return "forced"
        return cost(loss, about).removeprefix("about ") if noticeable(loss, about) else "best"

    wide = wide and bool(choices[0].classes)  # a roll-off makes no hand
    goal = odds.goal(state).name
    head = ("keep", *(odds.CLASSES if wide else ()), *odds.LABELS, odds.AMOUNT, goal, "costs")
    rows = [
        (
            " ".join(map(str, choice.kept)) or "nothing",
            *(f"{100 * chance:.0f}" for chance in choice.classes if wide),
            *map(share, choice.chances),
            "" if choice.amount is None else f"{choice.amount:.{0 if about else 1}f}",
            share(choice.value),
            loss_of(choice),
        )
        for choice in choices
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    gap = " " if odds.CLASSES else "   "

    def line(cells: Sequence[str]) -> str:
        first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True) if width)
        return gap.join([first.strip().ljust(widths[0]), *others])

    return [line(cells) for cells in (head, *rows)]


class Hint(Dialog[bool]):
    """The ranking of the choices of the seat to act, and the lamp. Ends with whether the coach is wanted now."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,h,q,space", "end(False)", "Back to the dice", id="hint.back"),
        Binding("c", "end(True)", "Show the odds from here on", id="hint.coach"),
    ]

    def __init__(self, odds: Odds, state: State, coached: bool) -> None:
        """Rank the choices in a state; where the players are not coached, offer the coach."""
        super().__init__()
        self.odds = odds
        self.state = state
        self.coached = coached

    def compose(self) -> ComposeResult:
        """Lay out the ranking above the lamp."""
        with Vertical(classes="dialog"):
            seat = self.state.to_act
            hand = () if seat is None else self.state.hand(seat)
            every = f"With {spaced(hand)}: every" if hand else "Every"
            about = "; chances are estimates" if self.odds.approximate(self.state) else ""
            in_percent = ", in percent" if self.odds.CLASSES else ""
            yield Label(f"{every} choice, the best first{in_percent}{about}", id="heading")
            choices = self.odds.choices(self.state)
            yield Static(ranking(self.odds, self.state, choices, wide=self.app.size.width >= WIDE), id="ranking")
            lines = lamp_sentence(self.odds, self.state), self.odds.goal(self.state).note
            yield Static("\n".join(filter(None, lines)), id="lamp")
            offer = () if self.coached else (Command("hint.coach"),)
            yield CommandRow(Command("hint.back"), *offer)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the coach to those who do not have it."""
        return not (self.coached and action == "end" and parameters[0])

    def action_end(self, coach: bool) -> None:
        """End with whether the coach is wanted."""
        self.end(coach)


class Warn(Dialog[Literal["play", "rethink", "show"]]):
    """A warning with three answers: play the choice, rethink it, or show all choices."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape", "answer('rethink')", "Rethink", id="warn.rethink"),
        Binding("p", "answer('play')", "Play anyway", id="warn.play"),
        Binding("h", "answer('show')", "Show all choices", id="warn.show"),
    ]

    def __init__(self, advice: Advice) -> None:
        """Warn of the loss of a choice."""
        super().__init__()
        self.advice = advice

    def compose(self) -> ComposeResult:
        """Lay out the warning above the answers."""
        with Vertical(classes="dialog"):
            loss = cost(self.advice.loss, self.advice.about)
            yield Label(f"This costs {loss} compared with the best choice.", id="heading")
            yield CommandRow(Command("warn.rethink"), Command("warn.play"), Command("warn.show"))

    def action_answer(self, answer: Literal["play", "rethink", "show"]) -> None:
        """End with the answer."""
        self.end(answer)
