"""The rows of the starting seat, which the data has: they come back as they were written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from long_tests import RULES_AND_ODDS, mostly_long
from shipped_tables import write_rows

from fourtwenty.games.bar_421 import TOKENS
from fourtwenty.odds import bar_421_first, tables
from fourtwenty.odds.bar_421_first import STEPS, first_rows
from fourtwenty.odds.bar_421_match import splits
from fourtwenty.odds.stopping import HANDS


@mostly_long("seats", [3, 4], [3], *RULES_AND_ODDS)
def test_rows_are_read_as_they_were_written(seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps are the only loss; of each column the last turn follows from the sum."""
    monkeypatch.setattr(tables, "table_file", tmp_path.joinpath)
    monkeypatch.setattr(bar_421_first, "_numbers", bar_421_first._numbers.__wrapped__)
    chance, turns = Random(seats), seats - 1
    tops = [1.0] * 3 * turns + [float(TOKENS)] * turns
    few = [[top * almost for top in tops] for almost in (1e-9, 1 - 1e-9)]
    few += [[top * chance.random() for top in tops] for _ in range(95)]
    written = [
        [few[(7 * split + hand) % len(few)] for hand in range(len(HANDS))] for split in range(len(splits(seats)))
    ]
    write_rows(seats, written)
    for split in (0, 1, len(written) // 2, len(written) - 1):
        for hand, row in enumerate(first_rows(splits(seats)[split])):
            for column, (step, total) in enumerate(zip(STEPS[seats], (seats - 1, 1, 1, TOKENS), strict=True)):
                read, was = row[column * seats :][:seats], written[split][hand][column * turns :][:turns]
                chances = column in (1, 2)
                assert read[:-1] == pytest.approx(was, abs=step if chances else step / 2)
                assert not chances or all(0 < each < 1 for each in read[:-1]), "nothing else is shown as certain"
                assert sum(read) == pytest.approx(total, abs=1e-12)
