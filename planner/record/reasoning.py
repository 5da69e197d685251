"""The computation behind a decision as small tables: what was looked at, step by step, and what was chosen."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.explain_hpa import hpa_steps
from planner.record.facts import number_text
from planner.record.headline import headline
from planner.record.options import Option, read_options
from planner.record.removal_reasons import meaning_of
from planner.record.score_table import plugins_of, scored_nodes


@dataclass(frozen=True)
class Grid:
    """A table: its rows have as many cells as there are columns. `chosen` are the rows that won."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()


@dataclass(frozen=True)
class Reasoning:
    """The tables behind one decision under its subject and headline."""

    title: str
    grids: tuple[Grid, ...]


def reasoning(decision: Decision) -> Reasoning:
    """What led to a decision, as far as it was recorded."""
    make = _GRIDS.get((decision.actor, decision.verdict), _facts)
    grids = tuple(grid for grid in make(decision) if grid.rows)
    return Reasoning(f"{decision.subject}: {headline(decision)}", grids)


_STEP = ("Step", "Value")


# -- HPA --------------------------------------------------------------------------------------


def _hpa(decision: Decision) -> tuple[Grid, ...]:
    """The evaluation step by step as `hpa_steps` tells it, and the conditions it leaves behind."""
    if not {"current", "desired"} <= decision.figures.keys():
        return _facts(decision)
    told = [_HPA_STEP.fullmatch(line) for line in hpa_steps(decision)]
    steps = [(match["step"], match["value"]) for match in told if match is not None]
    rows = tuple(step for step in steps if step[0] != _CONDITION)
    conditions = tuple(_condition(value) for step, value in steps if step == _CONDITION)
    size = tuple(row for row, (step, _) in enumerate(rows) if step == _SIZE)
    return (
        Grid("Horizontal pod autoscaler", _STEP, rows, size),
        Grid("Conditions", ("Condition", "Status", "Reason"), conditions),
    )


_CONDITION, _SIZE = "Condition", "Size"
_HPA_STEP = re.compile(r"(?P<step>Raw proposal|\w+):? (?P<value>.*?)\.?")
"""One line of `hpa_steps`: what was looked at, and what was found."""


def _condition(text: str) -> tuple[str, str, str]:
    head, _, reason = text.partition(": ")
    kind, _, status = head.partition(" ")
    return kind, status, reason


# -- scheduler --------------------------------------------------------------------------------


def _refusals(decision: Decision) -> tuple[Grid, ...]:
    ranked = sorted(decision.refused.items(), key=lambda item: (-item[1], item[0]))
    rows = tuple((str(count), reason) for reason, count in ranked)
    nodes = decision.figures.get("nodes")
    title = (
        f"Nodes that refused the pod, of {number_text(nodes)}" if nodes is not None else "Nodes that refused the pod"
    )
    return (Grid(title, ("Nodes", "Reason"), rows),)


def _scores(decision: Decision) -> tuple[Grid, ...]:
    figures = decision.figures
    feasible, tied = _number(figures, "feasible"), _number(figures, "tied")
    looked_at = [("Node chosen", decision.target), ("Feasible nodes", feasible)] if feasible else []
    if tied:
        looked_at.append(("Equally good nodes", tied))
    rows = tuple((node.node, *map(str, node.points), str(node.total)) for node in scored_nodes(decision))
    return (
        Grid("Placement", _STEP, tuple(looked_at)),
        Grid("Points of the best nodes", ("Node", *plugins_of(decision), "Total"), rows, (0,) if rows else ()),
    )


def _preemption(decision: Decision) -> tuple[Grid, ...]:
    steps = (
        ("Nodes where preemption helps", _number(decision.figures, "candidates")),
        ("Node chosen", decision.target),
        ("Pods preempted there", _number(decision.figures, "victims")),
        ("Pod that takes their place", decision.details.get("preemptor", "")),
    )
    return (Grid("Preemption", _STEP, tuple(step for step in steps if step[1])),)


# -- cluster autoscaler -----------------------------------------------------------------------


