"""Whether a kubelet under pressure lets a new pod in (spec/node-lifecycle.md section 7)."""

from collections.abc import Collection, Sequence

from planner.matching.taints import Taint, TaintEffect, TolerationLike, tolerated
from planner.nodes.kubelet.pressure import Pressure
from planner.nodes.kubelet.qos import QosClass

PRESSURE_TAINTS = {
    Pressure.MEMORY: Taint("node.kubernetes.io/memory-pressure", "", TaintEffect.NO_SCHEDULE),
    Pressure.DISK: Taint("node.kubernetes.io/disk-pressure", "", TaintEffect.NO_SCHEDULE),
    Pressure.PID: Taint("node.kubernetes.io/pid-pressure", "", TaintEffect.NO_SCHEDULE),
}


def admits(conditions: Collection[str], qos: QosClass, critical: bool, tolerations: Sequence[TolerationLike]) -> bool:
    """Under memory pressure alone everything that is not BestEffort; under any other only critical pods."""
    if not conditions or critical:
        return True
    if set(conditions) != {Pressure.MEMORY}:
        return False
    return qos is not QosClass.BEST_EFFORT or tolerated(tolerations, PRESSURE_TAINTS[Pressure.MEMORY])
