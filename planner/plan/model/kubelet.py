"""Kubelet settings of a node pool: what a node reserves for itself, and when it evicts pods."""

from enum import StrEnum

from pydantic import Field

from planner.plan.values.fields import CpuMilli, DurationUs, MemoryBytes, PlanModel, setting


class ReservationPreset(StrEnum):
    """Reservations as managed services make them."""

    NONE = "none"
    GKE = "gke"
    EKS = "eks"
    AKS = "aks"


def _by_signal(title: str, description: str) -> dict[str, str]:
    return Field(default_factory=dict, title=title, description=description, json_schema_extra={"unit": ""})


class KubeletSettings(PlanModel):
    """Reservations and eviction settings of a kubelet. Allocatable is capacity minus reservations and thresholds."""

    preset: ReservationPreset = setting(
        ReservationPreset.NONE, "Preset", "Adds the reservations of a managed service to those given here."
    )
    kube_reserved_cpu: CpuMilli = setting(0, "Kube reserved CPU", "CPU for the kubelet and runtime.", unit="cores")
    kube_reserved_memory: MemoryBytes = setting(
        0, "Kube reserved memory", "Memory for the kubelet and runtime.", unit="bytes"
    )
    system_reserved_cpu: CpuMilli = setting(0, "System reserved CPU", "CPU for the system's daemons.", unit="cores")
    system_reserved_memory: MemoryBytes = setting(
        0, "System reserved memory", "Memory for the system's daemons.", unit="bytes"
    )
    pods_per_core: int = setting(
        0, "Pods per core", "Most pods per CPU core, below the pool's number of pods; 0 means no such bound.",
        unit="pods", ge=0, le=1_000,
    )  # fmt: skip
    eviction_hard: dict[str, str] = _by_signal(
        "Hard thresholds",
        'Signal and value, for example memory.available: "500Mi"; none means the defaults, which include memory 100Mi.',
    )
    eviction_soft: dict[str, str] = _by_signal("Soft thresholds", "Signal and value; each needs a grace period.")
    eviction_soft_grace_period: dict[str, str] = _by_signal(
        "Soft grace periods", 'Signal and time, for example memory.available: "90s".'
    )
    eviction_minimum_reclaim: dict[str, str] = _by_signal(
        "Minimum reclaim", "Signal and how far above its threshold the available amount must return."
    )
    eviction_max_pod_grace_period: DurationUs = setting(
        "0s", "Maximum grace period", "Longest grace period of a soft eviction.", unit="s"
    )
    eviction_pressure_transition_period: DurationUs = setting(
        "5m", "Transition period", "A pressure condition lasts this long after it was last observed.", unit="s"
    )
    max_container_restart_period: DurationUs = setting(
        "300s", "Maximum restart wait", "Longest time a container waits for its restart.", unit="s", ge=1_000_000,
        le=300_000_000,
    )  # fmt: skip
    shutdown_grace_period: DurationUs = setting(
        "0s", "Shutdown grace", "Time that pods get when their machine is reclaimed; 0 means none.", unit="s"
    )
    shutdown_grace_period_critical_pods: DurationUs = setting(
        "0s",
        "Shutdown grace for critical pods",
        "Part of the shutdown grace, at its end, for pods of system priority.",
        unit="s",
    )
    system_memory: MemoryBytes = setting(
        "500Mi", "System memory use", "Memory actually used by the system, kubelet and runtime.", unit="bytes"
    )
    disk: MemoryBytes = setting(
        "100Gi", "Disk", "Disk of a node, for scratch space and images; used if a workload has a disk use.",
        unit="bytes", ge=1,
    )  # fmt: skip
    system_disk: MemoryBytes = setting(
        "10Gi", "System disk use", "Space used by the system and by images in use.", unit="bytes"
    )
    unused_images: MemoryBytes = setting(
        0, "Unused images", "Unused images on a new node; deleted before a pod is evicted.", unit="bytes"
    )
    dead_containers: MemoryBytes = setting(
        0, "Dead containers", "Space of finished containers on a new node; freed before a pod is evicted.", unit="bytes"
    )
