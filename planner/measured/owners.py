"""Which workload or pool of a plan a series belongs to, by the labels that name its owner.

Names of pods are those that Kubernetes 1.36 generates: of a Deployment `name-HASH-xxxxx`, of a StatefulSet `name-N`,
of DaemonSets and Jobs `name-xxxxx`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from planner.measured.measured_cluster import CLUSTER
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_NAMESPACES = (
    "exported_namespace", "namespace", "destination_workload_namespace", "destination_service_namespace",
    "kubernetes_namespace",
)  # fmt: skip
_WORKLOADS = (
    "workload", "exported_deployment", "deployment", "exported_statefulset", "statefulset", "daemonset",
    "destination_workload", "dst_workload",
)  # fmt: skip
_PODS = ("exported_pod", "pod", "pod_name", "kubernetes_pod_name", "dst_pod")
_SERVICES = ("exported_service", "service", "destination_service_name", "service_name", "dst_service")
_OTHERS = ("app_kubernetes_io_name", "app", "job")
_POOLS = (
    "pool", "nodepool", "node_pool", "node_group", "nodegroup", "label_cloud_google_com_gke_nodepool",
    "label_eks_amazonaws_com_nodegroup", "label_kubernetes_azure_com_agentpool", "label_agentpool",
    "label_karpenter_sh_nodepool", "label_node_pool",
)  # fmt: skip
_HASH = re.compile(r"-[bcdfghjklmnpqrstvwxz2456789]{5,10}\Z")
_ORDINAL = re.compile(r"-\d+\Z")
_TRAEFIK = re.compile(r"(?P<namespace>[a-z0-9-]+?)-(?P<name>[a-z0-9-]+)-\d+@kubernetes\Z")
_ENVOY = re.compile(
    r"(?:httproute/(?P<route_namespace>[^/]+)/(?P<route>[^/]+)/"
    r"|outbound\|\d+\|[^|]*\|(?P<name>[^.|]+)\.(?P<namespace>[^.|]+)\.svc\b)"
)
"""What Envoy Gateway and Istio call the services behind their proxies."""


class Owner(NamedTuple):
    """What the labels of a series name. Pods of one controller have the same `name` without their own ending."""

    kind: str
    """`workload`, `pods`, `service`, `pool`, `node`, `cluster` or `unknown`."""
    namespace: str
    name: str

    def __str__(self) -> str:
        where = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {where}{self.name}" if self.kind != "unknown" else self.name


THE_CLUSTER = Owner("cluster", "", CLUSTER)


def owner_of(labels: Mapping[str, str]) -> Owner:
    """The owner that the labels name; the most direct one.

    A proxy counts what it sends to others: its own pod is not their owner.
    """
    if found := _ENVOY.match(labels.get("envoy_cluster_name") or labels.get("cluster_name", "")):
        return Owner("service", found["namespace"] or found["route_namespace"], found["name"] or found["route"])
    namespace = _first(labels, _NAMESPACES)
    for kind, names in (("workload", _WORKLOADS), ("pods", _PODS), ("service", _SERVICES)):
        name = _first(labels, names)
        if kind == "pods" and (labels.get("pods") or name):
            return Owner(kind, namespace, labels.get("pods") or without_ending(name))
        if name and (found := _TRAEFIK.match(name)):
            return Owner("service", found["namespace"], found["name"])
        if name:
            return Owner(kind, namespace, name)
    pool = _first(labels, _POOLS)
    if pool:
        return Owner("pool", "", pool)
    if "node" in labels:
        return Owner("node", "", labels["node"])
    other = _first(labels, _OTHERS)
    return Owner("workload", namespace, other) if other else Owner("unknown", "", labels_text(labels))


def without_ending(pod: str) -> str:
    """Name of a pod without what differs among the pods of its controller."""
    return _ORDINAL.sub("", pod) if _ORDINAL.search(pod) else _HASH.sub("", pod)


def labels_text(labels: Mapping[str, str]) -> str:
    """Labels as Prometheus writes them."""
    inner = ", ".join(f'{name}="{value}"' for name, value in sorted(labels.items()) if name != "__name__")
    return f"{labels.get('__name__', '')}{{{inner}}}"


def pool_of(labels: Mapping[str, str]) -> str:
    """Pool that the labels of a node name; empty if none."""
    return _first(labels, _POOLS)


class PlanOwners:
    """The workloads and pools of a plan, found by owner."""

    def __init__(self, plan: Plan) -> None:
        self._workloads: dict[str, list[Workload]] = {}
        for item in plan.workloads:
            self._workloads.setdefault(item.name, []).append(item)
            prefixed = item.name.removesuffix(f"-{item.namespace}")
            if prefixed != item.name:
                self._workloads.setdefault(prefixed, []).append(item)
        self._selectors = {
            (service.namespace, service.name): (service.namespace, service.selector) for service in plan.services
        }
        self._of_namespace: dict[str, list[Workload]] = {}
        for item in plan.workloads:
            self._of_namespace.setdefault(item.namespace, []).append(item)
        self._pools = {group.name for group in plan.node_groups}
        self._pools_by_length = sorted(self._pools, key=len, reverse=True)

    def found(self, owner: Owner, controllers: Mapping[Owner, str]) -> str:
        """Name in the plan; empty if there is none, or more than one. `controllers`: owners of pods that are known."""
        if owner == THE_CLUSTER:
            return CLUSTER
        if owner.kind == "pool":
            return owner.name if owner.name in self._pools else ""
        if owner.kind == "node":
            return next((pool for pool in self._pools_by_length if f"{pool}-" in f"{owner.name}-"), "")
        if owner.kind == "service":
            return self._of_service(owner)
        if owner.kind == "unknown":
            return ""
        names = [controllers[owner]] if owner in controllers else [owner.name]
        if owner.kind == "pods":
            names += [_HASH.sub("", name) for name in names]
        return next((found for found in (self._named(owner.namespace, name) for name in names) if found), "")

    def is_shared(self, owner: Owner) -> bool:
        """Whether several workloads have the name, so that it leads to none without a namespace."""
        known = self._workloads.get(owner.name) or self._workloads.get(_HASH.sub("", owner.name), [])
        return not owner.namespace and owner.kind in ("workload", "pods", "service") and len(known) > 1

    def _named(self, namespace: str, name: str) -> str:
        found = [item for item in self._workloads.get(name, ()) if not namespace or item.namespace == namespace]
        if namespace:
            found = [item for item in found if item.name == name] or found
        return found[0].name if len(found) == 1 else ""

    def _of_service(self, owner: Owner) -> str:
        known = self._selectors.get((owner.namespace or "default", owner.name))
        if known is not None and known[1]:
            namespace, selector = known
            behind = [
                item.name
                for item in self._of_namespace.get(namespace, ())
                if all(item.pod.labels.get(key) == value for key, value in selector.items())
            ]
            if len(behind) == 1:
                return behind[0]
        return self._named(owner.namespace, owner.name)


def _first(labels: Mapping[str, str], names: Iterable[str]) -> str:
    return next((labels[name] for name in names if labels.get(name)), "")
