"""Requests, use and what the rules make of it, container by container."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planner.experiments.answers.answer import TitledTable
from planner.experiments.kinds.rightsize.sizes import SizedWorkload, requests_of
from planner.language.phrases import phrase
from planner.plan.model.workloads import Workload
from planner.simulation.use.distribution import UseDistribution
from planner.simulation.use.observation import ContainerUse
from planner.units import MIB, format_cpu
from planner.vpa.recommender.policies import CPU, RESOURCES

Sizes = Mapping[str, Sequence[SizedWorkload]]
"""By rule."""
_MOST_SAID = 3


def sizes_table(workloads: Sequence[Workload], uses: Sequence[ContainerUse], sizes: Sizes) -> TitledTable:
    """A row for each container and resource of which some use is known."""
    head = (
        phrase("Container"), phrase("Resource"), phrase("Request"), "p50", "p90", "p95", "p99", phrase("peak"),
        *(phrase("by {rule}", rule=rule) for rule in sizes),
    )  # fmt: skip
    rows = tuple(
        (
            f"{row['workload']}/{row['container']}",
            row["resource"],
            _text(row["resource"], row["request"]),
            *(_text(row["resource"], row["use"][part]) for part in ("p50", "p90", "p95", "p99", "peak")),
            *(_text(row["resource"], row["sizes"][rule]) for rule in sizes),
        )
        for row in sizes_json(workloads, uses, sizes)
    )
    return TitledTable(phrase("Requests and use of containers"), (head, *rows))


def sizes_json(workloads: Sequence[Workload], uses: Sequence[ContainerUse], sizes: Sizes) -> list[dict[str, Any]]:
    """The same as JSON has it: milli-CPU and bytes."""
    return list(_rows(workloads, uses, sizes))


def _rows(workloads: Sequence[Workload], uses: Sequence[ContainerUse], sizes: Sizes) -> Iterator[dict[str, Any]]:
    by_name = {one.name: one for one in workloads}
    new = {
        (rule, one.workload.name): requests_of(one.workload, one.settings)
        for rule, all_ in sizes.items()
        for one in all_
    }
    for use in uses:
        now = requests_of(by_name[use.workload])[use.container]
        for resource, part in zip(RESOURCES, (use.cpu, use.memory), strict=True):
            if part is not None:
                yield {
                    "workload": use.workload,
                    "container": use.container,
                    "resource": resource,
                    "request": now.get(resource),
                    "use": _use(part),
                    "sizes": {
                        rule: new.get((rule, use.workload), {}).get(use.container, now).get(resource) for rule in sizes
                    },
                }


def _use(part: UseDistribution) -> dict[str, float]:
    return {name: round(float(value), 1) for name, value in part._asdict().items()}


def requests_text(sizes: Sequence[SizedWorkload]) -> str:
    """What changes, for example "web: 250m, 512 MiB"; empty where that is too much for a sentence."""
    parts = [
        f"{one.workload.name}{f'/{each.name}' if len(one.workload.pod.containers) > 1 else ''}: "
        + ", ".join(_text(resource, amount) for resource, amount in each.requests.items())
        for one in sizes
        for each in one.settings
    ]
    return "; ".join(parts) if len(parts) <= _MOST_SAID else ""


def _text(resource: str, amount: float | None) -> str:
    if amount is None:
        return "–"
    return format_cpu(round(amount)) if resource == CPU else f"{round(amount / MIB)} MiB"
