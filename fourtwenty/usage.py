"""The commands, a line each, and the page that names them all; what each takes is in arguments.py. Imports nothing."""

COMMANDS = {
    "play": "go straight to the table",
    "serve": "the game in a browser on this machine",
    "odds": "420: every legal reroll of a hand with its exact chances",
    "values": "420: by seat, the chance to win the round and to buy the drinks",
    "strategy": "420: best play for every hand",
    "simulate": "play many matches of bots and count; the first seat is Player 1",
    "history": "the matches of the past, the last one first, and those that wait",
    "export": "print the record of a match",
    "verify": "check a record: every action, every face, the result",
}
"""What every command is for."""

_LINES = "\n".join(f"  {name:10}  {about}" for name, about in COMMANDS.items())
PAGE = f"""\
usage: fourtwenty [COMMAND] [--data-dir DIR]

420, Mark Steere's dice game. Without a command: the lobby.

commands:
{_LINES}

options:
  --data-dir DIR  where matches are kept
  --version       print the version
  -h, --help      print this; after a command, what it takes

With NO_COLOR set, nothing has a colour.
"""
"""What ``--help`` prints."""
