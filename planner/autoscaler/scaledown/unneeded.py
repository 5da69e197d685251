"""Since when nodes are unneeded, and which of them may be removed now."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.quota import Amounts
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings

NO_GROUPS: Mapping[int, Collection[int]] = MappingProxyType({})


class UnneededNodes:
    """Since when each node has been found removable in every loop, without a break."""

    def __init__(self) -> None:
        self._since_us: dict[int, int] = {}

    def update(self, removable: Iterable[int], now_us: int) -> None:
        """Take the nodes of this loop, in their order; all others are forgotten."""
        self._since_us = {node: self._since_us.get(node, now_us) for node in removable}

    def forget_all(self) -> None:
        """Forget every node: the cluster is unhealthy, or the autoscaler has restarted."""
        self._since_us = {}

    def since_us(self, node: int) -> int | None:
        """First loop of the unbroken row; None when the node is needed."""
        return self._since_us.get(node)

    def nodes(self) -> list[int]:
        """The unneeded nodes in the order of the last update."""
        return list(self._since_us)

    def __len__(self) -> int:
        return len(self._since_us)


@dataclass(frozen=True, slots=True)
class UnneededNode:
    """One unneeded node as the removal step sees it."""

    node: int
    group: int
    since_us: int
    is_ready: bool
    is_empty: bool
    """No pods to move."""
    is_risky: bool
    """Its pods together exceed a disruption budget: taken last."""
    waits_for_completion: bool
    """Holds a pod that is safe to evict on completion only."""
    required_us: int
    """Unneeded time of its group (or the unready time when it is not ready)."""
    size: Amounts = field(default_factory=dict)
    """What it counts for the bounds of the cluster."""


@dataclass(slots=True)
class RemovalRoom:
    """What may still go; `take` counts it down within a loop."""

    nodes_by_group: dict[int, int]
    """Target size minus deletions in progress minus minimum, by group."""
    above_minimum: dict[str, int] = field(default_factory=dict)
    """What the cluster has above its minimum, of everything that has one."""

    def refusal(self, node: UnneededNode) -> NodeVerdict | None:
        """Why the node has to stay, or None."""
        if self.nodes_by_group.get(node.group, 0) < 1:
            return NodeVerdict.NODE_GROUP_MIN_SIZE_REACHED
        amounts = ((node.size.get(name, 0), left) for name, left in self.above_minimum.items())
        if any(amount > 0 and amount > left for amount, left in amounts):
            return NodeVerdict.MINIMAL_RESOURCE_LIMIT_EXCEEDED
        return None

    def take(self, node: UnneededNode) -> None:
        """Count the node as gone."""
        self.nodes_by_group[node.group] -= 1
        for name in self.above_minimum:
            self.above_minimum[name] -= node.size.get(name, 0)


@dataclass(frozen=True, slots=True)
class Removable:
    """Nodes that may be removed now, and the verdict on every unneeded node."""

    empty: tuple[int, ...]
    drain: tuple[int, ...]
    verdicts: Mapping[int, NodeVerdict]


def removable_nodes(
    unneeded: Sequence[UnneededNode],
    room: RemovalRoom,
    now_us: int,
    whole: Mapping[int, Collection[int]] = NO_GROUPS,
) -> Removable:
    """Which unneeded nodes may go: long enough unneeded, and room above the minimum (`room` is counted down).

    Empty nodes are considered first. Risky ones take their turn, but go last; nodes that wait for a pod to complete
    take room and do not go. `whole`: of each group that goes as a whole, how many nodes are all of it. Source:
    Cluster Autoscaler 1.36.1, core/scaledown/planner/planner.go.
    """
    verdicts: dict[int, NodeVerdict] = {}
    ordered = sorted(unneeded, key=lambda each: not each.is_empty)
    for node in ordered:
        verdicts[node.node] = _removal_verdict(node, room, now_us)
        if verdicts[node.node] is NodeVerdict.REMOVABLE:
            room.take(node)
    _keep_parts(unneeded, verdicts, whole)
    for node in ordered:
        if node.waits_for_completion and verdicts[node.node] is NodeVerdict.REMOVABLE:
            verdicts[node.node] = NodeVerdict.BLOCKED_BY_ON_COMPLETION_POD
    going = [node for node in ordered if verdicts[node.node] is NodeVerdict.REMOVABLE]
    drain = sorted((node for node in going if not node.is_empty), key=lambda each: each.is_risky)
    empty = tuple(node.node for node in going if node.is_empty)
    return Removable(empty, tuple(node.node for node in drain), verdicts)


def _keep_parts(
    unneeded: Sequence[UnneededNode], verdicts: dict[int, NodeVerdict], whole: Mapping[int, Collection[int]]
) -> None:
    """Groups that go as a whole stay unless every node of theirs may go."""
    for group, sizes in whole.items():
        going = [each.node for each in unneeded if each.group == group and verdicts[each.node] is NodeVerdict.REMOVABLE]
        if len(going) not in sizes:
            verdicts.update(dict.fromkeys(going, NodeVerdict.ATOMIC_SCALE_DOWN_FAILED))


def _removal_verdict(node: UnneededNode, room: RemovalRoom, now_us: int) -> NodeVerdict:
    # Strictly longer: with loops every 10 s and 10 min this is the loop at +610 s. A required time of
    # zero lets the node go in the loop that finds it (recorded behaviour of the real program).
    if node.required_us > 0 and now_us - node.since_us <= node.required_us:
        return NodeVerdict.NOT_UNNEEDED_LONG_ENOUGH if node.is_ready else NodeVerdict.NOT_UNREADY_LONG_ENOUGH
    return room.refusal(node) or NodeVerdict.REMOVABLE


def cooldown_until_us(
    last_scale_up_us: int | None,
    last_delete_us: int | None,
    last_failure_us: int | None,
    settings: ClusterAutoscalerSettings,
) -> int:
    """Until when nothing is deleted (allowed again at that very time); 0 right after start."""
    delays = (
        (last_scale_up_us, settings.scale_down_delay_after_add),
        (last_delete_us, settings.scale_down_delay_after_delete),
        (last_failure_us, settings.scale_down_delay_after_failure),
    )
    return max((last_us + delay_us for last_us, delay_us in delays if last_us is not None), default=0)
