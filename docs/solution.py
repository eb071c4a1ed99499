"""Computes every number of docs/solution.md: ``python docs/solution.py [SECTION ...]``; quick ones by default."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import pairwise, product
from math import sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import TYPE_CHECKING

import ladder_421 as ladder_rules
import reference_solver
import simple_rules

from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.four_twenty import GOAL, FourTwenty, parse_hand
from fourtwenty.games.game import Faces, Roll
from fourtwenty.games.ten_rounds import TenRounds
from fourtwenty.odds import bar_421, bar_421_match, four_twenty, ten_rounds
from fourtwenty.odds.four_twenty import Kept, TurnCurve, evening, solve
from fourtwenty.odds.stopping import HANDS
from fourtwenty.play.bots import CHARACTERS, Policy

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

STARTS = (2, 3, 4, 5, 6, 7, 8, 12)


def dice(faces: Faces) -> str:
    """Return dice as text, highest first."""
    return "".join(map(str, sorted(faces, reverse=True))) or "-"


def classes() -> None:
    """Print the dice that each class of hands may keep, and its average number of rolls to 20."""
    solution = solve()
    members: dict[int, list[Faces]] = defaultdict(list)
    for hand, hand_class in solution.classes.items():
        members[hand_class].append(hand)
    print("hands  such as  may keep                      keeps  at once   over   rolls")
    for hand_class in sorted(members, key=solution.rolls.__getitem__):
        best = solution.best[hand_class]
        options = " ".join(map(dice, solution.allowed[hand_class]))
        throw = solution.throws[best]
        print(
            f"{len(members[hand_class]):5}  {dice(members[hand_class][-1]):7}  {options:29} {dice(best):5}"
            f"  {100 * throw.twenty:5.2f}%{100 * throw.over:6.1f}%  {solution.rolls[hand_class]:6.3f}"
        )
    print(f"{len(solution.classes)} hands, that of no dice included, in {len(members)} classes; 5 more hands are 20.")
    print(f"rolls: off by at most {four_twenty.PRECISION * 1296 / 35:.0e}")


def horizons() -> None:
    """Print the hands with a better choice than the usual one for 20 within a given number of rolls."""
    solution = solve()
    reached = [0.0] * len(solution.allowed)
    for rolls in range(1, 101):
        chances = {
            kept: throw.twenty + sum(chance * reached[hand_class] for hand_class, chance in throw.classes)
            for kept, throw in solution.throws.items()
        }
        reached = [max(chances[kept] for kept in allowed) for allowed in solution.allowed]
        for hand_class, best in enumerate(solution.best):
            if chances[best] < reached[hand_class] - 1e-15:
                hands = " ".join(dice(hand) for hand, member in solution.classes.items() if member == hand_class)
                better = max(solution.allowed[hand_class], key=chances.__getitem__)
                found = ", ".join(f"{dice(kept)} {100 * chances[kept]:.2f}%" for kept in (better, best))
                print(f"within {rolls} roll{'s' * (rolls > 1)}, {hands}: {found}")
    print("within any other number of rolls up to 100 the usual choice is one of the likeliest, with every hand")


def tokens() -> None:
    """421, two players: solve for ``bar_421_match.SAFE`` from scratch, and print it."""
    safe: tuple[float, ...] = tuple(1 - held / TOKENS if held else 0.0 for held in range(TOKENS))
    changes: list[float] = []
    while not changes or changes[-1] > 0:
        later, safe = safe, reference_solver.improve_safe(safe)
        changes.append(max(abs(new - old) for new, old in zip(safe, later, strict=True)))
    for held in range(1, TOKENS, 5):
        print("   ".join(f"{each:2}  {100 * safe[each]:6.3f}%" for each in range(held, held + 5)))
    steps = next(step for step, change in enumerate(changes) if change < 1e-12)
    off = max(abs(new - shipped) for new, shipped in zip(safe, bar_421_match.SAFE, strict=True))
    print(f"no chance changes by 1e-12 after {steps} steps, none at all after {len(changes)}; from SAFE {off:.0e}")


def discharge(tokens: Sequence[int]) -> Bar421:
    """Return the beginning of a discharge in which seat 0 starts."""
    return replace(Bar421.start(len(tokens), 0), tokens=tuple(tokens), pot=0)


def drawn_split(seats: int, chance: Random) -> tuple[int, ...]:
    """Return tokens for some seats, every split equally likely."""
    cuts = sorted(chance.sample(range(1, TOKENS), seats - 1))
    return tuple(high - low for low, high in pairwise([0, *cuts, TOKENS]))


def safe_when_played(tokens: Sequence[int], matches: int, chance: Random, to: int = 1) -> list[tuple[float, float]]:
    """Return ``[seat]``: the chance not to pay when everybody makes the best choice, and its standard error.

    Matches are played until so many seats are left; then the exact values count.
    """
    found = []
    for _ in range(matches):
        state = discharge(tokens)
        while not state.outcome and len(state.order) > to:
            if state.to_act is None:
                state = state.next_round()
                continue
            action = state.actions[0] if len(state.actions) == 1 else bar_421.choices(state)[0].action
            faces = chance.choices(range(1, 7), k=len(action.dice)) if isinstance(action, Roll) else ()
            state = state.apply(action, tuple(faces))
        found.append(bar_421.values(state))
    return [(mean(seat), stdev(seat) / sqrt(matches)) for seat in zip(*found, strict=True)]


def tokens_three() -> None:
    """421, three players: print the probability not to pay at some splits, in turn order from the starting seat."""
    print("  tokens       not to pay, in %      by the share of tokens")
    for split in ((7, 7, 7), (10, 10, 1), (10, 1, 10), (1, 10, 10), (5, 5, 11), (1, 1, 19), (1, 19, 1), (19, 1, 1)):
        safe = " ".join(f"{100 * value:6.2f}" for value in bar_421_match.worth(split))
        share = " ".join(f"{100 - 100 * held / TOKENS:6.2f}" for held in split)
        print(" ".join(f"{held:2}" for held in split) + f"   {safe}   {share}")
    apart = [
        100 * abs(value - 1 + held / TOKENS)
        for split in bar_421_match.SPLITS
        for held, value in zip(split, bar_421_match.worth(split), strict=True)
    ]
    print(f"the share is wrong by {sum(apart) / len(apart):.1f} points on average, by {max(apart):.1f} at most")


def tokens_starts() -> None:
    """421, three players: solve from several starting points, and bound what the last step leaves open."""
    import numpy as np
    import solve_421

    begins = [solve_421.shares()]
    begins += [np.random.default_rng(seed).random(begins[0].shape) for seed in (1, 2, 3)]
    ends = []
    for begin in begins:
        _, worth, last_step = solve_421.solve_three(begin)
        ends.append(worth)
        apart = 100 * abs(worth - ends[0]).max()
        print(f"the last step {last_step:.0e}, the values at most {apart:.4f} points from the first")
    shipped = np.array([bar_421_match.worth(split) for split in solve_421.SPLITS])
    print(f"the program has the values of the first: {abs(ends[0] - shipped).max() < 1e-12}")
    print(f"until a seat leaves, no play of three lasts more than {solve_421.longest():.1f} rounds on average")


def tokens_played() -> None:
    """421, three players: play best play at ten splits drawn by lot, and compare."""
    chance, worst = Random(421), 0.0
    for _ in range(10):
        split = drawn_split(3, chance)
        solved = bar_421_match.worth(split)
        shown = []
        for (played, error), value in zip(safe_when_played(split, 2000, chance), solved, strict=True):
            worst = max(worst, abs(played - value) / error)
            shown.append(f"{100 * played:5.1f} ({100 * value:5.1f})")
        print(" ".join(f"{held:2}" for held in split) + "   " + "  ".join(shown), flush=True)
    print(f"the largest of 30 differences is {worst:.1f} standard errors")


def crowd() -> None:
    """421, four players and more: print the errors of the estimate and of the share of tokens, in points."""
    print("seats  splits  matches  by chance   estimate  without chance  worst   share  without chance  worst")
    for seats, splits, matches in ((4, 8, 150), (5, 8, 100), (6, 8, 75), (8, 8, 50), (12, 8, 30)):
        chance = Random(seats)
        noise: list[float] = []
        estimate: list[float] = []
        share: list[float] = []
        for _ in range(splits):
            split = drawn_split(seats, chance)
            played = safe_when_played(split, matches, chance, to=3)
            for held, (here, error), there in zip(split, played, bar_421.values(discharge(split)), strict=True):
                noise.append(100 * error)
                estimate.append(100 * (there - here))
                share.append(100 * (1 - held / TOKENS - here))
        row = f"{seats:5}{splits:8}{matches:9}{square_mean(noise):11.1f}"
        for errors, width in ((estimate, 11), (share, 8)):
            true = sqrt(max(0.0, square_mean(errors) ** 2 - square_mean(noise) ** 2))
            row += f"{square_mean(errors):{width}.1f}{true:16.1f}{max(map(abs, errors)):7.1f}"
        print(row, flush=True)


def square_mean(errors: Sequence[float]) -> float:
    """Return the root of the mean square."""
    return sqrt(sum(error**2 for error in errors) / len(errors))


def ladder_421() -> None:
    """421, two players: print the price of simple rules against best play."""
    for name, rule in ladder_rules.LADDER.items():
        print(f"{100 * (0.5 - ladder_rules.safe_with(rule)):6.2f} points   {name}")


def match() -> None:
    """Four Twenty-One, two players: print the probability that the starting seat wins the match, by lead."""
    leads = (-3, -2, -1, 0, 1, 2, 3)
    print("rounds left" + "".join(f"{lead:+8}" if lead else f"{'even':>8}" for lead in leads))
    for left in (10, 9, 5, 4, 3, 2, 1):
        row = (f"{100 * ten_rounds.match_value(lead, left):7.2f}%" for lead in leads)
        print(f"{left:11}" + "".join(row))


def first() -> None:
    """Four Twenty-One, two players: print the hands that the starting seat stands on, and the leads that change it."""
    usual = ten_rounds.starting_turn(False, 0, 10)
    for rolls in (2, 1):
        throw = [dice(hand) for hand, keep in zip(HANDS, usual.best[rolls], strict=True) if keep is not None]
        print(f"{rolls} left: stands on {len(HANDS) - len(throw)} hands, all but {' '.join(throw)}")
    doubtful = [key for key in product(range(-30, 31), range(1, 11)) if 0.001 < ten_rounds.match_value(*key) < 0.999]
    losses = {key: loss for key in doubtful if (loss := usual_loss(*key)) > 1e-12}
    print(f"the choice for the point loses in {len(losses)} of {len(doubtful)} positions where neither wins 99.9%:")
    print(textwrap.fill(", ".join(f"{lead:+} with {left} left" for lead, left in sorted(losses)), 100))
    (lead, left), most = max(losses.items(), key=lambda item: item[1])
    print(f"the most, {100 * most:.2f} points, at {lead:+} with {left} left")


def usual_loss(lead: int, left: int) -> float:
    """Return the most that a choice that is best at even loses at another lead, over all hands and rolls left."""
    usual, here = ten_rounds.starting_turn(False, 0, 10), ten_rounds.starting_turn(False, lead, left)
    return max(
        most - (standing if keep is None else thrown[keep])
        for best, values, now, thrown in zip(
            usual.best[1:], here.values[1:], here.standing[1:], here.thrown[1:], strict=True
        )
        for keep, most, standing in zip(best, values, now, strict=True)
    )


def ladder_ten_rounds() -> None:
    """Four Twenty-One, two players: print the price of simple rules against best play."""
    print("in points               the point of a round         the match of ten rounds")
    print("                    starting   second  average   starting   second  average")
    plays = {name: (rule.starting(), simple_rules.beaten_by(rule)) for name, rule in simple_rules.LADDER.items()}
    for name, play in {**plays, "best for the point": (simple_rules.for_the_point().best, simple_rules.BEST)}.items():
        prices = (simple_rules.point_price(*play), simple_rules.match_price(*play))
        columns = ("".join(f"{100 * each:9.2f}" for each in (*one, sum(one) / 2)) for one in prices)
        print(f"{name:19}" + "   ".join(columns))


def search() -> None:
    """Four Twenty-One, two players: print the best rules of a family, by the number of things to keep in mind."""
    print("starting seat: price for the point; keeps the first of; stands from, with one and with two rolls left")
    for price, names, *stands in simple_rules.best_starts(3):
        print(f"  {100 * price:5.2f}  {', '.join(names) or 'nothing'}; {', '.join(map(dice, stands))}")
    for name in simple_rules.CLASS_WORDS:
        print(f"second seat against {name}: price for the point; keeps the first of")
        for price, names, level in simple_rules.best_replies(name, 3):
            print(f"  {100 * price:5.2f}  {', '.join(names) or 'nothing'}{'; stands level' * level}")


def played() -> None:
    """Four Twenty-One, two players: play matches, and compare the wins of the starting seat with the exact values."""
    best = ten_rounds.match_value(0, 10)
    print("starting seat  second seat  matches  it wins   exact  standard errors")
    rule = simple_rules.LADDER["whole card"]
    start, second = simple_rules.match_values(rule.starting(), simple_rules.beaten_by(rule))
    perfect = CHARACTERS["Perfect"].choose
    for one, other, exact in (
        ("Perfect", "Perfect", best),
        ("card", "Perfect", start),
        ("Perfect", "card", 1 - second),
    ):
        policies = [perfect if name == "Perfect" else rule.choose for name in (one, other)]
        matches = 20_000
        wins = sum(play(policies, Random(f"{one} {other} {index}")) for index in range(matches))
        error = (exact * (1 - exact) / matches) ** 0.5
        off = (wins / matches - exact) / error
        print(f"{one:13}  {other:11} {matches:8,}  {100 * wins / matches:6.2f}%  {100 * exact:5.2f}%  {off:+15.1f}")


def play(policies: Sequence[Policy], chance: Random) -> bool:
    """Play a match of two and return whether seat 0, which starts, wins."""
    state = TenRounds.start(2, 0)
    while not (outcome := state.outcome):
        if state.to_act is None:
            state = state.next_round()
            continue
        action = policies[state.to_act](state, chance.random) if len(state.actions) > 1 else state.actions[0]
        thrown = len(action.dice) if isinstance(action, Roll) else 0
        state = state.apply(action, tuple(chance.choices(range(1, 7), k=thrown)))
    return outcome.places[0] == (0,)


def lamp() -> None:
    """Print the numbers of players at which other hands matter to a hand, by the fast odds."""
    for hand in solve().classes:
        tables = [
            str(players)
            for players in range(2, 41)
            if four_twenty.others_matter(FourTwenty.at([hand, *[()] * (players - 1)]))
        ]
        if tables:
            print(f"{dice(hand)}: of 2 to 40 players, at {' '.join(tables)}")


def start() -> None:
    """Print the odds of every seat before the first roll."""
    for name, chances in (("win the round", "round"), ("buy the drinks", "drinks")):
        print(f"Chance to {name}, in %, by seat from Player 1")
        for players in STARTS:
            known = players <= four_twenty.CHECKED_TABLE
            row = (f"{100 * chance:5.{2 if known else 1}f}" for chance in getattr(evening(players), chances)[:12])
            print(f"{'' if known else 'about':6}{players:3}  {' '.join(row)}{' ...' * (players > 12)}")


def note() -> None:
    """Print the odds for the author's two claims about 6-5-5-1."""
    for other in ("6541", "4332"):
        position = FourTwenty.at([parse_hand("6551"), parse_hand(other)])
        print(f"6551 beside {other}")
        for choice in four_twenty.choices(position):
            twenty, over = choice.chances
            print(
                f"  {dice(choice.kept):4} kept:  20 {100 * twenty:5.2f}%   over {100 * over:5.2f}%"
                f"   round {100 * choice.value:6.3f}%"
            )


