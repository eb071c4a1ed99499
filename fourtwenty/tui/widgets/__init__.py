"""Reusable parts of the screens. They know no screen and no rules, and post messages."""
