"""Autoscalers at rest are read together, with the figures that each would have found alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.hpa.controller.together import ReadTogether
from planner.hpa.metrics.metric_reader import CountedPods
from planner.hpa.rules.pod_evaluation import SteadyPods, evaluate_steady
from planner.hpa.rules.replica_calculator import Tolerance
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType

TOLERANCES = Tolerance(0.1, 0.1), Tolerance(0.0, 0.25)
POD_MILLI = 400
autoscalers = st.lists(
    st.tuples(st.integers(1, 6), st.integers(1, 120), st.sampled_from(TOLERANCES), st.integers(0, 800)),
    min_size=1,
    max_size=6,
)


@given(autoscalers)
def test_what_is_read_together_is_what_each_would_propose(found) -> None:
    together, alone, first = ReadTogether(len(found)), [], 0
    usage = np.concatenate([np.full(pods, milli, np.int64) for pods, _, _, milli in found])
    for at, (pods, target, tolerance, milli) in enumerate(found):
        rows = np.arange(first, first + pods)
        first += pods
        together.join(at, CountedPods(rows, pods * POD_MILLI), pods, target, tolerance, version=7)
        metric = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, target)
        alone.append(evaluate_steady(metric, SteadyPods(0, pods, pods * POD_MILLI), pods * milli, pods, tolerance))
    sizes, versions = np.array([pods for pods, *_ in found]), np.full(len(found), 7)
    read = together.read(usage, np.ones(len(found), np.bool_), sizes, versions)
    within = [one[2].within(proposal.ratio) for one, proposal in zip(found, alone, strict=True)]
    assert read == [(at, found[at][0], proposal.utilization_pct) for at, proposal in enumerate(alone) if within[at]]
    for at, proposal in enumerate(alone):
        taken = together.take(at)
        assert (taken is not None) == within[at]
        for one in taken or ():
            assert one[:4] == proposal[:4]


def _one(usage: int, size: int = 2, version: int = 3, asked: bool = True) -> bool:
    together = ReadTogether(1)
    together.join(0, CountedPods(np.array([4, 1]), 1000), 2, 60, TOLERANCES[0], version=3)
    milli = np.array([0, usage, 0, 0, usage])
    return bool(together.read(milli, np.array([asked]), np.array([size]), np.array([version])))


def test_only_those_at_rest_with_the_same_pods_and_size_are_read() -> None:
    assert _one(300)
    assert not _one(400)
    assert not _one(300, size=3)
    assert not _one(300, version=4)
    assert not _one(300, asked=False)


def test_ranges_reach_from_the_lowest_to_the_highest_ratio_since_they_were_taken() -> None:
    together = ReadTogether(1)
    together.join(0, CountedPods(np.array([0]), 1000), 1, 50, TOLERANCES[0], version=1)
    for usage in (500, 480, 520, 510):
        assert together.read(np.array([usage]), np.array([True]), np.array([1]), np.array([1]))
    lowest, highest = together.take(0) or ()
    assert (lowest.ratio, highest.ratio) == (0.96, 1.04)
    assert lowest.utilization_pct == highest.utilization_pct == 51
    assert together.take(0) is None
