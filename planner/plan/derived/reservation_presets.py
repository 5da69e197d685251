"""Reservations that managed services make for a node of a given size.

Published formulas of the services: GKE scales CPU and memory by steps; EKS takes the CPU steps of GKE and
memory by the number of pods; AKS takes memory by the number of pods, at most a quarter of the machine. All keep a
tenth of the file system free (nodefs.available). Sources: "About GKE node sizing"; awslabs/amazon-eks-ami 2026-07,
nodeadm/internal/kubelet/config.go; "Node resource reservations in AKS"; for the system's part of a GKE boot disk
Cluster Autoscaler 1.36, cloudprovider/gce/gce_reserved.go (Container-Optimized OS); that of AKS is what its nodes of
128 GiB report.
"""

from planner.plan.model.kubelet import ReservationPreset
from planner.units import GIB, MIB

_MEMORY_STEPS = ((4 * GIB, 25), (4 * GIB, 20), (8 * GIB, 10), (112 * GIB, 6))
_MEMORY_ABOVE_PCT = 2
_SMALL_MACHINE = GIB
_SMALL_RESERVE = 255 * MIB
_CPU_STEPS_BP = ((1000, 600), (1000, 100), (2000, 50))
_CPU_ABOVE_BP = 25
_GKE_SYSTEM_DISK, _GKE_SYSTEM_DISK_PPM = 4148 * GIB // 1000, 15_635
_AKS_SYSTEM_DISK_PPM = 32_260
_AKS_CPU_MILLI = ((1, 60), (2, 100), (4, 140), (8, 180), (16, 260), (32, 420), (64, 740))


def free_disk(preset: ReservationPreset, disk: int) -> int:
    """Allocatable ephemeral storage in bytes of a node with a boot disk of `disk` bytes."""
    seen, kept = disk, 0
    if preset is ReservationPreset.GKE:
        seen -= disk * _GKE_SYSTEM_DISK_PPM // 1_000_000 + _GKE_SYSTEM_DISK + min(100 * MIB, disk // 1000)
        kept = min(disk // 2, 6 * GIB + disk * 35 // 100, 100 * GIB)
    elif preset is ReservationPreset.EKS:
        kept = GIB
    elif preset is ReservationPreset.AKS:
        seen -= disk * _AKS_SYSTEM_DISK_PPM // 1_000_000
    return max(0, seen - seen // 10 - kept)


def preset_reservation(preset: ReservationPreset, cpu_milli: int, memory: int, pods: int) -> dict[str, int]:
    """CPU in milli-CPU and memory in bytes kept by the service, eviction thresholds left out."""
    if preset is ReservationPreset.GKE:
        return {"cpu": _stepped_cpu(cpu_milli), "memory": _stepped_memory(memory)}
    if preset is ReservationPreset.EKS:
        return {"cpu": _stepped_cpu(cpu_milli), "memory": 11 * MIB * pods + 255 * MIB}
    if preset is ReservationPreset.AKS:
        return {"cpu": _aks_cpu(cpu_milli), "memory": min((20 * pods + 50) * MIB, memory // 4)}
    return {"cpu": 0, "memory": 0}


def _stepped_memory(memory: int) -> int:
    if memory < _SMALL_MACHINE:
        return min(_SMALL_RESERVE, memory)
    kept = 0
    for size, percent in _MEMORY_STEPS:
        part = min(memory, size)
        kept += part * percent // 100
        memory -= part
    return kept + memory * _MEMORY_ABOVE_PCT // 100


def _stepped_cpu(cpu_milli: int) -> int:
    kept = 0
    for size, basis_points in _CPU_STEPS_BP:
        part = min(cpu_milli, size)
        kept += part * basis_points
        cpu_milli -= part
    return (kept + cpu_milli * _CPU_ABOVE_BP) // 10_000


def _aks_cpu(cpu_milli: int) -> int:
    cores = cpu_milli // 1000
    return next((kept for limit, kept in _AKS_CPU_MILLI if cores <= limit), _AKS_CPU_MILLI[-1][1])
