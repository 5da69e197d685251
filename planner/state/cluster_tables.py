"""The tables of a cluster, the names in them, and who hears of changes."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, Protocol

from planner.matching.taints import NodeTaint
from planner.record.history import pod_name
from planner.state.changes import ChangeLog, ClusterEventKind, Listener, ListenerOfMany, Listeners
from planner.state.draw_keys import DrawKeys
from planner.state.nodes import NodeTable
from planner.state.pod_rows import pod_rows
from planner.state.pod_templates import PodTemplates
from planner.state.pods import PodTable
from planner.state.resources import ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, Interner, NodeSpec, PodSpec
from planner.state.workloads import GroupTable, WorkloadTable


class Clock(Protocol):
    """Whatever knows the simulated time."""

    @property
    def now_us(self) -> int:
        """Simulated microseconds since the start."""


class ClusterTables:
    """Nodes, pods, workloads and node groups."""

    def __init__(self, clock: Clock, axis: ResourceAxis) -> None:
        self.clock = clock
        self.axis = axis
        self.nodes = NodeTable(len(axis))
        self.pods = PodTable()
        self.workloads = WorkloadTable()
        self.groups = GroupTable()
        self._templates = PodTemplates()
        self.pod_specs: list[PodSpec] = self._templates.specs
        self._pod_rows = pod_rows(self.pods, self.nodes, self.workloads, self.pod_specs)
        self._admission: dict[int, Callable[[int], int]] = {}
        self.claim_zones: dict[tuple[int, int], str] = {}
        """Zone of a StatefulSet pod's volume by workload and ordinal, given, or from its first placement on."""
        self.node_specs: list[NodeSpec] = []
        self.workload_names: list[str] = []
        self.workload_namespaces: list[str] = []
        self.draw_keys = DrawKeys()
        self.namespace_labels: dict[str, Mapping[str, str]] = {}
        """Labels of namespaces by name; a namespace that is missing has none."""
        self.group_names: list[str] = []
        self.label_sets: Interner[tuple[tuple[str, str], ...]] = Interner()
        self.taint_sets: Interner[tuple[NodeTaint, ...]] = Interner()
        self.zones: Interner[tuple[str, str]] = Interner()
        self.unschedulable_messages: Interner[Hashable] = Interner()
        self.node_pods: list[dict[int, None]] = []
        """Per node the pods bound to it, in order of binding."""
        self.workload_pods: list[dict[int, None]] = []
        """Per workload the pods that are not gone, in order of creation."""
        self.group_nodes: list[dict[int, None]] = []
        """Per group the instances that are not gone, in order of request."""
        self.nominated_pods: dict[int, dict[int, None]] = {}
        """Per node the pods nominated to it."""
        self.node_changes = ChangeLog()
        self._listeners = Listeners()
        self._publish = self._listeners.publish
        self._publish_many = self._listeners.publish_many

    def __getstate__(self) -> dict[str, Any]:
        """Copies write their own columns."""
        return {name: value for name, value in vars(self).items() if name != "_pod_rows"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._pod_rows = pod_rows(self.pods, self.nodes, self.workloads, self.pod_specs)

    def subscribe(
        self,
        listener: Listener,
        kinds: Iterable[ClusterEventKind] = tuple(ClusterEventKind),
        many: ListenerOfMany | None = None,
    ) -> None:
        """Call `listener` with every ClusterEvent of these kinds, in order of subscription.

        `many`: called instead with changes that several pods make together; they are in the tables already.
        """
        self._listeners.add(listener, kinds, many)

    def is_heard_together(self, kind: ClusterEventKind) -> bool:
        """Whether everybody who hears of this kind of change takes many at once, so that nobody acts in between."""
        return self._listeners.take_many(kind)

    def unsubscribe(self, listener: Listener) -> None:
        """Stop calling a listener. Components that a restart replaces do this, or they would be called for ever."""
        self._listeners.remove(listener)

    def forget_listeners(self) -> None:
        """No listener follows the changes any more, and no webhook."""
        self._listeners.clear()
        self._admission.clear()

    def set_namespace_labels(self, name: str, labels: Mapping[str, str]) -> None:
        """Labels of a namespace, for namespace selectors."""
        self.namespace_labels[name] = labels

    def pod_name(self, pod: int) -> str:
        """The pod's name: workload and serial number, or the ordinal of a StatefulSet's pod."""
        pods = self.pods
        return pod_name(self.workload_names[pods.workload.item(pod)], pods.number.item(pod), pods.ordinal.item(pod))

    def node_name(self, node: int) -> str:
        """The node's name: its own, or group and serial number."""
        nodes = self.nodes
        own = self.node_specs[nodes.spec.item(node)].name
        return own or f"{self.group_names[nodes.group.item(node)]}-{nodes.number.item(node):04d}"

    def node_labels(self, node: int) -> dict[str, str]:
        """All labels of a node, the hostname included."""
        labels = dict(self.label_sets.values[self.nodes.label_set[node]])
        if not self.node_specs[self.nodes.spec[node]].name:
            labels.setdefault(HOSTNAME_LABEL, self.node_name(node))
        return labels

    def node_taints(self, node: int) -> tuple[NodeTaint, ...]:
        """The node's taints at present."""
        return self.taint_sets.values[int(self.nodes.taint_set[node])]
