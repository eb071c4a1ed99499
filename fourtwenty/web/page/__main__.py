"""Makes the game as a folder of static files for any web server: ``python -m fourtwenty.web.page DIR``.

Python, the terminal and the game's imports come from the npm registry and the package index, as npm and pip are set up
here, each with one version and one hash. Needs Node.js and npm to compile everything beforehand.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256, sha512
from pathlib import Path
from tempfile import TemporaryDirectory

import fourtwenty
from fourtwenty.console import exit_with_error
from fourtwenty.file_storage import style_sheet
from fourtwenty.journal import links
from fourtwenty.web.room_page import write_room_page

HERE = Path(__file__).parent
PACKAGE = Path(fourtwenty.__file__).parent

PYODIDE, XTERM, UGLIFY = "pyodide@314.0.7", "@xterm/xterm@6.0.0", "uglify-js@3.19.3"
NPM_HASHES = {
    PYODIDE: "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
    XTERM: "sha512-TQwDdQGtwwDt+2cgKDLn0IRaSxYu1tSUjgKarSDkUM0ZNiSRXFpjxEsvc/Zgc5kq5omJ+V0a8/kIM2WD3sMOYg==",
    UGLIFY: "sha512-v3Xu+yuwBXisp6QYTcH4UbH+xYJXqnq2m/LtQVWKWzYc1iehYnLixoQDN9FH6/j9/oybfd6W9Ghwkl8+UMKTKQ==",
}
"""The packages of the npm registry with its own form of hashes. wheels.txt has Python's."""

PYTHON = ("--python-version", "314", "--implementation", "cp", "--abi", "cp314")
PLATFORM = "pyemscripten_2026_0_wasm32"
"""This Pyodide's platform: info.abi_version in its pyodide-lock.json."""

EXCLUDED_FILES = (
    "fourtwenty/web",
    "fourtwenty/rooms",
    "textual_serve",
    "textual/demo",
    "textual/widgets/_data_table.py",
    "textual/widgets/_markdown.py",
    "textual/widgets/_text_area.py",
    "textual/tree-sitter",
    "*.dist-info/sboms",
    "*.dist-info/RECORD",
    "pygments/lexers/[!_p]*",
    "pygments/lexers/_[!_m]*",
    "pygments/lexers/p[!y]*",
    "pygments/formatters/[!_]*",
    "pygments/styles/[!_d]*",
    "rich/_unicode_data/unicode[4-9]*",
    "rich/_unicode_data/unicode1[0-6]*",
    "**/__pycache__",
    "**/*.pyi",
)
"""Files and folders, below the modules', that a browser never imports; of Pygments, Rich needs Python alone."""
EXCLUDED_STDLIB = (
    "_pydatetime.py", "_pydecimal.py", "_pyio.py", "_pyrepl", "ensurepip", "idlelib", "lib2to3", "multiprocessing",
    "pydoc_data", "tkinter", "turtledemo", "unittest", "venv", "wsgiref", "xml", "xmlrpc",
    "asyncio/proactor_events.py", "asyncio/windows_events.py", "bdb.py", "doctest.py", "encodings/cp[!4]*",
    "encodings/cp4[!3]*", "encodings/iso*", "encodings/mac_*", "ftplib.py", "http/cookiejar.py", "http/server.py",
    "imaplib.py", "logging/config.py", "logging/handlers.py", "mailbox.py", "modulefinder.py", "optparse.py", "pdb.py",
    "pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pydoc.py", "smtplib.py", "trace.py",
    "turtle.py",
)  # fmt: skip
"""Parts of Python's library that a browser never imports; zipfile needs the encoding cp437."""

PAGE_FILES = (
    "game.html", "text.html", "page.css", "felt.css", "terminal.css", "text.css", "page.js", "game_table.js",
    "table.js", "terminal.js", "text.js", "worker.js", "offline.js", "manifest.json", "icon-192.png", "icon-512.png",
    "card.png",
)  # fmt: skip
MODULES = ("dice.js", "four_twenty.js", "table.js", "first_page.js")
"""The modules of the first page, a single file, in the order of their dependencies."""


STUBS = {
    "typing_extensions.py": "from typing import *\n",
    "platformdirs.py": "from pathlib import Path\n\n\ndef user_downloads_path() -> Path:\n    return Path.home()\n",
}
"""Modules in place of packages: Python has them itself, or a browser has only one folder."""
LAZY_TABLE = "bar_421_rounds_of_four.table"
"""The largest table of the odds; a browser fetches it for 421 of four."""


