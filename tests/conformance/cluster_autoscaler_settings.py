"""Flags and options of the vectors as settings of the plan."""

from typing import Any

from planner.errors import ImportProblem
from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.plan.values.fields import PlanModel
from planner.units import GIB

Json = dict[str, Any]
GPU_LABEL = "example.com/gpu"
_LISTS = {"balancing-ignore-label": "balancing_ignore_labels", "balancing-label": "balancing_labels"}
_OPTIONS = {
    "zeroOrMaxNodeScaling": "zero_or_max",
    "scaleDownUnneededTime": "scale_down_unneeded_time",
    "scaleDownUnreadyTime": "scale_down_unready_time",
    "scaleDownUtilizationThreshold": "scale_down_utilization_threshold",
    "scaleDownGpuUtilizationThreshold": "scale_down_gpu_utilization_threshold",
    "maxNodeProvisionTime": "max_node_provision_time",
    "maxNodeStartupTime": "max_node_startup_time",
    "ignoreDaemonSetsUtilization": "ignore_daemonsets_utilization",
}


def read_settings(given: Json) -> ClusterAutoscalerSettings:
    """The flags of a case."""
    found: Json = {"gpu_label": GPU_LABEL}
    for flag, value in given.get("flags", {}).items():
        if flag == "expander":
            found["expander"] = tuple(value.split(","))
        elif flag == "max-graceful-termination-sec":
            found["max_graceful_termination"] = f"{value}s"
        elif flag == "cores-total":
            found |= {"cores_total_min": value[0], "cores_total_max": value[1]}
        elif flag == "memory-total":
            found |= {"memory_total_min": value[0] * GIB, "memory_total_max": value[1] * GIB}
        elif flag in _LISTS:
            found[_LISTS[flag]] = tuple(value if isinstance(value, list) else [value])
        else:
            _set(found, ClusterAutoscalerSettings, flag.replace("-", "_"), value)
    text = given.get("priorityExpanderConfig")
    if text is not None:
        try:
            found["priority_expander"] = parse_priority_config(text)
        except ImportProblem:
            found["priority_expander"] = ()
    return ClusterAutoscalerSettings.model_validate(found)


def read_options(group: Json) -> NodeGroupOptions:
    """The overrides of a node group."""
    found: Json = {}
    for option, value in (group.get("options") or {}).items():
        _set(found, NodeGroupOptions, _OPTIONS[option], value)
    return NodeGroupOptions.model_validate(found)


def _set(found: Json, model: type[PlanModel], name: str, value: Any) -> None:
    field = model.model_fields.get(name)
    if field is None:
        return
    spelled = [str(getattr(part, "what", "")) for part in field.metadata] + [str(field.annotation)]
    is_duration = any("duration" in text for text in spelled)
    found[name] = f"{value}s" if is_duration and not isinstance(value, bool) else value
