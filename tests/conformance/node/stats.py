"""What a kubelet measured of pods, which no plan contains, next to the pods of a run."""

from collections.abc import Mapping
from typing import Any

from planner.nodes.kubelet.ephemeral import ContainerStorage, PodStorage
from planner.nodes.kubelet.ranking import DiskLayout, PodUse, RankedPod, StorageUse, is_critical
from planner.units import parse_count
from tests.conformance.node.pods import known_pod

Json = Mapping[str, Any]


def layout_of(given: Json) -> DiskLayout:
    """Disk layout of a case."""
    return DiskLayout(bool(given.get("dedicatedImageFs")), bool(given.get("splitContainerFs")))


def ranked_pod(pod: Json, stats: Json | None) -> RankedPod:
    """A pod with what was measured of it; None: nothing."""
    known = known_pod(pod)
    return RankedPod(
        key=pod["metadata"]["name"],
        use=None if stats is None else _use(stats, pod),
        priority=known.spec.priority,
        memory_request=known.memory.request,
        disk_request=known.disk.request,
        critical=is_critical(known.spec),
        grace_us=known.spec.running.grace_us,
    )


def pod_storage(pod: Json, stats: Json) -> PodStorage:
    """A pod with the local storage that was measured of it."""
    known = known_pod(pod)
    written = {part["name"]: part for part in stats.get("containers") or ()}
    containers = [
        ContainerStorage(limit, *(_figure(written.get(one.name, {}), what, "usedBytes") for what in ("logs", "rootfs")))
        for one, limit in zip(known.workload.pod.containers, known.disk.container_limits, strict=True)
    ]
    return PodStorage(
        used=(stats.get("ephemeral-storage") or {}).get("usedBytes") or 0,
        containers=containers,
        empty_dirs=_empty_dirs(stats, pod),
        critical=is_critical(known.spec),
        pod_limit=known.disk.limit,
    )


def _empty_dirs(stats: Json, pod: Json) -> list[tuple[int, int]]:
    """Use and size limit of the emptyDirs that are reported and have a limit above 0, memory-backed ones too."""
    used = {part["name"]: part.get("usedBytes") for part in stats.get("volume") or ()}
    found = []
    for volume in pod["spec"].get("volumes") or ():
        limit = (volume.get("emptyDir") or {}).get("sizeLimit")
        size = 0 if limit is None else parse_count(str(limit))
        use = used.get(volume["name"])
        if size > 0 and use is not None:
            found.append((use, size))
    return found


def _use(stats: Json, pod: Json) -> PodUse:
    return PodUse(
        memory=(stats.get("memory") or {}).get("workingSetBytes") or 0,
        disk=_disk_use(stats, pod, "usedBytes"),
        inodes=_disk_use(stats, pod, "inodesUsed"),
        processes=(stats.get("process_stats") or {}).get("process_count") or 0,
    )


def _disk_use(stats: Json, pod: Json, key: str) -> StorageUse:
    local = [volume["name"] for volume in pod["spec"].get("volumes") or () if _is_on_disk(volume)]
    containers = stats.get("containers") or ()
    return StorageUse(
        layers=sum(_figure(part, "rootfs", key) for part in containers),
        logs=sum(_figure(part, "logs", key) for part in containers),
        volumes=sum(part.get(key) or 0 for part in stats.get("volume") or () if part["name"] in local),
    )


def _figure(part: Json, name: str, key: str) -> int:
    return (part.get(name) or {}).get(key) or 0


def _is_on_disk(volume: Json) -> bool:
    if "emptyDir" in volume:
        return not (volume["emptyDir"] or {}).get("medium")
    return any(kind in volume for kind in ("hostPath", "configMap", "gitRepo"))
