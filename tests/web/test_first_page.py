"""The first page knows the rules, the dice and three bots by itself: here they are those of the engine."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from hashlib import sha256
from hmac import digest
from itertools import combinations_with_replacement, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from fourtwenty.games.four_twenty import GOAL, POSSIBLE_ROLLS, FourTwenty
from fourtwenty.games.game import Roll
from fourtwenty.odds import four_twenty_solver as odds
from fourtwenty.play.bots import BOTS, steady
from fourtwenty.play.dice import FairDice, uniform_float
from fourtwenty.play.lineup import Lineup, Seat, parse_players
from fourtwenty.play.match import Match
from fourtwenty.web.page.__main__ import HERE, first_page, script

HANDS = [hand for hand in product(range(1, 7), repeat=4) if sum(hand) != GOAL]
MULTISETS = [hand for hand in combinations_with_replacement(range(1, 7), 4) if sum(hand) != GOAL]


def digests() -> Iterator[dict[str, str]]:
    for text in ("", "abc", 'Zoë ☃ \x7f\n"\\ 🎲', "a" * 63, "b" * 64, "c" * 200):
        key = text.encode()
        json_ = json.dumps({"name": text})
        yield {"text": text, "sha": sha256(key).hexdigest(), "mac": digest(key, key, "sha256").hex(), "json": json_}


def races(seats: int, rng: Random, within: float) -> Iterator[dict[str, Any]]:
    """Yield tables at which the first seat chooses, with the chance of each choice to win the round."""
    for _ in range(40):
        hands = [rng.choice(HANDS) for _ in range(seats)]
        state = FourTwenty.from_hands(hands)
        values = [(choice.action, choice.value) for choice in odds.choices(state)]
        yield {"hands": hands, "values": [(dice_of(action), value) for action, value in values], "within": within}


def dice_of(action: object) -> tuple[int, ...]:
    assert isinstance(action, Roll)
    return action.dice


def draws(rng: Random) -> Iterator[dict[str, Any]]:
    """Yield what Merry does at tables of two and three."""
    for number in range(400):
        state = FourTwenty.from_hands([rng.choice(HANDS) for _ in range(2 + number % 2)])
        if len(state.actions) > 1:
            chance = rng.random()
            action = BOTS["Merry"].policy(lambda chance=chance: chance)(state)  # type: ignore[misc]
            yield {"hands": state.hands, "chance": chance, "roll": dice_of(action)}


def played(seats: int, bot: str, rng: Random) -> dict[str, Any]:
    """Play a match of a person who rolls what comes against bots."""
    lineup = Lineup((Seat("You"), *parse_players(f"You,{','.join([f'bot:{bot}'] * (seats - 1))}")[1:]))
    match = Match(lineup, FairDice(rng.randbytes(32)), identifier=rng.randbytes(16).hex())
    assert match.dice.seed
    events, chances = [], []
    while match.state.outcome is None:
        if match.state.to_act is None:
            match.next_round()
        chances.append(uniform_float(match.dice.bot_seed, f"bot {len(match.events)}"))
        event = match.act(match.bot_action() if match.bot_to_act else rng.choice(match.state.actions))
        state = match.state
        assert isinstance(state, FourTwenty)
        after = state.hands, state.out, state.starting_seat, state.rolls
        events.append({"seat": event.seat, "roll": dice_of(event.action), "faces": event.faces, "after": after})
    events[-1]["loser"] = match.state.outcome.places[-1][0]
    players = [{"name": name, "kind": kind} for name, kind in lineup.players]
    return {
        "id": match.identifier, "seed": match.dice.seed.hex(), "players": players, "first": match.starting_seat,
        "bot": bot, "chances": chances, "events": events,
    }  # fmt: skip


def tables() -> dict[str, Any]:
    rng = Random(420)
    states = {hand: FourTwenty.from_hands([hand, ()]) for hand in [(), *HANDS]}
    return {
        "digests": [*digests()],
        "hands": [
            {"hand": hand, "refusals": [state.check(roll) for roll in POSSIBLE_ROLLS]} for hand, state in states.items()
        ],
        "best": [
            {
                "hand": hand,
                "roll": dice_of(odds.best(states[hand])),
                "steady": dice_of(steady(states[hand])),
                "chances": [(dice_of(each.action), *each.chances) for each in odds.choices(states[hand])],
            }
            for hand in MULTISETS
        ],
        "races": [
            *races(2, rng, 1e-12),
            *races(3, rng, 1e-12),
            *races(4, rng, 5e-3),  # where others hurry, of which Merry on the page does not think
            *races(6, rng, 5e-3),
        ],
        "draws": [*draws(rng)],
        "matches": [
            *(played(seats, bot, rng) for seats in (2, 3) for bot in ("Merry", "Perfect")),
            *(played(seats, "Steady", rng) for seats in (4, 5, 6)),
        ],
    }


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_rules_dice_and_bots_are_those_of_the_engine(tmp_path: Path) -> None:
    written = tmp_path / "tables.json"
    written.write_text(json.dumps(tables()))
    command = ["node", str(Path(__file__).with_name("first_page.mjs")), str(HERE), str(written)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout == "alike\n", done.stderr


def test_it_has_the_links_that_the_build_knows() -> None:
    page = first_page(script(), "https://example.org/420/", "https://example.org/source")
    assert 'content="https://example.org/420/card.png"' in page
    assert '<a href="https://example.org/source">' in page
    assert not re.search("SOURCE|OWNER|example.org", first_page(script(), None, None))


def test_it_is_one_file() -> None:
    page = first_page(script(), None, None)
    assert not re.search(r"<script[^>]* src=|^\s*(import|export)\b|<link rel=.stylesheet", page, re.MULTILINE)


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node.js here")
def test_no_name_stands_twice_in_its_one_script(tmp_path: Path) -> None:
    written = tmp_path / "script.mjs"
    written.write_text(script(), "utf-8")
    done = subprocess.run(["node", "--check", str(written)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
