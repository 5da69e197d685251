"""Series belong to the workloads and pools that their labels name."""

import io

import pytest

from planner.errors import MeasuredProblem
from planner.measured.collecting import Collector
from planner.measured.formats.exposition import read_exposition
from planner.measured.owners import PlanOwners, owner_of
from planner.measured.quantities import Quantity
from planner.plan.model.workloads import Service
from tests.builders import a_node_group, a_plan, a_pod, a_workload

PLAN = a_plan(
    node_groups=(a_node_group("general"), a_node_group("general-spot")),
    workloads=(
        a_workload("shop", pod=a_pod(labels={"app": "storefront"})),
        a_workload("web"),
        a_workload("web-office", namespace="office"),
        a_workload("db", kind="StatefulSet"),
        a_workload("agent", kind="DaemonSet"),
        a_workload("api-v2"),
    ),
    services=(Service(name="front", selector={"app": "storefront"}), Service(name="web")),
)


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        pytest.param({"deployment": "shop", "namespace": "default"}, "shop", id="a deployment"),
        pytest.param({"workload": "shop"}, "shop", id="a name without a namespace"),
        pytest.param({"workload": "shop", "namespace": "office"}, "", id="in another namespace"),
        pytest.param({"workload": "web", "namespace": "office"}, "web-office", id="as an import calls the second one"),
        pytest.param({"workload": "web", "namespace": "default"}, "web", id="the first of two of one name"),
        pytest.param({"workload": "web"}, "", id="two of one name, and no namespace"),
        pytest.param({"pod": "shop-7d9c8b6f54-bcdfg", "namespace": "default"}, "shop", id="a pod of a Deployment"),
        pytest.param({"pod": "api-v2-7d9c8b6f54-bcdfg"}, "api-v2", id="a name with a dash"),
        pytest.param({"pod": "db-0"}, "db", id="a pod of a StatefulSet"),
        pytest.param({"pod": "agent-x2z4k"}, "agent", id="a pod of a DaemonSet"),
        pytest.param({"pods": "shop-7d9c8b6f54", "namespace": "default"}, "shop", id="pods of one controller"),
        pytest.param({"pod": "ksm-0", "exported_pod": "db-1", "namespace": "m", "exported_namespace": "default"}, "db",
                     id="a pod that another one tells of"),
        pytest.param({"service": "front", "namespace": "default"}, "shop", id="the workload behind a service"),
        pytest.param({"exported_service": "api-v2", "namespace": "default"}, "api-v2", id="a service of its name"),
        pytest.param({"service": "default-front-8080@kubernetes"}, "shop", id="Traefik"),
        pytest.param({"destination_workload": "shop", "destination_workload_namespace": "default"}, "shop", id="Istio"),
        pytest.param({"envoy_cluster_name": "httproute/default/shop/rule/0", "pod": "envoy-5f5f5f5f5f-x2z4k"}, "shop",
                     id="a route of Envoy Gateway, not its own pod"),
        pytest.param({"cluster_name": "outbound|80|v1|front.default.svc.cluster.local", "pod": "web-7d9c8b6f54-bcdfg"},
                     "shop", id="a service that a pod of Istio calls"),
        pytest.param({"node": "general-0003"}, "general", id="a node"),
        pytest.param({"node": "general-spot-0003"}, "general-spot", id="a node of the pool with the longer name"),
        pytest.param({"pool": "general"}, "general", id="a pool"),
        pytest.param({"instance": "10.0.0.1:80"}, "", id="nothing"),
    ],
)  # fmt: skip
def test_labels_lead_to_their_workload(labels, name):
    assert PlanOwners(PLAN).found(owner_of(labels), {}) == name


def collected(text):
    collector = Collector(PLAN, "test")
    for series in read_exposition(io.StringIO(text), "test"):
        collector.take(series)
    return collector.measured()


def test_owners_that_the_cluster_tells_are_right_where_names_mislead():
    measured = collected(
        'container_memory_working_set_bytes{namespace="default",pod="odd-name-bcdfg",container="c"} 5 60\n'
        'kube_pod_owner{namespace="default",pod="odd-name-bcdfg",owner_kind="ReplicaSet",owner_name="odd-name"} 1 60\n'
        'kube_replicaset_owner{namespace="default",replicaset="odd-name",owner_name="shop"} 1 60\n'
    )
    assert list(measured.course(Quantity.MEMORY, "shop")) == [5]


def test_nodes_are_counted_by_the_pool_that_their_labels_name():
    ready = 'kube_node_status_condition{{node="ip-{0}",condition="Ready",status="true"}} 1 60\n'
    named = 'kube_node_labels{{node="ip-{0}",label_eks_amazonaws_com_nodegroup="{1}"}} 1 60\n'
    pools = ("general", "general-spot", "general")
    text = "".join(ready.format(number) + named.format(number, pool) for number, pool in enumerate(pools))
    measured = collected(text)
    assert [list(measured.course(Quantity.NODES, pool)) for pool in ("general", "general-spot")] == [[2], [1]]


def test_requests_are_counted_once_and_by_the_point_nearest_to_the_user():
    lines = [
        f'{metric}{{{labels}}} {value} {at}\n'
        for metric, labels, rate in (
            ("http_requests_total", 'pod="shop-7d9c8b6f54-bcdfg"', 5),
            ("nginx_ingress_controller_requests", 'exported_service="front"', 3),
            ("http_requests_total", 'pod="db-0"', 2),
        )
        for at, value in ((0, 0), (60, 60 * rate), (120, 120 * rate))
    ]  # fmt: skip
    measured = collected("".join(lines))
    assert list(measured.course(Quantity.REQUESTS, "shop")) == [3, 3]
    assert list(measured.course(Quantity.REQUESTS, "db")) == [2, 2]


def test_a_name_that_two_workloads_have_is_said():
    counter = 'http_requests_total{pod="web-7d9c8b6f54-bcdfg"}'
    with pytest.raises(MeasuredProblem, match=r"pods web-7d9c8b6f54 \(several workloads have this name\)"):
        collected(f"{counter} 1 0\n{counter} 2 60\n")


@pytest.mark.parametrize(
    ("values", "problem"),
    [([5], "1 counters with a single sample, which tells no rate"), (range(20, 0, -1), "1 counters that mostly fall")],
)
def test_a_counter_that_tells_no_rate_is_said(values, problem):
    lines = [f'http_requests_total{{deployment="shop"}} {value} {60 * at}\n' for at, value in enumerate(values)]
    with pytest.raises(MeasuredProblem, match=problem):
        collected("".join(lines))


def test_what_belongs_to_nothing_is_listed():
    (note,) = collected(
        'headroom_cpu{workload="shop"} 1 60\nheadroom_cpu{workload="web"} 1 60\nheadroom_cpu{workload="gone"} 1 60\n'
    ).notes
    listed = "cpu of workload gone, cpu of workload web (several workloads have this name)"
    assert note == f"series that belong to nothing in the plan: {listed}"
