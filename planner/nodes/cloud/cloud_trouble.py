"""Current provisioning faults of a node group, and how the cloud rejects requests."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.engine.draws import PurposeDraws, key_of
from planner.plan.model.events.on_pools import FailureKind

_WHEN_IT_BOOTS = (FailureKind.NEVER_REGISTERS, FailureKind.NEVER_READY, FailureKind.RESOURCE_MISSING)


class CloudRefusal(Exception):
    """The cloud refused a call; the caller notes the failure and goes on."""


@dataclass
class Trouble:
    """One disturbance of a group, or of several groups together."""

    available: int | None = None
    """Machines that can still be had; None: any number."""
    factor: float = 1.0
    """On the boot time."""
    failures: Mapping[FailureKind, float] = field(default_factory=dict)
    """Share of new instances that fail so."""


def takes_machine(troubles: Sequence[Trouble], draws: PurposeDraws, node_key: int) -> bool:
    """Whether the cloud has a machine for one more request; it is taken out of the stock."""
    if any(trouble.available == 0 for trouble in troubles) or fails(troubles, FailureKind.REFUSED, draws, node_key):
        return False
    for trouble in troubles:
        if trouble.available is not None:
            trouble.available -= 1
    return True


def defect_of(troubles: Sequence[Trouble], draws: PurposeDraws, node_key: int) -> FailureKind | None:
    """How a new instance fails; None if it works. The first kind that strikes counts."""
    return next((kind for kind in _WHEN_IT_BOOTS if fails(troubles, kind, draws, node_key)), None)


def fails(troubles: Sequence[Trouble], kind: FailureKind, draws: PurposeDraws, node_key: int) -> bool:
    """Draw whether one instance fails so. Troubles that act together are independent causes of it."""
    works = math.prod(1.0 - trouble.failures.get(kind, 0.0) for trouble in troubles)
    return works < 1.0 and draws.uniform(node_key, key_of(kind)) >= works
