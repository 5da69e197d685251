"""What a plan of an older version of Kubernetes, or with other feature gates, does differently."""

import pytest

from planner.api import run_plan
from planner.nodes.lifecycle.node_health import HealthSettings, NodeHealth, NodeReport, ReadyStatus
from planner.plan.checks.validate import check_plan
from planner.plan.derived.kubernetes.versions import (
    GATES,
    at_its_version,
    gate_is_on,
    older_defaults,
    scheduler_differences,
    taints_a_look_later,
)
from planner.plan.edits.autoscaler_presets import CURRENT, with_autoscaler_preset
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.plan.model.plan import Plan
from planner.plan.model.versions import FeatureGate, KubernetesVersion
from planner.units import US_PER_MIN, US_PER_S

VERSIONS = list(KubernetesVersion)


def plan_of(version="1.36", gates=(), **parts):
    return Plan.model_validate({"kubernetesVersion": version, "featureGates": dict(gates), **parts})


def defaults_of(version):
    settings = at_its_version(plan_of(version)).cluster_autoscaler
    blocks = settings.blocking_system_pod_distruption_timeout > 60 * US_PER_MIN
    return settings.expander[0], settings.frequent_loops_enabled, settings.cordon_node_before_terminating, blocks


@pytest.mark.parametrize(("version", "expected"), [
    ("1.32", (ExpanderName.RANDOM, False, False, True)),
    ("1.33", (ExpanderName.LEAST_WASTE, False, False, False)),
    ("1.34", (ExpanderName.LEAST_WASTE, False, True, False)),
    ("1.35", (ExpanderName.LEAST_WASTE, True, True, False)),
    ("1.36", (ExpanderName.LEAST_WASTE, True, True, False)),
])  # fmt: skip
def test_the_autoscaler_has_the_defaults_of_its_version(version, expected):
    assert defaults_of(version) == expected


def test_what_a_plan_sets_itself_stays_in_every_version():
    plan = plan_of("1.32", clusterAutoscaler={"expander": ["least-waste"], "frequentLoopsEnabled": True})
    settings = at_its_version(plan).cluster_autoscaler
    assert (settings.expander, settings.frequent_loops_enabled) == ((ExpanderName.LEAST_WASTE,), True)


@pytest.mark.parametrize(("gate", "on"), [
    (FeatureGate.HPA_CONFIGURABLE_TOLERANCE, "   **"),
    (FeatureGate.POD_LEVEL_RESOURCES, "  ***"),
    (FeatureGate.KUBELET_CRASH_LOOP_BACK_OFF_MAX, "   **"),
    (FeatureGate.SCHEDULER_POP_FROM_BACKOFF_Q, " ****"),
    (FeatureGate.HPA_SCALE_TO_ZERO, "     "),
    (FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS, "     "),
])  # fmt: skip
def test_gates_have_the_default_of_the_version(gate, on):
    assert [gate_is_on(plan_of(version), gate) for version in VERSIONS] == [mark == "*" for mark in on]


@pytest.mark.parametrize("gate", list(FeatureGate))
def test_a_gate_can_be_switched_in_every_version_that_has_it(gate):
    for version in VERSIONS[VERSIONS.index(GATES[gate].since) :]:
        assert gate_is_on(plan_of(version, {str(gate): True}), gate)
        assert not gate_is_on(plan_of(version, {str(gate): False}), gate)


def test_pod_level_resources_are_dropped_without_their_gate():
    pod = {"resources": {"cpu": "2"}, "limits": {"cpu": "3"}}
    plan = plan_of("1.33", workloads=[{"name": "web", "pod": pod}])
    assert at_its_version(plan).workloads[0].pod.resources.cpu is None
    assert (
        at_its_version(plan_of("1.34", workloads=[{"name": "web", "pod": pod}])).workloads[0].pod.resources.cpu == 2000
    )


def test_the_longest_restart_wait_is_honoured_since_1_35():
    size = {"cpu": "4", "memory": "8Gi"}
    pools = [{"name": "a", "kubelet": {"maxContainerRestartPeriod": "10s"}, **size}, {"name": "b", **size}]
    found = {}
    for version in ("1.34", "1.35"):
        group = at_its_version(plan_of(version, nodeGroups=pools)).node_groups[0]
        found[version] = group.kubelet.max_container_restart_period // 1_000_000
    assert found == {"1.34": 300, "1.35": 10}


@pytest.mark.parametrize(("version", "gates", "hpa", "where"), [
    ("1.36", {"HPAScaleToZer": True}, {}, "featureGates.HPAScaleToZer"),
    ("1.32", {"HPAConfigurableTolerance": True}, {}, "featureGates.HPAConfigurableTolerance"),
    ("1.36", {"HPAScaleToZero": True}, {"scaleToZero": False}, "featureGates.HPAScaleToZero"),
])  # fmt: skip
def test_wrong_gates_are_problems(version, gates, hpa, where):
    problems = list(check_plan(plan_of(version, gates, hpaController=hpa)))
    assert [problem.where for problem in problems] == [where]


