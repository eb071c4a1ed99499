"""Trying to write the journal until it works, while the screen stays alive and the players decide how long."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from textual.app import App

from fourtwenty.play.match import Busy, Match, NotKept, PlayedElsewhere

QUIET_TRIES, QUIET_SECONDS = 10, 0.02
"""Number of tries while another program writes, and the seconds between them, before the players are asked."""

Result = TypeVar("Result")


class PlayersLeft(Exception):  # noqa: N818 - nothing is wrong
    """The players would rather leave the match than wait or play on unkept."""


async def once_kept(app: App[None], match: Match, attempt: Callable[[], Result]) -> Result:
    """Return the result of an attempt once the journal has it, or the players agree to play on unkept.

    The tries are short and far apart, because SQLite's own waiting would block the event loop. Raises PlayersLeft and
    PlayedElsewhere.
    """
    for _ in range(QUIET_TRIES):
        try:
            return attempt()
        except Busy:
            await asyncio.sleep(QUIET_SECONDS)
        except NotKept:
            break
    return await _once_agreed(app, match, attempt)


async def _once_agreed(app: App[None], match: Match, attempt: Callable[[], Result]) -> Result:
    """Try again and, as long as that fails, show the players the question of ``Unkept``."""
    results: list[Result] = []
    elsewhere: list[PlayedElsewhere] = []

    def refusal() -> str:
        """Try once; return the reason when the attempt cannot be kept, else an empty string."""
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
