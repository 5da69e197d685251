"""Which nodes a DaemonSet runs on.

Source: Kubernetes 1.36, daemon_controller.go, NodeShouldRunDaemonPod, and daemonset_util.go,
AddOrUpdateDaemonPodTolerations; spec/node-lifecycle.md section 15.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from planner.plan.model.node_groups import TaintEffect
from planner.plan.model.pods import NodeSelectorTerm, Toleration, TolerationOperator
from planner.state.matching import node_matches
from planner.state.specs import Taint
from planner.state.tolerations import (
    TolerationLike,
    tolerates_hard_taints,
    tolerates_no_execute_taints,
)

_T = TypeVar("_T", bound=TolerationLike)


def _added(key: str, effect: TaintEffect) -> Toleration:
    return Toleration(key=f"node.kubernetes.io/{key}", operator=TolerationOperator.EXISTS, effect=effect)


_ALWAYS = (
    _added("not-ready", TaintEffect.NO_EXECUTE),
    _added("unreachable", TaintEffect.NO_EXECUTE),
    _added("disk-pressure", TaintEffect.NO_SCHEDULE),
    _added("memory-pressure", TaintEffect.NO_SCHEDULE),
    _added("pid-pressure", TaintEffect.NO_SCHEDULE),
    _added("unschedulable", TaintEffect.NO_SCHEDULE),
)
_ON_HOST_NETWORK = (_added("network-unavailable", TaintEffect.NO_SCHEDULE),)


class DaemonVerdict(NamedTuple):
    """What the controller does about one node."""

    should_run: bool
    """A node without pod gets one."""
    should_continue: bool
    """A pod that is there stays."""


NOWHERE = DaemonVerdict(False, False)


def daemon_tolerations(own: Sequence[_T], host_network: bool = False) -> tuple[_T | Toleration, ...]:
    """A DaemonSet pod's tolerations: its own, and those the controller adds.

    An added one takes the place of an own one that differs at most in how long it tolerates.
    """
    out: list[_T | Toleration] = list(own)
    for added in (*_ALWAYS, *(_ON_HOST_NETWORK if host_network else ())):
        same = [at for at, toleration in enumerate(out) if _same(toleration, added)]
        for at in same:
            out[at] = added
        if not same:
            out.append(added)
    return tuple(out)


def _same(a: TolerationLike, b: TolerationLike) -> bool:
    return (a.key, a.operator, a.value, a.effect) == (b.key, b.operator, b.value, b.effect)


def daemon_verdict(
    selector: Mapping[str, str],
    terms: Sequence[NodeSelectorTerm],
    tolerations: Sequence[TolerationLike],
    labels: Mapping[str, str],
    taints: Sequence[Taint],
    node_name: str,
    wanted_node: str = "",
) -> DaemonVerdict:
    """Whether a node should run a DaemonSet's pod; room on the node plays no part, nor does a cordon as such.

    `tolerations`: with the added ones; `wanted_node`: the node name in the pod template, empty for any.
    """
    if wanted_node not in ("", node_name) or not node_matches(selector, terms, labels, node_name):
        return NOWHERE
    if tolerates_hard_taints(tolerations, taints):
        return DaemonVerdict(True, True)
    return DaemonVerdict(False, tolerates_no_execute_taints(tolerations, taints))
