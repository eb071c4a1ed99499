"""The start of every test: a home and chance of its own, all colours, screens, and no animations in Textual."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from chance import seeded
from hypothesis import settings
from long_tests import has_changed

from fourtwenty.file_storage import history_file
from fourtwenty.journal import links
from fourtwenty.journal.history import History
from fourtwenty.tui import clipboard

if TYPE_CHECKING:
    from textual.css.model import RuleSet

# A slow machine breaks no rule, and a test that fails has failed for what was changed: examples are the same on every
# run. To look for new ones: python -m pytest --hypothesis-profile explore
EXAMPLES = 100 if "FOURTWENTY_LONG" in os.environ else 50
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=EXAMPLES)
settings.register_profile("explore", deadline=None)
settings.load_profile("steady")
os.environ["TEXTUAL_ANIMATIONS"] = "none"  # Textual reads it once, when it is imported
os.environ["COLORTERM"] = "truecolor"
# Tests copy to no clipboard but their own: by OSC 52, which the driver of the tests drops.
for name in ("TMUX", *clipboard.INNER_TERMINALS):
    os.environ.pop(name, None)
os.environ.update(TERM="xterm-kitty", SSH_TTY="/dev/null")
os.environ.pop("ACCESSIBLE", None)

# What nohup or a shell's & has started ignores these, and so does what it starts in turn; the tests send them.
for name in ("SIGHUP", "SIGINT"):
    if signal.getsignal(getattr(signal, name, signal.SIGTERM)) is signal.SIG_IGN:
        signal.signal(getattr(signal, name), signal.SIG_DFL)


pytest_plugins = ["cpu_time", "lines_reached"]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One process more than cores: while a test waits for a program or a broker, another one works."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the first process collect alone. The others read what it has compiled: that takes a third of the work."""
    try:
        import fcntl
    except ModuleNotFoundError:  # there is none on Windows
        return (yield)
    with Path(__file__).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is marked long, except in the long form of the tests, or where its own files have changed."""
    if "FOURTWENTY_LONG" not in os.environ:
        for item in items:
            for mark in item.iter_markers("long"):
                own = item.path.relative_to(config.rootpath).as_posix()
                if not mark.args or not has_changed((own, *mark.args)):
                    item.add_marker(pytest.mark.skip(reason="it is long: .ci/run --long"))


def pytest_collection_finish() -> None:
    """Look for garbage seldom: that took an eighth of all work. Choose for no run of pytest that a test starts."""
    os.environ.pop("PYTEST_ADDOPTS", None)  # the processes of pytest-xdist 3.8 have read it by now
    # Not gc.freeze: hypothesis 6.88 asks gc.get_referrers, which leaves frozen objects out, and warns of its own.
    gc.set_threshold(50_000, 20, 10)


@pytest.fixture(autouse=True, scope="session")
def style_sheets() -> Iterator[None]:
    """Read every style sheet once, not once in every app: that took a twentieth of all tests of the app.

    Textual 8.2 keeps what it has read in an app, and forgets it when the theme changes.
    """
    from textual.css.stylesheet import Stylesheet

    read = Stylesheet._parse_rules
    known: dict[object, list[RuleSet]] = {}

    def read_once(sheet: Stylesheet, *text: Any, **options: Any) -> list[RuleSet]:
        key = (*sheet._variables.items(), text, *options.items())
        if key not in known:
            known[key] = read(sheet, *text, **options)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", read_once)
        yield


@pytest.fixture(autouse=True, scope="session")
def pilots() -> Iterator[None]:
    """Let the pilots wait for an idle event loop: their sleeps took two fifths of the time of the tests of the app."""
    from idle_loop import idle_pilots

    with idle_pilots():
        yield


NUMBERS = count(1)


@pytest.fixture(autouse=True)
def home(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """An empty folder for whatever the app keeps, in the test's own one, and a build that knows no page.

    Most tests ask for no folder of their own, and pytest's takes a quarter of the time of a small one: for each, pytest
    9.2 looks at all earlier folders for the next number, and makes a link to the newest.
    """
    if "tmp_path" in request.fixturenames:
        folder: Path = request.getfixturevalue("tmp_path")
    else:
        folder = tmp_path_factory.getbasetemp() / f"test {next(NUMBERS)}"
        folder.mkdir()
    monkeypatch.setenv("FOURTWENTY_HOME", str(folder / "home"))
    monkeypatch.setattr(links, "homepage", lambda: None)  # a workflow's build knows one
    return folder / "home"


@pytest.fixture
def history() -> Iterator[History]:
    """The history of the app, which is not forced to the disk: nobody pulls the plug here."""
    with closing(History(history_file(), pytest.fail)) as kept:
        kept.count()
        assert kept._connection
        kept._connection.execute("PRAGMA synchronous = OFF")
        yield kept


@pytest.fixture(autouse=True)
def seeds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Seeds that follow from the names of file and test, so that a match without a seed is the same on every run."""
    with seeded(f"{request.path.name}::{request.node.name}"):
        yield
