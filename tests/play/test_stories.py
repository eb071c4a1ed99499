"""The stories of a finished match: each by a match that has it and one that has not, and the rarities they have."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import pytest

from fourtwenty.games import GAMES
from fourtwenty.games.four_twenty import FourTwenty
from fourtwenty.games.game import Event, Faces, Leave, Roll, Stand
from fourtwenty.play.dice import FairDice, ScriptedDice
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.play.stories import MAX_STORIES, RARITIES, STORIES, rarity_table, stories_of, told_stories

NAMES = ("Ann", "Ben", "Cleo", "Dora")

WIN: Faces = (6, 5, 5, 4)
BEST: Faces = (6, 6, 6)
WORST: Faces = (3, 2, 1)
WEAK: tuple[Faces, ...] = (WORST, (4, 3, 1), (5, 2, 1), (5, 3, 1))
"""Hands of three dice in Four Twenty-One."""


def played(script: str, seats: int = 2, names: Sequence[str] = NAMES) -> Match:
    """Return a match of 420: the faces of each roll by a digit each, where fewer than four replace the last dice."""
    throws = [tuple(map(int, throw)) for throw in script.split()]
    lineup = Lineup(tuple(map(Seat, names[:seats])), starting_seat=0)
    match = Match(lineup, ScriptedDice(throws))
    for throw in throws:
        if match.state.to_act is None:
            match.next_round()
        match.act(Roll(tuple(range(5 - len(throw), 5))))
    assert match.state.outcome
    return match


def three_dice(game: str, throws: Sequence[Faces], seats: int = 2) -> Match:
    """Return a match of one of the other games in which everybody stands on their first roll."""
    match = Match(Lineup(tuple(map(Seat, NAMES[:seats])), game=game, starting_seat=0), ScriptedDice(throws))
    for throw in throws:
        if match.state.to_act is None:
            match.next_round()
        match.act(Roll(tuple(range(1, len(throw) + 1))))
        if Stand() in match.state.actions:
            match.act(Stand())
    assert match.state.outcome
    return match


def ten_rounds(winners: str) -> Match:
    """Return a match of Four Twenty-One by the winner of each round: "0" is Ann, "1" Ben; "A" and "B" roll 4 2 1."""
    throws = []
    for number, winner in enumerate(winners):
        for turn in range(2):
            seat = (number + turn) % 2
            wins = winner in ("0A", "1B")[seat]
            throws.append(((4, 2, 1) if winner in "AB" else BEST) if wins else WEAK[(number + seat) % len(WEAK)])
    return three_dice("ten-rounds", throws)


def charged(*rounds: tuple[Faces, Faces]) -> Match:
    """Return a match of 421 between two, by the hands of each round: Ann's, then Ben's."""
    throws: list[Faces] = []
    start = 0
    match = Match(Lineup((Seat("Ann"), Seat("Ben")), game="421", starting_seat=0), ScriptedDice([]))
    rank = match.state.rank  # type: ignore[attr-defined]
    for hands in rounds:
        throws += [hands[start], hands[1 - start]]
        start = min((0, 1), key=lambda seat: rank(hands[seat]))
    return three_dice("421", throws)


def sentence(match: Match, name: str) -> str:
    return stories_of(match)[name].sentence


def dice(match: Match, name: str) -> Faces:
    return stories_of(match)[name].dice


# -- 420 -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "seats", "told"),
    [
        ("6554 6554", 3, "Both rounds ended at the first roll"),
        ("6554 6554 6554", 4, "All three rounds ended at the first roll"),
        ("6554 4332 4332 4332 6554 6554", 4, "All rounds but one ended at the first roll"),
        ("6554 4332 4332 6554", 3, "Round 1 ended at the first roll"),
    ],
)
def test_rounds_that_end_at_the_first_roll(script: str, seats: int, told: str) -> None:
    assert sentence(played(script, seats), "at first roll") == told


def test_a_second_roll_is_no_first_roll() -> None:
    assert "at first roll" not in stories_of(played("4332 4332 6554"))
    assert "very first" not in stories_of(played("4332 6554"))


def test_the_very_first_roll() -> None:
    assert sentence(played("6554"), "very first") == "Ann made 20 with the very first roll"
    assert dice(played("6554"), "very first") == WIN


def test_one_away_is_counted_below_and_above() -> None:
    assert sentence(played("6553 4332 4"), "one away") == "Ann was one away once"
    match = played("6553 4332 5 4332 6554")
    assert sentence(match, "one away") == "Ann was one away twice", "19 and 21"
    assert "one away" not in stories_of(played("4332 6554"))
    assert sentence(played("6553 4332 5 4332 6554", names=("You", "Ben")), "one away") == "You were one away twice"


def test_one_away_in_a_row() -> None:
    match = played("6553 4332 5 4332 6554")
    assert sentence(match, "one away in a row") == "Ann was one away twice in a row"
    assert "one away in a row" not in stories_of(played("4332 6554"))


def test_seats_that_begin_a_round_alike() -> None:
    assert sentence(played("4332 3324 6554"), "same start") == "Ann and Ben began with the same dice"
    three = played("6554 4332 3324 6554", 3)
    assert sentence(three, "same start") == "Ben and Cleo began round 2 with the same dice"
    assert stories_of(played("4332 4331 6554"))["same start"].level == 1


def test_rounds_won_by_the_player_to_begin() -> None:
    assert sentence(played("6554 6554", 3), "starters win") == "The player to begin won every round"
    assert stories_of(played("4332 6554 6554", 3))["starters win"].level == 1
    assert "starters win" not in stories_of(played("4332 6554"))


def test_over_is_counted() -> None:
    match = played("6665 4332 6666 4332 6554")
    assert sentence(match, "over") == "Ann went over 20 twice"
    assert "over" not in stories_of(played("4332 6554"))


def test_single_dice_that_miss_are_counted_by_round() -> None:
    match = played("6551 4332 2 4332 3 4332 4")
    assert stories_of(match)["single dice"].level == 2
    assert sentence(match, "single dice") == "Ann missed twice with a single die"
    three = played("6554 6551 4332 2 6554", 3)
    assert sentence(three, "single dice") == "Ben missed once with a single die in round 2"
    assert "single dice" not in stories_of(played("6551 4332 4")), "it hit"


def test_all_four_dice_that_beat_a_single_die() -> None:
    match = played("6551 4332 2 6554")
    assert sentence(match, "overtaken") == "Ben rolled all four dice and made 20; Ann needed one"
    assert stories_of(match)["overtaken"].level == 2, "Ann had missed once"
    assert sentence(played("6551 6554", names=("You", "Ben")), "overtaken").endswith("; you needed one")
    assert "overtaken" not in stories_of(played("4332 6554")), "Ann needed more than one die"
    assert "overtaken" not in stories_of(played("6665 6554")), "over 20 one die is not enough"


def test_the_longest_round() -> None:
    assert sentence(played("4332 4332 6554"), "long round") == "The game took 3 rolls"
    assert sentence(played("6554 4332 4332 6554", 3), "long round") == "Round 2 took 3 rolls"
    assert stories_of(played("6554"))["long round"].level == 1


def test_an_early_end() -> None:
    assert sentence(played("6554"), "few rolls") == "The game was over after 1 roll"
    assert stories_of(played("6554"))["few rolls"].level > stories_of(played("4332 6554"))["few rolls"].level


def test_the_same_twenty_in_several_rounds() -> None:
    match = played("6554 5654", 3)
    assert sentence(match, "same twenty") == "Both rounds ended with the same dice"
    assert dice(match, "same twenty") == WIN
    assert sentence(played("6554 6644 6653 6554 4556", 6, (*NAMES, "Emil", "Fay")), "same twenty") == (
        "Rounds 1, 4 and 5 ended with the same dice"
    )
    assert "same twenty" not in stories_of(played("6554 6644", 3))


def test_four_of_a_kind() -> None:
    assert sentence(played("1111 4332 6554"), "four alike") == "Ann rolled four of a kind"
    assert sentence(played("1111 4332 2222 4332 6554"), "four alike") == "Ann rolled four of a kind twice"
    assert "four alike" not in stories_of(played("4332 6554"))


def test_the_same_dice_in_a_row() -> None:
    match = played("4332 4331 2343 4331 6554")
    assert sentence(match, "same roll") == "Ann rolled the same four dice twice in a row"
    assert stories_of(played("4332 4331 6554"))["same roll"].level == 1
    between = played("6551 4332 2 4331 6551 4332 4")
    assert stories_of(between)["same roll"].level == 1, "a single die came between"


def test_the_same_total_in_a_row() -> None:
    match = played("6551 4332 1 4331 1 4332 4")
    assert sentence(match, "same total") == "Ann made 17 three times in a row"
    assert stories_of(played("4332 6554"))["same total"].level == 1


def test_a_gamble_is_told_by_the_chance_of_its_roll() -> None:
    match = played("6551 4332 6554")
    story = stories_of(match)["gamble"]
    assert story.sentence == "Ann rolled four dice at 1 in 37, with 1 in 6 on offer, and made 20"
    assert story.one_in == 37, "35 of 1,296 (docs/rulings.md, 420)"
    told = next(each for each in told_stories(match) if each.sentence.startswith(story.sentence))
    assert (told.sentence, told.one_in) == (f"{story.sentence}.", 20), "no share of games beside it"
    assert "gamble" not in stories_of(played("6551 4332 4")), "the best chance"
    assert "gamble" not in stories_of(played("4332 4332 6554")), "there was no choice"


# -- every game ------------------------------------------------------------------------------------------------------


def test_the_same_face_in_a_row_goes_on_in_the_next_roll() -> None:
    match = played("4333 4332 3321 4332 6554")
    assert stories_of(match)["same face"].sentence == "Ann rolled a 3 with five dice in a row"
    assert stories_of(played("6543 6554"))["same face"].level == 2


# -- 421 -------------------------------------------------------------------------------------------------------------

AWAY = ((6, 6, 5), (4, 2, 1))
"""Ben is stronger by ten tokens."""
BACK = ((4, 2, 1), (6, 6, 5))
ONE_AWAY = ((6, 5, 2), (6, 5, 3))
"""Ben is stronger by one token."""
ONE_BACK = ((6, 5, 3), (6, 5, 2))


def test_all_tokens_in_the_charge() -> None:
    match = charged(BACK, BACK, BACK)
    assert sentence(match, "charge") == "Ben took all 21 tokens in the charge and lost at once"
    assert "escape" not in stories_of(match)
    assert "last gift" not in stories_of(match)
    assert sentence(match, "weakest") == "Ben had the weakest hand in three rounds running"
    assert "strongest" not in stories_of(match), "in the charge nobody gives"


def test_who_had_nearly_all_tokens_and_got_rid_of_them() -> None:
    match = charged(BACK, BACK, AWAY, AWAY, AWAY)
    assert sentence(match, "charge") == "Ben took 20 of the 21 tokens in the charge"
    assert sentence(match, "escape") == "Ben had 20 tokens in round 3 and got rid of all"
    assert sentence(match, "last gift") == "Ben gave away 10 tokens at once and was safe"
    assert dice(match, "last gift") == (4, 2, 1)
    assert sentence(match, "strongest") == "Ben had the strongest hand in two rounds running"
    assert sentence(match, "weakest") == "Ann had the weakest hand in three rounds running"
    assert sentence(match, "many rounds") == "The game took 5 rounds"
    assert sentence(match, "few rolls") == "The game was over after 10 rolls"
    assert sentence(match, "at once") == "Ben rolled 4 2 1 at the first roll three times"
    assert sentence(match, "same roll") == "Ann began a turn with the same dice three times in a row"


def test_how_long_the_charge_took() -> None:
    match = charged(BACK, BACK, BACK)
    assert sentence(match, "short charge") == "The charge took only three rounds"
    longer = charged(BACK, ONE_BACK, ONE_BACK, BACK)
    assert sentence(longer, "long charge") == "The charge took four rounds"
    assert stories_of(longer)["short charge"].level < stories_of(match)["short charge"].level


def test_a_loser_who_was_down_to_one_token() -> None:
    match = charged(BACK, BACK, AWAY, AWAY, AWAY)
    assert sentence(match, "nearly safe") == "Ann was down to one token and lost"
    again = charged(BACK, BACK, AWAY, ONE_AWAY, ONE_BACK, AWAY, AWAY)
    assert sentence(again, "nearly safe") == "Ann had one token in two rounds and lost"
    assert "nearly safe" not in stories_of(charged(BACK, BACK, BACK)), "in the charge"


def test_first_rolls_of_a_kind_are_counted_without_roll_offs() -> None:
    match = charged(((1, 1, 1), (6, 6, 5)), BACK, BACK)
    assert sentence(match, "triples") == "Ann rolled three alike at the first roll once"
    assert sentence(match, "at once") == "Ann rolled 4 2 1 at the first roll twice"
    assert "triples" not in stories_of(charged(BACK, BACK, BACK))
    ties: tuple[Faces, ...] = ((4, 3, 1), (4, 3, 1), (4, 2, 1), (5, 2, 1))
    match = three_dice("ten-rounds", (*ties, *(WORST, BEST) * 9))
    assert "at once" not in stories_of(match), "4 2 1 in a roll-off"


def test_the_longest_run_without_a_face_is_of_first_rolls() -> None:
    story = stories_of(ten_rounds("0" * 9 + "1"))["without a face"]
    assert story.sentence == "Ann had no 5 in 30 dice of first rolls"
    assert story.level == 30
    assert stories_of(charged(BACK, BACK, BACK))["without a face"].level == 9, "three turns of either"


def test_ties_of_a_roll_off_in_a_row() -> None:
    tied: tuple[Faces, ...] = ((4, 3, 1),) * 6
    match = three_dice("ten-rounds", (*tied, (6, 6, 5), (5, 2, 1), *(WORST, BEST) * 9))
    assert sentence(match, "ties") == "Ann and Ben rolled off and tied twice in a row"
    assert "ties" not in stories_of(ten_rounds("0" * 10))


# -- Four Twenty-One ---------------------------------------------------------------------------------------------------


def test_a_winner_who_was_behind() -> None:
    match = ten_rounds("0000111111")
    assert sentence(match, "behind") == "Ben was 4 points behind after round 4 and won"
    assert sentence(match, "in a row") == "Ben took six rounds in a row"
    assert sentence(match, "many points") == "Ben won with 6 points"
    assert sentence(match, "changes") == "The lead changed once"
    assert "led and lost" not in stories_of(match), "Ben led at the end"
    assert "behind" not in stories_of(ten_rounds("1" * 10))
    assert "changes" not in stories_of(ten_rounds("1" * 10))


def test_a_leader_who_lost_in_the_last_round() -> None:
    match = ten_rounds("100101010B")
    assert sentence(match, "led and lost") == "Ann led from round 9 on and lost in round 10"
    assert dice(match, "led and lost") == (4, 2, 1), "the hand that beat the leader"
    assert "led and lost" not in stories_of(ten_rounds("0101010101" + "0")), "two were level before the last round"
    assert "led and lost" not in stories_of(ten_rounds("0" * 10)), "the leader won"


def test_a_seat_without_a_point() -> None:
    assert sentence(ten_rounds("0" * 10), "pointless") == "Ben got no point in 10 rounds"
    assert "pointless" not in stories_of(ten_rounds("0" * 9 + "1"))


def test_seats_that_are_level_after_ten_rounds() -> None:
    assert sentence(ten_rounds("0101010101" + "0"), "level") == "Ann and Ben were level after 10 rounds"
    assert "level" not in stories_of(ten_rounds("0" * 10))


def test_extra_rounds() -> None:
    assert sentence(ten_rounds("0101010101" + "0"), "extra rounds") == "The game took 1 extra round"
    assert "extra rounds" not in stories_of(ten_rounds("0" * 10))


# -- what is told ------------------------------------------------------------------------------------------------------


def test_the_rarest_story_is_told_first_with_its_share_of_games() -> None:
    told = told_stories(played("6554 6554 6554", 4))
    assert told[0].sentence == "All three rounds ended at the first roll: 1 game in 200."
    assert (told[0].seat, told[0].dice) == (2, WIN)
    assert [each.one_in for each in told] == sorted((each.one_in for each in told), reverse=True)
    assert len(told) <= MAX_STORIES


def test_of_stories_about_the_same_dice_one_is_told() -> None:
    assert stories_of(played("6554")).keys() >= {"at first roll", "very first", "few rolls"}
    assert [each.sentence for each in told_stories(played("6554"))] == [
        "Ann made 20 with the very first roll: 1 game in 20."
    ]


def test_what_is_common_is_not_told() -> None:
    assert told_stories(played("4332 6551 4331 4")) == (), "nothing rare in four rolls"
    assert stories_of(played("4332 6551 4331 4"))


def test_nothing_is_told_where_no_rarity_is_known() -> None:
    seats = tuple(Seat(f"Seat {number}") for number in range(9))
    many = Match(Lineup(seats, starting_seat=0), ScriptedDice([WIN] * 8))
    many.play_out(lambda: many.state.actions[0])
    assert told_stories(many) == (), "nine seats"
    position = FourTwenty.from_hands([(6, 5, 5, 1), (6, 5, 5, 1)])
    begun = Match(Lineup(tuple(map(Seat, NAMES[:2]))), ScriptedDice([(6, 5, 5, 4)]), start=position)
    begun.act(Roll((1, 2, 3, 4)))
    assert stories_of(begun)["gamble"]
    assert told_stories(begun) == (), "a position that was set up"
    left = Match(Lineup(tuple(map(Seat, NAMES[:3])), starting_seat=0), ScriptedDice([WIN]))
    left.record(Event(2, Leave(), ()))
    left.act(Roll((1, 2, 3, 4)))
    assert left.state.outcome
    assert told_stories(left) == (), "a seat has left"


@pytest.mark.parametrize("game", GAMES)
def test_the_table_has_every_story_and_grows_rarer(game: str) -> None:
    table = rarity_table()[game]
    assert [*table] == [*range(2, 9)], "docs/paper/story_table.py, SEATS"
    for least_levels in table.values():
        assert [*least_levels] == [*STORIES[game]]
        for levels in least_levels.values():
            assert len(levels) == len(RARITIES)
            assert [*levels] == sorted(levels)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seats", [2, 4])
def test_stories_are_as_rare_as_they_say(game: str, seats: int) -> None:
    """Of 300 other matches; at most 1 in 20 is 15, and 31 come by chance once in ten thousand times."""
    lineup = Lineup(parse_players(",".join(["bot:Steady"] * seats)), game=game)
    told = dict.fromkeys(STORIES[game], 0)
    for number in range(300):
        match = Match(lineup, FairDice(sha256(f"as rare {number}".encode()).digest()))
        match.play_out()
        for name, story in stories_of(match).items():
            told[name] += story.level >= rarity_table()[game][seats][name][0]
    assert max(told.values()) <= 31
    assert sum(told.values()) > 15, "the table is not beyond reach"
