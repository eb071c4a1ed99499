"""Times that a clock which was wrong once has stored: every command goes on, and believes none that cannot be."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from test_mistakes import keep_a_mistake
from typed import as_typed

from fourtwenty.__main__ import main
from fourtwenty.cli.plain_home import PlainHome
from fourtwenty.games.four_twenty import ROLL_ALL
from fourtwenty.journal.history import History
from fourtwenty.journal.scorecard import FirstAnswer
from fourtwenty.paths import history_file
from fourtwenty.play.clock import seconds, today
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.review.figures import measured

NOW = datetime.now(UTC).replace(microsecond=0)
STORED = {
    "1970": datetime(1970, 1, 1, tzinfo=UTC),
    "tomorrow": NOW + timedelta(days=1),
    "2036": datetime(2036, 1, 5, tzinfo=UTC),
}
COMMANDS = (("history",), ("history", "--json"), ("history", "1"), ("export", "1"))
TYPED = ("list", "history", "review 1", "statistics Ann", "mistakes Ann", "quit", "resume", "roll all", *["quit"] * 5)


@pytest.mark.parametrize("moment", STORED.values(), ids=STORED)
def test_every_command_goes_on_whatever_time_is_stored(
    history: History, moment: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_a_mistake(history)
    for _ in measured(history):
        pass
    lineup = Lineup((Seat("Ann"), Seat("Cy")), starting_seat=0)
    Match(lineup, journal=history.journal(), identifier="0" * 32).act(ROLL_ALL)
    history.keep_answers([FirstAnswer("420", moment.date(), right=True)])
    history.close()
    with closing(sqlite3.connect(history_file())) as sql, sql:
        sql.execute("UPDATE match SET started = ?, played = ?", [moment.isoformat()] * 2)
        sql.execute("UPDATE box SET due = ?", (int(moment.timestamp()),))
    for command in COMMANDS:
        assert main(command) == 0, command
    assert "Traceback" not in capsys.readouterr().err
    said: list[str] = []
    with closing(History(history_file(), said.append)) as kept:
        asyncio.run(PlainHome(kept, as_typed(TYPED), said.append).run())
        assert bool(kept.due("Ann", seconds())) == (moment != STORED["tomorrow"]), "not due for ten years"
        card = kept.scorecard().after(FirstAnswer("420", today(), right=True))
        assert card.streak("420", today()) == (2 if moment == STORED["tomorrow"] else 1), "the day counts"
        assert kept.scorecard().tried == 1
