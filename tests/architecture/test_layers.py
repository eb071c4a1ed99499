"""The layers of docs/architecture.md, found by walking the package: imports between folders, and who describes what."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path
from pkgutil import walk_packages

import pytest
from long_tests import PRODUCT

import fourtwenty
from fourtwenty.games import GAMES

PACKAGE = Path(fourtwenty.__file__).parent
ROOT = Path(__file__).parents[2]
MODULES = sorted(module.name for module in walk_packages(fourtwenty.__path__, "fourtwenty."))
LAYERS = (
    "cells",
    "console",
    "file_storage",
    "install_hint",
    "games",
    "odds",
    "play",
    "journal",
    "api",
    "review",
    "cli",
    "web",
    "tui",
    "rooms",
    "__main__",
)
"""From the ground up: a folder imports its own modules and those of the layers below it."""
ROOMS = {f"rooms.{name}" for name in ("cli", "room_file", "encryption", "tui", "web", "wire")}
"""The parts of the layer of rooms that know more than the rest of it: a network, keys, a disk, a screen, a terminal."""
ROOM_LAUNCHER = {"fourtwenty.rooms", "fourtwenty.rooms.tui", "fourtwenty.rooms.tui.room_launcher"}
"""The modules of rooms that a start imports: the launcher, which imports the rest once it is opened."""
OUTSIDE = {
    "textual": {"tui", "web", "rooms.tui"},
    "rich": {"cells", "tui", "web", "rooms.tui"},
    "sqlite3": {"journal", "rooms.room_file"},
    "asyncio": {"cli", "rooms.cli", "rooms.wire", "rooms.tui", "tui", "web", "__main__"},
    "markdown_it": {"tui"},
    "nats": {"rooms.wire"},
    "nacl": {"rooms.encryption"},
    "segno": {"rooms.tui"},
    "secrets": {"play", "journal", "rooms.encryption", "rooms.wire", "rooms.room_file", "web"},
    "random": {"play"},
    "msgspec": {*LAYERS, *ROOMS} - {"file_storage", "__main__"},
}
"""Layers, and parts of the layer of rooms, that may import a package from outside, by package."""
NOT_AT_ONCE = {
    "fourtwenty": ["typing", "argparse", "msgspec", "fourtwenty.games"],
    "fourtwenty.__main__": ["typing", "argparse", "re", "msgspec", "fourtwenty.games", "fourtwenty.cli.arguments"],
    "fourtwenty.cli.arguments": [
        "asyncio",
        "nats",
        "nacl",
        "fourtwenty.play.match",
        "fourtwenty.play.custom_policy",
        "fourtwenty.odds",
    ],
    "fourtwenty.rooms.room": ["asyncio", "nacl"],
    "fourtwenty.play.match": ["asyncio", "fourtwenty.odds.four_twenty_solver"],
    "fourtwenty.tui.app": [
        "fourtwenty.play.custom_policy",
        "sqlite3",
        "fourtwenty.rooms",
        "fourtwenty.play.match",
        "fourtwenty.tui.screens.lobby",
    ],
    "fourtwenty.rooms.tui.room_launcher": ["asyncio", "msgspec", "textual", "nacl", "nats", "segno"],
    "fourtwenty.tui.screens.lobby": ["fourtwenty.rooms", "fourtwenty.rooms.tui.room_flow"],
    "fourtwenty.rooms.tui.gathering": ["nacl", "nats", "fourtwenty.rooms.wire.client"],
    "fourtwenty.rooms.tui.room_table": ["nacl", "nats", "fourtwenty.rooms.wire.client"],
    "fourtwenty.rooms.tui.room_flow": ["nacl", "nats", "fourtwenty.rooms.wire.client"],
}
"""Modules that must not be imported with another, by that other: the start of the program does not wait for them."""
ONLY_IN = {
    "fourtwenty.file_storage": {"exists", "is_file", "is_dir", "stat", "lstat"},
    "fourtwenty.play.clock": {"astimezone"},
}
"""Methods that raise where a folder cannot be looked into or a time zone ends, by the one module that calls them."""


def layer(module: str) -> str:
    """Return the folder that a module lies in, or the module itself where it lies in none."""
    return module.removeprefix("fourtwenty.").split(".")[0]


def part(module: str) -> str:
    """Return the layer of a module, but of the rooms the parts that know more than the rest by themselves."""
    name = ".".join(module.split(".")[1:3])
    return name if name in ROOMS else layer(module)


@cache
def parsed(module: str) -> ast.Module:
    path = PACKAGE.joinpath(*module.split(".")[1:])
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(source.read_text(encoding="utf-8"))


@cache
def imports(module: str) -> frozenset[str]:
    """Return the name of every module that a module imports, inside functions and for its types too."""
    found: set[str] = set()
    for node in ast.walk(parsed(module)):
        if isinstance(node, ast.ImportFrom):
            assert node.module
            assert not node.level, "imports are absolute"
            found |= {node.module, *(f"{node.module}.{name.name}" for name in node.names)}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return frozenset(found)


def loaded_by(*modules: str) -> set[str]:
    """Return what a fresh interpreter has imported once it has imported these modules."""
    code = f"import sys; before = set(sys.modules); import {', '.join(modules)}; print(*set(sys.modules) - before)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_every_module_has_its_layer() -> None:
    assert {layer(module) for module in MODULES} == set(LAYERS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_its_layer_and_below(module: str) -> None:
    own = LAYERS.index(layer(module))
    below = {"fourtwenty", "fourtwenty.__version__", *(f"fourtwenty.{name}" for name in LAYERS[: own + 1])}
    for imported in imports(module):
        if imported.split(".")[0] == "fourtwenty":
            assert ".".join(imported.split(".")[:2]) in below, f"{module} imports {imported}"


@pytest.mark.parametrize("package", OUTSIDE)
def test_a_package_from_outside_is_imported_in_its_layers_only(package: str) -> None:
    used = {part(module) for module in MODULES if package in {name.split(".")[0] for name in imports(module)}}
    assert used <= OUTSIDE[package]


def test_rooms_know_a_network_and_a_clock_in_their_wire_only() -> None:
    pure = [module for module in MODULES if part(module) in ("rooms", "rooms.encryption")]
    assert "fourtwenty.rooms.room" in pure
    assert "fourtwenty.rooms.wire.nats_log" not in pure
    for module in pure:
        imported = imports(module)
        assert not {name.split(".")[0] for name in imported} & {"asyncio", "datetime", "nats", "socket", "time"}, module
        assert not {name for name in imported if name.startswith("fourtwenty.rooms.wire")}, module


@pytest.mark.parametrize("name", ["games", "odds", "play", "review", "cli"])
@pytest.mark.long(*PRODUCT)
def test_a_layer_without_a_screen_plays_without_textual(name: str) -> None:
    loaded = loaded_by(*(module for module in MODULES if layer(module) == name))
    kept_out = {package for package, layers in OUTSIDE.items() if name not in layers} - {"random", "secrets"}
    if name in ("review", "cli"):  # they read the journal
        kept_out -= {"sqlite3"}
    assert not loaded & kept_out


@pytest.mark.parametrize("name", ["games", "odds"])
def test_the_rules_and_their_mathematics_draw_nothing(name: str) -> None:
    modules = [module for module in MODULES if layer(module) == name]
    chance = {"random", "secrets", "datetime"}
    assert not loaded_by(*modules) & (chance - loaded_by("msgspec"))  # msgspec imports datetime, for its own types
    assert not {imported for module in modules for imported in imports(module)} & chance


@pytest.mark.parametrize("depth", [3, 9], ids=["folders", "modules"])
def test_nothing_is_imported_in_a_circle(depth: int) -> None:
    """Neither by modules, nor by the folders of a layer, with the modules beside them."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[:depth])

    graph: dict[str, set[str]] = {room(module): set() for module in MODULES}
    for module in MODULES:
        graph[room(module)] |= {room(name) for name in imports(module) if name in MODULES} - {room(module)}
    reached: dict[str, set[str]] = {}
    for each in graph:
        reached[each], new = set(), {each}
        while new := {name for one in new for name in graph[one]} - reached[each]:
            reached[each] |= new
    circles = {frozenset(name for name in reached[each] if each in reached[name]) for each in graph}
    assert not circles - {frozenset()}


