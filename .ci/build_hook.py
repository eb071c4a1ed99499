"""Parts of the distributions that are made whenever Hatch builds; pyproject.toml names this file twice.

The completions and the page of ``man`` are made from the parser. The links of the package, and those of the README on
the index's page, lead to the repository whose workflow builds it; where none does, there are no links.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import shtab
from argparse_manpage.manpage import Manpage
from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/fourtwenty",
    "zsh": "share/zsh/site-functions/_fourtwenty",
    "fish": "share/fish/vendor_completions.d/fourtwenty.fish",
}
"""Paths of the completion scripts, below the folder that a wheel is installed into."""

MAN_PAGE = "share/man/man6/fourtwenty.6"
"""Path of the page of ``man``, below the same folder."""

PLAYERS = {
    "bash": """\
_fourtwenty_players() {
  local line="${COMP_LINE:0:COMP_POINT}"
  local seat="${line##*[ ,=]}"
  if [[ "$seat" == -* ]]; then
    compgen -W "${current_option_strings[*]}" -- "$seat"
  elif [[ "$1" == *"$seat" ]]; then
    compgen -P "${1%"$seat"}" -W "BOTS" -- "$seat"
  else  # bash takes what follows a colon for a word of its own
    compgen -W "NAMES" -- "${seat#bot:}"
  fi
}
""",
    "zsh": """\
_fourtwenty_players() {
  compset -P '*,'
  compadd -S '' -- BOTS
}
""",
}
"""Functions that complete the last of a list of seats."""


def script(shell: str) -> str:
    """Return what a shell reads to complete the command line."""
    from fourtwenty.cli.arguments import parser
    from fourtwenty.play.bots import BOTS

    names = " ".join(BOTS)
    bots = " ".join(f"bot:{name}" for name in BOTS)
    seated = "(string replace -r '[^,]*\\$' '' -- (commandline -ct))"
    values = {
        "DIR": shtab.DIRECTORY,
        "FILE": shtab.FILE,
        "LIST": {
            "bash": "_fourtwenty_players",
            "zsh": "_fourtwenty_players",
            "fish": f"{seated}{{{bots.replace(' ', ',')}}}",
        },
    }
    whole = parser()
    (commands,) = (action.choices for action in whole._actions if isinstance(action.choices, dict))
    for command in (whole, *commands.values()):
        for action in command._actions:
            if action.metavar in values:
                action.complete = values[action.metavar]
            if action.metavar == "LIST" and shell == "bash":
                action.nargs = "+"  # of the words that bash makes of it
    players = PLAYERS.get(shell, "").replace("BOTS", bots).replace("NAMES", names)
    return shtab.complete(whole, shell, preamble=players)


def man_page(version: str, description: str) -> str:
    """Return the page of ``man``: commands and options of the parser, examples and variables of the help."""
    from fourtwenty.cli.arguments import EXAMPLES, parser
    from fourtwenty.cli.help_page import HELP_PAGE, VARIABLES

    def items(rows: dict[str, str]) -> str:
        # "\\&" is nothing: a line that began with a dot or an apostrophe would be a command of roff.
        lines = [f".TP\n\\fB{name}\\fR\n\\&{about}" for name, about in rows.items()]
        return "\n".join(lines).replace("-", r"\-")

    whole = parser()
    whole._positionals.title = "commands"
    whole.description = HELP_PAGE.split("\n\n")[1]
    page = Manpage(whole)
    page.description = description
    page.source = f"fourtwenty {version}"
    page.manual = "Games"
    page.section = 6
    page.date = ""  # the same wheel from the same files, on any day
    examples = {
        f"fourtwenty {name} {line}".rstrip(): about for name, rows in EXAMPLES.items() for line, about in rows.items()
    }
    page.add_section("examples", "=", items(examples))
    page.add_section("environment", "=", items(VARIABLES))
    return str(page)


class SharedFiles(BuildHookInterface[Any]):
    """Puts the completions and the page of man into a wheel, and leaves nothing in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write them where the wheel can be told to take them from."""
        sys.path.insert(0, self.root)
        os.environ["COLUMNS"] = "73"  # argparse leaves 2 free: its usage fits man's 71 columns on a terminal of 80
        self.folder = TemporaryDirectory()
        files = {place: script(shell) for shell, place in PLACES.items()}
        files[MAN_PAGE] = man_page(self.metadata.version, self.metadata.core.description)
        for number, (place, text) in enumerate(files.items()):
            written = Path(self.folder.name, str(number))
            written.write_text(text, encoding="utf-8", newline="\n")
            build_data["shared_data"][str(written)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clean up."""
        self.folder.cleanup()


class Links(MetadataHookInterface):
    """Makes the links of the package, and turns those of the README into ones that work on the index's page."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the links and the README, at the tag of this version."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if not (repository := self.repository()):
            metadata["urls"] = {}
            text = re.sub(r"!?\[([^]]*)\]\((?!\w+:)[^)]*\)", r"\1", text)  # they would lead nowhere
        else:
            pages = f"{repository}/blob/v{metadata['version']}"
            pictures = pages.replace("github.com", "raw.githubusercontent.com").replace("/blob/", "/")
            owner, name = repository.split("/")[-2:]
            metadata["urls"] = {
                "Homepage": f"https://{owner.lower()}.github.io/{name}/",
                "API": f"https://{owner.lower()}.github.io/{name}/api/",
                "Source": repository,
                "Manual": f"{pages}/docs/manual.md",
                "Changelog": f"{pages}/docs/CHANGELOG.md",
                "Issues": f"{repository}/issues",
            }
            text = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\g<1>{pictures}/", text)
            text = re.sub(r"((?<!!)\[[^]]*\]\()(?!\w+:)", rf"\g<1>{pages}/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}

    def repository(self) -> str | None:
        """Return the address of the repository whose workflow builds this, or has built the sdist that this is."""
        if name := os.environ.get("GITHUB_REPOSITORY"):
            return f"{os.environ['GITHUB_SERVER_URL']}/{name}"
        about = Path(self.root, "PKG-INFO")
        found = about.is_file() and re.search(r"^Project-URL: Source, (.*)$", about.read_text("utf-8"), re.MULTILINE)
        return found[1] if found else None
