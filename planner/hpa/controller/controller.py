"""Evaluates every autoscaler of the plan at each sync: reads its metrics, applies the rules, writes the scale.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go.
"""

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from planner.hpa.controller.evaluation_record import Decide, Repeat, evaluation_decision
from planner.hpa.controller.rest import NEVER_US, is_at_rest, longest_window_us, repeats_until_us, rests
from planner.hpa.controller.standing import Measured, Standing, standing_of
from planner.hpa.controller.together import ReadTogether
from planner.hpa.controller.tracked import HpaSync, TrackedAutoscaler, observed_of, observed_value, shown_value
from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.metrics.series_values import SeriesValues
from planner.hpa.rules.multi_metric import (
    MetricsResult,
    ambiguous_selector,
    combine,
    effective_tolerance,
    outcome_of,
)
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate, normalize_proposal
from planner.hpa.rules.replica_calculator import MetricFailed, Proposal
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import spec_from_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.record.decisions import Actor
from planner.state.cluster import Cluster

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
_CHECK_STOP_EVERY = 32


class HpaController:
    """The HPA controller of a run; its memory starts empty."""

    def __init__(
        self,
        cluster: Cluster,
        samples: UsageSamples,
        autoscalers: Iterable[HorizontalPodAutoscaler],
        settings: HpaSettings,
        decide: Decide,
        series: SeriesValues | None = None,
        repeat: Repeat | None = None,
        skip_unchanged: bool = True,
        check_stop: Callable[[], None] = lambda: None,
    ) -> None:
        """`skip_unchanged`: an evaluation that can only repeat the last one is cut short (see `rest`, `standing`).

        `check_stop` is called between evaluations; it raises RunStopped once the run is cancelled.
        """
        self._cluster = cluster
        self._samples = samples
        self._series = series or SeriesValues()
        self._settings = settings
        self._decide = decide
        self._repeat = repeat
        self._skip_unchanged = skip_unchanged
        self._check_stop = check_stop
        names = zip(cluster.workload_namespaces, cluster.workload_names, strict=True)
        self._rows_of_names = {name: row for row, name in enumerate(names)}
        ordered = sorted(autoscalers, key=lambda hpa: (hpa.namespace, hpa.name))
        followers: dict[str, list[HorizontalPodAutoscaler]] = {}
        for hpa in ordered:
            followers.setdefault(hpa.scale_target, []).append(hpa)
        self._autoscalers = [self._compile(hpa, followers[hpa.scale_target]) for hpa in ordered]
        self._with_series = [(index, hpa) for index, hpa in enumerate(self._autoscalers) if hpa.reader.reads_series]
        self._rows: Ints = np.array([hpa.workload for hpa in self._autoscalers], np.int64)
        self._exists = np.ones(len(ordered), np.bool_)
        self._at_rest = np.zeros(len(ordered), np.bool_)
        self._repeats_until_us: Ints = np.full(len(ordered), NEVER_US, np.int64)
        self._unremembered: Ints = np.zeros(len(ordered), np.int64)
        """Skipped evaluations whose recommendation, the same as the last one, is not in memory yet."""
        self._unrecorded: Ints = np.zeros(len(ordered), np.int64)
        """Skipped or folded evaluations that are not recorded yet."""
        self._seen_version = np.zeros(len(ordered), np.int64)
        self._seen_losses = 0
        self._together = ReadTogether(len(ordered))
        self._sync_times_us: deque[int] = deque()
        self._longest_window_us = max((hpa.window_us for hpa in self._autoscalers), default=0)
        self._syncs: list[HpaSync] = []
        widths = [len(hpa.spec.metrics) for hpa in self._autoscalers]
        self._values = [math.nan] * sum(widths)
        self._columns = [0, *accumulate(widths)]
        """Where the values of each autoscaler begin."""
        self.latest_us = -1
        self.latest: list[HpaSync] = []
        """The results of the last sync, which took place at `latest_us`."""

    def sync(self, now_us: int) -> list[HpaSync]:
        """Evaluate every autoscaler once, in order of namespace and name."""
        self._samples.advance(now_us)
        self._samples.reserve(self._cluster.pods.count)
        same_pods = self._cluster.workloads.version[self._rows] == self._seen_version
        same_pods &= self._may_skip()
        rest: Bools = np.asarray(self._at_rest & same_pods, np.bool_)
        unchanged = self._unchanged(rest | (same_pods & (now_us <= self._repeats_until_us)), now_us)
        if len(self._syncs) != len(self._autoscalers):
            self._syncs = [HpaSync(hpa.namespace, hpa.name, 0, 0, None) for hpa in self._autoscalers]
        unchanged |= self._fold_together(rest & ~unchanged)
        self._unremembered += unchanged
        self._unrecorded += unchanged
        for index in np.flatnonzero(~unchanged & self._exists).tolist():
            if index % _CHECK_STOP_EVERY == 0:
                self._check_stop()
            if not self._fold(index, now_us, is_at_rest=bool(rest[index])):
                self._syncs[index] = self._sync_one(index, now_us)
        self._remember_sync(now_us)
        self.latest_us, self.latest = now_us, list(self._syncs)
        return self.latest

    def restart(self) -> None:
        """Lose everything that the controller keeps in memory, as a restart or a change of leader does."""
        self.finish()
        for hpa in self._autoscalers:
            hpa.forget()
        self._at_rest[:], self._repeats_until_us[:] = False, NEVER_US

    def change(self, hpa: HorizontalPodAutoscaler) -> None:
        """The spec of an autoscaler changes, but for its target and what its metrics measure; a deleted one is created.

        Raises KeyError if there never was an autoscaler of that name.
        """
        index = self._place(hpa)
        self._catch_up(index)
        self._exists[index] = True
        known, spec = self._autoscalers[index], spec_from_plan(hpa)
        known.spec, known.tolerance = spec, effective_tolerance(spec, self._settings)
        known.reader = MetricReader(
            self._cluster, self._samples, self._series, self._settings, known.workload, spec.metrics
        )
        known.window_us = longest_window_us(spec, self._settings)
        self._longest_window_us = max(self._longest_window_us, known.window_us)
        known.standing, self._at_rest[index], self._repeats_until_us[index] = None, False, NEVER_US
        self._together.leave(index)

    def delete(self, hpa: HorizontalPodAutoscaler) -> None:
        """An autoscaler is deleted with all that is known of it; its workload keeps its size.

        Raises KeyError if there never was an autoscaler of that name.
        """
        index = self._place(hpa)
        self._catch_up(index)
        self._together.leave(index)
        known = self._autoscalers[index]
        known.forget()
        known.status = HpaStatus()
        self._exists[index] = self._at_rest[index] = False
        first, end = self._columns[index : index + 2]
        self._values[first:end] = [math.nan] * (end - first)
        if self._syncs:
            self._syncs[index] = HpaSync(known.namespace, known.name, 0, 0, None)

    def _place(self, hpa: HorizontalPodAutoscaler) -> int:
        places = {(one.namespace, one.name): index for index, one in enumerate(self._autoscalers)}
        return places[hpa.namespace, hpa.name]

    def finish(self) -> None:
        """Record all skipped evaluations; to be called before the record is read."""
        for index in range(len(self._autoscalers)):
            self._catch_up(index)

    def metric_values(self) -> list[float]:
        """Current value of every metric, in the order of `status.metric_columns`; nan: failed or not read."""
        return list(self._values)

    def _compile(self, hpa: HorizontalPodAutoscaler, followers: Sequence[HorizontalPodAutoscaler]) -> TrackedAutoscaler:
        """`followers`: all autoscalers of workloads of that name, in any namespace."""
        workload = self._rows_of_names.get((hpa.namespace, hpa.scale_target))
        if workload is None:
            raise ValueError(f"there is no workload {hpa.namespace}/{hpa.scale_target}")
        spec = spec_from_plan(hpa)
        rivals = tuple(one.name for one in followers if one.namespace == hpa.namespace)
        return TrackedAutoscaler(
            name=hpa.name,
            namespace=hpa.namespace,
            workload=workload,
            spec=spec,
            tolerance=effective_tolerance(spec, self._settings),
            reader=MetricReader(self._cluster, self._samples, self._series, self._settings, workload, spec.metrics),
            window_us=longest_window_us(spec, self._settings),
            is_alone=len(followers) == 1,
            rivals=rivals if len(rivals) > 1 else (),
        )

    # -- one evaluation -----------------------------------------------------------------------

    def _sync_one(self, index: int, now_us: int) -> HpaSync:
        hpa = self._autoscalers[index]
        self._catch_up(index)
        self._together.leave(index)
        current = int(self._cluster.workloads.desired[hpa.workload])

        def read_metrics() -> MetricsResult:
            if hpa.rivals and hpa.reader.has_pods():
                return ambiguous_selector(hpa.rivals)
            propose = partial(hpa.reader.propose, current=current, now_us=now_us, tolerance=hpa.tolerance)
            metrics = enumerate(hpa.spec.metrics)
            return combine([outcome_of(metric, partial(propose, position)) for position, metric in metrics], current)

        scale = None if self._cluster.workloads.absent[hpa.workload] else current
        inputs = EvaluationInputs(now_us, hpa.spec, self._settings, scale, read_metrics)
        outcome = evaluate(inputs, hpa.status, hpa.memory)
        hpa.status, hpa.memory = outcome.status, outcome.memory
        after = current if outcome.replicas is None else outcome.replicas
        if after != current:
            self._cluster.set_replicas(hpa.workload, after)
        workload = self._cluster.workload_names[hpa.workload]
        self._decide(evaluation_decision(workload, hpa, outcome, current, after, now_us))
        hpa.repeated, self._repeats_until_us[index] = current, NEVER_US
        may_rest = hpa.is_alone and is_at_rest(outcome, current)
        self._at_rest[index] = may_rest and hpa.reader.is_timeless(now_us)
        self._seen_version[index] = self._cluster.workloads.version[hpa.workload]
        hpa.standing = standing_of(outcome, current) if self._skip_unchanged and hpa.is_alone else None
        width, at = len(hpa.spec.metrics), self._columns[index]
        known = outcome.status.metrics
        self._values[at : at + width] = [shown_value(metric) for metric in known] if known else [math.nan] * width
        conditions, failed = outcome.status.conditions, outcome.has_error
        return HpaSync(hpa.namespace, hpa.name, current, after, observed_value(outcome), conditions, failed)

    # -- skipping what cannot have changed -------------------------------------------------------

    def _may_skip(self) -> bool:
        losses, self._seen_losses = self._seen_losses, self._samples.losses
        return self._skip_unchanged and losses == self._samples.losses

    def _unchanged(self, rest: Bools, now_us: int) -> Bools:
        """Autoscalers at rest whose pods, samples and series are what they were at their last evaluation."""
        changed: Bools = np.zeros(self._cluster.workloads.count, np.bool_)
        changed[self._cluster.pods.workload[self._samples.take_changed()]] = True
        unchanged: Bools = np.asarray(rest & ~changed[self._rows], np.bool_)
        for index, hpa in self._with_series:
            if not self._exists[index]:
                continue
            values = hpa.reader.series_values(now_us)
            unchanged[index] &= values == hpa.seen_series
            hpa.seen_series = values
        return unchanged

    def _fold_together(self, asked: Bools) -> Bools:
        """As `_fold`, all those of the autoscalers `asked` for that are within their tolerance; which these are."""
        folded: Bools = np.zeros(len(asked), np.bool_)
        table = self._cluster.workloads
        asked &= ~table.absent[self._rows]
        sizes, versions = np.asarray(table.desired[self._rows], np.int64), table.version[self._rows]
        for index, current, utilization in self._together.read(self._samples.usage_milli, asked, sizes, versions):
            folded[index] = True
            hpa = self._autoscalers[index]
            self._values[self._columns[index]] = float(utilization)
            conditions = hpa.status.conditions
            self._syncs[index] = HpaSync(hpa.namespace, hpa.name, current, current, utilization, conditions)
        return folded

    def _fold(self, index: int, now_us: int, *, is_at_rest: bool) -> bool:
        """Read the metric; if the rest of the evaluation repeats the last one, count it there (see `standing`)."""
        hpa = self._autoscalers[index]
        standing, table = hpa.standing, self._cluster.workloads
        if standing is None or standing.current != table.desired[hpa.workload] or table.absent[hpa.workload]:
            return False
        current = standing.current
        try:
            proposal = hpa.reader.propose(0, current, now_us, hpa.tolerance)
        except MetricFailed:
            return False
        if is_at_rest and proposal.replicas == current:
            self._unremembered[index] += 1
            if (pods := hpa.reader.counted_pods()) is not None:
                target, version = hpa.spec.metrics[0].target, self._seen_version.item(index)
                self._together.join(index, pods, current, target, hpa.tolerance, version)
        elif not self._fold_proposal(index, standing, proposal, now_us):
            return False
        self._unrecorded[index] += 1
        self._take_folded(index)
        hpa.measured.add(proposal)
        self._values[self._columns[index]] = shown_value(hpa.show(proposal))
        conditions = hpa.status.conditions
        self._syncs[index] = HpaSync(hpa.namespace, hpa.name, current, current, observed_of(proposal), conditions)
        return True

    def _fold_proposal(self, index: int, standing: Standing, proposal: Proposal, now_us: int) -> bool:
        """Normalize a proposal; if size and reasons are those of the last evaluation, remember it."""
        self._remember(index)
        hpa, current = self._autoscalers[index], standing.current
        normalized = normalize_proposal(proposal.replicas, current, hpa.spec, hpa.memory, now_us, self._settings)
        if normalized.replicas != current or Standing.of(current, proposal, normalized) != standing:
            return False
        hpa.memory = normalized.memory
        timeless = hpa.reader.is_timeless(now_us)
        self._at_rest[index] = timeless and rests(proposal.replicas, normalized, current)
        until_us = repeats_until_us(proposal.replicas, normalized, hpa.spec, self._settings) if timeless else NEVER_US
        hpa.repeated, self._repeats_until_us[index] = proposal.replicas, until_us
        self._seen_version[index] = self._cluster.workloads.version[hpa.workload]
        return True

    def _remember(self, index: int) -> None:
        """Put the recommendations of skipped evaluations into memory."""
        hpa, skipped = self._autoscalers[index], int(self._unremembered[index])
        times_us = list(self._sync_times_us)[-skipped:] if skipped else ()
        if times_us:
            hpa.memory = hpa.memory.repeating(hpa.repeated, times_us, times_us[-1] - hpa.window_us)
        self._unremembered[index] = 0

    def _catch_up(self, index: int) -> None:
        """Remember and record skipped evaluations as if each had been made."""
        self._remember(index)
        self._take_folded(index)
        hpa, unrecorded = self._autoscalers[index], int(self._unrecorded[index])
        if unrecorded and self._repeat is not None:
            self._repeat(Actor.HPA, self._cluster.workload_names[hpa.workload], unrecorded, hpa.measured.ranges)
        hpa.measured = Measured()
        self._unrecorded[index] = 0

    def _take_folded(self, index: int) -> None:
        """Count and show what was read together with others."""
        hpa = self._autoscalers[index]
        for proposal in self._together.take(index) or ():
            hpa.measured.add(proposal)
            hpa.show(proposal)

    def _remember_sync(self, now_us: int) -> None:
        self._sync_times_us.append(now_us)
        while self._sync_times_us[0] < now_us - self._longest_window_us:
            self._sync_times_us.popleft()
