"""From the plan to the world."""

from planner.engine.queue import EventQueue
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.pods.pod_template import PodTemplate
from planner.simulation.compile.world import compile_plan
from planner.state.resources import CPU, MEMORY, PODS
from tests.builders import a_node_group, a_plan, a_reserve, a_workload


def test_reserved_resources_are_not_allocatable() -> None:
    group = a_node_group(reserved_cpu="100m", reserved_memory="1Gi", zone="zone-a")
    spec = compile_plan(a_plan(node_groups=(group,)), EventQueue()).node_spec_of[0]
    assert (spec.capacity[CPU], spec.allocatable[CPU]) == (4000, 3900)
    assert spec.allocatable[MEMORY] == 15 << 30
    assert spec.allocatable[PODS] == 110
    assert spec.labels["topology.kubernetes.io/zone"] == "zone-a"


def test_missing_requests_are_copied_from_limits() -> None:
    pod = PodTemplate(containers=(Container(limits=Resources(cpu="2", memory="1Gi")),))
    spec = compile_plan(a_plan(workloads=(a_workload(pod=pod),)), EventQueue()).pod_spec_of[0]
    assert (spec.request[CPU], spec.request[MEMORY]) == (2000, 1 << 30)
    assert spec.running.has_cpu_requests


def test_containers_without_requests_score_with_the_defaults_and_reserve_nothing() -> None:
    spec = compile_plan(a_plan(workloads=(a_workload(pod=PodTemplate()),)), EventQueue()).pod_spec_of[0]
    assert spec.request[CPU] == 0 and not spec.running.has_cpu_requests
    assert spec.nonzero.tolist() == [100, 200 << 20]


def test_priority_comes_from_the_class_or_the_global_default() -> None:
    classes = (
        PriorityClass(name="high", value=100, preemption_policy="Never"),
        PriorityClass(name="usual", value=7, global_default=True),
    )
    workloads = (
        a_workload("web", pod=PodTemplate(priority_class="high")),
        a_workload("batch"),
        a_workload("dns", pod=PodTemplate(priority_class="system-cluster-critical")),
    )
    plan = a_plan(workloads=workloads, priority_classes=classes, overprovisioning=(a_reserve(),))
    specs = compile_plan(plan, EventQueue()).pod_spec_of
    assert [specs[row].priority for row in range(4)] == [100, 7, 2_000_000_000, -1]
    assert [specs[row].placement.may_preempt for row in range(4)] == [False, True, True, False]


def test_huge_pages_of_a_pod_as_a_whole_are_counted() -> None:
    pod = PodTemplate(resources=Resources(extended={"hugepages-2Mi": 4 << 20}))
    cluster = compile_plan(a_plan(workloads=(a_workload(pod=pod),)), EventQueue()).cluster
    assert cluster.pod_specs[0].request[cluster.axis.index("hugepages-2Mi")] == 4 << 20
