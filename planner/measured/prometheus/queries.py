"""Queries for all workloads at once, aggregated by the server so that the answers stay small."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from planner.measured.quantities import OWNER_METRICS, Quantity

_CONTAINERS = '{container!="",container!="POD"}'
_BY_PODS = "sum by (namespace, pods) ({})"
_P50, _P95 = 0.5, 0.95
_TARGET = "cluster_autoscaler_node_group_target_count"


class Query(NamedTuple):
    """A question to the server."""

    metric: str
    """The metric it is about: without it, nothing is asked."""
    text: str
    quantity: Quantity | None = None
    """What the answer says; None for series whose labels matter."""
    seldom: bool = False
    """Whether a few moments are enough."""


def queries(names: Collection[str], window: str, own_requests: str = "") -> Iterator[Query]:
    """What to ask a server that has metrics of these names. `window`: of rates, such as 2m; `own_requests`: a query."""
    if own_requests:
        yield Query("", own_requests, Quantity.REQUESTS)
    known = (
        *_OWNERS,
        *_usage(window),
        *(() if own_requests else _requests(window)),
        *_retries(window),
        *_latencies(window),
        *_in_flight(window),
    )
    yield from (query for query in known if query.metric in names)


def _of_pods(series: str) -> str:
    """Pods by their name without what differs among those of a controller, so that pods may come and go."""
    return f'label_replace({series}, "pods", "$1", "pod", "(.*)-[^-]+")'


_OWNERS = (
    Query(OWNER_METRICS[0], f"group by (namespace, pods, owner_name) ({_of_pods('kube_pod_owner')})", seldom=True),
    Query(OWNER_METRICS[1], "group by (namespace, replicaset, owner_name) (kube_replicaset_owner)", seldom=True),
    Query(OWNER_METRICS[2], "kube_node_labels", seldom=True),
)


def _usage(window: str) -> tuple[Query, ...]:
    def used(metric: str, quantity: Quantity) -> Query:
        return Query(metric, _BY_PODS.format(_of_pods(f"rate({metric}{_CONTAINERS}[{window}])")), quantity)

    memory = "container_memory_working_set_bytes"
    ready = 'kube_node_status_condition{condition="Ready",status="true"}'
    return (
        used("container_cpu_usage_seconds_total", Quantity.CPU),
        used("container_cpu_cfs_throttled_seconds_total", Quantity.THROTTLED),
        Query(memory, _BY_PODS.format(_of_pods(memory + _CONTAINERS)), Quantity.MEMORY),
        *(
            Query(metric, f"sum by (namespace, {kind}) ({metric})", quantity)
            for metric, kind, quantity in (
                ("kube_deployment_spec_replicas", "deployment", Quantity.REPLICAS),
                ("kube_statefulset_replicas", "statefulset", Quantity.REPLICAS),
                ("kube_deployment_status_replicas_ready", "deployment", Quantity.READY),
                ("kube_statefulset_status_replicas_ready", "statefulset", Quantity.READY),
            )
        ),
        # The metric is missing while no pod waits: then it is 0 as long as there are pods.
        Query("kube_pod_owner", "sum(kube_pod_status_unschedulable) or 0 * sum(kube_pod_owner)", Quantity.PENDING),
        Query("kube_node_status_condition", f"sum by (node) ({ready})", Quantity.NODES),
        Query("kube_node_created", "max by (node) (kube_node_created)", Quantity.NODE_CREATED, seldom=True),
        Query(_TARGET, f"max by (node_group) ({_TARGET})", Quantity.NODES_WANTED),
        *(
            Query(metric, f"max by (namespace, pod) ({metric})", quantity, seldom=True)
            for metric, quantity in (
                ("kube_pod_status_scheduled_time", Quantity.SCHEDULED),
                ("kube_pod_container_state_started", Quantity.STARTED),
                ("kube_pod_status_ready_time", Quantity.READY_SINCE),
            )
        ),
    )


def _requests(window: str) -> Iterator[Query]:
    """From the point nearest to the user to the program itself."""
    for metric, labels, only in (
        ("nginx_ingress_controller_requests", "exported_namespace, namespace, exported_service, service", ""),
        ("istio_requests_total", "destination_workload_namespace, destination_workload", '{reporter!="source"}'),
        ("traefik_service_requests_total", "exported_service, service", ""),
        ("envoy_cluster_upstream_rq_total", "envoy_cluster_name", '{envoy_cluster_name=~"httproute/.*"}'),
        ("request_total", "namespace, deployment, statefulset", '{direction="inbound"}'),
    ):
        yield Query(metric, f"sum by ({labels}) (rate({metric}{only}[{window}]))", Quantity.REQUESTS)
    for metric in ("http_requests_total", "http_server_requests_seconds_count", "grpc_server_handled_total"):
        yield Query(metric, _BY_PODS.format(_of_pods(f"rate({metric}[{window}])")), Quantity.REQUESTS)


def _retries(window: str) -> Iterator[Query]:
    """Attempts after the first one, and requests that were given up.

    Istio's proxies count a request once where it is sent, and every attempt where it arrives (Istio 1.2x, reporter).
    """
    for metric, quantity in (
        ("envoy_cluster_upstream_rq_retry", Quantity.RETRIES),
        ("envoy_cluster_upstream_rq_retry_limit_exceeded", Quantity.GIVEN_UP),
    ):
        text = f"sum by (envoy_cluster_name, cluster_name) (rate({metric}[{window}]))"
        yield Query(metric, text, quantity)
    metric, by = "istio_requests_total", "sum by (destination_workload_namespace, destination_workload)"
    arrived, sent, given_up = (
        f"{by} (rate({metric}{{{labels}}}[{window}]))"
        for labels in (
            'reporter="destination",source_workload!="unknown"',
            'reporter="source"',
            'reporter="source",response_flags=~".*URX.*"',
        )
    )
    yield Query(metric, f"clamp_min({arrived} - {sent}, 0)", Quantity.RETRIES)
    yield Query(metric, given_up, Quantity.GIVEN_UP)


def _in_flight(window: str) -> Iterator[Query]:
    """Time that is spent on requests in a second, which is how many are in flight (Little's law)."""
    metric = "istio_request_duration_milliseconds_sum"
    rate = f'rate({metric}{{reporter!="source"}}[{window}])'
    by = "sum by (destination_workload_namespace, destination_workload)"
    yield Query(metric, f"{by} ({rate}) / 1000", Quantity.IN_FLIGHT)
    for metric in ("http_request_duration_seconds_sum", "http_server_requests_seconds_sum"):
        yield Query(metric, _BY_PODS.format(_of_pods(f"rate({metric}[{window}])")), Quantity.IN_FLIGHT)


def _latencies(window: str) -> Iterator[Query]:
    for share, quantity in ((_P50, Quantity.LATENCY_P50), (_P95, Quantity.LATENCY_P95)):
        metric = "istio_request_duration_milliseconds_bucket"
        rate = f'rate({metric}{{reporter!="source"}}[{window}])'
        by = "sum by (le, destination_workload_namespace, destination_workload)"
        yield Query(metric, f"histogram_quantile({share}, {by} ({rate})) / 1000", quantity)
        for metric in ("http_request_duration_seconds_bucket", "http_server_requests_seconds_bucket"):
            inner = f"sum by (le, namespace, pods) ({_of_pods(f'rate({metric}[{window}])')})"
            yield Query(metric, f"histogram_quantile({share}, {inner})", quantity)
