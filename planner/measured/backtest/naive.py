"""What a spreadsheet would say: as many pods as the load of each moment needs at the target utilization."""

import numpy as np

from planner.measured.calibration.regression import Floats
from planner.plan.derived.fits import pod_cpu_milli
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import HpaMetric, MetricSource, ResourceName
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_DEFAULT_TARGET = 80
"""Per cent of the CPU request, where an autoscaler names no metric."""


def naive_replicas(plan: Plan, workload: Workload, load: Floats) -> Floats | None:
    """`ceil(load x cost / target)` within the bounds of the autoscaler; None where none follows CPU utilization."""
    scaler = scaler_of(plan, workload)
    target = _target_cores(scaler, workload) if scaler is not None else 0.0
    if scaler is None or target <= 0:
        return None
    needed = np.ceil(load * workload.demand.cpu_seconds_per_request / target)
    return np.clip(needed, scaler.min_replicas, scaler.max_replicas)


def scaler_of(plan: Plan, workload: Workload) -> HorizontalPodAutoscaler | None:
    """The autoscaler of a workload."""
    of = (workload.namespace, workload.name)
    return next((item for item in plan.horizontal_pod_autoscalers if (item.namespace, item.scale_target) == of), None)


def _target_cores(scaler: HorizontalPodAutoscaler, workload: Workload) -> float:
    shares = [metric.average_utilization for metric in scaler.metrics if _is_cpu(metric)]
    share = _DEFAULT_TARGET if not scaler.metrics else next((share for share in shares if share), 0)
    return share / 100 * pod_cpu_milli(workload.pod) / 1000


def _is_cpu(metric: HpaMetric) -> bool:
    return metric.type is MetricSource.RESOURCE and metric.resource is ResourceName.CPU
