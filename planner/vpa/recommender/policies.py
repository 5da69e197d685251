"""What a VPA says about its containers, and how a recommendation is fitted to it.

Vertical Pod Autoscaler 1.8, utils/vpa/api.go, utils/vpa/capping.go, recommender/routines/vpa.go and
recommender/routines/cpu_integer_post_processor.go.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from planner.vpa.recommender.containers import MemoryRules

Ints = NDArray[np.int64]
CPU, MEMORY = "cpu", "memory"
RESOURCES = (CPU, MEMORY)
EVERY = "*"
"""Name of the policy of all containers that have none of their own."""
NO_LOWEST, NO_HIGHEST = 0, np.iinfo(np.int64).max
_MILLI_PER_CORE = 1000
_HUMAN = (("Ti", 1 << 40), ("Gi", 1 << 30), ("Mi", 1 << 20), ("Ki", 1 << 10))


@dataclass(frozen=True)
class ContainerPolicy:
    """Rules for one container, or for all others; amounts in milli-CPU and bytes."""

    container: str = EVERY
    is_off: bool = False
    min_allowed: Mapping[str, int] = field(default_factory=dict)
    max_allowed: Mapping[str, int] = field(default_factory=dict)
    controlled: tuple[str, ...] = RESOURCES
    requests_only: bool = False
    """Limits stay as they are; otherwise they keep their proportion to the requests."""
    memory: MemoryRules | None = None
    """Where they differ from the flags of the recommender."""


@dataclass(frozen=True)
class Rounding:
    """Flags of the recommender for the last steps."""

    cpu_milli: int = 1
    memory_bytes: int = 1
    """Recommendations are multiples of these."""
    humanize_memory: bool = False
    """Memory has two decimals of its largest binary unit."""
    max_allowed: Mapping[str, int] = field(default_factory=dict)
    """Where a policy has none."""


def policy_of(container: str, policies: Sequence[ContainerPolicy]) -> ContainerPolicy:
    """The first policy that names the container, else the last one for all others, else the usual one."""
    named = [one for one in policies if one.container == container]
    others = [one for one in policies if one.container == EVERY]
    return [*named, *others[-1:], ContainerPolicy(container)][0]


def rounded(resource: str, amounts: Ints, rounding: Rounding) -> Ints:
    """Amounts rounded up to what the flags of the recommender ask for."""
    if resource == CPU:
        return _up_to(amounts, rounding.cpu_milli)
    found = _up_to(amounts, rounding.memory_bytes)
    return np.vectorize(_humanized, otypes=[np.int64])(found) if rounding.humanize_memory and found.size else found


def whole_cores(milli: Ints) -> Ints:
    """CPU rounded up to whole cores."""
    return _up_to(milli, _MILLI_PER_CORE)


def bounds_of(policy: ContainerPolicy, resource: str, rounding: Rounding) -> tuple[int, int]:
    """The least and the most that a policy allows; the most wins."""
    most = policy.max_allowed.get(resource, rounding.max_allowed.get(resource, 0)) or NO_HIGHEST
    return policy.min_allowed.get(resource, NO_LOWEST), most


def _up_to(amounts: Ints, step: int) -> Ints:
    return amounts if step <= 1 else -(-amounts // step) * step


def _humanized(memory: int) -> int:
    size = next((size for _, size in _HUMAN if memory >= size), 0)
    return math.ceil(Fraction(f"{memory / size:.2f}") * size) if size else memory
