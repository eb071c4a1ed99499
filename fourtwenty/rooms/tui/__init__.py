"""The screens and dialogs of a table of several machines; no network."""
