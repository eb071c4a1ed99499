"""Storage: the history, records and settings. All SQL is here."""