def fraction() -> None:
    """Print the exact probability that Player 1 of two wins."""
    chance = reference_solver.exact_start()
    print(f"{chance.numerator}\n/ {chance.denominator}\n= {float(chance):.16f}")


def full(players: int, drinks: bool = False) -> None:
    """Print the full dynamic programme for up to five players, and a comparison of the fast odds with it."""
    import full_programme as programme
    import numpy as np

    prizes = (
        reference_solver.for_the_drinks(evening(players - 1).drinks)
        if drinks
        else reference_solver.for_the_round(players)
    )
    found = programme.bounds(prizes)
    worth = (found.low + found.high) / 2
    lead, keeps = 1.0, defaultdict[int, Counter[str]](Counter)
    for phase, each in enumerate(prizes):
        stakes = programme.after(worth[(phase + 1) % len(prizes)], each)[0]
        for number, allowed in enumerate(programme.ALLOWED):
            ranked = np.sort(stakes[allowed], axis=0)
            lead = min(lead, float((ranked[-1] - ranked[-2]).min())) if len(allowed) > 1 else lead
            for choice, times in Counter(stakes[allowed].argmax(axis=0).tolist()).items():
                keeps[number][dice(programme.KEEPS[allowed[choice]])] += times
    goal = "not to buy the drinks" if drinks else "to win the round"
    begin = worth[0, :, 0]
    print(f"{players} players who play {goal}: {len(prizes) * programme.CLASSES**players:,} positions")
    print("  a cleared table, in %:", " ".join(f"{100 * (1 - each if drinks else each):.9f}" for each in begin))
    print(f"  bounds of all values: at most {100 * found.gap:.0e} points apart")
    print(f"  choices left in every position: {'one' if found.unique else 'some with more than one'}")
    print(f"  smallest lead of a best choice over the next: {100 * lead:.1g} points")
    usual = {number: dice(best) for number, best in enumerate(solve().best)}
    for number, counts in keeps.items():
        if set(counts) != {usual[number]}:
            hands = " ".join(dice(hand) for hand, member in solve().classes.items() if member == number)
            ways = ", ".join(f"{kept} in {times:,}" for kept, times in sorted(counts.items()))
            print(f"  {hands}: best to keep {ways}")
    if all(set(counts) == {usual[number]} for number, counts in keeps.items()):
        print("  every hand has one best choice, whatever the other hands are: that of a seat alone")
    if not drinks:
        of_groups = worth[0].reshape(players, *[programme.CLASSES] * players)
        for _ in range(players):
            of_groups = np.moveaxis(of_groups.take(programme.MEMBER, axis=1), 1, -1)
        compare(players, of_groups.reshape(players, -1), sample=None)


