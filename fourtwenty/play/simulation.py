"""Plays matches between bots, many from one seed, in one process or several; measures custom bots' losses."""

from __future__ import annotations

import signal
import sys
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from fourtwenty.games.game import Action, Outcome, State
from fourtwenty.odds import solver_for
from fourtwenty.odds.solver import Choice, choice_for
from fourtwenty.odds.tables import DamagedTableError
from fourtwenty.play.custom_policy import CustomPolicy, PolicyError, load_policy
from fourtwenty.play.dice import FairDice
from fourtwenty.play.format import stored_name_key
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match

# Only several processes import multiprocessing, which some Pythons lack.
if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection


class JobError(Exception):
    """A process of ``play_matches`` cannot start, or ended early. The message has no full stop."""


class JudgedChoice(Struct, frozen=True):
    state: State
    choice: Choice
    best: Choice

    @property
    def loss(self) -> float:
        """The lost win probability, from 0 to 1."""
        return self.best.value - self.choice.value

    @property
    def estimated(self) -> bool:
        return solver_for(self.state).is_estimated(self.state)


class SimulatedMatch(Struct, frozen=True):
    outcome: Outcome
    judged: Mapping[int, list[JudgedChoice]]
    """The unforced choices of custom bots, by seat."""


def play_matches(lineup: Lineup, matches: int, seed: bytes, jobs: int = 1) -> Generator[Outcome, None, None]:
    """Return an iterator over the outcomes of matches between bots, each played when asked for.

    Dice follow from ``seed``, of any length, and the match's number, so ``jobs`` processes do not change outcomes.
    Closing the iterator ends the processes. Only the main thread may use several.

    Raises ValueError for matches that cannot be played, PolicyError for an unknown policy. The iterator raises JobError
    when a process cannot start or ends early, DamagedTableError, and PolicyError for a policy that fails.
    """
    refusal = lineup.check(stored_name_key)
    if refusal:
        raise ValueError(refusal)
    check_bots(lineup)
    if matches < 0 or jobs < 1:
        raise ValueError(f"{matches} matches cannot be played by {jobs} jobs.")
    custom_policies(lineup)
    return _outcomes(play_and_judge(lineup, matches, seed, jobs))


def check_bots(lineup: Lineup) -> None:
    """Raise ValueError unless every seat is a bot."""
    for seat in lineup.seats:
        if seat.bot is None:
            raise ValueError(f"{seat.name} is a person; every seat of a simulation is a bot, as bot:Steady")


def _outcomes(all_played: Generator[SimulatedMatch, None, None]) -> Generator[Outcome, None, None]:
    with closing(all_played):
        for played in all_played:
            yield played.outcome


def play_and_judge(lineup: Lineup, matches: int, seed: bytes, jobs: int = 1) -> Generator[SimulatedMatch, None, None]:
    """Play as ``play_matches``, and measure every choice of a custom bot against best play."""
    jobs = min(jobs, matches)
    return _played(lineup, seed, range(matches)) if jobs <= 1 else _played_by_jobs(lineup, seed, matches, jobs)


def _played(lineup: Lineup, seed: bytes, numbers: Iterable[int]) -> Generator[SimulatedMatch, None, None]:
    policies = custom_policies(lineup)
    for number in numbers:
        match = Match(lineup, FairDice(sha256(seed + number.to_bytes(8, "big")).digest()))
        judged: dict[int, list[JudgedChoice]] = defaultdict(list)
        yield SimulatedMatch(match.play_out(partial(_choose, match, policies, judged) if policies else None), judged)


def custom_policies(lineup: Lineup) -> dict[int, CustomPolicy]:
    """Return the custom policies by seat. Raises PolicyError."""
    return {
        seat: load_policy(player.bot) for seat, player in enumerate(lineup.seats) if player.bot and ":" in player.bot
    }


def _choose(match: Match, policies: Mapping[int, CustomPolicy], judged: Mapping[int, list[JudgedChoice]]) -> Action:
    """Return the action of the seat to act; note its choice if it has a policy here."""
    state = match.state
    seat = state.to_act
    assert seat is not None
    if seat not in policies:
        return match.bot_action()
    if len(state.actions) == 1:
        return state.actions[0]
    action = policies[seat](state)
    choices = solver_for(state).choices(state)
    if len(choices) > 1:
        judged[seat].append(JudgedChoice(state, choice_for(choices, state, action), choices[0]))
    return action


def _played_by_jobs(lineup: Lineup, seed: bytes, matches: int, jobs: int) -> Generator[SimulatedMatch, None, None]:
    """Play in processes: of three, the first plays the matches 0, 3, 6 and so on."""
    with ExitStack() as stack:
        receivers = [
            _start(stack, lineup, seed, numbers) for numbers in (range(job, matches, jobs) for job in range(jobs))
        ]
        for number in range(matches):
            try:
                played: SimulatedMatch | DamagedTableError | PolicyError = receivers[number % jobs].recv()
            except (EOFError, OSError) as error:
                raise JobError("a process ended before its matches were over") from error
            if not isinstance(played, SimulatedMatch):
                raise played
            yield played


def _start(stack: ExitStack, lineup: Lineup, seed: bytes, numbers: range) -> Connection:
    from multiprocessing import get_context

    # A forked process would hold the earlier connections, and none would notice that this one is gone.
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_played, args=(sender, lineup, seed, numbers), daemon=True)
    stack.callback(receiver.close)
    with closing(sender), _interrupt_deferred():
        try:
            process.start()
        except OSError as error:
            raise JobError(f"a process cannot be started: {error.strerror}") from error
        stack.callback(process.join)
        stack.callback(process.terminate)
    return receiver


@contextmanager
def _interrupt_deferred() -> Iterator[None]:
    """Defer a ctrl+c, for all processes, to the end of the block; processes that start in it never get one.

    Windows passes no signals on.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Python 3.11 to 3.13.0 (multiprocessing/resource_tracker.py, ensure_running) starts its own process first, and then
    # unblocks the signal (python/cpython#127586).
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send_played(sender: Connection, lineup: Lineup, seed: bytes, numbers: range) -> None:
    """Play and send these matches, until nobody receives, or the reason to end early."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows inherits no signals
    with suppress(ConnectionError):
        try:
            for played in _played(lineup, seed, numbers):
                sender.send(played)
        except (DamagedTableError, PolicyError) as error:
            sender.send(error)
