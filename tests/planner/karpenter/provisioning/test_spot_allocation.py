"""Which of several spot machines is bought."""

import pytest

from planner.plan.hints.node_autoscalers.karpenter import karpenter_hints
from tests.planner.karpenter.karpenter_plans import karpenter_plan, machine, machines_of, pool, run

BOTH = {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"]}
MARKETS = ("on-demand", "spot")


def plan_with(scores, allocation="priceCapacityOptimized"):
    """Machines of 4, 8 and 16 cores; spot costs a third, so that the largest costs more than the smallest on demand."""
    machines = [machine(f"m{cores}", cores, 0.05 * cores, MARKETS) for cores in (4, 8, 16)]
    for each, score in zip(machines, scores, strict=True):
        for offering in each["offerings"]:
            offering["capacityScore"] = score
    return karpenter_plan([pool(requirements=[BOTH])], machines, karpenter={"spotAllocation": allocation})


@pytest.mark.parametrize(
    ("allocation", "scores", "bought"),
    [
        ("lowestPrice", (1, 9, 9), "m4"),
        ("priceCapacityOptimized", (1, 9, 9), "m8"),
        ("priceCapacityOptimized", (5, 5, 5), "m4"),
        ("priceCapacityOptimized", (1, 5, 9), "m8"),
    ],
    ids=["the cheapest", "the cheapest of the roomiest", "equal scores", "no spot dearer than on demand"],
)
def test_spot_is_bought_by_price_among_the_offerings_with_the_most_capacity(allocation, scores, bought):
    sim = run(plan_with(scores, allocation), 120)
    assert machines_of(sim) == [bought]


@pytest.mark.parametrize(("scores", "is_hinted"), [((7, 7, 7), True), ((7, 8, 9), False)])
def test_scores_that_do_not_differ_get_a_hint(scores, is_hinted):
    hints = [hint.where for hint in karpenter_hints(plan_with(scores))]
    assert ("karpenter.spotAllocation" in hints) is is_hinted
