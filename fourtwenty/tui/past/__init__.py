"""Past games: the list of all games, the review of one, the statistics of a player, and the charts of these."""
