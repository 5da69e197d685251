"""Evaluates all planned autoscalers against the cluster: gathers arrays, calls the rules, writes the scale."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np

from planner.hpa.cpu_evaluation import CpuPods, Ints, SteadyPods, evaluate_cpu, evaluate_steady, steady_pods
from planner.hpa.history import HpaMemory
from planner.hpa.metrics_pipeline import NEVER_US, CpuSamples
from planner.hpa.multi_metric import MetricsResult, combine, effective_tolerance, metric_label, outcome_of
from planner.hpa.reconcile import EvaluationInputs, HpaStatus, Outcome, evaluate
from planner.hpa.replica_calculator import Proposal, Tolerance
from planner.hpa.settings import HpaSettings
from planner.hpa.spec import spec_from_plan
from planner.plan.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.hpa_spec import HpaSpec, MetricSpec, TargetType
from planner.record.decisions import Actor, Decision, Verdict
from planner.state.cluster import Cluster
from planner.state.pods import NONE, PodPhase
from planner.units import US_PER_S


class HpaSync(NamedTuple):
    """One evaluation as the report shows it."""

    namespace: str
    name: str
    before: int
    after: int
    observed: int | None
    """Utilization in percent, or average in milli-CPU, of the first metric; None if it failed or was not read."""


@dataclass(slots=True)
class _Gathered:
    """Columns of a workload's pods that stay equal while its version does."""

    version: int
    rows: Ints
    request_milli: Ints
    deleted: np.ndarray[tuple[int], np.dtype[np.bool_]]
    pending: np.ndarray[tuple[int], np.dtype[np.bool_]]
    ready: np.ndarray[tuple[int], np.dtype[np.bool_]]
    start_us: Ints
    ready_transition_us: Ints
    steady: SteadyPods | None = None


@dataclass(slots=True)
class _Autoscaler:
    """One autoscaler of the run with what the controller keeps of it."""

    name: str
    namespace: str
    workload: int
    spec: HpaSpec
    tolerance: Tolerance
    status: HpaStatus = field(default_factory=HpaStatus)
    memory: HpaMemory = field(default_factory=HpaMemory)
    gathered: _Gathered | None = None


class HpaController:
    """The HPA controller of a run; its memory starts empty."""

    def __init__(
        self,
        cluster: Cluster,
        samples: CpuSamples,
        autoscalers: Iterable[HorizontalPodAutoscaler],
        settings: HpaSettings,
        decide: Callable[[Decision], None],
    ) -> None:
        self._cluster = cluster
        self._samples = samples
        self._settings = settings
        self._decide = decide
        self._spec_requests: Ints = np.zeros(0, dtype=np.int64)
        ordered = sorted(autoscalers, key=lambda hpa: (hpa.namespace, hpa.name))
        self._autoscalers = [self._compile(hpa) for hpa in ordered]

    def sync(self, now_us: int) -> list[HpaSync]:
        """Evaluate every autoscaler once, in order of namespace and name."""
        self._samples.advance(now_us)
        self._samples.reserve(self._cluster.pods.count)
        return [self._sync_one(hpa, now_us) for hpa in self._autoscalers]

    def restart(self) -> None:
        """Lose all memory, as a restart or a change of leader does."""
        for hpa in self._autoscalers:
            hpa.memory = HpaMemory()

    def _compile(self, hpa: HorizontalPodAutoscaler) -> _Autoscaler:
        names = zip(self._cluster.workload_namespaces, self._cluster.workload_names, strict=True)
        workload = list(names).index((hpa.namespace, hpa.scale_target))
        spec = spec_from_plan(hpa)
        return _Autoscaler(hpa.name, hpa.namespace, workload, spec, effective_tolerance(spec, self._settings))

    def _sync_one(self, hpa: _Autoscaler, now_us: int) -> HpaSync:
        current = int(self._cluster.workloads.desired[hpa.workload])

        def read_metrics() -> MetricsResult:
            propose = self._proposals(hpa, current, now_us)
            return combine([outcome_of(metric, partial(propose, metric)) for metric in hpa.spec.metrics], current)

        inputs = EvaluationInputs(now_us, hpa.spec, self._settings, current, read_metrics)
        outcome = evaluate(inputs, hpa.status, hpa.memory)
        hpa.status, hpa.memory = outcome.status, outcome.memory
        after = current if outcome.replicas is None else outcome.replicas
        if after != current:
            self._cluster.set_replicas(hpa.workload, after)
        self._decide(_decision(self._cluster.workload_names[hpa.workload], hpa, outcome, current, after, now_us))
        return HpaSync(hpa.namespace, hpa.name, current, after, _observed(outcome))

    def _proposals(self, hpa: _Autoscaler, current: int, now_us: int) -> Callable[[MetricSpec], Proposal]:
        """What answers for a metric: the pods one by one, or their sums once none of them needs a closer look."""
        gathered = hpa.gathered
        if gathered is None or gathered.version != self._cluster.workloads.version[hpa.workload]:
            gathered = hpa.gathered = self._gather(hpa.workload)
        steady = gathered.steady
        if steady is not None and now_us >= steady.from_us:
            usage = int(self._samples.usage_milli[gathered.rows].sum())
            return lambda metric: evaluate_steady(metric, steady, usage, current, hpa.tolerance)
        pods = self._cpu_pods(gathered)
        gathered.steady = steady_pods(pods, self._settings)
        return lambda metric: evaluate_cpu(metric, pods, current, now_us, hpa.tolerance, self._settings)

    def _cpu_pods(self, gathered: _Gathered) -> CpuPods:
        sample_us = self._samples.time_us[gathered.rows]
        return CpuPods(
            usage_milli=self._samples.usage_milli[gathered.rows],
            request_milli=gathered.request_milli,
            deleted=gathered.deleted,
            pending=gathered.pending,
            ready=gathered.ready,
            has_sample=sample_us != NEVER_US,
            start_us=gathered.start_us,
            ready_transition_us=gathered.ready_transition_us,
            sample_us=sample_us,
            window_us=self._samples.window_us[gathered.rows],
        )

    def _gather(self, workload: int) -> _Gathered:
        pods = self._cluster.pods
        members = self._cluster.workload_pods[workload]
        rows = np.fromiter(members, dtype=np.int64, count=len(members))
        return _Gathered(
            version=int(self._cluster.workloads.version[workload]),
            rows=rows,
            request_milli=self._requests()[pods.spec[rows]],
            deleted=pods.deletion_us[rows] != NONE,
            pending=pods.phase[rows] == PodPhase.PENDING,
            ready=pods.ready[rows],
            # The kubelet acknowledges a pod, and sets its start time, when it is bound.
            start_us=_whole_seconds(pods.bound_us[rows]),
            ready_transition_us=_whole_seconds(pods.ready_change_us[rows]),
        )

    def _requests(self) -> Ints:
        specs = self._cluster.pod_specs
        if len(self._spec_requests) != len(specs):
            known = [spec.cpu_request_milli if spec.has_cpu_requests else -1 for spec in specs]
            self._spec_requests = np.array(known, dtype=np.int64)
        return self._spec_requests


