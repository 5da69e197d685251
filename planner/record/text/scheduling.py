"""The scheduler's decisions as sentences and tables, in the words of its events."""

from planner.record.decisions import Decision
from planner.record.details.scheduling import (
    Nomination,
    Placement,
    Preempted,
    SchedulingDetails,
    SchedulingError,
    ScoredNode,
    Unschedulable,
)
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import after_colon, counted, number_text, optional_number, refusals


def sentence(decision: Decision, details: SchedulingDetails) -> str:
    """Why the scheduler decided so."""
    match details:
        case Placement():
            return _bound(decision, details)
        case Unschedulable():
            return _unschedulable(details)
        case Nomination(victims, candidates):
            text = f"Nominated to {decision.target} after preempting {counted(victims, 'lower-priority pod')}"
            return f"{text}, best of {counted(candidates, 'candidate node')}"
        case Preempted(preemptor):
            return f"Preempted by pod {preemptor} on node {decision.target}"
        case SchedulingError(problem):
            return f"Failed{after_colon(problem)}"


def tables(decision: Decision, details: SchedulingDetails) -> tuple[Grid, ...]:
    """What the scheduler looked at."""
    match details:
        case Placement():
            return _placement_grids(decision, details)
        case Unschedulable():
            return _refusal_grids(details)
        case Nomination(victims, candidates):
            steps: tuple[Step, ...] = (
                ("Candidate nodes", number_text(candidates)),
                ("Node chosen", decision.target),
                ("Pods to preempt", number_text(victims)),
            )
            return (steps_grid("Preemption", steps),)
        case Preempted(preemptor):
            steps = (("Node chosen", decision.target), ("Preemptor", preemptor))
            return (steps_grid("Preemption", steps),)
        case SchedulingError(problem):
            return (steps_grid("Scheduling", (("Problem", problem),)),)


def scored_nodes(decision: Decision, details: Placement) -> tuple[ScoredNode, ...]:
    """The node taken and the best of the others, best first; empty where nothing was scored."""
    return () if details.points is None else (ScoredNode(decision.target, details.points), *details.others)


# -- sentences --------------------------------------------------------------------------------


def _bound(decision: Decision, details: Placement) -> str:
    text = f"Successfully assigned {decision.subject} to {decision.target}"
    if details.score is not None:
        text += f", score {details.score}"
    text += f", best of {details.feasible} feasible nodes" if details.feasible != 1 else ", the only feasible node"
    if details.tied > 1:
        text += f", {details.tied} of them tied"
    elif details.others:
        text += f", next {details.others[0].node} with {details.others[0].total}"
    points = ", ".join(f"{name} {number}" for name, number in zip(details.plugins, details.points or (), strict=True))
    return f"{text} ({points})" if points else text


def _unschedulable(details: Unschedulable) -> str:
    none = f"0/{details.nodes} nodes are available"
    text = f"{none}{after_colon(refusals(details.refused))}."
    if details.no_preemption:
        return f"{text} preemption: {details.no_preemption}"
    return f"{text} preemption: {none}: {refusals(details.not_helped)}." if details.not_helped else text


# -- tables -----------------------------------------------------------------------------------


def _placement_grids(decision: Decision, details: Placement) -> tuple[Grid, ...]:
    tied = details.tied if details.tied > 1 else None
    steps = (
        ("Node chosen", decision.target),
        ("Feasible nodes", number_text(details.feasible)),
        ("Tied nodes", optional_number(tied)),
    )
    rows = tuple((one.node, *map(str, one.points), str(one.total)) for one in scored_nodes(decision, details))
    columns = ("Node", *details.plugins, "Total")
    return steps_grid("Placement", steps), Grid("Points of the best nodes", columns, rows, (0,) if rows else ())


def _refusal_grids(details: Unschedulable) -> tuple[Grid, ...]:
    ranked = sorted(details.refused.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(count), reason) for reason, count in ranked)
    return (Grid(f"Nodes that refused the pod, of {details.nodes}", ("Nodes", "Reason"), rows),)
