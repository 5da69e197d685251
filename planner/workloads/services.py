"""A workload that serves requests: where they come from, who serves them, and one step of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.streams import Streams
from planner.plan.traffic import Demand, LoadProfile, Noise, Traffic
from planner.units import US_PER_S
from planner.workloads.demand import WorkloadStep, step_equal_pods, step_pods
from planner.workloads.load_profiles import NoiseProcess, rate_at
from planner.workloads.pod_queue import NO_LIMIT_MILLI
from planner.workloads.retries import RetryQueue
from planner.workloads.usage import OtherUse


class StartupBurst(NamedTuple):
    """CPU that a pod uses besides for some time after its containers started."""

    cpu_milli: int
    time_us: int


NO_BURST = StartupBurst(0, 0)


@dataclass(frozen=True)
class ServedWorkload:
    """What the model needs of one workload; without traffic, and not called, it has constant use only."""

    row: int
    name: str
    traffic: Traffic | None
    demand: Demand
    cpu_use_milli: int
    burst: StartupBurst = NO_BURST
    calls: tuple[tuple[int, float], ...] = ()
    """Rows of the workloads that it calls, and calls per served request."""
    over_time: OtherUse | None = None
    """What else its pods use; None where that never changes."""


@dataclass
class Service:
    """State of one workload that serves requests."""

    item: ServedWorkload
    profile: LoadProfile | None
    noise: NoiseProcess
    retries: RetryQueue | None
    callees: "list[tuple[Service, float]]" = field(default_factory=list)
    factor: float = 1.0
    last_us: int = 0
    in_flight: float = 0.0
    pods: int = 0
    each_milli: int = 0
    """Capacity of a pod, if all of them have the same."""
    capacity: NDArray[np.int64] | None = None
    """Capacities of the pods where they differ."""
    limit_milli: int = NO_LIMIT_MILLI
    """CPU limit of a pod."""
    plain_us: int = -1
    plain_rate: float = 0.0
    """The profile's rate at `plain_us`: it is asked for at the end of a step and again at the next."""
    inbox: float = 0.0
    """Calls that callers have made since the end of this workload's latest step."""
    added_rate: float = 0.0
    """Calls and retries per second in the latest step; they are taken to go on until the next."""

    def own_rate(self, t_us: int) -> float:
        """Requests per second that come from outside."""
        if self.profile is None:
            return 0.0
        if t_us != self.plain_us:
            self.plain_us, self.plain_rate = t_us, rate_at(self.profile, t_us)
        return self.plain_rate * self.factor

    def rate(self, t_us: int) -> float:
        """Requests per second that arrive, calls and retries included."""
        return self.own_rate(t_us) + self.added_rate

    def advance(self, now_us: int, dt_us: int) -> WorkloadStep:
        """The step of length `dt_us` that ends now; served requests make calls."""
        own_rate, held = self.own_rate(self.last_us), self.in_flight
        called, self.inbox = self.inbox, 0.0
        if not called and self.retries is None:
            self.added_rate = 0.0
            step = self._step(own_rate, held, dt_us)
        else:
            step = self._step_with_more(own_rate, called, now_us, dt_us)
        self.in_flight, self.last_us = step.in_flight, now_us
        for callee, per_request in self.callees:
            callee.inbox += step.served * per_request
        return step

    def _step(self, rate: float, held: float, dt_us: int) -> WorkloadStep:
        demand = self.item.demand
        if self.capacity is None:
            return step_equal_pods(demand, rate, self.pods, self.each_milli, held, dt_us, self.limit_milli)
        return step_pods(demand, rate, self.capacity, held, dt_us, self.limit_milli)[0]

    def _step_with_more(self, own_rate: float, called: float, now_us: int, dt_us: int) -> WorkloadStep:
        """A step with calls from other workloads and tries that come again."""
        seconds = dt_us / US_PER_S
        fresh = own_rate * seconds + called
        retried = 0.0 if self.retries is None else self.retries.take(now_us, fresh)
        self.added_rate = (called + retried) / seconds
        step = self._step(own_rate + self.added_rate, self.in_flight, dt_us)._replace(offered=fresh, retried=retried)
        if self.retries is None:
            return step
        gave_up = self.retries.lose(now_us, step.rejected + step.timed_out).gave_up
        ended = step.served + gave_up
        return step._replace(gave_up=gave_up, error_ratio=gave_up / ended if ended > 0.0 else 0.0)


def services_of(workloads: Sequence[ServedWorkload], streams: Streams) -> dict[int, Service]:
    """The workloads with traffic of their own or callers, by row in order of the plan."""
    called = frozenset(row for item in workloads for row, _ in item.calls)
    found: dict[int, Service] = {}
    for item in workloads:
        if item.traffic is None and item.row not in called:
            continue
        noise = item.traffic.noise if item.traffic is not None else Noise()
        retries = RetryQueue(item.demand.retries) if item.demand.retries.attempts else None
        profile = item.traffic.profile if item.traffic is not None else None
        found[item.row] = Service(item, profile, NoiseProcess(noise, streams[f"load/{item.name}"]), retries)
    for service in found.values():
        service.callees = [(found[row], per_request) for row, per_request in service.item.calls]
    return found


def callers_first(services: Mapping[int, Service]) -> list[Service]:
    """Services in an order in which each comes after all that call it; else in order of the plan."""
    callers = dict.fromkeys(services, 0)
    for service in services.values():
        for callee, _ in service.callees:
            callers[callee.item.row] += 1
    free = [row for row, count in callers.items() if count == 0]
    order: list[Service] = []
    for row in free:  # grows while it is walked
        order.append(services[row])
        for callee, _ in services[row].callees:
            callers[callee.item.row] -= 1
            if callers[callee.item.row] == 0:
                free.append(callee.item.row)
    return order


def with_callers(rows: Sequence[int], order: Sequence[Service]) -> list[Service]:
    """The services of `rows` and all that call them, callers first."""
    wanted = dict.fromkeys(rows)
    for service in reversed(order):
        if any(callee.item.row in wanted for callee, _ in service.callees):
            wanted[service.item.row] = None
    return [service for service in order if service.item.row in wanted]
