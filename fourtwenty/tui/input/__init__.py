"""Input, from bytes to the screen that the person saw.

``driver`` reads bytes, ``sequences`` turns them into keys, clicks and pastes, ``queue`` passes these on one by one,
each once the screen is ready for it, and ``layout`` finds the key that is meant where no field has the focus.
"""
