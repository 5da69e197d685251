"""Spaces of short simulated plans, searched and, for comparison, run with all seeds."""

import numpy as np

from planner import __version__
from planner.experiments.execution.executor import Executor
from planner.experiments.kinds.search.search import search
from planner.experiments.results.results_file import ResultsFile
from planner.experiments.runs import Runs
from planner.experiments.variants.space import plans_at, space_of
from planner.plan.model.demand import Demand
from planner.plan.model.experiments.search import Search
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.traffic import Noise, Slo, StepLoad, Traffic
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa

MACHINES = ("c5.large", "c5.xlarge", "m5.large", "m5.xlarge", "r5.large")
COST, ATTAINMENT, WANTED = "cost", "slo_attainment[shop]", 0.98


def shop_plan(number: int) -> Plan:
    """A shop whose load rises after half a minute, with autoscalers of pods and nodes; every number is another shop."""
    rng = np.random.default_rng(number)
    start = float(rng.uniform(60.0, 120.0))
    profile = StepLoad(type="step", from_rate=start, to_rate=start * float(rng.uniform(1.5, 2.5)), at="30s")
    shop = a_workload(
        "shop",
        pod=a_pod("500m", "1Gi"),
        traffic=Traffic(profile=profile, noise=Noise(cv=0.1)),
        demand=Demand(cpu_seconds_per_request=float(rng.uniform(0.015, 0.03))),
        slo=Slo(target="250ms"),
    )
    return a_plan(
        workloads=(shop,),
        node_groups=(a_node_group(cpu="2", initial_size=1, max_size=8, provisioning_delay="30s"),),
        horizontal_pod_autoscalers=(an_hpa("shop", max_replicas=20),),
        uncertain_inputs=("load ~ normal(1, 0.1)",),
        simulation=SimulationSettings(duration="100s", seed=1000 * number + 1, load_step="5s", record_interval="1m"),
    )


def ranges(machines: int, sizes: int, replicas: int) -> tuple[str, ...]:
    """A space of so many machines, pool sizes and numbers of pods."""
    return (
        f"machine[pool] = {', '.join(MACHINES[:machines])}",
        f"nodeGroups[pool].initialSize = 1..{sizes}:1",
        f"workloads[shop].replicas = 2..{1 + replicas}:1",
    )


def searched_and_exact(
    number: int, over: tuple[str, ...], seeds: int, executor: Executor | None = None
) -> tuple[str | None, set[str], float]:
    """The search's best plan, the cheapest good ones of all, and the share of all runs that the search made."""
    plan, results = shop_plan(number), ResultsFile(None, __version__)
    settings = {"seeds": seeds, "subject_to": (f"{ATTAINMENT}>={WANTED:g}@0.9",), "indifference": 0.1}
    asked = Search.model_validate({"type": "search", "name": "s", "over": over} | settings)
    answer = search(plan, asked, Runs(executor, results))
    space = space_of(plan, over)
    _, plans = plans_at(plan, space, space.grid())
    wanted = [(one, plan.simulation.seed + at) for one in plans.ready for at in range(seeds)]
    outcomes = iter(Runs(executor, results).outcomes(wanted))
    good = {}
    for one in plans.ready:
        found = [next(outcomes).figures for _ in range(seeds)]
        if np.mean([figures[ATTAINMENT].value >= WANTED for figures in found]) >= 0.9:
            good[one.name] = float(np.mean([figures[COST].value for figures in found]))
    least = min(good.values(), default=np.inf)
    exact = {name for name, cost in good.items() if cost <= least * (1.0 + 1e-9)}
    return answer.more["best"], exact, answer.more["runs"] / len(wanted)
