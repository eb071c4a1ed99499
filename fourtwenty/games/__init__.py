"""Lists all games by key."""

from fourtwenty.games import bar_421, four_twenty, ten_rounds
from fourtwenty.games.game import Game

GAMES: dict[str, Game] = {game.key: game for game in (four_twenty.GAME, bar_421.GAME, ten_rounds.GAME)}
"""``[key]``: every game by its key in records and commands, 420 first."""
