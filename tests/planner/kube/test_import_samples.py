"""The sample manifests, field by field."""

import pytest

from planner.kube.importer import import_paths
from planner.plan.derived.kubernetes.autoscaler_flags import settings_of
from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import Plan
from planner.plan.model.scheduler import PluginName, StrategyType
from planner.plan.model.workloads import WorkloadKind
from planner.simulation.run import run_plan
from planner.units import GIB, MIB, US_PER_MIN, US_PER_S
from tests.planner.kube.manifests import SAMPLES, losses_of


@pytest.fixture(scope="module")
def result():
    return import_paths([str(SAMPLES)])


@pytest.fixture(scope="module")
def plan(result) -> Plan:
    return result.plan


def named(items, name):
    [found] = [item for item in items if item.name == name]
    return found


def test_nodes_become_pools_by_label_and_zone(plan):
    assert [(group.name, group.zone, group.initial_size) for group in plan.node_groups] == [
        ("general-eu-a", "eu-a", 2), ("general-eu-b", "eu-b", 1), ("gpu", "", 1),
    ]  # fmt: skip


def test_a_pool_keeps_capacity_reserve_and_what_all_its_nodes_share(plan):
    general, gpu = plan.node_groups[0], plan.node_groups[2]
    assert (general.cpu, general.reserved_cpu) == (4000, 80)
    assert general.memory - general.reserved_memory == 13586508 * 1024, "the least of its nodes"
    assert general.labels["disk"] == "ssd"
    assert "kubernetes.io/hostname" not in general.labels
    assert (gpu.pods, gpu.extended, gpu.scaling.scale_down_disabled) == (58, {"nvidia.com/gpu": 4}, True)
    assert [(taint.key, taint.value) for taint in gpu.taints] == [("nvidia.com/gpu", "present")]


def test_cordoned_nodes_become_an_event(plan):
    assert [(event.type, event.node_group, event.count) for event in plan.events] == [("cordon", "general-eu-a", 1)]


def test_a_deployment_keeps_everything_a_plan_knows(plan):
    web = named(plan.workloads, "web")
    pod = web.pod
    assert (web.namespace, web.kind, web.replicas) == ("shop", WorkloadKind.DEPLOYMENT, 3)
    assert (web.update_strategy.max_surge, web.update_strategy.min_ready) == (1, 5 * US_PER_S)
    assert pod.labels == {"tier": "front"}
    assert (pod.priority_class, pod.runtime_class, pod.scheduler_name) == ("high", "sandboxed", "packer")
    assert [gate.name for gate in pod.scheduling_gates] == ["example.com/quota"]
    assert pod.required_node_affinity[0].match_expressions[0].values == ("eu-a", "eu-b")
    assert pod.preferred_node_affinity[0].weight == 10
    assert pod.required_pod_anti_affinity[0].namespace_selector.match_labels == {}, "empty chooses all"
    assert pod.preferred_pod_anti_affinity[0].weight == 5
    assert pod.topology_spread_constraints[0].label_selector.match_labels == {"app": "web"}
    assert [(one.key, one.toleration_us) for one in pod.tolerations] == [("spot", US_PER_MIN)]
    assert pod.scaling.safe_to_evict == "true"
    assert pod.scaling.local_volumes == ("cache",)
    assert (pod.termination_grace_period, pod.readiness_delay) == (45 * US_PER_S, 7 * US_PER_S)


def test_containers_keep_amounts_ports_and_images(plan):
    pod = named(plan.workloads, "web").pod
    [main] = pod.containers
    assert (main.requests.cpu, main.limits.memory, main.limits.ephemeral_storage) == (250, 512 * MIB, GIB)
    assert [port.port for port in main.host_ports] == [9100]
    assert main.image == "registry.example/shop:1.2"
    assert [(one.name, one.sidecar) for one in pod.init_containers] == [("migrate", False), ("proxy", True)]


def test_other_controllers(plan):
    stateful, agent, report = (named(plan.workloads, name) for name in ("db", "agent", "report"))
    assert (stateful.kind, stateful.replicas) == (WorkloadKind.STATEFUL_SET, 2)
    assert (stateful.stateful.start_ordinal, stateful.stateful.partition) == (1, 1)
    assert stateful.pod.zonal_claim
    assert agent.kind is WorkloadKind.DAEMON_SET
    assert [port.port for port in agent.pod.containers[0].host_ports] == [9101], "on the network of the node"
    assert (report.kind, report.replicas) == (WorkloadKind.JOB, 2)
    assert (report.job.completions, report.job.backoff_limit, report.job.active_deadline) == (4, 3, 10 * US_PER_MIN)
    assert report.pod.containers[0].requests.extended == {"nvidia.com/gpu": 1}


