"""Plans under faults and loads: what breaks first, when, and which variant holds."""

import pytest

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.kinds.stress.ordeals import ordeals_of, peak_us
from planner.experiments.runs import Runs
from planner.plan.model.experiments.stress import Ordeal, Stress
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.pricing import Pricing
from planner.units import US_PER_MIN
from tests.builders import a_node_group
from tests.planner.experiments.small_plans import LARGER, a_small_plan
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, pool

FULL = Variant(name="room for all", changes=("nodeGroups[pool].initialSize = 8", "nodeGroups[pool].minSize = 8",
    "nodeGroups[pool].maxSize = 9", "workloads[shop].replicas = 9"))  # fmt: skip


def stressed(plan, **settings):
    parts = {"type": "stress", "name": "stress", "seeds": 1} | settings
    return run_experiment(plan, Stress(**parts), Runs())


def rows(answer):
    return {row["name"]: row for row in answer_json(answer)["ordeals"]}


def test_each_ordeal_is_a_row_and_the_calm_one_comes_first():
    answer = stressed(a_small_plan())
    names = list(rows(answer))
    assert names[0] == "as planned"
    assert names[1:] == ["twice the load", "slow image pull", "metrics outage", "slow boot", "pool out of stock"]
    assert answer.outcomes["as planned, twice the load"][0].figures["requests_offered[shop]"].value == pytest.approx(
        2 * answer.outcomes["as planned"][0].figures["requests_offered[shop]"].value
    )


def test_the_first_break_has_its_moment_and_the_variant_that_holds_is_named():
    plan = a_small_plan(variants=(FULL,))
    answer = stressed(plan, ordeals=(Ordeal.OUT_OF_STOCK,))
    row = rows(answer)["pool out of stock"]
    first = row["variants"]["as planned"]["breaksFirst"]
    assert first["what"] == "pods without a node until the end" and 60 <= first["atS"] <= 300
    assert row["variants"]["as planned"]["alsoBreaks"] == ["the SLO of shop"]
    assert row["heldBy"] == ["room for all"]


def test_zones_and_spot_nodes_are_lost_where_the_plan_has_them():
    pools = (
        a_node_group("a", zone="east", initial_size=2, max_size=2),
        a_node_group("b", zone="west", pricing=Pricing(market="spot"), initial_size=1, max_size=3),
    )
    answer = stressed(a_small_plan(node_groups=pools), ordeals=(Ordeal.ZONE_LOST, Ordeal.SPOT_RECLAIMED))
    assert list(rows(answer))[1:] == ["zone east lost", "zone west lost", "spot reclaimed"]


@pytest.mark.parametrize(("markets", "reclaims"), [(("on-demand", "spot"), 1), (("on-demand",), 0)])
def test_pools_of_karpenter_go_through_the_same_ordeals(markets, reclaims):
    needs = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
    plan = karpenter_plan([pool(requirements=[needs])], [machine("s", 2, 0.1, markets)])
    faults = (Ordeal.ZONE_LOST, Ordeal.SPOT_RECLAIMED, Ordeal.SLOW_BOOT, Ordeal.OUT_OF_STOCK)
    names = [under.name for under in ordeals_of(plan, Stress(type="stress", name="s", ordeals=faults), US_PER_MIN)]
    expected = ["zone a lost", "zone b lost", *["spot reclaimed"] * reclaims, "slow boot", "general out of stock"]
    assert names == expected


def test_own_ordeals_are_changes_and_a_wrong_one_is_named():
    own = Variant(name="Monday", changes=("load = 1.5",))
    assert "Monday" in rows(stressed(a_small_plan(), own_ordeals=(own,)))
    wrong = Variant(name="Monday", changes=("laod = 1.5",))
    with pytest.raises(PlanProblems, match="ordeal Monday"):
        stressed(a_small_plan(), own_ordeals=(wrong,))


def test_faults_happen_when_the_load_is_highest():
    plan = a_small_plan()
    assert peak_us(plan, 5 * US_PER_MIN) == US_PER_MIN, "the load steps up after a minute"


def test_a_plan_without_anything_to_lose_says_so():
    with pytest.raises(PlanProblem, match="No ordeal"):
        stressed(a_small_plan(), ordeals=(Ordeal.SPOT_RECLAIMED,))


def test_the_same_stress_gives_the_same_json_twice():
    plan = a_small_plan(variants=(LARGER,))
    first, second = (answer_json(stressed(plan, ordeals=(Ordeal.SLOW_BOOT,))) for _ in range(2))
    assert first == second
