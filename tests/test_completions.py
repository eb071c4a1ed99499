"""The completions that come with the program, as bash asks them."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from fourtwenty.cli.help_page import SUMMARIES
from fourtwenty.games import GAMES
from fourtwenty.play.bots import CHARACTERS

SHARE = Path(sysconfig.get_path("data"), "share")
SCRIPT = SHARE / "bash-completion/completions/fourtwenty"
ASK = """
source "$1"; shift
COMP_LINE="$1"; COMP_POINT=${#1}; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
read -r _ _ _ _ function _ < <(complete -p fourtwenty)
"$function"
printf '%s\\n' "${COMPREPLY[@]}"
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("bash"), reason="needs bash"),
    pytest.mark.skipif(not SCRIPT.exists(), reason="needs the package to be installed"),
]


def offered(line: str) -> set[str]:
    """Return the completions that bash offers at the end of a line, which it splits at spaces and colons."""
    words = line.replace(":", " : ").split(" ")
    command = ["bash", "--norc", "-c", ASK, "bash", str(SCRIPT), line, *filter(None, words[:-1]), words[-1]]
    return set(subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split())


def test_commands_and_their_options() -> None:
    assert offered("fourtwenty ") == set(SUMMARIES)
    assert offered("fourtwenty pl") == {"play"}
    assert offered("fourtwenty play --ga") == {"--game"}
    assert offered("fourtwenty play --game ") == set(GAMES)
    assert "--data-dir" in offered("fourtwenty --")


def test_bots() -> None:
    assert offered("fourtwenty play --players ") == {f"bot:{name}" for name in CHARACTERS}
    assert offered("fourtwenty play --players Ann,b") == {f"Ann,bot:{name}" for name in CHARACTERS}
    assert offered("fourtwenty play --players Ann,bot:P") == {"Perfect"}
    assert offered("fourtwenty simulate --players bot:Bold,bot:") == set(CHARACTERS)
    assert offered("fourtwenty play --players Ann,bot:Bold --coa") == {"--coach"}


def test_files(tmp_path: Path) -> None:
    (tmp_path / "match.json").touch()
    assert offered(f"fourtwenty verify {tmp_path}/ma") == {str(tmp_path / "match.json")}


def test_other_shells_have_theirs() -> None:
    assert "compdef" in (SHARE / "zsh/site-functions/_fourtwenty").read_text()
    assert "complete -c fourtwenty" in (SHARE / "fish/vendor_completions.d/fourtwenty.fish").read_text()
