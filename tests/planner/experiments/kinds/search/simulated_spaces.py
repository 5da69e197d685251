"""Spaces of short simulated plans, searched and, for comparison, run until the best plan of all runs is known."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from planner import __version__
from planner.experiments.execution.executor import Executor
from planner.experiments.kinds.search.search import search
from planner.experiments.results.results_file import ResultsFile
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.experiments.variants.space import plans_at, space_of
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.demand import Demand
from planner.plan.model.experiments.search import Search
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.traffic import Noise, Slo, StepLoad, Traffic
from planner.units import US_PER_H
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa

MACHINES = ("c5.large", "c5.xlarge", "m5.large", "m5.xlarge", "r5.large")
COST, ATTAINMENT = "cost", "slo_attainment[shop]"
WANTED, SHARE = 0.8, 0.9
"""Of the time, and of the runs."""
_STEP = "20s"


@dataclass(frozen=True)
class SimulatedSpace:
    """Plans of a shop that differ in some numbers."""

    over: tuple[str, ...]
    busy: tuple[float, float]
    """Processors that the shop keeps busy at its peak, lowest and highest: some plans have enough, others have not."""


SPACES = MappingProxyType(
    {
        "machines": SimulatedSpace(
            (
                f"machine[pool] = {', '.join(MACHINES)}",
                "nodeGroups[pool].initialSize = 1..4:1",
                "workloads[shop].replicas = 2..11:1",
            ),
            (4.0, 7.0),
        ),
        "pool sizes": SimulatedSpace(
            (
                "nodeGroups[pool].initialSize = 1..5:1",
                "nodeGroups[pool].maxSize = 5..8:1",
                "workloads[shop].replicas = 2..11:1",
            ),
            (4.0, 8.0),
        ),
        "HPA targets": SimulatedSpace(
            (
                "horizontalPodAutoscalers[shop].metrics[0].averageUtilization = 35..80:5",
                "horizontalPodAutoscalers[shop].minReplicas = 1..20:1",
            ),
            (1.2, 2.5),
        ),
        "requests": SimulatedSpace(
            (
                "workloads[shop].pod.containers[0].requests.cpu = 250m..700m:50m",
                "workloads[shop].replicas = 2..21:1",
            ),
            (1.5, 3.5),
        ),
        "reserve": SimulatedSpace(
            ("overprovisioning[reserve].replicas = 0..9:1", "workloads[shop].replicas = 2..21:1"), (1.8, 2.6)
        ),
    }
)
"""200 plans each."""
SMALL = SimulatedSpace(
    (
        f"machine[pool] = {', '.join(MACHINES[:2])}",
        "nodeGroups[pool].initialSize = 1..3:1",
        "workloads[shop].replicas = 4..5:1",
    ),
    (4.0, 7.0),
)


def shop_plan(number: int, space: SimulatedSpace) -> Plan:
    """A shop whose load rises after 40 seconds, on a pool of nodes that grows; every number is another shop.

    All clocks are slow, and pods are only scaled where the space is about that: a run takes two hundredths of a second.
    """
    rng = np.random.default_rng(number)
    start, growth = float(rng.uniform(60.0, 120.0)), float(rng.uniform(1.5, 2.5))
    shop = a_workload(
        "shop",
        pod=a_pod("500m", "1Gi"),
        traffic=Traffic(
            profile=StepLoad(type="step", from_rate=start, to_rate=start * growth, at="40s"), noise=Noise(cv=0.15)
        ),
        demand=Demand(cpu_seconds_per_request=float(rng.uniform(*space.busy)) / (start * growth)),
        slo=Slo(target="250ms"),
    )
    scaler = an_hpa("shop", max_replicas=24, metrics=(HpaMetric(average_utilization=60),))
    return a_plan(
        workloads=(shop,),
        node_groups=(a_node_group(cpu="2", initial_size=1, max_size=8, provisioning_delay="15s", price_per_hour=1.0),),
        overprovisioning=(a_reserve(replicas=0),),
        horizontal_pod_autoscalers=(scaler,) if any(one.startswith("horizontal") for one in space.over) else (),
        hpa_controller=HpaControllerSettings(sync_period=_STEP),
        metrics_pipeline=MetricsPipelineSettings(kubelet_interval=_STEP, scrape_interval=_STEP),
        cluster_autoscaler=ClusterAutoscalerSettings(scan_interval=_STEP, frequent_loops_enabled=False),
        simulation=SimulationSettings(duration="100s", seed=1000 * number + 1, load_step=_STEP, record_interval="1m"),
    )


@dataclass
class Tried:
    """What is known of a plan of the space."""

    plan: RunnablePlan
    runs: int = 0
    missed: int = 0
    cost: float = 0.0
    """Of all runs so far."""

    def least_cost(self, seeds: int) -> float:
        """Of all runs, whatever those to come cost: no node leaves within so short a run."""
        hours = self.plan.plan.simulation.duration / US_PER_H
        least = sum(group.initial_size * group.node_price for group in self.plan.plan.node_groups) * hours
        return self.cost + (seeds - self.runs) * least


def searched_and_exact(
    number: int, simulated: SimulatedSpace, seeds: int, executor: Executor | None = None
) -> tuple[str | None, set[str], float]:
    """The search's best plan, the cheapest good ones of all runs, and the share of all runs that the search made."""
    plan, results, over = shop_plan(number, simulated), ResultsFile(None, __version__), simulated.over
    settings = {"seeds": seeds, "subject_to": (f"{ATTAINMENT}>={WANTED:g}@{SHARE:g}",), "indifference": 0.1}
    asked = Search.model_validate({"type": "search", "name": "s", "over": over} | settings)
    answer = search(plan, asked, Runs(executor, results))
    space = space_of(plan, over)
    _, plans = plans_at(plan, space, space.grid())
    exact = cheapest_good(plans.ready, Runs(executor, results), seeds, answer.more["best"])
    return answer.more["best"], exact, answer.more["runs"] / (len(plans.ready) * seeds)


