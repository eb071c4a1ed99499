"""Stores the history, records and settings, with all SQL."""
