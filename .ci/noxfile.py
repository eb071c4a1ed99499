"""CI, which ``.ci/run`` runs with nox in a copy of what is committed or about to be; uv makes the environments.

What runs where is the table ``PARTS``. The Pythons are those of the system: none is downloaded. A part that fails stops
no other. The time and the CPU seconds of each are printed at the end.
"""

from __future__ import annotations

import atexit
import filecmp
import json
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nox

ARGUMENTS = sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else []
"""Those of ``.ci/run``."""
LONG = "--long" in ARGUMENTS
NAMED = [argument for argument in ARGUMENTS if argument != "--long"]
"""The Pythons that count, when not all of them do."""


@dataclass(frozen=True)
class CiPart:
    """A part of CI: on which Python it runs, what it is, and the options of its pytest."""

    on: str
    does: str
    options: str = ""


PARTS = {
    # In the long form it writes what "lowest" takes.
    "tests": CiPart("newest", "the README's own test command: all tests", "--choose" if LONG else ""),
    # What a Python or a dependency changes is an import, a signature, what a call does: one reach of a line shows it.
    # A browser plays, and brings its own Python, whoever tests it. Starts are counted once.
    "lowest": CiPart(
        "lowest",
        "the lowest dependencies: one test for each line, and each test in a terminal once",
        "--each-line-once --assert=plain --ignore tests/web --ignore tests/tui/test_start_cost.py",
    ),
    # On the oldest, with the packages that it gets: numpy 2.5 has no types for Python 3.11.
    "lint": CiPart("oldest", "format, lint, types, workflows"),
    "distributions": CiPart("newest", "the sdist holds the files of the copy, nothing else, and makes the same wheel"),
    "smoke_test": CiPart("oldest", "the wheel plays in an empty environment, from another folder"),
}
"""The parts of CI, in their order."""

LONG_PARTS = {
    # The workflow runs them on each Python alone, where it is the newest.
    "between": CiPart("between", "all tests but those in terminals", "-m 'not terminal'"),
    "soak_tests": CiPart("newest", "the tests marked long", "-m long --dist worksteal --durations=0 --durations-min=1"),
}
"""The parts that the long form adds."""

ROOT = Path(__file__).parents[1]
FILES = {
    path.relative_to(ROOT).as_posix()
    for path in ROOT.rglob("*")
    if path.is_file() and "__pycache__" not in path.parts  # nox has compiled this file
}
"""The files of the copy, before anything is made there."""
MADE = ROOT.parent / "made"
"""The folder of the distributions."""
CPU_TIME = ROOT / ".pytest_cache" / "v" / "cpu_time"
"""The calibration and the dearest tests of the last run of pytest, which ``tests/tools/cpu_time.py`` writes."""
MEASURED: dict[str, Any] = {}
"""The content of ``CPU_TIME`` after the first run of the README's test command."""

PROJECT = nox.project.load_toml(ROOT / "pyproject.toml")
SUPPORTED = [
    int(minor)
    for _, _, minor in (classifier.partition(":: Python :: 3.") for classifier in PROJECT["project"]["classifiers"])
    if minor
]
"""The minor versions that the project is for, the lowest first."""

nox.options.default_venv_backend = "uv"
nox.options.download_python = "never"


def candidates() -> Iterator[str]:
    """Yield every Python there may be, the preferred ones first."""
    yield from ("python3", "python", *(f"python3.{minor}" for minor in SUPPORTED))
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    yield from map(str, sorted(pyenv.glob("versions/*/bin/python3"), reverse=True))


def pythons() -> dict[int, str]:
    """Return the paths of the Pythons that count by minor version, the newest first.

    They are the ones named, or every release of CPython that makes environments.
    """
    question = "import ensurepip, sys, venv; print(sys.version_info[1], sys.version_info[3], sys.executable)"
    found: dict[int, str] = {}
    for python in NAMED or candidates():
        if not shutil.which(python):
            continue
        asked = subprocess.run([python, "-c", question], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if asked.returncode == 0:
            minor, level, path = asked.stdout.strip().split(" ", 2)
            if int(minor) >= SUPPORTED[0] and (NAMED or level == "final"):
                found.setdefault(int(minor), path)
    return dict(sorted(found.items(), reverse=True))


def options(part: CiPart) -> dict[str, str]:
    """Return the environment in which pytest has the options of a part."""
    return {"PYTEST_ADDOPTS": f"-W error {part.options}"}


def readme(session: nox.Session, part: CiPart) -> None:
    """Run the README's own test command, where python3 is the Python of the session."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    command = next(line for line in lines if "pytest" in line)
    if sys.platform == "win32":
        command = command.replace("python3", "python").replace(".venv/bin", ".venv/Scripts")
    print("+", command, flush=True)
    session.run("bash", "-euo", "pipefail", "-c", command, external=True, env=options(part))
    if not MEASURED:
        MEASURED.update(json.loads(CPU_TIME.read_text(encoding="utf-8")))


def lowest(session: nox.Session, part: CiPart) -> None:
    """Run tests with the lowest versions that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "-e", ".[test]")
    session.run("uv", "pip", "list", external=True)
    session.run("python", "-m", "pytest", env=options(part))


