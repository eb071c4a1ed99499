"""Makes the game a page of static files, with Python running in the browser itself."""
