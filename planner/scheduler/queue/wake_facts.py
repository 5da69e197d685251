"""Inputs of the queueing hints: a refused pod, and a node or pod before and after a change."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.matching.taints import NodeTaint
from planner.plan.model.scheduler import PluginName
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.topology.pod_terms import NO_TERMS, PodTerms, compile_terms
from planner.scheduler.topology.spread_constraints import Spread, compile_spreads
from planner.state.resources import Amounts
from planner.state.specs import PodSpec


@dataclass(frozen=True)
class NodeFacts:
    """A node as the hints compare it."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[NodeTaint, ...]
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
    """A pod was added to a node (no `old`), updated, or deleted (no `new`); a nomination ends as if it were deleted."""

    old: PodSpec | None
    new: PodSpec | None
    assigned: bool = True
    """It is bound to a node."""
    nominated: bool = False
    """It held a nomination."""
    is_waiting_pod: bool = False
    """The change is one of the waiting pod itself."""
    tolerations_changed: bool = False
    """The number of its tolerations changed."""

    @property
    def counts_on_node(self) -> bool:
        """It is bound, or pods of no higher priority leave room for it."""
        return self.assigned or self.nominated

    @property
    def relabelled(self) -> bool:
        """Its labels changed."""
        return self.old is not None and self.new is not None and self.old.labels != self.new.labels


@dataclass(frozen=True)
class Waiting:
    """A refused pod: its template and who refused it."""

    spec: PodSpec
    refused_by: tuple[PluginName, ...] = ()
    spreads: tuple[Spread, ...] = ()
    """Hard spread constraints, if these refused."""
    terms: PodTerms = NO_TERMS
    """Affinity terms, if inter-pod affinity refused."""


def waiting_pod(spec: PodSpec, refused_by: tuple[PluginName, ...], profile: SchedulerProfile) -> Waiting:
    """What the hints need of a pod that goes into the unschedulable pool."""
    spreads = compile_spreads(spec, profile).hard if PluginName.POD_TOPOLOGY_SPREAD in refused_by else ()
    terms = compile_terms(spec) if PluginName.INTER_POD_AFFINITY in refused_by else NO_TERMS
    return Waiting(spec, refused_by, spreads, terms)
