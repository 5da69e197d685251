import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import PriorityTier
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaMetric
from planner.plan.model.autoscalers.hpa_metric import TargetType
from planner.plan.model.node_groups import Taint
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    PreferredNodeTerm,
    Toleration,
    TopologySpreadConstraint,
)
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.pods.pod_template import PodTemplate
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa


def places(plan):
    found = list(check_plan(plan))
    assert all(problem.problem.endswith(".") and problem.remedy for problem in found)
    return [problem.where for problem in found]


def with_pod(**settings):
    return a_plan(workloads=(a_workload(pod=a_pod(**settings)),))


def with_requirement(**settings):
    term = NodeSelectorTerm(match_expressions=(NodeSelectorRequirement(**settings),))
    return with_pod(required_node_affinity=(term,))


def requirement(key, operator, *values):
    return NodeSelectorRequirement(key=key, operator=operator, values=values)


def term_on_fields(key, operator, *values):
    return NodeSelectorTerm(match_fields=(requirement(key, operator, *values),))


def a_spread(**settings):
    given = {"max_skew": 1, "topology_key": "zone", "label_selector": LabelSelector()} | settings
    return TopologySpreadConstraint(**given)


def with_spread(**settings):
    return with_pod(topology_spread_constraints=(a_spread(**settings),))


def with_containers(*containers):
    return a_plan(workloads=(a_workload(pod=PodTemplate(containers=containers)),))


def with_group(**settings):
    return a_plan(node_groups=(a_node_group(**settings),))


def with_hpas(*hpas, **workload):
    return a_plan(workloads=(a_workload(**workload),), horizontal_pod_autoscalers=hpas)


def test_a_sensible_plan_has_no_problems():
    plan = a_plan(
        node_groups=(a_node_group(zone="a", labels={"example.com/tier": "web"}, extended={"nvidia.com/gpu": 1}),),
        priority_classes=(PriorityClass(name="high", value=10),),
        workloads=(a_workload(pod=a_pod(priority_class="high")), a_workload("agent", kind="DaemonSet")),
        overprovisioning=(a_reserve(),),
        horizontal_pod_autoscalers=(an_hpa(),),
    )
    assert places(plan) == []


POOL, HIGH = a_node_group(), PriorityClass(name="high", value=10)
DEFAULT = PriorityClass(name="one", value=1, global_default=True)
TAINT = Taint(key="a", effect="NoSchedule")


