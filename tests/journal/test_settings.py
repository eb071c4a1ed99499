"""Settings take effect at once and hold the next time."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from faults import injected
from msgspec.structs import replace
from table_pilot import playing
from waiting import until

from fourtwenty.file_storage import lineup_file, settings_file
from fourtwenty.journal.settings import Settings
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.screens.lobby import Lobby

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)


async def test_settings_are_remembered() -> None:
    async with playing() as pilot:
        await pilot.press("comma", to="OptionsDialog")
        await pilot.option("Theme", "enter")
        assert pilot.app.theme == "terrace"
        await pilot.press("down", "space", "down", "right", "down", "right", "escape")
        assert isinstance(pilot.app.screen, Lobby)
    assert Settings.load(settings_file()) == Settings(theme="terrace", bell=True, guide=False, pace="quick")
    async with playing(TWO, [(6, 5, 4, 1)]) as pilot:
        rung: list[object] = []
        pilot.app.bell = lambda: rung.append(None)  # type: ignore[method-assign]
        assert pilot.app.theme == "terrace"
        await pilot.rolls(0)
        await pilot.turn(seat=1)
        assert rung, "it is a person's turn"
        await pilot.press("comma", to="OptionsDialog")
        assert "Pace of bots and rolls" in pilot.seen()
        assert "Coach" not in pilot.seen(), "the options of a game are for the next one"
        await pilot.press("escape")
        assert pilot.app.has_class("-no-guide")


async def test_options_show_what_is_used_in_the_place_of_an_unknown_theme_and_pace() -> None:
    Settings(theme="nord", pace="slowest").save(settings_file())
    async with playing() as pilot:
        assert pilot.app.theme == "snug"
        await pilot.press("comma", to="OptionsDialog")
        assert re.search(r"Theme +snug", pilot.seen())
        assert re.search(r"Pace of bots and rolls +normal", pilot.seen())
        await pilot.option("Theme", "enter")
        await until(lambda: Settings.load(settings_file()).theme == "terrace")


def test_settings_of_another_version_are_kept_and_ignored() -> None:
    settings_file().parent.mkdir()
    settings_file().write_text('{"theme": "terrace", "sound": {"volume": 3}, "guide": false, "bell": false}')
    settings = Settings.load(settings_file())
    assert (settings.theme, settings.bell, settings.guide) == ("terrace", False, False)
    replace(settings, bell=True).save(settings_file())
    again = json.loads(settings_file().read_text())
    assert again == {
        "pace": "normal",
        "guide": False,
        "learnt": [],
        "theme": "terrace",
        "sound": {"volume": 3},
        "bell": True,
    }


@pytest.mark.parametrize("bad", ['"theme": 3', '"theme": null', '"bell": "yes"', '"bell": 1', '"guide": []'])
def test_a_bad_value_falls_back_alone(bad: str) -> None:
    settings_file().parent.mkdir()
    good = {"theme": '"terrace"', "bell": "true", "guide": "false"}
    name = bad.split('"')[1]
    del good[name]
    settings_file().write_text("{" + ", ".join([bad, *(f'"{key}": {value}' for key, value in good.items())]) + "}")
    right = Settings(theme="terrace", bell=True, guide=False)
    assert Settings.load(settings_file()) == replace(right, **{name: getattr(Settings(), name)})


FILES: dict[str, tuple[Callable[[], Path], Settings | Lineup]] = {
    "settings": (settings_file, Settings(theme="terrace", pace="quick")),
    "line-up": (lineup_file, TWO),
}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("file", FILES)
def test_a_file_that_an_editor_has_saved_with_a_byte_order_mark_is_read(file: str, encoding: str) -> None:
    path, value = FILES[file][0](), FILES[file][1]
    value.save(path)
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert UserFiles(pytest.fail, pytest.fail).load(type(value), path) == value


@pytest.mark.skipif(os.name != "posix", reason="needs pipes and devices")
@pytest.mark.parametrize("there", ["a pipe", "a device", "a folder"])
@pytest.mark.parametrize("file", FILES)
def test_what_is_no_ordinary_file_is_left_alone(file: str, there: str) -> None:
    path, value = FILES[file][0](), FILES[file][1]
    path.parent.mkdir()
    if there == "a pipe":
        os.mkfifo(path)  # nobody ever writes into it
    elif there == "a device":
        path.symlink_to("/dev/zero")  # has no end
    else:
        path.mkdir()
    before = path.lstat().st_mode
    notes: list[str] = []
    files = UserFiles(notes.append, pytest.fail)
    assert files.load(type(value), path) == type(value)()
    assert notes == [f"{path} cannot be read and is left alone: it isn't a regular file."]
    files.save(value, path)
    assert path.lstat().st_mode == before


@pytest.mark.parametrize("file", FILES)
def test_a_file_that_is_too_long_is_moved_aside(file: str) -> None:
    path, value = FILES[file][0](), FILES[file][1]
    value.save(path)
    path.write_bytes(path.read_bytes() + b" " * 4_000_000)  # no settings or line-up comes near it
    notes: list[str] = []
    assert UserFiles(notes.append, pytest.fail).load(type(value), path) == type(value)()
    assert notes[0].startswith(f"{path.name} could not be read. The file is now ")
    assert not path.exists()


def test_a_file_is_on_the_disk_before_its_name_and_its_name_before_it_is_called_saved(home: Path) -> None:
    with injected(home, "no space", number=0) as faults:  # none fails
        Settings().save(settings_file())
    calls = [call for call in faults.made if call.startswith(("fsync", "replace"))]
    assert [call.split()[0] for call in calls] == ["fsync", "replace", "fsync"]
    assert calls[::2] == ["fsync file", "fsync folder"]


def test_a_file_that_the_disk_does_not_take_is_not_begun(home: Path) -> None:
    Settings(theme="terrace").save(settings_file())
    with injected(home, "no space", number=0) as faults:
        Settings().save(settings_file())
    Settings(theme="terrace").save(settings_file())
    with injected(home, "no space", faults.made.index("fsync file") + 1), pytest.raises(OSError, match="space"):
        Settings().save(settings_file())
    assert Settings.load(settings_file()).theme == "terrace"
    assert [path.name for path in home.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\udcff"])
async def test_a_damaged_file_is_moved_aside(home: Path, text: str) -> None:
    home.mkdir()
    settings_file().write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ValueError, match=r"."):
        Settings.load(settings_file())
    async with playing() as pilot:
        await pilot.pause()
        assert pilot.app.theme == "snug"
    (aside,) = home.glob("settings.json.*.damaged")
    assert aside.read_bytes() == text.encode(errors="surrogateescape")
