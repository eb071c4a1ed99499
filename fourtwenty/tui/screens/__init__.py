"""The screens, one a file. A screen shows a value and is dismissed with one; it does not change the match."""
