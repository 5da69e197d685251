"""Balancers, quotas, retries, warm-up and calls in whole runs."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.engine.loop import EventLoop
from planner.plan.checks.validate import check_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Call, RequestClass, Retries, WarmUp
from planner.plan.model.traffic import ConstantLoad, Slo, SpikeLoad, Traffic
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload

WEB = Demand(cpu_seconds_per_request=0.01, cv=1.0, workers=1)
TWO_CLASSES = (RequestClass(share=0.9), RequestClass(share=0.1, cost=5.0))
WORKER = Demand(cpu_seconds_per_request=0.01, cv=1.0, workers=1, discipline="queue")

TENFOLD = SpikeLoad(type="spike", base=10, peak=1_000, start="60s", hold="120s")


def constant(rate):
    return Traffic(profile=ConstantLoad(type="constant", rate=rate))


def limited(cpu, limit=None):
    pod = a_pod(cpu, "1Gi")
    container = pod.containers[0].model_copy(
        update={"limits": type(pod.containers[0].limits)(cpu=limit or cpu, memory="1Gi")}
    )
    return pod.model_copy(update={"containers": (container,)})


def result_of(*workloads, minutes=10, groups=None):
    plan = a_plan(
        workloads=workloads,
        node_groups=groups or (a_node_group(cpu="16", memory="64Gi", max_size=1),),
        simulation=SimulationSettings(duration=minutes * US_PER_MIN),
    )
    assert list(check_plan(plan)) == []
    return run_plan(plan)


def last(result, column):
    return float(result.series[column][-1])


def test_a_better_balancer_shortens_the_latency_of_a_run():
    found = {}
    for balancer in ("random", "round-robin", "least-of-two", "shared-queue"):
        demand = Demand(cpu_seconds_per_request=0.01, cv=1.0, workers=1, balancer=balancer)
        web = a_workload(replicas=10, pod=limited("1"), traffic=constant(800.0), demand=demand)
        found[balancer] = last(result_of(web), "latency_mean_ms[web]")
    assert found == pytest.approx(
        {"random": 50.0, "round-robin": 29.22269, "least-of-two": 19.47363, "shared-queue": 12.0459}, rel=1e-3
    )


def test_queue_discipline_lengthens_waits_of_variable_requests():
    demand = Demand(cpu_seconds_per_request=0.01, workers=1, discipline="queue", cv=2.0)
    web = a_workload(pod=limited("1"), traffic=constant(160.0), demand=demand)
    assert last(result_of(web), "latency_mean_ms[web]") == pytest.approx(10.0 * (1.0 + 4.0 * 2.5), rel=1e-3)


def test_a_throttled_pod_is_slow_in_the_tail_long_before_its_limit():
    def p99(rate, threads):
        demand = Demand(cpu_seconds_per_request=0.02, cv=1.0, workers=threads)
        web = a_workload(replicas=1, pod=limited("1"), traffic=constant(rate), demand=demand)
        result = result_of(web)
        return last(result, "latency_p99_ms[web]"), result

    calm, idle = p99(2.0, 8)
    busy, result = p99(20.0, 8)
    assert calm == pytest.approx(92.1, rel=0.1), "one request of 20 ms at full speed"
    assert busy > calm + 20.0, "at 40 % of the limit"
    assert last(result, "cpu_used_cores[web]") == pytest.approx(0.4, abs=0.01)
    assert last(result, "cpu_throttled_ratio[web]") > last(idle, "cpu_throttled_ratio[web]")
    assert result.figures["cpu_throttled_time[web]"].value > 1.0


def test_retries_amplify_an_overload_and_end_with_it():
    profile = SpikeLoad(type="spike", base=50, peak=150, start="60s", hold="120s")
    demand = Demand(
        cpu_seconds_per_request=0.01, workers=1, timeout="2s", retries=Retries(attempts=3, back_off=US_PER_S)
    )
    web = a_workload(replicas=1, pod=limited("1"), traffic=Traffic(profile=profile), demand=demand)
    tried = result_of(web).figures
    once = result_of(web.model_copy(update={"demand": demand.model_copy(update={"retries": Retries()})})).figures
    assert tried["retry_amplification[web]"].value > 1.2
    assert "retry_amplification[web]" not in once
    assert tried["requests_lost[web]"].value < once["requests_lost[web]"].value
    assert tried["requests_timed_out[web]"].value > once["requests_timed_out[web]"].value


def test_a_pod_that_warms_up_is_slow_and_uses_more_until_its_slow_down_has_fallen_to_nothing():
    demand = Demand(cpu_seconds_per_request=0.01, workers=1, warm_up=WarmUp(duration="160s", slow_down=2.0))
    web = a_workload(replicas=1, pod=limited("1"), traffic=constant(30.0), demand=demand)
    plan = a_plan(
        workloads=(web,), node_groups=(a_node_group(),),
        simulation=SimulationSettings(duration=6 * US_PER_MIN, warm_start=False, record_interval="10s"),
    )  # fmt: skip
    result = run_plan(plan)
    used, times = result.series["cpu_used_cores[web]"], result.time_us // US_PER_S
    ready = int(times[used > 0.4][0])
    for at, slower in ((ready + 50, 1.69), (ready + 110, 1.31), (300, 1.0)):
        assert used[times >= at][0] == pytest.approx(0.3 * slower, rel=0.06)
        latency = result.series["latency_mean_ms[web]"][times >= at][0]
        assert latency == pytest.approx(10.0 * slower / (1.0 - 0.3 * slower), rel=0.12)


def test_calls_become_the_load_of_those_that_are_called():
    calls = (Call(workload="back", per_request=2.0),)
    front = a_workload("front", pod=limited("1"), traffic=constant(100.0), calls=calls)
    back = a_workload("back", pod=limited("2"), demand=Demand(cpu_seconds_per_request=0.01), slo=Slo(target="1s"))
    result = result_of(front, back)
    assert last(result, "served_rps[back]") == pytest.approx(200.0, rel=1e-3)
    assert last(result, "cpu_used_cores[back]") == pytest.approx(2.0, rel=0.01)
    asked = {name: result.figures[f"requests_offered[{name}]"].value for name in ("front", "back")}
    assert asked["back"] == pytest.approx(2 * asked["front"], rel=0.02)
    assert result.figures["slo_attainment[back]"].value == 1.0


def test_what_a_caller_cannot_serve_is_not_called():
    front = a_workload(
        "front", replicas=1, pod=limited("1"), traffic=constant(300.0), demand=WEB, calls=(Call(workload="back"),)
    )
    result = result_of(front, a_workload("back", pod=limited("2"), demand=WEB))
    assert last(result, "offered_rps[back]") == pytest.approx(100.0, rel=1e-3)


def test_a_caller_is_as_slow_as_what_it_waits_for():
    """Each tier is M/M/1 with S = 10 ms at rho 0.5: 20 ms on average, exponential; two in a row are Erlang(2)."""
    web = {"replicas": 1, "pod": limited("1"), "demand": WORKER}
    front = a_workload("front", traffic=constant(50.0), calls=(Call(workload="back"),), **web)
    result = result_of(front, a_workload("back", **web))
    assert last(result, "latency_end_to_end_p95_ms[front]") == pytest.approx(20.0 * 4.743865, rel=0.01)
    assert last(result, "latency_end_to_end_p99_ms[front]") == pytest.approx(20.0 * 6.638352, rel=0.01)
    apart = front.model_copy(update={"calls": (Call(workload="back", is_async=True),)})
    assert math.isnan(last(result_of(apart, a_workload("back", **web)), "latency_end_to_end_p95_ms[front]"))


@pytest.mark.parametrize(
    ("target_ms", "met"),
    [pytest.param(96, 1.0, id="above Erlang's p95 of 94.9 ms"), pytest.param(93, 0.0, id="below it")],
)
def test_a_target_with_calls_is_held_against_the_whole_chain(target_ms, met):
    web = {"replicas": 1, "pod": limited("1"), "demand": WORKER}
    slo = Slo(target="70ms", end_to_end_target=f"{target_ms}ms")
    front = a_workload("front", traffic=constant(50.0), calls=(Call(workload="back"),), slo=slo, **web)
    result = result_of(front, a_workload("back", slo=Slo(target="70ms"), **web))
    assert result.figures["slo_attainment[front]"].value == 1.0, "on its own it takes 60 ms"
    assert result.figures["slo_attainment_end_to_end[front]"].value == pytest.approx(met, abs=0.02)
    assert result.figures["slo_attainment_end_to_end_by_requests[front]"].value == pytest.approx(met, abs=0.02)
    assert result.figures["latency_end_to_end_p95_worst[front]"].value == pytest.approx(94.9, rel=0.01)
    assert result.slo_missed == (() if met else ("front",))
    assert last(result, "slo_missed_ratio[back]") == 0.0
    assert "slo_attainment_end_to_end[back]" not in result.figures


def test_a_target_with_calls_needs_calls():
    slo = Slo(target="70ms", end_to_end_target="60ms")
    alone = a_plan(workloads=(a_workload(traffic=constant(1.0), slo=slo),))
    assert "workloads[0].slo.endToEndTarget" in {hint.where for hint in find_hints(alone)}
    calling = a_workload(traffic=constant(1.0), slo=slo, calls=(Call(workload="back"),))
    texts = [hint.text for hint in find_hints(a_plan(workloads=(calling, a_workload("back"))))]
    assert any("below the target without calls" in text for text in texts)


def test_circles_of_calls_are_named():
    def calling(name, *others):
        return a_workload(name, calls=tuple(Call(workload=other) for other in others))

    plan = a_plan(
        workloads=(calling("a", "b"), calling("b", "c"), calling("c", "b"), calling("d", "missing", "a", "a"))
    )
    problems = {problem.where: problem for problem in check_plan(plan)}
    assert "b -> c -> b" in problems["workloads[1].calls"].problem
    assert "no workload" in problems["workloads[3].calls[0].workload"].problem
    assert "already" in problems["workloads[3].calls[2].workload"].problem
    itself = {problem.where for problem in check_plan(a_plan(workloads=(calling("a", "a"),)))}
    assert itself == {"workloads[0].calls"}


@pytest.mark.parametrize(
    ("workload", "where"),
    [
        (a_workload(traffic=constant(1.0), demand=Demand(cv=1.0)), "demand.cv"),
        (a_workload(traffic=constant(1.0), demand=Demand(cv=0.2, classes=TWO_CLASSES)), "demand.cv"),
        (a_workload(traffic=constant(1.0), demand=Demand(latency_floor_cv=0.5)), "demand.latencyFloorCv"),
        (a_workload(traffic=constant(1.0), demand=Demand(retries=Retries(attempts=1))), "demand.retries"),
        (a_workload(pod=limited("1"), traffic=constant(1.0), demand=Demand(idle_cpu=1000)), "demand.idleCpu"),
        (a_workload(traffic=constant(1.0), replicas=0), "replicas"),
        (a_workload(replicas=1, traffic=constant(4_000.0)), "traffic.profile"),
        (a_workload(replicas=1, pod=limited("1"), traffic=Traffic(profile=TENFOLD)), "traffic.profile"),
        (a_workload(calls=(Call(workload="web"),)), "calls"),
    ],
)
def test_load_that_is_probably_not_meant_is_worth_a_hint(workload, where):
    other = a_workload("other")
    plan = a_plan(workloads=(workload.model_copy(update={"calls": tuple(
        Call(workload="other") for _ in workload.calls)}), other))  # fmt: skip
    assert f"workloads[0].{where}" in {hint.where for hint in find_hints(plan)}


@settings(max_examples=12, deadline=None)
@given(
    st.sampled_from(["random", "round-robin", "least-of-two", "shared-queue"]),
    st.sampled_from(["sharing", "queue"]),
    st.sampled_from([0.0, 1.0, 3.0]),
    st.integers(0, 3),
    st.none() | st.integers(1, 6),
    st.floats(10, 500),
)
def test_requests_are_conserved_in_every_step(balancer, discipline, cv, attempts, workers, peak):
    demand = Demand(
        cpu_seconds_per_request=0.02, balancer=balancer, discipline=discipline, cv=cv, workers=workers, timeout="3s",
        queue_limit=300, retries=Retries(attempts=attempts), warm_up=WarmUp(duration="30s", slow_down=1.5),
    )  # fmt: skip
    profile = SpikeLoad(type="spike", base=10, peak=peak, start="30s", rise="20s", hold="60s", decay="20s")
    front = a_workload(
        "front", pod=limited("1"), traffic=Traffic(profile=profile), demand=demand, calls=(Call(workload="back"),)
    )
    back = a_workload("back", pod=limited("500m"), demand=demand)
    plan = a_plan(workloads=(front, back), simulation=SimulationSettings(duration=4 * US_PER_MIN))
    sim, held = Simulation(plan, 1), np.zeros(2)
    add = sim.load_record.add_steps

    def check(rows, start_us, length_us, steps):
        gone = steps.served + steps.rejected + steps.timed_out
        assert steps.offered + steps.retried + held[rows] == pytest.approx(gone + steps.in_flight, rel=1e-6, abs=1e-6)
        held[rows] = steps.in_flight
        add(rows, start_us, length_us, steps)

    sim.load_model._on_steps = check
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(4 * US_PER_MIN, lambda: False)
    totals = sim.load_record.totals.of
    assert totals[1].offered == pytest.approx(totals[0].served, rel=1e-6)
