"""The dialogs: small screens that ask one question and are dismissed with the answer."""
