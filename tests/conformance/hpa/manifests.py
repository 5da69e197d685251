"""The objects of the HPA vectors on the way of a user's manifests: import, plan, compile."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, spec_from_plan
from planner.kube.assembly import assemble
from planner.kube.draft.draft import Draft
from planner.kube.files.field import Field
from planner.kube.files.source import Source
from planner.kube.kinds.registry import KINDS
from planner.kube.pods.pod_template import read_pod_template
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    MAX_REPLICAS,
    HorizontalPodAutoscaler,
    HpaControllerSettings,
)
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload
from planner.simulation.compile.pods import Admission, compile_pod
from planner.state.resources import ResourceAxis
from planner.state.specs import PodSpec

SOURCE = Source("vector", 1)
TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
DEPLOYMENT = {
    **TARGET,
    "metadata": {"name": "web"},
    "spec": {"template": {"metadata": {}, "spec": {"containers": [{"name": "app"}]}}},
}
GATES = {
    "HPAConfigurableTolerance": "configurable_tolerance",
    "HPAScaleToZero": "scale_to_zero",
    "PodLevelResources": "pod_level_resources",
}
EMPTY_PLAN = Plan(name="vector")
AXIS = ResourceAxis()


def settings_of(data: Mapping[str, Any]) -> HpaSettings:
    """The flags and gates of a case, as a plan holds them."""
    flags = data["flags"]
    gates = {GATES[name]: on for name, on in (data.get("featureGates") or {}).items()}
    planned = {
        "tolerance": flags["tolerance"],
        "downscaleStabilization": f"{flags['downscaleStabilizationSeconds']}s",
        "cpuInitializationPeriod": f"{flags['cpuInitializationPeriodSeconds']}s",
        "initialReadinessDelay": f"{flags['initialReadinessDelaySeconds']}s",
    }
    return HpaSettings.from_plan(HpaControllerSettings.model_validate(planned | gates))


def spec_of(spec: Mapping[str, Any]) -> HpaSpec | None:
    """The specification of an HPA that scales the Deployment web; None where the import does not find its target."""
    found = _imported(json.dumps({"scaleTargetRef": TARGET, "maxReplicas": MAX_REPLICAS, **spec}))
    return None if found is None else spec_from_plan(found)


@lru_cache(maxsize=4096)
def _imported(spec: str) -> HorizontalPodAutoscaler | None:
    draft = Draft()
    scaler = {"apiVersion": "autoscaling/v2", "metadata": {"name": "h"}, "spec": json.loads(spec)}
    KINDS["Deployment"].read(Field(DEPLOYMENT, SOURCE), draft)
    KINDS["HorizontalPodAutoscaler"].read(Field(scaler, SOURCE), draft)
    parts = assemble(draft, "vector").data.get("horizontalPodAutoscalers")
    return HorizontalPodAutoscaler.model_validate(parts[0]) if parts else None


def pod_spec(pod: Mapping[str, Any]) -> PodSpec:
    """What a run knows of the pod's template."""
    return _compiled(json.dumps(pod["spec"]))


@lru_cache(maxsize=4096)
def _compiled(spec: str) -> PodSpec:
    template = read_pod_template(Field({}, SOURCE), Field(json.loads(spec), SOURCE), Draft())
    workload = Workload(name="web", pod=PodTemplate.model_validate(template))
    row = _compiled.cache_info().currsize
    return compile_pod(workload, row, "default", Admission.of(EMPTY_PLAN), AXIS)
