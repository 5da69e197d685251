"""What requests ask of pods, and how pods work on them."""

from typing import Self

from pydantic import model_validator

from planner.language.translation import tr
from planner.plan.model.serving import Balancer, Discipline, RequestClass, Retries, WarmUp, check_shares
from planner.plan.values.fields import CpuMilli, DurationUs, Misfit, PlanModel, required, setting


class CostPoint(PlanModel):
    """A point of the curve of cost over load."""

    pod_rate: float = required(
        "Rate of a pod", "Requests per second that reach a pod.", unit="requests/s", ge=0, le=1e9
    )
    factor: float = required(
        "Factor", "CPU of a request at that rate, in multiples of the CPU per request.", ge=0.05, le=100
    )


class Demand(PlanModel):
    """What a request costs, and how many requests a pod can hold."""

    cpu_seconds_per_request: float = setting(
        0.01, "CPU per request", "Mean CPU time of a request.", unit="core s", ge=1e-6, le=36_000
    )
    cv: float = setting(
        0.5, "Variability", "Standard deviation of a request's CPU time over its mean; measured services have 0.2 to "
        "0.4, exponential times 1. Classes of requests have their own.", ge=0, le=20,
    )  # fmt: skip
    classes: tuple[RequestClass, ...] = setting(
        (), "Classes of requests", "Light and heavy requests, which cost the mean CPU time together; empty means that "
        "all are of one class.", max_length=8,
    )  # fmt: skip
    idle_cpu: CpuMilli = setting(0, "Idle CPU", "CPU that a ready pod uses without load.", unit="cores")
    cost_curve: tuple[CostPoint, ...] = setting(
        (), "Cost over load", "How the CPU of a request changes with the rate of a pod: straight lines between the "
        "points, constant outside; empty means that it does not.", max_length=32,
    )  # fmt: skip
    interference: float = setting(
        0.0, "Interference", "Share of its speed that a pod loses if the others on its node keep all of it busy: "
        "shared cores, caches and memory bandwidth.", ge=0, le=0.9,
    )  # fmt: skip
    latency_floor: DurationUs = setting(
        0, "Latency floor", "Time of a request spent outside the CPU: network, disk, other services.", unit="s"
    )
    latency_floor_cv: float = setting(
        0.0, "Variability of the floor", "Standard deviation of that time over its mean.", ge=0, le=5
    )
    workers: int | None = setting(
        None,
        "Workers",
        "Requests that a pod works on at once, each on one core at most: the size of its pool of workers or processes, "
        "1 for a single thread. Empty means no bound: a thread or goroutine for each request.",
        ge=1,
        le=1_000_000,
    )
    parallelism: int = setting(
        1, "Parallelism", "Cores that a single request can use at once.", unit="cores", ge=1, le=1_024
    )
    queue_limit: int | None = setting(
        None,
        "Queue limit",
        "Maximum requests a pod holds; further ones are rejected. With 0 none waits: what exceeds the CPU of a pod is "
        "rejected at once. Empty means no limit.",
        ge=0,
        le=1_000_000_000,
    )
    connection_limit: int | None = setting(
        None,
        "Connection limit",
        "Requests of its own traffic that a pod of a gateway holds open at once, the calls it waits for included; "
        "further ones are refused. Empty means no limit.",
        ge=1,
        le=1_000_000_000,
    )
    timeout: DurationUs = setting(
        0, "Timeout", "A request that would wait longer for CPU is lost; 0 means no timeout.", unit="s"
    )
    discipline: Discipline = setting(
        Discipline.SHARING,
        "Discipline",
        "sharing: all requests at a pod take turns on its workers; queue: a free worker takes the next request.",
    )
    balancer: Balancer = setting(
        Balancer.RANDOM,
        "Balancer",
        "How requests are spread over pods: kube-proxy is random, queue workers share a queue.",
    )
    retries: Retries = setting(Retries(), "Retries", "Lost requests that are sent again and add to the load.")
    warm_up: WarmUp = setting(WarmUp(), "Warm-up", "How much slower a pod is after it becomes ready.")

    @model_validator(mode="after")
    def _shares_add_up(self) -> Self:
        check_shares(self.classes, "classes")
        return self

    @model_validator(mode="after")
    def _rates_increase(self) -> Self:
        for index, (before, after) in enumerate(zip(self.cost_curve, self.cost_curve[1:], strict=False)):
            if after.pod_rate <= before.pod_rate:
                problem = tr(
                    "the point at {later:g} requests/s follows the one at {earlier:g}",
                    later=after.pod_rate,
                    earlier=before.pod_rate,
                )
                cure = tr("put the points in order of rate, each rate once")
                raise Misfit(("cost_curve", index + 1, "pod_rate"), problem, cure)
        return self
