"""One plan under many seeds."""

import numpy as np
import pytest

from planner.errors import PlanProblems
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.experiments.variants.uncertainty import uncertain_inputs
from planner.plan.model.experiments.experiment import Replicate
from planner.simulation.run import run_plan
from tests.planner.experiments.small_plans import LARGER, a_small_plan

PLAN = a_small_plan(variants=(LARGER,))


def asked(plan=PLAN, **settings):
    return run_experiment(plan, Replicate(**{"type": "replicate", "name": "q", "seeds": 10} | settings), Runs())


@pytest.fixture(scope="module")
def answer():
    return asked()


def test_the_mean_is_that_of_the_runs(answer):
    costs = [run_plan(PLAN, seed=seed).figures["cost"].value for seed in answer.seeds]
    assert answer.seeds == tuple(range(11, 21))
    assert answer.figures["cost"].variants["as planned"].mean == pytest.approx(np.mean(costs))


def test_the_probability_that_an_slo_is_broken_has_an_interval_and_a_worst_seed(answer):
    slo = answer.slos["shop"]
    runs = {seed: run_plan(PLAN, seed=seed) for seed in answer.seeds}
    share = slo.broken["as planned"]
    assert share.mean == np.mean([bool(run.slo_missed) for run in runs.values()])
    assert 0.0 <= share.low <= share.mean <= share.high <= 1.0
    kept = {seed: run.figures["slo_attainment[shop]"].value for seed, run in runs.items()}
    assert kept[slo.worst_seed["as planned"]] == min(kept.values())


def test_bands_hold_the_middle_of_the_runs(answer):
    band = answer.bands["replicas_ready_count[shop]"]["as planned"]
    assert len(band.middle) == len(answer.band_time_us)
    assert (band.low <= band.middle).all() and (band.middle <= band.high).all()


def test_a_variant_is_replicated_by_its_name():
    assert asked(variant="larger").variants[0].name == "larger"


def test_the_uncertain_input_that_matters_most_is_named():
    plan = a_small_plan(
        uncertain_inputs=("load ~ uniform(0.5, 1.5)", "nodeGroups[pool].provisioningDelay ~ interval(60s, 3m)")
    )
    found = asked(plan, seeds=16, figures=("requests_offered[shop]",))
    assert found.more["influence"]["requests_offered[shop]"][0]["path"] == "load"
    assert "depends most on load" in found.sentence


@pytest.mark.parametrize(("text", "low", "high"), [
    ("load ~ normal(1, 0.1)", 0.6, 1.4),
    ("load ~ lognormal(1, 0.1)", 0.6, 1.6),
    ("load ~ uniform(0.5, 1.5)", 0.5, 1.5),
    ("nodeGroups[pool].provisioningDelay ~ uniform(60s, 3m)", 60e6, 180e6),
    ("nodeGroups[pool].maxSize ~ samples(3, 4, 5)", 3.0, 5.0),
])  # fmt: skip
def test_a_seed_draws_the_same_number_whatever_else_is_drawn(text, low, high):
    alone = uncertain_inputs(a_small_plan(uncertain_inputs=(text,)))[0]
    other = uncertain_inputs(a_small_plan(uncertain_inputs=("nodeGroups[pool].maxSize ~ normal(4, 1)", text)))[1]
    drawn = [alone.drawn(seed) for seed in range(200)]
    assert drawn == [other.drawn(seed) for seed in range(200)]
    assert low <= min(drawn) < max(drawn) <= high


def test_nine_in_ten_draws_are_within_the_ends_of_an_interval():
    one = uncertain_inputs(a_small_plan(uncertain_inputs=("load ~ interval(0.8, 1.3)",)))[0]
    inside = [0.8 <= one.drawn(seed) <= 1.3 for seed in range(2_000)]
    assert 0.88 <= np.mean(inside) <= 0.92


@pytest.mark.parametrize(("text", "problem"), [
    ("nodeGroups[pol].maxSize ~ normal(4, 1)", "Did you mean nodeGroups[pool].maxSize?"),
    ("nodeGroups[pool].provisioningDelay ~ normal(soon, 1s)", "is not a number that fits here"),
    ("load ~ uniform(2, 1)", "not below the second"),
    ("load ~ lognormal(0, 1)", "above 0"),
])  # fmt: skip
def test_an_uncertain_input_that_does_not_fit_is_refused(text, problem):
    with pytest.raises(PlanProblems) as refused:
        asked(a_small_plan(uncertain_inputs=(text,)))
    assert problem in str(refused.value)
