"""How placements are recorded: as rows at first, which become decisions when these are read."""

from collections.abc import Sequence

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.scheduling import Placement, ScoredNode
from planner.record.recorder import Recorder
from planner.scheduler.cycle.outcome import Choice, Outcome
from planner.scheduler.cycle.select import NameOrder
from planner.scheduler.queue.queued_pod import QueuedPod
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

Row = tuple[int, int, tuple[str, ...], Choice]
"""Time in microseconds, pod, plugins that gave points, and what was chosen."""


class PlacementReader:
    """Turns rows into decisions, also after the run."""

    def __init__(self, cluster: Cluster, names: NameOrder) -> None:
        self._cluster = cluster
        self._names = names

    def __call__(self, row: Row) -> Decision:
        """The decision that a row stands for."""
        now_us, pod, plugins, (node, feasible, points, tied, others) = row
        name_of = self._names.name
        if points is None:
            details = Placement(feasible)
        else:
            scored = tuple([ScoredNode(name_of(other), points_of) for other, points_of in others])
            details = Placement(feasible, plugins, points, tied, scored)
        name = self._cluster.pod_name(pod)
        return Decision(now_us, Actor.SCHEDULER, Verdict.BOUND, name, name_of(node), details)


class PlacementRecord:
    """Writes the placements of one scheduler: most decisions of a run, and often never read."""

    def __init__(self, cluster: Cluster, recorder: Recorder, names: NameOrder) -> None:
        self._cluster = cluster
        self._recorder = recorder
        self._read = PlacementReader(cluster, names)
        self._plugins: dict[tuple[str, ...], tuple[str, ...]] = {}
        """The lists of plugins that gave points, each once: all placements share them."""

    def keep(self, queued: QueuedPod, plugins: tuple[str, ...], choice: Choice) -> None:
        """Record a placement as a row, unless the name of the pod may have decisions already."""
        pod = queued.pod
        row = (self._cluster.clock.now_us, pod, plugins, choice)
        if queued.attempts or queued.errors or self._cluster.pods.ordinal.item(pod) != NONE:
            self._recorder.decide(self._read(row))
        else:
            self._recorder.keep_row(row, self._read)

    def keep_all(self, pods: Sequence[int], plugins: tuple[str, ...], choices: Sequence[Choice]) -> None:
        """Record placements of pods whose names have no decisions yet as rows."""
        now_us = self._cluster.clock.now_us
        rows = [(now_us, pod, plugins, choice) for pod, choice in zip(pods, choices, strict=True)]
        self._recorder.keep_rows(rows, self._read)

    def decide(self, pod: int, outcome: Outcome) -> None:
        """Record what a cycle found."""
        plugins = self._plugins.setdefault(outcome.plugins, outcome.plugins)
        choice = outcome.node, outcome.feasible, outcome.points, outcome.tied, tuple(outcome.others)
        self._recorder.decide(self._read((self._cluster.clock.now_us, pod, plugins, choice)))
