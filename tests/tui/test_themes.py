"""The seats' tints: told apart by everyone, and legible; and never the only thing that tells seats apart."""

from __future__ import annotations

import re
import signal
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from long_tests import SCREEN, mostly_long
from rich._palettes import EIGHT_BIT_PALETTE, STANDARD_PALETTE
from rich.color import Color as RichColor, ColorSystem
from rich.console import Console
from table_pilot import TablePilot, playing
from textual.color import Color
from textual.screen import ModalScreen
from textual.theme import Theme
from waiting import until

from fourtwenty.journal.settings import THEMES, Settings
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.textual_base.mouse_button import MouseButton
from fourtwenty.tui.themes import (
    BLACKBOARD,
    ON_256,
    THEMES_BY_NAME,
    TINTS_ON_BLACK,
    TINTS_ON_DARK,
    TINTS_ON_LIGHT,
    ansi_variables,
    contrast,
    default_variables,
    linear,
)
from fourtwenty.tui.widgets.key_bar import KeyBar
from fourtwenty.tui.widgets.seats import MARKS, TINTS, mark, tint

GROUNDS = ("background", "surface", "panel", "felt")
"""The variables of the colours that words and marks are on."""

VISION = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Dichromacy in linear sRGB (Machado, Oliveira, Fernandes 2009, severity 1)."""


def seen(colour: str, vision: str) -> tuple[float, float, float]:
    """A colour as it is seen, in Oklab (Ottosson 2020), where distance is difference."""
    red, green, blue = (
        min(1.0, max(0.0, sum(part * weight for part, weight in zip(linear(colour), row, strict=True))))
        for row in VISION[vision]
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("tints", [TINTS_ON_DARK, TINTS_ON_LIGHT, TINTS_ON_BLACK], ids=["dark", "light", "black"])
def test_any_two_tints_differ_for_every_eye(tints: tuple[str, ...], vision: str) -> None:
    """Five times the 0.02 that is just noticeable in Oklab."""
    assert min(dist(seen(one, vision), seen(other, vision)) for one, other in combinations(tints, 2)) > 0.1


SYSTEMS = {"16": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
"""The numbers of colours that a terminal may have."""


def variables(theme: Theme, system: ColorSystem) -> dict[str, str]:
    """Return the style variables of a theme on a terminal."""
    colours = {**default_variables(theme.dark), **theme.to_color_system().generate(), **theme.variables}
    if system is ColorSystem.STANDARD:
        return {**colours, **ansi_variables(theme.dark)}
    return {**colours, **ON_256.get(theme.name, {})} if system is ColorSystem.EIGHT_BIT else colours


def painted(colour: str, system: ColorSystem) -> str:
    """Return the colour that Rich paints, with the palettes that it has of other terminals."""
    number = RichColor.parse(colour).downgrade(system).number
    if number is None:
        return colour
    return (STANDARD_PALETTE if system is ColorSystem.STANDARD else EIGHT_BIT_PALETTE)[number].hex


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("theme", THEMES_BY_NAME.values(), ids=THEMES_BY_NAME)
def test_marks_show_on_every_ground_and_pips_on_their_dice(theme: Theme, system: ColorSystem) -> None:
    """WCAG 2.2: 3 to 1 for what is drawn; 4.5 where contrast is high."""
    drawn = 4.5 if theme is BLACKBOARD and system is ColorSystem.TRUECOLOR else 3
    colours = variables(theme, system)

    def differ(one: str, other: str) -> float:
        return contrast(*(painted(colours[name], system) for name in (one, other)))

    for number in range(TINTS):
        for ground in (*GROUNDS, f"seat-{number}-pip"):
            assert differ(f"seat-{number}", ground) >= drawn, (number, ground)
    assert differ("scrollbar", "surface") >= 3
    if theme is BLACKBOARD and system is ColorSystem.TRUECOLOR:
        assert min(contrast(colours[word], colours[ground]) for word in ("quiet", "gone") for ground in GROUNDS) >= 7


def test_the_pages_have_the_tints_of_the_screens() -> None:
    page = (Path(__file__).parents[2] / "fourtwenty/web/page/felt.css").read_text(encoding="utf-8")
    assert re.findall(r"--s\d: (#\w+)", page) == [*TINTS_ON_DARK, *TINTS_ON_LIGHT]


def test_forty_two_seats_have_a_mark_and_tint_of_their_own() -> None:
    assert len({(mark(colour), tint(colour)) for colour in range(42)}) == 42


def test_red_is_red_and_blue_is_blue() -> None:
    for red, blue in (TINTS_ON_DARK[:2], TINTS_ON_LIGHT[:2], TINTS_ON_BLACK[:2]):
        assert linear(red).index(max(linear(red))) == 0
        assert linear(blue).index(max(linear(blue))) == 2


@pytest.mark.terminal
@pytest.mark.skipif(not hasattr(signal, "SIGTSTP"), reason="needs a Unix terminal")
@pytest.mark.parametrize(("theme", "blue"), [("snug", "94"), ("terrace", "34"), ("blackboard", "94")])
@mostly_long("term", ["xterm", "xterm-16color"], ["xterm"], *SCREEN)
def test_sixteen_colours_are_enough_for_six_seats(home: Path, theme: str, blue: str, term: str) -> None:
    from terminal import PROGRAM, Terminal

    Settings(theme).save(home / "settings.json")
    play = (*PROGRAM, "play", "--players", "Ann,Ben,Cleo,Dan,Eve,Fay", "--dice", "typed")
    with Terminal(*play, environment={"TERM": term, "COLORTERM": ""}) as terminal:
        terminal.read_until("your turn", "Rules", "▔" * 8, *(f"{mark} " for mark in MARKS[:TINTS]))
    drawn = re.findall(rf"\x1b\[(?:1;)?(\d+);\d+m *([{MARKS}]) ", terminal.written)
    colours = {mark: {colour for colour, other in drawn if other == mark} for mark in MARKS[:TINTS]}
    assert all(len(each) == 1 for each in colours.values())
    assert len(set[str]().union(*colours.values())) == TINTS
    assert colours[MARKS[1]] == {blue}
    keys = set(re.findall(r"\x1b\[1;(\d+);\d+m\?", terminal.written))
    assert keys
    assert not keys & set[str]().union(*colours.values()), "a key is not one of the seats"
    (felt,) = set(re.findall(r";(\d+)m[^\x1b]*your turn", terminal.written))
    edges = set(re.findall(r"\x1b\[(\d+);(\d+)m▔{8}", terminal.written))
    assert edges
    assert all(ground != felt or int(edge) != int(ground) - 10 for edge, ground in edges), "buttons have bodies"
    assert not re.search("[34]8;[25];", terminal.written)


MIN_CONTRAST = 4.5
"""The least contrast ratio of words and their background, also where they are dimmed (WCAG 2.2, level AA)."""
INKS = {
    **dict.fromkeys(("foreground", "primary", "accent", "warning", "success", "error"), GROUNDS),
    **dict.fromkeys(("quiet", "gone", "text-muted", "text-disabled"), GROUNDS),
    **dict.fromkeys(("footer-key-foreground", "footer-description-foreground"), ("panel",)),
    "button-color-foreground": ("primary",),
    "block-cursor-foreground": ("block-cursor-background",),
    "block-cursor-blurred-foreground": ("block-cursor-blurred-background",),
    "input-selection-foreground": ("input-selection-background",),
}
"""The variables of the colours of words, with those of the colours that they are written on."""


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("theme", THEMES_BY_NAME.values(), ids=THEMES_BY_NAME)
def test_the_words_of_every_theme_can_be_read(theme: Theme, system: ColorSystem) -> None:
    colours = variables(theme, system)
    surface = Color.parse(colours["surface"])
    for ink, grounds in INKS.items():
        for ground in (surface + colour_on(colours[name], surface) for name in grounds):
            written = ground + colour_on(colours[ink], ground)
            shown = [painted(each.hex6, system) for each in (written, ground)]
            assert contrast(*shown) >= MIN_CONTRAST, f"{ink} on {ground.hex6}"
    felt, word, share = Color.parse(colours["felt"]), Color.parse(colours["foreground"]), int(colours["dimmed"][:-1])
    if system is ColorSystem.TRUECOLOR:
        assert contrast(*(felt.blend(colour, share / 100).hex6 for colour in (word, surface))) >= MIN_CONTRAST


def test_the_settings_know_every_theme() -> None:
    assert tuple(THEMES_BY_NAME) == THEMES


@pytest.mark.parametrize("theme", THEMES_BY_NAME)
async def test_a_button_that_is_dimmed_looks_so_in_every_theme(theme: str) -> None:
    async with playing(LINEUP, THROWS) as pilot:
        pilot.app.theme = theme
        for _ in LINEUP.seats:
            await press(pilot, "r")
        button = pilot.app.screen.query_one("#roll", MouseButton)

        def looks() -> set[object]:
            return {part.style for line in range(3) for part in button.render_line(line) if part.text.strip()}

        dimmed = looks()
        assert button.has_class("-dimmed"), "no die is selected"
        bar = {part.text: part.style for part in pilot.app.screen.query_one(KeyBar).render_line(0)}
        key, off = (next(style for text, style in bar.items() if text.startswith(name)) for name in ("h", "enter"))
        assert [style.bold if style else None for style in (key, off)] == [True, None]
        await press(pilot, "a")
        assert not dimmed & looks(), "all may be rolled"


def colour_on(value: str, ground: Color) -> Color:
    """Return a colour of a style sheet on a background: "#RRGGBB", "#RRGGBB 30%" or "auto 60%"."""
    colour, _, share = value.partition(" ")
    alpha = int(share.rstrip("%")) / 100 if share else 1
    return ground.get_contrast_text(alpha) if colour == "auto" else Color.parse(colour).multiply_alpha(alpha)


EDGES = " \N{NO-BREAK SPACE}▔▁▏▐▌"
"""Edges of what stands out without them."""
LINEUP = Lineup(seats=(Seat("Ann"), Seat("Ben"), Seat("Cleo")), starting_seat=0, coach="full")
THROWS = [(6, 5, 5, 1), (4, 3, 3, 2), (6, 6, 5, 5), (6, 2), (6, 6, 3, 1), (6, 5, 4, 5)]


PLAYED = ("r", "r", "r", "1", "4", "r", "r", "a", "r")
"""The keys to the end of that match."""


SIX = Lineup(tuple(map(Seat, ("Ann", "Ben", "Cleo", "Dan", "Eve", "Fay"))), starting_seat=0, game="ten-rounds")


@mostly_long("theme", ["terrace", "blackboard", "snug of sixteen", "snug"], ["blackboard", "snug of sixteen"], *SCREEN)
@pytest.mark.parametrize(
    ("before", "keys"),
    [
        (
            "",
            (
                "a",
                "escape",
                "e",
                "escape",
                "o",
                "escape",
                "comma",
                "escape",
                "colon",
                "x",
                "escape",
                "f1",
                "f1",
                "s",
                "escape",
            ),
        ),
        ("", ("p", "5", "w", "1", "n", "m", "g", "l", "1", "2", "3", "enter", "w", "n", "q")),
        ("table", ("r", "r", "r", "1", "4", "h", "escape", "r", "question_mark", "escape", "r", "a", "r")),
        ("six", ("r", "s", "c", "r", "1")),
        ("results", ("v", "m", "g", "escape", "e", "1", "4", "r", "w", "q", "escape", "escape", "q")),
        ("next round", ("r", "r")),
        ("history", ("x", "slash", "z", "escape", "s", "n")),
    ],
    ids=["lobby", "practice", "table", "six", "results", "out", "history"],
)
async def test_whatever_is_written_is_read(
    theme: str, before: str, keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """WCAG 2.2: 4.5 to 1 for words, even where they cannot be used now; 7 (level AAA) on the blackboard.

    On the blackboard what is drawn has 4.5 to 1.
    """
    name, _, sixteen = theme.partition(" ")
    monkeypatch.setenv("TERM", "xterm-16color" if sixteen else "xterm-256color")
    monkeypatch.setenv("COLORTERM", "" if sixteen else "truecolor")
    throws = [(6, 5, 3)] * 12 if before == "six" else [*THROWS, (6, 5, 4, 3), (6, 5, 5, 1)]
    lineup = SIX if before == "six" else LINEUP if before else None
    async with playing(lineup, throws if before else (), size=(100, 30)) as pilot:
        pilot.app.theme = name
        if before in ("results", "next round", "history"):
            for key in PLAYED:
                await press(pilot, key)
            await pilot.results()
        if before == "next round":
            await press(pilot, "enter")
        if before == "history":
            await press(pilot, "q")
            await pilot.reaches("Lobby")
            await press(pilot, "h")
        await pilot.pause()
        look(pilot)
        for key in keys:
            await press(pilot, key)
            look(pilot)


async def press(pilot: TablePilot, key: str) -> None:
    """Press a key; wait for whoever is to act, and until it is drawn."""
    await pilot.press(key)
    await until(lambda: not isinstance(pilot.app.screen, Table) or pilot.app.screen.waiting)
    await pilot.pause()


def look(pilot: TablePilot) -> None:
    """Compare everything on the screen with what it is written on."""
    app, screen = pilot.app, pilot.app.screen
    lit = screen.query_one(".dialog").region if isinstance(screen, ModalScreen) else screen.region
    read, drawn = (7, 4.5) if app.theme == BLACKBOARD.name else (MIN_CONTRAST, 1)
    for strip in screen._compositor.render_strips()[lit.y : lit.bottom]:
        for text, style, _ in strip.crop(lit.x, lit.right):
            if style and style.color and style.bgcolor and not set(text) <= set(EDGES):
                ratio = contrast(*(as_painted(colour, app.console) for colour in (style.color, style.bgcolor)))
                assert ratio >= (read if any(map(str.isalnum, text)) else drawn), f"{text!r} ({style}) on {screen}"


def as_painted(colour: RichColor, console: Console) -> str:
    """Return a colour as a terminal shows it, "#RRGGBB"; of sixteen, those that Rich takes them for."""
    if console.color_system == "standard":
        number = colour.downgrade(ColorSystem.STANDARD).number
        assert number is not None
        return STANDARD_PALETTE[number].hex
    return colour.get_truecolor().hex
