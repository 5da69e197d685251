"""The proportional autoscalers of a run: each poll counts the cluster and writes the number that follows."""

import numpy as np

from planner.hpa.proportional.proportional import ClusterSize, cluster_size, counted, replicas_of
from planner.matching.selectors import has_labels
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import ProportionalSize
from planner.state.cluster import Cluster
from planner.state.resources import CPU


def counted_size(cluster: Cluster, node_labels: dict[str, str]) -> ClusterSize:
    """Nodes and allocatable cores, of the nodes with these labels."""
    nodes = cluster.nodes
    rows = np.flatnonzero(nodes.exists)
    if node_labels:
        rows = rows[[has_labels(cluster.node_labels(node), node_labels.items()) for node in rows.tolist()]]
    return cluster_size(nodes.allocatable[rows, CPU], nodes.ready[rows], nodes.unschedulable[rows])


class ProportionalController:
    """One proportional autoscaler of a run."""

    def __init__(self, cluster: Cluster, planned: ClusterProportionalAutoscaler, targets: tuple[int, ...]) -> None:
        """`targets`: workload rows."""
        self._cluster = cluster
        self._planned = planned
        self._targets = targets
        self.poll_period_us = planned.poll_period

    def poll(self, now_us: int) -> list[Decision]:
        """Look at the cluster once; the changes it made."""
        size = counted_size(self._cluster, self._planned.node_labels)
        wanted, made = replicas_of(self._planned.mode, size), []
        for row in self._targets:
            current = int(self._cluster.workloads.desired[row])
            if current != wanted:
                self._cluster.set_replicas(row, wanted)
                made.append(self._decision(row, current, wanted, size, now_us))
        return made

    def _decision(self, row: int, current: int, wanted: int, size: ClusterSize, now_us: int) -> Decision:
        mode = self._planned.mode
        nodes, cores = counted(mode, size)
        details = ProportionalSize(
            autoscaler=self._planned.name, mode=mode.type, current=current, desired=wanted, nodes=nodes, cores=cores
        )
        name = self._cluster.workload_names[row]
        return Decision(now_us, Actor.PROPORTIONAL, Verdict.SCALED, name, details=details)
