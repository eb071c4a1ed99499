"""Runs ``host`` and ``join``, and a table of several machines in lines of text."""
