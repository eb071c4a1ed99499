"""The games by name; the rules of each live in a file of their own."""

from fourtwenty.games import four_twenty
from fourtwenty.games.game import Game

GAMES: dict[str, Game] = {game.key: game for game in (four_twenty.GAME,)}
"""Every game by its name in records and on the command line, the house's own first."""
