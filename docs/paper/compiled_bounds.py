"""The bounds of full_programme.py for more players, by compiled steps: eight need 16 GB and a C compiler.

There all bounds are kept: sixteen numbers a position, at eight players. Here the first steps keep them in 16 bits,
which drops most choices. From then on the bounds of one seat are kept. They follow from the same seat's one turn later,
so as many turns as there are seats, a lap, lead from the seat to act to the seat to act. docs/paper has the proof, and
derives the rounding.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from full_programme import (
    ALLOWED,
    CLASSES,
    GROUP,
    GROUPS,
    KEEPS,
    MEMBER,
    OUTWARD,
    TO_GROUP,
    TWENTY,
    Array,
    Bounds,
    Stakes,
)
from numpy.typing import NDArray

STEPS = Path(__file__).with_suffix(".c")

FLAGS = ("-O3", "-march=native", "-funroll-loops", "-fno-trapping-math", "-shared", "-fPIC")
"""No flag changes the arithmetic but one: the processor may round a product and a sum once, not twice."""

OPEN = 0.2
"""Steps keep all bounds until so many choices are left beyond one, for each class and hands of the others.

Laps drop the rest. At three players they do so from 0.24, at four from 0.66; from 0.68 and 1.27 they do not."""


def _rules(players: int) -> str:
    """Return rules.h of compiled_bounds.c."""

    def listed(values: Iterable[object]) -> str:
        return f"{{{', '.join(map(str, values))}}}"

    reached = listed(listed(float(chance).hex() for chance in row) for row in TO_GROUP)
    sizes = {"SEATS": players, "GROUPS": GROUPS, "KEEPS": len(KEEPS), "CLASSES": CLASSES}
    most = max(map(len, ALLOWED)) + 1  # -1 is the last
    return f"""
enum {listed(f"{name} = {size}" for name, size in sizes.items())};
static const int64_t POSITIONS = {GROUPS**players};
static const double OUTWARD = {OUTWARD};
static const double REACHED[KEEPS][GROUPS] = {reached};
static const double TWENTY[KEEPS] = {listed(float(chance).hex() for chance in TWENTY)};
static const int ALLOWED[CLASSES][{most}] = {listed(listed([*allowed, -1]) for allowed in ALLOWED)};
static const int GROUP[CLASSES] = {listed(GROUP)};
static const int MEMBER[GROUPS] = {listed(MEMBER)};
"""


def _compiled(players: int) -> ctypes.CDLL:
    """Return the functions of compiled_bounds.c.

    Raises:
        OSError: If there is no C compiler named ``cc``.
        subprocess.CalledProcessError: If it refuses.
    """
    with TemporaryDirectory() as folder:
        library = Path(folder, "steps.so")
        Path(folder, "rules.h").write_text(_rules(players), "utf-8")
        subprocess.run(["cc", *FLAGS, f"-I{folder}", f"-o{library}", STEPS], check=True)
        steps = ctypes.CDLL(str(library))
    steps.step_one.restype = ctypes.c_double
    return steps


def _pointer(array: NDArray[np.generic]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


class CompiledBounds:
    """Bounds of what each seat wins in every subgame-perfect equilibrium of a round, whatever the players remember."""

    def __init__(self, players: int) -> None:
        """Begin with every legal choice, and take steps for all seats."""
        self.players = players
        self.left = np.empty((GROUPS ** (players - 2), CLASSES, GROUPS), np.uint8)
        """``[others without the last seat][class][group of the last seat]``: bit ``n`` where choice ``n`` is left."""
        for number, allowed in enumerate(ALLOWED):
            self.left[:, number] = (1 << len(allowed)) - 1
        self.steps = self.laps = 0
        self.gap = 1.0
        """The most that the bounds of the seat to act are apart, since the last lap."""
        self._margin = ctypes.c_double(1.0)
        self._compiled = _compiled(players)
        self._low, self._high = self._coarse()

    @property
    def margin(self) -> float:
        """The least distance by which a dropped choice was behind."""
        return self._margin.value

    def _coarse(self) -> tuple[Array, Array]:
        """Take the steps for all seats, and return the bounds of the seat to act."""
        bounds = np.zeros((GROUPS ** (self.players - 1), self.players, 2, GROUPS), np.uint16)
        bounds[:, :, 1] = 65535
        while self.open_choices() > OPEN * self.left.size:
            self._compiled.step_all(_pointer(bounds), _pointer(self.left), ctypes.byref(self._margin))
            self.steps += 1
        low, high = bounds[:, 0, 0].ravel(), bounds[:, 0, 1].ravel()
        del bounds  # 14 GB at eight players
        return low / 65536, (high + 1.0) / 65536

    def lap(self) -> Iterator[tuple[int, Array, Array]]:
        """Yield (seat in turn order, its lower bounds ``[position]``, its upper ones) for each turn of a lap.

        The turns go backwards, so the seat to act comes last. Its bounds are kept, others last until the next seat.
        """
        before = self._low, self._high
        after = np.empty_like(self._low), np.empty_like(self._high)
        for seat in (*range(1, self.players), 0):
            self.gap = self._compiled.step_one(
                *map(_pointer, before),
                seat == 0,
                _pointer(self.left),
                *map(_pointer, after),
                ctypes.byref(self._margin),
            )
            yield seat, *after
            before, after = after, before
        self._low, self._high = before
        self.laps += 1

    def tighten(self, precision: float) -> None:
        """Take laps until one drops no choice, and narrows the widest bounds of the seat to act by no more."""
        before = -1, 1.0
        while True:
            for _ in self.lap():
                pass
            now = self.open_choices(), self.gap
            if now[0] == before[0] and before[1] - now[1] <= precision:
                return
            before = now

    def open_choices(self) -> int:
        """Return how many choices are left in all positions, beyond one in each class."""
        return int(np.bitwise_count(self.left).sum(dtype=np.int64)) - self.left.size

    def open(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return (class, groups of the others) wherever more than one choice is left, in this order."""
        others = (GROUPS,) * (self.players - 1)
        return sorted(
            (int(number), tuple(map(int, np.unravel_index(block * GROUPS + last, others))))
            for block, number, last in np.argwhere(self.left & (self.left - 1))
        )

    def whole(self) -> Bounds:
        """Return the bounds of all seats, as full_programme.py has them: 7 GB at seven players."""
        whole = Bounds(Stakes.of_the_round(self.players))
        for seat, low, high in self.lap():
            whole.low[0, seat], whole.high[0, seat] = low, high
        for number, choices in enumerate(whole.left[0]):
            for choice, is_left in enumerate(choices):
                is_left[...] = self.left[:, number].ravel() >> choice & 1
        whole.steps, whole.margin = self.steps, self.margin
        return whole

    def play(self, mass: Array, phase: int = 0) -> tuple[float, Array]:  # noqa: ARG002
        """Return (the chance of 20, the chances of each position next) after a turn from ``mass[position]``.

        It makes the one choice that is left. ``mass`` must be 0 where more than one is.
        """
        after, won = np.empty_like(mass), np.empty(len(self.left))
        self._compiled.play(_pointer(mass), _pointer(self.left), _pointer(after), _pointer(won))
        return float(won.sum()), after