@pytest.mark.parametrize(
    ("plan", "where"),
    [
        (a_plan(node_groups=(POOL, POOL)), "nodeGroups[1].name"),
        (with_group(min_size=5, max_size=4, initial_size=4), "nodeGroups[0].minSize"),
        (with_group(max_size=4, initial_size=5), "nodeGroups[0].initialSize"),
        (with_group(reserved_cpu="4"), "nodeGroups[0].reservedCpu"),
        (with_group(reserved_memory="17Gi"), "nodeGroups[0].reservedMemory"),
        (with_group(cpu="0"), "nodeGroups[0].cpu"),
        (with_group(memory="0"), "nodeGroups[0].memory"),
        (with_group(extended={"cpu": 1}), 'nodeGroups[0].extended["cpu"]'),
        (with_group(extended={"gpu": 1}), 'nodeGroups[0].extended["gpu"]'),
        (with_group(extended={"a.b/gpu": -1}), 'nodeGroups[0].extended["a.b/gpu"]'),
        (with_group(labels={"a b": "c"}), 'nodeGroups[0].labels["a b"]'),
        (with_group(labels={"a": "c d"}), 'nodeGroups[0].labels["a"]'),
        (with_group(zone="a b"), "nodeGroups[0].zone"),
        (
            with_group(zone="a", labels={"topology.kubernetes.io/zone": "b"}),
            'nodeGroups[0].labels["topology.kubernetes.io/zone"]',
        ),
        (with_group(taints=(TAINT, TAINT)), "nodeGroups[0].taints[1]"),
        (with_group(taints=(Taint(key="-", effect="NoExecute"),)), "nodeGroups[0].taints[0].key"),
        (a_plan(priority_classes=(HIGH, HIGH)), "priorityClasses[1].name"),
        (a_plan(priority_classes=(PriorityClass(name="system-x", value=1),)), "priorityClasses[0].name"),
        (
            a_plan(priority_classes=(DEFAULT, DEFAULT.model_copy(update={"name": "two"}))),
            "priorityClasses[1].globalDefault",
        ),
        (a_plan(workloads=(a_workload(), a_workload())), "workloads[1].name"),
        (a_plan(overprovisioning=(a_reserve("web"),)), "overprovisioning[0].name"),
        (
            a_plan(
                overprovisioning=(a_reserve(pod=a_pod(priority_class="high")),),
                priority_classes=(HIGH,),
            ),
            "overprovisioning[0].pod.priorityClass",
        ),
        (with_pod(priority_class="hihg"), "workloads[0].pod.priorityClass"),
        (with_pod(labels={"-a": "x"}), 'workloads[0].pod.labels["-a"]'),
        (with_pod(node_selector={"a": "-"}), 'workloads[0].pod.nodeSelector["a"]'),
        (with_containers(Container(), Container()), "workloads[0].pod.containers[1].name"),
        (
            with_containers(Container(requests=Resources(cpu="2"), limits=Resources(cpu="1"))),
            "workloads[0].pod.containers[0].requests.cpu",
        ),
        (
            with_containers(Container(requests=Resources(memory="2Gi"), limits=Resources(memory="1Gi"))),
            "workloads[0].pod.containers[0].requests.memory",
        ),
        (
            with_containers(
                Container(requests=Resources(extended={"a.b/c": 1}), limits=Resources(extended={"a.b/c": 2}))
            ),
            'workloads[0].pod.containers[0].requests.extended["a.b/c"]',
        ),
        (
            with_requirement(key="a", operator="In"),
            "workloads[0].pod.requiredNodeAffinity[0].matchExpressions[0].values",
        ),
        (
            with_requirement(key="a", operator="Exists", values=("b",)),
            "workloads[0].pod.requiredNodeAffinity[0].matchExpressions[0].values",
        ),
        (
            with_requirement(key="a", operator="Gt", values=("many",)),
            "workloads[0].pod.requiredNodeAffinity[0].matchExpressions[0].values",
        ),
        (
            with_pod(required_node_affinity=(term_on_fields("spec.name", "In", "a"),)),
            "workloads[0].pod.requiredNodeAffinity[0].matchFields[0].key",
        ),
        (
            with_pod(required_node_affinity=(term_on_fields("metadata.name", "Exists", "a"),)),
            "workloads[0].pod.requiredNodeAffinity[0].matchFields[0].operator",
        ),
        (
            with_pod(required_node_affinity=(term_on_fields("metadata.name", "In", "a", "b"),)),
            "workloads[0].pod.requiredNodeAffinity[0].matchFields[0].values",
        ),
        (
            with_pod(preferred_node_affinity=(PreferredNodeTerm(weight=0, preference=NodeSelectorTerm()),)),
            "workloads[0].pod.preferredNodeAffinity[0].weight",
        ),
        (with_spread(topology_key="-"), "workloads[0].pod.topologySpreadConstraints[0].topologyKey"),
        (
            with_spread(min_domains=2, when_unsatisfiable="ScheduleAnyway"),
            "workloads[0].pod.topologySpreadConstraints[0].minDomains",
        ),
        (
            with_spread(match_label_keys=("a",), label_selector=None),
            "workloads[0].pod.topologySpreadConstraints[0].matchLabelKeys",
        ),
        (
            with_spread(label_selector=LabelSelector(match_labels={"a": "-"})),
            'workloads[0].pod.topologySpreadConstraints[0].labelSelector.matchLabels["a"]',
        ),
        (
            with_spread(label_selector=LabelSelector(match_expressions=(requirement("a", "Gt", "1"),))),
            "workloads[0].pod.topologySpreadConstraints[0].labelSelector.matchExpressions[0].operator",
        ),
        (
            with_pod(topology_spread_constraints=(a_spread(), a_spread(max_skew=2))),
            "workloads[0].pod.topologySpreadConstraints[1]",
        ),
        (with_pod(tolerations=(Toleration(),)), "workloads[0].pod.tolerations[0].key"),
        (
            with_pod(tolerations=(Toleration(key="a", operator="Exists", value="b"),)),
            "workloads[0].pod.tolerations[0].value",
        ),
        (with_hpas(an_hpa("wbe")), "horizontalPodAutoscalers[0].scaleTarget"),
        (
            a_plan(
                workloads=(a_workload(), a_workload("api")),
                horizontal_pod_autoscalers=(an_hpa(), an_hpa("api", name="web")),
            ),
            "horizontalPodAutoscalers[1].name",
        ),
        (with_hpas(an_hpa(), an_hpa(name="other")), "horizontalPodAutoscalers[1].scaleTarget"),
        (with_hpas(an_hpa(), kind="DaemonSet"), "horizontalPodAutoscalers[0].scaleTarget"),
        (with_hpas(an_hpa(namespace="shop")), "horizontalPodAutoscalers[0].scaleTarget"),
        (with_hpas(an_hpa(), pod=a_pod(cpu=None)), "workloads[0].pod.containers[0].requests.cpu"),
        (
            a_plan(
                cluster_autoscaler=ClusterAutoscalerSettings(
                    initial_node_group_backoff_duration="1h", max_node_group_backoff_duration="30m"
                )
            ),
            "clusterAutoscaler.initialNodeGroupBackoffDuration",
        ),
        (
            a_plan(
                cluster_autoscaler=ClusterAutoscalerSettings(
                    priority_expander=(PriorityTier(priority=1), PriorityTier(priority=1))
                )
            ),
            "clusterAutoscaler.priorityExpander[1].priority",
        ),
        (
            a_plan(simulation=SimulationSettings(duration="366d", load_step="100ms")),
            "simulation.loadStep",
        ),
        (
            a_plan(cluster_autoscaler=ClusterAutoscalerSettings(scan_interval="0.001ms")),
            "clusterAutoscaler.scanInterval",
        ),
        (
            a_plan(workloads=(a_workload(replicas=200_000), a_workload("b", replicas=200_000))),
            "workloads[1].replicas",
        ),
        (
            a_plan(node_groups=tuple(a_node_group(n, initial_size=15_000, max_size=15_000) for n in ("a", "b"))),
            "nodeGroups",
        ),
        (
            a_plan(node_groups=tuple(a_node_group(n, memory="16Pi", max_size=15_000) for n in "abcde")),
            "nodeGroups",
        ),
        (a_plan(schema_version=7), "schemaVersion"),
    ],
)
def test_values_that_do_not_fit_together_are_reported_at_their_place(plan, where):
    assert where in places(plan)
    assert len(places(plan)) == 1


