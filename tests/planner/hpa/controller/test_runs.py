"""Whole runs in which autoscalers follow each kind of metric, and the size of the cluster."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.metric_series import MetricSeries
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.autoscalers.proportional_autoscaler import ClusterProportionalAutoscaler
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_control_plane import MetricsOutage
from planner.plan.model.events.on_workloads import ReadinessFlap, SetReplicas
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.plan.model.use import MemoryUse
from planner.record.decisions import Actor, Verdict
from planner.record.details.replicas import HpaCondition, MetricAnswer
from planner.record.text.explain import why
from planner.record.text.replicas.evaluation_steps import hpa_steps
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.builders import EXACT_SYNCS, a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa

POOL = a_node_group(cpu="64", memory="256Gi", initial_size=1, max_size=1)


def load(rate):
    return Traffic(profile=ConstantLoad(type="constant", rate=rate))


def run(minutes=10, **settings):
    plan = a_plan(**({"node_groups": (POOL,)} | settings))
    assert list(check_plan(plan)) == []
    return run_plan(plan, until_us=minutes * 60 * US_PER_S)


def sizes(result, workload="web"):
    return result.series[f"replicas_desired_count[{workload}]"].tolist()


def decisions(result, verdict=None):
    found = [one for one in result.decisions if one.actor is Actor.HPA]
    return [one for one in found if verdict is None or one.verdict is verdict]


def metric(**fields):
    return (fields,)


def series(name="queue", delay="0s", **source):
    return MetricSeries.model_validate({"name": name, "source": source, "delay": delay})


def profile(*points):
    return {
        "type": "profile",
        "profile": {
            "type": "points",
            "interpolation": "step",
            "points": [{"at": at, "rate": rate} for at, rate in points],
        },
    }


def test_memory_of_the_working_sets_is_followed():
    """256Mi requested, 384Mi used: 150 % against 100 %."""
    hungry = a_workload(memory_use=MemoryUse(start="384Mi"), pod=a_pod())
    hpa = an_hpa(metrics=metric(resource="memory", average_utilization=100), max_replicas=5)
    result = run(3, workloads=(hungry,), horizontal_pod_autoscalers=(hpa,))
    first = decisions(result, Verdict.SCALED)[0]
    assert (first.details.calculation.utilization_pct, first.details.desired) == (150, 3)
    assert sizes(result)[-1] == 5, "memory that does not fall with more pods ends at the maximum"


def test_memory_per_pod_is_a_quantity_in_bytes():
    hungry = a_workload(memory_use=MemoryUse(start="100Mi"))
    hpa = an_hpa(metrics=metric(resource="memory", target_type="AverageValue", average_value="100Mi"))
    result = run(3, workloads=(hungry,), horizontal_pod_autoscalers=(hpa,))
    assert set(sizes(result)) == {2}
    assert decisions(result)[0].details.calculation.ratio == 1.0


SIDECAR_POD = PodTemplate(
    containers=(
        Container(name="app", requests=Resources(cpu="500m", memory="1Mi")),
        Container(name="proxy", requests=Resources(cpu="1500m", memory="1Mi"), cpu_use="50m"),
    )
)


@pytest.mark.parametrize(
    ("chosen", "percent"),
    [
        ({"average_utilization": 60}, 22),
        ({"type": "ContainerResource", "container": "app", "average_utilization": 60}, 80),
        ({"type": "ContainerResource", "container": "proxy", "average_utilization": 60}, 3),
    ],
)
def test_one_hot_container_is_hidden_by_the_sum_of_the_pod(chosen, percent):
    """400m of work and 50m of the proxy, of 500m and 1500m requested."""
    web = a_workload(pod=SIDECAR_POD, traffic=load(80), demand=Demand(cpu_seconds_per_request=0.01))
    hpa = an_hpa(metrics=metric(**chosen), min_replicas=2)
    result = run(2, workloads=(web,), horizontal_pod_autoscalers=(hpa,))
    assert decisions(result)[0].details.calculation.utilization_pct == percent


def test_a_container_with_a_share_does_that_part_of_the_work():
    app, proxy = SIDECAR_POD.containers
    pod = PodTemplate(containers=(app, proxy.model_copy(update={"cpu_share": 25.0})))
    web = a_workload(pod=pod, traffic=load(80), demand=Demand(cpu_seconds_per_request=0.01))
    hpa = an_hpa(metrics=metric(type="ContainerResource", container="proxy", average_utilization=60), min_replicas=2)
    result = run(2, workloads=(web,), horizontal_pod_autoscalers=(hpa,))
    assert decisions(result)[0].details.calculation.value_milli == 150


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"type": "Pods", "target_type": "AverageValue", "average_value": "10"}, 6),
        ({"type": "External", "target_type": "AverageValue", "average_value": "10"}, 6),
        ({"type": "External", "target_type": "Value", "value": "20"}, 10),
        ({"type": "Object", "target_type": "Value", "value": "20"}, 10),
        ({"type": "Object", "target_type": "AverageValue", "average_value": "10"}, 6),
    ],
)
def test_a_series_of_sixty_requests_a_second_sizes_the_workload(chosen, expected):
    """Value targets do not fall when pods are added: only the maximum stops them."""
    web = a_workload(traffic=load(60), demand=Demand(cpu_seconds_per_request=0.001))
    hpa = an_hpa(metrics=metric(metric="rps", **chosen))
    known = series("rps", type="workload", workload="web")
    result = run(8, workloads=(web,), horizontal_pod_autoscalers=(hpa,), metric_series=(known,))
    assert sizes(result)[-1] == expected


def test_a_series_is_seen_only_after_its_own_delay():
    hpa = an_hpa(metrics=metric(type="External", metric="queue", target_type="AverageValue", average_value="10"))
    source = profile(("0s", 20), ("120s", 80))
    grown = [
        next(
            one.time_us // US_PER_S
            for one in decisions(
                run(8, horizontal_pod_autoscalers=(hpa,), metric_series=(series(delay=delay, **source),)),
                Verdict.SCALED,
            )
        )
        for delay in ("0s", "60s")
    ]
    assert grown == [120, 180]


def test_the_largest_proposal_of_several_metrics_counts_and_all_are_recorded():
    metrics = (
        {"average_utilization": 50},
        {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"},
    )
    source = profile(("0s", 70))
    result = run(5, horizontal_pod_autoscalers=(an_hpa(metrics=metrics),), metric_series=(series(**source),))
    decision = decisions(result, Verdict.SCALED)[0]
    assert decision.details.metric == "external metric queue(nil)"
    assert MetricAnswer("cpu resource utilization (percentage of request)", 0) in decision.details.answers
    assert sizes(result)[-1] == 7


def test_scale_to_zero_and_back_behind_its_gate():
    hpa = an_hpa(
        min_replicas=0,
        metrics=metric(type="External", metric="queue", target_type="AverageValue", average_value="10"),
    )
    source = profile(("0s", 20), ("60s", 0), ("900s", 30))
    settings = {"horizontal_pod_autoscalers": (hpa,), "metric_series": (series(**source),)}
    gate = EXACT_SYNCS.model_copy(update={"scale_to_zero": True})
    result = run(20, hpa_controller=gate, **settings)
    assert 0 in sizes(result) and sizes(result)[-1] == 3
    zero = HpaCondition("ScaledToZero", True, "ScaledToZero")
    assert any(zero in one.details.conditions for one in decisions(result))
    assert [problem.where for problem in check_plan(a_plan(**settings))] == ["horizontalPodAutoscalers[0].minReplicas"]


def test_zero_replicas_by_hand_switch_the_autoscaler_off():
    off = SetReplicas(type="setReplicas", workload="web", replicas=0, at="2m")
    result = run(6, horizontal_pod_autoscalers=(an_hpa(),), events=(off,))
    assert sizes(result)[-1] == 0
    assert "ScalingDisabled" in why(decisions(result)[-1])


def test_an_outage_of_one_api_fails_its_metrics_only():
    metrics = (
        {"average_utilization": 50},
        {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"},
    )
    outage = MetricsOutage(type="metricsOutage", api="external", at="1m", duration="2m")
    source = profile(("0s", 90))
    web = a_workload(replicas=4)
    result = run(
        12,
        workloads=(web,),
        horizontal_pod_autoscalers=(an_hpa(metrics=metrics),),
        metric_series=(series(**source),),
        events=(outage,),
    )
    failed = decisions(result, Verdict.NO_METRICS)
    assert [one.time_us // US_PER_S for one in failed] == [60]
    assert HpaCondition("ScalingActive", False, "FailedGetExternalMetric") in failed[0].details.conditions
    assert failed[0].repeats == 7


def test_without_resource_metrics_nothing_moves():
    outage = MetricsOutage(type="metricsOutage", api="resource", at="1m", duration="5m")
    web = a_workload(replicas=4)
    result = run(5, workloads=(web,), horizontal_pod_autoscalers=(an_hpa(),), events=(outage,))
    assert set(sizes(result)) == {4}
    failed = decisions(result, Verdict.NO_METRICS)[0]
    assert (failed.time_us, failed.details.reason) == (60 * US_PER_S, "MetricsAPIError")


BURST = {"startup_cpu": "1", "startup_cpu_time": "2m"}


@pytest.mark.parametrize(
    ("period", "grows"), [pytest.param("5m", False, id="ignored"), pytest.param("0s", True, id="taken for load")]
)
def test_pods_that_burn_cpu_while_they_start_multiply_unless_the_initialization_period_covers_it(period, grows):
    slow = a_pod(startup_delay="5s", readiness_delay="3m")
    web = a_workload(replicas=2, pod=slow, traffic=load(10), demand=Demand(cpu_seconds_per_request=0.03), **BURST)
    settings = HpaControllerSettings(
        phase="15s", evaluation_time="0s", cpu_initialization_period=period, initial_readiness_delay="0s"
    )
    hpa = an_hpa(metrics=metric(average_utilization=50), max_replicas=30)
    result = run(4, workloads=(web,), horizontal_pod_autoscalers=(hpa,), hpa_controller=settings)
    assert (max(sizes(result)) > 6) is grows


@pytest.mark.parametrize(
    ("at", "age", "counted"),
    [
        pytest.param("2m", "0s", 2, id="set aside while young"),
        pytest.param("8m", "0s", 4, id="later counted"),
        pytest.param("2m", "1d", 4, id="pods of a warm start are old"),
    ],
)
def test_pods_that_are_not_ready_for_a_while_count_only_after_the_initialization_period(at, age, counted):
    flap = ReadinessFlap(type="readinessFlap", workload="web", count=2, at=at, duration="1m")
    web = a_workload(replicas=4, traffic=load(40), demand=Demand(cpu_seconds_per_request=0.01))
    hpa = an_hpa(metrics=metric(average_utilization=40))
    plan = {"workloads": (web,), "horizontal_pod_autoscalers": (hpa,), "events": (flap,)}
    result = run(3 if at == "2m" else 9, simulation=SimulationSettings(initial_pod_age=age), **plan)
    fewest = min((one.details.calculation for one in decisions(result)), key=lambda made: made.ready)
    assert (fewest.ready, fewest.unready) == (counted, 4 - counted)
    assert set(sizes(result)) == {4}


def test_the_reason_shows_the_computation_step_by_step():
    web = a_workload(traffic=load(60), demand=Demand(cpu_seconds_per_request=0.01), pod=a_pod("500m"))
    hpa = an_hpa(metrics=metric(average_utilization=30), max_replicas=3)
    result = run(2, workloads=(web,), horizontal_pod_autoscalers=(hpa,))
    assert hpa_steps(decisions(result, Verdict.SCALED)[0].details) == (
        ("Metric", "cpu resource utilization (percentage of request)"),
        ("Samples", "2 pods counted"),
        ("Use", "60 % of the requests against 30 %"),
        ("Ratio", "2"),
        ("Tolerance", "0.1: exceeded"),
        ("Raw proposal", "4 replicas"),
        ("Limit", "3 by maxReplicas"),
        ("Reason", "cpu resource utilization (percentage of request) above target"),
        ("Size", "2 to 3"),
    )


def test_a_reserve_follows_the_cores_of_the_cluster():
    pool = a_node_group(cpu="4", initial_size=2, max_size=6, provisioning_spread="0s")
    grows = a_workload(replicas=12, pod=a_pod("1", "1Gi"))
    known = ClusterProportionalAutoscaler.model_validate(
        {"name": "dns", "targets": ["reserve"], "mode": {"type": "linear", "coresPerReplica": 4}}
    )
    settings = {"node_groups": (pool,), "workloads": (grows,), "proportional_autoscalers": (known,)}
    result = run(15, overprovisioning=(a_reserve(replicas=0, pod=a_pod("500m", "64Mi")),), **settings)
    held = sizes(result, "reserve")
    nodes = result.series["nodes_ready_count"].tolist()
    assert (held[0], held[-1]) == (2, nodes[-1]) and nodes[-1] > 2
    made = [one for one in result.decisions if one.actor is Actor.PROPORTIONAL]
    assert why(made[0]) == "New size: 2 (was 0); dns counts 2 nodes with 8 cores, linear mode"


def test_a_ladder_may_ask_for_nothing():
    known = ClusterProportionalAutoscaler.model_validate(
        {
            "name": "ladder",
            "targets": ["web"],
            "mode": {"type": "ladder", "nodesToReplicas": [{"threshold": 1, "replicas": 0}]},
        }
    )
    assert sizes(run(1, proportional_autoscalers=(known,)))[-1] == 0


def test_samples_at_moments_of_their_own_let_the_autoscaler_react_later_and_smoother():
    step = Traffic.model_validate({"profile": {"type": "step", "from": 20, "to": 60, "at": "6m"}})
    web = a_workload(traffic=step, pod=a_pod("500m"), demand=Demand(cpu_seconds_per_request=0.01))
    hpa = an_hpa(metrics=metric(average_utilization=40))
    settings = {"workloads": (web,), "horizontal_pod_autoscalers": (hpa,)}
    grown = {}
    for sampling in ("sampled", "perContainer"):
        pipeline = MetricsPipelineSettings(sampling=sampling, phase="15s")
        result = run(20, metrics_pipeline=pipeline, **settings)
        first = decisions(result, Verdict.SCALED)
        grown[sampling] = next(one.time_us // US_PER_S for one in first if one.time_us >= 360 * US_PER_S)
        assert sizes(result)[-1] == 3
    assert grown["sampled"] == 375 <= grown["perContainer"] <= 435


def test_a_run_with_and_without_leaving_out_evaluations_has_the_same_digest():
    step = Traffic.model_validate({"profile": {"type": "step", "from": 20, "to": 60, "at": "3m"}})
    web = a_workload(traffic=step, pod=a_pod("500m"), demand=Demand(cpu_seconds_per_request=0.01))
    metrics = (
        {"average_utilization": 40},
        {"type": "External", "metric": "queue", "target_type": "AverageValue", "average_value": "10"},
    )
    digests = [
        run(
            15,
            workloads=(web,),
            horizontal_pod_autoscalers=(an_hpa(metrics=metrics),),
            metric_series=(series(**profile(("0s", 20), ("500s", 45))),),
            hpa_controller=EXACT_SYNCS.model_copy(update={"skip_unchanged": skip}),
        ).digest()
        for skip in (False, True)
    ]
    assert digests[0] == digests[1]


def held(measure, rate=150.0, **parts):
    """Two pods of one core serve 10 ms of work per request; what the autoscaler of a series found at last."""
    pod = a_pod("1", "1Gi")
    pod = pod.model_copy(update={"containers": (pod.containers[0].model_copy(update={"limits": Resources(cpu="1")}),)})
    web = a_workload(traffic=load(rate), demand=Demand(cpu_seconds_per_request=0.01, cv=1.0, workers=1), pod=pod)
    known = series("m", type="workload", workload="web", measure=measure).model_copy(update=parts)
    hpa = an_hpa(
        metrics=metric(type="Pods", metric="m", target_type="AverageValue", average_value="1"), min_replicas=2,
        max_replicas=2,
    )  # fmt: skip
    result = run(3, workloads=(web,), horizontal_pod_autoscalers=(hpa,), metric_series=(known,))
    return decisions(result)[-1].details.calculation.value_milli, result


@pytest.mark.parametrize(
    ("measure", "milli"),
    [
        pytest.param("requestsPerSecond", 75_000, id="each of two pods its half of the requests"),
        pytest.param("requestsInFlight", 3_000, id="rho / (1 - rho)"),
        pytest.param("requestsWaiting", 2_250, id="those in flight less the busy share"),
    ],
)
def test_each_measure_of_a_load_can_be_followed_per_pod(measure, milli):
    assert held(measure)[0] == pytest.approx(milli, rel=0.01)


@pytest.mark.parametrize("percent", [50, 95, 99])
def test_each_pod_has_the_latency_and_not_a_share_of_it(percent):
    """In seconds, so that its thousandths are milliseconds."""
    average_milli, result = held(f"latencyP{percent}")
    assert average_milli == round(float(result.series[f"latency_p{percent}_ms[web]"][-1]))


def test_a_series_per_pod_is_not_shared_out():
    assert held("requestsPerSecond", per_pod=True)[0] == 150_000


def test_a_latency_without_ready_pods_is_no_reading():
    web = a_workload(traffic=load(10), replicas=0)
    hpa = an_hpa(metrics=metric(type="External", metric="m", target_type="Value", value="1"), min_replicas=1)
    known = series("m", type="workload", workload="web", measure="latencyP95")
    other = a_workload("other")
    result = run(
        2, workloads=(web, other), metric_series=(known,),
        horizontal_pod_autoscalers=(hpa.model_copy(update={"scale_target": "other"}),),
    )  # fmt: skip
    assert {one.verdict for one in decisions(result)} == {Verdict.NO_METRICS}
