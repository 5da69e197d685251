"""What a preemption leaves in the record: the candidates that were compared, the victims and their budgets."""

from planner.record.details.scheduling import Nomination, Preempted, PreemptionCandidate
from planner.scheduler.cycle.select import NameOrder
from planner.scheduler.preemption_result import LEADING, Candidate, Preemption
from planner.state.cluster import Cluster


def nomination(cluster: Cluster, names: NameOrder, found: Preemption, chosen: Candidate) -> Nomination:
    """The choice among the candidates of `found`."""
    others = [candidate for candidate in found.leading if candidate is not chosen][: LEADING - 1]
    return Nomination(
        _named(cluster, names, chosen),
        len(found.candidates),
        len(found.best),
        tuple([_named(cluster, names, other) for other in others]),
        tuple(dict.fromkeys(chosen.violated.values())),
    )


def preempted(cluster: Cluster, preemptor: int, victim: int, chosen: Candidate) -> Preempted:
    """Why one victim has to go."""
    priority = cluster.pods.priority
    return Preempted(
        cluster.pod_name(preemptor), int(priority[preemptor]), int(priority[victim]), chosen.violated.get(victim, "")
    )


def _named(cluster: Cluster, names: NameOrder, candidate: Candidate) -> PreemptionCandidate:
    return PreemptionCandidate(
        names.name(candidate.node),
        tuple([cluster.pod_name(victim) for victim in candidate.victims]),
        candidate.violations,
        candidate.highest_priority,
        candidate.priority_sum,
        candidate.earliest_start_s,
    )
