"""Solves 420: the result of each choice, and the value of every hand beside the others.

A seat's future does not depend on other dice, and hands with the same future form one class. So a seat is a curve: the
probability to make 20 in each of its next turns. A round is a race of curves. From four seats up, three hands depend
on the others too. docs/paper/solution.md says what is proved, and how precise this is.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import accumulate, combinations_with_replacement, product
from math import prod
from operator import add, mul
from typing import cast

from msgspec import Struct

from fourtwenty.games.four_twenty import DICE, GOAL, FourTwenty
from fourtwenty.games.game import Action, Faces, Roll, State
from fourtwenty.games.notation import digits
from fourtwenty.odds.solver import Choice, Objective, PlacementOdds, SecondaryValues, seat_to_act

LABELS: tuple[str, ...] = ("20", "over")
"""The outcomes of a choice: exactly 20, and more."""

CLASSES: tuple[str, ...] = ()
AMOUNT_UNIT = ""

NEGLIGIBLE_RACE = 1e-17
"""A race is summed until the probability that nobody has made 20 yet is below this."""

HORIZON = 170
"""The turns in a curve. The probability that neither of two seats makes 20 in them is below 1e-18."""

PRECISION = 1e-13
"""Rolls to 20 are improved until no step changes more."""

MAX_CALM_SEATS = 3
"""The most seats at which nobody ever hurries, proved by the full programme."""

MAX_EXACT_SEATS = 4
"""The most seats at which every value is within 0.05 points, and every best choice right."""

MAX_CHECKED_SEATS = 8
"""The most seats at which every value is within 0.05 points unless a seat holds a hand that may hurry."""

MAX_FOLLOWED_SEATS = 12
"""The most seats with a followed first lap; in larger crowds all keep the habit."""

UNDECIDED = 1e-5
"""Laps after a hurried decision are followed until the probability of no 20 is below this."""

COST_BUCKETS = 96
"""Branches merge when the cost of hurrying, in units of its gain, agrees to one part in this number a seat."""

NOT_ROLLED = 0
"""The class before a roll, and of every hand over 20."""

CLEARED: dict[int, tuple[float, ...]] = {
    4: (0.28815971, 0.26092795, 0.23645611, 0.21445623),
    5: (0.23963310, 0.21775877, 0.19805115, 0.18028775, 0.16426923),
    6: (0.20694603, 0.18864135, 0.17211035, 0.15717375, 0.14367086, 0.13145766),
    7: (0.18335263, 0.16759430, 0.15333161, 0.14041602, 0.12871418, 0.11810634, 0.10848492),
    8: (
        *(0.1654667874, 0.1516159575, 0.1390550614, 0.1276580892),
        *(0.1173116886, 0.1079138576, 0.0993727786, 0.0916057797),
    ),
}
"""``[seats][seat]``: the probability to win a round before its first roll: docs/paper, "four" to "eight"."""

BUYING: dict[int, tuple[float, ...]] = {
    4: (0.2499544767, 0.2460709369, 0.2456591679, 0.2583154185),
    5: (0.1964145100, 0.1955246924, 0.1981819739, 0.2015410412, 0.2083377825),
}
"""``[seats][seat]``: the probability to buy the drinks before the first roll, when all play not to: docs/paper,
"four-drinks" and "five-drinks". With fewer seats, winning the round is playing for the drinks too."""

Kept = Faces
"""Kept dice as a multiset, ascending: all that matters of a roll."""

SortedHand = Faces
"""A hand as a multiset, ascending; empty before the first roll."""


class ThrowOutcomes(Struct, frozen=True):
    """The outcomes of a throw of the dice not kept."""

    twenty: float
    over: float
    classes: tuple[tuple[int, float], ...]
    """Each possible class of hands, without 20, and its probability."""


class TurnCurve(Struct, frozen=True):
    """The turns until a seat makes 20, with best play of a seat alone."""

    now: tuple[float, ...]
    """``[turn]``: the probability that the first 20 comes in that turn from now; 0 at index 0."""
    later: tuple[float, ...]
    """``[turn]``: the probability that no 20 has come by then; 1 at index 0."""


class Solution(Struct, frozen=True):
    """The solution for a seat alone; ``[class]`` is the number of a class of hands."""

    classes: dict[SortedHand, int]
    """``[hand]``: the class of every hand but 20. A class shares its future."""
    allowed: tuple[tuple[Kept, ...], ...]
    """``[class]``: the legal sets of kept dice."""
    throws: dict[Kept, ThrowOutcomes]
    """``[kept]``: the outcomes of throwing the other dice."""
    best: tuple[Kept, ...]
    """``[class]``: the dice to keep in best play, for the fewest expected rolls to 20."""
    rolls: tuple[float, ...]
    """``[class]``: the expected rolls to 20 when ``best`` is kept."""
    curves: dict[Kept, TurnCurve]
    """``[kept]``: the curve after keeping these dice, with best play later."""
    hurried: tuple[Kept, ...]
    """``[class]``: the dice to keep for 20 on the next roll; few differ from ``best``."""


@cache
def solve() -> Solution:
    """Return the solution for a seat alone. The first call takes about 30 ms."""
    hands = [(), *combinations_with_replacement(range(1, 7), len(DICE))]
    legal = {hand: _legal_keeps(hand) for hand in hands if sum(hand) != GOAL}
    thrown = {kept: _thrown(kept) for kept in set().union(*legal.values())}
    classes = _refine(legal, thrown)
    member = {classes[hand]: hand for hand in reversed(legal)}
    allowed = tuple(legal[member[hand_class]] for hand_class in range(len(member)))
    throws = {kept: _throw(outcomes, classes) for kept, outcomes in thrown.items()}
    best, rolls = _fewest_rolls(allowed, throws)
    hurried = tuple(
        max(options, key=lambda kept: (throws[kept].twenty, kept == calm))
        for options, calm in zip(allowed, best, strict=True)
    )
    return Solution(classes, allowed, throws, best, rolls, _curves(throws, best), hurried)


def _legal_keeps(hand: SortedHand) -> tuple[Kept, ...]:
    """Return the sets of dice of a hand that may be kept, most dice first."""
    allowed = {_kept(hand, roll) for roll in FourTwenty.from_hands([hand, ()]).actions}
    return tuple(sorted(allowed, key=lambda kept: (-len(kept), kept)))


def _thrown(kept: Kept) -> Counter[SortedHand]:
    """Return ``cases[hand]``: the throws of the other dice that make each hand."""
    throws = product(range(1, 7), repeat=len(DICE) - len(kept))
    return Counter(tuple(sorted(kept + faces)) for faces in throws)


def _refine(
    legal: dict[SortedHand, tuple[Kept, ...]], thrown: dict[Kept, Counter[SortedHand]]
) -> dict[SortedHand, int]:
    """Return ``[hand]``: the fewest classes with equal chances in cases of 1,296 (partition refinement)."""
    classes = dict.fromkeys(legal, 0)
    while True:
        futures: dict[Kept, frozenset[tuple[int, float]]] = {}
        for kept, outcomes in thrown.items():
            cases: Counter[int] = Counter()
            for hand, count in outcomes.items():
                cases[classes.get(hand, -1)] += count * 6 ** len(kept)
            futures[kept] = frozenset(cases.items())
        class_of: dict[object, int] = {}
        split = {
            hand: class_of.setdefault(frozenset(futures[kept] for kept in allowed), len(class_of))
            for hand, allowed in legal.items()
        }
        if len(class_of) == len(set(classes.values())):
            return split
        classes = split


def _throw(outcomes: Counter[SortedHand], classes: dict[SortedHand, int]) -> ThrowOutcomes:
    total = outcomes.total()
    cases: Counter[int] = Counter()
    for hand, count in outcomes.items():
        if hand in classes:
            cases[classes[hand]] += count
    return ThrowOutcomes(
        twenty=sum(count for hand, count in outcomes.items() if sum(hand) == GOAL) / total,
        over=sum(count for hand, count in outcomes.items() if sum(hand) > GOAL) / total,
        classes=tuple((hand_class, count / total) for hand_class, count in sorted(cases.items())),
    )


def _fewest_rolls(
    allowed: tuple[tuple[Kept, ...], ...], throws: dict[Kept, ThrowOutcomes]
) -> tuple[tuple[Kept, ...], tuple[float, ...]]:
    """Return the dice to keep for the fewest rolls to 20, and those rolls, both ``[class]``, by value iteration."""
    rolls: tuple[float, ...] = (0.0,) * len(allowed)
    while True:
        needed = {
            kept: 1 + sum(chance * rolls[hand_class] for hand_class, chance in throw.classes)
            for kept, throw in throws.items()
        }
        fewer = tuple(min(needed[kept] for kept in options) for options in allowed)
        if max(abs(new - old) for new, old in zip(fewer, rolls, strict=True)) < PRECISION:
            return tuple(min(options, key=needed.__getitem__) for options in allowed), fewer
        rolls = fewer


def _curves(throws: dict[Kept, ThrowOutcomes], best: tuple[Kept, ...], horizon: int = HORIZON) -> dict[Kept, TurnCurve]:
    now = {kept: [0.0, throw.twenty] for kept, throw in throws.items()}
    later = {kept: [1.0, 1 - throw.twenty] for kept, throw in throws.items()}
    for turn in range(2, horizon):
        for chances in now, later:
            before = [chances[kept][turn - 1] for kept in best]
            for kept, throw in throws.items():
                chances[kept].append(sum(chance * before[hand_class] for hand_class, chance in throw.classes))
    return {kept: TurnCurve(tuple(now[kept]), tuple(later[kept])) for kept in throws}


# -- the round: a race of curves ---------------------------------------------------------------------------------


def _race(curves: Sequence[TurnCurve]) -> tuple[float, ...]:
    """Return each curve's probability of the first 20, in turn order."""
    wins = [0.0] * len(curves)
    for turn in range(1, len(curves[0].now)):
        open_after = [1.0]
        for curve in reversed(curves):
            open_after.append(open_after[-1] * curve.later[turn - 1])
        if open_after.pop() < NEGLIGIBLE_RACE:
            break
        open_before = 1.0
        for index, curve in enumerate(curves):
            wins[index] += open_before * curve.now[turn] * open_after.pop()
            open_before *= curve.later[turn]
    return tuple(wins)


