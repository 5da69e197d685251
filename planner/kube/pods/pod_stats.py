"""What a kubelet's summary tells of a pod, with the parts of the pod that it is judged by."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planner.units import parse_count

Json = Mapping[str, Any]


@dataclass(frozen=True)
class KubeFileUse:
    """Bytes or inodes by what they belong to."""

    layers: int
    logs: int
    volumes: int


@dataclass(frozen=True)
class KubePodStats:
    """One pod as measured; figures that are missing count as 0."""

    memory: int
    processes: int
    used_bytes: KubeFileUse
    used_inodes: KubeFileUse


def read_pod_stats(stats: Json, pod: Json) -> KubePodStats:
    """Summary of a pod; volumes count if they lie on the node's disk."""
    return KubePodStats(
        memory=(stats.get("memory") or {}).get("workingSetBytes") or 0,
        processes=(stats.get("process_stats") or {}).get("process_count") or 0,
        used_bytes=_file_use(stats, pod, "usedBytes"),
        used_inodes=_file_use(stats, pod, "inodesUsed"),
    )


def ephemeral_use(stats: Json) -> int:
    """Bytes of ephemeral storage of the whole pod."""
    return (stats.get("ephemeral-storage") or {}).get("usedBytes") or 0


def container_disk(stats: Json) -> dict[str, tuple[int, int]]:
    """Logs and writable layer of each container, bytes."""
    return {
        part["name"]: (_figure(part, "logs", "usedBytes"), _figure(part, "rootfs", "usedBytes"))
        for part in stats.get("containers") or ()
    }


def empty_dir_use(stats: Json, pod: Json) -> list[tuple[int, int]]:
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


def _file_use(stats: Json, pod: Json, key: str) -> KubeFileUse:
    local = [volume["name"] for volume in pod["spec"].get("volumes") or () if _is_on_disk(volume)]
    containers: Iterable[Json] = stats.get("containers") or ()
    return KubeFileUse(
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
