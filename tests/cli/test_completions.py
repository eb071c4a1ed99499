"""The completions that come with the program, as bash asks them, and its page of man."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from fourtwenty.cli.arguments import EXAMPLES
from fourtwenty.cli.help_page import SUMMARIES, VARIABLES
from fourtwenty.games import GAMES
from fourtwenty.play.bots import BOTS

SHARE = Path(sysconfig.get_path("data"), "share")
SCRIPT = SHARE / "bash-completion/completions/fourtwenty"
MAN_PAGE = SHARE / "man/man6/fourtwenty.6"
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
    assert offered("fourtwenty play --co") == {"--coach"}
    assert offered("fourtwenty play ") >= set(GAMES)
    assert "--data-dir" in offered("fourtwenty --")


def test_bots() -> None:
    assert offered("fourtwenty play --players ") == {f"bot:{name}" for name in BOTS}
    assert offered("fourtwenty play --players Ann,b") == {f"Ann,bot:{name}" for name in BOTS}
    assert offered("fourtwenty play --players Ann,bot:P") == {"Perfect"}
    assert offered("fourtwenty simulate --players bot:Bold,bot:") == set(BOTS)
    assert offered("fourtwenty play --players Ann,bot:Bold --coa") == {"--coach"}


def test_files(tmp_path: Path) -> None:
    (tmp_path / "match.json").touch()
    assert offered(f"fourtwenty verify {tmp_path}/ma") == {str(tmp_path / "match.json")}


def test_other_shells_have_theirs() -> None:
    assert "compdef" in (SHARE / "zsh/site-functions/_fourtwenty").read_text()
    assert "complete -c fourtwenty" in (SHARE / "fish/vendor_completions.d/fourtwenty.fish").read_text()


def test_the_manual_says_where_they_are() -> None:
    manual = (Path(__file__).parents[2] / "docs/manual.md").read_text(encoding="utf-8")
    for file in (SCRIPT, MAN_PAGE):
        assert f"/share/{file.relative_to(SHARE).as_posix()}\n" in manual


@pytest.mark.skipif(not MAN_PAGE.exists(), reason="needs the package to be installed again")
def test_the_page_of_man_has_every_command_option_and_variable() -> None:
    page = MAN_PAGE.read_text(encoding="utf-8").replace("\\-", "-")
    assert all(f".SH COMMAND \\fI\\,'fourtwenty {command}'" in page for command in SUMMARIES)
    options = offered("fourtwenty play --") | offered("fourtwenty host --")
    assert {option for option in options if option not in page} == {"--help"}
    assert all(f"fourtwenty {command} {line}".rstrip() in page for command, lines in EXAMPLES.items() for line in lines)
    assert all(f"\\fB{name}\\fR" in page for name in VARIABLES)
    usages = [block.split("\n\n")[0] for block in page.split("\nusage: ")[1:]]
    assert len(usages) == len(SUMMARIES)
    assert max(len(line) for usage in usages for line in f"usage: {usage}".splitlines()) <= 71  # man folds longer ones
    known = {".TH", ".SH", ".TP", ".B"}
    assert {line.split()[0] for line in page.splitlines() if line.startswith((".", "'"))} == known
