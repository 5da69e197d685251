"""What can be measured, and by which metrics of Kubernetes and of gateways it is known.

Names and labels are those of cAdvisor, kube-state-metrics 2.x, ingress-nginx, Istio 1.2x, Envoy, Linkerd 2.x, Traefik 3
and the usual client libraries.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Quantity(StrEnum):
    """A measured quantity; of a workload it is the sum over all its pods where a sum has a meaning."""

    REQUESTS = "requests"
    """Requests per second, each of its attempts counted."""
    RETRIES = "retries"
    """Requests per second that were sent again after an attempt had failed."""
    GIVEN_UP = "given_up"
    """Requests per second whose last attempt failed."""
    CPU = "cpu"
    """Cores in use."""
    MEMORY = "memory"
    """Working set in bytes."""
    REPLICAS = "replicas"
    """Desired pods."""
    READY = "ready"
    """Ready pods."""
    LATENCY_P50 = "latency_p50"
    """Seconds."""
    LATENCY_P95 = "latency_p95"
    """Seconds."""
    THROTTLED = "throttled"
    """Seconds per second that containers were throttled."""
    SCHEDULED = "scheduled"
    """When a pod got its node, in seconds since 1970."""
    STARTED = "started"
    """When the containers of a pod started, in seconds since 1970."""
    READY_SINCE = "ready_since"
    """When a pod became Ready, in seconds since 1970."""
    IN_FLIGHT = "in_flight"
    """Requests that are being served at a time."""
    NODES_WANTED = "nodes_wanted"
    """Nodes that a pool should have, as its autoscaler asked for them."""
    NODE_CREATED = "node_created"
    """When a node registered, in seconds since 1970."""
    NODE_LAUNCH = "node_launch"
    """Seconds from the request of a node until it registered."""
    NODE_BOOT = "node_boot"
    """Seconds from the registration of a node until it was Ready."""
    NODES = "nodes"
    """Ready nodes of a pool."""
    PENDING = "pending"
    """Pods of the cluster that wait for a node."""

    @property
    def is_sum(self) -> bool:
        """Whether the figures of several series of a workload are added; else they are averaged."""
        return self not in (Quantity.LATENCY_P50, Quantity.LATENCY_P95)

    @property
    def is_of_pods(self) -> bool:
        """Whether it is a moment in the life of one pod, no course over time."""
        return self in (Quantity.SCHEDULED, Quantity.STARTED, Quantity.READY_SINCE)

    @property
    def is_length(self) -> bool:
        """Whether each of its values is the time that a node of a pool took, no course over time."""
        return self in (Quantity.NODE_LAUNCH, Quantity.NODE_BOOT)


class KnownMetric(NamedTuple):
    """What a metric says."""

    quantity: Quantity
    is_counter: bool = False
    only: Mapping[str, tuple[str, ...]] = {}
    """Labels that a series must have, with the values that count."""
    without: Mapping[str, tuple[str, ...]] = {}
    """Labels with values of series that would count the same things again."""

    def counts(self, labels: Mapping[str, str]) -> bool:
        """Whether a series with these labels belongs to the quantity."""
        return all(labels.get(name) in values for name, values in self.only.items()) and not any(
            name in labels and labels[name] in values for name, values in self.without.items()
        )


OWN_PREFIX = "headroom_"
"""Of the metrics that `headroom import --prometheus` saves: the quantity follows."""
_CONTAINERS = {"container": ("", "POD")}
_READY_NODE = {"condition": ("Ready",), "status": ("true",)}
KNOWN_METRICS: Mapping[str, KnownMetric] = {
    "container_cpu_usage_seconds_total": KnownMetric(Quantity.CPU, True, without=_CONTAINERS),
    "container_memory_working_set_bytes": KnownMetric(Quantity.MEMORY, without=_CONTAINERS),
    "container_cpu_cfs_throttled_seconds_total": KnownMetric(Quantity.THROTTLED, True, without=_CONTAINERS),
    "kube_deployment_spec_replicas": KnownMetric(Quantity.REPLICAS),
    "kube_statefulset_replicas": KnownMetric(Quantity.REPLICAS),
    "kube_deployment_status_replicas_ready": KnownMetric(Quantity.READY),
    "kube_statefulset_status_replicas_ready": KnownMetric(Quantity.READY),
    "kube_pod_status_scheduled_time": KnownMetric(Quantity.SCHEDULED),
    "kube_pod_container_state_started": KnownMetric(Quantity.STARTED),
    "kube_pod_status_ready_time": KnownMetric(Quantity.READY_SINCE),
    "kube_pod_status_unschedulable": KnownMetric(Quantity.PENDING),
    "kube_node_status_condition": KnownMetric(Quantity.NODES, only=_READY_NODE),
    "kube_node_created": KnownMetric(Quantity.NODE_CREATED),
    "cluster_autoscaler_node_group_target_count": KnownMetric(Quantity.NODES_WANTED),
    "http_request_duration_seconds_sum": KnownMetric(Quantity.IN_FLIGHT, True),
    "http_server_requests_seconds_sum": KnownMetric(Quantity.IN_FLIGHT, True),
    "istio_requests_total": KnownMetric(Quantity.REQUESTS, True, without={"reporter": ("source",)}),
    "nginx_ingress_controller_requests": KnownMetric(Quantity.REQUESTS, True),
    "traefik_service_requests_total": KnownMetric(Quantity.REQUESTS, True),
    "envoy_cluster_upstream_rq_total": KnownMetric(Quantity.REQUESTS, True),
    "envoy_cluster_upstream_rq_retry": KnownMetric(Quantity.RETRIES, True),
    "envoy_cluster_upstream_rq_retry_limit_exceeded": KnownMetric(Quantity.GIVEN_UP, True),
    "request_total": KnownMetric(Quantity.REQUESTS, True, without={"direction": ("outbound",)}),
    "http_requests_total": KnownMetric(Quantity.REQUESTS, True),
    "http_server_requests_seconds_count": KnownMetric(Quantity.REQUESTS, True),
    "grpc_server_handled_total": KnownMetric(Quantity.REQUESTS, True),
}
OWNER_METRICS = ("kube_pod_owner", "kube_replicaset_owner", "kube_node_labels")
"""Series whose labels say what belongs to what; their values say nothing."""
REQUEST_METRICS = tuple(name for name, known in KNOWN_METRICS.items() if known.quantity is Quantity.REQUESTS)
"""From those nearest to the user to those of the program itself: a request is counted by one of them only."""


def known_metric(name: str) -> KnownMetric | None:
    """What a metric of this name says."""
    if name.startswith(OWN_PREFIX) and name.removeprefix(OWN_PREFIX) in list(Quantity):
        return KnownMetric(Quantity(name.removeprefix(OWN_PREFIX)))
    return KNOWN_METRICS.get(name)
