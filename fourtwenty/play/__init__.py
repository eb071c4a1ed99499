"""One match in progress: seats, dice, bots and the match itself. No screen and no file."""
