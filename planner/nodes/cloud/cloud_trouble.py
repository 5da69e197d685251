"""What is wrong with the provisioning of a node group at present, and how the cloud refuses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.plan.model.faults import FailureKind

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


def takes_machine(troubles: Sequence[Trouble], draws: np.random.Generator) -> bool:
    """Whether the cloud has a machine for one more request; it is taken out of the stock."""
    if any(trouble.available == 0 for trouble in troubles):
        return False
    if any(fails(trouble, FailureKind.REFUSED, draws) for trouble in troubles):
        return False
    for trouble in troubles:
        if trouble.available is not None:
            trouble.available -= 1
    return True


def defect_of(troubles: Sequence[Trouble], draws: np.random.Generator) -> FailureKind | None:
    """How a new instance fails; None if it works. The first kind that strikes counts."""
    for kind in _WHEN_IT_BOOTS:
        if any(fails(trouble, kind, draws) for trouble in troubles):
            return kind
    return None


def fails(trouble: Trouble, kind: FailureKind, draws: np.random.Generator) -> bool:
    """Draw whether one instance fails so; nothing is drawn where that is certain not to happen."""
    ratio = trouble.failures.get(kind, 0.0)
    return ratio > 0 and draws.random() < ratio
