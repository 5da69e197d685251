"""Events that happen to controllers and to what they read."""

from enum import StrEnum
from typing import Literal

from planner.plan.model.events.event_fields import duration_field
from planner.plan.model.events.times import Timed
from planner.plan.values.fields import DurationUs, required, setting


class MetricsApi(StrEnum):
    """APIs that autoscalers ask for metrics."""

    ALL = "all"
    RESOURCE = "resource"
    """CPU and memory of pods: metrics-server."""
    CUSTOM = "custom"
    """Metrics of type Pods and Object: an adapter."""
    EXTERNAL = "external"


class MetricsOutage(Timed):
    """Metrics APIs do not answer: their metrics fail, which blocks shrinking, and growth if all metrics fail."""

    type: Literal["metricsOutage"]
    api: MetricsApi = setting(MetricsApi.ALL, "API", "Which metrics fail: all, or those of one API.")
    duration: DurationUs = duration_field("10m", "Time without new samples.")


class RestartedController(StrEnum):
    """Controllers whose memory may be lost."""

    HPA = "horizontalPodAutoscaler"
    CLUSTER_AUTOSCALER = "clusterAutoscaler"
    VPA_RECOMMENDER = "vpaRecommender"
    VPA_UPDATER = "vpaUpdater"


class ControllerRestart(Timed):
    """A controller restarts and loses its memory, for example its stabilization window."""

    type: Literal["controllerRestart"]
    controller: RestartedController = required("Controller", "The controller that restarts.")
