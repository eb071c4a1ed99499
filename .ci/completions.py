"""Shell completions, made from the parser whenever a wheel is built: a build hook of Hatch, named in pyproject.toml."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import shtab
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACES = {
    "bash": "share/bash-completion/completions/fourtwenty",
    "zsh": "share/zsh/site-functions/_fourtwenty",
    "fish": "share/fish/vendor_completions.d/fourtwenty.fish",
}
"""Paths of the completion scripts, below the folder that a wheel is installed into."""

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
    from fourtwenty.play.bots import CHARACTERS

    names = " ".join(CHARACTERS)
    bots = " ".join(f"bot:{name}" for name in CHARACTERS)
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


class Completions(BuildHookInterface[Any]):
    """Puts the completions into a wheel, and leaves nothing in the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Write them where the wheel can be told to take them from."""
        sys.path.insert(0, self.root)
        self.folder = TemporaryDirectory()
        for shell, place in PLACES.items():
            written = Path(self.folder.name, shell)
            written.write_text(script(shell), encoding="utf-8", newline="\n")
            build_data["shared_data"][str(written)] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Clean up."""
        self.folder.cleanup()
