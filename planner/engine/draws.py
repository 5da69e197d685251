"""Random numbers that belong to things instead of to the order in which they are drawn.

A draw is a function of the seed, a purpose ("nodes/boot time"), the key of a thing and the number of the draw for
that thing. Nothing is advanced, so a draw that is added, left out or made earlier changes no other one, and two
plans that share a thing share its luck.

Keys are unsigned 64-bit numbers. They come from names and ordinals, never from row numbers, which shift when a plan
changes: `key_of("default", "web")` is a workload, `key_within(workload, 3)` its third pod. Bits are mixed by the
finalizer of SplitMix64 (Steele, Lea and Flood 2014, constants of its reference implementation); a thing's draws are
the SplitMix64 sequence that starts at a hash of seed, purpose and key.
"""

import hashlib
import math
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
Floats = NDArray[np.float64]
_ALL_BITS = (1 << 64) - 1
_STEP = 0x9E37_79B9_7F4A_7C15
_FIRST, _SECOND = 0xBF58_476D_1CE4_E5B9, 0x94D0_49BB_1331_11EB
_UNIT = 2.0**-53


def key_of(*names: str) -> int:
    """The key of a thing that is found by its names, the same in every process."""
    text = "".join(f"{len(name)}:{name}" for name in names)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


@overload
def key_within(key: int, number: int) -> int: ...
@overload
def key_within(key: int, number: Keys) -> Keys: ...
@overload
def key_within(key: Keys, number: int | Keys) -> Keys: ...
def key_within(key: Any, number: Any) -> Any:
    """The key of the thing with this number, or this key, within another thing; of arrays element by element."""
    return _mix(key + (number * _STEP & _ALL_BITS) & _ALL_BITS)


def _mix(bits: Any) -> Any:
    """Every bit of the result depends on every bit given. One rule for integers and for columns of them."""
    bits = (bits ^ (bits >> 30)) * _FIRST & _ALL_BITS
    bits = (bits ^ (bits >> 27)) * _SECOND & _ALL_BITS
    return bits ^ (bits >> 31)


def next_uniform(stream: Keys) -> tuple[Floats, Keys]:
    """The next draw of each stream, evenly distributed in [0, 1), and where the streams go on."""
    return (_mix(stream) >> 11) * _UNIT, stream + np.uint64(_STEP)


class Draws:
    """All chance of one run; it comes from the seed alone."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def of(self, purpose: str) -> "PurposeDraws":
        """The draws for one purpose, independent of those for any other."""
        return PurposeDraws(key_of(str(self._seed), purpose))


class PurposeDraws:
    """Draws for one purpose, by the key of a thing and the number of the draw; columns of keys draw for many things."""

    def __init__(self, salt: int) -> None:
        self.salt = salt
        """The key of seed and purpose."""

    @overload
    def uniform(self, key: int, number: int = 0) -> float: ...
    @overload
    def uniform(self, key: Keys, number: int | Keys = 0) -> Floats: ...
    def uniform(self, key: Any, number: Any = 0) -> Any:
        """Evenly distributed in [0, 1)."""
        return (key_within(_mix(key ^ self.salt), number) >> 11) * _UNIT

    def stream(self, keys: Keys) -> Keys:
        """For `next_uniform`: where the draws of things begin that `uniform` makes by number."""
        return np.asarray(_mix(keys ^ np.uint64(self.salt)), np.uint64)

    @overload
    def normal(self, key: int, number: int = 0) -> float: ...
    @overload
    def normal(self, key: Keys, number: int | Keys = 0) -> Floats: ...
    def normal(self, key: Any, number: Any = 0) -> Any:
        """Standard normal, by the method of Box and Muller. It takes two draws: use no others for the purpose."""
        radius = np.sqrt(-2.0 * np.log1p(-self.uniform(key, 2 * number)))
        return radius * np.cos(math.tau * self.uniform(key, 2 * number + 1))

    def exponential(self, key: int, number: int = 0) -> float:
        """Exponential of mean 1."""
        return -math.log1p(-self.uniform(key, number))

    def below(self, count: int, key: int, number: int = 0) -> int:
        """One of 0, 1, ..., count - 1, each with the same chance."""
        return int(self.uniform(key, number) * count)

    def first(self, key: int, candidates: Keys) -> int:
        """Position of the candidate that the thing prefers, each with the same chance."""
        return int(self._ranks(key, candidates).argmin())

    def some(self, count: int, key: int, candidates: Keys) -> list[int]:
        """Positions of the `count` candidates that the thing prefers, ascending."""
        chosen: list[int] = self._ranks(key, candidates).argsort(kind="stable")[:count].tolist()
        return sorted(chosen)

    def _ranks(self, key: int, candidates: Keys) -> Keys:
        """The thing's order of preference, least first: a candidate's rank does not depend on the other candidates.

        A random odd factor is enough, because the keys of the candidates are already mixed.
        """
        return candidates * np.uint64(_mix(key ^ self.salt) | 1)
