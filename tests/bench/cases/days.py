"""Diurnal load: wall seconds for a day, for a week, and for an hour of a large cluster."""

import time

from planner.api import run_plan
from planner.plan.edits.edit import replace_at
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.demand import Demand
from planner.plan.model.karpenter.machine_types import MachineOffering, MachineType
from planner.plan.model.karpenter.node_pools import InitialMachines, NodePool, PoolDisruption, PoolRequirement
from planner.plan.model.karpenter.settings import KarpenterSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import DiurnalLoad, Traffic
from planner.plan.model.workloads import Workload

_PODS = 150
_CPU_SECONDS = 0.02
_HOUR_US = 3_600_000_000


def services_of(workloads: int, pods: int) -> tuple[Workload, ...]:
    """Services of so many pods of 500m / 1Gi under diurnal load, at 60 % of their requests on average."""
    pod = PodTemplate(
        containers=(Container(requests=Resources(cpu="500m", memory="1Gi"), limits=Resources(cpu="1")),),
        startup_delay="20s",
    )
    mean = pods * 0.5 * 0.6 / _CPU_SECONDS
    return tuple(
        Workload(
            name=f"service-{number:03d}",
            replicas=pods,
            pod=pod,
            traffic=Traffic(
                profile=DiurnalLoad(type="diurnal", mean=mean, amplitude=mean * 0.4, phase=number % 24 * _HOUR_US)
            ),
            demand=Demand(cpu_seconds_per_request=_CPU_SECONDS),
        )
        for number in range(workloads)
    )


def plan_of(nodes: int, workloads: int, pods: int = _PODS) -> Plan:
    """`workloads` services of about `pods` pods of 500m / 1Gi on nodes of 16 cores, HPA 15 s, autoscaler 10 s."""
    services = services_of(workloads, pods)
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
                max_replicas=max(400, 2 * pods),
                metrics=(HpaMetric(average_utilization=60),),
            )
            for service in services
        ),
    )  # fmt: skip


def with_karpenter(plan: Plan) -> Plan:
    """The same services on nodes of Karpenter: three sizes of machines, on demand, that rest for ten minutes."""
    nodes = sum(group.initial_size for group in plan.node_groups)
    zones = tuple(group.zone for group in plan.node_groups)
    types = tuple(
        MachineType(
            name=f"{cores}-cores",
            cpu=str(cores),
            memory=f"{4 * cores}Gi",
            offerings=tuple(MachineOffering(zone=zone, price=cores * 0.05) for zone in zones),
        )
        for cores in (8, 16, 32)
    )
    there = tuple(InitialMachines(machine_type="16-cores", zone=zone, count=nodes // len(zones)) for zone in zones)
    market = PoolRequirement(key="karpenter.sh/capacity-type", operator="In", values=("on-demand",))
    pool = NodePool(
        name="pool",
        requirements=(market,),
        initial_nodes=there,
        disruption=PoolDisruption(consolidate_after="10m"),
    )
    karpenter = KarpenterSettings(node_pools=(pool,), instance_types=types)
    return plan.model_copy(update={"node_groups": (), "karpenter": karpenter})


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


def week_1000() -> dict[str, float]:
    """The same for a week."""
    return {"week_1000": _seconds(replace_at(plan_of(1000, 200), ("simulation", "duration"), 7 * 24 * _HOUR_US))}


def day_1000_karpenter() -> dict[str, float]:
    """A day with Karpenter instead of the Cluster Autoscaler."""
    return {"day_1000_karpenter": _seconds(with_karpenter(plan_of(1000, 200)))}


def hour_5000() -> dict[str, float]:
    """An hour of 5,000 nodes, 150,000 pods, 500 workloads, each with an autoscaler of its own."""
    plan = plan_of(5000, 500, pods=300)
    return {"hour_5000": _seconds(replace_at(plan, ("simulation", "duration"), _HOUR_US))}


CASES = {
    "day_100": day_100,
    "day_1000": day_1000,
    "week_1000": week_1000,
    "day_1000_karpenter": day_1000_karpenter,
    "hour_5000": hour_5000,
}
UNITS = dict.fromkeys(CASES, "s")
