"""The longest wait of a test for a condition: only a program that hangs takes so long, however busy the machine is."""

import os

import pytest

PATIENCE = 120
"""Seconds."""

long = pytest.mark.skipif("FOURTWENTY_LONG" not in os.environ, reason="a campaign: .ci/run --long")
"""The mark of tests that take minutes."""
