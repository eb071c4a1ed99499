"""420, Mark Steere's dice game, in the terminal: its rules, its bots and its table.

Importing the package imports nothing else; take what you need from the modules.
"""

__version__ = "0.2.0"
