"""The version of Kubernetes, and the feature gates that rules read."""

from enum import StrEnum


class KubernetesVersion(StrEnum):
    """Minor versions whose differences are known, from old to new."""

    V1_32 = "1.32"
    V1_33 = "1.33"
    V1_34 = "1.34"
    V1_35 = "1.35"
    V1_36 = "1.36"


NEWEST = KubernetesVersion.V1_36
OLDEST = KubernetesVersion.V1_32


class FeatureGate(StrEnum):
    """Gates that change a rule."""

    HPA_CONFIGURABLE_TOLERANCE = "HPAConfigurableTolerance"
    HPA_SCALE_TO_ZERO = "HPAScaleToZero"
    KUBELET_CRASH_LOOP_BACK_OFF_MAX = "KubeletCrashLoopBackOffMax"
    POD_LEVEL_RESOURCES = "PodLevelResources"
    SCHEDULER_POP_FROM_BACKOFF_Q = "SchedulerPopFromBackoffQ"
    TAINT_TOLERATION_COMPARISON_OPERATORS = "TaintTolerationComparisonOperators"
