"""Amounts of vertical autoscalers and limit ranges that contradict each other are said at the place of the value."""

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    CpuAndMemory,
    LimitRange,
    VerticalPodAutoscaler,
)
from tests.builders import a_node_group, a_plan, a_workload


def problems(**parts):
    plan = a_plan(node_groups=(a_node_group(),), workloads=(a_workload("web"),), **parts)
    return [(problem.where, problem.problem) for problem in check_plan(plan)]


def policy(least, most):
    allowed = {"min_allowed": CpuAndMemory.model_validate(least), "max_allowed": CpuAndMemory.model_validate(most)}
    policies = (ContainerResourcePolicy(**allowed),)
    return {"vertical_pod_autoscalers": (VerticalPodAutoscaler(name="web", target="web", container_policies=policies),)}


def limits(**amounts):
    given = {name: CpuAndMemory.model_validate(value) for name, value in amounts.items()}
    return {"limit_ranges": (LimitRange(name="limits", **given),)}


@pytest.mark.parametrize(
    ("parts", "found"),
    [
        (policy({"cpu": "4"}, {"cpu": "2"}), [("minAllowed.cpu", "The least (4) is above the most (2).")]),
        (
            policy({"memory": "2Gi"}, {"memory": "1Gi"}),
            [("minAllowed.memory", "The least (2Gi) is above the most (1Gi).")],
        ),
        (policy({"cpu": "2", "memory": "1Gi"}, {"cpu": "2"}), []),
        (limits(min={"cpu": "2"}, max={"cpu": "1"}), [("min.cpu", "The least (2) is above the most (1).")]),
        (
            limits(default={"cpu": "2"}, max={"cpu": "1"}),
            [("default.cpu", "The default limit (2) is above the most (1).")],
        ),
        (
            limits(default={"cpu": "1"}, min={"cpu": "2"}),
            [("min.cpu", "The least (2) is above the default limit (1).")],
        ),
        (limits(default={"cpu": "1"}, min={"cpu": "1"}, max={"cpu": "1"}), []),
    ],
)
def test_what_must_not_exceed_another_amount(parts, found):
    told = problems(**parts)
    assert [(where.split("]")[-1].removeprefix("."), problem) for where, problem in told] == found
