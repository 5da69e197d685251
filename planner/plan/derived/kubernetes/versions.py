"""What differs between the versions of Kubernetes: defaults, feature gates and rules.

Sources: Kubernetes 1.36, pkg/features/kube_features.go (gates, with the versions of their defaults); flags of the
Cluster Autoscaler 1.32 to 1.36 (config/flags/flags.go, main.go). Values that a plan sets itself are never changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.kubelet import KubeletSettings
from planner.plan.model.plan import Plan
from planner.plan.model.pods.containers import Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.versions import NEWEST, FeatureGate, KubernetesVersion
from planner.plan.values.fields import MAX_DURATION_US

_Model = TypeVar("_Model", bound=BaseModel)
_ORDER = {version: place for place, version in enumerate(KubernetesVersion)}
V33, V34, V35, V36 = list(KubernetesVersion)[1:]


class GateHistory(NamedTuple):
    """When a gate appeared, and when it was switched on by default."""

    since: KubernetesVersion
    on_since: KubernetesVersion | None


GATES: Mapping[FeatureGate, GateHistory] = MappingProxyType(
    {
        FeatureGate.HPA_CONFIGURABLE_TOLERANCE: GateHistory(V33, V35),
        FeatureGate.HPA_SCALE_TO_ZERO: GateHistory(KubernetesVersion.V1_32, None),
        FeatureGate.KUBELET_CRASH_LOOP_BACK_OFF_MAX: GateHistory(KubernetesVersion.V1_32, V35),
        FeatureGate.POD_LEVEL_RESOURCES: GateHistory(KubernetesVersion.V1_32, V34),
        FeatureGate.SCHEDULER_POP_FROM_BACKOFF_Q: GateHistory(V33, V33),
        FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS: GateHistory(V35, None),
    }
)
HPA_SETTINGS: Mapping[FeatureGate, str] = MappingProxyType(
    {
        FeatureGate.HPA_CONFIGURABLE_TOLERANCE: "configurable_tolerance",
        FeatureGate.HPA_SCALE_TO_ZERO: "scale_to_zero",
        FeatureGate.POD_LEVEL_RESOURCES: "pod_level_resources",
    }
)
"""Gates that a plan can also set for the HPA controller alone."""
AUTOSCALER_DEFAULTS: tuple[tuple[KubernetesVersion, str, object], ...] = (
    (V33, "expander", (ExpanderName.RANDOM,)),
    (V33, "blocking_system_pod_distruption_timeout", MAX_DURATION_US),
    (V34, "cordon_node_before_terminating", False),
    (V35, "frequent_loops_enabled", False),
)
"""Defaults of the Cluster Autoscaler before a version."""


def is_before(version: KubernetesVersion, other: KubernetesVersion) -> bool:
    """Whether a version is older than another one."""
    return _ORDER[version] < _ORDER[other]


def gate_exists(gate: FeatureGate, version: KubernetesVersion) -> bool:
    """Whether a version knows the gate."""
    return not is_before(version, GATES[gate].since)


def gate_is_on(plan: Plan, gate: FeatureGate) -> bool:
    """As the plan says, else by the default of its version."""
    version, history = plan.kubernetes_version, GATES[gate]
    if not gate_exists(gate, version):
        return False
    by_default = history.on_since is not None and not is_before(version, history.on_since)
    return plan.feature_gates.get(gate, by_default)


@dataclass(frozen=True)
class SchedulerDifferences:
    """Rules of kube-scheduler that changed."""

    scores_balance_change: bool
    """NodeResourcesBalancedAllocation scores the change of balance (since 1.36), not the balance after placement."""
    balances_best_effort: bool
    """It also scores pods without requests (before 1.33)."""
    pops_from_backoff: bool
    """An idle scheduler tries pods that still wait for their back-off (SchedulerPopFromBackoffQ)."""


def scheduler_differences(plan: Plan) -> SchedulerDifferences:
    """The rules of the plan's version."""
    return SchedulerDifferences(
        scores_balance_change=not is_before(plan.kubernetes_version, V36),
        balances_best_effort=is_before(plan.kubernetes_version, V33),
        pops_from_backoff=gate_is_on(plan, FeatureGate.SCHEDULER_POP_FROM_BACKOFF_Q),
    )


def taints_a_look_later(plan: Plan) -> bool:
    """Whether a dead node gets its NoExecute taint one look after it became Unknown (before 1.34)."""
    return is_before(plan.kubernetes_version, V34)


def older_defaults(plan: Plan) -> dict[str, Any]:
    """Settings of the Cluster Autoscaler that the plan leaves out and whose default was another one in its version."""
    given = plan.cluster_autoscaler.model_fields_set
    return {
        name: value
        for version, name, value in AUTOSCALER_DEFAULTS
        if is_before(plan.kubernetes_version, version) and name not in given
    }


def hpa_controller_of(plan: Plan) -> HpaControllerSettings:
    """The settings of the HPA controller with the gates of the plan; what it sets for the controller itself stays."""
    given = plan.hpa_controller.model_fields_set
    gates = {name: gate_is_on(plan, gate) for gate, name in HPA_SETTINGS.items() if name not in given}
    return _with(plan.hpa_controller, gates)


def at_its_version(plan: Plan) -> Plan:
    """The plan as its version of Kubernetes understands it: defaults filled in, fields of missing gates dropped."""
    if plan.kubernetes_version is NEWEST and not plan.feature_gates:
        return plan
    autoscaler: ClusterAutoscalerSettings = _with(plan.cluster_autoscaler, older_defaults(plan))
    changes: dict[str, Any] = {"cluster_autoscaler": autoscaler, "hpa_controller": hpa_controller_of(plan)}
    if not gate_is_on(plan, FeatureGate.POD_LEVEL_RESOURCES):
        changes["workloads"] = tuple(_with(item, {"pod": _without_level(item.pod)}) for item in plan.workloads)
    if not gate_is_on(plan, FeatureGate.KUBELET_CRASH_LOOP_BACK_OFF_MAX):
        longest = {"max_container_restart_period": KubeletSettings().max_container_restart_period}
        changes["node_groups"] = tuple(
            group if group.kubelet is None else _with(group, {"kubelet": _with(group.kubelet, longest)})
            for group in plan.node_groups
        )
    return _with(plan, changes)


def _without_level(pod: PodTemplate) -> PodTemplate:
    """The API server drops the fields of a gate that is off."""
    return _with(pod, {"resources": Resources(), "limits": Resources()})


def _with(model: _Model, changes: Mapping[str, object]) -> _Model:
    return model.model_copy(update=changes) if changes else model
