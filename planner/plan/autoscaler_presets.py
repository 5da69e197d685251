"""Sets of Cluster Autoscaler settings to start from (spec/cluster-autoscaler.md section 9)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings

CURRENT = "Kubernetes 1.36"
OLDER = "Older defaults"

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        CURRENT: MappingProxyType({}),
        OLDER: MappingProxyType(
            {
                "expander": ("random",),
                "frequent_loops_enabled": False,
                "cordon_node_before_terminating": False,
                "scale_down_delay_after_delete": "10s",
                "max_node_startup_time": "15m",
                "blocking_system_pod_distruption_timeout": "400d",
            }
        ),
    }
)
"""Settings that differ from the defaults, by preset. Older: up to 1.32 to 1.34, as many guides still describe them."""


def with_preset(settings: ClusterAutoscalerSettings, preset: str) -> ClusterAutoscalerSettings:
    """The settings with everything that presets are about set as this one says. Raises KeyError for an unknown name."""
    wanted = PRESETS[preset]
    concerned = dict.fromkeys(name for values in PRESETS.values() for name in values)
    defaults = ClusterAutoscalerSettings()
    changes = {name: wanted.get(name, getattr(defaults, name)) for name in concerned}
    return ClusterAutoscalerSettings.model_validate({**settings.model_dump(), **changes})
