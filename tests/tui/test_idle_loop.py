"""The pilot's wait: nothing that is due is left to do when it ends, and it sleeps no longer than that takes."""

from __future__ import annotations

import asyncio
import threading

import pytest
import textual.app
import textual.pilot
from idle_loop import until_idle
from textual.app import App, ComposeResult
from textual.events import Resize
from textual.geometry import Size
from textual.message import Message
from textual.widgets import Static
from textual.worker import Worker, WorkerState, WorkType
from virtual_time import in_virtual_time


class Noting(App[None]):
    """Notes what has been handled."""

    class Passed(Message):
        """Goes to the text and bubbles up again until no hop is left."""

        def __init__(self, hops: int) -> None:
            super().__init__()
            self.hops = hops

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static("before")

    def on_noting_passed(self, message: Passed) -> None:
        if message.hops:
            self.query_one(Static).post_message(self.Passed(message.hops - 1))
        else:
            self.noted.append("the last message")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.SUCCESS:
            self.noted.append("the end of a worker")


def test_every_pilot_waits_so() -> None:
    assert vars(textual.app)["wait_for_idle"] is vars(textual.pilot)["wait_for_idle"] is until_idle


async def test_every_message_is_handled_that_follows_from_one() -> None:
    app = Noting()
    async with app.run_test():
        app.post_message(Noting.Passed(hops=10))
        await until_idle()
        assert app.noted == ["the last message"]


async def test_every_timer_has_rung_that_is_due() -> None:
    rung: list[str] = []
    loop = asyncio.get_running_loop()
    loop.call_at(loop.time(), rung.append, "one that was due before")
    await until_idle()
    loop.call_soon(lambda: loop.call_at(loop.time(), rung.append, "one that has become due meanwhile"))
    await until_idle()
    assert len(rung) == 2


@pytest.mark.parametrize("in_thread", [False, True], ids=["in a task", "in a thread"])
async def test_the_end_of_a_worker_is_handled(in_thread: bool) -> None:
    def add() -> int:
        return sum(range(1_000_000))

    async def call() -> int:
        return await asyncio.to_thread(add)

    app = Noting()
    async with app.run_test():
        work: WorkType[int] = add if in_thread else call
        app.run_worker(work, thread=in_thread)
        await until_idle()
        assert app.noted == ["the end of a worker"]


async def test_a_refresh_is_painted_and_what_is_to_follow_it_done() -> None:
    app = Noting()
    async with app.run_test():
        static = app.query_one(Static)
        for text in ("once", "again, within a sixtieth of a second"):
            static.update(text)
            static.call_after_refresh(app.noted.append, text)
            await until_idle()
            assert not app.screen._dirty_widgets
            assert not app.screen._layout_required
            assert app.noted.pop() == text


async def test_the_refresh_of_another_app_is_painted_too() -> None:
    app = Noting()
    async with app.run_test(), Noting().run_test():
        for text in ("once", "again"):
            app.query_one(Static).update(text)
            await until_idle()
            assert not app.screen._dirty_widgets


async def test_the_screen_has_the_size_of_the_terminal() -> None:
    app = Noting()
    async with app.run_test():
        for columns in (100, 90):
            size = Size(columns, 30)
            app.post_message(Resize(size, size))
            await until_idle()
            assert app.query_one(Static).size.width == columns


async def test_a_thread_that_waits_is_not_waited_for() -> None:
    let_go = threading.Event()
    blocked = asyncio.ensure_future(asyncio.to_thread(let_go.wait))
    try:
        await until_idle(max_sleep=60)
        assert not blocked.done()
    finally:
        let_go.set()
        await blocked


async def test_work_without_end_is_waited_for_no_longer_than_is_said() -> None:
    loop = asyncio.get_running_loop()
    turns = 0

    def turn() -> None:
        nonlocal turns
        turns += 1
        again[0] = loop.call_soon(turn)

    again = [loop.call_soon(turn)]
    await until_idle(max_sleep=0.01)
    again[0].cancel()
    assert turns


def test_no_time_passes_when_nothing_is_due() -> None:
    async def waited() -> float:
        loop = asyncio.get_running_loop()
        later = loop.call_later(3600, pytest.fail)
        loop.call_soon(lambda: loop.call_soon(lambda: None))
        await until_idle()
        later.cancel()
        return loop.time()

    assert in_virtual_time(waited()) == 0


async def test_another_event_loop_is_waited_for_as_textual_does(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[float, float]] = []

    async def wait(min_sleep: float, max_sleep: float) -> None:
        asked.append((min_sleep, max_sleep))

    monkeypatch.setattr("idle_loop.wait_for_idle", wait)
    monkeypatch.setattr("idle_loop.asyncio.get_running_loop", object)
    await until_idle(0, 1)
    assert asked == [(0, 1)]
