"""Plays one match: seats, dice, bots and the match itself. No screen and no file."""
