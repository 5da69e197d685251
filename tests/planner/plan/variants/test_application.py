"""Changes as text: what they do to a plan, and what is said of those that it refuses."""

import pytest
from hypothesis import Phase, given, settings

from planner.errors import PlanProblems
from planner.plan.edits.machine_catalogue import machine_catalogue
from planner.plan.files.io import load_plan
from planner.plan.model.experiments.variants import Variant
from planner.plan.variants.application import plan_data, with_changes, with_variant
from planner.plan.variants.between import changes_between
from planner.units import GIB
from tests.architecture.sources import PROJECT
from tests.builders import a_node_group, a_plan, an_hpa
from tests.plan_strategies import plans

BASE = a_plan(
    node_groups=(a_node_group("general", labels={"disk": "ssd"}), a_node_group("spot")),
    horizontal_pod_autoscalers=(an_hpa("web"),),
)
SHIPPED = {path.parent.name: load_plan(path) for path in sorted(PROJECT.glob("scenarios/*/plan.headroom"))}


@pytest.mark.parametrize(("change", "reached"), [
    ("nodeGroups[general].maxSize = 40", lambda plan: plan.node_groups[0].max_size == 40),
    ("nodeGroups[1].maxSize=40", lambda plan: plan.node_groups[1].max_size == 40),
    ("nodeGroups[general].cpu = 8", lambda plan: plan.node_groups[0].cpu == 8_000),
    ("nodeGroups[general].cpu = 2500m", lambda plan: plan.node_groups[0].cpu == 2_500),
    ("clusterAutoscaler.scanInterval = 30s", lambda plan: plan.cluster_autoscaler.scan_interval == 30_000_000),
    ('clusterAutoscaler.expander = ["least-nodes"]', lambda plan: plan.cluster_autoscaler.expander == ("least-nodes",)),
    ("nodeGroups[spot] = null", lambda plan: [group.name for group in plan.node_groups] == ["general"]),
    ('nodeGroups[big] = {"cpu": "64", "memory": "64Gi"}', lambda plan: plan.node_groups[2].name == "big"),
    ("nodeGroups[general].labels[disk] = null", lambda plan: plan.node_groups[0].labels == {}),
    ("nodeGroups[spot].labels[zone.io/a] = b", lambda plan: plan.node_groups[1].labels == {"zone.io/a": "b"}),
    ("workloads[web].pod.containers[0].requests.cpu = 1",
     lambda plan: plan.workloads[0].pod.containers[0].requests.cpu == 1_000),
])  # fmt: skip
def test_a_change_reaches_its_place(change, reached):
    assert reached(with_changes(BASE, [change]))


@pytest.mark.parametrize(("change", "message"), [
    ("nodeGroups[genral].maxSize = 40", "Did you mean nodeGroups[general].maxSize?"),
    ("nodeGroups[general].maxsize = 40", "Did you mean nodeGroups[general].maxSize?"),
    ("nodGroups[general].maxSize = 40", "Did you mean nodeGroups[general].maxSize?"),
    ("nodeGroups.maxSize = 40", "Choose an item: [general], [spot]."),
    ("nodeGroups[general].maxSize.x = 40", "Nothing is inside this value."),
    ("nodeGroups[7].maxSize = 40", "Choose one of general, spot."),
    ("nodeGroups[general].maxSize = -1", "The smallest value allowed is 0."),
    ("nodeGroups[general].maxSize = many", "is not a whole number"),
    ("clusterAutoscaler.scanInterval = 30", "is not a duration"),
    ("nodeGroups[gone] = null", "There is no such item to take away."),
    ("simulation.seed = 7", "The seeds are those of the experiment."),
    ("variants = []", "A variant does not change this."),
    ("load = 2", "Give a workload traffic."),
    ("workloads[web].traffic.noise.cv = 1", "Give the whole of it"),
])  # fmt: skip
def test_a_change_that_does_not_fit_is_refused_with_its_cure(change, message):
    with pytest.raises(PlanProblems, match=".*") as refused:
        with_changes(BASE, [change])
    assert message in str(refused.value)


