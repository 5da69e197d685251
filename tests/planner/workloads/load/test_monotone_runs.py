"""More load never lowers a latency and more pods never raise one, in runs of random plans."""

import numpy as np
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ScaleLoad, SpikeLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited

LATENCIES = ("latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
DEMANDS = st.builds(
    Demand,
    cpu_seconds_per_request=st.sampled_from([0.002, 0.01, 0.05]),
    balancer=st.sampled_from(["random", "round-robin", "shared-queue", "least-of-two"]),
    discipline=st.sampled_from(["sharing", "queue"]),
    cv=st.sampled_from([0.0, 0.5, 1.0, 2.0]),
    workers=st.sampled_from([None, 1, 3]),
    queue_limit=st.sampled_from([None, 40]),
    timeout=st.sampled_from([0, 2 * US_PER_S]),
    idle_cpu=st.sampled_from([0, 100]),
)
CORES = st.sampled_from(["500m", "1", "2"])


def latencies(demand, cores, pods, busy):
    """Series of a run whose peak is `busy` times what eight pods can do."""
    peak = busy * 8 * limited(cores).containers[0].limits.cpu / 1000 / demand.cpu_seconds_per_request
    spike = SpikeLoad(type="spike", base=0.3, peak=1.0, start="30s", rise="30s", hold="30s", decay="30s")
    web = a_workload(
        replicas=pods,
        pod=limited(cores),
        traffic=Traffic(profile=ScaleLoad(type="scale", profile=spike, factor=peak)),
        demand=demand,
    )
    plan = a_plan(
        workloads=(web,),
        node_groups=(a_node_group(cpu="64", memory="256Gi", initial_size=1, max_size=1),),
        simulation=SimulationSettings(duration=4 * US_PER_MIN, record_interval="10s"),
    )
    result = run_plan(plan)
    return {name: result.series[f"{name}[web]"] for name in LATENCIES}


def assert_never_below(slower, faster, demand):
    """A bounded queue has less room to scatter the fuller it is: up to 10 % of a latency; tables, too."""
    least = 0.9 if demand.queue_limit is not None or demand.timeout else 0.999
    for name in LATENCIES:
        known = ~(np.isnan(slower[name]) | np.isnan(faster[name]))
        assert known.sum() > 15
        assert (slower[name][known] >= faster[name][known] * least).all(), name


@settings(max_examples=15, phases=(Phase.generate,))
@given(DEMANDS, CORES, st.floats(0.2, 1.6), st.floats(1.05, 2.0))
def test_more_load_never_lowers_latency(demand, cores, busy, more):
    assert_never_below(latencies(demand, cores, 8, busy * more), latencies(demand, cores, 8, busy), demand)


@settings(max_examples=15, phases=(Phase.generate,))
@given(DEMANDS, CORES, st.floats(0.2, 1.6), st.integers(2, 7))
def test_more_pods_never_raise_latency(demand, cores, busy, fewer):
    assert_never_below(latencies(demand, cores, fewer, busy), latencies(demand, cores, 8, busy), demand)