def _openings(curves: Sequence[TurnCurve]) -> list[float]:
    """Return ``openings[turn]``: the probability of no other 20 before that turn of the first curve."""
    openings = [0.0]
    for turn in range(1, len(curves[0].now)):
        openings.append(prod(curve.later[turn - 1] for curve in curves[1:]))
        if openings[-1] < NEGLIGIBLE_RACE:
            break
    return openings


def _win(curve: TurnCurve, openings: Sequence[float]) -> float:
    return sum(now * opening for now, opening in zip(curve.now, openings, strict=False))


# -- hurrying ----------------------------------------------------------------------------------------------------
# Three hands can be worth a throw for 20 at once, when the others are likely to make 20 soon. A seat with one decides
# at its turn, by the throws of the seats before it. In later laps every seat follows a habit.


class Habit(Struct, frozen=True):
    """All seats' play in later laps."""

    keeps: tuple[Kept, ...]
    """``[class]``: the dice to keep."""
    curves: dict[Kept, TurnCurve]
    """``[kept]``: the curve after keeping these dice, with the habit later."""
    hurries: frozenset[int]
    """The classes that may keep other dice to hurry."""
    laps: int
    """The laps after the first one in which a branch is followed."""


@cache
def _habit(seats: int) -> Habit:
    """Return a table's habit: every class keeps what is best beside hands as in the long run."""
    solution = solve()
    if seats <= MAX_CALM_SEATS:
        return Habit(solution.best, solution.curves, frozenset(), HORIZON)
    later = solution.curves[solution.best[0]].later
    missed = (later[-1] / later[-2]) ** (seats - 1)
    openings = [0.0, *(missed**lap for lap in range(HORIZON - 1))]
    keeps = tuple(
        max(options, key=lambda kept: _win(solution.curves[kept], openings))
        for options in zip(solution.best, solution.hurried, strict=True)
    )
    hurries = frozenset(number for number, kept in enumerate(solution.best) if solution.hurried[number] != kept)
    laps = next(lap for lap, none in enumerate(later) if none**seats < UNDECIDED)
    return Habit(keeps, _curves_of(keeps), hurries, laps)


