"""What bindings, deletions and ends of pods write into the columns of pods, nodes and workloads."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from planner.kernels import switch
from planner.state.nodes import NONE, NodeTable
from planner.state.pods import PodPhase, PodTable
from planner.state.resources import PODS
from planner.state.specs import PodSpec
from planner.state.workloads import WorkloadTable

if TYPE_CHECKING:
    from planner.kernels.placing.pod_rows import PodRows

# Looking up a member of an enum costs a call in Python 3.11.
_RUNNING, _GONE = int(PodPhase.RUNNING), int(PodPhase.GONE)


def pod_rows(
    pods: PodTable, nodes: NodeTable, workloads: WorkloadTable, specs: list[PodSpec]
) -> "PlainPodRows | PodRows":
    """The kernel, or its twin where there are no kernels."""
    if not switch.in_use():
        return PlainPodRows(pods, nodes, workloads, specs)
    from planner.kernels.placing.pod_rows import PodRows

    return PodRows(pods, nodes, workloads, specs)


class PlainPodRows:
    """The columns of one cluster."""

    def __init__(self, pods: PodTable, nodes: NodeTable, workloads: WorkloadTable, specs: list[PodSpec]) -> None:
        self._pods = pods
        self._nodes = nodes
        self._workloads = workloads
        self._specs = specs

    def bind(self, pod: int, node: int, now_us: int) -> int:
        """A pending pod gets a node; its workload."""
        w, table = self._pods.w, self._workloads.w
        spec = self._specs[int(w.spec[pod])]
        w.node[pod] = w.last_node[pod] = node
        w.bound_us[pod] = w.ready_change_us[pod] = now_us
        w.unschedulable_us[pod] = NONE
        self._count(spec, node, 1)
        table.unbound[spec.workload] -= 1
        table.version[spec.workload] += 1
        return spec.workload

    def bind_all(self, pods: Sequence[int], nodes: Sequence[int], now_us: int) -> list[int]:
        """The same for several pods, each with its node; their workloads."""
        return [self.bind(pod, node, now_us) for pod, node in zip(pods, nodes, strict=True)]

    def begin_deletion(self, pod: int, reason: int, disrupted: bool, now_us: int) -> int:
        """The deletion of a pod begins; its workload."""
        w, table = self._pods.w, self._workloads.w
        workload = int(w.workload[pod])
        w.deletion_us[pod] = now_us
        w.end_reason[pod] = reason
        w.disrupted[pod] = disrupted
        self._leave_service(pod, workload)
        table.terminating[workload] += 1
        table.version[workload] += 1
        return workload

    def remove(self, pod: int, reason: int, now_us: int) -> tuple[int, int]:
        """A pod is gone; its workload, and its node or -1."""
        w, spec = self._pods.w, self._specs[self._pods.spec[pod]]
        workload, node = spec.workload, int(w.node[pod])
        if w.deletion_us.item(pod) == NONE:
            w.end_reason[pod] = reason
            self._leave_service(pod, workload)
        else:
            self._workloads.w.terminating[workload] -= 1
        w.phase[pod] = _GONE
        w.ended_us[pod] = now_us
        w.node[pod] = NONE
        if node != NONE:
            self._count(spec, node, -1)
        self._workloads.w.version[workload] += 1
        return workload, node

    def _count(self, spec: PodSpec, node: int, pods: int) -> None:
        """Add pods of a template to what is taken on a node."""
        requested, nonzero = self._nodes.w.requested[node], self._nodes.w.nonzero[node]  # views of the rows
        requested += pods * spec.request
        requested[PODS] += pods
        nonzero += pods * spec.nonzero

    def _leave_service(self, pod: int, workload: int) -> None:
        table = self._workloads.w
        table.active[workload] -= 1
        if self._pods.phase.item(pod) == _RUNNING:
            table.running[workload] -= 1
        if self._pods.ready[pod]:
            table.ready[workload] -= 1
            self._pods.w.ready[pod] = False
        if self._pods.node.item(pod) == NONE:
            table.unbound[workload] -= 1
