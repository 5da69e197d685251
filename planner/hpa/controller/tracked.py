"""The controller's state for each autoscaler."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from planner.hpa.controller.rest import longest_window_us
from planner.hpa.controller.standing import Standing
from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import (
    MetricOutcome,
    MetricsResult,
    ambiguous_selector,
    combine,
    effective_tolerance,
    outcome_of,
)
from planner.hpa.rules.reconcile import HpaStatus
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec, spec_from_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.state.cluster import Cluster

MakeReader = Callable[[int, tuple[MetricSpec, ...]], MetricReader]
"""For a workload row and the metrics of its autoscaler."""


@dataclass(slots=True)
class TrackedAutoscaler:
    """Specification, status and memory of one autoscaler."""

    name: str
    namespace: str
    workload: int
    spec: HpaSpec
    tolerance: Tolerance
    reader: MetricReader
    window_us: int
    """How far back a recommendation may count."""
    is_alone: bool
    """No other autoscaler's decisions are about a workload of this name."""
    rivals: tuple[str, ...] = ()
    """Autoscalers that scale the same workload, this one included; empty if it is the only one."""
    status: HpaStatus = field(default_factory=HpaStatus)
    memory: HpaMemory = field(default_factory=HpaMemory)
    seen_series: tuple[int | None, ...] = ()
    standing: Standing | None = None
    """What the next evaluation has to repeat to be folded into the last one."""

    def read_metrics(self, current: int, now_us: int, read: Proposal | None) -> MetricsResult:
        """What all metrics together call for; `read`: what the only one proposes, if that is known."""
        if read is not None:
            return combine((MetricOutcome(self.spec.metrics[0], read),), current)
        if self.rivals and self.reader.has_pods():
            return ambiguous_selector(self.rivals)
        propose = partial(self.reader.propose, current=current, now_us=now_us, tolerance=self.tolerance)
        metrics = enumerate(self.spec.metrics)
        return combine([outcome_of(metric, partial(propose, position)) for position, metric in metrics], current)

    def forget(self) -> None:
        """Lose what the controller keeps in memory."""
        self.memory = HpaMemory()
        self.standing = None

    def follow(self, spec: HpaSpec, settings: HpaSettings, make_reader: MakeReader) -> None:
        """The spec is another one."""
        self.spec, self.tolerance = spec, effective_tolerance(spec, settings)
        self.reader = make_reader(self.workload, spec.metrics)
        self.window_us, self.standing = longest_window_us(spec, settings), None


def tracked_autoscalers(
    planned: Iterable[HorizontalPodAutoscaler],
    cluster: Cluster,
    settings: HpaSettings,
    make_reader: MakeReader,
) -> list[TrackedAutoscaler]:
    """In order of namespace and name.

    Raises ValueError if the target of one is not in the cluster.
    """
    names = zip(cluster.workload_namespaces, cluster.workload_names, strict=True)
    rows = {name: row for row, name in enumerate(names)}
    ordered = sorted(planned, key=lambda hpa: (hpa.namespace, hpa.name))
    followers: dict[str, list[HorizontalPodAutoscaler]] = {}
    for hpa in ordered:
        followers.setdefault(hpa.scale_target, []).append(hpa)
    return [_tracked(hpa, followers[hpa.scale_target], rows, settings, make_reader) for hpa in ordered]


def _tracked(
    hpa: HorizontalPodAutoscaler,
    followers: Sequence[HorizontalPodAutoscaler],
    rows: Mapping[tuple[str, str], int],
    settings: HpaSettings,
    make_reader: MakeReader,
) -> TrackedAutoscaler:
    """`followers`: all autoscalers of workloads of that name, in any namespace; `rows`: of workloads, by both names."""
    workload = rows.get((hpa.namespace, hpa.scale_target))
    if workload is None:
        raise ValueError(f"there is no workload {hpa.namespace}/{hpa.scale_target}")
    spec = spec_from_plan(hpa)
    rivals = tuple(one.name for one in followers if one.namespace == hpa.namespace)
    return TrackedAutoscaler(
        name=hpa.name,
        namespace=hpa.namespace,
        workload=workload,
        spec=spec,
        tolerance=effective_tolerance(spec, settings),
        reader=make_reader(workload, spec.metrics),
        window_us=longest_window_us(spec, settings),
        is_alone=len(followers) == 1,
        rivals=rivals if len(rivals) > 1 else (),
    )
