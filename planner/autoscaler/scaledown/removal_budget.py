"""How many removals may start in one loop (Cluster Autoscaler 1.36.1, core/scaledown/budgets)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings


@dataclass(frozen=True, slots=True)
class Going:
    """Nodes that may go now, or whose removal starts: without pods to move, and with."""

    empty: tuple[int, ...] = ()
    drain: tuple[int, ...] = ()


@dataclass(slots=True)
class _Room:
    common: int
    """Removals of either kind that may still start."""
    drain: int
    may_overflow: bool = True
    """One group that goes as a whole may exceed the bounds, so that it is not starved."""
    empty_taken: list[int] = field(default_factory=list)
    drain_taken: list[int] = field(default_factory=list)

    def take(self, empty: Sequence[int], drain: Sequence[int]) -> None:
        self.empty_taken += empty
        self.drain_taken += drain
        self.common -= len(empty) + len(drain)
        self.drain -= len(drain)


def within_removal_budget(
    going: Going, in_progress: Going, settings: ClusterAutoscalerSettings, atomic: Mapping[int, int]
) -> Going:
    """The removals that may start now. Groups that go as a whole first, then empty nodes, then others.

    `atomic`: the group of each node whose group goes as a whole.
    """
    busy = len(in_progress.empty) + len(in_progress.drain)
    room = _Room(settings.max_scale_down_parallelism - busy, settings.max_drain_parallelism - len(in_progress.drain))
    _take_whole_groups(going, room, atomic)
    empty = [node for node in going.empty if node not in atomic]
    room.take(empty[: max(room.common, 0)], ())
    drain = [node for node in going.drain if node not in atomic]
    room.take((), drain[: max(min(room.common, room.drain), 0)])
    return Going(tuple(room.empty_taken), tuple(room.drain_taken))


def _take_whole_groups(going: Going, room: _Room, atomic: Mapping[int, int]) -> None:
    empty, drain = _by_group(going.empty, atomic), _by_group(going.drain, atomic)
    for group, nodes in empty.items():
        with_pods = drain.get(group, [])
        if room.common < len(nodes) + len(with_pods) or room.drain < len(with_pods):
            if room.common == 0 or (with_pods and room.drain == 0) or not room.may_overflow:
                break
        room.take(nodes, with_pods)
        room.may_overflow = False
    room.drain = min(room.common, room.drain)
    for group, nodes in drain.items():
        if group in empty:
            continue
        if room.drain < len(nodes) and (room.drain == 0 or not room.may_overflow):
            break
        room.take((), nodes)
        room.may_overflow = False


def _by_group(nodes: Sequence[int], atomic: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for node in nodes:
        if node in atomic:
            found.setdefault(atomic[node], []).append(node)
    return found
