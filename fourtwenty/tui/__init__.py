"""The full-screen terminal app. Textual is imported only here and under web/."""