def cheapest_good(plans: Sequence[RunnablePlan], runs: Runs, seeds: int, guess: str | None) -> set[str]:
    """The cheapest plans that keep the constraint with all seeds together.

    A plan is given up as soon as its other runs, whatever they are, could not make it the cheapest good one: it has
    missed the constraint too often, or has cost more than all runs of a good one, `guess` first.
    """
    tried = [Tried(plan) for plan in plans]
    least = math.inf
    for one in tried:
        if one.plan.name == guess:
            _run([one], runs, range(seeds))
            least = one.cost if one.missed <= _most_missed(seeds) else math.inf
    left = tried
    for seed in range(seeds):
        left = [one for one in left if one.missed <= _most_missed(seeds)]
        left = [one for one in left if one.least_cost(seeds) <= least * (1.0 + 1e-9)]
        _run([one for one in left if one.runs == seed], runs, range(seed, seed + 1))
    good = {one.plan.name: one.cost for one in left if one.missed <= _most_missed(seeds)}
    least = min(good.values(), default=math.inf)
    return {name for name, cost in good.items() if cost <= least * (1.0 + 1e-9)}


def _most_missed(seeds: int) -> int:
    return math.floor((1.0 - SHARE) * seeds + 1e-9)


def _run(some: Sequence[Tried], runs: Runs, seeds: range) -> None:
    wanted = [(one, seed) for one in some for seed in seeds]
    outcomes = runs.outcomes([(one.plan, one.plan.plan.simulation.seed + seed) for one, seed in wanted])
    for (one, _), outcome in zip(wanted, outcomes, strict=True):
        one.runs += 1
        one.missed += outcome.figures[ATTAINMENT].value < WANTED
        one.cost += outcome.figures[COST].value
