"""Machine types from the catalogue and from files of Karpenter's KWOK provider."""

import json

import pytest

from planner.errors import PlanFileError, PlanProblem
from planner.plan.derived.allocatable import offer_of
from planner.plan.edits.karpenter.instance_types_file import read_instance_types
from planner.plan.edits.karpenter.machine_types import with_machine_types
from planner.plan.edits.karpenter.provider_labels import provider_labels
from planner.plan.edits.machine_catalogue import machine_catalogue
from planner.plan.edits.machines import with_new_pool
from planner.plan.model.kubelet import ReservationPreset
from planner.units import GIB
from tests.builders import a_plan

CATALOGUE = machine_catalogue()


def types_of(words, **how):
    plan = with_machine_types(a_plan(), CATALOGUE.matching(words), CATALOGUE, **how)
    return {each.name: each for each in plan.karpenter.instance_types}


def test_a_type_keeps_for_the_service_what_a_node_of_its_machine_does():
    plan = with_new_pool(a_plan(), "like-it", CATALOGUE.named("m6i.xlarge"), CATALOGUE)
    kept = offer_of(plan.node_groups[-1]).reservation
    made = types_of("aws m6i")["m6i.xlarge"]
    assert (made.reserved_cpu, made.reserved_memory) == (kept["cpu"], kept["memory"])
    assert made.ephemeral_storage - made.reserved_storage == plan.node_groups[-1].ephemeral_storage


def test_a_type_is_offered_in_every_zone_in_each_market_with_a_price():
    made = types_of("aws m6i.xlarge", zones=("a", "b"))["m6i.xlarge"]
    offered = [(offer.zone, offer.capacity_type.value, offer.price) for offer in made.offerings]
    machine = CATALOGUE.named("m6i.xlarge")
    prices = (("on-demand", machine.price_per_hour), ("spot", machine.spot_price_per_hour))
    assert offered == [(zone, market, price) for zone in ("a", "b") for market, price in prices]
    azure = types_of("azure Standard_D4s_v6")["Standard_D4s_v6"]
    assert [offer.zone for offer in azure.offerings if offer.capacity_type.value == "on-demand"] == ["eastus-1"]


def test_types_that_are_there_already_are_replaced_and_lend_their_zones():
    plan = with_machine_types(a_plan(), CATALOGUE.matching("aws m6i.xlarge"), CATALOGUE, ("x", "y"))
    again = with_machine_types(plan, CATALOGUE.matching("aws m6i.x"), CATALOGUE)
    names = [each.name for each in again.karpenter.instance_types]
    assert len(names) == len(set(names))
    assert {offer.zone for each in again.karpenter.instance_types for offer in each.offerings} == {"x", "y"}


def test_prices_of_another_currency_are_refused():
    plan = a_plan(costs={"currency": "EUR"})
    with pytest.raises(PlanProblem, match="in USD, those of the plan in EUR"):
        with_machine_types(plan, CATALOGUE.matching("aws m6i"), CATALOGUE)


@pytest.mark.parametrize(("name", "service", "labels"), [
    ("c7g.2xlarge", ReservationPreset.EKS, {
        "karpenter.k8s.aws/instance-category": "c", "karpenter.k8s.aws/instance-family": "c7g",
        "karpenter.k8s.aws/instance-generation": "7", "karpenter.k8s.aws/instance-size": "2xlarge",
        "karpenter.k8s.aws/instance-cpu": "8", "karpenter.k8s.aws/instance-memory": "16384",
    }),
    ("Standard_D4s_v6", ReservationPreset.AKS, {
        "karpenter.azure.com/sku-name": "Standard_D4s_v6", "karpenter.azure.com/sku-family": "D",
        "karpenter.azure.com/sku-version": "6", "karpenter.azure.com/sku-cpu": "4",
        "karpenter.azure.com/sku-memory": "16",
    }),
    ("n2-standard-4", ReservationPreset.GKE, {}),
])  # fmt: skip
def test_providers_describe_their_types_by_labels(name, service, labels):
    assert provider_labels(CATALOGUE.named(name), service) == labels


def a_file(tmp_path, rows):
    path = tmp_path / "instance_types.json"
    path.write_text(rows if isinstance(rows, str) else json.dumps(rows), encoding="utf-8")
    return path


def a_row(**parts):
    spot = [
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot"]},
        {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["z1"]},
    ]
    offers = [
        {"Price": 0.2, "Available": True, "Requirements": spot},
        {"CapacityType": "on-demand", "Zone": "z2", "Price": 0.5, "Available": False},
    ]
    resources = {"cpu": "4", "memory": "16Gi", "ephemeral-storage": "20Gi", "nvidia.com/gpu": "1"}
    row = {"name": "m7.xlarge", "offerings": offers, "architecture": "arm64", "operatingSystems": ["linux"]}
    return {**row, "resources": resources, **parts}


def test_a_file_of_the_kwok_provider_is_read_in_both_its_forms(tmp_path):
    windows = a_row(name="w", operatingSystems=["windows"])
    [made] = read_instance_types(a_file(tmp_path, [a_row(), windows]))
    assert (made.name, made.cpu, made.memory, made.pods) == ("m7.xlarge", 4000, 16 * GIB, 110)
    assert (made.reserved_cpu, made.architecture.value, made.extended) == (100, "arm64", {"nvidia.com/gpu": 1})
    assert made.labels["karpenter.kwok.sh/instance-family"] == "m7"
    assert made.labels["karpenter.kwok.sh/instance-size"] == "xlarge"
    offers = [(each.zone, each.capacity_type.value, each.price, each.available) for each in made.offerings]
    assert offers == [("z1", "spot", 0.2, True), ("z2", "on-demand", 0.5, True)]


@pytest.mark.parametrize(("rows", "problem"), [
    pytest.param("{", "ends too early", id="no JSON"),
    pytest.param("{}", "no list of machine types", id="no list"),
    pytest.param([a_row(operatingSystems=["windows"])], "for Linux", id="only Windows"),
    pytest.param([{"name": "x"}], r"\[0\]: A machine type needs", id="no resources"),
    pytest.param([a_row(resources={"cpu": "many", "memory": "1Gi"})], r"\[0\].cpu", id="no number"),
    pytest.param([a_row(resources={"cpu": "1", "memory": "1Gi", "pods": "x"})], r"resources.pods", id="no count"),
    pytest.param([a_row(offerings=["a"])], r"offerings\[0\]: An offering needs", id="no offering"),
    pytest.param([a_row(offerings=[{"zone": "a", "price": 1}])], r"offerings\[0\].capacityType", id="no market"),
])  # fmt: skip
def test_a_bad_file_says_where_and_what(tmp_path, rows, problem):
    with pytest.raises(PlanFileError, match=problem):
        read_instance_types(a_file(tmp_path, rows))


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(PlanFileError, match="cannot be read"):
        read_instance_types(tmp_path / "none.json")