def grouped(players: int, precision: float) -> None:
    """Print the programme for six or seven players, and a comparison of the fast odds with it."""
    import full_programme as programme

    worth, change = programme.equilibrium(players, precision)
    print(f"{players} players who play to win the round: {programme.GROUPS**players:,} positions by groups")
    print("  a cleared table, in %:", " ".join(f"{100 * each:.6f}" for each in worth[:, 0]))
    print(
        f"  off by at most {100 * change / programme.LEAST_TWENTY:.0e} points; another choice brings at most", end=" "
    )
    print(f"{100 * max(0.0, programme.most_gain(worth, players)):.0e} more")
    compare(players, worth, sample=3000)


def compare(players: int, worth: NDArray[float64], sample: int | None) -> None:
    """Print the errors of the fast odds against ``worth[seat][position]`` by groups."""
    import full_programme as programme
    import numpy as np

    habit = four_twenty._habit(players)
    groups = [programme.GROUP[number] for number in habit.hurries]
    table = np.arange(programme.GROUPS**players)
    hurried = np.zeros(len(table), bool)
    for seat in range(players):
        hurried |= np.isin(table // programme.GROUPS**seat % programme.GROUPS, groups)
    calm = ~hurried
    race = programme.patient_race(players, habit.curves, habit.keeps)
    off = np.zeros(len(table))
    for mine, theirs in zip(race, worth, strict=True):
        np.maximum(off, np.abs(mine - theirs), out=off)
    print(f"  the fast odds, nobody may hurry: {calm.sum():,} positions")
    print(f"    values off by at most {100 * off[calm].max():.2g} points, on average {100 * off[calm].mean():.1g}")
    places = table[hurried].tolist()
    if not places:
        return
    if sample:
        places = Random(420).sample(places, sample)
    errors, losses = [], []
    for place in places:
        position = np.unravel_index(place, (programme.GROUPS,) * players)
        hands = tuple(programme.MEMBER[int(group)] for group in position)
        best = four_twenty._best(hands)
        wins = four_twenty._wins.__wrapped__(hands, best)
        errors.append(max(abs(one - other) for one, other in zip(wins, worth[:, place], strict=True)))
        if hands[0] in habit.hurries:
            kept = programme.KEEPS.index(best)
            after = np.ravel_multi_index((*position[1:], 0), (programme.GROUPS,) * players)
            reached = worth[-1, after : after + programme.GROUPS]
            losses.append(worth[0, place] - programme.TWENTY[kept] - programme.TO_GROUP[kept] @ reached)
    wrong = sum(loss > 1e-9 for loss in losses)
    far = sum(error > 5e-4 for error in errors)
    print(f"  the fast odds, somebody may hurry: {len(places):,} positions{' drawn by lot' if sample else ''}")
    print(f"    values off by at most {100 * max(errors):.2g} points, on average {100 * np.mean(errors):.1g},", end=" ")
    print(f"by more than 0.05 in {far:,}")
    print(f"    choice wrong in {wrong:,} of {len(losses):,}, where it loses at most {100 * max(losses):.1g} points")


def ladder() -> None:
    """Print what simple rules cost beside seats that play best, averaged over the seats of the table."""
    solution = solve()

    def most(hand: Faces, order: Callable[[Kept], object]) -> Kept:
        return max(solution.allowed[solution.classes[hand]], key=lambda kept: (len(kept), order(kept)))

    def up_to(count: int) -> Callable[[Faces], Kept]:
        def keep(hand: Faces) -> Kept:
            kept = (kept for kept in solution.allowed[solution.classes[hand]] if len(kept) <= count)
            return max(kept, key=lambda kept: (len(kept), sum(kept)))

        return keep

    def of(*faces: int) -> Callable[[Faces], Kept]:
        def keep(hand: Faces) -> Kept:
            allowed = solution.allowed[solution.classes[hand]]
            return max((kept for kept in allowed if set(kept) <= set(faces)), key=lambda kept: (len(kept), sum(kept)))

        return keep

    rules: dict[str, Callable[[Faces], Kept]] = {
        "keep as many dice as you may, the lowest": lambda hand: most(hand, lambda kept: -sum(kept)),
        "  but of 6661, 6651 and 6652 only 66": lambda hand: (
            (6, 6) if hand in ((1, 6, 6, 6), (1, 5, 6, 6), (2, 5, 6, 6)) else most(hand, lambda kept: -sum(kept))
        ),
        "keep as many dice as you may, the highest": lambda hand: most(hand, sum),
        "keep 6s, 5s and 4s, as many as you may": of(6, 5, 4),
        "keep 6s and 5s, as many as you may": of(6, 5),
        "keep 6s, as many as you may": of(6),
        "keep two dice at most, the highest": up_to(2),
        "keep one die at most, the highest": up_to(1),
        "roll all four": up_to(0),
    }
    best = solution.curves[()]
    print(f"{'':43}rolls   of two: average  Player 1  Player 2   of three: average")
    for name, rule in rules.items():
        mine = curve_of(rule)
        costs = []
        for players in (2, 3):
            for seat in range(players):
                curves = [mine if other == seat else best for other in range(players)]
                costs.append(100 * (evening(players).round[seat] - four_twenty._race(curves)[seat]) + 1e-9)
        print(
            f"{name:42}{sum(mine.later):6.3f}{sum(costs[:2]) / 2:18.2f}{costs[0]:10.2f}{costs[1]:10.2f}"
            f"{sum(costs[2:]) / 3:20.2f}"
        )


def curve_of(rule: Callable[[Faces], Kept]) -> TurnCurve:
    """Return the curve of a seat that has not rolled and follows a rule for every hand."""
    keeps = {hand: rule(hand) for hand in solve().classes}
    thrown = {
        kept: [(hand, cases / outcomes.total()) for hand, cases in outcomes.items()]
        for kept, outcomes in ((kept, four_twenty._thrown(kept)) for kept in set(keeps.values()))
    }
    chances: dict[Kept, float] = {keeps[()]: 1.0}
    now, later = [0.0], [1.0]
    for _ in range(four_twenty.HORIZON - 1):
        reached: dict[Faces, float] = defaultdict(float)
        for kept, chance in chances.items():
            for hand, probability in thrown[kept]:
                reached[hand] += chance * probability
        now.append(sum(reached.pop(hand) for hand in list(reached) if sum(hand) == GOAL))
        later.append(sum(reached.values()))
        chances = defaultdict(float)
        for hand, chance in reached.items():
            chances[keeps[hand]] += chance
    return TurnCurve(tuple(now), tuple(later))


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "classes": ("at once", classes),
    "horizons": ("at once", horizons),
    "start": ("at once", start),
    "note": ("at once", note),
    "lamp": ("at once", lamp),
    "match": ("at once", match),
    "first": ("at once", first),
    "ladder-ten-rounds": ("at once", ladder_ten_rounds),
    "search": ("half a minute", search),
    "played": ("two minutes", played),
    "tokens": ("ten seconds", tokens),
    "tokens-three": ("at once", tokens_three),
    "tokens-starts": ("six minutes, needs numpy", tokens_starts),
    "tokens-played": ("three minutes", tokens_played),
    "crowd": ("two minutes", crowd),
    "ladder-421": ("ten seconds", ladder_421),
    "fraction": ("seconds", fraction),
    "ladder": ("seconds", ladder),
    "two": ("seconds", lambda: full(2)),
    "three": ("seconds", lambda: full(3)),
    "three-drinks": ("seconds", lambda: full(3, drinks=True)),
    "four": ("a minute", lambda: full(4)),
    "four-drinks": ("a minute", lambda: full(4, drinks=True)),
    "five": ("ten minutes", lambda: full(5)),
    "six": ("two minutes", lambda: grouped(6, 1e-12)),
    "seven": ("ten minutes and 8 GB", lambda: grouped(7, 1e-9)),
}
QUICK = [name for name, (duration, _) in SECTIONS.items() if duration == "at once"]

PAGE = Path(__file__).parent / "solution.md"


def check(section: str) -> bool:
    """Print whether the page has what a section prints, and return it."""
    printed = StringIO()
    with redirect_stdout(printed):
        SECTIONS[section][1]()
    same = f"```text\n{printed.getvalue().rstrip()}\n```" in PAGE.read_text("utf-8")
    print(f"{section}: {'as on the page' if same else 'NOT as on the page:'}", flush=True)
    if not same:
        print(printed.getvalue())
    return same


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compute the numbers of docs/solution.md.")
    durations = ", ".join(f"{name} ({duration})" for name, (duration, _) in SECTIONS.items())
    parser.add_argument("--check", action="store_true", help="compare the page with what the sections print")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=durations)
    arguments = parser.parse_args()
    sections = arguments.sections or QUICK
    for section in sections:
        if section not in SECTIONS:
            parser.error(f"there is no section {section}; there are {', '.join(SECTIONS)}")
    if arguments.check:
        wrong = [section for section in sections if not check(section)]
        sys.exit(bool(wrong))
    for section in sections:
        SECTIONS[section][1]()
