"""Figures and mistakes of finished matches, and figures averaged over time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import add

from fourtwenty.games.english import join_faces, name_and_verb, pluralize
from fourtwenty.games.game import Stand
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import Figures, StoredMistake
from fourtwenty.odds.solver import Choice
from fourtwenty.play.match import Match
from fourtwenty.review.analysis import Round, rounds_of, skill_figure

SMOOTH = 20


def measured(history: History, left_out: Callable[[int], object] | None = None) -> Iterator[int | None]:
    """Measure finished matches that need it, newest first. A caller may stop after any yield.

    Yields None after each round, and a match's id once its figures and mistakes are stored. Damaged and changed matches
    are skipped; ``left_out`` gets the id of a damaged one. Raises SaveError for an unreadable or unwritable history.
    """
    for id in history.unmeasured():  # noqa: A001
        if history.is_measured(id):
            continue  # by another window, meanwhile
        try:
            match = history.match(id)
            if not match.state.outcome:
                continue
            rounds = rounds_of(match)
            for each in rounds:
                each.ledger(0)  # computes the moments, shared by all seats' ledgers
                yield None
            figures, mistakes = _figures(rounds), mistakes_of(match, rounds)
            if history.match(id).events == match.events:  # the last roll of typed dice may be taken back
                history.measure(id, figures, mistakes)
                yield id
        except ValueError:
            if left_out:
                history.leave_out(id)
                left_out(id)


def left_out_words(matches: int) -> str:
    return f"{pluralize(matches, 'game is', 'games are')} left out of figures and mistakes: damaged."


def counted_words(id: int, counted: bool) -> str:  # noqa: A002
    return f"Game {id} counts." if counted else f"Game {id} stays in the list and does not count."


def renamed_words(name: str, other: str) -> str:
    return (
        f"{name_and_verb(name, 'is', 'are')} {other} now." if other else f"All names of {name} are as they were played."
    )


def _figures(rounds: Sequence[Round]) -> list[Figures]:
    start = rounds[0].start
    last = rounds[0].odds.placement_odds(start).last
    figures = []
    for seat in range(start.seats):
        ledger = reduce(add, (played.ledger(seat) for played in rounds))
        figures.append(Figures(ledger.errors, ledger.decisions, ledger.luck, last[seat] if last else None))
    return figures


def mistakes_of(match: Match, rounds: Sequence[Round]) -> list[StoredMistake]:
    found = []
    for each in rounds:
        for number, moment in enumerate(each.moments, each.first_event):
            seat, state, loss = moment.event.seat, moment.before, moment.loss
            if moment.mistake and not match.lineup.seats[seat].bot:
                alike, situation = each.odds.choice_key(state), each.odds.situation(state)
                words = kind_of(moment.choice, moment.choices[0])
                found.append(StoredMistake(seat, number, state.to_text(), alike, words, situation, loss))
    return found


def kind_of(made: Choice, best: Choice) -> str:
    """Return a mistake in words: "keeps 6 6 5 where 6 6 is better", "rolls all rather than stand on 4 2 1"."""
    made_dice, best_dice = _kept(made), _kept(best)
    if isinstance(made.action, Stand):
        did = f"stands on {made_dice}"
    else:
        did = f"keeps {made_dice}" if made_dice else "rolls all"
    if isinstance(best.action, Stand):
        return f"{did} rather than stand on {best_dice}"
    return f"{did} where {best_dice} is better" if best_dice else f"{did} rather than roll all"


def _kept(choice: Choice) -> str:
    return join_faces(sorted(choice.kept, reverse=True))


def skill_over_time(cumulative: Sequence[tuple[int, Figures]], matches: int = SMOOTH) -> tuple[float, ...]:
    """Return the rolling skill figure at each point of ``History.cumulative_figures``.

    It covers the last ``matches`` matches, or more since the previous point; points without decisions are left out.
    """
    skills = []
    points = ((0, Figures(0, 0, 0, None)), *cumulative)
    start = 0
    for previous, (count, sums) in enumerate(cumulative):
        while start < previous and points[start + 1][0] <= count - matches:
            start += 1
        before = points[start][1]
        figure = skill_figure(sums.lost - before.lost, sums.decisions - before.decisions)
        if figure is not None:
            skills.append(figure)
    return tuple(skills)
