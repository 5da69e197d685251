"""Karpenter vectors in which claims are created and launched."""

import json
from typing import Any

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.lifecycle.launch import Launch, cheapest_launch, launched_labels, sent_requirements
from planner.karpenter.provider import place_pending
from planner.karpenter.provisioning.limits import NODES, exceeded
from planner.karpenter.provisioning.new_claims import NewClaim
from planner.karpenter.provisioning.scheduling_round import RoundResult, first
from planner.karpenter.topology.groups import Choice
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL
from tests.conformance.karpenter.told import Told, amounts_text, claim_expected, entries, unordered
from tests.conformance.karpenter.world import CaseCluster, by_luck

Json = dict[str, Any]
Outcome = tuple[bool, object]


class Launches:
    """Claims of a case, created in the order in which the cases name them."""

    def __init__(self, case: CaseCluster) -> None:
        self.case = case
        self.told = Told(case)

    def in_order(self, result: RoundResult) -> list[NewClaim]:
        return sorted(result.claims, key=lambda claim: json.dumps(self.told.claim(claim)))

    def sent(self, claim: NewClaim) -> list[Json]:
        sent = sent_requirements(claim, self.case.catalogue)
        return entries({key: each for key, each in sent.items() if key != MACHINE_TYPE_LABEL})

    def launch(self, claim: NewClaim) -> Launch:
        found = cheapest_launch(claim, self.case.catalogue)
        assert found is not None
        return found

    def node(self, claim: NewClaim, launch: Launch, name: str) -> NodeView:
        """The node in flight."""
        labels = launched_labels(
            claim.pool, claim.requirements, launch, launch.zones[0], self.case.catalogue.well_known, first
        )
        machine, pool = launch.instance_type, claim.pool
        return NodeView(
            name=name,
            labels=labels,
            taints=pool.taints,
            capacity=machine.capacity,
            allocatable=machine.allocatable,
            pool=pool.name,
            startup_taints=pool.startup_taints,
            is_registered=False,
            is_initialized=False,
        )


def launched_text(launch: Launch) -> Json:
    """A machine in the words of the cases."""
    return {
        "instanceType": launch.instance_type.name,
        "capacityType": launch.capacity_type,
        "price": f"{launch.price:.6f}",
    }


@by_luck
def launch_choice(case: Json, choice: Choice) -> Outcome:
    """A round whose claims are launched."""
    cluster = CaseCluster(case["input"], choice)
    launches = Launches(cluster)
    result = place_pending(cluster.view(), cluster.provider)
    got: Json = {"launches": [], "unschedulable": launches.told.unschedulable(result)}
    for claim in launches.in_order(result):
        launch = launches.launch(claim)
        got["launches"].append(
            {
                "claim": launches.told.claim(claim),
                "sent": launches.sent(claim),
                "launched": launched_text(launch),
                "zones": list(launch.zones),
            }
        )
    return any(_same(got, expected) for expected in case["expect"]["outcomes"]), got


def _same(got: Json, expected: Json) -> bool:
    launches = [{**each, "claim": claim_expected(each["claim"])} for each in expected["launches"] or ()]
    return unordered(got["launches"]) == unordered(launches) and unordered(got["unschedulable"]) == unordered(
        expected["unschedulable"] or ()
    )


@by_luck
def limits_weights(case: Json, choice: Choice) -> Outcome:
    """Rounds with launches in between."""
    cluster = CaseCluster(case["input"], choice)
    launches = Launches(cluster)
    rounds = []
    for number in range(case["input"]["rounds"]):
        result = place_pending(cluster.view(), cluster.provider)
        usage = usage_of(cluster)
        made, new = [], []
        counts: dict[str, int] = {}
        for claim in launches.in_order(result):
            pool = claim.pool
            told: Json = {"claim": launches.told.claim(claim)}
            if exceeded(pool, usage[pool.name]) is not None:
                made.append({**told, "error": "resource usage exceeds limit"})
                continue
            launch = launches.launch(claim)
            counts[pool.name] = counts.get(pool.name, 0) + 1
            name = f"{pool.name}-r{number}-{counts[pool.name]:02d}"
            new.append(launches.node(claim, launch, name))
            launched = {**launched_text(launch), "zone": launch.zones[0]}
            made.append({**told, "sent": launches.sent(claim), "launched": launched, "name": name})
        cluster.nodes += new
        rounds.append(
            {
                "existing": launches.told.existing(result),
                "launches": made,
                "unschedulable": launches.told.unschedulable(result),
                "usage": {name: {k: v for k, v in used.items() if v} for name, used in usage_of(cluster).items()},
            }
        )
    got = {"rounds": rounds}
    return any(_same_rounds(rounds, expected["rounds"]) for expected in case["expect"]["outcomes"]), got


def usage_of(cluster: CaseCluster) -> dict[str, dict[str, int]]:
    """Capacity in use by pool, with the number of nodes."""
    found: dict[str, dict[str, int]] = {}
    for pool in cluster.pools:
        own = [node for node in cluster.nodes if node.pool == pool.name and not node.is_going]
        total = {name: sum(int(node.capacity[n]) for node in own) for n, name in enumerate(cluster.axis.names)}
        found[pool.name] = {**total, NODES: len(own)}
    return found


def _same_rounds(got: list[Json], expected: list[Json]) -> bool:
    return all(_same_round(*pair) for pair in zip(got, expected, strict=True))


def _same_round(got: Json, expected: Json) -> bool:
    usage = {name: amounts_text(used) for name, used in (expected.get("usage") or {}).items()}
    return (
        got["existing"] == (expected["existing"] or {})
        and {name: used for name, used in got["usage"].items() if used}
        == {name: used for name, used in usage.items() if used}
        and _same(got, expected)
    )


FAMILIES = {"launch_choice": launch_choice, "limits_weights": limits_weights}
