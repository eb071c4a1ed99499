"""The page for the guests of a table: a link, a QR code, a server."""
