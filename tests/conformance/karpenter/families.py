"""Karpenter vectors: translates the cases, calls the production rules, compares."""

from collections.abc import Callable
from typing import Any

from planner.karpenter.provider import place_pending
from planner.karpenter.topology.groups import Choice
from tests.conformance.karpenter.claims import FAMILIES as CLAIM_FAMILIES
from tests.conformance.karpenter.disruption import FAMILIES as DISRUPTION_FAMILIES
from tests.conformance.karpenter.launches import FAMILIES as LAUNCH_FAMILIES
from tests.conformance.karpenter.timeline import FAMILIES as TIMELINE_FAMILIES
from tests.conformance.karpenter.told import Told, claim_expected, unordered
from tests.conformance.karpenter.world import CaseCluster, by_luck

Json = dict[str, Any]
Outcome = tuple[bool, object]


@by_luck
def solve(case: Json, choice: Choice) -> Outcome:
    """One scheduling round."""
    cluster = CaseCluster(case["input"], choice)
    result = place_pending(cluster.view(), cluster.provider)
    told = Told(cluster)
    got = {
        "existing": told.existing(result),
        "newNodeClaims": [told.claim(claim) for claim in result.claims],
        "unschedulable": told.unschedulable(result),
    }
    return any(_same_round(got, expected) for expected in case["expect"]["outcomes"]), got


def _same_round(got: Json, expected: Json) -> bool:
    return (
        got["existing"] == expected["existing"]
        and unordered(got["newNodeClaims"]) == unordered(map(claim_expected, expected["newNodeClaims"] or ()))
        and unordered(got["unschedulable"]) == unordered(expected["unschedulable"] or ())
    )


FAMILIES: dict[str, Callable[[Json], Outcome]] = {
    "solve": solve,
    "solve_wide": solve,
    **LAUNCH_FAMILIES,
    **DISRUPTION_FAMILIES,
    **CLAIM_FAMILIES,
    **TIMELINE_FAMILIES,
}
