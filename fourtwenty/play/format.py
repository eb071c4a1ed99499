"""Formats chances in percent, within one in the last digit shown, and compares names."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from fourtwenty.games.english import in_words

NOTICEABLE = 0.0005
"""The least difference of chances that is shown: smaller ones would be 0.0%."""

NOTICEABLE_ESTIMATE = 0.005
"""The least difference of estimates that is shown: they are in whole percent."""

EVEN_ENOUGH = 0.02
"""The share of a chance by which "one in six" may differ from it."""

AS_ESTIMATED = ", as far as the estimate goes"

UNSEEN = (
    r"[\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e"
    r"\u2060-\u2064\u2066-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f]+"
)
"""The format characters (Cf) of Unicode 17.0, and invisible ones that Unicode calls letters or symbols."""

SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\u1680\u2028\u2029"
"""White space that NFKC leaves, in Unicode 17.0."""

IGNORABLE = (
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
"""Invisible characters: Default_Ignorable_Code_Point of Unicode 17.0 (DerivedCoreProperties.txt)."""


def noticeable(difference: float, estimated: bool = False) -> bool:
    """Return whether a difference of chances or estimates, from 0 to 1, is not shown as zero."""
    return difference >= (NOTICEABLE_ESTIMATE if estimated else NOTICEABLE)


def percent(chance: float, estimated: bool = False, digits: int = 1) -> str:
    """Return a chance or a rate, from 0 to 1, in percent; an estimate with "about" and without decimals.

    Only certainty is shown as certain, without decimals.

    >>> percent(1 / 6), percent(1), percent(0.1667, estimated=True), percent(0.9999)
    ('16.7%', '100%', 'about 17%', 'over 99.9%')
    >>> percent(199 / 200, digits=0), percent(1 / 250, digits=0), percent(1 / 6, digits=2)
    ('over 99%', 'under 1%', '16.67%')
    """
    if chance in (0, 1):
        return f"{chance:.0%}"
    digits = 0 if estimated else digits
    text = f"{chance:.{digits}%}"
    if text == f"{1:.{digits}%}":
        return f"over {1 - 10 ** (-2 - digits):.{digits}%}"
    if text == f"{0:.{digits}%}":
        return f"under {10 ** (-2 - digits):.{digits}%}"
    return f"about {text}" if estimated else text


def signed(difference: float, estimated: bool = False) -> str:
    """Return a difference of chances in points with its sign, from 1,000 without decimals.

    >>> signed(0.0825), signed(0), signed(0.021, estimated=True), signed(12.345)
    ('+8.2 points', '0.0 points', 'about +2 points', '+1,234 points')
    """
    digits = 0 if estimated or abs(difference) >= 10 else 1
    text = f"{100 * difference:+,.{digits}f}".replace("-", "−")
    if text[1:] == f"{0:.{digits}f}":
        text = text[1:]
    return f"{'about ' * estimated}{text} {'point' if text[1:] == '1' else 'points'}"


def cost(difference: float, estimated: bool = False, digits: int = 1) -> str:
    """Return a difference of chances, from 0 to 1, in points: percent would be mistaken for a share of a chance.

    >>> cost(0.045), cost(0.045, estimated=True), cost(0.00321, digits=2), cost(0.01, estimated=True)
    ('4.5 points', 'about 4 points', '0.32 points', 'about 1 point')
    """
    text = f"{100 * difference:.{0 if estimated else digits}f}"
    return f"{'about ' * estimated}{text} {'point' if text == '1' else 'points'}"


def chance_in_words(chance: float, estimated: bool = False) -> str:
    """Return a chance, from 0 to 1: "one in six", or in percent where that is closer.

    >>> chance_in_words(1 / 6), chance_in_words(35 / 1296), chance_in_words(0.72), chance_in_words(1)
    ('one in six', 'one in 37', '72.0% chance', '100% chance')
    """
    number = round(1 / chance) if chance else 0
    if number > 1 and abs(chance * number - 1) < EVEN_ENOUGH:
        return f"{'about ' * estimated}one in {in_words(number)}"
    return f"{percent(chance, estimated)} chance"


@lru_cache(maxsize=4096)  # a new name at a table of machines is compared with a thousand others
def name_key(text: str) -> str:
    """Return a key that is equal for names of new seats that look alike; empty if invisible.

    >>> name_key("Ann\\ufe0f"), name_key("\\u034f")
    ('ann', '')
    """
    return stored_name_key(without(IGNORABLE, text))


@lru_cache(maxsize=4096)
def stored_name_key(text: str) -> str:
    """Return a key that is equal for the same stored name. The database has it, so it must not change.

    Unlike ``name_key`` it distinguishes invisible marks.

    >>> stored_name_key(" Zoe\\u0308 ") == stored_name_key("ZO\\u00cb"), stored_name_key("\\u200b")
    (True, '')
    """
    # Categories and white space may change between versions of Unicode, and with them between Pythons; for characters
    # that both versions have, toCasefold(toNFKC(x)) never does (unicode.org/policies/stability_policy.html).
    return unicodedata.normalize("NFKC", without(UNSEEN, text)).strip(SPACES).casefold()


def without(characters: str, text: str) -> str:
    """Return a text without the matches of a pattern, UNSEEN or IGNORABLE.

    No ASCII character is one of them; most starts do without compiling the patterns, which takes 1 ms.
    """
    return text if text.isascii() else re.sub(characters, "", text)