def test_the_start_of_the_lobby_imports_no_more_of_rooms_than_their_plugin() -> None:
    code = """
import asyncio, sys
from fourtwenty.__main__ import main
from fourtwenty.tui import launch

def run_app(rooms):
    async def lobby():
        from fourtwenty.tui.app import FourTwentyApp

        async with FourTwentyApp(rooms=rooms).run_test() as pilot:
            await pilot.pause()
            assert rooms and type(pilot.app.screen).__name__ == "Lobby"
    asyncio.run(lobby())

launch.run_app = run_app
main([])
print(*sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert {name for name in loaded if name.startswith("fourtwenty.rooms")} == ROOM_LAUNCHER
    assert not loaded & {"nacl", "nats", "segno"}


@pytest.mark.parametrize("module", NOT_AT_ONCE)
@pytest.mark.long(*PRODUCT)
def test_the_start_does_not_wait_for_what_comes_later(module: str) -> None:
    assert not loaded_by(module) & set(NOT_AT_ONCE[module])


def test_widgets_know_no_screen_and_no_match() -> None:
    for module in MODULES:
        if module.startswith("fourtwenty.tui.widgets."):
            known = {name for name in imports(module) if name.startswith("fourtwenty.")}
            assert not {name for name in known if ".screens" in name or ".dialogs" in name or ".match" in name}, module


def test_no_two_modules_and_no_two_classes_have_one_name() -> None:
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    modules = [file.stem for file in files if not file.stem.startswith("__") and file.stem != "conftest"]
    classes = [
        node.name for file in files for node in ast.parse(file.read_bytes()).body if isinstance(node, ast.ClassDef)
    ]
    assert [name for names in (modules, classes) for name, times in Counter(names).items() if times > 1] == []


def test_no_screen_asks_which_game_it_is() -> None:
    rules = {game.start.__module__ for game in GAMES.values()}
    assert len(rules) == len(GAMES)
    games = rules | {f"{module.replace('.games.', '.odds.')}_solver" for module in rules}
    assert games <= set(MODULES)
    for module in MODULES:
        if layer(module) in ("tui", "web"):
            assert not games & imports(module), module


@pytest.mark.parametrize(("module", "forbidden"), ONLY_IN.items())
def test_what_can_fail_at_an_edge_stands_in_one_place(module: str, forbidden: set[str]) -> None:
    """A folder that cannot be looked into and a time at the edge of the calendar have ended the program, twice each."""
    used = {
        (other, node.attr)
        for other in MODULES
        for node in ast.walk(parsed(other))
        if isinstance(node, ast.Attribute) and node.attr in forbidden
    }
    assert {other for other, _ in used} == {module}, used


def test_no_screen_calls_later_what_may_find_it_gone() -> None:
    for module in MODULES:
        if module.startswith(("fourtwenty.tui.screens.", "fourtwenty.tui.past_games.", "fourtwenty.tui.dialogs.")):
            called = {ast.unparse(node) for node in ast.walk(parsed(module)) if isinstance(node, ast.Attribute)}
            assert "self.call_later" not in called, (
                f"{module}: call_after_refresh does nothing on a screen that is gone"
            )


def test_no_screen_writes_its_resting_sentence_by_itself() -> None:
    # what a screen writes in one state it must take back in every other; ``resting_sentence`` follows from the state
    for module in MODULES:
        if module not in ("fourtwenty.tui.textual_base.sentence", "fourtwenty.tui.textual_base.base_screen"):
            lines = [node for node in ast.walk(parsed(module)) if isinstance(node, ast.Name) and node.id == "Sentence"]
            composed = [node for node in ast.walk(parsed(module)) if isinstance(node, ast.Yield)]
            yielded = [each.value.func for each in composed if isinstance(each.value, ast.Call)]
            assert all(line in yielded for line in lines), module


PERCENT_FORM = re.compile(r"[-+<>^,]*\d{0,2},?\.\d+%")
"""A format of percentages: ``.0%``, ``+,.1%``; not a time like ``%H:%M``."""


def percentages(tree: ast.AST) -> Iterator[str]:
    """Yield what formats a percentage: a format, and a number before "%" or multiplied by 100."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and PERCENT_FORM.fullmatch(node.value):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            for part, after in zip_longest(node.values, node.values[1:]):
                if isinstance(part, ast.FormattedValue):
                    before_sign = isinstance(after, ast.Constant) and str(after.value).startswith("%")
                    as_it_is = part.format_spec is not None and ast.unparse(part.format_spec) == "f'g'"
                    if (before_sign and not as_it_is) or ast.unparse(part.value).startswith("100 *"):
                        yield ast.unparse(node)


