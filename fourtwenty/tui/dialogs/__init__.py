"""The dialogs, one in each file: small screens that ask one thing and are dismissed with the answer."""