def _scale_up(decision: Decision) -> tuple[Grid, ...]:
    options = read_options(decision.details.get("options", ""))
    expanders = list(dict.fromkeys(name for option in options for name in option.scores))
    rows = tuple(_option_row(option, expanders) for option in options)
    chosen = tuple(row for row, option in enumerate(options) if option.group == decision.subject)
    steps = (
        ("Pods to be helped", _number(decision.figures, "pods")),
        ("Expander", decision.details.get("expander", "")),
        ("New nodes", _number(decision.figures, "delta")),
        ("New target size", _number(decision.figures, "new_target")),
    )
    return (
        Grid("Options", ("Pool", "Nodes", "Pods", *expanders), rows, chosen),
        Grid("Scale-up", _STEP, tuple(step for step in steps if step[1])),
    )


def _option_row(option: Option, expanders: list[str]) -> tuple[str, ...]:
    scores = (number_text(option.scores[name]) if name in option.scores else "" for name in expanders)
    return (option.group, str(option.nodes), str(option.pods), *scores)


def _no_scale_up(decision: Decision) -> tuple[Grid, ...]:
    rows = tuple((str(count), reason) for reason, count in decision.refused.items())
    return (Grid("Why no pool can grow", ("Pools", "Reason"), rows), *_facts(decision))


def _scale_down(decision: Decision) -> tuple[Grid, ...]:
    figures, details = decision.figures, decision.details
    reason, _, pod_reason = details.get("reason", "").partition(": ")
    used = figures.get("utilization")
    unneeded_s = _number(figures, "unneeded_s")
    steps = (
        ("Requested share of the node", f"{100.0 * used:.1f} %" if used is not None else ""),
        ("Unneeded for", f"{unneeded_s} s" if unneeded_s else ""),
        ("Way", {"drain": "its pods are evicted first", "empty": "it is empty"}.get(details.get("how", ""), "")),
        ("Blocked by", reason),
        ("That means", meaning_of(reason)),
        ("Pod that blocks", pod_reason),
        ("That pod", meaning_of(pod_reason)),
    )
    return (Grid("Scale-down", _STEP, tuple(step for step in steps if step[1])),)


# -- all others -------------------------------------------------------------------------------


def _facts(decision: Decision) -> tuple[Grid, ...]:
    figures = ((_spaced(key), number_text(value)) for key, value in decision.figures.items())
    details = ((_spaced(key), value) for key, value in decision.details.items())
    return (Grid("Facts", _STEP, (*figures, *details)),)


def _number(figures: Mapping[str, float], key: str) -> str:
    return number_text(figures[key]) if key in figures else ""


def _spaced(key: str) -> str:
    return str(key).replace("_", " ").capitalize()


_GRIDS: Mapping[tuple[Actor, Verdict], Callable[[Decision], tuple[Grid, ...]]] = MappingProxyType(
    {
        (Actor.HPA, Verdict.SCALED): _hpa,
        (Actor.HPA, Verdict.KEPT): _hpa,
        (Actor.HPA, Verdict.NO_METRICS): _hpa,
        (Actor.SCHEDULER, Verdict.UNSCHEDULABLE): _refusals,
        (Actor.SCHEDULER, Verdict.BOUND): _scores,
        (Actor.SCHEDULER, Verdict.NOMINATED): _preemption,
        (Actor.SCHEDULER, Verdict.PREEMPTED): _preemption,
        (Actor.SCALE_UP, Verdict.TRIGGERED): _scale_up,
        (Actor.SCALE_UP, Verdict.NOT_TRIGGERED): _no_scale_up,
        (Actor.SCALE_DOWN, Verdict.UNNEEDED): _scale_down,
        (Actor.SCALE_DOWN, Verdict.NEEDED_AGAIN): _scale_down,
        (Actor.SCALE_DOWN, Verdict.UNREMOVABLE): _scale_down,
        (Actor.SCALE_DOWN, Verdict.REMOVING): _scale_down,
        (Actor.SCALE_DOWN, Verdict.REMOVED): _scale_down,
    }
)
