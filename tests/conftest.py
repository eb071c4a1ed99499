"""What every test starts from: a home of its own, all colours, and animations off before Textual is imported."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("patient", settings(deadline=None))  # a slow machine breaks no rule
settings.load_profile("patient")
os.environ["TEXTUAL_ANIMATIONS"] = "none"
os.environ["COLORTERM"] = "truecolor"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for whatever the app keeps."""
    monkeypatch.setenv("FOURTWENTY_HOME", str(tmp_path / "home"))
    return tmp_path / "home"
