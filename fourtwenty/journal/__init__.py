"""Storage: history, records and settings, with all SQL."""
