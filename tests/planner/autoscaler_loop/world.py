"""A small cluster with an autoscaler, moved by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from planner.autoscaler.cloud import CloudRefusal
from planner.autoscaler.loop.static_autoscaler import LoopOutcome, StaticAutoscaler
from planner.engine.draws import Draws
from planner.matching.taints import NodeTaint
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.record.decisions import Decision, Verdict
from planner.record.recorder import Recorder
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodSpec
from planner.units import GIB, MIB, US_PER_S
from tests.pod_specs import spec_fields


class World:
    """Clock, cloud and API server of a test. Nodes have 4 cpu and 16 GiB unless said otherwise."""

    def __init__(self, *extended: str) -> None:
        self.now_us = 0
        self.axis = ResourceAxis(extended)
        self.cluster = Cluster(self, self.axis)
        self.recorder = Recorder()
        self.daemons: list[PodSpec] = []
        self.refuse_resize = False
        self.refuse_evictions = False
        self.budgets: list[tuple[int, int]] = []
        """Workload row and disruptions allowed."""
        self.autoscaler: StaticAutoscaler
        self.start_us = 0

    # -- what there is ------------------------------------------------------------------------

    def add_group(
        self,
        name: str,
        *,
        nodes: int = 0,
        cpu: int = 4000,
        memory: int = 16 * GIB,
        least: int = 0,
        most: int = 10,
        taints: tuple[NodeTaint, ...] = (),
        price: float = 0.0,
    ) -> int:
        """A node group with Ready nodes."""
        amounts = self.axis.amounts({"cpu": cpu, "memory": memory, "pods": 110})
        group = self.cluster.add_group(name, least, most)
        self.cluster.node_specs.append(NodeSpec(group, group, amounts, amounts, {"pool": name}, taints, price))
        for _ in range(nodes):
            self.cluster.register_node(self.cluster.request_node(group))
        return group

    def add_workload(self, name: str, cpu: int = 1000, memory: int = 512 * MIB, **fields: Any) -> PodSpec:
        """A workload of equal pods; none exist yet."""
        request = self.axis.amounts({"cpu": cpu, "memory": memory})
        row = self.cluster.add_workload(name)
        nonzero = np.array([cpu, memory], dtype=np.int64)
        index = len(self.cluster.pod_specs)
        spec = PodSpec(index, row, "default", {"app": name}, request, nonzero, **spec_fields(**fields))
        self.cluster.pod_specs.append(spec)
        if spec.is_daemon:
            self.daemons.append(spec)
        return spec

    def run_pods(self, spec: PodSpec, nodes: Sequence[int]) -> list[int]:
        """Running pods of a workload, one for each node named."""
        first = self.cluster.create_pods(spec.index, len(nodes), pinned=nodes if spec.is_daemon else None)
        for pod, node in enumerate(nodes, first):
            self.cluster.bind(pod, node)
            self.cluster.mark_running(pod)
        return list(range(first, first + len(nodes)))

    def leave_pending(self, spec: PodSpec, count: int) -> list[int]:
        """Pods that the scheduler found no node for."""
        first = self.cluster.create_pods(spec.index, count)
        for pod in range(first, first + count):
            self.cluster.mark_unschedulable([pod], [None])
        return list(range(first, first + count))

    def start(
        self,
        *,
        reuse: bool = True,
        options: dict[int, NodeGroupOptions] | None = None,
        draws: Draws | None = None,
        **settings: object,
    ) -> "World":
        """Start the autoscaler with these settings; `options`: those of single groups."""
        plan = ClusterAutoscalerSettings.model_validate(settings)
        self.autoscaler = StaticAutoscaler(
            self.cluster,
            self.recorder,
            plan,
            StaticFit(self.cluster),
            self,
            self,
            self.cluster.node_specs,
            self.daemons,
            draws,
            group_settings=options,
            budgets=self,
            reuse_simulations=reuse,
        )
        return self

    # -- time ---------------------------------------------------------------------------------

    def loop_at(self, seconds: float) -> LoopOutcome:
        """Move the clock, run due timers, then one loop."""
        until_us = round(seconds * US_PER_S)
        while (due_us := self.autoscaler.next_timer_us()) is not None and due_us <= until_us:
            self.now_us = due_us
            self.autoscaler.run_timers(due_us)
        self.now_us = until_us
        return self.autoscaler.run_once(until_us)

    def loops(self, start_s: int, end_s: int, step_s: int = 10) -> list[LoopOutcome]:
        """Loops at a fixed rhythm, both ends included."""
        return [self.loop_at(at) for at in range(start_s, end_s + 1, step_s)]

    # -- cloud and API ------------------------------------------------------------------------

    def increase_size(self, group: int, count: int) -> None:
        """Request nodes; they stay unregistered until `boot_all`."""
        if self.refuse_resize:
            raise CloudRefusal("out of stock")
        for _ in range(count):
            self.cluster.request_node(group)

    def decrease_target(self, group: int, count: int) -> None:
        """Lower the target, not below the instances."""
        target = self.target(group) - count
        if target < len(self.cluster.group_nodes[group]):
            raise CloudRefusal("instances exist")
        self.cluster.set_target(group, target)

    def delete_node(self, node: int) -> None:
        """Delete an instance at once, with the pods still on it."""
        self.cluster.request_node_removal(node)
        for pod in list(self.cluster.node_pods[node]):
            self.cluster.remove_pod(pod, EndReason.NODE_REMOVED)
        self.cluster.remove_node(node)

    def evict(self, pod: int) -> bool:
        """Evict a pod; it is gone at once."""
        if self.refuse_evictions:
            return False
        self.cluster.remove_pod(pod, EndReason.EVICTED)
        return True

    def covering(self, pod: int) -> tuple[int, ...]:
        """Budgets that select a pod: by workload."""
        return tuple(at for at, (workload, _) in enumerate(self.budgets) if workload == self.cluster.pods.workload[pod])

    def allowed(self) -> list[int]:
        """Disruptions that the budgets allow."""
        return [allowed for _, allowed in self.budgets]

    def boot_all(self) -> None:
        """All requested instances become Ready nodes."""
        nodes = self.cluster.nodes
        for node in range(nodes.count):
            if not nodes.exists[node] and nodes.removed_us[node] == -1:
                self.cluster.register_node(node)

    # -- looking ------------------------------------------------------------------------------

    def target(self, group: int) -> int:
        """Target size of a group."""
        return int(self.cluster.groups.target[group])

    def decisions(self, verdict: Verdict) -> list[Decision]:
        """Decisions with one verdict."""
        return [decision for decision in self.recorder.decisions if decision.verdict is verdict]


def deleted(outcome: LoopOutcome) -> tuple[int, ...]:
    """Nodes whose removal a loop started."""
    return outcome.scale_down.deleting if outcome.scale_down else ()


def acted(outcome: LoopOutcome) -> bool:
    """Whether a loop started a scale-up or a removal."""
    return outcome.scaled_up or bool(deleted(outcome))
