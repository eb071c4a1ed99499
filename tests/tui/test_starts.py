"""A start does no more work than it did; a deliberate change comes with new figures (``tests/tools/starts.py``)."""

from __future__ import annotations

import pytest

pytest.importorskip("termios", reason="needs a Unix terminal")

from starts import ROOM, kept, missing, multiples

pytestmark = pytest.mark.terminal


@pytest.mark.skipif(bool(missing()), reason=missing())
@pytest.mark.skipif(not kept(), reason="no figures are kept for these versions")
def test_no_start_has_grown() -> None:
    now, before = multiples(), kept()
    assert {name for name in now if now[name] > before[name] * ROOM} == set(), (now, before)