def test_a_refused_variant_is_named():
    with pytest.raises(PlanProblems) as refused:
        with_variant(BASE, Variant(name="larger nodes", changes=("nodeGroups[general].cpu = lots",)))
    assert str(refused.value).startswith("variant larger nodes: ")


def test_load_multiplies_the_traffic_of_all_workloads_or_of_one():
    plan = SHIPPED["flash-sale"]
    for path in ("load", "load[shop]"):
        profile = with_changes(plan, [f"{path} = 2", f"{path} = 1.5"]).workloads[1].traffic.profile
        assert (profile.type, profile.factor, profile.profile.type) == ("scale", 3.0, "spike")


@pytest.mark.parametrize("before", SHIPPED)
def test_the_changes_between_two_plans_lead_from_one_to_the_other(before):
    for after in SHIPPED.values():
        reached = with_changes(SHIPPED[before], changes_between(SHIPPED[before], after))
        assert run_parts(reached) == run_parts(after)


@settings(max_examples=25, deadline=None, phases=(Phase.explicit, Phase.generate))
@given(plans(), plans())
def test_the_changes_between_any_two_plans_lead_from_one_to_the_other(before, after):
    try:
        reached = with_changes(before, changes_between(before, after))
    except PlanProblems as refused:
        pytest.fail(str(refused))
    assert run_parts(reached) == run_parts(after)


def run_parts(plan):
    """What a run depends on, with every value written out."""
    data = plan.model_dump(mode="json", by_alias=True)
    data["simulation"].pop("seed")
    return {
        key: part
        for key, part in data.items()
        if key not in ("name", "notes", "measured", "variants", "experiments", "uncertainInputs")
    }


def test_variants_and_experiments_stay_out_of_what_a_run_depends_on():
    plan = BASE.model_copy(update={"variants": (Variant(name="a"),), "uncertain_inputs": ("load ~ uniform(1, 2)",)})
    assert "variants" not in plan_data(plan)
    assert with_changes(plan, ()) == with_changes(BASE, ())


PRICED = a_plan(node_groups=(a_node_group("general", price_per_hour=9.0, labels={"disk": "ssd"}), a_node_group("spot")))


def test_a_machine_changes_all_that_its_nodes_have():
    pool = with_changes(PRICED, ["machine[general] = m5.xlarge", "nodeGroups[general].maxSize = 7"]).node_groups[0]
    known = machine_catalogue().named("m5.xlarge")
    assert (pool.machine_type, pool.cpu, pool.memory, pool.pods) == (known.name, 4_000, 16 * GIB, known.pods)
    assert pool.node_price == known.price_per_hour > 0.0
    assert pool.labels["disk"] == "ssd" and pool.labels["kubernetes.io/arch"] == "amd64"
    assert pool.max_size == 7
    own = with_changes(PRICED, ["machine[general] = m5.xlarge", "nodeGroups[general].pricePerHour = 0.1"])
    assert with_changes(own, ["machine[general] = m5.xlarge"]).node_groups[0].node_price == 0.1, "its own price stays"


@pytest.mark.parametrize(("change", "message"), [
    ("machine[genral] = m5.large", "Did you mean machine[general]?"),
    ("machine = m5.large", "Write machine[general] = m5.large."),
    ("machine[general] = m5.lagre", "Did you mean m5.large?"),
    ("machine[general] = null", "is not in the machine catalogue"),
])  # fmt: skip
def test_a_machine_that_is_not_there_is_refused_with_the_nearest(change, message):
    with pytest.raises(PlanProblems) as refused:
        with_changes(PRICED, [change])
    assert message in str(refused.value)


def test_a_machine_without_a_price_in_the_plans_currency_cannot_be_compared():
    plan = PRICED.model_copy(update={"costs": PRICED.costs.model_copy(update={"currency": "SEK"})})
    with pytest.raises(PlanProblems, match="no price for m5.large in SEK"):
        with_changes(plan, ["machine[general] = m5.large"])
