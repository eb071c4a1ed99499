"""How long a test waits for what must come: only a program that hangs takes so long, however busy the machine is."""

PATIENCE = 120
"""Seconds."""
