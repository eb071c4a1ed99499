"""Past games and practice: the list of games, the review of one, the statistics of a player, and positions to solve."""
