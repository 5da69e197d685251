"""The scale loops of all ScaledObjects, and the metrics that KEDA serves to their autoscalers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from planner.keda.controller.settings import formula_of, pauses_of, series_name, spec_of, window_of
from planner.keda.rules.cron_window import CronWindow
from planner.keda.rules.hpa_values import TargetState, answer_milli, cached_or_fresh, still_cached
from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scale_loop import activity_of, scale_step
from planner.keda.rules.scaled_object import COMPOSITE, Pauses, ScaledObjectSpec, metric_names
from planner.plan.model.autoscalers.scaled_object import CronTrigger, ScaledObject, SeriesTrigger
from planner.plan.values.formula.formula import Formula
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import EventScaling, KedaConditionState, TriggerReading
from planner.state.cluster import Cluster

ReadSeries = Callable[[str, int], int | None]
"""The latest value of a metric series in thousandths at a time of the run; None: it cannot be read."""


@dataclass
class _Tracked:
    given: ScaledObject
    spec: ScaledObjectSpec
    pauses: Pauses
    formula: Formula | None
    workload: int
    windows: list[CronWindow | None]
    status: ObjectStatus = field(default_factory=ObjectStatus)
    polled_conditions: tuple[bool | None, bool | None, bool | None] = (None, None, None)
    """Active, Ready and Fallback after the last poll: what queries write in between is no news."""
    polled: list[float | None] = field(default_factory=list)
    answers: dict[str, int | None] = field(default_factory=dict)
    answered_us: int = -1


class EventScaler:
    """KEDA's operator and metrics adapter."""

    def __init__(
        self,
        cluster: Cluster,
        objects: Sequence[ScaledObject],
        row_of: Callable[[str], int],
        starts_us: int,
        age_us: int,
        read: ReadSeries,
        decide: Callable[[Decision], None],
    ) -> None:
        """`starts_us`: the start of the run on the calendar, since 1970; `age_us`: how old the objects are then."""
        self._created_us = starts_us - age_us
        self._cluster, self._starts_us, self._read, self._decide = cluster, starts_us, read, decide
        self._objects = [self._tracked(one, row_of(one.scale_target)) for one in objects]

    def serve(self, answer_with: Callable[[str, Callable[[int], int | None]], None]) -> None:
        """Answer for the external metrics of all autoscalers that KEDA made."""
        for tracked in self._objects:
            names = [COMPOSITE] if tracked.spec.modifiers is not None else metric_names(tracked.spec.triggers)
            for name in names:
                answer_with(series_name(tracked.given, name), self._answering(tracked, name))

    def change(self, number: int, given: ScaledObject) -> bool:
        """The spec of an object changes, but for its target and its triggers; what was seen of it stays.

        Whether it is paused now and was not, or the other way round, or is paused at another size.
        """
        tracked = self._objects[number]
        before, tracked.given = tracked.given, given
        tracked.spec, tracked.pauses = spec_of(given), pauses_of(given)
        return (before.paused, before.paused_replicas) != (given.paused, given.paused_replicas)

    def poll(self, number: int, now_us: int) -> bool:
        """One step of a scale loop; whether it goes on."""
        tracked, moment_us = self._objects[number], self._starts_us + now_us
        if tracked.given.paused or self._cluster.workloads.absent[tracked.workload]:
            return not tracked.given.paused
        values = self._values(tracked, now_us)
        tracked.polled = values
        activity = activity_of(tracked.spec, values, tracked.formula)
        current = int(self._cluster.workloads.desired[tracked.workload])
        step = scale_step(
            tracked.spec, tracked.pauses, tracked.status.loop, activity, current, moment_us, self._created_us
        )
        tracked.status.poll_ended(step.status, activity.has_error)
        desired = current if step.replicas is None else step.replicas
        if desired != current:
            self._cluster.set_replicas(tracked.workload, desired)
        conditions = step.status.active.status, step.status.ready.status, tracked.status.fallback.status
        if desired != current or tracked.polled_conditions != conditions:
            self._record(tracked, values, (current, desired), now_us)
        tracked.polled_conditions = conditions
        return tracked.pauses.replicas is None

    def _tracked(self, given: ScaledObject, row: int) -> _Tracked:
        windows = [
            window_of(one) if isinstance(one, CronTrigger) else None
            for one in given.triggers
            if isinstance(one, CronTrigger | SeriesTrigger)
        ]
        return _Tracked(given, spec_of(given), pauses_of(given), formula_of(given), row, windows)

    def _values(self, tracked: _Tracked, now_us: int) -> list[float | None]:
        """Values of the external triggers, in order."""
        external = [one for one in tracked.given.triggers if isinstance(one, CronTrigger | SeriesTrigger)]
        found: list[float | None] = []
        for one, window in zip(external, tracked.windows, strict=True):
            if window is not None:
                found.append(float(window.value(self._starts_us + now_us)))
            elif isinstance(one, SeriesTrigger):
                milli = self._read(one.series, now_us)
                found.append(None if milli is None else milli / 1000)
        return found

    def _answering(self, tracked: _Tracked, name: str) -> Callable[[int], int | None]:
        def ask(now_us: int) -> int | None:
            if tracked.answered_us != now_us:
                tracked.answers, tracked.answered_us = {}, now_us
            if name not in tracked.answers:
                table = self._cluster.workloads
                values = cached_or_fresh(tracked.spec, tracked.polled, self._values(tracked, now_us))
                target = TargetState(int(table.desired[tracked.workload]), int(table.ready[tracked.workload]))
                milli = answer_milli(tracked.spec, name, values, tracked.formula, target, tracked.status)
                tracked.polled = still_cached(tracked.polled, values, milli)
                tracked.answers[name] = milli
            return tracked.answers[name]

        return ask

    def _record(self, tracked: _Tracked, values: Sequence[float | None], sizes: tuple[int, int], now_us: int) -> None:
        external = [one for one in tracked.spec.triggers if one.is_external]
        readings = tuple(
            TriggerReading(one.name or one.own_name, value, one.activation)
            for one, value in zip(external, values, strict=True)
        )
        status = tracked.status.loop
        is_active = bool(status.active.status)
        condition = status.active.reason if status.ready.status else status.ready.reason
        verdict = Verdict.ACTIVATED if is_active else Verdict.DEACTIVATED
        if sizes[0] != sizes[1]:
            verdict = Verdict.SCALED
        named = ("Ready", status.ready), ("Active", status.active), ("Fallback", tracked.status.fallback)
        conditions = tuple(KedaConditionState(name, *one) for name, one in named)
        details = EventScaling(tracked.spec.name, *sizes, is_active, readings, condition, conditions)
        subject = self._cluster.workload_names[tracked.workload]
        self._decide(Decision(now_us, Actor.KEDA, verdict, subject, "", details))
