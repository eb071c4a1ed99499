"""The longest wait of a test for a condition: only a program that hangs takes so long, however busy the machine is."""

PATIENCE = 120
"""Seconds."""
