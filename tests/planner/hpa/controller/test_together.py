"""Autoscalers are evaluated together with the figures and reasons that each would have found alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.hpa.controller.owed import OwedEvaluations
from planner.hpa.controller.pod_slices import PodSlices
from planner.hpa.controller.shown import ShownSyncs
from planner.hpa.controller.standing import Standing
from planner.hpa.controller.together import EvaluatedTogether, FoldResult, Now
from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.metrics.pod_totals import CountedPods
from planner.hpa.rules.history import HpaMemory, Recommendation
from planner.hpa.rules.normalization import normalize
from planner.hpa.rules.pod_evaluation import SteadyPods, evaluate_steady
from planner.hpa.rules.replica_calculator import Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import DEFAULT_SCALE_DOWN, DEFAULT_SCALE_UP, BehaviorSpec, HpaSpec, MetricSpec
from planner.kernels import switch
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.units import US_PER_S

TOLERANCES = Tolerance(0.1, 0.1), Tolerance(0.0, 0.25)
POD_MILLI = 400
SETTINGS = HpaSettings(downscale_stabilization_us=45 * US_PER_S)
kernels = pytest.mark.parametrize("compiled", [False, True], ids=["numpy", "kernel"])
autoscalers = st.lists(
    st.tuples(
        st.integers(1, 9),  # pods
        st.integers(1, 120),  # target
        st.sampled_from(TOLERANCES),
        st.integers(1, 4),  # minimum
        st.integers(4, 12),  # maximum
        st.lists(st.tuples(st.integers(0, 3), st.integers(1, 12)), max_size=3),  # recommendations: syncs ago, size
        st.lists(st.integers(0, 800), min_size=3, max_size=3),  # use of a pod at three syncs
    ),
    min_size=1,
    max_size=5,
)


class Stage:
    """Autoscalers without `behavior` that have just been evaluated."""

    def __init__(self, found, compiled, behavior=None, is_at_rest=False):
        count = len(found)
        self.owed, self.shown = OwedEvaluations(count), ShownSyncs([1] * count)
        self.together = EvaluatedTogether(self.owed, self.shown, SETTINGS.downscale_stabilization_us)
        if not compiled:
            self.together._kernel = None
        self.autoscalers, self.rows, self.alone, first = [], [], [], 0
        for at, (pods, target, tolerance, least, most, history, milli) in enumerate(found):
            metric = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, target)
            spec = HpaSpec((metric,), most, least, behavior)
            hpa = TrackedAutoscaler(f"hpa-{at}", "default", at, spec, tolerance, None, 0, is_alone=True)
            rows = np.arange(first, first + pods)
            first += pods
            hpa.memory = HpaMemory(tuple(Recommendation(-ago * 15 * US_PER_S, size) for ago, size in history))
            self.autoscalers.append(hpa)
            self.rows.append(rows)
            self.evaluate_alone(at, milli[0], 0)
            self.join(at, is_at_rest)
        self.sizes, self.versions = np.array([len(rows) for rows in self.rows]), np.full(count, 7)

    def join(self, at, is_at_rest=False):
        hpa, rows = self.autoscalers[at], self.rows[at]
        pods = CountedPods(rows, len(rows) * POD_MILLI)
        self.together.join(at, hpa, pods, 7, hpa.memory.recommendations, 0, is_at_rest=is_at_rest)

    def evaluate_alone(self, at, milli, now_us):
        """The proposal, what it comes to, and whether the evaluation repeats the one before."""
        hpa, pods = self.autoscalers[at], len(self.rows[at])
        steady = SteadyPods(0, pods, pods * POD_MILLI)
        proposal = evaluate_steady(hpa.spec.metrics[0], steady, pods * milli, pods, hpa.tolerance)
        normalized = normalize(proposal.replicas, pods, hpa.spec, hpa.memory, now_us, SETTINGS)
        hpa.memory, before = normalized.memory, hpa.standing
        hpa.standing = Standing.of(pods, proposal, normalized)
        return proposal, normalized, normalized.replicas == pods and hpa.standing == before

    def evaluate(self, milli, now_us=0, asked=True):
        usage = np.concatenate([np.full(len(rows), one) for rows, one in zip(self.rows, milli, strict=True)])
        now = Now(now_us, usage, self.sizes, self.versions)
        return self.together.evaluate(np.full(len(milli), asked), now).tolist()


@kernels
@given(found=autoscalers)
def test_what_is_evaluated_together_is_what_each_would_have_found(compiled, found):
    if compiled and not switch.in_use():
        return
    stage, since = Stage(found, compiled), [0] * len(found)
    for sync in (1, 2):
        now_us, milli = sync * 30 * US_PER_S, [one[-1][sync] for one in found]
        answers = stage.evaluate(milli, now_us)
        for at, answer in enumerate(answers):
            proposal, normalized, repeats = stage.evaluate_alone(at, milli[at], now_us)
            if answer == FoldResult.UNKNOWN:  # the highest recommendation has left the window, or it differed before
                since[at] = -1
            if since[at] < 0:
                continue
            assert (answer == FoldResult.FOLDED) == repeats
            if normalized.replicas != stage.sizes[at]:
                assert answer == FoldResult.DIFFERS
                stage.together.leave(at)
                since[at] = -1
                continue
            if not repeats:
                assert answer == FoldResult.KEPT
                assert stage.together.kept(at) == (proposal, normalized._replace(memory=HpaMemory()))
            assert stage.owed.wants[at] == proposal.replicas
            assert stage.shown.values[at] == stage.shown.observed[at] == proposal.utilization_pct


def _one(compiled, usage, **changes):
    stage = Stage([(2, 50, TOLERANCES[0], 1, 10, [], [200])], compiled)
    for name, value in changes.items():
        setattr(stage, name, np.array([value]))
    return stage


@kernels
def test_only_those_with_the_same_pods_and_size_are_evaluated(compiled):
    assert _one(compiled, 200).evaluate([200]) == [FoldResult.FOLDED]
    assert _one(compiled, 200).evaluate([400]) == [FoldResult.DIFFERS]
    assert _one(compiled, 200, sizes=3).evaluate([200]) == [FoldResult.UNKNOWN]
    assert _one(compiled, 200, versions=8).evaluate([200]) == [FoldResult.UNKNOWN]
    assert _one(compiled, 200).evaluate([200], asked=False) == [FoldResult.UNKNOWN]


@kernels
def test_with_behavior_only_what_is_within_the_tolerance_is_folded(compiled):
    behavior = BehaviorSpec(DEFAULT_SCALE_UP, DEFAULT_SCALE_DOWN)
    stage = Stage([(2, 50, TOLERANCES[0], 1, 2, [], [200])], compiled, behavior, is_at_rest=True)
    assert stage.evaluate([210]) == [FoldResult.FOLDED]
    assert stage.evaluate([400]) == [FoldResult.DIFFERS]
    assert Stage([(2, 50, TOLERANCES[0], 1, 2, [], [200])], compiled, behavior).evaluate([200]) == [FoldResult.UNKNOWN]


@kernels
def test_ranges_reach_from_the_lowest_to_the_highest_since_they_were_taken(compiled):
    stage = Stage([(2, 50, TOLERANCES[0], 1, 2, [], [400])], compiled)
    for milli in (400, 500, 600):
        assert stage.evaluate([milli]) == [FoldResult.FOLDED]
        stage.owed.skip(np.array([True]), np.array([False]))
    assert stage.owed.take_repeats(0) == (3, ((2.0, 3.0), (4, 6)))
    assert stage.owed.take_repeats(0) == (0, None)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 40)), min_size=1, max_size=40))
def test_slices_hold_the_pods_that_were_put_last(puts):
    slices, known = PodSlices(6), {}
    for at, count in puts:
        known[at] = np.arange(at, at + count)
        slices.put(at, known[at])
    at, values = np.array(sorted(known)), np.arange(100) ** 2
    assert slices.sums(values, at).tolist() == [values[known[one]].sum() for one in at.tolist()]
