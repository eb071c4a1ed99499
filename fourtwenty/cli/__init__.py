"""The command line: arguments, commands that print, and matches in lines of text."""