@cache
def _curves_of(keeps: tuple[Kept, ...]) -> dict[Kept, TurnCurve]:
    solution = solve()
    return solution.curves if keeps == solution.best else _curves(solution.throws, keeps, HORIZON // 2)


class Future(Struct, frozen=True):
    """A seat's turns after the first lap, in one outcome of its throw."""

    chance: float
    """The probability of the outcome."""
    now: tuple[float, ...]
    """``[lap]``, from lap 1: the probability that the first 20 comes then."""
    later: tuple[float, ...]
    """``[lap]``, from lap 0: the probability that no 20 has come by then."""


@cache
def _futures(seats: int, kept: Kept) -> tuple[Future, ...]:
    """Return a seat's different futures after keeping these dice and not making 20 at once."""
    habit = _habit(seats)
    chances: dict[TurnCurve, float] = defaultdict(float)
    for hand_class, chance in solve().throws[kept].classes:
        curve = habit.curves[habit.keeps[hand_class]]
        chances[TurnCurve(curve.now[1 : habit.laps + 1], curve.later[: habit.laps + 1])] += chance
    return tuple(Future(chance, curve.now, curve.later) for curve, chance in chances.items())


@cache
def _average(seats: int, kept: Kept) -> tuple[Future]:
    """Return the average of ``_futures``, used when no other seat's choice depends on the throw."""
    habit = _habit(seats)
    curve = habit.curves[kept]
    return (Future(1.0, curve.now[2 : habit.laps + 2], curve.later[1 : habit.laps + 2]),)


class Branch(Struct):
    """Outcomes of the first lap so far with one answer by a seat that may hurry."""

    chance: float
    """The probability to get here, without a 20."""
    opened: list[float]
    """``[lap]``, from lap 1: the probability to get here, and of no 20 by the lap's seats so far by then."""
    wins: list[list[float]]
    """``[seat][lap]``, from lap 1: the probability to get here and of the seat's first 20 then."""

    def after(self, future: Future, watched: bool) -> Branch:
        """Return the branch after the next seat's throw; a watched seat's wins are counted."""
        chance, now, later = future.chance, future.now, future.later
        opened = [chance * mine * theirs for mine, theirs in zip(later[1:], self.opened, strict=True)]
        wins = [[chance * mine * theirs for mine, theirs in zip(later, row, strict=False)] for row in self.wins]
        if watched:
            wins.append([chance * mine * theirs for mine, theirs in zip(now, self.opened, strict=True)])
        return Branch(chance * later[0] * self.chance, opened, wins)

    def add(self, other: Branch) -> None:
        """Merge another branch into this one."""
        self.chance += other.chance
        self.opened = list(map(add, self.opened, other.opened))
        self.wins = [list(map(add, mine, theirs)) for mine, theirs in zip(self.wins, other.wins, strict=True)]

    def cost(self, costs: Sequence[float]) -> float:
        """Return the cost of hurrying here, in units of its gain: below 1 it is right."""
        return sum(map(float.__mul__, costs, self.opened)) / self.chance


def _costs(classes: Sequence[int], keeps: Sequence[Kept], thrown: int, seat: int) -> list[float]:
    """Return ``costs[lap]``, from lap 1, of hurrying with a seat, in units of its gain, when nobody else wins.

    ``Branch.opened`` includes the first ``thrown`` seats.
    """
    solution, habit = solve(), _habit(len(classes))
    calm, hurried = (habit.curves[plays[classes[seat]]].now for plays in (solution.best, solution.hurried))
    gain = hurried[1] - calm[1]
    costs = [(calm[lap + 1] - hurried[lap + 1]) / gain for lap in range(1, habit.laps + 1)]
    for other in range(thrown, len(classes)):
        if other != seat:
            later = habit.curves[keeps[other]].later
            missed = [each / later[1] for each in later[2:]] if other < seat else later[1:]
            costs = list(map(mul, costs, missed))
    return costs


def _first_lap(classes: tuple[int, ...], kept: Kept, watched: int) -> tuple[float, ...]:
    """Return the win probability of the first ``watched`` seats when the seat to act keeps these dice."""
    solution, seats = solve(), len(classes)
    habit = _habit(seats)
    keeps = [kept, *(habit.keeps[hand_class] for hand_class in classes[1:])]
    deciding = [seat for seat in range(1, seats) if classes[seat] in habit.hurries]
    won = [0.0] * seats
    branches = [Branch(1.0, [1.0] * habit.laps, [])]
    costs: list[float] = []
    for seat, hand_class in enumerate(classes):
        plays = [(keeps[seat], branch) for branch in branches]
        if seat in deciding:
            costs = _costs(classes, keeps, seat, seat)
            kept_by = {True: solution.hurried[hand_class], False: solution.best[hand_class]}
            plays = [(kept_by[branch.cost(costs) < 1], branch) for branch in branches]
        next_to_decide = next((other for other in deciding if other > seat), None)
        if next_to_decide:
            costs = _costs(classes, keeps, seat + 1, next_to_decide)
        merged: dict[float, Branch] = {}
        for play, branch in plays:
            won[seat] += branch.chance * solution.throws[play].twenty
            for future in _futures(seats, play) if next_to_decide else _average(seats, play):
                after = branch.after(future, seat < watched)
                cost = after.cost(costs) if next_to_decide else 0.0
                alike = cost < 1 if next_to_decide == seat + 1 == deciding[-1] else round(cost * COST_BUCKETS / seats)
                if alike in merged:
                    merged[alike].add(after)
                else:
                    merged[alike] = after
        branches = list(merged.values())
    decided = 1 - sum(branch.opened[-1] for branch in branches)
    return tuple((won[seat] + sum(sum(branch.wins[seat]) for branch in branches)) / decided for seat in range(watched))


@lru_cache(maxsize=1 << 16)
def _wins(classes: tuple[int, ...], kept: Kept) -> tuple[float, ...]:
    """Return ``[turn]``: the win probabilities when the seat to act, first in ``classes``, keeps these dice."""
    habit = _habit(len(classes))
    if len(classes) in CLEARED and not any(classes):
        return CLEARED[len(classes)]
    if len(classes) > MAX_FOLLOWED_SEATS or habit.hurries.isdisjoint(classes[1:]):
        return _race([habit.curves[kept], *(habit.curves[habit.keeps[number]] for number in classes[1:])])
    return _first_lap(classes, kept, watched=len(classes))


@lru_cache(maxsize=1 << 16)
def _best(classes: tuple[int, ...]) -> Kept:
    """Return the dice to keep for the seat to act, first in ``classes``."""
    solution, mine = solve(), classes[0]
    if mine not in _habit(len(classes)).hurries:
        return solution.best[mine]
    return max(solution.best[mine], solution.hurried[mine], key=lambda kept: _stake(classes, kept))


@lru_cache(maxsize=1 << 16)
def _stake(classes: tuple[int, ...], kept: Kept) -> float:
    """Return the win probability of the seat to act with these dice kept."""
    habit = _habit(len(classes))
    if len(solve().allowed[classes[0]]) == 1:
        return _wins(classes, kept)[0]
    if len(classes) > MAX_FOLLOWED_SEATS or habit.hurries.isdisjoint(classes[1:]):
        return _win(habit.curves[kept], _openings([habit.curves[habit.keeps[number]] for number in classes]))
    return _first_lap(classes, kept, watched=1)[0]


class InitialValues(Struct, frozen=True):
    """The odds before a round's first roll; ``[seat]`` counts from Player 1."""

    round: tuple[float, ...]
    """``[seat]``: the probability to win the round, 0 to 1."""
    drinks: tuple[float, ...]
    """``[seat]``: the probability to buy the drinks, 0 to 1.

    Up to five seats everybody plays not to buy them; with more, to win each round until five are left.
    """


@cache
def initial_values(players: int) -> InitialValues:
    """Return the odds before a round's first roll of one or more players.

    >>> [f"{chance:.2%}" for chance in initial_values(3).drinks]
    ['33.29%', '31.59%', '35.11%']
    """
    if players == 1:
        return InitialValues((0.0,), (1.0,))
    for fewer in range(1, players):  # recursion over hundreds of players would be too deep
        initial_values(fewer)
    wins = _wins((NOT_ROLLED,) * players, ())
    return InitialValues(wins, BUYING.get(players) or _drinks(wins))


def _drinks(wins: Sequence[float]) -> tuple[float, ...]:
    """Return ``[seat]`` from Player 1: the probability to buy the drinks, from ``wins``.

    The winner drops out, and the seat left of Player 1 starts (docs/rulings.md, 420, "next round").
    """
    drinks = initial_values(len(wins) - 1).drinks
    winning = (*wins[1:], wins[0])
    sooner = list(accumulate(winning, initial=0.0))
    paying = [
        (drinks[seat - 1] * sooner[seat] if seat else 0.0)
        + (drinks[seat] * (sooner[-1] - sooner[seat + 1]) if seat < len(drinks) else 0.0)
        for seat in range(len(winning))
    ]
    return (paying[-1], *paying[:-1])


# -- the protocol Solver -----------------------------------------------------------------------------------------


def choices(state: State) -> tuple[Choice, ...]:
    table = cast(FourTwenty, state)
    return () if table.to_act is None else _choices(table.hands[table.to_act], _classes(table))


def best(state: State) -> Action:
    """Return the action of the first of ``choices``, sooner than computing them all.

    >>> best(FourTwenty.from_hands([(6, 6, 5, 1), (4, 3, 3, 2)]))
    Roll(dice=(3, 4))
    """
    table = cast(FourTwenty, state)
    hand = table.hands[seat_to_act(table)]
    mine = _class(hand)
    decides = mine in _habit(len(table.order)).hurries
    return _roll(hand, _best(_classes(table)) if decides else solve().best[mine])


def values(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to win the round, 0 to 1, with best play."""
    table = cast(FourTwenty, state)
    if table.to_act is None:
        first = table.order[0] if table.winner is None else table.winner  # a seat alone has won too
        return tuple(float(seat == first) for seat in range(table.seats))
    classes = _classes(table)
    return _by_seat(table, _wins(classes, _best(classes)))


def values_after(state: State, action: Action) -> tuple[float, ...]:
    table = cast(FourTwenty, state)
    seat = seat_to_act(table)
    assert isinstance(action, Roll)
    return _by_seat(table, _wins(_classes(table), _kept(table.hands[seat], action)))


def objective(state: State) -> Objective:  # noqa: ARG001
    return Objective("round", "chance to win the round")


def secondary_values(state: State) -> SecondaryValues | None:
    """Return the probabilities to buy the drinks; None where the round or a seat that left decides."""
    return (
        SecondaryValues("drinks", drinks(state), are_probabilities=True)
        if state.seats > 2 and not state.departed
        else None
    )


def is_estimated(state: State) -> bool:
    """Return whether the values are estimates; others are within 0.04 points (docs/paper, "How precise").

    That is unknown beyond eight seats, and from five up with a hand that may hurry.
    """
    table = cast(FourTwenty, state)
    seats = len(table.order)
    if table.winner is not None or seats <= MAX_EXACT_SEATS:
        return False
    return seats > MAX_CHECKED_SEATS or not _habit(seats).hurries.isdisjoint(_classes(table))


def placement_odds(state: State) -> PlacementOdds:
    """Return the probabilities to win the round, in the first one, and to buy the drinks."""
    return PlacementOdds(values(state), drinks(state))


def drinks(state: State) -> tuple[float, ...]:
    """Return ``[seat]``: the probability to buy the drinks, 0 to 1; 0 once out, 1 for the first seat that left."""
    table = cast(FourTwenty, state)
    if table.departed:
        return tuple(float(seat == table.departed[0]) for seat in range(table.seats))
    wins = values(table)
    paying = dict(zip(table.order, _drinks([wins[seat] for seat in table.order]), strict=True))
    return tuple(paying.get(seat, 0.0) for seat in range(table.seats))


def others_matter(state: State) -> bool:
    table = cast(FourTwenty, state)
    if table.to_act is None:
        return False
    solution = solve()
    mine, *others = _classes(table)
    weakest, strongest = (solution.rolls.index(most(solution.rolls)) for most in (max, min))
    return len({_best((mine, *[other] * len(others))) for other in (weakest, strongest)}) > 1


def choice_key(state: State) -> str:
    """Return the hands in turn order, each as its class's lowest; only the own hand where nobody hurries.

    >>> choice_key(FourTwenty.from_hands([(6, 6, 2, 1), (4, 3, 3, 2)]))
    '1166'
    """
    table = cast(FourTwenty, state)
    seat_to_act(table)
    mine, *others = _classes(table)
    hurries = mine in _habit(len(table.order)).hurries
    return " ".join(digits(_lowest()[number]) for number in (mine, *(others if hurries else ())))


def situation(state: State) -> str:
    """Return whether enough play that the hand may have to hurry."""
    table = cast(FourTwenty, state)
    seat_to_act(table)
    return f"{MAX_CALM_SEATS + 1} or more play" if _classes(table)[0] in _habit(len(table.order)).hurries else ""


@cache
def _lowest() -> dict[int, SortedHand]:
    classes = solve().classes
    return {number: hand for hand, number in reversed(classes.items())}


@lru_cache(maxsize=1 << 14)
def _choices(hand: Faces, classes: tuple[int, ...]) -> tuple[Choice, ...]:
    best = _best(classes)
    wins = {kept: _stake(classes, kept) for kept in solve().allowed[classes[0]]}
    found: dict[Kept, Choice] = {}
    for roll in FourTwenty.from_hands([hand, ()]).actions:
        kept = _kept(hand, roll)
        if kept not in found:
            throw = solve().throws[kept]
            by_position = tuple(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice)
            found[kept] = Choice(roll, by_position, (throw.twenty, throw.over), wins[kept])
    return tuple(found[kept] for kept in sorted(found, key=lambda kept: (kept != best, -wins[kept])))


def _turns(table: FourTwenty) -> tuple[int, ...]:
    """Return the round's seats in turn order from the seat to act."""
    index = table.rolls % len(table.order)
    return table.order[index:] + table.order[:index]


def _classes(table: FourTwenty) -> tuple[int, ...]:
    return tuple(_class(table.hands[seat]) for seat in _turns(table))


@cache
def _class(hand: Faces) -> int:
    return solve().classes[tuple(sorted(hand))]


@cache
def _roll(hand: Faces, kept: Kept) -> Roll:
    return next(roll for roll in FourTwenty.from_hands([hand, ()]).actions if _kept(hand, roll) == kept)


def _by_seat(table: FourTwenty, in_turn: Iterable[float]) -> tuple[float, ...]:
    shares = dict(zip(_turns(table), in_turn, strict=True))
    return tuple(shares.get(seat, 0.0) for seat in range(table.seats))


def _kept(hand: Faces, roll: Roll) -> Kept:
    return tuple(sorted(face for die, face in zip(DICE, hand, strict=False) if die not in roll.dice))
