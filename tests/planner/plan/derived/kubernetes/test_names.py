"""What settings are called in Kubernetes."""

import typing

import pytest
from pydantic import BaseModel

from planner.plan.derived.kubernetes.names import _FIELDS, _FLAGS, kubernetes_name
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaControllerSettings
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.karpenter.node_pools import NodePool
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.placement import Toleration
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import CronSettings, UpdateStrategy


@pytest.mark.parametrize(
    ("model", "field", "name"),
    [
        (HorizontalPodAutoscaler, "min_replicas", "HorizontalPodAutoscaler spec.minReplicas"),
        (
            HpaControllerSettings,
            "sync_period",
            "kube-controller-manager --horizontal-pod-autoscaler-sync-period",
        ),
        (ClusterAutoscalerSettings, "scan_interval", "cluster-autoscaler --scan-interval"),
        (ClusterAutoscalerSettings, "cores_total_max", "cluster-autoscaler --cores-total"),
        (ClusterAutoscalerSettings, "loop_duration", ""),
        (PodDisruptionBudget, "min_available", "PodDisruptionBudget spec.minAvailable"),
        (PodTemplate, "priority_class", "Pod spec.priorityClassName"),
        (Toleration, "toleration_seconds", "Pod spec.tolerations[] tolerationSeconds"),
        (UpdateStrategy, "min_ready", "Deployment spec.minReadySeconds"),
        (CronSettings, "concurrency_policy", "CronJob spec.concurrencyPolicy"),
        (NodePool, "expire_after", "NodePool spec.template.spec.expireAfter"),
        (SimulationSettings, "seed", ""),
    ],
)
def test_a_setting_has_the_name_that_its_manifest_or_program_uses(model, field, name):
    assert kubernetes_name(model, field) == name


def test_every_name_belongs_to_a_setting_of_the_plan():
    models = {model.__name__: model for model in _models(Plan, {})}
    unknown = {
        (model, field)
        for model, (_where, settings) in (*_FIELDS.items(), *_FLAGS.items())
        for field in (setting.partition("=")[0] for setting in settings.split())
        if model not in models or field not in models[model].model_fields
    }
    assert unknown == set()


def test_nearly_every_flag_of_the_cluster_autoscaler_is_named():
    fields = ClusterAutoscalerSettings.model_fields
    nameless = {field for field in fields if not kubernetes_name(ClusterAutoscalerSettings, field)}
    own = {"enabled", "loop_duration", "phase", "reuse_simulations", "deterministic_ties", "priority_expander",
           "pod_core_price_per_hour", "pod_gib_price_per_hour", "gpu_label"}  # fmt: skip
    assert nameless == own


def _models(model, found):
    if model in found:
        return found
    found[model] = None
    for info in model.model_fields.values():
        parts = [info.annotation]
        while parts:
            part = parts.pop()
            if isinstance(part, type) and issubclass(part, BaseModel):
                _models(part, found)
            else:
                parts += typing.get_args(part)
    return found