def test_pods_of_known_controllers_are_only_counted_and_others_keep_their_number(plan, result):
    assert named(plan.workloads, "old").replicas == 2
    assert named(plan.workloads, "debug").replicas == 1
    assert {workload.name for workload in plan.workloads} == {
        "cluster-autoscaler", "web", "db", "agent", "report", "nightly", "old", "debug",
    }  # fmt: skip
    assert ("Deployment", "pods") in losses_of(result), "one pod was seen, three are wanted"


def test_a_missing_priority_class_is_made_of_what_its_pods_carry(plan):
    assert named(plan.priority_classes, "medium").value == 500
    assert named(plan.workloads, "old").pod.priority_class == "medium"


def test_budgets_and_autoscalers(plan):
    [budget], [scaler] = plan.pod_disruption_budgets, plan.horizontal_pod_autoscalers
    assert (budget.namespace, budget.min_available, budget.unhealthy_pod_eviction_policy) == (
        "shop", "50%", "AlwaysAllow",
    )  # fmt: skip
    assert (scaler.scale_target, scaler.min_replicas, scaler.max_replicas) == ("web", 2, 30)
    assert [(metric.average_utilization, metric.metric) for metric in scaler.metrics] == [(60, ""), (None, "queue")]
    assert [(series.name, series.source.profile.rate) for series in plan.metric_series] == [("queue", 0.0)]
    assert scaler.behavior.scale_down.stabilization_window == 2 * US_PER_MIN
    assert scaler.behavior.scale_down.policies[0].value == 10
    assert scaler.behavior.scale_up.policies is None


def test_services(plan):
    [service] = plan.services
    assert (service.name, service.namespace, service.selector) == ("web", "shop", {"app": "web"})


def test_scheduler_configuration(plan):
    settings = plan.scheduler
    default, packer = settings.profiles
    assert (settings.percentage_of_nodes_to_score, settings.pod_max_backoff) == (50, 20 * US_PER_S)
    assert default.plugins == ()
    assert [(plugin.name, plugin.enabled, plugin.weight) for plugin in packer.plugins] == [
        (PluginName.NODE_RESOURCES_BALANCED_ALLOCATION, False, None), (PluginName.IMAGE_LOCALITY, True, 3),
    ]  # fmt: skip
    assert packer.scoring_strategy.type is StrategyType.MOST_ALLOCATED
    assert [(part.name, part.weight) for part in packer.scoring_strategy.resources] == [("cpu", 2), ("memory", 1)]
    assert packer.hard_pod_affinity_weight == 7


def test_flags_of_the_cluster_autoscaler(plan):
    settings = plan.cluster_autoscaler
    assert [str(name) for name in settings.expander] == ["priority", "least-waste"]
    assert settings.scale_down_unneeded_time == 5 * US_PER_MIN
    assert settings.balance_similar_node_groups
    assert settings.scale_down_utilization_threshold == 0.6
    assert settings.max_graceful_termination == 90 * US_PER_S
    assert (settings.cores_total_min, settings.cores_total_max) == (8, 200)
    assert [(tier.priority, tier.groups) for tier in settings.priority_expander] == [(10, (".*spot.*",)), (5, (".*",))]
    assert (plan.node_groups[0].min_size, plan.node_groups[0].max_size) == (1, 5)
    assert settings_of("nodes") == ()


@pytest.mark.parametrize(
    "lost",
    [
        ("Secret", ""),
        ("Deployment", "spec.template.spec.containers[].livenessProbe"),
        ("Deployment", "spec.template.spec.containers[].readinessProbe"),
        ("RuntimeClass", "scheduling"),
        ("KubeSchedulerConfiguration", "profiles[].plugins MyOwnPlugin"),
        ("Cluster Autoscaler", "--estimator"),
    ],
)
def test_what_a_plan_cannot_hold_is_reported(lost, result):
    assert lost in losses_of(result)


def test_values_to_fill_in_are_listed_for_the_user(result):
    assert any("traffic" in remark for remark in result.losses.remarks)


def test_the_plan_runs(plan):
    assert run_plan(plan, until_us=US_PER_MIN).stopped is None
    assert list(find_hints(plan))
