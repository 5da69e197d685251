"""Named random streams: all randomness of a run comes from the plan's seed through here."""

import hashlib

import numpy as np


def random_stream(seed: int, purpose: str) -> np.random.Generator:
    """An independent generator for one purpose. A new purpose never shifts the others."""
    salt = int.from_bytes(hashlib.blake2b(purpose.encode(), digest_size=8).digest(), "little")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, salt])))


class Streams:
    """The generators of one run, made when first asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._made: dict[str, np.random.Generator] = {}

    def __getitem__(self, purpose: str) -> np.random.Generator:
        stream = self._made.get(purpose)
        if stream is None:
            stream = self._made[purpose] = random_stream(self._seed, purpose)
        return stream