def test_percentages_are_formatted_by_one_module() -> None:
    # so that nothing but certainty is ever shown as 100% or 0% (``percent``)
    for text in ('f"{a:.0%}"', 'f"{a:+,.{n}%}"', '"{:.1f}".format(a) or ".2%"', 'f"{a:.2f}%"', 'f"{100 * a:5.2f}"'):
        assert [*percentages(ast.parse(text))], text
    assert not [*percentages(ast.parse('f"{day:%Y-%m-%d %H:%M}", f"{a:.2f} points", f"{a:g}%", "55%", "100.0%"'))]
    found = {module: [*percentages(parsed(module))] for module in MODULES if module != "fourtwenty.play.format"}
    assert {module: forms for module, forms in found.items() if forms} == {}


def functions(space: ast.Module | ast.ClassDef) -> Iterator[tuple[str, bool]]:
    """Yield the public functions of a module or a class with their parameters, and whether they have a docstring."""
    for node in space.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield (
                f"{node.name}({ast.unparse(node.args).removeprefix('self').removeprefix(', ')})",
                bool(ast.get_docstring(node)),
            )


def undescribed() -> Iterator[str]:
    """Yield the public functions that have no docstring here, in a base class or in a protocol.

    What only this program calls has one only where it says more than the name.
    """
    found: dict[str, list[ast.Module | ast.ClassDef]] = {
        module: [parsed(module), *(node for node in ast.walk(parsed(module)) if isinstance(node, ast.ClassDef))]
        for module in MODULES
    }
    classes = {space.name: space for spaces in found.values() for space in spaces if isinstance(space, ast.ClassDef)}
    protocols = [node for node in classes.values() if "Protocol" in map(ast.unparse, node.bases)]
    provided = {name for protocol in protocols for name, described in functions(protocol) if described}

    def inherited(space: ast.Module | ast.ClassDef) -> Iterator[str]:
        for base in getattr(space, "bases", []):
            if own := classes.get(ast.unparse(base).split("[")[0]):
                yield from (name for name, described in functions(own) if described)
                yield from inherited(own)

    for module, spaces in found.items():
        if part(module) not in ("cli", "play", "review", "rooms.cli", "rooms.tui", "tui", "web"):
            for space in spaces:
                missing = {name for name, described in functions(space) if not described}
                yield from (f"{module}: {name}" for name in missing - provided - {*inherited(space)})


def test_a_function_without_a_docstring_is_described_by_a_base_class_or_a_protocol() -> None:
    assert not [*undescribed()]
