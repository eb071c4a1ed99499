"""Derives the secret chain of keys; this machine opens one for each throw (docs/fair-dice.md)."""

from __future__ import annotations

from fourtwenty.play.shared_dice import CHAIN_LENGTH, KEY_BYTES, earlier_key

STRIDE = 256
"""One key in so many is stored; the others are hashed again when opened."""


class Chain:
    """The secret of a machine: a key for every step, each the hash of the next."""

    def __init__(self, table: bytes, seed: bytes, length: int = CHAIN_LENGTH) -> None:
        """``seed`` is the last key. Raises ValueError unless it has 32 bytes."""
        if len(seed) != KEY_BYTES:
            raise ValueError(f"The seed of a chain has {KEY_BYTES} bytes, not {len(seed)}.")
        self.table = table
        self.length = length
        self._stored_keys = {length: seed}
        key, step = seed, length
        while step > 0:
            earlier = (step - 1) // STRIDE * STRIDE
            key = self._stored_keys[earlier] = earlier_key(table, key, step - earlier)
            step = earlier

    @property
    def anchor(self) -> bytes:
        """The key of step 0: the public commitment to all others."""
        return self._stored_keys[0]

    def key(self, step: int) -> bytes:
        """Return the key of a step, secret before that step. Raises ValueError for a step without one."""
        if not 0 <= step <= self.length:
            raise ValueError(f"This chain has keys for the steps up to {self.length}, none for step {step}.")
        kept = min(step + -step % STRIDE, self.length)
        return earlier_key(self.table, self._stored_keys[kept], kept - step)
