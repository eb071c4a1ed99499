"""The dialogs: small screens that ask one thing and are dismissed with the answer."""
