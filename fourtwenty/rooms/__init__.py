"""Rooms: one table for several machines. Everything here is pure, except that wire/ knows the network."""
