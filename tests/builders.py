"""Small values for tests: everything has a default, a test names only what it is about."""

from typing import Any

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaControllerSettings
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings, Sampling
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Overprovisioning, Workload


def a_node_group(name: str = "pool", **settings: Any) -> NodeGroup:
    """A pool of nodes with 4 cores and 16 GiB."""
    return NodeGroup(**{"name": name, "cpu": "4", "memory": "16Gi"} | settings)


def a_pod(cpu: str | None = "250m", memory: str | None = "256Mi", **settings: Any) -> PodTemplate:
    """A pod of one container with requests."""
    container = Container(requests=Resources(cpu=cpu, memory=memory))
    return PodTemplate(**{"containers": (container,)} | settings)


def a_workload(name: str = "web", **settings: Any) -> Workload:
    """A Deployment of two small pods without load."""
    return Workload(**{"name": name, "replicas": 2, "pod": a_pod()} | settings)


def a_reserve(name: str = "reserve", **settings: Any) -> Overprovisioning:
    """Two pause pods of one core."""
    return Overprovisioning(**{"name": name, "replicas": 2, "pod": a_pod("1", "1Gi")} | settings)


def an_hpa(target: str = "web", **settings: Any) -> HorizontalPodAutoscaler:
    """An autoscaler that follows CPU utilization."""
    return HorizontalPodAutoscaler(**{"name": target, "scale_target": target, "max_replicas": 10} | settings)


EXACT_SAMPLES = MetricsPipelineSettings(sampling=Sampling.SAMPLED, phase="15s")
"""Use is sampled at every multiple of 15 s, for all pods at once."""
EXACT_SYNCS = HpaControllerSettings(phase="15s", evaluation_time="0s")
"""Autoscalers of pods are evaluated at every multiple of 15 s."""


def a_plan(**settings: Any) -> Plan:
    """One pool, one workload, an hour. Autoscalers of pods, if any, act at exact times on exact figures.

    Load is a fluid unless the settings of the simulation say otherwise.
    """
    parts: dict[str, Any] = {"node_groups": (a_node_group(),), "workloads": (a_workload(),)}
    if settings.get("horizontal_pod_autoscalers"):
        parts |= {"metrics_pipeline": EXACT_SAMPLES, "hpa_controller": EXACT_SYNCS}
    parts |= settings
    simulation = parts.get("simulation", SimulationSettings())
    has_load = any(isinstance(item, Workload) and item.traffic for item in parts["workloads"])
    if has_load and "discrete_requests" not in simulation.model_fields_set:
        parts["simulation"] = simulation.model_copy(update={"discrete_requests": False})
    return Plan(**parts)
