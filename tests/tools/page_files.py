"""Lays the files of the page for phones into a folder, as the broker of a host does."""

from __future__ import annotations

from pathlib import Path

from fourtwenty import rooms, web

PAGE = Path(rooms.__file__).parent / "page"
FIRST_PAGE = Path(web.__file__).parent / "page"
FILES = (
    *(PAGE / name for name in ("room.js", "wire.js", "nacl-fast.min.js")),
    *(FIRST_PAGE / name for name in ("felt.css", "felt.js", "dice.js")),
)


def lay_page(folder: Path, **words: str) -> None:
    """Write the page into a folder, with these words in the place of their names in capitals."""
    for file in FILES:
        if file.exists():
            (folder / file.name).write_bytes(file.read_bytes())
