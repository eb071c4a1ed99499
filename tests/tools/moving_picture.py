"""Joins screenshots into one SVG that moves: a strip of frames, shifted by CSS, which stands still where people ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

ROW = 24.4
"""Height of a row in the SVG of Rich 14 and 15."""
LEFT, TOP = 9, 41
"""Place of the first cell in the window that Rich draws."""
BASE = 18.5
"""Distance from the top of a row to the baseline of its text."""
TEXT = re.compile(r'<text class="[^"]*-(r\d+)" x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"[^>]*>([^<]*)</text>')
RECTANGLE = re.compile(r'<rect fill="(#\w+)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="24.65"[^>]*>')


def moving_picture(frames: Sequence[tuple[str, float]], still: int) -> str:
    """Return an SVG of frames, each a screenshot of ``App.export_screenshot`` with the seconds for which it is shown.

    All have the same size. ``still`` is the number of the frame that stands where motion is reduced.
    """
    first = frames[0][0]
    window = first[first.index('<rect fill="#292929"') : first.index(f'<g transform="translate({LEFT}, {TOP})"')]
    window = re.sub(r'class="[^"]*-title"', 'class="title"', window)
    fonts = "".join(re.findall(r"@font-face \{.*?\n    \}", first, re.DOTALL))
    (size,) = re.findall(r'viewBox="0 0 ([\d.]+ [\d.]+)"', first)
    (width,) = re.findall(r'clip-terminal">\s*<rect x="0" y="0" width="([\d.]+)"', first)
    (height,) = re.findall(r'clip-terminal">\s*<rect x="0" y="0" width="[\d.]+" height="([\d.]+)"', first)

    styles: dict[str, str] = {}
    rows: dict[str, str] = {}
    strip: dict[str, int] = {}
    shown = []
    for svg, _ in frames:
        uses = "".join(
            f'<use href="#{rows.setdefault(row, f"r{len(rows)}")}" y="{number * ROW:.4g}"/>'
            for number, row in enumerate(_rows(svg, styles))
        )
        shown.append(strip.setdefault(uses, len(strip)))

    step = float(width) + 10  # a gap, so that no edge of a neighbour shows where pixels are rounded
    lasts = [seconds for _, seconds in frames]
    whole = sum(lasts)
    begins = [0.0, *accumulate(lasts)]
    keys = "".join(
        f"{100 * begin / whole:.5g}%{{transform:translateX({-step * place:g}px)}}"
        for begin, place in zip(begins, shown, strict=False)
    )
    return (
        f'<svg class="rich-terminal" viewBox="0 0 {size}" xmlns="http://www.w3.org/2000/svg">\n<style>\n{fonts}\n'
        f"text{{font-family:Fira Code,monospace;font-size:20px;white-space:pre}}path{{shape-rendering:crispEdges}}\n"
        + "".join(f".{name}{{{style}}}" for style, name in styles.items())
        + f"\n.title{{font:bold 18px arial}}\n@keyframes play{{{keys}}}\n"
        f".strip{{animation:play {whole:.4g}s step-end infinite;transform:translateX({-step * shown[still]:g}px)}}\n"
        "@media (prefers-reduced-motion:reduce){.strip{animation:none}}\n</style>\n<defs>\n"
        + "".join(f'<g id="{name}">{row}</g>\n' for row, name in rows.items())
        + f"</defs>\n{window}\n"
        f'<svg x="{LEFT}" y="{TOP}" width="{width}" height="{height}"><g class="strip">\n'
        + "".join(f'<g transform="translate({step * place:g})">{uses}</g>\n' for uses, place in strip.items())
        + "</g></svg>\n</svg>\n"
    )


def _rows(svg: str, styles: dict[str, str]) -> list[str]:
    """Return the rows of a screenshot, each with its top at 0; ``styles`` has the class of every style so far."""
    own = dict(re.findall(r"-(r\d+) \{ ([^}]*) \}", svg))
    grounds: dict[int, list[tuple[str, float, float]]] = {}
    for fill, x, y, width in RECTANGLE.findall(svg):
        row = grounds.setdefault(round((float(y) - 1.5) / ROW), [])
        if row and row[-1][0] == fill:  # it goes on
            row[-1] = fill, row[-1][1], row[-1][2] + float(width)
        else:
            row.append((fill, float(x), float(width)))
    texts: dict[int, list[str]] = {}
    for style, x, y, length, text in TEXT.findall(svg):
        text = text.replace("&#160;", "\xa0")
        if text.strip():
            name = styles.setdefault(own[style].replace(": ", ":"), f"s{len(styles)}")
            texts.setdefault(round((float(y) - 20) / ROW), []).append(
                f'<text class="{name}" x="{x}" y="{BASE}" textLength="{length}">{text}</text>'
            )
    whole = max(x + width for row in grounds.values() for _, x, width in row)
    return [_ground(row, whole) + "".join(texts.get(number, ())) for number, row in sorted(grounds.items())]


def _ground(row: Sequence[tuple[str, float, float]], whole: float) -> str:
    """Return what is behind the text of a row of a width: its commonest colour, and over it a path for each other."""
    widths: dict[str, float] = {}
    paths: dict[str, str] = {}
    for fill, x, width in row:
        widths[fill] = widths.get(fill, 0) + width
        paths[fill] = paths.get(fill, "") + f"M{x:g} 0h{width:.5g}v24.65H{x:g}"
    commonest = max(widths, key=lambda fill: widths[fill])
    paths[commonest] = f"M0 0h{whole:g}v24.65H0"
    return "".join(
        f'<path fill="{fill}" d="{paths[fill]}"/>' for fill in sorted(paths, key=lambda fill: fill != commonest)
    )
