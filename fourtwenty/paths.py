"""Where files live on this machine. FOURTWENTY_HOME overrides the folder the operating system gives."""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import datetime
from pathlib import Path


def data_folder() -> Path:
    """Return the folder that keeps this person's games; it need not exist yet."""
    override = os.environ.get("FOURTWENTY_HOME")
    if override:
        return Path(override)
    from platformdirs import user_data_path

    return user_data_path("fourtwenty", appauthor=False)


def move_aside(path: Path) -> Path:
    """Give a file that cannot be read a dated name beside the old one, so that nothing is lost; return it.

    What SQLite keeps beside it goes with it. Raises OSError when it cannot be moved.
    """
    aside = path.with_name(f"{path.name}.{datetime.now().astimezone():%Y-%m-%dT%H%M%S.%f}.damaged")
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    return path.rename(aside)


def write_whole(path: Path, text: str) -> None:
    """Write a file, whole or not at all. Raises OSError when it cannot be written."""
    from tempfile import NamedTemporaryFile

    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".part", delete=False) as unfinished:
        unfinished.write(text)
    Path(unfinished.name).replace(path)


def settings_file() -> Path:
    """Return the file that keeps the settings."""
    return data_folder() / "settings.json"


def lineup_file() -> Path:
    """Return the file that keeps the last used line-up."""
    return data_folder() / "lineup.json"


def history_file() -> Path:
    """Return the file that keeps the matches."""
    return data_folder() / "history.sqlite"
