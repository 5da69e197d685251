"""Hints on the load of a workload: values that are allowed but probably not intended."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.hints.use import serving_hints, use_hints
from planner.plan.model.autoscalers.metric_series import ProfileValue
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import ClipLoad, LoadProfile, ScaleLoad, SumLoad, TraceLoad
from planner.plan.model.workloads import Workload
from planner.plan.recordings.recording import gaps
from planner.units import format_duration

_MUCH_LONGER = 1.1


def load_hints(plan: Plan) -> Iterator[Hint]:
    """Hints on traffic, demand and calls, in the order of the file."""
    serving = frozenset(plan.serving_rows())
    for index, series in enumerate(plan.metric_series):
        if isinstance(series.source, ProfileValue):
            place = f"metricSeries[{index}].source.profile"
            yield from _profile(series.source.profile, place, plan.simulation.duration)
    for index, workload in enumerate(plan.workloads):
        where = f"workloads[{index}]"
        if workload.traffic is not None:
            yield from _profile(workload.traffic.profile, f"{where}.traffic.profile", plan.simulation.duration)
        if workload.use is not None:
            for name, profile in (("cpu", workload.use.cpu), ("memory", workload.use.memory)):
                if profile is not None:
                    yield from _profile(profile, f"{where}.use.{name}", plan.simulation.duration)
        yield from use_hints(workload, where)
        if index in serving:
            yield from _demand(workload, f"{where}.demand")
            yield from serving_hints(workload, where, plan)
        elif workload.memory_use is not None and workload.memory_use.per_in_flight_request:
            text = tr("It serves no requests that could use memory.")
            yield Hint(f"{where}.memoryUse.perInFlightRequest", text, tr("Give it traffic or remove it."))
        if index not in serving and workload.calls:
            text = tr("It serves no requests, so it makes no calls.")
            yield Hint(f"{where}.calls", text, tr("Give it traffic, or let another workload call it."))


def _profile(profile: LoadProfile, where: str, duration_us: int) -> Iterator[Hint]:
    if isinstance(profile, SumLoad):
        for index, part in enumerate(profile.profiles):
            yield from _profile(part, f"{where}.profiles[{index}]", duration_us)
    elif isinstance(profile, ScaleLoad | ClipLoad):
        yield from _profile(profile.profile, f"{where}.profile", duration_us)
    elif isinstance(profile, TraceLoad):
        for before_us, after_us in gaps(profile.points):
            text = tr(
                "The trace has no values from {before_us} to {after_us}.",
                before_us=format_duration(before_us),
                after_us=format_duration(after_us),
            )
            yield Hint(f"{where}.points", text, tr("The rate in between is a guess. Fill the gap if it matters."))
        end_us = profile.points[-1].at - profile.points[0].at - profile.skip + profile.shift
        if profile.at_end == "hold" and end_us < duration_us:
            text = tr(
                "The trace ends at {max} of the run, and its last rate continues.", max=format_duration(max(0, end_us))
            )
            yield Hint(where, text, tr("Set atEnd to repeat, or shorten simulation.duration."))
        elif end_us > _MUCH_LONGER * duration_us:
            played, length = format_duration(duration_us), format_duration(end_us + profile.skip)
            text = tr("The run plays only {played} of the {length} of the trace.", played=played, length=length)
            yield Hint(where, text, tr("Lengthen simulation.duration, choose the part with skip, or use trace --fit."))


def _demand(workload: Workload, where: str) -> Iterator[Hint]:
    demand = workload.demand
    limit = workload.pod.containers[0].limits.cpu
    if demand.classes and "cv" in demand.model_fields_set:
        text = tr("Classes of requests have variabilities of their own, so this one has no effect.")
        yield Hint(f"{where}.cv", text, tr("Remove it, or the classes."))
    elif demand.cv == 1.0 and "cv" in demand.model_fields_set:
        text = tr("The CPU time of requests varies as if it were exponential, as plans of earlier versions took it.")
        yield Hint(f"{where}.cv", text, tr("Measured services have 0.2 to 0.4: remove it for the default of 0.5."))
    if demand.latency_floor_cv and not demand.latency_floor:
        text = tr("Without a latency floor nothing varies.")
        yield Hint(f"{where}.latencyFloorCv", text, tr("Give latencyFloor or remove it."))
    if demand.retries.attempts and not demand.timeout and demand.queue_limit is None:
        text = tr("Without a timeout or queue limit, requests are lost and retried only if no pod is ready.")
        yield Hint(f"{where}.retries", text, tr("Set a timeout or a queue limit."))
    if demand.connection_limit is not None and all(call.is_async for call in workload.calls):
        text = tr("It waits for no calls, so no connection is held open for another workload.")
        yield Hint(f"{where}.connectionLimit", text, tr("Set queueLimit instead, or add the calls it waits for."))
    if limit is not None and demand.idle_cpu >= limit:
        text = tr("The idle CPU takes up the whole CPU limit, so no request is ever served.")
        yield Hint(f"{where}.idleCpu", text, tr("Lower it or raise the limit."))
