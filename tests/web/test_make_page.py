"""The command that makes the page of the game, where it cannot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fourtwenty.web.page import __main__ as page


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = subprocess.run(
        [sys.executable, "-m", "fourtwenty.web.page", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"fourtwenty.web.page: {tmp_path} is not empty\n"
    assert [*tmp_path.iterdir()] == [tmp_path / "mine"]


def test_what_is_needed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(page.PageBuildError, match="npm is needed, and is not installed"):
        page.make(tmp_path / "page")


def test_another_package_than_that_of_the_hash_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def packed(*command: str, failure: object) -> str:  # noqa: ARG001
        (tmp_path / "pyodide.tgz").write_bytes(b"another one")
        return '[{"filename": "pyodide.tgz"}]'

    monkeypatch.setattr(page, "output_of", packed)
    with pytest.raises(page.PageBuildError, match="is not the package that it was"):
        page.npm_package(page.PYODIDE, tmp_path)


def test_a_failure_to_load_is_told_apart_from_a_wrong_hash() -> None:
    def fails(words: str) -> None:
        page.output_of(sys.executable, "-c", f"raise SystemExit({words!r})", failure=page.PageDownloadError)

    with pytest.raises(page.PageDownloadError, match="no such host"):
        fails("no such host")
    with pytest.raises(page.PageBuildError) as caught:
        fails("THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE")
    assert not isinstance(caught.value, page.PageDownloadError)


def test_every_package_of_the_page_is_pinned_by_a_hash() -> None:
    lines = (page.HERE / "wheels.txt").read_text("ascii").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert pins
    assert all("==" in pin and " --hash=sha256:" in pin for pin in pins)
