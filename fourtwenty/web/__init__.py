"""The game in a browser: the server, its page and the driver of its apps."""
