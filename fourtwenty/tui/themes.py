"""The themes, dark, light and of high contrast, and their common variables."""

from __future__ import annotations

from functools import cache

from textual.theme import Theme

TINTS_ON_DARK = ("#DB4530", "#74A9EA", "#F4E65A", "#7AF0D8", "#9D62C8", "#F0A06A")
TINTS_ON_LIGHT = ("#A30506", "#062E9C", "#A27801", "#01767A", "#E10CD5", "#3B0348")
TINTS_ON_BLACK = ("#FF766C", "#5FA0FF", "#FFFF00", "#9BFFBF", "#B2C2D7", "#FFB601")
"""The seat colours, red and blue first. A search maximized the least distance between any two, as seen with normal
vision and with protan, deutan and tritan dichromacy (Machado, Oliveira, Fernandes 2009), among colours visible on every
ground; tests compute both."""

SIXTEEN_ON_DARK = ("#FF5555", "#5555FF", "#FFFF55", "#55FFFF", "#FF55FF", "#55FF55")
SIXTEEN_ON_LIGHT = ("#AA0000", "#0000AA", "#AA5500", "#555555", "#AA00AA", "#00AA00")
"""The seat colours on a terminal of sixteen colours. Rich maps others to the nearest: blue to grey, and two to one."""

DARK_PIP, LIGHT_PIP = "#0A0908", "#FFFFFF"


def default_variables(dark: bool) -> dict[str, str]:
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
    """Return the style variables of the seats: colours, and pip colours that contrast with them."""
    pips = [_readable_on(tint) for tint in tints]
    return {
        **{f"seat-{number}": tint for number, tint in enumerate(tints)},
        **{f"seat-{number}-pip": pip for number, pip in enumerate(pips)},
    }


def ansi_variables(dark: bool) -> dict[str, str]:
    """Return the style variables for sixteen colours: no seat has the accent, and buttons have edges."""
    accent = "#00AAAA" if dark else "#5555FF"
    return {
        **seat_variables(SIXTEEN_ON_DARK if dark else SIXTEEN_ON_LIGHT),
        **dict.fromkeys(("quiet", "gone", "text-disabled", "scrollbar"), "#AAAAAA" if dark else "#555555"),
        **dict.fromkeys(("accent", "primary", "footer-key-foreground"), accent),
        "button-color-foreground": "#000000" if dark else "#FFFFFF",
        **({} if dark else {"warning": "#AA0000"}),
        **dict.fromkeys(("surface-lighten-1", "surface-darken-1"), "#555555"),
    }


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, "#RRGGBB", from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


@cache
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

THEMES_BY_NAME = {theme.name: theme for theme in (SNUG, TERRACE, BLACKBOARD)}
"""The themes for dark rooms, for sunlight, and for high contrast."""

ON_256 = {
    "snug": {"background": "#121212", "surface": "#1C1C1C", "panel": "#303030", "felt": "#262626"}
    | {"quiet": "#B2B2B2", "gone": "#A8A8A8", "error": "#FF8787"},
    "terrace": {"background": "#F4F4F4", "surface": "#FFFFFF", "panel": "#EEEEEE", "felt": "#EEEEEE"}
    | dict.fromkeys(("primary", "accent", "warning", "footer-key-foreground"), "#875F00")
    | dict.fromkeys(("button-color-foreground", "block-cursor-foreground"), "#FFFFFF")
    | dict.fromkeys(("quiet", "gone"), "#5F5F5F")
    | seat_variables(("#AF0000", "#000087", "#AF5F00", "#005F5F", "#D700D7", "#5F005F")),
}
"""The style variables for 256 colours, by theme. Rich maps the felt to a loud green, and most dark grounds to black."""
