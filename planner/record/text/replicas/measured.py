"""What an autoscaler measured, and what held it back, in words: for its sentences and its steps."""

from types import MappingProxyType

from planner.language.translation import marked, tr
from planner.record.details.replicas import ReplicaCalculation
from planner.record.text.wording import mebibytes
from planner.units import MIB, format_bytes, format_milli

_LIMITS = MappingProxyType(
    {
        "ScaleUpStabilized": marked("the scale-up stabilization window"),
        "ScaleDownStabilized": marked("the scale-down stabilization window"),
        "ScaleUpLimit": marked("the scale-up rate"),
        "ScaleDownLimit": marked("the scale-down rate"),
        "ScaleUpDisabled": marked("selectPolicy Disabled: scaling up is switched off"),
        "ScaleDownDisabled": marked("selectPolicy Disabled: scaling down is switched off"),
        "TooManyReplicas": "maxReplicas",
        "TooFewReplicas": "minReplicas",
    }
)
_FAILURES = MappingProxyType(
    {
        "MetricsAPIError": marked("the metrics API is not responding"),
        "NoMetricsReturned": marked("no metrics returned from resource metrics API"),
        "ContainerNotInMetrics": marked("a pod has no container of that name"),
        "NoPods": marked("no pods match"),
        "NoUsableMetrics": marked("no pod has a usable sample"),
        "MissingRequest": marked("missing request of a container"),
        "MissingPodLevelRequest": marked("missing request of the pod"),
        "ContainerNotInPod": marked("a pod has no container of that name"),
        "ZeroRequests": marked("the requests add up to 0"),
    }
)


def limit(code: str) -> str:
    """What held or limited a size."""
    return tr(_LIMITS.get(code, code))


def failure(code: str) -> str:
    """Why a metric could not be read; a code that is none of these is a reason that Kubernetes names."""
    return tr(_FAILURES.get(code, named(code)))


def named(text: str) -> str:
    """A metric, or a reason with one, without the selector that events of Kubernetes print and no metric here has."""
    return text.replace("(nil)", "")


def use(made: ReplicaCalculation) -> str:
    """What was measured against the target."""
    if made.utilization_pct is not None:
        return _utilization(made, made.utilization_pct)
    target = _amount(made.target, made)
    if made.value_milli is None:
        if made.is_total:
            return tr("no pods yet against {amount}", amount=target)
        return tr("no pods yet against {amount} a pod", amount=target)
    amount = _amount(made.value_milli, made)
    if made.is_total:
        return tr("{amount} against {target}", amount=amount, target=target)
    return tr("{amount} a pod against {target} a pod", amount=amount, target=target)


def _utilization(made: ReplicaCalculation, percent: int) -> str:
    if made.value_milli is None:
        return tr("{utilization_pct} % against {target} %", utilization_pct=percent, target=made.target)
    return tr(
        "{utilization_pct} % ({amount} a pod) against {target} %",
        utilization_pct=percent,
        amount=_amount(made.value_milli, made),
        target=made.target,
    )


def _amount(milli: int, made: ReplicaCalculation) -> str:
    """As Kubernetes writes quantities; memory in whole mebibytes, from one upwards."""
    if made.is_memory:
        count = milli // 1000
        return mebibytes(count) if count >= MIB else format_bytes(count)
    return format_milli(milli)
