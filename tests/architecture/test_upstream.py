"""The programs in docs/inside/upstream: each shows what a library does, and so that an override of ours is needed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import MAX_WAIT_SECONDS

if sys.platform != "linux":
    pytest.skip("some of the programs read /proc", allow_module_level=True)
pytest.importorskip("nats", reason="needs the extra rooms")

pytestmark = [
    pytest.mark.terminal,
    # What the libraries do depends on the Python in two places only: once is enough.
    pytest.mark.skipif(sys.version_info < (3, 12), reason="CI asks the newest Python"),
]

ROOT = Path(__file__).parents[2]
INDEX = (ROOT / "docs/inside/upstream.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r"^- \[(.+)\]\(upstream/(.+)\.md\)\n((?:  .+\n)+)", INDEX, re.MULTILINE)
"""Of each issue its title, the name of its file, and the lines about the override and upstream."""
NAMES = [name for _, name, _ in ENTRIES]
WHERE = [" ".join(where.split()) for _, _, where in ENTRIES]
ISSUES = [(ROOT / f"docs/inside/upstream/{name}.md").read_text(encoding="utf-8") for name in NAMES]
PROGRAMS = [re.findall(r"```python\n(.*?)```", issue, re.DOTALL) for issue in ISSUES]


def check(where: str, program: str) -> None:
    """Run a program; fails when it does not end by its assertion."""
    done = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, timeout=MAX_WAIT_SECONDS, check=False
    )
    assert done.returncode, f"this can go, and its file in docs/inside/upstream: {where}"
    assert re.search(r"^AssertionError", done.stderr, re.MULTILINE), f"it shows nothing any more: {done.stderr}"


@pytest.mark.long("docs/inside/upstream/", "pyproject.toml")
@pytest.mark.parametrize(("where", "programs"), [*zip(WHERE, PROGRAMS, strict=True)], ids=NAMES)
def test_the_override_is_still_needed(
    where: str, programs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = re.search(r"Until: Python 3\.(\d+)", where)
    if until and sys.version_info >= (3, int(until[1])):
        pytest.skip("mended in this Python")
    since = re.search(r"Since: Python 3\.(\d+)", where)
    if since and sys.version_info < (3, int(since[1])):
        pytest.skip("this Python is older than the fault")
    if "openssl" in programs[0] and not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    (program,) = programs
    check(where, program)


def test_the_index_has_every_issue_with_its_title() -> None:
    assert sorted(NAMES) == sorted(file.stem for file in (ROOT / "docs/inside/upstream").glob("*.md"))
    assert [f"# {title}" for title, _, _ in ENTRIES] == [issue.splitlines()[0] for issue in ISSUES]


@pytest.mark.parametrize("where", WHERE, ids=NAMES)
def test_the_override_is_where_the_index_says(where: str) -> None:
    override, module = re.findall(r"`(.+?)`", where)[:2]
    assert override in (ROOT / module).read_text(encoding="utf-8")


def test_what_a_newer_python_has_mended_goes_with_the_older_ones() -> None:
    allowed = re.search(r'requires-python = ">=3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert allowed
    for where in WHERE:
        for until in re.findall(r"Until: Python 3\.(\d+)", where):
            assert int(allowed[1]) < int(until), f"this can go, and its file in docs/inside/upstream: {where}"


def test_a_program_that_ends_well_says_which_override_can_go() -> None:
    with pytest.raises(AssertionError, match=r"this can go, .*: `run`"):
        check("`run`", "assert True")


def test_a_program_that_ends_otherwise_shows_nothing() -> None:
    with pytest.raises(AssertionError, match="it shows nothing any more"):
        check("`run`", "import no_such_module")