def test_a_reference_to_nothing_suggests_what_may_be_meant():
    problem = next(check_plan(with_hpas(an_hpa("wbe"))))
    assert problem.remedy == 'Did you mean "web"?'


def test_an_autoscaler_on_cpu_per_pod_needs_no_request():
    metric = HpaMetric(target_type=TargetType.AVERAGE_VALUE, average_value="200m")
    assert places(with_hpas(an_hpa(metrics=(metric,)), pod=a_pod(cpu=None))) == []


def test_a_limit_stands_in_for_a_request():
    containers = (Container(limits=Resources(cpu="1")),)
    assert places(with_hpas(an_hpa(), pod=PodTemplate(containers=containers))) == []


def test_the_classes_of_kubernetes_are_known():
    assert places(with_pod(priority_class="system-node-critical")) == []


def test_all_problems_are_reported_at_once():
    plan = a_plan(node_groups=(POOL, a_node_group(min_size=3, max_size=2)), overprovisioning=(a_reserve("web"),))
    assert places(plan) == ["nodeGroups[1].name", "nodeGroups[1].minSize", "overprovisioning[0].name"]


def test_a_plan_may_have_more_than_five_thousand_workloads():
    one = a_workload()
    plan = a_plan(workloads=tuple(one.model_copy(update={"name": f"w-{n}"}) for n in range(5_001)))
    assert not places(plan)
