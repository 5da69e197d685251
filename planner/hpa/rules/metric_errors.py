"""Why a metric of an autoscaler gives no proposal."""

from enum import StrEnum


class MetricErrorCode(StrEnum):
    """Causes, in the order in which they are tested."""

    METRICS_API_ERROR = "MetricsAPIError"
    NO_METRICS_RETURNED = "NoMetricsReturned"
    CONTAINER_NOT_IN_METRICS = "ContainerNotInMetrics"
    NO_PODS = "NoPods"
    NO_USABLE_METRICS = "NoUsableMetrics"
    MISSING_REQUEST = "MissingRequest"
    MISSING_POD_LEVEL_REQUEST = "MissingPodLevelRequest"
    CONTAINER_NOT_IN_POD = "ContainerNotInPod"
    ZERO_REQUESTS = "ZeroRequests"


class MetricFailed(Exception):
    """A metric gives no proposal; the evaluation counts it as failing."""

    def __init__(self, code: MetricErrorCode) -> None:
        self.code = code
        super().__init__(code.value)
