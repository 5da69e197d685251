"""How the work of a run grows with one thing in its plan, which is there once, four times and sixteen times.

An exponent of 1 is work in proportion, 2 its square.
"""

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaMetric
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import DiurnalLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.record.recorder import Recorder
from planner.scheduler.scheduler import Scheduler
from planner.simulation.run import run_plan
from planner.state.pods import EndReason
from planner.units import GIB, MIB, US_PER_MIN, US_PER_S
from tests.bench.cases.schedule import add_template, hard_rules, make_cluster
from tests.planner.autoscaler_loop.world import World

STEPS = (1, 4, 16)
MOST = 1.1
Work = Callable[[], object]
Prepare = Callable[[int], Work]
"""Of so many times the thing: the work to be measured."""


def exponent(once: float, four_times: float, sixteen_times: float) -> float:
    """Of what comes on top of the work that is there anyway; 0 where nothing does. For exact counts."""
    first, second = four_times - once, sixteen_times - four_times
    return math.log(second / first, 4) if first > 0.0 and second > first else 0.0


def slope(once: float, _four_times: float, sixteen_times: float) -> float:
    """The exponent fitted to all of the work, for what was measured: of three points this far apart the middle one
    changes nothing."""
    return math.log(sixteen_times / once, 16)


def _plan(nodes: int = 4, workloads: int = 4, pods: int = 2, autoscaled: int = 0) -> Plan:
    pod = PodTemplate(containers=(Container(requests=Resources(cpu="50m", memory="32Mi")),))
    use = HpaMetric(average_utilization=60)
    traffic = Traffic(profile=DiurnalLoad(type="diurnal", mean=20.0, amplitude=5.0))
    services = tuple(
        Workload(
            name=f"web-{at}", replicas=pods, pod=pod, traffic=traffic, demand=Demand(cpu_seconds_per_request=0.001)
        )
        for at in range(workloads)
    )
    return Plan(
        name="growth",
        simulation=SimulationSettings(duration="1d"),
        node_groups=(
            NodeGroup(name="pool", cpu="64", memory="256Gi", initial_size=nodes, min_size=nodes, max_size=nodes),
        ),
        workloads=services,
        horizontal_pod_autoscalers=tuple(
            HorizontalPodAutoscaler(name=one.name, scale_target=one.name, max_replicas=8, metrics=(use,))
            for one in services[:autoscaled]
        ),
    )


def _run(plan: Plan, until_us: int = 30 * US_PER_S) -> Work:
    return lambda: run_plan(plan, until_us=until_us)


def _preemptors(pods: int) -> Work:
    """So many pods in nodes full of less important ones, whose victims vanish at once."""
    cluster = make_cluster(64)
    scheduler = Scheduler(cluster, Recorder())

    def remove(victims: tuple[int, ...], preemptor: int, node: int) -> None:
        for victim in victims:
            cluster.remove_pod(victim, EndReason.PREEMPTED)

    low = add_template(cluster, "low", 1_000, GIB)
    cluster.create_pods(low.index, 16 * 64)
    _drain(scheduler)
    scheduler.on_preempt = remove
    cluster.create_pods(add_template(cluster, "high", 2_000, GIB, priority=1_000).index, pods)
    return lambda: _drain(scheduler)


def _pending(nodes: int, pods: int) -> Work:
    """So many pods in full nodes; one after the other they are refused, and so again when a node has changed."""
    cluster = make_cluster(nodes)
    scheduler = Scheduler(cluster, Recorder())
    low = add_template(cluster, "low", 16_000, GIB)
    cluster.create_pods(low.index, nodes)
    _drain(scheduler)
    templates = [add_template(cluster, f"high-{at}", 2_000, GIB).index for at in range(2)]
    for at in range(pods):
        cluster.create_pods(templates[at % 2], 1)
    return lambda: _drain(scheduler)


def _under_used(nodes: int) -> Work:
    """A loop of the Cluster Autoscaler that tries to empty three in ten of so many nodes."""
    world = World()
    world.add_group("pool", nodes=nodes, cpu=16_000, memory=64 * GIB, most=1000, least=0)
    full = [world.add_workload(f"web-{at}", cpu=2_000, memory=GIB) for at in range(4)]
    light = [world.add_workload(f"light-{at}", cpu=80, memory=MIB) for at in range(4)]
    for node in range(nodes):
        for template in light if node % 10 < 3 else full:
            world.run_pods(template, [node])
    world.start(maxScaleDownParallelism=1000)
    return lambda: world.loop_at(10)


def _hard(pods: int) -> Work:
    """So many pods of workloads with hard spreading and required anti-affinity, and of others, into empty nodes."""
    cluster = make_cluster(256)
    scheduler = Scheduler(cluster, Recorder())
    for at in range(6):
        cluster.create_pods(add_template(cluster, f"app-{at:03d}", 100, GIB, **hard_rules(at)).index, pods // 6)
    return lambda: _drain(scheduler)


def _drain(scheduler: Scheduler) -> None:
    while scheduler.schedule():
        pass


DIMENSIONS: Mapping[str, Prepare] = MappingProxyType(
    {
        "nodes": lambda times: _run(_plan(nodes=32 * times)),
        "workloads": lambda times: _run(_plan(workloads=8 * times)),
        "pods": lambda times: _run(_plan(pods=6 * times)),  # all of them have room
        "autoscalers": lambda times: _run(_plan(workloads=64, autoscaled=4 * times)),
        "time": lambda times: _run(_plan(workloads=2, autoscaled=1), until_us=4 * US_PER_MIN * times),
        "preemptors": lambda times: _preemptors(8 * times),
        "pending_pods": lambda times: _pending(nodes=32, pods=8 * times),
        "pods_with_hard_rules": lambda times: _hard(pods=24 * times),
        "nodes_to_empty": lambda times: _under_used(nodes=10 * times),
        "nodes_that_refuse": lambda times: _pending(nodes=8 * times, pods=16),
    }
)