def _whole_seconds(time_us: Ints) -> Ints:
    """Times as the API keeps them; -1 stays below 0."""
    return time_us // US_PER_S * US_PER_S


def _decision(workload: str, hpa: _Autoscaler, outcome: Outcome, before: int, after: int, now_us: int) -> Decision:
    figures: dict[str, float] = {"current": before, "desired": after}
    details = {"hpa": hpa.name}
    verdict = Verdict.SCALED if after != before else Verdict.KEPT
    result = outcome.metrics
    if result is not None and result.replicas is None:
        verdict = Verdict.NO_METRICS
        details["reason"] = str(result.outcomes[0].error) if result.outcomes else str(result.reason)
    elif outcome.rescale_reason and verdict is Verdict.SCALED:
        details["reason"] = outcome.rescale_reason
    if result is not None and result.winner >= 0:
        winner = result.outcomes[result.winner]
        details["metric"] = metric_label(winner.metric)
        if winner.proposal is not None:
            _add_figures(figures, winner.metric, winner.proposal)
    if outcome.normalized is not None:
        if outcome.normalized.stabilized != figures.get("proposal"):
            details["held"] = str(outcome.normalized.able)
        if outcome.normalized.is_limited:
            details["limited"] = str(outcome.normalized.limited)
    return Decision(now_us, Actor.HPA, verdict, workload, figures=figures, details=details)


def _add_figures(figures: dict[str, float], metric: MetricSpec, proposal: Proposal) -> None:
    figures["proposal"] = proposal.replicas
    figures["ratio"] = proposal.ratio
    figures["average_milli"] = proposal.value_milli
    if metric.target_type is TargetType.UTILIZATION and proposal.utilization_pct is not None:
        figures["utilization_pct"] = proposal.utilization_pct
        figures["target_pct"] = metric.target
    else:
        figures["target_milli"] = metric.target


def _observed(outcome: Outcome) -> int | None:
    if outcome.metrics is None or not outcome.metrics.outcomes:
        return None
    proposal = outcome.metrics.outcomes[0].proposal
    if proposal is None:
        return None
    return proposal.value_milli if proposal.utilization_pct is None else proposal.utilization_pct
