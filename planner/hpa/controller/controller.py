"""Evaluates every autoscaler of the plan at each sync: reads its metrics, applies the rules, writes the scale.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go.
"""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from planner.hpa.controller.evaluation_record import Decide, Repeat, evaluation_decision
from planner.hpa.controller.kept import kept_outcome
from planner.hpa.controller.owed import OwedEvaluations
from planner.hpa.controller.rest import NEVER_US, is_at_rest, repeats_until_us, rests
from planner.hpa.controller.seen_inputs import SeenInputs
from planner.hpa.controller.shown import HpaSync, ShownSyncs
from planner.hpa.controller.standing import Standing, standing_of
from planner.hpa.controller.together import EvaluatedTogether, FoldResult, Now
from planner.hpa.controller.tracked import tracked_autoscalers
from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.metrics.metrics_pipeline import UsageSamples
from planner.hpa.metrics.pod_totals import CpuRequests
from planner.hpa.metrics.series_values import SeriesValues
from planner.hpa.rules.normalization import Normalized
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, evaluate, normalize_proposal
from planner.hpa.rules.replica_calculator import MetricFailed, Proposal
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec, spec_from_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.record.decisions import Actor
from planner.state.cluster import Cluster

Ints = NDArray[np.int64]
_CHECK_STOP_EVERY = 32
_HPA = Actor.HPA  # looking up a member of an enum costs a call in Python 3.11


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
        self._requests = CpuRequests(cluster, settings)
        self._autoscalers = tracked_autoscalers(autoscalers, cluster, settings, self._reader)
        count = len(self._autoscalers)
        self._rows: Ints = np.array([hpa.workload for hpa in self._autoscalers], np.int64)
        self._inputs = SeenInputs(cluster, samples, self._autoscalers, self._rows)
        self._exists = np.ones(count, np.bool_)
        self._at_rest = np.zeros(count, np.bool_)
        self._repeats_until_us: Ints = np.full(count, NEVER_US, np.int64)
        self._seen_version = np.zeros(count, np.int64)
        self._seen_losses = 0
        self._longest_window_us = max((hpa.window_us for hpa in self._autoscalers), default=0)
        self._owed = OwedEvaluations(count)
        self._shown = ShownSyncs([len(hpa.spec.metrics) for hpa in self._autoscalers])
        self._together = EvaluatedTogether(self._owed, self._shown, settings.downscale_stabilization_us)
        self.latest_us = -1
        """When the last sync took place; -1 before the first."""

    def sync(self, now_us: int) -> None:
        """Evaluate every autoscaler once, in order of namespace and name."""
        self._samples.advance(now_us)
        self._samples.reserve(self._cluster.pods.count)
        answers = self._skipped(now_us)
        folded, kept = answers == FoldResult.FOLDED, answers == FoldResult.KEPT
        self._owed.skip(folded, kept)
        for index in np.flatnonzero(~folded & self._exists).tolist():
            if index % _CHECK_STOP_EVERY == 0:
                self._check_stop()
            if kept[index]:
                self._keep(index, now_us)
                continue
            read = None if answers[index] == FoldResult.DIFFERS else self._read(index, now_us)
            if read is None or not self._fold(index, read, now_us):
                self._evaluate(index, now_us, read)
        self._owed.end_sync(now_us, self._longest_window_us)
        self.latest_us = now_us

    @property
    def latest(self) -> list[HpaSync]:
        """The results of the last sync, in order of namespace and name; empty before the first."""
        return self._shown.lines(self._autoscalers) if self.latest_us >= 0 else []

    def restart(self) -> None:
        """Lose everything that the controller keeps in memory, as a restart or a change of leader does."""
        self.finish()
        for index, hpa in enumerate(self._autoscalers):
            hpa.forget()
            self._wake(index)

    def change(self, hpa: HorizontalPodAutoscaler) -> None:
        """The spec of an autoscaler changes, but for its target and what its metrics measure; a deleted one is created.

        Raises KeyError if there never was an autoscaler of that name.
        """
        index = self._place(hpa)
        self._catch_up(index)
        self._exists[index] = True
        known = self._autoscalers[index]
        known.follow(spec_from_plan(hpa), self._settings, self._reader)
        self._longest_window_us = max(self._longest_window_us, known.window_us)
        self._wake(index)

    def delete(self, hpa: HorizontalPodAutoscaler) -> None:
        """An autoscaler is deleted with all that is known of it; its workload keeps its size.

        Raises KeyError if there never was an autoscaler of that name.
        """
        index = self._place(hpa)
        self._catch_up(index)
        known = self._autoscalers[index]
        known.forget()
        known.status = HpaStatus()
        self._exists[index] = False
        self._wake(index)
        self._shown.clear(index, len(known.spec.metrics))

    def finish(self) -> None:
        """Record all skipped evaluations; to be called before the record is read."""
        for index in range(len(self._autoscalers)):
            self._catch_up(index)

    def metric_values(self) -> NDArray[np.float64]:
        """Current value of every metric, in the order of `status.metric_columns`; nan: failed or not read."""
        return self._shown.values

    def _reader(self, workload: int, metrics: tuple[MetricSpec, ...]) -> MetricReader:
        return MetricReader(
            self._cluster, self._samples, self._series, self._settings, workload, metrics, self._requests
        )

    def _place(self, hpa: HorizontalPodAutoscaler) -> int:
        places = {(one.namespace, one.name): index for index, one in enumerate(self._autoscalers)}
        return places[hpa.namespace, hpa.name]

    def _evaluate(self, index: int, now_us: int, read: Proposal | None) -> None:
        """Evaluate an autoscaler in full; `read`: what its only metric proposes, if that is known."""
        hpa = self._autoscalers[index]
        self._catch_up(index)
        self._wake(index)
        current = int(self._cluster.workloads.desired[hpa.workload])

        scale = None if self._cluster.workloads.absent[hpa.workload] else current
        read_metrics = partial(hpa.read_metrics, current, now_us, read)
        inputs = EvaluationInputs(now_us, hpa.spec, self._settings, scale, read_metrics)
        outcome = evaluate(inputs, hpa.status, hpa.memory)
        hpa.status, hpa.memory = outcome.status, outcome.memory
        after = current if outcome.replicas is None else outcome.replicas
        if after != current:
            self._cluster.set_replicas(hpa.workload, after)
        workload = self._cluster.workload_names[hpa.workload]
        self._decide(evaluation_decision(workload, hpa, outcome, current, after, now_us))
        self._shown.show(index, outcome, current, after, len(hpa.spec.metrics))
        self._owed.wants[index] = current
        may_rest = hpa.is_alone and is_at_rest(outcome, current)
        self._at_rest[index] = may_rest and hpa.reader.is_timeless(now_us)
        self._seen_version[index] = self._cluster.workloads.version[hpa.workload]
        hpa.standing = standing_of(outcome, current) if self._skip_unchanged and hpa.is_alone else None
        self._join(index, now_us)

    def _keep(self, index: int, now_us: int) -> None:
        """Record why the size is kept now, where that is all that differs from the last evaluation."""
        self._record_kept(index, *self._together.kept(index), now_us)
        self._at_rest[index], self._repeats_until_us[index] = False, NEVER_US

    def _record_kept(self, index: int, proposal: Proposal, normalized: Normalized, now_us: int) -> None:
        self._record_repeats(index)
        hpa, current = self._autoscalers[index], normalized.replicas
        outcome = kept_outcome(hpa, proposal, normalized, current, now_us)
        hpa.status, hpa.standing = outcome.status, Standing.of(current, proposal, normalized)
        workload = self._cluster.workload_names[hpa.workload]
        self._decide(evaluation_decision(workload, hpa, outcome, current, current, now_us))

    def _skipped(self, now_us: int) -> NDArray[np.int8]:
        """A FoldResult for each autoscaler; those that are folded need not be looked at any more."""
        losses, self._seen_losses = self._seen_losses, self._samples.losses
        table, rows = self._cluster.workloads, self._rows
        if not self._skip_unchanged or losses != self._samples.losses:
            self._at_rest[:], self._repeats_until_us[:] = False, NEVER_US
            self._inputs.unchanged(self._at_rest, self._exists, now_us)
            return np.full(len(rows), FoldResult.UNKNOWN, np.int8)
        versions, sizes = table.version[rows], table.desired[rows].astype(np.int64)
        asked = np.asarray(self._exists & ~table.absent[rows], np.bool_)
        answers = self._together.evaluate(asked, Now(now_us, self._samples.usage_milli, sizes, versions))
        left = np.asarray(self._exists & (answers == FoldResult.UNKNOWN), np.bool_)
        if np.count_nonzero(left):
            may_rest = left & (versions == self._seen_version) & (self._at_rest | (now_us <= self._repeats_until_us))
            answers[self._inputs.unchanged(may_rest, self._exists, now_us)] = FoldResult.FOLDED
        return answers

    def _read(self, index: int, now_us: int) -> Proposal | None:
        """What the metric proposes where the rest may repeat the last evaluation (see `standing`), unless it fails."""
        hpa = self._autoscalers[index]
        standing, table = hpa.standing, self._cluster.workloads
        if standing is None or standing.current != table.desired[hpa.workload] or table.absent[hpa.workload]:
            return None
        try:
            return hpa.reader.propose(0, standing.current, now_us, hpa.tolerance)
        except MetricFailed:
            return None

    def _fold(self, index: int, proposal: Proposal, now_us: int) -> bool:
        """If an evaluation keeps the size as the last one did, count it there, or record why it does so now."""
        hpa, table = self._autoscalers[index], self._cluster.workloads
        standing = hpa.standing
        assert standing is not None
        rests_still = self._at_rest[index] and table.version[hpa.workload] == self._seen_version[index]
        is_plain = bool(rests_still and proposal.replicas == standing.current)
        normalized = None if is_plain else self._kept_alone(index, standing.current, proposal, now_us)
        if normalized is None and not is_plain:
            return False
        if normalized is None or Standing.of(standing.current, proposal, normalized) == standing:
            self._owed.fold(index, proposal, is_remembered=not is_plain)
        else:
            self._record_kept(index, proposal, normalized, now_us)
            self._owed.wants[index] = proposal.replicas
            self._together.leave(index)
        if not is_plain:
            self._join(index, now_us)
        self._shown.show_proposal(index, proposal)
        return True

    def _kept_alone(self, index: int, current: int, proposal: Proposal, now_us: int) -> Normalized | None:
        """Normalize a proposal; if it keeps the size, remember it."""
        want, hpa, settings = proposal.replicas, self._autoscalers[index], self._settings
        if want < 0:  # a metric may be negative
            return None
        self._remember(index)
        normalized = normalize_proposal(want, current, hpa.spec, hpa.memory, now_us, settings)
        if normalized.replicas != current:
            return None
        hpa.memory, timeless = normalized.memory, hpa.reader.is_timeless(now_us)
        self._at_rest[index] = timeless and rests(want, normalized, current)
        self._repeats_until_us[index] = repeats_until_us(want, normalized, hpa.spec, settings) if timeless else NEVER_US
        self._seen_version[index] = self._cluster.workloads.version[hpa.workload]
        return normalized

    def _join(self, index: int, now_us: int) -> None:
        """The next evaluations may be made together with others."""
        hpa = self._autoscalers[index]
        if hpa.standing is None or (pods := hpa.reader.counted_pods()) is None or not hpa.reader.is_timeless(now_us):
            return
        version, rests_now = self._seen_version.item(index), bool(self._at_rest[index])
        known = hpa.memory.recommendations
        self._together.join(index, hpa, pods, version, known, now_us, is_at_rest=rests_now)

    def _wake(self, index: int) -> None:
        """Nothing is known of the next evaluation of an autoscaler: it is to be made in full."""
        self._autoscalers[index].standing = None
        self._at_rest[index], self._repeats_until_us[index] = False, NEVER_US
        self._together.leave(index)

    def _remember(self, index: int) -> None:
        """Put the recommendations of skipped evaluations into memory."""
        hpa, latest = self._autoscalers[index], self._owed.take_recommendations(index)
        if latest:
            hpa.memory = hpa.memory.with_latest(latest, latest[-1].time_us - hpa.window_us)

    def _catch_up(self, index: int) -> None:
        """Remember and record skipped evaluations as if each had been made."""
        self._remember(index)
        self._record_repeats(index)

    def _record_repeats(self, index: int) -> None:
        times, ranges = self._owed.take_repeats(index)
        if times and self._repeat is not None:
            self._repeat(_HPA, self._cluster.workload_names[self._autoscalers[index].workload], times, ranges)
