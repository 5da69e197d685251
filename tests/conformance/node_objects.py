"""Objects of the API as the node rules want them."""

from collections.abc import Mapping
from typing import Any

from planner.kube.pods.aggregates import exact, kubelet_request
from planner.kube.pods.pod_stats import KubeFileUse, read_pod_stats
from planner.nodes.kubelet.qos import Claims, QosClass, qos_class
from planner.nodes.kubelet.ranking import CRITICAL_PRIORITY, DiskLayout, DiskUse, PodUse, RankedPod
from planner.units import US_PER_S

Json = Mapping[str, Any]

STATIC_MARKS = ("kubernetes.io/config.mirror",)
SOURCE_MARK = "kubernetes.io/config.source"


def claims(resources: Json | None) -> Claims:
    """Requests and limits of a container or a pod."""
    parts = resources or {}
    return Claims(exact(parts.get("requests")), exact(parts.get("limits")))


def pod_qos(pod: Json) -> QosClass:
    """The class in the status, or the computed one."""
    written = (pod.get("status") or {}).get("qosClass")
    if written:
        return QosClass(written)
    spec = pod["spec"]
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    level = claims(spec["resources"]) if spec.get("resources") is not None else None
    return qos_class([claims(container.get("resources")) for container in containers], level)


def is_critical(pod: Json) -> bool:
    """Static, mirror or of system priority."""
    marks = pod["metadata"].get("annotations") or {}
    static = marks.get(SOURCE_MARK) not in (None, "api") or any(mark in marks for mark in STATIC_MARKS)
    return static or (pod["spec"].get("priority") or 0) >= CRITICAL_PRIORITY


def layout_of(given: Json) -> DiskLayout:
    """Disk layout of a case."""
    return DiskLayout(bool(given.get("dedicatedImageFs")), bool(given.get("splitContainerFs")))


def ranked_pod(pod: Json, stats: Json | None) -> RankedPod:
    """A pod with what was measured of it."""
    spec = pod["spec"]
    return RankedPod(
        key=pod["metadata"]["name"],
        use=None if stats is None else _use(stats, pod),
        priority=spec.get("priority") or 0,
        memory_request=kubelet_request(pod, "memory"),
        disk_request=kubelet_request(pod, "ephemeral-storage"),
        critical=is_critical(pod),
        grace_us=spec.get("terminationGracePeriodSeconds", 30) * US_PER_S,
    )


def _use(stats: Json, pod: Json) -> PodUse:
    read = read_pod_stats(stats, pod)
    return PodUse(read.memory, _disk(read.used_bytes), _disk(read.used_inodes), read.processes)


def _disk(use: KubeFileUse) -> DiskUse:
    return DiskUse(use.layers, use.logs, use.volumes)
