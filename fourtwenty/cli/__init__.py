"""The command line, without Textual: arguments, commands that print, play in lines of text."""
