"""The cheapest plan that keeps its SLOs, found in small plans."""

import pytest

from planner import __version__
from planner.errors import PlanProblem
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.answers.evidence import evidence
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.results.results_file import ResultsFile
from planner.experiments.runs import Runs
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import SimulationSettings
from tests.planner.experiments.small_plans import a_small_plan

KNOWN = ResultsFile(None, __version__)
"""Runs that several tests want are made once."""
BRIEF = SimulationSettings(duration="90s", seed=11)
PLAN = a_small_plan(simulation=BRIEF, horizontal_pod_autoscalers=())
SPACE = ("nodeGroups[pool].initialSize = 1..3:1", "workloads[shop].replicas = 1..7:3")


def searched(*over, **settings):
    parts = {"type": "search", "name": "search", "over": over or SPACE, "seeds": 4} | settings
    return run_experiment(PLAN, Search(**parts), Runs(results=KNOWN))


def test_the_search_finds_what_brute_force_finds():
    found = answer_json(searched())
    everything = answer_json(
        run_experiment(
            PLAN,
            Vary(type="vary", name="all", over=SPACE, seeds=4, figures=("cost", "slo_attainment[shop]")),
            Runs(results=KNOWN),
        )
    )
    good = [row for row in everything["points"] if row["figures"]["slo_attainment[shop]"] == 1.0]
    cheapest = min(good, key=lambda row: row["figures"]["cost"])
    chosen = next(row for row in everything["points"] if row["name"] == found["best"])
    assert chosen["figures"]["slo_attainment[shop]"] == 1.0
    assert chosen["figures"]["cost"] == pytest.approx(cheapest["figures"]["cost"], rel=0.01)
    assert found["answer"].startswith(f"Cheapest of 9 plans is {found['best']}: cost is ")
    assert found["runs"] < found["runsOfAll"] == 9 * 4


def test_the_front_the_regrets_and_the_clairvoyant_bound_come_with_the_best():
    found = answer_json(searched())
    costs = [one["objective"] for one in found["pareto"]]
    shares = [one["kept"] for one in found["pareto"]]
    assert costs == sorted(costs) and shares == sorted(shares) and shares[-1] == 1.0
    best = next(one for one in found["candidates"] if one["status"] == "best")
    assert 0.0 < found["clairvoyant"]["mean"] < best["objective"]
    assert {row["name"] for row in found["regret"]} >= {found["best"]}
    assert all(row["mean"] >= 0.0 for row in found["regret"])
    assert 0.0 < found["probabilityCorrect"] <= 1.0


def test_the_text_of_a_search_ends_with_the_front_the_regrets_and_the_bound():
    front, regrets, bound = evidence(searched())
    assert front.startswith("Plans that no other beats in both cost and constraints kept:\n- nodeGroups[pool]")
    assert front.endswith(", 100 %")
    assert regrets.startswith("Regret") and "$0.00 on average, $0.00 at worst; constraints missed in 0 %" in regrets
    assert bound.startswith("Had the load been known, the CPU used would have cost $0.0")


def test_without_a_good_plan_the_closest_is_named_with_what_it_lacks():
    found = answer_json(searched("load = 3, 4", "workloads[shop].replicas = 1"))
    assert found["best"] is None
    assert found["closest"]["lacks"][0].startswith("slo_attainment[shop]>=1 in 0 of ")
    assert found["answer"].startswith("None of 2 plans keeps the constraints; closest is ")


def test_the_same_search_gives_the_same_answer_twice():
    asked = Search(type="search", name="search", over=("nodeGroups[pool].initialSize = 1, 2",), seeds=2)
    first, second = (answer_json(run_experiment(PLAN, asked, Runs())) for _ in range(2))
    assert first == second


def test_an_answer_that_rests_on_too_few_runs_says_so():
    few = answer_json(searched(seeds=2, subject_to=("slo_attainment[shop]>=0.5@0.95",)))
    assert few["notes"] == [f"2 runs are too few to be sure that {few['best']} keeps its constraints: give more seeds."]
    lax = answer_json(searched(seeds=4, subject_to=("slo_attainment[shop]>=0.5@0.3",)))
    assert lax["notes"] == []


def test_a_large_space_is_sampled_and_says_so():
    found = answer_json(searched("nodeGroups[pool].maxSize = 5..1000:1", "workloads[shop].replicas = 5..9:1",
        points=4, seeds=2))  # fmt: skip
    assert len(found["candidates"]) <= 4
    assert found["notes"][0].startswith("The space has 4,980 points; 4 of them were tried")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"minimise": "costs"}, "minimise: .*Did you mean cost"),
        ({"subject_to": ("slo_attainment[shopp]>=1",)}, "subjectTo: .*Did you mean slo_attainment.shop"),
    ],
)
def test_an_unknown_figure_is_refused_with_the_nearest_one(settings, message):
    with pytest.raises(PlanProblem, match=message):
        searched(**settings)


def test_a_search_that_is_cancelled_says_that_its_figure_is_unknown_rather_than_which_plan_has_least_of_it():
    runs = Runs(cancelled=lambda: runs.made > 0)
    with pytest.raises(PlanProblem, match="Did you mean cost"):
        run_experiment(PLAN, Search(type="search", name="s", over=SPACE, minimise="costs"), runs)


@pytest.mark.parametrize("text", ["cost", "cost>1", "cost>=a", "cost<=1@2", "cost<=1@x", ">=1"])
def test_a_text_that_is_no_constraint_is_refused(text):
    with pytest.raises(ValueError, match="subject"):
        Search(type="search", name="s", over=SPACE, subject_to=(text,))


def test_a_plan_without_slo_needs_a_constraint():
    shop = a_small_plan().workloads[0].model_copy(update={"slo": None})
    plan = a_small_plan(workloads=(shop,), simulation=BRIEF)
    with pytest.raises(PlanProblem, match="no SLO"):
        run_experiment(plan, Search(type="search", name="s", over=SPACE), Runs())
