"""Plays at one table on several machines. The top layer: no other part imports it."""
