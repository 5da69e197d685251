"""Optional admission plugins of the API server, off by default (Kubernetes 1.36, plugin/pkg/admission)."""

from planner.plan.values.fields import PlanModel, setting


class AdmissionSettings(PlanModel):
    """What the API server adds to pods or refuses."""

    extended_resource_toleration: bool = setting(
        False, "ExtendedResourceToleration",
        "Pods that request an extended resource tolerate taints with its name as key; common for GPU pools.",
    )  # fmt: skip
    memory_pressure_toleration: bool = setting(
        False, "Memory pressure toleration",
        "Pods with any request or limit tolerate nodes under memory pressure (PodTolerationRestriction).",
    )  # fmt: skip
    limit_pod_hard_anti_affinity_topology: bool = setting(
        False, "LimitPodHardAntiAffinityTopology",
        "Required anti-affinity over any label other than kubernetes.io/hostname is refused.",
    )  # fmt: skip
