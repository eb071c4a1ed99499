"""The public names: ``fourtwenty`` has each of them, and docs/library.md says what is promised of them.

This file is their one list, for Python, type checkers and ``help`` alike. Every class that a public function or member
takes, returns or raises is among them.
"""

from fourtwenty.games import GAMES as GAMES
from fourtwenty.games.bar_421 import Bar421 as Bar421, Bar421Rank as Bar421Rank
from fourtwenty.games.four_twenty import POSSIBLE_ROLLS as POSSIBLE_ROLLS, FourTwenty as FourTwenty
from fourtwenty.games.game import (
    Action as Action,
    Event as Event,
    Faces as Faces,
    Game as Game,
    Guide as Guide,
    IllegalAction as IllegalAction,
    InvalidAction as InvalidAction,
    Leave as Leave,
    Meter as Meter,
    Outcome as Outcome,
    Report as Report,
    Roll as Roll,
    Stand as Stand,
    Standing as Standing,
    State as State,
    Tip as Tip,
    describe as _describe,
)
from fourtwenty.games.replay import Step as Step, replay as replay, state_after as state_after
from fourtwenty.games.roll_off import RollOff as RollOff
from fourtwenty.games.ten_rounds import TenRounds as TenRounds, TenRoundsRank as TenRoundsRank
from fourtwenty.journal.record import (
    CoachChange as CoachChange,
    FairSeed as FairSeed,
    Player as Player,
    RealDice as RealDice,
    Record as Record,
    RecordedAction as RecordedAction,
    RecordedResult as RecordedResult,
    RecordError as RecordError,
    fingerprint as fingerprint,
    read_record as read_record,
    verify_record as verify_record,
    write_record as write_record,
)
from fourtwenty.journal.shared_keys import (
    Key as Key,
    MachineKeys as MachineKeys,
    SharedKeys as SharedKeys,
    TableId as TableId,
)
from fourtwenty.odds import SOLUTIONS as SOLUTIONS, solver_for as solver_for
from fourtwenty.odds.solver import (
    Choice as Choice,
    Objective as Objective,
    PlacementOdds as PlacementOdds,
    SecondaryValues as SecondaryValues,
    Solver as Solver,
)
from fourtwenty.odds.tables import DamagedTableError as DamagedTableError
from fourtwenty.play.bots import BOTS as BOTS, Bot as Bot, Chance as Chance, Policy as Policy, bot_named as bot_named
from fourtwenty.play.custom_policy import PolicyError as PolicyError
from fourtwenty.play.dice import (
    Dice as Dice,
    FairDice as FairDice,
    ManualDice as ManualDice,
    ScriptedDice as ScriptedDice,
)
from fourtwenty.play.lineup import Lineup as Lineup, Seat as Seat, parse_players as parse_players
from fourtwenty.play.match import (
    Journal as Journal,
    JournalLockedError as JournalLockedError,
    Match as Match,
    PlayedElsewhereError as PlayedElsewhereError,
    SaveError as SaveError,
    SavePendingError as SavePendingError,
)
from fourtwenty.play.shared_dice import (
    DiceStep as DiceStep,
    Machine as Machine,
    SharedDice as SharedDice,
    ShownKey as ShownKey,
)
from fourtwenty.play.simulation import JobError as JobError, play_matches as play_matches

# ``help`` shows these docstrings. Copying them in games/__init__.py would delay the start of the app by 0.4 ms.
for _game in GAMES.values():
    _describe(type(_game.start(2, 0)), State)
