"""Keys that people change: they work, they are shown, and what cannot be a key is ignored alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from runpy import run_module

import pytest
from table_pilot import playing

from fourtwenty.file_storage import settings_file
from fourtwenty.journal.settings import Settings
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.keymap import LIST_COMMAND, all_bindings, bindings_everywhere, checked
from fourtwenty.tui.screens.lobby import Lobby
from fourtwenty.tui.widgets.key_bar import KeyBar

TWO = Lineup(seats=(Seat("Ann"), Seat("Ben")), starting_seat=0)


def choose(keys: object) -> None:
    settings_file().parent.mkdir(exist_ok=True)
    settings_file().write_text(json.dumps({"keys": keys}))


async def test_a_changed_key_works_and_is_shown() -> None:
    choose({"lobby.person": "f5", "screen.rules": "f8,%"})
    async with playing() as pilot:
        lobby = pilot.app.screen
        assert isinstance(lobby, Lobby)
        await pilot.shows("f5  Add a player")
        assert "f8 Rules" in pilot.seen(), "in its place in the key bar"
        assert pilot.seen().index("f8 Rules") < pilot.seen().index("q Quit")
        await pilot.press("a", "question_mark")
        assert pilot.stack() == ["Lobby"]
        await pilot.press("f5", "enter")
        assert len(lobby.lineup.seats) == 3
        await pilot.click_on("f5  Add a player")
        await pilot.press("enter")
        assert len(lobby.lineup.seats) == 4
        await pilot.press("percent_sign")
        await pilot.reaches("Lobby", "MarkdownScreen")


async def test_a_key_that_others_share_stays_theirs() -> None:
    choose({"table.roll": "space", "table.die-1": "x"})
    async with playing(TWO) as pilot:
        table = await pilot.turn(seat=0)
        assert "space Roll" in pilot.seen()
        await pilot.press("enter")
        assert not table.match.events
        await pilot.press("space", turn=1)
        assert len(table.match.events) == 1


def refused(**changed: object) -> list[str]:
    """Return the sentences about these keys, by binding id with _ for the point."""
    entries = {name.replace("_", ".", 1): keys for name, keys in changed.items()}
    keys, refusals = checked(entries, all_bindings(FourTwentyApp), bindings_everywhere(FourTwentyApp))
    assert not keys, "what is refused changes nothing"
    return refusals


async def test_a_bad_entry_is_refused_alone_and_kept_in_the_file() -> None:
    bad = {"lobby.person": 5, "lobby.nowhere": "f6", "lobby.play": "ctrl+c"}
    choose({**bad, "lobby.edit": "f7"})
    async with playing(size=(120, 40)) as pilot:
        await pilot.shows("a  Add a player   f7  Change")
        assert "enter Play" in pilot.seen()
        (note,) = pilot.app._notifications
        assert note.message.split("\n") == [
            "settings.json:",
            'The keys of lobby.person are not used: write a text such as "f5" or "x,delete".',
            f"No command has the name lobby.nowhere; {LIST_COMMAND} lists those with a key.",
            "The key ctrl+c of lobby.play is not used: it belongs to Quit now on every screen.",
        ]
        await pilot.press("comma")
        await pilot.option("Theme", "enter")
    kept = json.loads(settings_file().read_text())
    assert kept["keys"] == {**bad, "lobby.edit": "f7"}
    assert kept["theme"] == "terrace"


@pytest.mark.parametrize(
    ("wrong", "rest"), [(4, "1 more entry is refused."), (2000, "1,997 more entries are refused.")]
)
async def test_many_bad_entries_are_one_message(wrong: int, rest: str) -> None:
    choose({f"lobby.nowhere{number}": "x" for number in range(wrong)})
    async with playing() as pilot:
        (note,) = pilot.app._notifications
        assert "lobby.nowhere2;" in note.message
        assert "lobby.nowhere3;" not in note.message
        assert note.message.endswith(f"\n{rest}")


async def test_keys_that_are_none_are_ignored() -> None:
    for none in ("[]", '"x"', "3", "null"):
        choose(json.loads(none))
        assert Settings.load(settings_file()).keys == {}


async def test_a_key_that_is_taken_is_refused() -> None:
    choose({"lobby.person": "x", "lobby.edit": "f7"})
    async with playing(size=(120, 40)) as pilot:
        told = pilot.notes()
        assert told == ["settings.json:\nThe key x of lobby.person is not used: it belongs to lobby.remove."]
        assert "a  Add a player   f7  Change" in pilot.seen()


def test_keys_may_be_swapped() -> None:
    bindings = all_bindings(FourTwentyApp)
    swapped = {"lobby.up": "j", "lobby.down": "k"}
    assert checked(swapped, bindings) == (swapped, [])
    assert checked({"lobby.up": "j"}, bindings)[0] == {}


@pytest.mark.parametrize("keys", [5, None, "", " ", "f,,", ["x"], {}])
def test_keys_are_a_text(keys: object) -> None:
    (sentence,) = refused(lobby_person=keys)
    assert sentence == 'The keys of lobby.person are not used: write a text such as "f5" or "x,delete".'


def test_a_command_that_is_none_is_refused() -> None:
    assert refused(nope_nope="x") == [f"No command has the name nope.nope; {LIST_COMMAND} lists those with a key."]
    run_module(LIST_COMMAND.split()[-1], run_name="__main__")


@pytest.mark.parametrize("key", ["hyperspace", "f99", "ctrl+hyperspace", "hold+x", "return", "ctrl+", "<any>", "\x1b"])
def test_a_key_that_no_terminal_sends_is_refused(key: str) -> None:
    (sentence,) = refused(lobby_play=key)
    assert sentence.startswith(f"The key {key} of lobby.play is not used: no key has this name. A key is ")


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("F5", "f5"),
        ("é", "é"),
        ("%", "percent_sign"),
        ("+", "plus"),
        ("Asterisk", "asterisk"),
        ("Shift+Ctrl+V", "ctrl+shift+v"),
        ("shift+v", "V"),
        ("alt+up", "alt+up"),
        ("shift+pageup , space", "shift+pageup,space"),
    ],
)
def test_a_key_has_the_name_that_textual_gives_it(written: str, key: str) -> None:
    assert checked({"history.copy": written}, all_bindings(FourTwentyApp)) == ({"history.copy": key}, [])


def test_no_default_key_is_taken_twice_at_once() -> None:
    everywhere = bindings_everywhere(FourTwentyApp)
    for bindings in all_bindings(FourTwentyApp):
        chosen = {binding.id: binding.key for binding in bindings if binding.id}
        assert checked(chosen, [bindings], everywhere) == (chosen, [])


@pytest.mark.parametrize("key", ["ctrl+c", "Ctrl+C", "ctrl+q", "ctrl+z", "ctrl+p", "f1", "f5,ctrl+c"])
@pytest.mark.parametrize("name", ["lobby_play", "lobby_quit", "table_leave", "screen_cancel", "app_options"])
def test_no_command_gets_a_key_of_every_screen(name: str, key: str) -> None:
    (sentence,) = refused(**{name: key})
    assert "on every screen." in sentence or sentence.endswith("it belongs to app.keys.")


def test_what_works_everywhere_takes_no_key_of_a_screen_and_none_that_types() -> None:
    assert refused(app_keys="enter") == ["The key enter of app.keys is not used: it belongs to lobby.play."]
    assert refused(app_keys="Z") == ["The key Z of app.keys is not used: then nobody could type it into a field."]
    moved = {"app.keys": "f2", "lobby.play": "f1"}
    assert checked(moved, all_bindings(FourTwentyApp), bindings_everywhere(FourTwentyApp)) == (moved, [])


def test_a_dialog_with_a_field_keeps_its_way_out() -> None:
    for name in ("screen_cancel", "screen_up", "picker_choose"):
        (sentence,) = refused(**{name: "q"})
        assert sentence.endswith("is not used: there it is typed into a field.")


def test_keys_of_rooms_stay_known_without_their_extra() -> None:
    code = """
