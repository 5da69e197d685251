"""The settings of one node group: its own where given, else those of the autoscaler."""

from dataclasses import dataclass

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.units import US_PER_S

HOLD_POLL_US = 5 * US_PER_S


@dataclass(frozen=True, slots=True)
class GroupOptions:
    """Times in microseconds, thresholds as shares (Cluster Autoscaler 1.36.1, config/autoscaling_options.go)."""

    zero_or_max: bool
    scale_down_disabled: bool
    unneeded_us: int
    unready_us: int
    utilization_threshold: float
    gpu_utilization_threshold: float
    provision_us: int
    startup_us: int
    ignore_daemonsets: bool
    hold_us: int = 0
    """How long a node that is to be deleted is held by the annotation delay-deletion."""


def group_options(settings: ClusterAutoscalerSettings, own: NodeGroupOptions) -> GroupOptions:
    """The options in effect for a group that overrides these."""
    ignore = own.ignore_daemonsets_utilization
    return GroupOptions(
        own.zero_or_max,
        own.scale_down_disabled,
        _either(own.scale_down_unneeded_time, settings.scale_down_unneeded_time),
        _either(own.scale_down_unready_time, settings.scale_down_unready_time),
        _share(own.scale_down_utilization_threshold, settings.scale_down_utilization_threshold),
        _share(own.scale_down_gpu_utilization_threshold, settings.scale_down_gpu_utilization_threshold),
        _either(own.max_node_provision_time, settings.max_node_provision_time),
        _either(own.max_node_startup_time, settings.max_node_startup_time),
        settings.ignore_daemonsets_utilization if ignore is None else ignore,
        _hold(own.delay_deletion, settings.node_deletion_delay_timeout),
    )


def _either(own: int | None, common: int) -> int:
    return common if own is None else own


def _hold(delay_us: int, timeout_us: int) -> int:
    """The autoscaler looks every five seconds whether the annotation is gone, and not for longer than that."""
    return min(-(-delay_us // HOLD_POLL_US) * HOLD_POLL_US, timeout_us)


def _share(own: float | None, common: float) -> float:
    return common if own is None else own
