"""Which nodes a DaemonSet runs on.

Source: Kubernetes 1.36, pkg/controller/daemon/daemon_controller.go, NodeShouldRunDaemonPod, and
pkg/controller/daemon/util/daemonset_util.go, AddOrUpdateDaemonPodTolerations.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from planner.matching.selectors import node_matches
from planner.matching.taints import (
    NodeTaint,
    TaintEffect,
    TolerationOperator,
    tolerates_hard_taints,
    tolerates_no_execute_taints,
)
from planner.plan.model.pods.placement import Toleration
from planner.state.specs import PodPlacement


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


def daemon_tolerations(own: Sequence[Toleration], host_network: bool) -> tuple[Toleration, ...]:
    """A DaemonSet pod's tolerations: its own, and those the controller adds.

    An added one replaces an own one that differs at most in how long it tolerates.
    """
    out = list(own)
    for added in (*_ALWAYS, *(_ON_HOST_NETWORK if host_network else ())):
        same = [at for at, toleration in enumerate(out) if _same(toleration, added)]
        for at in same:
            out[at] = added
        if not same:
            out.append(added)
    return tuple(out)


def _same(a: Toleration, b: Toleration) -> bool:
    return (a.key, a.operator, a.value, a.effect) == (b.key, b.operator, b.value, b.effect)


def daemon_verdict(
    rules: PodPlacement, labels: Mapping[str, str], taints: Sequence[NodeTaint], node_name: str
) -> DaemonVerdict:
    """Whether a node should run a DaemonSet's pod; room on the node plays no part, nor does a cordon as such."""
    matches = node_matches(rules.node_selector, rules.required_terms, labels, node_name)
    if rules.node_name not in ("", node_name) or not matches:
        return NOWHERE
    if tolerates_hard_taints(rules.tolerations, taints):
        return DaemonVerdict(True, True)
    return DaemonVerdict(False, tolerates_no_execute_taints(rules.tolerations, taints))
