"""Machines of the catalogue as node pools: what the nodes then have, and what the user entered stays."""

import pytest

from planner.api import run_plan
from planner.plan.checks.validate import check_plan
from planner.plan.derived.fits import pod_cpu_milli
from planner.plan.edits.machine_catalogue import find_machine, machine_catalogue
from planner.plan.edits.machines import with_machine_at, with_new_pool
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.kubelet import KubeletSettings, ReservationPreset
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL, ZoneMode
from planner.plan.model.pricing import Market, Pricing
from tests.builders import a_node_group, a_plan, a_pod, a_workload

CATALOGUE = machine_catalogue()
GIB = 1 << 30


def chosen(plan, name, **more):
    return with_machine_at(plan, 0, find_machine(CATALOGUE, name), CATALOGUE, **more).node_groups[0]


def new_pool(name, **more):
    return with_new_pool(a_plan(), "fresh", find_machine(CATALOGUE, name), CATALOGUE, **more)


def test_every_machine_makes_a_pool_that_can_be_run():
    assert all(each.prices and each.prices.date and each.prices.source for each in CATALOGUE.providers)
    for machine in CATALOGUE.machines:
        plan = with_new_pool(a_plan(node_groups=(), workloads=(a_workload(),)), "pool", machine, CATALOGUE)
        pool = plan.node_groups[0]
        assert list(check_plan(plan)) == []
        assert pool.node_price == machine.price_per_hour
        assert pool.cpu > pod_cpu_milli(plan.workloads[0].pod)
        if machine.price_per_hour:
            assert not [hint for hint in find_hints(plan) if "price" in hint.where.lower()]


def test_a_spot_price_is_below_the_price_on_demand_and_names_its_source():
    for machine in CATALOGUE.machines:
        assert machine.spot_price_per_hour < (machine.price_per_hour or 1e9), machine.name
        assert not machine.spot_price_per_hour or CATALOGUE.provider_of(machine).spot_prices.source


@pytest.mark.parametrize("kind", ["general", "compute", "memory", "burstable", "gpu", "arm64"])
@pytest.mark.parametrize("provider", ["AWS", "Google Cloud", "Azure"])
def test_the_catalogue_covers_the_families_of_each_cloud(provider, kind):
    found = CATALOGUE.matching(f"{provider} {kind}")
    assert len(found) >= 2
    assert all(machine.extended for machine in found) == (kind == "gpu")


@pytest.mark.parametrize(("name", "pods"), [
    pytest.param("m6i.large", 29, id="3 interfaces of 10 addresses"),
    pytest.param("m6i.xlarge", 58, id="4 interfaces of 15 addresses"),
    pytest.param("m6i.4xlarge", 110, id="at most 110 below 30 cores"),
    pytest.param("m6i.8xlarge", 234, id="8 interfaces of 30 addresses"),
    pytest.param("e2-standard-4", 110, id="GKE"),
    pytest.param("Standard_D4s_v5", 250, id="AKS with an overlay network"),
])  # fmt: skip
def test_pods_per_node_are_those_of_the_managed_service(name, pods):
    assert find_machine(CATALOGUE, name).pods == pods


@pytest.mark.parametrize(("name", "preset", "scratch", "region", "zone", "arch"), [
    pytest.param("m6i.xlarge", "eks", 17 * GIB, "us-east-1", "us-east-1a", "amd64", id="EKS"),
    pytest.param("c4a-standard-4", "gke", 43.8 * GIB, "us-central1", "us-central1-a", "arm64", id="GKE"),
    pytest.param("Standard_D4s_v5", "aks", 111.5 * GIB, "eastus", "eastus-1", "amd64", id="AKS"),
])  # fmt: skip
def test_nodes_of_a_new_pool_have_what_nodes_of_the_managed_service_have(name, preset, scratch, region, zone, arch):
    pool = new_pool(name).node_groups[-1]
    assert pool.kubelet.preset == preset
    assert pool.ephemeral_storage == pytest.approx(scratch, rel=0.003)
    expected = {
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": arch,
        "beta.kubernetes.io/arch": arch,
        "node.kubernetes.io/instance-type": name,
        "topology.kubernetes.io/zone": zone,
        "topology.kubernetes.io/region": region,
    }
    assert expected.items() <= pool.node_labels.items()


def test_zones_can_be_given_and_say_the_region():
    one = new_pool("m6i.large", zones=("eu-west-1b",)).node_groups[-1]
    assert (one.zone, one.labels["topology.kubernetes.io/region"]) == ("eu-west-1b", "eu-west-1")
    two = new_pool("e2-standard-4", zones=("europe-west4-a", "europe-west4-b")).node_groups[-1]
    assert ([zone.name for zone in two.zones], two.zone, two.zone_mode) == (
        ["europe-west4-a", "europe-west4-b"], "", ZoneMode.PER_ZONE,
    )  # fmt: skip
    assert two.labels["topology.kubernetes.io/region"] == "europe-west4"


def test_choosing_a_machine_is_one_edit_that_leaves_the_rest_of_the_pool():
    plan = a_plan(node_groups=(a_node_group(max_size=7, zone="z", labels={"a": "b"}), a_node_group("other")))
    changed = with_machine_at(plan, 0, find_machine(CATALOGUE, "m6i.large"), CATALOGUE)
    pool = changed.node_groups[0]
    assert (pool.machine_type, pool.cpu, pool.pods, pool.price_per_hour) == ("m6i.large", 2000, 29, 0.096)
    assert (pool.max_size, pool.zone, pool.labels["a"]) == (7, "z", "b")
    assert changed.node_groups[1] is plan.node_groups[1]


