"""Chances as text, in one style for every front end: percent, within one in the last digit shown."""

from __future__ import annotations

NOTICEABLE = 0.0005
"""The least difference of two chances that is shown: smaller ones would be 0.0%."""

NOTICEABLE_ESTIMATE = 0.005
"""The least difference of two estimates that is shown: they are in whole percent."""

AS_ESTIMATED = ", as far as the estimate goes"
"""The end of a sentence that follows from estimates."""


def noticeable(difference: float, estimated: bool = False) -> bool:
    """Return whether a difference of chances, from 0 to 1, is not shown as zero; ``estimated`` is for estimates."""
    return difference >= (NOTICEABLE_ESTIMATE if estimated else NOTICEABLE)


def percent(chance: float, estimated: bool = False) -> str:
    """Return a chance, from 0 to 1, in percent; an estimate in whole percents after "about".

    Certainty has no decimals, and nothing else is shown as certain.

    >>> percent(1 / 6), percent(1), percent(0.1667, estimated=True), percent(0.9999)
    ('16.7%', '100%', 'about 17%', 'over 99.9%')
    """
    if chance in (0, 1):
        return f"{chance:.0%}"
    digits = 0 if estimated else 1
    text = f"{chance:.{digits}%}"
    if text == f"{1:.{digits}%}":
        return f"over {1 - 10 ** (-2 - digits):.{digits}%}"
    if text == f"{0:.{digits}%}":
        return f"under {10 ** (-2 - digits):.{digits}%}"
    return f"about {text}" if estimated else text


def signed(difference: float, estimated: bool = False) -> str:
    """Return a difference of chances in percent with its sign.

    >>> signed(0.0825), signed(0), signed(0.021, estimated=True)
    ('+8.2%', '0.0%', 'about +2%')
    """
    digits = 0 if estimated else 1
    text = f"{difference:+.{digits}%}".replace("-", "−")
    if text[1:] == f"{0:.{digits}%}":
        text = text[1:]
    return f"about {text}" if estimated else text


def cost(loss: float, estimated: bool = False) -> str:
    """Return the loss of a choice, from 0 to 1, in percent.

    >>> cost(0.045), cost(0.045, estimated=True)
    ('4.5%', 'about 4%')
    """
    return f"about {loss:.0%}" if estimated else f"{loss:.1%}"
