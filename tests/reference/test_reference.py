"""The reference keeps the laws it is made of."""

import pytest

from tests.reference.experiments import US_PER_S, Experiment
from tests.reference.formula import Seen, Settings, wanted_size
from tests.reference.pipeline import Figure, MetricsServer, PrometheusRate, Sample
from tests.reference.run import ReferenceRun

MS = 1000


def test_a_rate_counts_to_the_ends_of_its_range_and_a_young_pod_shows_too_little() -> None:
    old, young = PrometheusRate(60 * US_PER_S), PrometheusRate(60 * US_PER_S)
    for at_s in range(0, 61, 15):
        old.scrape(at_s * US_PER_S, Sample(at_s * US_PER_S, at_s * 100 * MS))
    for at_s in (45, 60):
        young.scrape(at_s * US_PER_S, Sample(at_s * US_PER_S, (at_s - 45) * 100 * MS))
    assert old.figure(62 * US_PER_S).use == pytest.approx(0.1, abs=0.001)
    assert young.figure(62 * US_PER_S).use == pytest.approx(0.028, abs=0.001)


def test_metrics_server_measures_between_two_samples_and_a_fresh_container_from_its_start() -> None:
    server = MetricsServer(0, 15 * US_PER_S)
    server.scrape(12 * US_PER_S, Sample(12 * US_PER_S, 600 * MS))
    assert server.figure(0) == Figure(0.05, 12 * US_PER_S, 12 * US_PER_S)
    server.scrape(30 * US_PER_S, Sample(30 * US_PER_S, 2_400 * MS))
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
