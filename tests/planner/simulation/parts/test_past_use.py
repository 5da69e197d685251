"""What the recommender of requests knows at a warm start: the days before the run."""

from typing import Any

import pytest

from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler, VpaRecommenderSettings
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.serving import Call
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, LoadPoint, TraceLoad, Traffic
from planner.record.details.requests import ContainerRecommendation, RequestsRecommended
from planner.simulation.run import run_plan
from tests.builders import a_plan, a_pod, a_workload

HOUR = 3_600_000_000
NIGHT = Traffic(profile=DiurnalLoad(type="diurnal", mean=60, amplitude=40, phase=12 * HOUR))
"""20 requests/s at midnight, 100 at noon."""


def first(plan: Plan) -> dict[str, ContainerRecommendation]:
    """The first recommendation of a run, by resource."""
    found = next(one.details for one in run_plan(plan).decisions if isinstance(one.details, RequestsRecommended))
    return {one.resource: one for one in found.containers}


def a_sized_plan(history: str | None = None, others: tuple[Any, ...] = (), **settings: Any) -> Plan:
    """Four pods of a core for 0.01 CPU seconds a request, for five minutes from midnight on."""
    given = {"replicas": 4, "pod": a_pod("1", "1Gi"), "traffic": NIGHT, "demand": {"cpuSecondsPerRequest": 0.01}}
    return a_plan(
        workloads=(a_workload(**given | settings), *others),
        vertical_pod_autoscalers=(VerticalPodAutoscaler(name="web", target="web", update_mode="Off"),),
        vpa_recommender=VpaRecommenderSettings(phase="30s", initial_history=history),
        simulation=SimulationSettings(duration="5m"),
    )


@pytest.mark.parametrize(("history", "percentile", "days"), [
    pytest.param("0s", 50, 0.0, id="new: the use of this minute"),
    pytest.param(None, 240, 1.0, id="as old as the pods: the daily peak"),
    pytest.param("8d", 240, 8.0, id="older than the pods"),
])  # fmt: skip
def test_the_first_recommendation_covers_the_load_of_the_days_before(history, percentile, days):
    found = first(a_sized_plan(history))["cpu"]
    assert found.target == pytest.approx(1.15 * percentile, rel=0.1)
    assert found.history_s / 86_400 == pytest.approx(days, abs=0.01)
    assert found.samples == pytest.approx(4 * 1440 * days, abs=8)


def test_bounds_are_as_confident_as_the_history_is_long():
    known, new = first(a_sized_plan())["cpu"], first(a_sized_plan("0s"))["cpu"]
    assert known.upper == pytest.approx(2 * 1.15 * 250, rel=0.1) and new.upper > 100_000
    assert known.lower > 100 and new.lower < 50


def test_a_day_of_memory_peaks_is_known():
    assert first(a_sized_plan())["memory"].target == pytest.approx(1.15 * 0.8 * 2**30, rel=0.06)


def test_of_a_recorded_load_what_was_recorded_before_the_run_counts():
    points = tuple(LoadPoint(at=hour * HOUR, rate=rate) for hour, rate in ((0, 80), (20, 80), (21, 8), (48, 8)))
    recorded = Traffic(profile=TraceLoad(type="trace", points=points, skip=24 * HOUR))
    assert first(a_sized_plan(traffic=recorded))["cpu"].target == pytest.approx(1.15 * 200, rel=0.08)


def test_calls_of_others_count():
    shop = a_workload(
        "shop",
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=20)),
        calls=(Call(workload="web", per_request=4),),
    )
    found = first(a_sized_plan(others=(shop,), traffic=None))["cpu"]
    assert found.target == pytest.approx(1.15 * 200, rel=0.08) and found.history_s == pytest.approx(86_400, abs=600)


def test_after_a_cold_start_nothing_is_known():
    plan = a_sized_plan()
    cold = plan.model_copy(update={"simulation": SimulationSettings(duration="5m", warm_start=False)})
    assert first(cold)["cpu"].history_s < 300
