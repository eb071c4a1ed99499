"""The games by name; the rules of each live in a file of their own."""

from fourtwenty.games import bar_421, four_twenty, ten_rounds
from fourtwenty.games.game import Game

GAMES: dict[str, Game] = {game.key: game for game in (four_twenty.GAME, bar_421.GAME, ten_rounds.GAME)}
"""Every game by its name in records and on the command line, the house's own first."""
