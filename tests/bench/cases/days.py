"""Whole days: wall seconds for 24 h of diurnal load."""

import time

from planner.api import run_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods import Container, PodTemplate, Resources
from planner.plan.model.traffic import DiurnalLoad, Traffic
from planner.plan.model.workloads import Workload

_PODS = 150
_CPU_SECONDS = 0.02
_HOUR_US = 3_600_000_000


def plan_of(nodes: int, workloads: int) -> Plan:
    """`workloads` services of about 150 pods of 500m / 1Gi on nodes of 16 cores, HPA 15 s, autoscaler 10 s."""
    pod = PodTemplate(
        containers=(Container(requests=Resources(cpu="500m", memory="1Gi"), limits=Resources(cpu="1")),),
        startup_delay="20s",
    )
    mean = _PODS * 0.5 * 0.6 / _CPU_SECONDS
    services = tuple(
        Workload(
            name=f"service-{number:03d}",
            replicas=_PODS,
            pod=pod,
            traffic=Traffic(
                profile=DiurnalLoad(type="diurnal", mean=mean, amplitude=mean * 0.4, phase=number % 24 * _HOUR_US)
            ),
            demand=Demand(cpu_seconds_per_request=_CPU_SECONDS),
        )
        for number in range(workloads)
    )
    return Plan(
        name="bench",
        simulation=SimulationSettings(duration="1d"),
        node_groups=tuple(
            NodeGroup(name=f"pool-{zone}", cpu="16", memory="64Gi", zone=f"zone-{zone}",
                      initial_size=nodes // 3 + 1, max_size=nodes)
            for zone in "abc"
        ),
        workloads=services,
        horizontal_pod_autoscalers=tuple(
            HorizontalPodAutoscaler(
                name=service.name,
                scale_target=service.name,
                min_replicas=20,
                max_replicas=400,
                metrics=(HpaMetric(average_utilization=60),),
            )
            for service in services
        ),
    )  # fmt: skip


def _seconds(plan: Plan) -> float:
    started = time.perf_counter()
    run_plan(plan)
    return time.perf_counter() - started


def day_100() -> dict[str, float]:
    """100 nodes, 3,000 pods, 20 workloads."""
    return {"day_100": _seconds(plan_of(100, 20))}


def day_1000() -> dict[str, float]:
    """1,000 nodes, 30,000 pods, 200 workloads."""
    return {"day_1000": _seconds(plan_of(1000, 200))}


CASES = {"day_100": day_100, "day_1000": day_1000}
UNITS = {"day_100": "s", "day_1000": "s"}
