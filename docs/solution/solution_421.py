"""The sections of docs/solution.md about 421. solution.py runs them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import mean, stdev

import ladder_421
import reference_solver
from msgspec.structs import replace

from fourtwenty.games.bar_421 import TOKENS, Bar421
from fourtwenty.games.game import Roll
from fourtwenty.odds import bar_421, bar_421_match


def tokens() -> None:
    """421, two players: solve for ``bar_421_match.safe_of_two`` from scratch, and print it."""
    safe: tuple[float, ...] = tuple(1 - held / TOKENS if held else 0.0 for held in range(TOKENS))
    changes: list[float] = []
    while not changes or changes[-1] > 0:
        later, safe = safe, reference_solver.improve_safe(safe)
        changes.append(max(abs(new - old) for new, old in zip(safe, later, strict=True)))
    for held in range(1, TOKENS, 5):
        print("   ".join(f"{each:2}  {100 * safe[each]:6.3f}%" for each in range(held, held + 5)))
    steps = next(step for step, change in enumerate(changes) if change < 1e-12)
    off = max(abs(new - shipped) for new, shipped in zip(safe, bar_421_match.safe_of_two(TOKENS), strict=True))
    still = f"no chance changes by 1e-12 after {steps} steps, none at all after {len(changes)}"
    print(f"{still}; from the program {off:.0e}")


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


def tokens_fewer() -> None:
    """421, three players and fewer tokens: print the error of the estimate and of the share of tokens, in points."""
    import numpy as np
    import solve_421

    print("tokens  estimate  worst   share  worst")
    for total in (3, 5, 8, 10, 12, 16, 20):
        _, solved, _ = solve_421.solve_three(solve_421.shares(total), total)
        estimate = np.array([bar_421_match.worth(split) for split in solve_421.splits_of(total)])
        row = ""
        for guess in (estimate, solve_421.shares(total)):
            apart = 100 * abs(guess - solved)
            row += f"{np.sqrt((apart**2).mean()):10.1f}{apart.max():7.1f}"
        print(f"{total:6}{row}", flush=True)


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


def ladder() -> None:
    """421, two players: print the price of simple rules against best play."""
    for name, rule in ladder_421.LADDER.items():
        print(f"{100 * (0.5 - ladder_421.safe_with(rule)):6.2f} points   {name}")


SECTIONS: dict[str, tuple[str, Callable[[], None]]] = {
    "tokens": ("seconds", tokens),
    "tokens-three": ("at once", tokens_three),
    "tokens-fewer": ("four minutes, needs numpy", tokens_fewer),
    "tokens-starts": ("six minutes, needs numpy", tokens_starts),
    "tokens-played": ("three minutes", tokens_played),
    "crowd": ("two minutes", crowd),
    "ladder-421": ("at once", ladder),
}
"""``[section]``: its duration in words, and the function that prints it."""
