"""What the figures and tables of a finished run are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.metrics.attainment import Attainment
from planner.metrics.history.node_log import NodeLog
from planner.metrics.pods.pod_times import PodTimes
from planner.metrics.room import RoomWatch
from planner.metrics.run_costs import RunCosts
from planner.metrics.totals import LoadTotals
from planner.plan.model.plan import Plan
from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.decision_log import DecisionLog
from planner.record.decisions import Decision
from planner.record.history import JobHistory
from planner.record.series import SeriesStore
from planner.state.cluster import Cluster


@dataclass(frozen=True)
class FigureInputs:
    """A finished run as its figures and tables see it."""

    cluster: Cluster
    plan: Plan
    until_us: int
    time_us: NDArray[np.int64]
    series: SeriesStore
    decisions: DecisionLog
    totals: LoadTotals
    room: RoomWatch | None = None
    statuses: Sequence[AutoscalerStatus] = ()
    end_to_end: Mapping[int, Attainment] = field(default_factory=dict)
    """Latency along calls, by row of a workload that waits for others."""
    node_log: NodeLog | None = None
    jobs: tuple[JobHistory, ...] = ()
    """Of the history."""

    @cached_property
    def other_decisions(self) -> Sequence[Decision]:
        """Those that figures are about: all but placements and preemptions that nobody has read yet."""
        return self.decisions.but_rows

    @cached_property
    def costs(self) -> RunCosts:
        """What the nodes cost."""
        return RunCosts(self.cluster, self.until_us, [group.pricing for group in self.plan.node_groups])

    @cached_property
    def pod_times(self) -> PodTimes:
        """How long pods waited."""
        return PodTimes(self.cluster, self.until_us)

    @property
    def application_rows(self) -> range:
        """Rows of the plan's workloads; the reserves' rows follow them."""
        return range(len(self.plan.workloads))
