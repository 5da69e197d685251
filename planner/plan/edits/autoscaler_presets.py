"""Presets of Cluster Autoscaler settings as starting points."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from planner.language.translation import marked
from planner.plan.derived.kubernetes.versions import at_its_version
from planner.plan.edits.edit import replace_many
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.plan import Plan

CURRENT = "Kubernetes 1.36"
OLDER = marked("Older defaults")

AUTOSCALER_PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
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


def with_autoscaler_preset(plan: Plan, preset: str) -> Plan:
    """The plan with everything that these presets are about set as this one says. Raises KeyError for an unknown name.

    Settings that were never set and have the wanted value already, by the version of the plan, stay unset.
    """
    wanted, settings = AUTOSCALER_PRESETS[preset], at_its_version(plan).cluster_autoscaler
    concerned = dict.fromkeys(name for values in AUTOSCALER_PRESETS.values() for name in values)
    defaults = ClusterAutoscalerSettings().model_dump()
    chosen = {name: wanted.get(name, defaults[name]) for name in concerned}
    values = ClusterAutoscalerSettings.model_validate(chosen)
    changes = {name: getattr(values, name) for name in concerned if getattr(settings, name) != getattr(values, name)}
    return replace_many(plan, ("cluster_autoscaler",), changes) if changes else plan
