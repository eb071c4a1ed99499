"""The QR code of an address in lines of text, read back module by module."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fourtwenty.rooms.tui.dialogs import QUIET_ZONE, qr_lines

segno = pytest.importorskip("segno", reason="the extra [rooms] is not here")

LONGEST = "http://255.255.255.255:65535/" + "aB3_-6789x" * 2 + "yz/"
"""The longest address of a guest's page by IPv4."""
HALVES = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}


def modules_of(lines: Sequence[str]) -> list[list[int]]:
    """Read half blocks back into rows of modules, 1 for a dark one."""
    return [[HALVES[cell][half] for cell in line] for line in lines for half in (0, 1)]


@pytest.mark.parametrize("text", ["http://192.168.1.23:8420/" + "A" * 22 + "/", LONGEST, "420"])
def test_half_blocks_hold_the_modules_of_the_code(text: str) -> None:
    modules = modules_of(qr_lines(text))
    side = len(modules[0])
    assert modules[side:] in ([], [[0] * side]), "an odd row is filled up with light modules"
    code = segno.make_qr(text, error="l", boost_error=False)
    assert modules[:side] == [[*map(int, row)] for row in code.matrix_iter(border=QUIET_ZONE)]


def test_a_finder_in_three_corners_and_a_quiet_zone_of_four_modules() -> None:
    modules = modules_of(qr_lines(LONGEST))
    side = len(modules[0])
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]  # ISO/IEC 18004, 6.3.3
    for top, left in ((4, 4), (4, side - 11), (side - 11, 4)):
        corner = ["".join(map(str, row[left : left + 7])) for row in modules[top : top + 7]]
        assert corner == finder
    assert not any(any(row[:4] + row[-4:]) for row in modules)
    assert not any(map(any, modules[:4] + modules[side - 4 : side]))


def test_every_address_fits_under_a_heading_on_a_small_screen() -> None:
    lines = qr_lines(LONGEST)
    assert (len(lines), {*map(len, lines)}) == (19, {37}), "version 3, with 29 modules a side"


def test_a_text_too_long_for_a_code() -> None:
    with pytest.raises(ValueError, match="too large"):
        qr_lines("x" * 4000)
