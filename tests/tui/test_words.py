"""Words for the dice, before the first roll: anybody may add one, nobody has to, and the lot waits for them."""

from __future__ import annotations

import pytest
from at_the_table import burst, click_on, playing, seen, stack, text
from msgspec.structs import replace
from patience import until

from fourtwenty.play.dice import FairDice
from fourtwenty.play.lineup import Lineup, Seat
from fourtwenty.play.match import Match
from fourtwenty.play.match_log import word_lines
from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.dialogs.fairness import FairnessDialog, proof
from fourtwenty.tui.dialogs.word import WordDialog
from fourtwenty.tui.screens.results import Results
from fourtwenty.tui.screens.table import Table
from fourtwenty.tui.widgets.log import RollLog

THREE = Lineup(seats=(Seat("Ann"), Seat("Steady", "Steady"), Seat("Ben")), words=True)
SEED = bytes(range(32))


def table(app: FourTwentyApp) -> Table:
    assert isinstance(app.screen, Table)
    return app.screen


async def asked(app: FourTwentyApp) -> None:
    """Wait until words may be added."""
    await until(lambda: isinstance(app.screen, Table) and app.screen.waiting)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 40)])
async def test_the_seal_is_one_line_of_the_log_and_whole_under_f_and_the_lot_not_yet(size: tuple[int, int]) -> None:
    app = FourTwentyApp(THREE)
    async with app.run_test(size=size) as pilot:
        await asked(app)
        await pilot.pause()
        shown, seal = seen(pilot), table(app).match.commitment
        assert seal
        assert f"Fair dice, seal {seal[:4]} {seal[4:8]} …" in shown
        assert seal[:10] not in shown
        assert "Player 1" not in shown
        assert "Before the first roll" in text(pilot, "#caption")
        await pilot.press("f")
        await until(lambda: isinstance(app.screen, FairnessDialog))
        await pilot.pause()
        shown = seen(pilot)
        assert seal[:32] in shown
        assert seal[32:] in shown
        assert "mixed in after the seal, it could not." in " ".join(shown.replace("│", " ").split()), "nothing is cut"
        await pilot.press("y")
        assert seal in app.clipboard


async def test_enter_goes_on_without_a_word() -> None:
    app = FourTwentyApp(THREE)
    app.pace = 0
    async with app.run_test() as pilot:
        await asked(app)
        match = table(app).match
        await pilot.press("enter")
        await until(lambda: match.words is not None)
        await pilot.pause()
        assert match.words == ("", "", "")
        assert "Player 1" in seen(pilot)


async def test_everybody_adds_a_word_in_turn_and_the_dice_follow() -> None:
    app = FourTwentyApp(THREE)
    app.pace = 0
    async with app.run_test() as pilot:
        await asked(app)
        await click_on(pilot, "Add a word")
        for name, word in (("Ann", "rain"), ("Ben", "[b] é")):
            await until(lambda: isinstance(app.screen, WordDialog) and bool(app.screen.query("Input")))
            await pilot.pause()
            assert f"{name}: a word for the dice" in seen(pilot)
            await pilot.press(*word, "enter")
        await asked(app)
        assert "Ann adds: rain, Ben adds: [b] é. Press Enter to start." in " ".join(text(pilot, "#line").split())
        match = table(app).match
        assert isinstance(match.dice, FairDice)
        other = Match(THREE, FairDice(match.dice.seed), identifier=match.identifier, words=("rain", "", "[b] é"))
        await click_on(pilot, "Start")
        await until(lambda: match.words is not None)
        assert match.words == ("rain", "", "[b] é")
        assert match.starting_seat == other.starting_seat
        assert match.dice.throw(0, 1, (1, 2, 3, 4)) == other.dice.throw(0, 1, (1, 2, 3, 4))
        log = app.screen_stack[-1 if isinstance(app.screen, Table) else -2].query_one(RollLog)
        await until(lambda: "Ben adds: [b] é" in log.lines)


async def test_a_word_can_be_thought_better_of() -> None:
    app = FourTwentyApp(THREE)
    app.pace = 0
    async with app.run_test() as pilot:
        await asked(app)
        await pilot.press("w", *"rain", "escape")
        await asked(app)
        assert stack(pilot) == ["Table"]
        match = table(app).match
        await pilot.press("enter")
        await until(lambda: match.words == ("", "", ""))


