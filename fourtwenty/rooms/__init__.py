"""Rooms: one table for several machines. A wing on top of the house: no other part imports it."""
