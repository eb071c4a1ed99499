"""Writes the page for phones at a table of several machines: for a host's broker, or as a part of the game's page."""

from __future__ import annotations

import html
import re
import shutil
from importlib.resources import files
from pathlib import Path

SHARED_FILES = ("dice.js", "felt.css", "table.js")
"""Files of the page for phones from the game in a browser."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src wss:; img-src 'self' data:;"
    " base-uri 'none'; form-action 'none'"
)
"""The content security policy of the published page, which opens WebSockets to hubs; a host sends its own."""


def write_room_page(folder: Path, host: str = "", name: str = "") -> None:
    """Write the page, replacing an earlier one; by default the published page, which finds its hub in its link.

    ``host`` is the public key of the machine that sends its views, in hexadecimal digits; ``name`` is its people's
    name. Raises OSError.
    """
    scripts, shared = files("fourtwenty.rooms").joinpath("page"), files("fourtwenty.web.page")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sources = [each for each in scripts.iterdir() if each.name.endswith(".js")]
    for source in (*sources, *map(shared.joinpath, SHARED_FILES)):
        (folder / source.name).write_bytes(source.read_bytes())
    text = scripts.joinpath("room.html").read_text("utf-8")
    table = f"{html.escape(name)}'s table" if name else "A table of 420"
    values = {"HOSTKEY": host, "HOSTNAME": html.escape(name), "TABLE": table}
    text = re.sub("|".join(values), lambda word: values[word[0]], text)  # at once: a name may be one of these words
    if not host:
        policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        text = text.replace("<meta name", f"{policy}<meta name", 1)
    (folder / "index.html").write_text(text, "utf-8")
