"""Pods that ask for resources and node labels only: those of one size with the same needs are all alike."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple
from weakref import WeakKeyDictionary

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.counted.pod_ages import States
from planner.karpenter.counted.round_queue import QueueEntry, queued
from planner.karpenter.pod_view import PodView
from planner.karpenter.pods.round_pod import RoundPod
from planner.karpenter.pods.shapes import PodShapes, PodStage, by_size
from planner.karpenter.provisioning.round_view import round_pod
from planner.state.specs import HOSTNAME_LABEL, PodSpec


@dataclass(frozen=True, eq=False)
class PodKind:
    """Pods of which only the number matters."""

    number: int
    stage: PodStage
    """Of one of its templates."""
    size: tuple[int, int]
    """Its place in the queue of a round."""
    stages: dict[Hashable, PodStage] = field(default_factory=dict)
    """Of its templates so far, one for each namespace and labels, by which other pods may keep them away."""


class PodRun(NamedTuple):
    """Pods of a kind that come one after the other in the queue of a round."""

    kind: PodKind
    number: int
    pods: Sequence[RoundPod] | None = None
    """None where their order is not known."""
    excused: int = 0
    """How many of them then wait for a node or run on one that is being deleted, and not on one that would go."""
    states: States | None = None
    """Those of the pods in the order of the queue; None where it is not known."""


class PodsLeft(NamedTuple):
    """Pods of a kind without room on the nodes that exist, one after the other."""

    kind: PodKind
    number: int
    are_pending: bool


_spec, _volumes = attrgetter("spec"), attrgetter("volumes")
KindCounts = tuple[tuple[PodKind, int], ...]


class PodKinds:
    """Kinds of pods by template, and those of nodes; the same for all views."""

    def __init__(self, shapes: PodShapes) -> None:
        self._shapes = shapes
        self._known: dict[int, tuple[PodSpec, PodKind | None]] = {}
        self._kinds: dict[Hashable, PodKind] = {}
        self._on_node: WeakKeyDictionary[NodeView, KindCounts | None] = WeakKeyDictionary()
        self._queues: WeakKeyDictionary[NodeView, list[QueueEntry]] = WeakKeyDictionary()

    def of(self, spec: PodSpec) -> PodKind | None:
        """The kind of a template's pods; None where more than their number matters."""
        known = self._known.get(spec.index)
        if known is None or known[0] is not spec:
            known = self._known[spec.index] = spec, self._kind(spec)
        return known[1]

    def _kind(self, spec: PodSpec) -> PodKind | None:
        stage, pod = self._shapes.stage(spec, 0), spec.placement
        rules = pod.spread_constraints or pod.required_affinity or pod.required_anti_affinity or pod.host_ports
        if stage is None or rules or self._shapes.stage(spec, 1) is not None:
            return None
        if HOSTNAME_LABEL in stage.needs or any(each.excludes for each in stage.needs.values()):
            return None
        tolerations = tuple((each.key, each.operator, each.value, each.effect) for each in pod.tolerations)
        identity = stage.request.tobytes(), tuple(sorted(stage.needs.items())), tolerations
        kind = self._kinds.get(identity)
        if kind is None:
            kind = self._kinds[identity] = PodKind(len(self._kinds), stage, by_size(spec))
        kind.stages.setdefault((spec.namespace, tuple(sorted(spec.labels.items()))), stage)
        return kind

    def counts(self, node: NodeView) -> KindCounts | None:
        """How many pods of each kind a node would leave behind, whatever budgets of pods say; None as for `of`."""
        try:
            return self._on_node[node]
        except KeyError:
            plain = node.plain
            found = self.counted(node.movers) if plain is None else self._together(plain.counts_of_movers())
            self._on_node[node] = found
            return found

    def queue(self, node: NodeView) -> list[QueueEntry]:
        """The pods that a node would leave behind, whatever budgets of pods say."""
        known = self._queues.get(node)
        if known is None:
            known = self._queues[node] = queued(round_pod(pod, False) for pod in node.movers)
        return known

    def counted(self, pods: Iterable[PodView | RoundPod]) -> KindCounts | None:
        """How many of some pods are of each kind."""
        all_pods = tuple(pods)
        return None if any(map(_volumes, all_pods)) else self._together(Counter(map(_spec, all_pods)).items())

    def _together(self, counts: Iterable[tuple[PodSpec, int]]) -> KindCounts | None:
        """How many pods are of each kind, by how many are of each template."""
        found = dict[int, tuple[PodKind, int]]()
        for spec, number in counts:
            kind = self.of(spec)
            if kind is None:
                return None
            found[kind.number] = kind, found.get(kind.number, (kind, 0))[1] + number
        return tuple(found.values())
