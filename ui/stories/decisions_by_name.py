"""Finds the decisions about a node, a pod, a workload or a pool by its name."""

from collections.abc import Iterator, Sequence

from planner.record.decisions import Decision
from planner.record.details.node_groups import NodeRemoval
from planner.record.details.scheduling import Nomination, Preempted
from ui.runs.run_data import RunData


class DecisionsByName:
    """An index over the decisions of a run; grows with them when it is read."""

    def __init__(self, run: RunData) -> None:
        self._run = run
        self._seen = 0
        self._rows: dict[str, list[int]] = {}
        self._shared: dict[str, list[int]] = {}
        """By workload: decisions that several of its pods share, which are looked through for a pod."""

    def about(self, name: str) -> Sequence[Decision]:
        """Decisions that name it, in order: as their subject, their target, or one that they affect."""
        decisions = self._run.decisions
        for row in range(self._seen, len(decisions)):
            for one in _names(decisions[row]):
                self._rows.setdefault(one, []).append(row)
            if decisions[row].others:
                self._shared.setdefault(_owner(decisions[row].subject), []).append(row)
        self._seen = len(decisions)
        shared = [row for row in self._shared.get(_owner(name), ()) if name in decisions[row].others]
        return [decisions[row] for row in sorted((*self._rows.get(name, ()), *shared))]


def _owner(pod: str) -> str:
    """The workload of a pod."""
    return pod.rpartition("-")[0]


def _names(decision: Decision) -> Iterator[str]:
    yield decision.subject
    if decision.target and decision.target != decision.subject:
        yield decision.target
    match decision.details:
        case Nomination(chosen=chosen):
            yield from chosen.victims
        case Preempted(preemptor=preemptor):
            yield preemptor
        case NodeRemoval(moves=moves):
            yield from (move.pod for move in moves)
