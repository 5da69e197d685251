"""A scheduling round over the cluster, or over the cluster without some of its nodes.

Source: Karpenter 1.13, pkg/controllers/provisioning/provisioner.go (Schedule, NewScheduler) and
pkg/controllers/disruption/helpers.go (SimulateScheduling).
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import ClusterView, NodeView, PodView, counted_templates
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.scheduling_round import RoundInput, RoundResult, RoundSettings, first, solve
from planner.karpenter.topology.groups import Choice
from planner.karpenter.topology.topology import BoundPods
from planner.state.resources import ResourceAxis


@dataclass(frozen=True, eq=False)
class KarpenterProvider:
    """What stays the same from round to round."""

    axis: ResourceAxis
    pools: Sequence[PoolRules]
    catalogue: Catalogue
    settings: RoundSettings
    choice: Choice = first
    """Takes one of equally good domains."""

    def pool(self, name: str) -> PoolRules | None:
        """The pool of a name."""
        return next((pool for pool in self.pools if pool.name == name), None)


def place_pending(view: ClusterView, provider: KarpenterProvider) -> RoundResult:
    """Where pending pods go, and those of nodes that are being deleted."""
    return place(view, provider, without=())


def place(view: ClusterView, provider: KarpenterProvider, without: Container[str]) -> RoundResult:
    """A round as if some nodes (names) were gone, with their pods to be placed as well."""
    pods = [_round_pod(pod) for pod in view.pending]
    pods += [_round_pod(p, False) for node in view.nodes if node.name in without for p in view.movable(node)]
    going = (node for node in view.nodes if node.is_going and node.name not in without)
    pods += [_round_pod(pod, False, True) for node in going for pod in view.movable(node)]
    moved = {pod.row for pod in pods}
    given = RoundInput(
        provider.axis,
        provider.pools,
        provider.catalogue,
        [node for node in view.nodes if _is_open(node, without)],
        [_bound(node, moved, _is_open(node, without)) for node in view.nodes if node.is_registered],
        view.daemons,
        view.namespaces,
    )
    return solve(given, provider.settings, pods, provider.choice)


def _is_open(node: NodeView, without: Container[str]) -> bool:
    return not node.is_going and node.name not in without


def _round_pod(pod: PodView, is_pending: bool = True, from_deleting: bool = False) -> RoundPod:
    return RoundPod(pod.row, pod.uid, pod.spec, pod.created_us, is_pending, from_deleting, pod.volumes)


def _bound(node: NodeView, moved: Container[int], is_open: bool) -> BoundPods:
    """Only of nodes that do not take part are pods moved."""
    pods = node.running if is_open else counted_templates(pod for pod in node.pods if pod.row not in moved)
    return BoundPods(node.name, node.labels, node.taints, pods, is_open)
