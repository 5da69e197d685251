"""Turns the measured usage of pods into the constant use of their workloads."""

from collections.abc import Iterator, Mapping

from planner.kube.draft.draft import Draft, MeasuredUse, ObjectKey, Part
from planner.language.translation import marked, tr
from planner.units import format_bytes, format_cpu

_ONE_PART = ("StatefulSet", "DaemonSet", "ReplicaSet", "Job")
_UNKNOWN = marked("no workload matches the pod's name; its use is left out")
_TAKEN = marked(
    "cpuUse and memoryUse.start are what pods used on average when they were measured, their load "
    "included; where you fill in traffic, lower cpuUse to what a pod uses without requests"
)


def tell_measured_use(draft: Draft, workloads: list[Part], names: Mapping[ObjectKey, str]) -> None:
    """Give every workload the mean use of its pods that were measured."""
    by_name = {part["name"]: part for part in workloads}
    measured: dict[str, list[MeasuredUse]] = {}
    for (namespace, pod), use in draft.measured.items():
        name = _workload_of(namespace, pod, names)
        if name is None:
            draft.losses.add("PodMetrics", "", tr(_UNKNOWN))
        else:
            measured.setdefault(name, []).append(use)
    for name, uses in measured.items():
        by_name[name]["cpuUse"] = format_cpu(round(sum(use.cpu_milli for use in uses) / len(uses)))
        by_name[name]["memoryUse"] = {"start": format_bytes(round(sum(use.memory for use in uses) / len(uses)))}
    if measured:
        draft.losses.remark(tr(_TAKEN))


def _workload_of(namespace: str, pod: str, names: Mapping[ObjectKey, str]) -> str | None:
    """The workload whose controller gave the pod its name, or the one made of pods without controller."""
    for key in _controllers(namespace, pod):
        if key in names:
            return names[key]
    return names.get(("Pod", namespace, pod))


def _controllers(namespace: str, pod: str) -> Iterator[ObjectKey]:
    """Controllers that would give a pod this name: web-7 or web-x2b4z of "web", web-6d5f-x2b4z of a Deployment."""
    name, dash, last = pod.rpartition("-")
    if not dash:
        return
    for kind in _ONE_PART:
        if kind != "StatefulSet" or last.isdigit():
            yield kind, namespace, name
    deployment, dash, _revision = name.rpartition("-")
    if dash:
        yield "Deployment", namespace, deployment