async def test_bots_add_nothing_and_nobody_is_asked() -> None:
    app = FourTwentyApp(Lineup(seats=(Seat("Steady", "Steady"), Seat("Bold", "Bold"))))
    app.pace = 0
    async with app.run_test():
        await until(lambda: isinstance(app.screen, Results))


async def test_nobody_is_asked_unless_the_line_up_says_so() -> None:
    async with playing(replace(THREE, words=False, starting_seat=0)) as pilot:
        await until(lambda: isinstance(pilot.app.screen, Table) and pilot.app.screen.waiting)
        await pilot.pause()
        assert isinstance(pilot.app.screen, Table)
        assert pilot.app.screen.match.words == ("", "", "")
        shown = seen(pilot)
        assert "Ann, your turn" in shown
        assert not any(words in shown for words in ("Before the first roll", "Start", "Add a word", "Copy seal"))
        await pilot.press("w")
        assert stack(pilot) == ["Table"]


async def test_keys_that_are_typed_before_the_dice_are_settled_count() -> None:
    async with playing(throws=[(6, 5, 4, 1)]) as pilot:
        pilot.app.screen.lineup = Lineup((Seat("Ann"), Seat("Ben")), starting_seat=0)  # type: ignore[attr-defined]
        burst(pilot, "enter", "r")
        await until(lambda: isinstance(pilot.app.screen, Table) and len(pilot.app.screen.match.events) == 1)


async def test_a_given_seed_is_called_so_at_the_table_and_on_the_results() -> None:
    bots = Lineup(seats=(Seat("Ann"), Seat("Bold", "Bold")), words=True)
    app = FourTwentyApp(bots, FairDice(bytes(31) + b"*", given=True))
    app.pace = 0
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(app)
        await pilot.pause()
        shown = " ".join(seen(pilot).split())
        assert "The seed was given, not drawn" in shown
        assert "its seal gives it away" in shown
        await pilot.press("enter")

        def stops() -> bool:
            return isinstance(app.screen, Results) or (isinstance(app.screen, Table) and app.screen.waiting)

        while not isinstance(app.screen, Results):
            await until(stops)
            if isinstance(app.screen, Table):
                await pilot.press("a", "r")
        report = app.screen
        await pilot.press("f")
        await until(lambda: isinstance(app.screen, FairnessDialog))
        await pilot.pause()
        assert "The seed was given, not drawn" in " ".join(seen(pilot).split())
        assert all(value[:32] in seen(pilot) and value[32:] in seen(pilot) for _, value in proof(report.match))


def test_a_match_settles_once_with_words_that_can_be() -> None:
    match = Match.fresh(THREE, FairDice(SEED))
    for words, why in (((), "by seat"), (("a\nb", "", ""), "one line"), (("x" * 61, "", ""), "60 characters")):
        with pytest.raises(ValueError, match=why):
            match.add_words(words)
        assert match.words is None
    match.add_words(("", "", ""))
    with pytest.raises(ValueError, match="settled"):
        match.add_words(("", "", ""))


def test_no_two_matches_have_the_same_dice() -> None:
    one, other = (Match.fresh(THREE, FairDice(SEED)) for _ in range(2))
    for match in (one, other):
        match.add_words(("", "", ""))
    assert one.commitment == other.commitment
    assert one.identifier != other.identifier
    throws = [[match.dice.throw(0, throw, (1, 2, 3, 4)) for throw in range(1, 9)] for match in (one, other)]
    assert throws[0] != throws[1]


def test_words_move_the_lot() -> None:
    firsts: set[int | None] = set()
    for number in range(30):
        match = Match(THREE, FairDice(SEED), identifier="0" * 32)
        assert match.starting_seat is None, "nobody knows before"
        match.add_words((str(number), "", ""))
        firsts.add(match.starting_seat)
    assert firsts == {0, 1, 2}


def test_you_add_a_word_and_others_add_theirs() -> None:
    match = Match(Lineup((Seat("You"), Seat("Ann"), Seat("Ben"))))
    assert word_lines(match, ("rain", "", "sun")) == ["You add: rain", "Ben adds: sun"]
