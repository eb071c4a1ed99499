"""The CPU seconds of a run are those of all processes that it started, and its dearest tests are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cpu_time
import pytest

ORPHAN = "import time\nprint(flush=True)\nwhile time.process_time() < 0.5: pass"
PARENT = f"import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {ORPHAN!r}]).stdout"
CONTROLLER = f"""
import os, subprocess, sys
from cpu_time import adopt_orphans, cpu_seconds
adopt_orphans()
begun = cpu_seconds()
with subprocess.Popen([sys.executable, "-c", {PARENT!r}], stdout=subprocess.PIPE) as parent:
    parent.stdout.read()  # until the last process that holds it has ended
while cpu_seconds() - begun < 0.5:
    os.sched_yield()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands over orphans")
def test_a_process_is_counted_whose_parent_has_ended_before_it() -> None:
    """The controller would wait for ever if it were not."""
    tools = Path(cpu_time.__file__).parent
    subprocess.run([sys.executable, "-c", CONTROLLER], env={"PYTHONPATH": str(tools)}, timeout=120, check=True)


def test_the_ten_dearest_tests_are_named() -> None:
    run = cpu_time.CpuTime(runs_tests=False)
    run.add(*((seconds, f"test_{seconds}") for seconds in range(1, 9)))
    run.add((20, "test_20"), (3, "test_3[other]"), (12, "test_12"))
    assert [name for _, name in run.dearest] == [
        *("test_20", "test_12", "test_8", "test_7", "test_6", "test_5", "test_4", "test_3[other]", "test_3", "test_2")
    ]
