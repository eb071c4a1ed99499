"""Files in ``tests/corpus``: inputs that once broke something.

``records.json`` has the beginning of what ``verify`` says of each record.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fourtwenty.__main__ import main

CORPUS = Path(__file__).parents[1] / "corpus"
RECORDS: dict[str, str] = json.loads((CORPUS / "records.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_judged_as_ever(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["verify", str(CORPUS / "records" / name)])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    line = printed.out or printed.err
    assert line.startswith(RECORDS[name])
    assert line.count("\n") == 1
    assert status == (0 if line.startswith("OK") else 2)


def test_every_file_of_the_corpus_is_read() -> None:
    found = {CORPUS / "records.json", *(CORPUS / "records" / name for name in RECORDS)}
    assert {path for path in CORPUS.rglob("*") if path.is_file()} == found
