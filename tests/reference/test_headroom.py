"""Headroom against the reference: a run may be as far from it as the reference's runs are from each other."""

import math

import pytest

from tests.reference.comparison import Runs, cpu_gap, distance, excess, headroom, reference
from tests.reference.experiments import BURSTS, POISSON, Experiment, Pipeline

SHORT = (
    Experiment((10.0,), 0.05, 15, load_s=900, after_s=300),
    Experiment((20.0, 5.0), 0.03, 30, Pipeline.METRICS_SERVER_15, load_s=900, after_s=300),
)
ERRORS = 4
"""So many standard errors of a difference of means do not happen by chance."""


def _is_like(found: Runs, known: Runs, figure: str, model: float) -> bool:
    """Whether the means differ by no more than chance and the error that the model is known to have, a share."""
    chance = known.spread(figure) * math.sqrt(1 / len(known.pods) + 1 / len(found.pods))
    return abs(found.mean(figure) - known.mean(figure)) <= ERRORS * chance + model * known.mean(figure)


@pytest.mark.slow
@pytest.mark.parametrize("experiment", SHORT, ids=lambda one: one.name)
def test_pods_cpu_and_backlog_follow_the_reference(experiment: Experiment) -> None:
    known, found = reference(experiment, range(16)), headroom(experiment, range(3))
    apart = distance(found, known)
    assert apart.to_run <= 1.25 * apart.own_to_run + 0.1
    assert _is_like(found, known, "mean_pods", 0.01)
    assert _is_like(found, known, "cpu_s", 0.001)
    assert _is_like(found, known, "busy", 0.05)
    assert _is_like(found, known, "peak", 0.05)
    assert cpu_gap(found, known) < 0.08


@pytest.mark.soak
def test_no_experiment_is_followed_much_worse_than_the_reference_follows_itself() -> None:
    errors, own, hours = [], [], []
    for experiment in (*POISSON, *BURSTS):
        known, found = reference(experiment, range(24)), headroom(experiment, range(6))
        apart = distance(found, known)
        assert apart.to_run < 1.5 * apart.own_to_run + 0.1, experiment.name
        assert _is_like(found, known, "mean_pods", 0.03), experiment.name
        assert _is_like(found, known, "cpu_s", 0.005), experiment.name
        errors.append(apart.to_run)
        own.append(apart.own_to_run)
        hours.append(excess(found, known, "mean_pods"))
    assert sum(errors) < 1.15 * sum(own)
    assert abs(sum(hours) / len(hours)) < 0.02
