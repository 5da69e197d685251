"""One autoscaler alone against a change of load."""

import pytest

from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.hpa.what_if.played_plan import what_if
from planner.hpa.what_if.played_pods import Clockwork, LoadShape, WhatIfPods
from planner.hpa.what_if.reaction import react
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_plan, a_pod, a_workload, an_hpa
from tests.planner.hpa.builders import a_behavior, policies

CPU_75 = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 75)
QUEUE = MetricSpec(MetricSource.EXTERNAL, "queue", TargetType.AVERAGE_VALUE, 30_000)
UNLIMITED = a_behavior(up=policies(("Percent", 900, 15), window_s=0))
AT_ONCE = WhatIfPods(10, request_milli=1000, limit_milli=1000, startup_us=0)


def sizes(steps):
    """Without repetitions."""
    found = [steps[0].replicas]
    for step in steps:
        if step.replicas != found[-1]:
            found.append(step.replicas)
    return found


def test_saturated_pods_hide_the_load_so_a_spike_takes_several_rounds():
    """Reference sequence: use never exceeds limit/request, so each round multiplies by 100/75 at most."""
    steps = react(HpaSpec((CPU_75,), 100, behavior=UNLIMITED), HpaSettings(), AT_ONCE, LoadShape(5.0))
    assert sizes(steps) == [10, 14, 19, 26, 35, 47]
    assert steps[-1].observed == 79, "37.5 / 47, inside the tolerance"


def test_without_limit_the_same_spike_takes_one_round():
    pods = WhatIfPods(10, request_milli=1000, startup_us=0)
    steps = react(HpaSpec((CPU_75,), 100, behavior=UNLIMITED), HpaSettings(), pods, LoadShape(5.0))
    assert sizes(steps) == [10, 50]


def test_a_metric_from_outside_sees_the_whole_load_at_once():
    steps = react(HpaSpec((QUEUE,), 100, behavior=UNLIMITED), HpaSettings(), AT_ONCE, LoadShape(5.0))
    assert sizes(steps) == [10, 50]


def test_a_spike_is_followed_by_the_window_and_the_way_back():
    load = LoadShape(2.0, hold_us=2 * US_PER_MIN)
    steps = react(HpaSpec((CPU_75,), 100, min_replicas=5), HpaSettings(), AT_ONCE, load)
    assert sizes(steps)[-1] == 10
    top = max(step.replicas for step in steps)
    falls = next(
        step.time_us for before, step in zip(steps, steps[1:], strict=False) if step.replicas < before.replicas
    )
    assert top > 13 and falls >= load.at_us + load.hold_us + 300 * US_PER_S


def test_starting_pods_hold_growth_back_until_they_are_measured():
    quick = react(HpaSpec((CPU_75,), 100), HpaSettings(), AT_ONCE, LoadShape(4.0))
    slow_pods = WhatIfPods(10, request_milli=1000, limit_milli=1000, startup_us=60 * US_PER_S)
    slow = react(HpaSpec((CPU_75,), 100), HpaSettings(), slow_pods, LoadShape(4.0))
    grown = [next(step.time_us for step in steps if step.replicas >= 30) for steps in (quick, slow)]
    assert grown[1] > grown[0] + 60 * US_PER_S


@pytest.mark.parametrize("factor", [1.0, 1.05])
def test_load_at_the_target_moves_nothing(factor):
    assert sizes(react(HpaSpec((CPU_75,), 100), HpaSettings(), AT_ONCE, LoadShape(factor))) == [10]


def test_an_autoscaler_of_a_plan_can_be_played():
    plan = a_plan(workloads=(a_workload(replicas=4, pod=a_pod("500m", startup_delay="20s")),))
    reaction = what_if(plan, an_hpa(max_replicas=40), LoadShape(3.0))
    assert (reaction.steps[0].replicas, reaction.steps[-1].replicas) == (4, 12)
    assert reaction.rounds >= 1 and reaction.settled_us is not None


@pytest.mark.parametrize(
    ("pipeline", "earliest_s", "latest_s"),
    [
        ({"sampling": "sampled", "phase": "15s"}, 0, 0),
        ({}, 15, 60),
        ({"scrape_interval": "60s"}, 30, 150),
        ({"sampling": "rate"}, 15, 90),
        ({"sampling": "rate", "scrape_interval": "30s", "rate_window": "3m"}, 30, 200),
        ({"delay": "30s"}, 45, 90),
    ],
)
def test_a_preview_reacts_as_slowly_as_the_pipeline_of_the_plan(pipeline, earliest_s, latest_s):
    clock = Clockwork(evaluation_us=30_000, pipeline=MetricsPipelineSettings(**pipeline))
    clock = Clockwork(pipeline=clock.pipeline) if earliest_s == 0 else clock
    load = LoadShape(2.0, at_us=5 * US_PER_MIN)
    steps = react(HpaSpec((CPU_75,), 100), HpaSettings(), WhatIfPods(10, startup_us=0), load, clock)
    assert {step.replicas for step in steps if step.time_us < load.at_us} == {10}
    grown_s = next(step.time_us - load.at_us for step in steps if step.replicas > 10) / US_PER_S
    assert earliest_s <= grown_s <= latest_s
    assert 18 <= steps[-1].replicas <= 24


def test_a_preview_is_the_same_whenever_it_is_drawn():
    clock = Clockwork(pipeline=MetricsPipelineSettings())
    one, again = (react(HpaSpec((CPU_75,), 100), HpaSettings(), AT_ONCE, LoadShape(3.0), clock) for _ in range(2))
    assert one == again
