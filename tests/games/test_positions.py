"""A position as one line of text, of every game: read as written, and nothing read that no match can come to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings, strategies as st
from table_pilot import driving

from fourtwenty.__main__ import main
from fourtwenty.games import GAMES
from fourtwenty.games.bar_421 import Bar421
from fourtwenty.games.game import Roll, State
from fourtwenty.play.dice import ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.tui.app import FourTwentyApp

games = st.sampled_from(sorted(GAMES))
seeds = st.integers(0, 2**32)


def play(state: State, chance: Random, loaded: bool) -> Iterator[State]:
    """Every position of a match in which all actions are random; loaded dice fall so that hands tie."""
    for _ in range(400):
        yield state
        if state.outcome:
            return
        if state.to_act is None:
            state = state.next_round()
            continue
        action = chance.choice(state.actions)
        thrown = action.dice if isinstance(action, Roll) else ()
        state = state.apply(action, tuple(chance.choice((4, 2, 1) if loaded else range(1, 7)) for _ in thrown))


@settings(deadline=None, max_examples=50)
@given(games, st.integers(2, 5), st.integers(0, 5), seeds, st.booleans())
def test_a_position_is_read_as_it_was_written(key: str, seats: int, first: int, seed: int, loaded: bool) -> None:
    game = GAMES[key]
    rolled_for = first >= seats and not game.draws_start
    for state in play(game.start(seats, None if rolled_for else first % seats), Random(seed), loaded):
        assert "\n" not in state.to_text()
        assert game.parse(state.to_text()) == state


@settings(deadline=None, max_examples=50)
@given(games, st.integers(2, 4), seeds)
def test_what_is_read_from_any_text_can_be_played_to_the_end(key: str, seats: int, seed: int) -> None:
    game, chance = GAMES[key], Random(seed)
    text = chance.choice([*play(game.start(seats, 0), chance, loaded=True)]).to_text()
    for _ in range(20):
        at = chance.randrange(len(text))
        changed = text[:at] + chance.choice(["", *"*>xL-=+:sw0123456 "]) + text[at + chance.randrange(2) :]
        state, refusal = None, ""
        try:
            state = game.parse(changed)
        except ValueError as error:
            refusal = str(error)
        if state is None:
            assert refusal.endswith("."), "a sentence"
            assert "\n" not in refusal
            if "perhaps" in refusal:
                game.parse(refusal.split("'")[1])
            continue
        assert state.to_text() == " ".join(changed.split())
        for later in play(state, chance, loaded=False):
            assert game.parse(later.to_text()) == later
            if isinstance(later, Bar421) and isinstance(state, Bar421):
                assert later.in_play == state.in_play


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("420", "*>- - roll 1"),
        ("420", "*6551 >4332 x1 roll 2"),
        ("420", "*6551 6554 - roll 1"),
        ("421", "*>-:0 -:0 pot 21 round 1 roll 1"),
        ("421", "-=5:0 >-=-:0 -=-:0 pot 21 round 1 roll 1"),
        ("421", ">665:3 *421:9 x1 -:9 round 14 roll 2 reversed"),
        ("421", ">665:3 *421:9 x1 -:9 x1 x3 round 14 roll 2 reversed"),
        ("421", ">665:3 *421:9 x1 -:9 x2 round 14 roll 2 reversed"),
        ("421", "665s:3 *112=431:9 >112=-:9 round 14 roll 1"),
        ("421", "*421s:7 421:7 112w:7 round 9 roll 1"),
        ("421", "*421:4 421s:5 >112=-:6 112=-:6 round 9 roll 1"),
        ("421", "*653s:7 653:7 653w:7 round 9 roll 1"),
        ("ten-rounds", "*>- - roll 1 of 3"),
        ("ten-rounds", "*421+2:0130 >665:1003 roll 2 of 2"),
        ("ten-rounds", "*>421=-:0 421=-:0 421=-:1 roll 1 of 3"),
        ("ten-rounds", "*>-:3 -:2 roll 1 of 3"),
        ("ten-rounds", "*421+2 421+3 roll 1 of 1"),
        ("ten-rounds", "*>-:1010101010 -:0101010101 -:0000000000 roll 1 of 3"),
        ("ten-rounds", "-:10001001001 *>-:01000100102 -:00100010012 -:00010000000 roll 1 of 3"),
    ],
)
def test_positions_to_type(key: str, text: str) -> None:
    assert GAMES[key].parse(f"  {text.replace(' ', '   ')} ").to_text() == text


@pytest.mark.parametrize("key", GAMES)
def test_the_example_in_a_refusal_can_be_read(key: str) -> None:
    with pytest.raises(ValueError, match="A position is written as") as refused:
        GAMES[key].parse("")
    GAMES[key].parse(str(refused.value).split("'")[1])


@pytest.mark.parametrize(
    ("key", "text", "refusal"),
    [
        ("420", "", "A position is written as '*6551 >4332 x1 roll 2'"),
        ("420", "*>655 - roll 1", "'*>655' is not a seat"),
        ("420", f"*>- {50 * '7'} roll 1", f"'{40 * '7'}' is not a seat"),
        ("420", "*>- roll 1", "two seats or more"),
        ("420", "*>- *- roll 1", "perhaps '*>- - roll 1' is meant"),
        ("420", "*>- >- roll 1", "perhaps '*>- - roll 1' is meant"),
        ("420", "*>- - x2 roll 1", "perhaps '*>- - x1 roll 1' is meant"),
        ("420", "*>- - x1 x1 roll 1", "perhaps '*>- - x1 x2 roll 1' is meant"),
        ("420", "*>6554 4332 roll 2", "perhaps '*6554 4332 roll 2' is meant"),
        ("421", ">653=-:0 -=-:0 pot 21 round 1 roll 1", "perhaps '>-=-:0 -=-:0 pot 21 round 1 roll 1' is meant"),
        ("421", "*653s:0 653w:0 pot 21 round 1 roll 1", "perhaps '*653:0 653w:0 pot 21 round 1 roll 1' is meant"),
        ("421", "*421w:7 421:7 112:7 round 9 roll 1", "perhaps '*>421=-:7 421=-:7 112:7 round 9 roll 1' is meant"),
        ("421", "*653:8 653:13 round 9 roll 1", "perhaps '*>653=-:8 653=-:13 round 9 roll 1' is meant"),
        ("421", "*665s=3:8 >112=-:13 round 9 roll 1", "perhaps '*665s:8 112w:13 round 9 roll 1' is meant"),
        ("ten-rounds", ">653=- -=- roll 1 of 3", "perhaps '>-=- -=- roll 1 of 3' is meant"),
        ("ten-rounds", "x1 x2 roll 1 of 3", "perhaps '>-=- -=- roll 1 of 3' is meant"),
        ("ten-rounds", ">-+1 - roll 1 of 3", "perhaps '>-=- -=- roll 1 of 3' is meant"),
    ],
)
def test_a_text_that_is_no_position_is_refused_in_a_sentence(key: str, text: str, refusal: str) -> None:
    with pytest.raises(ValueError, match=re.escape(refusal)):
        GAMES[key].parse(text)


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("420", ">- - roll 1"),
        ("420", "*6551 4332 roll 2"),
        ("420", "*>- x1 roll 1"),
        ("421", "*>-:20 -:1 x1 x1 x2 round 8 roll 1"),
        ("421", "*>-:20 -:1 x1 x1 x3 round 8 roll 1"),
        ("421", "*>-:20 -:1 x1 x1 round 8 roll 1 reversed"),
        ("420", "*x1 >- - roll 1"),
        ("420", ">x1 *- - roll 1"),
        ("420", "*>6551 4332 roll 1"),
        ("420", "*6551 >4332 - roll 1"),
        ("420", "*>6551 - roll 2"),
        ("420", "*6554 5555 roll 2"),
        ("421", "*>-:5 -:5 pot 10 round 2 roll 1"),
        ("421", "*>-:5 -:5 pot 12 round 2 roll 1"),
        ("421", "*>-:5 -:5 L1 pot 12 round 2 roll 1"),
        ("421", "*>-:0 -:0 L1 pot 16 round 1 roll 1"),
        ("421", "*>-:6 -:0 L1 round 9 roll 1"),
        ("421", "*>-:6 x1 -:6 x1 L1 round 9 roll 1 reversed"),
        ("421", "*>-:5 -:5 pot 11 round 1 roll 1"),
        ("421", "*>-:0 -:0 pot 21 round 2 roll 1"),
        ("421", ">-=-:5 -=-:5 pot 11 round 2 roll 1"),
        ("421", "*>-:10 x1 -:8 pot 3 round 9 roll 1"),
        ("421", "*>-:21 -:0 round 8 roll 1"),
        ("421", "*>-:21 x1 round 8 roll 1"),
        ("421", "*>-:20 -:1 round 8 roll 1 reversed"),
        ("421", "*>665:5 -:5 pot 11 round 2 roll 2"),
        ("421", "*>665:5 -:5 pot 11 round 2 roll 3"),
        ("421", "*-:5 >665:16 round 8 roll 2"),
        ("421", "*>-:5 -:16 round 8 roll 2"),
        ("421", "*665:8 665=555:13 round 9 roll 1"),
        ("421", "*>665=-:8 665:13 round 9 roll 1"),
        ("421", "*665=555:8 665=444:13 round 9 roll 1"),
        ("421", "*665=5:8 >665=-:13 round 9 roll 1"),
        ("421", "-=555:0 >-=-:0 pot 21 round 1 roll 1"),
        ("ten-rounds", "*>- - roll 1 of 2"),
        ("ten-rounds", "*653 >665 roll 3 of 2"),
        ("ten-rounds", "*653 >665 roll 3 of 1"),
        ("ten-rounds", "*421 >- roll 1 of 1"),
        ("ten-rounds", "*653+2 >- roll 1 of 1"),
        ("ten-rounds", "*>- -+2 roll 1 of 3"),
        ("ten-rounds", "*>-:10 -:1 roll 1 of 3"),
        ("ten-rounds", "*>-:1 -:1 roll 1 of 3"),
        ("ten-rounds", "*>-:0 -:2 roll 1 of 3"),
        ("ten-rounds", "-:10001001001 *>-:01000100100 -:00100010010 -:00010000002 roll 1 of 3"),
        ("ten-rounds", ">-=-:1 -=-:0 roll 1 of 3"),
        ("ten-rounds", "*>-:1111111111 -:0000000000 roll 1 of 3"),
        ("ten-rounds", "-:1010101010 -:0101010101 *>-:0000000000 roll 1 of 3"),
        ("ten-rounds", "*654:1010101010 653:0101010101 321:0000000000 roll 1 of 1"),
    ],
)
def test_what_no_match_comes_to_is_refused(key: str, text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'No match comes to {text!r}.')}$"):
        GAMES[key].parse(text)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--position", "here"], "fourtwenty: --position: A position is written as '*6551 >4332 x1 roll 2'."),
        (
            ["--players", "A,B", "--position", "*>- - - roll 1"],
            "fourtwenty: --position: The position has 3 players, the table has 2.",
        ),
        (["--position", "*6554 4332 roll 2"], "fourtwenty: --position: The round is over there."),
        (["421", "--position", "*>- - roll 1"], "fourtwenty: --position: A position is written as '*665:3"),
        (["--position", "*6551 >4332 roll 2"], "fourtwenty: the table needs a terminal"),
        (["--position", "6551 x1 *>4332 roll 4"], "fourtwenty: the table needs a terminal"),
        (["--position", "\ufeff*6551 >4332 roll 2"], "fourtwenty: the table needs a terminal"),
    ],
)
def test_the_command_line_reads_a_position(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TEXTUAL_DRIVER", raising=False)
    with pytest.raises(SystemExit) as end:
        main(["play", *arguments])
    told = capsys.readouterr().err
    assert end.value.code == 2
    assert told.startswith(line)
    assert told.count("\n") == 1


async def test_a_match_starts_from_a_position() -> None:
    start = GAMES["420"].parse("6551 >4332 *5554 x1 roll 2")
    seats = tuple(Seat(name) for name in ("Ann", "Bob", "Cleo", "Dora"))
    app = FourTwentyApp(Lineup(seats), ScriptedDice([(4, 4, 6, 6)]), start)
    app.pace = 0
    async with driving(app) as pilot:
        table = await pilot.turn(seat=1)
        assert table.match.state == start
        await pilot.results("enter")
        assert table.match.state.report(table.match.names).headline == "Bob is out on roll 6"
