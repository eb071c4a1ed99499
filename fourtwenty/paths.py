"""Where files live on this machine, and how they are made: private to their user, whole or not at all.

FOURTWENTY_HOME overrides the folder that the operating system gives.
"""

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


def make_private(folder: Path) -> None:
    """Make a folder that nobody but its user may look into, unless it is there: who reads a match knows its dice.

    One that was there already is left as it is, but for the program's own. Raises OSError when it cannot be made.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder == data_folder() and not os.environ.get("FOURTWENTY_HOME") and folder.stat().st_mode & 0o077:
        with suppress(OSError):  # a file system without permissions
            folder.chmod(0o700)


def write_whole(path: Path, text: str) -> None:
    """Write a file that only its user may read, whole or not at all. Raises OSError when it cannot be written."""
    from tempfile import NamedTemporaryFile

    make_private(path.parent)
    # Made with the permissions 0600, on every system that has them.
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


def token_file() -> Path:
    """Return the file that keeps the token in the address of the served game."""
    return data_folder() / "serve.token"
