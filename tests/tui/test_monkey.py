"""A monkey plays for a moment; and what monkeys have found, each as the few keys it takes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import monkey
import pytest
from monkey import busy, play, play_in_terminal, replay_everything, replay_in_terminal
from table_pilot import playing
from waiting import until

from fourtwenty.games import GAMES
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.widgets.command_row import CommandRow


async def test_a_monkey_in_the_pilot() -> None:
    await play(seed=420, events=200)
    replay_everything()


@pytest.mark.terminal
@pytest.mark.parametrize(
    ("seed", "events", "load"),
    [(420, 100, 0), *(pytest.param(seed, 5_000, 1, marks=pytest.mark.long) for seed in range(12))],
)
def test_a_monkey_in_a_terminal(seed: int, events: int, load: int) -> None:
    with busy(load):
        play_in_terminal(seed, events)
    replay_everything()


STORM = [(1 + number * 37 % 200, 1 + number * 11 % 60) for number in range(20)]
LIFE = [
    ((80, 24), "a life"), (0, "\x1b[B"), (0.01, "axy\r\x1b"), *((0.02, size) for size in STORM), (0.02, (100, 30)),
    (0.1, ":"), (0.11, "hist\r"), (0.3, "\x1b\x1b[B"), (0.5, "\x1b"),
]  # fmt: skip
"""A recorded life: with keys in one write, and a storm of sizes."""


@pytest.mark.terminal
def test_a_recorded_life_is_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = tmp_path / "keys.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in LIFE), encoding="utf-8")
    replay_in_terminal(file)
    assert not [*tmp_path.glob("fourtwenty-life-*")], "what ends well is not kept"


@pytest.mark.terminal
def test_a_life_that_fails_is_kept_and_can_be_replayed(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    home.mkdir()
    (home / "settings.json").write_text("{}")
    crashes = "import os, sys, tty; tty.setraw(0); print('Play', flush=True); os.read(0, 1); sys.exit(1)"
    with monkeypatch.context() as patch:
        patch.setattr(monkey, "STARTER", crashes)
        with pytest.raises(ExceptionGroup, match="lives have failed") as failed:
            play_in_terminal(seed=1, events=2)
    for error in failed.value.exceptions:
        assert "it crashed" in str(error)
        (note,) = error.__notes__
        file = Path(note.split(" --replay ")[1])
        (size, _), *things = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        assert tuple(size) in monkey.FRIENDLY
        assert things
        assert (file.parent / "home" / "settings.json").read_text() == "{}"
        replay_in_terminal(file)


@pytest.mark.parametrize("size", [(60, 20), (120, 40)])
async def test_a_hint_in_a_roll_off(size: tuple[int, int]) -> None:
    start = GAMES["ten-rounds"].parse("*>665=- 665=- roll 1 of 3")
    two = Lineup((Seat("Ann"), Seat("Ben")), game="ten-rounds", coach="full")
    async with playing(two, [(6, 6, 5)], size=size, start=start) as pilot:
        await pilot.turn()
        await pilot.press("h")
        assert "There is no choice." in " ".join(pilot.text("#advice").split())


async def test_keys_that_are_faster_than_the_table_opens() -> None:
    async with playing() as pilot:
        pilot.burst("enter", "up", "down", "escape")
        await pilot.turn()
        assert pilot.stack() == ["Lobby", "Table"]


async def test_keys_that_come_when_everything_has_closed() -> None:
    async with playing() as pilot:
        pilot.burst("q", *"qaer" * 9)
        await until(lambda: not pilot.app.is_running)
    assert pilot.app.return_code == 0


async def test_a_click_on_what_lies_under_another_screen() -> None:
    async with playing() as pilot:
        await pilot.press("comma")
        covered = pilot.app.screen.query_one(CommandRow)
        await pilot.resize_terminal(10, 3)
        await covered.run_action("screen.dismiss")
        assert pilot.stack() == ["Lobby", "OptionsDialog", "TooSmall"]
