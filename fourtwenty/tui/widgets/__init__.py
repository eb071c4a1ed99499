"""Reusable pieces of the screens. They know no screen and no rules, and speak in messages."""
