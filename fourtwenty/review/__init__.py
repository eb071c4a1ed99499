"""Analysis of matches against best play, and of dice."""
