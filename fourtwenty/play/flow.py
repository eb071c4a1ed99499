"""Plays a match by the answers of a front end. No screen, thread or event loop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Literal, Protocol, TypeVar

from fourtwenty.games.game import Event, State
from fourtwenty.play.match import Journal, JournalLockedError, PlayedElsewhereError, SaveError
from fourtwenty.play.turns import ApplyEvent, BotDecides, Decide, Request, Turns

WRITE_PAUSE_SECONDS = 0.02
"""Pause between tries to write while another program does."""

RETRY_SECONDS = 5.0

Result = TypeVar("Result")

Reply = Callable[[], Event | None]

Sleep = Callable[[float], Awaitable[object]]


AfterRound = Literal["round", "back", "end"]
"""The next step after a round: the next round, the last roll taken back, or the end of the match."""

UnsavedAnswer = Literal["again", "play", "leave"]
"""The players' answer while the match cannot be saved: try again, play on unsaved, or leave."""


class MatchAbandonedError(Exception):
    """The players leave the match. Raised by a front end, except in ``show_end``."""


async def retry_while_locked(attempt: Callable[[], Result], sleep: Sleep, seconds: float = RETRY_SECONDS) -> Result:
    """Call ``attempt`` until it raises no JournalLockedError, for ``seconds`` at most, and return its result.

    SQLite's own waiting would block an event loop, so each try fails at once and is followed by a pause. Raises
    SaveError at once, and its subclass JournalLockedError at the end.
    """
    for _ in range(round(seconds / WRITE_PAUSE_SECONDS)):
        with suppress(JournalLockedError):
            return attempt()
        await sleep(WRITE_PAUSE_SECONDS)
    return attempt()


class FrontEnd(Protocol):
    """Asks the players of a match, and shows it to them."""

    quiet_seconds: float
    """Seconds of tries on the journal, while another program writes, before a question."""

    def show_round(self) -> None:
        """Show that a round begins or is resumed."""

    async def show_turn(self, request: Request) -> None:  # noqa: ARG002 - for overrides
        """Show whose turn it is, before any answer to the request."""
        return

    async def ask(self, request: Request) -> Reply | None:
        """Return the players' answer; None when there is none and the request may have changed."""

    def show_taken_back(self, event: Event) -> None:
        """Show that the roll of an event is taken back."""

    async def show_event(self, before: State, event: Event) -> None:
        """Show a saved event, given the state before it."""

    async def show_result(self, goes_on: bool) -> None:  # noqa: ARG002 - for overrides
        """Show a round's result; if the match goes on, until people have read it."""
        return

    async def ask_after_round(self) -> AfterRound:
        """Return the players' next step when the round has put somebody out or ended the match."""

    async def ask_unsaved(self, reason: str, refusal: Callable[[], str]) -> UnsavedAnswer:
        """Return the players' answer while the match cannot be saved. ``refusal`` tries to save it again, and returns
        the reason of a failure, or an empty text."""

    async def show_end(self, finished: bool) -> None:  # noqa: ARG002 - for overrides
        """Show that the match is over or left unfinished, with its journal closed."""
        return


class Flow:
    """Plays a match to its end."""

    def __init__(self, turns: Turns, front: FrontEnd, sleep: Sleep) -> None:
        self.match = turns.match
        self.turns = turns
        self.front = front
        self.sleep = sleep

    async def play(self, journal: Journal | None = None) -> bool:
        """Return whether the match was played to its end; a journal saves a new match. Raises PlayedElsewhereError."""
        finished = False
        try:
            with suppress(MatchAbandonedError):
                await self._play(journal)
                finished = True
            await self.front.show_end(finished)
        finally:  # by ctrl+c, too
            self.match.suspend()
        return finished

    async def _play(self, journal: Journal | None) -> None:
        if journal and self.match.journal is None:
            await self._once_saved(partial(self.match.save_to, journal))
        self.front.show_round()
        while True:
            if request := self.turns.request:
                await self._answer(request)
                continue
            goes_on = self._goes_on
            await self.front.show_result(goes_on)
            step = "round" if goes_on else await self.front.ask_after_round()
            if step == "end":
                return
            if step == "back":
                await self._carry_out(self.turns.take_back)
            else:
                self.match.next_round()
                self.front.show_round()

    @property
    def _goes_on(self) -> bool:
        """Whether the next round needs no question: nobody is out, or bots while the game plays itself."""
        match = self.match
        quiet = match.state.automatic and all(match.lineup.seats[seat].bot for seat in match.out_now)
        return match.state.outcome is None and (bool(quiet) or not match.out_now)

    async def _answer(self, request: Request) -> None:
        await self.front.show_turn(request)
        answer = self._given_answer(request) or await self.front.ask(request)
        if answer:
            await self._carry_out(answer)

    def _given_answer(self, request: Request) -> Reply | None:
        """Return the answer to a request that needs no player; None for other requests."""
        match request:
            case BotDecides():
                return partial(self.turns.decide, request.action)
            case Decide() if self.turns.forced and self.match.state.automatic:
                return partial(self.turns.decide, self.turns.forced)
            case ApplyEvent():
                return self.turns.follow
        return None

    async def _carry_out(self, answer: Reply) -> None:
        before = self.match.state
        event = await self._once_saved(answer)
        if event and self.match.taken_back:
            self.front.show_taken_back(event)
        elif event:
            await self.front.show_event(before, event)

    async def _once_saved(self, attempt: Callable[[], Result]) -> Result:
        """Call ``attempt`` while it raises SaveError, with questions in between. Raises MatchAbandonedError."""
        kept: list[Result] = []

        def refusal() -> str:
            try:
                kept.append(attempt())
            except SaveError as reason:
                return str(reason)
            except PlayedElsewhereError:
                pass  # raised by the next try, outside the dialog
            return ""

        while not kept:
            try:
                return await retry_while_locked(attempt, self.sleep, self.front.quiet_seconds)
            except SaveError as reason:
                answer = await self.front.ask_unsaved(str(reason), refusal)
            if answer == "leave":
                raise MatchAbandonedError
            if answer == "play":
                self.match.play_unsaved()
        return kept[0]
