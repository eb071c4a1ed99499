"""Makes the pages of the game for browsers."""
