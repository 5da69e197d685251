"""Refuse nodes whose host ports are taken (kube-scheduler 1.36, nodeports)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Ints, Mask
from planner.scheduler.interface import NodeDelta, NodeRefusal, Refusal, SchedulerContext
from planner.scheduler.reasons import Reason
from planner.state.specs import PodSpec, PortClaim, any_conflict


@dataclass(frozen=True)
class PortsMatcher:
    """Pods that hold a port which conflicts with one of these."""

    counts_terminating: ClassVar[bool] = True
    ports: tuple[PortClaim, ...]

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""
        return any_conflict(self.ports, spec.placement.host_ports)


class PreparedPorts:
    """Conflicts of one template at one moment."""

    def __init__(self, context: SchedulerContext, matcher: PortsMatcher, holders: Ints) -> None:
        self._context = context
        self._matcher = matcher
        self._holders = holders

    @property
    def passes(self) -> Mask:
        """Nodes where no pod holds a wanted port."""
        free: Mask = self._holders == 0
        return free

    def refusals(self) -> list[Refusal]:
        """Removing pods frees ports, so none is unresolvable."""
        taken = self._holders > 0
        return [Refusal(taken, Reason.NODE_PORTS, np.zeros_like(taken))]

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """The same with the pods of one node changed."""
        held = [port for port, taken in delta.ports.items() if taken]
        if self._holders[node]:
            specs, cluster = self._context.cluster.pod_specs, self._context.cluster
            here = (specs[cluster.pods.spec[pod]].placement.host_ports for pod in cluster.node_pods[node])
            held += [port for ports in here for port in ports if port not in delta.ports]
        return [NodeRefusal(Reason.NODE_PORTS, False)] if any_conflict(self._matcher.ports, held) else []


class NodePorts:
    """Host ports of main containers and sidecars."""

    name = PluginName.NODE_PORTS
    looks_at_pods = True
    is_node_local = True

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context

    def may_refuse(self, spec: PodSpec) -> bool:
        """Only pods with host ports."""
        return bool(spec.placement.host_ports)

    def prepare(self, spec: PodSpec) -> PreparedPorts | None:
        """None for a pod without host ports."""
        if not spec.placement.host_ports:
            return None
        matcher = PortsMatcher(spec.placement.host_ports)
        return PreparedPorts(self._context, matcher, self._context.counts.by_node(matcher))
