"""What a new experiment begins with fits the plan."""

from pathlib import Path

import pytest

from planner.experiments.kinds.registry import MOST_RUNS, run_count
from planner.plan.files.io import load_plan
from planner.plan.model.plan import Plan
from ui.experiments.first_settings import first_settings
from ui.experiments.plan_steps import with_new_experiment

SAMPLES = sorted(Path("scenarios").glob("*/plan.headroom"))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("kind", ["vary", "search"])
def test_it_can_be_run_as_it_is_with_every_sample(path, kind):
    plan, name = with_new_experiment(load_plan(path), kind)
    (experiment,) = (one for one in plan.experiments if one.name == name)
    assert 1 < run_count(plan, experiment) <= MOST_RUNS // 20


def test_what_matters_most_is_asked_of_several_numbers():
    found = first_settings(load_plan(Path("scenarios/flash-sale/plan.headroom")), "vary")
    assert found["sensitivity"] is True and found["over"] == (
        "load = 0.8..1.2",
        "horizontalPodAutoscalers[shop].metrics[0].averageUtilization = 45..75:1",
        "workloads[shop].demand.cpuSecondsPerRequest = 0.016..0.024",
        "nodeGroups[general].maxSize = 10..30:1",
        "nodeGroups[general].provisioningDelay = 105s..420s",
    )


def test_a_plan_without_numbers_that_matter_is_asked_about_its_load():
    assert first_settings(Plan(), "vary") == {"over": ("load = 0.5..1.5:0.25",)}
