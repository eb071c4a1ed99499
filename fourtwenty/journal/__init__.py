"""Everything that is stored: matches, records and settings. SQL is only here."""
