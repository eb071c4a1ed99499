"""A ranking of all choices with their chances: for the hint, the table, reviews and practice."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from fourtwenty.games.game import State
from fourtwenty.odds.solver import Choice, Solver
from fourtwenty.play.format import AS_ESTIMATED, cost, noticeable, percent


def others_sentence(odds: Solver, state: State) -> str:
    """Return a sentence if other hands would change the best choice of the seat to act, else an empty text."""
    if not odds.others_matter(state):
        return ""
    return f"Against other hands, a different choice would be best{AS_ESTIMATED * odds.is_estimated(state)}."


def ranking(
    odds: Solver, state: State, choices: Sequence[Choice], marked: Choice | None = None, wide: bool = True
) -> Content:
    """Return a table of choices for the seat to act; if wide, with columns for the classes of hands."""
    head, *rows = ranking_lines(odds, state, choices, wide)
    lines = [Content.styled(f"  {head}", "$quiet")]
    for choice, row in zip(choices, rows, strict=True):
        mark = "▶ " if choice is marked else "  "
        lines.append(Content.styled(f"{mark}{row}", "bold" if choice is choices[0] else ""))
    return Content("\n").join(lines)


def ranking_lines(odds: Solver, state: State, choices: Sequence[Choice], wide: bool) -> list[str]:
    """Return the table of ``ranking`` line by line, titles first."""

    estimated = odds.is_estimated(state)
    unit = "" if odds.CLASSES else "%"

    def share(chance: float) -> str:
        return percent(chance, estimated).removeprefix("about ").removesuffix("" if unit else "%")

    def whole(chance: float) -> str:
        return percent(chance, digits=0).replace("under ", "<").replace("over ", ">").removesuffix("%")

    def loss_of(choice: Choice) -> str:
        loss = choices[0].value - choice.value
        if len(choices) == 1:
            return "forced"
        figure, *_ = cost(loss, estimated).removeprefix("about ").split()
        return f"−{figure}" if noticeable(loss, estimated) else "best"

    wide = wide and bool(choices[0].classes)  # a roll-off makes no hand
    goal = odds.objective(state).name
    head = ("keep", *(odds.CLASSES if wide else ()), *odds.LABELS, odds.AMOUNT_UNIT, goal, "points")
    rows = [
        (
            " ".join(map(str, choice.kept)) or "nothing",
            *(whole(chance) for chance in choice.classes if wide),
            *map(share, choice.chances),
            "" if choice.amount is None else f"{choice.amount:.{0 if estimated else 1}f}",
            share(choice.value),
            loss_of(choice),
        )
        for choice in choices
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    gap = " " if odds.CLASSES else "  "

    def line(cells: Sequence[str]) -> str:
        first, *others = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True) if width)
        return gap.join([first.strip().ljust(widths[0]), *others])

    return [line(cells) for cells in (head, *rows)]
