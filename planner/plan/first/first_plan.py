"""The plan that answers make: one service, its autoscaler, and a pool of nodes that follows."""

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.derived.allocatable import offer_of
from planner.plan.edits.machine_catalogue import MachineCatalogue, find_machine
from planner.plan.edits.machines import with_machine_at
from planner.plan.edits.runtimes import RUNTIMES
from planner.plan.first.answers import Answers, check_answers
from planner.plan.first.patterns import profile_of, share_at_start
from planner.plan.first.sizing import (
    AGENT_BYTES,
    AGENT_MILLI,
    PROCESSES,
    UTILIZATION,
    PodSize,
    ReplicaRange,
    nodes_for,
    pod_counts,
    pod_size,
    pods_for,
)
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import MAX_REPLICAS, HorizontalPodAutoscaler
from planner.plan.model.autoscalers.hpa_metric import HpaMetric
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.containers import Container, Resources
from planner.plan.model.pods.placement import LabelSelector
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.pricing import CostSettings
from planner.plan.model.traffic import Noise, Slo, Traffic
from planner.plan.model.workloads import Workload, WorkloadKind
from planner.units import US_PER_DAY, US_PER_MIN, US_PER_MS, US_PER_S

_POOL = "nodes"
_MOST_NODES = 15_000
_NOISE = Noise(cv=0.05, correlation_time=2 * US_PER_MIN)


def first_plan(answers: Answers, catalogue: MachineCatalogue) -> Plan:
    """A plan of one day. Raises PlanProblem if the answers allow none: a load too large, an objective too strict."""
    check_answers(answers)
    size = pod_size(answers)
    counts = pod_counts(answers, size)
    if counts.most > MAX_REPLICAS:
        raise PlanProblem(
            tr("Load"),
            tr("It takes {pods} pods, more than a cluster holds.", pods=counts.most),
            tr("Divide the load over several clusters and plan one of them."),
        )
    service = _service(answers, size, counts)
    plan = Plan(
        name=tr("First plan of {service}", service=service.name),
        notes=_notes(answers, counts),
        simulation=SimulationSettings(duration=US_PER_DAY, load_step=10 * US_PER_S, record_interval=US_PER_MIN),
        workloads=(service, _agent()),
        pod_disruption_budgets=(_budget(service),),
        horizontal_pod_autoscalers=(_autoscaler(service.name, counts),),
        costs=CostSettings(currency=catalogue.currency, budget_per_month=answers.budget_per_month),
    )
    return _with_pool(plan, answers, size, counts, catalogue)


def _service(answers: Answers, size: PodSize, counts: ReplicaRange) -> Workload:
    start = pods_for(answers, size, answers.peak_rate * share_at_start(answers.pattern))
    container = Container(
        requests=Resources(cpu=size.request, memory=size.memory), limits=Resources(cpu=size.limit, memory=size.memory)
    )
    target = round(answers.target_ms * US_PER_MS)
    plain = Workload(
        name=answers.service,
        replicas=min(max(start, counts.least), counts.most),
        pod=PodTemplate(containers=(container,), readiness_delay=RUNTIMES[answers.runtime].startup_s * US_PER_S),
        traffic=Traffic(profile=profile_of(answers.pattern, answers.peak_rate), noise=_NOISE),
        demand=Demand(cpu_seconds_per_request=answers.cpu_ms / 1000, timeout=max(10 * US_PER_S, 10 * target)),
        slo=Slo(percentile=95, target=target),
    )
    return RUNTIMES[answers.runtime].apply(plain, PROCESSES)


def _agent() -> Workload:
    wanted = Resources(cpu=AGENT_MILLI, memory=AGENT_BYTES)
    pod = PodTemplate(containers=(Container(requests=wanted),), priority_class="system-node-critical")
    kind = WorkloadKind.DAEMON_SET
    return Workload(name="node-agents", namespace="kube-system", kind=kind, pod=pod, cpu_use=AGENT_MILLI // 3)


def _budget(service: Workload) -> PodDisruptionBudget:
    """Drains of nodes take one pod after the other."""
    return PodDisruptionBudget(
        name=service.name, selector=LabelSelector(match_labels=service.pod.labels_of(service.name)), max_unavailable=1
    )


def _autoscaler(service: str, counts: ReplicaRange) -> HorizontalPodAutoscaler:
    return HorizontalPodAutoscaler(
        name=service,
        scale_target=service,
        min_replicas=counts.least,
        max_replicas=counts.most,
        metrics=(HpaMetric(average_utilization=UTILIZATION),),
    )


def _with_pool(plan: Plan, answers: Answers, size: PodSize, counts: ReplicaRange, catalogue: MachineCatalogue) -> Plan:
    """With as many nodes as the pods need: at least, at the start and at most."""
    machine = find_machine(catalogue, answers.machine)
    empty = NodeGroup(name=_POOL, cpu=machine.cpu, memory=machine.memory)
    dressed = with_machine_at(plan.model_copy(update={"node_groups": (empty,)}), 0, machine, catalogue)
    group = dressed.node_groups[0]
    per_node = _pods_per_node(group, size)
    if per_node < 1:
        raise PlanProblem(
            tr("Machine"),
            tr("A pod of this service does not fit on a {machine}.", machine=machine.name),
            tr("Choose a larger machine."),
        )
    most = nodes_for(counts.most, per_node) + 1
    if most > _MOST_NODES:
        raise PlanProblem(
            tr("Machine"),
            tr("It takes {nodes} nodes, more than a cluster has.", nodes=most),
            tr("Choose a larger machine."),
        )
    sizes = {
        "min_size": nodes_for(counts.least, per_node),
        "max_size": most,
        "initial_size": nodes_for(plan.workloads[0].replicas, per_node),
    }
    pool = NodeGroup.model_validate({name: getattr(group, name) for name in group.model_fields_set} | sizes)
    return dressed.model_copy(update={"node_groups": (pool,)})


def _pods_per_node(group: NodeGroup, size: PodSize) -> int:
    room = offer_of(group).allocatable
    by_cpu, by_memory = (room["cpu"] - AGENT_MILLI) // size.request, (room["memory"] - AGENT_BYTES) // size.memory
    return min(by_cpu, by_memory, room["pods"] - 1)


def _notes(answers: Answers, counts: ReplicaRange) -> str:
    return tr(
        "Made by the guide from: {rate:g} requests/s at the peak, {cpu:g} ms of CPU each, 95 % answered within "
        "{target:g} ms. {least} to {most} pods; the peak needs about {at_peak}. Requests, memory and start-up are "
        "rules of thumb: replace them with measured values.",
        rate=answers.peak_rate,
        cpu=answers.cpu_ms,
        target=answers.target_ms,
        least=counts.least,
        most=counts.most,
        at_peak=counts.at_peak,
    )
