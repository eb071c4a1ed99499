"""The alphabet of hypothesis for any text that a person may type."""

from hypothesis import strategies as st

LETTERS = st.characters(exclude_categories=["Cs"])
"""Every character that UTF-8 has.

The default of ``text`` has the same ones, but for it hypothesis 6.170 encodes 1.1 million characters, which takes each
process 1.6 s until one has written them to a file.
"""
