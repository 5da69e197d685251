"""Whether a pod would fit on an empty node of a pool, by the rules that place pods."""

import pytest

from planner.plan.derived.fits import why_not
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.pods.pod_template import PodTemplate

POOL = {"name": "pool", "cpu": "4", "memory": "8Gi"}
AFFINITY = "does not match the node affinity"


def term(operator, *values, part="matchExpressions", key="size"):
    return {"requiredNodeAffinity": [{part: [{"key": key, "operator": operator, "values": list(values)}]}]}


@pytest.mark.parametrize(
    ("pod", "pool", "reason"),
    [
        ({}, {}, None),
        ({}, {"maxSize": 0, "initialSize": 0}, "has no nodes"),
        ({"nodeSelector": {"size": "5"}}, {}, "lacks the label size=5"),
        (term("Gt", "4"), {"labels": {"size": "5"}}, None),
        (term("Gt", "5"), {"labels": {"size": "5"}}, AFFINITY),
        (term("Gt", "4"), {"labels": {"size": "5_0"}}, AFFINITY),
        (term("NotIn", "5"), {}, None),
        (term("In", "any", part="matchFields", key="metadata.name"), {}, None),
        ({"requiredNodeAffinity": [{}]}, {}, AFFINITY),
        ({}, {"taints": [{"key": "gpu", "effect": "NoSchedule"}]}, "has the taint gpu"),
        ({}, {"taints": [{"key": "gpu", "effect": "PreferNoSchedule"}]}, None),
        ({"tolerations": [{"operator": "Exists"}]}, {"taints": [{"key": "gpu", "effect": "NoExecute"}]}, None),
        ({"containers": [{"requests": {"cpu": "5"}}]}, {}, "offers 4 of the 5 CPU"),
        ({"containers": [{"requests": {"cpu": "4"}}]}, {"reservedCpu": "1"}, "offers 3 of the 4 CPU"),
        (
            {"containers": [{"requests": {"memory": "8Gi"}}]},
            {"kubelet": {"systemReservedMemory": "924Mi"}},
            "offers 7Gi of the 8Gi memory",
        ),
        ({"containers": [{"requests": {"cpu": "4"}}]}, {"kubelet": {"evictionHard": {"disk": "1%"}}}, None),
    ],
)
def test_the_first_reason_against_a_pool(pod, pool, reason):
    assert why_not(PodTemplate.model_validate(pod), NodeGroup.model_validate(POOL | pool)) == reason
