"""Every benchmark runs to its end, in a tiny form: its figures say nothing here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import find_chromium
from waiting import MAX_WAIT_SECONDS

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

TINY = {
    "history_speed": "history_speed.TIMES = 1; history_speed.main('matches', 30)",
    "odds": "odds.main([2])",
    "page_cost": (
        "page_cost.TABS, page_cost.ROLLS, page_cost.TIMES = 1, 1, 1;page_cost.asyncio.run(page_cost.main(['.']))"
    ),
    "playouts": "playouts.SECONDS, playouts.ROLLS = 0.01, 3; playouts.main()",
    "rooms": "sys.argv[1:] = 'latency', '--matches', '1'; rooms.main()",
    "rooms_broker": (
        "rooms_broker.ENTRIES, rooms_broker.LONG, rooms_broker.ROOMS = 20, 120, 4;"
        "rooms_broker.BEAT, rooms_broker.SECONDS = 0.2, 1;"
        "rooms_broker.asyncio.run(rooms_broker.main())"
    ),
    "speed": (
        "speed.STARTS, speed.PRESSES, speed.ROLLS, speed.IDLE_SECONDS = 1, 2, 2, 0.1;"
        "speed.TABLES = {'2 seats': speed.TABLES['2 seats']};"
        "speed.main();"
        "speed.OVERRIDES = {'every': '\\n'.join(speed.OVERRIDES.values())};"
        "speed.PAIRS = 1; speed.without(['every'])"
    ),
}
"""``[module]``: statements that run a benchmark once it is imported."""


def test_every_benchmark_has_a_tiny_form() -> None:
    assert set(TINY) == {file.stem for file in BENCHMARKS.glob("*.py")}


@pytest.mark.terminal
@pytest.mark.long("tests/benchmarks/")
@pytest.mark.skipif(sys.platform != "linux", reason="they ask Linux for times and memory")
@pytest.mark.parametrize("name", TINY)
def test_a_tiny_form_runs_to_its_end(name: str, tmp_path: Path) -> None:
    if name == "page_cost" and find_chromium() is None:
        pytest.skip("there is no Chromium here")
    path = os.pathsep.join(map(str, (BENCHMARKS, BENCHMARKS.parent / "tools")))
    ran = subprocess.run(
        [sys.executable, "-c", f"import sys, {name}; {TINY[name]}"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        timeout=5 * MAX_WAIT_SECONDS,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout
