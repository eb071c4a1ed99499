"""The program's files, in the operating system's data folder or in FOURTWENTY_HOME."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, Protocol

from fourtwenty.console import decode, strip_json

MAX_FILE_BYTES = 4_000_000
"""The largest file that is read, far larger than what people write and play."""


class Storage(Protocol):
    """Saves the data folder where files do not outlast the program: in a browser's tab."""

    def save(self) -> None:
        """Begin to save the folder."""

    def refusal(self) -> str | None:
        """Return None once the folder is saved, empty text until then, the reason if it fails."""


storage: Storage | None = None
"""None where the disk saves the folder."""


def save_folder() -> None:
    """Save the data folder, where the disk does not."""
    if storage:
        storage.save()


def data_folder() -> Path:
    """Return this user's data folder, which need not exist."""
    override = os.environ.get("FOURTWENTY_HOME")
    if override:
        return Path(override)
    from platformdirs import user_data_path

    return user_data_path("fourtwenty", appauthor=False)


def status(path: Path) -> os.stat_result | None:
    """Return the status of a file or folder; None when absent. Raises OSError when unknown."""
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def is_there(path: Path) -> bool:
    """Return whether a file or folder exists; False when unknown."""
    with suppress(OSError):
        return status(path) is not None
    return False


def is_absent(path: Path) -> bool:
    """Return whether no file or folder exists; False when unknown."""
    with suppress(OSError):
        return status(path) is None
    return False


def is_private(path: Path) -> bool:
    """Return whether only its user may use a file, where permissions exist. Raises OSError when unknown."""
    found = status(path)
    return os.name != "posix" or found is None or not found.st_mode & 0o077


def has_locks(folder: Path) -> bool:
    """Return whether files in a folder can be locked; some network disks allow none."""
    if sys.platform == "win32":
        return True
    import fcntl
    from tempfile import TemporaryFile

    with suppress(OSError), TemporaryFile(dir=folder) as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


def move_aside(path: Path) -> Path:
    """Rename a damaged file and SQLite's beside it by the UTC time; return the new path. Raises OSError."""
    aside = path.with_name(f"{path.name}.{datetime.now(UTC):%Y-%m-%dT%H%M%S.%f}Z.damaged")
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).rename(aside.with_name(aside.name + end))
    return path.rename(aside)


def make_private(folder: Path) -> None:
    """Create a folder and its parents for its user only: seeds in the history reveal running matches' rolls.

    Existing permissions are corrected only for the system's data folder of this program. Raises OSError.
    """
    missing = [*takewhile(lambda each: not each.is_dir(), (folder, *folder.parents))]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
    data = data_folder()
    if folder.is_relative_to(data) and not os.environ.get("FOURTWENTY_HOME") and not is_private(data):
        with suppress(OSError):  # a file system without permissions
            data.chmod(0o700)


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically and to the disk, for its user only. Raises OSError."""
    from tempfile import NamedTemporaryFile

    make_private(path.parent)
    part: Path | None = None
    try:
        # NamedTemporaryFile sets permissions 0600, and a rename within a folder is atomic.
        with NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=path.parent, suffix=".part", delete=False
        ) as file:
            part = Path(file.name)
            file.write(text)
            # A disk may save the rename before the text: after a power cut, the file would be empty.
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        if part:
            with suppress(OSError):
                part.unlink()
        raise
    _sync_folder(path.parent)
    save_folder()


def write_new(path: Path, text: str) -> bool:
    """Write a file as ``write_whole``; False if it has this text. Raises FileExistsError for another."""
    if status(path) is None and not path.is_symlink():
        write_whole(path, text)
        return True
    with suppress(ValueError, FileNotFoundError):
        if read_whole(path) == text:
            return False
    raise FileExistsError(errno.EEXIST, "it exists, with another text", str(path))


def _sync_folder(folder: Path) -> None:
    # Windows opens no folder, and some file systems sync none. SQLite ignores that too.
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def read_limited(file: BinaryIO) -> str:
    """Return the text of an open file. Raises ValueError with a reason when undecodable or too long."""
    content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError(f"it has more than {MAX_FILE_BYTES:,} bytes")
    return decode(content)


def read_whole(path: Path) -> str:
    """Return the text of a user's file. Raises OSError, also for a pipe or folder, and ValueError for no text."""
    if not S_ISREG(path.stat().st_mode):  # opening a pipe would wait for a writer
        raise OSError(errno.EINVAL, "it isn't a regular file", str(path))
    with path.open("rb") as file:
        return read_limited(file)


def read_object(path: Path) -> dict[str, Any]:
    """Return the JSON object of a file, its texts made safe. Raises OSError, and ValueError without an object."""
    text = read_whole(path)

    import json  # a first start has no files

    try:
        found = strip_json(json.loads(text))
    except RecursionError as error:
        raise ValueError(f"{path} is nested too deep") from error
    if not isinstance(found, dict):
        raise ValueError(f"{path} doesn't hold a JSON object")
    return found


def style_sheet() -> Path:
    """Return the path of the style sheet, in the package or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "screens.tcss"
    return inside if is_there(inside) else package.parent / "screens.tcss"


def settings_file() -> Path:
    """Return the file of the settings."""
    return data_folder() / "settings.json"


def lineup_file() -> Path:
    """Return the file of the last used line-up."""
    return data_folder() / "lineup.json"


def history_file() -> Path:
    """Return the file of the history."""
    return data_folder() / "games.sqlite"


def rooms_folder() -> Path:
    """Return the folder of the rooms, with a file for each."""
    return data_folder() / "tables"
