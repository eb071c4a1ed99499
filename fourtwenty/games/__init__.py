"""All games by key. The rules of each game have a file of their own."""

from fourtwenty.games import bar_421, four_twenty, ten_rounds
from fourtwenty.games.game import Game, State, describe

GAMES: dict[str, Game] = {game.key: game for game in (four_twenty.GAME, bar_421.GAME, ten_rounds.GAME)}
"""``[key]``: every game by its key in records and on the command line, 420 first."""

for each in GAMES.values():
    describe(type(each.start(2, 0)), State)
