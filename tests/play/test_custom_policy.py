"""A rule of the user's own in a simulation: the page about it, what it costs, and whatever can be wrong with it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from doctest import DocTestParser
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fourtwenty.__main__ import main
from fourtwenty.cli.commands import PolicyCosts
from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.odds import solver_for
from fourtwenty.play.lineup import Lineup, parse_players, parse_seats
from fourtwenty.play.simulation import JudgedChoice, play_and_judge, play_matches

PAGE = Path(__file__).parents[2] / "docs" / "own-bot.md"
RULES = """\
from fourtwenty.games.game import Leave, Roll
import helper

asked = []

def first(state):
    asked.append(state)
    return state.actions[0]

def best(state):
    from fourtwenty.odds import solver_for
    return solver_for(state).best(state)

def word(state):
    return "roll"

def nothing(state):
    pass

def fifth(state):
    return Roll((5,))

def leaves(state):
    return Leave()

def no_dice(state):
    return Roll(())

def deep(state):
    return helper.key(state)

def nobody():
    pass

def ends(state):
    raise SystemExit

async def later(state):
    pass

number = 420
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder, with rules; whatever is imported from it is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = {*sys.modules}
    (tmp_path / "rules.py").write_text(RULES)
    (tmp_path / "helper.py").write_text("def key(state):\n    return {}[state.to_act]\n")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "rules.py").write_text("def first(state):\n    return state.actions[0]\n")
    (tmp_path / "broken.py").write_text("\ndef first(state)\n")
    (tmp_path / "divides.py").write_text("\n\n1 / 0\n")
    (tmp_path / "needy.py").write_text("import lodash\n")
    yield tmp_path
    for name in {*sys.modules} - known:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def simulated(capsys: pytest.CaptureFixture[str], players: str, *arguments: str) -> str:
    """Return the output of ten matches with seed 2a, or of so many as the arguments say."""
    assert main(["simulate", "--players", players, "--seed", "2a", "--matches", "10", *arguments]) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main([*arguments])
    assert end.value.code == 2
    out, error = capsys.readouterr()
    assert (out, error.count("\n")) == ("", 1)
    return error.rstrip("\n")


def test_a_rule_that_an_editor_has_saved_with_a_byte_order_mark_plays(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "marked.py").write_text("def first(state):\n    return state.actions[0]\n", encoding="utf-8-sig")
    marked, plain = (simulated(capsys, f"bot:{module}:first,bot:Perfect") for module in ("marked", "rules"))
    assert marked.rpartition("\n\n")[0] == plain.rpartition("\n\n")[0].replace("rules", "marked")


