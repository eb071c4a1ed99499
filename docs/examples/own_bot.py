"""Play a bot of your own against Steady: ``python own_bot.py`` prints who wins how many of 500 matches of 420.

In this folder, ``fourtwenty simulate --players bot:own_bot:cautious,bot:Perfect --matches 500`` measures its choices.
"""

import fourtwenty as ft


def cautious(state: ft.State) -> ft.Roll:
    """Keep as many dice as may be kept, the highest of them."""
    hand = state.hand(state.to_act or 0)
    rolls = [action for action in state.actions if isinstance(action, ft.Roll)]
    return min(rolls, key=lambda roll: (len(roll.dice), sum(hand[die - 1] for die in roll.dice)))


if __name__ == "__main__":
    seats = ft.parse_players("bot:own_bot:cautious,bot:Steady", custom_policies=True)
    outcomes = list(ft.play_matches(ft.Lineup(seats), 500, seed=b"420"))
    for number, seat in enumerate(seats):
        wins = sum(outcome.place(number) == 1 for outcome in outcomes)
        print(f"{seat.name} wins {wins / len(outcomes):.1%} of {len(outcomes)} matches")
