"""The commands' summaries and the page of ``fourtwenty --help``."""

SUMMARIES = {
    "play": "go straight to the table",
    "practice": "positions where the choice matters, without a game",
    "host": "open a table for several machines",
    "join": "sit down at a table that somebody has opened",
    "odds": "420: every legal reroll of a hand with its exact chances",
    "values": "420: each seat's chance to win the round and to buy the drinks",
    "strategy": "420: best play for every hand",
    "simulate": "play many games of bots and count; the first seat is Player 1",
    "history": "past and unfinished games, the latest first",
    "export": "print the record of a game",
    "verify": "check a record: every action, every face, the result",
}

VARIABLES = {
    "FOURTWENTY_HOME": "the folder for games and settings",
    "FOURTWENTY_HUB": "the NATS server at which host opens tables",
    "FOURTWENTY_TABLE": "the table at which join sits down",
    "NO_COLOR=1": "no colours",
    "ACCESSIBLE=1": "lines of text instead of the screen, as with --plain",
    "TEXTUAL_ANIMATIONS=none": "nothing moves",
}


def columns(rows: dict[str, str]) -> str:
    width = max(map(len, rows))
    return "\n".join(f"  {name:{width}}  {about}".rstrip() for name, about in rows.items())


HELP_PAGE = f"""\
usage: fourtwenty [COMMAND | GAME] [--plain] [--ascii] [--data-dir DIR]

420, Mark Steere's dice game. Without a command: the lobby.
With a game (420, 421, ten-rounds): its table.

commands:
{columns(SUMMARIES)}

options:
  --plain         lines of text instead of the screen
  --ascii         draw with plain ASCII characters
  --data-dir DIR  keep games and settings in this folder
  -V, --version   print the version
  -h, --help      print this page

environment:
{columns(VARIABLES)}

"fourtwenty help COMMAND" shows what a command takes, with examples.
"""
