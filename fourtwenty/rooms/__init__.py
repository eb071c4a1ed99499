"""Rooms: one table for several machines. The top layer: no other part imports it."""
