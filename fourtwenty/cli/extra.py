"""The shell command that installs textual-serve, the optional dependency, beside this program."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

TEXTUAL_SERVE = "textual-serve>=1.1.3,<1.2"
"""The requirement of the extra ``[web]`` in pyproject.toml."""


def install_command() -> str:
    """Return the command for pipx, uv or pip, quoted for POSIX shells, cmd.exe and PowerShell alike."""
    environment = Path(sys.prefix)
    if (environment / "pipx_metadata.json").exists():
        return f'pipx inject {environment.name} "{TEXTUAL_SERVE}"'
    if (environment / "uv-receipt.toml").exists():
        return f'uv tool install --with "{TEXTUAL_SERVE}" {environment.name}'
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if find_spec("pip"):
        return f'{python} -m pip install "{TEXTUAL_SERVE}"'
    return f'uv pip install --python {python} "{TEXTUAL_SERVE}"'
