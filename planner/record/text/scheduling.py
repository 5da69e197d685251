"""The scheduler's decisions as sentences and tables, in the words of its events."""

from planner import units
from planner.record.decisions import Decision
from planner.record.details.scheduling import (
    Nomination,
    Placement,
    Preempted,
    PreemptionCandidate,
    SchedulingDetails,
    SchedulingError,
    ScoredNode,
    Unschedulable,
)
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import after_colon, counted, number_text, optional_number, refusals, some_of


def sentence(decision: Decision, details: SchedulingDetails) -> str:
    """Why the scheduler decided so."""
    match details:
        case Placement():
            return _bound(decision, details)
        case Unschedulable():
            return _unschedulable(details)
        case Nomination():
            return _nominated(decision, details)
        case Preempted(preemptor, preemptor_priority, priority, budget):
            text = f"Preempted by pod {preemptor} on node {decision.target}"
            text += f": priority {priority} gives way to {preemptor_priority}"
            return f"{text}, against disruption budget {budget}" if budget else text
        case SchedulingError(problem):
            return f"Failed{after_colon(problem)}"


def tables(decision: Decision, details: SchedulingDetails) -> tuple[Grid, ...]:
    """What the scheduler looked at."""
    match details:
        case Placement():
            return _placement_grids(decision, details)
        case Unschedulable():
            return _refusal_grids(details)
        case Nomination():
            return _preemption_grids(decision, details)
        case Preempted(preemptor, preemptor_priority, priority, budget):
            steps: tuple[Step, ...] = (
                ("Node chosen", decision.target),
                ("Preemptor", preemptor),
                ("Priority of the preemptor", str(preemptor_priority)),
                ("Priority of this pod", str(priority)),
                ("Disruption budget violated", budget),
            )
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


def _nominated(decision: Decision, details: Nomination) -> str:
    victims = details.chosen.victims
    text = f"Nominated to {decision.target} after preempting {counted(len(victims), 'lower-priority pod')}"
    text += f" ({some_of(victims)})"
    if details.candidates == 1:
        text += ", the only candidate node"
    else:
        text += f", best of {counted(details.candidates, 'candidate node')}: {_deciding_rule(details)}"
    return f"{text}; violates disruption budget {', '.join(details.budgets)}" if details.budgets else text


def _deciding_rule(details: Nomination) -> str:
    """What the chosen candidate is better at than the best of those that are worse."""
    if details.tied > 1:
        return f"one of {details.tied} that are equal"
    chosen, next_best = _compared(details.chosen), _compared(details.others[0])
    return next(rule for (rule, own), (_, other) in zip(chosen, next_best, strict=True) if own != other)


def _compared(candidate: PreemptionCandidate) -> tuple[tuple[str, int], ...]:
    """What candidates are compared by, in order; every priority counts as positive in the sum, so number matters."""
    return (
        ("fewest violations of budgets", candidate.violations),
        ("least important victim", candidate.highest_priority),
        ("fewest victims", len(candidate.victims)),
        ("smallest sum of priorities", candidate.priority_sum),
        ("latest start of its most important victim", candidate.earliest_start_s),
    )


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


def _preemption_grids(decision: Decision, details: Nomination) -> tuple[Grid, ...]:
    steps = (
        ("Candidate nodes", number_text(details.candidates)),
        ("Node chosen", decision.target),
        ("Pods to preempt", number_text(len(details.chosen.victims))),
        ("Equal candidates", optional_number(details.tied if details.tied > 1 else None)),
        ("Disruption budgets violated", ", ".join(details.budgets)),
    )
    columns = (
        "Node",
        "Budget violations",
        "Highest priority",
        "Sum of priorities",
        "Pods",
        "Earliest start",
        "Victims",
    )
    rows = tuple(_candidate_row(candidate) for candidate in (details.chosen, *details.others))
    return steps_grid("Preemption", steps), Grid("Best candidates", columns, rows, (0,))


def _candidate_row(candidate: PreemptionCandidate) -> tuple[str, ...]:
    figures = (candidate.violations, candidate.highest_priority, candidate.priority_sum, len(candidate.victims))
    start = units.format_duration(candidate.earliest_start_s * units.US_PER_S)
    return candidate.node, *map(str, figures), start, some_of(candidate.victims)


def _refusal_grids(details: Unschedulable) -> tuple[Grid, ...]:
    ranked = sorted(details.refused.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(count), reason) for reason, count in ranked)
    return (Grid(f"Nodes that refused the pod, of {details.nodes}", ("Nodes", "Reason"), rows),)