def between(session: nox.Session, part: CiPart) -> None:
    """Run tests as those of the README, in an environment that uv makes."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "pytest", env=options(part))


def lint(session: nox.Session, part: CiPart) -> None:  # noqa: ARG001
    """Look at the files without running them."""
    session.install("-e", ".[test,lint,docs]", "nox", *PROJECT["build-system"]["requires"])
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")
    session.run("mypy")
    # A system reads all types anew, those of the packages too. Only Windows has branches of its own in the program.
    for platform in ("win32", "darwin") if LONG or sys.platform == "darwin" else ("win32",):
        session.run("mypy", "--platform", platform, "fourtwenty")
    session.run("python", "-m", "pytest", "-q", "-n0", "tests/architecture/test_readme.py", "-k", "strictly_typed")
    session.run("python", "-m", "pytest", "-q", "-n0", "tests/architecture/test_api_page.py")
    session.run("zizmor", "--offline", "--no-progress", ".github/workflows")


def distributions(session: nox.Session, part: CiPart) -> None:  # noqa: ARG001
    """Make the sdist and the wheel, and the wheel once more from the sdist."""
    session.install(*PROJECT["build-system"]["requires"], *PROJECT["project"]["optional-dependencies"]["lint"])
    session.run("python", "-m", "hatchling", "build", "-d", str(MADE))
    (sdist,), (wheel,) = MADE.glob("*.tar.gz"), MADE.glob("*.whl")
    session.run("twine", "check", "--strict", str(sdist), str(wheel))
    with tarfile.open(sdist) as archive:
        held = {member.name.partition("/")[2] for member in archive if member.isfile()}
    if held ^ FILES != {"PKG-INFO"}:
        session.error(f"the files of the sdist are others: {sorted(held ^ FILES)}")
    session.run(
        "uv", "build", "-q", "--wheel", "--no-build-isolation", "-o", str(MADE / "again"), str(sdist), external=True
    )
    if not filecmp.cmp(wheel, MADE / "again" / wheel.name, shallow=False):
        session.error("the sdist makes another wheel")


def smoke_test(session: nox.Session, part: CiPart) -> None:  # noqa: ARG001
    """Install the wheel and play it."""
    session.install(*map(str, MADE.glob("*.whl")))
    session.chdir("/")
    kept = {"FOURTWENTY_HOME": str(MADE / "kept")}
    session.run("python", "-I", str(ROOT / ".ci" / "smoke_test.py"), env=kept)


def soak_tests(session: nox.Session, part: CiPart) -> None:
    """Run what is skipped otherwise, and say how long each test took."""
    session.env["FOURTWENTY_LONG"] = "1"
    readme(session, part)


WORK: dict[str, Callable[[nox.Session, CiPart], None]] = {
    "tests": readme,
    "lowest": lowest,
    "lint": lint,
    "distributions": distributions,
    "smoke_test": smoke_test,
    "between": between,
    "soak_tests": soak_tests,
}

FOUND = pythons()
if not FOUND:
    sys.exit(f"No Python from 3.{SUPPORTED[0]} up was found that makes environments.")
NEWEST, *OTHERS = FOUND
MISSING = [] if NAMED else [f"Python 3.{minor} was not found here." for minor in SUPPORTED if minor not in FOUND]
if SUPPORTED[0] not in FOUND:
    MISSING.append("The lowest dependencies were left out: they are those of the lowest Python.")
PLACES = {
    "newest": [NEWEST],
    "oldest": [min(FOUND)],
    "lowest": [minor for minor in FOUND if minor == SUPPORTED[0]],
    "between": [minor for minor in OTHERS if minor != SUPPORTED[0]],
}
"""The minor versions of the Pythons that are meant by ``CiPart.on``."""
TOLD: list[str] = []
"""The lines at the end, one for each part."""


def cpu_seconds() -> float:
    """Return the CPU seconds of the processes started here that have ended; 0 on Windows."""
    return sum(os.times()[:4])


def summary() -> Iterator[str]:
    """Yield the time and the CPU seconds of all parts, and the dearest tests of the README's command."""
    seconds = cpu_seconds()
    times = f"{time.monotonic() - BEGUN:5.0f} s {seconds:6.0f} s of CPU"
    if not MEASURED:
        yield f"{times}  in all"
        return
    unit = MEASURED["unit"]
    yield f"{times}  in all: {seconds / unit:,.0f} times the {unit * 1000:.1f} ms of a fixed piece of Python"
    yield from (f"{each:16.1f} s of CPU  {name}" for each, name in MEASURED["dearest"])


def register(name: str, part: CiPart, minor: int) -> None:
    """Make a session of a part on a Python."""

    @nox.session(name=name if len(PLACES[part.on]) == 1 else f"{name}-3.{minor}", python=FOUND[minor])
    def run(session: nox.Session) -> None:
        print(f"\n== {name}, Python 3.{minor}: {part.does}", flush=True)
        began, used, end = time.monotonic(), cpu_seconds(), "FAILED"
        session.chdir(ROOT)
        try:
            WORK[name](session, part)
            end = "passed"
        finally:
            times = f"{time.monotonic() - began:5.0f} s {cpu_seconds() - used:6.0f} s of CPU"
            TOLD.append(f"{times}  {end}  {name}, Python 3.{minor}: {part.does}")


for name, part in {**PARTS, **(LONG_PARTS if LONG else {})}.items():
    for minor in PLACES[part.on]:
        register(name, part, minor)

BEGUN = time.monotonic()
atexit.register(lambda: print("", *TOLD, *summary(), *MISSING, sep="\n"))
