"""Hints on variants, uncertain inputs and experiments."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.experiments.experiment import Compare, Replicate
from planner.plan.model.experiments.variants import Variant
from tests.builders import a_plan


@pytest.mark.parametrize(("settings", "where", "words"), [
    ({"variants": (Variant(name="a", changes=("nodeGroups[pol].maxSize = 3",)),)},
     "variants[0].changes", "Did you mean nodeGroups[pool].maxSize?"),
    ({"variants": (Variant(name="a", changes=("nodeGroups[pool].maxSize = lots",)),)},
     "variants[0].changes", "is not a whole number"),
    ({"uncertain_inputs": ("nodeGroups[pol].maxSize ~ normal(3, 1)",)},
     "uncertainInputs[0]", "Did you mean nodeGroups[pool].maxSize?"),
    ({"experiments": (Compare(type="compare", name="q", variants=("larger",)),)},
     "experiments[0]", "There is no variant 'larger'."),
    ({"experiments": (Replicate(type="replicate", name="q", variant="larger"),)},
     "experiments[0]", "There is no variant 'larger'."),
])  # fmt: skip
def test_what_an_experiment_could_not_run_gives_a_hint_and_the_plan_runs_all_the_same(settings, where, words):
    plan = a_plan(**settings)
    found = [hint for hint in find_hints(plan) if hint.where == where]
    assert len(found) == 1 and words in str(found[0])
    assert not list(check_plan(plan))


@pytest.mark.parametrize("settings", [
    {"variants": (Variant(name="a"), Variant(name="a"))},
    {"experiments": (Replicate(type="replicate", name="a"), Compare(type="compare", name="a"))},
])  # fmt: skip
def test_names_are_used_once(settings):
    [problem] = check_plan(a_plan(**settings))
    assert problem.where.endswith("[1].name")
