"""Workloads that serve requests, in columns: sources of their requests, calls between them, and their steps."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from planner.engine.draws import Draws
from planner.plan.model.traffic import Noise
from planner.units import US_PER_S
from planner.workloads.load.arrivals import DiscreteArrivals
from planner.workloads.load.calls import Calls
from planner.workloads.load.closed_clients import ClosedWorkloads
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.front_doors import FrontDoors, with_refused
from planner.workloads.load.messages.message_queues import MessageQueues, joined
from planner.workloads.load.noise import NoiseProcesses
from planner.workloads.load.retries import RetryQueues
from planner.workloads.load.serving_pods import ServingPods
from planner.workloads.load.step.load_step import PodWork, WorkloadSteps, step_workloads
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load_profiles import ProfileTable
from planner.workloads.served_workload import ServedWorkload


class StepsTaken(NamedTuple):
    """Steps of some workloads that ended now."""

    positions: Ints
    start_us: Ints
    length_us: Ints
    steps: WorkloadSteps


class _Step(NamedTuple):
    """What a step followed from, and the step."""

    groups: PodGroups
    rate: Floats
    held: Floats
    dt_us: Ints
    steps: WorkloadSteps
    work: PodWork


class Services:
    """The workloads with their own traffic or with callers, in plan order; positions refer to that order."""

    def __init__(
        self, workloads: Sequence[ServedWorkload], draws: Draws, keys: Sequence[int], discrete: bool = False
    ) -> None:
        """`keys`: what draws of a workload are keyed by, by its row. `discrete`: requests arrive one by one."""
        called = frozenset(row for item in workloads for row, _ in item.calls)
        items = [
            item
            for item in workloads
            if item.traffic is not None or item.row in called or item.fetches_from is not None
        ]
        self.count = len(items)
        self.positions = np.arange(self.count)
        """All of them."""
        self.rows: Ints = np.array([item.row for item in items], np.int64)
        """Workload rows."""
        self.position_of = {item.row: position for position, item in enumerate(items)}
        self.settings = [item.demand for item in items]
        arrival_cv = [item.traffic.arrival_cv if item.traffic is not None else 1.0 for item in items]
        self.demands = Demands.of(self.settings, arrival_cv)
        profiles = [item.traffic.profile if item.traffic is not None else None for item in items]
        self._profiles = ProfileTable(profiles)
        self._noise = NoiseProcesses(
            [item.traffic.noise if item.traffic is not None else Noise() for item in items],
            [keys[item.row] for item in items],
            draws,
        )
        own_keys = [keys[item.row] for item in items]
        ahead = None if self._noise else self._profiles.foresee
        self._arrivals = DiscreteArrivals(self.demands.cv, profiles, own_keys, draws, ahead) if discrete else None
        self._factors = self._noise.factors
        """Of all noise, for the step to come."""
        self._closed = ClosedWorkloads(items)
        self._doors = FrontDoors(items, self.position_of)
        self.queues = MessageQueues(items)
        self._retries = RetryQueues([item.demand.retries for item in items])
        self._calls = Calls(items, self.position_of, self.queues.shares.owner)
        self._lost = np.zeros(self.count)
        """Requests that were lost with pods since the end of the latest step."""
        self._last_us = np.zeros(self.count, np.int64)
        self._inbox = np.zeros(self.count)
        """Calls that callers have made since the end of the latest step."""
        self._added_rate = np.zeros(self.count)
        """Calls and retries per second in the latest step; they are taken to go on until the next."""
        self._plain_us, self._plain = 0, self._profiles.rates(0)
        self._plain_rate = self._plain.copy()
        """The profiles at the end of each latest step."""
        self._latest: _Step | None = None
        self._hold_back = bool(self._closed or self.queues)
        """Whether something else than profiles says what reaches pods."""
        self._is_noisy = bool(self._noise)
        self._is_plain = not (self._closed or self._doors or self.queues or self._retries or self._calls)
        """Whether what reaches the pods of a workload follows from its own profile alone."""
        self._some_lost = False
        self._together_us = 0
        """When the latest steps of all workloads ended; -1: not at the same time."""
        self._dt_us: Ints = np.zeros(self.count, np.int64)
        """The length of a step that all took together."""

    def with_callers(self, positions: Ints) -> Ints:
        """These and all that call them; all there are where workloads share a queue, whose steps end together."""
        return self.positions if self.queues.shares else self._calls.with_callers(positions)

    def rates(self, now_us: int) -> Floats:
        """Requests per second that reach each now, calls and retries included."""
        return self._closed.present(self._profile_rates(now_us)) * self._factors + self._added_rate

    def rates_of_profiles(self, now_us: int) -> tuple[Floats, Floats, Floats] | None:
        """Rates of the profiles, factors and what comes on top; None where something else holds requests back."""
        if self._hold_back:
            return None
        return self._profile_rates(now_us), self._factors, self._added_rate

    def rates_at_pods(self, now_us: int, ready: Ints, step_us: int) -> Floats:
        """The same at the pods, of which so many are ready: what waits in a queue reaches them when they fetch it."""
        rates = self.rates(now_us)
        return self.queues.reaching(rates, ready, step_us) if self.queues else rates

    def draw_noise(self, now_us: int, dt_us: int) -> None:
        """Noise for the time to come, `dt_us` after it was drawn before."""
        if self._is_noisy:
            self._noise.advance(dt_us)
            self._factors = self._noise.factors
        if self._arrivals is not None:
            noise = self._noise.factors
            self._arrivals.advance(lambda: self._plain_rate * noise * (dt_us / US_PER_S), now_us, dt_us)
            self._factors = self._factors * self._arrivals.factors if self._is_noisy else self._arrivals.factors

    def advance(self, positions: Ints, now_us: int, pods: ServingPods) -> list[StepsTaken]:
        """End the steps of these workloads now, callers first; served requests make calls."""
        whole = positions is self.positions
        if whole and self._is_plain and self._together_us >= 0 and not self._some_lost:
            return [self._advance_plain(now_us, pods)] if self._together_us < now_us and self.count else []
        self._together_us = now_us if whole else -1
        taken = []
        for part in self._calls.levels_of(positions):
            start_us = self._last_us[part]
            if np.count_nonzero(start_us == now_us):
                part = part[start_us < now_us]
                start_us = self._last_us[part]
            if len(part):
                dt_us = now_us - start_us
                taken.append(StepsTaken(part, start_us, dt_us, self._advance(part, now_us, dt_us, pods)))
        return taken

    def _advance_plain(self, now_us: int, pods: ServingPods) -> StepsTaken:
        """The same where all have been stepped together and only their own profiles matter."""
        length_us, rate = now_us - self._together_us, self._plain_rate * self._factors
        if self._dt_us[0] != length_us:
            self._dt_us = np.full(self.count, length_us)
        start_us, dt_us = self._last_us, self._dt_us
        steps = pods.step_all(rate, length_us)
        if steps is None:
            steps = self._serve(self.positions, rate, dt_us, pods)
        self._last_us, self._together_us = start_us + dt_us, now_us
        self._plain_rate = self._profile_rates(now_us)
        return StepsTaken(self.positions, start_us, dt_us, steps)

    def all_ended(self, now_us: int) -> bool:
        """Whether the latest step of every workload ended now."""
        if self._together_us >= 0:
            return self._together_us == now_us
        return bool((self._last_us == now_us).all())

    def lose(self, lost: Floats, now_us: int) -> None:
        """Requests were lost with pods, a number by position; they count in the step to come."""
        self._lost += self.queues.take_back(lost, now_us) if self.queues else lost
        self._some_lost = bool(np.count_nonzero(self._lost))

    def _advance(self, part: Ints, now_us: int, dt_us: Ints, pods: ServingPods) -> WorkloadSteps:
        rate = self._plain_rate[part] * self._factors[part]
        if self._closed:
            rate = self._closed.rates(part, rate, self._added_rate[part], pods, dt_us / US_PER_S)
        refused: Floats | float = 0.0
        if self._doors:
            refused = self._refused(part, rate, pods)
            rate = rate - refused
        if self._retries or self._calls or self._some_lost:
            steps = self._step_with_more(part, rate, now_us, dt_us, pods)
        else:
            steps = self._step(part, rate, now_us, dt_us, pods)
        if self._doors:
            self._doors.note(part, steps)
            steps = with_refused(steps, refused * (dt_us / US_PER_S))
        self._last_us, self._plain_rate = self._last_us.copy(), self._plain_rate.copy()
        self._last_us[part] = now_us
        self._plain_rate[part] = self._profile_rates(now_us)[part]
        if self._calls:
            self._inbox += self._calls.made(part, steps.served)
        return steps

    def _refused(self, part: Ints, rate: Floats, pods: ServingPods) -> Floats:
        """Requests per second of their own traffic that front doors do not let in."""
        groups = pods.groups(part)
        ready = np.bincount(groups.service, groups.weight, minlength=len(part)).astype(np.float64)
        return self._doors.refused(part, rate, ready)

    def _step(self, part: Ints, rate: Floats, now_us: int, dt_us: Ints, pods: ServingPods) -> WorkloadSteps:
        """A step of pods that requests reach, and of pods that fetch messages."""
        if not self.queues:
            return self._serve(part, rate, dt_us, pods)
        fetches = self.queues.are(part)
        of_queues, others = np.flatnonzero(fetches), np.flatnonzero(~fetches)
        parts = []
        if len(of_queues):
            fetched = self.queues.step(part[of_queues], rate[of_queues], now_us, dt_us[of_queues], pods)
            parts.append((of_queues, fetched))
        if len(others):
            parts.append((others, self._serve(part[others], rate[others], dt_us[others], pods)))
        return joined(len(part), parts)

    def _serve(self, part: Ints, rate: Floats, dt_us: Ints, pods: ServingPods) -> WorkloadSteps:
        """A step; where nothing has changed since the latest one it is the same again."""
        found = pods.step(part, rate, dt_us)
        if found is not None:
            return found
        latest, groups, held = self._latest, pods.groups(part), pods.held(part)
        if (
            latest is None
            or latest.groups is not groups
            or not np.array_equal(latest.rate, rate)
            or not np.array_equal(latest.held, held)
            or not np.array_equal(latest.dt_us, dt_us)
        ):
            steps, work = step_workloads(groups, rate, held, dt_us / US_PER_S)
            self._latest = latest = _Step(groups, rate, held, dt_us, steps, work)
        pods.keep(part, latest.work.in_flight, latest.work.served, dt_us)
        return latest.steps

    def _step_with_more(
        self, part: Ints, own_rate: Floats, now_us: int, dt_us: Ints, pods: ServingPods
    ) -> WorkloadSteps:
        """A step with calls from other workloads, requests lost with pods, and tries that come again."""
        seconds, called, killed = dt_us / US_PER_S, self._inbox[part], self._lost[part]
        self._inbox[part] = self._lost[part] = 0.0
        self._some_lost = bool(np.count_nonzero(self._lost))
        fresh = own_rate * seconds + called
        retried = self._retries.take(part, now_us, fresh)
        self._added_rate[part] = (called + retried) / seconds
        steps = self._step(part, own_rate + self._added_rate[part], now_us, dt_us, pods)
        rejected = steps.rejected + killed
        gave_up = self._retries.lose(part, now_us, rejected + steps.timed_out)
        ended = steps.served + gave_up
        errors = gave_up / np.where(ended > 0.0, ended, 1.0)
        if shares := self.queues.shares:
            fresh = np.where(shares.owner[part] == part, fresh, steps.offered)
        return steps._replace(offered=fresh, retried=retried, rejected=rejected, gave_up=gave_up, error_ratio=errors)

    def _profile_rates(self, now_us: int) -> Floats:
        if now_us != self._plain_us:
            self._plain_us, self._plain = now_us, self._profiles.rates(now_us)
        return self._plain
