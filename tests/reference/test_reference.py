"""The reference keeps the laws it is made of."""

import pytest

from tests.reference.experiments import US_PER_S, Experiment
from tests.reference.formula import Seen, Settings, wanted_size
from tests.reference.pipeline import Figure, MetricsServer, PrometheusRate, Sample
from tests.reference.pods import Pod
from tests.reference.run import ReferenceRun

MS = 1000


@pytest.mark.parametrize(
    ("work_ms", "limit", "done_ms"),
    [(60, 0.5, 110), (120, 0.5, 220), (1000, 0.25, 3925), (10, 0.1, 10), (100, 0.1, 910)],
)
def test_a_worker_pauses_when_the_quota_of_a_period_is_used_up(work_ms: int, limit: float, done_ms: int) -> None:
    pod = Pod(0, 0, round(limit * 100 * MS), 0)
    pod.take(0, work_ms * MS)
    pod.run_until(done_ms * MS - 1)
    assert pod.held == 1
    pod.run_until(done_ms * MS)
    assert (pod.held, pod.served, pod.spent_us) == (0, 1, work_ms * MS)


def test_however_often_one_looks_the_work_is_the_same() -> None:
    seldom, often = (Pod(0, 0, 10 * MS, 33 * MS) for _ in range(2))
    for at_ms, work_ms in ((0, 45), (7, 3), (600, 120), (5000, 9)):
        for pod in (seldom, often):
            pod.take(at_ms * MS, work_ms * MS)
    for now_us in range(0, 8 * US_PER_S, 7_777):
        often.run_until(now_us)
        if now_us % 1_001 == 0:
            seldom.run_until(now_us)
            assert (seldom.spent_us, seldom.served) == (often.spent_us, often.served)


def test_a_pod_that_was_overloaded_uses_its_limit_until_nothing_waits() -> None:
    pod = Pod(0, 0, 10 * MS, 0)
    for number in range(690):
        pod.take(number * 500 * MS if number < 600 else (300 + 10 * (number - 600)) * US_PER_S, 100 * MS)
    pod.run_until(300 * US_PER_S)
    assert pod.spent_us == 30 * US_PER_S
    pod.run_until(1_300 * US_PER_S)
    assert (pod.served, pod.spent_us) == (690, 69 * US_PER_S)


def test_a_rate_counts_to_the_ends_of_its_range_and_a_young_pod_shows_too_little() -> None:
    old, young = PrometheusRate(60 * US_PER_S), PrometheusRate(60 * US_PER_S)
    for at_s in range(0, 61, 15):
        old.scrape(Sample(at_s * US_PER_S, at_s * 100 * MS))
    for at_s in (45, 60):
        young.scrape(Sample(at_s * US_PER_S, (at_s - 45) * 100 * MS))
    assert old.figure(62 * US_PER_S).use == pytest.approx(0.1, abs=0.001)
    assert young.figure(62 * US_PER_S).use == pytest.approx(0.028, abs=0.001)


def test_metrics_server_measures_between_two_samples_and_a_fresh_container_from_its_start() -> None:
    server = MetricsServer(0, 15 * US_PER_S)
    server.scrape(Sample(12 * US_PER_S, 600 * MS))
    assert server.figure(0) == Figure(0.05, 12 * US_PER_S, 12 * US_PER_S)
    server.scrape(Sample(30 * US_PER_S, 2_400 * MS))
    assert server.figure(0) == Figure(0.1, 30 * US_PER_S, 18 * US_PER_S)


@pytest.mark.parametrize(
    ("use", "missing", "wanted"),
    [
        ((0.1,) * 4, 0, 6),
        ((0.08,) * 4, 0, 4),
        ((0.02,) * 4, 0, 2),
        ((0.1,) * 2, 2, 4),
        ((0.02,) * 3, 1, 3),
        ((), 4, None),
    ],
)
def test_the_formula_divides_use_by_target(use: tuple[float, ...], missing: int, wanted: int | None) -> None:
    settings = Settings(0.1, 75, 1, 20, 0, 0)
    pods = [Seen(-1, -1, Figure(one, 100, 1)) for one in use] + [Seen(-1, -1, None)] * missing
    assert wanted_size(settings, 200, len(pods), pods) == wanted


def test_steady_pods_use_the_offered_work_and_nothing_is_lost() -> None:
    course = ReferenceRun(Experiment((10.0,), 0.05, 15, load_s=2000, pods=10, autoscaled=False), 1).run()
    assert course.cpu_s[-1] == pytest.approx(1000, rel=0.05)
    assert course.served == pytest.approx(20_000, rel=0.03)
    assert (course.lost, course.in_flight[-1]) == (0, 0)
