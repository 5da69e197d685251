"""Reference timing: the settings under which a run repeats the recorded whole runs of the real control plane.

A preset of ordinary settings: delays without spread, load without noise and without memory (what pods cannot serve is
rejected at once), no contention for CPU (and so no need for short load steps), ties broken by name, no pods already
running at the start, exact periods of the HPA controller, and the use of pods sampled for all of them at once. Phases
that the plan sets are not changed; others are one period.
"""

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings, Sampling
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.scheduler import SchedulerSettings
from planner.plan.model.traffic import Noise
from planner.plan.model.workloads import Workload
from planner.units import US_PER_MIN


def with_reference_timing(plan: Plan) -> Plan:
    """The plan with everything left out that the recorded runs do not have."""
    return plan.model_copy(
        update={
            "simulation": _simulation(plan.simulation),
            "node_groups": tuple(map(_without_spread, plan.node_groups)),
            "workloads": tuple(map(_plain_load, plan.workloads)),
            "hpa_controller": with_exact_syncs(plan.hpa_controller),
            "metrics_pipeline": with_exact_samples(plan.metrics_pipeline),
            "scheduler": _scheduler(plan.scheduler),
            "cluster_autoscaler": _autoscaler(plan.cluster_autoscaler),
        }
    )


def _simulation(settings: SimulationSettings) -> SimulationSettings:
    off = {"warm_start": False, "cpu_contention": False, "discrete_requests": False, "load_step": US_PER_MIN}
    return settings.model_copy(update=off)


def _without_spread(group: NodeGroup) -> NodeGroup:
    return group.model_copy(update={"provisioning_spread": 0})


def _plain_load(workload: Workload) -> Workload:
    demand = workload.demand.model_copy(update={"queue_limit": 0})
    if workload.traffic is None or workload.traffic.noise == Noise():
        return workload.model_copy(update={"demand": demand})
    traffic = workload.traffic.model_copy(update={"noise": Noise()})
    return workload.model_copy(update={"demand": demand, "traffic": traffic})


def with_exact_syncs(settings: HpaControllerSettings) -> HpaControllerSettings:
    """Evaluations at exact periods, the first one a period after the start unless the plan says when."""
    phase = settings.sync_period if settings.phase is None else settings.phase
    return settings.model_copy(update={"phase": phase, "evaluation_time": 0})


def with_exact_samples(settings: MetricsPipelineSettings) -> MetricsPipelineSettings:
    """All pods are sampled at the moments of the scrapes, each with what it uses just then."""
    phase = settings.scrape_interval if settings.phase is None else settings.phase
    return settings.model_copy(update={"sampling": Sampling.SAMPLED, "phase": phase})


def _scheduler(settings: SchedulerSettings) -> SchedulerSettings:
    return settings.model_copy(update={"deterministic_ties": True})


def _autoscaler(settings: ClusterAutoscalerSettings) -> ClusterAutoscalerSettings:
    return settings.model_copy(update={"deterministic_ties": True})
