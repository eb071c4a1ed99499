"""The program's own themes, dark, light and of high contrast, and the variables that all other themes need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from textual.color import Color
from textual.theme import Theme

TINTS_ON_DARK = ("#DB4530", "#74A9EA", "#F4E65A", "#7AF0D8", "#9D62C8", "#F0A06A")
TINTS_ON_LIGHT = ("#B3261E", "#1D4FA8", "#B4800B", "#379C86", "#E12FE6", "#470F59")
TINTS_ON_BLACK = ("#FF766C", "#5FA0FF", "#FFFF00", "#9BFFBF", "#B2C2D7", "#FFB601")
"""The seat colours, red and blue first. A search maximized the least distance between any two of them, as seen with
normal colour vision and with protan, deutan and tritan dichromacy (Machado, Oliveira, Fernandes 2009); a test
computes it."""

SIXTEEN_ON_DARK = ("#FF5555", "#5555FF", "#FFFF55", "#55FFFF", "#FF55FF", "#55FF55")
SIXTEEN_ON_LIGHT = ("#AA0000", "#0000AA", "#AA5500", "#00AAAA", "#AA00AA", "#00AA00")
"""The seat colours on a terminal of sixteen colours. Rich maps others to the nearest: blue to grey, and two to one."""

LEAST_CONTRAST = 4.5
"""The least contrast ratio of words and their background, also where they are dimmed (WCAG 2.2, level AA)."""
GROUNDS = ("background", "surface", "panel", "felt")
"""The variables of the colours that words are written on."""
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

DARK_PIP, LIGHT_PIP = "#0A0908", "#FFFFFF"


def house_variables(dark: bool) -> dict[str, str]:
    """Return the style variables that a theme may override."""
    return {
        "felt": "#16332a" if dark else "#d9e8dc",
        "quiet": "#AFA294" if dark else "#6A5E50",
        "gone": "#9D9389" if dark else "#675F55",
        "dimmed": "55%" if dark else "65%",
        "dice-white": "#F7F3E8",
        "dice-white-pip": DARK_PIP,
        **seat_variables(TINTS_ON_DARK if dark else TINTS_ON_LIGHT),
    }


def seat_variables(tints: tuple[str, ...]) -> dict[str, str]:
    """Return the style variables of the seats: their colours, and pip colours that contrast with them."""
    pips = [_readable_on(tint) for tint in tints]
    return {
        **{f"seat-{number}": tint for number, tint in enumerate(tints)},
        **{f"seat-{number}-pip": pip for number, pip in enumerate(pips)},
    }


def sixteen_variables(dark: bool) -> dict[str, str]:
    """Return the style variables for a terminal of sixteen colours: no seat has the accent, and buttons have edges."""
    accent = "#00AAAA" if dark else "#000000"
    return {
        **seat_variables(SIXTEEN_ON_DARK if dark else SIXTEEN_ON_LIGHT),
        **dict.fromkeys(("quiet", "gone", "text-disabled"), "#AAAAAA" if dark else "#555555"),
        **dict.fromkeys(("accent", "primary", "footer-key-foreground"), accent),
        "button-color-foreground": "#000000" if dark else "#FFFFFF",
        **dict.fromkeys(("surface-lighten-1", "surface-darken-1"), "#555555"),
    }


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, "#RRGGBB", from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def readable(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the colours of words in a theme, each moved towards black or white as far as ``LEAST_CONTRAST`` needs."""
    found = {**variables}
    for ink, names in INKS.items():
        grounds = [ground_of(found, name) for name in names]
        found[ink] = next((each for each in _stronger(found[ink], grounds[0]) if _reads(each, grounds)), found[ink])
    felt, surface, word = (Color.parse(found[name]) for name in ("felt", "surface", "foreground"))
    shares = range(int(found["dimmed"].rstrip("%")), 100, 5)
    found["dimmed"] = next(
        (
            f"{share}%"
            for share in shares
            if _reads(felt.blend(word, share / 100).hex, [felt.blend(surface, share / 100)])
        ),
        "100%",
    )
    return found


def _stronger(ink: str, ground: Color) -> Iterator[str]:
    """Yield a colour of a style sheet, and then those that contrast more and more with a background."""
    kind, _, share = ink.partition(" ")
    if kind == "auto":
        yield from (f"auto {percent}%" for percent in range(int(share.rstrip("%")), 101, 5))
        yield from ("#000000", "#FFFFFF")  # Textual takes white on some blues where black is clearer
    else:
        extreme = max((Color(0, 0, 0), Color(255, 255, 255)), key=lambda each: contrast(each.hex6, ground.hex6))
        yield from (ink, *(Color.parse(ink).blend(extreme, step / 20).hex6 for step in range(1, 21)))