NUMBERS = {"key": "slots", "operator": "Gt", "value": "100", "effect": "NoSchedule"}


def placed(gates, taint="900", **toleration):
    pool = {"name": "a", "cpu": "4", "memory": "8Gi", "maxSize": 1, "initialSize": 1}
    pool |= {"taints": [{"key": "slots", "value": taint, "effect": "NoSchedule"}]}
    pod = {"tolerations": [NUMBERS | toleration]}
    plan = plan_of("1.36", gates, nodeGroups=[pool], workloads=[{"name": "web", "pod": pod}])
    return plan.model_copy(update={"simulation": plan.simulation.model_copy(update={"duration": 60_000_000})})


def test_numbers_in_tolerations_are_compared_behind_their_gate():
    gates = {"TaintTolerationComparisonOperators": True}
    for value, node in (("900", "a-0001"), ("7", None)):
        [row] = run_plan(placed(gates, value)).pods
        assert row["node"] == node
    [problem] = check_plan(placed({}))
    assert problem.where == "workloads[0].pod.tolerations[0].operator"
    [problem] = check_plan(placed(gates, **{"value": "0100"}))
    assert problem.where == "workloads[0].pod.tolerations[0].value"


def test_the_scheduler_has_the_rules_of_its_version():
    rules = [scheduler_differences(plan_of(version)) for version in VERSIONS]
    assert [each.scores_balance_change for each in rules] == [False] * 4 + [True]
    assert [each.balances_best_effort for each in rules] == [True] + [False] * 4
    assert [each.pops_from_backoff for each in rules] == [False] + [True] * 4


def two_nodes(version):
    """Half the memory of node a is in use, b is empty; a pod without memory comes."""
    pools = [
        {"name": name, "cpu": "4", "memory": "4Gi", "maxSize": 1, "initialSize": 1, "labels": {"pool": name}}
        for name in ("a", "b")
    ]
    fixed = {"nodeSelector": {"pool": "a"}}
    old = {"name": "old", "pod": fixed | {"containers": [{"requests": {"cpu": "0", "memory": "2Gi"}}]}}
    new = {"name": "new", "pod": {"containers": [{"requests": {"cpu": "1", "memory": "1"}}]}}
    weights = [{"name": "NodeResourcesBalancedAllocation", "weight": 100}]
    scheduler = {"profiles": [{"plugins": weights}], "deterministicTies": True}
    return plan_of(version, nodeGroups=pools, workloads=[old, new], scheduler=scheduler)


def test_before_1_36_the_balance_after_placement_counts():
    """Both are equally balanced with the pod on them, but only on a this is better than without it."""
    nodes = {}
    for version in ("1.35", "1.36"):
        rows = {row["workload"]: row["node"] for row in run_plan(two_nodes(version), until_us=60_000_000).pods}
        nodes[version] = rows["new"]
    assert nodes == {"1.35": "b-0001", "1.36": "a-0001"}


def test_a_dead_node_is_tainted_a_look_later_before_1_34():
    tainted = {}
    for late in (False, True):
        health = NodeHealth(HealthSettings(taints_a_look_later=late))
        for now_s in range(0, 100, 5):
            health.look(
                now_s * US_PER_S,
                [
                    NodeReport(0, "z", ReadyStatus.TRUE if now_s < 60 else ReadyStatus.UNKNOWN, 0),
                    *(NodeReport(node, "z", ReadyStatus.TRUE, now_s * US_PER_S) for node in (1, 2, 3)),
                ],
            )
            health.work_queues(now_s * US_PER_S, lambda _node: ReadyStatus.UNKNOWN)
            if health.taints:
                tainted[late] = now_s
                break
    assert tainted == {False: 55, True: 60}
    assert [taints_a_look_later(plan_of(version)) for version in VERSIONS] == [True, True, False, False, False]


def test_a_preset_overrides_the_defaults_of_an_older_version():
    plan = with_autoscaler_preset(plan_of("1.32"), CURRENT)
    assert at_its_version(plan).cluster_autoscaler.expander == (ExpanderName.LEAST_WASTE,)
    assert with_autoscaler_preset(plan_of("1.36"), CURRENT) == plan_of("1.36")


def test_a_version_is_no_change_of_a_plan_of_today():
    plan = plan_of()
    assert at_its_version(plan) is plan
    assert older_defaults(plan) == {}


def test_defaults_of_an_older_version_are_named_in_hints():
    wheres = [hint.where for hint in find_hints(plan_of("1.32"))]
    assert "clusterAutoscaler.expander" in wheres
    assert "clusterAutoscaler.expander" not in [hint.where for hint in find_hints(plan_of("1.33"))]
