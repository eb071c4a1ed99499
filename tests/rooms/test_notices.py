"""The sentences that the people at a machine are told about their table, each once."""

from __future__ import annotations

import pytest

from fourtwenty.rooms.wire.notices import SPLIT_LOG, Notices


@pytest.fixture
def heard() -> list[str]:
    return []


@pytest.fixture
def notices(heard: list[str]) -> Notices:
    notices = Notices()
    notices.notify = heard.append
    return notices


def test_a_sentence_is_told_once_about_each_thing(notices: Notices, heard: list[str]) -> None:
    assert notices.notify_once("a match", "It is odd.")
    assert not notices.notify_once("a match", "It is odd.")
    assert notices.notify_once("another match", "It is odd.")
    assert heard == ["It is odd."] * 2


def test_who_knows_of_two_stories_is_not_told_of_the_log_as_well(notices: Notices, heard: list[str]) -> None:
    assert notices.other_log("Ben")
    assert not notices.other_log("Ben")
    notices.log_diverged()
    assert heard == [f"Ben's machine has a different log of this table. {SPLIT_LOG}"]


def test_what_is_told_before_there_is_a_screen_is_told_then() -> None:
    notices, heard = Notices(), list[str]()
    notices.not_saved("no space is left on the disk")
    notices.notify("You watch for now.")
    notices.attach(heard.append)
    notices.not_saved("no space is left on the disk")
    assert heard == ["This table can't be saved here: no space is left on the disk.", "You watch for now."]
