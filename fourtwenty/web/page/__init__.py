"""The game as a page of static files, on which Python runs in the browser itself."""
