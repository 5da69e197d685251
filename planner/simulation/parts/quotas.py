"""The quotas of a plan's namespaces, for its controllers."""

from collections.abc import Callable

from planner.engine.queue import EventQueue
from planner.plan.derived.fits import NO_OVERHEAD
from planner.plan.model.plan import Plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.workloads import Workload
from planner.record.decisions import Decision
from planner.simulation.compile.world import World, keepers
from planner.workloads.quota.admission import PodClaim, hard_limits, pod_claim
from planner.workloads.quota.gate import QuotaGate


def quota_gate_of(plan: Plan, world: World, events: EventQueue, decide: Callable[[Decision], None]) -> QuotaGate | None:
    """None where no namespace has a quota."""
    quotas = {
        known.name: tuple((quota.name, hard_limits(quota)) for quota in known.resource_quotas)
        for known in plan.namespaces
        if known.resource_quotas
    }
    if not quotas:
        return None
    claims = {
        world.workload_rows[item.name]: claim_of(item.pod, plan)
        for item in keepers(plan)
        if (item.namespace if isinstance(item, Workload) else "default") in quotas
    }
    return QuotaGate(world.cluster, events, quotas, claims, decide)


def claim_of(pod: PodTemplate, plan: Plan) -> PodClaim:
    """What a pod of a template counts with in quotas."""
    overheads = {known.name: known.overhead for known in plan.runtime_classes}
    return pod_claim(pod, overheads.get(pod.runtime_class, NO_OVERHEAD))