class PageBuildError(Exception):
    """The page could not be made. The message says why in a sentence."""


class PageDownloadError(PageBuildError):
    """A part of the page could not be loaded."""


def output_of(*command: str, failure: type[PageBuildError] = PageBuildError) -> str:
    """Return a command's output. Raises PageBuildError if the command is missing, and ``failure`` if it fails."""
    program = shutil.which(command[0])
    if program is None:
        raise PageBuildError(f"{command[0]} is needed, and is not installed")
    try:
        return subprocess.run([program, *command[1:]], check=True, capture_output=True, text=True).stdout
    except subprocess.CalledProcessError as error:
        lines = [line for line in error.stderr.splitlines() if line.strip() and "warn" not in line.lower()]
        wrong = "DO NOT MATCH THE HASHES" in error.stderr  # pip's words
        raise (PageBuildError if wrong else failure)(
            f"{' '.join(command[:4])} failed: {' '.join(lines[-2:])}"
        ) from error


def npm_package(name: str, work: Path) -> Path:
    """Return the folder of a package of the npm registry. Raises PageBuildError for a wrong hash."""
    (packed,) = json.loads(
        output_of("npm", "pack", name, "--json", "--pack-destination", str(work), failure=PageDownloadError)
    )
    archive = work / str(packed["filename"])
    if f"sha512-{b64encode(sha512(archive.read_bytes()).digest()).decode()}" != NPM_HASHES[name]:
        raise PageBuildError(f"{name} is not the package that it was")
    folder = work / archive.stem
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    return folder / "package"


def python_packages(work: Path) -> Path:
    """Return a folder with the Python packages of wheels.txt. Raises PageBuildError for a wrong hash."""
    wheels, folder = work / "wheels", work / "packages"
    output_of(
        sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--platform", PLATFORM,
        *PYTHON, "--require-hashes", "-r", str(HERE / "wheels.txt"), "-d", str(wheels), failure=PageDownloadError,
    )  # fmt: skip
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as files:
            files.extractall(folder)
    return folder


def copy_game(modules: Path) -> None:
    """Copy this program beside its imports, without parts that a browser cannot use."""
    shutil.copytree(PACKAGE, modules / "fourtwenty")
    shutil.copy(style_sheet(), modules / "fourtwenty")
    leave_out(EXCLUDED_FILES, modules)
    for name, text in STUBS.items():
        (modules / name).write_text(text, encoding="utf-8")


def leave_out(patterns: Iterable[str], folder: Path) -> None:
    for pattern in patterns:
        for path in folder.glob(pattern):
            try:
                shutil.rmtree(path)
            except NotADirectoryError:
                path.unlink()


def write_licences(folders: Iterable[Path], written: Path) -> None:
    texts = []
    for folder in folders:
        for licence in sorted(folder.rglob("LICEN[CS]E*")):
            texts.append(f"{licence.relative_to(folder.parent)}\n\n{licence.read_text(encoding='utf-8').strip()}\n")
    written.write_text("\n\n".join(texts), encoding="utf-8", newline="\n")


