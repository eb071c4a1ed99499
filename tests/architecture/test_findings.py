"""The form of findings/: what a head says, pinned packages, a row in the table. No finding runs here."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "findings"
FINDINGS = sorted(FOLDER.glob("*-*.sh"))
README = (FOLDER / "README.md").read_text(encoding="utf-8")
LABELS = ["Expected", "Instead", "Seen", "Upstream", "Here"]

finding = pytest.mark.parametrize("finding", FINDINGS, ids=[each.stem for each in FINDINGS])


def parts(finding: Path) -> tuple[dict[str, str], str]:
    """Return what the head says, by label, and the rest of the file."""
    first, *lines = finding.read_text(encoding="utf-8").splitlines()
    assert first == "#!/usr/bin/env bash"
    end = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    head = "\n".join(lines[:end]).replace("\n#   ", " ")
    return dict(re.findall(r"^# (\w+): (.+)$", head, re.MULTILINE)), "\n".join(lines[end:])


@finding
def test_the_head_says_what_is_seen_when_and_where_it_matters(finding: Path) -> None:
    head, _ = parts(finding)
    assert [*head] == LABELS
    assert re.search(r" \d+\.\d+.*; \d{1,2} \w+ 20\d\d\.$", head["Seen"]), "versions and date"
    for path in re.findall(r"\b(?:fourtwenty|tests|docs|\.ci)/[\w./]*\w", head["Here"]):
        assert (ROOT / path).exists(), path


@finding
def test_packages_are_pinned_and_this_program_is_not_among_them(finding: Path) -> None:
    _, body = parts(finding)
    assert body.startswith('source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"\n')
    installs = re.findall(r"^(pip_install|debian_run) (.+?)(?: <<.*)?$", body.replace("\\\n", ""), re.MULTILINE)
    assert installs
    for command, packages in installs:
        pin = r"[\w.+-]+==\d\S*" if command == "pip_install" else r"[\w.+-]+=\d\S*"
        assert all(re.fullmatch(pin, package) for package in packages.split()), packages
    assert "fourtwenty" not in body


@pytest.mark.skipif(sys.platform == "win32", reason="no file is executable there")
def test_each_can_be_run() -> None:
    for each in (*FINDINGS, FOLDER / "run"):
        assert os.access(each, os.X_OK), each.name


def test_the_table_has_a_row_for_each() -> None:
    assert len(README.splitlines()) <= 40
    assert re.findall(r"^\| \[.+?\]\((.+?\.sh)\) \|", README, re.MULTILINE) == [each.name for each in FINDINGS]
