"""Connects rooms by a network: a room's log on a NATS broker, and a host's own broker."""
