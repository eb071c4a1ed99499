"""Matches between bots, many from one seed, in one process or several."""

from __future__ import annotations

import signal
from collections.abc import Generator, Iterable
from contextlib import ExitStack, closing, suppress
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection

from fourtwenty.games.game import Outcome
from fourtwenty.odds.tables import DamagedTable
from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup
from fourtwenty.play.match import Match


class JobFailed(Exception):  # noqa: N818 - the message is about a process
    """A process of ``play_matches`` cannot start, or ended early. The message is a sentence without a full stop."""


def play_matches(lineup: Lineup, matches: int, seed: bytes, jobs: int = 1) -> Generator[Outcome, None, None]:
    """Play matches between bots and yield their outcomes in order.

    The dice of each match follow from ``seed`` and its number, so that the number of processes, ``jobs``, changes no
    outcome. Closing the iterator ends the processes. Only the main thread may ask for more than one job.

    Raises JobFailed when a process cannot start or ends early, and DamagedTable.
    """
    jobs = min(jobs, matches)
    return _played(lineup, seed, range(matches)) if jobs <= 1 else _played_by_jobs(lineup, seed, matches, jobs)


def _played(lineup: Lineup, seed: bytes, numbers: Iterable[int]) -> Generator[Outcome, None, None]:
    """Play the matches with these numbers, from 0."""
    for number in numbers:
        match = Match(lineup, FairDice(sha256(seed + number.to_bytes(8, "big")).digest()))
        yield match.play_out()


def _played_by_jobs(lineup: Lineup, seed: bytes, matches: int, jobs: int) -> Generator[Outcome, None, None]:
    """Play the matches in processes: of three, the first plays the matches 0, 3, 6 and so on."""
    with ExitStack() as stack:
        receivers = [
            _start(stack, lineup, seed, numbers) for numbers in (range(job, matches, jobs) for job in range(jobs))
        ]
        for number in range(matches):
            try:
                outcome: Outcome | DamagedTable = receivers[number % jobs].recv()
            except (EOFError, OSError) as error:
                raise JobFailed("a process ended before its matches were over") from error
            if isinstance(outcome, DamagedTable):
                raise outcome
            yield outcome


def _start(stack: ExitStack, lineup: Lineup, seed: bytes, numbers: range) -> Connection:
    """Start a process that plays these matches, return the connection to it, and let the stack end it."""
    # A forked process would hold the connections of those before it, and none would notice that this one is gone.
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_outcomes, args=(sender, lineup, seed, numbers), daemon=True)
    stack.callback(receiver.close)
    with closing(sender):
        # The process inherits this from its beginning on: ctrl+c goes to all processes, and only this one answers it.
        heeded = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            process.start()
        except OSError as error:
            raise JobFailed(f"a process cannot be started: {error.strerror}") from error
        finally:
            signal.signal(signal.SIGINT, heeded)
    stack.callback(process.join)
    stack.callback(process.terminate)
    return receiver


def _send_outcomes(sender: Connection, lineup: Lineup, seed: bytes, numbers: range) -> None:
    """Play these matches and send their outcomes, until nobody receives them any more, or the reason to end early."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows inherits no signals
    with suppress(ConnectionError):
        try:
            for outcome in _played(lineup, seed, numbers):
                sender.send(outcome)
        except DamagedTable as error:
            sender.send(error)
