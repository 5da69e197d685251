"""Answers about the object of a decision: why the autoscaler leaves a node, or adds none for a pod."""

from planner.record.decisions import Actor, Verdict
from planner.record.text.questions import RunFacts, why_no_scale_up, why_node_stays
from ui.runs.run_data import RunData

_OF_ALL = (Verdict.TRIGGERED, Verdict.REMOVING)
"""What the answers need of other objects too."""


def answers_about(run: RunData, name: str, time_us: int) -> list[str]:
    """Sentences about a node or a pod at a time; none for other objects."""
    about = [one for one in run.decisions if one.subject == name or one.verdict in _OF_ALL]
    facts = RunFacts(run.plan.cluster_autoscaler, about, run.statuses)
    own = [one for one in about if one.subject == name]
    if any(one.actor is Actor.SCHEDULER or one.verdict is Verdict.NOT_TRIGGERED for one in own):
        return why_no_scale_up(facts, name, own[0].time_us, time_us)
    groups, node_pools = run.plan.node_groups, run.plan.karpenter.node_pools
    owners = (*(group.name for group in groups), *(pool.name for pool in node_pools))
    is_node = name.startswith(tuple(f"{owner}-" for owner in owners))
    return why_node_stays(facts, name, time_us) if is_node else []
