"""The cluster as Karpenter sees it: nodes with their claims, pods and budgets of pods.

Source: Karpenter 1.13, pkg/controllers/state (statenode.go, cluster.go).
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.budget_view import BudgetView
from planner.karpenter.pod_view import BoundViews, PlainPods, PodName, PodView, ages_of, names_of
from planner.karpenter.requirements.requirement import LabelRequirement, one_of
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, narrowed, of_labels
from planner.karpenter.taints import lasting_taints
from planner.matching.taints import NodeTaint
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, ZONE_LABEL
from planner.state.resources import CPU, MEMORY, PODS, Amounts
from planner.state.specs import HOSTNAME_LABEL, PodSpec, PortClaim

_keeps_node, _deletion_cost, _priority = map(attrgetter, ("keeps_node", "deletion_cost", "spec.priority"))


@dataclass(frozen=True, eq=False)
class NodeView:
    """A node or a claim in flight. Times are microseconds, None where it did not happen."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[NodeTaint, ...]
    """Of the Node object, or of the claim before it registers."""
    capacity: Amounts
    allocatable: Amounts
    pool: str = ""
    """Empty for a node that Karpenter did not launch."""
    startup_taints: tuple[NodeTaint, ...] = ()
    created_us: int = 0
    is_registered: bool = True
    is_initialized: bool = True
    is_ready: bool = True
    is_going: bool = False
    """Marked for deletion, by a command or because its claim is being deleted."""
    is_instance_terminating: bool = False
    is_nominated: bool = False
    """A round or command has recently put pods on it."""
    keeps_itself: bool = False
    """Annotation karpenter.sh/do-not-disrupt of the node."""
    is_consolidatable: bool = False
    drifted_us: int | None = None
    """When it was found to have drifted."""
    expire_after_us: int | None = None
    termination_grace_us: int | None = None
    in_command: bool = False
    """A running command has it."""
    holds_buffer: bool = False
    """The last round found room for capacity buffers on it."""
    pods: Sequence[PodView] = ()
    requested: Amounts | None = None
    """Requests of its pods together where they are known; else they are added up."""

    @property
    def is_managed(self) -> bool:
        """Whether Karpenter launched it."""
        return self.pool != ""

    @property
    def instance_type(self) -> str:
        """Its label."""
        return self.labels.get(MACHINE_TYPE_LABEL, "")

    @property
    def zone(self) -> str:
        """Its label."""
        return self.labels.get(ZONE_LABEL, "")

    @property
    def capacity_type(self) -> str:
        """Its label."""
        return self.labels.get(CAPACITY_TYPE_LABEL, "")

    @cached_property
    def scheduling_taints(self) -> tuple[NodeTaint, ...]:
        """Taints that keep pods away for good: those that pass while a node starts do not count."""
        if not self.is_managed or self.is_initialized:
            return self.taints
        return lasting_taints(self.taints, self.startup_taints)

    @property
    def hostname(self) -> str:
        """Its label, or else its name."""
        return self.labels.get(HOSTNAME_LABEL, self.name)

    @cached_property
    def kind(self) -> Hashable:
        """Equal for nodes with the same labels but for the hostname, and the same taints for good."""
        labels = sorted(pair for pair in self.labels.items() if pair[0] != HOSTNAME_LABEL)
        return tuple(labels), self.scheduling_taints

    @cached_property
    def needs(self) -> Mapping[str, LabelRequirement]:
        """Its labels as requirements, the hostname too."""
        return narrowed(of_labels(self.labels), {HOSTNAME_LABEL: one_of(self.hostname)})

    @cached_property
    def running(self) -> tuple[tuple[PodSpec, int], ...]:
        """Templates of its active pods, and how many there are of each."""
        return counted_templates(self.pods)

    @cached_property
    def has_repelling(self) -> bool:
        """Whether a pod on it keeps others away by required anti-affinity."""
        return any(spec.placement.required_anti_affinity for spec, _ in self.running)

    @cached_property
    def available(self) -> Amounts:
        """Allocatable less the requests of its pods."""
        requested = self.requested
        if requested is None:
            requested = _requests(self.allocatable, (pod for pod in self.pods if not pod.is_terminal))
        left: Amounts = self.allocatable - requested
        left[self.untold] = 0
        return left

    @property
    def untold(self) -> NDArray[np.bool_]:
        """Resources of which the node says nothing: pods that have them all the same do not overdraw it."""
        found: NDArray[np.bool_] = self.allocatable == 0
        found[[CPU, MEMORY, PODS]] = False
        return found

    @cached_property
    def daemon_requests(self) -> Amounts:
        """Requests of its pods of DaemonSets."""
        return _requests(self.allocatable, (p for p in self.pods if p.spec.is_daemon and not p.is_terminal))

    @cached_property
    def ports(self) -> tuple[PortClaim, ...]:
        """Host ports in use."""
        return tuple(port for pod in self.pods if not pod.is_terminal for port in pod.spec.placement.host_ports)

    @cached_property
    def reschedulable(self) -> tuple[PodView, ...]:
        """Its pods that need another node if it goes."""
        return tuple(pod for pod in self.pods if pod.is_reschedulable)

    @cached_property
    def plain(self) -> PlainPods | None:
        """What tells of its pods without a look at each; None where that is not at hand, or not enough."""
        return self.pods.plain if isinstance(self.pods, BoundViews) else None

    @property
    def is_empty(self) -> bool:
        """Whether no pod needs another node if it goes."""
        plain = self.plain
        return not (self.reschedulable if plain is None else len(plain.movers))

    @cached_property
    def keeper(self) -> PodView | None:
        """The first pod whose annotation keeps the node."""
        return next((pod for pod in self.pods if pod.is_active and pod.keeps_node), None)

    @cached_property
    def evictable(self) -> tuple[PodView, ...]:
        """Pods that a drain evicts through the API."""
        return tuple(pod for pod in self.pods if pod.is_evictable)

    @cached_property
    def eviction_cost(self) -> float:
        """Of all its pods."""
        if self.plain is not None:
            return float(self.plain.number)
        pods = tuple(self.pods)
        if not (any(map(_deletion_cost, pods)) or any(map(_priority, pods))):
            return float(len(pods))
        return sum(pod.eviction_cost for pod in pods)

    @cached_property
    def movers(self) -> tuple[PodView, ...]:
        """Those of them that nothing but budgets may hold back."""
        if not any(map(_keeps_node, self.reschedulable)):
            return self.reschedulable
        return tuple(pod for pod in self.reschedulable if not (pod.is_active and pod.keeps_node))

    @cached_property
    def ages_of_movers(self) -> NDArray[np.int64]:
        """When each of them was created, in microseconds."""
        return ages_of(self.movers) if self.plain is None else self.plain.created_us

    @cached_property
    def names_of_movers(self) -> Sequence[PodName]:
        """The names of them, in the same order."""
        return names_of(self.movers)


