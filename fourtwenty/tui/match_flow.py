"""The flow of a match at the table: requests are shown, answers awaited and carried out. No widget and no key."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from fourtwenty.games.game import Event, Roll
from fourtwenty.play.turns import AddWords, Arrived, Awaited, BotDecides, Decide, Request
from fourtwenty.tui.keeping import PlayersLeft, Result, once_kept

if TYPE_CHECKING:
    from fourtwenty.journal.history import History
    from fourtwenty.tui.screens.match_view import MatchView

THINK_SECONDS = 0.7
"""Seconds that a bot's choice is shown before it rolls."""
LOOK_SECONDS = 1.1
"""Seconds that a roll is shown before the table turns to the next hand."""

LAPS_BEHIND = 2
"""Number of turns of every seat that a machine may be behind its room; what is more is not shown roll by roll."""

Reply = Callable[[], Event | None]
"""Gives ``Turns`` the answer to a request."""


class MatchFlow:
    """Plays the match of a view round by round. A screen passes on the answers of the players by ``reply``."""

    def __init__(self, view: MatchView, pace: float = 1.0) -> None:
        """Play at a pace that multiplies the time for which bots and rolls are shown; at 0 they are not shown."""
        self.view = view
        self.match = view.match
        self.turns = view.turns
        self.pace = pace
        self._answer: asyncio.Future[Reply | None] | None = None
        """Awaited while somebody is asked; its result is None when they leave. None while the table plays."""
        self._asked_for: Request | None = None
        """The last request that was shown."""
        self._left = False
        """Whether the players leave the match unfinished."""
        self._skipped = asyncio.Event()
        """Set from the moment somebody skips ahead until a person is to act."""
        self._room_changed = asyncio.Event()
        """Set when something has happened in the room of the match."""

    # -- input -------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Request | None:
        """The request that the players are to answer; None while the table plays."""
        return self.turns.request if self._answer else None

    @property
    def waiting(self) -> bool:
        """Whether an answer is awaited."""
        return self._answer is not None and not self._answer.done()

    def reply(self, answer: Reply | None) -> None:
        """Give the answer to the request, or None to leave, if an answer is awaited."""
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def skip(self) -> None:
        """Show no more bots and rolls until a person is to act."""
        self._skipped.set()

    def leave(self) -> None:
        """End the flow as soon as possible."""
        self._left = True
        self.skip()
        self.follow_room()
        self.reply(None)

    def follow_room(self) -> None:
        """Go on with what has happened in the room of the match."""
        self._room_changed.set()
        if self.turns.company and self.asked != self._asked_for:
            self.reply(lambda: None)  # the seat that was asked has lost its turn in the meantime

    # -- the flow ----------------------------------------------------------------------------------------------

    async def keep(self, history: History) -> bool:
        """Begin the journal of a match that has none; return False when the players leave because it is not kept."""
        if self.match.journal is None:
            await self._once_kept(partial(self.match.keep, history.journal()))
        return not self._left

    async def play_round(self) -> bool:
        """Play to the end of the round and return True; return False when the players leave.

        While another screen covers the table, nothing is played. Raises PlayedElsewhere.
        """
        view = self.view
        await view.uncovered()
        self._skipped.clear()
        if isinstance(self.turns.request, AddWords):
            view.opening = False
            await self._play(self.turns.request)
        if self._left:
            return False
        if not view.opening:  # the first picture has them
            view.show_standings()
        view.opening = False
        view.show_round()
        while not self._left:
            if request := self.turns.request:
                await self._play(request)
            elif self._goes_on_by_itself:
                self.match.next_round()
                view.show_round()
                view.show_standings()
            else:
                break
        await view.uncovered()
        return not self._left

    @property
    def _goes_on_by_itself(self) -> bool:
        """Whether the round that is over, and the next one, are played without asking."""
        state = self.match.state
        return state.automatic and state.outcome is None and state.next_round().automatic

    async def _play(self, request: Request) -> None:
        """Get the answer to a request and carry it out, unless the players leave."""
        if isinstance(request, Awaited):
            await self._await_room(request)
            return
        if not isinstance(request, AddWords):
            self.view.show_hand_of(request.seat)
        if self._is_far_behind:
            self.skip()
        answer = self._given_answer(request)
        bot = self._bot_that_decides(request)
        if bot and not self._skipped.is_set():
            self.view.show_bot(bot)
            await self._pause(THINK_SECONDS)
        if not answer:
            answer = await self._ask(request)
        if answer and not self._left:
            await self._carry_out(request, answer)

    async def _await_room(self, request: Awaited) -> None:
        """Wait until something happens in the room of the match."""
        self._skipped.clear()
        self._room_changed.clear()
        if self.turns.request == request:
            self.view.show_awaited(request)
            await self._room_changed.wait()

    @property
    def _is_far_behind(self) -> bool:
        company, match = self.turns.company, self.match
        ahead = len(match.events) + LAPS_BEHIND * match.state.seats
        return company is not None and company.event(ahead) is not None

    def _bot_that_decides(self, request: Request) -> BotDecides | None:
        """The decision of a bot, here or in the room of the match."""
        if isinstance(request, Arrived) and self.match.lineup.seats[request.seat].bot:
            return BotDecides(request.seat, request.event.action)
        return request if isinstance(request, BotDecides) else None

    def _given_answer(self, request: Request) -> Reply | None:
        """Return the answer to a request that no player needs to be asked; None for other requests."""
        match request:
            case AddWords(people=()):
                return self.turns.settle
            case BotDecides():
                return partial(self.turns.decide, request.action)
            case Arrived():
                return self.turns.follow
            case Decide() if self.turns.company:
                return None  # a forced move that a person need not make is made by the machine at once
            case Decide() if self.turns.forced and (self.match.typed or self.match.state.automatic):
                return partial(self.turns.decide, self.turns.forced)
        return None

    async def _ask(self, request: Request) -> Reply | None:
        """Show a request and return the answer of the players; None when they leave."""
        self._skipped.clear()
        self._answer, self._asked_for = asyncio.get_running_loop().create_future(), request
        self.view.show_request(request)
        self.view.post_message(self.view.Asked())
        try:
            return await self._answer
        finally:
            self._answer = None
            self.view.typed_faces.asked = 0

    async def _carry_out(self, request: Request, answer: Reply) -> None:
        """Carry out the answer to a request; once it is kept, show what came of it."""
        before = self.match.state
        event = await self._once_kept(answer)
        if self._left:
            return
        if isinstance(request, AddWords):
            self.view.show_settled()
        elif event and self.match.taken_back:
            self.view.show_taken_back(event)
        elif event:
            self.view.show_event_turn(event)
            if not self._skipped.is_set():
                await self.view.show_throw(event)
            self.view.show_event(before, event)
            bot_stands = self.match.lineup.seats[event.seat].bot and not isinstance(event.action, Roll)
            if not self.match.typed or bot_stands:
                await self._pause(LOOK_SECONDS)  # real dice have been seen on the bar, and people type on

    async def take_back(self) -> None:
        """Undo the last roll of real dice, whose faces are then typed again. Raises PlayedElsewhere."""
        event = await self._once_kept(self.turns.take_back)
        if event:
            self.view.show_taken_back(event)

    async def _once_kept(self, attempt: Callable[[], Result]) -> Result | None:
        """Return the result of an attempt once it can be kept; None when the players leave. Raises PlayedElsewhere."""
        try:
            return await once_kept(self.view.app, self.match, attempt)
        except PlayersLeft:
            self._left = True
            return None

    async def _pause(self, seconds: float) -> None:
        """Pause for the players to look, unless they skip ahead, and until no other screen covers the table."""
        await asyncio.sleep(0)  # many bots in a row, skipped, still leave the screen time to paint
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skipped.wait(), seconds * self.pace)
        await self.view.uncovered()
