"""What happens to nodes, from the request to the cloud until they are gone."""

from planner.matching.taints import NodeTaint
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.nodes import NONE
from planner.state.resources import Amounts
from planner.state.specs import REGION_LABEL, ZONE_LABEL
from planner.state.verbs.pending_pods import PendingPodVerbs


class NodeVerbs(PendingPodVerbs):
    """Verbs of nodes."""

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
        self.groups.w.version[group] += 1
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
        group = self.nodes.group[node]
        self.nodes.w.delete_requested_us[node] = self.clock.now_us
        self.groups.w.target[group] -= 1
        self.groups.w.version[group] += 1

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

    def _node_changed(self, node: int) -> None:
        self.node_changes.add(node)
        self._publish(ClusterEvent(ClusterEventKind.NODE_CHANGED, node=node, group=int(self.nodes.group[node])))
