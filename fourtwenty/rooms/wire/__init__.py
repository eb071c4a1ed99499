"""The network of the rooms: the log of a room on a NATS broker, and the broker that a host runs."""
