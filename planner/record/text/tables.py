"""Small tables of text: the form in which the computation behind a decision is shown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from planner.language.translation import marked, tr
from planner.record.text.wording import mebibytes, number_text
from planner.units import format_cpu


class Money(str):
    """A number in a cell that is an amount in the plan's currency, which a decision does not know."""

    __slots__ = ()


@dataclass(frozen=True)
class Grid:
    """A table: its rows have as many cells as there are columns. `chosen` are the rows that won."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: tuple[int, ...] = ()


Step = tuple[str, str]
"""What was looked at, and what was found."""


def steps_grid(title: str, steps: Iterable[Step], chosen: str = "") -> Grid:
    """A table of the steps that found something; `chosen` names the one that matters most."""
    rows = tuple(step for step in steps if step[1])
    return Grid(
        title, (tr("Step"), tr("Value")), rows, tuple(at for at, (name, _) in enumerate(rows) if name == chosen)
    )


_FACTS: Mapping[str, str] = {
    "active": marked("Jobs that went on"),
    "after": marked("After"),
    "before": marked("Before"),
    "budget": marked("Disruption budget"),
    "by": marked("By"),
    "capacity_type": marked("Capacity type"),
    "code": marked("Code"),
    "conditions": marked("Conditions"),
    "container": marked("Container"),
    "cost": marked("Disruption cost"),
    "cpu": marked("CPU"),
    "current_healthy": marked("Healthy pods"),
    "desired_healthy": marked("Healthy pods needed"),
    "evicted": marked("Evicted"),
    "exceeded": marked("Exceeded"),
    "failed": marked("Failed"),
    "first_pods": marked("First pods"),
    "freed": marked("Freed"),
    "late": marked("Late"),
    "left": marked("Left"),
    "machine": marked("Machine"),
    "memory": marked("Memory"),
    "method": marked("Method"),
    "missed": marked("Missed"),
    "missing": marked("Missing"),
    "nodes": marked("Nodes"),
    "on": marked("On"),
    "option_count": marked("Types that were left"),
    "pod": marked("Pod"),
    "pods": marked("Pods"),
    "pool": marked("Pool"),
    "price_per_hour": marked("Price per hour"),
    "quota": marked("Quota"),
    "reason": marked("Reason"),
    "reasons": marked("Reasons"),
    "replacements": marked("Replacements"),
    "restart_wait": marked("Wait for the restart"),
    "savings_per_hour": marked("Savings per hour"),
    "state": marked("State"),
    "succeeded": marked("Succeeded"),
    "taints": marked("Taints"),
    "targets": marked("Targets"),
    "tolerated": marked("Tolerated"),
    "took": marked("Took"),
    "unnamed": marked("Unnamed"),
    "used": marked("Used"),
    "what": marked("What"),
    "zone": marked("Zone"),
}
"""What the fields of details are called, without their units."""


def facts_grid(facts: Mapping[str, object]) -> Grid:
    """A table of everything that is known, under the names of the fields; values say their units."""
    return steps_grid(tr("Facts"), [_fact(name, value) for name, value in facts.items()])


def _fact(name: str, value: object) -> Step:
    text = "" if value is None else str(value)
    if isinstance(value, tuple):
        text = ", ".join(map(str, value))
    elif isinstance(value, int | float):
        text = Money(number_text(value)) if name.endswith("_per_hour") else number_text(value)
        if name.endswith("_s"):
            name, text = name.removesuffix("_s"), f"{text} s"
        elif name.endswith("_bytes"):
            name, text = name.removesuffix("_bytes"), mebibytes(int(value))
        elif name.endswith("_milli"):
            name, text = name.removesuffix("_milli"), format_cpu(int(value))
    return tr(_FACTS[name]) if name in _FACTS else name, text
