"""Karpenter in runs: launches, consolidation, budgets, expiry, refusals."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from planner.record.decisions import Actor, Verdict
from planner.record.details.karpenter import NodeDisruption
from planner.record.text.explain import why
from planner.simulation.run import run_plan
from planner.state.nodes import NONE
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, machines_of, names_of, pool, run
from tests.planner.nodes.small_plan import a_group, a_workload, decisions_of, seconds

K = Actor.KARPENTER
NIGHT = {"nodes": 0, "schedule": "0 0 * * *"}
MEDIUM = {"machineType": "medium", "zone": "a"}


def scaled(at: str, replicas: int) -> dict:
    return {"type": "setReplicas", "at": at, "workload": "web", "replicas": replicas}


def test_pods_without_room_get_the_cheapest_machine_that_holds_them_all():
    sim = run(karpenter_plan(), 300)
    assert machines_of(sim) == ["medium"]
    [launch] = decisions_of(sim, K, Verdict.LAUNCHED)
    assert launch.time_us == 1_000_000, "the batch closes a second after the last pod"
    assert why(launch) == "Launched medium (on-demand, a) for 4 pods with 4 CPU: at 0.2 an hour the cheapest of 2 types"
    assert "at $0.2 an hour" in why(launch, "USD")
    assert (sim.cluster.pods.node != NONE).all()


def test_a_batch_waits_for_pods_that_keep_coming():
    late = [{**a_workload(f"late-{n}", 1), "kind": "Deployment"} for n in range(3)]
    events = [{"type": "createWorkload", "at": f"{n + 0.5}s", "workload": f"late-{n}"} for n in range(3)]
    sim = run(karpenter_plan(workloads=[a_workload("web", 4), *late], events=events), 20)
    assert seconds(decisions_of(sim, K, Verdict.LAUNCHED)) == [3.5]


def test_a_node_without_pods_goes_after_the_wait_for_its_validation():
    sim = run(karpenter_plan(events=[scaled("5m", 0)]), 600)
    assert names_of(sim) == []
    [removal] = decisions_of(sim, K, Verdict.REMOVING)
    assert 300 + 15 <= removal.time_us / 1e6 <= 300 + 10 + 15 + 10
    assert "Empty (empty): deletes general-0001" in why(removal)


@pytest.mark.parametrize(
    ("disruption", "left"),
    [
        pytest.param({}, ["small"], id="the pods move to a cheaper machine"),
        pytest.param({"consolidationPolicy": "WhenEmpty"}, ["large"], id="only empty nodes go"),
        pytest.param({"consolidateAfter": None}, ["large"], id="never"),
        pytest.param({"consolidateAfter": "1h"}, ["large"], id="not so soon after the pods left"),
        pytest.param({"budgets": [{"nodes": 0}]}, ["large"], id="no budget"),
        pytest.param({"budgets": [{"nodes": 0, "reasons": ["Empty"]}]}, ["small"], id="a budget for another reason"),
        pytest.param({"budgets": [{**NIGHT, "duration": "25m"}]}, ["large"], id="not at night"),
        pytest.param({"budgets": [{**NIGHT, "duration": "6m"}]}, ["small"], id="after the night"),
    ],
)
def test_an_underused_node_is_replaced_as_its_pool_allows(disruption, left):
    plan = karpenter_plan([pool(disruption=disruption)], workloads=[a_workload("web", 7)], events=[scaled("5m", 2)])
    assert machines_of(run(plan, 1200)) == left


def test_a_pod_that_must_not_be_disrupted_keeps_its_node():
    held = a_workload("web", 7, pod={"doNotDisrupt": "true"})
    sim = run(karpenter_plan(workloads=[held], events=[scaled("5m", 2)]), 1200)
    assert machines_of(sim) == ["large"]


@pytest.mark.parametrize(("value", "left"), [("true", ["large"]), ("1h", ["small"])])
def test_an_annotation_of_the_pool_keeps_its_nodes_if_it_is_true(value, left):
    marked = pool(annotations={"karpenter.sh/do-not-disrupt": value})
    plan = karpenter_plan([marked], workloads=[a_workload("web", 7)], events=[scaled("5m", 2)])
    assert machines_of(run(plan, 1200)) == left


def test_a_taint_of_the_pool_that_is_a_start_up_taint_too_is_there_once_and_goes():
    """Key and effect tell; the node would never be initialized if the taint of the pool stayed."""
    taints = [{"key": "agent", "value": value, "effect": "NoSchedule"} for value in ("pool", "boots")]
    slow = pool(taints=taints[:1], startupTaints=taints[1:], readyDelay="30s")
    load = a_workload("web", 4, pod={"tolerations": [{"key": "agent", "operator": "Exists"}]})
    sims = [run(karpenter_plan([slow], workloads=[load]), second) for second in (75, 120)]
    assert [[taint.value for taint in sim.cluster.node_taints(0) if taint.key == "agent"] for sim in sims] == [
        ["pool"],
        [],
    ]


def test_a_budget_of_pods_without_headroom_keeps_the_node():
    budget = {"name": "web", "selector": {"matchLabels": {"app": "web"}}, "minAvailable": 2}
    plan = karpenter_plan(workloads=[a_workload("web", 7)], events=[scaled("5m", 2)], podDisruptionBudgets=[budget])
    assert machines_of(run(plan, 1200)) == ["large"]


def test_an_expired_node_is_drained_and_its_pods_get_another_one():
    sim = run(karpenter_plan([pool(expireAfter="10m")]), 1100)
    assert names_of(sim) == ["general-0002"]
    [expiry] = decisions_of(sim, K, Verdict.HAPPENED)
    assert (expiry.subject, expiry.time_us) == ("general-0001", 601_000_000)
    assert int(sim.cluster.workloads.ready[0]) == 4


def test_limits_hold_pods_back_and_say_so():
    sim = run(karpenter_plan([pool(limits={"cpu": "3"})]), 300)
    assert machines_of(sim) == ["small"]
    refused = decisions_of(sim, K, Verdict.NOT_TRIGGERED)
    assert "all available instance types exceed limits for nodepool" in why(refused[-1])


def test_the_heavier_pool_is_tried_first():
    sim = run(karpenter_plan([pool("light", weight=1), pool("heavy", weight=50)]), 120)
    assert names_of(sim) == ["heavy-0001"]


def test_a_stock_out_makes_the_next_round_take_another_offering():
    events = [{"type": "stockOut", "at": "0s", "nodeGroup": "general", "available": 0, "duration": "30s"}]
    sim = run(karpenter_plan(events=events), 300)
    assert decisions_of(sim, K, Verdict.FAILED)
    first, second = decisions_of(sim, K, Verdict.LAUNCHED)[:2]
    assert (first.details.machine, first.details.zone) != (second.details.machine, second.details.zone)
    assert int(sim.cluster.workloads.ready[0]) == 4


def test_both_autoscalers_work_side_by_side():
    own = {"key": "owner", "value": "ca", "effect": "NoSchedule"}
    rules = {"nodeSelector": {"owner": "ca"}, "tolerations": [{"key": "owner", "operator": "Exists"}]}
    fixed = a_workload("fixed", 3, pod=rules)
    group = a_group("ca", 0, labels={"owner": "ca"}, taints=[own])
    plan = karpenter_plan(nodeGroups=[group], workloads=[a_workload("web", 4), fixed])
    sim = run(plan, 400)
    assert names_of(sim) == ["general-0001", "ca-0001"]
    assert int(sim.cluster.workloads.ready.sum()) == 7


@pytest.mark.parametrize(("choice", "count"), [("none", 0), ("clusterAutoscaler", 0), ("karpenter", 1), ("byPool", 1)])
def test_the_plan_says_which_autoscaler_runs(choice, count):
    assert len(names_of(run(karpenter_plan(nodeAutoscaler=choice), 200))) == count


def test_costs_follow_the_machines():
    result = run_plan(karpenter_plan())
    hours = (1800 - 1) / 3600
    assert result.figures["cost"].value == pytest.approx(0.2 * hours, rel=1e-6)


def test_the_same_seed_gives_the_same_run():
    plan = karpenter_plan([pool(expireAfter="10m")], events=[scaled("5m", 2), scaled("8m", 9)])
    assert run_plan(plan).digest() == run_plan(plan).digest()


def reclaimed(**parts):
    """Small spot machines in two zones for one pod; the cloud takes the node after five minutes."""
    both = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
    types = [machine(name, cores, cores * 0.05, ("on-demand", "spot")) for name, cores in {"s": 2, "m": 4}.items()]
    event = {"type": "spotReclaim", "at": "5m", "nodeGroup": "general", "notice": "2m"}
    settings = {"workloads": [a_workload("web", 1)], "events": [event]}
    return karpenter_plan([pool(requirements=[both])], types, **{**settings, **parts})


def test_a_warned_spot_node_is_drained_and_its_offering_is_not_bought_for_three_minutes():
    sim = run(reclaimed(), 420)
    [warned] = decisions_of(sim, K, Verdict.HAPPENED)
    assert (warned.subject, warned.time_us, why(warned)) == (
        "general-0001",
        300_000_000,
        "NodeClaim: spot interruption",
    )
    first, second = (one.details for one in decisions_of(sim, K, Verdict.LAUNCHED))
    assert (first.machine, first.capacity_type) == (second.machine, second.capacity_type) == ("s", "spot")
    assert second.zone != first.zone, "the warned offering counts as unavailable"
    assert names_of(sim) == ["general-0002"] and int(sim.cluster.workloads.ready[0]) == 1
    old = sim.cluster.nodes
    assert int(old.delete_requested_us[0]) < 420_000_000, "drained before the cloud takes it"


def test_without_an_interruption_queue_the_pods_go_down_with_the_node():
    event = {"type": "spotReclaim", "at": "5m", "nodeGroup": "general", "notice": "2m", "drain": False}
    sim = run(reclaimed(events=[event]), 600)
    launches = seconds(decisions_of(sim, K, Verdict.LAUNCHED))
    assert launches[1] >= 420
    assert not decisions_of(sim, K, Verdict.HAPPENED)


@pytest.mark.parametrize(("market", "is_hit"), [("spot", True), ("on-demand", False)])
def test_only_spot_nodes_of_a_pool_are_reclaimed_by_its_rate(market, is_hit):
    only = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": [market]}
    types = [machine("s", 2, 0.1, ("on-demand", "spot"))]
    risky = pool(requirements=[only], spotReclaimsPerHour=30)
    sim = run(karpenter_plan([risky], types, workloads=[a_workload("web", 1)]), 1200)
    reclaims = [one for one in sim.recorder.decisions if one.actor is Actor.PLAN_EVENT]
    assert bool(reclaims) is is_hit


@pytest.mark.parametrize(("named", "taken"), [
    ([], ["general-0002"]),
    (["general-0001", "general-0002"], ["general-0002"]),
    (["general-0001"], []),
])  # fmt: skip
def test_a_reclaim_takes_spot_nodes_of_a_pool_and_leaves_those_bought_on_demand(named, taken):
    both = {"key": "karpenter.sh/capacity-type", "operator": "Exists"}
    markets = ("on-demand", "spot")
    there = [{"machineType": "s", "zone": "a", "capacityType": market} for market in markets]
    mixed = pool(requirements=[both], initialNodes=there, disruption={"consolidateAfter": None})
    event = {"type": "spotReclaim", "at": "1m", "nodeGroup": "general", "count": 9, "notice": "10s", "nodes": named}
    sim = run(karpenter_plan([mixed], [machine("s", 2, 0.1, markets)], workloads=[], events=[event]), 200)
    assert names_of(sim) == [name for name in ("general-0001", "general-0002") if name not in taken]


@pytest.mark.parametrize(("market", "hinted"), [("spot", []), ("on-demand", ["events[0].nodeGroup"])])
def test_a_reclaim_in_a_pool_without_spot_nodes_gets_a_hint(market, hinted):
    only = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": [market]}
    types = [machine("s", 2, 0.1, ("on-demand", "spot"))]
    event = {"type": "spotReclaim", "at": "5m", "nodeGroup": "general"}
    hints = karpenter_hints(karpenter_plan([pool(requirements=[only])], types, events=[event]))
    assert [hint.where for hint in hints if hint.where.startswith("events")] == hinted


@pytest.mark.parametrize(("start", "is_evicted"), [("1Gi", False), ("14Gi", False), ("16Gi", True)])
def test_pods_may_use_the_memory_of_the_machine_that_was_bought(start, is_evicted):
    hungry = a_workload("web", 1, memoryUse={"start": start})
    sim = run(karpenter_plan([pool()], [machine("medium", 4, 0.2)], workloads=[hungry]), 300)
    killed = [one for one in sim.recorder.decisions if one.actor is Actor.KUBELET]
    assert bool(killed) is is_evicted


def test_after_a_new_image_nodes_are_replaced_as_the_budgets_allow():
    large = a_workload("web", 7, pod={"terminationGracePeriod": "0s"})
    budget = {"budgets": [{"nodes": 1}]}
    event = {"type": "nodeClassChange", "at": "5m", "nodeGroup": "general"}
    types = [machine("small", 4, 0.2)]
    sim = run(karpenter_plan([pool(disruption=budget)], types, workloads=[large], events=[event]), 1500)
    before, after = ["general-0001", "general-0002"], ["general-0003", "general-0004"]
    drifted = decisions_of(sim, K, Verdict.HAPPENED)
    assert [(one.subject, why(one)) for one in drifted] == [(name, "NodeClaim: NodeClassDrift") for name in before]
    removals = decisions_of(sim, K, Verdict.REMOVING)
    assert [one.details.reason for one in removals] == ["Drifted", "Drifted"]
    assert removals[1].time_us - removals[0].time_us >= 60_000_000, "one at a time: the second waits for the first"
    assert names_of(sim) == after


@pytest.mark.parametrize(("event", "problem"), [
    ({"type": "nodeClassChange", "nodeGroup": "fixed"}, "Use a nodeUpgrade"),
    ({"type": "nodeUpgrade", "nodeGroup": "general"}, "Use a nodeClassChange"),
    ({"type": "resizePool", "nodeGroup": "general", "minSize": 0, "maxSize": 2}, "Use a nodeClassChange"),
])  # fmt: skip
def test_events_of_the_other_autoscaler_are_refused_with_the_one_to_use(event, problem):
    plan = karpenter_plan(nodeGroups=[a_group("fixed", 1)], events=[event])
    [found] = check_plan(plan)
    assert (found.where, problem in found.remedy) == ("events[0].nodeGroup", True)


def test_nodes_that_run_already_take_the_first_pods_and_are_consolidated_like_others():
    there = {"machineType": "large", "zone": "b", "count": 2}
    plan = karpenter_plan([pool(initialNodes=[there])], workloads=[a_workload("web", 7)], events=[scaled("5m", 2)])
    assert not list(check_plan(plan))
    begun = run(plan, 1)
    assert names_of(begun) == ["general-0001", "general-0002"] and machines_of(begun) == ["large", "large"]
    assert begun.cluster.node_labels(0)["topology.kubernetes.io/zone"] == "b"
    assert int(begun.cluster.workloads.ready[0]) == 7
    sim = run(plan, 1500)
    assert machines_of(sim) == ["small"]
    assert not [one for one in decisions_of(sim, K, Verdict.LAUNCHED) if one.time_us < 60_000_000]


def test_nodes_that_run_already_are_as_old_as_the_plan_says():
    there = {"machineType": "large", "zone": "a"}
    parts = {"simulation": {"duration": "30m", "initialNodeAge": "55m", "discreteRequests": False}}
    never = {"consolidateAfter": None}
    sim = run(karpenter_plan([pool(initialNodes=[there], expireAfter="1h", disruption=never)], **parts), 400)
    [expiry] = decisions_of(sim, K, Verdict.HAPPENED)
    assert (expiry.subject, expiry.time_us) == ("general-0001", 300_000_000)


@pytest.mark.parametrize(("there", "where"), [
    ({"machineType": "huge", "zone": "a"}, "machineType"),
    ({"machineType": "large", "zone": "c"}, "zone"),
    ({"machineType": "large", "zone": "a", "capacityType": "spot"}, "zone"),
])  # fmt: skip
def test_machines_that_cannot_be_had_cannot_run_already(there, where):
    [found] = check_plan(karpenter_plan([pool(initialNodes=[there])]))
    assert found.where == f"karpenter.nodePools[0].initialNodes[0].{where}"


@pytest.mark.parametrize(("parts", "reason"), [
    ({"karpenter": {"nodePools": [pool(disruption={"consolidateAfter": None})]}}, '"general" has consolidation'),
    ({"karpenter": {"nodePools": [pool(disruption={"consolidateAfter": "1h"})]}}, "within consolidateAfter"),
    ({"karpenter": {"nodePools": [pool(disruption={"budgets": [{"nodes": 0}]})]}}, "blocking budget"),
    ({"workloads": [a_workload("web", 7, pod={"doNotDisrupt": "true"})]}, "(Pod=default/web-0001)"),
    ({"karpenter": {"nodePools": [pool(annotations={"karpenter.sh/do-not-disrupt": "true"})]}}, "blocked through the"),
    ({"podDisruptionBudgets": [{"name": "web", "selector": {}, "minAvailable": "100%"}]}, "=[default/web]"),
    ({"karpenter": {"nodePools": [pool(limits={"cpu": "4"}, initialNodes=[{**MEDIUM, "count": 2}])]}, "events": []},
     "schedule, default/web-0003 => all available instance types exceed limits for nodepool; default/web-0005 =>"),
])  # fmt: skip
def test_a_node_says_once_why_it_is_still_here(parts, reason):
    plan = karpenter_plan(**{"workloads": [a_workload("web", 7)], "events": [scaled("5m", 2)], **parts})
    kept = [why(one) for one in decisions_of(run(plan, 1200), K, Verdict.UNREMOVABLE)]
    assert len([text for text in kept if reason in text]) == 1


def test_a_node_whose_pods_would_fit_where_another_starts_up_says_so():
    """The third pod gets a large machine, which is ready after 25 minutes and has room for the other two."""
    large = {"key": "node.kubernetes.io/instance-type", "operator": "In", "values": ["large"]}
    slow = pool("slow", weight=9, readyDelay="25m")
    slow["requirements"].append(large)
    there = [{"machineType": "small", "zone": "a"}]
    sim = run(karpenter_plan([pool(initialNodes=there), slow], workloads=[a_workload("web", 3)]), 600)
    assert names_of(sim) == ["general-0001", "slow-0001"]
    [kept] = [one for one in decisions_of(sim, K, Verdict.UNREMOVABLE) if one.subject == "general-0001"]
    assert "would schedule against uninitialized nodeclaim/node" in why(kept)


def test_a_launch_says_which_pools_could_not_help_and_a_removal_what_it_weighed():
    tainted = pool("apart", weight=5, taints=[{"key": "team", "effect": "NoSchedule"}])
    shrunk = [{"type": "setReplicas", "at": "10m", "workload": "web", "replicas": 1}]
    sim = run(karpenter_plan([pool(), tainted], events=shrunk))
    said = [one for one in sim.recorder.decisions if one.actor is Actor.KARPENTER]
    bought = next(one.details for one in said if one.verdict is Verdict.LAUNCHED)
    assert (bought.pool, bought.passed_over) == ("general", (("apart", "did not tolerate taint"),))
    assert [name.startswith("web-") for name in bought.first_pods] == [True] * 4
    removal = next(one.details for one in said if one.verdict is Verdict.REMOVING)
    assert isinstance(removal, NodeDisruption)
    (node,) = removal.candidates
    assert (node.name, node.pods, node.price_per_hour, node.allowed) == ("general-0001", 1, 0.2, 1)
    assert removal.options[0] == ("small", 0.1)


def test_the_cost_of_a_command_is_that_of_all_its_nodes():
    some = pool(initialNodes=[{**MEDIUM, "count": 3}], disruption={"budgets": []})
    removal = decisions_of(run(karpenter_plan([some])), K, Verdict.REMOVING)[0].details
    assert isinstance(removal, NodeDisruption) and len(removal.candidates) > 1
    assert removal.cost == sum(each.cost for each in removal.candidates)
