"""Past games and practice: the list of games, the review of one, statistics, and puzzles."""
