"""The only class that changes simulated state.

Each verb changes the tables, keeps the running sums up to date, and publishes what happened. Verbs decide
nothing: the caller has already applied a rule.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Protocol

from planner.matching.taints import NodeTaint
from planner.record.history import pod_name
from planner.state.changes import ChangeLog, ClusterEvent, ClusterEventKind, Listener, Listeners
from planner.state.draw_keys import DrawKeys
from planner.state.nodes import NONE, NodeTable
from planner.state.pod_rows import pod_rows
from planner.state.pod_templates import PodTemplates
from planner.state.pods import EndReason, PodPhase, PodTable
from planner.state.resources import Amounts, ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, REGION_LABEL, ZONE_LABEL, Interner, NodeSpec, PodSpec
from planner.state.workloads import GroupTable, WorkloadTable

# Looking up a member of an enum costs a call in Python 3.11; the verbs used most have their own names for some.
_POD_ADDED, _POD_BOUND = ClusterEventKind.POD_ADDED, ClusterEventKind.POD_BOUND
_POD_RUNNING, _POD_DELETING = ClusterEventKind.POD_RUNNING, ClusterEventKind.POD_DELETING
_POD_GONE = ClusterEventKind.POD_GONE
_RUNNING = int(PodPhase.RUNNING)
_PREEMPTED = EndReason.PREEMPTED


class Clock(Protocol):
    """Whatever knows the simulated time."""

    @property
    def now_us(self) -> int:
        """Simulated microseconds since the start."""


class Cluster:
    """Nodes, pods, workloads and node groups, with the verbs that change them."""

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

    # -- setting up ---------------------------------------------------------------------------

    def subscribe(self, listener: Listener, kinds: Iterable[ClusterEventKind] = tuple(ClusterEventKind)) -> None:
        """Call `listener` with every ClusterEvent of these kinds, in order of subscription."""
        self._listeners.add(listener, kinds)

    def unsubscribe(self, listener: Listener) -> None:
        """Stop calling a listener. Components that a restart replaces do this, or they would be called for ever."""
        self._listeners.remove(listener)

    def add_workload(self, name: str, namespace: str = "default") -> int:
        """A new workload row; `set_replicas` says how many pods it wants."""
        self.workload_names.append(name)
        self.workload_namespaces.append(namespace)
        self.draw_keys.add_workload(namespace, name)
        self.workload_pods.append({})
        return self.workloads.append(1)

    def set_namespace_labels(self, name: str, labels: Mapping[str, str]) -> None:
        """Labels of a namespace, for namespace selectors."""
        self.namespace_labels[name] = labels

    def set_claim_zone(self, workload: int, ordinal: int, zone: str) -> None:
        """The volume of a StatefulSet's pod is in this zone from the start."""
        self.claim_zones[workload, ordinal] = zone

    def add_group(self, name: str, min_size: int, max_size: int, foreign: bool = False) -> int:
        """A new node group row with target 0. `foreign`: the Cluster Autoscaler does not know it."""
        self.group_names.append(name)
        self.draw_keys.add_group(name)
        self.group_nodes.append({})
        row = self.groups.append(1)
        self.groups.w.min_size[row] = min_size
        self.groups.w.max_size[row] = max_size
        self.groups.w.foreign[row] = foreign
        return row

    # -- names --------------------------------------------------------------------------------

    def pod_name(self, pod: int) -> str:
        """The pod's name: workload and serial number, or the ordinal of a StatefulSet's pod."""
        pods = self.pods
        return pod_name(self.workload_names[pods.workload[pod]], pods.number[pod], pods.ordinal[pod])

    def node_name(self, node: int) -> str:
        """The node's name: its own, or group and serial number."""
        own = self.node_specs[self.nodes.spec[node]].name
        return own or f"{self.group_names[self.nodes.group[node]]}-{self.nodes.number[node]:04d}"

    def node_labels(self, node: int) -> dict[str, str]:
        """All labels of a node, the hostname included."""
        labels = dict(self.label_sets.values[self.nodes.label_set[node]])
        if not self.node_specs[self.nodes.spec[node]].name:
            labels.setdefault(HOSTNAME_LABEL, self.node_name(node))
        return labels

    # -- pods ---------------------------------------------------------------------------------

    def create_pods(
        self,
        spec: int,
        count: int,
        pinned: Sequence[int] | None = None,
        revision: int | None = None,
        ordinals: Sequence[int] | None = None,
    ) -> int:
        """Create pods of a template; the first row. `pinned`: per pod the only node it may go to.

        `revision`: of the template; None is the present one. `ordinals`: of a StatefulSet's pods.
        """
        workload = self.pod_specs[spec].workload
        revision = int(self.workloads.revision[workload]) if revision is None else revision
        name = f"{self.workload_namespaces[workload]}/{self.workload_names[workload]}"
        spec = self._templates.of_revision(spec, revision, name)
        if workload in self._admission:
            spec = self._admission[workload](spec)
        pod_spec = self.pod_specs[spec]
        first = self.pods.append(count)
        w, rows = self.pods.w, slice(first, first + count)
        w.workload[rows] = workload
        w.spec[rows] = spec
        w.priority[rows] = pod_spec.priority
        w.phase[rows] = PodPhase.PENDING
        w.created_us[rows] = self.clock.now_us
        made = int(self.workloads.created[workload])
        w.number[rows] = range(made + 1, made + count + 1)
        w.gated[rows] = pod_spec.placement.is_gated and not self.workloads.ungated[workload]
        if pinned is None:
            w.draw_key[rows] = self.draw_keys.of_pods(workload, made + 1, count)
        else:
            w.pinned[rows] = pinned
            w.draw_key[rows] = self.draw_keys.of_daemon_pods(workload, self.nodes.draw_key[pinned].tolist())
        if ordinals is not None:
            w.ordinal[rows] = ordinals
        w.revision[rows] = revision
        if pod_spec.placement.zonal_claim and ordinals is not None:
            w.spec[rows] = [self._templates.in_zone(spec, self.claim_zones.get((workload, one))) for one in ordinals]
        self.workloads.w.created[workload] += count
        self.workloads.w.active[workload] += count
        self.workloads.w.unbound[workload] += count
        self.workloads.w.version[workload] += 1
        self.workload_pods[workload].update(dict.fromkeys(range(first, first + count)))
        for pod in range(first, first + count):
            self._publish(ClusterEvent(_POD_ADDED, pod, workload=workload))
        return first

    def remove_gates(self, workload: int) -> None:
        """Remove the scheduling gates of a workload's pods, those to come included."""
        self.workloads.w.ungated[workload] = True
        for pod in list(self.workload_pods[workload]):
            if self.pods.gated[pod]:
                self.pods.w.gated[pod] = False
                self._publish(ClusterEvent(ClusterEventKind.POD_UNGATED, pod=pod, workload=workload))

    def bind(self, pod: int, node: int) -> None:
        """Put a pending pod on a node; its nomination ends."""
        if self.nominated_pods:
            self.clear_nomination(pod)
        workload = self._pod_rows.bind(pod, node, self.clock.now_us)
        self.node_pods[node][pod] = None
        if self.pods.ordinal.item(pod) != NONE and self.pod_specs[self.pods.spec[pod]].placement.zonal_claim:
            self._bind_claim(pod, node)
        self.node_changes.add(node)
        self._publish(ClusterEvent(_POD_BOUND, pod, node, workload))

    def _bind_claim(self, pod: int, node: int) -> None:
        zone = self.node_labels(node).get(ZONE_LABEL)
        if zone is not None:
            self.claim_zones.setdefault((int(self.pods.workload[pod]), int(self.pods.ordinal[pod])), zone)

    def mark_unschedulable(self, pod: int, message: Hashable = None) -> None:
        """Set the condition PodScheduled=False, reason Unschedulable; its time stays when only the message changes."""
        w, number = self.pods.w, self.unschedulable_messages(message)
        is_new = w.unschedulable_us[pod] == NONE
        if is_new:
            w.unschedulable_us[pod] = self.clock.now_us
        if is_new or w.message[pod] != number:
            w.message[pod] = number
            self._publish(ClusterEvent(ClusterEventKind.POD_UNSCHEDULABLE, pod=pod, workload=int(w.workload[pod])))
        if w.first_unschedulable_us[pod] == NONE:
            w.first_unschedulable_us[pod] = self.clock.now_us

    def nominate(self, pod: int, node: int) -> None:
        """Let a pending pod expect to land on a node after preemption."""
        self.clear_nomination(pod)
        self.pods.w.nominated[pod] = node
        self.nominated_pods.setdefault(node, {})[pod] = None
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.POD_NOMINATED, pod=pod, node=node))

    def clear_nomination(self, pod: int) -> None:
        """End a nomination; nothing happens if there is none."""
        node = int(self.pods.nominated[pod])
        if node != NONE:
            self.pods.w.nominated[pod] = NONE
            del self.nominated_pods[node][pod]
            if not self.nominated_pods[node]:
                del self.nominated_pods[node]
            self.node_changes.add(node)

    def mark_running(self, pod: int, ready: bool = True) -> None:
        """A bound pod has started; it is Ready at once, or when `set_pod_ready` says so."""
        w, now_us, table = self.pods.w, self.clock.now_us, self.workloads.w
        workload = w.workload.item(pod)
        w.phase[pod] = _RUNNING
        w.running_us[pod] = now_us
        if ready:
            w.ready_change_us[pod] = now_us
            if w.first_ready_us.item(pod) == NONE:
                w.first_ready_us[pod] = now_us
            w.ready[pod] = True
            table.ready[workload] += 1
        table.running[workload] += 1
        table.version[workload] += 1
        self._publish(ClusterEvent(_POD_RUNNING, pod, w.node.item(pod), workload))

    def set_pod_ready(self, pod: int, ready: bool) -> None:
        """Condition Ready of a running pod that is not being deleted turns True or False."""
        w, workload = self.pods.w, int(self.pods.workload[pod])
        w.ready[pod] = ready
        w.ready_change_us[pod] = self.clock.now_us
        if ready and w.first_ready_us[pod] == NONE:
            w.first_ready_us[pod] = self.clock.now_us
        self.workloads.w.ready[workload] += 1 if ready else -1
        self.workloads.w.version[workload] += 1
        node = int(w.node[pod])
        self._publish(ClusterEvent(ClusterEventKind.POD_READINESS, pod=pod, node=node, workload=workload))

    def predate_pods(self, pods: Sequence[int], age_us: int) -> None:
        """Running pods were created and bound, and turned Ready, so long ago already."""
        w, rows = self.pods.w, list(pods)
        w.created_us[rows] = w.bound_us[rows] = w.ready_change_us[rows] = self.clock.now_us - age_us
        for workload in dict.fromkeys(w.workload[rows].tolist()):
            self.workloads.w.version[workload] += 1

    def count_restart(self, pod: int) -> None:
        """A container of a pod restarted."""
        self.pods.w.restarts[pod] += 1

    def begin_deletion(self, pod: int, reason: EndReason) -> None:
        """Begin to delete a pod: it no longer serves but keeps its place on the node until `remove_pod`."""
        node = self.pods.node.item(pod)
        workload = self._pod_rows.begin_deletion(pod, reason, reason == _PREEMPTED, self.clock.now_us)
        if node != NONE:
            self.node_changes.add(node)
        self._publish(ClusterEvent(_POD_DELETING, pod, node, workload))

    def remove_pod(self, pod: int, reason: EndReason = EndReason.NONE) -> None:
        """The pod is gone. `reason` is kept unless its deletion already gave one."""
        workload, node = self._pod_rows.remove(pod, reason, self.clock.now_us)
        del self.workload_pods[workload][pod]
        if node != NONE:
            del self.node_pods[node][pod]
            self.node_changes.add(node)
        self._publish(ClusterEvent(_POD_GONE, pod, node, workload))
        # After the event: listeners may check whether the pod held a nomination.
        self.clear_nomination(pod)

    # -- workloads and groups -----------------------------------------------------------------

    def set_replicas(self, workload: int, replicas: int) -> None:
        """Write spec.replicas; the workload's controller follows when things settle."""
        self.workloads.w.desired[workload] = replicas
        self.workloads.w.version[workload] += 1
        self._publish(ClusterEvent(ClusterEventKind.REPLICAS_SET, workload=workload))

    def set_absent(self, workload: int, absent: bool) -> None:
        """The object is deleted, or created; `set_replicas` says how many pods it wants from then on."""
        self.workloads.w.absent[workload] = absent
        self.workloads.w.version[workload] += 1

    def change_template(self, template: int, revision: int, changed: PodSpec) -> None:
        """From a revision on, pods of a template are made of a changed one."""
        self._templates.change(template, revision, changed)

    def add_template(self, changed: PodSpec) -> int:
        """The number of a new template, of which single pods are made."""
        return self._templates.add(changed)

    def admit_with(self, workload: int, webhook: Callable[[int], int]) -> None:
        """New pods of a workload are made of the template that a mutating webhook makes of theirs."""
        self._admission[workload] = webhook

    def set_revision(self, workload: int, revision: int) -> None:
        """Another revision of the template: pods created from now on have it."""
        self.workloads.w.revision[workload] = revision
        self._publish(ClusterEvent(ClusterEventKind.REPLICAS_SET, workload=workload))

    def set_target(self, group: int, size: int) -> None:
        """Write the target size at the cloud without requesting or removing instances."""
        self.groups.w.target[group] = size

    def set_group_limits(self, group: int, min_size: int, max_size: int) -> None:
        """Write the sizes between which the autoscaler keeps a group."""
        self.groups.w.min_size[group] = min_size
        self.groups.w.max_size[group] = max_size

    # -- nodes --------------------------------------------------------------------------------

    def request_node(self, spec: int) -> int:
        """Request one more node of a group from the cloud; its new row. The target grows by one."""
        node_spec = self.node_specs[spec]
        node, w = self.nodes.append(1), self.nodes.w
        group = node_spec.group
        w.group[node] = group
        number = int(self.groups.created[group]) + 1
        w.number[node], w.draw_key[node] = number, self.draw_keys.of_node(group, number)
        w.spec[node] = spec
        w.requested_us[node] = self.clock.now_us
        w.allocatable[node] = node_spec.allocatable
        w.scale_down_disabled[node] = node_spec.scale_down_disabled
        w.label_set[node] = self.label_sets(tuple(sorted(node_spec.labels.items())))
        w.taint_set[node] = self.taint_sets(node_spec.taints)
        w.zone[node] = self.zones((node_spec.labels.get(REGION_LABEL, ""), node_spec.labels.get(ZONE_LABEL, "")))
        self.node_pods.append({})
        self.group_nodes[group][node] = None
        self.groups.w.created[group] += 1
        self.groups.w.target[group] += 1
        self._publish(ClusterEvent(ClusterEventKind.NODE_REQUESTED, node=node, group=group))
        return node

    def register_node(self, node: int, ready: bool = True, taints: tuple[NodeTaint, ...] | None = None) -> None:
        """The instance shows up as a Node object, ready or not. `taints`: other ones than its template has."""
        w, group = self.nodes.w, int(self.nodes.group[node])
        if taints is not None:
            w.taint_set[node] = self.taint_sets(taints)
        w.exists[node] = True
        w.registered_us[node] = self.clock.now_us
        self.groups.w.registered[group] += 1
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.NODE_ADDED, node=node, group=group))
        if ready:
            self.mark_node_ready(node)

    def mark_node_ready(self, node: int) -> None:
        """Condition Ready turns True."""
        w, now_us = self.nodes.w, self.clock.now_us
        w.ready[node] = True
        w.ready_us[node] = now_us
        if w.first_ready_us[node] == NONE:
            w.first_ready_us[node] = now_us
        self.groups.w.ready[self.nodes.group[node]] += 1
        self._node_changed(node)

    def predate_node(self, node: int, age_us: int) -> None:
        """A node that is Ready has existed and been Ready for so long already."""
        self.nodes.w.registered_us[node] = self.nodes.w.ready_us[node] = self.clock.now_us - age_us

    def mark_node_not_ready(self, node: int) -> None:
        """Condition Ready turns False; its pods stay bound."""
        self.nodes.w.ready[node] = False
        self.groups.w.ready[self.nodes.group[node]] -= 1
        self._node_changed(node)

    def set_node_silent(self, node: int, silent: bool) -> None:
        """The machine stops, or runs again; the control plane does not know yet."""
        self.nodes.w.silent[node] = silent
        self._publish(ClusterEvent(ClusterEventKind.NODE_POWER, node=node, group=int(self.nodes.group[node])))

    def fail_instance(self, node: int) -> None:
        """The cloud reports that it cannot create the instance; it stays listed until it is deleted."""
        self.nodes.w.failed_us[node] = self.clock.now_us

    def set_allocatable(self, node: int, amounts: Amounts) -> None:
        """Write what the node offers to pods, for example without a device whose driver has not started."""
        self.nodes.w.allocatable[node] = amounts
        if self.nodes.exists[node]:
            self._node_changed(node)

    def set_taints(self, node: int, taints: tuple[NodeTaint, ...]) -> None:
        """Replace the node's taints."""
        self.nodes.w.taint_set[node] = self.taint_sets(taints)
        self._node_changed(node)

    def node_taints(self, node: int) -> tuple[NodeTaint, ...]:
        """The node's taints at present."""
        return self.taint_sets.values[int(self.nodes.taint_set[node])]

    def set_unschedulable(self, node: int, cordoned: bool) -> None:
        """Cordon or uncordon."""
        self.nodes.w.unschedulable[node] = cordoned
        self._node_changed(node)

    def set_scale_down_disabled(self, node: int, disabled: bool) -> None:
        """Annotate the node so that the autoscaler leaves it, or take the annotation off."""
        self.nodes.w.scale_down_disabled[node] = disabled
        self._node_changed(node)

    def begin_node_deletion(self, node: int) -> None:
        """The autoscaler has chosen the node for removal (its pods may still have to leave)."""
        self.nodes.w.deleting[node] = True
        self._publish(ClusterEvent(ClusterEventKind.NODE_DELETING, node=node, group=int(self.nodes.group[node])))

    def abandon_node_deletion(self, node: int) -> None:
        """The removal failed; the node stays."""
        self.nodes.w.deleting[node] = False
        self._node_changed(node)

    def request_node_removal(self, node: int) -> None:
        """Have the cloud delete the instance; the target size falls by one at once."""
        self.nodes.w.delete_requested_us[node] = self.clock.now_us
        self.groups.w.target[self.nodes.group[node]] -= 1

    def remove_node(self, node: int) -> None:
        """The instance and its Node object vanish; pods still bound to it must be removed first."""
        if self.node_pods[node]:
            raise ValueError(f"node {self.node_name(node)} still holds {len(self.node_pods[node])} pods")
        w, group = self.nodes.w, int(self.nodes.group[node])
        for pod in list(self.nominated_pods.get(node, ())):
            self.clear_nomination(pod)
        if w.exists[node]:
            self.groups.w.registered[group] -= 1
        if w.ready[node]:
            self.groups.w.ready[group] -= 1
        w.exists[node] = w.ready[node] = False
        w.removed_us[node] = self.clock.now_us
        del self.group_nodes[group][node]
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.NODE_GONE, node=node, group=group))

    # -- publishing changes -------------------------------------------------------------------

    def _node_changed(self, node: int) -> None:
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.NODE_CHANGED, node=node, group=int(self.nodes.group[node])))
