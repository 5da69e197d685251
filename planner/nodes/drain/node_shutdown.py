"""Graceful shutdown of nodes in a run: pods are stopped group by group before the machine shuts down."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.nodes.drain.shutdown import ShutdownGroup, shutdown_groups
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_S

POLL_US = US_PER_S


@dataclass(frozen=True, slots=True)
class ShutdownStep:
    """A kubelet that shuts down looks at its present group of pods."""

    node: int


@dataclass
class _Shutdown:
    """One shutdown in progress; times in microseconds."""

    groups: list[ShutdownGroup]
    """Groups still to come."""
    on_end: Callable[[], None]
    waiting: list[int]
    """Pods of the present group."""
    until_us: int


class NodeShutdowns:
    """Stops the pods of nodes that shut down; a machine without shutdown periods goes at once."""

    def __init__(
        self,
        cluster: Cluster,
        events: EventQueue,
        periods: Mapping[int, Sequence[tuple[int, int]]],
        delete: Callable[[int, EndReason, int], None],
    ) -> None:
        """`periods`: (priority, microseconds) by group row; empty: graceful shutdown is off."""
        self._cluster = cluster
        self._events = events
        self._periods = periods
        self._delete = delete
        self._shutdowns: dict[int, _Shutdown] = {}

    def start(self, node: int, on_end: Callable[[], None]) -> None:
        """Begin with the group of lowest priority; `on_end` is called after the last group."""
        periods = self._periods[int(self._cluster.nodes.group[node])]
        if not periods:
            on_end()
            return
        self._cluster.set_unschedulable(node, True)
        pods = self._cluster.pods
        views = [
            (pod, int(pods.priority[pod]), self._cluster.pod_specs[pods.spec[pod]].running.grace_us)
            for pod in self._cluster.node_pods[node]
            if pods.deletion_us[pod] == NONE
        ]
        now_us = self._events.now_us
        self._shutdowns[node] = _Shutdown(shutdown_groups(periods, views), on_end, [], now_us)
        self._events.push(now_us, Phase.NODE_STATUS, ShutdownStep(node))

    def on_step(self, event: ShutdownStep) -> None:
        """Go on to the next group when the present one is gone or has had its time."""
        now_us, shutdown = self._events.now_us, self._shutdowns[event.node]
        shutdown.waiting = [pod for pod in shutdown.waiting if self._cluster.pods.node[pod] == event.node]
        while not shutdown.waiting or now_us >= shutdown.until_us:
            if not shutdown.groups:
                del self._shutdowns[event.node]
                shutdown.on_end()
                return
            group = shutdown.groups.pop(0)
            shutdown.until_us = now_us + group.period_us
            shutdown.waiting = [int(str(key)) for key in group.graces_us]
            for key, grace_us in group.graces_us.items():
                self._delete(int(str(key)), EndReason.FAILED, grace_us)
        self._events.push(min(now_us + POLL_US, shutdown.until_us), Phase.NODE_STATUS, event)