def test_what_came_from_the_machine_before_goes_with_it():
    plan = new_pool("g4dn.xlarge")
    at = len(plan.node_groups) - 1
    assert plan.cluster_autoscaler.gpu_label == "k8s.amazonaws.com/accelerator"
    pool = with_machine_at(plan, at, find_machine(CATALOGUE, "m7g.large"), CATALOGUE).node_groups[at]
    fresh = new_pool("m7g.large").node_groups[-1]
    assert pool == fresh


def test_scratch_space_and_reservations_that_were_typed_stay():
    own = a_node_group(ephemeral_storage=5 * GIB, reserved_cpu=100)
    pool = chosen(a_plan(node_groups=(own,)), "m6i.large")
    assert (pool.ephemeral_storage, pool.reserved_cpu, pool.kubelet) == (5 * GIB, 100, None)
    kubelet = KubeletSettings(system_reserved_cpu=50, kube_reserved_cpu=10, disk=7 * GIB)
    kept = chosen(a_plan(node_groups=(a_node_group(kubelet=kubelet),)), "e2-medium").kubelet
    assert kept == kubelet.model_copy(update={"preset": ReservationPreset.GKE})


@pytest.mark.parametrize(("prices", "price_after"), [
    pytest.param({}, 0.096, id="without a price"),
    pytest.param({"machine_type": "m6i.xlarge", "price_per_hour": 0.192}, 0.096, id="the price of the machine before"),
    pytest.param({"machine_type": "m6i.xlarge", "price_per_hour": 0.2}, 0.2, id="a price that was typed"),
    pytest.param({"price_per_hour": 0.192}, 0.192, id="a price of no known machine"),
    pytest.param({"pricing": Pricing(spot_price_per_hour=0.05)}, 0.0, id="a spot price that was typed"),
])  # fmt: skip
def test_only_prices_that_were_not_typed_in_follow_the_machine(prices, price_after):
    plan = a_plan(node_groups=(a_node_group(**prices),))
    assert chosen(plan, "m6i.large").price_per_hour == price_after


def test_a_pool_keeps_how_it_is_paid_for_when_its_machine_changes():
    spot = Pricing(market=Market.SPOT, reclaims_per_hour=2.0)
    pool = chosen(a_plan(node_groups=(a_node_group(pricing=spot),)), "m6i.large")
    assert (pool.pricing.market, pool.pricing.reclaims_per_hour) == (Market.SPOT, 2.0)
    assert pool.node_price == find_machine(CATALOGUE, "m6i.large").spot_price_per_hour


def test_nodes_carry_their_machine_type_as_a_label_that_pods_may_ask_for():
    pools = (a_node_group("plain", initial_size=2), a_node_group("big", machine_type="m6i.xlarge"))
    pod = a_pod(node_selector={MACHINE_TYPE_LABEL: "m6i.xlarge"})
    result = run_plan(a_plan(node_groups=pools, workloads=(a_workload(pod=pod),)), until_us=1_000_000)
    assert {row["node"] for row in result.pods} == {"big-0001"}


@pytest.mark.parametrize(("selector", "runs"), [
    pytest.param({"kubernetes.io/os": "linux"}, True, id="operating system"),
    pytest.param({"beta.kubernetes.io/os": "linux"}, True, id="its former name"),
    pytest.param({"kubernetes.io/arch": "amd64"}, True, id="architecture"),
    pytest.param({"kubernetes.io/hostname": "pool-0001"}, True, id="hostname"),
    pytest.param({"failure-domain.beta.kubernetes.io/zone": "b"}, True, id="former name of the zone of one of several"),
    pytest.param({"kubernetes.io/os": "windows"}, False, id="another system"),
    pytest.param({"kubernetes.io/arch": "arm64"}, False, id="another architecture"),
])  # fmt: skip
def test_every_node_has_the_labels_that_kubelet_and_cloud_set(selector, runs):
    pool = a_node_group("pool", initial_size=2, max_size=2, zones=[{"name": "a"}, {"name": "b"}])
    plan = a_plan(node_groups=(pool,), workloads=(a_workload(pod=a_pod(node_selector=selector)),))
    assert any(row["node"] for row in run_plan(plan, until_us=1_000_000).pods) == runs


def test_labels_that_are_given_stay():
    pool = a_node_group(labels={"kubernetes.io/os": "windows", "kubernetes.io/arch": "arm64"})
    expected = {"kubernetes.io/os": "windows", "beta.kubernetes.io/os": "windows", "beta.kubernetes.io/arch": "arm64"}
    assert expected.items() <= pool.node_labels.items()


@pytest.mark.parametrize(("settings", "where"), [
    pytest.param({"machine_type": "m6i large"}, "nodeGroups[0].machineType", id="no value of a label"),
    pytest.param(
        {"machine_type": "m6i.large", "labels": {MACHINE_TYPE_LABEL: "c6i.large"}},
        f'nodeGroups[0].labels["{MACHINE_TYPE_LABEL}"]',
        id="a label that says otherwise",
    ),
])  # fmt: skip
def test_a_machine_type_must_be_fit_for_a_label(settings, where):
    assert [problem.where for problem in check_plan(a_plan(node_groups=(a_node_group(**settings),)))] == [where]
