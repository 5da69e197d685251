"""The scheduler's decisions as sentences and tables, in the words of its events."""

from planner import units
from planner.language.translation import tr, tr_count
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

_MOST_PODS = 50
"""Of those that were refused with another one a table names so many."""


def sentence(decision: Decision, details: SchedulingDetails) -> str:
    """Why the scheduler decided so."""
    match details:
        case Placement():
            return _bound(decision, details)
        case Unschedulable():
            return _with_others(_unschedulable(details), decision.others)
        case Nomination():
            return _nominated(decision, details)
        case Preempted(preemptor, preemptor_priority, priority, budget):
            text = tr("Preempted by pod {preemptor} on node {target}", preemptor=preemptor, target=decision.target)
            text += tr(
                ": priority {priority} gives way to {preemptor_priority}",
                priority=priority,
                preemptor_priority=preemptor_priority,
            )
            return tr("{text}, against disruption budget {budget}", text=text, budget=budget) if budget else text
        case SchedulingError(problem):
            return f"Failed{after_colon(problem)}"


def tables(decision: Decision, details: SchedulingDetails) -> tuple[Grid, ...]:
    """What the scheduler looked at."""
    match details:
        case Placement():
            return _placement_grids(decision, details)
        case Unschedulable():
            return _refusal_grids(decision, details)
        case Nomination():
            return _preemption_grids(decision, details)
        case Preempted(preemptor, preemptor_priority, priority, budget):
            steps: tuple[Step, ...] = (
                (tr("Node chosen"), decision.target),
                (tr("Preemptor"), preemptor),
                (tr("Priority of the preemptor"), str(preemptor_priority)),
                (tr("Priority of this pod"), str(priority)),
                (tr("Disruption budget violated"), budget),
            )
            return (steps_grid(tr("Preemption"), steps),)
        case SchedulingError(problem):
            return (steps_grid(tr("Scheduling"), ((tr("Problem"), problem),)),)


def scored_nodes(decision: Decision, details: Placement) -> tuple[ScoredNode, ...]:
    """The node taken and the best of the others, best first; empty where nothing was scored."""
    return () if details.points is None else (ScoredNode(decision.target, details.points), *details.others)


# -- sentences --------------------------------------------------------------------------------


def _bound(decision: Decision, details: Placement) -> str:
    text = tr("Successfully assigned {subject} to {target}", subject=decision.subject, target=decision.target)
    if details.score is not None:
        text += tr(", score {score}", score=details.score)
    text += (
        tr(", best of {feasible} feasible nodes", feasible=details.feasible)
        if details.feasible != 1
        else tr(", the only feasible node")
    )
    if details.tied > 1:
        text += tr(", {tied} of them tied", tied=details.tied)
    elif details.others:
        text += tr(", next {node} with {total}", node=details.others[0].node, total=details.others[0].total)
    points = ", ".join(f"{name} {number}" for name, number in zip(details.plugins, details.points or (), strict=True))
    return f"{text} ({points})" if points else text


def _nominated(decision: Decision, details: Nomination) -> str:
    victims = details.chosen.victims
    text = tr(
        "Nominated to {target} after preempting {count}",
        target=decision.target,
        count=counted(len(victims), "lower-priority pod"),
    )
    text += f" ({some_of(victims)})"
    if details.candidates == 1:
        text += tr(", the only candidate node")
    else:
        text += tr(
            ", best of {candidates}: {deciding_rule}",
            candidates=counted(details.candidates, "candidate node"),
            deciding_rule=_deciding_rule(details),
        )
    return (
        tr("{text}; violates disruption budget {budgets}", text=text, budgets=", ".join(details.budgets))
        if details.budgets
        else text
    )


def _deciding_rule(details: Nomination) -> str:
    """What the chosen candidate is better at than the best of those that are worse."""
    if details.tied > 1:
        return tr("one of {tied} that are equal", tied=details.tied)
    chosen, next_best = _compared(details.chosen), _compared(details.others[0])
    return next(rule for (rule, own), (_, other) in zip(chosen, next_best, strict=True) if own != other)


