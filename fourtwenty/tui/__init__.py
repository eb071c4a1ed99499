"""The full-screen terminal app. Textual is imported only here, under web/ and in the screens of rooms."""
