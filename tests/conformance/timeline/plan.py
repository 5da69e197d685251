"""A timeline case becomes a plan: objects in API JSON through `planner.kube`, seconds to microseconds."""

from collections.abc import Iterator, Mapping
from typing import Any

from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.kube.draft.draft import Part
from planner.kube.kinds.cluster import priority_class
from planner.kube.kinds.configuration import horizontal_pod_autoscaler
from planner.kube.kinds.workloads import daemon_set, deployment
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    HpaControllerSettings,
)
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_workloads import CreateWorkload, SetReplicas
from planner.plan.model.events.plan_event import PlanEvent
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.pod_classes import PriorityClass
from planner.plan.model.traffic import LoadPoint, PointsLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.units import US_PER_S
from tests.conformance.cluster_autoscaler.settings import autoscaler_part
from tests.conformance.imported import imported_node, imported_objects, imported_parts, workload_part
from tests.conformance.object_status import KnownBudget

Json = Mapping[str, Any]
POD_CORE_PRICE, POD_GIB_PRICE = 0.033174, 0.004446
"""README, section 3, cloud."""


def plan_of(given: Json) -> Plan:
    """The plan of a case's input, with reference timing."""
    sim = given["simulation"]
    plan = Plan(
        simulation=SimulationSettings(duration=sim["durationSeconds"] * US_PER_S),
        node_groups=tuple(map(_group, sorted(given["nodeGroups"], key=lambda group: str(group["id"])))),
        workloads=(
            *(_daemon_set(entry) for entry in given.get("daemonSets") or ()),
            *map(_deployment, given["workloads"]),
        ),
        events=tuple(_events(given)),
        priority_classes=tuple(
            PriorityClass.model_validate(part)
            for part in imported_parts(priority_class, "priorityClasses", given.get("priorityClasses") or ())
        ),
        pod_disruption_budgets=tuple(map(_budget, given.get("podDisruptionBudgets") or ())),
        horizontal_pod_autoscalers=tuple(map(_hpa, given.get("horizontalPodAutoscalers") or ())),
        hpa_controller=_controller(sim),
        metrics_pipeline=MetricsPipelineSettings(
            scrape_interval=sim["metricsResolutionSeconds"] * US_PER_S,
            phase=(sim["metricsPhaseSeconds"] or sim["metricsResolutionSeconds"]) * US_PER_S,
        ),
        cluster_autoscaler=_autoscaler(given),
    )
    return with_reference_timing(plan)


def _group(group: Json) -> NodeGroup:
    return imported_node(group["template"]).group.model_copy(
        update={
            "name": group["id"],
            "min_size": group["min"],
            "max_size": group["max"],
            "initial_size": group["initial"],
            "provisioning_delay": group["provisionSeconds"] * US_PER_S,
            "ready_delay": group["readyDelaySeconds"] * US_PER_S,
            "deletion_delay": group["deletionSeconds"] * US_PER_S,
            "price_per_hour": group["pricePerHour"],
        }
    )


def _deployment(entry: Json) -> Workload:
    manifest, load = entry["deployment"], entry.get("load")
    part = workload_part(deployment, manifest)
    more = {} if load is None else {"demand": Demand(cpu_seconds_per_request=load["cpuSecondsPerRequest"])}
    traffic = None if load is None else _traffic(load)
    return _workload({**part, "replicas": manifest["spec"].get("replicas", 1), "traffic": traffic, **more}, entry)


def _daemon_set(entry: Json) -> Workload:
    return _workload(workload_part(daemon_set, entry["daemonSet"]), entry)


def _workload(part: Part, entry: Json) -> Workload:
    """What manifests do not say: how long the pods take to start and to stop."""
    times = {"startupDelay": f"{entry['startupSeconds']}s", "terminationTime": f"{entry['terminationSeconds']}s"}
    return Workload.model_validate({**part, "pod": {**part["pod"], **times}})


def _traffic(load: Json) -> Traffic:
    points = tuple(LoadPoint(at=t * US_PER_S, rate=rate) for t, rate in load["points"])
    return Traffic(profile=PointsLoad(type="points", points=points, interpolation=load["interpolation"]))


def _events(given: Json) -> Iterator[PlanEvent]:
    """Workloads are created before actions of the same second."""
    for entry in given["workloads"]:
        name = entry["deployment"]["metadata"]["name"]
        yield CreateWorkload(type="createWorkload", at=entry["applyAt"] * US_PER_S, workload=name)
    for action in given.get("actions") or ():
        yield SetReplicas(
            type="setReplicas", at=action["t"] * US_PER_S, workload=action["scale"], replicas=action["replicas"]
        )


def _budget(entry: Json) -> PodDisruptionBudget:
    budget = KnownBudget(entry).plan
    assert budget is not None
    return budget


def _hpa(manifest: Json) -> HorizontalPodAutoscaler:
    part = imported_objects(horizontal_pod_autoscaler, (manifest,)).scalers[0]
    return HorizontalPodAutoscaler.model_validate({**part.fields, "scaleTarget": part.target[2]})


def _controller(sim: Json) -> HpaControllerSettings:
    return HpaControllerSettings(
        sync_period=sim["hpaSyncSeconds"] * US_PER_S,
        phase=(sim["hpaPhaseSeconds"] or sim["hpaSyncSeconds"]) * US_PER_S,
        tolerance=sim["hpaTolerance"],
        downscale_stabilization=sim["hpaDownscaleStabilizationSeconds"] * US_PER_S,
        cpu_initialization_period=sim["hpaCpuInitializationPeriodSeconds"] * US_PER_S,
        initial_readiness_delay=sim["hpaInitialReadinessDelaySeconds"] * US_PER_S,
    )


def _autoscaler(given: Json) -> ClusterAutoscalerSettings:
    sim = given["simulation"]
    mode = sim.get("caLoopMode", "fixed")
    is_on = sim["clusterAutoscaler"] and mode != "off"
    found: dict[str, Any] = {
        **autoscaler_part([f"--{flag}={text}" for flag, text in given["clusterAutoscalerFlags"].items()]),
        "enabled": is_on,
        "frequentLoopsEnabled": mode == "frequent",
        "podCorePricePerHour": POD_CORE_PRICE,
        "podGibPricePerHour": POD_GIB_PRICE,
    }
    if is_on:
        found["scanInterval"] = sim["caScanSeconds"] * US_PER_S
        found["phase"] = sim["caPhaseSeconds"] * US_PER_S
        found["loopDuration"] = (sim.get("caLoopSeconds") or 1) * US_PER_S
    for config in given.get("configMaps") or ():
        if "priorities" in (config.get("data") or {}):
            found["priorityExpander"] = parse_priority_config(config["data"]["priorities"])
    return ClusterAutoscalerSettings.model_validate(found)
