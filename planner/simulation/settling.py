"""Runs controllers and scheduler after each phase of an instant until nothing changes."""

from collections.abc import Callable

from planner.engine.loop import endless_at
from planner.engine.phases import Phase
from planner.engine.queue import EventQueue
from planner.language.phrases import phrase
from planner.scheduler.scheduler import Scheduler
from planner.simulation.parts.pod_keepers import PodKeepers
from planner.simulation.ticks import SchedulerTick
from planner.workloads.load.load_model import LoadModel

_CYCLES_AT_ONCE = 256
"""Between two looks at whether the run is cancelled: well below 0.1 s."""


class Settling:
    """Lets everything settle, and wakes the scheduler when one of its timers is due."""

    def __init__(
        self,
        events: EventQueue,
        keepers: PodKeepers,
        scheduler: Scheduler,
        load_model: LoadModel,
        check_stop: Callable[[], None],
        most_cycles: int,
    ) -> None:
        """`check_stop` raises RunStopped if the run was cancelled."""
        self._events = events
        self._keepers = keepers
        self._scheduler = scheduler
        self._load_model = load_model
        self._check_stop = check_stop
        self._most_cycles = most_cycles
        self._scheduler_tick_us = -1

    def settle(self) -> None:
        """Controllers and scheduler act until nothing changes, the controllers as soon as there is something for them.

        Raises RunStopped in between if the run is cancelled, since to place many pods can take seconds, and when so
        many cycles have not led to an end that none will. After most phases there is nothing to do for either.
        """
        if self._keepers.has_work or len(self._scheduler.queue):
            self._act()
            self._watch_scheduler_timers()
        else:
            self._check_stop()
        self._load_model.settle()
        self.follow_work()

    def _act(self) -> None:
        left, keepers = self._most_cycles, self._keepers
        while True:
            self._check_stop()
            acted = keepers.has_work and keepers.reconcile()
            cycles = self._scheduler.schedule(min(left, _CYCLES_AT_ONCE), lambda: keepers.has_work)
            if not cycles and not acted:
                break
            left -= max(cycles, 1)
            if left <= 0:
                problem = phrase("More than {count:,} scheduling cycles in one instant.", count=self._most_cycles)
                raise endless_at(self._events.now_us, problem)

    def follow_work(self) -> None:
        """Pods of Jobs end when they have received their work: reschedule the end where their CPU has changed."""
        if self._keepers.jobs.has_work:
            self._keepers.jobs.follow(self._load_model.work_received())

    def on_scheduler_tick(self, event: SchedulerTick) -> None:
        """Flush the scheduling queue's timers."""
        self._scheduler.flush_timers(self._events.now_us)

    def _watch_scheduler_timers(self) -> None:
        due_us = self._scheduler.next_timer_us()
        if due_us is not None and (self._scheduler_tick_us <= self._events.now_us or due_us < self._scheduler_tick_us):
            self._scheduler_tick_us = max(due_us, self._events.now_us + 1)
            self._events.push(self._scheduler_tick_us, Phase.SCHEDULER_TIMERS, SchedulerTick())
