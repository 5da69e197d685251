"""A run that is watched while it happens: what must hold at every quiet moment, and a history kept by hand."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np

from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.simulation import run as runs
from planner.simulation.ending import take_apart
from planner.simulation.simulation import Simulation
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.invariants import broken_invariants
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_S

CHECK_EVERY = 60
"""Quiet moments between two checks of all sums of the cluster, which take long."""


class WatchedSimulation(Simulation):
    """Notes for itself when nodes appear, turn Ready and go, and which sums are wrong."""

    def __init__(self, plan: Plan, seed: int, **named: object) -> None:
        super().__init__(plan, seed, **named)
        self.broken: list[str] = []
        self.first_ready_us: dict[int, int] = {}
        self.gone_us: dict[int, int] = {}
        self.living: dict[int, int] = {}
        """Pods that are not gone, buffers' aside, by the time of a row of the series."""
        self._moments = 0
        self.cluster.subscribe(self._see_ready, (ClusterEventKind.NODE_CHANGED,))

    def _see_ready(self, event: ClusterEvent) -> None:
        """A node may be Ready for no time at all: a machine can end at the moment at which it is up."""
        if self.cluster.nodes.ready[event.node]:
            self.first_ready_us.setdefault(event.node, self.events.now_us)

    def settle(self) -> None:
        """Settle, then look."""
        super().settle()
        self._moments += 1
        now_us, nodes = self.events.now_us, self.cluster.nodes
        for node in np.flatnonzero(nodes.ready).tolist():
            self.first_ready_us.setdefault(node, now_us)
        for node in np.flatnonzero(nodes.removed_us != NONE).tolist():
            self.gone_us.setdefault(node, now_us)
        rows = self.recorder.series_time_us
        if rows and rows[-1] == now_us and now_us not in self.living:
            self.living[now_us] = self.living_pods()
        if self._moments % CHECK_EVERY == 0:
            self.check()

    def living_pods(self) -> int:
        """Pods that exist in the API: those of capacity buffers do not."""
        pods, specs = self.cluster.pods, self.cluster.pod_specs
        virtual = np.array([spec.scaling.is_buffer for spec in specs] or [False])
        return int(((pods.phase != PodPhase.GONE) & ~virtual[pods.spec]).sum())

    def check(self) -> None:
        """Every sum and reference in the cluster is true, and sizes are possible."""
        cluster, at = self.cluster, f"at {self.events.now_us / US_PER_S:g} s: "
        self.broken += [at + one for one in broken_invariants(cluster)]
        if (cluster.groups.target < 0).any():
            self.broken.append(f"{at}target sizes {cluster.groups.target.tolist()}")
        over = np.flatnonzero((cluster.nodes.requested > cluster.nodes.allocatable).any(axis=1) & cluster.nodes.exists)
        for node in over.tolist():
            self.broken.append(f"{at}node {cluster.node_name(node)} holds more than it offers")


@contextmanager
def watched(plan: Plan, until_us: int | None = None) -> Iterator[tuple[WatchedSimulation, RunResult]]:
    """Run a plan as users do, to its end or until then; for the block, the simulation that watched it is whole."""
    made: list[WatchedSimulation] = []

    def make(*arguments: object, **named: object) -> WatchedSimulation:
        made.append(WatchedSimulation(*arguments, **named))
        return made[-1]

    with mock.patch.object(runs, "Simulation", make), mock.patch.object(runs, "take_apart"):
        result = runs.run_plan(plan, until_us=until_us)
    made[0].check()
    try:
        yield made[0], result
    finally:
        take_apart(made[0])