def _reads(ink: str, grounds: Iterable[Color]) -> bool:
    return all(contrast((ground + colour_on(ink, ground)).hex6, ground.hex6) >= LEAST_CONTRAST for ground in grounds)


def ground_of(variables: Mapping[str, str], name: str) -> Color:
    """Return a colour that words are written on, as it is seen on a surface."""
    surface = Color.parse(variables["surface"])
    return surface + colour_on(variables[name], surface)


def colour_on(value: str, ground: Color) -> Color:
    """Return a colour of a style sheet on a background: "#RRGGBB", "#RRGGBB 30%" or "auto 60%"."""
    colour, _, share = value.partition(" ")
    alpha = int(share.rstrip("%")) / 100 if share else 1
    return ground.get_contrast_text(alpha) if colour == "auto" else Color.parse(colour).multiply_alpha(alpha)


def offered(themes: Iterable[Theme], current: str) -> list[Theme]:
    """Return the themes to choose from: the program's own, the current one, and others with colours of their own."""
    others = (theme for theme in themes if theme.name not in HOUSE)
    return [*HOUSE.values(), *(theme for theme in others if theme.name == current or not is_terminals(theme))]


def is_terminals(theme: Theme) -> bool:
    """Return whether the colours of a theme are those of the terminal, which nobody can measure."""
    return theme.name.startswith("ansi")


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, "#RRGGBB", from 0 to 1 (WCAG 2.2)."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def linear(colour: str) -> tuple[float, float, float]:
    """Return the linear light of a colour, "#RRGGBB", each part from 0 to 1 (IEC 61966-2-1)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def _readable_on(colour: str) -> str:
    return max((DARK_PIP, LIGHT_PIP), key=lambda pip: contrast(pip, colour))


SNUG = Theme(
    name="snug",
    dark=True,
    primary="#E3A445",
    secondary="#5FAE8B",
    accent="#E3A445",
    foreground="#F0E7DA",
    background="#16120F",
    surface="#1E1813",
    panel="#2B221B",
    success="#7AD0A0",
    warning="#F2C14E",
    error="#F0735A",
    variables={
        "footer-key-foreground": "#E3A445",
        "border": "#57483A",
        "scrollbar": "#85796C",
        "text-disabled": "auto 55%",
        "input-selection-background": "#E3A445",
        "input-selection-foreground": "#16120F",
    },
)
TERRACE = Theme(
    name="terrace",
    dark=False,
    primary="#8A4B08",
    secondary="#2F6B4F",
    accent="#8A4B08",
    foreground="#2A211A",
    background="#F7F2E8",
    surface="#FFFBF3",
    panel="#EADFCD",
    success="#1B6D45",
    warning="#865500",
    error="#B3261E",
    variables={
        "footer-key-foreground": "#8A4B08",
        "border": "#BFAE97",
        "scrollbar": "#94887A",
        "text-disabled": "auto 60%",
        "input-selection-background": "#8A4B08",
        "input-selection-foreground": "#FFFBF3",
    },
)
BLACKBOARD = Theme(
    name="blackboard",
    dark=True,
    primary="#FFEC80",
    secondary="#8CE0B0",
    accent="#FFEC80",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#121212",
    success="#8CF0B0",
    warning="#FFEC80",
    error="#FF9C8C",
    variables={
        "footer-key-foreground": "#FFEC80",
        "border": "#9A9A9A",
        "surface-lighten-1": "#9A9A9A",
        "surface-darken-1": "#505050",
        "block-cursor-blurred-background": "#333333",
        "input-selection-background": "#FFEC80",
        "input-selection-foreground": "#000000",
        "scrollbar": "#9A9A9A",
        "felt": "#000000",
        "quiet": "#DEDAD2",
        "gone": "#B8B4AC",
        "dimmed": "75%",
        "text-muted": "auto 80%",
        "text-disabled": "auto 75%",
        **seat_variables(TINTS_ON_BLACK),
    },
)

HOUSE = {theme.name: theme for theme in (SNUG, TERRACE, BLACKBOARD)}
"""The program's own themes: for dark rooms, for sunlight, and for those who need contrast."""