def contents_of(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files below a folder, by their paths in it, in order."""
    paths = sorted(Path(place, name) for place, _, names in os.walk(folder) for name in names)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def zipped(folder: Path) -> bytes:
    """Return a folder as a zip file, compressed as a whole and the same on any day."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        for name, contents in contents_of(folder).items():
            files.writestr(zipfile.ZipInfo(name), contents)
    return gzip.compress(archive.getvalue(), mtime=0)


def script() -> str:
    """Return the modules of the first page as one."""
    code = "".join((HERE / name).read_text(encoding="utf-8") for name in MODULES)
    return re.sub(r"^import [^;]+;\n|^export ", "", code, flags=re.MULTILINE)


def minified(code: str, uglify: Path, work: Path) -> str:
    """Return a module with short names and without comments."""
    (work / "script.mjs").write_text(code, encoding="utf-8")
    program = str(uglify / "bin" / "uglifyjs")
    return output_of("node", program, "--module", "--compress", "--mangle", "--", str(work / "script.mjs"))


def first_page(code: str, home: str | None, source: str | None) -> str:
    """Return the first page with its script; ``home`` and ``source`` are its address and the repository's."""
    page = (HERE / "index.html").read_text(encoding="utf-8")
    page = page.replace('<script type="module" src="first_page.js">', f'<script type="module">{code}')
    style = (HERE / "felt.css").read_text(encoding="utf-8")
    page = page.replace('<link rel="stylesheet" href="felt.css">', f"<style>\n{style}</style>")
    page = page.replace('"card.png"', f'"{home}card.png"') if home else page  # link previews need the whole address
    page = page.replace("SOURCE", source) if source else re.sub(' <a href="SOURCE">.*?</a>', "", page)
    allowed = b64encode(sha256(code.encode()).digest()).decode()
    return page.replace("script-src 'self'", f"script-src 'sha256-{allowed}'")


def make(folder: Path) -> None:
    """Make the page in a folder, empty or missing. Raises PageBuildError and OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise PageBuildError(f"{folder} is not empty")
    with TemporaryDirectory() as temporary, ThreadPoolExecutor() as threads:
        work = Path(temporary)
        pyodide, xterm, uglify = threads.map(npm_package, (PYODIDE, XTERM, UGLIFY), (work, work, work))
        packages = python_packages(work)
        letters = packages / "textual_serve" / "static" / "fonts"
        write_licences([pyodide, xterm, packages], folder / "licences.txt")
        for source, name in (
            (xterm / "lib" / "xterm.mjs", "terminal/xterm.mjs"),
            (xterm / "css" / "xterm.css", "terminal/xterm.css"),
            (letters / "RobotoMono-VariableFont_wght.ttf", "terminal/regular.ttf"),
            (pyodide / "pyodide.mjs", "python/pyodide.mjs"),
            (pyodide / "pyodide.asm.mjs", "python/pyodide.asm.mjs"),
            *((HERE / name, name) for name in PAGE_FILES),
        ):
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(source, folder / name)
        write_room_page(folder / "room")
        (folder / "index.html").write_text(
            first_page(minified(script(), uglify, work), links.homepage(), links.project_url("Source")),
            encoding="utf-8",
            newline="\n",
        )
        copy_game(packages)
        later = packages / "fourtwenty" / "odds" / LAZY_TABLE
        table = f"tables/{sha256(later.read_bytes()).hexdigest()[:16]}.table"
        (folder / "tables").mkdir()
        later.rename(folder / table)
        library = work / "library"
        with zipfile.ZipFile(pyodide / "python_stdlib.zip") as files:
            files.extractall(library)
        leave_out(EXCLUDED_STDLIB, library)
        wasm = threads.submit(gzip.compress, (pyodide / "pyodide.asm.wasm").read_bytes(), mtime=0)
        command = "node", str(HERE / "compile.mjs"), str(pyodide)
        list(threads.map(lambda modules: output_of(*command, str(modules)), (packages, library)))
        parts = {
            "python": ("wasm.gz", wasm),
            "library": ("zip.gz", threads.submit(zipped, library)),
            "game": ("zip.gz", threads.submit(zipped, packages)),
        }
        (folder / "parts").mkdir()
        named = {}
        for name, (ending, packing) in parts.items():
            contents = packing.result()
            path = f"parts/{name}.{sha256(contents).hexdigest()[:16]}.{ending}"
            (folder / path).write_bytes(contents)
            named[name] = {"path": path, "size": len(contents)}
        exported = {"PARTS": named, "TABLES": {LAZY_TABLE: table}}
        lines = (f"export const {name} = {json.dumps(value)};\n" for name, value in exported.items())
        (folder / "parts.js").write_text("".join(lines), encoding="utf-8")
        written = contents_of(folder)
        build = sha256(b"".join(written.values())).hexdigest()[:16]
        kept = [name for name in written if name != table and not name.startswith("room/")]  # that needs a network
        head = f"const BUILD = {json.dumps(build)};\nconst FILES = {json.dumps(kept)};\n"
        offline = folder / "offline.js"
        offline.write_text(head + offline.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")


def make_named() -> None:
    """Make the page in the folder from the command line."""
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        exit_with_error("usage: python -m fourtwenty.web.page DIR")
    folder = Path(sys.argv[1])
    try:
        make(folder)
    except (PageBuildError, OSError) as why:
        exit_with_error(f"fourtwenty.web.page: {why}")
    sizes = [len(contents) for contents in contents_of(folder).values()]
    print(f"{folder}: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB")


if __name__ == "__main__":
    make_named()
