"""The network of the rooms: a room's log on a NATS broker, and a host's own broker."""
