"""Which changes may help a pod, by the plugin that refused it (spec/scheduler.md section 13).

Pure functions on what a node or pod was and is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from planner.scheduler.plugin_names import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.resource_shapes import counted_columns
from planner.scheduler.spread_constraints import Spread, compile_spreads
from planner.state.matching import node_matches
from planner.state.resources import PODS, Amounts, ResourceAxis
from planner.state.specs import PodSpec, Taint
from planner.state.tolerations import CORDON_TAINT, tolerated, tolerates_hard_taints


@dataclass(frozen=True)
class NodeFacts:
    """A node as the hints compare it."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    cordoned: bool
    allocatable: Amounts


@dataclass(frozen=True)
class NodeChange:
    """A node came (no `old`), changed, or went (no `new`)."""

    old: NodeFacts | None
    new: NodeFacts | None

    @property
    def taints_changed(self) -> bool:
        """The taints of an existing node changed, or it was uncordoned."""
        if self.old is None or self.new is None:
            return False
        return self.old.taints != self.new.taints or (self.old.cordoned and not self.new.cordoned)


@dataclass(frozen=True)
class PodChange:
    """An assigned pod was added or deleted, or an unassigned one that held a nomination was deleted."""

    spec: PodSpec
    deleted: bool
    assigned: bool = True


@dataclass(frozen=True)
class Waiting:
    """A refused pod: its template and who refused it."""

    spec: PodSpec
    refused_by: tuple[PluginName, ...] = ()
    spreads: tuple[Spread, ...] = field(default=())


def waiting_pod(spec: PodSpec, refused_by: tuple[PluginName, ...], profile: SchedulerProfile) -> Waiting:
    """What the hints need of a pod that goes into the unschedulable pool."""
    spreads = compile_spreads(spec, profile).hard if PluginName.POD_TOPOLOGY_SPREAD in refused_by else ()
    return Waiting(spec, refused_by, spreads)


def pod_change_helps(waiting: Waiting, change: PodChange) -> bool:
    """Whether any refusing plugin cares about the pod."""
    for plugin in waiting.refused_by:
        if plugin == PluginName.NODE_RESOURCES_FIT and change.deleted:
            return True
        if plugin == PluginName.POD_TOPOLOGY_SPREAD and change.assigned and _counts(waiting, change.spec):
            return True
    return False


def node_change_helps(
    waiting: Waiting, change: NodeChange, axis: ResourceAxis, profile: SchedulerProfile
) -> bool:
    """Whether any refusing plugin cares about the node."""
    return any(_plugin_cares(plugin, waiting, change, axis, profile) for plugin in waiting.refused_by)


def _plugin_cares(
    plugin: PluginName, waiting: Waiting, change: NodeChange, axis: ResourceAxis, profile: SchedulerProfile
) -> bool:
    spec, old, new = waiting.spec, change.old, change.new
    if plugin == PluginName.POD_TOPOLOGY_SPREAD:
        return _spread_cares(waiting.spreads, change)
    if new is None:
        return False
    if plugin == PluginName.TAINT_TOLERATION:
        return tolerates_hard_taints(spec.tolerations, new.taints) and not (
            old is not None and tolerates_hard_taints(spec.tolerations, old.taints)
        )
    if plugin == PluginName.NODE_UNSCHEDULABLE:
        return not new.cordoned and (old is None or old.cordoned)
    if change.taints_changed:
        return True
    if plugin == PluginName.NODE_AFFINITY:
        return _matches(spec, new, profile) and not (old is not None and _matches(spec, old, profile))
    if plugin == PluginName.NODE_RESOURCES_FIT:
        return _room_grew(spec, old, new, axis, profile)
    return False


def _matches(spec: PodSpec, node: NodeFacts, profile: SchedulerProfile) -> bool:
    return node_matches(spec.node_selector, spec.required_terms, node.labels, node.name) and node_matches(
        {}, profile.added_required_terms, node.labels, node.name
    )


def _room_grew(
    spec: PodSpec, old: NodeFacts | None, new: NodeFacts, axis: ResourceAxis, profile: SchedulerProfile
) -> bool:
    """The whole node fits the request, and for a known node something asked for was raised."""
    asked = (spec.request > 0) & counted_columns(axis, profile)
    asked[PODS] = True
    if new.allocatable[PODS] < 1 or (spec.request > new.allocatable)[asked].any():
        return False
    return old is None or bool((new.allocatable > old.allocatable)[asked].any())


def _counts(waiting: Waiting, spec: PodSpec) -> bool:
    return spec.namespace == waiting.spec.namespace and any(
        spread.matcher is not None and spread.matcher.matches(spec) for spread in waiting.spreads
    )


def _spread_cares(spreads: Iterable[Spread], change: NodeChange) -> bool:
    keys = [spread.key for spread in spreads]

    def complete(node: NodeFacts | None) -> bool:
        return node is not None and all(key in node.labels for key in keys)

    if change.old is None or change.new is None:
        return complete(change.new) or complete(change.old)
    old, new = change.old, change.new
    if complete(old) != complete(new):
        return True
    return complete(new) and (
        any(old.labels[key] != new.labels[key] for key in keys) or old.taints != new.taints or change.taints_changed
    )


def own_tolerations_help(waiting: Waiting, old: PodSpec, new: PodSpec) -> bool:
    """Whether a change of the waiting pod's own tolerations helps it."""
    for plugin in waiting.refused_by:
        if plugin == PluginName.TAINT_TOLERATION and len(old.tolerations) != len(new.tolerations):
            return True
        if plugin == PluginName.NODE_UNSCHEDULABLE and (
            tolerated(new.tolerations, CORDON_TAINT) and not tolerated(old.tolerations, CORDON_TAINT)
        ):
            return True
    return False
