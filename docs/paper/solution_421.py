"""The sections of docs/paper/solution.md about 421. solution.py runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from operator import itemgetter
from statistics import mean
from unittest.mock import patch

import ladder_421
import reference_solver

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds import bar_421_match, stopping


def solve_two() -> tuple[tuple[float, ...], list[float]]:
    """Return ``bar_421_match.safe_of_two``, solved from scratch, and how much each step has changed it at most."""
    safe: tuple[float, ...] = tuple(1 - held / TOKENS if held else 0.0 for held in range(TOKENS))
    changes: list[float] = []
    # No further: the last bits differ between versions of Python, which add floats more or less exactly.
    while not changes or changes[-1] >= 1e-14:
        later, safe = safe, reference_solver.improve_safe(safe)
        changes.append(max(abs(new - old) for new, old in zip(safe, later, strict=True)))
    return safe, changes


def tokens() -> None:
    """421, two players: print the probability that the starting seat does not pay."""
    safe, changes = solve_two()
    for held in range(1, TOKENS, 5):
        print("   ".join(f"{each:2}  {100 * safe[each]:6.3f}%" for each in range(held, held + 5)))
    steps = next(step for step, change in enumerate(changes) if change < 1e-12)
    off = max(abs(new - shipped) for new, shipped in zip(safe, bar_421_match.safe_of_two(TOKENS), strict=True))
    print(
        f"no chance changes by 1e-12 after {steps} steps, by 1e-14 after {len(changes) - 1};"
        f" the difference to the program is {small(off)}"
    )


def reroll() -> None:
    """421, two players: compare the readings that a reroll throws any dice, and that it throws one or two only."""
    any_dice, _ = solve_two()
    throws = tuple(stopping.THROWN.values())
    decisions = rolls = all_three = 0.0
    for held in range(1, TOKENS):
        first, replies = reference_solver.best_turns_of_two(held, any_dice)
        for played, weight in [(first, 1.0), *zip(replies, first.ends(), strict=True)]:
            reached: Sequence[float] = stopping.FIRST
            for policy in reversed(played.best[1:]):
                kept = [0.0] * len(stopping.KEEPS)
                for chance, keep in zip(reached, policy, strict=True):
                    decisions += weight * chance
                    if keep is not None:
                        kept[keep] += chance
                rolls += weight * sum(kept)
                all_three += weight * kept[stopping.KEEPS.index(())]
                reached = [
                    sum(chance * thrown.get(hand, 0.0) for chance, thrown in zip(kept, throws, strict=True))
                    for hand in range(len(stopping.HANDS))
                ]
    some = [[keep for keep in keeps if stopping.KEEPS[keep]] for keeps in stopping._OPEN]
    selections = [itemgetter(*keeps) for keeps in some]
    with patch.object(stopping, "_OPEN", some), patch.object(stopping, "_SELECT_OPEN", selections):
        fewer, _ = solve_two()
    print("tokens of the one who starts, not to pay in % when a reroll throws any dice, and one or two only")
    for held in (1, 5, 10, 11, 16, 20):
        print(f"{held:8}{100 * any_dice[held]:9.3f}{100 * fewer[held]:9.3f}")
    apart = [100 * (new - old) for new, old in zip(fewer, any_dice, strict=True)]
    print(f"the most that changes: {max(apart):+.3f} and {min(apart):+.3f} points")
    print("all three dice, in one round of best play at each of the 20 splits of the tokens:")
    print(f"{100 * all_three / decisions:.1f}% of the decisions, {100 * all_three / rolls:.1f}% of the rerolls")


def print_splits(splits: Sequence[Sequence[int]]) -> None:
    """Print the probability not to pay at some splits, and how far the share of tokens is from it at all splits."""
    seats = len(splits[0])
    print(f"{'  tokens':{3 * seats + 6}}{'not to pay, in %':{7 * seats + 1}}by the share of tokens")
    for split in splits:
        safe = " ".join(f"{100 * value:6.2f}" for value in bar_421_match.token_values(tuple(split)))
        share = " ".join(f"{100 - 100 * held / TOKENS:6.2f}" for held in split)
        print(" ".join(f"{held:2}" for held in split) + f"   {safe}   {share}")
    apart = [
        100 * abs(value - 1 + held / TOKENS)
        for split in bar_421_match.splits(seats)
        for held, value in zip(split, bar_421_match.token_values(split), strict=True)
    ]
    print(f"the share is wrong by {mean(apart):.1f} points on average, by {max(apart):.1f} at most")


def tokens_three() -> None:
    """421, three players: print the probability not to pay at some splits, in turn order from the starting seat."""
    print_splits([(7, 7, 7), (10, 10, 1), (10, 1, 10), (1, 10, 10), (5, 5, 11), (1, 1, 19), (1, 19, 1), (19, 1, 1)])


def tokens_four() -> None:
    """421, four players: print the probability not to pay at some splits, in turn order from the starting seat."""
    print_splits([(6, 5, 5, 5), (10, 9, 1, 1), (1, 10, 9, 1), (3, 4, 6, 8), (8, 6, 4, 3), (1, 1, 1, 18), (18, 1, 1, 1)])


def small(step: float) -> str:
    """Return a number in words: the last bits differ between machines."""
    return "less than 1e-14" if step < 1e-14 else f"{step:.0e}"


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
        print(f"the last step is {small(last_step)}, the values at most {apart:.4f} points from the first")
    shipped = np.array([bar_421_match.token_values(split) for split in solve_421.SPLITS])
    print(f"the program has the values of the first: {abs(ends[0] - shipped).max() < 1e-12}")
    print("tokens 9 3 9, the second has 4 4 5 after 1 1 6, with one roll left: to stand instead of keeping 4 4")
    for name, end in (("first", ends[0]), ("second", ends[1])):
        gain = solve_421.gain_of_standing(end, (9, 3, 9), (1, 1, 6), (4, 4, 5), (4, 4))
        print(f"  gains {gain:+.1e} with the values of the {name}")
    print(f"until a seat leaves, no play of three lasts more than {solve_421.longest():.1f} rounds on average")


def tokens_four_starts() -> None:
    """421, four players: solve from three starting points, and bound what the last step leaves open."""
    import numpy as np
    import solve_421_four

    match = solve_421_four.Match(TOKENS, bar_421_match.token_values)
    begins = [solve_421_four.shares(match), solve_421_four.model(match)]
    begins.append(np.random.default_rng(1).random(begins[0].shape))
    solved = [solve_421_four.solve_four(match, begin) for begin in begins]
    for worth, _, last_step in solved:
        apart = 100 * abs(worth - solved[0][0]).max()
        print(f"the last step is {small(last_step)}, the values at most {apart:.4f} points from the first")
    shipped = np.array([bar_421_match.token_values(split) for split in match.splits])
    print(f"the program has the values of the first: {abs(solved[0][0] - shipped).max() < 1e-12}")
    rounds = solve_421_four.longest(match, solved[0][1])
    print(f"until a seat leaves, no play of four lasts more than {rounds:.0f} rounds on average")


def tokens_fewer() -> None:
    """421, three players and fewer tokens: print the error of the estimate and of the share of tokens, in points."""
    import numpy as np
    import solve_421

    print("tokens  estimate  worst   share  worst")
    for total in (3, 5, 8, 10, 12, 16, 20):
        _, solved, _ = solve_421.solve_three(solve_421.shares(total), total)
        estimate = np.array([bar_421_match.token_values(split) for split in bar_421_match.splits_of(total, 3)])
        row = ""
        for guess in (estimate, solve_421.shares(total)):
            apart = 100 * abs(guess - solved)
            row += f"{np.sqrt((apart**2).mean()):10.1f}{apart.max():7.1f}"
        print(f"{total:6}{row}", flush=True)


def estimate() -> None:
    """421, three and four players: print the errors of the formula of five and more, in points."""
    print("seats                 error  worst")
    for seats in (3, 4):
        discharge = [(split, 0) for split in bar_421_match.splits(seats)]
        charge = [(tuple(each - 1 for each in held), pot) for *held, pot in bar_421_match.charges(seats) if pot]
        for name, positions in (("discharge", discharge), ("charge", charge)):
            apart = [
                100 * (guess - value)
                for tokens, pot in positions
                for guess, value in zip(
                    bar_421_match.estimate(tokens, pot), bar_421_match.token_values(tokens, pot), strict=True
                )
            ]
            print(f"{seats:5}  {name:12}{square_mean(apart):8.1f}{max(map(abs, apart)):7.1f}")


def square_mean(errors: Sequence[float]) -> float:
    """Return the root of the mean square."""
    return sqrt(sum(error**2 for error in errors) / len(errors))


def ladder() -> None:
    """421, two players: print the price of simple rules against best play."""
    for name, rule in ladder_421.LADDER.items():
        print(f"{100 * (0.5 - ladder_421.safe_with(rule)):6.2f} points   {name}")


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "tokens": ("seconds", tokens),
    "reroll-421": ("seconds", reroll),
    "tokens-three": ("at once", tokens_three),
    "tokens-four": ("at once", tokens_four),
    "tokens-fewer": ("four minutes, needs numpy", tokens_fewer),
    "tokens-starts": ("six minutes, needs numpy", tokens_starts),
    "tokens-four-starts": ("an hour, needs numpy", tokens_four_starts),
    "estimate": ("at once", estimate),
    "ladder-421": ("at once", ladder),
}
"""``[section]``: its duration in words, and the function that prints it."""
