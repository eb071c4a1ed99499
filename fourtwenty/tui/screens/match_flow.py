"""The table on the screen as the front end of a match: pace, skipping, other screens over it. No widget and no key."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from fourtwenty.games.game import Event, Roll, State, plays_itself
from fourtwenty.play.flow import AfterRound, Flow, FrontEnd, MatchAbandonedError, Reply, UnsavedAnswer
from fourtwenty.play.match import Journal
from fourtwenty.play.turns import ApplyEvent, AwaitEvent, BotDecides, Decide, Request

if TYPE_CHECKING:
    from fourtwenty.tui.screens.match_view import MatchView

QUIET_SECONDS = 0.2
"""Seconds for which saving is retried, while another program writes, before the players are asked."""

THINK_SECONDS = 0.7
"""Seconds that a bot's choice is shown before it rolls."""
LOOK_SECONDS = 1.1
"""Seconds that a roll is shown before the next turn."""
RESULT_SECONDS = 2.5
"""Seconds that the result of a round is shown."""

ROLL_OFF_SECONDS = 1.6
"""The most seconds for all throws for the start: each gets a third of the rest."""
CHARGE_SECONDS = 4.0
"""The seconds for all rounds that play themselves: each gets its share of the rest, and the last one all of it."""
MIN_ROUND_SECONDS = 0.2
"""The seconds that each of them has at least, however many there are."""
BOTS_SECONDS = 1.8
"""The most seconds for bots between that and the first question: each roll gets a third of the rest."""

LAPS_BEHIND = 2
"""The most turns of every seat that are caught up with roll by roll; more are applied without being shown."""


