"""Large letters in two fonts, of three and of five rows, without widgets."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import combining, normalize

Font = dict[str, tuple[str, ...]]
"""The rows of each character, all of one width."""

_SMALL = """
A ▄▀▀▄|█▀▀█|▀..▀
B █▀▀▄|█▀▀▄|▀▀▀.
C ▄▀▀▀|█...|.▀▀▀
D █▀▀▄|█..█|▀▀▀.
E █▀▀▀|█▀▀.|▀▀▀▀
F █▀▀▀|█▀▀.|▀...
G ▄▀▀▀|█.▀█|.▀▀▀
H █..█|█▀▀█|▀..▀
I █|█|▀
J ..▀█|▄..█|.▀▀.
K █.▄▀|█▀▄.|▀..▀
L █...|█...|▀▀▀▀
M █▄.▄█|█.▀.█|▀...▀
N █▄..█|█.▀▄█|▀...▀
O ▄▀▀▄|█..█|.▀▀.
P █▀▀▄|█▀▀.|▀...
Q ▄▀▀▄|█.▄▀|.▀.▀
R █▀▀▄|█▀█.|▀..▀
S ▄▀▀▀|.▀▀▄|▀▀▀.
T ▀█▀|.█.|.▀.
U █..█|█..█|.▀▀.
V █...█|.█.█.|..▀..
W █...█|█▄▀▄█|▀...▀
X █..█|▄▀▀▄|▀..▀
Y █.█|.█.|.▀.
Z ▀▀▀█|▄▀▀.|▀▀▀▀
0 ▄▀█▄|█▀.█|.▀▀.
1 ▀█.|.█.|▀▀▀
2 ▀▀▀▄|▄▀▀.|▀▀▀▀
3 ▀▀▀▄|.▀▀▄|▀▀▀.
4 █..█|▀▀▀█|...▀
5 █▀▀▀|▀▀▀▄|▀▀▀.
6 ▄▀▀.|█▀▀▄|.▀▀.
7 ▀▀▀█|.▄▀.|.▀..
8 ▄▀▀▄|▄▀▀▄|.▀▀.
9 ▄▀▀▄|.▀▀█|.▀▀.
' █|.|.
- ..|▀▀|..
. .|.|▀
, ..|..|▄▀
! █|█|▀
& ▄▀▄.|▄▀▄▀|.▀.▀
+ ...|▀█▀|...
"""
_LARGE = """
A .████.|██..██|██████|██..██|██..██
B █████.|██..██|█████.|██..██|█████.
C .█████|██....|██....|██....|.█████
D █████.|██..██|██..██|██..██|█████.
E █████|██...|████.|██...|█████
F █████|██...|████.|██...|██...
G .█████|██....|██.███|██..██|.█████
H ██..██|██..██|██████|██..██|██..██
I ██|██|██|██|██
J ...██|...██|...██|██.██|.███.
K ██..██|██.██.|████..|██.██.|██..██
L ██...|██...|██...|██...|█████
M ██...██|███.███|███████|██.█.██|██...██
N ██...██|███..██|██.█.██|██..███|██...██
O .████.|██..██|██..██|██..██|.████.
P █████.|██..██|█████.|██....|██....
Q .████.|██..██|██..██|██.██.|.██.██
R █████.|██..██|█████.|██.██.|██..██
S .█████|██....|.████.|....██|█████.
T ██████|..██..|..██..|..██..|..██..
U ██..██|██..██|██..██|██..██|.████.
V ██..██|██..██|██..██|.████.|..██..
W ██...██|██...██|██.█.██|███████|.██.██.
X ██..██|.████.|..██..|.████.|██..██
Y ██..██|.████.|..██..|..██..|..██..
Z ██████|...██.|..██..|.██...|██████
0 .████.|██.███|██████|███.██|.████.
1 .██.|███.|.██.|.██.|████
2 █████.|....██|.████.|██....|██████
3 █████.|....██|.████.|....██|█████.
4 ██..██|██..██|██████|....██|....██
5 ██████|██....|█████.|....██|█████.
6 .████.|██....|█████.|██..██|.████.
7 ██████|...██.|..██..|.██...|.██...
8 .████.|██..██|.████.|██..██|.████.
9 .████.|██..██|.█████|....██|.████.
' ██|██|..|..|..
- ....|....|████|....|....
. ..|..|..|..|██
, ..|..|..|██|█.
! ██|██|██|..|██
& .███..|██.█..|.███.█|██.██.|.███.█
+ ......|..██..|██████|..██..|......
"""
SPELLED = {"Æ": "AE", "Œ": "OE", "Ø": "O", "Ł": "L", "Đ": "D", "Ð": "D", "Þ": "TH", "’": "'"}
"""Replacements of capitals that are not a base letter with an accent."""


def _font(drawings: str) -> Font:
    """Read the lines of a drawing: the character, then its rows, with dots for blanks."""
    lines = drawings.strip().splitlines()
    font = {line[0]: tuple(line[2:].replace(".", " ").split("|")) for line in lines}
    return {**font, " ": ("  ",) * len(font["A"])}


SMALL = _font(_SMALL)
"""Three rows, two pixels to a cell."""
LARGE = _font(_LARGE)
"""Five rows, with strokes of two cells."""


def spelled(text: str) -> str | None:
    """Return a text in the fonts' characters, capitals without accents; None if that is impossible.

    >>> spelled("Zoë Łuk")
    'ZOE LUK'
    """
    letters = normalize("NFKD", "".join(SPELLED.get(letter, letter) for letter in text.strip().upper()))
    plain = "".join(letter for letter in letters if not combining(letter))
    return plain if plain and set(plain) <= set(SMALL) else None


@lru_cache
def letter_rows(text: str, large: bool, scale: int = 1) -> tuple[str, ...] | None:
    """Return the rows of a text, ``scale`` times as wide and high as the font; None if letters are missing."""
    plain = spelled(text)
    if plain is None:
        return None
    font = LARGE if large else SMALL
    rows = [" ".join(font[letter][row] for letter in plain) for row in range(len(font["A"]))]
    return tuple("".join(cell * scale for cell in row) for row in rows for _ in range(scale))
