"""A scheduling round over the cluster, or over the cluster without some of its nodes.

Source: Karpenter 1.13, pkg/controllers/provisioning/provisioner.go (Schedule, NewScheduler) and
pkg/controllers/disruption/helpers.go (SimulateScheduling).
"""

from collections.abc import Collection, Container, Iterator
from functools import cached_property

import numpy as np

from planner.karpenter.cluster_view import ClusterView, NodeView, counted_templates
from planner.karpenter.pod_view import PodView
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.provisioning.node_rooms import NodeRooms, Rows
from planner.karpenter.provisioning.round_basis import RoundBasis
from planner.karpenter.provisioning.scheduling_round import RoundInput, RoundResult, solve
from planner.karpenter.topology.groups import Choice
from planner.karpenter.topology.topology import BoundPods, RoundTopology


class ViewRounds:
    """Rounds over one view of the cluster."""

    def __init__(
        self, view: ClusterView, basis: RoundBasis, choice: Choice, before: "ViewRounds | None" = None
    ) -> None:
        """`before`: rounds over an earlier view, of which is taken over what has not changed."""
        self.view = view
        self.basis = basis
        self._choice = choice
        self.going = [view.nodes[at] for at in view.going]
        """Nodes that are being deleted."""
        staying = list(view.nodes)
        for at in reversed(view.going):
            del staying[at]
        self.rooms: NodeRooms = NodeRooms(staying, basis, None if before is None else before.rooms)

    def rows_at(self, places: Rows) -> Rows:
        """Rows among the rooms of nodes that are not being deleted, by their places in the view."""
        if self.going:
            places = places - np.searchsorted(self.view.going, places)
        return self.rooms.row_at[places]

    @cached_property
    def pending(self) -> list[RoundPod]:
        """Pods that wait for a node, but for those that are ignored."""
        return [round_pod(pod) for pod in self.view.pending if not self.basis.ignores(pod.spec)]

    @cached_property
    def ignored(self) -> list[RoundPod]:
        """Pods that wait for a node and that no round looks at."""
        return [round_pod(pod) for pod in self.view.pending if self.basis.ignores(pod.spec)]

    def is_unfinished(self, name: str) -> bool:
        """Whether a node that may take pods has not started up."""
        return self.rooms.row_of[name] >= self.rooms.begun

    @property
    def has_unfinished(self) -> bool:
        """Whether some node that may take pods has not started up."""
        return self.rooms.begun < len(self.rooms.nodes)

    def moved(self, names: Container[str]) -> Iterator[RoundPod]:
        """Pods that some nodes would leave behind."""
        return (round_pod(p, False) for node in self.view.nodes if node.name in names for p in self.view.movable(node))

    def pods(self, without: Collection[str]) -> list[RoundPod]:
        """The pods of a round as if some nodes were gone."""
        view, going = self.view, (node for node in self.going if node.name not in without)
        return [
            *self.pending,
            *(self.moved(without) if without else ()),
            *(round_pod(pod, False, True) for node in going for pod in view.movable(node)),
        ]

    def place(self, without: Collection[str], choice: Choice | None = None) -> RoundResult:
        """A round as if some nodes were gone, with their pods to be placed as well; `choice`: instead of the usual."""
        pods = self.pods(without)
        moved = frozenset(pod.row for pod in pods)
        given = RoundInput(
            self.basis,
            self.rooms,
            self.rooms.without(without),
            self.rooms.limits(without),
            lambda: [_bound(node, moved, without) for node in self.view.nodes if node.is_registered],
            [_bound(node, moved, without) for node in self._with_repelling],
            self.view.namespaces,
        )
        return solve(given, pods, choice or self._choice)

    @property
    def has_repelling(self) -> bool:
        """Whether a pod that runs keeps any others away."""
        return bool(self._with_repelling)

    def repels(self, stage: PodStage) -> bool:
        """Whether a pod that runs keeps pods of a stage away."""
        return self.has_repelling and self._topology.concerns(stage)

    @cached_property
    def _topology(self) -> RoundTopology:
        repelling = [_bound(node, (), ()) for node in self._with_repelling]
        ignores = self.basis.settings.ignores_preferences
        return RoundTopology(self.basis.domains, tuple, repelling, self.view.namespaces, ignores, self._choice)

    @cached_property
    def _with_repelling(self) -> list[NodeView]:
        """Nodes with pods that keep others away."""
        if not self.view.may_repel:
            return []
        return [node for node in self.view.nodes if node.has_repelling and node.is_registered]


def round_pod(pod: PodView, is_pending: bool = True, from_deleting: bool = False) -> RoundPod:
    """A pod of the cluster as it looks for room."""
    return RoundPod(pod.row, pod.uid, pod.spec, pod.created_us, is_pending, from_deleting, pod.volumes)


def _bound(node: NodeView, moved: Container[int], without: Container[str]) -> BoundPods:
    """Only of nodes that do not take part are pods moved."""
    is_open = not node.is_going and node.name not in without
    pods = node.running if is_open else counted_templates(pod for pod in node.pods if pod.row not in moved)
    return BoundPods(node.name, node.labels, node.taints, pods, is_open)
