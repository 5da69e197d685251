"""Sizes that follow from use, and what they do to the plan."""

import json

import numpy as np
import pytest

from planner.errors import PlanProblem
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.answers.tables import answer_markdown, answer_text
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.kinds.rightsize.changes import moved_targets
from planner.experiments.kinds.rightsize.effects import Effect, best_of, harms
from planner.experiments.kinds.rightsize.sizes import RULES, sized
from planner.experiments.runs import Runs
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    CpuAndMemory,
    VerticalPodAutoscaler,
)
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.traffic import ConstantLoad, Slo, Traffic
from planner.plan.model.use import MemoryUse
from planner.plan.variants.application import with_changes
from planner.simulation.use.distribution import UseDistribution, UseTallies
from planner.simulation.use.observation import ContainerUse, observed_use
from planner.units import MIB
from tests.builders import a_node_group, a_plan, a_workload, an_hpa
from tests.planner.experiments.small_plans import a_small_plan

USE = UseDistribution(100, 90.0, 80.0, 150.0, 200.0, 230.0, 240)
MEMORY = UseDistribution(100, 50.0 * MIB, 50.0 * MIB, 60.0 * MIB, 80.0 * MIB, 90.0 * MIB, 100 * MIB)


def a_generous_plan(**settings):
    """A shop of two pods that request a core each and use some 150 milli-CPU."""
    container = Container(requests=Resources(cpu="1", memory="512Mi"), limits=Resources(memory="1Gi"))
    shop = a_workload(
        "shop",
        pod=PodTemplate(containers=(container,)),
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=15.0)),
        demand={"cpu_seconds_per_request": 0.02},
        memory_use=MemoryUse(start="100Mi"),
        slo=Slo(target="500ms"),
    )
    parts = {
        "workloads": (shop,),
        "node_groups": (a_node_group(cpu="2", initial_size=2, min_size=1, max_size=5, price_per_hour=1.0),),
        "simulation": SimulationSettings(duration="5m", seed=11),
    }
    return a_plan(**parts | settings)


def rightsized(plan, **settings):
    parts = {"type": "rightsize", "name": "rightsize", "seeds": 1} | settings
    return run_experiment(plan, Rightsize(**parts), Runs())


def by_rule(name):
    return next(rule for rule in RULES if rule.name == name)


@pytest.mark.parametrize("parts", [{}, {"memory_use": MemoryUse(start="100Mi")}])
def test_pods_of_which_the_plan_says_no_use_of_cpu_keep_their_requests_for_it(parts):
    """As after an import of manifests alone."""
    container = Container(requests=Resources(cpu="1", memory="512Mi"))
    shop = a_workload("shop", pod=PodTemplate(containers=(container,)), **parts)
    found = rightsized(a_generous_plan(workloads=(shop,)))
    assert any("The CPU of shop is left as it is: the plan does not say" in note for note in found.notes)
    sizes = {one["resource"]: one["sizes"] for one in answer_json(found)["uses"]}
    assert not sizes.get("cpu")
    assert bool(sizes.get("memory")) == bool(parts)
    assert (found.sentence == "No rule gives other requests.") == (not parts)
    assert {one["cpuRequested"] for one in answer_json(found)["effects"]} == {2.0}


def test_requests_are_sized_by_use_and_the_effect_of_each_rule_is_simulated():
    found = rightsized(a_generous_plan())
    body = answer_json(found)
    cpu, memory = body["uses"]
    assert (cpu["request"], memory["request"]) == (1000, 512 * MIB)
    assert 140 <= cpu["use"]["p50"] <= cpu["use"]["peak"] < 200
    assert memory["use"]["peak"] == 100 * MIB and memory["sizes"]["peak"] == 100 * MIB
    assert cpu["sizes"]["peak"] == cpu["use"]["peak"]
    assert cpu["sizes"]["p95 + 15 %"] == pytest.approx(1.15 * cpu["use"]["p95"], abs=1)
    assert memory["sizes"]["VPA"] == 250 * MIB, "the recommender gives a pod no less"
    assert [one["name"] for one in body["effects"]] == ["as planned", "VPA", "peak", "p95 + 15 %"]
    assert all(one["cpuRequested"] < body["effects"][0]["cpuRequested"] / 2 for one in body["effects"][1:])
    assert found.sentence.startswith(f"{body['best']} (shop: ") and body["best"] != "as planned"
    table = found.table
    assert table[0][2] == "Cost" and {row[2][0] for row in table[1:]} == {"$"}, "money is written as everywhere"
    assert "Requests and use of containers" in answer_text(found) and "| shop/main | cpu | 1 |" in answer_markdown(
        found
    )
    assert json.dumps(body, allow_nan=False)


def test_the_changes_of_a_variant_make_its_plan_and_limits_keep_their_proportion():
    plan = a_generous_plan()
    found = rightsized(plan)
    peak = next(one for one in found.variants if one.name == "peak")
    container = with_changes(plan, peak.changes).workloads[0].pod.containers[0]
    assert (container.requests.memory, container.limits.memory) == (100 * MIB, 200 * MIB)
    assert container.requests.cpu < 200 and container.limits.cpu is None


def test_targets_move_with_the_requests_so_that_autoscalers_keep_the_same_amount_per_pod():
    plan = a_small_plan()
    found = rightsized(plan)
    moved = [one for one in found.variants if one.name.endswith("HPA target moved")]
    assert moved and len(moved) == sum(not one.name.endswith("moved") for one in found.variants[1:])
    for one in moved:
        varied = with_changes(plan, one.changes)
        before, after = (each.workloads[0].pod.containers[0].requests.cpu for each in (plan, varied))
        target = varied.horizontal_pod_autoscalers[0].metrics[0].average_utilization
        assert target * after / 100 == pytest.approx(80 * before / 100, rel=0.02)


