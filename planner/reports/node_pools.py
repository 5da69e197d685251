"""The line of each of Karpenter's pools: its nodes, what they have of its limits, and what disrupts or keeps them.

The first columns are those of `kubectl get nodepools -o wide` (Karpenter 1.13, pkg/apis/v1/nodepool.go), each with its
limit; the others sum up the status of the pool's NodeClaims and the latest decisions about them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision
from planner.record.details.karpenter import ClaimOutdated, NodeDisruption, NodeKept
from planner.record.history import NEVER, ClusterHistory
from planner.record.kubectl_words import is_registered, machine_type_of
from planner.record.moment import ClusterMoment, NodeState, Timeline
from planner.record.object_lists import ListedObject, ObjectList
from planner.units import format_bytes, format_cpu

KIND = "nodepools"
HEADER = ("NAME", "NODES", "READY", "WEIGHT", "CPU", "MEMORY", "CLAIMS", "DISRUPTED", "KEPT")


class _Node(NamedTuple):
    name: str
    state: NodeState
    stage: str
    """What its NodeClaim is, as the condition that came last; empty once it is Initialized."""
    cpu_milli: int
    """Capacity, as is the next one."""
    memory_bytes: int


def node_pool_list(plan: Plan, decisions: Sequence[Decision], history: ClusterHistory | None, at_us: int) -> ObjectList:
    """The pools of a plan, in order of their names; none before the nodes of the run are known."""
    if history is None or not plan.karpenter.node_pools:
        return ObjectList(KIND, HEADER, ())
    nodes = _nodes(plan, ClusterMoment(Timeline(history), at_us))
    pools = sorted(plan.karpenter.node_pools, key=lambda pool: pool.name)
    wanted = {node.name for pool in pools for node in nodes.get(pool.name, ())}
    latest = _latest(decisions, wanted | {pool.name for pool in pools}, at_us)
    return ObjectList(KIND, HEADER, tuple(_line(pool, nodes.get(pool.name, []), latest) for pool in pools))


def _nodes(plan: Plan, moment: ClusterMoment) -> dict[str, list[_Node]]:
    """Those with a NodeClaim, by their pool."""
    nodes = moment.history.nodes
    sizes = {one.name: (one.cpu, one.memory) for one in plan.karpenter.instance_types}
    found: dict[str, list[_Node]] = {}
    for row in map(int, moment.nodes):
        state = NodeState(int(moment.node_state[row]))
        if not nodes.capacity_types[int(nodes.capacity_type[row])] or state is NodeState.FAILED:
            continue
        is_initialized = NEVER != nodes.ready_us[row] <= moment.time_us
        stage = "" if is_initialized else "Registered" if is_registered(moment, row) else "Launched"
        offered = int(nodes.cpu_milli[row]), int(nodes.memory_bytes[row])
        size = sizes.get(machine_type_of(moment, row), offered)
        found.setdefault(nodes.groups[int(nodes.group[row])], []).append(_Node(nodes.names[row], state, stage, *size))
    return found


def _latest(decisions: Sequence[Decision], wanted: set[str], at_us: int) -> dict[str, Decision]:
    """Karpenter's latest decision about each node and pool."""
    found: dict[str, Decision] = {}
    for decision in reversed(decisions):
        if decision.actor is Actor.KARPENTER and decision.time_us <= at_us and decision.subject in wanted:
            found.setdefault(decision.subject, decision)
            if len(found) == len(wanted):
                break
    return found


def _line(pool: NodePool, nodes: Sequence[_Node], latest: dict[str, Decision]) -> ListedObject:
    limits = pool.limits
    ready = sum(node.state is NodeState.READY and not node.stage for node in nodes)
    cells = (
        pool.name,
        _of_limit(len(nodes), limits.nodes, str),
        str(ready),
        str(pool.weight),
        _of_limit(sum(node.cpu_milli for node in nodes), limits.cpu, format_cpu),
        _of_limit(sum(node.memory_bytes for node in nodes), limits.memory, format_bytes),
        _counted(node.stage for node in nodes),
        _counted(_why_going(latest.get(node.name)) for node in nodes if node.state is NodeState.DRAINING),
        _counted(_why_kept(latest.get(node.name)) for node in nodes if node.state is NodeState.READY),
    )
    about = [latest[name] for name in (pool.name, *(node.name for node in nodes)) if name in latest]
    return ListedObject(cells, max(about, key=lambda decision: decision.time_us, default=None))


def _of_limit(amount: int, limit: int | None, write: Callable[[int], str]) -> str:
    return write(amount) if limit is None else f"{write(amount)}/{write(limit)}"


def _why_going(decision: Decision | None) -> str:
    details = None if decision is None else decision.details
    return details.reason if isinstance(details, NodeDisruption | ClaimOutdated) else ""


def _why_kept(decision: Decision | None) -> str:
    """Without what names single pods."""
    details = None if decision is None else decision.details
    return str(details.reason).partition(",")[0] if isinstance(details, NodeKept) else ""


def _counted(words: Iterable[str]) -> str:
    """How often each of them, the most frequent first."""
    counts = Counter(word for word in words if word)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{count} {word}" for word, count in ordered)
