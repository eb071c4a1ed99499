"""A folder without permissions, for root too."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def closed_folder(folder: Path, readable: bool = True) -> Iterator[None]:
    """A folder that nobody may write to, or look into: neither may root, who is somebody else meanwhile."""
    pytest.importorskip("pwd", reason="needs folders that belong to somebody")
    everything = [folder, *folder.rglob("*")]
    modes = [path.stat().st_mode for path in everything]
    for path in everything:
        path.chmod((0o555 if path.is_dir() else 0o444) if readable else 0)
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        for above in folder.parents:
            if above.owner() == "root" and not above.stat().st_mode & 0o001:
                above.chmod(above.stat().st_mode | 0o011)
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in zip(everything, modes, strict=True):
            path.chmod(mode)  # the folder first