@pytest.mark.parametrize(
    ("metrics", "path", "after"),
    [
        ((), "horizontalPodAutoscalers[0].metrics", 83),
        ((HpaMetric(average_utilization=60),), "horizontalPodAutoscalers[0].metrics[0].averageUtilization", 62),
    ],
)
def test_a_target_stands_for_the_same_use_of_new_requests(metrics, path, after):
    plan = a_plan(horizontal_pod_autoscalers=(an_hpa(metrics=metrics),))
    one = sized(plan, plan.workloads[0], (ContainerUse("web", "main", USE, None),), by_rule("peak"))
    [moved] = moved_targets(plan, (one,))
    assert (moved.path, moved.after) == (path, after)


def test_an_amount_per_pod_stays_when_requests_change():
    metric = HpaMetric(target_type="AverageValue", average_value="200m")
    plan = a_plan(horizontal_pod_autoscalers=(an_hpa(metrics=(metric,)),))
    one = sized(plan, plan.workloads[0], (ContainerUse("web", "main", USE, None),), by_rule("peak"))
    assert not moved_targets(plan, (one,))


def test_policies_of_a_vertical_pod_autoscaler_bound_every_rule_and_it_is_switched_off():
    policy = ContainerResourcePolicy(max_allowed=CpuAndMemory(cpu="150m"))
    vpa = VerticalPodAutoscaler(name="web", target="web", container_policies=(policy,))
    plan = a_plan(vertical_pod_autoscalers=(vpa,))
    one = sized(plan, plan.workloads[0], (ContainerUse("web", "main", USE, MEMORY),), by_rule("peak"))
    [setting] = one.settings
    assert setting.requests == {"cpu": 150, "memory": 100 * MIB}
    found = rightsized(a_generous_plan(vertical_pod_autoscalers=(vpa.model_copy(update={"target": "shop"}),)))
    assert all("verticalPodAutoscalers[0].updateMode = Off" in one.changes for one in found.variants[1:])


def test_workloads_that_are_left_as_they_are_for_the_same_reason_share_a_note():
    names = [f"shop-{number}" for number in range(7)]
    workloads = tuple(a_workload(name, replicas=1) for name in names)
    found = rightsized(a_small_plan(workloads=workloads, horizontal_pod_autoscalers=()))
    of_memory = [note for note in found.notes if note.startswith("The memory of")]
    assert of_memory == [
        f"The memory of {', '.join(names[:5])} and 2 more is left as it is: the plan does not say what its pods use."
    ]


def test_memory_that_the_plan_does_not_know_is_left_as_it_is():
    found = rightsized(a_small_plan())
    assert any("The memory of shop is left as it is" in note for note in found.notes)
    assert all("memory" not in change for one in found.variants for change in one.changes)


def test_an_unknown_workload_is_refused_with_the_nearest_one():
    with pytest.raises(PlanProblem, match="Did you mean shop"):
        rightsized(a_small_plan(), workload="shp")


def test_watching_the_use_does_not_change_with_a_vertical_pod_autoscaler_of_the_plan():
    vpa = VerticalPodAutoscaler(name="shop", target="shop")
    plain, own = (
        observed_use(a_generous_plan(vertical_pod_autoscalers=vpas), 11, None, lambda: False) for vpas in ((), (vpa,))
    )
    assert plain == own and plain[0].cpu.samples >= 10


def an_effect(name="peak", **numbers):
    usual = {"cost": 10.0, "nodes": 3.0, "cpu_requested": 4.0, "replicas": 4.0, "throttled_s": 0.0, "oom_kills": 0.0}
    usual |= {"evictions": 0.0, "worst_p95_ms": 100.0, "attainment": 1.0, "missed": 0.0}
    return Effect(name, **usual | numbers)


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ({"missed": 0.5}, "misses an SLO in 50 % of the runs"),
        ({"oom_kills": 2.0}, "2 OOM kills"),
        ({"evictions": 1.0}, "1 evictions by kubelets"),
        ({"cost": 20.0}, ""),
    ],
)
def test_what_a_size_harms(numbers, text):
    assert ", ".join(harms(an_effect("as planned"), an_effect(**numbers))) == text


def test_slower_answers_are_harm_where_no_slo_says_what_is_too_slow():
    before, after = an_effect(attainment=None), an_effect(attainment=None, worst_p95_ms=150.0)
    assert list(harms(before, after)) == ["p95 grows by 50 %"]


def test_the_cheapest_size_without_harm_is_best_and_requests_decide_between_equals():
    plan, cheap = an_effect("as planned"), an_effect("cheap", cost=5.0, oom_kills=3.0)
    fine, small = an_effect("fine", cost=8.0), an_effect("small", cost=8.0, cpu_requested=2.0)
    assert best_of((plan, cheap, fine, small)).name == "small"
    assert best_of((plan, cheap)).name == "as planned"


def test_percentiles_of_use_are_those_of_its_samples_within_one_percent():
    amounts = np.random.default_rng(5).integers(1, 10**9, 4_000)
    tallies = UseTallies(2)
    tallies.add(np.ones(len(amounts), np.int64), amounts)
    found = tallies.of(1)
    assert tallies.of(0) is None and found.peak == amounts.max() and found.mean == pytest.approx(amounts.mean())
    for name, share in (("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)):
        exact = np.quantile(amounts, share, method="inverted_cdf")
        assert exact <= getattr(found, name) * (1 + 1e-12) and getattr(found, name) <= 1.0101 * exact
