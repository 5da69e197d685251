"""Plans over a space: tables, curves, heat maps, and which number matters."""

import pytest

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.kinds.vary.vary import vary_count
from planner.experiments.runs import Runs
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import SimulationSettings
from tests.planner.experiments.small_plans import a_small_plan

BRIEF = SimulationSettings(duration="90s", seed=11)
SIZE, LOAD = "nodeGroups[pool].initialSize = 1..3:1", "load = 0.5, 1"


def experiment(*over, **settings):
    return Vary(**{"type": "vary", "name": "vary", "seeds": 1, "over": over} | settings)


def varied(*over, **settings):
    return answer_json(run_experiment(a_small_plan(simulation=BRIEF), experiment(*over, **settings), Runs()))


def test_over_a_space_the_uncertain_input_that_matters_most_is_named_from_eight_seeds_on():
    inputs = ("load ~ uniform(0.5, 1.5)", "nodeGroups[pool].provisioningDelay ~ interval(60s, 3m)")
    plan = a_small_plan(simulation=BRIEF, uncertain_inputs=inputs)
    few, many = (
        run_experiment(plan, experiment(SIZE, seeds=seeds, figures=("requests_offered[shop]",)), Runs())
        for seeds in (7, 12)
    )
    assert not few.more["influence"] and any("8 seeds" in note for note in few.notes)
    assert many.more["influence"]["requests_offered[shop]"][0]["path"] == "load"
    assert "depends most on load" in many.sentence and not many.notes


def test_a_grid_has_all_combinations_with_curves_and_a_heat_map():
    found = varied(SIZE, LOAD, figures=("cost",), seeds=2)
    assert [row["values"] for row in found["points"]][:2] == [
        {"nodeGroups[pool].initialSize": "1", "load": "0.5"},
        {"nodeGroups[pool].initialSize": "1", "load": "1"},
    ]
    means = [row["figures"]["cost"] for row in found["points"]]
    assert len(means) == 6
    assert found["heatMap"]["figures"]["cost"] == [means[0::2], means[1::2]], "a row per load, a column per size"
    by_size, by_load = found["curves"]["cost"]
    assert by_size["points"][0]["mean"] == pytest.approx((means[0] + means[1]) / 2)
    assert [point["value"] for point in by_load["points"]] == ["0.5", "1"]
    assert found["answer"].startswith("Over 6 points cost goes from")


def test_values_are_written_in_the_units_of_the_file():
    found = varied("nodeGroups[pool].provisioningDelay = 60s..3m:1m")
    assert found["parameters"][0]["values"] == ["1m", "2m", "3m"]


def test_samples_of_a_space_fill_it_and_are_the_same_twice():
    space = ("nodeGroups[pool].maxSize = 3..40", "load = 0.5..1.5")
    for sampling in ("latinHypercube", "sobol"):
        first, second = (varied(*space, sampling=sampling, points=4) for _ in range(2))
        assert first == second
        loads = sorted(float(row["values"]["load"]) for row in first["points"])
        assert len(loads) == 4 and loads[0] < 0.75 < 1.25 <= loads[-1], "one value in each quarter"


def test_points_that_the_plan_refuses_are_named_and_the_others_run():
    found = varied("nodeGroups[pool].initialSize = 4, 6")
    assert [row["values"]["nodeGroups[pool].initialSize"] for row in found["points"]] == ["4"]
    assert "nodeGroups[pool].initialSize = 6" in found["notes"][0]
    assert " at the only point" in found["answer"]


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ("nodeGroups[pool].maxSiz = 1..3", "Did you mean nodeGroups.pool..maxSize"),
        ("nodeGroups[pool].maxSize = 3..1", "Write the lower value first"),
        ("nodeGroups[pool].maxSize = a..b", "not a number that fits"),
        ("nodeGroups[pool].provisioningDelay = 1..2", "not a number that fits"),
        ("nodeGroups[pool].maxSize = 1..3:0", "larger step"),
        ("nodeGroups[pool].initialSize = 6, 7", "initialSize"),
    ],
)
def test_a_space_that_does_not_fit_is_refused_with_a_cure(over, message):
    with pytest.raises((PlanProblem, PlanProblems), match=message):
        run_experiment(a_small_plan(), experiment(over), Runs())


@pytest.mark.parametrize("text", ["nodeGroups", "= 1..2", "load = 1..", "load = 1..2:", "load = 1,,2", "load = 1, 1"])
def test_a_text_that_is_no_range_is_refused_when_the_plan_is_read(text):
    with pytest.raises(ValueError, match="over"):
        experiment(text)


def test_an_unknown_figure_is_refused_with_the_nearest_one():
    with pytest.raises(PlanProblem, match="Did you mean cost"):
        varied(SIZE, figures=("costs",))


def test_the_number_of_runs_is_known_before():
    plan = a_small_plan()
    assert vary_count(plan, experiment("load = 1..1000:1", "nodeGroups[pool].maxSize = 1..1000:1")) == 1_000_000
    assert vary_count(plan, experiment(SIZE, sampling="sobol", points=50, seeds=3)) == 64 * 3


def test_the_number_that_matters_is_found_and_the_others_have_no_effect():
    over = ("load = 0.5..1.5", SIZE, "nodeGroups[pool].maxSize = 20..40")
    found = varied(*over, figures=("node_hours",), sampling="sobol", points=2, sensitivity=True, trajectories=2,
        base_samples=4)  # fmt: skip
    screening = {one["path"]: one for one in found["sensitivity"]["screening"]["node_hours"]}
    assert screening["nodeGroups[pool].maxSize"]["importance"] == 0.0
    assert list(screening)[-1] == "nodeGroups[pool].maxSize"
    sobol = {one["path"]: one["total"] for one in found["sensitivity"]["sobol"]["node_hours"]}
    assert abs(sobol["nodeGroups[pool].maxSize"]) < 1e-9 < max(sobol.values())
    tornado = found["sensitivity"]["tornado"]["node_hours"]
    assert tornado[0]["high"] != tornado[0]["low"] and tornado[-1]["path"] == "nodeGroups[pool].maxSize"
    assert "of its variance" in found["answer"]
