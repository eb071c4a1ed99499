"""A bar for the progress of a hand or a tally."""

from __future__ import annotations

from fourtwenty.games.game import Meter

EDGES = 2
"""The cells of a bar's edges."""
MAX_CELLS = 21
"""The most cells between them: a token each, or a point of 20."""
MIN_BAR_WIDTH = 7
"""The cells between them that a bar keeps beside longer text."""


def bar(meter: Meter, cells: int) -> str:
    """Return a meter's bar with so many cells between its edges, full from ``Meter.full`` on.

    >>> bar(Meter(17, 20, "17"), 20), bar(Meter(16, 20, "16 + ?", least=15), 10)
    ('▕█████████████████∙∙∙▏', '▕███████┃∙∙▏')
    """
    filled = min(cells, max(meter.value > 0, meter.value * cells // meter.full))
    inside = "█" * filled + "∙" * (cells - filled)
    if meter.least:
        tick = -(-meter.least * cells // meter.full) - 1
        inside = f"{inside[:tick]}┃{inside[tick + 1 :]}"
    return f"▕{inside}▏"
