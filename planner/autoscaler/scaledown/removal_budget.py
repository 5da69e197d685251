"""How many removals may start in one loop (Cluster Autoscaler 1.36.1, core/scaledown/budgets)."""

from collections.abc import Callable, Collection, Mapping, Sequence
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
    going: Going,
    in_progress: Going,
    settings: ClusterAutoscalerSettings,
    group_of: Callable[[int], int],
    whole: Mapping[int, Collection[int]],
) -> Going:
    """The removals that may start now. Groups that go as a whole first, then empty nodes, then others, group by group.

    `whole`: of each group that goes as a whole, how many nodes are all of it.
    """
    busy = len(in_progress.empty) + len(in_progress.drain)
    room = _Room(settings.max_scale_down_parallelism - busy, settings.max_drain_parallelism - len(in_progress.drain))
    empty, drain = _by_group(going.empty, group_of), _by_group(going.drain, group_of)
    _take_whole_groups(empty, drain, room, whole)
    room.take(_single(empty, whole)[: max(room.common, 0)], ())
    room.take((), _single(drain, whole)[: max(min(room.common, room.drain), 0)])
    return Going(tuple(room.empty_taken), tuple(room.drain_taken))


def _take_whole_groups(
    empty: Mapping[int, list[int]],
    drain: Mapping[int, list[int]],
    room: _Room,
    whole: Mapping[int, Collection[int]],
) -> None:
    for group, nodes in empty.items():
        if group not in whole:
            continue
        with_pods = drain.get(group, [])
        if room.common < len(nodes) + len(with_pods) or room.drain < len(with_pods):
            if room.common == 0 or (with_pods and room.drain == 0) or not room.may_overflow:
                break
        if len(nodes) + len(with_pods) in whole[group]:
            room.take(nodes, with_pods)
            room.may_overflow = False
    room.drain = min(room.common, room.drain)
    for group, nodes in drain.items():
        if group not in whole or group in empty:
            continue
        if room.drain < len(nodes) and (room.drain == 0 or not room.may_overflow):
            break
        if len(nodes) in whole[group]:
            room.take((), nodes)
            room.may_overflow = False


def _by_group(nodes: Sequence[int], group_of: Callable[[int], int]) -> dict[int, list[int]]:
    """Groups come in the order of their first nodes."""
    found: dict[int, list[int]] = {}
    for node in nodes:
        found.setdefault(group_of(node), []).append(node)
    return found


def _single(nodes: Mapping[int, list[int]], whole: Collection[int]) -> list[int]:
    """Nodes that go one by one."""
    return [node for group, members in nodes.items() if group not in whole for node in members]
