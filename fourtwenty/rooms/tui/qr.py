"""Draws an address as a QR code in lines of text, for phones to scan. The caller sets the colours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

BLOCKS = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
"""A cell by its upper and lower module, 1 for dark."""
QUIET_ZONE = 4
"""Light modules on each side (ISO/IEC 18004, 6.3.8)."""


@cache
def qr_lines(text: str) -> Sequence[str]:
    """Return the QR code of a text as lines of equal width, for dark letters on a light ground.

    A line is two rows of modules in half blocks, the quiet zone included. The code is the smallest one, at error level
    L. Raises ValueError when the text is too long for a code.
    """
    import segno

    rows = [*segno.make_qr(text, error="l", boost_error=False).matrix_iter(border=QUIET_ZONE)]
    rows.append(bytes(len(rows)))  # a code has an odd number of them
    return ["".join(BLOCKS[pair] for pair in zip(*rows[top : top + 2], strict=True)) for top in range(0, len(rows), 2)]