def test_the_page_about_it_is_true(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    (rule,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    command, shown = re.findall(r"```\n\$ fourtwenty (.*?)\n(.*?)\n```", page, re.DOTALL)[0]
    assert len([line for line in rule.splitlines() if line]) == 6
    (tmp_path / "own_bot.py").write_text(rule)
    printed = subprocess.check_output(
        [sys.executable, "-m", "fourtwenty", *shlex.split(command), "--jobs", "2"], cwd=tmp_path, text=True, timeout=60
    )
    assert printed.rpartition("\n\n")[0] == shown


def test_the_loop_of_the_library_plays_the_rule_of_the_page() -> None:
    """Both as they are printed."""
    (rule,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    examples = DocTestParser().get_examples(PAGE.with_name("library.md").read_text("utf-8"))
    names: dict[str, Any] = {}
    exec(rule, names)
    for example in examples:
        if example.source.startswith(("from ", "import ", "def ")):
            exec(example.source, names)
    matches = [names["play"]("420", [names["cautious"]] * 2, Random(seed)) for seed in range(20)]
    assert {*matches} == {((0,), (1,)), ((1,), (0,))}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("game", GAMES)
def test_every_choice_of_a_rule_is_measured(game: str) -> None:
    lineup = Lineup(parse_players("bot:rules:first,bot:Perfect", custom_policies=True), game=game, starting_seat=0)
    played = list(play_and_judge(lineup, 30, bytes(32)))
    assert [each.outcome for each in played] == list(play_matches(lineup, 30, bytes(32)))
    judged = [judged for each in played for judged in each.judged[0]]
    assert all(solver_for(each.state).choices(each.state)[0] == each.best for each in judged)
    assert all({*each.judged} <= {0} for each in played), "no other seat is measured"
    assert len(judged) == len(sys.modules["rules"].asked) / 2
    assert all(len(each.state.actions) > 1 for each in judged), "a rule is not asked where it has no choice"
    assert sum(each.loss for each in judged) > 0.01


@pytest.mark.usefixtures("folder")
def test_a_rule_that_plays_best_costs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    out = simulated(capsys, "bot:rules:best,bot:Steady", "--matches", "30")
    assert "0.00 points, flawless" in out
    assert "The positions" not in out
    assert simulated(capsys, "bot:Perfect,bot:Steady").splitlines()[2].endswith("buys the drinks")


@pytest.mark.usefixtures("folder")
def test_the_positions_are_those_of_the_costliest_choices(capsys: pytest.CaptureFixture[str]) -> None:
    players = "bot:rules:first,bot:Steady,bot:package.rules:first"
    document = json.loads(simulated(capsys, players, "--matches", "60", "--json"))
    first, steady, second = document["seats"]
    assert (first["name"], first["bot"], second["name"]) == ("first", "rules:first", "first 2")
    assert "lost" not in steady
    found = first["costliest"]
    assert len(found) == 10
    assert [-each["loss"] * each["times"] for each in found] == sorted(-each["loss"] * each["times"] for each in found)
    assert first["lost"] > sum(each["loss"] * each["times"] for each in found) > 0
    assert first["decisions"] > 30
    for each in found[:3]:
        state = GAMES["420"].parse(each["position"])
        chances = {choice.kept: choice.value for choice in solver_for(state).choices(state)}
        kept, best = (tuple(each[name]) for name in ("keep", "best"))
        assert max(chances.values()) == chances[best]
        assert chances[best] - chances[kept] == pytest.approx(each["loss"])
    lines = simulated(capsys, players, "--matches", "60").splitlines()
    assert lines[2].endswith("lost per decision")
    head = lines.index("The positions that cost first most; fourtwenty play 420 --position reads them:")
    assert [line.split("   ")[0].rstrip() for line in lines[head + 3 : head + 13]] == [
        each["position"] for each in found
    ]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("game", ["421", "ten-rounds"])
def test_the_positions_of_other_games_are_read_by_play(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = json.loads(simulated(capsys, "bot:rules:first,bot:Steady", "--game", game, "--json"))
    for each in document["seats"][0]["costliest"]:
        assert GAMES[game].parse(each["position"]).to_text() == each["position"]
    out = simulated(capsys, "bot:rules:first,bot:Steady", "--game", game)
    assert f"fourtwenty play {game} --position reads them:" in out


def test_positions_that_differ_by_nothing_that_matters_are_one() -> None:
    costs = PolicyCosts("first")
    for text, kept in (
        ("*>6643 5554 roll 2", (6, 6, 4)),
        ("*>3466 5545 roll 3", (4, 6, 6)),
        ("*>6643 6551 roll 2", (6, 6, 4)),
    ):
        state = FourTwenty.read(text)
        choices = solver_for(state).choices(state)
        costs.add(JudgedChoice(state, next(choice for choice in choices if choice.kept == kept), choices[0]))
    assert [(judged.state.to_text(), times) for judged, times in costs.costliest] == [
        ("*>6643 5554 roll 2", 2),
        ("*>6643 6551 roll 2", 1),
    ]


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("rules:word", "rules:word returns a str at *>"),
        ("rules:nothing", "rules:nothing returns None at *>"),
        ("rules:fifth", "rules:fifth returns Roll(dice=(5,)) at *>"),
        ("rules:leaves", "rules:leaves returns Leave() at *>"),
        (
            "rules:no_dice",
            "rules:no_dice ends with InvalidAction: Select at least one die to roll. ({}/rules.py, line 27)",
        ),
        ("rules:deep", "rules:deep ends with KeyError: 0 ({}/helper.py, line 2)"),
        (
            "rules:nobody",
            "rules:nobody ends with TypeError: nobody() takes 0 positional arguments but 1 was given "
            "({}/rules.py, line 32)",
        ),
        ("rules:ends", "rules:ends ends with SystemExit ({}/rules.py, line 36)"),
        ("rules:later", "there is no plain function later in {}/rules.py"),
        ("rules:number", "there is no plain function number in {}/rules.py"),
        ("rules:cautious", "there is no plain function cautious in {}/rules.py"),
        ("package.rule:first", "there is no module package.rule, neither in this folder nor installed"),
        ("no.such.thing:first", "there is no module no, neither in this folder nor installed"),
        ("broken:first", "broken cannot be imported: SyntaxError: expected ':' ({}/broken.py, line 2)"),
        ("divides:first", "divides cannot be imported: ZeroDivisionError: division by zero ({}/divides.py, line 3)"),
        (
            "needy:first",
            "needy cannot be imported: ModuleNotFoundError: No module named 'lodash' ({}/needy.py, line 1)",
        ),
        ("rules.py:first", "there is no module rules.py, neither in this folder nor installed"),
        (
            "./rules:first",
            "'./rules:first' doesn't name a policy: bot:MODULE:FUNCTION, as in bot:mypackage.bots:cautious",
        ),
        ("rules:", "'rules:' doesn't name a policy"),
    ],
)
def test_whatever_is_wrong_is_one_sentence_that_says_where(
    rule: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(capsys, "simulate", "--players", f"bot:{rule},bot:Steady", "--matches", "9", "--seed", "2a")
    assert line.startswith(f"fourtwenty simulate: {why.format(folder)}")


def test_an_error_in_a_process_is_the_same_sentence(folder: Path) -> None:
    command = "simulate --players bot:rules:deep,bot:Steady --matches 9 --seed 2a --jobs 2"
    done = subprocess.run(
        [sys.executable, "-m", "fourtwenty", *command.split()], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"fourtwenty simulate: rules:deep ends with KeyError: 0 ({folder}/helper.py, line 2)\n"


def test_the_installed_command_looks_in_the_current_folder_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "tomllib.py").write_text("raise ImportError")  # a name of Python's, which nothing has imported yet
    monkeypatch.delitem(sys.modules, "tomllib", raising=False)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path not in ("", str(folder))])
    assert "first" in simulated(capsys, "bot:rules:first,bot:Steady")
    import tomllib

    assert tomllib.loads("a = 1"), "a file of the user's hides no module of ours"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "command",
    [
        ["play", "--players", "bot:rules:first,Ann"],
        ["host", "--players", "bot:rules:first"],
        ["join", "here/K7QF-3XMP", "--as", "bot:rules:first"],
    ],
)
def test_nobody_else_plays_it(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(capsys, *command)
    assert line.endswith("rules:first is a bot of your own: only simulate plays those, for a game must replay anywhere")
    with pytest.raises(ValueError, match="only simulate"):
        parse_seats("bot:rules:first")
    assert "rules" not in sys.modules, "it is not even looked for"
