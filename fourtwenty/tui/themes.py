"""The program's own themes, dark, light and of high contrast, and the variables that all other themes need."""

from __future__ import annotations

from collections.abc import Iterable

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

LEAST_CONTRAST = {
    ("foreground", "background"): 4.5,
    ("foreground", "surface"): 4.5,
    ("foreground", "panel"): 4.5,
    ("foreground", "felt"): 4.5,
    ("footer-description-foreground", "panel"): 4.5,
    ("text-muted", "panel"): 3.0,
    ("footer-key-foreground", "panel"): 3.0,
    ("quiet", "background"): 3.0,
    ("quiet", "surface"): 3.0,
    ("accent", "panel"): 3.0,
    ("accent", "felt"): 3.0,
    ("warning", "felt"): 3.0,
    ("error", "surface"): 3.0,
}
"""The contrast ratio of a theme's text and its background, by their variables (WCAG 2.2: 4.5 for text, 3 for bold)."""

DARK_PIP, LIGHT_PIP = "#14110F", "#FFFFFF"


def house_variables(dark: bool) -> dict[str, str]:
    """Return the style variables that a theme may override."""
    return {
        "felt": "#16332a" if dark else "#d9e8dc",
        "quiet": "#AFA294" if dark else "#6A5E50",
        "gone": "#85796C" if dark else "#94887A",
        "dimmed": "45%",
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
    accent = "#AA5500" if dark else "#000000"
    return {
        **seat_variables(SIXTEEN_ON_DARK if dark else SIXTEEN_ON_LIGHT),
        **dict.fromkeys(("accent", "primary", "footer-key-foreground"), accent),
        "button-color-foreground": "#000000" if dark else "#FFFFFF",
        **dict.fromkeys(("surface-lighten-1", "surface-darken-1"), "#555555"),
    }


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, "#RRGGBB", from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def legible(theme: Theme) -> bool:
    """Return whether all that is read in a theme contrasts with its background as ``LEAST_CONTRAST`` demands."""
    if theme.name.startswith("ansi"):
        return False  # its colours are those of the terminal, which nobody can measure
    variables = {**house_variables(theme.dark), **theme.to_color_system().generate(), **theme.variables}
    return all(
        contrast(_on(variables[text], variables[ground]), Color.parse(variables[ground]).hex6) >= least
        for (text, ground), least in LEAST_CONTRAST.items()
    )


def _on(colour: str, ground: str) -> str:
    """Return a colour of a style sheet as it is seen on a background, "#RRGGBB"."""
    behind = Color.parse(ground)
    kind, _, share = colour.partition(" ")
    above = behind.get_contrast_text(int(share.rstrip("%")) / 100) if kind == "auto" else Color.parse(colour)
    return (behind + above).hex6


def offered(themes: Iterable[Theme], current: str) -> list[Theme]:
    """Return the themes to choose from: the program's own, the current one, and the others that are legible."""
    others = (theme for theme in themes if theme.name not in HOUSE)
    return [*HOUSE.values(), *(theme for theme in others if theme.name == current or legible(theme))]


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
    success="#1F7A4D",
    warning="#8F5A00",
    error="#B3261E",
    variables={
        "footer-key-foreground": "#8A4B08",
        "border": "#BFAE97",
        "scrollbar": "#94887A",
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
