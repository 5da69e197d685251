"""What a scale-down update hands on to records and to the deletion of nodes."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.reasons import BlockingReason
from planner.autoscaler.scaledown.utilization import Utilization


@dataclass(slots=True)
class ScaleDownView:
    """What a loop found out about the real nodes of its snapshot, by position."""

    verdicts: NDArray[np.int8]
    utilization: Utilization
    thresholds: NDArray[np.float64]
    """Highest utilization at which each node is looked at."""
    blocked: dict[int, tuple[int, BlockingReason]] = field(default_factory=dict)
    """The pod that keeps the node, and why, by node row."""
    wait_us: dict[int, int] = field(default_factory=dict)
    """How long each unneeded node has to stay so, by node row."""