@dataclass(frozen=True, eq=False)
class ClusterView:
    """Everything that a round or a disruption pass reads of the cluster."""

    nodes: Sequence[NodeView]
    pending: Sequence[PodView]
    """Pods that are marked unschedulable and wait for a node, in the order in which they are listed."""
    daemons: Sequence[PodSpec] = ()
    budgets: Sequence[BudgetView] = ()
    namespaces: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    has_buffers: bool = False
    """Some of the pending pods are those of capacity buffers, which do not exist."""
    may_keep: bool = True
    """Whether an annotation of any pod may keep its node."""
    may_repel: bool = True
    """Whether any pod may keep others away by required anti-affinity."""
    may_share: bool = True
    """Whether a pod may be under more than one budget."""
    bare_daemons: frozenset[int] = frozenset()
    """Numbers of the templates in `daemons` of which there has been no pod yet."""
    known_names: Sequence[str] | None = None
    """Those of the nodes, where they are at hand."""
    known_going: Sequence[int] | None = None
    """Places of the nodes that go, where they are at hand."""
    _covering: dict[int, tuple[BudgetView, ...]] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def names(self) -> Sequence[str]:
        """Of the nodes, in their order."""
        return [node.name for node in self.nodes] if self.known_names is None else self.known_names

    @cached_property
    def going(self) -> Sequence[int]:
        """Places of the nodes that are marked for deletion, in their order."""
        known = self.known_going
        return [at for at, node in enumerate(self.nodes) if node.is_going] if known is None else known

    @cached_property
    def room(self) -> NDArray[np.int64]:
        """What is left on each node, a row for a node."""
        return np.array([node.available for node in self.nodes], dtype=np.int64)

    def budgets_of(self, pod: PodView) -> tuple[BudgetView, ...]:
        """Budgets that cover a pod."""
        known = self._covering.get(pod.spec.index)
        if known is None:
            known = tuple(budget for budget in self.budgets if budget.covers(pod.spec))
            self._covering[pod.spec.index] = known
        return known

    @cached_property
    def may_shut_in(self) -> bool:
        """Whether budgets may never let some pod be evicted."""
        return bool(self.budgets) and (self.may_share or any(budget.is_closed for budget in self.budgets))

    def is_shut_in(self, pod: PodView) -> bool:
        """Whether budgets never let the pod be evicted: one that is closed, or more than one."""
        covering = self.budgets_of(pod) if pod.is_evictable else ()
        return len(covering) > 1 or any(each.is_closed and not each.lets_go(pod) for each in covering)

    def movable(self, node: NodeView) -> Iterator[PodView]:
        """Pods of a node that can be placed elsewhere at present."""
        return (pod for pod in node.movers if not self.is_shut_in(pod)) if self.may_shut_in else iter(node.movers)


def counted_templates(pods: Iterable[PodView]) -> tuple[tuple[PodSpec, int], ...]:
    """Templates of active pods, and how many there are of each."""
    counts: dict[int, tuple[PodSpec, int]] = {}
    for pod in pods:
        if pod.is_active:
            counts[pod.spec.index] = pod.spec, counts.get(pod.spec.index, (pod.spec, 0))[1] + 1
    return tuple(counts.values())


def _requests(like: Amounts, pods: Iterable[PodView]) -> Amounts:
    total = like * 0
    for pod in pods:
        total += pod.spec.request
        total[PODS] += 1
    return total
