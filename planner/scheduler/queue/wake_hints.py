"""Queueing hints: which changes may help a pod, by the plugin that refused it.

Pure functions of a node or pod before and after the change.
"""

from collections.abc import Callable, Iterable, Mapping

from planner.matching.selectors import fails, node_matches
from planner.matching.taints import CORDON_TAINT, tolerated, tolerates_hard_taints
from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.static_fit import reaches_volume
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.queue.affinity_hints import affinity_and_node, affinity_and_pod
from planner.scheduler.queue.wake_facts import NodeChange, NodeFacts, PodChange, Waiting
from planner.scheduler.topology.spread_constraints import Spread
from planner.state.resources import PODS, ResourceAxis
from planner.state.specs import PodSpec, any_conflict


def pod_change_helps(waiting: Waiting, change: PodChange) -> bool:
    """Whether any refusing plugin cares about a pod that came, changed or went."""
    return any(plugin in _POD_HINTS and _POD_HINTS[plugin](waiting, change) for plugin in waiting.refused_by)


def node_change_helps(waiting: Waiting, change: NodeChange, axis: ResourceAxis, profile: SchedulerProfile) -> bool:
    """Whether any refusing plugin cares about the node."""
    return any(_plugin_cares(plugin, waiting, change, axis, profile) for plugin in waiting.refused_by)


# -- pods -------------------------------------------------------------------------------------


def _fit_and_pod(waiting: Waiting, change: PodChange) -> bool:
    """Any deletion frees something; a smaller request helps who asks for that resource, or the pod itself."""
    old, new = change.old, change.new
    if old is None:
        return False
    if new is None:
        return change.counts_on_node
    shrunk = old.request > new.request
    if change.is_waiting_pod:
        return bool(shrunk.any())
    return change.assigned and bool((shrunk & (waiting.spec.request > 0)).any())


def _taints_and_pod(waiting: Waiting, change: PodChange) -> bool:
    return change.is_waiting_pod and change.tolerations_changed


def _cordon_and_pod(waiting: Waiting, change: PodChange) -> bool:
    """The pod has a toleration more, and now tolerates cordoned nodes; widening one it had is no such change."""
    if not change.is_waiting_pod or not change.tolerations_changed or change.new is None:
        return False
    return tolerated(change.new.placement.tolerations, CORDON_TAINT)


def _ports_and_pod(waiting: Waiting, change: PodChange) -> bool:
    if change.new is not None or change.old is None or not change.counts_on_node:
        return False
    return any_conflict(waiting.spec.placement.host_ports, change.old.placement.host_ports)


def _volumes_and_pod(waiting: Waiting, change: PodChange) -> bool:
    """A pod goes from its node, and with it perhaps a volume; upstream looks closer, for claims of the same driver."""
    return change.new is None and change.old is not None and change.assigned


def _spread_and_pod(waiting: Waiting, change: PodChange) -> bool:
    """A pod that constraints count came or went, or began or ceased to be counted, the waiting pod itself too."""
    if change.is_waiting_pod and change.tolerations_changed and any(spread.honor_taints for spread in waiting.spreads):
        return True
    if not (change.counts_on_node or change.is_waiting_pod):
        return False
    if change.old is None or change.new is None:
        spec = change.old or change.new
        return spec is not None and any(_counts(spread, spec, waiting) for spread in waiting.spreads)
    old, new = change.old, change.new
    return any(_counts(spread, old, waiting) != _counts(spread, new, waiting) for spread in waiting.spreads)


def _counts(spread: Spread, spec: PodSpec, waiting: Waiting) -> bool:
    return spec.namespace == waiting.spec.namespace and spread.matcher is not None and spread.matcher.matches(spec)


_POD_HINTS: Mapping[PluginName, Callable[[Waiting, PodChange], bool]] = {
    PluginName.NODE_RESOURCES_FIT: _fit_and_pod,
    PluginName.TAINT_TOLERATION: _taints_and_pod,
    PluginName.NODE_UNSCHEDULABLE: _cordon_and_pod,
    PluginName.NODE_PORTS: _ports_and_pod,
    PluginName.NODE_VOLUME_LIMITS: _volumes_and_pod,
    PluginName.POD_TOPOLOGY_SPREAD: _spread_and_pod,
    PluginName.INTER_POD_AFFINITY: affinity_and_pod,
}


# -- nodes ------------------------------------------------------------------------------------


def _plugin_cares(
    plugin: PluginName, waiting: Waiting, change: NodeChange, axis: ResourceAxis, profile: SchedulerProfile
) -> bool:
    spec, old, new = waiting.spec, change.old, change.new
    if plugin == PluginName.POD_TOPOLOGY_SPREAD:
        return _spread_and_node(waiting.spreads, change)
    if new is None:
        return False
    if plugin == PluginName.TAINT_TOLERATION:
        return tolerates_hard_taints(spec.placement.tolerations, new.taints) and not (
            old is not None and tolerates_hard_taints(spec.placement.tolerations, old.taints)
        )
    if plugin == PluginName.NODE_UNSCHEDULABLE:
        return not new.cordoned and (old is None or old.cordoned)
    if change.taints_changed:
        return True
    if plugin == PluginName.NODE_AFFINITY:
        return _affinity_met(spec, old, new, profile)
    if plugin == PluginName.NODE_RESOURCES_FIT:
        return _room_grew(spec, old, new, axis)
    if plugin in (PluginName.NODE_PORTS, PluginName.NODE_VOLUME_LIMITS):
        return old is None
    if plugin == PluginName.VOLUME_BINDING:
        return old is None and reaches_volume(spec.placement, new.labels)
    return plugin == PluginName.INTER_POD_AFFINITY and affinity_and_node(waiting.terms, old, new)


def _affinity_met(spec: PodSpec, old: NodeFacts | None, new: NodeFacts, profile: SchedulerProfile) -> bool:
    """A node that suits now; of one that is known only what the pod itself asks for may have been lacking. A pod whose
    own terms cannot be judged is tried again."""
    if not node_matches({}, profile.added_required_terms, new.labels, new.name):
        return False
    if fails(spec.placement.node_selector, spec.placement.required_terms, new.labels, new.name):
        return True
    return _matches(spec, new) and not (old is not None and _matches(spec, old))


def _matches(spec: PodSpec, node: NodeFacts) -> bool:
    rules = spec.placement
    return node_matches(rules.node_selector, rules.required_terms, node.labels, node.name)


def _room_grew(spec: PodSpec, old: NodeFacts | None, new: NodeFacts, axis: ResourceAxis) -> bool:
    """The whole node fits the request, and for a known node something asked for was raised.

    Resources that the profile ignores count here, unlike in the filter (kube-scheduler 1.36, noderesources/fit.go:
    isFit asks without the plugin's arguments).
    """
    asked = spec.request > 0
    asked[axis.first_volume :] = False
    asked[PODS] = True
    if new.allocatable[PODS] < 1 or (spec.request > new.allocatable)[asked].any():
        return False
    return old is None or bool((new.allocatable > old.allocatable)[asked].any())


def _spread_and_node(spreads: Iterable[Spread], change: NodeChange) -> bool:
    keys = [spread.key for spread in spreads]

    def complete(node: NodeFacts | None) -> bool:
        return node is not None and all(key in node.labels for key in keys)

    if change.old is None or change.new is None:
        return complete(change.new) or complete(change.old)
    old, new = change.old, change.new
    if complete(old) != complete(new):
        return True
    return complete(new) and (any(old.labels[key] != new.labels[key] for key in keys) or old.taints != new.taints)
