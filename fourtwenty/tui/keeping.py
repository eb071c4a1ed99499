"""Repeated tries to write while another program does, or while the journal cannot be written. The screen goes on.

SQLite's own waiting would block the event loop, so every try fails at once, and the tries have pauses between them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from textual.app import App

from fourtwenty.play.match import Busy, Match, NotKept, PlayedElsewhere

PAUSE_SECONDS = 0.02
"""Pause between two tries."""

RETRY_SECONDS = 5.0
"""Default time for the tries, while another program writes."""

QUIET_SECONDS = 0.2
"""Time for which the journal is tried, while another program writes, before the players are asked."""

Result = TypeVar("Result")


class PlayersLeft(Exception):  # noqa: N818 - nothing is wrong
    """The players would rather leave the match than wait or play on unkept."""


async def once_free(attempt: Callable[[], Result], seconds: float = RETRY_SECONDS) -> Result:
    """Call ``attempt`` until it does not raise Busy, for this many seconds at most, and return its result.

    Raises NotKept at once, and its subclass Busy at the end.
    """
    for _ in range(round(seconds / PAUSE_SECONDS)):
        with suppress(Busy):
            return attempt()
        await asyncio.sleep(PAUSE_SECONDS)
    return attempt()


async def once_kept(app: App[None], match: Match, attempt: Callable[[], Result]) -> Result:
    """Call ``attempt`` until it does not raise NotKept, and return its result.

    After QUIET_SECONDS the players are asked whether to wait, to play on unkept or to leave. Raises PlayersLeft, and
    PlayedElsewhere when another table has resumed the match.
    """
    with suppress(NotKept):
        return await once_free(attempt, QUIET_SECONDS)
    return await _once_agreed(app, match, attempt)


async def _once_agreed(app: App[None], match: Match, attempt: Callable[[], Result]) -> Result:
    """Call ``attempt``; as long as it raises NotKept, show the dialog ``Unkept``, which calls it again."""
    results: list[Result] = []
    elsewhere: list[PlayedElsewhere] = []

    def refusal() -> str:
        """Call ``attempt``; return the reason when it raises NotKept, else an empty string."""
        try:
            results.append(attempt())
        except NotKept as reason:
            return str(reason)
        except PlayedElsewhere as error:
            elsewhere.append(error)
        return ""

    reason = refusal()
    if reason:
        from fourtwenty.tui.dialogs.unkept import Unkept

        answer = await app.push_screen_wait(Unkept(reason, refusal))
        if answer == "leave":
            raise PlayersLeft
        if answer == "play":
            match.play_on_unkept()
            refusal()
    if elsewhere:
        raise elsewhere[0]
    return results[0]