import sys
sys.modules |= dict.fromkeys(["nacl", "nats", "segno"])
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.keymap import all_bindings, checked
print(checked({"gathering.start": "f5", "join.accept": "f6"}, all_bindings(FourTwentyApp)))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.startswith("({'gathering.start': 'f5', 'join.accept': 'f6'")
    assert said.endswith("}, [])\n")


def test_an_id_means_one_action_and_once_on_a_screen() -> None:
    actions: dict[str, str] = {}
    for bindings in all_bindings(FourTwentyApp):
        names = [binding.id for binding in bindings]
        assert len(names) == len(set(names))
        for binding in bindings:
            assert actions.setdefault(str(binding.id), binding.action) == binding.action


async def test_a_key_of_many_screens_is_changed_on_all_of_them() -> None:
    choose({"screen.down": "f9", "screen.back": "f8"})
    async with playing() as pilot:
        await pilot.press("question_mark", "f8", "f9", "e")
        assert pilot.stack() == ["Lobby", "SeatDialog"]
        await pilot.shows("Who sits here?")


def test_the_command_of_the_manual_lists_every_key_that_can_be_changed(capsys: pytest.CaptureFixture[str]) -> None:
    run_module("fourtwenty.tui.list_keys", run_name="__main__")
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [*dict.fromkeys(binding.id for each in all_bindings(FourTwentyApp) for binding in each)]
    assert {"table.roll", "lobby.play"} < set(listed)
    assert "-m fourtwenty.tui.list_keys" in (Path(__file__).parents[2] / "docs" / "manual.md").read_text("utf-8")


async def test_a_key_bar_of_any_width_cuts_no_name_in_half() -> None:
    async with playing() as pilot:
        bar = pilot.app.screen.query_one(KeyBar)
        words = bar_at(bar, 200).split()
        for width in range(120):
            assert not {*bar_at(bar, width).split()} - {*words}


def bar_at(bar: KeyBar, width: int) -> str:
    return "".join(part.text for part in bar.draw_line(0, width))
