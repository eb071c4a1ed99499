"""The five boxes: where an answer moves a position, and when it is due, whatever the clock and the time zone do."""

from __future__ import annotations

from hypothesis import given, strategies as st

from fourtwenty.play.practice import DAY, DAYS, EARLY, Box, wait_words, waiting

NOW = 1_800_000_000
times = st.integers(0, 2**33)
jumps = st.integers(-400 * DAY, 400 * DAY)
boxes = st.builds(Box, st.integers(1, len(DAYS)), st.none() | times)


def test_a_new_mistake_is_due_at_once_and_sticks_after_five_right_answers() -> None:
    box, now, waited = Box(), NOW, []
    while box.due is not None:
        assert box.is_due(now)
        box = box.after(True, now, now)
        if box.due is not None:
            waited.append((box.due - now) // DAY)
            now = box.due
    assert waited == [3, 7, 21, 60], "the days of the second box and of those after it"
    assert not box.is_due(NOW * 100)


def test_a_wrong_answer_starts_anew() -> None:
    for number in range(1, len(DAYS) + 1):
        assert Box(number, NOW).after(False, NOW, NOW + 60) == Box(1, NOW + 60 + DAY)
    assert Box(5, None).after(False, NOW, NOW) == Box(1, NOW + DAY), "it had not stuck after all"


def test_practised_in_the_evening_it_is_due_the_next_evening_at_an_earlier_hour() -> None:
    box = Box().after(False, NOW, NOW)
    assert box.is_due(NOW + 20 * 60 * 60)
    assert not box.is_due(NOW + 17 * 60 * 60)
    assert wait_words(NOW + DAY, NOW) == "within a day"
    assert wait_words(NOW + 7 * DAY, NOW) == "in 7 days"


@given(box=boxes, asked=times, jump=jumps)
def test_no_clock_loses_or_repeats_a_box(box: Box, asked: int, jump: int) -> None:
    """The clock may jump between the question and the answer: the box that follows is the same."""
    for right in (True, False):
        steady, jumped = box.after(right, asked, asked), box.after(right, asked, asked + jump)
        assert jumped.number == steady.number
        if right and box.is_due(asked):
            assert jumped.number == min(box.number + 1, len(DAYS))
        elif right:
            assert jumped == box, "a right answer ahead of time counts nothing"
        else:
            assert jumped.number == 1


@given(box=boxes, asked=times, jump=jumps)
def test_a_jump_of_the_clock_moves_what_is_due_by_itself_and_by_no_more(box: Box, asked: int, jump: int) -> None:
    for right in (True, False):
        steady, jumped = box.after(right, asked, asked), box.after(right, asked, asked + jump)
        if steady != box and steady.due is not None:
            assert jumped.due is not None
            assert jumped.due - steady.due == jump
            assert steady.due - asked == DAYS[steady.number - 1] * DAY


@given(box=boxes, now=times)
def test_a_position_is_due_from_its_time_on_and_a_few_hours_before_unless_a_wrong_clock_has_set_it(
    box: Box, now: int
) -> None:
    longest = DAYS[-1] * DAY
    if box.due is None:
        assert not box.is_due(now)
    else:
        wait = box.due - EARLY - now
        assert box.is_due(now) == (wait <= 0 or wait > longest), "no box is for longer than 60 days"
        first, last = waiting(now)
        assert box.is_due(now) == (not first <= box.due <= last)


@given(number=st.integers(1, len(DAYS)), right=st.booleans(), now=times)
def test_no_answer_is_taken_for_one_of_a_wrong_clock(number: int, right: bool, now: int) -> None:
    after = Box(number).after(right, now, now)
    assert not after.is_due(now)


@given(st.lists(st.tuples(st.booleans(), jumps), max_size=40))
def test_every_course_of_answers_stays_in_the_boxes(course: list[tuple[bool, int]]) -> None:
    box, now, right_in_a_row = Box(), NOW, 0
    for right, jump in course:
        before, now = box, now + jump
        box = box.after(right, now, now)
        if not right:
            right_in_a_row = 0
        elif before.is_due(now):
            right_in_a_row += 1
        assert box.number == min(right_in_a_row + 1, len(DAYS))
        assert (box.due is None) == (right_in_a_row >= len(DAYS))