class MatchFlow(FrontEnd):
    """Plays the match of a view. A screen passes on the players' answers by ``reply``."""

    quiet_seconds = QUIET_SECONDS

    def __init__(self, view: MatchView) -> None:
        self.view = view
        self.match = view.match
        self.turns = view.turns
        self._answer: asyncio.Future[Reply | None] | None = None
        """Awaited while somebody is asked; None means that the flow ends. None while the table plays."""
        self._asked_for: Request | None = None
        self.left = False
        """Whether the people here have left, maybe after the last event."""
        self._skipped = asyncio.Event()
        """Set from a skip until a person is to act."""
        self.shows_result = False
        """Whether the result of a round is shown in a line."""
        self._seconds_left = {"roll-off": ROLL_OFF_SECONDS, "charge": CHARGE_SECONDS, "bots": BOTS_SECONDS}
        """The seconds left, by kind, before the first question."""
        self._hurries = False
        """Whether the game has played itself here since the last question."""
        self._room_changed = asyncio.Event()
        self.shown_prediction: Event | None = None
        """The roll whose dice land, or have landed, before the room confirms it."""
        self._after_round: Callable[[], Awaitable[AfterRound]]
        """Shows the result of a round; returns the players' next step."""

    # -- input -------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> Request | None:
        """The request to the players; None while the table plays."""
        return self.turns.request if self._answer else None

    @property
    def waiting(self) -> bool:
        return self._answer is not None and not self._answer.done()

    def reply(self, answer: Reply | None) -> None:
        """Answer the request, if there is one; None leaves."""
        if self._answer and not self._answer.done():
            self._answer.set_result(answer)

    def skip(self) -> None:
        """Skip bots and rolls until a person is to act."""
        self._skipped.set()

    def leave(self) -> None:
        self.left = True
        self.skip()
        self.follow_room()
        self.reply(None)

    def follow_room(self) -> None:
        self._room_changed.set()
        remote = self.turns.remote
        if remote and remote.event(len(self.match.events) + (self.shown_prediction is not None)):
            self.view.hand.land()  # a throw is shown until a newer event
        if self.turns.remote and self.asked != self._asked_for:
            self.reply(lambda: None)  # the seat that was asked has lost its turn

    # -- the flow ----------------------------------------------------------------------------------------------

    async def play(self, journal: Journal | None, after_round: Callable[[], Awaitable[AfterRound]]) -> bool:
        """Play to the end of the match and return True; return False when the players leave.

        A match without a journal is saved in this one. ``after_round`` shows a round's result and asks for the next
        step. Nothing is played while another screen covers the table. Raises PlayedElsewhereError.
        """
        self._after_round = after_round
        await self.view.uncovered()
        return await Flow(self.turns, self, asyncio.sleep).play(journal)

    def show_round(self) -> None:
        """Show the standings, unless the first picture or the result of the round has them."""
        seen = self.view.opening or self._shows_result_only(self.match.state)
        if not seen or not self.view.begun:
            self.view.begun = True
            self.view.show_standings()
        self.view.opening = False
        self.view.show_round()

    async def show_turn(self, request: Request) -> None:
        """Turn the table to the seat of a request; show a bot's choice for a while."""
        self._stop_if_left()
        if not isinstance(request, AwaitEvent) and not self._shows_result_only(self.match.state):
            self.view.show_hand_of(request.seat)
        if self._is_far_behind:
            self.skip()
        bot = self._bot_that_decides(request)
        if bot and not self._skipped.is_set() and not self.match.state.automatic:
            self.view.show_bot(bot)
            await self._pause(0 if self._hurries else THINK_SECONDS)

    def _shows_result_only(self, state: State) -> bool:
        """Return whether a round plays itself, so that only its result is shown; real dice are typed roll by roll."""
        return plays_itself(state) and not self.match.dice.typed

    @property
    def _is_far_behind(self) -> bool:
        remote, match = self.turns.remote, self.match
        ahead = len(match.events) + LAPS_BEHIND * match.state.seats
        return remote is not None and remote.event(ahead) is not None

    def _bot_that_decides(self, request: Request) -> BotDecides | None:
        if isinstance(request, ApplyEvent) and self.match.lineup.seats[request.seat].bot:
            return BotDecides(request.seat, request.event.action)
        return request if isinstance(request, BotDecides) else None

    async def ask(self, request: Request) -> Reply | None:
        """Show a request and return the players' answer. A forced roll of real dice needs none."""
        if isinstance(request, AwaitEvent):
            await self._await_room(request)
            return None
        if self.match.dice.typed and isinstance(request, Decide) and self.turns.forced:
            return partial(self.turns.decide, self.turns.forced)
        self._skipped.clear()
        self._hurries = False
        self._answer, self._asked_for = asyncio.get_running_loop().create_future(), request
        self.view.show_request(request)
        self.view.app.ring()
        try:
            answer = await self._answer
        finally:
            self._answer = None
            self.view.forget_request()
        self._stop_if_left()
        if self.turns.remote and self.turns.request != request:
            return None  # the seat has lost its turn since the answer
        return answer

    async def _await_room(self, request: AwaitEvent) -> None:
        self._skipped.clear()
        if self.turns.request == request:
            self.view.show_awaited(request)
        while self.turns.request == request and not self.left:
            self._room_changed.clear()
            await self._show_predicted(request)
            await self._room_changed.wait()
        self._stop_if_left()

    async def _show_predicted(self, request: AwaitEvent) -> None:
        """Let the dice land once their faces are known; take them back if the event may not come any more."""
        remote = self.turns.remote
        foreseen = remote.predicted if remote else None
        if foreseen and foreseen != self.shown_prediction:
            self.shown_prediction = foreseen
            await self._throw(self.match.state, foreseen)
            self.view.show_dice(self.match.state, foreseen)
        elif self.shown_prediction and not foreseen:
            self.shown_prediction = None
            self.view.show_hand_of(request.seat)
            self.view.show_awaited(request)

    async def _throw(self, before: State, event: Event) -> None:
        if not (self._skipped.is_set() or self._hurries or before.automatic):
            await self.view.show_throw(event)

    def show_taken_back(self, event: Event) -> None:
        self._stop_if_left()
        self.view.show_taken_back(event)

    async def show_event(self, before: State, event: Event) -> None:
        """Show the tumbling dice of an event and its result, as long as people need to look."""
        self._stop_if_left()
        if self._shows_result_only(before):
            self.shown_prediction = None
            self.view.log_event(before, event)
            self._hurries = True
            await self._pause(0)
            return
        self.view.show_event_turn(before, event)
        if event != self.shown_prediction:
            await self._throw(before, event)
        self.shown_prediction = None
        self.view.show_event(before, event)
        bot_stands = self.match.lineup.seats[event.seat].bot and not isinstance(event.action, Roll)
        if not self.match.dice.typed or bot_stands:
            await self._pause(self._look_seconds(before))  # real dice have been seen on the bar, and people type on
        self._hurries = self._hurries or bool(before.automatic)
        if before.starting_seat is None and self.match.state.starting_seat is not None:
            self._skipped.clear()  # people who skipped this may want to see the next

    def _look_seconds(self, before: State) -> float:
        """Return how many seconds an event is shown, given the state before it."""
        starts = before.starting_seat is None
        if not starts and not self._hurries:
            return LOOK_SECONDS
        return self._share("roll-off" if starts else "bots", 3, LOOK_SECONDS)

    def _share(self, part: str, shares: int, most: float, least: float = 0.0) -> float:
        """Return a share of the seconds left for a part of the start, at most at normal pace, and count it."""
        seconds = max(least, min(most, self._seconds_left[part] / shares))
        self._seconds_left[part] -= seconds
        return seconds / max(1, self.view.pace)

    async def show_result(self, goes_on: bool) -> None:
        """Show the result in a line, unless a page has it; where rounds play themselves, their tokens move."""
        state = self.match.state
        more = goes_on and state.automatic and state.next_round().automatic
        if (not goes_on and not self._shows_result_only(state)) or (more and self.match.dice.typed):
            return
        if not self._is_far_behind and not state.automatic:
            self._skipped.clear()
        if not more:
            self.view.shown_at = monotonic()
            self.shows_result = True
        self.view.show_result("skips" if more else "goes on")
        seconds = RESULT_SECONDS
        if state.automatic:
            seconds = self._share("charge", more + 1, RESULT_SECONDS, MIN_ROUND_SECONDS) / 2
            await self._show_transfer(state, seconds)
        await self._pause(seconds)
        self.shows_result = False
        if not more:
            self.view.forget_request()
            self._skipped.clear()

    async def _show_transfer(self, state: State, seconds: float) -> None:
        """Move the tokens of a finished round one by one, or none if nothing may move."""
        view = self.view
        steps = (*state.transfer, state) if view.hand.moves and view.pace and not self._skipped.is_set() else ()
        for step in steps:
            view.show_transfer(step)
            await self._pause(seconds / len(steps))

    async def ask_after_round(self) -> AfterRound:
        """Show the result once no other screen covers the table; return the players' next step."""
        await self.view.uncovered()
        self._stop_if_left()
        step = await self._after_round()
        if step != "end":
            await self.view.uncovered()
        self._skipped.clear()
        return step

    async def ask_unsaved(self, reason: str, refusal: Callable[[], str]) -> UnsavedAnswer:
        from fourtwenty.tui.dialogs.question_dialogs import SaveFailedDialog

        answer = await self.view.app.push_screen_wait(SaveFailedDialog(reason, refusal))
        return "again" if answer == "saved" else answer

    def _stop_if_left(self) -> None:
        if self.left:
            raise MatchAbandonedError

    async def _pause(self, seconds: float) -> None:
        """Pause for the players to look, unless they skip ahead, and until no other screen covers the table."""
        await asyncio.sleep(0)  # many bots in a row, skipped, still leave time to paint
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skipped.wait(), seconds * self.view.pace)
        await self.view.uncovered()
        self._stop_if_left()
