"""Finished matches measured against best play."""