def _compared(candidate: PreemptionCandidate) -> tuple[tuple[str, int], ...]:
    """What candidates are compared by, in order; every priority counts as positive in the sum, so number matters."""
    return (
        (tr("fewest violations of budgets"), candidate.violations),
        (tr("least important victim"), candidate.highest_priority),
        (tr("fewest victims"), len(candidate.victims)),
        (tr("smallest sum of priorities"), candidate.priority_sum),
        (tr("latest start of its most important victim"), candidate.earliest_start_s),
    )


def _unschedulable(details: Unschedulable) -> str:
    none = tr("0/{nodes} nodes are available", nodes=details.nodes)
    text = f"{none}{after_colon(refusals(details.refused))}."
    if details.no_preemption:
        return tr("{text} preemption: {no_preemption}", text=text, no_preemption=details.no_preemption)
    return (
        tr("{text} preemption: {none}: {refusals}.", text=text, none=none, refusals=refusals(details.not_helped))
        if details.not_helped
        else text
    )


def _with_others(text: str, others: tuple[str, ...]) -> str:
    if not others:
        return text
    return tr_count(
        "{text} Refused with it: {count} more pod, {names}.",
        "{text} Refused with it: {count} more pods, {names}.",
        len(others),
        text=text,
        count=len(others),
        names=some_of(others),
    )


# -- tables -----------------------------------------------------------------------------------


def _placement_grids(decision: Decision, details: Placement) -> tuple[Grid, ...]:
    tied = details.tied if details.tied > 1 else None
    steps = (
        (tr("Node chosen"), decision.target),
        (tr("Feasible nodes"), number_text(details.feasible)),
        (tr("Tied nodes"), optional_number(tied)),
    )
    rows = tuple((one.node, str(one.total), *map(str, one.points)) for one in scored_nodes(decision, details))
    columns = (tr("Node"), tr("Total"), *details.plugins)
    return steps_grid(tr("Placement"), steps), Grid(tr("Points of the best nodes"), columns, rows, (0,) if rows else ())


def _preemption_grids(decision: Decision, details: Nomination) -> tuple[Grid, ...]:
    steps = (
        (tr("Candidate nodes"), number_text(details.candidates)),
        (tr("Node chosen"), decision.target),
        (tr("Pods to preempt"), number_text(len(details.chosen.victims))),
        (tr("Equal candidates"), optional_number(details.tied if details.tied > 1 else None)),
        (tr("Disruption budgets violated"), ", ".join(details.budgets)),
    )
    columns = (
        tr("Node"),
        tr("Budget violations"),
        tr("Highest priority"),
        tr("Sum of priorities"),
        tr("Pods"),
        tr("Earliest start"),
        tr("Victims"),
    )
    rows = tuple(_candidate_row(candidate) for candidate in (details.chosen, *details.others))
    return steps_grid(tr("Preemption"), steps), Grid(tr("Best candidates"), columns, rows, (0,))


def _candidate_row(candidate: PreemptionCandidate) -> tuple[str, ...]:
    figures = (candidate.violations, candidate.highest_priority, candidate.priority_sum, len(candidate.victims))
    start = units.format_duration(abs(candidate.earliest_start_s) * units.US_PER_S)
    if candidate.earliest_start_s < 0:
        start = tr("{span} before the run", span=start)
    return candidate.node, *map(str, figures), start, some_of(candidate.victims)


def _refusal_grids(decision: Decision, details: Unschedulable) -> tuple[Grid, ...]:
    ranked = sorted(details.refused.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(count), reason) for reason, count in ranked)
    title = tr("Nodes that refused the pod, of {nodes}", nodes=details.nodes)
    grids = (Grid(title, (tr("Nodes"), tr("Reason")), rows),)
    if not decision.others:
        return grids
    title = tr("Pods of the same template that were refused with it: {count}", count=len(decision.others))
    return (*grids, Grid(title, (tr("Pod"),), tuple((name,) for name in decision.others[:_MOST_PODS])))
