"""The program of the first version, as its commit has it, run beside this one; and matches that it has kept.

By hand: ``python tests/tools/first_version.py`` writes ``tests/corpus/histories/first_version.*`` anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from patience import PATIENCE

from fourtwenty.journal.record import fingerprint

HEADER = ("application_id", "user_version")
"""The values in the header of a file that its SQL does not have."""
NOW = Path(__file__).parents[2]
"""The folder of this version."""
COMMIT = "8b5d563"
CORPUS = Path(__file__).parents[1] / "corpus" / "histories"
BOTS = ("--players", "bot:Steady,bot:Bold,bot:Tipsy")
TYPED = ("--players", "Ann,Ben", "--dice", "typed", "--position", "*>- - roll 1")
MATCHES: dict[str, tuple[tuple[str, ...], str]] = {
    "finished": ((*BOTS, "--seed", "1"), ""),
    "unfinished, with the coach": (("--players", "Ann,bot:Bold", "--coach", "full", "--seed", "2"), "roll all\nodds\n"),
    "real dice, finished": (TYPED, "roll all\n6551\nroll all\n6554\n"),
    "real dice, the last roll taken back": (TYPED, "roll all\n6551\nroll all\n4332\ntake back\n"),
    "421": ((*BOTS, "--game", "421", "--seed", "a"), ""),
    "421, two share a place": ((*BOTS, "--game", "421", "--seed", "3"), ""),
    "421, unfinished": (("--players", "Ann,Ben", "--game", "421", "--seed", "4"), "roll all\n" * 9 + "stand\n"),
    "ten rounds": ((*BOTS, "--game", "ten-rounds", "--seed", "5"), ""),
    "from a position": (("--players", "Ann,Ben", "--position", "*6551 >4332 roll 2", "--seed", "6"), "roll all\n"),
    "from a position, finished": (
        ("--players", "bot:Steady,bot:Bold", "--position", "*6551 >4332 roll 2", "--seed", "7"),
        "",
    ),
    "names": (("--players", "Zoë,김,[b]a[/b]", "--seed", "8"), "roll all\nroll all\n"),
}
"""Options and input of matches, in the order of their ids from 1."""


def first_version(folder: Path) -> Path:
    """Take the first version out of the repository and return its folder; skip the test where its commit is missing.

    The gate tests a copy without a repository: FOURTWENTY_REPOSITORY is where it was copied from.
    """
    repository = os.environ.get("FOURTWENTY_REPOSITORY", str(NOW))
    archive = ["git", "-C", repository, "archive", "--format=zip", COMMIT, "fourtwenty"]
    try:
        packed = subprocess.run(archive, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"needs the commit {COMMIT}, which shallow clones do not have")
    with zipfile.ZipFile(BytesIO(packed)) as files:
        files.extractall(folder)
    return folder


def start(program: Path, home: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a program that lies in a folder, with a home of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "fourtwenty", *arguments],
        cwd=program, env={**os.environ, "FOURTWENTY_HOME": str(home), "PYTHONUTF8": "1"},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
    )  # fmt: skip


def ran(program: Path, home: Path, *arguments: str, typed: str = "", status: int = 0) -> str:
    """Run a program with this input; return what it printed."""
    running = start(program, home, *arguments)
    printed, _ = running.communicate(typed, timeout=PATIENCE)
    assert running.returncode == status, printed
    return printed


def fill(program: Path, home: Path) -> dict[int, str]:
    """Let the first version play all matches; return their records, as it exports them."""
    records = {}
    for number, (options, typed) in enumerate(MATCHES.values(), 1):
        ran(program, home, "play", "--plain", *options, typed=typed)
        records[number] = ran(program, home, "export", str(number))
    return records


def dump(history: Path) -> str:
    """Return the SQL that makes the same file again."""
    with closing(sqlite3.connect(history)) as sql:
        pragmas = [f"PRAGMA {name} = {sql.execute(f'PRAGMA {name}').fetchone()[0]};" for name in HEADER]
        return "\n".join([*pragmas, *sql.iterdump(), ""])


def main() -> None:
    """Write the corpus: the file of the first version as SQL, and the fingerprints of the records."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        fill(first_version(Path(folder)), home)
        (CORPUS / "first_version.sql").write_text(dump(home / "history.sqlite"), encoding="utf-8")
        records = [ran(NOW, home, "export", str(number)) for number, _ in enumerate(MATCHES, 1)]
    digests = {number: fingerprint(record) for number, record in enumerate(records, 1)}
    (CORPUS / "first_version.json").write_text(json.dumps(digests, indent=1) + "\n")


if __name__ == "__main__":
    main()
