"""Tells what a terminal can show and send by the environment that it sets. Textual is not imported yet."""

from __future__ import annotations

import re
from collections.abc import Mapping

EIGHT_COLOURS = r"linux|vt\d"
"""The start of a TERM that has eight grounds."""
NO_RGB = rf"dvtm|eterm|{EIGHT_COLOURS}"
"""The start of a TERM without colours of 24 bits. dvtm 0.15 and Emacs 28 take their codes for others."""
ALL_256 = r"(xterm-)?(alacritty|contour|foot|ghostty|rio|wezterm)"
"""The start of a TERM with 256 colours at least that Rich 15 does not know."""


def color_system(environment: Mapping[str, str]) -> str:
    """Return the value of TEXTUAL_COLOR_SYSTEM for a terminal.

    Rich 15 (console.py, _detect_color_system) believes any COLORTERM, also one inherited from the terminal around GNU
    screen, dvtm or Emacs; and ssh does not send COLORTERM.
    """
    term = environment.get("TERM", "").lower()
    if re.match(NO_RGB, term) or (term.startswith("screen") and environment.get("STY")):
        return "256" if term.endswith("256color") else "standard"
    return "256" if re.match(ALL_256, term) and not environment.get("COLORTERM") else "auto"


def has_eight_colours(environment: Mapping[str, str]) -> bool:
    """Return whether a terminal shows bright grounds as dark ones."""
    return re.match(EIGHT_COLOURS, environment.get("TERM", "").lower()) is not None


def takes_f1(environment: Mapping[str, str]) -> bool:
    """Return whether a terminal keeps F1 for itself, as in Emacs 28, and Xfce Terminal 1.0, known by its desktop."""
    xfce = "xfce" in environment.get("XDG_CURRENT_DESKTOP", "").lower() and "VTE_VERSION" in environment
    return xfce or environment.get("TERM", "").startswith("eterm")
