"""Why requests of workloads are left as they are: a sentence a reason, not one a workload."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from planner.language.phrases import joined, phrase
from planner.language.translation import marked
from planner.plan.derived.pod_requests import pod_level_requests
from planner.plan.model.experiments.rightsize import UseSource
from planner.plan.model.workloads import Workload
from planner.simulation.use.observation import ContainerUse

_WHOLE_POD = marked("{name} requests as a whole pod: its containers are left as they are.")
_TOO_SHORT = marked("No pod of {name} ran long enough to be measured: it is left as it is.")
_CPU_UNKNOWN = marked(
    "The CPU of {name} is left as it is: the plan does not say what its pods use, neither by traffic nor by CPU use."
)
_CPU_NOT_MEASURED = marked("The CPU of {name} is left as it is: it was not measured.")
_MEMORY_UNKNOWN = marked("The memory of {name} is left as it is: the plan does not say what its pods use.")
_MEMORY_NOT_MEASURED = marked("The memory of {name} is left as it is: it was not measured.")
_MOST = 5
"""Workloads that a sentence names."""


def unsized(
    workloads: Sequence[Workload], uses: Mapping[str, Sequence[ContainerUse]], source: str, with_cpu: Collection[str]
) -> Iterator[str]:
    """`uses`: of containers, by workload, from `source`; `with_cpu`: workloads of which the plan says a use of CPU."""
    found: dict[str, list[str]] = {}
    for one in workloads:
        for reason in _reasons(one, uses[one.name], source == UseSource.SIMULATED, one.name in with_cpu):
            found.setdefault(reason, []).append(one.name)
    for reason, names in found.items():
        yield phrase(reason, name=_listed(names))


def _reasons(workload: Workload, uses: Sequence[ContainerUse], is_simulated: bool, says_cpu: bool) -> Iterator[str]:
    has_cpu, has_memory = any(one.cpu is not None for one in uses), any(one.memory is not None for one in uses)
    if pod_level_requests(workload.pod):
        yield _WHOLE_POD
    elif is_simulated and says_cpu and not has_cpu:
        yield _TOO_SHORT
    else:
        if not has_cpu:
            yield _CPU_UNKNOWN if is_simulated else _CPU_NOT_MEASURED
        if not has_memory:
            yield _MEMORY_UNKNOWN if is_simulated else _MEMORY_NOT_MEASURED


def _listed(names: Sequence[str]) -> str:
    text = joined(", ", names[:_MOST])
    return phrase("{names} and {count} more", names=text, count=len(names) - _MOST) if len(names) > _MOST else text
