"""420, Mark Steere's dice game, in the terminal: its rules, its bots and its table.

Importing the package imports nothing else. The names that docs/library.md promises are here too, each of which imports
its module when it is first used.
"""

__version__ = "0.2.0"

TYPE_CHECKING = False  # as in typing, whose import takes longer than that of this package
if TYPE_CHECKING:
    from fourtwenty.games import GAMES as GAMES
    from fourtwenty.games.bar_421 import Bar421 as Bar421
    from fourtwenty.games.four_twenty import POSSIBLE_ROLLS as POSSIBLE_ROLLS
    from fourtwenty.games.four_twenty import FourTwenty as FourTwenty
    from fourtwenty.games.game import Action as Action
    from fourtwenty.games.game import Event as Event
    from fourtwenty.games.game import Game as Game
    from fourtwenty.games.game import IllegalAction as IllegalAction
    from fourtwenty.games.game import InvalidAction as InvalidAction
    from fourtwenty.games.game import Outcome as Outcome
    from fourtwenty.games.game import Roll as Roll
    from fourtwenty.games.game import Stand as Stand
    from fourtwenty.games.game import State as State
    from fourtwenty.games.replay import replay as replay
    from fourtwenty.games.replay import state_after as state_after
    from fourtwenty.games.ten_rounds import TenRounds as TenRounds
    from fourtwenty.journal.record import Record as Record
    from fourtwenty.journal.record import fingerprint as fingerprint
    from fourtwenty.journal.record import read_record as read_record
    from fourtwenty.journal.record import verify_record as verify_record
    from fourtwenty.journal.record import write_record as write_record
    from fourtwenty.odds import solver_for as solver_for
    from fourtwenty.odds.solver import Choice as Choice
    from fourtwenty.odds.solver import Objective as Objective
    from fourtwenty.odds.solver import PlacementOdds as PlacementOdds
    from fourtwenty.odds.solver import SecondaryValues as SecondaryValues
    from fourtwenty.odds.solver import Solver as Solver
    from fourtwenty.play.bots import BOTS as BOTS
    from fourtwenty.play.bots import Policy as Policy
    from fourtwenty.play.bots import bot_named as bot_named
    from fourtwenty.play.simulation import play_matches as play_matches

PROMISED = {
    "games": "GAMES",
    "games.bar_421": "Bar421",
    "games.four_twenty": "FourTwenty POSSIBLE_ROLLS",
    "games.game": "Action Event Game IllegalAction InvalidAction Outcome Roll Stand State",
    "games.replay": "replay state_after",
    "games.ten_rounds": "TenRounds",
    "journal.record": "Record fingerprint read verify write",
    "odds": "odds_of",
    "odds.interface": "Choice Ending Goal Odds Outlook",
    "play.bots": "CHARACTERS Rule character_named",
    "play.simulation": "play_matches",
}
"""The names of the library by module, without ``fourtwenty.``."""


def __getattr__(name: str) -> object:
    """Return a promised name, imported once."""
    for module, names in PROMISED.items():
        if name in names.split():
            from importlib import import_module

            globals()[name] = found = getattr(import_module(f"fourtwenty.{module}"), name)
            return found
    raise AttributeError(f"module 'fourtwenty' has no attribute {name!r}")
