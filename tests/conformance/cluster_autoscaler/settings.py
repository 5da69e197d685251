"""Flags and options of the vectors as settings of the plan."""

from collections.abc import Sequence
from typing import Any

from planner.errors import ImportProblem
from planner.kube.autoscalers import autoscaler_flags
from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.kube.draft.draft import Part
from planner.kube.kinds.workloads import deployment
from planner.plan.derived.kubernetes.autoscaler_flags import settings_of
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.plan.values.fields import PlanModel
from tests.conformance.imported import imported_objects

Json = dict[str, Any]
GPU_LABEL = "example.com/gpu"
_BOUNDS = ("cores-total", "memory-total")
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
    words = [word for flag, value in given.get("flags", {}).items() for word in _words(flag, value)]
    found: Json = {**autoscaler_part(words), "gpuLabel": GPU_LABEL}
    text = given.get("priorityExpanderConfig")
    if text is not None:
        try:
            found["priorityExpander"] = parse_priority_config(text)
        except ImportProblem:
            found["priorityExpander"] = ()
    return ClusterAutoscalerSettings.model_validate(found)


def autoscaler_part(words: Sequence[str]) -> Part:
    """Settings as an import reads them off the Deployment of an autoscaler with these flags."""
    program = autoscaler_flags.PROGRAM
    container = {"name": program, "image": program, "command": [f"./{program}", *words]}
    template = {"metadata": {}, "spec": {"containers": [container]}}
    manifest = {"metadata": {"name": program}, "spec": {"template": template}}
    return imported_objects(deployment, (manifest,)).sections[autoscaler_flags.SECTION][1]


def _words(flag: str, value: Any) -> list[str]:
    """A flag of the command line; bounds and lists are lists in the cases, times are seconds."""
    if flag in _BOUNDS:
        return [f"--{flag}={value[0]}:{value[1]}"]
    values = value if isinstance(value, list) else [value]
    is_time = any(_is_duration(ClusterAutoscalerSettings, name) for name in settings_of(flag))
    unit = "s" if is_time and not flag.endswith("-sec") else ""
    return [f"--{flag}={str(each).lower() if isinstance(each, bool) else each}{unit}" for each in values]


def read_options(group: Json) -> NodeGroupOptions:
    """The overrides of a node group."""
    found: Json = {}
    for option, value in (group.get("options") or {}).items():
        _set(found, NodeGroupOptions, _OPTIONS[option], value)
    return NodeGroupOptions.model_validate(found)


def _set(found: Json, model: type[PlanModel], name: str, value: Any) -> None:
    found[name] = f"{value}s" if _is_duration(model, name) and not isinstance(value, bool) else value


def _is_duration(model: type[PlanModel], name: str) -> bool:
    field = model.model_fields[name]
    spelled = [str(getattr(part, "what", "")) for part in field.metadata] + [str(field.annotation)]
    return any("duration" in text for text in spelled)
