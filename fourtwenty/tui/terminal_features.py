"""Tells what a terminal can show and send by the environment that it sets. Textual is not imported yet."""

from __future__ import annotations

from collections.abc import Mapping

EIGHT_COLOURS = ("linux", *(f"vt{digit}" for digit in range(10)))
"""The starts of a TERM that has eight grounds."""
NO_RGB = ("dvtm", "eterm", *EIGHT_COLOURS)
"""The starts of a TERM without colours of 24 bits. dvtm 0.15 and Emacs 28 take their codes for others."""
ALL_256 = ("alacritty", "contour", "foot", "ghostty", "rio", "wezterm")
"""The starts of a TERM, after "xterm-" if it is there, with 256 colours at least that Rich 15 does not know."""


def color_system(environment: Mapping[str, str]) -> str:
    """Return the value of TEXTUAL_COLOR_SYSTEM for a terminal.

    Rich 15 (console.py, _detect_color_system) believes any COLORTERM, also one inherited from the terminal around GNU
    screen, dvtm or Emacs; and ssh does not send COLORTERM.
    """
    term = environment.get("TERM", "").lower()
    if term.startswith(NO_RGB) or (term.startswith("screen") and environment.get("STY")):
        return "256" if term.endswith("256color") else "standard"
    known = term.removeprefix("xterm-").startswith(ALL_256)
    return "256" if known and not environment.get("COLORTERM") else "auto"


def has_eight_colours(environment: Mapping[str, str]) -> bool:
    """Return whether a terminal shows bright grounds as dark ones."""
    return environment.get("TERM", "").lower().startswith(EIGHT_COLOURS)


def takes_f1(environment: Mapping[str, str]) -> bool:
    """Return whether a terminal keeps F1 for itself, as in Emacs 28, and Xfce Terminal 1.0, known by its desktop."""
    xfce = "xfce" in environment.get("XDG_CURRENT_DESKTOP", "").lower() and "VTE_VERSION" in environment
    return xfce or environment.get("TERM", "").startswith("eterm")
