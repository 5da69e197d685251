"""What Vertical Pod Autoscalers add to a run: wall seconds of a day."""

import time

from planner.api import run_plan
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler, VpaRecommenderSettings
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from tests.bench.cases.days import services_of

_PODS = 20


def plan_of(workloads: int, with_vpas: bool, duration: str = "1d") -> Plan:
    """`workloads` services of 20 pods of 500m / 1Gi under diurnal load, each with a VPA that evicts or with none.

    The recommender is new: what it says follows the wave, so that pods are replaced all day.
    """
    services = services_of(workloads, _PODS)
    nodes = workloads * _PODS // 24 + 1
    group = NodeGroup(name="pool", cpu="16", memory="64Gi", initial_size=nodes, max_size=2 * nodes)
    vpas = tuple(VerticalPodAutoscaler(name=one.name, target=one.name) for one in services)
    return Plan(
        name="bench",
        simulation=SimulationSettings(duration=duration),
        node_groups=(group,),
        workloads=services,
        vertical_pod_autoscalers=vpas if with_vpas else (),
        vpa_recommender=VpaRecommenderSettings(initial_history="0s"),
    )


def _seconds(plan: Plan) -> float:
    started = time.perf_counter()
    run_plan(plan)
    return time.perf_counter() - started


def vpa_1000() -> dict[str, float]:
    """1,000 workloads of 20 pods with a VPA each, less the same day without them."""
    return {"vpa_1000": _seconds(plan_of(1000, True)) - _seconds(plan_of(1000, False))}


CASES = {"vpa_1000": vpa_1000}
UNITS = dict.fromkeys(CASES, "s")
