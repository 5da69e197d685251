"""The size of the cluster as a proportional autoscaler counts it."""

import numpy as np

from planner.hpa.proportional.proportional import (
    ClusterSize,
    CountedNode,
    LadderParams,
    LinearParams,
    checked_linear,
    cluster_size,
    ladder_replicas,
    linear_replicas,
)
from planner.matching.selectors import has_labels
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler, LadderStep, LinearMode
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import ProportionalSize
from planner.state.cluster import Cluster
from planner.state.resources import CPU

Params = LinearParams | LadderParams


def params_of(planned: ClusterProportionalAutoscaler) -> Params:
    """The parameters of a planned autoscaler as the rules read them."""
    mode = planned.mode
    if isinstance(mode, LinearMode):
        linear = LinearParams(
            mode.cores_per_replica,
            mode.nodes_per_replica,
            mode.min,
            mode.max,
            mode.prevent_single_point_failure,
            mode.include_unschedulable_nodes,
        )
        return checked_linear(linear)
    return LadderParams(
        _sorted_steps(mode.cores_to_replicas), _sorted_steps(mode.nodes_to_replicas), mode.include_unschedulable_nodes
    )


def replicas_of(params: Params, size: ClusterSize) -> int:
    """What the autoscaler writes at this size of the cluster."""
    return linear_replicas(params, size) if isinstance(params, LinearParams) else ladder_replicas(params, size)


def counted_size(cluster: Cluster, node_labels: dict[str, str]) -> ClusterSize:
    """Nodes and allocatable cores, of the nodes with these labels."""
    nodes = cluster.nodes
    found = np.flatnonzero(nodes.exists).tolist()
    if node_labels:
        found = [node for node in found if has_labels(cluster.node_labels(node), node_labels.items())]
    return cluster_size(
        [
            CountedNode(int(nodes.allocatable[node, CPU]), bool(nodes.ready[node]), bool(nodes.unschedulable[node]))
            for node in found
        ]
    )


class ProportionalController:
    """One proportional autoscaler of a run: each poll writes the computed number where it differs."""

    def __init__(self, cluster: Cluster, planned: ClusterProportionalAutoscaler, targets: tuple[int, ...]) -> None:
        """`targets`: workload rows."""
        self._cluster = cluster
        self._planned = planned
        self._params = params_of(planned)
        self._targets = targets
        self.poll_period_us = planned.poll_period

    def poll(self, now_us: int) -> list[Decision]:
        """Look at the cluster once; the changes it made."""
        size = counted_size(self._cluster, self._planned.node_labels)
        wanted, made = replicas_of(self._params, size), []
        for row in self._targets:
            current = int(self._cluster.workloads.desired[row])
            if current != wanted:
                self._cluster.set_replicas(row, wanted)
                made.append(self._decision(row, current, wanted, size, now_us))
        return made

    def _decision(self, row: int, current: int, wanted: int, size: ClusterSize, now_us: int) -> Decision:
        counts_all = self._params.include_unschedulable_nodes
        details = ProportionalSize(
            autoscaler=self._planned.name,
            mode=self._planned.mode.type,
            current=current,
            desired=wanted,
            nodes=size.total_nodes if counts_all else size.schedulable_nodes,
            cores=size.total_cores if counts_all else size.schedulable_cores,
        )
        name = self._cluster.workload_names[row]
        return Decision(now_us, Actor.PROPORTIONAL, Verdict.SCALED, name, details=details)


def _sorted_steps(steps: tuple[LadderStep, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted((step.threshold, step.replicas) for step in steps))
