"""KEDA in a run: the polls of ScaledObjects and ScaledJobs."""

from collections.abc import Callable

from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.hpa.metrics.series_values import SeriesValues
from planner.keda.controller.event_scaling import EventScaler
from planner.keda.controller.job_making import JobMaker
from planner.plan.model.autoscalers.hpa_metric import MetricSource
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.plan import Plan
from planner.record.decisions import Decision
from planner.simulation.compile.world import World
from planner.simulation.ticks import ScaledJobPoll, ScaledObjectPoll
from planner.workloads.controllers.jobs.job_controller import JobController


class EventBeats:
    """Polls at once and then every polling interval."""

    def __init__(
        self,
        plan: Plan,
        world: World,
        events: EventQueue,
        series: SeriesValues,
        jobs: JobController,
        decide: Callable[[Decision], None],
    ) -> None:
        self._events = events
        self._due_us: dict[ScaledObjectPoll | ScaledJobPoll, int] = {}
        """The next poll of each object that is polled."""
        self._intervals_us = [one.polling_interval for one in plan.scaled_objects]
        self._job_intervals_us = [one.polling_interval for one in plan.scaled_jobs]

        def read(name: str, now_us: int) -> int | None:
            return series.value_milli(MetricSource.EXTERNAL, name, now_us)

        row_of = world.workload_rows.__getitem__
        simulation = plan.simulation
        age_us = simulation.initial_pod_age if simulation.warm_start else 0
        self.scaler = EventScaler(
            world.cluster, plan.scaled_objects, row_of, simulation.starts_at, age_us, read, decide
        )
        self.scaler.serve(series.answer_with)
        self._maker = JobMaker(world.cluster, plan.scaled_jobs, row_of, jobs, read, decide)

    def start(self) -> None:
        """The first polls, after the first readings of all series."""
        for number in range(len(self._intervals_us)):
            self._poll_at(self._events.now_us, ScaledObjectPoll(number))
        for number in range(len(self._job_intervals_us)):
            self._poll_at(self._events.now_us, ScaledJobPoll(number))

    def on_object(self, event: ScaledObjectPoll) -> None:
        """Poll a ScaledObject unless another poll was planned since; a paused one is not polled again."""
        now_us = self._events.now_us
        if self._is_due(event) and self.scaler.poll(event.number, now_us):
            self._poll_at(now_us + self._intervals_us[event.number], event)

    def change_object(self, number: int, given: ScaledObject) -> None:
        """The spec of a ScaledObject changes: a pause goes to its size, and what goes on is polled at once.

        KEDA 2.18, controllers/keda/scaledobject_controller.go: the loop begins anew with the autoscaler.
        """
        if self.scaler.change(number, given):
            self._poll_at(self._events.now_us, ScaledObjectPoll(number))

    def on_jobs(self, event: ScaledJobPoll) -> None:
        """Poll a ScaledJob, likewise."""
        now_us = self._events.now_us
        if self._is_due(event) and self._maker.poll(event.number, now_us):
            self._poll_at(now_us + self._job_intervals_us[event.number], event)

    def change_job(self, number: int, given: ScaledJob) -> None:
        """The spec of a ScaledJob changes: what goes on is polled at once."""
        if self._maker.change(number, given):
            self._poll_at(self._events.now_us, ScaledJobPoll(number))

    def _poll_at(self, at_us: int, event: ScaledObjectPoll | ScaledJobPoll) -> None:
        self._due_us[event] = at_us
        self._events.push(at_us, Phase.HPA, event)

    def _is_due(self, event: ScaledObjectPoll | ScaledJobPoll) -> bool:
        """Whether no other poll of the object was planned since this one."""
        if self._due_us.get(event) != self._events.now_us:
            return False
        del self._due_us[event]
        return True
