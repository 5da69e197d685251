"""Presets of runtimes: each sets how requests are run, and leaves what they cost."""

import pytest

from planner.errors import PlanProblem
from planner.plan.checks.validate import check_plan
from planner.plan.edits.runtimes import RUNTIMES, with_runtime
from planner.plan.model.demand import Demand
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from tests.builders import a_plan, a_workload


def limited(cpu):
    limits = Resources() if cpu is None else Resources(cpu=cpu)
    return PodTemplate(containers=(Container(requests=Resources(cpu="100m", memory="1Gi"), limits=limits),))


@pytest.mark.parametrize(
    ("name", "limit", "workers", "discipline"),
    [
        ("event-loop", "2", 1, "queue"),
        ("thread-per-request", "2", None, "sharing"),
        ("pre-fork", "2", 12, "queue"),
        ("processors-by-limit", "1500m", 2, "sharing"),
        ("processors-by-limit", "250m", 1, "sharing"),
        ("processors-by-limit", None, None, "sharing"),
        ("consumer", "2", 1, "queue"),
    ],
)
def test_a_runtime_sets_workers_and_order(name, limit, workers, discipline):
    service = a_workload(pod=limited(limit), demand=Demand(cpu_seconds_per_request=0.03, workers=7))
    other = a_workload("other")
    found, kept = with_runtime(a_plan(workloads=(service, other)), "web", RUNTIMES[name], 12).workloads
    assert kept == other
    assert (found.demand.workers, found.demand.discipline) == (workers, discipline)
    assert found.demand.cpu_seconds_per_request == 0.03
    assert (found.startup_cpu > 0) == (found.startup_cpu_time > 0)
    assert list(check_plan(a_plan(workloads=(found,)))) == []


def test_a_workload_that_is_not_there_is_reported():
    with pytest.raises(PlanProblem, match="no workload named x"):
        with_runtime(a_plan(), "x", RUNTIMES["consumer"], 8)
